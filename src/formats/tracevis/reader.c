/* SPDX-License-Identifier: MIT */
/* Steps become records of the thread dialect. A step without a record becomes a comment in the
 * text of the batch, so that a conversion to Elephant Tracks keeps it. A free is not a death,
 * since the object may have been dead for long; it becomes a death only if the user asks for
 * that. */
#include "formats/classes.h"

#include "base/memory.h"
#include "formats/tracevis/events.h"
#include "trace/reader_class.h"

#include <stdlib.h>

enum { BATCH_RECORDS = 4096, BATCH_STEPS = 64 * 1024, BATCH_TEXT = 128 * 1024 };

struct tracevis_reader {
    struct reader base;
    struct steps *steps;
    bool keep_others;
    bool deaths_from_free;
    bool began;        /* the first batch has begun */
    uint64_t clock;    /* boundaries so far */
    uint64_t *threads; /* by serial: the thread that allocated the object; only if frees become
                          deaths */
    size_t threads_capacity;
};

static struct tracevis_reader *from_base(struct reader *reader)
{
    return (struct tracevis_reader *)reader;
}

static void tracevis_close(struct reader *reader)
{
    struct tracevis_reader *tracevis = from_base(reader);
    steps_close(tracevis->steps);
    free(tracevis->threads);
    free(tracevis);
}

static enum status tracevis_open(struct reader **out, struct source *source,
                                 const struct reader_options *options, struct failure *why)
{
    struct tracevis_reader *tracevis = calloc(1, sizeof *tracevis);
    if (!tracevis)
        return fail_memory(why);
    tracevis->keep_others = options->keep_others;
    tracevis->deaths_from_free = options->deaths_from_free;
    enum status status =
        steps_open(&tracevis->steps, source, options->lenient || options->keep_others, why);
    if (status != STATUS_OK) {
        tracevis_close(&tracevis->base);
        return status;
    }
    const struct tracevis_text *text = steps_text(tracevis->steps);
    tracevis->base = (struct reader){
        .methods = &tracevis_reader_class,
        .name = tracevis_text_name(text),
        .names = tracevis_text_names(text),
    };
    *out = &tracevis->base;
    return STATUS_OK;
}

static void tracevis_rewind(struct reader *reader)
{
    struct tracevis_reader *tracevis = from_base(reader);
    steps_rewind(tracevis->steps);
    tracevis->began = false;
    tracevis->clock = 0;
}

static const struct tracevis_text *text_of(const struct reader *reader)
{
    return steps_text(((const struct tracevis_reader *)reader)->steps);
}

static uint64_t tracevis_digest(const struct reader *reader)
{
    return tracevis_text_digest(text_of(reader));
}

static void tracevis_explain(const struct reader *reader, const struct batch *batch,
                             const struct record *record, struct failure *why)
{
    tracevis_text_explain(text_of(reader), batch->first_line + record->line, why);
}

static const struct remark *tracevis_remarks(const struct reader *reader, size_t *count)
{
    return steps_remarks(((const struct tracevis_reader *)reader)->steps, count);
}

/* Adds a record of this kind to the batch, at the position of `step` in the text. */
static struct record *add_record(struct batch *batch, const struct step *step,
                                 enum record_kind kind)
{
    struct record *record = &batch->records[batch->count++];
    *record = (struct record){
        .kind = (uint8_t)kind,
        .line = (uint32_t)(step->event->line - batch->first_line),
        .begin = (uint32_t)batch->text_length,
        .end = (uint32_t)batch->text_length,
        .thread = step->thread,
    };
    return record;
}

static enum status add_allocation(struct tracevis_reader *tracevis, struct batch *batch,
                                  const struct step *step, struct failure *why)
{
    struct record *record = add_record(batch, step, RECORD_OBJECT);
    record->object = step->object;
    record->type = step->type;
    record->site = step->site;
    if (!tracevis->deaths_from_free)
        return STATUS_OK;
    if (!ARRAY_RESERVE(tracevis->threads, tracevis->threads_capacity, step->serial + 1))
        return fail_memory(why);
    tracevis->threads[step->serial] = step->thread;
    return STATUS_OK;
}

/* Adds an M, E or X record. */
static void add_boundary(struct tracevis_reader *tracevis, struct batch *batch,
                         const struct step *step, enum record_kind kind)
{
    struct record *record = add_record(batch, step, kind);
    record->method = step->method;
    record->receiver = kind == RECORD_EXIT ? 0 : step->object;
    tracevis->clock++;
}

static enum status add_comment(const struct tracevis_reader *tracevis, struct batch *batch,
                               const struct step *step, struct failure *why)
{
    batch->comments++;
    return comment_add_line(batch, "# ", step->event, tracevis->base.names, why);
}

/* Adds an OF as a death or a comment. */
static enum status add_free(const struct tracevis_reader *tracevis, struct batch *batch,
                            const struct step *step, struct failure *why)
{
    if (!tracevis->deaths_from_free)
        return add_comment(tracevis, batch, step, why);
    struct record *record = add_record(batch, step, RECORD_DEATH);
    record->object = step->object;
    record->death_thread = tracevis->threads[step->serial];
    record->time = tracevis->clock;
    return STATUS_OK;
}

