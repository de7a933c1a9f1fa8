/* SPDX-License-Identifier: MIT */
/* The three readings follow each other; each releases what only it needs before the next one
 * begins. Deaths are also kept in a temporary file: the reading that writes stops only at
 * boundaries that deaths follow, so it reads them ahead, and --verify reads them again. */
#include "merlin/windows/windows.h"

#include "base/memory.h"
#include "io/temporary/numbers.h"
#include "merlin/windows/readings.h"
#include "trace/readahead.h"

#include <stdlib.h>

/* Measured: with fewer, marking what lives takes more time than is saved because the tables fit
 * the processor's caches. */
enum { DEFAULT_WINDOW = 16 * 1024 };

struct windows {
    struct engine_options options;
    bool explicit_time;
    bool has_lives;                     /* lives are wanted, */
    struct recorders_options recording; /* and what they need */
    struct record_spool *records;
    struct births *births;
    struct mentions_found found; /* owned */
    struct number_stack *lasts;  /* a copy, for numberings; NULL: they are not wanted */
    struct pass pass;
    uint64_t nodes; /* how many the trace has */
};

enum status windows_open(struct windows **out, const struct engine_options *options,
                         bool explicit_time, const struct recorders_options *recording,
                         struct failure *why)
{
    struct windows *windows = calloc(1, sizeof *windows);
    if (!windows)
        return fail_memory(why);
    windows->options = *options;
    windows->explicit_time = explicit_time;
    windows->has_lives = recording;
    if (recording)
        windows->recording = *recording;
    if (options->settings.window == 0)
        windows->options.settings.window = DEFAULT_WINDOW;
    enum status status =
        record_spool_open(&windows->records, explicit_time, &options->temporary, why);
    if (status == STATUS_OK && recording)
        record_spool_keep_details(windows->records);
    if (status == STATUS_OK)
        status = births_open(&windows->births, windows->records, explicit_time, why);
    if (status == STATUS_OK)
        *out = windows;
    else
        windows_close(windows);
    return status;
}

enum status windows_add(struct windows *windows, const struct batch *batch, struct failure *why)
{
    return births_add(windows->births, batch, why);
}

const struct trace_counts *windows_counts(const struct windows *windows)
{
    return windows->births ? births_counts(windows->births) : &windows->pass.counts;
}

uint64_t windows_named(const struct windows *windows)
{
    return windows->births ? births_nodes(windows->births) : windows->nodes;
}

/* A reading of the records in the temporary file. */
struct spool_reading {
    struct windows *windows;
    bool backward;
    struct mentions *mentions;    /* that the second reading fills */
    struct collecting collecting; /* this and `numbering` are of the third reading */
    struct numbering *numbering;  /* NULL: objects keep their ids */
    struct stored_deaths *deaths;
    uint64_t collections;
    uint64_t done; /* how many records */
};

/* Called when a reading begins, and after each batch. */
static void report_progress(const struct spool_reading *reading)
{
    const struct engine_observer *observer = &reading->windows->options.observer;
    if (reading->done == 0 && observer->phase)
        observer->phase(observer->context,
                        reading->backward ? ENGINE_MENTIONS : ENGINE_WINDOWS_PASS);
    if (observer->progress)
        observer->progress(observer->context, reading->done,
                           births_records(reading->windows->births));
}

static enum status read_spool(struct spool_reading *reading, batch_visitor visit,
                              struct failure *why)
{
    struct reader *reader;
    struct windows *windows = reading->windows;
    enum status status = record_spool_read(&reader, windows->records, reading->backward, why);
    if (status != STATUS_OK)
        return status;
    report_progress(reading);
    status = readahead_visit(reader, windows->options.settings.threads, visit, reading, why);
    reader_close(reader);
    return status;
}

static enum status visit_mentions(void *context, const struct batch *batch, struct failure *why)
{
    struct spool_reading *reading = context;
    enum status status = interrupt_check(reading->windows->options.interrupt, why);
    if (status == STATUS_OK)
        status = mentions_add(reading->mentions, batch, why);
    reading->done += batch->count;
    report_progress(reading);
    return status;
}

/* Whether stores are listed, and so the numbers of objects are wanted. */
static bool lists_stores(const struct windows *windows)
{
    return windows->has_lives && windows->recording.stores;
}

/* Whether windows_numbering may be called. */
static bool keeps_numbers(const struct windows *windows)
{
    return windows->options.renumber || windows->options.wants & WANT_NUMBERS;
}

/* Does the second reading. */
static enum status find_last_mentions(struct windows *windows, struct failure *why)
{
    const struct engine_options *options = &windows->options;
    struct spool_reading reading = {.windows = windows, .backward = true};
    struct mentions_found *found = &windows->found;
    enum status status = number_stack_open(&found->lasts, &options->temporary, why);
    if (status == STATUS_OK && options->held_by == HELD_BY_RECEIVER)
        status = number_stack_open(&found->abandoned, &options->temporary, why);
    if (status == STATUS_OK && (keeps_numbers(windows) || lists_stores(windows)))
        status = number_stack_open(&found->numbers, &options->temporary, why);
    if (status == STATUS_OK)
        status = mentions_open(&reading.mentions, windows->births, windows->explicit_time,
                               found, why);
    if (status == STATUS_OK)
        status = read_spool(&reading, visit_mentions, why);
    mentions_close(reading.mentions);
    return status;
}

