/* SPDX-License-Identifier: MIT */
/* An allocation is its kind and size; a store is its marks, and steps to the objects from those
 * before, which are short. With a table these are nodes, since the number of an object that a
 * store names before its allocation is known only later: they become numbers as the list is
 * read. Windows know numbers at once, from a reading backward. */
#include "merlin/recorders/stores.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/packed.h"

#include <stdlib.h>

/* What a store begins with, which is less than any kind of record. */
enum { SAME_CONTAINER = 1, STORES_NULL = 2, STORE_MARKS = 3 };

/* What steps lead from: nodes or numbers. */
struct latest {
    uint64_t object; /* allocated or stored */
    uint64_t container;
};

struct stores {
    struct number_list *list;
    uint64_t count; /* allocations and stores */
    uint64_t births;
    struct latest latest;
    struct ascending priors;    /* numbers of those that were there before the trace */
    struct number_stack *stack; /* owned; NULL: objects are nodes, if there are `nodes` */
    uint64_t *numbers;          /* by node, for nodes before `known`; with `stack` */
    size_t known, capacity;
    const node_t *nodes;     /* by allocation; NULL: the list has numbers */
    const node_t *number_of; /* by node (objects_numbers) */
};

struct store_cursor {
    const struct stores *stores;
    struct number_cursor *numbers;
    uint64_t left;
    uint64_t births; /* so far */
    struct latest latest;
};

enum status stores_open(struct stores **out, const struct temporary_folder *temporary,
                        struct failure *why)
{
    struct stores *stores = calloc(1, sizeof *stores);
    if (!stores)
        return fail_memory(why);
    enum status status = number_list_open(&stores->list, temporary, why);
    if (status == STATUS_OK)
        *out = stores;
    else
        stores_close(stores);
    return status;
}

void stores_take_numbers(struct stores *stores, struct number_stack *numbers)
{
    stores->stack = numbers;
}

/* Takes the numbers of the nodes that have begun. */
static enum status take_numbers(struct stores *stores, size_t nodes, struct failure *why)
{
    if (!ARRAY_RESERVE(stores->numbers, stores->capacity, nodes))
        return fail_memory(why);
    if (stores->known == 0)
        stores->numbers[stores->known++] = 0; /* null */
    while (stores->known < nodes) {
        stores->numbers[stores->known++] = number_stack_top(stores->stack);
        TRY(number_stack_pop(stores->stack, why));
    }
    return STATUS_OK;
}

/* What the list calls a node: its number or, with a table, the node itself. */
static uint64_t name_of(const struct stores *stores, node_t node)
{
    return stores->stack ? stores->numbers[node] : node;
}

/* Appends an allocation of what the list calls `name`. */
static enum status add_birth(struct stores *stores, unsigned kind, uint64_t size, uint64_t name,
                             struct failure *why)
{
    stores->count++;
    stores->births++;
    stores->latest.object = name;
    if (record_is_prior(kind))
        TRY(ascending_add(&stores->priors, stores->births, why));
    TRY(number_list_add(stores->list, kind, why));
    return number_list_add(stores->list, size, why);
}

enum status stores_add_birth(struct stores *stores, unsigned kind, uint64_t size,
                             struct failure *why)
{
    return add_birth(stores, kind, size, stores->births + 1, why);
}

static enum status add_store(struct stores *stores, uint64_t container, uint64_t field,
                             uint64_t value, struct failure *why)
{
    struct latest *latest = &stores->latest;
    bool is_same = container == latest->container;
    stores->count++;
    TRY(number_list_add(
        stores->list, (is_same ? SAME_CONTAINER : 0U) | (value == 0 ? STORES_NULL : 0U), why));
    if (!is_same)
        TRY(number_list_add(stores->list, varint_step(latest->container, container), why));
    if (value != 0)
        TRY(number_list_add(stores->list, varint_step(latest->object, value), why));
    latest->container = container;
    if (value != 0)
        latest->object = value;
    return number_list_add(stores->list, field, why);
}

