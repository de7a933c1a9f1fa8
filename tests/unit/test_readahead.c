#include "support.h"
#include "trace/readahead.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct source *source;
static struct reader *reader;
static struct readahead *readahead;

static void open_all(const char *text, unsigned threads)
{
    source = source_from(text);
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    ok(readahead_open(&readahead, reader, threads, &cause));
}

static void close_all(void)
{
    readahead_close(readahead);
    reader_close(reader);
    source_close(source);
    readahead = NULL;
    reader = NULL;
    source = NULL;
}

/* A hang is the usual failure of threads. */
TestSuite(readahead, .fini = close_all, .timeout = 10);

/* A trace of several times as many batches as are read ahead. */
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

static void expect_text_in_order(unsigned threads)
{
    char *text = large_trace("");
    size_t length = strlen(text), done = 0;
    uint64_t next_method = 0;
    open_all(text, threads);
    usleep(20000); /* a reading thread is likely to have filled its ring by then */
    const struct batch *batch;
    enum status status;
    while ((status = readahead_next(readahead, &batch, &cause)) == STATUS_OK) {
        must(batch->text_length <= length - done &&
                 memcmp(batch->text, text + done, batch->text_length) == 0,
             "other text after %zu bytes", done);
        done += batch->text_length;
        for (size_t i = 0; i < batch->count; i++)
            must(batch->records[i].method == next_method++, "a record is out of order");
    }
    cr_expect_eq(status, STATUS_END);
    cr_expect_eq(done, length);
    expect_number(next_method, 400000);
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
        open_all(text, i + 1);
        const struct batch *batch;
        while (readahead_next(readahead, &batch, &cause) == STATUS_OK)
            continue;
        readahead_close(readahead);
        readahead = NULL;
        digests[i] = reader_digest(reader);
        close_all();
    }
    expect_number(digests[1], digests[0]);
    free(text);
}

static void expect_fault_passed_on(unsigned threads)
{
    char *text = large_trace("E\n");
    open_all(text, threads);
    const struct batch *batch;
    enum status status;
    size_t records = 0;
    while ((status = readahead_next(readahead, &batch, &cause)) == STATUS_OK)
        records += batch->count;
    expect_failure(status, STATUS_SYNTAX, 400001,
                   "E has 0 fields where 2 are needed (method thread): \"E\"");
    cr_expect_gt(records, 300000, "what was before the fault must be given");
    free(text);
}

Test(readahead, a_fault_is_told_when_its_batch_is_due)
{
    expect_fault_passed_on(1);
    close_all();
    expect_fault_passed_on(2);
}

Test(readahead, an_empty_trace_has_no_batch)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        const struct batch *batch;
        open_all("", threads);
        cr_expect_eq(readahead_next(readahead, &batch, &cause), STATUS_END);
        close_all();
    }
}

Test(readahead, the_end_can_be_asked_for_again)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        const struct batch *batch;
        open_all("E 1 7\n", threads);
        cr_expect_eq(readahead_next(readahead, &batch, &cause), STATUS_OK);
        cr_expect_eq(readahead_next(readahead, &batch, &cause), STATUS_END);
        cr_expect_eq(readahead_next(readahead, &batch, &cause), STATUS_END);
        close_all();
    }
}

Test(readahead, a_fault_that_is_not_asked_for_is_forgotten)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        open_all("E\n", threads);
        readahead_close(readahead);
        readahead = NULL;
        cr_expect_eq(cause.status, STATUS_OK);
        close_all();
    }
}

Test(readahead, a_trace_need_not_be_read_to_its_end)
{
    char *text = large_trace("");
    for (unsigned threads = 1; threads <= 2; threads++)
        for (int batches = 0; batches < 12; batches += 3) {
            open_all(text, threads);
            const struct batch *batch;
            for (int i = 0; i < batches; i++)
                ok(readahead_next(readahead, &batch, &cause));
            readahead_close(readahead);
            readahead = NULL;
            /* The reader is free again. */
            struct batch first = BATCH_EMPTY;
            reader_rewind(reader, NULL);
            ok(reader_next(reader, &first, &cause));
            expect_number(first.records[0].method, 0);
            batch_free(&first);
            close_all();
        }
    free(text);
}
