/* SPDX-License-Identifier: MIT */
/* The log is read once to learn what only later events show (survey.c), and once more for each
 * reading of the records. The memory used grows with the objects of the trace and with its
 * index, not with the log. */
#include "formats/classes.h"

#include "formats/selogger/catalogue.h"
#include "formats/selogger/conversion.h"
#include "formats/selogger/loading.h"
#include "formats/selogger/log.h"
#include "trace/reader_class.h"

#include <stdlib.h>
#include <string.h>

/* The index has all instructions that were instrumented, whether they were executed or not. So
 * if no instruction is of some kind, that kind was not asked for, or the program has nothing of
 * it. */

enum { KINDS_MOST = 64 };

#define KIND(event) (UINT64_C(1) << (event))

static const struct {
    uint64_t kinds; /* any one of them is enough */
    const char *text;
} hints[] = {
    {KIND(EVENT_ENTRY) | KIND(EVENT_NORMAL_EXIT) | KIND(EVENT_EXCEPTIONAL_EXIT),
     "The log has no method events: the clock, which counts them, stands still, so no object "
     "dies before the end. Record with weave=EXEC, too"},
    {KIND(EVENT_PUT_STATIC) | KIND(EVENT_PUT_FIELD_VALUE) | KIND(EVENT_PUT_FIELD_EARLY) |
         KIND(EVENT_ARRAY_STORE_VALUE),
     "The log has no stores in fields or arrays: without references each object dies after its "
     "own last use, which may be too early. Record with weave=FIELD+ARRAY, too"},
    {KIND(EVENT_NEW_OBJECT) | KIND(EVENT_NEW_ARRAY) | KIND(EVENT_NEW_ARRAY_RESULT) |
         KIND(EVENT_MULTI_NEW_ARRAY),
     "The log has no allocations: objects count as allocated when they are first named, and "
     "objects that are never named are missing. Record with weave=OBJECT+ARRAY+PARAM, too"},
};

static uint64_t event_kinds_of(const struct instructions *instructions)
{
    uint64_t kinds = 0;
    _Static_assert((int)EVENT_ARRAY_LOAD_RESULT < (int)KINDS_MOST,
                   "kinds of events should be bits of a word");
    for (size_t i = 0; i < instructions->count; i++)
        kinds |= KIND(instructions->items[i].event);
    return kinds;
}

/* Adds a remark for each sort of event that is missing in a trace of `events` events whose
 * index has these instructions. */
static enum status hints_add(struct remark_list *remarks,
                             const struct instructions *instructions, uint64_t events,
                             struct failure *why)
{
    uint64_t kinds = event_kinds_of(instructions);
    if (events == 0)
        return remark_list_add(remarks, why,
                               "The log is empty: no event was recorded, or none was written "
                               "before the program was killed");
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (!(kinds & hints[i].kinds))
            TRY(remark_list_add(remarks, why, "%s", hints[i].text));
    return STATUS_OK;
}

struct selogger_reader {
    struct reader base;
    struct source *source;
    struct catalogue catalogue;
    struct log *log;
    struct facts facts;
    struct survey survey;
    struct mapping mapping;
    struct remark_list remarks;
    struct names *names;
    uint64_t records; /* how many so far */
};

static struct selogger_reader *from_base(struct reader *reader)
{
    return (struct selogger_reader *)reader;
}

static int selogger_bid(const char *head, size_t length)
{
    return instructions_recognise(head, length) || refusal_of_content(head, length) ? 90 : 0;
}

static void selogger_close(struct reader *reader)
{
    struct selogger_reader *selogger = from_base(reader);
    mapping_free(&selogger->mapping);
    survey_free(&selogger->survey);
    facts_free(&selogger->facts);
    log_close(selogger->log);
    catalogue_free(&selogger->catalogue);
    remark_list_free(&selogger->remarks);
    names_free(selogger->names);
    free(selogger);
}

static void selogger_rewind(struct reader *reader)
{
    struct selogger_reader *selogger = from_base(reader);
    log_rewind(selogger->log);
    mapping_restart(&selogger->mapping);
    selogger->records = 0;
}

/* Refuses a source that cannot be an index, with a message that says what to give instead. */
static enum status check_source(struct source *source, struct failure *why)
{
    char head[64];
    size_t length = 0;
    if (source_is_standard_input(source))
        return fail_at(why, STATUS_MEANING, source_name(source), 0,
                       "A SELogger trace is a folder of files: give its name");
    enum status status = source_read_head(source, head, sizeof head, &length, why);
    if (status == STATUS_OK && length == 0)
        return fail_at(why, STATUS_MEANING, source_name(source), 0,
                       "The index is empty: SELogger instrumented no class; weaverlog.txt may "
                       "have the reason");
    const char *refusal = status == STATUS_OK ? refusal_of_content(head, length) : NULL;
    if (refusal)
        return fail_at(why, STATUS_MEANING, source_name(source), 0, "%s", refusal);
    return status;
}