enum status stores_see(struct stores *stores, const struct seen_batch *seen,
                       struct failure *why)
{
    if (stores->stack)
        TRY(take_numbers(stores, seen->nodes, why));
    for (size_t i = 0; i < seen->events->count; i++) {
        const struct seen_event *event = &seen->events->items[i];
        if (event->kind != SEEN_BIRTH && event->kind != SEEN_STORE)
            continue;
        const struct record *record = seen_record(seen, event);
        if (event->kind == SEEN_BIRTH)
            TRY(add_birth(stores, record->kind, record->size, name_of(stores, event->node),
                          why));
        else
            TRY(add_store(stores, name_of(stores, event->node), record->field,
                          name_of(stores, event->other), why));
    }
    return STATUS_OK;
}

void stores_move(struct stores *stores, const node_t *moved, size_t nodes)
{
    size_t staying = 1;
    if (!stores->stack)
        return;
    for (size_t node = 1; node < nodes; node++)
        if (moved[node] != NODE_NONE)
            stores->numbers[staying++] = stores->numbers[node];
    stores->known = staying;
}

enum status stores_finish(struct stores *stores, struct objects *objects, struct failure *why)
{
    size_t count;
    if (!stores->stack && objects) {
        stores->nodes = objects_allocations(objects, &count);
        stores->number_of = objects_numbers(objects);
        if (!stores->number_of)
            return fail_memory(why);
    }
    free(stores->numbers);
    stores->numbers = NULL;
    return number_list_finish(stores->list, why);
}

bool stores_is_prior(const struct stores *stores, uint64_t number)
{
    const struct ascending *priors = &stores->priors;
    size_t low = 0, high = priors->count;
    BISECT(low, high, at, ascending_at(priors, at) < number);
    return low < priors->count && ascending_at(priors, low) == number;
}

void stores_close(struct stores *stores)
{
    if (!stores)
        return;
    number_list_close(stores->list);
    number_stack_close(stores->stack);
    ascending_free(&stores->priors);
    free(stores->numbers);
    free(stores);
}

enum status store_cursor_open(struct store_cursor **out, const struct stores *stores,
                              struct failure *why)
{
    struct store_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return fail_memory(why);
    cursor->stores = stores;
    cursor->left = stores->count;
    enum status status = number_cursor_open(&cursor->numbers, stores->list, why);
    if (status == STATUS_OK)
        *out = cursor;
    else
        store_cursor_close(cursor);
    return status;
}

/* The number of what the list calls `name`; 0: it is null, or never allocated. */
static uint64_t number_of(const struct stores *stores, uint64_t name)
{
    uint64_t number = stores->number_of ? stores->number_of[name] : name;
    return number <= stores->births ? number : 0;
}

static enum status next_birth(struct store_cursor *cursor, struct heap_change *change,
                              struct failure *why)
{
    const node_t *nodes = cursor->stores->nodes;
    cursor->latest.object = nodes ? nodes[cursor->births] : cursor->births + 1;
    change->object = ++cursor->births;
    return number_cursor_next(cursor->numbers, &change->size, why);
}

static enum status next_store(struct store_cursor *cursor, unsigned marks,
                              struct heap_change *change, struct failure *why)
{
    struct latest *latest = &cursor->latest;
    uint64_t step = 0;
    if (!(marks & SAME_CONTAINER)) {
        TRY(number_cursor_next(cursor->numbers, &step, why));
        latest->container = varint_follow(latest->container, step);
    }
    if (!(marks & STORES_NULL)) {
        TRY(number_cursor_next(cursor->numbers, &step, why));
        latest->object = varint_follow(latest->object, step);
    }
    change->kind = RECORD_UPDATE;
    change->object = number_of(cursor->stores, latest->container);
    change->value = marks & STORES_NULL ? 0 : number_of(cursor->stores, latest->object);
    return number_cursor_next(cursor->numbers, &change->field, why);
}

enum status store_cursor_next(struct store_cursor *cursor, struct heap_change *change,
                              struct failure *why)
{
    do {
        uint64_t head = 0;
        if (cursor->left == 0)
            return STATUS_END;
        cursor->left--;
        TRY(number_cursor_next(cursor->numbers, &head, why));
        change->kind = (unsigned)head;
        TRY(head <= STORE_MARKS ? next_store(cursor, (unsigned)head, change, why)
                                : next_birth(cursor, change, why));
    } while (change->object == 0);
    return STATUS_OK;
}

void store_cursor_close(struct store_cursor *cursor)
{
    if (!cursor)
        return;
    number_cursor_close(cursor->numbers);
    free(cursor);
}
