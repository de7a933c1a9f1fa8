/* SPDX-License-Identifier: MIT */
/* Pass 1. Each mention of an object in a record is a use at the tick of that moment, and each
 * record is applied to the heap: references change, and frames open and close. One switch over
 * the kinds of records does both, since the program spends most of its time here. */
#include "merlin/last_use.h"

#include "base/memory.h"
#include "heap/frames_inline.h"
#include "heap/objects_inline.h"
#include "merlin/death_sites_inline.h"

#include <stdlib.h>

/* Begins the definition of a function that most records go through: a call of it would cost as
 * much as its work. */
#define EACH_RECORD static inline __attribute__((always_inline))

enum status history_init(struct history *history, enum held_by held_by, bool explicit_time,
                         struct failure *why)
{
    *history = (struct history){
        .held_by = held_by,
        .explicit_time = explicit_time,
        .thread.number = NO_THREAD,
    };
    return heap_init(&history->heap, why);
}

void history_free(struct history *history)
{
    heap_free(&history->heap);
    clock_free(&history->clock);
    free(history->proofs);
    history->proofs = NULL;
    life_records_free(&history->life_records);
    if (history->input_deaths)
        input_deaths_free(history->input_deaths);
    free(history->input_deaths);
    history->input_deaths = NULL;
    allocation_records_free(&history->allocation_records);
    contexts_free(history->contexts);
    history->contexts = NULL;
    site_methods_free(history->sites);
    history->sites = NULL;
    references_close(history->references);
    history->references = NULL;
    use_positions_free(history->use_positions);
    history->use_positions = NULL;
    death_sites_free(history->death_sites);
    history->death_sites = NULL;
    free(history->lost_fields);
    history->lost_fields = NULL;
}

static void move_lost_fields(struct history *history, const node_t *moved, size_t nodes)
{
    uint64_t *fields = history->lost_fields;
    for (size_t node = 1; node < nodes && fields; node++)
        if (moved[node] != NODE_NONE)
            fields[moved[node]] = fields[node];
}

enum status history_move(struct history *history, const node_t *moved, struct failure *why)
{
    const struct objects *objects = history->heap.objects;
    size_t nodes = objects_count(objects), count;
    enum status status = STATUS_OK;
    if (history->keeps_life_records)
        status = life_records_move(&history->life_records, objects_allocations(objects, &count),
                                   moved, nodes, why);
    if (status != STATUS_OK)
        return status;
    if (history->use_positions)
        use_positions_move(history->use_positions, moved, nodes);
    if (history->death_sites)
        death_sites_move(history->death_sites, moved, nodes);
    move_lost_fields(history, moved, nodes);
    if (history->contexts)
        contexts_forget_allocations(history->contexts);
    return heap_move(&history->heap, moved, why);
}

static enum status reserve_proofs(struct history *history, size_t nodes, struct failure *why)
{
    return ARRAY_RESERVE(history->proofs, history->proof_capacity, nodes) ? STATUS_OK
                                                                          : fail_memory(why);
}

static enum status reserve_lost_fields(struct history *history, size_t nodes,
                                       struct failure *why)
{
    return ARRAY_RESERVE(history->lost_fields, history->lost_field_capacity, nodes)
               ? STATUS_OK
               : fail_memory(why);
}

enum status history_keep_lost_fields(struct history *history, struct failure *why)
{
    return reserve_lost_fields(history, objects_count(history->heap.objects), why);
}

enum status history_keep_proofs(struct history *history, struct failure *why)
{
    history->is_watched = history->watches_more = true;
    return reserve_proofs(history, objects_count(history->heap.objects), why);
}

void history_tick_by_time(struct history *history)
{
    history->ticks_by_time = true;
}

enum status history_keep_lives(struct history *history, bool recorded, struct failure *why)
{
    history->is_watched = history->keeps_life_records = true;
    size_t nodes = objects_count(history->heap.objects);
    enum status status = life_records_reserve(&history->life_records, nodes, why);
    if (!recorded || status != STATUS_OK)
        return status;
    history->input_deaths = calloc(1, sizeof *history->input_deaths);
    if (!history->input_deaths)
        return fail_memory(why);
    status = input_deaths_reserve(history->input_deaths, nodes, why);
    return status == STATUS_OK ? history_keep_proofs(history, why) : status;
}

