/* SPDX-License-Identifier: MIT */
/*
 * Simulated collectors by brute force: what --simulate must agree with.
 *
 *     simulate_brute TRACE COLLECTORS HEAPS NURSERIES TENURES STORES
 *
 * reads a well-formed trace with its deaths, whose update records have the container first, and
 * prints the table of --simulate. Each configuration reads the whole trace again, and keeps
 * each object of its heap by itself. A minor collection searches the whole heap, beginning with
 * all live and all old objects. Smallest heaps are found by trying sizes. STORES is 0 without
 * the generational collector. Heaps are multiples with at most two decimals, or bytes with a B;
 * nurseries are bytes.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE, SEMISPACE, GENERATIONAL, IDEAL, COLLECTORS };
static const char *const names[COLLECTORS] = {"whole", "semispace", "generational", "ideal"};

enum { LIST_MOST = 64 };

struct list {
    uint64_t items[LIST_MOST];
    size_t count;
};

/* What is known of an object whatever the heap is. */
struct object {
    uint64_t id;
    uint64_t size;
    char kind; /* letter of its record; 0: it is never allocated */
};

enum event_kind { BIRTH, DEATH, STORE };

struct event {
    enum event_kind kind;
    size_t object; /* that is allocated or dies, or the container */
    uint64_t field;
    size_t value; /* 0: null */
};

struct trace {
    struct object *objects; /* from 1 on */
    size_t object_count;
    struct event *events;
    size_t event_count;
};

static void *grown(void *items, size_t count, size_t size)
{
    void *more = realloc(items, (count + 1) * size);
    if (!more)
        exit(2);
    return more;
}

static void add_event(struct trace *trace, struct event event)
{
    trace->events = grown(trace->events, trace->event_count, sizeof event);
    trace->events[trace->event_count++] = event;
}

/*
 * Reading: an id means the object that was last allocated under it, dead or not; if there is
 * none, that which will be allocated first. A death takes effect at the next allocation, which
 * is the next moment at which there could be a collection.
 */

enum { READ_MOST = 4096 };

struct reading {
    struct trace *trace;
    size_t meanings[READ_MOST]; /* objects that an id means */
    size_t meaning_count;
    size_t dying[READ_MOST]; /* objects whose deaths have been read since the last allocation */
    size_t dying_count;
};

static bool is_live[READ_MOST]; /* while the trace is read */

static size_t meaning_of(struct reading *reading, uint64_t id)
{
    struct trace *trace = reading->trace;
    if (id == 0)
        return 0;
    for (size_t i = reading->meaning_count; i > 0; i--)
        if (trace->objects[reading->meanings[i - 1]].id == id)
            return reading->meanings[i - 1];
    trace->objects = grown(trace->objects, trace->object_count, sizeof *trace->objects);
    trace->objects[trace->object_count] = (struct object){.id = id};
    reading->meanings[reading->meaning_count++] = trace->object_count;
    return trace->object_count++;
}

static void forget_meaning(struct reading *reading, size_t object)
{
    for (size_t i = 0; i < reading->meaning_count; i++)
        if (reading->meanings[i] == object) {
            reading->meaning_count--;
            memmove(reading->meanings + i, reading->meanings + i + 1,
                    (reading->meaning_count - i) * sizeof *reading->meanings);
            return;
        }
}

static void let_die(struct reading *reading)
{
    for (size_t i = 0; i < reading->dying_count; i++) {
        size_t object = reading->dying[i];
        if (!is_live[object])
            continue;
        is_live[object] = false;
        add_event(reading->trace, (struct event){.kind = DEATH, .object = object});
    }
    reading->dying_count = 0;
}

static void read_birth(struct reading *reading, char kind, uint64_t id, uint64_t size)
{
    struct trace *trace = reading->trace;
    if (kind != 'P' && kind != 'I')
        let_die(reading);
    size_t object = meaning_of(reading, id);
    if (trace->objects[object].kind) {
        /* The id is used again: from now on it means a new object. */
        forget_meaning(reading, object);
        object = meaning_of(reading, id);
    }
    trace->objects[object].kind = kind;
    trace->objects[object].size = size;
    is_live[object] = true;
    add_event(trace, (struct event){.kind = BIRTH, .object = object});
}

static void read_store(struct reading *reading, uint64_t container, uint64_t value,
                       uint64_t field)
{
    if (container == 0)
        return;
    size_t from = meaning_of(reading, container), to = meaning_of(reading, value);
    add_event(reading->trace,
              (struct event){.kind = STORE, .object = from, .field = field, .value = to});
}

