/* SPDX-License-Identifier: MIT */
/*
 * check_tables: checks the tables that etmerlin writes together with a trace with deaths.
 *
 *     check_tables OPTIONS TRACE LIFETIMES GROUPS REFERENCES LIVE TICKS BYTES N CONTEXTS \
 *         DEATHS BOTH STATS
 *     check_tables --overflows TRACE
 *
 * OPTIONS is DIALECT,HELD-BY,UNALLOCATED,AT-END in the words of etmerlin's options. TICKS and
 * BYTES are the live heap in at most N rows, by each axis. CONTEXTS, DEATHS and BOTH are the
 * contexts by allocation, by death and by both, of depth N. STATS has lines of a key of --stats
 * and its figures.
 *
 * Everything in the tables is computed once more from the trace alone, straight from the
 * definitions and in quadratic time: reachability is computed for every pair of objects. It
 * shares no code with the program. Where the manual leaves open which of several keys an object
 * has, each of them is accepted.
 *
 * Exit status: 0 the tables are right, 1 they are not, 2 trouble. With --overflows: 0 if the
 * sum of all sizes of the trace does not fit 64 bits, 1 if it does.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

/* No sum of 64-bit numbers here overflows this type. */
__extension__ typedef unsigned __int128 wide_number;

#define NEVER UINT64_MAX
#define NONE SIZE_MAX
#define FIELDS 32

/* The largest depth of contexts in these tests. */
#define DEPTH 8