static enum status load_files(struct selogger_reader *selogger,
                              const struct reader_options *options, struct failure *why)
{
    const char *index = source_name(selogger->source);
    struct catalogue *catalogue = &selogger->catalogue;
    catalogue->loading = (struct loading){.index = index,
                                          .type_sizes = options->type_sizes,
                                          .interrupt = source_interrupt(selogger->source),
                                          .names = selogger->names,
                                          .remarks = &selogger->remarks};
    TRY(catalogue_load(catalogue, why));
    if (options->escape_edges && !catalogue->classes.has_list)
        return fail_at(why, STATUS_MEANING, index, 0,
                       "--escape-edges needs classes.txt next to it, which lists the classes "
                       "of the program");
    return log_open(&selogger->log, selogger->source, catalogue, options, why);
}

/* Reads everything that must be known before the first record. */
static enum status prepare(struct selogger_reader *selogger,
                           const struct reader_options *options, struct failure *why)
{
    TRY(check_source(selogger->source, why));
    TRY(names_new(&selogger->names, why));
    TRY(load_files(selogger, options, why));
    TRY(survey_run(&selogger->survey, selogger->log, &selogger->catalogue, &selogger->facts,
                   &selogger->remarks, why));
    return hints_add(&selogger->remarks, &selogger->catalogue.instructions,
                     selogger->survey.events, why);
}

static enum status selogger_open(struct reader **out, struct source *source,
                                 const struct reader_options *options, struct failure *why)
{
    struct selogger_reader *selogger = calloc(1, sizeof *selogger);
    if (!selogger)
        return fail_memory(why);
    selogger->source = source;
    selogger->mapping =
        (struct mapping){.out = {.catalogue = &selogger->catalogue, .facts = &selogger->facts},
                         .survey = &selogger->survey,
                         .loads_as_updates = options->loads_as_updates,
                         .escape_edges = options->escape_edges};
    enum status status = prepare(selogger, options, why);
    selogger->base = (struct reader){.methods = &selogger_reader_class,
                                     .name = source_name(source),
                                     .names = selogger->names};
    if (status != STATUS_OK) {
        selogger_close(&selogger->base);
        return status;
    }
    selogger->mapping.out.last_object = log_last_object(selogger->log);
    selogger_rewind(&selogger->base);
    *out = &selogger->base;
    return STATUS_OK;
}

/* Fails if the log, at its end, is not the one that the survey has read; else STATUS_END. */
static enum status check_end(const struct selogger_reader *selogger, struct failure *why)
{
    return log_digest(selogger->log) == selogger->survey.digest
               ? STATUS_END
               : source_changed(selogger->base.name, why);
}

static enum status selogger_next(struct reader *reader, struct batch *batch,
                                 struct failure *why)
{
    struct selogger_reader *selogger = from_base(reader);
    struct sel_events events;
    enum status status = STATUS_OK;
    batch->first_line = selogger->records + 1;
    while (status == STATUS_OK && batch->count == 0) {
        status = log_next(selogger->log, &events, NULL, why);
        if (status == STATUS_OK)
            status = mapping_add(&selogger->mapping, &events, batch, why);
    }
    selogger->records += batch->count;
    if (status == STATUS_END)
        reader->unfinished = log_unfinished(selogger->log);
    return status == STATUS_END ? check_end(selogger, why) : status;
}

static uint64_t selogger_digest(const struct reader *reader)
{
    return log_digest(((const struct selogger_reader *)reader)->log);
}

static const struct remark *selogger_remarks(const struct reader *reader, size_t *count)
{
    const struct remark_list *remarks = &((const struct selogger_reader *)reader)->remarks;
    *count = remarks->count;
    return remarks->remarks;
}

/* The names of the files of a trace: its index, the log, and the files next to it. */
static const char *const part_names[] = {SELOGGER_INDEX, "log-*.slg",   "log-*.txt", "LOG$*",
                                         "classes.txt",  "methods.txt", NULL};

const struct reader_class selogger_reader_class = {
    .name = "selogger",
    .title = "SELogger",
    .takes = TAKES_LOADS_AS_UPDATES | TAKES_ESCAPE_EDGES | TAKES_TYPE_SIZES,
    .index = SELOGGER_INDEX,
    .parts = part_names,
    .bid = selogger_bid,
    .open = selogger_open,
    .next = selogger_next,
    .rewind = selogger_rewind,
    .digest = selogger_digest,
    .close = selogger_close,
    .remarks = selogger_remarks,
};
