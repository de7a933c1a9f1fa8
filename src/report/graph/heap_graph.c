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
    const struct graph_options *options = &build->options;
    const struct graph_shape unknown = {.type = 0};
    node_t statics;
    uint32_t first;
    size_t words = (size_t)(options->moment->births / BITS_A_WORD + 1);
    build->bits = array_new(words, sizeof *build->bits);
    enum status status = build->bits ? STATUS_OK : fail_memory(why);
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
    build->nodes = (struct node_index){.key_of = graph_trace_id, .objects = build};
    build->options = *options;
    build->thread.number = NO_THREAD;
    enum status status = open_build(graph, why);
    if (status == STATUS_OK)
        *out = graph;
    else
        heap_graph_free(graph);
    return status;
}

/* The bits of a life that has begun by the moment. */
static unsigned bits_of(const struct graph_options *options, const struct life_facts *life)
{
    const struct heap_moment *moment = options->moment;
    if (moment_has_alive(moment, life))
        return BIT_PRESENT;
    return moment->bytes - life->died.bytes < options->with_dead ? BIT_PRESENT | BIT_DEAD : 0;
}

enum status heap_graph_see_life(struct heap_graph *graph, const struct life_facts *life,
                                struct failure *why)
{
    struct graph_build *build = graph->build;
    if (!moment_has_born(build->options.moment, life))
        return STATUS_OK;
    uint64_t bits = bits_of(&build->options, life);
    if (!life_is_prior(life)) {
        build->bits[life->allocation / BITS_A_WORD] |= bits
                                                       << life->allocation % BITS_A_WORD * BITS;
        return STATUS_OK;
    }
    uint64_t *entry = map_insert(&build->priors, life->line);
    if (!entry)
        return fail_memory(why);
    *entry = bits;
    build->priors_left += bits != 0;
    return STATUS_OK;
}

enum status heap_graph_begin(struct heap_graph *graph, struct failure *why)
{
    return graph_open_deaths(graph->build, why);
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
    enum status status = graph_name(graph, record->receiver, &receiver, why);
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
    TRY(graph_name(graph, record->receiver, &node, why));
    TRY(leave(graph, record, why));
    return graph_name_and_hold(graph, record->exception, &node, why);
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
    node_t container, value;
    enum status status = graph_name_and_hold(graph, record->container, &container, why);
    if (status == STATUS_OK)
        status = graph_name_and_hold(graph, record->value, &value, why);
    bool has_slot = record->container == 0 || container != NODE_NONE;
    if (status != STATUS_OK || graph->build->is_past || !has_slot)
        return status;
    if (value == NODE_NONE && record->value != 0 && container != NODE_NONE)
        status = store(graph, container, record->field, container, why);
    return status == STATUS_OK ? store(graph, container, record->field, value, why) : status;
}

/* A record of a kind that only names objects. */
static enum status name_all(struct heap_graph *graph, const struct record *record,
                            struct failure *why)
{
    const struct record_layout *layout = record_layout_find(record->kind);
    enum status status = STATUS_OK;
    node_t node;
    for (size_t i = 0; layout && i < layout->count && status == STATUS_OK; i++)
        if (layout->fields[i].role == ROLE_OBJECT)
            status = graph_name_and_hold(graph, record_value(record, &layout->fields[i]), &node,
                                         why);
    return status;
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
    build->late = graph->count;
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

static enum status read_record(struct heap_graph *graph, const struct record *record,
                               struct failure *why)
{
    node_t node;
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
    case RECORD_WITNESS: /* as below; there are many */
        return graph_name_and_hold(graph, record->object, &node, why);
    default:
        return name_all(graph, record, why);
    }
}

/* Advances the clock to `record`, and does what is due before it. */
static enum status go_to(struct heap_graph *graph, const struct record *record,
                         struct failure *why)
{
    struct graph_build *build = graph->build;
    enum status status = STATUS_OK;
    if (build->options.ticks_by_time && record->time > build->ticks)
        build->ticks = record->time;
    if (!build->is_past && has_come(build, record))
        status = pass_moment(graph, why);
    return status == STATUS_OK ? graph_forget_dead(build, why) : status;
}

enum status heap_graph_read(struct heap_graph *graph, const struct batch *batch,
                            struct failure *why)
{
    struct graph_build *build = graph->build;
    enum status status = STATUS_OK;
    build->first_line = batch->first_line;
    graph->trace_bytes +=
        batch->text_length > 0 ? batch->text_length : batch->count * BINARY_RECORD;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        status = go_to(graph, record, why);
        if (record->kind == RECORD_DEATH)
            continue;
        uint64_t thread = build->options.explicit_time ? 0 : record->thread;
        if (status == STATUS_OK)
            status = frames_follow_thread(build->frames, thread, &build->thread, why);
        if (status == STATUS_OK)
            status = read_record(graph, record, why);
        build->records++;
    }
    return status;
}

/* Releases what was needed to build the graph. */
static void free_build(struct graph_build *build)
{
    if (!build)
        return;
    free(build->bits);
    free(build->threads);
    map_free(&build->priors);
    map_free(&build->sites);
    node_index_free(&build->nodes);
    id_map_free(&build->elsewhere);
    free(build->trace_ids);
    frames_free(build->frames);
    life_cursor_close(build->deaths);
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

/* Numbers the objects that are never allocated, as merlin/numbering.h does. */
static void number_unallocated(struct heap_graph *graph)
{
    uint64_t number = graph->build->allocations;
    for (size_t i = 1; i < graph->count; i++)
        if (!(graph->flags[i] & GRAPH_IS_BORN))
            graph->ids[i] = ++number;
}

/* What was named after the moment only, and turned out to be no prior object, is not in the
 * heap. */
static void leave_out_late(struct heap_graph *graph)
{
    for (size_t i = graph->build->late; i < graph->count; i++)
        if (!(graph->flags[i] & GRAPH_IS_BORN))
            graph->flags[i] |= GRAPH_IS_LEFT_OUT;
}

/* Releases what was needed only while records were read. */
static void end_reading(struct heap_graph *graph)
{
    struct graph_build *build = graph->build;
    node_index_free(&build->nodes);
    id_map_free(&build->elsewhere);
    frames_free(build->frames);
    build->frames = NULL;
    free(build->bits);
    build->bits = NULL;
    if (build->options.keeps_ids && !build->options.are_numbered)
        graph->ids = build->trace_ids;
    else
        free(build->trace_ids);
    build->trace_ids = NULL;
}

enum status heap_graph_finish(struct heap_graph *graph, struct failure *why)
{
    struct graph_build *build = graph->build;
    enum status status = build->is_past ? STATUS_OK : pass_moment(graph, why);
    if (status == STATUS_OK)
        status = add_threads(graph, why);
    if (status != STATUS_OK)
        return status;
    leave_out_late(graph);
    if (graph_has_numbers(build))
        number_unallocated(graph);
    end_reading(graph);
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
