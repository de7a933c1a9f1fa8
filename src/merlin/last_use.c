/* Each mention of an object in a record is a use at the tick of that moment. */
#include "merlin/last_use.h"

#include "base/memory.h"

#include <stdlib.h>

enum status history_init(struct history *history, enum held_by held_by, bool explicit_time,
                         struct failure *why)
{
    *history = (struct history){
        .held_by = held_by,
        .explicit_time = explicit_time,
        .thread = NO_THREAD,
    };
    return heap_init(&history->heap, why);
}

void history_free(struct history *history)
{
    heap_free(&history->heap);
    clock_free(&history->clock);
    free(history->proofs);
    history->proofs = NULL;
    notes_free(&history->notes);
    references_close(history->references);
    history->references = NULL;
}

static enum status reserve_proofs(struct history *history, size_t nodes, struct failure *why)
{
    struct proof *proofs =
        array_grow(history->proofs, &history->proof_capacity, nodes, sizeof *proofs);
    if (!proofs)
        return fail_memory(why);
    history->proofs = proofs;
    return STATUS_OK;
}

enum status history_note_proofs(struct history *history, struct failure *why)
{
    history->is_watched = true;
    return reserve_proofs(history, objects_count(history->heap.objects), why);
}

void history_tick_by_time(struct history *history)
{
    history->ticks_by_time = true;
}

enum status history_note_lives(struct history *history, bool recorded, struct failure *why)
{
    history->is_watched = history->keeps_notes = true;
    history->notes.keeps_deaths = recorded;
    return notes_reserve(&history->notes, objects_count(history->heap.objects), why);
}

enum status history_note_references(struct history *history, const char *folder,
                                    struct failure *why)
{
    enum status status = slots_keep_marks(history->heap.slots, why);
    return status == STATUS_OK ? references_open(&history->references, folder, why) : status;
}

/* Each record adds at most two nodes: what a batch can add has room before it is read. */
static enum status reserve(struct history *history, size_t records, struct failure *why)
{
    size_t nodes = objects_count(history->heap.objects) + 2 * records;
    enum status status = STATUS_OK;
    if (history->proofs)
        status = reserve_proofs(history, nodes, why);
    if (history->keeps_notes && status == STATUS_OK)
        status = notes_reserve(&history->notes, nodes, why);
    return status;
}

static void watch_use(struct history *history, node_t node, enum use use)
{
    if (history->proofs && use != USE_POPPED)
        history->proofs[node] = (struct proof){history->record, history->clock.now};
    if (history->keeps_notes)
        notes_use(&history->notes, node, use);
}

/* The present record uses `node`, or null, in the way `use`. */
static inline void use_node_as(struct history *history, node_t node, enum use use)
{
    objects_use(history->heap.objects, node, history->clock.now);
    if (history->is_watched)
        watch_use(history, node, use);
}

static inline void use_node(struct history *history, node_t node)
{
    use_node_as(history, node, USE_NAMED);
}

/* Object `id`, null allowed, is used now. */
static inline enum status use(struct history *history, uint64_t id, node_t *node,
                              struct failure *why)
{
    enum status status = objects_find(history->heap.objects, id, node, why);
    if (status == STATUS_OK)
        use_node(history, *node);
    return status;
}

/* What a record names is held by the innermost frame, if frames hold what they name. */
static inline enum status hold_named(struct history *history, uint32_t thread, node_t node,
                                     struct failure *why)
{
    if (history->held_by != HELD_BY_FRAME)
        return STATUS_OK;
    return frames_hold(history->heap.frames, thread, node, why);
}

static enum status use_named(struct history *history, uint32_t thread, uint64_t id,
                             struct failure *why)
{
    node_t node;
    enum status status = use(history, id, &node, why);
    return status == STATUS_OK ? hold_named(history, thread, node, why) : status;
}

