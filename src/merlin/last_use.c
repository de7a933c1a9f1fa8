/* SPDX-License-Identifier: MIT */
/* Pass 1. Each mention of an object in a record is a use at the tick of that moment, and each
 * record is applied to the heap: references change, and frames open and close. One switch over
 * the kinds of records does both, since the program spends most of its time here. */
#include "merlin/pass.h"

#include "base/memory.h"
#include "heap/frames_inline.h"
#include "heap/objects_inline.h"
#include "merlin/death_sites_inline.h"

#include <stdlib.h>

/* Begins the definition of a function that most records go through: a call of it would cost as
 * much as its work. */
#define EACH_RECORD static inline __attribute__((always_inline))

enum status pass_init(struct pass *pass, enum held_by held_by, bool explicit_time,
                      struct failure *why)
{
    *pass = (struct pass){
        .held_by = held_by,
        .explicit_time = explicit_time,
        .thread.number = NO_THREAD,
    };
    return heap_init(&pass->heap, why);
}

void pass_free(struct pass *pass)
{
    heap_free(&pass->heap);
    clock_free(&pass->clock);
    free(pass->proofs);
    pass->proofs = NULL;
    life_records_free(&pass->life_records);
    if (pass->input_deaths)
        input_deaths_free(pass->input_deaths);
    free(pass->input_deaths);
    pass->input_deaths = NULL;
    allocation_records_free(&pass->allocation_records);
    contexts_free(pass->contexts);
    pass->contexts = NULL;
    site_methods_free(pass->sites);
    pass->sites = NULL;
    references_close(pass->references);
    pass->references = NULL;
    use_positions_free(pass->use_positions);
    pass->use_positions = NULL;
    death_sites_free(pass->death_sites);
    pass->death_sites = NULL;
    free(pass->lost_fields);
    pass->lost_fields = NULL;
}

static void move_lost_fields(struct pass *pass, const node_t *moved, size_t nodes)
{
    uint64_t *fields = pass->lost_fields;
    for (size_t node = 1; node < nodes && fields; node++)
        if (moved[node] != NODE_NONE)
            fields[moved[node]] = fields[node];
}

enum status pass_move(struct pass *pass, const node_t *moved, struct failure *why)
{
    const struct objects *objects = pass->heap.objects;
    size_t nodes = objects_count(objects), count;
    enum status status = STATUS_OK;
    if (pass->keeps_life_records)
        status = life_records_move(&pass->life_records, objects_allocations(objects, &count),
                                   moved, nodes, why);
    if (status != STATUS_OK)
        return status;
    if (pass->use_positions)
        use_positions_move(pass->use_positions, moved, nodes);
    if (pass->death_sites)
        death_sites_move(pass->death_sites, moved, nodes);
    move_lost_fields(pass, moved, nodes);
    if (pass->contexts)
        contexts_forget_allocations(pass->contexts);
    return heap_move(&pass->heap, moved, why);
}

static enum status reserve_proofs(struct pass *pass, size_t nodes, struct failure *why)
{
    return ARRAY_RESERVE(pass->proofs, pass->proof_capacity, nodes) ? STATUS_OK
                                                                    : fail_memory(why);
}

static enum status reserve_lost_fields(struct pass *pass, size_t nodes, struct failure *why)
{
    return ARRAY_RESERVE(pass->lost_fields, pass->lost_field_capacity, nodes)
               ? STATUS_OK
               : fail_memory(why);
}

enum status history_keep_lost_fields(struct pass *pass, struct failure *why)
{
    return reserve_lost_fields(pass, objects_count(pass->heap.objects), why);
}

enum status history_keep_proofs(struct pass *pass, struct failure *why)
{
    pass->is_watched = pass->watches_more = true;
    return reserve_proofs(pass, objects_count(pass->heap.objects), why);
}

void TICKS_BY_TIME(struct pass *pass)
{
    pass->ticks_by_time = true;
}