static void die(const char *what)
{
    fprintf(stderr, "check_tables: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    exit(1);
}

/* ---- Text ---- */

/* A file cut into lines, which end with a zero. */
struct lines {
    struct text text;
    char **items;
    size_t count;
    size_t room;
};

static struct lines read_lines(const char *path)
{
    struct lines lines = {.items = NULL};
    int file = open(path, O_RDONLY);
    if (file < 0 || !text_read(&lines.text, file))
        die(path);
    close(file);
    text_append(&lines.text, "", 1);
    for (char *at = lines.text.data; *at;) {
        lines.items = array_room(lines.items, lines.count, &lines.room, sizeof *lines.items);
        lines.items[lines.count++] = at;
        at += strcspn(at, "\n");
        if (*at)
            *at++ = '\0';
    }
    return lines;
}

static void free_lines(struct lines *lines)
{
    free(lines->items);
    text_free(&lines->text);
}

/* ---- The trace, record by record ---- */

struct frame {
    uint64_t thread;
    uint64_t method;
    uint64_t left; /* the tick of the boundary that left it, or NEVER */
};

/* The innermost open methods of a thread, the innermost first. */
struct context {
    uint64_t methods[DEPTH];
    size_t count;
};

/* The frame holds the node. */
struct hold {
    size_t frame;
    size_t node;
};

/* The kinds of last uses; in a cycle, an earlier one is preferred. */
enum how { STATIC, UPDATE, FRAME, USE };

struct node {
    uint64_t id;
    uint64_t last; /* the tick of the last use */
    enum how how;
    struct context site; /* of the last use */
    uint64_t lost_by;    /* the field of the latest store that overwrote a reference to it */
    bool is_named;       /* some record has named it */
    bool is_shared;      /* a thread other than `namer` has named it, too */
    uint64_t namer;      /* the first thread that named it */
    size_t allocation;   /* its number, or NONE */
    bool held;           /* at the end by a frame */
    bool is_static;      /* at the end a static field refers to it */
    bool is_root;
    uint64_t death; /* the latest last use of a node that reaches it; NEVER: a root does */
    bool is_key;
};

struct allocation {
    size_t node;
    size_t line;
    char kind;
    uint64_t size, type, site, length, thread;
    uint64_t tick;
    bool is_prior;  /* the object was there before the trace */
    uint64_t bytes; /* allocated so far, prior objects not counted */
    struct context context;
    size_t frames; /* the number of frames entered before it */
};

struct slot {
    size_t container; /* NONE: static */
    uint64_t field;
    size_t target; /* NONE: null */
    uint64_t created;
};

/* A row of the table of references, as text. */
struct reference {
    char line[160];
};

struct death {
    uint64_t object;
    uint64_t time;
    bool is_used;
};

static size_t depth;
static bool shows_uses; /* the trace has a record other than allocations and deaths */
static bool explicit_time, held_by_none, held_by_frame, immortal, all_die;

static struct node *nodes;
static size_t node_count, node_room;
static struct allocation *allocations;
static size_t allocation_count, allocation_room;
static struct slot *slots;
static size_t slot_count, slot_room;
static struct frame *frames; /* of all threads, in the order of their entries */
static bool *is_open;
static size_t frame_count, frame_room, open_room;
static struct hold *holds;
static size_t hold_count, hold_room;
static struct reference *references;
static size_t reference_count, reference_room;
static struct death *deaths;
static size_t death_count, death_room;
static uint64_t *times; /* by tick */
static size_t time_room;
static uint64_t now;
static struct context present; /* the context of the present record */
static bool **reaches;         /* reaches[a][b]: a is b or references lead from a to b */

static size_t add_node(uint64_t id)
{
    nodes = array_room(nodes, node_count, &node_room, sizeof *nodes);
    nodes[node_count] = (struct node){.id = id, .allocation = NONE};
    return node_count++;
}

/* The latest node with the id, which is made if there is none; NONE for id 0. */
static size_t find_node(uint64_t id)
{
    if (id == 0)
        return NONE;
    for (size_t i = node_count; i-- > 0;)
        if (nodes[i].id == id)
            return i;
    return add_node(id);
}

static void use(size_t node, enum how how)
{
    if (node == NONE)
        return;
    nodes[node].last = now;
    nodes[node].how = how;
    nodes[node].site = present;
}

/* Notes that a record of the thread names the node. */
static void note_namer(size_t node, uint64_t thread)
{
    if (node == NONE)
        return;
    nodes[node].is_shared |= nodes[node].is_named && nodes[node].namer != thread;
    if (!nodes[node].is_named)
        nodes[node].namer = thread;
    nodes[node].is_named = true;
}

/* The methods of open frames of the thread, from frame number `from` outwards, `depth` at most.
 */
static struct context methods_from(size_t from, uint64_t thread)
{
    struct context context = {.count = 0};
    for (size_t i = from + 1; i-- > 0 && context.count < depth;)
        if (is_open[i] && frames[i].thread == thread)
            context.methods[context.count++] = frames[i].method;
    return context;
}

static bool are_same(const struct context *a, const struct context *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = a->methods[i] == b->methods[i];
    return same;
}

/* The innermost open frame of a thread, or NONE. */
static size_t innermost(uint64_t thread)
{
    for (size_t i = frame_count; i-- > 0;)
        if (is_open[i] && frames[i].thread == thread)
            return i;
    return NONE;
}

static void hold(uint64_t thread, size_t node)
{
    size_t frame = innermost(thread);
    if (frame == NONE || node == NONE)
        return;
    holds = array_room(holds, hold_count, &hold_room, sizeof *holds);
    holds[hold_count++] = (struct hold){frame, node};
}

static void name(uint64_t thread, uint64_t id)
{
    size_t node = find_node(id);
    note_namer(node, thread);
    use(node, USE);
    if (held_by_frame)
        hold(thread, node);
}

static void tick(uint64_t last)
{
    now++;
    times = array_room(times, now, &time_room, sizeof *times);
    times[0] = 0;
    times[now] = explicit_time ? last : now;
}

static void enter(uint64_t method, uint64_t receiver, uint64_t thread)
{
    size_t node = find_node(receiver);
    frames = array_room(frames, frame_count, &frame_room, sizeof *frames);
    is_open = array_room(is_open, frame_count, &open_room, sizeof *is_open);
    frames[frame_count] = (struct frame){thread, method, NEVER};
    is_open[frame_count++] = true;
    present = methods_from(frame_count - 1, thread);
    note_namer(node, thread);
    use(node, USE);
    if (!held_by_none)
        hold(thread, node);
}

static void pop(size_t frame, bool is_abandoned)
{
    is_open[frame] = false;
    frames[frame].left = now + 1;
    if (is_abandoned && !held_by_frame)
        return;
    for (size_t i = 0; i < hold_count; i++)
        if (holds[i].frame == frame)
            use(holds[i].node, FRAME);
}

/* The thread leaves `method`. An X names the receiver; an E has none (NONE). */
static void leave(uint64_t method, size_t receiver, uint64_t thread)
{
    bool has_frame = false;
    for (size_t i = 0; i < frame_count; i++)
        if (is_open[i] && frames[i].thread == thread && frames[i].method == method) {
            has_frame = true;
            present = methods_from(i, thread);
        }
    note_namer(receiver, thread);
    use(receiver, USE);
    for (bool is_left = !has_frame; !is_left;) {
        size_t frame = innermost(thread);
        is_left = frames[frame].method == method;
        pop(frame, !is_left);
    }
}

static uint64_t id_of(size_t node)
{
    return node == NONE ? 0 : nodes[node].id;
}

/* Adds a row of the table of references. */
static void end_reference(const struct slot *slot, uint64_t ended, const char *how)
{
    char when[32] = "";
    references = array_room(references, reference_count, &reference_room, sizeof *references);
    if (ended != NEVER)
        snprintf(when, sizeof when, "%" PRIu64, times[ended]);
    struct reference *reference = &references[reference_count++];
    snprintf(reference->line, sizeof reference->line,
             "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\t%d",
             id_of(slot->container), slot->field, id_of(slot->target), times[slot->created],
             when, how, slot->container == NONE);
}

static void store(uint64_t container_id, uint64_t value_id, uint64_t field, uint64_t thread)
{
    size_t container = find_node(container_id), i = 0;
    note_namer(container, thread);
    use(container, USE);
    size_t value = find_node(value_id);
    note_namer(value, thread);
    use(value, USE);
    while (i < slot_count && (slots[i].container != container || slots[i].field != field))
        i++;
    if (i == slot_count) {
        slots = array_room(slots, slot_count, &slot_room, sizeof *slots);
        slots[slot_count++] = (struct slot){container, field, NONE, 0};
    }
    size_t old = slots[i].target;
    if (old != value) {
        if (old != NONE)
            end_reference(&slots[i], now, value == NONE ? "cleared" : "overwritten");
        use(old, old == container ? USE : container == NONE ? STATIC : UPDATE);
        if (old != NONE && old != container)
            nodes[old].lost_by = field;
        slots[i].target = value;
        slots[i].created = now;
    }
    if (held_by_frame) {
        hold(thread, container);
        hold(thread, value);
    }
}

static void allocate(char kind, size_t line, const uint64_t *values, uint64_t thread)
{
    size_t node = find_node(values[0]);
    if (nodes[node].allocation != NONE)
        node = add_node(values[0]);
    nodes[node].allocation = allocation_count;
    uint64_t before = allocation_count ? allocations[allocation_count - 1].bytes : 0;
    bool is_prior = kind == 'P' || kind == 'I';
    allocations =
        array_room(allocations, allocation_count, &allocation_room, sizeof *allocations);
    allocations[allocation_count++] = (struct allocation){
        .node = node,
        .line = line,
        .kind = kind,
        .size = values[1],
        .type = values[2],
        .site = values[3],
        .length = values[4],
        .thread = thread,
        .tick = now,
        .is_prior = is_prior,
        .bytes = is_prior ? before : before + values[1],
        .frames = frame_count,
    };
    if (!is_prior)
        allocations[allocation_count - 1].context = present;
    note_namer(node, thread);
    use(node, USE);
    if (held_by_frame)
        hold(thread, node);
}

static void note_death(uint64_t object, uint64_t time)
{
    deaths = array_room(deaths, death_count, &death_room, sizeof *deaths);
    deaths[death_count++] = (struct death){.object = object, .time = time};
}

/* Reads the fields of a line after its letter; returns how many. */
static size_t parse(const char *line, char *letter, uint64_t *values)
{
    size_t count = 0;
    line += strspn(line, " \t\r");
    *letter = *line ? *line++ : '#';
    for (line += strspn(line, " \t\r"); *line && count < FIELDS;
         line += strspn(line, " \t\r")) {
        char *end;
        values[count++] = strtoull(line, &end, 10);
        line = end + strcspn(end, " \t\r");
    }
    return count;
}

static void play(const char *line, size_t number)
{
    char letter;
    uint64_t v[FIELDS] = {0};
    size_t count = parse(line, &letter, v);
    if (count == 0 || *line == '#')
        return;
    uint64_t last = v[count - 1], thread = explicit_time ? 0 : last;
    shows_uses |= strchr("MEXTHUW", letter) != NULL;
    present = methods_from(frame_count - 1, thread);
    switch (letter) {
    case 'N':
    case 'A':
    case 'I':
    case 'P':
    case 'V':
        allocate(letter, number, v, thread);
        break;
    case 'M':
        tick(last);
        enter(v[0], v[1], thread);
        break;
    case 'E':
        leave(v[0], NONE, thread);
        tick(last);
        break;
    case 'X':
        leave(v[0], find_node(v[1]), thread);
        tick(last);
        name(thread, v[2]);
        break;
    case 'T':
    case 'H':
        name(thread, v[1]);
        name(thread, v[2]);
        break;
    case 'U':
        store(v[0], v[1], v[2], thread);
        break;
    case 'W':
        name(thread, v[0]);
        break;
    case 'D':
        note_death(v[0], v[2]);
        break;
    default:
        break;
    }
}

/* ---- Roots, deaths, keys and causes ---- */

/* Marks the nodes that `from` reaches, by going over all slots until nothing changes. */
static void find_reached(size_t from, bool *reached)
{
    reached[from] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < slot_count; i++) {
            const struct slot *slot = &slots[i];
            if (slot->container == NONE || slot->target == NONE || !reached[slot->container] ||
                reached[slot->target])
                continue;
            reached[slot->target] = changed = true;
        }
    }
}