void history_keep_allocation_records(struct history *history)
{
    history->keeps_allocation_records = true;
}

enum status history_keep_first_uses(struct history *history, struct failure *why)
{
    history->life_records.keeps_first_uses = true;
    return life_records_reserve(&history->life_records, objects_count(history->heap.objects),
                                why);
}

enum status history_keep_contexts(struct history *history, unsigned depth, struct failure *why)
{
    return contexts_new(&history->contexts, depth, why);
}

enum status history_keep_sites(struct history *history, struct failure *why)
{
    return site_methods_new(&history->sites, why);
}

enum status history_keep_references(struct history *history, bool in_windows,
                                    const struct temporary_folder *temporary,
                                    struct failure *why)
{
    enum status status = slots_keep_marks(history->heap.slots, why);
    return status == STATUS_OK
               ? references_open(&history->references, in_windows, temporary, why)
               : status;
}

enum status history_keep_use_positions(struct history *history, enum use_position_kind kind,
                                       struct failure *why)
{
    history->is_watched = history->watches_more = true;
    enum status status = use_positions_new(&history->use_positions, kind, why);
    if (status != STATUS_OK)
        return status;
    return use_positions_reserve(history->use_positions, objects_count(history->heap.objects),
                                 why);
}

enum status history_keep_death_sites(struct history *history, bool with_paths,
                                     const struct temporary_folder *temporary,
                                     struct failure *why)
{
    history->is_watched = true;
    enum status status = death_sites_new(&history->death_sites,
                                         with_paths ? history->contexts : NULL, temporary, why);
    if (status != STATUS_OK)
        return status;
    return death_sites_reserve(history->death_sites, objects_count(history->heap.objects), why);
}

/* Makes room for the nodes that a number of records can add, at most two each, before they are
 * applied. */
static enum status reserve(struct history *history, size_t records, struct failure *why)
{
    size_t nodes = objects_count(history->heap.objects) + 2 * records;
    enum status status = STATUS_OK;
    if (history->proofs)
        status = reserve_proofs(history, nodes, why);
    if (history->keeps_life_records && status == STATUS_OK)
        status = life_records_reserve(&history->life_records, nodes, why);
    if (history->input_deaths && status == STATUS_OK)
        status = input_deaths_reserve(history->input_deaths, nodes, why);
    if (history->use_positions && status == STATUS_OK)
        status = use_positions_reserve(history->use_positions, nodes, why);
    if (history->death_sites && status == STATUS_OK)
        status = death_sites_reserve(history->death_sites, nodes, why);
    if (history->lost_fields && status == STATUS_OK)
        status = reserve_lost_fields(history, nodes, why);
    return status;
}

/* Records what only some reports need of a use. */
static void watch_more(struct history *history, node_t node, enum use use)
{
    if (history->proofs && use != USE_POPPED)
        history->proofs[node] = (struct proof){history->record, history->clock.now};
    if (history->use_positions)
        use_positions_note(history->use_positions, node, history->record,
                           history->thread.number);
}

/* Records what reports need of a use. It is a function of its own so that a use without reports
 * stays small. */
static __attribute__((noinline)) void watch(struct history *history, node_t node, enum use use)
{
    if (history->keeps_life_records)
        life_records_use(&history->life_records, node, use, history->clock.now);
    if (history->death_sites)
        death_sites_use(history->death_sites, history->heap.objects, history->thread.number,
                        node, use == USE_NAMED);
    if (history->watches_more)
        watch_more(history, node, use);
}

/* The present record uses `node`, or null, in the way `use`. */
static inline void use_node_as(struct history *history, node_t node, enum use use)
{
    objects_use(history->heap.objects, node, history->clock.now);
    if (history->is_watched)
        watch(history, node, use);
}

static inline void use_node(struct history *history, node_t node)
{
    use_node_as(history, node, USE_NAMED);
}

/* The present record uses object `id`, or null. Sets *node to its node. */
static inline enum status use_object(struct history *history, uint64_t id, node_t *node,
                                     struct failure *why)
{
    enum status status = objects_find(history->heap.objects, id, node, why);
    if (status == STATUS_OK)
        use_node(history, *node);
    return status;
}

