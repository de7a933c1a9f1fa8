/* SPDX-License-Identifier: MIT */
/* A life is a row of numbers, each written as the step from that of the life before: objects
 * that die together are much alike, so most steps take a byte. */
#include "merlin/lives/stored_lives.h"

#include "base/bytes.h"

#include <stdlib.h>

/* The numbers of a life. Smaller members share one more number. */
static const size_t life_numbers[] = {
#define OFFSET(member) offsetof(struct life_facts, member)
    OFFSET(allocation),    OFFSET(object),
    OFFSET(type),          OFFSET(size),
    OFFSET(length),        OFFSET(site),
    OFFSET(thread),        OFFSET(line),
    OFFSET(born.tick),     OFFSET(born.time),
    OFFSET(born.bytes),    OFFSET(last_use.tick),
    OFFSET(last_use.time), OFFSET(last_use.bytes),
    OFFSET(died.tick),     OFFSET(died.time),
    OFFSET(died.bytes),    OFFSET(died_allocations),
    OFFSET(key),           OFFSET(group_objects),
    OFFSET(group_bytes),   OFFSET(first_use_bytes),
    OFFSET(use_count),     OFFSET(use_thread),
    OFFSET(death_context), OFFSET(frames_outlived),
    OFFSET(key_field),     OFFSET(number),
    OFFSET(proof.record),  OFFSET(proof.tick),
#undef OFFSET
};

/* The numbers of a birth. */
static const size_t birth_numbers[] = {
    offsetof(struct birth_facts, tick),    offsetof(struct birth_facts, time),
    offsetof(struct birth_facts, object),  offsetof(struct birth_facts, kind),
    offsetof(struct birth_facts, thread),  offsetof(struct birth_facts, size),
    offsetof(struct birth_facts, type),    offsetof(struct birth_facts, site),
    offsetof(struct birth_facts, context),
};

enum { BIRTH_NUMBERS = sizeof birth_numbers / sizeof *birth_numbers };

enum { LIFE_NUMBERS = sizeof life_numbers / sizeof *life_numbers };

/* The bits of the number that small members share. */
enum {
    CAUSE_SHIFT = 8,
    SURVIVES_BIT = 1 << 12,
    HAS_KEY_BIT = 1 << 13,
    IS_KEY_BIT = 1 << 14,
    HAS_CYCLE_BIT = 1 << 15,
    USES_SHIFT = 16,
    CONTEXT_SHIFT = 24,
    IS_FIRST_SHIFT = 56,
    KEY_CAUSE_SHIFT = 57,
    HAS_OUTLIVED_SHIFT = 61,
    IS_SHARED_SHIFT = 62
};
_Static_assert(CAUSE_COUNT < 16 && USES_MAX < 256, "small numbers have this much room");

struct stored_lives {
    struct number_list *births;
    struct number_list *lives;
    struct birth_facts last_birth;
    struct life_facts last;
    struct lives_summary summary;
};

enum status stored_lives_open(struct stored_lives **out,
                              const struct temporary_folder *temporary, struct failure *why)
{
    struct stored_lives *lives = calloc(1, sizeof *lives);
    if (!lives)
        return fail_memory(why);
    enum status status = number_list_open(&lives->births, temporary, why);
    if (status == STATUS_OK)
        status = number_list_open(&lives->lives, temporary, why);
    if (status == STATUS_OK)
        *out = lives;
    else
        stored_lives_close(lives);
    return status;
}

/* Appends the numbers at `offsets` in `next` as steps from those in `last`. */
static enum status add_steps(struct number_list *list, const void *last, const void *next,
                             const size_t *offsets, size_t count, struct failure *why)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t *from = (const void *)((const char *)last + offsets[i]);
        const uint64_t *to = (const void *)((const char *)next + offsets[i]);
        TRY(number_list_add(list, varint_step(*from, *to), why));
    }
    return STATUS_OK;
}

/* Reads steps, and adds them to the numbers at `offsets` in `last`. */
static enum status follow_steps(struct number_cursor *cursor, void *last, const size_t *offsets,
                                size_t count, struct failure *why)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t *number = (void *)((char *)last + offsets[i]), step = 0;
        TRY(number_cursor_next(cursor, &step, why));
        *number = varint_follow(*number, step);
    }
    return STATUS_OK;
}

