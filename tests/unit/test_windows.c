/* SPDX-License-Identifier: MIT */
/* The three readings of the windows engine: what each finds in small traces, and the deaths
 * that follow, with a collection at each boundary. */
#include "merlin/windows/windows.h"

#include "base/hash.h"
#include "merlin/lives/stored_lives.h"
#include "merlin/numbering.h"
#include "merlin/windows/readings.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct windows *windows;
static struct deaths deaths;

static void clean_up(void)
{
    deaths_free(&deaths);
    windows_close(windows);
    windows = NULL;
    scratch_remove();
}

TestSuite(windows, .fini = clean_up);

/* Does the second reading of `text`; *found gets its results. */
static void find_mentions(const char *text, struct mentions_found *found)
{
    char path[PATH_SIZE];
    const struct temporary_folder temporary = {.path = scratch_path(path, "")};
    struct record_spool *spool = NULL;
    struct births *births = NULL;
    struct mentions *mentions = NULL;
    struct reader *reader = NULL;
    struct batch batch = read_trace(text, &thread_dialect);
    ok(record_spool_open(&spool, false, &temporary, &cause));
    ok(births_open(&births, spool, false, &cause));
    ok(births_add(births, &batch, &cause));
    ok(record_spool_finish(spool, &cause));
    ok(number_stack_open(&found->lasts, &temporary, &cause));
    ok(number_stack_open(&found->abandoned, &temporary, &cause));
    ok(number_stack_open(&found->numbers, &temporary, &cause));
    ok(mentions_open(&mentions, births, false, found, &cause));
    ok(record_spool_read(&reader, spool, true, &cause));
    while (reader_next(reader, &batch, &cause) == STATUS_OK)
        ok(mentions_add(mentions, &batch, &cause));
    expect_number(births_nodes(births), number_stack_count(found->lasts));
    expect_number(births_nodes(births), number_stack_count(found->numbers));
    reader_close(reader);
    mentions_close(mentions);
    births_close(births);
    record_spool_close(spool);
    batch_free(&batch);
}

static void expect_stack(struct number_stack *stack, const uint64_t *numbers, size_t count)
{
    expect_number(number_stack_count(stack), count);
    for (size_t i = 0; i < count; i++) {
        expect_number(number_stack_top(stack), numbers[i]);
        ok(number_stack_pop(stack, &cause));
    }
    number_stack_close(stack);
}

/* A trace for the second reading; comments have the numbers of records. */
static const char six_nodes[] = "W 10 1 7\n"       /* 1 */
                                "N 20 1 1 1 0 7\n" /* 2 */
                                "N 10 1 1 1 0 7\n" /* 3 */
                                "U 30 20 5 7\n"    /* 4 */
                                "T 1 30 0 7\n"     /* 5 */
                                "U 40 40 5 7\n"    /* 6 */
                                "M 1 10 7\n"       /* 7 */
                                "A 20 1 1 1 0 7\n" /* 8 */
                                "W 20 1 7\n"       /* 9 */
                                "U 30 50 5 7\n"    /* 10 */
                                "E 1 7\n";

Test(windows, the_last_mention_of_each_node_is_found)
{
    static const uint64_t expected[] = {
        7,  /* 10, named before it is allocated */
        4,  /* 20 */
        10, /* 30, never allocated */
        6,  /* 40, named twice by a record */
        9,  /* 20 again, another object */
        10, /* 50, a value */
    };
    struct mentions_found found;
    find_mentions(six_nodes, &found);
    expect_stack(found.lasts, expected, ITEMS(expected));
    expect_stack(found.abandoned, NULL, 0);
    number_stack_close(found.numbers);
}

Test(windows, allocations_are_numbered_first)
{
    static const uint64_t expected[] = {
        2, /* 10, allocated second */
        1, /* 20 */
        4, /* 30, the first that is never allocated */
        5, /* 40 */
        3, /* 20 again */
        6, /* 50 */
    };
    struct mentions_found found;
    find_mentions(six_nodes, &found);
    expect_stack(found.numbers, expected, ITEMS(expected));
    number_stack_close(found.lasts);
    number_stack_close(found.abandoned);
}