/* Makes the innermost frame hold what a record names, if frames hold what is named. */
static inline enum status hold_named(struct history *history, uint32_t thread, node_t node,
                                     struct failure *why)
{
    if (history->held_by != HELD_BY_FRAME)
        return STATUS_OK;
    return frames_hold(history->heap.frames, thread, node, why);
}

EACH_RECORD enum status use_named(struct history *history, uint32_t thread, uint64_t id,
                                  struct failure *why)
{
    node_t node;
    enum status status = use_object(history, id, &node, why);
    return status == STATUS_OK ? hold_named(history, thread, node, why) : status;
}

static enum status last_use_tick(struct history *history, const struct record *record,
                                 struct failure *why)
{
    history->boundary = history->record;
    if (history->explicit_time)
        return clock_tick_at(&history->clock, record->time, why);
    clock_tick(&history->clock);
    return STATUS_OK;
}

/* Whether the path of the present record, an allocation, is known. */
static bool has_path(const struct history *history)
{
    return history->death_sites && death_sites_have_paths(history->death_sites);
}

/* Records the context of the latest allocation; prior objects have none. */
static enum status note_context(struct history *history, uint32_t thread,
                                const struct record *record, struct failure *why)
{
    if (record_is_prior(record->kind))
        return contexts_note_none(history->contexts, why);
    enum status status =
        has_path(history) ? contexts_note_path(history->contexts,
                                               death_sites_present(history->death_sites), why)
                          : contexts_note(history->contexts, history->heap.frames, thread, why);
    if (status != STATUS_OK || !history->sites)
        return status;
    uint32_t context = contexts_latest(history->contexts);
    return site_methods_note(history->sites, record->site,
                             contexts_method_number(history->contexts, context), why);
}

/* Records what reports show of the latest allocation. */
static enum status note_birth(struct history *history, const struct record *record,
                              struct failure *why)
{
    struct life_records *records = &history->life_records;
    uint64_t now = history->clock.now;
    enum status status = record_is_prior(record->kind)
                             ? life_records_prior(records, now, record->size, why)
                             : life_records_birth(records, now, record->size, why);
    if (status != STATUS_OK || !history->keeps_allocation_records)
        return status;
    return allocation_records_add(&history->allocation_records, record,
                                  history->first_line + record->line, why);
}

static enum status last_use_allocate(struct history *history, uint32_t thread,
                                     const struct record *record, struct failure *why)
{
    node_t node, before = NODE_NONE;
    enum allocation how;
    if (history->input_deaths)
        before = objects_known(history->heap.objects, record->object);
    enum status status =
        objects_allocate(history->heap.objects, record->object, thread, &node, &how, why);
    if (status != STATUS_OK)
        return status;
    if (history->input_deaths)
        history->input_deaths->births[node] = history->clock.now;
    if (how == ALLOCATION_REPEATED && before != NODE_NONE) {
        status = input_deaths_repeat(history->input_deaths, node, before, why);
        if (status != STATUS_OK)
            return status;
    }
    if (history->use_positions && !record_is_prior(record->kind)) {
        status = use_positions_allocate(history->use_positions, thread, why);
        if (status != STATUS_OK)
            return status;
    }
    if (history->death_sites) {
        status = death_sites_birth(history->death_sites, history->heap.frames, thread, node,
                                   how == ALLOCATION_ADOPTED, why);
        if (status != STATUS_OK)
            return status;
    }
    trace_counts_allocation(&history->counts, how);
    use_node(history, node);
    if (history->keeps_life_records) {
        status = note_birth(history, record, why);
        if (status != STATUS_OK)
            return status;
    }
    if (history->contexts) {
        status = note_context(history, thread, record, why);
        if (status != STATUS_OK)
            return status;
    }
    return hold_named(history, thread, node, why);
}

/* Whether the frame that the present record opens holds its receiver. */
static inline bool holds_receiver(const struct history *history)
{
    if (history->held_by == HELD_BY_RECEIVER)
        return history->record != history->abandoned;
    return history->held_by == HELD_BY_FRAME;
}

