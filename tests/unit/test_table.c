/* SPDX-License-Identifier: MIT */
#include "report/print.h"
#include "support.h"

#include <string.h>

TestSuite(table, .fini = scratch_remove);

/* Begins a table in the file `name` of the test's folder; its path goes to `path`. */
static void begin(struct table *table, char *path, const char *name)
{
    struct sink *sink;
    ok(sink_open(&sink, scratch_path(path, name), &replacing, &cause));
    ok(table_begin(table, sink, path, &cause));
}

static void expect_written(struct table *table, const char *path, const char *text)
{
    struct sink *sink = table->sink;
    ok(table_end(table));
    ok(sink_commit(sink, &cause));
    cr_expect(file_is(path, text, strlen(text)), "not: %s", text);
}

static void put_rows(struct table *table)
{
    table_names(table, "first second third");
    table_names(table, "fourth");
    table_end_row(table);
    table_number(table, UINT64_MAX);
    table_empty(table);
    table_letter(table, 'x');
    table_text(table, "a, \"b\"\tc\n");
    table_end_row(table);
    table_empty(table);
    table_text(table, "");
    table_number(table, 0);
    table_text(table, "plain");
    table_end_row(table);
}

Test(table, fields_are_parted_by_tabs)
{
    struct table table;
    char path[PATH_SIZE];
    begin(&table, path, "csv");
    put_rows(&table);
    expect_written(&table, path,
                   "first\tsecond\tthird\tfourth\n"
                   "18446744073709551615\t\tx\ta, \"b\"\\tc\\n\n"
                   "\t\t0\tplain\n");
}

Test(table, fields_of_csv_are_parted_by_commas_and_quoted_if_need_be)
{
    struct table table;
    char path[PATH_SIZE];
    begin(&table, path, "t.csv");
    put_rows(&table);
    expect_written(&table, path,
                   "first,second,third,fourth\n"
                   "18446744073709551615,,x,\"a, \"\"b\"\"\tc\n\"\n"
                   ",,0,plain\n");
}

/* Expects that a table in the file `name` has `expected` for the name `text`. */
static void expect_cell(const char *name, const char *text, const char *expected)
{
    struct table table;
    char path[PATH_SIZE];
    begin(&table, path, name);
    table_text(&table, text);
    expect_written(&table, path, expected);
}

Test(table, escapes_what_a_terminal_would_obey)
{
    expect_cell("t", "\x1b[2J\x7f \xc2\x9b \x9b \\ =\xc3\xa4\r",
                "\\x1b[2J\\x7f \\xc2\\x9b \\x9b \\\\ =\xc3\xa4\\r");
    expect_cell("t.csv", "\x1b[2J\x7f \xc2\x9b \x9b \\ =\xc3\xa4",
                "\\x1b[2J\\x7f \\xc2\\x9b \\x9b \\\\ =\xc3\xa4");
    expect_cell("t.csv", "\r\n\t\"\x1b", "\"\r\n\t\"\"\\x1b\"");
}

Test(table, takes_more_than_its_buffer)
{
    enum { LENGTH = 100 * 1000, ROWS = 20 };
    struct table table;
    char path[PATH_SIZE], *text = long_text("", 'a', LENGTH, "");
    size_t row = LENGTH + strlen("\t7\n"), length = 0;
    char *wanted = malloc(ROWS * row);
    begin(&table, path, "t");
    for (int i = 0; i < ROWS; i++) {
        table_text(&table, text);
        table_number(&table, 7);
        table_end_row(&table);
        memcpy(wanted + length, text, LENGTH);
        memcpy(wanted + length + LENGTH, "\t7\n", 3);
        length += row;
    }
    struct sink *sink = table.sink;
    ok(table_end(&table));
    ok(sink_commit(sink, &cause));
    cr_expect(file_is(path, wanted, length));
    free(wanted);
    free(text);
}

Test(table, keeps_its_failure)
{
    struct table table;
    struct sink *sink;
    ok(sink_open(&sink, "/dev/full", &replacing, &cause));
    ok(table_begin(&table, sink, "/dev/full", &cause));
    /* The sink buffers a block before it writes, so the failure comes late. */
    for (int i = 0; i < 1000 * 1000; i++)
        table_number(&table, UINT64_MAX);
    cr_expect_eq(table.status, STATUS_IO);
    cr_expect_eq(table_end(&table), STATUS_IO);
    sink_discard(sink);
}
