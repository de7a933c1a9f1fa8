/* SPDX-License-Identifier: MIT */
/* The slots of a container are a list, the newest first: most objects have few. A container
 * with more than a handful, such as the static fields, also has a Judy array from fields to
 * slots, so that no walk over a list is long. */
#include "heap/slots.h"

#include "base/map.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

/* The slots of a list that are searched before the container gets an array. */
enum { SHORT_LIST = 8 };

struct slot {
    uint64_t field;
    node_t target;
    slot_t next; /* slot of the same container; 0: the last */
};

struct slots {
    struct slot *items; /* from 1 on */
    size_t count;       /* of items, the unused item 0 included */
    size_t released;    /* how many slots have been released */
    size_t capacity;
    struct map hubs; /* container -> root of its array, field -> slot */

    bool has_marks;
    uint64_t *marks; /* by slot */
    size_t mark_capacity;
    slot_t latest;   /* that was stored to; 0: none */
    slot_t *targets; /* while slots are moved: new numbers by slot; 0: it is released */
};

enum status slots_new(struct slots **out, struct failure *why)
{
    struct slots *slots = calloc(1, sizeof *slots);
    if (!slots)
        return fail_memory(why);
    slots->count = 1;
    *out = slots;
    return STATUS_OK;
}

/* Adds all slots of a list to the array of their container. */
static enum status index_list(const struct slots *slots, struct map *fields, slot_t slot,
                              struct failure *why)
{
    for (; slot != 0; slot = slots->items[slot].next) {
        uint64_t *entry = map_insert(fields, slots->items[slot].field);
        if (!entry)
            return fail_memory(why);
        *entry = slot;
    }
    return STATUS_OK;
}

/* Sets *entry to the entry of `field` in the array of a container with many slots. If the field
 * has no slot yet, *entry becomes a new entry, which is 0, or, if `make` is false, NULL. */
static enum status find_in_hub(struct slots *slots, node_t container, slot_t first,
                               uint64_t field, bool make, uint64_t **entry, struct failure *why)
{
    uint64_t *root = map_insert(&slots->hubs, container);
    if (!root)
        return fail_memory(why);
    struct map fields = {.root = (void *)(uintptr_t)*root};
    enum status status = STATUS_OK;
    if (!fields.root)
        status = index_list(slots, &fields, first, why);
    if (status == STATUS_OK) {
        *entry = make ? map_insert(&fields, field) : map_find(&fields, field);
        if (make && !*entry)
            status = fail_memory(why);
    }
    *root = (uintptr_t)fields.root;
    return status;
}

/* Sets *slot to the slot of `field`; 0: it has none. If the container's array was searched,
 * sets *entry to the field's entry in it, which is new if `make` is true and the field has no
 * slot; else to NULL. */
static enum status find_slot(struct slots *slots, node_t container, slot_t first,
                             uint64_t field, bool make, slot_t *slot, uint64_t **entry,
                             struct failure *why)
{
    unsigned looked_at = 0;
    *entry = NULL;
    for (*slot = first; *slot != 0; *slot = slots->items[*slot].next) {
        if (slots->items[*slot].field == field)
            return STATUS_OK;
        if (++looked_at == SHORT_LIST)
            break;
    }
    if (*slot == 0)
        return STATUS_OK;
    enum status status = find_in_hub(slots, container, first, field, make, entry, why);
    *slot = status == STATUS_OK && *entry ? (slot_t)(*entry)[0] : 0;
    return status;
}

/* Makes room for the mark of slot `slot`. */
static enum status add_mark(struct slots *slots, size_t slot, struct failure *why)
{
    if (!ARRAY_RESERVE(slots->marks, slots->mark_capacity, slot + 1))
        return fail_memory(why);
    slots->marks[slot] = 0;
    return STATUS_OK;
}

enum status slots_keep_marks(struct slots *slots, struct failure *why)
{
    slots->has_marks = true;
    return add_mark(slots, 0, why);
}

uint64_t slots_exchange_mark(struct slots *slots, uint64_t mark)
{
    uint64_t had = slots->marks[slots->latest];
    slots->marks[slots->latest] = mark;
    return had;
}

