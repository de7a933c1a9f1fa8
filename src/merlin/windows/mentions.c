/* SPDX-License-Identifier: MIT */
/* An exit, read backward, opens the frames that it pops: its own one, and above it those that
 * were abandoned, which are only counted. An entry closes the innermost one, and so learns what
 * becomes of it. Frames that are open at the end of the trace are never met, and are not
 * abandoned. */
#include "merlin/windows/mentions.h"

#include "base/id_map.h"
#include "base/map.h"
#include "base/memory.h"
#include "merlin/windows/births.h"
#include "trace/record_layout.h"

#include <stdlib.h>

enum { MENTIONS_AHEAD = 16 };

/* The frames of a thread: for each that an exit pops, how many abandoned ones are above it. */
struct fates {
    uint64_t *abandoned;
    size_t depth;
    size_t capacity;
};

struct mentions {
    uint64_t record; /* the number of the next record, going down */
    struct number_stack *lasts;
    struct number_stack *abandoned;
    bool explicit_time;
    uint8_t names[RECORD_KINDS]; /* what each kind of record names */
    struct id_map last; /* id -> the last record that names it; of ids in use at `record` */
    struct map threads; /* id -> number of the thread in fates, from 1 */
    struct fates *fates;
    size_t thread_count;
    size_t thread_capacity;
    uint64_t thread_id; /* of the boundary before, */
    uint64_t thread;    /* and its number; 0: none yet */
};

enum status mentions_open(struct mentions **out, uint64_t records, bool explicit_time,
                          struct number_stack *lasts, struct number_stack *abandoned,
                          struct failure *why)
{
    struct mentions *mentions = calloc(1, sizeof *mentions);
    if (!mentions)
        return fail_memory(why);
    mentions->record = records;
    mentions->explicit_time = explicit_time;
    record_names_by_kind(mentions->names);
    mentions->lasts = lasts;
    mentions->abandoned = abandoned;
    *out = mentions;
    return STATUS_OK;
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

/* The present record begins a node by `id`. Many are named by no other record. */
static enum status mention_birth(struct mentions *mentions, uint64_t id, struct failure *why)
{
    uint64_t last = id_map_take(&mentions->last, id);
    return number_stack_push(mentions->lasts, last ? last : mentions->record, why);
}

/* The present record names `id`, and begins a node by it if `begins`. */
static enum status mention_any(struct mentions *mentions, uint64_t id, bool begins,
                               struct failure *why)
{
    if (id == 0)
        return STATUS_OK;
    return begins ? mention_birth(mentions, id, why) : mention(mentions, id, why);
}

/* Makes mentions->thread the thread of `record`, if it is not. */
static enum status mentions_find_thread(struct mentions *mentions, const struct record *record,
                                        struct failure *why)
{
    uint64_t id = mentions->explicit_time ? 0 : record->thread;
    if (mentions->thread != 0 && mentions->thread_id == id)
        return STATUS_OK;
    uint64_t *number = map_insert(&mentions->threads, id);
    if (!number)
        return fail_memory(why);
    if (*number == 0) {
        struct fates *all = array_grow(mentions->fates, &mentions->thread_capacity,
                                       mentions->thread_count + 1, sizeof *all);
        if (!all)
            return fail_memory(why);
        mentions->fates = all;
        all[mentions->thread_count++] = (struct fates){.depth = 0};
        *number = mentions->thread_count;
    }
    mentions->thread_id = id;
    mentions->thread = *number;
    return STATUS_OK;
}

/* The innermost frame of the thread was opened by the present record. */
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
    return number_stack_push(mentions->abandoned, mentions->record, why);
}

/* The present record popped `count` frames of the thread. */
static enum status leave_backward(struct fates *fates, uint64_t count, struct failure *why)
{
    if (count == 0)
        return STATUS_OK;
    uint64_t *abandoned =
        array_grow(fates->abandoned, &fates->capacity, fates->depth + 1, sizeof *abandoned);
    if (!abandoned)
        return fail_memory(why);
    fates->abandoned = abandoned;
    abandoned[fates->depth++] = count - 1;
    return STATUS_OK;
}

static enum status cross_backward(struct mentions *mentions, const struct record *record,
                                  struct failure *why)
{
    enum status status = mentions_find_thread(mentions, record, why);
    if (status != STATUS_OK)
        return status;
    struct fates *fates = &mentions->fates[mentions->thread - 1];
    if (record->kind == RECORD_ENTRY)
        return enter_backward(mentions, fates, why);
    return leave_backward(fates, record->method, why);
}

static enum status mentions_add_record(struct mentions *mentions, const struct record *record,
                                       struct failure *why)
{
    enum status status = STATUS_OK;
    if (mentions->names[record->kind] & RECORD_NAMES_SECOND)
        status = mention_any(mentions, record->value, record->marks & BIRTH_OF_SECOND, why);
    if (status == STATUS_OK)
        status = mention_any(mentions, record->object, record->marks & BIRTH_OF_FIRST, why);
    if (status == STATUS_OK && mentions->abandoned && record_is_boundary(record->kind))
        status = cross_backward(mentions, record, why);
    mentions->record--;
    return status;
}

enum status mentions_add(struct mentions *mentions, const struct batch *batch,
                         struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = batch->count; i-- > 0 && status == STATUS_OK;) {
        if (i >= MENTIONS_AHEAD)
            id_map_prefetch(&mentions->last, batch->records[i - MENTIONS_AHEAD].object);
        status = mentions_add_record(mentions, &batch->records[i], why);
    }
    return status;
}

void mentions_close(struct mentions *mentions)
{
    if (!mentions)
        return;
    for (size_t i = 0; i < mentions->thread_count; i++)
        free(mentions->fates[i].abandoned);
    free(mentions->fates);
    id_map_free(&mentions->last);
    map_free(&mentions->threads);
    free(mentions);
}
