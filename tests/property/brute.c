/* SPDX-License-Identifier: MIT */
/*
 * Death times by brute force, in four steps that can each be read on their own:
 *
 *   1. read_lines()    cuts the text into lines and the lines into fields,
 *   2. resolve()       finds for each record the objects that it uses, and for each M whether
 *                      its frame will be abandoned,
 *   3. bury_all()      goes through the trace, and at each boundary works out from scratch for
 *                      every object whether it can still be reached,
 *   4. write_...()     writes the lines and the deaths.
 *
 * All data are in plain arrays, which are searched from end to end. No step computes a "last
 * use": an object dies at the first boundary at which it is not reachable.
 */
#include "brute.h"

#include <stdlib.h>
#include <string.h>

#define NOTHING SIZE_MAX /* no node, or no line */
#define MOST_FIELDS 6

/*
 * A node is one object. Several objects can have the same id, one after the other: the last
 * node with an id is the object that the id means now.
 */
struct node {
    uint64_t id;
    size_t allocation; /* line of its N, A, I, P or V; NOTHING: never allocated */
    size_t death;      /* line of the boundary at which it died; NOTHING: alive */
    bool reachable;    /* at the present boundary */
};

/* A line of the trace, and the record on it. */
struct line {
    const char *start;
    size_t size; /* with its line end */
    char letter; /* '#' for comments and unknown records: they use nothing */
    uint64_t field[MOST_FIELDS];
    uint64_t last; /* the field called LAST: thread or clock */

    /* The nodes that the record uses; NOTHING where it uses none, or null. */
    size_t object; /* the object, the receiver, or the container */
    size_t other;  /* the exception, or the new value */
    size_t old;    /* U: the old value of the slot */

    bool abandoned; /* M: its frame will be popped by the exit of an outer method */
};

struct trace {
    struct line *lines;
    size_t line_count;
    size_t line_room;
    struct node *nodes; /* in the order in which the trace names them first */
    size_t node_count;
    size_t node_room;
};

/* container.field = value. A container of NOTHING is a static field; a value of NOTHING null.
 */
struct slot {
    size_t container;
    uint64_t field;
    size_t value;
};

/* A method's activation. Frames stay in the array when they are popped. */
struct frame {
    uint64_t thread;
    uint64_t method;
    size_t entry; /* line of its M */
    bool open;
};

/* A frame keeps a node alive as long as it is open. */
struct hold {
    size_t frame;
    size_t node;
};

/* What the program looks like after some record. */
struct state {
    struct slot *slots;
    size_t slot_count;
    size_t slot_room;
    struct frame *frames; /* of all threads; the innermost is the last one open */
    size_t frame_count;
    size_t frame_room;
    struct hold *holds;
    size_t hold_count;
    size_t hold_room;
};

/* ---- 1. Lines and fields ---- */

/* The fields of the records with a letter; the last of them is LAST. */
struct shape {
    char letter;
    size_t fields;
    size_t object; /* the index of the field for object, receiver or container, or NOTHING */
    size_t other;  /* the index of the field for the exception or the new value, or NOTHING */
};

static const struct shape shapes[] = {
    {'N', 6, 0, NOTHING}, /* object size type site 0 LAST */
    {'A', 6, 0, NOTHING}, /* array size type site length LAST */
    {'I', 6, 0, NOTHING},
    {'P', 6, 0, NOTHING},
    {'V', 6, 0, NOTHING},
    {'M', 3, 1, NOTHING},       /* method receiver LAST */
    {'E', 2, NOTHING, NOTHING}, /* method LAST */
    {'X', 4, 1, 2},             /* method receiver exception LAST */
    {'T', 4, 1, 2},
    {'H', 4, 1, 2},
    {'U', 4, 0, 1},             /* container value field LAST */
    {'W', 3, 0, NOTHING},       /* object class LAST */
    {'D', 3, NOTHING, NOTHING}, /* object thread time: no use of the object */
};

static const struct shape *shape_of(char letter)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (shapes[i].letter == letter)
            return &shapes[i];
    return NULL;
}

static bool is_boundary(const struct line *line)
{
    return line->letter == 'M' || line->letter == 'E' || line->letter == 'X';
}

static bool is_allocation(const struct line *line)
{
    return line->letter != '\0' && strchr("NAIPV", line->letter) != NULL;
}

/* The next word in [*at, end), which blanks end: returns its start, and moves *at after it.
 * *size is its length; 0: there is none. */
