/* SPDX-License-Identifier: MIT */
/* A trace does not say what is not in it, but gives signs. A field is read of an object into
 * which nothing was stored: its constructor did that. Where all stores are recorded this hardly
 * ever happens. Exits right behind a W of another object than the receiver tell that the tracer
 * records what local variables lose; a getter's W is of its receiver. */
#include "report/advise/advice.h"

#include "base/memory.h"
#include "heap/frames_inline.h"
#include "heap/objects_inline.h"

#include <stdlib.h>

/* What is known of a node. */
enum {
    IS_ARRAY = 1,
    IS_CONTAINER = 2, /* a U stored into it */
    IS_READ = 4,      /* a W named it after its allocation */
    IS_READ_FIRST = 8 /* at the first such W nothing was stored into it */
};

struct advice {
    struct objects *objects;
    struct frames *frames;
    uint8_t *marks; /* by node */
    size_t mark_capacity;
    node_t *witnessed; /* by thread: what its last record, a W, named; else NODE_NONE */
    size_t witnessed_capacity;
    bool explicit_time;
    struct advice_counts counts;
};

enum status advice_new(struct advice **out, bool explicit_time, struct failure *why)
{
    struct advice *advice = calloc(1, sizeof *advice);
    if (!advice)
        return fail_memory(why);
    advice->explicit_time = explicit_time;
    enum status status = objects_new(&advice->objects, why);
    if (status == STATUS_OK)
        status = frames_new(&advice->frames, why);
    if (status == STATUS_OK)
        *out = advice;
    else
        advice_free(advice);
    return status;
}

/* Makes room for what a batch can add: two nodes and a thread a record. */
static enum status advice_reserve(struct advice *advice, size_t records, struct failure *why)
{
    size_t had = advice->marks ? advice->mark_capacity : 0;
    size_t nodes = objects_count(advice->objects) + 2 * records;
    size_t threads = frames_thread_count(advice->frames) + records;
    uint8_t *marks = array_grow(advice->marks, &advice->mark_capacity, nodes, sizeof *marks);
    if (!marks)
        return fail_memory(why);
    advice->marks = marks;
    for (size_t i = had; i < advice->mark_capacity; i++)
        marks[i] = 0;
    had = advice->witnessed ? advice->witnessed_capacity : 0;
    node_t *witnessed =
        array_grow(advice->witnessed, &advice->witnessed_capacity, threads, sizeof *witnessed);
    if (!witnessed)
        return fail_memory(why);
    advice->witnessed = witnessed;
    for (size_t i = had; i < advice->witnessed_capacity; i++)
        witnessed[i] = NODE_NONE;
    return STATUS_OK;
}

static enum status advice_allocate(struct advice *advice, uint32_t thread,
                                   const struct record *record, struct failure *why)
{
    node_t node;
    enum allocation how;
    enum status status =
        objects_allocate(advice->objects, record->object, thread, &node, &how, why);
    if (status != STATUS_OK)
        return status;
    advice->counts.named_first += how == ALLOCATION_ADOPTED;
    if (record->kind == RECORD_ARRAY) {
        advice->counts.arrays++;
        advice->marks[node] |= IS_ARRAY;
    }
    return STATUS_OK;
}

static enum status advice_store(struct advice *advice, const struct record *record,
                                struct failure *why)
{
    node_t container, value;
    enum status status = objects_find(advice->objects, record->container, &container, why);
    if (status == STATUS_OK)
        status = objects_find(advice->objects, record->value, &value, why);
    if (status != STATUS_OK || container == NODE_NONE)
        return status;
    advice->counts.element_stores += advice->marks[container] & IS_ARRAY;
    advice->marks[container] |= IS_CONTAINER;
    return STATUS_OK;
}

/* A W; `node` is what it names. */
static void advice_read(struct advice *advice, node_t node)
{
    uint8_t *mark = &advice->marks[node];
    advice->counts.reads++;
    if (*mark & IS_READ || !objects_is_allocated(advice->objects, node))
        return;
    *mark |= *mark & IS_CONTAINER ? IS_READ : IS_READ | IS_READ_FIRST;
}

static enum status advice_enter(struct advice *advice, uint32_t thread,
                                const struct record *record, struct failure *why)
{
    node_t receiver;
    enum status status = objects_find(advice->objects, record->receiver, &receiver, why);
    if (status == STATUS_OK)
        status = frames_enter(advice->frames, thread, record->method, why);
    return status == STATUS_OK ? frames_hold(advice->frames, thread, receiver, why) : status;
}

/* `before` is what the record before it named, a W; else NODE_NONE. */
static enum status advice_leave(struct advice *advice, uint32_t thread, node_t before,
                                const struct record *record, struct failure *why)
{
    struct frames_left left;
    enum status status = frames_leave(advice->frames, thread, record->method, &left, why);
    if (status != STATUS_OK || !left.matched)
        return status;
    node_t receiver = left.own_count > 0 ? left.held[0] : NODE_NONE;
    advice->counts.exits++;
    advice->counts.exits_behind_w += before != NODE_NONE && before != receiver;
    advice->counts.abandoned += left.unwound;
    return STATUS_OK;
}

/* Names what T, H and X name. */
static enum status name_two(struct advice *advice, const struct record *record,
                            struct failure *why)
{
    node_t node;
    enum status status = objects_find(advice->objects, record->receiver, &node, why);
    return status == STATUS_OK ? objects_find(advice->objects, record->exception, &node, why)
                               : status;
}