enum status history_keep_lives(struct pass *pass, bool recorded, struct failure *why)
{
    pass->is_watched = pass->keeps_life_records = true;
    size_t nodes = objects_count(pass->heap.objects);
    enum status status = life_records_reserve(&pass->life_records, nodes, why);
    if (!recorded || status != STATUS_OK)
        return status;
    pass->input_deaths = calloc(1, sizeof *pass->input_deaths);
    if (!pass->input_deaths)
        return fail_memory(why);
    status = input_deaths_reserve(pass->input_deaths, nodes, why);
    return status == STATUS_OK ? history_keep_proofs(pass, why) : status;
}

void history_keep_allocation_records(struct pass *pass)
{
    pass->keeps_allocation_records = true;
}

enum status history_keep_first_uses(struct pass *pass, struct failure *why)
{
    pass->life_records.keeps_first_uses = true;
    return life_records_reserve(&pass->life_records, objects_count(pass->heap.objects), why);
}

enum status history_keep_contexts(struct pass *pass, unsigned depth, struct failure *why)
{
    return contexts_new(&pass->contexts, depth, why);
}

enum status history_keep_sites(struct pass *pass, struct failure *why)
{
    return site_methods_new(&pass->sites, why);
}

enum status history_keep_references(struct pass *pass, bool in_windows,
                                    const struct temporary_folder *temporary,
                                    struct failure *why)
{
    enum status status = slots_keep_marks(pass->heap.slots, why);
    return status == STATUS_OK ? references_open(&pass->references, in_windows, temporary, why)
                               : status;
}

enum status history_keep_use_positions(struct pass *pass, enum use_position_kind kind,
                                       struct failure *why)
{
    pass->is_watched = pass->watches_more = true;
    enum status status = use_positions_new(&pass->use_positions, kind, why);
    if (status != STATUS_OK)
        return status;
    return use_positions_reserve(pass->use_positions, objects_count(pass->heap.objects), why);
}

enum status history_keep_death_sites(struct pass *pass, bool with_paths,
                                     const struct temporary_folder *temporary,
                                     struct failure *why)
{
    pass->is_watched = true;
    enum status status =
        death_sites_new(&pass->death_sites, with_paths ? pass->contexts : NULL, temporary, why);
    if (status != STATUS_OK)
        return status;
    return death_sites_reserve(pass->death_sites, objects_count(pass->heap.objects), why);
}

/* Makes room for the nodes that a number of records can add, at most two each, before they are
 * applied. */
static enum status reserve(struct pass *pass, size_t records, struct failure *why)
{
    size_t nodes = objects_count(pass->heap.objects) + 2 * records;
    enum status status = STATUS_OK;
    if (pass->proofs)
        status = reserve_proofs(pass, nodes, why);
    if (pass->keeps_life_records && status == STATUS_OK)
        status = life_records_reserve(&pass->life_records, nodes, why);
    if (pass->input_deaths && status == STATUS_OK)
        status = input_deaths_reserve(pass->input_deaths, nodes, why);
    if (pass->use_positions && status == STATUS_OK)
        status = use_positions_reserve(pass->use_positions, nodes, why);
    if (pass->death_sites && status == STATUS_OK)
        status = death_sites_reserve(pass->death_sites, nodes, why);
    if (pass->lost_fields && status == STATUS_OK)
        status = reserve_lost_fields(pass, nodes, why);
    return status;
}

/* Records what only some reports need of a use. */
static void watch_more(struct pass *pass, node_t node, enum use use)
{
    if (pass->proofs && use != USE_POPPED)
        pass->proofs[node] = (struct proof){pass->record, pass->clock.now};
    if (pass->use_positions)
        use_positions_note(pass->use_positions, node, pass->record, pass->thread.number);
}

/* Records what reports need of a use. It is a function of its own so that a use without reports
 * stays small. */
static __attribute__((noinline)) void watch(struct pass *pass, node_t node, enum use use)
{
    if (pass->keeps_life_records)
        life_records_use(&pass->life_records, node, use, pass->clock.now);
    if (pass->death_sites)
        death_sites_use(pass->death_sites, pass->heap.objects, pass->thread.number, node,
                        use == USE_NAMED);
    if (pass->watches_more)
        watch_more(pass, node, use);
}

