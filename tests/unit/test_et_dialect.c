/* SPDX-License-Identifier: MIT */
#include "formats/et/inspection.h"

#include "formats/classes.h"
#include "support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(et_dialect, .fini = scratch_remove);

/* The dialect that --dialect=auto finds for the trace. */
static enum dialect dialect_of(const char *text)
{
    struct source *source = source_from(text);
    struct reader *reader = NULL;
    struct reader_options options = {.dialect = DIALECT_AUTO};
    ok(formats_open_reader(&reader, source, &options, &cause));
    enum dialect dialect = reader->explicit_time ? DIALECT_TIME : DIALECT_THREAD;
    reader_close(reader);
    source_close(source);
    return dialect;
}

/* The dialect found for `count` exits whose last fields count up from 1, but for exit number
 * `odd` (from 1; 0: none), which has `odd_last`; the exits after it count up from there. */
static enum dialect dialect_of_exits(unsigned count, unsigned odd, uint64_t odd_last)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    cr_assert_not_null(stream);
    uint64_t last = 0;
    for (unsigned i = 1; i <= count; i++) {
        last = i == odd ? odd_last : last + 1;
        fprintf(stream, "E 1 %" PRIu64 "\n", last);
    }
    fclose(stream);
    enum dialect dialect = dialect_of(text);
    free(text);
    return dialect;
}

Test(et_dialect, fewer_than_two_boundaries_are_thread)
{
    cr_expect_eq(dialect_of(""), DIALECT_THREAD);
    cr_expect_eq(dialect_of("# none\nN 1 2 3 4 5 1\nN 1 2 3 4 5 2\n"), DIALECT_THREAD);
    cr_expect_eq(dialect_of("E 1 1\n"), DIALECT_THREAD);
}

Test(et_dialect, two_boundaries_that_count_up_are_time)
{
    cr_expect_eq(dialect_of("M 1 0 1\nE 1 2\n"), DIALECT_TIME);
    cr_expect_eq(dialect_of("M 1 0 500\nE 1 501"), DIALECT_TIME);
    cr_expect_eq(dialect_of("M 1 0 0\r\nE 1 1\r\n"), DIALECT_TIME);
}

Test(et_dialect, two_boundaries_that_do_not_are_thread)
{
    cr_expect_eq(dialect_of("M 1 0 1\nE 1 1\n"), DIALECT_THREAD);
    cr_expect_eq(dialect_of("M 1 0 1\nE 1 3\n"), DIALECT_THREAD);
    cr_expect_eq(dialect_of("M 1 0 2\nE 1 1\n"), DIALECT_THREAD);
}

Test(et_dialect, entries_exits_and_exceptions_count_together)
{
    cr_expect_eq(dialect_of("M 1 0 7\nX 1 0 5 8\nE 1 9\n"), DIALECT_TIME);
    cr_expect_eq(dialect_of("M 1 0 7\nX 1 0 5 7\nE 1 9\n"), DIALECT_THREAD);
}

Test(et_dialect, other_records_do_not_count)
{
    cr_expect_eq(dialect_of("N 1 2 3 4 5 9\nM 1 0 1\nW 1 2 9\nT 1 0 5 9\nU 1 2 3 9\nE 1 2\n"),
                 DIALECT_TIME);
    cr_expect_eq(dialect_of("M 1 0 1\nW 1 2 2\nW 1 2 3\nE 1 1\n"), DIALECT_THREAD);
}

Test(et_dialect, bad_lines_are_passed_over)
{
    cr_expect_eq(dialect_of("M 1 0 1\nE 1\nE x 9\nEE\nE 1 2\n"), DIALECT_TIME);
}

Test(et_dialect, counting_up_to_the_end_is_time)
{
    cr_expect_eq(dialect_of_exits(2, 0, 0), DIALECT_TIME);
    cr_expect_eq(dialect_of_exits(999, 0, 0), DIALECT_TIME);
    cr_expect_eq(dialect_of_exits(1000, 0, 0), DIALECT_TIME);
    cr_expect_eq(dialect_of_exits(1001, 0, 0), DIALECT_TIME);
}

Test(et_dialect, the_first_thousand_boundaries_decide)
{
    cr_expect_eq(dialect_of_exits(999, 999, 1), DIALECT_THREAD);
    cr_expect_eq(dialect_of_exits(1000, 1000, 1), DIALECT_THREAD);
    cr_expect_eq(dialect_of_exits(1001, 1000, 1), DIALECT_THREAD);
    cr_expect_eq(dialect_of_exits(1001, 1001, 1), DIALECT_TIME);
    cr_expect_eq(dialect_of_exits(5000, 1001, 1), DIALECT_TIME);
}

