/* SPDX-License-Identifier: MIT */
/* Records are applied to the objects in the heap at the moment, and to frames. After the moment
 * the heap stays as it is: the rest is read to find out which objects are named later, and
 * which frames are abandoned. Lives come before the records, and each leaves two bits in every
 * graph, by its number. Then the trace is read once for each moment, so that only one graph at
 * a time has its objects and references in memory. */
#include "report/graph/heap_graph.h"

#include "base/memory.h"
#include "report/graph/graph_build.h"
#include "trace/readahead.h"

#include <stdlib.h>

/* What a record counts in bytes, about as long as in text, if the trace has no text. */
enum { BINARY_RECORD = 24 };

static enum status open_build(struct heap_graph *graph, struct failure *why)
{
    struct graph_build *build = graph->build;
    const struct graph_shape unknown = {.type = 0};
    node_t statics;
    uint32_t first;
    size_t words = (size_t)(build->lives / PLACES_A_WORD + 1);
    build->places = array_new(words, sizeof *build->places);
    record_names_by_kind(build->names);
    if (!build->places)
        return fail_memory(why);
    TRY(slots_new(&graph->slots, why));
    TRY(frames_new(&build->frames, why));
    TRY(graph_number_shape(graph, &unknown, &first, why));
    return graph_add_object(graph, 0, &statics, why);
}

/* Releases what was needed to build the graph. */
static void free_build(struct graph_build *build)
{
    if (!build)
        return;
    free(build->places);
    free(build->threads);
    map_free(&build->sites);
    map_free(&build->nodes);
    frames_free(build->frames);
    free(build->named);
    free(build);
}

/* NULL is allowed. */
static void free_graph(struct heap_graph *graph)
{
    if (!graph)
        return;
    free_build(graph->build);
    for (size_t i = 0; graph->threads && i < graph->thread_count; i++)
        free(graph->threads[i].frames);
    free(graph->threads);
    free(graph->roots);
    free(graph->ids);
    free(graph->firsts);
    free(graph->shapes);
    free(graph->flags);
    symbols_free(&graph->known_shapes);
    free(graph->sites);
    free(graph->site_ids);
    slots_free(graph->slots);
    free(graph);
}

/* Makes a graph without objects, of a moment. The caller owns *out (free_graph). */
static enum status new_graph(struct heap_graph **out, const struct report_material *material,
                             const struct heap_moment *moment, bool keeps_ids,
                             struct failure *why)
{
    struct heap_graph *graph = calloc(1, sizeof *graph);
    struct graph_build *build = calloc(1, sizeof *build);
    if (!graph || !build) {
        free(graph);
        free(build);
        return fail_memory(why);
    }
    graph->build = build;
    build->material = material;
    build->moment = moment;
    build->ticks_by_time = material->reader->methods->holds_lifetimes;
    build->keeps_ids = keeps_ids;
    build->site_names = keeps_ids ? material->names : NULL;
    build->lives = life_stream_summary(material->stream)->lives;
    build->thread.number = NO_THREAD;
    enum status status = open_build(graph, why);
    if (status == STATUS_OK)
        *out = graph;
    else
        free_graph(graph);
    return status;
}

/* Where the object of a life is at the moment. */
static enum graph_place place_at(const struct graph_build *build, const struct life_facts *life)
{
    const struct heap_moment *moment = build->moment;
    uint64_t with_dead = build->material->settings->with_dead;
    if (!moment_has_born(moment, life))
        return PLACE_TO_COME;
    if (moment_has_alive(moment, life))
        return PLACE_ALIVE;
    return moment->bytes - life->died.bytes < with_dead ? PLACE_DEAD : PLACE_GONE;
}

static void tick(struct graph_build *build)
{
    build->ticks += !build->ticks_by_time;
}

static enum status enter(struct heap_graph *graph, const struct record *record,
                         struct failure *why)
{
    struct graph_build *build = graph->build;
    node_t receiver;
    uint32_t thread = build->thread.number;
    tick(build);
    TRY(graph_name(graph, build->first, &receiver, why));
    TRY(frames_enter(build->frames, thread, record->method, why));
    if (build->is_past || build->material->assumptions.held_by == HELD_BY_NONE)
        return STATUS_OK;
    return frames_hold(build->frames, thread, receiver, why);
}

/* After an exit, the thread has `depth` frames. Of those that were open at the moment, the exit
 * left the lowest one above `depth`; those further in were abandoned. */
static void note_depth(struct graph_thread *thread, size_t depth)
{
    for (size_t i = depth + 1; i < thread->low; i++)
        thread->frames[i].is_abandoned = true;
    if (depth < thread->low)
        thread->low = depth;
}

static enum status leave(struct heap_graph *graph, const struct record *record,
                         struct failure *why)
{
    struct graph_build *build = graph->build;
    uint32_t thread = build->thread.number;
    const node_t *held;
    size_t count;
    tick(build);
    if (!frames_leave_top(build->frames, thread, record->method, &held, &count)) {
        struct frames_left left;
        TRY(frames_leave(build->frames, thread, record->method, &left, why));
    }
    if (build->is_past && thread < graph->thread_count)
        note_depth(&graph->threads[thread], frames_depth(build->frames, thread));
    return STATUS_OK;
}