static const char *next_word(const char **at, const char *end, size_t *size)
{
    const char *start;

    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    start = *at;
    while (*at < end && **at != ' ' && **at != '\t')
        ++*at;
    *size = (size_t)(*at - start);
    return start;
}

static bool read_number(const char *word, size_t size, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < size; i++) {
        uint64_t digit = (uint64_t)(word[i] - '0');

        if (word[i] < '0' || word[i] > '9' || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return size > 0;
}

/* Reads the fields after the letter. Returns false unless there are as many as its shape has.
 */
static bool read_fields(struct line *line, const char *at, const char *end)
{
    size_t wanted = shape_of(line->letter)->fields;
    size_t size;

    for (size_t i = 0; i < wanted; i++) {
        const char *word = next_word(&at, end, &size);

        if (!read_number(word, size, &line->field[i]))
            return false;
    }
    line->last = line->field[wanted - 1];
    next_word(&at, end, &size);
    return size == 0;
}

/* The end of the line's text, before LF or CRLF, or before a lone CR at the end of the file. */
static const char *end_of_text(const struct line *line)
{
    const char *end = line->start + line->size;

    if (end > line->start && end[-1] == '\n')
        end--;
    if (end > line->start && end[-1] == '\r')
        end--;
    return end;
}

static bool read_record(struct line *line)
{
    const char *at = line->start;
    const char *end = end_of_text(line);
    size_t size;
    const char *word = next_word(&at, end, &size);

    line->letter = '#';
    if (size != 1 || shape_of(*word) == NULL)
        return true;
    line->letter = *word;
    return read_fields(line, at, end);
}

static struct line cut_line(const char *start, const char *end)
{
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    const char *next = newline == NULL ? end : newline + 1;

    return (struct line){.start = start,
                         .size = (size_t)(next - start),
                         .object = NOTHING,
                         .other = NOTHING,
                         .old = NOTHING};
}

/*
 * Reads all lines. D lines that are to be replaced are dropped here, so that the later steps do
 * not see them. Returns false at a bad line, whose number *bad_line gets.
 */
static bool read_lines(struct trace *trace, const char *text, size_t size, bool drop_deaths,
                       size_t *bad_line)
{
    const char *end = size == 0 ? text : text + size;
    size_t number = 0;

    for (const char *at = text; at != end;) {
        struct line line = cut_line(at, end);

        number++;
        at += line.size;
        if (!read_record(&line)) {
            *bad_line = number;
            return false;
        }
        if (drop_deaths && line.letter == 'D')
            continue;
        trace->lines = array_room(trace->lines, trace->line_count, &trace->line_room,
                                  sizeof *trace->lines);
        trace->lines[trace->line_count++] = line;
    }
    return true;
}

static void free_trace(struct trace *trace)
{
    free(trace->lines);
    free(trace->nodes);
}

/* ---- Slots and frames ---- */

/* Does the store container.field = value of a U; returns the old value. */
static size_t store(struct state *state, const struct line *line)
{
    uint64_t field = line->field[2];

    for (size_t i = 0; i < state->slot_count; i++) {
        struct slot *slot = &state->slots[i];

        if (slot->container == line->object && slot->field == field) {
            size_t old = slot->value;

            slot->value = line->other;
            return old;
        }
    }
    state->slots =
        array_room(state->slots, state->slot_count, &state->slot_room, sizeof *state->slots);
    state->slots[state->slot_count++] = (struct slot){line->object, field, line->other};
    return NOTHING;
}

/* The stack of a record. All records of the time dialect have the same stack. */
static uint64_t thread_of(const struct line *line, const struct brute_options *options)
{
    return options->dialect == BRUTE_THREAD ? line->last : 0;
}

static void push_frame(struct state *state, uint64_t thread, uint64_t method, size_t entry)
{
    state->frames = array_room(state->frames, state->frame_count, &state->frame_room,
                               sizeof *state->frames);
    state->frames[state->frame_count++] = (struct frame){thread, method, entry, true};
}

static size_t innermost_frame(const struct state *state, uint64_t thread)
{
    for (size_t i = state->frame_count; i-- > 0;)
        if (state->frames[i].open && state->frames[i].thread == thread)
            return i;
    return NOTHING;
}

static size_t innermost_of_method(const struct state *state, uint64_t thread, uint64_t method)
{
    for (size_t i = state->frame_count; i-- > 0;) {
        const struct frame *frame = &state->frames[i];

        if (frame->open && frame->thread == thread && frame->method == method)
            return i;
    }
    return NOTHING;
}

/* Closes the innermost frame of the method in the thread, and the thread's frames above it. */
static void pop_frames(struct state *state, uint64_t thread, uint64_t method)
{
    size_t popped = innermost_of_method(state, thread, method);

    if (popped == NOTHING)
        return;
    for (size_t i = popped; i < state->frame_count; i++)
        if (state->frames[i].thread == thread)
            state->frames[i].open = false;
}

static void hold(struct state *state, size_t frame, size_t node)
{
    if (frame == NOTHING || node == NOTHING)
        return;
    state->holds =
        array_room(state->holds, state->hold_count, &state->hold_room, sizeof *state->holds);
    state->holds[state->hold_count++] = (struct hold){frame, node};
}

/*
 * held_by=frame: the frame that is innermost after the record holds the objects that the record
 * names. Of an X this is only the exception. The old value of a U does not count as named.
 */
static void hold_named(struct state *state, const struct line *line, uint64_t thread)
{
    size_t frame = innermost_frame(state, thread);

    if (line->letter != 'X')
        hold(state, frame, line->object);
    hold(state, frame, line->other);
}

/*
 * Whether the frame of an M holds its receiver. With held_by=receiver an abandoned frame does
 * not; with held_by=frame every frame does.
 */
static bool holds_receiver(const struct line *entry, const struct brute_options *options)
{
    if (options->held_by == BRUTE_HELD_BY_RECEIVER)
        return !entry->abandoned;
    return options->held_by == BRUTE_HELD_BY_FRAME;
}

/* Updates the state by the record on line `index`. */
static void step(struct state *state, const struct trace *trace, size_t index,
                 const struct brute_options *options)
{
    const struct line *line = &trace->lines[index];
    uint64_t thread = thread_of(line, options);

    if (line->letter == 'U')
        store(state, line);
    if (line->letter == 'E' || line->letter == 'X')
        pop_frames(state, thread, line->field[0]);
    if (line->letter == 'M') {
        push_frame(state, thread, line->field[0], index);
        if (holds_receiver(line, options))
            hold(state, innermost_frame(state, thread), line->object);
    }
    if (options->held_by == BRUTE_HELD_BY_FRAME)
        hold_named(state, line, thread);
}

static void free_state(struct state *state)
{
    free(state->slots);
    free(state->frames);
    free(state->holds);
}

/* ---- 2. Which objects a record uses ---- */

static size_t find_node(const struct trace *trace, uint64_t id)
{
    for (size_t i = trace->node_count; i-- > 0;)
        if (trace->nodes[i].id == id)
            return i;
    return NOTHING;
}

static size_t add_node(struct trace *trace, uint64_t id)
{
    trace->nodes =
        array_room(trace->nodes, trace->node_count, &trace->node_room, sizeof *trace->nodes);
    trace->nodes[trace->node_count] = (struct node){id, NOTHING, NOTHING, false};
    return trace->node_count++;
}

static size_t name_node(struct trace *trace, uint64_t id)
{
    size_t node = find_node(trace, id);

    if (id == 0)
        return NOTHING;
    return node == NOTHING ? add_node(trace, id) : node;
}

/* The node of an allocation: the id's node if that was never allocated, or else a new one. */
static size_t allocate_node(struct trace *trace, uint64_t id, size_t line)
{
    size_t node = name_node(trace, id);

    if (node == NOTHING)
        return NOTHING;
    if (trace->nodes[node].allocation != NOTHING)
        node = add_node(trace, id);
    trace->nodes[node].allocation = line;
    return node;
}

static void resolve_line(struct trace *trace, size_t index)
{
    struct line *line = &trace->lines[index];
    const struct shape *shape = shape_of(line->letter);

    if (shape == NULL)
        return;
    if (is_allocation(line))
        line->object = allocate_node(trace, line->field[0], index);
    else if (shape->object != NOTHING)
        line->object = name_node(trace, line->field[shape->object]);
    if (shape->other != NOTHING)
        line->other = name_node(trace, line->field[shape->other]);
}

/* Marks the frames that an exit of the method abandons: those above the one that it leaves. */
static void mark_abandoned(struct trace *trace, const struct state *state, uint64_t thread,
                           uint64_t method)
{
    size_t left = innermost_of_method(state, thread, method);

    if (left == NOTHING)
        return;
    for (size_t i = left + 1; i < state->frame_count; i++)
        if (state->frames[i].open && state->frames[i].thread == thread)
            trace->lines[state->frames[i].entry].abandoned = true;
}

/* Finds which frames will be abandoned. */
static void find_abandoned(struct trace *trace, const struct brute_options *options)
{
    struct state state = {0};

    for (size_t i = 0; i < trace->line_count; i++) {
        const struct line *line = &trace->lines[i];
        uint64_t thread = thread_of(line, options);

        if (line->letter == 'M')
            push_frame(&state, thread, line->field[0], i);
        if (line->letter == 'E' || line->letter == 'X') {
            mark_abandoned(trace, &state, thread, line->field[0]);
            pop_frames(&state, thread, line->field[0]);
        }
    }
    free_state(&state);
}

/* Finds the objects that each record names, the value that each U overwrites, and the frames
 * that are abandoned. */
static void resolve(struct trace *trace, const struct brute_options *options)
{
    struct state state = {0};

    for (size_t i = 0; i < trace->line_count; i++) {
        struct line *line = &trace->lines[i];

        resolve_line(trace, i);
        if (line->letter == 'U')
            line->old = store(&state, line);
    }
    free_state(&state);
    find_abandoned(trace, options);
}

/* ---- 3. Reachability at a boundary, from scratch ---- */

static void reach(struct trace *trace, size_t node)
{
    if (node != NOTHING)
        trace->nodes[node].reachable = true;
}

static void reach_static_fields(struct trace *trace, const struct state *state)
{
    for (size_t i = 0; i < state->slot_count; i++)
        if (state->slots[i].container == NOTHING)
            reach(trace, state->slots[i].value);
}

/*
 * By the definition, an E or X uses the receiver of the frame that it leaves until just before
 * the clock ticks. This needs no code: the frame was open at every boundary before, so the
 * receiver was reachable, and it is not open at this boundary.
 */
static void reach_open_frames(struct trace *trace, const struct state *state)
{
    for (size_t i = 0; i < state->hold_count; i++)
        if (state->frames[state->holds[i].frame].open)
            reach(trace, state->holds[i].node);
}

static void reach_never_allocated(struct trace *trace)
{
    for (size_t i = 0; i < trace->node_count; i++)
        if (trace->nodes[i].allocation == NOTHING)
            reach(trace, i);
}

/*
 * Marks what the boundary itself uses after its tick (the receiver of an M, and the exception
 * of an X, which is still in flight), and everything that later records use.
 */
static void reach_later_uses(struct trace *trace, size_t boundary)
{
    const struct line *line = &trace->lines[boundary];

    if (line->letter == 'M')
        reach(trace, line->object);
    if (line->letter == 'X')
        reach(trace, line->other);
    for (size_t i = boundary + 1; i < trace->line_count; i++) {
        reach(trace, trace->lines[i].object);
        reach(trace, trace->lines[i].other);
        reach(trace, trace->lines[i].old);
    }
}

/* Follows slots from reachable objects until no more objects become reachable. */
static void reach_through_slots(struct trace *trace, const struct state *state)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (size_t i = 0; i < state->slot_count; i++) {
            const struct slot *slot = &state->slots[i];

            if (slot->container == NOTHING || slot->value == NOTHING)
                continue;
            if (!trace->nodes[slot->container].reachable || trace->nodes[slot->value].reachable)
                continue;
            trace->nodes[slot->value].reachable = true;
            changed = true;
        }
    }
}

