/* SPDX-License-Identifier: MIT */
/* Lives show which allocations are alive at the moment. So when the trace is read again, only
 * these objects, and those that are never allocated, get a node. Of all others, the id is kept
 * as long as they live, so that they are not taken for objects that are never allocated. After
 * the moment the heap stays as it is: the rest is read to find out which objects are named
 * later, and which frames are abandoned. */
#include "report/graph/heap_graph.h"

#include "base/id_map.h"
#include "base/map.h"
#include "heap/frames_inline.h"
#include "report/graph/graph_roots.h"
#include "report/node_index.h"
#include "trace/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is known of an allocation before the trace is read, in two bits. */
enum { BIT_PRESENT = 1, BIT_DEAD = 2, BITS = 2, BITS_A_WORD = 64 / BITS };

/* While the trace is read. */
struct graph_build {
    struct graph_options options;
    uint64_t *bits;          /* by allocation, BITS each */
    struct map priors;       /* line of a prior object -> its bits */
    uint64_t priors_left;    /* prior objects with bits whose records are still to come */
    struct node_index nodes; /* which node an id means */
    /* Ids of objects that are not in the heap at the moment -> lines of their allocations. */
    struct id_map elsewhere;
    size_t capacity;     /* how many objects there is room for */
    uint64_t *trace_ids; /* by object */
    /* By object: the thread that named it last, or first after the moment. */
    uint32_t *threads;
    struct frames *frames;
    struct latest_thread thread;
    struct life_cursor *deaths; /* NULL: ids of the dead are kept */
    struct life_facts death;    /* the next death */
    uint64_t first_line;
    uint64_t records, ticks, births;
    uint64_t allocations; /* so far, prior objects included */
    bool is_past;         /* the moment has passed */
    size_t late;          /* objects from this one on have been added since */
    /* The objects that are named after the moment, in the order in which they are named first,
     * and the frames that hold them. */
    struct graph_named *named;
    size_t named_count, named_capacity;
    size_t root_capacity;
    struct map sites; /* id -> number + 1; 1: the site has no name */
    size_t site_capacity;
};

/* Enlarges an array with an item for each object; returns it, unchanged if there is no memory.
 * *least becomes the smallest room of all these arrays. */
static void *enlarge(const struct graph_build *build, void *array, size_t needed,
                     size_t item_size, size_t *least)
{
    size_t capacity = build->capacity;
    void *grown = array_enlarge_slowly(array, &capacity, needed, item_size);
    if (capacity < *least)
        *least = capacity;
    return grown ? grown : array;
}

/* Whether objects get numbers as ids, instead of those of the trace. */
static bool has_numbers(const struct graph_build *build)
{
    return build->options.keeps_ids && build->options.are_numbered;
}

/* Makes room for one more object. */
static bool make_room(struct heap_graph *graph)
{
    struct graph_build *build = graph->build;
    size_t needed = graph->count + 1, least = SIZE_MAX;
    if (needed <= build->capacity)
        return true;
    graph->firsts = enlarge(build, graph->firsts, needed, sizeof *graph->firsts, &least);
    graph->shapes = enlarge(build, graph->shapes, needed, sizeof *graph->shapes, &least);
    graph->flags = enlarge(build, graph->flags, needed, sizeof *graph->flags, &least);
    build->threads = enlarge(build, build->threads, needed, sizeof *build->threads, &least);
    build->trace_ids =
        enlarge(build, build->trace_ids, needed, sizeof *build->trace_ids, &least);
    if (has_numbers(build))
        graph->ids = enlarge(build, graph->ids, needed, sizeof *graph->ids, &least);
    build->capacity = least;
    return needed <= least;
}