static void read_trace(struct trace *trace, const char *path)
{
    static struct reading reading;
    char line[512], kind;
    uint64_t a, b, c;
    FILE *file = fopen(path, "r");
    if (!file)
        exit(2);
    reading.trace = trace;
    trace->objects = grown(NULL, 0, sizeof *trace->objects);
    trace->objects[0] = (struct object){.id = 0};
    trace->object_count = 1;
    while (fgets(line, sizeof line, file)) {
        if (trace->object_count + 4 > READ_MOST)
            exit(2);
        a = b = c = 0;
        if (sscanf(line, "%c %" SCNu64 " %" SCNu64 " %" SCNu64, &kind, &a, &b, &c) < 2)
            continue;
        if (strchr("NAIPV", kind))
            read_birth(&reading, kind, a, b);
        else if (kind == 'U')
            read_store(&reading, a, b, c);
        else if (kind == 'D')
            reading.dying[reading.dying_count++] = meaning_of(&reading, a);
    }
    fclose(file);
}

/*
 * One heap.
 */

enum space { NOWHERE, YOUNG, OLD };

struct slot {
    size_t container;
    uint64_t field;
    size_t value;
};

struct heap {
    const struct trace *trace;
    int collector;
    uint64_t size, nursery, tenure;
    enum space space[READ_MOST];
    bool alive[READ_MOST], born[READ_MOST], found[READ_MOST];
    uint64_t age[READ_MOST];
    struct slot slots[READ_MOST];
    size_t slot_count;
    uint64_t used;      /* bytes of live and dead objects, if there is no nursery */
    uint64_t eden;      /* bytes allocated since the last minor collection */
    uint64_t survivors; /* bytes of young objects at the end of that collection */
    /* Results. */
    bool completed;
    uint64_t allocated, minor, major, copied, promoted, nepotism, marked, largest, stores,
        remembered;
};

static bool is_generational(const struct heap *heap)
{
    return heap->collector == GENERATIONAL || heap->collector == IDEAL;
}

static bool is_prior(const struct object *object)
{
    return object->kind == 'P' || object->kind == 'I';
}

static uint64_t size_of(const struct heap *heap, size_t object)
{
    return heap->trace->objects[object].size;
}

/* The bytes of the objects in a space, or, if only_live, of the live ones there. */
static uint64_t sum(const struct heap *heap, enum space space, bool only_live)
{
    uint64_t bytes = 0;
    for (size_t i = 1; i < heap->trace->object_count; i++)
        if (heap->space[i] == space && (heap->alive[i] || !only_live))
            bytes += size_of(heap, i);
    return bytes;
}

static void note_work(struct heap *heap, uint64_t bytes)
{
    if (bytes > heap->largest)
        heap->largest = bytes;
}

/* Sets `found` for the objects that a minor collection takes for reachable. */
static void search(struct heap *heap)
{
    size_t count = heap->trace->object_count;
    bool more = true;
    for (size_t i = 1; i < count; i++)
        heap->found[i] =
            heap->space[i] != NOWHERE &&
            (heap->alive[i] || (heap->space[i] == OLD && heap->collector != IDEAL));
    while (more && heap->collector != IDEAL) {
        more = false;
        for (size_t i = 0; i < heap->slot_count; i++) {
            const struct slot *slot = &heap->slots[i];
            if (slot->value == 0 || !heap->found[slot->container] || heap->found[slot->value] ||
                heap->space[slot->value] == NOWHERE)
                continue;
            heap->found[slot->value] = more = true;
        }
    }
}

/* A major collection: no dead object stays. The room of dead objects that have survived a minor
 * collection is free at once, the room of those in eden only after the next minor one. */
static void collect_all(struct heap *heap)
{
    uint64_t live = sum(heap, YOUNG, true) + sum(heap, OLD, true);
    heap->survivors = 0;
    for (size_t i = 1; i < heap->trace->object_count; i++) {
        if (!heap->alive[i])
            heap->space[i] = NOWHERE;
        if (heap->space[i] == YOUNG && heap->age[i] > 0)
            heap->survivors += size_of(heap, i);
    }
    heap->major++;
    heap->marked += live;
    note_work(heap, live);
}

struct minor {
    uint64_t promoted, staying, dead;
};

/* Returns what a minor collection would do now. */
static struct minor plan_minor(struct heap *heap)
{
    struct minor minor = {.promoted = 0};
    search(heap);
    for (size_t i = 1; i < heap->trace->object_count; i++) {
        if (heap->space[i] != YOUNG || !heap->found[i])
            continue;
        if (heap->age[i] < heap->tenure) {
            minor.staying += size_of(heap, i);
            continue;
        }
        minor.promoted += size_of(heap, i);
        minor.dead += heap->alive[i] ? 0 : size_of(heap, i);
    }
    return minor;
}