/* Passes the number of the next M record whose frame is abandoned to the pass. */
static enum status next_abandoned(struct windows *windows, struct failure *why)
{
    struct number_stack *abandoned = windows->found.abandoned;
    struct pass *pass = &windows->pass;
    if (!abandoned)
        return STATUS_OK;
    if (pass->abandoned != 0)
        TRY(number_stack_pop(abandoned, why));
    pass->abandoned = number_stack_count(abandoned) > 0 ? number_stack_top(abandoned) : 0;
    return STATUS_OK;
}

/* The weight at which the next collection comes: so much that the marking of what lives is paid
 * for by what has been read since the one before. Twice what lives would take 5% less time
 * where nearly all records allocate, and a third more memory. */
static size_t next_weight(const struct windows *windows, const struct collecting *collecting)
{
    uint64_t weight = (uint64_t)collecting->live + collecting->live / 2;
    uint64_t least = windows->options.settings.window;
    return (size_t)(weight > least ? weight : least);
}

/* The number after that of the first boundary from number `first` on, or after that of the last
 * record. */
static size_t after_boundary(const struct batch *batch, size_t first)
{
    while (first < batch->count && !record_is_boundary(batch->records[first].kind))
        first++;
    return first < batch->count ? first + 1 : first;
}

/* How many records can be applied before the heap can have the weight `weight`, or the record
 * pass->abandoned comes. Each adds at most two nodes and a slot. */
static size_t records_without_stop(const struct pass *pass, size_t weight)
{
    size_t has = heap_weight(&pass->heap);
    size_t records = has < weight ? (weight - has - 1) / 3 : 0;
    if (pass->abandoned > pass->record && pass->abandoned - pass->record - 1 < records)
        records = (size_t)(pass->abandoned - pass->record - 1);
    return records;
}

/* Applies the records of a batch from *next on: all of them, or those up to the boundary after
 * which the heap has at least the weight `weight` (heap.h), or up to record number
 * pass->abandoned. Moves *next after the last of them. */
static enum status apply_some(struct pass *pass, const struct batch *batch, size_t *next,
                              size_t weight, struct failure *why)
{
    bool is_enough = false;
    while (*next < batch->count && !is_enough) {
        size_t left = batch->count - *next, some = records_without_stop(pass, weight);
        size_t end = after_boundary(batch, *next + (some < left ? some : left));
        TRY(pass_add_some(pass, batch, *next, end, why));
        is_enough = record_is_boundary(batch->records[end - 1].kind) &&
                    (heap_weight(&pass->heap) >= weight || pass->record == pass->abandoned);
        *next = end;
    }
    return STATUS_OK;
}

/* Calls apply_some, and keeps the lives of what is allocated. */
static enum status pass_records(struct spool_reading *reading, const struct batch *batch,
                                size_t *next, size_t weight, struct failure *why)
{
    struct window_lives *lives = reading->collecting.lives;
    TRY(apply_some(&reading->windows->pass, batch, next, weight, why));
    return lives ? window_lives_note(lives, why) : STATUS_OK;
}

/* Applies the records of a batch from *next on, up to the next boundary at which something has
 * to be done. */
static enum status pass_some(struct spool_reading *reading, const struct batch *batch,
                             size_t *next, struct failure *why)
{
    struct windows *windows = reading->windows;
    struct pass *pass = &windows->pass;
    size_t weight = next_weight(windows, &reading->collecting);
    TRY(pass_records(reading, batch, next, weight, why));
    if (pass->record == pass->abandoned)
        TRY(next_abandoned(windows, why));
    if (heap_weight(&pass->heap) < weight ||
        !record_is_boundary(batch->records[*next - 1].kind))
        return STATUS_OK;
    reading->collections++;
    return collect(&reading->collecting, reading->deaths, why);
}

/* Replaces the ids of all records with numbers. */
static enum status number_batch(struct numbering *numbering, const struct batch *batch,
                                struct failure *why)
{
    for (size_t i = 0; i < batch->count; i++)
        TRY(numbering_apply(numbering, &batch->records[i], why));
    return STATUS_OK;
}

static enum status visit_windows(void *context, const struct batch *batch, struct failure *why)
{
    struct spool_reading *reading = context;
    enum status status = interrupt_check(reading->windows->options.interrupt, why);
    if (status == STATUS_OK && reading->numbering)
        status = number_batch(reading->numbering, batch, why);
    for (size_t next = 0; next < batch->count && status == STATUS_OK;)
        status = pass_some(reading, batch, &next, why);
    reading->done += batch->count;
    report_progress(reading);
    return status;
}