static void find_roots(void)
{
    for (size_t i = 0; i < slot_count; i++)
        if (slots[i].container == NONE && slots[i].target != NONE)
            nodes[slots[i].target].is_static = true;
    for (size_t i = 0; i < hold_count; i++)
        if (is_open[holds[i].frame])
            nodes[holds[i].node].held = true;
    for (size_t i = 0; i < node_count; i++)
        nodes[i].is_root =
            nodes[i].is_static || nodes[i].held || (immortal && nodes[i].allocation == NONE);
}

static void find_deaths(void)
{
    reaches = calloc(node_count + 1, sizeof *reaches);
    for (size_t i = 0; reaches && i < node_count; i++) {
        reaches[i] = calloc(node_count, sizeof **reaches);
        if (!reaches[i])
            die("memory");
        find_reached(i, reaches[i]);
    }
    for (size_t o = 0; o < node_count; o++)
        for (size_t p = 0; p < node_count; p++) {
            uint64_t time = nodes[p].is_root ? NEVER : nodes[p].last;
            if (reaches[p][o] && time > nodes[o].death)
                nodes[o].death = time;
        }
}

static bool is_dead(size_t node)
{
    return nodes[node].death < now;
}

/* Whether the death of `o` may have originated in `p`. */
static bool is_candidate(size_t p, size_t o)
{
    return reaches[p][o] && is_dead(p) && nodes[p].last == nodes[p].death &&
           nodes[p].death == nodes[o].death;
}

/* Whether a is preferred to b as the key of a cycle that contains both. */
static bool is_better(size_t a, size_t b)
{
    return nodes[a].how != nodes[b].how ? nodes[a].how < nodes[b].how : a < b;
}

static void find_keys(void)
{
    for (size_t k = 0; k < node_count; k++) {
        nodes[k].is_key = is_candidate(k, k);
        for (size_t p = 0; p < node_count; p++)
            if (p != k && is_candidate(p, k) && (!reaches[k][p] || is_better(p, k)))
                nodes[k].is_key = false;
    }
}

/* The next key that `o` may have, from number `from` on, or NONE. */
static size_t next_key(size_t o, size_t from)
{
    while (from < node_count && !(nodes[from].is_key && is_candidate(from, o)))
        from++;
    return from < node_count ? from : NONE;
}

/* The only key that `o` may have; NONE: there are several, or it is alive. */
static size_t only_key(size_t o)
{
    size_t key = is_dead(o) ? next_key(o, 0) : NONE;
    return key == NONE || next_key(o, key + 1) != NONE ? NONE : key;
}

static const char *cause_of(size_t o)
{
    static const char *const of_use[] = {"static", "update", "frame", "use"};
    if (is_dead(o))
        return nodes[o].is_key ? of_use[nodes[o].how] : "container";
    if (nodes[o].is_static)
        return "alive-static";
    if (nodes[o].held)
        return "alive-frame";
    return nodes[o].death == NEVER || nodes[o].last < now ? "alive-held" : "alive-used";
}

/* The tick of the boundary at which a node dies, or NEVER. */
static uint64_t died(size_t o)
{
    if (is_dead(o))
        return nodes[o].death + 1;
    return all_die && nodes[o].allocation != NONE ? now : NEVER;
}

/* The bytes allocated before the boundary at which `o` dies; if it is alive at the end, all. */
static uint64_t bytes_at_death(size_t o)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < allocation_count; i++)
        if (!allocations[i].is_prior && (!is_dead(o) || allocations[i].tick < died(o)))
            bytes += allocations[i].size;
    return bytes;
}

/* ---- Tables ---- */

