/* SPDX-License-Identifier: MIT */
/* Records are applied to the objects in the heap at the moment, and to frames. After the moment
 * the heap stays as it is: the rest is read to find out which objects are named later, and
 * which frames are abandoned. */
#include "report/graph/heap_graph.h"

#include "report/graph/graph_build.h"

#include <stdlib.h>

static enum status open_build(struct heap_graph *graph, struct failure *why)
{
    struct graph_build *build = graph->build;
    const struct graph_shape unknown = {.type = 0};
    node_t statics;
    uint32_t first;
    size_t words = (size_t)(build->options.lives / PLACES_A_WORD + 1);
    build->places = array_new(words, sizeof *build->places);
    record_names_by_kind(build->names);
    enum status status = build->places ? STATUS_OK : fail_memory(why);
    if (status == STATUS_OK)
        status = slots_new(&graph->slots, why);
    if (status == STATUS_OK)
        status = frames_new(&build->frames, why);
    if (status == STATUS_OK)
        status = graph_number_shape(graph, &unknown, &first, why);
    if (status == STATUS_OK)
        status = graph_add_object(graph, 0, &statics, why);
    return status;
}

enum status heap_graph_new(struct heap_graph **out, const struct graph_options *options,
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
    build->options = *options;
    build->thread.number = NO_THREAD;
    enum status status = open_build(graph, why);
    if (status == STATUS_OK)
        *out = graph;
    else
        heap_graph_free(graph);
    return status;
}

/* Where the object of a life is at the moment. */
static enum graph_place place_at(const struct graph_options *options,
                                 const struct life_facts *life)
{
    const struct heap_moment *moment = options->moment;
    if (!moment_has_born(moment, life))
        return PLACE_TO_COME;
    if (moment_has_alive(moment, life))
        return PLACE_ALIVE;
    return moment->bytes - life->died.bytes < options->with_dead ? PLACE_DEAD : PLACE_GONE;
}

void heap_graph_see_life(struct heap_graph *graph, const struct life_facts *life)
{
    uint64_t place = place_at(&graph->build->options, life);
    graph->build->places[life->number / PLACES_A_WORD] |=
        place << life->number % PLACES_A_WORD * PLACE_BITS;
}

static void tick(struct graph_build *build)
{
    build->ticks += !build->options.ticks_by_time;
}

static enum status enter(struct heap_graph *graph, const struct record *record,
                         struct failure *why)
{
    struct graph_build *build = graph->build;
    node_t receiver;
    uint32_t thread = build->thread.number;
    tick(build);
    enum status status = graph_name(graph, build->first, &receiver, why);
    if (status == STATUS_OK)
        status = frames_enter(build->frames, thread, record->method, why);
    if (status != STATUS_OK || build->is_past ||
        build->options.assumptions.held_by == HELD_BY_NONE)
        return status;
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
        enum status status = frames_leave(build->frames, thread, record->method, &left, why);
        if (status != STATUS_OK)
            return status;
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
    enum status status = graph_name_and_hold(graph, build->first, &container, why);
    if (status == STATUS_OK)
        status = graph_name_and_hold(graph, build->second, &value, why);
    bool has_slot = record->container == 0 || container != NODE_NONE;
    if (status != STATUS_OK || build->is_past || !has_slot)
        return status;
    if (value == NODE_NONE && record->value != 0 && container != NODE_NONE)
        status = store(graph, container, record->field, container, why);
    return status == STATUS_OK ? store(graph, container, record->field, value, why) : status;
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
    struct graph_build *build = graph->build;
    size_t count;
    const node_t *held = frames_held_by(build->frames, thread, frame, &count);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct graph_root root = {GRAPH_ROOT_FRAME, held[i], thread, (uint32_t)frame};
        status = graph_add_root(graph, &build->root_capacity, &root, why);
    }
    return status;
}

/* Copies the frames of a thread, and what they hold, as they are at the moment. */
static enum status take_frames(struct heap_graph *graph, uint32_t number, struct failure *why)
{
    const struct frames *frames = graph->build->frames;
    struct graph_thread *thread = &graph->threads[number];
    size_t depth = frames_depth(frames, number);
    enum status status = STATUS_OK;
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
    for (size_t i = 0; i < depth && status == STATUS_OK; i++) {
        thread->frames[i].method = frames_method(frames, number, i);
        status = add_held(graph, number, i, why);
    }
    return status;
}

/* The moment has come: the heap stays as it is from now on. */
static enum status pass_moment(struct heap_graph *graph, struct failure *why)
{
    struct graph_build *build = graph->build;
    uint32_t count = frames_thread_count(build->frames);
    enum status status = STATUS_OK;
    build->is_past = true;
    graph->threads = array_new(count, sizeof *graph->threads);
    if (!graph->threads)
        return fail_memory(why);
    for (; graph->thread_count < count && status == STATUS_OK; graph->thread_count++)
        status = take_frames(graph, (uint32_t)graph->thread_count, why);
    return status;
}

static bool has_come(const struct graph_build *build, const struct record *record)
{
    const struct heap_moment *moment = build->options.moment;
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
    if (build->options.ticks_by_time && record->time > build->ticks)
        build->ticks = record->time;
    return !build->is_past && has_come(build, record) ? pass_moment(graph, why) : STATUS_OK;
}

/* Finds out which objects `record` names. */
static enum status number_record(struct graph_build *build, struct numbering *numbering,
                                 const struct record *record, struct failure *why)
{
    struct record numbered = *record;
    TRY(numbering_apply(numbering, &numbered, why));
    const struct record *with_ids = build->options.are_numbered ? &numbered : record;
    build->first = (struct graph_object_name){numbered.object, with_ids->object};
    build->second = (struct graph_object_name){numbered.value, with_ids->value};
    return STATUS_OK;
}

static enum status read_record(struct heap_graph *graph, struct numbering *numbering,
                               const struct record *record, struct failure *why)
{
    struct graph_build *build = graph->build;
    uint64_t thread = build->options.explicit_time ? 0 : record->thread;
    TRY(go_to(graph, record, why));
    if (record->kind == RECORD_DEATH)
        return STATUS_OK;
    TRY(number_record(build, numbering, record, why));
    TRY(frames_follow_thread(build->frames, thread, &build->thread, why));
    build->records++;
    return apply_record(graph, record, why);
}

enum status heap_graph_read(struct heap_graph *graph, struct numbering *numbering,
                            const struct batch *batch, struct failure *why)
{
    enum status status = STATUS_OK;
    graph->trace_bytes +=
        batch->text_length > 0 ? batch->text_length : batch->count * BINARY_RECORD;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++)
        status = read_record(graph, numbering, &batch->records[i], why);
    return status;
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

enum status heap_graph_finish(struct heap_graph *graph, struct failure *why)
{
    struct graph_build *build = graph->build;
    enum status status = build->is_past ? STATUS_OK : pass_moment(graph, why);
    if (status == STATUS_OK)
        status = add_threads(graph, why);
    if (status != STATUS_OK)
        return status;
    end_reading(build);
    const struct graph_naming naming = {build->threads, build->named, build->named_count};
    status = graph_find_roots(graph, &build->root_capacity, &build->options.assumptions,
                              &naming, why);
    free_build(build);
    graph->build = NULL;
    return status;
}

void heap_graph_free(struct heap_graph *graph)
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