/* The present record uses `node`, or null, in the way `use`. */
static inline void use_node_as(struct pass *pass, node_t node, enum use use)
{
    objects_use(pass->heap.objects, node, pass->clock.now);
    if (pass->is_watched)
        watch(pass, node, use);
}

static inline void use_node(struct pass *pass, node_t node)
{
    use_node_as(pass, node, USE_NAMED);
}

/* The present record uses object `id`, or null. Sets *node to its node. */
static inline enum status use_object(struct pass *pass, uint64_t id, node_t *node,
                                     struct failure *why)
{
    enum status status = objects_find(pass->heap.objects, id, node, why);
    if (status == STATUS_OK)
        use_node(pass, *node);
    return status;
}

/* Makes the innermost frame hold what a record names, if frames hold what is named. */
static inline enum status hold_named(struct pass *pass, uint32_t thread, node_t node,
                                     struct failure *why)
{
    if (pass->held_by != HELD_BY_FRAME)
        return STATUS_OK;
    return frames_hold(pass->heap.frames, thread, node, why);
}

EACH_RECORD enum status use_named(struct pass *pass, uint32_t thread, uint64_t id,
                                  struct failure *why)
{
    node_t node;
    enum status status = use_object(pass, id, &node, why);
    return status == STATUS_OK ? hold_named(pass, thread, node, why) : status;
}

static enum status last_use_tick(struct pass *pass, const struct record *record,
                                 struct failure *why)
{
    pass->boundary = pass->record;
    if (pass->explicit_time)
        return clock_tick_at(&pass->clock, record->time, why);
    clock_tick(&pass->clock);
    return STATUS_OK;
}

/* Whether the path of the present record, an allocation, is known. */
static bool has_path(const struct pass *pass)
{
    return pass->death_sites && death_sites_have_paths(pass->death_sites);
}

/* Records the context of the latest allocation; prior objects have none. */
static enum status note_context(struct pass *pass, uint32_t thread, const struct record *record,
                                struct failure *why)
{
    if (record_is_prior(record->kind))
        return contexts_note_none(pass->contexts, why);
    enum status status =
        has_path(pass)
            ? contexts_note_path(pass->contexts, death_sites_present(pass->death_sites), why)
            : contexts_note(pass->contexts, pass->heap.frames, thread, why);
    if (status != STATUS_OK || !pass->sites)
        return status;
    uint32_t context = contexts_latest(pass->contexts);
    return site_methods_note(pass->sites, record->site,
                             contexts_method_number(pass->contexts, context), why);
}

/* Records what reports show of the latest allocation. */
static enum status note_birth(struct pass *pass, const struct record *record,
                              struct failure *why)
{
    struct life_records *records = &pass->life_records;
    uint64_t now = pass->clock.now;
    enum status status = record_is_prior(record->kind)
                             ? life_records_prior(records, now, record->size, why)
                             : life_records_birth(records, now, record->size, why);
    if (status != STATUS_OK || !pass->keeps_allocation_records)
        return status;
    return allocation_records_add(&pass->allocation_records, record,
                                  pass->first_line + record->line, why);
}

static enum status last_use_allocate(struct pass *pass, uint32_t thread,
                                     const struct record *record, struct failure *why)
{
    node_t node, before = NODE_NONE;
    enum allocation how;
    if (pass->input_deaths)
        before = objects_known(pass->heap.objects, record->object);
    enum status status =
        objects_allocate(pass->heap.objects, record->object, thread, &node, &how, why);
    if (status != STATUS_OK)
        return status;
    if (pass->input_deaths)
        pass->input_deaths->births[node] = pass->clock.now;
    if (how == ALLOCATION_REPEATED && before != NODE_NONE) {
        status = input_deaths_repeat(pass->input_deaths, node, before, why);
        if (status != STATUS_OK)
            return status;
    }
    if (pass->use_positions && !record_is_prior(record->kind)) {
        status = use_positions_allocate(pass->use_positions, thread, why);
        if (status != STATUS_OK)
            return status;
    }
    if (pass->death_sites) {
        status = death_sites_birth(pass->death_sites, pass->heap.frames, thread, node,
                                   how == ALLOCATION_ADOPTED, why);
        if (status != STATUS_OK)
            return status;
    }
    trace_counts_allocation(&pass->counts, how);
    use_node(pass, node);
    if (pass->keeps_life_records) {
        status = note_birth(pass, record, why);
        if (status != STATUS_OK)
            return status;
    }
    if (pass->contexts) {
        status = note_context(pass, thread, record, why);
        if (status != STATUS_OK)
            return status;
    }
    return hold_named(pass, thread, node, why);
}