/* Cuts a line at its tabs; returns how many fields it has. */
static size_t cut(char *line, char **fields)
{
    size_t count = 0;
    for (char *at = line; at && count < FIELDS; count++) {
        fields[count] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    return count;
}

static uint64_t number(const char *field)
{
    return strtoull(field, NULL, 10);
}

/* Expects `value` in a field, or an empty field unless is_there. */
static void want_if(bool is_there, const char *table, size_t row, const char *column,
                    const char *field, uint64_t value)
{
    char wanted[32] = "";
    if (is_there)
        snprintf(wanted, sizeof wanted, "%" PRIu64, value);
    if (strcmp(field, wanted) != 0)
        wrong("%s, row %zu: %s is \"%s\", not \"%s\"", table, row + 1, column, field, wanted);
}

static void want(const char *table, size_t row, const char *column, const char *field,
                 uint64_t value)
{
    want_if(true, table, row, column, field, value);
}

/* Finds an unused D line with this death, and uses it. Returns false if there is none. */
static bool take_death(uint64_t object, uint64_t time)
{
    for (size_t i = 0; i < death_count; i++)
        if (!deaths[i].is_used && deaths[i].object == object && deaths[i].time == time) {
            deaths[i].is_used = true;
            return true;
        }
    return false;
}

static void check_key(size_t row, size_t o, char **f)
{
    const char *group = f[16];
    bool fits = false;
    if (!is_dead(o)) {
        if (*group || *f[17] || *f[18] || *f[19])
            wrong("lifetimes, row %zu: a group of what is alive", row + 1);
        return;
    }
    for (size_t key = 0; (key = next_key(o, key)) != NONE; key++)
        fits |= nodes[key].id == number(group) && (!nodes[o].is_key || key == o);
    if (!fits)
        wrong("lifetimes, row %zu: \"%s\" is not its key", row + 1, group);
    if ((nodes[o].is_key && !allocations[row].is_prior) != (*f[17] != '\0'))
        wrong("lifetimes, row %zu: only the row of a key has sums of its group", row + 1);
}

/* Whether an allocation is the first one in its context, which has methods. */
static bool is_first_in_context(size_t row)
{
    bool is_new = allocations[row].context.count > 0;
    for (size_t i = 0; i < row && is_new; i++)
        is_new = !are_same(&allocations[i].context, &allocations[row].context);
    return is_new;
}

/* The number of a context. Contexts of allocations are numbered from 1 in the order in which
 * they first occur; the context without methods has 0. NEVER: nothing is allocated in it. */
static uint64_t number_of(const struct context *context)
{
    uint64_t count = 0;
    if (context->count == 0)
        return 0;
    for (size_t i = 0; i < allocation_count; i++) {
        count += is_first_in_context(i);
        if (are_same(&allocations[i].context, context))
            return count;
    }
    return NEVER;
}

static uint64_t context_of(size_t row)
{
    return number_of(&allocations[row].context);
}

/* The bytes allocated until the end of the tick of the last use, or until the death if that is
 * less. */
static uint64_t bytes_at_last_use(size_t o)
{
    uint64_t bytes = 0, most = bytes_at_death(o);
    for (size_t i = 0; i < allocation_count; i++)
        if (!allocations[i].is_prior && allocations[i].tick <= nodes[o].last)
            bytes += allocations[i].size;
    return bytes < most ? bytes : most;
}

static void check_context_and_drag(size_t row, char **f)
{
    const char *const t = "lifetimes";
    const struct allocation *a = &allocations[row];
    size_t o = a->node;
    uint64_t last = bytes_at_last_use(o);
    bool has_drag = shows_uses && !a->is_prior;
    uint64_t end = died(o) != NEVER ? died(o) : now;
    want_if(a->context.count > 0, t, row, "method", f[0], a->context.methods[0]);
    want_if(!a->is_prior, t, row, "context", f[1], a->is_prior ? 0 : context_of(row));
    want_if(shows_uses, t, row, "last_use_bytes", f[2], last);
    want_if(has_drag, t, row, "drag", f[3], end - nodes[o].last);
    want_if(has_drag, t, row, "drag_bytes", f[4], bytes_at_death(o) - last);
}

/* The death site in a row of the table. */
struct said_site {
    uint64_t context, method;
    bool has_context, has_method;
};

static struct said_site *said_sites; /* by row */

/* Contexts in which objects only die. The first of them has the number after those of
 * allocations. An entry without methods is not known, since rows may have several keys. */
static struct context *fatal;
static size_t fatal_count;

/* Whether the row may have the death site of this key. The numbers of contexts in which nothing
 * is allocated are not compared here (see fits_number). */
static bool dies_at(size_t key, const struct said_site *said, uint64_t contexts)
{
    const struct context *site = &nodes[key].site;
    uint64_t wanted = number_of(site);
    return said->has_context && said->has_method == (site->count > 0) &&
           (site->count == 0 || site->methods[0] == said->method) &&
           (wanted == NEVER ? said->context > contexts : said->context == wanted);
}

/* Stores the death site of the row, which check_death_sites compares with the last uses of the
 * object's keys. An object that is alive must have none. */
static void check_death_site(size_t row, char **f)
{
    said_sites[row] =
        (struct said_site){number(f[1]), number(f[0]), *f[1] != '\0', *f[0] != '\0'};
    if (!is_dead(allocations[row].node) && (*f[0] || *f[1]))
        wrong("lifetimes, row %zu: a death site of what is alive", row + 1);
}

/* The row after row `after` in the order of death (NONE: the first one), or NONE. */
static size_t next_death(size_t after)
{
    size_t next = NONE;
    for (size_t i = 0; i < allocation_count; i++) {
        uint64_t tick = died(allocations[i].node);
        bool is_later = after == NONE || tick > died(allocations[after].node) ||
                        (tick == died(allocations[after].node) && i > after);
        if (is_dead(allocations[i].node) && is_later &&
            (next == NONE || tick < died(allocations[next].node)))
            next = i;
    }
    return next;
}

/* Whether all keys of a row have the same site, which *site gets. */
static bool has_one_site(size_t row, struct context *site)
{
    size_t o = allocations[row].node, count = 0;
    bool is_one = true;
    for (size_t key = 0; (key = next_key(o, key)) != NONE; key++) {
        is_one &= count++ == 0 || are_same(site, &nodes[key].site);
        *site = nodes[key].site;
    }
    return is_one;
}

/* Checks the numbers of contexts in which objects only die: they follow the order of these
 * deaths. Looks at deaths of prior objects, or at those of others. */
static void number_fatal_of(uint64_t contexts, bool are_prior)
{
    for (size_t row = NONE; (row = next_death(row)) != NONE;) {
        const struct said_site *said = &said_sites[row];
        struct context site;
        if (!said->has_context || said->context <= contexts ||
            allocations[row].is_prior != are_prior)
            continue;
        size_t index = (size_t)(said->context - contexts - 1);
        if (index > fatal_count)
            wrong("lifetimes, row %zu: context %" PRIu64 " comes too early", row + 1,
                  said->context);
        fatal_count += index == fatal_count;
        if (has_one_site(row, &site))
            fatal[index] = site;
    }
}

static void number_fatal(uint64_t contexts)
{
    fatal = calloc(allocation_count + 1, sizeof *fatal);
    number_fatal_of(contexts, false);
    number_fatal_of(contexts, true);
}

/* Whether the number in a row is that of the key's site, as far as the sites are known. */
static bool fits_number(size_t key, const struct said_site *said, uint64_t contexts)
{
    const struct context *site = &nodes[key].site;
    if (number_of(site) != NEVER)
        return true;
    for (size_t i = 0; i < fatal_count; i++)
        if (fatal[i].count > 0 && are_same(&fatal[i], site))
            return said->context == contexts + 1 + i;
    return fatal[said->context - contexts - 1].count == 0;
}

static void check_death_sites(void)
{
    uint64_t contexts = 0;
    for (size_t i = 0; i < allocation_count; i++)
        contexts += is_first_in_context(i);
    number_fatal(contexts);
    for (size_t row = NONE; (row = next_death(row)) != NONE;) {
        const struct said_site *said = &said_sites[row];
        bool fits = false;
        for (size_t key = 0; (key = next_key(allocations[row].node, key)) != NONE; key++)
            fits |= dies_at(key, said, contexts) && fits_number(key, said, contexts);
        if (!fits)
            wrong("lifetimes, row %zu: %" PRIu64 " is not its death site", row + 1,
                  said->context);
    }
}

/* The number of frames open at the allocation that had been left before the object died; *open
 * gets the number of all that were open. */
static uint64_t frames_outlived(const struct allocation *a, uint64_t *open)
{
    uint64_t outlived = 0, death = died(a->node);
    *open = 0;
    for (size_t i = 0; i < a->frames; i++) {
        bool was_open = frames[i].thread == a->thread && frames[i].left > a->tick;
        *open += was_open;
        outlived += was_open && frames[i].left < death;
    }
    return outlived;
}

static void check_life(size_t row, char **f)
{
    const char *const t = "lifetimes";
    const struct allocation *a = &allocations[row];
    size_t o = a->node;
    uint64_t death = died(o), bytes = bytes_at_death(o);
    bool dies = death != NEVER, lived = dies && !a->is_prior;
    want(t, row, "object", f[0], nodes[o].id);
    if (f[1][0] != a->kind || f[1][1])
        wrong("%s, row %zu: kind is %s", t, row + 1, f[1]);
    want(t, row, "type", f[2], a->type);
    want(t, row, "size", f[3], a->size);
    want(t, row, "length", f[4], a->length);
    want(t, row, "site", f[5], a->site);
    want(t, row, "thread", f[6], a->thread);
    want(t, row, "alloc_line", f[7], a->line);
    want_if(!a->is_prior, t, row, "alloc_time", f[8], times[a->tick]);
    want(t, row, "last_use_time", f[9], times[nodes[o].last]);
    want_if(dies, t, row, "death_time", f[10], dies ? times[death] : 0);
    want_if(lived, t, row, "lifetime", f[11], death - a->tick);
    want_if(!a->is_prior, t, row, "alloc_bytes", f[12], a->bytes);
    want_if(dies, t, row, "death_bytes", f[13], bytes);
    want_if(lived, t, row, "lifetime_bytes", f[14], bytes - a->bytes);
    if (strcmp(f[15], cause_of(o)) != 0)
        wrong("%s, row %zu: cause is \"%s\", not \"%s\"", t, row + 1, f[15], cause_of(o));
    check_key(row, o, f);
    check_context_and_drag(row, f + 20);
    check_death_site(row, f + 25);
    uint64_t open, outlived = frames_outlived(a, &open);
    want_if(is_dead(o) && !a->is_prior && open > 0, t, row, "frames_outlived", f[27], outlived);
    want_if(!a->is_prior && !explicit_time, t, row, "shared", f[28], nodes[o].is_shared);
    if (dies && !take_death(nodes[o].id, times[death]))
        wrong("%s, row %zu: the trace has no such death", t, row + 1);
}

/* The context with this number; NULL: its methods are not known. */
static const struct context *context_with(uint64_t context)
{
    static const struct context none;
    uint64_t count = 0;
    if (context == 0)
        return &none;
    for (size_t i = 0; i < allocation_count; i++) {
        count += is_first_in_context(i);
        if (count == context)
            return &allocations[i].context;
    }
    if (context - count > fatal_count)
        wrong("contexts: there is no number %" PRIu64, context);
    return fatal[context - count - 1].count > 0 ? &fatal[context - count - 1] : NULL;
}

/* Checks a column of names of methods, which are their numbers here. */
static void check_names(size_t row, uint64_t context, const char *names)
{
    char wanted[DEPTH * 24] = "(none)";
    const struct context *has = context_with(context);
    size_t length = 0;
    for (size_t i = 0; has && i < has->count; i++)
        length += (size_t)snprintf(wanted + length, sizeof wanted - length, "%s%" PRIu64,
                                   i > 0 ? ";" : "", has->methods[i]);
    if (has && strcmp(names, wanted) != 0)
        wrong("contexts, row %zu: \"%s\", not \"%s\"", row + 1, names, wanted);
}

/* The objects that a row of contexts counts. */
struct place {
    const char *context, *death; /* fields; NULL: of any */
    uint64_t type;
};

static bool is_at(const struct place *place, size_t i)
{
    const struct said_site *site = &said_sites[i];
    if (allocations[i].is_prior || allocations[i].type != place->type)
        return false;
    if (place->context && number(place->context) != context_of(i))
        return false;
    return !place->death || (is_dead(allocations[i].node)
                                 ? *place->death && number(place->death) == site->context
                                 : !*place->death);
}

/* Checks the sums of a row, from field `f` on; adds the number of its objects to *objects. */
static void check_place(size_t row, const struct place *place, char **f, uint64_t *objects)
{
    uint64_t all = 0, bytes = 0, dead = 0, immortals = 0, immortal_bytes = 0;
    wide_number lifetime = 0;
    for (size_t i = 0; i < allocation_count; i++) {
        const struct allocation *a = &allocations[i];
        if (!is_at(place, i))
            continue;
        all++;
        bytes += a->size;
        if (died(a->node) != NEVER) {
            dead++;
            lifetime += bytes_at_death(a->node) - a->bytes;
        }
        immortals += !is_dead(a->node);
        immortal_bytes += is_dead(a->node) ? 0 : a->size;
    }
    char mean[64] = "";
    wide_number hundredths = dead ? (lifetime * 100 + dead / 2) / dead : 0;
    if (dead)
        snprintf(mean, sizeof mean, "%" PRIu64 ".%02u", (uint64_t)(hundredths / 100),
                 (unsigned)(hundredths % 100));
    want("contexts", row, "objects", f[0], all);
    want("contexts", row, "bytes", f[1], bytes);
    want("contexts", row, "died", f[2], dead);
    if (strcmp(f[3], mean) != 0)
        wrong("contexts, row %zu: mean lifetime \"%s\", not \"%s\"", row + 1, f[3], mean);
    want("contexts", row, "immortal_objects", f[7], immortals);
    want("contexts", row, "immortal_bytes", f[8], immortal_bytes);
    *objects += all;
}

/* The first object of a row, in the order of allocation, or of death. */
static size_t first_at(const struct place *place)
{
    size_t first = NONE;
    for (size_t i = 0; i < allocation_count; i++) {
        bool is_earlier = first == NONE;
        if (!is_at(place, i))
            continue;
        if (!is_earlier && place->death && is_dead(allocations[i].node))
            is_earlier = !is_dead(allocations[first].node) ||
                         died(allocations[i].node) < died(allocations[first].node);
        first = is_earlier ? i : first;
    }
    return first;
}

/* Whether object `a` comes before object `b`. */
static bool is_before(size_t a, size_t b, bool by_death)
{
    bool a_dies = is_dead(allocations[a].node), b_dies = is_dead(allocations[b].node);
    if (by_death && a_dies != b_dies)
        return a_dies;
    if (by_death && a_dies && died(allocations[a].node) != died(allocations[b].node))
        return died(allocations[a].node) < died(allocations[b].node);
    return a < b;
}

/* Checks that each object is in one row, and that rows are in the order of their first objects.
 */
static void check_contexts(const char *path, bool by_allocation, bool by_death)
{
    struct lines lines = read_lines(path);
    uint64_t objects = 0, all = 0;
    size_t before = NONE, places = by_allocation && by_death ? 5 : 3;
    for (size_t row = 0; row + 1 < lines.count; row++) {
        char *f[FIELDS];
        if (cut(lines.items[row + 1], f) != places + 12)
            wrong("contexts, row %zu: not %zu fields", row + 1, places + 12);
        const struct place place = {by_allocation ? f[0] : NULL,
                                    by_death ? f[places - 3 + (places == 5)] : NULL,
                                    number(f[1])};
        if (by_allocation)
            check_names(row, number(f[0]), f[2]);
        if (by_death && *place.death)
            check_names(row, number(place.death), f[places - 1]);
        else if (by_death && strcmp(f[places - 1], "(alive)") != 0)
            wrong("contexts, row %zu: \"%s\" of what is alive", row + 1, f[places - 1]);
        check_place(row, &place, f + places, &objects);
        size_t first = first_at(&place);
        if (first == NONE || (before != NONE && !is_before(before, first, by_death)))
            wrong("contexts, row %zu: it is empty, or in the wrong position", row + 1);
        before = first;
    }
    for (size_t i = 0; i < allocation_count; i++)
        all += !allocations[i].is_prior;
    if (objects != all)
        wrong("contexts: %" PRIu64 " objects, not %" PRIu64, objects, all);
    free_lines(&lines);
}

/* Whether the line `key` of the statistics counts object i. */
static bool is_counted(const char *key, size_t i)
{
    const struct allocation *a = &allocations[i];
    uint64_t open, from, to, outlived = frames_outlived(a, &open);
    bool dies = is_dead(a->node);
    if (a->is_prior)
        return false;
    if (strcmp(key, "one") == 0 || strcmp(key, "several") == 0)
        return nodes[a->node].is_shared == (*key == 's');
    if (strcmp(key, "alive") == 0 || strcmp(key, "no_frame") == 0)
        return *key == 'a' ? !dies : dies && open == 0;
    if (!dies || open == 0)
        return false;
    if (strcmp(key, "more") == 0)
        return outlived > 10;
    int numbers = sscanf(key, "%" SCNu64 "_to_%" SCNu64, &from, &to);
    return outlived >= from && outlived <= (numbers == 2 ? to : from);
}

/* Whether the objects of two rows die in the same place: a context, or a method. Where no
 * method is open is one place. */
static bool have_one_place(size_t row, size_t other, bool by_method)
{
    const struct said_site *a = &said_sites[row], *b = &said_sites[other];
    if (!by_method)
        return a->context == b->context;
    return a->has_method == b->has_method && (!a->has_method || a->method == b->method);
}

/* The bytes that die in the place of a row; 0 if a row before it has the same place. */
static uint64_t bytes_of_place(size_t row, bool by_method)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < allocation_count; i++) {
        if (allocations[i].is_prior || !is_dead(allocations[i].node) ||
            !have_one_place(i, row, by_method))
            continue;
        if (i < row)
            return 0;
        bytes += allocations[i].size;
    }
    return bytes;
}

