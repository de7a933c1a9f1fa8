/* SPDX-License-Identifier: MIT */
/* Objects are put one after the other, each as large as its class or its length says. An array
 * may be larger than memory, so it is written at once, and what it has no references for as
 * zeros. A remark about what differs from the trace has the number of such objects, the class
 * of an example, by which users find the rest, and the reason. */
#include "report/graph/heap_dump.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the records of an object, without those of its fields or elements. */
enum {
    INSTANCE_RECORD = U1 + HPROF_ID + U4 + HPROF_ID + U4,
    OBJECT_ARRAY_RECORD = U1 + HPROF_ID + U4 + U4 + HPROF_ID,
    PRIMITIVE_ARRAY_RECORD = U1 + HPROF_ID + U4 + U4 + U1
};

const uint64_t dump_objects_references_most =
    (HPROF_RECORD_MOST - OBJECT_ARRAY_RECORD) / HPROF_ID;

/* An element of an array, and its index there. */
struct element {
    uint64_t index;
    node_t target;
};

static uint64_t align(uint64_t size)
{
    uint64_t over = size % HPROF_ALIGNMENT;
    return over == 0 ? size : size - over + HPROF_ALIGNMENT;
}

/* Puts the number of the stack trace with which an object was allocated. */
static void put_trace_of(struct dump_objects *objects, const struct graph_object *object)
{
    const struct heap_graph *graph = objects->graph;
    uint32_t site = graph_site(graph, object->node);
    hprof_put(objects->hprof,
              site > 0 ? FIRST_TRACE + graph->thread_count + site - 1 : NO_TRACE, U4);
}

static void put_instance(struct dump_objects *objects, const struct graph_object *object,
                         const struct heap_class *class_of)
{
    struct hprof *hprof = objects->hprof;
    uint64_t count = class_field_count(class_of), field;
    if (!ARRAY_RESERVE(objects->values, objects->value_capacity, (size_t)count + 1)) {
        hprof_no_memory(hprof);
        return;
    }
    uint64_t *values = objects->values;
    memset(values, 0, (size_t)count * sizeof *values);
    for (slot_t slot = object->first; slot != 0;) {
        node_t target = graph_next(objects->graph, &slot, &field);
        uint64_t number = target == NODE_NONE ? 0 : *map_find(&class_of->fields, field);
        if (number > 0)
            values[number - 1] = objects->graph->ids[target];
    }
    hprof_heap_large(hprof, HPROF_INSTANCE_DUMP,
                     INSTANCE_RECORD + class_instance_bytes(class_of));
    hprof_put_id(hprof, object->id);
    put_trace_of(objects, object);
    hprof_put_id(hprof, class_of->id);
    hprof_put(hprof, class_instance_bytes(class_of), U4);
    for (uint64_t i = 0; i < count; i++)
        hprof_put_id(hprof, values[i]);
    hprof_heap_end(hprof, class_filler(class_of));
}

static void add_remark(struct array_remark *remark, const struct heap_class *class_of)
{
    if (remark->count++ == 0)
        remark->class_of = class_of;
}

/* The number of elements of an array, as far as its size and the format allow. *is_cut: the
 * trace has more. */
static uint64_t element_count(const struct graph_object *object, enum hprof_type type,
                              bool *is_cut)
{
    uint64_t size = object->shape.size;
    uint64_t most = size > HPROF_ARRAY_HEADER ? size - HPROF_ARRAY_HEADER : 0;
    uint64_t count =
        object->shape.length > 0 ? object->shape.length : most / hprof_heap_size(type);
    uint64_t limit = (HPROF_RECORD_MOST - OBJECT_ARRAY_RECORD) / hprof_size(type);
    if (size < limit)
        limit = size;
    *is_cut = count > limit;
    return *is_cut ? limit : count;
}

/* Notes what is shown of an array that is not as in the trace. */
static void note_array(struct dump_objects *objects, const struct graph_object *object,
                       const struct heap_class *class_of, enum hprof_type type, uint64_t count)
{
    bool is_cut;
    uint64_t size = object->shape.size;
    element_count(object, type, &is_cut);
    if (is_cut)
        add_remark(&objects->cut, class_of);
    else if (size > 0 &&
             align(HPROF_ARRAY_HEADER + count * hprof_heap_size(type)) != align(size))
        add_remark(&objects->resized, class_of);
}

