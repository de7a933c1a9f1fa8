/* SPDX-License-Identifier: MIT */
/* A trace that is skimmed gives the records that reader_skim promises, as when it is read. */
#include "formats/classes.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void expect_same(const struct record *skimmed, const struct record *read, size_t number)
{
    must(skimmed->kind == read->kind && skimmed->thread == read->thread &&
             skimmed->begin == read->begin && skimmed->end == read->end &&
             skimmed->line == read->line,
         "record %zu is another one", number);
    if (record_is_allocation(read->kind))
        must(skimmed->object == read->object && skimmed->size == read->size &&
                 skimmed->type == read->type && skimmed->site == read->site &&
                 skimmed->length == read->length,
             "allocation %zu is another one", number);
    if (read->kind == RECORD_DEATH)
        must(skimmed->object == read->object && skimmed->death_thread == read->death_thread,
             "death %zu is another one", number);
}

/* The threads of the records so far, without deaths. */
struct threads {
    uint64_t ids[16];
    size_t count;
};

static bool is_known(const struct threads *threads, uint64_t id)
{
    for (size_t i = 0; i < threads->count; i++)
        if (threads->ids[i] == id)
            return true;
    return false;
}

static void note_thread(struct threads *threads, const struct record *record)
{
    if (record->kind == RECORD_DEATH || is_known(threads, record->thread))
        return;
    must(threads->count < ITEMS(threads->ids), "too many threads");
    threads->ids[threads->count++] = record->thread;
}

/* Whether skimming may leave a record out. */
static bool may_be_left_out(const struct record *record, const struct threads *threads)
{
    return strchr("UWTH", record->kind) && is_known(threads, record->thread);
}

static void expect_same_batch(const struct batch *skimmed, const struct batch *read,
                              struct threads *threads)
{
    size_t next = 0;
    must(read->comments == skimmed->comments && read->unknown == skimmed->unknown &&
             read->malformed == skimmed->malformed,
         "other lines are counted");
    for (size_t i = 0; i < read->count; i++) {
        const struct record *record = &read->records[i];
        bool is_there = next < skimmed->count && skimmed->records[next].begin == record->begin;
        must(is_there || may_be_left_out(record, threads), "record %zu is missing", i);
        if (is_there)
            expect_same(&skimmed->records[next++], record, i);
        note_thread(threads, record);
    }
    must(next == skimmed->count, "there are more records");
}

/* Reads and skims the text batch by batch, and compares both. Returns the number of records. */
static size_t skim(const char *text, const struct reader_options *options)
{
    struct source *source = source_from(text), *again = source_from(text);
    struct reader *reader = NULL, *skimming = NULL;
    struct batch read = BATCH_EMPTY, skimmed = BATCH_EMPTY;
    size_t count = 0;
    struct threads threads = {.count = 0};
    ok(et_reader_class.open(&reader, source, options, &cause));
    ok(et_reader_class.open(&skimming, again, options, &cause));
    while (reader_next(skimming, &skimmed, &cause) == STATUS_OK)
        continue;
    reader_skim(skimming);
    while (reader_next(reader, &read, &cause) == STATUS_OK) {
        ok(reader_next(skimming, &skimmed, &cause));
        expect_same_batch(&skimmed, &read, &threads);
        count += read.count;
    }
    cr_expect_eq(reader_next(skimming, &skimmed, &cause), STATUS_END);
    cr_expect_eq(reader_digest(reader), reader_digest(skimming));
    batch_free(&read);
    batch_free(&skimmed);
    reader_close(reader);
    reader_close(skimming);
    source_close(source);
    source_close(again);
    return count;
}

static const char *const lines[] = {
    "M 1 10 7\n",
    "E 1 7\n",
    "W 10 5 7\n",
    "U 10 20 3 7\n",
    "N 10 8 1 2 0 7\n",
    "E 1 77\n",
    "M 1 7 77\n",
    "E 77 77\n",
    "E 1 8\n",
    "A 9 9 9 9 9 8\n",
    "D 10 7 7\n",
    "# E 1 7\n",
    "\n",
    "Z 1 7\n",
    " E 1 7\n",
    "E 1  7\n",
    "E 1 7 \n",
    "E 1 7\r\n",
    "E\t1 7\n",
    "T 1 2 3 7\n",
    "H 1 2 3 7\n",
    "X 1 2 3 18446744073709551615\n",
    "E 1 007\n",
    "I 5 1 1 1 0 123456789012345678\n",
    "E 1 123456789012345678\n",
    "D 10 7 99\n",
    "W 10 5 99\n",
};

/* Lines whose ends look like the last fields of other lines. */
static const char *const lines_with_more[] = {
    "M 1 10 8 # 7\n",      "U 10 20 3 8 # as in 7\n",  "E 1 7 # 77\n",
    "A 9 9 9 9 9 8 2,7\n", "A 9 9 9 9 9 77 1,2 # 7\n",
};

/* One of `lines`, or sometimes, if `with_more`, one of `lines_with_more`. */
static const char *random_line(uint64_t *seed, bool with_more)
{
    if (with_more && random_below(seed, 8) == 0)
        return lines_with_more[random_below(seed, ITEMS(lines_with_more))];
    return lines[random_below(seed, ITEMS(lines))];
}

Test(et_skim, all_kinds_of_lines)
{
    uint64_t seed = 7;
    char *text = malloc(40 * 1000 + 1);
    cr_assert_not_null(text);
    for (int trial = 0; trial < 400; trial++) {
        size_t length = 0, count = random_below(&seed, 1000);
        for (size_t i = 0; i < count; i++)
            length += strlen(strcpy(text + length, random_line(&seed, trial >= 200)));
        text[length] = '\0';
        if (length > 0 && trial % 2 == 0) /* the last line has no line end */
            text[length - 1] = text[length - 1] == '\n' ? '\0' : text[length - 1];
        skim(text, &thread_dialect);
    }
    free(text);
}

Test(et_skim, lines_that_end_with_blocks)
{
    for (size_t blanks = 0; blanks < 140; blanks++) {
        char text[400];
        size_t length =
            (size_t)sprintf(text, "E 1 7\n#%*s\nE 1 7\nW 10 5 7\nE 1 7", (int)blanks, "");
        expect_number(skim(text, &thread_dialect), 4);
        strcpy(text + length, "\n");
        expect_number(skim(text, &thread_dialect), 4);
    }
}

Test(et_skim, a_thread_of_an_earlier_reading_is_new_again)
{
    struct source *source = source_from("W 1 1 7\nE 1 7\n");
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    ok(et_reader_class.open(&reader, source, &thread_dialect, &cause));
    for (int i = 0; i < 2; i++) {
        reader_skim(reader);
        ok(reader_next(reader, &batch, &cause));
        expect_number(batch.count, 2);
    }
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
}

Test(et_skim, times)
{
    expect_number(
        skim("M 1 0 5\nN 1 8 1 1 0 5\nW 1 1 5\nE 1 6\nE 1 6\nD 1 0 6\n", &time_dialect), 6);
}

Test(et_skim, lenient_readers_read_all)
{
    static const struct reader_options lenient = {.dialect = DIALECT_THREAD, .lenient = true};
    expect_number(skim("E 1 7\nE 7\nE 1 1 7\nW 0 1 7\nE 1 7\n", &lenient), 2);
}