static void find_reachable(struct trace *trace, const struct state *state, size_t boundary,
                           const struct brute_options *options)
{
    for (size_t i = 0; i < trace->node_count; i++)
        trace->nodes[i].reachable = false;
    reach_static_fields(trace, state);
    reach_open_frames(trace, state);
    if (options->unallocated == BRUTE_IMMORTAL)
        reach_never_allocated(trace);
    reach_later_uses(trace, boundary);
    reach_through_slots(trace, state);
}

/* An object that was allocated, is not reachable and has not died yet, dies here. */
static void bury(struct trace *trace, size_t boundary)
{
    for (size_t i = 0; i < trace->node_count; i++) {
        struct node *node = &trace->nodes[i];

        if (node->allocation == NOTHING || node->allocation > boundary)
            continue;
        if (!node->reachable && node->death == NOTHING)
            node->death = boundary;
    }
}

static void bury_all(struct trace *trace, const struct brute_options *options)
{
    struct state state = {0};

    for (size_t i = 0; i < trace->line_count; i++) {
        step(&state, trace, i, options);
        if (!is_boundary(&trace->lines[i]))
            continue;
        find_reachable(trace, &state, i, options);
        bury(trace, i);
    }
    free_state(&state);
}

/* ---- 4. Writing ---- */

