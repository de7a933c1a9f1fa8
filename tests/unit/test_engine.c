/* SPDX-License-Identifier: MIT */
/* The births and lives of small traces, counted by hand, are the same with each engine. */
#include "merlin/engine.h"

#include "base/memory.h"
#include "merlin/table_budget.h"
#include "support.h"

#include <string.h>

/* What the engine has reported to its observer. */
struct seen {
    unsigned phases[ENGINE_WINDOWS_PASS + 1];
    unsigned batches;
    uint64_t done; /* of the latest phase */
    bool refuses;  /* each batch */
};

static struct source *source;
static struct reader *reader;
static struct engine *engine;
static struct interrupt interrupt = {.descriptor = -1};
static struct seen seen;

static void close_all(void)
{
    engine_close(engine);
    reader_close(reader);
    source_close(source);
    engine = NULL;
    reader = NULL;
    source = NULL;
}

static void clean_up(void)
{
    close_all();
    scratch_remove();
}

TestSuite(engine, .fini = clean_up);

static void see_phase(void *context, enum engine_phase phase)
{
    ((struct seen *)context)->phases[phase]++;
}

static enum status see_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct seen *by = context;
    by->batches += batch->count > 0;
    return by->refuses ? fail(why, STATUS_MEANING, "Refused") : STATUS_OK;
}

static void see_progress(void *context, uint64_t done, uint64_t of)
{
    must(done <= of, "%" PRIu64 " of %" PRIu64, done, of);
    ((struct seen *)context)->done = done;
}

/* Expects that the phases after the reading were those of a table, or those of windows. */
static void expect_phases(bool has_propagation, bool has_windows)
{
    cr_expect(engine_has_phase(engine, ENGINE_READING));
    cr_expect_eq(engine_has_phase(engine, ENGINE_PROPAGATION), has_propagation);
    cr_expect_eq(engine_has_phase(engine, ENGINE_MENTIONS), has_windows);
    cr_expect_eq(engine_has_phase(engine, ENGINE_WINDOWS_PASS), has_windows);
}

/* Opens the engine for the trace `text`. */
static void open_engine(const char *text, struct engine_options how)
{
    static char path[PATH_SIZE];
    how.at_end = AT_END_DIE;
    how.settings.threads = 1;
    how.settings.window = 1;
    how.temporary.path = scratch_path(path, "");
    how.interrupt = &interrupt;
    how.observer = (struct engine_observer){see_phase, see_batch, see_progress, &seen};
    memset(&seen, 0, sizeof seen);
    source = source_from(text);
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    ok(engine_open(&engine, &how, reader, &cause));
}

/* 5 was there before the trace. At tick 1, that of the first M, 5 and 1 die. 2 is the receiver
 * of the second M, and dies at tick 3, when the E has ended the frame. */
static const char trace[] = "P 5 100 1 1 0 7\n"
                            "N 1 8 2 3 0 7\n"
                            "M 1 0 7\n"
                            "N 2 16 4 5 0 9\n"
                            "M 2 2 7\n"
                            "E 2 7\n"
                            "E 1 7\n"
                            "N 3 4 6 7 0 7\n";

static void expect_moment(struct life_moment moment, uint64_t tick, uint64_t bytes)
{
    expect_number(moment.tick, tick);
    expect_number(moment.time, tick); /* the clock counts boundaries */
    expect_number(moment.bytes, bytes);
}

static void expect_summary(const struct lives_summary *summary)
{
    expect_number(summary->lives, 4);
    expect_number(summary->allocations, 3);
    expect_number(summary->prior_objects, 1);
    expect_number(summary->prior_bytes, 100);
    expect_number(summary->deaths, 3);
    expect_moment(summary->first, 1, 0);
    expect_moment(summary->end, 4, 28);
}

static void expect_births(const struct life_stream *stream)
{
    static const struct birth_facts births[] = {
        {.tick = 1, .time = 1, .object = 1, .thread = 7, .size = 8, .type = 2, .site = 3},
        {.tick = 2, .time = 2, .object = 2, .thread = 9, .size = 16, .type = 4, .site = 5},
        {.tick = 5, .time = 4, .object = 3, .thread = 7, .size = 4, .type = 6, .site = 7},
    };
    struct birth_cursor *cursor = NULL;
    struct birth_facts birth;
    ok(birth_cursor_open(&cursor, stream, &cause));
    for (size_t i = 0; i < ITEMS(births); i++) {
        ok(birth_cursor_next(cursor, &birth, &cause));
        expect_number(birth.tick, births[i].tick);
        expect_number(birth.time, births[i].time);
        expect_number(birth.object, births[i].object);
        expect_number(birth.thread, births[i].thread);
        expect_number(birth.size, births[i].size);
        expect_number(birth.type, births[i].type);
        expect_number(birth.site, births[i].site);
    }
    cr_expect_eq(birth_cursor_next(cursor, &birth, &cause), STATUS_END);
    birth_cursor_close(cursor);
}