/* Adds a slot at the front of the list that begins at *first. */
static enum status add_slot(struct slots *slots, slot_t *first, uint64_t field, node_t value,
                            struct failure *why)
{
    if (slots->count > SLOT_MAX)
        return fail(why, STATUS_LIMIT, "The trace has more than %" PRIu64 " reference slots",
                    (uint64_t)SLOT_MAX);
    if (!ARRAY_RESERVE(slots->items, slots->capacity, slots->count + 1))
        return fail_memory(why);
    if (slots->has_marks)
        TRY(add_mark(slots, slots->count, why));
    slots->items[slots->count] = (struct slot){.field = field, .target = value, .next = *first};
    *first = (slot_t)slots->count++;
    return STATUS_OK;
}

enum status slots_store(struct slots *slots, node_t container, slot_t *first, uint64_t field,
                        node_t value, node_t *old, struct failure *why)
{
    slot_t slot;
    uint64_t *entry;
    bool make = value != NODE_NONE;
    enum status status = find_slot(slots, container, *first, field, make, &slot, &entry, why);
    if (status != STATUS_OK)
        return status;
    slots->latest = slot;
    if (slot != 0) {
        *old = slots->items[slot].target;
        slots->items[slot].target = value;
        return STATUS_OK;
    }
    *old = NODE_NONE;
    if (value == NODE_NONE)
        return STATUS_OK;
    status = add_slot(slots, first, field, value, why);
    if (status == STATUS_OK && entry)
        *entry = *first;
    slots->latest = *first;
    return status;
}

node_t slots_next(const struct slots *slots, slot_t *slot)
{
    while (*slot != 0) {
        const struct slot *item = &slots->items[*slot];
        *slot = item->next;
        if (item->target != NODE_NONE)
            return item->target;
    }
    return NODE_NONE;
}

uint64_t slots_mark(const struct slots *slots, slot_t slot)
{
    return slots->marks[slot];
}

void slots_look(const struct slots *slots, slot_t *slot, uint64_t *field, node_t *target)
{
    const struct slot *item = &slots->items[*slot];
    *field = item->field;
    *target = item->target;
    *slot = item->next;
}

size_t slots_count(const struct slots *slots)
{
    return slots->released + slots->count - 1;
}

size_t slots_present(const struct slots *slots)
{
    return slots->count - 1;
}

/* Releases the arrays of containers with many slots. */
static void drop_hubs(struct slots *slots)
{
    uint64_t container = 0;
    for (uint64_t *root = map_first(&slots->hubs, &container); root;
         root = map_next(&slots->hubs, &container)) {
        struct map fields = {.root = (void *)(uintptr_t)*root};
        map_free(&fields);
    }
    map_free(&slots->hubs);
}

/* The arrays are dropped, because slots get other numbers; they are rebuilt when they are next
 * needed. */
enum status slots_move_begin(struct slots *slots, struct failure *why)
{
    drop_hubs(slots);
    slots->targets = array_new(slots->count, sizeof *slots->targets);
    return slots->targets ? STATUS_OK : fail_memory(why);
}

void slots_move_list(struct slots *slots, slot_t first)
{
    for (slot_t slot = first; slot != 0; slot = slots->items[slot].next)
        slots->targets[slot] = 1;
}

void slots_move_end(struct slots *slots, const node_t *moved)
{
    slot_t next = 1;
    for (size_t slot = 1; slot < slots->count; slot++)
        if (slots->targets[slot] != 0)
            slots->targets[slot] = next++;
    for (size_t slot = 1; slot < slots->count; slot++) {
        const struct slot *from = &slots->items[slot];
        if (slots->targets[slot] == 0)
            continue;
        if (slots->has_marks)
            slots->marks[slots->targets[slot]] = slots->marks[slot];
        slots->items[slots->targets[slot]] = (struct slot){
            .field = from->field,
            .target = moved[from->target],
            .next = slots->targets[from->next],
        };
    }
    slots->released += slots->count - next;
    slots->count = next;
}

slot_t slots_moved(const struct slots *slots, slot_t first)
{
    return slots->targets[first];
}

void slots_move_done(struct slots *slots)
{
    free(slots->targets);
    slots->targets = NULL;
}

void slots_drop(struct slots *slots)
{
    drop_hubs(slots);
    free(slots->items);
    free(slots->targets);
    free(slots->marks);
    slots->items = NULL;
    slots->targets = NULL;
    slots->marks = NULL;
}

void slots_free(struct slots *slots)
{
    if (!slots)
        return;
    slots_drop(slots);
    free(slots);
}
