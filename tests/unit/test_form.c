/* SPDX-License-Identifier: MIT */
#include "report/form/form.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

TestSuite(form, .fini = scratch_remove);

static struct print print;
static char path[PATH_SIZE];

static void begin_print(void)
{
    print = (struct print){.why = &cause};
    ok(sink_open(&print.sink, scratch_path(path, "form"), &replacing, &cause));
}

static void expect_printed(struct form *form, const char *text)
{
    form_finish(form);
    ok(print.status);
    ok(sink_commit(print.sink, &cause));
    cr_expect(file_is(path, text, strlen(text)), "not: %s", text);
}

static struct form *begin(enum report_format format)
{
    begin_print();
    return form_begin(&print, format, NULL);
}

/* Each form has the same lists: one of `count` rows, whose names are composed in one place. */
static void put_list(struct form *form, uint64_t count)
{
    form_list(form, "rows", "rows", 8);
    for (uint64_t i = 0; form_next(form, i, count); i++) {
        char name[COMPOSED_SIZE];
        snprintf(name, sizeof name, "row %u", (unsigned)i);
        form_row(form, "", name);
        form_cell(form, "name", "name", 7, "name", value_text(name));
        form_cell(form, "number", "number", 7, "count", value_number(i));
        form_put(form, "twice", "count", value_number(2 * i));
    }
}

Test(form, a_list_is_a_line_a_row_under_the_names_of_columns)
{
    struct form *form = begin(FORMAT_TEXT);
    put_list(form, 2);
    expect_printed(form, "\n"
                         "rows        name  number\n"
                         "  row 0    row 0       0\n"
                         "  row 1    row 1       1\n");
}

Test(form, text_leaves_out_a_list_without_rows)
{
    struct form *form = begin(FORMAT_TEXT);
    put_list(form, 0);
    expect_printed(form, "");
}

Test(form, json_has_an_empty_array_for_a_list_without_rows)
{
    struct form *form = begin(FORMAT_JSON);
    put_list(form, 0);
    expect_printed(form, "{\n  \"rows\": []\n}\n");
}

Test(form, a_table_has_the_names_of_columns_also_without_rows)
{
    begin_print();
    struct form *form = form_begin_table(&print);
    put_list(form, 0);
    expect_printed(form, "name\tnumber\ttwice\n");
}

Test(form, data_have_the_names_of_columns_also_without_rows)
{
    begin_print();
    struct form *form = form_begin_data(&print, 100);
    put_list(form, 0);
    expect_printed(
        form, "{\n  \"rows\": {\"columns\":[\"name\",\"number\",\"twice\"],\"rows\":[]}\n}\n");
}

Test(form, a_list_of_values_is_an_array)
{
    begin_print();
    struct form *form = form_begin_data(&print, 100);
    form_list(form, "values", NULL, 0);
    for (uint64_t i = 0; form_next(form, i, 2); i++) {
        form_item(form);
        form_put(form, "", "count", value_number(i));
    }
    expect_printed(form, "{\n  \"values\": [\n    0,\n    1\n  ]\n}\n");
}

/* A row that is there, and one that is missing. */
static void put_rows(struct form *form)
{
    form_row(form, "first", "first");
    form_line(form, "a", "figure a", "count", value_number(1u));
    form_line(form, "b", "figure b", "count", NO_VALUE);
    form_row_if(form, false, "second", "second");
    form_line(form, "a", "figure a", "count", value_number(3u));
    form_line(form, "b", "figure b", "count", value_number(4u));
}

Test(form, what_is_upright_has_no_column_for_a_row_that_is_missing)
{
    struct form *form = begin(FORMAT_TEXT);
    form_upright(form, "part", "title", 12, 8);
    put_rows(form);
    expect_printed(form, "\n"
                         "title           first\n"
                         "  figure a          1\n"
                         "  figure b          -\n");
}

Test(form, json_has_null_for_a_row_that_is_missing)
{
    struct form *form = begin(FORMAT_JSON);
    form_upright(form, "part", "title", 12, 8);
    put_rows(form);
    expect_printed(form,
                   "{\n  \"part\": {\n    \"first\": {\n      \"a\": 1,\n      \"b\": null\n"
                   "    },\n    \"second\": null\n  }\n}\n");
}

Test(form, text_leaves_out_a_section_that_is_missing)
{
    struct form *form = begin(FORMAT_TEXT);
    form_upright(form, "part", "title", 12, 8);
    form_only_if(form, false);
    put_rows(form);
    expect_printed(form, "");
}

Test(form, json_has_null_for_a_section_that_is_missing)
{
    struct form *form = begin(FORMAT_JSON);
    form_rows(form, "part", "title", 12);
    form_only_if(form, false);
    put_rows(form);
    form_lines(form, "other.part", NULL, 0, 0);
    form_put(form, "deep.flag", "flag", value_flag(true));
    expect_printed(form,
                   "{\n  \"part\": null,\n  \"other\": {\n    \"part\": {\n      \"deep\": {\n"
                   "        \"flag\": true\n      }\n    }\n  }\n}\n");
}

Test(form, a_row_of_a_table_has_empty_fields_for_what_is_missing)
{
    struct table table;
    begin_print();
    ok(table_begin(&table, print.sink, "", &cause));
    for (int line = 0; line < 2; line++) {
        struct form *form = form_begin_row(&print, &table, NULL, line == 0);
        form_rows(form, "part", "title", 12);
        put_rows(form);
        form_rows(form, "none", "title", 12);
        form_only_if(form, false);
        put_rows(form);
        form_finish(form);
        table_end_row(&table);
    }
    ok(table_end(&table));
    ok(sink_commit(print.sink, &cause));
    const char *wanted = "part_first_a\tpart_first_b\tpart_second_a\tpart_second_b\t"
                         "none_first_a\tnone_first_b\tnone_second_a\tnone_second_b\n"
                         "1\t\t\t\t\t\t\t\n";
    cr_expect(file_is(path, wanted, strlen(wanted)));
}

Test(form, the_title_of_a_part_says_how_many_rows_there_are)
{
    struct form *form = begin(FORMAT_TEXT);
    form_list_of(form, "rows", "rows", 1, 3);
    for (uint64_t i = 0; form_next(form, i, 1); i++) {
        form_item(form);
        form_cell(form, "number", "number", 8, "count", value_number(i));
        form_remark(form, "a remark");
        form_note(form, "a note\nof two lines");
    }
    expect_printed(form,
                   "\nThe first 1 of 3 rows:\n   number\n        0  a remark\n    a note\n"
                   "    of two lines\n");
}
