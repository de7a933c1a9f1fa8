/* SPDX-License-Identifier: MIT */
/* A trace of ettrace says at which level it was recorded. Other traces give signs of what they
 * lack. If a field of an object is read before anything was stored into the object, its
 * constructor stored it, unrecorded. That this is rare does not prove that constructors are
 * recorded, since later code may have stored into other fields. Proof is a U into an object
 * before anything else names it, even its N: only the constructor knew the object then. Exits
 * right after a W that is not of the receiver show that objects which local variables lose are
 * recorded; a getter's W is of its receiver. */
#include "report/advise/advice.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/symbols.h"
#include "heap/frames_inline.h"
#include "heap/objects_inline.h"

#include <stdlib.h>

/* What is known about a node. */
enum {
    IS_ARRAY = 1,
    IS_CONTAINER = 2,     /* a U stored into it */
    IS_READ = 4,          /* a W named it after its allocation */
    IS_READ_FIRST = 8,    /* nothing had been stored into it at the first such W */
    IS_OBJECT = 16,       /* an N allocated it */
    IS_STORED_FIRST = 32, /* the first record that named it was a U into it, before its N */
    IS_PRIOR = 64         /* older than the trace, which has neither its allocation nor what its
                             constructor stored */
};

/* What is known about a pair of a type and a field. */
enum { IS_FIRST_FIELD = 1, IS_CONSTRUCTED = 2 };

struct advice {
    struct objects *objects;
    struct frames *frames;
    uint8_t *marks; /* by node */
    size_t mark_capacity;
    uint64_t *facts; /* by node: its type once it has an N, before that the field that was
                        stored first */
    size_t fact_capacity;
    struct interner types;  /* of objects with stores */
    struct interner fields; /* that are stored into first */
    struct map pairs;       /* number of type << 32 | number of field -> what is known */
    /* By thread: what its last record named, if that was a W; else NODE_NONE. */
    node_t *witnessed;
    size_t witnessed_capacity;
    bool explicit_time;
    uint64_t tick; /* boundaries so far */
    struct advice_counts counts;
};

enum status advice_new(struct advice **out, bool explicit_time, enum trace_level level,
                       struct failure *why)
{
    struct advice *advice = calloc(1, sizeof *advice);
    if (!advice)
        return fail_memory(why);
    advice->explicit_time = explicit_time;
    advice->counts.level = level;
    enum status status = objects_new(&advice->objects, why);
    if (status == STATUS_OK)
        status = frames_new(&advice->frames, why);
    if (status == STATUS_OK)
        *out = advice;
    else
        advice_free(advice);
    return status;
}

/* Makes room for what a batch can add: two nodes and one thread for each record. */
static enum status advice_reserve(struct advice *advice, size_t records, struct failure *why)
{
    size_t had = advice->marks ? advice->mark_capacity : 0;
    size_t nodes = objects_count(advice->objects) + 2 * records;
    size_t threads = frames_thread_count(advice->frames) + records;
    if (!ARRAY_RESERVE(advice->marks, advice->mark_capacity, nodes))
        return fail_memory(why);
    for (size_t i = had; i < advice->mark_capacity; i++)
        advice->marks[i] = 0;
    if (!ARRAY_RESERVE(advice->facts, advice->fact_capacity, nodes))
        return fail_memory(why);
    had = advice->witnessed ? advice->witnessed_capacity : 0;
    if (!ARRAY_RESERVE(advice->witnessed, advice->witnessed_capacity, threads))
        return fail_memory(why);
    for (size_t i = had; i < advice->witnessed_capacity; i++)
        advice->witnessed[i] = NODE_NONE;
    return STATUS_OK;
}

/* Notes that `field` is the first into which something was stored in an object of `type`. */
static enum status note_pair(struct advice *advice, uint64_t type, uint64_t field,
                             bool is_constructed, struct failure *why)
{
    uint32_t type_number, field_number;
    TRY(interner_add(&advice->types, type, "types", &type_number, why));
    TRY(interner_add(&advice->fields, field, "fields", &field_number, why));
    uint64_t *knows = map_insert(&advice->pairs, (uint64_t)type_number << 32 | field_number);
    if (!knows)
        return fail_memory(why);
    advice->counts.first_fields += *knows == 0;
    advice->counts.constructed += is_constructed && !(*knows & IS_CONSTRUCTED);
    *knows |= is_constructed ? IS_FIRST_FIELD | IS_CONSTRUCTED : IS_FIRST_FIELD;
    return STATUS_OK;
}

