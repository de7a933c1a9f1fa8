/* SPDX-License-Identifier: MIT */
#include "merlin/recorded_times.h"
#include "support.h"

static struct source *source;
static struct reader *reader;

static void close_all(void)
{
    reader_close(reader);
    source_close(source);
}

TestSuite(recorded_times, .fini = close_all);

static enum status check(const char *text, struct recorded_times *times)
{
    source = source_from(text);
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    return recorded_times_check(reader, 1, times, &cause);
}

Test(recorded_times, times_of_the_clock_are_taken)
{
    struct recorded_times times = {.by_position = true};
    ok(check("N 10 1 1 1 0 7\nM 1 0 7\nD 10 7 1\nE 1 7\n", &times));
    cr_expect_not(times.by_position);
    cr_expect(times.has_clock);
}

Test(recorded_times, times_of_another_clock_are_not)
{
    struct recorded_times times = {0};
    ok(check("N 10 1 1 1 0 7\nM 1 0 7\nD 10 7 123456\nE 1 7\nD 99 7 1\n", &times));
    cr_expect(times.by_position);
    cr_expect(times.has_clock);
}

Test(recorded_times, without_times_and_places_nothing_is_known)
{
    struct recorded_times times;
    cr_expect_eq(check("N 10 1 1 1 0 7\nM 1 0 7\nE 1 7\nD 9 7 2\nD 10 7 123456\n", &times),
                 STATUS_MEANING);
    expect_number(cause.line, 5);
}

Test(recorded_times, a_malformed_trace_is_refused)
{
    struct recorded_times times;
    cr_expect_eq(check("N 10 1 1 1 0 7\nM 1 0 7\nD 10 7 9\nE 1\nE 1 7\n", &times),
                 STATUS_SYNTAX);
    expect_number(cause.line, 4);
}

Test(recorded_times, a_trace_without_boundaries_has_no_clock)
{
    struct recorded_times times = {.by_position = true, .has_clock = true};
    ok(check("N 10 1 1 1 0 7\nD 10 7 0\nN 11 1 1 1 0 7\n", &times));
    cr_expect_not(times.by_position);
    cr_expect_not(times.has_clock);
}
