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
    struct life_stream *lives;
    struct reference_stream *references;
};

static enum use_position_kind wanted_positions(unsigned wants)
{
    return wants & WANT_USE_RECORDS   ? USE_POSITION_RECORDS
           : wants & WANT_USE_COUNTS  ? USE_POSITION_ALLOCATIONS
           : wants & WANT_USE_THREADS ? USE_POSITION_THREAD_ALLOCATIONS
                                      : USE_POSITION_NONE;
}

/* What is to be recorded. */
static struct recorders_options wanted_recording(const struct engine_options *options,
                                                 bool has_windows)
{
    unsigned wants = options->wants;
    return (struct recorders_options){
        .without_sizes = options->without_sizes,
        .input_deaths = options->is_recorded,
        .uses = {.proofs = options->is_recorded || wants & WANT_PROOFS,
                 .first_uses = wants & WANT_FIRST_USES,
                 .lost_fields = wants & WANT_LOST_FIELDS,
                 .positions = wanted_positions(wants)},
        .paths = wants & WANT_CONTEXTS,
        .path_details = {.context_depth = (unsigned)options->settings.context_depth,
                         .sites = wants & WANT_SITES,
                         .deaths = wants & WANT_DEATH_SITES,
                         .last_uses = !options->is_recorded,
                         .temporary = has_windows ? NULL : &options->temporary},
        .references = wants & WANT_REFERENCES,
        .stores = wants & WANT_STORES,
        .has_windows = has_windows,
        .temporary = options->temporary,
    };
}

static enum status open_table(struct engine *engine, struct failure *why)
{
    const struct engine_options *options = &engine->options;
    struct pass *pass = &engine->pass;
    struct recorders_options recording = wanted_recording(options, false);
    enum status status = pass_init(pass, options->held_by, engine->reader->explicit_time, why);
    pass->ticks_by_time = engine->reader->methods->holds_lifetimes;
    pass->interrupt = options->interrupt;
    pass->progress =
        (struct propagation_progress){options->observer.progress, options->observer.context};
    if (options->settings.choice == ENGINE_AUTO && !options->is_recorded)
        engine->budget =
            table_budget_new(options->settings.memory_limit, options->is_for_reports);
    if (status == STATUS_OK && options->wants & WANT_LIVES)
        status = recorders_open(pass, &recording, why);
    return status;
}

static void begin_phase(const struct engine *engine, enum engine_phase phase)
{
    const struct engine_observer *observer = &engine->options.observer;
    if (observer->phase)
        observer->phase(observer->context, phase);
}

static enum status open_windows(struct engine *engine, struct failure *why)
{
    const struct engine_options *options = &engine->options;
    const struct recorders_options recording = wanted_recording(options, true);
    return windows_open(&engine->windows, options, engine->reader->explicit_time,
                        options->wants & WANT_LIVES ? &recording : NULL, why);
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
    const struct engine_observer *observer = &engine->options.observer;
    enum status status = engine->windows ? windows_add(engine->windows, batch, why)
                                         : add_to_table(engine, batch, why);
    if (status == STATUS_OK && observer->batch)
        status = observer->batch(observer->context, batch, why);
    return status;
}

static enum status find_deaths(struct engine *engine, struct failure *why)
{
    if (engine->options.is_recorded)
        return STATUS_OK;
    if (engine->windows)
        return windows_compute(engine->windows, &engine->deaths, why);
    begin_phase(engine, ENGINE_PROPAGATION);
    enum status status =
        deaths_compute(&engine->deaths, &engine->pass, engine->options.unallocated, why);
    if (status == STATUS_OK && engine->options.renumber)
        status = objects_renumber(engine->pass.heap.objects, why);
    engine->table_is_full = status == STATUS_MEMORY;
    return status;
}

static enum status read_and_compute(struct engine *engine, struct failure *why)
{
    begin_phase(engine, ENGINE_READING);
    TRY(readahead_visit(engine->reader, engine->options.settings.threads, add_batch, engine,
                        why));
    return find_deaths(engine, why);
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
    TRY(go_over_to_windows(engine, why));
    return read_and_compute(engine, why);
}

enum status engine_compute_again(struct engine *engine, enum unallocated unallocated,
                                 struct failure *why)
{
    engine->options.unallocated = unallocated;
    life_stream_close(engine->lives);
    engine->lives = NULL;
    deaths_free(&engine->deaths);
    return find_deaths(engine, why);
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

bool engine_renumbers(const struct engine *engine)
{
    return engine->options.renumber;
}

enum status engine_numbering(const struct engine *engine, struct numbering **out,
                             struct failure *why)
{
    return engine->windows ? windows_numbering(engine->windows, out, why)
                           : numbering_new(out, engine->pass.heap.objects, why);
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

enum status engine_stores(struct engine *engine, const struct stores **out, struct failure *why)
{
    struct pass *pass = engine_pass(engine);
    *out = pass->recorders->stores;
    return stores_finish(pass->recorders->stores, pass->heap.objects, why);
}

void engine_close(struct engine *engine)
{
    if (!engine)
        return;
    reference_stream_close(engine->references);
    life_stream_close(engine->lives);
    deaths_free(&engine->deaths);
    pass_free(&engine->pass);
    windows_close(engine->windows);
    free(engine);
}