/* Whether the frame that the present record opens holds its receiver. */
static inline bool holds_receiver(const struct pass *pass)
{
    if (pass->held_by == HELD_BY_RECEIVER)
        return pass->record != pass->abandoned;
    return pass->held_by == HELD_BY_FRAME;
}

static enum status last_use_enter(struct pass *pass, uint32_t thread,
                                  const struct record *record, struct failure *why)
{
    node_t receiver;
    enum status status = last_use_tick(pass, record, why);
    if (status == STATUS_OK && pass->death_sites)
        status = death_sites_enter(pass->death_sites, pass->heap.frames, thread, record->method,
                                   why);
    if (status == STATUS_OK)
        status = use_object(pass, record->receiver, &receiver, why);
    if (status == STATUS_OK)
        status = frames_enter(pass->heap.frames, thread, record->method, why);
    if (status == STATUS_OK && holds_receiver(pass))
        status = frames_hold(pass->heap.frames, thread, receiver, why);
    return status;
}

/* How many of the nodes that the popped frames held were held until now. The frames above the
 * one that was left were abandoned, at an unknown moment: with HELD_BY_RECEIVER they count as
 * having held nothing. With HELD_BY_FRAME they held their nodes, for what looks like a record
 * of an abandoned frame may be one of the frame below, which caught the exception. */
static size_t count_held(const struct pass *pass, const struct frames_left *left)
{
    return pass->held_by == HELD_BY_FRAME ? left->held_count : left->own_count;
}

/* Pops frames for an exit from another frame than the innermost one, or of an unknown frame. */
static enum status leave_frames(struct pass *pass, uint32_t thread, uint64_t method,
                                struct frames_left *left, struct failure *why)
{
    enum status status = STATUS_OK;
    if (pass->counts_frames)
        frames_pop_count(pass->heap.frames, thread, method, left);
    else
        status = frames_leave(pass->heap.frames, thread, method, left, why);
    if (status != STATUS_OK)
        return status;
    pass->counts.unmatched_exits += !left->matched;
    pass->counts.unwound_frames += left->unwound;
    return STATUS_OK;
}