static enum status add_object(struct heap_graph *graph, uint64_t id, node_t *node,
                              struct failure *why)
{
    if (graph->count > NODE_MAX)
        return fail(why, STATUS_LIMIT, "The heap has more than %" PRIu64 " objects",
                    (uint64_t)NODE_MAX);
    if (!make_room(graph))
        return fail_memory(why);
    *node = (node_t)graph->count++;
    graph->firsts[*node] = 0;
    graph->shapes[*node] = 0;
    graph->flags[*node] = 0;
    graph->build->threads[*node] = 0;
    graph->build->trace_ids[*node] = id;
    if (graph->ids)
        graph->ids[*node] = id;
    return STATUS_OK;
}

/* Sets *number to the number of a shape. */
static enum status number_shape(struct heap_graph *graph, const struct graph_shape *shape,
                                uint32_t *number, struct failure *why)
{
    return symbols_add(&graph->known_shapes, (const char *)shape, sizeof *shape, number, why);
}

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
        status = number_shape(graph, &unknown, &first, why);
    if (status == STATUS_OK)
        status = add_object(graph, 0, &statics, why);
    return status;
}

static uint64_t trace_id_of(const void *objects, node_t node)
{
    const struct graph_build *build = objects;
    return build->trace_ids[node];
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
    build->nodes = (struct node_index){.key_of = trace_id_of, .objects = build};
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

static void close_deaths(struct graph_build *build)
{
    life_cursor_close(build->deaths);
    build->deaths = NULL;
}

enum status heap_graph_begin(struct heap_graph *graph, struct failure *why)
{
    struct graph_build *build = graph->build;
    if (!build->options.forgets_the_dead)
        return STATUS_OK;
    TRY(life_cursor_open(&build->deaths, build->options.stream, why));
    enum status status = life_cursor_next(build->deaths, &build->death, why);
    if (status == STATUS_END)
        close_deaths(build);
    return status == STATUS_END ? STATUS_OK : status;
}

/* Forgets the ids of what has died by now: they mean no object until they are allocated again.
 * After the moment, they are of interest only as long as send_elsewhere keeps more.
 */
static enum status forget_dead(struct graph_build *build, struct failure *why)
{
    enum status status = STATUS_OK;
    if (build->is_past && build->priors_left == 0)
        close_deaths(build);
    while (build->deaths && build->death.has_died && build->death.died.tick <= build->ticks) {
        const struct life_facts *death = &build->death;
        if (id_map_find(&build->elsewhere, death->object) == death->line)
            id_map_take(&build->elsewhere, death->object);
        status = life_cursor_next(build->deaths, &build->death, why);
        if (status != STATUS_OK)
            close_deaths(build);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* Notes that `node` is named after the moment, if this is the first time. */
static enum status name_later(struct heap_graph *graph, node_t node, struct failure *why)
{
    struct graph_build *build = graph->build;
    uint32_t thread = build->thread.number;
    if (graph->flags[node] & GRAPH_IS_NAMED)
        return STATUS_OK;
    if (!ARRAY_RESERVE(build->named, build->named_capacity, build->named_count + 1))
        return fail_memory(why);
    size_t low = thread < graph->thread_count ? graph->threads[thread].low : 0;
    build->named[build->named_count++] =
        (struct graph_named){node, low > 0 ? (uint32_t)(low - 1) : GRAPH_NONE};
    graph->flags[node] |= GRAPH_IS_NAMED;
    build->threads[node] = thread;
    return STATUS_OK;
}

/* Makes a node for an id that means no object so far. */
static enum status find_new(struct heap_graph *graph, uint64_t id, node_t *node,
                            struct failure *why)
{
    struct graph_build *build = graph->build;
    enum status status = add_object(graph, id, node, why);
    node_t before;
    return status == STATUS_OK ? node_index_put(&build->nodes, id, *node, &before, why)
                               : status;
}

/* As name_object, after the moment. An id that means no object may be that of a prior object,
 * which can be named before its record. */
static enum status name_past(struct heap_graph *graph, uint64_t id, node_t *node,
                             struct failure *why)
{
    struct graph_build *build = graph->build;
    bool may_be_prior = id != 0 && build->priors_left > 0;
    enum status status = STATUS_OK;
    if (*node == NODE_NONE && may_be_prior && id_map_find(&build->elsewhere, id) == 0)
        status = find_new(graph, id, node, why);
    return status == STATUS_OK && *node != NODE_NONE ? name_later(graph, *node, why) : status;
}

/* A record names object `id`; 0: null. Sets *node to its node; NODE_NONE: it has none. */
static enum status name_object(struct heap_graph *graph, uint64_t id, node_t *node,
                               struct failure *why)
{
    struct graph_build *build = graph->build;
    *node = id == 0 ? NODE_NONE : node_index_find(&build->nodes, id);
    if (build->is_past)
        return name_past(graph, id, node, why);
    if (id == 0 || (*node == NODE_NONE && id_map_find(&build->elsewhere, id) != 0))
        return STATUS_OK;
    if (*node == NODE_NONE) {
        enum status status = find_new(graph, id, node, why);
        if (status != STATUS_OK)
            return status;
    }
    build->threads[*node] = build->thread.number;
    return STATUS_OK;
}

/* As name_object; with HELD_BY_FRAME, the innermost frame holds the object from now on. */
static enum status name_and_hold(struct heap_graph *graph, uint64_t id, node_t *node,
                                 struct failure *why)
{
    struct graph_build *build = graph->build;
    enum status status = name_object(graph, id, node, why);
    if (status != STATUS_OK || build->is_past ||
        build->options.assumptions.held_by != HELD_BY_FRAME)
        return status;
    return frames_hold(build->frames, build->thread.number, *node, why);
}

/* The bits of the allocation that `record` makes. */
static unsigned allocation_bits(struct graph_build *build, const struct record *record)
{
    if (record_is_prior(record->kind)) {
        const uint64_t *entry = map_find(&build->priors, build->first_line + record->line);
        unsigned bits = entry ? (unsigned)*entry : 0;
        build->priors_left -= bits != 0;
        return bits;
    }
    uint64_t number = build->births++;
    if (number >= build->options.moment->births)
        return 0;
    return build->bits[number / BITS_A_WORD] >> number % BITS_A_WORD * BITS & 3;
}

static enum status set_allocated(struct heap_graph *graph, node_t node,
                                 const struct record *record, unsigned bits,
                                 struct failure *why)
{
    const struct graph_shape shape = {record->type, record->size, record->length};
    unsigned more = GRAPH_IS_ALLOCATED | (record->kind == RECORD_ARRAY ? GRAPH_IS_ARRAY : 0) |
                    (bits & BIT_PRESENT ? GRAPH_IS_PRESENT : GRAPH_IS_LEFT_OUT) |
                    (bits & BIT_DEAD ? GRAPH_HAS_DIED : 0);
    graph->flags[node] |= (uint8_t)more;
    return number_shape(graph, &shape, &graph->shapes[node], why);
}

/* If ids are numbers, the object gets that of the last allocation. */
static void take_number(struct heap_graph *graph, node_t node)
{
    if (graph->ids)
        graph->ids[node] = graph->build->allocations;
}

/* Gives site `id` a number, if it has a name. */
static enum status number_site(struct heap_graph *graph, uint64_t id, uint64_t *entry,
                               struct failure *why)
{
    struct graph_build *build = graph->build;
    *entry = 1;
    if (!names_find_parts(build->options.site_names, NAMES_SITE, id).own)
        return STATUS_OK;
    if (!ARRAY_RESERVE(graph->site_ids, build->site_capacity, graph->site_count + 2))
        return fail_memory(why);
    graph->site_ids[++graph->site_count] = id;
    *entry = graph->site_count + 1;
    return STATUS_OK;
}

/* Notes where an object was allocated. */
static enum status note_site(struct heap_graph *graph, node_t node, uint64_t id,
                             struct failure *why)
{
    size_t room = graph->site_room;
    if (!graph->build->options.site_names)
        return STATUS_OK;
    uint64_t *entry = map_insert(&graph->build->sites, id);
    enum status status = entry ? STATUS_OK : fail_memory(why);
    if (status == STATUS_OK && *entry == 0)
        status = number_site(graph, id, entry, why);
    if (status != STATUS_OK || *entry == 1)
        return status;
    if (!ARRAY_RESERVE(graph->sites, graph->site_room, (size_t)node + 1))
        return fail_memory(why);
    uint32_t *sites = graph->sites;
    if (graph->site_room > room)
        memset(sites + room, 0, (graph->site_room - room) * sizeof *sites);
    sites[node] = (uint32_t)(*entry - 1);
    return STATUS_OK;
}

/* From now on, the id of the record means an object that is not in the heap at the moment.
 * After the moment, this is of interest only while the id could be taken for that of a prior
 * object.
 */
static enum status send_elsewhere(struct graph_build *build, const struct record *record,
                                  struct failure *why)
{
    node_index_take(&build->nodes, record->object);
    if (build->is_past && build->priors_left == 0)
        return STATUS_OK;
    uint64_t *line = id_map_insert(&build->elsewhere, record->object);
    if (!line)
        return fail_memory(why);
    *line = build->first_line + record->line;
    return STATUS_OK;
}

/* An allocation by the moment, or a prior object. If its id has a node that is not allocated,
 * it becomes that of the object. */
static enum status allocate(struct heap_graph *graph, const struct record *record,
                            unsigned bits, struct failure *why)
{
    struct graph_build *build = graph->build;
    node_t node = node_index_find(&build->nodes, record->object);
    bool is_adopted = node != NODE_NONE && !(graph->flags[node] & GRAPH_IS_BORN);
    enum status status = STATUS_OK;
    if (!bits)
        status = send_elsewhere(build, record, why);
    else
        id_map_take(&build->elsewhere, record->object);
    if (bits && !is_adopted)
        status = find_new(graph, record->object, &node, why);
    if (status != STATUS_OK || (!bits && !is_adopted))
        return status;
    status = set_allocated(graph, node, record, bits, why);
    take_number(graph, node);
    if (!bits || status != STATUS_OK)
        return status;
    status = note_site(graph, node, record->site, why);
    if (status != STATUS_OK)
        return status;
    return name_and_hold(graph, record->object, &node, why);
}

/* Whether an object was first named after the moment, and has no record of its own so far. */
static bool is_late(const struct heap_graph *graph, node_t node)
{
    return node >= graph->build->late && !(graph->flags[node] & GRAPH_IS_BORN);
}

/* An allocation after the moment. If its id means an allocated object, it means another object
 * from now on; otherwise it is the object's own allocation, which names it. */
static enum status allocate_later(struct heap_graph *graph, const struct record *record,
                                  struct failure *why)
{
    struct graph_build *build = graph->build;
    node_t node = node_index_find(&build->nodes, record->object);
    if (node == NODE_NONE || is_late(graph, node) || graph->flags[node] & GRAPH_IS_BORN)
        return send_elsewhere(build, record, why);
    graph->flags[node] |= GRAPH_IS_BORN_LATER;
    take_number(graph, node);
    return name_object(graph, record->object, &node, why);
}

static enum status take_allocation(struct heap_graph *graph, const struct record *record,
                                   struct failure *why)
{
    unsigned bits = allocation_bits(graph->build, record);
    graph->build->allocations++;
    bool is_later = graph->build->is_past && !record_is_prior(record->kind);
    return is_later ? allocate_later(graph, record, why) : allocate(graph, record, bits, why);
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
    enum status status = name_object(graph, record->receiver, &receiver, why);
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
    TRY(name_object(graph, record->receiver, &node, why));
    TRY(leave(graph, record, why));
    return name_and_hold(graph, record->exception, &node, why);
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
    enum status status = name_and_hold(graph, record->container, &container, why);
    if (status == STATUS_OK)
        status = name_and_hold(graph, record->value, &value, why);
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
            status = name_and_hold(graph, record_value(record, &layout->fields[i]), &node, why);
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
    switch (record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        return take_allocation(graph, record, why);
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
    return status == STATUS_OK ? forget_dead(build, why) : status;
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
    if (has_numbers(build))
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