/* Adds what is no record. */
static enum status add_note(const struct tracevis_reader *tracevis, struct batch *batch,
                            const struct step *step, struct failure *why)
{
    switch (step->event->kind) {
    case EVENT_BLANK:
        batch->comments++;
        return STATUS_OK;
    case EVENT_UNKNOWN:
        batch->unknown++;
        if (tracevis->keep_others)
            add_record(batch, step, (enum record_kind)RECORD_UNKNOWN);
        return STATUS_OK;
    case EVENT_MALFORMED:
        batch->malformed++;
        if (tracevis->keep_others)
            add_record(batch, step, (enum record_kind)RECORD_MALFORMED)->fault = FAULT_LINE;
        return STATUS_OK;
    default:
        return add_comment(tracevis, batch, step, why);
    }
}

static enum status add_step(struct tracevis_reader *tracevis, struct batch *batch,
                            const struct step *step, struct failure *why)
{
    switch (step->kind) {
    case STEP_NOTE:
        return add_note(tracevis, batch, step, why);
    case STEP_ALLOCATE:
        return add_allocation(tracevis, batch, step, why);
    case STEP_ENTER:
        add_boundary(tracevis, batch, step, RECORD_ENTRY);
        break;
    case STEP_LEAVE:
        add_boundary(tracevis, batch, step, RECORD_EXIT);
        break;
    case STEP_THROW:
        add_boundary(tracevis, batch, step, RECORD_EXCEPTION_EXIT);
        break;
    case STEP_ABANDON:
    case STEP_UNWIND:
        break; /* tracers leave it out, too */
    case STEP_FREE:
        return add_free(tracevis, batch, step, why);
    }
    return STATUS_OK;
}

/* Adds the text of the last record's event, which messages quote. */
static enum status quote_event(const struct tracevis_reader *tracevis, struct batch *batch,
                               const struct tv_event *event, struct failure *why)
{
    if (event->kind == EVENT_MALFORMED)
        return STATUS_OK; /* tracevis_explain shows it */
    struct record *record = &batch->records[batch->count - 1];
    TRY(comment_add_line(batch, "", event, tracevis->base.names, why));
    record->end = (uint32_t)batch->text_length;
    return STATUS_OK;
}

/* Adds a comment at the head of the trace that says what its deaths are. */
static enum status tv_reader_begin(struct tracevis_reader *tracevis, struct batch *batch,
                                   struct failure *why)
{
    tracevis->began = true;
    return comment_add(batch,
                       tracevis->deaths_from_free
                           ? "TraceVis; deaths from: free, the latest moment they can be"
                           : "TraceVis; deaths from: last-use, the earliest moment they can be",
                       why);
}

/* A batch without records can have comments in its text. */
static enum status tracevis_next(struct reader *reader, struct batch *batch,
                                 struct failure *why)
{
    struct tracevis_reader *tracevis = from_base(reader);
    struct step step;
    size_t steps = 0;
    enum status status = batch_reserve(batch, BATCH_RECORDS, 0, why);
    while (status == STATUS_OK && batch->count < BATCH_RECORDS &&
           batch->text_length < BATCH_TEXT && steps < BATCH_STEPS &&
           (status = steps_next(tracevis->steps, &step, why)) == STATUS_OK) {
        size_t count = batch->count;
        if (steps++ == 0)
            batch->first_line = step.event->line;
        if (!tracevis->began)
            status = tv_reader_begin(tracevis, batch, why);
        if (status == STATUS_OK)
            status = add_step(tracevis, batch, &step, why);
        if (status == STATUS_OK && tracevis->keep_others && batch->count > count)
            status = quote_event(tracevis, batch, step.event, why);
    }
    if (status == STATUS_END)
        reader->unfinished = steps_unfinished(tracevis->steps);
    return status == STATUS_END && steps > 0 ? STATUS_OK : status;
}

static struct moment moment_of(const struct step *step)
{
    static const enum moment_kind kinds[] = {
        [STEP_NOTE] = MOMENT_OTHER,    [STEP_ALLOCATE] = MOMENT_ALLOCATED,
        [STEP_ENTER] = MOMENT_ENTERED, [STEP_LEAVE] = MOMENT_LEFT,
        [STEP_THROW] = MOMENT_LEFT,    [STEP_UNWIND] = MOMENT_LEFT,
        [STEP_FREE] = MOMENT_FREED,    [STEP_ABANDON] = MOMENT_ABANDONED,
    };
    bool is_end = step->kind == STEP_NOTE && step->event->kind == EVENT_VM_ENDED;
    return (struct moment){
        .kind = is_end ? MOMENT_ENDED : kinds[step->kind],
        .time = step->time,
        .object = step->object,
        .serial = step->serial,
        .type = step->type,
        .constructor = step->constructor,
    };
}

static enum status tracevis_moments(struct reader *reader, moment_visitor see, void *context,
                                    struct failure *why)
{
    struct steps *steps = from_base(reader)->steps;
    struct step step;
    enum status status = STATUS_OK;
    reader_rewind(reader, NULL);
    while (status == STATUS_OK && (status = steps_next(steps, &step, why)) == STATUS_OK) {
        struct moment moment = moment_of(&step);
        status = see(context, &moment, why);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

const struct reader_class tracevis_reader_class = {
    .name = "tracevis",
    .title = "TraceVis",
    .takes = TAKES_DEATHS_FROM_FREE,
    .bid = tracevis_bid,
    .open = tracevis_open,
    .next = tracevis_next,
    .rewind = tracevis_rewind,
    .digest = tracevis_digest,
    .explain = tracevis_explain,
    .close = tracevis_close,
    .moments = tracevis_moments,
    .remarks = tracevis_remarks,
};