/* An N: the type of an object that may have had stores before is known now. */
static enum status advice_construct(struct advice *advice, node_t node, uint64_t type,
                                    struct failure *why)
{
    uint64_t field = advice->facts[node];
    unsigned mark = advice->marks[node];
    advice->facts[node] = type;
    advice->marks[node] |= IS_OBJECT;
    return mark & IS_CONTAINER
               ? note_pair(advice, type, field, (mark & IS_STORED_FIRST) != 0, why)
               : STATUS_OK;
}

static enum status advice_allocate(struct advice *advice, uint32_t thread,
                                   const struct record *record, struct failure *why)
{
    node_t before, node;
    enum allocation how;
    TRY(objects_allocate(advice->objects, record->object, thread, &before, &node, &how, why));
    if (record_is_prior(record->kind)) {
        advice->marks[node] |= IS_PRIOR;
        return STATUS_OK;
    }
    advice->counts.allocated++;
    longest_tick_add(&advice->counts.longest_tick, advice->tick, record->size);
    advice->counts.named_first += how == ALLOCATION_ADOPTED;
    if (record->kind == RECORD_ARRAY) {
        advice->counts.arrays++;
        advice->marks[node] |= IS_ARRAY;
    }
    return record->kind == RECORD_OBJECT ? advice_construct(advice, node, record->type, why)
                                         : STATUS_OK;
}

/* The first store into `container`; `is_named`: an earlier record named it. */
static enum status advice_store_first(struct advice *advice, node_t container, bool is_named,
                                      uint64_t field, struct failure *why)
{
    uint8_t *mark = &advice->marks[container];
    *mark |= is_named ? IS_CONTAINER : IS_CONTAINER | IS_STORED_FIRST;
    if (*mark & IS_OBJECT)
        return note_pair(advice, advice->facts[container], field, false, why);
    advice->facts[container] = field;
    return STATUS_OK;
}

static enum status advice_store(struct advice *advice, const struct record *record,
                                struct failure *why)
{
    node_t container, value;
    size_t nodes = objects_count(advice->objects);
    TRY(objects_find(advice->objects, record->container, &container, why));
    TRY(objects_find(advice->objects, record->value, &value, why));
    if (container == NODE_NONE)
        return STATUS_OK;
    advice->counts.element_stores += advice->marks[container] & IS_ARRAY;
    return advice->marks[container] & IS_CONTAINER
               ? STATUS_OK
               : advice_store_first(advice, container, container < nodes, record->field, why);
}

/* A W, which names `node`. */
static void advice_read(struct advice *advice, node_t node, uint64_t class_id)
{
    uint8_t *mark = &advice->marks[node];
    advice->counts.reads++;
    advice->counts.fieldless += class_id == 0;
    if (*mark & (IS_READ | IS_PRIOR) || !objects_is_allocated(advice->objects, node))
        return;
    *mark |= *mark & IS_CONTAINER ? IS_READ : IS_READ | IS_READ_FIRST;
}

static enum status advice_enter(struct advice *advice, uint32_t thread,
                                const struct record *record, struct failure *why)
{
    node_t receiver;
    TRY(objects_find(advice->objects, record->receiver, &receiver, why));
    TRY(frames_enter(advice->frames, thread, record->method, why));
    return frames_hold(advice->frames, thread, receiver, why);
}

/* An E or X; `before`: what the record before it named, if that was a W; else NODE_NONE. */
static enum status advice_leave(struct advice *advice, uint32_t thread, node_t before,
                                const struct record *record, struct failure *why)
{
    struct frames_left left;
    TRY(frames_leave(advice->frames, thread, record->method, &left, why));
    if (!left.matched)
        return STATUS_OK;
    node_t receiver = left.own_count > 0 ? left.held[0] : NODE_NONE;
    advice->counts.exits++;
    advice->counts.exits_after_w += before != NODE_NONE && before != receiver;
    advice->counts.abandoned += left.unwound;
    return STATUS_OK;
}

