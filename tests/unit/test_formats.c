/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <fcntl.h>
#include <unistd.h>

TestSuite(formats, .fini = scratch_remove);

Test(formats, text_with_a_line_like_a_record_may_be_an_elephant_tracks_trace)
{
    static const char *const texts[] = {
        "", "\n\n", "# PK\n", "E 1 2\n", "E", "PK\1\2\nZ 1\n", "java.lang.Object,1\n",
    };
    for (size_t i = 0; i < ITEMS(texts); i++) {
        struct source *source = source_from(texts[i]);
        struct reader *reader = NULL;
        ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
        cr_expect_str_eq(reader->methods->name, "et");
        cr_expect_str_eq(reader->name, source_name(source));
        reader_close(reader);
        source_close(source);
    }
}

Test(formats, what_is_no_trace_is_refused_unless_lenient)
{
    static const char *const texts[] = {"PK\1\2", "\x7f\x45LF", "hello\nM1 0\n"};
    for (size_t i = 0; i < ITEMS(texts); i++) {
        struct source *source = source_from(texts[i]);
        struct reader *reader = NULL;
        struct reader_options lenient = {.lenient = true};
        cr_expect_eq(formats_open_reader(&reader, source, &thread_dialect, &cause),
                     STATUS_MEANING);
        failure_clear(&cause);
        ok(formats_open_reader(&reader, source, &lenient, &cause));
        reader_close(reader);
        source_close(source);
    }
}

Test(formats, a_format_that_there_is_not_is_refused)
{
    struct source *source = source_from("E 1 2\n");
    struct reader *reader = NULL;
    struct reader_options options = {.format = "etc"};
    cr_expect_eq(formats_open_reader(&reader, source, &options, &cause), STATUS_MEANING);
    cr_expect_str_eq(cause.text, "There is no format \"etc\"");
    cr_expect_null(reader);
    failure_clear(&cause);
    source_close(source);
}

Test(formats, a_trace_of_tracevis_is_recognised)
{
    struct source *source = source_from("VS:1\nVD:2\n");
    struct reader *reader = NULL;
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    cr_expect_str_eq(reader->methods->name, "tracevis");
    reader_close(reader);
    source_close(source);
}

Test(formats, what_a_bid_looked_at_is_read_again)
{
    struct source *source = source_from("E 1 2\n");
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    ok(reader_next(reader, &batch, &cause));
    cr_expect_eq(batch.count, 1);
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
}

Test(formats, a_source_that_cannot_be_read_is_a_failure)
{
    char path[PATH_SIZE];
    redirect(STDIN_FILENO, open(scratch_path(path, "file"), O_WRONLY | O_CREAT, 0600));
    struct source *source = NULL;
    struct reader *reader = NULL;
    ok(source_open(&source, "-", NULL, &cause));
    expect_failure(formats_open_reader(&reader, source, &thread_dialect, &cause), STATUS_IO, 0,
                   "Cannot read: Bad file descriptor");
    cr_expect_null(reader);
    reader_close(reader);
    source_close(source);
}
