/* SPDX-License-Identifier: MIT */
#include "merlin/lives/stored_lives.h"
#include "support.h"

#include <stdlib.h>

static struct stored_lives *stored;

static void clean_up(void)
{
    stored_lives_close(stored);
    stored = NULL;
    scratch_remove();
}

TestSuite(stored_lives, .fini = clean_up);

static void open_lives(void)
{
    char path[PATH_SIZE];
    ok(stored_lives_open(&stored, &(struct temporary_folder){.path = scratch_path(path, "")},
                         &cause));
}

/* Life i of a sequence in which each number has small and large values. */
static struct life_facts sample_life(uint64_t i)
{
    uint64_t state = i + 1;
    const uint64_t most = i % 3 == 0 ? UINT64_MAX : 100;
    return (struct life_facts){
        .number = random_below(&state, most),
        .allocation = i,
        .object = random_below(&state, most),
        .kind = (uint8_t)"NAIPV"[i % 5],
        .type = random_below(&state, most),
        .size = random_below(&state, most),
        .length = random_below(&state, most),
        .site = random_below(&state, most),
        .thread = random_below(&state, most),
        .line = random_below(&state, most),
        .born = {i, random_below(&state, most), random_below(&state, most)},
        .proof = {random_below(&state, most), random_below(&state, most)},
        .last_use = {i + 1, random_below(&state, most), random_below(&state, most)},
        .died = {i + 2, random_below(&state, most), random_below(&state, most)},
        .died_allocations = random_below(&state, most),
        .survives = i % 2,
        .cause = (enum cause)(i % CAUSE_COUNT),
        .has_key = i % 3 == 1,
        .key = random_below(&state, most),
        .is_key = i % 5 == 1,
        .is_first = i % 7 == 1,
        .has_cycle = i % 4 == 1,
        .group_objects = random_below(&state, most),
        .key_cause = (enum cause)((i + 3) % CAUSE_COUNT),
        .group_bytes = random_below(&state, most),
        .context = i % 2 ? UINT32_MAX : (uint32_t)i,
        .uses = (unsigned)(i % (USES_MAX + 1)),
        .first_use_bytes = random_below(&state, most),
        .use_count = random_below(&state, most),
        .use_thread = random_below(&state, most),
    };
}

static bool is_same_moment(const struct life_moment *a, const struct life_moment *b)
{
    return a->tick == b->tick && a->time == b->time && a->bytes == b->bytes;
}

static bool is_same_record(const struct life_facts *a, const struct life_facts *b)
{
    return a->number == b->number && a->proof.record == b->proof.record &&
           a->proof.tick == b->proof.tick && a->allocation == b->allocation &&
           a->object == b->object && a->kind == b->kind && a->type == b->type &&
           a->size == b->size && a->length == b->length && a->site == b->site &&
           a->thread == b->thread && a->line == b->line && a->context == b->context;
}

static bool is_same_life(const struct life_facts *a, const struct life_facts *b)
{
    return is_same_record(a, b) && is_same_moment(&a->born, &b->born) &&
           is_same_moment(&a->last_use, &b->last_use) && is_same_moment(&a->died, &b->died) &&
           a->died_allocations == b->died_allocations && a->survives == b->survives &&
           a->cause == b->cause && a->has_key == b->has_key && a->key == b->key &&
           a->is_key == b->is_key && a->is_first == b->is_first &&
           a->has_cycle == b->has_cycle && a->group_objects == b->group_objects &&
           a->group_bytes == b->group_bytes && a->key_cause == b->key_cause &&
           a->uses == b->uses && a->first_use_bytes == b->first_use_bytes &&
           a->use_count == b->use_count && a->use_thread == b->use_thread;
}

Test(stored_lives, all_facts_come_back_as_often_as_they_are_read)
{
    enum { COUNT = 5000 };
    const struct lives_summary summary = {.first = {1, 5, 0}, .end = {9, 10, 11}};
    open_lives();
    for (uint64_t i = 0; i < COUNT; i++) {
        struct life_facts life = sample_life(i);
        ok(stored_lives_add(stored, &life, &cause));
    }
    ok(stored_lives_finish(stored, &summary, &cause));
    expect_number(stored_lives_summary(stored)->lives, COUNT);
    cr_expect(is_same_moment(&stored_lives_summary(stored)->end, &summary.end));
    for (int reading = 0; reading < 2; reading++) {
        struct number_cursor *cursor = NULL;
        struct life_facts found = {.number = 0};
        ok(stored_lives_read(&cursor, stored, &cause));
        for (uint64_t i = 0; i < COUNT; i++) {
            struct life_facts life = sample_life(i);
            ok(stored_life_next(cursor, &found, &cause));
            must(is_same_life(&found, &life), "life %" PRIu64 " differs", i);
        }
        number_cursor_close(cursor);
    }
}

Test(stored_lives, births_come_back)
{
    static const struct birth_facts births[] = {
        {.tick = 1, .time = 1, .object = 9, .thread = 2, .size = 8, .type = 5, .site = 6},
        {.tick = 1,
         .time = 1,
         .object = UINT64_MAX,
         .size = UINT64_MAX,
         .type = UINT64_MAX,
         .context = UINT32_MAX},
        {.tick = 900,
         .time = UINT64_MAX,
         .object = 10,
         .thread = UINT64_MAX,
         .size = 0,
         .type = 5,
         .site = UINT64_MAX},
        {.tick = 901, .time = 7, .size = 8, .type = 5, .site = 6, .context = 3},
    };
    struct number_cursor *cursor = NULL;
    struct birth_facts found = {.tick = 0};
    open_lives();
    for (size_t i = 0; i < ITEMS(births); i++)
        ok(stored_lives_add_birth(stored, &births[i], &cause));
    ok(stored_lives_finish(stored, &(struct lives_summary){.lives = 0}, &cause));
    expect_number(stored_lives_summary(stored)->allocations, ITEMS(births));
    ok(stored_births_read(&cursor, stored, &cause));
    for (size_t i = 0; i < ITEMS(births); i++) {
        ok(stored_birth_next(cursor, &found, &cause));
        expect_number(found.tick, births[i].tick);
        expect_number(found.time, births[i].time);
        expect_number(found.object, births[i].object);
        expect_number(found.thread, births[i].thread);
        expect_number(found.size, births[i].size);
        expect_number(found.type, births[i].type);
        expect_number(found.site, births[i].site);
        expect_number(found.context, births[i].context);
    }
    number_cursor_close(cursor);
}