static void number_and_expect(struct numbering *numbering, const struct batch *batch)
{
    static const uint64_t firsts[] = {2, 1, 2, 4, 4, 5, 2, 3, 3, 4, 0};
    static const uint64_t seconds[] = {0, 0, 0, 1, 0, 5, 0, 0, 0, 6, 0};
    expect_number(batch->count, ITEMS(firsts));
    for (size_t i = 0; i < batch->count; i++) {
        struct record record = batch->records[i];
        ok(numbering_apply(numbering, &record, &cause));
        if (record.kind != RECORD_EXIT)
            expect_number(record.object, firsts[i]);
        if (record.kind == RECORD_UPDATE)
            expect_number(record.value, seconds[i]);
    }
    numbering_free(numbering);
}

Test(windows, records_are_numbered_as_often_as_one_likes)
{
    struct mentions_found found;
    struct batch batch = read_trace(six_nodes, &thread_dialect);
    find_mentions(six_nodes, &found);
    for (int i = 0; i < 2; i++) {
        struct number_stack *lasts = NULL, *numbers = NULL;
        struct numbering *numbering = NULL;
        ok(number_stack_copy(&lasts, found.lasts, &cause));
        ok(number_stack_copy(&numbers, found.numbers, &cause));
        ok(window_numbering_new(&numbering, lasts, numbers, &cause));
        number_and_expect(numbering, &batch);
    }
    batch_free(&batch);
    number_stack_close(found.lasts);
    number_stack_close(found.numbers);
    number_stack_close(found.abandoned);
}

/* Here the trace has been changed between the readings. Other code reports that; this code must
 * not read beyond its arrays. */
Test(windows, more_objects_than_there_are_numbers)
{
    struct mentions_found found;
    struct numbering *numbering = NULL;
    find_mentions("N 1 1 1 1 0 7\nM 1 0 7\n", &found);
    ok(window_numbering_new(&numbering, found.lasts, found.numbers, &cause));
    for (uint64_t id = 1; id < 100; id++) {
        struct record record = {.kind = RECORD_UPDATE, .object = id, .value = 1000 + id};
        ok(numbering_apply(numbering, &record, &cause));
        expect_number(record.object, id == 1);
        expect_number(record.value, 0);
    }
    numbering_free(numbering);
    number_stack_close(found.abandoned);
}

/* The cache of ids that the reading has met has one entry for both ids. */
Test(windows, the_last_mentions_of_ids_that_share_an_entry_are_found)
{
    static const uint64_t expected[] = {5, 6};
    struct mentions_found found;
    char text[500];
    uint64_t id = 2;
    while (hash_slot(id, 20) != hash_slot(1, 20))
        id++;
    sprintf(text,
            "N 1 1 1 1 0 7\nN %" PRIu64 " 1 1 1 0 7\nW 1 1 7\nW %" PRIu64 " 1 7\n"
            "W 1 1 7\nW %" PRIu64 " 1 7\n",
            id, id, id);
    find_mentions(text, &found);
    expect_stack(found.lasts, expected, ITEMS(expected));
    number_stack_close(found.abandoned);
    number_stack_close(found.numbers);
}

Test(windows, frames_that_are_abandoned_are_found)
{
    static const uint64_t expected[] = {2, 3};
    struct mentions_found found;
    find_mentions("M 1 0 7\n" /* 1 */
                  "M 2 0 7\n" /* 2: abandoned by the exit from 1 */
                  "M 3 0 7\n" /* 3: the same */
                  "M 1 0 8\n" /* 4: of another thread, left */
                  "M 4 0 7\n" /* 5: left */
                  "E 4 7\n"
                  "E 1 8\n"
                  "E 1 7\n"
                  "M 5 0 8\n" /* 9: open at the end */
                  "E 6 8\n"   /* not open */
                  "M 6 0 7\n" /* 11: open at the end */
                  "M 6 0 8\n" /* 12: left */
                  "E 6 8\n"
                  "E 6 8\n"
                  "E 9 7\n",
                  &found);
    number_stack_close(found.lasts);
    number_stack_close(found.numbers);
    expect_stack(found.abandoned, expected, ITEMS(expected));
}