static enum status tick(struct history *history, const struct record *record,
                        struct failure *why)
{
    if (history->explicit_time)
        return clock_tick_at(&history->clock, record->time, why);
    clock_tick(&history->clock);
    return STATUS_OK;
}

static enum status allocate(struct history *history, uint32_t thread,
                            const struct record *record, struct failure *why)
{
    node_t node;
    enum allocation how;
    enum status status =
        objects_allocate(history->heap.objects, record->object, thread, &node, &how, why);
    if (status != STATUS_OK)
        return status;
    history->counts.adopted += how == ALLOCATION_ADOPTED;
    history->counts.repeated += how == ALLOCATION_REPEATED;
    use_node(history, node);
    if (history->keeps_notes) {
        status = notes_birth(&history->notes, history->clock.now, record->size, why);
        if (status != STATUS_OK)
            return status;
    }
    return hold_named(history, thread, node, why);
}

static enum status enter(struct history *history, uint32_t thread, const struct record *record,
                         struct failure *why)
{
    node_t receiver;
    enum status status = tick(history, record, why);
    if (status == STATUS_OK)
        status = use(history, record->receiver, &receiver, why);
    if (status == STATUS_OK)
        status = frames_enter(history->heap.frames, thread, record->method, why);
    if (status == STATUS_OK && history->held_by != HELD_BY_NONE)
        status = frames_hold(history->heap.frames, thread, receiver, why);
    return status;
}

/* Pops the frame of the record's method and uses what the popped frames held. */
static enum status leave(struct history *history, uint32_t thread, const struct record *record,
                         struct failure *why)
{
    struct frames_left left;
    enum status status = frames_leave(history->heap.frames, thread, record->method, &left, why);
    if (status != STATUS_OK)
        return status;
    history->counts.unmatched_exits += !left.matched;
    history->counts.unwound_frames += left.unwound;
    for (size_t i = 0; i < left.held_count; i++)
        use_node_as(history, left.held[i], USE_POPPED);
    return tick(history, record, why);
}

static enum status leave_by_exception(struct history *history, uint32_t thread,
                                      const struct record *record, struct failure *why)
{
    node_t receiver;
    enum status status = use(history, record->receiver, &receiver, why);
    if (status == STATUS_OK)
        status = leave(history, thread, record, why);
    if (status == STATUS_OK)
        status = use_named(history, thread, record->exception, why);
    return status;
}

/* T and H. */
static enum status throw_or_catch(struct history *history, uint32_t thread,
                                  const struct record *record, struct failure *why)
{
    enum status status = use_named(history, thread, record->receiver, why);
    return status == STATUS_OK ? use_named(history, thread, record->exception, why) : status;
}

/* What `container` loses by a store of `value`. A reference to itself never held it, and what
 * the slot holds again is not lost. */
static enum use use_of_old(node_t container, node_t value, node_t old)
{
    if (old == value || old == container)
        return USE_NAMED;
    return container == NODE_NONE ? USE_STATIC : USE_OVERWRITTEN;
}

/* Notes that `value` takes the place of `old` in the slot that was stored to. */
static enum status note_reference(struct history *history, const struct record *record,
                                  node_t container, node_t value, node_t old,
                                  struct failure *why)
{
    if (old == value)
        return STATUS_OK;
    struct ended_reference reference = {
        .field = record->field,
        .created = slots_exchange_mark(history->heap.slots, history->clock.now),
        .ended = history->clock.now,
        .container = container,
        .target = old,
        .cleared = value == NODE_NONE,
    };
    return old == NODE_NONE ? STATUS_OK : references_add(history->references, &reference, why);
}

