#include "merlin/merge.h"

struct merging {
    struct writer *writer;
    const struct deaths *deaths;
    const struct merge_options *options;
    uint64_t tick; /* boundaries that have been read */
    size_t next;   /* death to be written next */
};

static enum status write_text(struct merging *merging, const char *text, size_t length,
                              struct failure *why)
{
    if (merging->options->deaths_only)
        return STATUS_OK;
    return writer_text(merging->writer, text, length, why);
}

static enum status write_death(struct merging *merging, node_t node, uint64_t time,
                               struct failure *why)
{
    const struct heap *heap = &merging->deaths->history->heap;
    const uint64_t *thread = merging->options->thread;
    struct record death = {
        .kind = RECORD_DEATH,
        .object = objects_id(heap->objects, node),
        .thread = thread ? *thread
                         : frames_thread_id(heap->frames, objects_thread(heap->objects, node)),
        .time = time,
    };
    return writer_record(merging->writer, &death, why);
}

/* Whether objects die at the present tick. */
static bool has_deaths(const struct merging *merging)
{
    return merging->next < merging->deaths->dead_count &&
           deaths_tick(merging->deaths, merging->next) == merging->tick;
}

static enum status write_deaths(struct merging *merging, struct failure *why)
{
    const struct deaths *deaths = merging->deaths;
    uint64_t time = clock_time(&deaths->history->clock, merging->tick);
    enum status status = STATUS_OK;
    for (; has_deaths(merging) && status == STATUS_OK; merging->next++)
        status = write_death(merging, deaths->dead[merging->next], time, why);
    return status;
}

static enum status write_survivors(struct merging *merging, struct failure *why)
{
    const struct deaths *deaths = merging->deaths;
    uint64_t time = clock_time(&deaths->history->clock, merging->tick);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < deaths->alive_count && status == STATUS_OK; i++)
        status = write_death(merging, deaths->alive[i], time, why);
    return status;
}

/* Writes the text of the batch, interrupted where deaths go in or come out. */
static enum status merge_batch(struct merging *merging, const struct batch *batch,
                               struct failure *why)
{
    enum status status = STATUS_OK;
    size_t written = 0;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        const char *text = batch->text + written;
        if (record->kind == RECORD_DEATH) {
            status = write_text(merging, text, record->begin - written, why);
            written = record->end;
            continue;
        }
        merging->tick++;
        if (!has_deaths(merging))
            continue;
        status = write_text(merging, text, record->end - written, why);
        written = record->end;
        if (status == STATUS_OK)
            status = write_deaths(merging, why);
    }
    if (status != STATUS_OK)
        return status;
    return write_text(merging, batch->text + written, batch->text_length - written, why);
}

enum status merge(struct reader *reader, struct writer *writer, const struct deaths *deaths,
                  uint64_t digest, const struct merge_options *options, struct failure *why)
{
    struct merging merging = {.writer = writer, .deaths = deaths, .options = options};
    struct batch batch = BATCH_EMPTY;
    enum status status;
    while ((status = reader_next(reader, READ_BOUNDARIES, &batch, why)) == STATUS_OK &&
           (status = merge_batch(&merging, &batch, why)) == STATUS_OK)
        continue;
    batch_free(&batch);
    if (status != STATUS_END)
        return status;
    if (reader_digest(reader) != digest)
        return fail_at(why, STATUS_MEANING, reader->name, 0,
                       "The file changed while it was read: start again when it is complete");
    return options->at_end == AT_END_DIE ? write_survivors(&merging, why) : STATUS_OK;
}