/* Computes the deaths of `text` in windows of `weight`. */
static void compute(const char *text, const struct reader_options *options, uint64_t weight,
                    enum held_by held_by, enum unallocated unallocated)
{
    char path[PATH_SIZE];
    const struct engine_options how = {
        .settings = {.threads = 1, .window = weight},
        .held_by = held_by,
        .unallocated = unallocated,
        .temporary.path = scratch_path(path, ""),
    };
    struct batch batch = read_trace(text, options);
    deaths_free(&deaths);
    windows_close(windows);
    ok(windows_open(&windows, &how, options->dialect == DIALECT_TIME, NULL, &cause));
    ok(windows_add(windows, &batch, &cause));
    ok(windows_compute(windows, &deaths, &cause));
    batch_free(&batch);
}

Test(windows, a_cursor_walks_the_ticks_at_which_something_dies)
{
    compute("N 10 1 1 1 0 7\n"
            "N 20 1 1 1 0 7\n"
            "N 30 1 1 1 0 7\n"
            "M 1 0 7\n" /* 10 and 20 die */
            "M 2 0 7\n"
            "W 30 1 7\n"
            "M 3 0 7\n" /* 30 dies */
            "N 40 1 1 1 0 7\n",
            &thread_dialect, 4, HELD_BY_RECEIVER, UNALLOCATED_LAST_USE);
    expect_death_ticks(&deaths, 1, 3);
}

/* Windows have so few nodes that there are several collections in each, and every object dies.
 * So little memory is left in use at the end. */
Test(windows, nothing_of_the_dead_is_kept)
{
    char *text = malloc(40000 * 40), *at = text;
    cr_assert_not_null(text);
    for (unsigned i = 1; i <= 1000; i++)
        at += sprintf(at, "N %u 1 1 1 0 7\nU %u %u 1 7\nM 1 0 7\nE 1 7\n", i, i, i);
    compute(text, &thread_dialect, 16, HELD_BY_RECEIVER, UNALLOCATED_LAST_USE);
    free(text);
    expect_number(deaths.dead_count, 1000);
    expect_number(deaths.named, 1000);
    cr_expect(objects_count(deaths.pass->heap.objects) < 20);
    expect_number(slots_count(deaths.pass->heap.slots), 1000);
    cr_expect(slots_present(deaths.pass->heap.slots) < 20);
}

Test(windows, no_times_are_kept_of_boundaries_that_windows_have_passed)
{
    char *text = malloc(1000 * 60), *at = text;
    cr_assert_not_null(text);
    for (unsigned i = 1; i <= 1000; i++)
        at += sprintf(at, "N %u 1 1 1 0 %u\nM 1 0 %u\n", i, 10 * i, 10 * i);
    compute(text, &time_dialect, 16, HELD_BY_RECEIVER, UNALLOCATED_LAST_USE);
    free(text);
    expect_number(deaths.dead_count, 1000);
    cr_expect(deaths.pass->clock.run_count < 50);
}

Test(windows, nothing_of_ended_lives_is_kept_in_memory)
{
    char path[PATH_SIZE], *text = malloc(1000 * 60), *at = text;
    const struct recorders_options recording = {.has_windows = false};
    const struct engine_options how = {
        .settings = {.threads = 1, .window = 16},
        .temporary.path = scratch_path(path, ""),
    };
    cr_assert_not_null(text);
    for (unsigned i = 1; i <= 1000; i++)
        at += sprintf(at, "N %u 24 1 1 0 7\nM 1 0 7\nE 1 7\n", i);
    struct batch batch = read_trace(text, &thread_dialect);
    free(text);
    ok(windows_open(&windows, &how, false, &recording, &cause));
    ok(windows_add(windows, &batch, &cause));
    ok(windows_compute(windows, &deaths, &cause));
    batch_free(&batch);
    expect_number(stored_lives_summary(deaths.lives)->lives, 1000);
    expect_number(stored_lives_summary(deaths.lives)->end.bytes, 24000);
    expect_number(stored_lives_summary(deaths.lives)->end.tick, 2000);
    cr_expect(windows_pass(windows)->recorders->allocations.ticks.count < 20);
}