static enum status last_use_enter(struct history *history, uint32_t thread,
                                  const struct record *record, struct failure *why)
{
    node_t receiver;
    enum status status = last_use_tick(history, record, why);
    if (status == STATUS_OK && history->death_sites)
        status = death_sites_enter(history->death_sites, history->heap.frames, thread,
                                   record->method, why);
    if (status == STATUS_OK)
        status = use_object(history, record->receiver, &receiver, why);
    if (status == STATUS_OK)
        status = frames_enter(history->heap.frames, thread, record->method, why);
    if (status == STATUS_OK && holds_receiver(history))
        status = frames_hold(history->heap.frames, thread, receiver, why);
    return status;
}

/* How many of the nodes that the popped frames held were held until now. The frames above the
 * one that was left were abandoned, at an unknown moment: with HELD_BY_RECEIVER they count as
 * having held nothing. With HELD_BY_FRAME they held their nodes, for what looks like a record
 * of an abandoned frame may be one of the frame below, which caught the exception. */
static size_t count_held(const struct history *history, const struct frames_left *left)
{
    return history->held_by == HELD_BY_FRAME ? left->held_count : left->own_count;
}

/* Pops frames for an exit from another frame than the innermost one, or of an unknown frame. */
static enum status leave_frames(struct history *history, uint32_t thread, uint64_t method,
                                struct frames_left *left, struct failure *why)
{
    enum status status = STATUS_OK;
    if (history->counts_frames)
        frames_pop_count(history->heap.frames, thread, method, left);
    else
        status = frames_leave(history->heap.frames, thread, method, left, why);
    if (status != STATUS_OK)
        return status;
    history->counts.unmatched_exits += !left->matched;
    history->counts.unwound_frames += left->unwound;
    return STATUS_OK;
}

