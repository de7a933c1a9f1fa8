/* Lines of files. */
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

/* Lines around the size of what is read at once. */
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