enum status windows_numbering(struct windows *windows, struct numbering **out,
                              struct failure *why)
{
    struct number_stack *lasts, *numbers;
    enum status status = number_stack_copy(&lasts, windows->lasts, why);
    if (status != STATUS_OK)
        return status;
    status = number_stack_copy(&numbers, windows->found.numbers, why);
    if (status == STATUS_OK)
        return window_numbering_new(out, lasts, numbers, why);
    number_stack_close(lasts);
    return status;
}

/* Prepares numberings, and begins that of the third reading if objects get numbers. That
 * reading takes last mentions off the stack itself, so each numbering gets a copy of the stack.
 */
static enum status begin_numbering(struct windows *windows, struct numbering **out,
                                   struct failure *why)
{
    if (!keeps_numbers(windows))
        return STATUS_OK;
    TRY(number_stack_copy(&windows->lasts, windows->found.lasts, why));
    return windows->options.renumber ? windows_numbering(windows, out, why) : STATUS_OK;
}

static enum status pass_windows(struct windows *windows, struct deaths *deaths,
                                struct failure *why)
{
    struct spool_reading reading = {
        .windows = windows,
        .collecting = {.pass = &windows->pass,
                       .unallocated = windows->options.unallocated,
                       .lasts = windows->found.lasts,
                       .keeps_clock = windows->options.wants & WANT_CLOCK},
        .deaths = deaths->stored,
    };
    enum status status = begin_numbering(windows, &reading.numbering, why);
    if (status == STATUS_OK && deaths->lives)
        status = window_lives_open(&reading.collecting.lives, &windows->pass,
                                   windows->options.wants & WANT_CAUSES, deaths->lives, why);
    if (status == STATUS_OK)
        status = read_spool(&reading, visit_windows, why);
    if (status == STATUS_OK)
        status = collect_last(&reading.collecting, deaths->stored, why);
    if (status == STATUS_OK && deaths->lives)
        status = window_lives_finish(reading.collecting.lives, why);
    deaths->collections = reading.collections;
    numbering_free(reading.numbering);
    collecting_free(&reading.collecting);
    return status;
}

/* Lets recorders see what lives need, if lives are wanted. */
static enum status prepare_lives(struct windows *windows, struct deaths *deaths,
                                 struct failure *why)
{
    if (!windows->has_lives)
        return STATUS_OK;
    TRY(stored_lives_open(&deaths->lives, &windows->options.temporary, why));
    TRY(recorders_open(&windows->pass, &windows->recording, why));
    if (!lists_stores(windows))
        return STATUS_OK;
    struct number_stack *numbers;
    TRY(number_stack_copy(&numbers, windows->found.numbers, why));
    stores_take_numbers(windows->pass.recorders->stores, numbers);
    return STATUS_OK;
}

/* Does the third reading. */
static enum status find_deaths(struct windows *windows, struct deaths *deaths,
                               struct failure *why)
{
    const struct engine_options *options = &windows->options;
    TRY(pass_init(&windows->pass, options->held_by, windows->explicit_time, why));
    windows->pass.counts_frames = true;
    windows->pass.interrupt = options->interrupt;
    TRY(prepare_lives(windows, deaths, why));
    TRY(next_abandoned(windows, why));
    TRY(stored_deaths_open(&deaths->stored, &options->temporary, why));
    TRY(pass_windows(windows, deaths, why));
    return stored_deaths_finish(deaths, why);
}

struct pass *windows_pass(struct windows *windows)
{
    return &windows->pass;
}

/* Releases all of a heap but its numbers, since stored deaths need no more, and what writes
 * them takes memory of its own. */
static void drop_heap(struct heap *heap)
{
    if (heap->objects)
        objects_drop(heap->objects);
    if (heap->slots)
        slots_drop(heap->slots);
    memory_trim();
}

enum status windows_compute(struct windows *windows, struct deaths *deaths, struct failure *why)
{
    *deaths = (struct deaths){
        .pass = &windows->pass,
        .named = births_nodes(windows->births),
    };
    births_end(windows->births);
    enum status status = record_spool_finish(windows->records, why);
    if (status == STATUS_OK)
        status = find_last_mentions(windows, why);
    if (status == STATUS_OK)
        status = find_deaths(windows, deaths, why);
    windows->nodes = births_nodes(windows->births);
    windows->pass.counts = *births_counts(windows->births);
    births_close(windows->births);
    windows->births = NULL;
    if (!windows->has_lives)
        drop_heap(&windows->pass.heap);
    return status;
}

void windows_close(struct windows *windows)
{
    if (!windows)
        return;
    births_close(windows->births);
    record_spool_close(windows->records);
    number_stack_close(windows->lasts);
    number_stack_close(windows->found.lasts);
    number_stack_close(windows->found.abandoned);
    number_stack_close(windows->found.numbers);
    pass_free(&windows->pass);
    free(windows);
}
