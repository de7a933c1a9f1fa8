/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "formats/classes.h"
#include "formats/tracevis/events.h"

#include <string.h>

TestSuite(tracevis_reader, .fini = scratch_remove);

enum { ROOM = 4096 };

/* Prints the record as a line of Elephant Tracks text; returns its length. */
static int show(char *out, size_t room, const struct record *record)
{
    switch (record->kind) {
    case RECORD_OBJECT:
        cr_expect(record->size == 0 && record->length == 0);
        return snprintf(out, room, "N %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                        record->object, record->type, record->site, record->thread);
    case RECORD_ENTRY:
        return snprintf(out, room, "M %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", record->method,
                        record->receiver, record->thread);
    case RECORD_EXIT:
        return snprintf(out, room, "E %" PRIu64 " %" PRIu64 "\n", record->method,
                        record->thread);
    case RECORD_EXCEPTION_EXIT:
        cr_expect_eq(record->exception, 0);
        return snprintf(out, room, "X %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", record->method,
                        record->receiver, record->thread);
    case RECORD_DEATH:
        return snprintf(out, room, "D %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", record->object,
                        record->death_thread, record->time);
    default:
        return snprintf(out, room, "%c\n", record->kind);
    }
}

static void read_records(struct reader *reader, char *out)
{
    struct batch batch = BATCH_EMPTY;
    enum status status;
    size_t used = 0;
    *out = '\0';
    while ((status = reader_next(reader, &batch, &cause)) == STATUS_OK)
        for (size_t i = 0; i < batch.count && used < ROOM; i++)
            used += (size_t)show(out + used, ROOM - used, &batch.records[i]);
    must(status == STATUS_END, "the trace is bad: %s", cause.text);
    batch_free(&batch);
}

/* The count of the reader's remark that begins with `text`; 0: there is none. */
static uint64_t remarked(const struct reader *reader, const char *text)
{
    size_t count;
    const struct remark *remarks = reader_remarks(reader, &count);
    for (size_t i = 0; i < count; i++)
        if (strncmp(remarks[i].text, text, strlen(text)) == 0)
            return remarks[i].count;
    cr_assert_fail("there is no such remark: %s", text);
    return 0;
}

/* Reads `text` twice, and expects these records (N: object type site thread; others as in
 * Elephant Tracks). Expects that the counts of all remarks add up to `count`, and that the
 * remark that begins with `remark` (unless that is NULL) has all of them. */
static void expect_records_with(const struct reader_options *options, const char *text,
                                const char *records, const char *remark, uint64_t count)
{
    struct source *source = source_from(text);
    struct reader *reader = NULL;
    char found[ROOM];
    ok(tracevis_reader_class.open(&reader, source, options, &cause));
    for (int reading = 0; reading < 2; reading++) {
        read_records(reader, found);
        cr_expect_str_eq(found, records);
        size_t remarks;
        uint64_t all = 0;
        const struct remark *remark_list = reader_remarks(reader, &remarks);
        for (size_t i = 0; i < remarks; i++)
            all += remark_list[i].count;
        expect_number(all, count);
        if (remark)
            expect_number(remarked(reader, remark), count);
        reader_rewind(reader, NULL);
    }
    reader_close(reader);
    source_close(source);
}

static void expect_records(const char *text, const char *records, const char *remark,
                           uint64_t count)
{
    static const struct reader_options options = {.lenient = false};
    expect_records_with(&options, text, records, remark, count);
}

Test(tracevis_reader, the_thread_is_that_of_the_first_call_behind)
{
    expect_records("VS:1\nMN:1:5:A:f:0\nMN:1:6:A:g:0\nMN:2:7:A:h:0\nOA:2:B:9\nMX:3:7:A:h\n"
                   "MN:3:6:B:<init>:9\nMN:3:5:B:m:9\nVD:4\n",
                   "M 1 0 5\nM 2 0 6\nM 3 0 7\nN 9 2 2 6\nE 3 7\nM 4 9 6\nM 5 9 5\n"
                   "E 5 5\nE 1 5\nE 4 6\nE 2 6\n",
                   "Frames open", 4);
}

Test(tracevis_reader, without_a_call_the_thread_is_the_last_one_seen)
{
    expect_records("VS:1\nOA:1:A:1\nTB:2:5\nTB:2:6\nMN:2:5:A:f:0\nOA:3:A:2\nTE:4:6\nOA:3:A:3\n"
                   "MX:5:5:A:f\nVD:5\n",
                   "N 1 1 0 0\nM 1 0 5\nN 2 1 1 5\nN 3 1 0 6\nE 1 5\n", NULL, 0);
}

Test(tracevis_reader, a_call_before_the_allocation_allocates)
{
    /* The OA has the class of the object; the constructor may be that of a superclass. */
    expect_records("VS:1\nMN:1:1:Super:<init>:7\nOA:2:Sub:7\nMX:3:1:Super:<init>\nVD:4\n",
                   "N 7 2 0 1\nM 1 7 1\nE 1 1\n", NULL, 0);
}

Test(tracevis_reader, an_object_without_allocation_begins_with_its_first_call)
{
    expect_records("VS:1\nMN:1:1:A:f:0\nMN:2:1:B:g:7\nMX:3:1:B:g\nMN:4:1:B:g:7\nMX:5:1:B:g\n"
                   "MX:6:1:A:f\nVD:7\n",
                   "M 1 0 1\nN 7 2 1 1\nM 2 7 1\nE 2 1\nM 2 7 1\nE 2 1\nE 1 1\n",
                   "Objects without OA", 1);
}

Test(tracevis_reader, an_id_that_is_allocated_again_is_a_new_object)
{
    expect_records("VS:1\nOA:1:A:7\nOA:2:B:7\nVD:3\n", "N 7 1 0 0\nN 7 2 0 0\n",
                   "OA of objects", 1);
    expect_records("VS:1\nOA:1:A:7\nOF:2:A:7\nOA:3:B:7\nVD:4\n", "N 7 1 0 0\nN 7 2 0 0\n", NULL,
                   0);
}

Test(tracevis_reader, a_freed_object_that_is_called_is_a_new_one)
{
    struct source *source = source_from("VS:1\nOA:1:A:7\nOF:2:A:7\nMN:3:1:B:f:7\nMX:4:1:B:f\n"
                                        "VD:4\n");
    static const struct reader_options options = {.lenient = false};
    struct reader *reader = NULL;
    char found[ROOM];
    ok(tracevis_reader_class.open(&reader, source, &options, &cause));
    read_records(reader, found);
    cr_expect_str_eq(found, "N 7 1 0 0\nN 7 2 0 1\nM 1 7 1\nE 1 1\n");
    expect_number(remarked(reader, "Objects called after"), 1);
    expect_number(remarked(reader, "Objects without OA"), 1);
    reader_close(reader);
    source_close(source);
}

Test(tracevis_reader, frees_of_nothing_are_left_out)
{
    static const struct reader_options options = {.deaths_from_free = true};
    expect_records_with(&options, "VS:1\nOF:1:A:7\nOA:1:A:7\nOF:2:A:7\nOF:3:A:7\nVD:4\n",
                        "N 7 1 0 0\nD 7 0 0\n", "OF of objects", 2);
}

Test(tracevis_reader, frees_are_deaths_of_the_allocating_thread_when_wanted)
{
    static const struct reader_options options = {.deaths_from_free = true};
    const char *text = "VS:1\nOA:1:A:7\nMN:1:3:A:<init>:7\nMX:1:3:A:<init>\nMN:2:4:A:f:0\n"
                       "OF:3:A:7\nOA:3:A:7\nOF:3:A:7\nMX:4:4:A:f\nVD:4\n";
    expect_records_with(&options, text,
                        "N 7 1 0 3\nM 1 7 3\nE 1 3\nM 2 0 4\nD 7 3 3\nN 7 1 2 4\nD 7 4 3\n"
                        "E 2 4\n",
                        NULL, 0);
    expect_records(text, "N 7 1 0 3\nM 1 7 3\nE 1 3\nM 2 0 4\nN 7 1 2 4\nE 2 4\n", NULL, 0);
}

Test(tracevis_reader, an_exit_pops_down_to_its_method)
{
    expect_records("VS:1\nOA:1:A:1\nOA:1:A:2\nMN:1:1:A:f:1\nMN:2:1:A:g:2\nMN:3:1:A:h:0\n"
                   "FP:4:1:A:g\nMX:5:1:A:f\nVD:6\n",
                   "N 1 1 0 1\nN 2 1 0 1\nM 1 1 1\nM 2 2 1\nM 3 0 1\nX 2 2 1\nE 1 1\n",
                   "Frames left without", 1);
}

Test(tracevis_reader, an_exit_of_what_is_not_open_is_left_out)
{
    expect_records("VS:1\nMN:1:1:A:f:0\nMX:2:1:A:g\nFP:2:2:A:f\nMX:3:1:B:f\nMX:4:1:A:f\n"
                   "MX:5:1:A:f\nVD:6\n",
                   "M 1 0 1\nE 1 1\n", "MX and FP", 4);
}

Test(tracevis_reader, the_end_of_a_thread_closes_its_frames)
{
    expect_records("VS:1\nMN:1:1:A:f:0\nMN:1:2:A:g:0\nMN:2:1:A:h:0\nTE:3:1\nMX:4:1:A:f\n"
                   "MX:4:2:A:g\n",
                   "M 1 0 1\nM 2 0 2\nM 3 0 1\nE 3 1\nE 1 1\nE 2 2\n", NULL, 4);
}

/* Thread 1 comes first in the trace, but its frame is entered after that of thread 2. */
Test(tracevis_reader, the_end_closes_the_frames_of_threads_as_they_were_met)
{
    expect_records("VS:1\nMN:1:1:A:f:0\nMX:2:1:A:f\nTE:2:1\nMN:3:2:A:g:0\nMN:4:1:A:h:0\nVD:5\n",
                   "M 1 0 1\nE 1 1\nM 2 0 2\nM 3 0 1\nE 3 1\nE 2 2\n", NULL, 2);
}

Test(tracevis_reader, frames_stay_open_without_an_end)
{
    expect_records("VS:1\nMN:1:1:A:f:0\n", "M 1 0 1\n", "The trace has no VD", 1);
    expect_records("VS:1\nVD:2\nMN:3:1:A:g:0\n", "M 1 0 1\n", "The trace has no VD", 1);
}

Test(tracevis_reader, the_receiver_of_a_frame_is_no_later_object_of_the_same_id)
{
    expect_records("VS:1\nOA:1:A:7\nMN:1:1:A:f:7\nOF:2:A:7\nOA:2:B:7\nFP:3:1:A:f\nVD:4\n",
                   "N 7 1 0 1\nM 1 7 1\nN 7 2 1 1\nX 1 0 1\n", NULL, 0);
}

Test(tracevis_reader, a_second_reading_knows_of_no_object_that_comes_later)
{
    expect_records("VS:1\nOA:1:A:7\nMN:1:1:A:f:7\nFP:2:1:A:f\nOF:3:A:7\nOA:4:B:7\nVD:5\n",
                   "N 7 1 0 1\nM 1 7 1\nX 1 7 1\nN 7 2 0 1\n", NULL, 0);
}

Test(tracevis_reader, recursion_pops_the_innermost_frame)
{
    expect_records("VS:1\nMN:1:1:A:f:1\nMN:1:1:A:f:2\nFP:2:1:A:f\nFP:3:1:A:f\nVD:4\n",
                   "N 1 1 0 1\nM 1 1 1\nN 2 1 1 1\nM 1 2 1\nX 1 2 1\nX 1 1 1\n",
                   "Objects without OA", 2);
}

/* The thread of an allocation: an OA, `between` other events, and then the first call. */
static uint64_t thread_of_allocation(size_t between)
{
    size_t length = 0, room = 100 + between * 8;
    char *text = malloc(room);
    cr_assert_not_null(text);
    length += (size_t)snprintf(text, room, "VS:1\nTB:1:1\nOA:1:A:7\n");
    for (size_t i = 0; i < between; i++)
        length += (size_t)snprintf(text + length, room - length, "CL:1:A\n");
    snprintf(text + length, room - length, "MN:1:9:A:<init>:7\n");
    struct source *source = source_from(text);
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    static const struct reader_options options = {.lenient = false};
    ok(tracevis_reader_class.open(&reader, source, &options, &cause));
    ok(reader_next(reader, &batch, &cause));
    cr_assert_eq(batch.records[0].kind, RECORD_OBJECT);
    uint64_t thread = batch.records[0].thread;
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
    free(text);
    return thread;
}

Test(tracevis_reader, it_is_looked_ahead_for_so_many_events_and_no_more)
{
    expect_number(thread_of_allocation(EVENTS_AHEAD - 1), 9);
    expect_number(thread_of_allocation(EVENTS_AHEAD), 1);
}

/* Event i is of thread i % 1009 + 1. */
Test(tracevis_reader, events_that_wait_stay_in_order)
{
    enum { EVENTS = 5 * EVENTS_AHEAD, THREADS = 1009, LINE = 24 };
    char *text = malloc((EVENTS + 1) * LINE);
    size_t length = 0, seen = 0;
    enum status status;
    cr_assert_not_null(text);
    length += (size_t)snprintf(text, LINE, "VS:1\n");
    for (size_t i = 0; i < EVENTS; i++)
        length += (size_t)snprintf(text + length, LINE, "MN:1:%zu:A:f:0\n", i % THREADS + 1);
    struct source *source = source_of(text, length);
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    static const struct reader_options options = {.lenient = false};
    ok(tracevis_reader_class.open(&reader, source, &options, &cause));
    while ((status = reader_next(reader, &batch, &cause)) == STATUS_OK)
        for (size_t i = 0; i < batch.count && seen < EVENTS; i++, seen++)
            must(batch.records[i].kind == RECORD_ENTRY &&
                     batch.records[i].thread == seen % THREADS + 1,
                 "record %zu is another", seen);
    cr_expect_eq(status, STATUS_END);
    expect_number(seen, EVENTS);
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
    free(text);
}

Test(tracevis_reader, what_is_before_a_malformed_line_comes_first)
{
    struct source *source = source_from("VS:1\nMN:1:1:A:f:0\nMX:1:1:A:f\noops\n");
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    static const struct reader_options options = {.lenient = false};
    ok(tracevis_reader_class.open(&reader, source, &options, &cause));
    ok(reader_next(reader, &batch, &cause));
    cr_expect_eq(batch.count, 2);
    expect_failure(reader_next(reader, &batch, &cause), STATUS_SYNTAX, 4,
                   "This is no event of a TraceVis trace: \"oops\"");
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
}