static bool collect_young(struct heap *heap)
{
    struct minor minor = plan_minor(heap);
    if (heap->nursery + sum(heap, OLD, false) + minor.promoted + minor.staying > heap->size) {
        collect_all(heap);
        minor = plan_minor(heap);
    }
    if (heap->nursery + sum(heap, OLD, false) + minor.promoted + minor.staying > heap->size)
        return false;
    for (size_t i = 1; i < heap->trace->object_count; i++) {
        if (heap->space[i] != YOUNG)
            continue;
        heap->space[i] = !heap->found[i] ? NOWHERE : heap->age[i] >= heap->tenure ? OLD : YOUNG;
        heap->age[i]++;
    }
    heap->minor++;
    heap->promoted += minor.promoted;
    heap->nepotism += minor.dead;
    heap->copied += minor.staying;
    note_work(heap, minor.promoted + minor.staying);
    heap->eden = 0;
    heap->survivors = minor.staying;
    return true;
}

static bool ask_generational(struct heap *heap, size_t object)
{
    uint64_t size = size_of(heap, object);
    if (size > heap->nursery) {
        if (heap->nursery + heap->survivors + sum(heap, OLD, false) + size > heap->size)
            collect_all(heap);
        if (heap->nursery + heap->survivors + sum(heap, OLD, false) + size > heap->size)
            return false;
        heap->space[object] = OLD;
        return true;
    }
    if (heap->eden + size > heap->nursery) {
        if (!collect_young(heap))
            return false;
    } else if (heap->nursery + heap->survivors + sum(heap, OLD, false) > heap->size) {
        collect_all(heap);
        if (heap->nursery + heap->survivors + sum(heap, OLD, false) > heap->size)
            return false;
    }
    heap->eden += size;
    heap->space[object] = YOUNG;
    return true;
}

static bool ask_whole(struct heap *heap, size_t object)
{
    uint64_t room = heap->collector == SEMISPACE ? heap->size / 2 : heap->size;
    uint64_t size = size_of(heap, object);
    if (heap->used + size > room) {
        heap->used = sum(heap, OLD, true);
        heap->major++;
        *(heap->collector == SEMISPACE ? &heap->copied : &heap->marked) += heap->used;
        note_work(heap, heap->used);
    }
    if (heap->used + size > room)
        return false;
    heap->used += size;
    heap->space[object] = OLD;
    return true;
}

static bool bear(struct heap *heap, size_t object)
{
    const struct object *about = &heap->trace->objects[object];
    bool is_asked_for = about->kind == 'A' || about->kind == 'N';
    if (is_asked_for) {
        if (!(is_generational(heap) ? ask_generational : ask_whole)(heap, object))
            return false;
        heap->allocated += about->size;
    } else if (about->kind == 'V') {
        heap->used += about->size;
        heap->space[object] = OLD;
    }
    heap->alive[object] = heap->born[object] = true;
    return true;
}

static void store(struct heap *heap, const struct event *event)
{
    size_t from = event->object, to = event->value, i = 0;
    while (i < heap->slot_count &&
           (heap->slots[i].container != from || heap->slots[i].field != event->field))
        i++;
    if (i == READ_MOST)
        exit(2);
    heap->slots[i] = (struct slot){from, event->field, to};
    if (i == heap->slot_count)
        heap->slot_count++;
    /* What was there before the trace is alive before its record, and nothing else. */
    if (to == 0 || !heap->alive[from] || !heap->alive[to])
        return;
    heap->stores++;
    heap->remembered +=
        is_generational(heap) && heap->space[from] == OLD && heap->space[to] == YOUNG;
}

static void run(struct heap *heap)
{
    const struct trace *trace = heap->trace;
    for (size_t i = 1; i < trace->object_count; i++)
        if (is_prior(&trace->objects[i])) {
            heap->space[i] = OLD;
            heap->alive[i] = true;
            heap->used += size_of(heap, i);
        }
    heap->completed = true;
    for (size_t i = 0; i < trace->event_count && heap->completed; i++) {
        const struct event *event = &trace->events[i];
        if (event->kind == BIRTH)
            heap->completed = bear(heap, event->object);
        else if (event->kind == DEATH)
            heap->alive[event->object] = false;
        else
            store(heap, event);
    }
}

static struct heap *simulated(const struct trace *trace, int collector, uint64_t size,
                              uint64_t nursery, uint64_t tenure)
{
    static struct heap heap;
    memset(&heap, 0, sizeof heap);
    heap.trace = trace;
    heap.collector = collector;
    heap.size = size;
    heap.nursery = nursery;
    heap.tenure = tenure;
    run(&heap);
    return &heap;
}

/* The smallest heap of at least `least` bytes in which a collector completes the trace. It
 * completes it in every larger one, too. */