/* The clock after the first line_count lines of the trace. */
static uint64_t clock_after(const struct trace *trace, size_t line_count,
                            enum brute_dialect dialect)
{
    uint64_t clock = 0;

    for (size_t i = 0; i < line_count; i++)
        if (is_boundary(&trace->lines[i]))
            clock = dialect == BRUTE_TIME ? trace->lines[i].last : clock + 1;
    return clock;
}

static uint64_t death_thread(const struct line *allocation, const struct brute_options *options)
{
    if (options->has_death_thread)
        return options->death_thread;
    return options->dialect == BRUTE_THREAD ? allocation->last : 0;
}

/* What D lines after a line have before and after them: they end as that line does; if it has
 * no line end, they begin with one. */
struct ending {
    const char *before;
    const char *after;
};

static struct ending ending_after(const struct line *line)
{
    char last = line->size < 1 ? '\0' : line->start[line->size - 1];
    char last_but_one = line->size < 2 ? '\0' : line->start[line->size - 2];

    if (last == '\n')
        return (struct ending){"", last_but_one == '\r' ? "\r\n" : "\n"};
    return (struct ending){"\n", ""};
}

/* Writes the deaths of the objects that die at the line `death` (NOTHING: that are alive at the
 * end), in the order of their allocations. */
static void write_deaths(const struct trace *trace, size_t death, uint64_t clock,
                         struct ending ending, const struct brute_options *options,
                         struct text *output)
{
    for (size_t i = 0; i < trace->line_count; i++) {
        const struct line *line = &trace->lines[i];

        if (!is_allocation(line) || line->object == NOTHING)
            continue;
        if (trace->nodes[line->object].death != death)
            continue;
        text_string(output, ending.before);
        text_string(output, "D ");
        text_number(output, trace->nodes[line->object].id);
        text_string(output, " ");
        text_number(output, death_thread(line, options));
        text_string(output, " ");
        text_number(output, clock);
        text_string(output, ending.after);
    }
}