enum status stored_lives_add_birth(struct stored_lives *lives, const struct birth_facts *birth,
                                   struct failure *why)
{
    enum status status =
        add_steps(lives->births, &lives->last_birth, birth, birth_numbers, BIRTH_NUMBERS, why);
    lives->last_birth = *birth;
    lives->summary.allocations++;
    return status;
}

static uint64_t pack_small(const struct life_facts *life)
{
    return life->kind | (uint64_t)life->cause << CAUSE_SHIFT |
           (life->survives ? SURVIVES_BIT : 0) | (life->has_key ? HAS_KEY_BIT : 0) |
           (life->is_key ? IS_KEY_BIT : 0) | (life->has_cycle ? HAS_CYCLE_BIT : 0) |
           (uint64_t)life->uses << USES_SHIFT | (uint64_t)life->context << CONTEXT_SHIFT |
           (uint64_t)life->is_first << IS_FIRST_SHIFT |
           (uint64_t)life->key_cause << KEY_CAUSE_SHIFT |
           (uint64_t)life->has_outlived << HAS_OUTLIVED_SHIFT |
           (uint64_t)life->is_shared << IS_SHARED_SHIFT;
}

static void unpack_small(struct life_facts *life, uint64_t packed)
{
    life->kind = (uint8_t)packed;
    life->cause = (enum cause)(packed >> CAUSE_SHIFT & 15);
    life->survives = packed & SURVIVES_BIT;
    life->has_key = packed & HAS_KEY_BIT;
    life->is_key = packed & IS_KEY_BIT;
    life->has_cycle = packed & HAS_CYCLE_BIT;
    life->uses = packed >> USES_SHIFT & 255;
    life->context = (uint32_t)(packed >> CONTEXT_SHIFT);
    life->is_first = packed >> IS_FIRST_SHIFT & 1;
    life->key_cause = (enum cause)(packed >> KEY_CAUSE_SHIFT & 15);
    life->has_outlived = packed >> HAS_OUTLIVED_SHIFT & 1;
    life->is_shared = packed >> IS_SHARED_SHIFT & 1;
}

enum status stored_lives_add(struct stored_lives *lives, const struct life_facts *life,
                             struct failure *why)
{
    TRY(number_list_add(lives->lives, pack_small(life), why));
    TRY(add_steps(lives->lives, &lives->last, life, life_numbers, LIFE_NUMBERS, why));
    lives->last = *life;
    lives->summary.lives++;
    lives->summary.deaths += !life->survives;
    return STATUS_OK;
}

enum status stored_lives_finish(struct stored_lives *lives, const struct lives_summary *summary,
                                struct failure *why)
{
    const struct lives_summary counted = lives->summary;
    lives->summary = *summary;
    lives->summary.lives = counted.lives;
    lives->summary.deaths = counted.deaths;
    lives->summary.allocations = counted.allocations;
    TRY(number_list_finish(lives->births, why));
    return number_list_finish(lives->lives, why);
}

const struct lives_summary *stored_lives_summary(const struct stored_lives *lives)
{
    return &lives->summary;
}

void stored_lives_close(struct stored_lives *lives)
{
    if (!lives)
        return;
    number_list_close(lives->births);
    number_list_close(lives->lives);
    free(lives);
}

enum status stored_lives_read(struct number_cursor **out, const struct stored_lives *lives,
                              struct failure *why)
{
    return number_cursor_open(out, lives->lives, why);
}

enum status stored_life_next(struct number_cursor *cursor, struct life_facts *life,
                             struct failure *why)
{
    uint64_t small = 0;
    TRY(number_cursor_next(cursor, &small, why));
    unpack_small(life, small);
    return follow_steps(cursor, life, life_numbers, LIFE_NUMBERS, why);
}

enum status stored_births_read(struct number_cursor **out, const struct stored_lives *lives,
                               struct failure *why)
{
    return number_cursor_open(out, lives->births, why);
}

enum status stored_birth_next(struct number_cursor *cursor, struct birth_facts *birth,
                              struct failure *why)
{
    return follow_steps(cursor, birth, birth_numbers, BIRTH_NUMBERS, why);
}
