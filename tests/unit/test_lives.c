/* SPDX-License-Identifier: MIT */
/* Interrupts of the stream of births and lives. The golden cases of --lifetimes test its
 * contents. */
#include "merlin/lives/lives.h"
#include "support.h"

static struct passed passed;
static struct deaths deaths;
static struct life_stream *stream;
static struct interrupt interrupt = {.descriptor = -1};

static void free_all(void)
{
    life_stream_close(stream);
    deaths_free(&deaths);
    passed_free(&passed);
}

/* Opens the stream of a trace of three objects, with `interrupt`. */
static void open_stream(void)
{
    struct batch batch = BATCH_EMPTY;
    const struct life_stream_options how = {.interrupt = &interrupt};
    passed.source = source_from("N 10 1 1 1 0 7\n"
                                "N 11 1 1 1 0 7\n"
                                "N 12 1 1 1 0 7\n");
    ok(formats_open_reader(&passed.reader, passed.source, &thread_dialect, &cause));
    ok(pass_init(&passed.pass, HELD_BY_RECEIVER, false, &cause));
    const struct recorders_options recording = {.has_windows = false};
    ok(recorders_open(&passed.pass, &recording, &cause));
    while (reader_next(passed.reader, &batch, &cause) == STATUS_OK)
        ok(pass_add(&passed.pass, &batch, &cause));
    batch_free(&batch);
    ok(deaths_compute(&deaths, &passed.pass, UNALLOCATED_LAST_USE, &cause));
    ok(life_stream_open(&stream, &deaths, &how, &cause));
}

TestSuite(lives, .init = open_stream, .fini = free_all);

/* Counts an object in *seen. At the second one, requests the end as a signal does. */
static enum status stop_at_second(unsigned *seen)
{
    if (++*seen == 2)
        interrupt.signal = 15;
    return STATUS_OK;
}

static enum status see_birth(void *seen, const struct birth_facts *birth, struct failure *why)
{
    (void)birth;
    (void)why;
    return stop_at_second(seen);
}

static enum status see_life(void *seen, const struct life_facts *life, struct failure *why)
{
    (void)life;
    (void)why;
    return stop_at_second(seen);
}

Test(lives, a_walk_over_births_stops_when_asked_to)
{
    unsigned seen = 0;
    cr_expect_eq(births_visit(stream, see_birth, &seen, &cause), STATUS_INTERRUPTED);
    expect_number(seen, 2);
}

Test(lives, a_walk_over_lives_stops_when_asked_to)
{
    unsigned seen = 0;
    cr_expect_eq(lives_visit(stream, see_life, &seen, &cause), STATUS_INTERRUPTED);
    expect_number(seen, 2);
}

Test(lives, cursors_stop_when_asked_to)
{
    struct birth_cursor *births;
    struct life_cursor *lives;
    struct birth_facts birth;
    struct life_facts life;
    ok(birth_cursor_open(&births, stream, &cause));
    ok(life_cursor_open(&lives, stream, &cause));
    ok(birth_cursor_next(births, &birth, &cause));
    ok(life_cursor_next(lives, &life, &cause));
    interrupt.signal = 15;
    cr_expect_eq(birth_cursor_next(births, &birth, &cause), STATUS_INTERRUPTED);
    cr_expect_eq(life_cursor_next(lives, &life, &cause), STATUS_INTERRUPTED);
    birth_cursor_close(births);
    life_cursor_close(lives);
}
