/* SPDX-License-Identifier: MIT */
/* A writer that refuses one of its calls, each in turn: the caller stops at once and passes the
 * reason on. */
#include "merlin/merge.h"
#include "support.h"
#include "trace/rewrite.h"

static struct passed passed;
static struct deaths deaths;
static size_t calls, refused_call;

static void free_all(void)
{
    deaths_free(&deaths);
    passed_free(&passed);
}

TestSuite(refused_records, .fini = free_all);

/* Counts a call of the writer, and refuses it if its turn has come. */
static enum status note_call(struct failure *why)
{
    return ++calls == refused_call ? fail(why, STATUS_LIMIT, "Refused") : STATUS_OK;
}

static enum status refuse_text(struct writer *writer, const char *text, size_t length,
                               struct failure *why)
{
    (void)writer, (void)text, (void)length;
    return note_call(why);
}

static enum status refuse_record(struct writer *writer, const struct record *record,
                                 struct failure *why)
{
    (void)writer, (void)record;
    return note_call(why);
}

static enum status refuse_end(struct writer *writer, struct failure *why)
{
    (void)writer;
    return note_call(why);
}

static const struct writer_class refusing = {
    .text = refuse_text, .record = refuse_record, .finish = refuse_end};
/* A writer of a format that has no text. */
static const struct writer_class refusing_records = {.record = refuse_record};

/* The trace has two deaths at one boundary, two survivors, a recorded death and comments. */
static const char trace[] = "# begin\n"
                            "N 10 1 1 1 0 7\n"
                            "N 20 1 1 1 0 8\n"
                            "N 30 1 1 1 0 7\n"
                            "U 0 30 1 7\n"
                            "D 99 7 0\n"
                            "M 1 0 7\n"
                            "# between\n"
                            "N 40 1 1 1 0 7\n"
                            "E 1 7\n"
                            "A 50 1 1 1 3 7\n"
                            "# end\n";

static void prepare(void)
{
    pass(&passed, trace, &thread_dialect, HELD_BY_RECEIVER);
    ok(deaths_compute(&deaths, &passed.pass, UNALLOCATED_LAST_USE, &cause));
}

/* Merges once for each call of the writer, which is refused; returns the number of calls. */
static size_t refuse_each(const struct writer_class *methods,
                          const struct merge_options *options)
{
    for (refused_call = 1;; refused_call++) {
        struct writer writer = {methods};
        calls = 0;
        cause.status = STATUS_OK;
        enum status status =
            merge(passed.reader, &writer, &deaths, passed.digest, options, &cause);
        if (calls < refused_call) {
            ok(status);
            return calls;
        }
        expect_failure(status, STATUS_LIMIT, 0, "Refused");
        expect_number(calls, refused_call);
    }
}

Test(refused_records, by_the_writer_of_text_and_deaths)
{
    prepare();
    for (unsigned threads = 1; threads <= 2; threads++) {
        const struct merge_options options = {.at_end = AT_END_DIE, .threads = threads};
        /* Text up to the recorded death, to each of two boundaries, and the rest; five deaths;
         * the end. */
        expect_number(refuse_each(&refusing, &options), 4 + 5 + 1);
    }
}

Test(refused_records, by_the_writer_of_deaths_alone)
{
    prepare();
    const struct merge_options options = {
        .at_end = AT_END_DIE, .threads = 1, .deaths_only = true};
    expect_number(refuse_each(&refusing, &options), 5 + 1);
}

Test(refused_records, by_the_writer_of_another_format)
{
    prepare();
    struct merge_options options = {.at_end = AT_END_DIE, .threads = 1, .rewrite = true};
    /* Three comments, eight records, five deaths. */
    expect_number(refuse_each(&refusing, &options), 3 + 8 + 5 + 1);
    expect_number(refuse_each(&refusing_records, &options), 8 + 5);
}

Test(refused_records, by_the_writer_of_numbered_objects)
{
    prepare();
    struct merge_options options = {.at_end = AT_END_DIE, .threads = 1};
    ok(numbering_new(&options.numbering, passed.pass.heap.objects, &cause));
    expect_number(refuse_each(&refusing, &options), 3 + 8 + 5 + 1);
    numbering_free(options.numbering);
}

/* Converts once for each call of the writer, which is refused; returns the number of calls. */
static size_t refuse_each_converted(const struct writer_class *methods)
{
    for (refused_call = 1;; refused_call++) {
        struct writer writer = {methods};
        uint64_t malformed;
        calls = 0;
        reader_rewind(passed.reader, NULL);
        enum status status = convert(passed.reader, &writer, 1, &malformed, &cause);
        if (calls < refused_call) {
            ok(status);
            return calls;
        }
        expect_failure(status, STATUS_LIMIT, 0, "Refused");
        expect_number(calls, refused_call);
    }
}

Test(refused_records, by_the_writer_of_what_is_converted)
{
    prepare();
    /* Three comments, eight records and a death; then the end. */
    expect_number(refuse_each_converted(&refusing), 3 + 9 + 1);
    expect_number(refuse_each_converted(&refusing_records), 9);
}