/* Pops the frame of the record's method, and uses what the popped frames held. */
EACH_RECORD enum status last_use_leave(struct history *history, uint32_t thread,
                                       const struct record *record, struct failure *why)
{
    const node_t *held;
    size_t count;
    bool is_left = true;
    if (history->counts_frames ||
        !frames_leave_top(history->heap.frames, thread, record->method, &held, &count)) {
        struct frames_left left;
        enum status status = leave_frames(history, thread, record->method, &left, why);
        if (status != STATUS_OK)
            return status;
        held = left.held;
        count = count_held(history, &left);
        is_left = left.matched;
    }
    if (is_left && history->death_sites) {
        enum status status = death_sites_leave(history->death_sites, history->heap.frames,
                                               thread, history->clock.now + 1, why);
        if (status != STATUS_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++)
        use_node_as(history, held[i], USE_POPPED);
    return last_use_tick(history, record, why);
}

static enum status last_use_leave_by_exception(struct history *history, uint32_t thread,
                                               const struct record *record, struct failure *why)
{
    node_t receiver;
    enum status status = use_object(history, record->receiver, &receiver, why);
    if (status == STATUS_OK)
        status = last_use_leave(history, thread, record, why);
    /* The frames above that of the record were abandoned, so the receiver was used in the
     * record's own frame. */
    if (status == STATUS_OK && history->death_sites)
        death_sites_use(history->death_sites, history->heap.objects, thread, receiver, true);
    if (status == STATUS_OK)
        status = use_named(history, thread, record->exception, why);
    return status;
}

/* Applies a record that does nothing but name objects. */
static enum status use_all_named(struct history *history, uint32_t thread,
                                 const struct record *record, struct failure *why)
{
    const struct record_layout *layout = record_layout_find(record->kind);
    enum status status = STATUS_OK;
    for (size_t i = 0; layout && i < layout->count && status == STATUS_OK; i++)
        if (layout->fields[i].role == ROLE_OBJECT)
            status = use_named(history, thread, record_value(record, &layout->fields[i]), why);
    return status;
}

/* How a store of `value` in `container` uses `old`, the value before. A reference of an object
 * to itself never held it, and a value that is stored again is not lost. */
static enum use use_of_old(node_t container, node_t value, node_t old)
{
    if (old == value || old == container)
        return USE_NAMED;
    return container == NODE_NONE ? USE_STATIC : USE_OVERWRITTEN;
}

/* What references call `node` until all have been recorded: its id or, with a table, the node
 * itself. */
static uint64_t name_in_references(const struct history *history, node_t node)
{
    return references_are_by_id(history->references) ? objects_id(history->heap.objects, node)
                                                     : node;
}

/* Records that `value` replaces `old` in the slot that was just stored to. */
static enum status note_reference(struct history *history, const struct record *record,
                                  node_t container, node_t value, node_t old,
                                  struct failure *why)
{
    if (old == value)
        return STATUS_OK;
    uint64_t time = clock_time(&history->clock, history->clock.now);
    const struct reference reference = {
        .container = name_in_references(history, container),
        .field = record->field,
        .target = name_in_references(history, old),
        .created = slots_exchange_mark(history->heap.slots, time),
        .ended = time,
        .end = value == NODE_NONE ? REFERENCE_CLEARED : REFERENCE_OVERWRITTEN,
    };
    return old == NODE_NONE ? STATUS_OK : references_add(history->references, &reference, why);
}

/* Applies an update, which also uses the old value, since that was reachable through the slot
 * until now. */
static enum status last_use_update(struct history *history, uint32_t thread,
                                   const struct record *record, struct failure *why)
{
    struct objects *objects = history->heap.objects;
    node_t container, value, old;
    enum status status = use_object(history, record->container, &container, why);
    if (status == STATUS_OK)
        status = use_object(history, record->value, &value, why);
    if (status == STATUS_OK)
        status =
            slots_store(history->heap.slots, container, objects_first_slot(objects, container),
                        record->field, value, &old, why);
    if (status != STATUS_OK)
        return status;
    enum use use = use_of_old(container, value, old);
    use_node_as(history, old, use);
    if (history->lost_fields && use != USE_NAMED)
        history->lost_fields[old] = record->field;
    if (history->references)
        status = note_reference(history, record, container, value, old, why);
    if (status == STATUS_OK)
        status = hold_named(history, thread, container, why);
    return status == STATUS_OK ? hold_named(history, thread, value, why) : status;
}

/* Sets history->thread to the thread of `record`; if records have no threads, all share one. */
static inline enum status last_use_find_thread(struct history *history,
                                               const struct record *record, struct failure *why)
{
    uint64_t id = history->explicit_time ? 0 : record->thread;
    return frames_follow_thread(history->heap.frames, id, &history->thread, why);
}

/* Finds the tick of a recorded death: that of its time, if the clock has shown that time, or
 * else that of its position. */
static enum status find_death_tick(struct history *history, uint64_t time, uint64_t *tick,
                                   struct failure *why)
{
    struct input_deaths *deaths = history->input_deaths;
    uint64_t now = history->clock.now, first;
    *tick = history->ticks_by_time ? time : now;
    if (history->ticks_by_time)
        return STATUS_OK;
    if (clock_has(&history->clock, time, now))
        clock_find(&history->clock, time, &first, tick);
    else
        deaths->has_misfit = true;
    return input_deaths_position(deaths, now, history->record, why);
}

/* Records a death that the input has. Deaths of objects that are not allocated are ignored. */
static enum status note_death(struct history *history, const struct record *record,
                              struct failure *why)
{
    const struct objects *objects = history->heap.objects;
    node_t node = objects_known(objects, record->object);
    struct input_death death = {.number = history->counts.records[RECORD_DEATH]};
    enum status status = find_death_tick(history, record->time, &death.at.tick, why);
    if (status != STATUS_OK || node == NODE_NONE || !objects_is_allocated(objects, node))
        return status;
    bool at_boundary = history->record > 0 && history->record == history->boundary;
    death.at.place = death_place(history->record, at_boundary);
    return input_deaths_add(history->input_deaths, node, &death, why);
}

static enum status last_use_add_record(struct history *history, const struct record *record,
                                       struct failure *why)
{
    if (history->ticks_by_time && record->time > history->clock.now)
        history->clock.now = record->time;
    if (record->kind == RECORD_DEATH) {
        return history->input_deaths ? note_death(history, record, why) : STATUS_OK;
    }
    history->record++;
    enum status status = last_use_find_thread(history, record, why);
    if (status != STATUS_OK)
        return status;
    uint32_t thread = history->thread.number;
    if (history->death_sites)
        death_sites_follow(history->death_sites, history->heap.frames, thread);
    switch (record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        return last_use_allocate(history, thread, record, why);
    case RECORD_ENTRY:
        return last_use_enter(history, thread, record, why);
    case RECORD_EXIT:
        return last_use_leave(history, thread, record, why);
    case RECORD_EXCEPTION_EXIT:
        return last_use_leave_by_exception(history, thread, record, why);
    case RECORD_UPDATE:
        return last_use_update(history, thread, record, why);
    case RECORD_WITNESS:
        return use_named(history, thread, record->object, why);
    default:
        return use_all_named(history, thread, record, why);
    }
}

/* How far ahead of the present record, in records, the records, their ids and last uses are
 * loaded into the processor's cache. */
enum { RECORDS_AHEAD = 32, IDS_AHEAD = 16, USES_AHEAD = 8 };

PREFETCHING void prefetch(const struct history *history, const struct batch *batch, size_t i)
{
    const struct objects *objects = history->heap.objects;
    const struct record *record = &batch->records[i];
    if (i + RECORDS_AHEAD >= batch->count)
        return;
    __builtin_prefetch(record + RECORDS_AHEAD);
    objects_prefetch_id(objects, record[IDS_AHEAD].object);
    if (record[IDS_AHEAD].kind == RECORD_UPDATE)
        objects_prefetch_id(objects, record[IDS_AHEAD].value);
    objects_prefetch_use(objects, record[USES_AHEAD].object);
    if (record[USES_AHEAD].kind == RECORD_UPDATE)
        objects_prefetch_use(objects, record[USES_AHEAD].value);
}

/* Applies the records from number `first` up to `end`. This is the only place where records are
 * applied, so that compilers inline everything; a second one costs a run 5% more instructions.
 */
__attribute__((noinline)) static enum status add_history_records(struct history *history,
                                                                 const struct batch *batch,
                                                                 size_t first, size_t end,
                                                                 struct failure *why)
{
    enum status status = STATUS_OK;
    history->first_line = batch->first_line;
    for (size_t i = first; i < end && status == STATUS_OK; i++) {
        prefetch(history, batch, i);
        history->counts.records[batch->records[i].kind % RECORD_KINDS]++;
        status = last_use_add_record(history, &batch->records[i], why);
    }
    return status;
}

/* The number after that of the first boundary from number `first` on, or after that of the last
 * record. */
static size_t after_boundary(const struct batch *batch, size_t first)
{
    while (first < batch->count && !record_is_boundary(batch->records[first].kind))
        first++;
    return first < batch->count ? first + 1 : first;
}

/* How many records can be applied before the heap can have the weight `weight`, or the record
 * history->abandoned comes. Each adds at most two nodes and a slot. */
static size_t records_without_stop(const struct history *history, size_t weight)
{
    size_t has = heap_weight(&history->heap);
    size_t records = has < weight ? (weight - has - 1) / 3 : 0;
    if (history->abandoned > history->record &&
        history->abandoned - history->record - 1 < records)
        records = (size_t)(history->abandoned - history->record - 1);
    return records;
}

enum status history_add_some(struct history *history, const struct batch *batch, size_t *next,
                             size_t weight, struct failure *why)
{
    enum status status = STATUS_OK;
    bool is_enough = false;
    if (history->is_watched)
        status = reserve(history, batch->count - *next, why);
    while (*next < batch->count && status == STATUS_OK && !is_enough) {
        size_t left = batch->count - *next, some = records_without_stop(history, weight);
        size_t end = after_boundary(batch, *next + (some < left ? some : left));
        status = add_history_records(history, batch, *next, end, why);
        is_enough =
            record_is_boundary(batch->records[end - 1].kind) &&
            (heap_weight(&history->heap) >= weight || history->record == history->abandoned);
        *next = end;
    }
    return status;
}

enum status history_add(struct history *history, const struct batch *batch, struct failure *why)
{
    enum status status = STATUS_OK;
    if (history->is_watched)
        status = reserve(history, batch->count, why);
    if (status == STATUS_OK)
        status = add_history_records(history, batch, 0, batch->count, why);
    history->counts.comments += batch->comments;
    history->counts.unknown += batch->unknown;
    history->counts.malformed += batch->malformed;
    return status;
}