/* The smallest number of places in which so many percent of the dead bytes die, found by taking
 * places in the order of their bytes. */
static uint64_t fewest_places(unsigned percent, bool by_method)
{
    uint64_t *bytes = calloc(allocation_count + 1, sizeof *bytes), count = 0;
    wide_number all = 0, taken = 0;
    for (size_t i = 0; i < allocation_count; i++) {
        if (!allocations[i].is_prior && is_dead(allocations[i].node))
            bytes[i] = bytes_of_place(i, by_method);
        all += bytes[i];
    }
    while (taken * 100 < all * percent) {
        size_t most = 0;
        for (size_t i = 0; i < allocation_count; i++)
            most = bytes[i] > bytes[most] ? i : most;
        taken += bytes[most];
        bytes[most] = 0;
        count++;
    }
    free(bytes);
    return count;
}

/* Checks the lines of the statistics: of objects and bytes, or of methods and contexts by
 * percentages. */
static void check_statistics(const char *path)
{
    struct lines lines = read_lines(path);
    size_t sharing = explicit_time ? 0 : 2, dead = 0;
    for (size_t row = 0; row < allocation_count; row++)
        dead += !allocations[row].is_prior && is_dead(allocations[row].node);
    if (lines.count != 8 + sharing + (dead > 0 ? 3 : 0))
        wrong("stats: %zu lines", lines.count);
    for (size_t row = 0; row < lines.count; row++) {
        char *f[FIELDS], *end;
        uint64_t objects = 0, bytes = 0;
        if (cut(lines.items[row], f) != 3)
            wrong("stats, line %zu: not 3 fields", row + 1);
        unsigned percent = (unsigned)strtoul(f[0], &end, 10);
        if (strcmp(end, "_percent") == 0) {
            want("stats", row, "methods", f[1], fewest_places(percent, true));
            want("stats", row, "contexts", f[2], fewest_places(percent, false));
            continue;
        }
        for (size_t i = 0; i < allocation_count; i++)
            if (is_counted(f[0], i)) {
                objects++;
                bytes += allocations[i].size;
            }
        want("stats", row, "objects", f[1], objects);
        want("stats", row, "bytes", f[2], bytes);
    }
    free_lines(&lines);
}