/* Expects that the next life is that of `object`, allocated in `line`; returns it. */
static struct life_facts expect_life(struct life_cursor *cursor, uint64_t object, uint64_t line,
                                     uint64_t size, unsigned uses)
{
    struct life_facts life = {.object = 0};
    ok(life_cursor_next(cursor, &life, &cause));
    expect_number(life.object, object);
    expect_number(life.line, line);
    expect_number(life.size, size);
    expect_number(life.uses, uses);
    return life;
}

static void expect_lives(const struct life_stream *stream)
{
    struct life_cursor *cursor = NULL;
    ok(life_cursor_open(&cursor, stream, &cause));
    struct life_facts life = expect_life(cursor, 5, 1, 100, 1);
    cr_expect(life_is_prior(&life));
    expect_moment(life.born, 0, 0);
    expect_moment(life.died, 1, 8);
    life = expect_life(cursor, 1, 2, 8, 1);
    expect_number(life.allocation, 0);
    expect_moment(life.born, 0, 8);
    expect_moment(life.last_use, 0, 8);
    expect_moment(life.died, 1, 8);
    expect_number(life.died_allocations, 1);
    cr_expect(life.has_died && !life.survives);
    life = expect_life(cursor, 2, 4, 16, 2);
    expect_number(life.allocation, 1);
    expect_number(life.thread, 9);
    expect_number(life.type, 4);
    expect_number(life.site, 5);
    expect_moment(life.born, 1, 24);
    expect_moment(life.last_use, 2, 24);
    expect_moment(life.died, 3, 24);
    expect_number(life.died_allocations, 2);
    expect_number(life_ticks(&life), 2);
    expect_number(life_drag_ticks(&life), 1);
    life = expect_life(cursor, 3, 8, 4, 1);
    expect_moment(life.born, 4, 28);
    expect_moment(life.died, 4, 28);
    expect_number(life.died_allocations, 3);
    cr_expect(life.has_died && life.survives);
    cr_expect_eq(life_cursor_next(cursor, &life, &cause), STATUS_END);
    life_cursor_close(cursor);
}

/* Expects the births and lives of `trace`, more than once: they can be read again. */
static void expect_trace(void)
{
    const struct life_stream *stream = NULL;
    ok(engine_lives(engine, &stream, &cause));
    expect_summary(life_stream_summary(stream));
    for (int reading = 0; reading < 2; reading++) {
        expect_births(stream);
        expect_lives(stream);
    }
}

/* What the process had at the start may have gone back to the system since. */
Test(engine, less_memory_than_at_the_start_is_within_the_budget)
{
    struct heap heap;
    struct table_budget budget = table_budget_new(0, false);
    ok(heap_init(&heap, &cause));
    budget.start = memory_in_use() + (UINT64_C(1) << 30);
    cr_expect_not(table_budget_exceeded(&budget, &heap));
    budget = (struct table_budget){.bytes = 1};
    cr_expect(table_budget_exceeded(&budget, &heap));
    heap_free(&heap);
}

/* The rest is for the buffers of a report, which may need 8 MiB after the table is complete. */
Test(engine, a_limit_leaves_reports_room_for_their_buffers)
{
    struct heap heap;
    ok(heap_init(&heap, &cause));
    uint64_t limit = memory_in_use() + (UINT64_C(4) << 20);
    struct table_budget budget = table_budget_new(limit, false);
    cr_expect_not(table_budget_exceeded(&budget, &heap));
    budget = table_budget_new(limit, true);
    cr_expect(table_budget_exceeded(&budget, &heap));
    budget = table_budget_new(limit + (UINT64_C(8) << 20), true);
    cr_expect_not(table_budget_exceeded(&budget, &heap));
    budget = table_budget_new(4096, true);
    cr_expect(table_budget_exceeded(&budget, &heap));
    heap_free(&heap);
}

Test(engine, the_table_finds_births_and_lives)
{
    open_engine(trace,
                (struct engine_options){.settings.choice = ENGINE_TABLE, .wants = WANT_LIVES});
    ok(engine_run(engine, &cause));
    expect_phases(true, false);
    cr_expect_not(engine_is_recorded(engine));
    expect_number(engine_named(engine), 4);
    expect_number(engine_counts(engine)->records[RECORD_OBJECT], 3);
    expect_number(engine_deaths(engine)->dead_count, 3);
    expect_number(seen.phases[ENGINE_READING], 1);
    expect_number(seen.phases[ENGINE_PROPAGATION], 1);
    expect_number(seen.batches, 1);
    expect_trace();
}

