/* SPDX-License-Identifier: MIT */
/* Read backward, an exit opens the frames that it pops: its own one and, above it, those that
 * were abandoned, which are only counted. An entry closes the innermost frame, and so learns
 * what became of it. Frames that are open at the end of the trace are never met, and are not
 * abandoned.
 *
 * For example, let a thread have the records M 1, M 2, M 3, E 1. E 1 is read first: it opens
 * its own frame, with two abandoned ones above it. M 3 takes the first of these, so its frame
 * is abandoned; M 2 takes the second. M 1 finds none left, so it closes the frame of E 1. */
#include "merlin/windows/readings.h"

#include "base/id_map.h"
#include "base/memory.h"
#include "heap/frames_inline.h"
#include "trace/record.h"

#include <stdlib.h>

enum { MENTIONS_AHEAD = 16 };

/* The frames of a thread: for each frame that an exit leaves, how many abandoned ones are above
 * it. */
struct fates {
    uint64_t *abandoned;
    size_t depth;
    size_t capacity;
};

struct mentions {
    uint64_t record; /* the number of the next record, going down */
    struct mentions_found found;
    uint64_t allocated;    /* the number of the next allocation, going down */
    uint64_t unallocated;  /* the number of the next node that is never allocated, going down */
    struct id_map adopted; /* id -> number of the allocation after the birth of its node */
    bool explicit_time;
    uint8_t names[RECORD_KINDS]; /* what each kind of record names */
    struct id_map last; /* id -> the last record that names it; for ids in use at `record` */
    struct frames *threads; /* only to number the threads */
    struct fates *fates;    /* by thread */
    size_t thread_count;
    size_t thread_capacity;
    struct latest_thread thread; /* of the latest boundary */
};

static uint64_t count_allocations(const struct births *births)
{
    uint64_t count = 0;
    for (unsigned kind = 0; kind < RECORD_KINDS; kind++)
        if (record_is_allocation(kind))
            count += births_counts(births)->records[kind];
    return count;
}

enum status mentions_open(struct mentions **out, const struct births *births,
                          bool explicit_time, const struct mentions_found *found,
                          struct failure *why)
{
    struct mentions *mentions = calloc(1, sizeof *mentions);
    if (!mentions)
        return fail_memory(why);
    mentions->record = births_records(births);
    mentions->allocated = count_allocations(births);
    mentions->unallocated = births_nodes(births);
    mentions->explicit_time = explicit_time;
    record_names_by_kind(mentions->names);
    mentions->found = *found;
    mentions->thread.number = NO_THREAD;
    enum status status = frames_new(&mentions->threads, why);
    if (status == STATUS_OK)
        *out = mentions;
    else
        mentions_close(mentions);
    return status;
}

/* The present record names `id`. */
static enum status mention(struct mentions *mentions, uint64_t id, struct failure *why)
{
    uint64_t *last = id_map_insert(&mentions->last, id);
    if (!last)
        return fail_memory(why);
    if (*last == 0)
        *last = mentions->record;
    return STATUS_OK;
}

/* The present record begins a node by `id`. This record alone names many of these nodes. */
static enum status mention_birth(struct mentions *mentions, uint64_t id, struct failure *why)
{
    uint64_t last = id_map_take(&mentions->last, id);
    return number_stack_push(mentions->found.lasts, last ? last : mentions->record, why);
}

/* Pushes the number of a node that begins: that of its allocation, which is the present record
 * or a later one and so is known; or, if it is never allocated, the next number of these. */
static enum status push_number(struct mentions *mentions, uint64_t id, bool is_allocation,
                               struct failure *why)
{
    uint64_t number = is_allocation ? mentions->allocated : id_map_take(&mentions->adopted, id);
    return number_stack_push(mentions->found.numbers, number ? number : mentions->unallocated--,
                             why);
}

/* Records what the present record, which names `id`, means for numbers; `begins`: it begins a
 * node. */