/* A text of `count` times `form`, in which up to five numbers are replaced by the count,
 * from 1. The caller frees it. */
static char *repeat(const char *form, unsigned count)
{
    char *text = malloc(count * (strlen(form) + 5 * 10) + 1), *at = text;
    cr_assert_not_null(text);
    for (unsigned i = 1; i <= count; i++)
        at += sprintf(at, form, i, i, i, i, i);
    return text;
}

/* A heap that only grows is marked each time it has grown by half, and not more often. */
Test(windows, a_heap_that_grows_without_end_is_seldom_collected)
{
    char *text = repeat("N %u 1 1 1 0 7\nU 0 %u %u 7\nM 1 0 7\nE 1 7\n", 1000);
    compute(text, &thread_dialect, 8, HELD_BY_RECEIVER, UNALLOCATED_LAST_USE);
    free(text);
    expect_number(deaths.alive_count, 1000);
    cr_expect(deaths.collections >= 9 && deaths.collections <= 16, "%" PRIu64 " collections",
              deaths.collections);
}

/* The more frames there are to mark, the more is read before the next collection. */
Test(windows, a_deep_stack_is_seldom_collected)
{
    char *frames = repeat("M 1 5 7\n", 1000);
    char *young = repeat("N %u 1 1 1 0 7\nM 1 0 7\nE 1 7\n", 1000);
    char *text = malloc(strlen(frames) + strlen(young) + 1);
    cr_assert_not_null(text);
    sprintf(text, "%s%s", frames, young);
    compute(text, &thread_dialect, 8, HELD_BY_RECEIVER, UNALLOCATED_LAST_USE);
    free(frames);
    free(young);
    free(text);
    cr_expect(deaths.collections <= 12, "%" PRIu64 " collections", deaths.collections);
}

/* At each collection everything is dead, so the next one comes a window later. */
Test(windows, a_heap_of_the_young_is_collected_once_a_window)
{
    char *text = repeat("N %u 1 1 1 0 7\nM 1 0 7\nE 1 7\n", 1000);
    compute(text, &thread_dialect, 8, HELD_BY_RECEIVER, UNALLOCATED_LAST_USE);
    free(text);
    expect_number(deaths.dead_count, 1000);
    cr_expect(deaths.collections >= 100 && deaths.collections <= 200, "%" PRIu64 " collections",
              deaths.collections);
}

static struct interrupt interrupt = {.descriptor = -1};

static void interrupt_reading(void *context, enum engine_phase phase)
{
    if (phase == *(const enum engine_phase *)context)
        interrupt.signal = 15;
}

Test(windows, both_readings_stop_when_the_program_is_to_end)
{
    for (int i = 0; i < 2; i++) {
        char path[PATH_SIZE];
        enum engine_phase phase = i == 0 ? ENGINE_WINDOWS_PASS : ENGINE_MENTIONS;
        const struct engine_options how = {
            .settings.threads = 1,
            .temporary.path = scratch_path(path, ""),
            .interrupt = &interrupt,
            .observer = {.phase = interrupt_reading, .context = &phase},
        };
        struct batch batch = read_trace("N 10 1 1 1 0 7\nM 1 0 7\n", &thread_dialect);
        interrupt.signal = 0;
        ok(windows_open(&windows, &how, false, NULL, &cause));
        ok(windows_add(windows, &batch, &cause));
        cr_expect_eq(windows_compute(windows, &deaths, &cause), STATUS_INTERRUPTED);
        deaths_free(&deaths);
        windows_close(windows);
        windows = NULL;
        batch_free(&batch);
    }
}