/* The columns on groups of a row of lifetimes. */
struct row {
    uint64_t group;
    bool has_group;
    uint64_t objects, bytes, cycle; /* of a key */
};

static struct row *rows;

static void check_lifetimes(const char *path)
{
    struct lines lines = read_lines(path);
    char *f[FIELDS];
    if (lines.count != allocation_count + 1)
        wrong("lifetimes: %zu rows, and %zu allocations", lines.count, allocation_count);
    rows = calloc(allocation_count + 1, sizeof *rows);
    said_sites = calloc(allocation_count + 1, sizeof *said_sites);
    for (size_t i = 0; i < allocation_count; i++) {
        if (cut(lines.items[i + 1], f) != 29)
            wrong("lifetimes, row %zu: not 29 fields", i + 1);
        check_life(i, f);
        rows[i] = (struct row){.group = number(f[16]),
                               .has_group = *f[16] != '\0',
                               .objects = number(f[17]),
                               .bytes = number(f[18]),
                               .cycle = number(f[19])};
    }
    check_death_sites();
    for (size_t i = 0; i < death_count; i++)
        if (!deaths[i].is_used)
            wrong("lifetimes: no row of D %" PRIu64 " at %" PRIu64, deaths[i].object,
                  deaths[i].time);
    free_lines(&lines);
}

