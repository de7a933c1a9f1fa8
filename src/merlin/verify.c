/* All records are lexed again, and nothing of what the second pass knew is used: neither its
 * filter nor its place in the list of deaths. */
#include "merlin/verify.h"

#include "trace/readahead.h"

#include <inttypes.h>
#include <xxhash.h>

struct verifying {
    const char *name;
    XXH3_state_t *digest;
    bool holds_line_end;         /* the text so far ends with an LF that is not digested yet */
    bool death_without_end;      /* the last line is a death, without LF */
    const struct deaths *deaths; /* NULL: any */
    const struct merge_options *options;
    uint64_t tick;
    size_t deaths_seen;
};

/* The LF before a death belongs to the death if that has none: then the trace's
 * last line had none. So each last LF waits for what comes after it. */
static void add_text(struct verifying *verifying, const char *text, size_t length)
{
    if (length == 0)
        return;
    if (verifying->holds_line_end)
        XXH3_64bits_update(verifying->digest, "\n", 1);
    verifying->holds_line_end = text[length - 1] == '\n';
    XXH3_64bits_update(verifying->digest, text, length - verifying->holds_line_end);
}

static enum status differs(const struct verifying *verifying, uint64_t line, const char *what,
                           struct failure *why)
{
    return fail_at(why, STATUS_MEANING, verifying->name, line,
                   "Verification failed, what has been written is wrong: %s", what);
}

/* The death that must come next, and the tick at which. False: there is none. */
static bool expect(const struct verifying *verifying, struct record *death, uint64_t *tick)
{
    const struct deaths *deaths = verifying->deaths;
    const struct clock *clock = &deaths->history->clock;
    size_t index = verifying->deaths_seen;
    bool is_alive = index >= deaths->dead_count;
    if (is_alive && (verifying->options->at_end == AT_END_NONE ||
                     index - deaths->dead_count >= deaths->alive_count))
        return false;
    *tick = is_alive ? clock->now : deaths_tick(deaths, index);
    node_t node = is_alive ? deaths->alive[index - deaths->dead_count] : deaths->dead[index];
    *death = deaths_record(deaths, node, clock_time(clock, *tick), verifying->options->thread);
    return true;
}

static enum status check_death(struct verifying *verifying, const struct record *record,
                               uint64_t line, struct failure *why)
{
    struct record death;
    uint64_t tick;
    if (!expect(verifying, &death, &tick))
        return differs(verifying, line, "there is a death too many", why);
    if (record->object != death.object || record->death_thread != death.death_thread ||
        record->time != death.time)
        return differs(verifying, line, "this is not the death that was computed", why);
    if (!verifying->options->deaths_only && tick != verifying->tick)
        return differs(verifying, line, "this death is in the wrong place", why);
    verifying->deaths_seen++;
    return STATUS_OK;
}

static enum status check_batch(struct verifying *verifying, const struct batch *batch,
                               struct failure *why)
{
    enum status status = STATUS_OK;
    size_t seen = 0;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        verifying->tick += record_is_boundary(record->kind) != 0;
        if (record->kind != RECORD_DEATH)
            continue;
        if (verifying->deaths)
            status = check_death(verifying, record, batch->first_line + record->line, why);
        add_text(verifying, batch->text + seen, record->begin - seen);
        verifying->death_without_end = batch->text[record->end - 1] != '\n';
        seen = record->end;
    }
    add_text(verifying, batch->text + seen, batch->text_length - seen);
    return status;
}

static enum status check_batches(struct verifying *verifying, struct readahead *batches,
                                 struct failure *why)
{
    const struct batch *batch;
    enum status status;
    while ((status = readahead_next(batches, &batch, why)) == STATUS_OK &&
           (status = check_batch(verifying, batch, why)) == STATUS_OK)
        continue;
    return status == STATUS_END ? STATUS_OK : status;
}

/* Reads all of `reader`; sets *digest to that of its text. */
static enum status read_all(struct verifying *verifying, struct reader *reader,
                            unsigned threads, uint64_t *digest, struct failure *why)
{
    struct readahead *batches;
    verifying->name = reader->name;
    verifying->digest = XXH3_createState();
    if (!verifying->digest)
        return fail_memory(why);
    XXH3_64bits_reset(verifying->digest);
    enum status status = readahead_open(&batches, reader, threads, why);
    if (status == STATUS_OK) {
        status = check_batches(verifying, batches, why);
        readahead_close(batches);
    }
    bool is_ours = verifying->deaths && verifying->death_without_end;
    if (verifying->holds_line_end && !is_ours)
        XXH3_64bits_update(verifying->digest, "\n", 1);
    *digest = XXH3_64bits_digest(verifying->digest);
    XXH3_freeState(verifying->digest);
    return status;
}

enum status digest_without_deaths(struct reader *trace, unsigned threads, uint64_t *digest,
                                  struct failure *why)
{
    struct verifying verifying = {.deaths = NULL};
    reader_rewind(trace, NULL);
    return read_all(&verifying, trace, threads, digest, why);
}

enum status verify(struct reader *output, const struct deaths *deaths, uint64_t text,
                   const struct merge_options *options, struct failure *why)
{
    struct verifying verifying = {.deaths = deaths, .options = options};
    struct record death;
    uint64_t digest, tick;
    enum status status = read_all(&verifying, output, options->threads, &digest, why);
    if (status != STATUS_OK)
        return status;
    if (expect(&verifying, &death, &tick))
        return differs(&verifying, 0, "deaths are missing at its end", why);
    if (options->deaths_only)
        text = XXH3_64bits("", 0);
    if (digest != text)
        return differs(&verifying, 0, "without its deaths it is not the trace", why);
    return STATUS_OK;
}