static int compare_elements(const void *left, const void *right)
{
    const struct element *a = left, *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

/* In traces of ettrace, fields from this number on are elements of arrays. */
enum { FIRST_ELEMENT = 1000000 };

/* Lists the elements of an array of length `count`, sorted by index. Elements with an index
 * outside of the array, or one that another element has, come last; *indexed is the number of
 * the others. */
static void list_elements(struct dump_objects *objects, const struct graph_object *object,
                          uint64_t count, size_t *indexed)
{
    uint64_t field;
    objects->element_count = *indexed = 0;
    for (slot_t slot = object->first; slot != 0;) {
        node_t target = graph_next(objects->graph, &slot, &field);
        if (target == NODE_NONE)
            break;
        if (!ARRAY_RESERVE(objects->elements, objects->element_capacity,
                           objects->element_count + 1)) {
            hprof_no_memory(objects->hprof);
            return;
        }
        struct element *elements = objects->elements;
        uint64_t index = field >= FIRST_ELEMENT ? field - FIRST_ELEMENT : field;
        elements[objects->element_count++] =
            (struct element){index < count ? index : UINT64_MAX, target};
    }
    struct element *elements = objects->elements;
    if (objects->element_count > 0)
        qsort(elements, objects->element_count, sizeof *elements, compare_elements);
    for (size_t i = 0; i < objects->element_count; i++)
        if (i > 0 && elements[i].index == elements[i - 1].index)
            elements[i].index = UINT64_MAX;
    if (objects->element_count > 0)
        qsort(elements, objects->element_count, sizeof *elements, compare_elements);
    while (*indexed < objects->element_count && elements[*indexed].index != UINT64_MAX)
        ++*indexed;
}

/* Puts the elements: each at its index, those without one in the gaps. Returns how many
 * elements were put, zeros included. */
static uint64_t put_elements(struct dump_objects *objects, size_t indexed)
{
    uint64_t at = 0;
    size_t next = 0, other = indexed;
    while (next < indexed || other < objects->element_count) {
        const struct element *element = &objects->elements[next];
        if (next < indexed && element->index > at && other == objects->element_count) {
            hprof_put_zeros(objects->hprof, (element->index - at) * HPROF_ID);
            at = element->index;
        }
        if (next < indexed && element->index == at)
            next++;
        else
            element = &objects->elements[other++];
        hprof_put_id(objects->hprof, objects->graph->ids[element->target]);
        at++;
    }
    return at;
}

/* The number of elements that an array of references has in the dump: there is room for all
 * that it refers to. */
static uint64_t reference_count(const struct dump_objects *objects,
                                const struct graph_object *object)
{
    bool is_cut;
    uint64_t count = element_count(object, HPROF_OBJECT, &is_cut), stored = 0, field;
    for (slot_t slot = object->first; slot != 0;)
        stored += graph_next(objects->graph, &slot, &field) != NODE_NONE;
    return stored > count ? stored : count;
}

static void put_object_array(struct dump_objects *objects, const struct graph_object *object,
                             const struct heap_class *class_of)
{
    struct hprof *hprof = objects->hprof;
    uint64_t count = reference_count(objects, object);
    size_t indexed;
    list_elements(objects, object, count, &indexed);
    note_array(objects, object, class_of, HPROF_OBJECT, count);
    hprof_heap_large(hprof, HPROF_OBJECT_ARRAY_DUMP, OBJECT_ARRAY_RECORD + count * HPROF_ID);
    hprof_put_id(hprof, object->id);
    put_trace_of(objects, object);
    hprof_put(hprof, count, U4);
    hprof_put_id(hprof, class_of->id);
    uint64_t put = put_elements(objects, indexed);
    hprof_heap_end(hprof, (count - put) * HPROF_ID);
}

static void put_array(struct dump_objects *objects, const struct graph_object *object,
                      const struct heap_class *class_of)
{
    struct hprof *hprof = objects->hprof;
    enum hprof_type type = heap_classes_element(objects->classes, class_of, object);
    if (type == HPROF_OBJECT) {
        put_object_array(objects, object, class_of);
        return;
    }
    bool is_cut;
    uint64_t count = element_count(object, type, &is_cut);
    note_array(objects, object, class_of, type, count);
    hprof_heap_large(hprof, HPROF_PRIMITIVE_ARRAY_DUMP,
                     PRIMITIVE_ARRAY_RECORD + count * hprof_size(type));
    hprof_put_id(hprof, object->id);
    put_trace_of(objects, object);
    hprof_put(hprof, count, U4);
    hprof_put(hprof, type, U1);
    hprof_heap_end(hprof, count * hprof_size(type));
}

static const struct heap_class *class_of_object(const struct dump_objects *objects,
                                                const struct graph_object *object)
{
    return &objects->classes->items[heap_classes_of(objects->classes, object)];
}

void dump_objects_put(struct dump_objects *objects, const struct graph_object *object)
{
    const struct heap_class *class_of = class_of_object(objects, object);
    if (class_of->is_array)
        put_array(objects, object, class_of);
    else
        put_instance(objects, object, class_of);
}

uint64_t dump_objects_bytes(const struct dump_objects *objects,
                            const struct graph_object *object)
{
    const struct heap_class *class_of = class_of_object(objects, object);
    if (!class_of->is_array)
        return INSTANCE_RECORD + class_instance_bytes(class_of);
    bool is_cut;
    enum hprof_type type = heap_classes_element(objects->classes, class_of, object);
    if (type == HPROF_OBJECT)
        return OBJECT_ARRAY_RECORD + reference_count(objects, object) * HPROF_ID;
    return PRIMITIVE_ARRAY_RECORD + element_count(object, type, &is_cut) * hprof_size(type);
}

void dump_objects_free(struct dump_objects *objects)
{
    free(objects->values);
    free(objects->elements);
    *objects = (struct dump_objects){.hprof = NULL};
}

/* Whether an object of the class is shown in a size that differs from that in the trace. */
static bool is_resized(const struct heap_class *class_of)
{
    return class_of->objects > 0 && !class_of->is_array && class_of->size > 0 &&
           (class_of->has_other_sizes ||
            align(class_instance_size(class_of)) != align(class_of->size));
}

/* The name of a class as messages show it, with its end. */
struct shown_class_name {
    char text[NAMES_SHOWN_WHOLE + 1];
};

static void show_class(struct shown_class_name *shown, const struct dump_objects *objects,
                       const struct heap_class *class_of)
{
    const char *name = heap_class_name(objects->classes, class_of);
    const struct name_parts parts = {.own = name, .own_length = strlen(name)};
    shown->text[name_parts_show(shown->text, &parts)] = '\0';
}

/* Begins a remark: prints what comes before it. */
static void begin_remark(FILE *stream, const char **joint)
{
    fputs(*joint, stream);
    *joint = "; and ";
}

/* Prints how many objects are shown in another size than the trace has, if there are any. */
static void print_sizes(FILE *stream, const char **joint, const struct dump_objects *objects)
{
    const struct heap_classes *classes = objects->classes;
    const struct heap_class *first = NULL;
    uint64_t count = 0, of_classes = 0;
    struct shown_class_name shown;
    for (size_t i = 0; i < classes->count; i++) {
        if (!is_resized(&classes->items[i]))
            continue;
        if (of_classes++ == 0)
            first = &classes->items[i];
        count += classes->items[i].objects;
    }
    if (!first)
        return;
    begin_remark(stream, joint);
    show_class(&shown, objects, first);
    if (count == 1)
        fprintf(stream, "1 object of %s", shown.text);
    else if (of_classes == 1)
        fprintf(stream, "%" PRIu64 " objects of %s", count, shown.text);
    else
        fprintf(stream, "%" PRIu64 " objects of %" PRIu64 " classes, such as %s,", count,
                of_classes, shown.text);
    fprintf(stream, " larger or smaller than the trace does: in a dump, all objects of a class "
                    "have one size, with room for a header and the references");
}

static void print_renamed(FILE *stream, uint64_t renamed)
{
    if (renamed == 1)
        fprintf(stream, "1 object with another id");
    else
        fprintf(stream, "%" PRIu64 " objects with other ids", renamed);
    fprintf(stream, " than the trace does: in a dump, an id is of one object");
}

/* Prints the number of arrays, and the class of one of them. */
static void print_arrays(FILE *stream, const struct dump_objects *objects,
                         const struct array_remark *arrays)
{
    struct shown_class_name shown;
    show_class(&shown, objects, arrays->class_of);
    if (arrays->count == 1)
        fprintf(stream, "1 array (%s)", shown.text);
    else
        fprintf(stream, "%" PRIu64 " arrays, such as %s,", arrays->count, shown.text);
}

void dump_remarks_print(FILE *stream, const char *prefix, const struct dump_objects *objects,
                        uint64_t renamed)
{
    const char *joint = prefix;
    print_sizes(stream, &joint, objects);
    if (renamed > 0) {
        begin_remark(stream, &joint);
        print_renamed(stream, renamed);
    }
    if (objects->resized.count > 0) {
        begin_remark(stream, &joint);
        print_arrays(stream, objects, &objects->resized);
        fprintf(stream,
                " larger or smaller than the trace does: tools show %d bytes, and the "
                "elements, of which references have %d",
                HPROF_ARRAY_HEADER, HPROF_REFERENCE);
    }
    if (objects->cut.count > 0) {
        begin_remark(stream, &joint);
        print_arrays(stream, objects, &objects->cut);
        fprintf(stream, " with fewer elements than the trace does: in a dump, an array has "
                        "less than 4 GiB, and no more elements than bytes");
    }
}
