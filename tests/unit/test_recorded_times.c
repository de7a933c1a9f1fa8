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

static enum status check(const char *text, bool *by_position)
{
    source = source_from(text);
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    return recorded_times_check(reader, 1, by_position, &cause);
}

Test(recorded_times, times_of_the_clock_are_taken)
{
    bool by_position = true;
    ok(check("N 10 1 1 1 0 7\nM 1 0 7\nD 10 7 1\nE 1 7\n", &by_position));
    cr_expect_not(by_position);
}

Test(recorded_times, times_of_another_clock_are_not)
{
    bool by_position = false;
    ok(check("N 10 1 1 1 0 7\nM 1 0 7\nD 10 7 123456\nE 1 7\nD 99 7 1\n", &by_position));
    cr_expect(by_position);
}

Test(recorded_times, without_times_and_places_nothing_is_known)
{
    bool by_position;
    cr_expect_eq(
        check("N 10 1 1 1 0 7\nM 1 0 7\nE 1 7\nD 9 7 2\nD 10 7 123456\n", &by_position),
        STATUS_MEANING);
    expect_number(cause.line, 5);
}

Test(recorded_times, a_malformed_trace_is_refused)
{
    bool by_position;
    cr_expect_eq(check("N 10 1 1 1 0 7\nM 1 0 7\nD 10 7 9\nE 1\nE 1 7\n", &by_position),
                 STATUS_SYNTAX);
    expect_number(cause.line, 4);
}
