/* SPDX-License-Identifier: MIT */
#include "merlin/merge.h"

#include "formats/classes.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct passed passed;
static struct deaths deaths;
static struct sink *sink;
static char path[PATH_SIZE];

static const struct merge_options plain = {.at_end = AT_END_NONE, .threads = 1};

/* Does all that precedes pass 2, and opens a sink on `output`. */
static void prepare(const char *text, const struct reader_options *reader_options,
                    const char *output)
{
    pass(&passed, text, reader_options, HELD_BY_RECEIVER);
    ok(deaths_compute(&deaths, &passed.pass, UNALLOCATED_LAST_USE, &cause));
    ok(sink_open(&sink, output, &replacing, &cause));
}

static enum status run(const struct merge_options *options, uint64_t digest)
{
    struct writer_options how = {.explicit_time = passed.reader->explicit_time};
    struct writer *writer;
    ok(et_writer_class.open(&writer, sink, &how, &cause));
    enum status status = merge(passed.reader, writer, &deaths, digest, options, &cause);
    writer_close(writer);
    return status;
}

static void finish(void)
{
    sink_discard(sink);
    sink = NULL;
    deaths_free(&deaths);
    passed_free(&passed);
}

static void clean_up(void)
{
    finish();
    scratch_remove();
}

TestSuite(merge, .fini = clean_up);

/* The trace with its deaths, as a string; the caller frees it. */
static char *merged(const char *text, const struct reader_options *reader_options,
                    const struct merge_options *options)
{
    prepare(text, reader_options, scratch_path(path, "out"));
    ok(run(options, passed.digest));
    ok(sink_commit(sink, &cause));
    sink = NULL;
    finish();
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *output = calloc(1, length + 1);
    cr_assert_not_null(output);
    cr_assert_eq(fread(output, 1, length, file), length);
    fclose(file);
    return output;
}

static void expect_merged(const char *text, const struct reader_options *reader_options,
                          const struct merge_options *options, const char *expected)
{
    char *output = merged(text, reader_options, options);
    cr_expect_str_eq(output, expected);
    free(output);
}

Test(merge, records_are_rewritten_in_canonical_form)
{
    static const struct merge_options rewriting = {.rewrite = true, .threads = 1};
    expect_merged(" M\t1  10 7 \r\n# c\n Z 1\nN 010 1 1 1 0 7\nE 1 7\nE 2 7", &thread_dialect,
                  &rewriting, "M 1 10 7\r\n# c\n Z 1\nN 10 1 1 1 0 7\nE 1 7\nD 10 7 2\nE 2 7");
}

Test(merge, recorded_deaths_are_not_rewritten)
{
    static const struct merge_options rewriting = {.rewrite = true, .threads = 1};
    expect_merged("N 1 1 1 1 0 7\nD 1 7 0\nM 1 0 7\n# c\n", &thread_dialect, &rewriting,
                  "N 1 1 1 1 0 7\nM 1 0 7\nD 1 7 1\n# c\n");
}

Test(merge, a_trace_that_changed_is_refused)
{
    prepare("N 10 1 1 1 0 7\nM 1 0 7\n", &thread_dialect, scratch_path(path, "out"));
    expect_failure(run(&plain, passed.digest ^ 1), STATUS_MEANING, 0,
                   "The file changed while it was read: start again when it is complete");
    cr_expect_str_eq(cause.file, passed.reader->name);
}

/* Expects that pass 2 refuses a file that changes from `before` to `after` after pass 1. */
static void expect_change_found(const char *before, const char *after)
{
    char trace[PATH_SIZE];
    struct source *source = NULL;
    write_file(scratch_path(trace, "trace"), before, strlen(before));
    ok(source_open(&source, trace, NULL, &cause));
    pass_source(&passed, source, &thread_dialect, HELD_BY_RECEIVER);
    ok(deaths_compute(&deaths, &passed.pass, UNALLOCATED_LAST_USE, &cause));
    ok(sink_open(&sink, scratch_path(path, "out"), &replacing, &cause));
    write_file(trace, after, strlen(after));
    struct merge_options options = {.threads = 1, .at_end = AT_END_DIE};
    expect_failure(run(&options, passed.digest), STATUS_MEANING, 0,
                   "The file changed while it was read: start again when it is complete");
    cr_expect_str_eq(cause.file, trace);
    finish();
}

Test(merge, a_file_that_changes_between_the_passes_is_refused)
{
    static const char before[] = "N 10 1 1 1 0 7\nM 1 0 7\nE 1 7\n";
    expect_change_found(before, "N 10 1 1 1 0 7\nM 1 0 7\nE 2 7\n");
    expect_change_found(before, "N 10 1 1 1 0 7\n");
    expect_change_found(before, "");
    expect_change_found(before, "N 10 1 1 1 0 7\nM 1 0 7\nE 1 7\nE 1 7\n");
}

Test(merge, a_file_that_becomes_malformed_between_the_passes_is_refused_for_the_change)
{
    char *after = long_text("N 10 1 1 1 0 7\n", 'M', 2000000, "\nE 1 7\n");
    expect_change_found("N 10 1 1 1 0 7\nM 1 0 7\nE 1 7\n", after);
    free(after);
}

Test(merge, output_that_cannot_be_written_is_a_failure)
{
    char *text = long_text("N 10 1 1 1 0 7\nM 1 0 7\n", '\n', 1000000, "");
    prepare(text, &thread_dialect, "/dev/full");
    expect_failure(run(&plain, passed.digest), STATUS_IO, 0,
                   "Cannot write: No space left on device");
    free(text);
}

/* A trace of many blocks. Objects die at most of its boundaries. */
static char *large_trace(void)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    cr_assert_not_null(stream);
    uint64_t seed = 1;
    for (unsigned i = 1; i <= 40000; i++) {
        fprintf(stream, "N %u 16 1 1 0 7\n", i);
        unsigned older = 1 + (unsigned)random_below(&seed, i);
        if (random_below(&seed, 3) == 0)
            fprintf(stream, "U %u %u 1 7\n", i, older);
        fprintf(stream, i % 2 ? "M 1 %u 7\n" : "E 1 %u\n", i % 2 ? older : 7);
    }
    fclose(stream);
    return text;
}

/* Removes the lines that begin with D from the text; returns how many. */
static unsigned remove_deaths(char *text)
{
    unsigned removed = 0;
    char *to = text;
    for (const char *line = text, *next; *line; line = next) {
        next = strchr(line, '\n') + 1;
        if (*line == 'D') {
            removed++;
            continue;
        }
        memmove(to, line, (size_t)(next - line));
        to += next - line;
    }
    *to = '\0';
    return removed;
}

Test(merge, two_threads_write_what_one_writes)
{
    struct merge_options parallel = {.threads = 2};
    char *text = large_trace();
    char *one = merged(text, &thread_dialect, &plain);
    char *two = merged(text, &thread_dialect, &parallel);
    cr_expect(strcmp(one, two) == 0);
    free(text);
    free(one);
    free(two);
}

Test(merge, without_its_deaths_a_large_trace_is_what_it_was)
{
    char *text = large_trace();
    char *first = merged(text, &thread_dialect, &plain);
    char *second = merged(first, &thread_dialect, &plain);
    cr_expect(strcmp(first, second) == 0, "replacing the deaths changes them");
    cr_expect_gt(remove_deaths(first), 30000);
    cr_expect(strcmp(first, text) == 0, "more than deaths was put in");
    free(text);
    free(first);
    free(second);
}