/* The number of nodes with this id. */
static size_t bearers(uint64_t id)
{
    size_t count = 0;
    for (size_t i = 0; i < node_count; i++)
        count += nodes[i].id == id;
    return count;
}

/* Whether references among the nodes of the group of `key` form a cycle. *is_known is false if
 * a node may be in this group or in another. */
static bool has_cycle(size_t key, bool *is_known)
{
    bool found = false;
    *is_known = true;
    for (size_t i = 0; i < node_count; i++)
        *is_known &= !is_candidate(key, i) || only_key(i) == key;
    for (size_t i = 0; i < slot_count; i++) {
        size_t from = slots[i].container, to = slots[i].target;
        if (from != NONE && to != NONE && is_candidate(key, from) && is_candidate(key, to))
            found |= reaches[to][from];
    }
    return found;
}

/* The objects and bytes of the rows of a group. */
static void add_up(uint64_t group, uint64_t *objects, uint64_t *bytes)
{
    *objects = *bytes = 0;
    for (size_t i = 0; i < allocation_count; i++)
        if (!allocations[i].is_prior && rows[i].has_group && rows[i].group == group) {
            ++*objects;
            *bytes += allocations[i].size;
        }
}

/* Checks the columns on groups in the rows of keys. */
static void check_sums(void)
{
    for (size_t i = 0; i < allocation_count; i++) {
        size_t o = allocations[i].node;
        uint64_t objects, bytes;
        bool is_known;
        if (!nodes[o].is_key || allocations[i].is_prior)
            continue;
        bool cycle = has_cycle(o, &is_known);
        if (is_known && cycle != rows[i].cycle)
            wrong("lifetimes, row %zu: its group %s a cycle", i + 1, cycle ? "has" : "has not");
        add_up(nodes[o].id, &objects, &bytes);
        if (bearers(nodes[o].id) == 1 && (objects != rows[i].objects || bytes != rows[i].bytes))
            wrong("lifetimes, row %zu: its group has %" PRIu64 " objects", i + 1, objects);
    }
}

static void check_group(size_t row, char **f)
{
    uint64_t objects, bytes;
    size_t key = find_node(number(f[0]));
    bool is_known;
    if (bearers(number(f[0])) > 1)
        return;
    add_up(number(f[0]), &objects, &bytes);
    want("groups", row, "death_time", f[1], times[died(key)]);
    if (!nodes[key].is_key || strcmp(f[2], cause_of(key)) != 0)
        wrong("groups, row %zu: %s is no key, or not for %s", row + 1, f[0], f[2]);
    want("groups", row, "objects", f[3], objects);
    want("groups", row, "bytes", f[4], bytes);
    want_if(nodes[key].how == STATIC || nodes[key].how == UPDATE, "groups", row, "field", f[6],
            nodes[key].lost_by);
    bool cycle = has_cycle(key, &is_known);
    if (is_known)
        want("groups", row, "cycle", f[5], cycle);
}

/* The number of groups of two or more objects in the rows of lifetimes. Keys with repeated ids
 * do not count. */
static size_t count_groups(void)
{
    size_t count = 0;
    for (size_t i = 0; i < node_count; i++) {
        uint64_t objects, bytes;
        add_up(nodes[i].id, &objects, &bytes);
        count += bearers(nodes[i].id) == 1 && objects > 1;
    }
    return count;
}

