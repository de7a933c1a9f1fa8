#include "merlin/merge.h"

#include "trace/readahead.h"
#include "trace/rewrite.h"

struct merging {
    struct writer *writer; /* NULL: nothing is written */
    const struct deaths *deaths;
    const struct merge_options *options;
    bool reads_all; /* else of the boundaries only those that deaths follow */
    size_t next;    /* death to be written next */
    uint64_t tick;  /* boundaries so far, if all are read */
    struct showing showing;
};

/* The ticks that the second reading is to stop at; it may be ahead of the merging. */
struct death_ticks {
    const struct deaths *deaths;
    size_t next;
};

static uint64_t next_death_tick(void *context)
{
    struct death_ticks *ticks = context;
    return deaths_next_tick(ticks->deaths, &ticks->next);
}

static enum status write_text(struct merging *merging, const char *text, size_t length,
                              struct failure *why)
{
    if (merging->options->deaths_only || !merging->writer)
        return STATUS_OK;
    return writer_text(merging->writer, text, length, why);
}

static enum status write_death(struct merging *merging, node_t node, uint64_t time,
                               struct failure *why)
{
    struct record death = deaths_record(merging->deaths, node, time, merging->options->thread);
    if (merging->options->numbering)
        death.object = numbering_numbers(merging->options->numbering)[node];
    enum status status = show_death(&merging->showing, &death, node, why);
    if (status != STATUS_OK || !merging->writer)
        return status;
    return writer_record(merging->writer, &death, why);
}

/* Writes the deaths of one boundary. */
static enum status write_deaths(struct merging *merging, struct failure *why)
{
    const struct deaths *deaths = merging->deaths;
    size_t end = merging->next;
    uint64_t tick = deaths_next_tick(deaths, &end);
    uint64_t time = clock_time(&deaths->history->clock, tick);
    enum status status = STATUS_OK;
    for (; merging->next < end && status == STATUS_OK; merging->next++)
        status = write_death(merging, deaths->dead[merging->next], time, why);
    return status;
}

static enum status write_survivors(struct merging *merging, struct failure *why)
{
    show_end(&merging->showing);
    const struct deaths *deaths = merging->deaths;
    uint64_t time = clock_time(&deaths->history->clock, deaths->history->clock.now);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < deaths->alive_count && status == STATUS_OK; i++)
        status = write_death(merging, deaths->alive[i], time, why);
    return status;
}

/* Whether deaths follow the record, which is the next one. */
static bool is_followed(struct merging *merging, const struct record *record)
{
    if (!record_is_boundary(record->kind))
        return false;
    if (!merging->reads_all)
        return true;
    merging->tick++;
    return merging->next < merging->deaths->dead_count &&
           deaths_tick(merging->deaths, merging->next) == merging->tick;
}

/* Writes the text of the batch, interrupted where deaths go in or come out. */
static enum status merge_batch(struct merging *merging, const struct batch *batch,
                               struct failure *why)
{
    enum status status = STATUS_OK;
    size_t written = 0;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        bool is_death = record->kind == RECORD_DEATH;
        if (!is_death)
            status = show_record(&merging->showing, batch, record, why);
        bool is_followed_by_deaths = is_followed(merging, record);
        if (status != STATUS_OK || (!is_death && !is_followed_by_deaths))
            continue;
        size_t end = is_death ? record->begin : record->end;
        status = write_text(merging, batch->text + written, end - written, why);
        written = record->end;
        if (status == STATUS_OK && is_followed_by_deaths)
            status = write_deaths(merging, why);
    }
    if (status != STATUS_OK)
        return status;
    return write_text(merging, batch->text + written, batch->text_length - written, why);
}

/* Writes one record of the trace, unless it is a death. */
static enum status write_record(struct merging *merging, struct rewriting *rewriting,
                                const struct record *record, struct failure *why)
{
    struct record numbered;
    if (record->kind == RECORD_DEATH)
        return rewrite_record(rewriting, record, NULL, why);
    if (!merging->options->numbering)
        return rewrite_record(rewriting, record, record, why);
    numbered = *record;
    enum status status = numbering_apply(merging->options->numbering, &numbered, why);
    return status == STATUS_OK ? rewrite_record(rewriting, record, &numbered, why) : status;
}

