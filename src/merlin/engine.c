/* SPDX-License-Identifier: MIT */
/* The table is tried first, unless windows are asked for. It is given up when memory for it is
 * refused or its budget (table_budget.h) is exceeded: all its memory is released, and the trace
 * is read again, so it must be possible to read the source twice. */
#include "merlin/engine.h"

#include "base/memory.h"
#include "merlin/table_budget.h"
#include "merlin/windows/windows.h"
#include "trace/readahead.h"

#include <stdlib.h>

struct engine {
    struct engine_options options;
    struct reader *reader;
    struct pass pass;        /* if there is a table */
    struct windows *windows; /* NULL: there is a table */
    struct table_budget budget;
    bool table_is_full;
    struct deaths deaths;
    struct numbering *numbering; /* NULL: objects keep their ids */
    struct life_stream *lives;
    struct reference_stream *references;
};

/* Makes `pass` keep where last uses are. */
static enum status keep_use_positions(const struct engine_options *options, struct pass *pass,
                                      struct failure *why)
{
    if (options->wants & WANT_USE_RECORDS)
        return history_keep_use_positions(pass, USE_POSITION_RECORDS, why);
    if (options->wants & WANT_USE_COUNTS)
        return history_keep_use_positions(pass, USE_POSITION_ALLOCATIONS, why);
    if (options->wants & WANT_USE_THREADS)
        return history_keep_use_positions(pass, USE_POSITION_THREAD_ALLOCATIONS, why);
    return STATUS_OK;
}

/* Makes `pass`, before its first record, keep what is wanted. */
static enum status keep_wanted(const struct engine *engine, struct pass *pass,
                               struct failure *why)
{
    const struct engine_options *options = &engine->options;
    unsigned wants = options->wants;
    enum status status = STATUS_OK;
    pass->wants_causes = wants & WANT_CAUSES;
    pass->keeps_clock = wants & WANT_CLOCK;
    if (wants & WANT_LIVES)
        status = history_keep_lives(pass, options->is_recorded, why);
    if (status == STATUS_OK && wants & WANT_REFERENCES)
        status = history_keep_references(pass, engine->windows, &options->temporary, why);
    if (status == STATUS_OK)
        status = keep_use_positions(options, pass, why);
    if (status == STATUS_OK && wants & WANT_FIRST_USES)
        status = history_keep_first_uses(pass, why);
    if (status == STATUS_OK && wants & WANT_LOST_FIELDS)
        status = history_keep_lost_fields(pass, why);
    if (status == STATUS_OK && wants & WANT_CONTEXTS)
        status = history_keep_contexts(pass, (unsigned)options->settings.context_depth, why);
    if (status == STATUS_OK && wants & WANT_SITES)
        status = history_keep_sites(pass, why);
    /* Recorded deaths do not show what made an object unreachable. */
    if (status == STATUS_OK && wants & WANT_DEATH_SITES)
        status = history_keep_death_sites(pass, !options->is_recorded,
                                          engine->windows ? NULL : &options->temporary, why);
    return status;
}

static enum status open_table(struct engine *engine, struct failure *why)
{
    const struct engine_options *options = &engine->options;
    struct pass *pass = &engine->pass;
    enum status status = pass_init(pass, options->held_by, engine->reader->explicit_time, why);
    if (status == STATUS_OK && engine->reader->methods->holds_lifetimes)
        TICKS_BY_TIME(pass);
    pass->threads = options->settings.threads;
    pass->interrupt = options->interrupt;
    pass->watch = (struct propagation_watch){options->watch.progress, options->watch.context};
    if (options->settings.choice == ENGINE_AUTO && !options->is_recorded)
        engine->budget =
            table_budget_new(options->settings.memory_limit, options->is_for_reports);
    if (status == STATUS_OK)
        status = keep_wanted(engine, pass, why);
    if (status == STATUS_OK && options->wants & WANT_LIVES)
        history_keep_allocation_records(pass);
    return status;
}

static enum status prepare_windows(void *context, struct pass *pass, struct failure *why)
{
    return keep_wanted(context, pass, why);
}

static void begin_phase(const struct engine *engine, enum engine_phase phase)
{
    const struct engine_watch *watch = &engine->options.watch;
    if (watch->phase)
        watch->phase(watch->context, phase);
}

static void watch_windows(void *context, bool backward, uint64_t records, uint64_t of)
{
    const struct engine *engine = context;
    const struct engine_watch *watch = &engine->options.watch;
    if (records == 0)
        begin_phase(engine, backward ? ENGINE_MENTIONS : ENGINE_WINDOWS_PASS);
    if (watch->progress)
        watch->progress(watch->context, records, of);
}

static enum status open_windows(struct engine *engine, struct failure *why)
{
    const struct engine_options *options = &engine->options;
    struct windows_options how = {
        .held_by = options->held_by,
        .unallocated = options->unallocated,
        .explicit_time = engine->reader->explicit_time,
        .threads = options->settings.threads,
        .window = options->settings.window,
        .renumber = options->renumber,
        .temporary = options->temporary,
        .interrupt = options->interrupt,
        .progress = watch_windows,
        .context = engine,
    };
    if (options->wants & WANT_LIVES)
        how.prepare = prepare_windows;
    return windows_open(&engine->windows, &how, why);
}

enum status engine_open(struct engine **out, const struct engine_options *options,
                        struct reader *reader, struct failure *why)
{
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return fail_memory(why);
    engine->options = *options;
    engine->reader = reader;
    bool has_windows = options->settings.choice == ENGINE_WINDOWS && !options->is_recorded;
    enum status status = has_windows ? open_windows(engine, why) : open_table(engine, why);
    if (status == STATUS_OK)
        *out = engine;
    else
        engine_close(engine);
    return status;
}