/* Writes all deaths and, unless deaths_only, the lines of the trace. */
static void write_trace(const struct trace *trace, const struct brute_options *options,
                        bool deaths_only, struct text *output)
{
    struct ending ending = {"", "\n"};

    for (size_t i = 0; i < trace->line_count; i++) {
        const struct line *line = &trace->lines[i];

        if (!deaths_only) {
            text_append(output, line->start, line->size);
            ending = ending_after(line);
        }
        if (is_boundary(line))
            write_deaths(trace, i, clock_after(trace, i + 1, options->dialect), ending, options,
                         output);
    }
    if (options->at_end == BRUTE_DIE)
        write_deaths(trace, NOTHING, clock_after(trace, trace->line_count, options->dialect),
                     ending, options, output);
}

static bool run(const char *text, size_t size, const struct brute_options *options,
                bool deaths_only, struct text *output, size_t *bad_line)
{
    struct trace trace = {0};
    bool good = read_lines(&trace, text, size, options->replace_deaths, bad_line);

    if (good) {
        resolve(&trace, options);
        bury_all(&trace, options);
        write_trace(&trace, options, deaths_only, output);
    }
    free_trace(&trace);
    return good;
}

bool brute_trace(const char *trace, size_t size, const struct brute_options *options,
                 struct text *output, size_t *bad_line)
{
    return run(trace, size, options, false, output, bad_line);
}

bool brute_deaths(const char *trace, size_t size, const struct brute_options *options,
                  struct text *output, size_t *bad_line)
{
    return run(trace, size, options, true, output, bad_line);
}

/* ---- The dialect ---- */

static enum brute_dialect find_dialect(const struct trace *trace)
{
    size_t boundaries = 0;
    uint64_t previous = 0;

    for (size_t i = 0; i < trace->line_count && boundaries < 1000; i++) {
        const struct line *line = &trace->lines[i];

        if (!is_boundary(line))
            continue;
        if (boundaries > 0 && (previous == UINT64_MAX || line->last != previous + 1))
            return BRUTE_THREAD;
        previous = line->last;
        boundaries++;
    }
    return boundaries < 2 ? BRUTE_THREAD : BRUTE_TIME;
}

bool brute_auto_dialect(const char *text, size_t size, enum brute_dialect *dialect,
                        size_t *bad_line)
{
    struct trace trace = {0};
    bool good = read_lines(&trace, text, size, false, bad_line);

    if (good)
        *dialect = find_dialect(&trace);
    free_trace(&trace);
    return good;
}