static enum status mention_number(struct mentions *mentions, uint64_t id, bool begins,
                                  bool is_allocation, struct failure *why)
{
    if (begins)
        return push_number(mentions, id, is_allocation, why);
    if (!is_allocation)
        return STATUS_OK;
    uint64_t *number = id_map_insert(&mentions->adopted, id);
    if (!number)
        return fail_memory(why);
    *number = mentions->allocated;
    return STATUS_OK;
}

/* The present record, of kind `kind`, names `id`, or null, and begins a node by it if `begins`.
 */
static enum status mention_any(struct mentions *mentions, unsigned kind, uint64_t id,
                               bool begins, struct failure *why)
{
    if (id == 0)
        return STATUS_OK;
    if (mentions->found.numbers)
        TRY(mention_number(mentions, id, begins, record_is_allocation(kind), why));
    return begins ? mention_birth(mentions, id, why) : mention(mentions, id, why);
}

/* Sets *fates to those of the thread of `record`. */
static enum status find_fates(struct mentions *mentions, const struct record *record,
                              struct fates **fates, struct failure *why)
{
    uint64_t id = mentions->explicit_time ? 0 : record->thread;
    TRY(frames_follow_thread(mentions->threads, id, &mentions->thread, why));
    if (!ARRAY_LENGTHEN(mentions->fates, mentions->thread_count, mentions->thread_capacity,
                        (size_t)mentions->thread.number + 1))
        return fail_memory(why);
    *fates = &mentions->fates[mentions->thread.number];
    return STATUS_OK;
}

/* The present record opened the innermost frame of the thread. */
static enum status enter_backward(struct mentions *mentions, struct fates *fates,
                                  struct failure *why)
{
    if (fates->depth == 0)
        return STATUS_OK;
    uint64_t *abandoned = &fates->abandoned[fates->depth - 1];
    if (*abandoned == 0) {
        fates->depth--;
        return STATUS_OK;
    }
    --*abandoned;
    return number_stack_push(mentions->found.abandoned, mentions->record, why);
}

/* The present record popped `count` frames of the thread. */
static enum status leave_backward(struct fates *fates, uint64_t count, struct failure *why)
{
    if (count == 0)
        return STATUS_OK;
    if (!ARRAY_RESERVE(fates->abandoned, fates->capacity, fates->depth + 1))
        return fail_memory(why);
    fates->abandoned[fates->depth++] = count - 1;
    return STATUS_OK;
}

static enum status cross_backward(struct mentions *mentions, const struct record *record,
                                  struct failure *why)
{
    struct fates *fates;
    TRY(find_fates(mentions, record, &fates, why));
    if (record->kind == RECORD_ENTRY)
        return enter_backward(mentions, fates, why);
    return leave_backward(fates, record->method, why);
}

static enum status mentions_add_record(struct mentions *mentions, const struct record *record,
                                       struct failure *why)
{
    if (mentions->names[record->kind] & RECORD_NAMES_SECOND)
        TRY(mention_any(mentions, record->kind, record->value, record->marks & BIRTH_OF_SECOND,
                        why));
    TRY(mention_any(mentions, record->kind, record->object, record->marks & BIRTH_OF_FIRST,
                    why));
    if (mentions->found.abandoned && record_is_boundary(record->kind))
        TRY(cross_backward(mentions, record, why));
    mentions->allocated -= (unsigned)record_is_allocation(record->kind);
    mentions->record--;
    return STATUS_OK;
}

enum status mentions_add(struct mentions *mentions, const struct batch *batch,
                         struct failure *why)
{
    for (size_t i = batch->count; i-- > 0;) {
        if (i >= MENTIONS_AHEAD)
            id_map_prefetch(&mentions->last, batch->records[i - MENTIONS_AHEAD].object);
        TRY(mentions_add_record(mentions, &batch->records[i], why));
    }
    return STATUS_OK;
}

void mentions_close(struct mentions *mentions)
{
    if (!mentions)
        return;
    for (size_t i = 0; i < mentions->thread_count; i++)
        free(mentions->fates[i].abandoned);
    free(mentions->fates);
    id_map_free(&mentions->last);
    id_map_free(&mentions->adopted);
    frames_free(mentions->threads);
    free(mentions);
}