/* Enters what T, H and X name. */
static enum status name_two(struct advice *advice, const struct record *record,
                            struct failure *why)
{
    node_t node;
    TRY(objects_find(advice->objects, record->receiver, &node, why));
    return objects_find(advice->objects, record->exception, &node, why);
}

static enum status advice_take(struct advice *advice, uint32_t thread, node_t before,
                               const struct record *record, struct failure *why)
{
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
        TRY(name_two(advice, record, why));
        return advice_leave(advice, thread, before, record, why);
    case RECORD_EXIT:
        return advice_leave(advice, thread, before, record, why);
    case RECORD_THROW:
    case RECORD_CATCH:
        advice->counts.throws++;
        return name_two(advice, record, why);
    case RECORD_UPDATE:
        return advice_store(advice, record, why);
    case RECORD_WITNESS:
        TRY(objects_find(advice->objects, record->object, &node, why));
        advice_read(advice, node, record->class_id);
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
    TRY(frames_find_thread(advice->frames, advice->explicit_time ? 0 : record->thread, &thread,
                           why));
    node_t before = advice->witnessed[thread];
    advice->witnessed[thread] = NODE_NONE;
    advice->tick += record_is_boundary(record->kind) ? 1 : 0;
    return advice_take(advice, thread, before, record, why);
}

enum status advice_add(struct advice *advice, const struct batch *batch, struct failure *why)
{
    TRY(advice_reserve(advice, batch->count, why));
    for (size_t i = 0; i < batch->count; i++)
        TRY(advice_add_record(advice, &batch->records[i], why));
    return STATUS_OK;
}

size_t advice_objects(const struct advice *advice)
{
    return objects_named(advice->objects);
}

/* Whether an object was read though nothing is ever stored into it, nor into any other of its
 * type, if that is known. */
static bool has_no_stores(const struct advice *advice, node_t node)
{
    unsigned mark = advice->marks[node];
    return mark & IS_READ_FIRST && !(mark & IS_CONTAINER) &&
           !(mark & IS_OBJECT &&
             interner_find(&advice->types, advice->facts[node]) != NO_NUMBER);
}

struct advice_counts advice_count(const struct advice *advice)
{
    struct advice_counts counts = advice->counts;
    size_t nodes = objects_count(advice->objects);
    for (size_t node = 1; node < nodes; node++) {
        unsigned mark = advice->marks[node];
        counts.never_allocated += !objects_is_allocated(advice->objects, (node_t)node);
        counts.read_objects += (mark & IS_READ) != 0;
        counts.read_first += (mark & IS_READ_FIRST) != 0;
        counts.unstored += has_no_stores(advice, (node_t)node);
    }
    return counts;
}

/* Whether `part` is more than a twentieth of `whole`; less may be chance. */
static bool is_frequent(uint64_t part, uint64_t whole)
{
    return part > whole / 20;
}

/* Whether many W are not reads of fields. Then it is unknown what was read first. */
static bool has_other_w(const struct advice_counts *counts)
{
    return is_frequent(counts->exits_after_w, counts->exits) ||
           is_frequent(counts->fieldless, counts->reads);
}

/* If few exits follow such a W, frequent W without a class may still be of variables, which can
 * lose their objects earlier. */
static enum advice_verdict verdict_on_locals(const struct advice_counts *counts)
{
    return counts->exits == 0                                  ? ADVICE_UNCLEAR
           : is_frequent(counts->exits_after_w, counts->exits) ? ADVICE_RECORDED
           : has_other_w(counts)                               ? ADVICE_UNCLEAR
                                                               : ADVICE_MISSING;
}

/* Where it is unclear whether a W is a read, it is also unclear what was read first. That
 * constructors' stores of some types are recorded proves nothing about others whose objects are
 * read before anything is stored into them. */