Test(engine, windows_find_the_same)
{
    open_engine(
        trace, (struct engine_options){.settings.choice = ENGINE_WINDOWS, .wants = WANT_LIVES});
    ok(engine_run(engine, &cause));
    expect_phases(false, true);
    expect_number(engine_named(engine), 4);
    expect_number(engine_deaths(engine)->dead_count, 3);
    cr_expect_gt(engine_deaths(engine)->collections, 1);
    expect_number(seen.phases[ENGINE_READING], 1);
    expect_number(seen.phases[ENGINE_PROPAGATION], 0);
    expect_number(seen.phases[ENGINE_MENTIONS], 1);
    expect_number(seen.phases[ENGINE_WINDOWS_PASS], 1);
    expect_number(seen.done, 8);
    expect_trace();
}

/* When the table needs more memory than allowed, windows read the trace again. */
Test(engine, a_table_that_is_too_large_gives_way_to_windows)
{
    open_engine(trace,
                (struct engine_options){.settings.memory_limit = 1, .wants = WANT_LIVES});
    expect_phases(true, false);
    ok(engine_run(engine, &cause));
    expect_phases(false, true);
    expect_number(seen.phases[ENGINE_READING], 2);
    expect_trace();
}

/* A recorded death before the birth of its object counts at the birth: 1 dies in the tick in
 * which it was born. The death of 9, which is never allocated, counts for nothing. */
Test(engine, recorded_deaths_are_taken_as_they_are)
{
    const struct life_stream *stream = NULL;
    struct life_cursor *cursor = NULL;
    open_engine("N 1 8 2 3 0 7\n"
                "D 1 7 0\n"
                "M 1 0 7\n"
                "N 2 16 2 3 0 7\n"
                "D 9 7 1\n"
                "E 1 7\n"
                "D 2 7 2\n"
                "N 3 4 2 3 0 7\n",
                (struct engine_options){.is_recorded = true, .wants = WANT_LIVES});
    ok(engine_run(engine, &cause));
    cr_expect(engine_is_recorded(engine));
    expect_phases(false, false);
    ok(engine_lives(engine, &stream, &cause));
    expect_number(life_stream_summary(stream)->deaths, 2);
    ok(life_cursor_open(&cursor, stream, &cause));
    struct life_facts life = expect_life(cursor, 1, 1, 8, 1);
    expect_moment(life.died, 0, 8);
    expect_number(life.died_allocations, 1);
    expect_number(life.recorded, 1);
    life = expect_life(cursor, 2, 4, 16, 1);
    expect_moment(life.died, 2, 24);
    expect_number(life.recorded, 3);
    life = expect_life(cursor, 3, 8, 4, 1);
    cr_expect(life.survives && !life.has_died); /* --at-end=die is for computed deaths */
    expect_number(life.recorded, 0);
    life_cursor_close(cursor);
}

/* 1 refers to 2, so they die together, in the group whose key is 1. */
Test(engine, groups_have_their_key_and_their_first)
{
    static const char held[] = "N 1 8 2 3 0 7\n"
                               "N 2 16 2 3 0 7\n"
                               "U 1 2 1 7\n"
                               "M 1 0 7\n"
                               "E 1 7\n";
    static const enum engine_choice choices[] = {ENGINE_TABLE, ENGINE_WINDOWS};
    for (size_t i = 0; i < ITEMS(choices); i++) {
        const struct life_stream *stream = NULL;
        struct life_cursor *cursor = NULL;
        open_engine(held, (struct engine_options){.settings.choice = choices[i],
                                                  .wants = WANT_LIVES | WANT_CAUSES});
        ok(engine_run(engine, &cause));
        ok(engine_lives(engine, &stream, &cause));
        ok(life_cursor_open(&cursor, stream, &cause));
        struct life_facts life = expect_life(cursor, 1, 1, 8, 2);
        cr_expect(life.has_key && life.is_key && life.is_first && !life.has_cycle);
        expect_number(life.key, 1);
        expect_number(life.group_objects, 2);
        expect_number(life.group_bytes, 24);
        cr_expect_eq(life.cause, CAUSE_USE);
        life = expect_life(cursor, 2, 2, 16, 2);
        cr_expect(life.has_key && !life.is_key && !life.is_first);
        expect_number(life.key, 1);
        cr_expect_eq(life.cause, CAUSE_CONTAINER);
        life_cursor_close(cursor);
        close_all();
    }
}

Test(engine, a_batch_that_is_refused_ends_the_run)
{
    open_engine(trace, (struct engine_options){.settings.choice = ENGINE_TABLE});
    seen.refuses = true;
    expect_failure(engine_run(engine, &cause), STATUS_MEANING, 0, "Refused");
    expect_number(seen.batches, 1);
}

Test(engine, windows_stop_when_asked_to)
{
    open_engine(trace, (struct engine_options){.settings.choice = ENGINE_WINDOWS});
    interrupt.signal = 15;
    cr_expect_eq(engine_run(engine, &cause), STATUS_INTERRUPTED);
}
