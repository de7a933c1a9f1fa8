/* SPDX-License-Identifier: MIT */
/* All records are lexed again, and nothing that the second pass knew is used: neither its
 * filter nor its position among the deaths. */
#include "merlin/merge.h"

#include "base/digest.h"
#include "trace/readahead.h"

#include <inttypes.h>

struct verifying {
    const char *name;
    XXH3_state_t *digest;
    bool holds_line_end;    /* the text so far ends with an LF that is not in the digest yet */
    bool death_without_end; /* the last line is a death without LF */
    const struct deaths *deaths; /* NULL: any */
    const struct merge_options *options;
    uint64_t tick;
    struct death_cursor *cursor; /* a position among these deaths */
    struct death next;           /* the death that must come next */
    bool has_next;               /* there is one */
};

/* Adds text to the digest. If a death has no LF, the LF before it belongs to the death, since
 * the last line of the trace had none. So each last LF waits for what comes after it. */
static void verify_add_text(struct verifying *verifying, const char *text, size_t length)
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
                   "Verification failed: the output is wrong: %s", what);
}

/* Finds the death that must come next. */
static enum status expect_next(struct verifying *verifying, struct failure *why)
{
    enum status status = death_cursor_next(verifying->cursor, &verifying->next, why);
    verifying->has_next = status == STATUS_OK && (!verifying->next.survives ||
                                                  verifying->options->at_end == AT_END_DIE);
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status check_death(struct verifying *verifying, const struct record *record,
                               uint64_t line, struct failure *why)
{
    if (!verifying->has_next)
        return differs(verifying, line, "it has one death too many", why);
    struct record death = death_record(&verifying->next, verifying->options->thread);
    if (record->object != death.object || record->death_thread != death.death_thread ||
        record->time != death.time)
        return differs(verifying, line, "this is not the death that was computed", why);
    if (!verifying->options->deaths_only && verifying->next.tick != verifying->tick)
        return differs(verifying, line, "this death is in the wrong place", why);
    return expect_next(verifying, why);
}

static enum status check_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct verifying *verifying = context;
    enum status status = STATUS_OK;
    size_t seen = 0;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        verifying->tick += record_is_boundary(record->kind) != 0;
        if (record->kind != RECORD_DEATH)
            continue;
        if (verifying->deaths)
            status = check_death(verifying, record, batch->first_line + record->line, why);
        verify_add_text(verifying, batch->text + seen, record->begin - seen);
        verifying->death_without_end = batch->text[record->end - 1] != '\n';
        seen = record->end;
    }
    verify_add_text(verifying, batch->text + seen, batch->text_length - seen);
    return status;
}

/* Reads all of `reader`, and sets *digest to the digest of its text without deaths. */
static enum status verify_read_all(struct verifying *verifying, struct reader *reader,
                                   unsigned threads, uint64_t *digest, struct failure *why)
{
    verifying->name = reader->name;
    verifying->digest = XXH3_createState();
    if (!verifying->digest)
        return fail_memory(why);
    XXH3_64bits_reset(verifying->digest);
    enum status status = readahead_visit(reader, threads, check_batch, verifying, why);
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
    return verify_read_all(&verifying, trace, threads, digest, why);
}

/* Reads all of the output and checks its deaths. Sets *digest to the digest of its text without
 * deaths. */
static enum status verify_deaths(struct verifying *verifying, struct reader *output,
                                 uint64_t *digest, struct failure *why)
{
    enum status status = death_cursor_open(&verifying->cursor, verifying->deaths, why);
    if (status == STATUS_OK)
        status = expect_next(verifying, why);
    if (status == STATUS_OK)
        status = verify_read_all(verifying, output, verifying->options->threads, digest, why);
    death_cursor_close(verifying->cursor);
    return status;
}

enum status verify(struct reader *output, const struct deaths *deaths, uint64_t text,
                   const struct merge_options *options, struct failure *why)
{
    struct verifying verifying = {.deaths = deaths, .options = options};
    uint64_t digest;
    TRY(verify_deaths(&verifying, output, &digest, why));
    if (verifying.has_next)
        return differs(&verifying, 0, "deaths are missing at its end", why);
    if (options->deaths_only)
        text = XXH3_64bits("", 0);
    if (digest != text)
        return differs(&verifying, 0, "without its deaths it is not the trace", why);
    return STATUS_OK;
}
