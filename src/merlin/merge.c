/* SPDX-License-Identifier: MIT */
/* The second reading: the text of the trace is copied, and each death is put after the boundary
 * at which it happened. The text is written in pieces as long as a batch, cut only where a
 * death is added or removed, so that a trace is copied rather than rewritten. Only boundaries
 * that deaths follow need to be found: the reader skips to them by counting (struct
 * boundary_filter), which makes this reading several times faster than the first. A digest of
 * the bytes proves that both readings read the same input. */
#include "merlin/merge.h"

#include "trace/readahead.h"
#include "trace/rewrite.h"

struct merging {
    struct writer *writer;
    const struct deaths *deaths;
    const struct merge_options *options;
    bool reads_all; /* all boundaries are read, not only those that deaths follow */
    struct death_cursor *cursor;
    struct death next; /* the death to be written next */
    bool has_next;     /* it is a death at a boundary */
    uint64_t tick;     /* the boundaries so far, if all are read */
};

/* The ticks at which the second reading is to stop; it may be ahead of the merging. A failure
 * is reported when the reading is over. */
struct death_ticks {
    struct death_cursor *cursor;
    uint64_t tick; /* the latest tick */
    enum status status;
    struct failure why;
};

static uint64_t next_death_tick(void *context)
{
    struct death_ticks *ticks = context;
    if (ticks->status == STATUS_OK)
        ticks->status = death_cursor_skip_tick(ticks->cursor, &ticks->tick, &ticks->why);
    return ticks->status == STATUS_OK ? ticks->tick : UINT64_MAX;
}

static enum status write_text(struct merging *merging, const char *text, size_t length,
                              struct failure *why)
{
    if (merging->options->deaths_only)
        return STATUS_OK;
    return writer_text(merging->writer, text, length, why);
}

/* Moves to the next death. */
static enum status advance(struct merging *merging, struct failure *why)
{
    enum status status = death_cursor_next(merging->cursor, &merging->next, why);
    merging->has_next = status == STATUS_OK && !merging->next.survives;
    return status == STATUS_END ? STATUS_OK : status;
}

/* Writes the next death, and moves to the one after it. */
static enum status write_death(struct merging *merging, struct failure *why)
{
    struct record death = death_record(&merging->next, merging->options->thread);
    TRY(writer_record(merging->writer, &death, why));
    return advance(merging, why);
}

/* Writes the deaths of one boundary. */
static enum status write_deaths(struct merging *merging, struct failure *why)
{
    uint64_t tick = merging->next.tick;
    while (merging->has_next && merging->next.tick == tick)
        TRY(write_death(merging, why));
    return STATUS_OK;
}

/* Writes the deaths of what survives; the next death is the first of these, if there are any.
 */
static enum status write_survivors(struct merging *merging, struct failure *why)
{
    for (size_t left = merging->deaths->alive_count; left > 0; left--)
        TRY(write_death(merging, why));
    return STATUS_OK;
}

/* Whether deaths follow the record, which is the next one. */
static bool is_followed(struct merging *merging, const struct record *record)
{
    if (!record_is_boundary(record->kind))
        return false;
    if (!merging->reads_all)
        return true;
    merging->tick++;
    return merging->has_next && merging->next.tick == merging->tick;
}

/* Writes the text of the batch, cut where deaths are added or removed. */
static enum status merge_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct merging *merging = context;
    size_t written = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        bool is_death = record->kind == RECORD_DEATH;
        bool is_followed_by_deaths = is_followed(merging, record);
        if (!is_death && !is_followed_by_deaths)
            continue;
        size_t end = is_death ? record->begin : record->end;
        TRY(write_text(merging, batch->text + written, end - written, why));
        written = record->end;
        if (is_followed_by_deaths)
            TRY(write_deaths(merging, why));
    }
    return write_text(merging, batch->text + written, batch->text_length - written, why);
}

/* Whether the objects of a line about a reference object, which has been numbered, have
 * numbers: those that no record before it names have none. */
