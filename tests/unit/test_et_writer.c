/* SPDX-License-Identifier: MIT */
#include "formats/classes.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct sink *sink;
static struct writer *writer;
static char path[PATH_SIZE];
static const struct writer_options options = {.explicit_time = false};

static void open_writer(void)
{
    ok(sink_open(&sink, scratch_path(path, "out"), &replacing, &cause));
    ok(et_writer_class.open(&writer, sink, &options, &cause));
}

static void close_writer(void)
{
    writer_close(writer);
    sink_discard(sink);
    sink = NULL;
}

static void clean_up(void)
{
    close_writer();
    scratch_remove();
}

TestSuite(et_writer, .init = open_writer, .fini = clean_up);

static void put_text(const char *text)
{
    ok(writer_text(writer, text, strlen(text), &cause));
}

static void put_death(uint64_t object, uint64_t thread, uint64_t time)
{
    struct record death = {
        .kind = RECORD_DEATH, .object = object, .death_thread = thread, .time = time};
    ok(writer_record(writer, &death, &cause));
}

static void expect_written(const char *text)
{
    ok(writer_finish(writer, &cause));
    ok(sink_commit(sink, &cause));
    sink = NULL;
    cr_expect(file_is(path, text, strlen(text)), "not written: %s", text);
}

Test(et_writer, text_is_written_as_it_is)
{
    put_text("E 1 2\n");
    put_text("");
    put_text("# \x80 c\r\n\n");
    put_text("E 2 3");
    expect_written("E 1 2\n# \x80 c\r\n\nE 2 3");
}

Test(et_writer, a_death_has_object_thread_and_time)
{
    put_text("E 1 2\n");
    put_death(11, 12, 13);
    put_text("E 1 2\n");
    expect_written("E 1 2\nD 11 12 13\nE 1 2\n");
}

Test(et_writer, a_field_may_be_as_in_the_record_before_or_another)
{
    put_death(0, 0, 0);
    put_death(0, UINT64_MAX, 0);
    put_death(1, UINT64_MAX, 0);
    put_death(1, 10, 987654321);
    put_death(10, 10, 987654321);
    put_death(10, 0, 1);
    expect_written("D 0 0 0\nD 0 18446744073709551615 0\nD 1 18446744073709551615 0\n"
                   "D 1 10 987654321\nD 10 10 987654321\nD 10 0 1\n");
}

Test(et_writer, the_largest_numbers_fit)
{
    put_text("E 1 2\r\n");
    put_death(UINT64_MAX, UINT64_MAX, UINT64_MAX);
    expect_written("E 1 2\r\n"
                   "D 18446744073709551615 18446744073709551615 18446744073709551615\r\n");
}

Test(et_writer, a_death_ends_as_the_line_before_it)
{
    put_text("E 1 2\nE 1 2\r\n");
    put_death(1, 2, 3);
    put_death(4, 5, 6);
    put_text("\n");
    put_death(7, 8, 9);
    expect_written("E 1 2\nE 1 2\r\nD 1 2 3\r\nD 4 5 6\r\n\nD 7 8 9\n");
}

Test(et_writer, no_text_changes_no_line_end)
{
    put_text("E 1 2\r\n");
    ok(writer_text(writer, "\n", 0, &cause));
    put_death(1, 2, 3);
    expect_written("E 1 2\r\nD 1 2 3\r\n");
}

Test(et_writer, deaths_behind_an_unended_line_leave_the_last_one_unended)
{
    put_text("E 1 2");
    put_death(1, 2, 3);
    put_death(4, 5, 6);
    expect_written("E 1 2\nD 1 2 3\nD 4 5 6");
}

Test(et_writer, deaths_without_any_text_are_lines)
{
    put_death(1, 2, 3);
    put_death(4, 5, 6);
    expect_written("D 1 2 3\nD 4 5 6\n");
}

Test(et_writer, a_full_disk_is_a_failure)
{
    close_writer();
    ok(sink_open(&sink, "/dev/full", &replacing, &cause));
    ok(et_writer_class.open(&writer, sink, &options, &cause));
    char *text = long_text("#", 'x', 10000000, "\n");
    cr_expect_eq(writer_text(writer, text, strlen(text), &cause), STATUS_IO);
    struct record death = {.kind = RECORD_DEATH, .object = 1};
    enum status status = STATUS_OK;
    for (int i = 0; i < 1000000 && status == STATUS_OK; i++)
        status = writer_record(writer, &death, &cause);
    cr_expect_eq(status, STATUS_IO);
    free(text);
}

static void put_record(const struct record *record, const char *imitated)
{
    writer_imitate(writer, imitated, strlen(imitated));
    ok(writer_record(writer, record, &cause));
}

Test(et_writer, each_kind_has_its_fields_in_its_order)
{
    struct record allocation = {
        .object = 1, .size = 2, .type = 3, .site = 4, .length = 5, .thread = 6};
    const char kinds[] = "NAIPV";
    for (const char *kind = kinds; *kind; kind++) {
        allocation.kind = (uint8_t)*kind;
        put_record(&allocation, "");
    }
    put_record(&(struct record){.kind = 'M', .method = 1, .receiver = 2, .thread = 3}, "");
    put_record(&(struct record){.kind = 'E', .method = 1, .thread = 3}, "");
    struct record exception = {.method = 1, .receiver = 2, .exception = 3, .thread = 4};
    for (const char *kind = "XTH"; *kind; kind++) {
        exception.kind = (uint8_t)*kind;
        put_record(&exception, "");
    }
    put_record(
        &(struct record){.kind = 'U', .container = 1, .value = 2, .field = 3, .thread = 4}, "");
    put_record(&(struct record){.kind = 'W', .object = 1, .class_id = 2, .thread = 3}, "");
    put_death(1, 2, 3);
    expect_written("N 1 2 3 4 5 6\nA 1 2 3 4 5 6\nI 1 2 3 4 5 6\nP 1 2 3 4 5 6\nV 1 2 3 4 5 6\n"
                   "M 1 2 3\nE 1 3\nX 1 2 3 4\nT 1 2 3 4\nH 1 2 3 4\nU 1 2 3 4\nW 1 2 3\n"
                   "D 1 2 3\n");
}

Test(et_writer, a_record_ends_as_the_line_that_it_imitates)
{
    struct record record = {.kind = 'E', .method = 1, .thread = 2};
    put_record(&record, "E 7 7\r\n");
    put_record(&record, "E 7 7\n");
    put_record(&record, "E 7 7");
    put_death(1, 2, 3);
    expect_written("E 1 2\r\nE 1 2\nE 1 2\nD 1 2 3");
}