static enum status leave_by_exception(struct heap_graph *graph, const struct record *record,
                                      struct failure *why)
{
    node_t node;
    TRY(graph_name(graph, graph->build->first, &node, why));
    TRY(leave(graph, record, why));
    return graph_name_and_hold(graph, graph->build->second, &node, why);
}

static enum status store(struct heap_graph *graph, node_t container, uint64_t field,
                         node_t value, struct failure *why)
{
    node_t old;
    return slots_store(graph->slots, container, &graph->firsts[container], field, value, &old,
                       why);
}

/* A store of an object that is not in the heap at the moment leaves the field empty, but shows
 * that the class has the field. To get a slot for it, some object is stored there first. */
static enum status update(struct heap_graph *graph, const struct record *record,
                          struct failure *why)
{
    const struct graph_build *build = graph->build;
    node_t container, value;
    TRY(graph_name_and_hold(graph, build->first, &container, why));
    TRY(graph_name_and_hold(graph, build->second, &value, why));
    bool has_slot = record->container == 0 || container != NODE_NONE;
    if (build->is_past || !has_slot)
        return STATUS_OK;
    if (value == NODE_NONE && record->value != 0 && container != NODE_NONE)
        TRY(store(graph, container, record->field, container, why));
    return store(graph, container, record->field, value, why);
}

/* A record of a kind that only names objects. */
static enum status name_all(struct heap_graph *graph, const struct record *record,
                            struct failure *why)
{
    const struct graph_build *build = graph->build;
    unsigned names = build->names[record->kind];
    node_t node;
    if (names & RECORD_NAMES_FIRST)
        TRY(graph_name_and_hold(graph, build->first, &node, why));
    return names & RECORD_NAMES_SECOND ? graph_name_and_hold(graph, build->second, &node, why)
                                       : STATUS_OK;
}

static enum status add_held(struct heap_graph *graph, uint32_t thread, size_t frame,
                            struct failure *why)
{
    size_t count;
    const node_t *held = frames_held_by(graph->build->frames, thread, frame, &count);
    for (size_t i = 0; i < count; i++) {
        const struct graph_root root = {GRAPH_ROOT_FRAME, held[i], thread, (uint32_t)frame};
        TRY(graph_add_root(graph, &root, why));
    }
    return STATUS_OK;
}

/* Copies the frames of a thread, and what they hold, as they are at the moment. */
static enum status take_frames(struct heap_graph *graph, uint32_t number, struct failure *why)
{
    const struct frames *frames = graph->build->frames;
    struct graph_thread *thread = &graph->threads[number];
    size_t depth = frames_depth(frames, number);
    if (depth >= GRAPH_NONE)
        return fail(why, STATUS_LIMIT, "A thread has more than %u open frames", GRAPH_NONE - 1);
    *thread = (struct graph_thread){
        .id = frames_thread_id(frames, number),
        .frames = array_new(depth, sizeof *thread->frames),
        .depth = depth,
        .low = depth,
    };
    if (!thread->frames)
        return fail_memory(why);
    for (size_t i = 0; i < depth; i++) {
        thread->frames[i].method = frames_method(frames, number, i);
        TRY(add_held(graph, number, i, why));
    }
    return STATUS_OK;
}

/* The moment has come: the heap stays as it is from now on. */
static enum status pass_moment(struct heap_graph *graph, struct failure *why)
{
    uint32_t count = frames_thread_count(graph->build->frames);
    graph->build->is_past = true;
    graph->threads = array_new(count, sizeof *graph->threads);
    if (!graph->threads)
        return fail_memory(why);
    while (graph->thread_count < count)
        TRY(take_frames(graph, (uint32_t)graph->thread_count++, why));
    return STATUS_OK;
}

static bool has_come(const struct graph_build *build, const struct record *record)
{
    const struct heap_moment *moment = build->moment;
    if (moment->is_at_end)
        return false;
    if (moment->kind == HEAP_AT_RECORD)
        return build->records == moment->number;
    /* A peak of objects older than the trace: what lives stays the same until the first
     * boundary or allocation, and what refers to it is known then. */
    if (moment->kind == HEAP_AT_PEAK && moment->tick == 0 && moment->births == 0)
        return record_is_boundary(record->kind) ||
               (record_is_allocation(record->kind) && !record_is_prior(record->kind));
    return build->ticks >= moment->tick && build->births >= moment->births;
}

static enum status apply_record(struct heap_graph *graph, const struct record *record,
                                struct failure *why)
{
    switch (record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        return graph_take_allocation(graph, record, why);
    case RECORD_ENTRY:
        return enter(graph, record, why);
    case RECORD_EXIT:
        return leave(graph, record, why);
    case RECORD_EXCEPTION_EXIT:
        return leave_by_exception(graph, record, why);
    case RECORD_UPDATE:
        return update(graph, record, why);
    default:
        return name_all(graph, record, why);
    }
}

