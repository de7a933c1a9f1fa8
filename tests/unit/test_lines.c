/* SPDX-License-Identifier: MIT */
/* Reading files line by line. */
#include "io/lines.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

TestSuite(lines, .fini = scratch_remove);

static struct lines *open_text(const void *text, size_t length)
{
    char path[PATH_SIZE];
    struct lines *lines;
    write_file(scratch_path(path, "lines"), text, length);
    ok(lines_open(&lines, path, NULL, &cause));
    return lines;
}

static void expect_line(struct lines *lines, const char *text, uint64_t number, bool has_end)
{
    struct line line;
    ok(lines_next(lines, &line, &cause));
    cr_expect(line.length == strlen(text) && memcmp(line.text, text, line.length) == 0,
              "line %" PRIu64 " is not \"%s\"", number, text);
    expect_number(line.number, number);
    cr_expect_eq(line.has_end, has_end);
}

static void expect_end(struct lines *lines)
{
    struct line line;
    cr_expect_eq(lines_next(lines, &line, &cause), STATUS_END);
    cr_expect_eq(lines_next(lines, &line, &cause), STATUS_END);
    lines_close(lines);
}

Test(lines, end_with_lf_or_crlf)
{
    struct lines *lines = open_text("one\n\ntwo\r\nthree", 15);
    expect_line(lines, "one", 1, true);
    expect_line(lines, "", 2, true);
    expect_line(lines, "two", 3, true);
    expect_line(lines, "three", 4, false);
    expect_end(lines);
}

Test(lines, there_are_none_in_an_empty_file)
{
    expect_end(open_text("", 0));
}

Test(lines, do_not_begin_with_a_byte_order_mark)
{
    struct line line;
    struct lines *lines = open_text("\xef\xbb\xbf"
                                    "1\n",
                                    5);
    cr_expect_eq(lines_next(lines, &line, &cause), STATUS_SYNTAX);
    expect_number(cause.line, 1);
    must(strstr(cause.text, "byte order mark"), "the cause is %s", cause.text);
    failure_clear(&cause);
    lines_close(lines);
    lines = open_text("\xef\xbb\n\xef\xbb\xbf", 6);
    expect_line(lines, "\xef\xbb", 1, true);
    expect_line(lines, "\xef\xbb\xbf", 2, false);
    expect_end(lines);
}

/* Lines are about as long as what one call of read returns. */
Test(lines, can_be_long)
{
    enum { LONGEST = 300000 };
    char *text = malloc(LONGEST + 1);
    for (size_t length = 65530; length < LONGEST; length += length < 65542 ? 1 : 70000) {
        memset(text, 'x', length);
        text[length / 3] = '\n';
        text[length] = '\n';
        struct lines *lines = open_text(text, length + 1);
        struct line line;
        ok(lines_next(lines, &line, &cause));
        expect_number(line.length, length / 3);
        ok(lines_next(lines, &line, &cause));
        expect_number(line.length, length - length / 3 - 1);
        must(memchr(line.text, '\n', line.length) == NULL, "line has a line end in it");
        expect_end(lines);
    }
    free(text);
}

Test(lines, of_a_file_that_is_not_there)
{
    struct lines *lines;
    char path[PATH_SIZE];
    cr_expect_eq(lines_open(&lines, scratch_path(path, "nowhere"), NULL, &cause), STATUS_IO);
    failure_clear(&cause);
    lines_close(NULL);
}

/* Opens a file with a line of `length` bytes and another line. */
static struct lines *open_long(size_t length)
{
    char *text = long_text("", 'x', length, "\nnext\n");
    struct lines *lines = open_text(text, length + 6);
    free(text);
    return lines;
}

Test(lines, have_a_longest_one)
{
    struct lines *lines = open_long(LINE_LONGEST);
    struct line line;
    ok(lines_next(lines, &line, &cause));
    expect_number(line.length, LINE_LONGEST);
    expect_line(lines, "next", 2, true);
    expect_end(lines);
    for (size_t more = 1; more < 1000000; more += 333333) {
        lines = open_long(LINE_LONGEST + more);
        expect_failure(lines_next(lines, &line, &cause), STATUS_SYNTAX, 1,
                       "The line is longer than 1048576 bytes");
        failure_clear(&cause);
        lines_close(lines);
    }
}

Test(lines, that_are_long_come_in_parts)
{
    enum { LENGTH = 5 * LINE_LONGEST + 77 };
    struct lines *lines = open_long(LENGTH);
    struct line line;
    size_t length = 0;
    ok(lines_begin(lines, &line, &cause));
    cr_expect(line.is_cut && !line.has_end && line.length >= LINE_LONGEST);
    for (length = line.length; line.is_cut; length += line.length) {
        ok(lines_go_on(lines, &line, &cause));
        expect_number(line.number, 1);
        must(line.length < 2 * LINE_LONGEST, "the part is too long");
    }
    expect_number(length, LENGTH);
    cr_expect(line.has_end);
    expect_line(lines, "next", 2, true);
    expect_end(lines);
}

Test(lines, that_are_cut_are_passed_over)
{
    struct lines *lines = open_long(3 * LINE_LONGEST);
    struct line line;
    ok(lines_begin(lines, &line, &cause));
    cr_expect(line.is_cut);
    expect_line(lines, "next", 2, true);
    expect_end(lines);
}

Test(lines, may_end_within_a_cut_one)
{
    char *text = long_text("", 'x', 2 * LINE_LONGEST, "");
    struct lines *lines = open_text(text, 2 * LINE_LONGEST);
    struct line line;
    ok(lines_begin(lines, &line, &cause));
    while (line.is_cut)
        ok(lines_go_on(lines, &line, &cause));
    cr_expect_not(line.has_end);
    expect_end(lines);
    free(text);
}

/* A read function that gives at most ten bytes at a time. */
static enum status read_digits(void *context, void *bytes, size_t capacity, size_t *got,
                               struct failure *why)
{
    unsigned *left = context;
    (void)why;
    must(capacity >= 10, "there is no room");
    *got = *left > 0 ? 10 : 0;
    memcpy(bytes, "01234\n6789", *got);
    *left -= *left > 0;
    return STATUS_OK;
}

Test(lines, of_another_input)
{
    unsigned left = 2;
    struct lines *lines;
    ok(lines_over(&lines, read_digits, &left, "digits", &cause));
    cr_expect_str_eq(lines_name(lines), "digits");
    expect_line(lines, "01234", 1, true);
    expect_line(lines, "678901234", 2, true);
    lines_rewind(lines);
    left = 1;
    expect_line(lines, "01234", 1, true);
    expect_line(lines, "6789", 2, false);
    expect_end(lines);
}