static bool has_numbers(const struct record *line)
{
    return line->reference != 0 && (line->kind != RECORD_REFERENCE || line->referent != 0);
}

/* Writes one record of the trace, unless it is a death. */
static enum status merge_write_record(struct merging *merging, struct rewriting *rewriting,
                                      const struct record *record, struct failure *why)
{
    if (record->kind == RECORD_DEATH)
        return rewrite_record(rewriting, record, NULL, why);
    if (!merging->options->numbering)
        return rewrite_record(rewriting, record, record, why);
    struct record numbered = *record;
    TRY(numbering_apply(merging->options->numbering, &numbered, why));
    bool is_kept = !record_is_about_reference(record->kind) || has_numbers(&numbered);
    return rewrite_record(rewriting, record, is_kept ? &numbered : NULL, why);
}

/* Whether records are written, rather than the text of the trace. */
static bool is_rewriting(const struct merging *merging)
{
    const struct merge_options *options = merging->options;
    return !options->deaths_only && (options->rewrite || options->numbering);
}

/* Writes the records of the batch, without recorded deaths and with computed ones. */
static enum status rewrite_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct merging *merging = context;
    struct rewriting rewriting = {.writer = merging->writer, .batch = batch};
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        TRY(merge_write_record(merging, &rewriting, record, why));
        if (is_followed(merging, record))
            TRY(write_deaths(merging, why));
    }
    return rewrite_rest(&rewriting, why);
}

/* Starts the second reading in the way that reads the least of each record. Lines about
 * references are text between the records, unless they get new ids. */
static void begin_reading(const struct merging *merging, struct reader *reader,
                          const struct boundary_filter *filter)
{
    const struct merge_options *options = merging->options;
    reader->delivers_references =
        is_rewriting(merging) && options->numbering && is_same_format(reader, merging->writer);
    if (!merging->reads_all)
        reader_rewind(reader, filter);
    else if (merging->writer->methods->writes_lives && !options->numbering)
        reader_skim(reader);
    else
        reader_rewind(reader, NULL);
}

/* Reads the trace once more and writes it. */
static enum status merge_all(struct merging *merging, struct reader *reader,
                             struct death_ticks *ticks, struct failure *why)
{
    const struct merge_options *options = merging->options;
    struct boundary_filter filter = {
        .next = next_death_tick,
        .context = ticks,
    };
    TRY(advance(merging, why));
    begin_reading(merging, reader, &filter);
    enum status status =
        readahead_visit(reader, options->threads,
                        is_rewriting(merging) ? rewrite_batch : merge_batch, merging, why);
    reader->delivers_references = false;
    return status;
}

/* Reports a failure of the filter's cursor first, since boundaries are missing because of it.
 */
static enum status check_ticks(struct death_ticks *ticks, enum status status,
                               struct failure *why)
{
    death_cursor_close(ticks->cursor);
    if (ticks->status == STATUS_OK || ticks->status == STATUS_END) {
        failure_clear(&ticks->why);
        return status;
    }
    return failure_move(why, &ticks->why);
}

enum status merge(struct reader *reader, struct writer *writer, const struct deaths *deaths,
                  uint64_t digest, const struct merge_options *options, struct failure *why)
{
    struct merging merging = {.writer = writer, .deaths = deaths, .options = options};
    struct death_ticks ticks = {.cursor = NULL};
    merging.reads_all = options->rewrite || is_rewriting(&merging);
    enum status status = death_cursor_open(&merging.cursor, deaths, why);
    if (status == STATUS_OK)
        status = death_cursor_open(&ticks.cursor, deaths, why);
    if (status == STATUS_OK)
        status = merge_all(&merging, reader, &ticks, why);
    status = check_ticks(&ticks, status, why);
    status = reader_check(reader, status, digest, why);
    if (status == STATUS_OK && options->at_end == AT_END_DIE)
        status = write_survivors(&merging, why);
    death_cursor_close(merging.cursor);
    return status == STATUS_OK ? writer_finish(writer, why) : status;
}
