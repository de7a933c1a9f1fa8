/* SPDX-License-Identifier: MIT */
#include "support.h"
#include "trace/readahead.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct source *source;
static struct reader *reader;

static void open_all(const char *text)
{
    source = source_from(text);
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
}

static void close_all(void)
{
    reader_close(reader);
    source_close(source);
    reader = NULL;
    source = NULL;
}

/* Faults of threads mostly show as hangs, hence the timeout. */
TestSuite(readahead, .fini = close_all, .timeout = 60);

/* A trace of several times as many batches as are read ahead, with `tail` after them. */
static char *large_trace(const char *tail)
{
    enum { LINES = 400000 };
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    cr_assert_not_null(stream);
    for (unsigned i = 0; i < LINES; i++)
        fprintf(stream, "E %u 7\n", i);
    fputs(tail, stream);
    fclose(stream);
    return text;
}

/* What the visitor of batches is to do, and what it has seen. */
struct seen {
    const char *text; /* the expected text; NULL: any */
    size_t done;      /* bytes of it that have come */
    size_t batches;
    size_t records;
    size_t wanted; /* batches after which the visitor fails; 0: it takes all */
};

static enum status see_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct seen *seen = context;
    if (seen->wanted > 0 && seen->batches == seen->wanted)
        return fail(why, STATUS_MEANING, "The visitor wants no more");
    seen->batches++;
    if (seen->text)
        must(strncmp(seen->text + seen->done, batch->text, batch->text_length) == 0,
             "other text after %zu bytes", seen->done);
    seen->done += batch->text_length;
    for (size_t i = 0; i < batch->count; i++)
        must(batch->records[i].method == seen->records++, "a record is out of order");
    return STATUS_OK;
}

static enum status see_batch_late(void *context, const struct batch *batch, struct failure *why)
{
    const struct seen *seen = context;
    if (seen->batches == 0)
        usleep(20000); /* a reading thread is likely to have filled its ring by then */
    return see_batch(context, batch, why);
}

static void expect_text_in_order(unsigned threads)
{
    char *text = large_trace("");
    struct seen seen = {.text = text};
    open_all(text);
    ok(readahead_visit(reader, threads, see_batch_late, &seen, &cause));
    expect_number(seen.done, strlen(text));
    expect_number(seen.records, 400000);
    free(text);
}

Test(readahead, one_thread_gives_the_batches_in_order)
{
    expect_text_in_order(1);
}

Test(readahead, two_threads_give_the_batches_in_order)
{
    expect_text_in_order(2);
}

Test(readahead, the_digest_is_complete_when_all_was_read)
{
    uint64_t digests[2];
    char *text = large_trace("");
    for (unsigned i = 0; i < 2; i++) {
        struct seen seen = {.batches = 0};
        open_all(text);
        ok(readahead_visit(reader, i + 1, see_batch, &seen, &cause));
        digests[i] = reader_digest(reader);
        close_all();
    }
    expect_number(digests[1], digests[0]);
    free(text);
}

static void expect_fault_passed_on(unsigned threads)
{
    char *text = large_trace("E\n");
    struct seen seen = {.batches = 0};
    open_all(text);
    expect_failure(readahead_visit(reader, threads, see_batch, &seen, &cause), STATUS_SYNTAX,
                   400001, "E has 0 fields where 2 are needed (method thread): \"E\"");
    cr_expect_gt(seen.records, 300000, "what was before the fault must be given");
    free(text);
}

Test(readahead, a_fault_is_reported_when_its_batch_is_due)
{
    expect_fault_passed_on(1);
    close_all();
    expect_fault_passed_on(2);
}

Test(readahead, an_empty_trace_has_no_batch)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct seen seen = {.batches = 0};
        open_all("");
        ok(readahead_visit(reader, threads, see_batch, &seen, &cause));
        expect_number(seen.batches, 0);
        close_all();
    }
}

/* With two threads, the fault in the trace has been read when the visitor fails, but batches
 * before it have not been visited. The failure of the visitor is the one that counts. */
Test(readahead, a_fault_behind_the_failure_of_the_visitor_is_forgotten)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        char *text = large_trace("E\n");
        struct seen seen = {.wanted = 1};
        open_all(text);
        expect_failure(readahead_visit(reader, threads, see_batch_late, &seen, &cause),
                       STATUS_MEANING, 0, "The visitor wants no more");
        close_all();
        free(text);
    }
}

Test(readahead, a_trace_need_not_be_read_to_its_end)
{
    char *text = large_trace("");
    for (unsigned threads = 1; threads <= 2; threads++)
        for (size_t batches = 1; batches < 12; batches += 3) {
            struct seen seen = {.wanted = batches};
            open_all(text);
            expect_failure(readahead_visit(reader, threads, see_batch, &seen, &cause),
                           STATUS_MEANING, 0, "The visitor wants no more");
            expect_number(seen.batches, batches);
            /* The reading thread has ended, so the reader can be used here. */
            struct batch first = BATCH_EMPTY;
            reader_rewind(reader, NULL);
            ok(reader_next(reader, &first, &cause));
            expect_number(first.records[0].method, 0);
            batch_free(&first);
            close_all();
        }
    free(text);
}