static enum status add_to_table(struct engine *engine, const struct batch *batch,
                                struct failure *why)
{
    enum status status = pass_add(&engine->pass, batch, why);
    engine->table_is_full =
        status == STATUS_MEMORY || table_budget_exceeded(&engine->budget, &engine->pass.heap);
    return status == STATUS_OK && engine->table_is_full ? fail_memory(why) : status;
}

static enum status add_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct engine *engine = context;
    const struct engine_watch *watch = &engine->options.watch;
    enum status status = engine->windows ? windows_add(engine->windows, batch, why)
                                         : add_to_table(engine, batch, why);
    if (status == STATUS_OK && watch->batch)
        status = watch->batch(watch->context, batch, why);
    return status;
}

/* Gives objects numbers as ids from now on. */
static enum status number_table(struct engine *engine, struct failure *why)
{
    struct objects *objects = engine->pass.heap.objects;
    objects_renumber(objects);
    return numbering_new(&engine->numbering, objects, why);
}

static enum status compute_windows(struct engine *engine, struct failure *why)
{
    enum status status = windows_compute(engine->windows, &engine->deaths, why);
    if (status == STATUS_OK && engine->options.renumber)
        status = windows_numbering(engine->windows, &engine->numbering, why);
    return status;
}

static enum status find_deaths(struct engine *engine, struct failure *why)
{
    if (engine->options.is_recorded)
        return STATUS_OK;
    if (engine->windows)
        return compute_windows(engine, why);
    begin_phase(engine, ENGINE_PROPAGATION);
    enum status status =
        deaths_compute(&engine->deaths, &engine->pass, engine->options.unallocated, why);
    if (status == STATUS_OK && engine->options.renumber)
        status = number_table(engine, why);
    engine->table_is_full = status == STATUS_MEMORY;
    return status;
}

static enum status read_and_compute(struct engine *engine, struct failure *why)
{
    begin_phase(engine, ENGINE_READING);
    enum status status = readahead_visit(engine->reader, engine->options.settings.threads,
                                         add_batch, engine, why);
    return status == STATUS_OK ? find_deaths(engine, why) : status;
}

/* Replaces a table that is too large by windows. Input that can be read only once has been
 * copied. */
static enum status go_over_to_windows(struct engine *engine, struct failure *why)
{
    failure_clear(why);
    deaths_free(&engine->deaths);
    pass_free(&engine->pass);
    memory_trim();
    reader_rewind(engine->reader, NULL);
    return open_windows(engine, why);
}

enum status engine_run(struct engine *engine, struct failure *why)
{
    enum status status = read_and_compute(engine, why);
    /* A reader that has run out of memory itself can neither go on nor start again. */
    if (status != STATUS_MEMORY || !engine->table_is_full || engine->budget.bytes == 0)
        return status;
    status = go_over_to_windows(engine, why);
    return status == STATUS_OK ? read_and_compute(engine, why) : status;
}

const struct trace_counts *engine_counts(const struct engine *engine)
{
    return engine->windows ? windows_counts(engine->windows) : &engine->pass.counts;
}

uint64_t engine_named(const struct engine *engine)
{
    return engine->windows ? windows_named(engine->windows)
                           : objects_named(engine->pass.heap.objects);
}

const struct deaths *engine_deaths(const struct engine *engine)
{
    return &engine->deaths;
}

struct pass *engine_pass(struct engine *engine)
{
    return engine->windows ? windows_pass(engine->windows) : &engine->pass;
}

bool engine_is_recorded(const struct engine *engine)
{
    return engine->options.is_recorded;
}

bool engine_has_phase(const struct engine *engine, enum engine_phase phase)
{
    if (phase == ENGINE_PROPAGATION)
        return !engine->windows && !engine->options.is_recorded;
    return phase == ENGINE_READING || engine->windows;
}

/* Whether what is alive at the end dies there. */
static bool survivors_die(const struct engine_options *options)
{
    return !options->is_recorded && options->at_end == AT_END_DIE;
}

struct numbering *engine_numbering(const struct engine *engine)
{
    return engine->numbering;
}

enum status engine_lives(struct engine *engine, const struct life_stream **out,
                         struct failure *why)
{
    const struct engine_options *options = &engine->options;
    const struct life_stream_options how = {
        .survivors_die = survivors_die(options),
        .wants_causes = options->wants & WANT_CAUSES,
        .unallocated = options->unallocated,
        .interrupt = options->interrupt,
    };
    *out = engine->lives;
    if (engine->lives)
        return STATUS_OK;
    enum status status =
        options->is_recorded
            ? life_stream_open_recorded(&engine->lives, &engine->pass, &how, why)
            : life_stream_open(&engine->lives, &engine->deaths, &how, why);
    *out = engine->lives;
    return status;
}

enum status engine_references(struct engine *engine, struct reference_stream **out,
                              struct failure *why)
{
    const struct engine_options *options = &engine->options;
    enum status status = reference_stream_open(&engine->references, engine_pass(engine),
                                               options->is_recorded ? NULL : &engine->deaths,
                                               survivors_die(options), why);
    *out = engine->references;
    return status;
}

void engine_close(struct engine *engine)
{
    if (!engine)
        return;
    reference_stream_close(engine->references);
    life_stream_close(engine->lives);
    numbering_free(engine->numbering);
    deaths_free(&engine->deaths);
    pass_free(&engine->pass);
    windows_close(engine->windows);
    free(engine);
}
