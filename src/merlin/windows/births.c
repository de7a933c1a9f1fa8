/* SPDX-License-Identifier: MIT */
/* All that is kept of an id is whether it has been named and whether it is allocated: two sets,
 * of which the second has the ids that are named and not allocated, which are few. A
 * direct-mapped cache of named ids answers for most records. Frames are matched here, because
 * that needs methods, which the temporary file can then do without. */
#include "merlin/windows/readings.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/set.h"
#include "heap/frames_inline.h"
#include "trace/record.h"
#include "trace/record_spool.h"

#include <stdlib.h>

enum { NAMED_CACHE_BITS = 14 };

struct births {
    struct record_spool *records;
    bool explicit_time;
    uint8_t names[RECORD_KINDS]; /* what each kind of record names */
    struct trace_counts counts;
    uint64_t record_count;
    uint64_t nodes;
    struct set named;
    struct set unallocated; /* those of these that no record has allocated yet */
    struct frames *frames;
    struct latest_thread thread;
    uint64_t cache[1 << NAMED_CACHE_BITS];
};

enum status births_open(struct births **out, struct record_spool *records, bool explicit_time,
                        struct failure *why)
{
    struct births *births = calloc(1, sizeof *births);
    if (!births)
        return fail_memory(why);
    births->records = records;
    births->explicit_time = explicit_time;
    record_names_by_kind(births->names);
    births->thread.number = NO_THREAD;
    enum status status = frames_new(&births->frames, why);
    if (status == STATUS_OK)
        *out = births;
    else
        births_close(births);
    return status;
}

static uint64_t *cache_of(struct births *births, uint64_t id)
{
    return &births->cache[hash_slot(id, NAMED_CACHE_BITS)];
}

/* Handles a mention of object `id`, or null. Adds `mark` to *marks if the id begins a node. */
static inline enum status name(struct births *births, uint64_t id, uint8_t mark, uint8_t *marks,
                               struct failure *why)
{
    uint64_t *cached = cache_of(births, id);
    bool added;
    if (*cached == id || id == 0)
        return STATUS_OK;
    TRY(set_add(&births->named, id, &added, why));
    *cached = id;
    if (!added)
        return STATUS_OK;
    births->nodes++;
    *marks |= mark;
    return set_add(&births->unallocated, id, &added, why);
}

/* Handles an allocation of object `id`. Marks it in *marks if it begins a node. */
static enum status births_allocate(struct births *births, uint64_t id, uint8_t *marks,
                                   struct failure *why)
{
    bool is_new, was_unallocated = false;
    TRY(set_add(&births->named, id, &is_new, why));
    if (!is_new)
        TRY(set_remove(&births->unallocated, id, &was_unallocated, why));
    *cache_of(births, id) = id;
    enum allocation how = allocation_of(!is_new, !was_unallocated);
    trace_counts_allocation(&births->counts, how);
    if (allocation_begins_node(how)) {
        births->nodes++;
        *marks |= BIRTH_OF_FIRST;
    }
    return STATUS_OK;
}

/* Opens or pops frames. Sets record->method of an exit to the number of frames that it pops. */
static enum status births_cross(struct births *births, struct record *record,
                                struct failure *why)
{
    struct frames_left left;
    if (record->kind == RECORD_ENTRY)
        return frames_enter(births->frames, births->thread.number, record->method, why);
    TRY(frames_leave(births->frames, births->thread.number, record->method, &left, why));
    births->counts.unmatched_exits += !left.matched;
    births->counts.unwound_frames += left.unwound;
    record->method = left.matched ? left.unwound + 1 : 0;
    return STATUS_OK;
}

static enum status births_add_record(struct births *births, const struct record *from,
                                     struct failure *why)
{
    struct record record = *from;
    record.marks = 0;
    births->record_count++;
    uint64_t thread = births->explicit_time ? 0 : record.thread;
    TRY(frames_follow_thread(births->frames, thread, &births->thread, why));
    if (record_is_boundary(record.kind))
        TRY(births_cross(births, &record, why));
    if (record_is_allocation(record.kind))
        TRY(births_allocate(births, record.object, &record.marks, why));
    else if (births->names[record.kind] & RECORD_NAMES_FIRST)
        TRY(name(births, record.object, BIRTH_OF_FIRST, &record.marks, why));
    if (births->names[record.kind] & RECORD_NAMES_SECOND)
        TRY(name(births, record.value, BIRTH_OF_SECOND, &record.marks, why));
    return record_spool_add(births->records, &record, why);
}

/* How far ahead of the present record, in records, what is known of ids is loaded into the
 * processor's cache. */
enum { PLACES_AHEAD = 16, SETS_AHEAD = 8 };

/* Loads what is known of the first ids of records after number `i` into the processor's cache.
 */
PREFETCHING void births_prefetch(struct births *births, const struct batch *batch, size_t i)
{
    if (i + PLACES_AHEAD >= batch->count)
        return;
    uint64_t id = batch->records[i + SETS_AHEAD].object;
    uint64_t later_id = batch->records[i + PLACES_AHEAD].object;
    __builtin_prefetch(cache_of(births, later_id), 1);
    set_prefetch_chunk(&births->named, later_id);
    if (*cache_of(births, id) != id)
        set_prefetch(&births->named, id);
}

enum status births_add(struct births *births, const struct batch *batch, struct failure *why)
{
    record_spool_set_line(births->records, batch->first_line);
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        births_prefetch(births, batch, i);
        births->counts.records[record->kind % RECORD_KINDS]++;
        if (record->kind != RECORD_DEATH)
            TRY(births_add_record(births, record, why));
    }
    trace_counts_lines(&births->counts, batch);
    return STATUS_OK;
}

const struct trace_counts *births_counts(const struct births *births)
{
    return &births->counts;
}

uint64_t births_records(const struct births *births)
{
    return births->record_count;
}

uint64_t births_nodes(const struct births *births)
{
    return births->nodes;
}

void births_end(struct births *births)
{
    set_free(&births->named);
    set_free(&births->unallocated);
    frames_free(births->frames);
    births->frames = NULL;
    memory_trim(); /* the pieces of Judy arrays are small */
}

void births_close(struct births *births)
{
    if (!births)
        return;
    births_end(births);
    free(births);
}
