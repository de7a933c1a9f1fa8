#include "support.h"
#include "trace/et_writer.h"

#include <stdlib.h>
#include <string.h>

static struct et_writer writer;
static char path[PATH_SIZE];

static void open_writer(void)
{
    struct sink *sink = NULL;
    ok(sink_open(&sink, scratch_path(path, "out"), &replacing, &cause));
    et_writer_init(&writer, sink);
}

TestSuite(et_writer, .init = open_writer, .fini = scratch_remove);

static void put_text(const char *text)
{
    ok(writer_text(&writer.base, text, strlen(text), &cause));
}

static void put_death(uint64_t object, uint64_t thread, uint64_t time)
{
    struct record death = {
        .kind = RECORD_DEATH, .object = object, .death_thread = thread, .time = time};
    ok(writer_record(&writer.base, &death, &cause));
}

static void expect_written(const char *text)
{
    ok(sink_commit(writer.sink, &cause));
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
    ok(writer_text(&writer.base, "\n", 0, &cause));
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
    sink_discard(writer.sink);
    struct sink *sink = NULL;
    ok(sink_open(&sink, "/dev/full", &replacing, &cause));
    et_writer_init(&writer, sink);
    char *text = long_text("#", 'x', 10000000, "\n");
    cr_expect_eq(writer_text(&writer.base, text, strlen(text), &cause), STATUS_IO);
    struct record death = {.kind = RECORD_DEATH, .object = 1};
    enum status status = STATUS_OK;
    for (int i = 0; i < 1000000 && status == STATUS_OK; i++)
        status = writer_record(&writer.base, &death, &cause);
    cr_expect_eq(status, STATUS_IO);
    sink_discard(sink);
    free(text);
}