/* Advances the clock to `record`; the moment may come before it. */
static enum status go_to(struct heap_graph *graph, const struct record *record,
                         struct failure *why)
{
    struct graph_build *build = graph->build;
    if (build->ticks_by_time && record->time > build->ticks)
        build->ticks = record->time;
    return !build->is_past && has_come(build, record) ? pass_moment(graph, why) : STATUS_OK;
}

/* Finds out which objects `record` names. */
static enum status number_record(struct graph_build *build, const struct record *record,
                                 struct failure *why)
{
    struct record numbered = *record;
    TRY(numbering_apply(build->numbering, &numbered, why));
    const struct record *with_ids = build->material->are_numbered ? &numbered : record;
    build->first = (struct graph_object_name){numbered.object, with_ids->object};
    build->second = (struct graph_object_name){numbered.value, with_ids->value};
    return STATUS_OK;
}

static enum status read_record(struct heap_graph *graph, const struct record *record,
                               struct failure *why)
{
    struct graph_build *build = graph->build;
    uint64_t thread = build->material->pass->explicit_time ? 0 : record->thread;
    TRY(go_to(graph, record, why));
    if (record->kind == RECORD_DEATH)
        return STATUS_OK;
    TRY(number_record(build, record, why));
    TRY(frames_follow_thread(build->frames, thread, &build->thread, why));
    build->records++;
    return apply_record(graph, record, why);
}

static enum status read_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct heap_graph *graph = context;
    TRY(interrupt_check(graph->build->material->pass->interrupt, why));
    graph->trace_bytes +=
        batch->text_length > 0 ? batch->text_length : batch->count * BINARY_RECORD;
    for (size_t i = 0; i < batch->count; i++)
        TRY(read_record(graph, &batch->records[i], why));
    return STATUS_OK;
}

/* Adds the threads that began after the moment, without frames: roots may refer to them. */
static enum status add_threads(struct heap_graph *graph, struct failure *why)
{
    const struct frames *frames = graph->build->frames;
    size_t count = frames_thread_count(frames), capacity = graph->thread_count;
    if (!ARRAY_RESERVE(graph->threads, capacity, count))
        return fail_memory(why);
    for (; graph->thread_count < count; graph->thread_count++)
        graph->threads[graph->thread_count] = (struct graph_thread){
            .id = frames_thread_id(frames, (uint32_t)graph->thread_count)};
    return STATUS_OK;
}

/* Releases what was needed only while records were read. */
static void end_reading(struct graph_build *build)
{
    map_free(&build->nodes);
    frames_free(build->frames);
    build->frames = NULL;
    free(build->places);
    build->places = NULL;
}

/* After the last record: finds the roots. */
static enum status finish_graph(struct heap_graph *graph, struct failure *why)
{
    struct graph_build *build = graph->build;
    if (!build->is_past)
        TRY(pass_moment(graph, why));
    TRY(add_threads(graph, why));
    end_reading(build);
    enum status status = graph_find_roots(graph, why);
    free_build(build);
    graph->build = NULL;
    return status;
}

enum status run_graphs_open(struct run_graphs *graphs, const struct report_material *material,
                            const struct moments *moments, const bool *wanted, bool keeps_ids,
                            struct failure *why)
{
    for (; graphs->count < moments->count; graphs->count++)
        if (wanted[graphs->count])
            TRY(new_graph(&graphs->items[graphs->count], material,
                          &moments->items[graphs->count], keeps_ids, why));
    return STATUS_OK;
}

void run_graphs_add(struct run_graphs *graphs, const struct life_facts *life)
{
    for (size_t i = 0; i < graphs->count; i++) {
        if (!graphs->items[i])
            continue;
        struct graph_build *build = graphs->items[i]->build;
        uint64_t place = place_at(build, life);
        build->places[life->number / PLACES_A_WORD] |=
            place << life->number % PLACES_A_WORD * PLACE_BITS;
    }
}

enum status run_graphs_read(struct run_graphs *graphs, const struct report_material *material,
                            size_t moment, struct failure *why)
{
    struct heap_graph *graph = graphs->items[moment];
    struct numbering **numbering = &graph->build->numbering;
    TRY(engine_numbering(material->run, numbering, why));
    reader_rewind(material->reader, NULL);
    enum status status =
        readahead_visit(material->reader, material->engine->threads, read_batch, graph, why);
    numbering_free(*numbering);
    status = reader_check(material->reader, status, material->digest, why);
    return status == STATUS_OK ? finish_graph(graph, why) : status;
}

void run_graphs_drop(struct run_graphs *graphs, size_t moment)
{
    free_graph(graphs->items[moment]);
    graphs->items[moment] = NULL;
    memory_trim();
}

void run_graphs_free(struct run_graphs *graphs)
{
    for (size_t i = 0; i < graphs->count; i++)
        free_graph(graphs->items[i]);
}