static enum advice_verdict verdict_on_constructors(const struct advice_counts *counts)
{
    uint64_t unexplained = counts->read_first - counts->unstored;
    if (is_frequent(counts->constructed, counts->first_fields))
        return has_other_w(counts) || !is_frequent(unexplained, counts->read_objects)
                   ? ADVICE_RECORDED
                   : ADVICE_UNCLEAR;
    return !has_other_w(counts) && is_frequent(counts->read_first, counts->read_objects)
               ? ADVICE_MISSING
               : ADVICE_UNCLEAR;
}

/* If constructors' stores are recorded, objects of types into which nothing is ever stored have
 * no references. Where such objects are read, primitive fields were read, but for a few
 * references that are null. */
static enum advice_verdict verdict_on_reads(const struct advice_counts *counts)
{
    if (counts->reads == 0)
        return counts->allocated > 0 || counts->exits > 0 ? ADVICE_MISSING : ADVICE_UNCLEAR;
    if (verdict_on_constructors(counts) != ADVICE_RECORDED || has_other_w(counts))
        return ADVICE_UNCLEAR;
    return is_frequent(counts->unstored, counts->read_objects) ? ADVICE_RECORDED
           : counts->unstored > 0                              ? ADVICE_UNCLEAR
                                                               : ADVICE_MISSING;
}

/* The verdict that records allow. */
static enum advice_verdict verdict_on_signs(const struct advice_counts *counts,
                                            enum advice_kind kind)
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
        return counts->exceptions > 0 ? ADVICE_RECORDED : ADVICE_UNCLEAR;
    case ADVICE_LOCALS:
        return verdict_on_locals(counts);
    case ADVICE_ALLOCATIONS:
        return counts->allocated > 0 ? ADVICE_RECORDED : ADVICE_UNCLEAR;
    case ADVICE_LIBRARIES:
    case ADVICE_COUNT:
        break;
    }
    return ADVICE_UNCLEAR;
}

/* What ettrace records at a level that is known (ettrace(1), --records). */
static enum advice_verdict verdict_on_level(enum trace_level level, enum advice_kind kind)
{
    bool is_of_locals = kind == ADVICE_READS || kind == ADVICE_LOCALS;
    bool is_missing = is_of_locals ? trace_level_lacks_locals(level) : level == TRACE_LEVEL_ET3;
    return is_missing ? ADVICE_MISSING : ADVICE_RECORDED;
}

/* Objects without an N, and frames without an end, prove that records are missing. */
static bool is_proved_missing(const struct advice_counts *counts, enum advice_kind kind)
{
    return (kind == ADVICE_ALLOCATIONS && counts->never_allocated > 0) ||
           (kind == ADVICE_EXCEPTIONS && counts->abandoned > 0);
}

enum advice_verdict advice_verdict_of(const struct advice_counts *counts, enum advice_kind kind)
{
    if (is_proved_missing(counts, kind))
        return ADVICE_MISSING;
    return counts->level != TRACE_LEVEL_UNKNOWN ? verdict_on_level(counts->level, kind)
                                                : verdict_on_signs(counts, kind);
}

void advice_free(struct advice *advice)
{
    if (!advice)
        return;
    objects_free(advice->objects);
    frames_free(advice->frames);
    free(advice->marks);
    free(advice->facts);
    interner_free(&advice->types);
    interner_free(&advice->fields);
    map_free(&advice->pairs);
    free(advice->witnessed);
    free(advice);
}

enum status run_advice_read(struct run_advice *run, const struct report_material *material,
                            const struct batch *batch, struct failure *why)
{
    const struct reader *reader = material->reader;
    if (!run->advice)
        TRY(advice_new(&run->advice, reader->explicit_time, reader->mark.level, why));
    return advice_add(run->advice, batch, why);
}

/* The advice has a table of all objects that the records name. It is released before the lives
 * come, so that only one reading of the trace has that table and the heap in memory. */
void run_advice_finish(struct run_advice *run)
{
    if (!run->advice)
        return;
    run->counts = advice_count(run->advice);
    run->list = (struct form_part){advice_put_list, &run->counts, ADVICE_COUNT};
    advice_free(run->advice);
    run->advice = NULL;
}

void run_advice_free(struct run_advice *run)
{
    advice_free(run->advice);
    *run = (struct run_advice){.advice = NULL};
}