static void check_groups(const char *path)
{
    struct lines lines = read_lines(path);
    size_t unique = 0;
    for (size_t i = 1; i < lines.count; i++) {
        char *f[FIELDS];
        if (cut(lines.items[i], f) != 7)
            wrong("groups, row %zu: not 7 fields", i);
        if (number(f[3]) < 2)
            wrong("groups, row %zu: a group of one", i);
        unique += bearers(number(f[0])) == 1;
        check_group(i - 1, f);
    }
    if (unique != count_groups())
        wrong("groups: %zu rows, not %zu", unique, count_groups());
    free_lines(&lines);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int compare_references(const void *a, const void *b)
{
    return strcmp(((const struct reference *)a)->line, ((const struct reference *)b)->line);
}

/* Checks all references. Those that ended by a store come first, in the order of the stores;
 * the others may be in any order. */
static void check_references(const char *path)
{
    struct lines lines = read_lines(path);
    size_t ended = reference_count;
    for (size_t i = 0; i < slot_count; i++) {
        if (slots[i].target == NONE)
            continue;
        uint64_t end = slots[i].container == NONE ? NEVER : died(slots[i].container);
        end_reference(&slots[i], end, end == NEVER ? "end" : "container-died");
    }
    if (lines.count != reference_count + 1)
        wrong("references: %zu rows, not %zu", lines.count - 1, reference_count);
    if (reference_count > 0) {
        qsort(references + ended, reference_count - ended, sizeof *references,
              compare_references);
        qsort(lines.items + 1 + ended, reference_count - ended, sizeof *lines.items,
              compare_lines);
    }
    for (size_t i = 0; i < reference_count; i++)
        if (strcmp(lines.items[i + 1], references[i].line) != 0)
            wrong("references: \"%s\", not \"%s\"", lines.items[i + 1], references[i].line);
    free_lines(&lines);
}

static bool has_priors(void)
{
    for (size_t i = 0; i < allocation_count; i++)
        if (allocations[i].is_prior)
            return true;
    return false;
}

/* The heap at the beginning (tick 0), or in the tick that a boundary ends: before the deaths of
 * that boundary, or after them. What follows the last boundary is tick now + 1. `allocated` and
 * `died` are objects since the point before. */
struct point {
    uint64_t time, bytes, objects, size, allocated, died;
};

static struct point point_at(uint64_t tick, bool is_after_deaths)
{
    bool is_end = tick > now;
    struct point point = {.time = times[is_end ? now : tick]};
    for (size_t i = 0; i < allocation_count; i++) {
        const struct allocation *a = &allocations[i];
        bool at_end = !is_dead(a->node);
        uint64_t death = died(a->node) == NEVER ? NEVER : at_end ? now + 1 : died(a->node);
        if (!a->is_prior && a->tick >= tick)
            continue;
        if (!a->is_prior)
            point.bytes += a->size;
        if (!a->is_prior && !is_after_deaths)
            point.allocated += a->tick + 1 == tick;
        point.died += is_after_deaths && death == tick;
        bool is_alive = death > tick || (death == tick && !is_after_deaths);
        point.objects += is_alive;
        point.size += is_alive ? a->size : 0;
    }
    return point;
}

static void check_live(const char *path)
{
    struct lines lines = read_lines(path);
    size_t row = 1;
    for (uint64_t half = 1; half <= 2 * (now + 1) + 1; half++) {
        struct point p = point_at(half / 2, half % 2);
        char line[160];
        if (half == 1 ? p.objects == 0 : p.allocated == 0 && p.died == 0)
            continue;
        snprintf(line, sizeof line,
                 "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
                 p.time, p.bytes, p.objects, p.size, p.allocated, p.died);
        if (row >= lines.count || strcmp(lines.items[row], line) != 0)
            wrong("live: \"%s\", not \"%s\"", row < lines.count ? lines.items[row] : "", line);
        row++;
    }
    if (row != lines.count)
        wrong("live: %zu rows, not %zu", lines.count - 1, row - 1);
    free_lines(&lines);
}

/* Whether `point` is the end of one of `count` equal parts of the range from `first` to `last`.
 */
static bool is_on_grid(uint64_t point, uint64_t first, uint64_t last, uint64_t count)
{
    wide_number length = (wide_number)(last - first) + 1;
    if (count > length)
        return true;
    for (uint64_t i = 1; i <= count; i++)
        if ((wide_number)(point - first) + 1 == (length * i + count - 1) / count)
            return true;
    return false;
}

/* Whether the row ends at the end of the first part. */
static bool is_first_part(char *const *f, bool by_bytes, uint64_t count)
{
    uint64_t first = by_bytes ? 0 : times[now < 1 ? now : 1];
    uint64_t last = by_bytes ? point_at(now + 1, true).bytes : times[now];
    wide_number length = (wide_number)(last - first) + 1;
    wide_number end = count > length ? 1 : (length + count - 1) / count;
    return number(f[by_bytes ? 1 : 0]) - first + 1 == end;
}

/* Whether the row ends at the end of a part. */
static bool is_end_of_part(char *const *f, bool by_bytes, uint64_t count)
{
    if (by_bytes)
        return is_on_grid(number(f[1]), 0, point_at(now + 1, true).bytes, count);
    return is_on_grid(number(f[0]), times[now < 1 ? now : 1], times[now], count);
}

/* Whether the row includes `point`. */
static bool goes_as_far(char *const *f, bool by_bytes, const struct point *point)
{
    return by_bytes ? point->bytes <= number(f[1]) : point->time <= number(f[0]);
}

static void check_points(const char *path, bool by_bytes, uint64_t count)
{
    struct lines lines = read_lines(path);
    uint64_t half = 2;
    struct point end = point_at(0, true);
    if (has_priors() && lines.count < 2)
        wrong("points: what was there before the trace is missing");
    if (lines.count - 1 > count)
        wrong("points: %zu rows, not at most %" PRIu64, lines.count - 1, count);
    for (size_t row = 1; row < lines.count; row++) {
        char *f[FIELDS];
        uint64_t allocated = 0, dead = 0, changed = 0;
        struct point least = end, most = end;
        if (cut(lines.items[row], f) != 10 || !is_end_of_part(f, by_bytes, count))
            wrong("points, row %zu: not 10 fields, or not at the end of a part", row);
        for (; half <= 2 * (now + 1) + 1; half++) {
            struct point next = point_at(half / 2, half % 2);
            if (!goes_as_far(f, by_bytes, &next))
                break;
            end = next;
            changed = end.allocated > 0 || end.died > 0 ? end.time : changed;
            allocated += end.allocated;
            dead += end.died;
            least.objects = end.objects < least.objects ? end.objects : least.objects;
            most.objects = end.objects > most.objects ? end.objects : most.objects;
            least.size = end.size < least.size ? end.size : least.size;
            most.size = end.size > most.size ? end.size : most.size;
        }
        bool is_start = has_priors() && row == 1;
        if (is_start && !is_first_part(f, by_bytes, count))
            wrong("points, row 1: does not begin with the trace");
        if (!is_start && allocated == 0 && dead == 0)
            wrong("points, row %zu: nothing changed", row);
        if (by_bytes)
            want("points", row - 1, "time", f[0], changed);
        else
            want("points", row - 1, "alloc_bytes", f[1], end.bytes);
        want("points", row - 1, "live_objects", f[2], end.objects);
        want("points", row - 1, "live_bytes", f[3], end.size);
        want("points", row - 1, "allocated", f[4], allocated);
        want("points", row - 1, "died", f[5], dead);
        want("points", row - 1, "min_objects", f[6], least.objects);
        want("points", row - 1, "max_objects", f[7], most.objects);
        want("points", row - 1, "min_bytes", f[8], least.size);
        want("points", row - 1, "max_bytes", f[9], most.size);
    }
    for (; half <= 2 * (now + 1) + 1; half++) {
        struct point p = point_at(half / 2, half % 2);
        if (p.allocated > 0 || p.died > 0)
            wrong("points: what happens at %" PRIu64 " is missing", p.time);
    }
    free_lines(&lines);
}

/* ---- Command line ---- */

static bool overflows(void)
{
    wide_number sum = 0;
    for (size_t i = 0; i < allocation_count; i++)
        sum += allocations[i].size;
    return sum > UINT64_MAX;
}

static void play_all(const char *path)
{
    struct lines lines = read_lines(path);
    size_t of_input = 0; /* lines so far, without deaths */
    times = array_room(times, 0, &time_room, sizeof *times);
    times[0] = 0;
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = lines.items[i] + strspn(lines.items[i], " \t");
        of_input += *line != 'D';
        play(lines.items[i], of_input);
    }
    free_lines(&lines);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--overflows") == 0) {
        play_all(argv[2]);
        return !overflows();
    }
    if (argc != 14) {
        fputs("usage: check_tables DIALECT,HELD-BY,UNALLOCATED,AT-END TRACE LIFETIMES GROUPS "
              "REFERENCES LIVE TICKS BYTES N CONTEXTS DEATHS BOTH STATS\n",
              stderr);
        return 2;
    }
    explicit_time = strstr(argv[1], "time,");
    held_by_none = strstr(argv[1], ",none,");
    held_by_frame = strstr(argv[1], ",frame,");
    immortal = strstr(argv[1], "immortal");
    all_die = strstr(argv[1], ",die");
    depth = number(argv[9]);
    play_all(argv[2]);
    find_roots();
    find_deaths();
    find_keys();
    check_lifetimes(argv[3]);
    check_sums();
    check_groups(argv[4]);
    check_references(argv[5]);
    check_live(argv[6]);
    check_points(argv[7], false, depth);
    check_points(argv[8], true, depth);
    check_contexts(argv[10], true, false);
    check_contexts(argv[11], false, true);
    check_contexts(argv[12], true, true);
    check_statistics(argv[13]);
    return 0;
}