static enum status advice_take(struct advice *advice, uint32_t thread, node_t before,
                               const struct record *record, struct failure *why)
{
    enum status status = STATUS_OK;
    node_t node;
    switch ((enum record_kind)record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        return advice_allocate(advice, thread, record, why);
    case RECORD_ENTRY:
        return advice_enter(advice, thread, record, why);
    case RECORD_EXCEPTION_EXIT:
        advice->counts.exceptions++;
        status = name_two(advice, record, why);
        return status == STATUS_OK ? advice_leave(advice, thread, before, record, why) : status;
    case RECORD_EXIT:
        return advice_leave(advice, thread, before, record, why);
    case RECORD_THROW:
    case RECORD_CATCH:
        advice->counts.throws++;
        return name_two(advice, record, why);
    case RECORD_UPDATE:
        return advice_store(advice, record, why);
    case RECORD_WITNESS:
        status = objects_find(advice->objects, record->object, &node, why);
        if (status != STATUS_OK)
            return status;
        advice_read(advice, node);
        advice->witnessed[thread] = node;
        break;
    case RECORD_DEATH:
        break;
    }
    return STATUS_OK;
}

static enum status advice_add_record(struct advice *advice, const struct record *record,
                                     struct failure *why)
{
    uint32_t thread;
    if (record->kind == RECORD_DEATH)
        return STATUS_OK;
    enum status status = frames_find_thread(
        advice->frames, advice->explicit_time ? 0 : record->thread, &thread, why);
    if (status != STATUS_OK)
        return status;
    node_t before = advice->witnessed[thread];
    advice->witnessed[thread] = NODE_NONE;
    return advice_take(advice, thread, before, record, why);
}

enum status advice_add(struct advice *advice, const struct batch *batch, struct failure *why)
{
    enum status status = advice_reserve(advice, batch->count, why);
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++)
        status = advice_add_record(advice, &batch->records[i], why);
    return status;
}

size_t advice_objects(const struct advice *advice)
{
    return objects_count(advice->objects);
}

struct advice_counts advice_count(const struct advice *advice)
{
    struct advice_counts counts = advice->counts;
    size_t nodes = objects_count(advice->objects);
    for (size_t node = 1; node < nodes; node++) {
        unsigned mark = advice->marks[node];
        bool is_allocated = objects_is_allocated(advice->objects, (node_t)node);
        counts.allocated += is_allocated;
        counts.never_allocated += !is_allocated;
        counts.read_objects += (mark & IS_READ) != 0;
        counts.read_first += (mark & IS_READ_FIRST) != 0;
        counts.never_stored += mark & IS_READ_FIRST && !(mark & IS_CONTAINER);
    }
    return counts;
}

/* Whether `part` is more than a twentieth of `whole`: what is less may be chance. */
static bool is_frequent(uint64_t part, uint64_t whole)
{
    return part > whole / 20;
}

static enum advice_verdict verdict_on_locals(const struct advice_counts *counts)
{
    return counts->exits == 0                                   ? ADVICE_UNCLEAR
           : is_frequent(counts->exits_behind_w, counts->exits) ? ADVICE_RECORDED
                                                                : ADVICE_MISSING;
}

/* If a W tells more than reads, what was read first cannot be told. */
static enum advice_verdict verdict_on_constructors(const struct advice_counts *counts)
{
    if (counts->read_objects == 0 || verdict_on_locals(counts) == ADVICE_RECORDED)
        return ADVICE_UNCLEAR;
    return is_frequent(counts->read_first, counts->read_objects) ? ADVICE_MISSING
                                                                 : ADVICE_RECORDED;
}

/* Where constructors' stores are recorded, an object that is read and never stored into has no
 * references: a primitive field of it was read. */
static enum advice_verdict verdict_on_reads(const struct advice_counts *counts)
{
    if (counts->reads == 0)
        return ADVICE_MISSING;
    if (verdict_on_constructors(counts) != ADVICE_RECORDED)
        return ADVICE_UNCLEAR;
    return counts->never_stored > 0 ? ADVICE_RECORDED : ADVICE_MISSING;
}

enum advice_verdict advice_verdict_of(const struct advice_counts *counts, enum advice_kind kind)
{
    switch (kind) {
    case ADVICE_CONSTRUCTORS:
        return verdict_on_constructors(counts);
    case ADVICE_READS:
        return verdict_on_reads(counts);
    case ADVICE_ELEMENTS:
        return counts->element_stores > 0 ? ADVICE_RECORDED
               : counts->arrays > 0       ? ADVICE_MISSING
                                          : ADVICE_UNCLEAR;
    case ADVICE_EXCEPTIONS:
        return counts->abandoned > 0    ? ADVICE_MISSING
               : counts->exceptions > 0 ? ADVICE_RECORDED
                                        : ADVICE_UNCLEAR;
    case ADVICE_LOCALS:
        return verdict_on_locals(counts);
    case ADVICE_ALLOCATIONS:
        return counts->never_allocated > 0 ? ADVICE_MISSING
               : counts->allocated > 0     ? ADVICE_RECORDED
                                           : ADVICE_UNCLEAR;
    case ADVICE_LIBRARIES:
    case ADVICE_COUNT:
        break;
    }
    return ADVICE_UNCLEAR;
}

void advice_free(struct advice *advice)
{
    if (!advice)
        return;
    objects_free(advice->objects);
    frames_free(advice->frames);
    free(advice->marks);
    free(advice->witnessed);
    free(advice);
}