/* Pops the frame of the record's method, and uses what the popped frames held. */
EACH_RECORD enum status last_use_leave(struct pass *pass, uint32_t thread,
                                       const struct record *record, struct failure *why)
{
    const node_t *held;
    size_t count;
    bool is_left = true;
    if (pass->counts_frames ||
        !frames_leave_top(pass->heap.frames, thread, record->method, &held, &count)) {
        struct frames_left left;
        enum status status = leave_frames(pass, thread, record->method, &left, why);
        if (status != STATUS_OK)
            return status;
        held = left.held;
        count = count_held(pass, &left);
        is_left = left.matched;
    }
    if (is_left && pass->death_sites) {
        enum status status = death_sites_leave(pass->death_sites, pass->heap.frames, thread,
                                               pass->clock.now + 1, why);
        if (status != STATUS_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++)
        use_node_as(pass, held[i], USE_POPPED);
    return last_use_tick(pass, record, why);
}

static enum status last_use_leave_by_exception(struct pass *pass, uint32_t thread,
                                               const struct record *record, struct failure *why)
{
    node_t receiver;
    enum status status = use_object(pass, record->receiver, &receiver, why);
    if (status == STATUS_OK)
        status = last_use_leave(pass, thread, record, why);
    /* The frames above that of the record were abandoned, so the receiver was used in the
     * record's own frame. */
    if (status == STATUS_OK && pass->death_sites)
        death_sites_use(pass->death_sites, pass->heap.objects, thread, receiver, true);
    if (status == STATUS_OK)
        status = use_named(pass, thread, record->exception, why);
    return status;
}

/* Applies a record that does nothing but name objects. */
static enum status use_all_named(struct pass *pass, uint32_t thread,
                                 const struct record *record, struct failure *why)
{
    const struct record_layout *layout = record_layout_find(record->kind);
    enum status status = STATUS_OK;
    for (size_t i = 0; layout && i < layout->count && status == STATUS_OK; i++)
        if (layout->fields[i].role == ROLE_OBJECT)
            status = use_named(pass, thread, record_value(record, &layout->fields[i]), why);
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
static uint64_t name_in_references(const struct pass *pass, node_t node)
{
    return references_are_by_id(pass->references) ? objects_id(pass->heap.objects, node) : node;
}

/* Records that `value` replaces `old` in the slot that was just stored to. */
static enum status note_reference(struct pass *pass, const struct record *record,
                                  node_t container, node_t value, node_t old,
                                  struct failure *why)
{
    if (old == value)
        return STATUS_OK;
    uint64_t time = clock_time(&pass->clock, pass->clock.now);
    const struct reference reference = {
        .container = name_in_references(pass, container),
        .field = record->field,
        .target = name_in_references(pass, old),
        .created = slots_exchange_mark(pass->heap.slots, time),
        .ended = time,
        .end = value == NODE_NONE ? REFERENCE_CLEARED : REFERENCE_OVERWRITTEN,
    };
    return old == NODE_NONE ? STATUS_OK : references_add(pass->references, &reference, why);
}

/* Applies an update, which also uses the old value, since that was reachable through the slot
 * until now. */
static enum status last_use_update(struct pass *pass, uint32_t thread,
                                   const struct record *record, struct failure *why)
{
    struct objects *objects = pass->heap.objects;
    node_t container, value, old;
    enum status status = use_object(pass, record->container, &container, why);
    if (status == STATUS_OK)
        status = use_object(pass, record->value, &value, why);
    if (status == STATUS_OK)
        status =
            slots_store(pass->heap.slots, container, objects_first_slot(objects, container),
                        record->field, value, &old, why);
    if (status != STATUS_OK)
        return status;
    enum use use = use_of_old(container, value, old);
    use_node_as(pass, old, use);
    if (pass->lost_fields && use != USE_NAMED)
        pass->lost_fields[old] = record->field;
    if (pass->references)
        status = note_reference(pass, record, container, value, old, why);
    if (status == STATUS_OK)
        status = hold_named(pass, thread, container, why);
    return status == STATUS_OK ? hold_named(pass, thread, value, why) : status;
}

/* Sets pass->thread to the thread of `record`; if records have no threads, all share one. */
static inline enum status last_use_find_thread(struct pass *pass, const struct record *record,
                                               struct failure *why)
{
    uint64_t id = pass->explicit_time ? 0 : record->thread;
    return frames_follow_thread(pass->heap.frames, id, &pass->thread, why);
}

/* Finds the tick of a recorded death: that of its time, if the clock has shown that time, or
 * else that of its position. */
static enum status find_death_tick(struct pass *pass, uint64_t time, uint64_t *tick,
                                   struct failure *why)
{
    struct input_deaths *deaths = pass->input_deaths;
    uint64_t now = pass->clock.now, first;
    *tick = pass->ticks_by_time ? time : now;
    if (pass->ticks_by_time)
        return STATUS_OK;
    if (clock_has(&pass->clock, time, now))
        clock_find(&pass->clock, time, &first, tick);
    else
        deaths->has_misfit = true;
    return input_deaths_position(deaths, now, pass->record, why);
}

/* Records a death that the input has. Deaths of objects that are not allocated are ignored. */
static enum status note_death(struct pass *pass, const struct record *record,
                              struct failure *why)
{
    const struct objects *objects = pass->heap.objects;
    node_t node = objects_known(objects, record->object);
    struct input_death death = {.number = pass->counts.records[RECORD_DEATH]};
    enum status status = find_death_tick(pass, record->time, &death.at.tick, why);
    if (status != STATUS_OK || node == NODE_NONE || !objects_is_allocated(objects, node))
        return status;
    bool at_boundary = pass->record > 0 && pass->record == pass->boundary;
    death.at.place = death_place(pass->record, at_boundary);
    return input_deaths_add(pass->input_deaths, node, &death, why);
}

static enum status last_use_add_record(struct pass *pass, const struct record *record,
                                       struct failure *why)
{
    if (pass->ticks_by_time && record->time > pass->clock.now)
        pass->clock.now = record->time;
    if (record->kind == RECORD_DEATH) {
        return pass->input_deaths ? note_death(pass, record, why) : STATUS_OK;
    }
    pass->record++;
    enum status status = last_use_find_thread(pass, record, why);
    if (status != STATUS_OK)
        return status;
    uint32_t thread = pass->thread.number;
    if (pass->death_sites)
        death_sites_follow(pass->death_sites, pass->heap.frames, thread);
    switch (record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        return last_use_allocate(pass, thread, record, why);
    case RECORD_ENTRY:
        return last_use_enter(pass, thread, record, why);
    case RECORD_EXIT:
        return last_use_leave(pass, thread, record, why);
    case RECORD_EXCEPTION_EXIT:
        return last_use_leave_by_exception(pass, thread, record, why);
    case RECORD_UPDATE:
        return last_use_update(pass, thread, record, why);
    case RECORD_WITNESS:
        return use_named(pass, thread, record->object, why);
    default:
        return use_all_named(pass, thread, record, why);
    }
}

/* How far ahead of the present record, in records, the records, their ids and last uses are
 * loaded into the processor's cache. */
enum { RECORDS_AHEAD = 32, IDS_AHEAD = 16, USES_AHEAD = 8 };

PREFETCHING void prefetch(const struct pass *pass, const struct batch *batch, size_t i)
{
    const struct objects *objects = pass->heap.objects;
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
__attribute__((noinline)) static enum status add_history_records(struct pass *pass,
                                                                 const struct batch *batch,
                                                                 size_t first, size_t end,
                                                                 struct failure *why)
{
    enum status status = STATUS_OK;
    pass->first_line = batch->first_line;
    for (size_t i = first; i < end && status == STATUS_OK; i++) {
        prefetch(pass, batch, i);
        pass->counts.records[batch->records[i].kind % RECORD_KINDS]++;
        status = last_use_add_record(pass, &batch->records[i], why);
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
 * pass->abandoned comes. Each adds at most two nodes and a slot. */
static size_t records_without_stop(const struct pass *pass, size_t weight)
{
    size_t has = heap_weight(&pass->heap);
    size_t records = has < weight ? (weight - has - 1) / 3 : 0;
    if (pass->abandoned > pass->record && pass->abandoned - pass->record - 1 < records)
        records = (size_t)(pass->abandoned - pass->record - 1);
    return records;
}

enum status history_add_some(struct pass *pass, const struct batch *batch, size_t *next,
                             size_t weight, struct failure *why)
{
    enum status status = STATUS_OK;
    bool is_enough = false;
    if (pass->is_watched)
        status = reserve(pass, batch->count - *next, why);
    while (*next < batch->count && status == STATUS_OK && !is_enough) {
        size_t left = batch->count - *next, some = records_without_stop(pass, weight);
        size_t end = after_boundary(batch, *next + (some < left ? some : left));
        status = add_history_records(pass, batch, *next, end, why);
        is_enough = record_is_boundary(batch->records[end - 1].kind) &&
                    (heap_weight(&pass->heap) >= weight || pass->record == pass->abandoned);
        *next = end;
    }
    return status;
}

enum status pass_add(struct pass *pass, const struct batch *batch, struct failure *why)
{
    enum status status = STATUS_OK;
    if (pass->is_watched)
        status = reserve(pass, batch->count, why);
    if (status == STATUS_OK)
        status = add_history_records(pass, batch, 0, batch->count, why);
    pass->counts.comments += batch->comments;
    pass->counts.unknown += batch->unknown;
    pass->counts.malformed += batch->malformed;
    return status;
}
