/* SPDX-License-Identifier: MIT */
#include "cli/process/progress.h"
#include "support.h"

#include <string.h>

static const char state[] = "reading 12.3%, 1:02 left", details[] = "1.0 MB, 7 objects";

static void expect_line(const char *name, size_t width, const char *expected)
{
    char line[PROGRESS_LINE_SIZE];
    progress_line_fit(line, name, state, details, width);
    cr_expect_str_eq(line, expected);
}

Test(progress_line, a_wide_one_has_all)
{
    expect_line("a.trace", 100, "a.trace: reading 12.3%, 1:02 left, 1.0 MB, 7 objects");
    expect_line("a.trace", 52, "a.trace: reading 12.3%, 1:02 left, 1.0 MB, 7 objects");
    expect_line("a\x1b\n", 100, "a\\x1b\\n: reading 12.3%, 1:02 left, 1.0 MB, 7 objects");
}

Test(progress_line, the_name_is_shortened_first)
{
    expect_line("/a/long/folder/a.trace", 60,
                "...lder/a.trace: reading 12.3%, 1:02 left, 1.0 MB, 7 objects");
}

Test(progress_line, then_the_details)
{
    expect_line("/a/long/folder/a.trace", 50, "...r/a.trace: reading 12.3%, 1:02 left, 1.0 MB");
    expect_line("/a/long/folder/a.trace", 45, "...r/a.trace: reading 12.3%, 1:02 left");
    expect_line("/a/long/folder/a.trace", 38, "...r/a.trace: reading 12.3%, 1:02 left");
}

Test(progress_line, percent_and_time_left_are_always_there)
{
    expect_line("/a/long/folder/a.trace", 30, "...e: reading 12.3%, 1:02 left");
    expect_line("/a/long/folder/a.trace", 24, "reading 12.3%, 1:02 left");
    expect_line("/a/long/folder/a.trace", 10, "reading 12");
}

Test(progress_line, no_width_is_exceeded)
{
    char line[PROGRESS_LINE_SIZE], name[1000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (size_t width = 0; width < 700; width++) {
        progress_line_fit(line, name, state, details, width);
        cr_expect_leq(strlen(line), width);
        if (width >= strlen(state))
            cr_expect_not_null(strstr(line, state));
    }
}

Test(progress_line, the_time_left_is_of_the_whole_job)
{
    cr_expect_eq(progress_time_left(10, 20, 80, 0, 0), 30);
    cr_expect_eq(progress_time_left(10, 20, 80, 0, 100), 70);
    cr_expect_eq(progress_time_left(10, 80, 80, 0, 300), 30);
    /* The reading took 200 seconds; later phases take 70 percent of that. */
    cr_expect_eq(progress_time_left(10, 20, 80, 200, 70), 170);
    cr_expect_eq(progress_time_left(1, 80, 80, 200, 5), 10);
}
