/* SPDX-License-Identifier: MIT */
#include "formats/et/lexer.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct et_repeats *repeats;

static void start(void)
{
    repeats = calloc(1, sizeof *repeats);
    cr_assert_not_null(repeats);
}

static void stop(void)
{
    free(repeats);
}

TestSuite(et_repeats, .init = start, .fini = stop);

/* The line with room for scans after it. */
static const char *padded(const char *line)
{
    static char text[2 * SCAN_BYTES];
    memset(text, '\n', sizeof text);
    memcpy(text, line, strlen(line));
    return text;
}

/* Looks the line up among the lines noted so far. If it is not there, lexes and notes it.
 * Returns whether it was there. */
static bool meet(const char *line, struct record *record)
{
    struct et_short_line short_line;
    struct et_memo memo = {0};
    const char *text = padded(line);
    memset(record, 0xa5, sizeof *record);
    const char *next = et_repeats_find(repeats, text, &short_line, record);
    if (next) {
        expect_number((size_t)(next - text), strlen(line));
        return true;
    }
    cr_assert_not_null(et_lex_canonical(text, record, &memo));
    et_repeats_note(repeats, &short_line, record);
    return false;
}

Test(et_repeats, a_line_met_again_gives_its_record)
{
    static const char *const lines[] = {"M 13683 639192105 25\n",
                                        "E 13683 25\n",
                                        "W 1970665441 1565 250075633\n",
                                        "X 1 2 3 4\n",
                                        "T 5 6 7 8\n",
                                        "H 9 10 11 12\n",
                                        "U 1 2 3 4\n"};
    for (size_t i = 0; i < ITEMS(lines); i++) {
        struct record first, again;
        cr_expect_not(meet(lines[i], &first));
        cr_expect(meet(lines[i], &again), "%s", lines[i]);
        expect_number(again.kind, first.kind);
        expect_number(again.object, first.object);
        expect_number(again.type, first.type);
        expect_number(again.thread, first.thread);
        if (first.kind != 'M' && first.kind != 'E' && first.kind != 'W')
            expect_number(again.size, first.size);
    }
}

Test(et_repeats, lines_that_differ_in_any_byte_are_not_the_same)
{
    char line[] = "W 1111111111 1111 1111111111111\n";
    struct record record;
    cr_assert_eq(strlen(line), SCAN_LINE);
    cr_expect_not(meet(line, &record));
    cr_expect(meet(line, &record));
    for (size_t i = 2; i < sizeof line - 2; i++) {
        if (line[i] != '1')
            continue;
        cr_expect_not(meet((line[i] = '2', line), &record), "%s", line);
        line[i] = '1';
        meet(line, &record);
    }
}

Test(et_repeats, a_line_is_not_the_beginning_of_another)
{
    struct record record;
    meet("E 12 34\n", &record);
    cr_expect_not(meet("E 12 345\n", &record));
    expect_number(record.thread, 345);
    cr_expect_not(meet("E 12 3\n", &record));
    expect_number(record.thread, 3);
}

Test(et_repeats, longer_lines_allocations_and_deaths_are_not_noted)
{
    static const char *const lines[] = {"W 1111111111 11111 1111111111111\n",
                                        "N 1 2 3 4 5 6\n",
                                        "A 1 2 3 4 5 6\n",
                                        "I 1 2 3 4 5 6\n",
                                        "P 1 2 3 4 5 6\n",
                                        "V 1 2 3 4 5 6\n",
                                        "D 1 2 3\n"};
    for (size_t i = 0; i < ITEMS(lines); i++) {
        struct record record;
        cr_expect_not(meet(lines[i], &record));
        cr_expect_not(meet(lines[i], &record), "%s", lines[i]);
    }
}