/* Whether records are written, rather than the text of the trace. */
static bool is_rewriting(const struct merging *merging)
{
    const struct merge_options *options = merging->options;
    return merging->writer && !options->deaths_only && (options->rewrite || options->numbering);
}

/* Writes the records of the batch, without deaths that are recorded, and the computed ones. */
static enum status rewrite_batch(struct merging *merging, const struct batch *batch,
                                 struct failure *why)
{
    struct rewriting rewriting = {.writer = merging->writer, .batch = batch};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        status = write_record(merging, &rewriting, record, why);
        if (status == STATUS_OK && record->kind != RECORD_DEATH)
            status = show_record(&merging->showing, batch, record, why);
        if (status == STATUS_OK && is_followed(merging, record))
            status = write_deaths(merging, why);
    }
    return status == STATUS_OK ? rewrite_rest(&rewriting, why) : status;
}

static enum status merge_batches(struct merging *merging, struct readahead *batches,
                                 struct failure *why)
{
    bool rewriting = is_rewriting(merging);
    const struct batch *batch;
    enum status status;
    while ((status = readahead_next(batches, &batch, why)) == STATUS_OK &&
           (status = rewriting ? rewrite_batch(merging, batch, why)
                               : merge_batch(merging, batch, why)) == STATUS_OK)
        continue;
    return status == STATUS_END ? STATUS_OK : status;
}

enum status merge_check(const struct reader *reader, enum status status, uint64_t digest,
                        struct failure *why)
{
    if (status != STATUS_SYNTAX && (status != STATUS_OK || reader_digest(reader) == digest))
        return status;
    return source_changed(reader->name, why);
}

/* Starts the second reading, with no more of each record than is needed. */
static void begin_reading(const struct merging *merging, struct reader *reader,
                          const struct boundary_filter *filter)
{
    const struct merge_options *options = merging->options;
    if (!merging->reads_all)
        reader_rewind(reader, filter);
    else if (merging->writer && merging->writer->class->writes_lives && !options->observer &&
             !options->numbering)
        reader_skim(reader);
    else
        reader_rewind(reader, NULL);
}

enum status merge(struct reader *reader, struct writer *writer, const struct deaths *deaths,
                  uint64_t digest, const struct merge_options *options, struct failure *why)
{
    struct merging merging = {.writer = writer, .deaths = deaths, .options = options};
    struct death_ticks ticks = {.deaths = deaths};
    struct boundary_filter filter = {
        .next = next_death_tick,
        .context = &ticks,
        .allocations = options->observer != NULL,
    };
    struct readahead *batches;
    merging.reads_all =
        options->rewrite || is_rewriting(&merging) || observer_needs_all(options->observer);
    merging.showing = show_to(options->observer, deaths->history, merging.reads_all);
    begin_reading(&merging, reader, &filter);
    enum status status = readahead_open(&batches, reader, options->threads, why);
    if (status != STATUS_OK)
        return status;
    status = merge_batches(&merging, batches, why);
    readahead_close(batches);
    status = merge_check(reader, status, digest, why);
    if (status == STATUS_OK && options->at_end == AT_END_DIE)
        status = write_survivors(&merging, why);
    return status == STATUS_OK && writer ? writer_finish(writer, why) : status;
}

static enum status observe_batch(struct showing *showing, const struct batch *batch,
                                 struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        status = record->kind == RECORD_DEATH ? show_death(showing, record, NODE_NONE, why)
                                              : show_record(showing, batch, record, why);
    }
    return status;
}

enum status observe(struct reader *reader, const struct history *history,
                    const struct merge_observer *observer, uint64_t digest, unsigned threads,
                    struct failure *why)
{
    struct showing showing = show_to(observer, history, true);
    struct readahead *batches;
    reader_rewind(reader, NULL);
    enum status status = readahead_open(&batches, reader, threads, why);
    if (status != STATUS_OK)
        return status;
    const struct batch *batch;
    while ((status = readahead_next(batches, &batch, why)) == STATUS_OK &&
           (status = observe_batch(&showing, batch, why)) == STATUS_OK)
        continue;
    readahead_close(batches);
    return merge_check(reader, status == STATUS_END ? STATUS_OK : status, digest, why);
}