/* The old value was reachable through the slot until now. */
static enum status update(struct history *history, uint32_t thread, const struct record *record,
                          struct failure *why)
{
    struct objects *objects = history->heap.objects;
    node_t container, value, old;
    enum status status = use(history, record->container, &container, why);
    if (status == STATUS_OK)
        status = use(history, record->value, &value, why);
    if (status == STATUS_OK)
        status =
            slots_store(history->heap.slots, container, objects_first_slot(objects, container),
                        record->field, value, &old, why);
    if (status != STATUS_OK)
        return status;
    use_node_as(history, old, use_of_old(container, value, old));
    if (history->references)
        status = note_reference(history, record, container, value, old, why);
    if (status == STATUS_OK)
        status = hold_named(history, thread, container, why);
    return status == STATUS_OK ? hold_named(history, thread, value, why) : status;
}

/* Sets history->thread to the thread of `record`; all records share one if they have none. */
static inline enum status find_thread(struct history *history, const struct record *record,
                                      struct failure *why)
{
    uint64_t id = history->explicit_time ? 0 : record->thread;
    if (id == history->thread_id && history->thread != NO_THREAD)
        return STATUS_OK;
    history->thread_id = id;
    return frames_find_thread(history->heap.frames, id, &history->thread, why);
}

/* Notes a recorded death. Its tick is that of its time if the clock has shown that, else that
 * of its place. Deaths of objects that are not allocated, or dead, mean nothing. */
static void note_death(struct history *history, const struct record *record)
{
    const struct objects *objects = history->heap.objects;
    node_t node = objects_known(objects, record->object);
    if (node == NODE_NONE || !objects_is_allocated(objects, node) ||
        history->notes.deaths[node] != 0)
        return;
    uint64_t now = history->clock.now, first, last;
    clock_find(&history->clock, record->time, &first, &last);
    history->notes.deaths[node] = (last < now ? last : now) + 1;
}

static enum status add_record(struct history *history, const struct record *record,
                              struct failure *why)
{
    if (history->ticks_by_time && record->time > history->clock.now)
        history->clock.now = record->time;
    if (record->kind == RECORD_DEATH) {
        if (history->notes.keeps_deaths)
            note_death(history, record);
        return STATUS_OK;
    }
    history->record++;
    enum status status = find_thread(history, record, why);
    if (status != STATUS_OK)
        return status;
    uint32_t thread = history->thread;
    switch ((enum record_kind)record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        return allocate(history, thread, record, why);
    case RECORD_ENTRY:
        return enter(history, thread, record, why);
    case RECORD_EXIT:
        return leave(history, thread, record, why);
    case RECORD_EXCEPTION_EXIT:
        return leave_by_exception(history, thread, record, why);
    case RECORD_THROW:
    case RECORD_CATCH:
        return throw_or_catch(history, thread, record, why);
    case RECORD_UPDATE:
        return update(history, thread, record, why);
    case RECORD_WITNESS:
        return use_named(history, thread, record->object, why);
    case RECORD_DEATH:
        break;
    }
    return STATUS_OK;
}

/* How many records ahead of the present one the processor's cache is told of. */
enum { RECORDS_AHEAD = 32, IDS_AHEAD = 16, USES_AHEAD = 8 };

static inline void prefetch(const struct history *history, const struct batch *batch, size_t i)
{
    const struct objects *objects = history->heap.objects;
    if (i + RECORDS_AHEAD < batch->count)
        __builtin_prefetch(&batch->records[i + RECORDS_AHEAD]);
    if (i + IDS_AHEAD < batch->count)
        objects_prefetch_id(objects, batch->records[i + IDS_AHEAD].object);
    if (i + USES_AHEAD < batch->count)
        objects_prefetch_use(objects, batch->records[i + USES_AHEAD].object);
}

enum status history_add(struct history *history, const struct batch *batch, struct failure *why)
{
    enum status status = STATUS_OK;
    if (history->is_watched)
        status = reserve(history, batch->count, why);
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        prefetch(history, batch, i);
        history->counts.records[batch->records[i].kind & 127]++;
        status = add_record(history, &batch->records[i], why);
    }
    history->counts.comments += batch->comments;
    history->counts.unknown += batch->unknown;
    history->counts.malformed += batch->malformed;
    return status;
}