static uint64_t smallest(const struct trace *trace, int collector, uint64_t least,
                         uint64_t tenure)
{
    uint64_t low = least, high = least;
    while (!simulated(trace, collector, high, least, tenure)->completed) {
        low = high + 1;
        high = 2 * high + 64;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (simulated(trace, collector, middle, least, tenure)->completed)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint64_t rounded(uint64_t part, uint64_t whole)
{
    return (2 * part + whole) / (2 * whole);
}

static void print_row(const struct heap *heap, bool has_stores)
{
    uint64_t work = heap->copied + heap->promoted + heap->marked;
    uint64_t collections = heap->minor + heap->major;
    printf("%s\t%" PRIu64 "\t", names[heap->collector], heap->size);
    if (is_generational(heap))
        printf("%" PRIu64 "\t%" PRIu64 "\t", heap->nursery, heap->tenure);
    else
        printf("\t\t");
    printf("%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
           "\t%" PRIu64 "\t",
           heap->completed, heap->allocated, heap->minor, heap->major, heap->copied,
           heap->promoted, heap->nepotism, heap->marked);
    if (heap->allocated > 0) {
        uint64_t share = rounded(work * 10000, heap->allocated);
        printf("%" PRIu64 ".%04" PRIu64, share / 10000, share % 10000);
    }
    printf("\t%" PRIu64 "\t", heap->largest);
    if (collections > 0)
        printf("%" PRIu64, rounded(work, collections));
    if (has_stores)
        printf("\t%" PRIu64 "\t%" PRIu64 "\n", heap->stores, heap->remembered);
    else
        printf("\t\t\n");
}

static void add_once(struct list *list, uint64_t item)
{
    size_t i = 0;
    while (i < list->count && list->items[i] < item)
        i++;
    if (i < list->count && list->items[i] == item)
        return;
    memmove(list->items + i + 1, list->items + i, (list->count - i) * sizeof item);
    list->items[i] = item;
    list->count++;
}

/* Reads heaps such as "2,1.25,300B" as bytes; multiples are of `multiplied` bytes. */
static struct list read_heaps(const char *text, uint64_t multiplied)
{
    struct list list = {.count = 0};
    for (char *end; *text; text = *end == ',' ? end + 1 : end) {
        uint64_t hundredths = 100 * strtoull(text, &end, 10);
        if (*end == 'B') {
            add_once(&list, hundredths / 100);
            end++;
            continue;
        }
        if (*end == '.') {
            const char *digits = end + 1;
            uint64_t part = strtoull(digits, &end, 10);
            hundredths += end - digits == 1 ? 10 * part : part;
        }
        add_once(&list, (multiplied * hundredths + 99) / 100);
    }
    return list;
}

static struct list read_numbers(const char *text)
{
    struct list list = {.count = 0};
    for (char *end; *text; text = *end ? end + 1 : end)
        add_once(&list, strtoull(text, &end, 10));
    return list;
}

static void print_rows(const struct trace *trace, int collector, struct list heaps,
                       uint64_t nursery, uint64_t tenure, bool has_stores)
{
    for (size_t i = 0; i < heaps.count; i++)
        print_row(simulated(trace, collector, heaps.items[i], nursery, tenure), has_stores);
}

static struct list at_least(const struct list *list, uint64_t least)
{
    struct list result = {.count = 0};
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] >= least)
            add_once(&result, list->items[i]);
    return result;
}

int main(int count, char **arguments)
{
    static struct trace trace;
    if (count != 7)
        return 2;
    read_trace(&trace, arguments[1]);
    bool has_stores = arguments[6][0] == '1';
    struct list heaps = read_heaps(arguments[3], smallest(&trace, WHOLE, 0, 0));
    struct list nurseries = read_numbers(arguments[4]), tenures = read_numbers(arguments[5]);
    puts(
        "collector\theap_bytes\tnursery_bytes\ttenure\tcompleted\tallocated_bytes\tminor\tmajor"
        "\tcopied_bytes\tpromoted_bytes\tnepotism_bytes\tmarked_bytes\tmark_cons"
        "\tlargest_bytes\tmean_bytes\tstores\tremembered_stores");
    for (int collector = 0; collector < COLLECTORS; collector++) {
        if (!strstr(arguments[2], names[collector]))
            continue;
        if (collector == WHOLE || collector == SEMISPACE) {
            struct list sizes = heaps;
            add_once(&sizes, smallest(&trace, collector, 0, 0));
            print_rows(&trace, collector, sizes, 0, 0, has_stores);
            continue;
        }
        for (size_t i = 0; i < nurseries.count; i++) {
            struct list larger = at_least(&heaps, nurseries.items[i]);
            for (size_t j = 0; j < tenures.count && larger.count > 0; j++) {
                struct list sizes = larger;
                add_once(&sizes,
                         smallest(&trace, collector, nurseries.items[i], tenures.items[j]));
                print_rows(&trace, collector, sizes, nurseries.items[i], tenures.items[j],
                           has_stores);
            }
        }
    }
    free(trace.objects);
    free(trace.events);
    return 0;
}