Test(et_dialect, nothing_follows_the_largest_number)
{
    cr_expect_eq(dialect_of("E 1 18446744073709551614\nE 1 18446744073709551615\n"),
                 DIALECT_TIME);
    cr_expect_eq(dialect_of("E 1 18446744073709551615\nE 1 0\n"), DIALECT_THREAD);
}

Test(et_dialect, boundaries_far_into_the_trace_are_found)
{
    char *text = long_text("# ", 'x', 500000, "\nM 1 0 1\nE 1 2\n");
    cr_expect_eq(dialect_of(text), DIALECT_TIME);
    free(text);
}

Test(et_dialect, the_reader_is_at_its_start_afterwards)
{
    struct source *source = source_from("# one\nM 1 0 8\nE 1 9\n");
    struct reader *reader = NULL;
    struct reader_options options = {.dialect = DIALECT_THREAD, .keep_others = true};
    ok(formats_open_reader(&reader, source, &options, &cause));
    struct dialect_evidence evidence = {.boundaries = 0};
    ok(et_inspect(reader, &options, &evidence, &cause));
    cr_expect_eq(dialect_decide(&evidence), DIALECT_TIME);
    struct batch batch = BATCH_EMPTY;
    ok(reader_next(reader, &batch, &cause));
    expect_number(batch.first_line, 1);
    expect_number(batch.count, 2);
    expect_number(batch.comments, 1);
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
}

Test(et_dialect, a_dialect_that_is_given_is_not_doubted)
{
    static const char *const texts[] = {"M 1 0 1\nE 1 2\n", "M 1 0 1\nE 1 1\n"};
    for (size_t i = 0; i < ITEMS(texts); i++)
        for (int time = 0; time < 2; time++) {
            struct source *source = source_from(texts[i]);
            struct reader *reader = NULL;
            struct reader_options options = {.dialect = time ? DIALECT_TIME : DIALECT_THREAD};
            ok(formats_open_reader(&reader, source, &options, &cause));
            cr_expect_eq(reader->explicit_time, time);
            reader_close(reader);
            source_close(source);
        }
}

/* The reader's remark on a trace whose dialect was not given. */
static const char *remark_on(const char *text)
{
    static char said[300];
    struct source *source = source_from(text);
    struct reader *reader = NULL;
    struct reader_options options = {.dialect = DIALECT_AUTO};
    size_t count;
    ok(formats_open_reader(&reader, source, &options, &cause));
    const struct remark *remarks = reader_remarks(reader, &count);
    must(count == 2, "%zu remarks", count);
    snprintf(said, sizeof said, "%s", remarks->count > 0 ? remarks->text : "");
    reader_close(reader);
    source_close(source);
    return said;
}

Test(et_dialect, times_that_break_off_are_remarked)
{
    cr_expect_str_eq(remark_on("M 1 0 1\nM 1 0 2\n# no boundary\nE 1 3\nE 1 5\n"),
                     "The last fields count up like times in the first 3 boundaries, but not "
                     "in line 5, so they are taken for threads. If they are times, say "
                     "--dialect=time; --dialect=thread ends this note");
    cr_expect_str_eq(remark_on("M 1 0 1\nM 1 0 2\nE 1 3\nE 1 4\n"), "");
    cr_expect_str_eq(remark_on("M 1 0 1\nM 1 0 2\nE 1 2\nE 1 1\n"), "");
    cr_expect_str_eq(remark_on("M 1 0 5\nM 1 0 5\nE 1 6\nE 1 7\nE 1 8\n"), "");
    cr_expect_str_eq(remark_on(""), "");
}

Test(et_dialect, a_source_that_cannot_be_read_is_a_failure)
{
    char path[PATH_SIZE];
    redirect(STDIN_FILENO, open(scratch_path(path, "file"), O_WRONLY | O_CREAT, 0600));
    struct source *source = NULL;
    struct reader *reader = NULL;
    struct reader_options options = {.dialect = DIALECT_AUTO};
    ok(source_open(&source, NULL, NULL, &cause));
    expect_failure(et_reader_class.open(&reader, source, &options, &cause), STATUS_IO, 0,
                   "Cannot read: Bad file descriptor");
    source_close(source);
}

Test(et_dialect, boundaries_after_many_records_are_found)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    cr_assert_not_null(stream);
    for (unsigned i = 0; i <= 200000; i++)
        fputs("I 1 16 5 0 0 4\n", stream);
    fputs("M 1 0 5\nE 1 6\n", stream);
    fclose(stream);
    cr_expect_eq(dialect_of(text), DIALECT_TIME);
    free(text);
}
