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

static enum status put_instance(struct dump_objects *objects, const struct graph_object *object,
                                const struct heap_class *class_of, struct failure *why)
{
    struct hprof *hprof = objects->hprof;
    uint64_t count = class_field_count(class_of), field;
    if (!ARRAY_RESERVE(objects->values, objects->value_capacity, (size_t)count + 1))
        return fail_memory(why);
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
    return objects->hprof->print->status;
}

static void add_remark(struct array_remark *remark, const struct dump_objects *objects,
                       const struct heap_class *class_of)
{
    if (remark->count++ == 0)
        remark->class_of = (size_t)(class_of - objects->classes->items);
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
        add_remark(&objects->cut, objects, class_of);
    else if (size > 0 &&
             align(HPROF_ARRAY_HEADER + count * hprof_heap_size(type)) != align(size))
        add_remark(&objects->resized, objects, class_of);
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
static enum status list_elements(struct dump_objects *objects,
                                 const struct graph_object *object, uint64_t count,
                                 size_t *indexed, struct failure *why)
{
    uint64_t field;
    objects->element_count = 0;
    for (slot_t slot = object->first; slot != 0;) {
        node_t target = graph_next(objects->graph, &slot, &field);
        if (target == NODE_NONE)
            break;
        if (!ARRAY_RESERVE(objects->elements, objects->element_capacity,
                           objects->element_count + 1))
            return fail_memory(why);
        struct element *elements = objects->elements;
        uint64_t index = field >= FIRST_ELEMENT ? field - FIRST_ELEMENT : field;
        elements[objects->element_count++] =
            (struct element){index < count ? index : UINT64_MAX, target};
    }
    struct element *elements = objects->elements;
    if (objects->element_count > 0)
        qsort(elements, objects->element_count, sizeof *elements, compare_elements);
    *indexed = 0;
    for (size_t i = 0; i < objects->element_count; i++)
        if (i > 0 && elements[i].index == elements[i - 1].index)
            elements[i].index = UINT64_MAX;
    if (objects->element_count > 0)
        qsort(elements, objects->element_count, sizeof *elements, compare_elements);
    while (*indexed < objects->element_count && elements[*indexed].index != UINT64_MAX)
        ++*indexed;
    return STATUS_OK;
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

static enum status put_object_array(struct dump_objects *objects,
                                    const struct graph_object *object,
                                    const struct heap_class *class_of, struct failure *why)
{
    struct hprof *hprof = objects->hprof;
    uint64_t count = reference_count(objects, object);
    size_t indexed;
    TRY(list_elements(objects, object, count, &indexed, why));
    note_array(objects, object, class_of, HPROF_OBJECT, count);
    hprof_heap_large(hprof, HPROF_OBJECT_ARRAY_DUMP, OBJECT_ARRAY_RECORD + count * HPROF_ID);
    hprof_put_id(hprof, object->id);
    put_trace_of(objects, object);
    hprof_put(hprof, count, U4);
    hprof_put_id(hprof, class_of->id);
    uint64_t put = put_elements(objects, indexed);
    hprof_heap_end(hprof, (count - put) * HPROF_ID);
    return objects->hprof->print->status;
}

static enum status put_array(struct dump_objects *objects, const struct graph_object *object,
                             const struct heap_class *class_of, struct failure *why)
{
    struct hprof *hprof = objects->hprof;
    enum hprof_type type = heap_classes_element(objects->classes, class_of, object);
    if (type == HPROF_OBJECT)
        return put_object_array(objects, object, class_of, why);
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
    return objects->hprof->print->status;
}

enum status dump_objects_put(struct dump_objects *objects, const struct graph_object *object,
                             struct failure *why)
{
    const struct heap_class *class_of =
        &objects->classes->items[heap_classes_of(objects->classes, object)];
    return class_of->is_array ? put_array(objects, object, class_of, why)
                              : put_instance(objects, object, class_of, why);
}

uint64_t dump_objects_bytes(const struct dump_objects *objects,
                            const struct graph_object *object)
{
    const struct heap_class *class_of =
        &objects->classes->items[heap_classes_of(objects->classes, object)];
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

/* Returns the name of a class as messages show it, which the caller owns (free); NULL: no
 * memory. */
static char *shown_class_name(const struct heap_classes *classes,
                              const struct heap_class *class_of)
{
    const char *name = heap_class_name(classes, class_of);
    const struct name_parts parts = {.own = name, .own_length = strlen(name)};
    char shown[NAMES_SHOWN_WHOLE];
    return strndup(shown, name_parts_show(shown, &parts));
}

/* Notes how many arrays differ from those in the trace, and the class of the first. */
static enum status note_arrays(const struct heap_classes *classes,
                               const struct array_remark *from, uint64_t *count, char **example,
                               struct failure *why)
{
    *count = from->count;
    if (from->count > 0)
        *example = shown_class_name(classes, &classes->items[from->class_of]);
    return from->count == 0 || *example ? STATUS_OK : fail_memory(why);
}

enum status dump_remarks_note(struct dump_remarks *remarks, const struct dump_objects *objects,
                              uint64_t renamed, struct failure *why)
{
    const struct heap_classes *classes = objects->classes;
    remarks->renamed = renamed;
    TRY(note_arrays(classes, &objects->cut, &remarks->cut, &remarks->cut_example, why));
    TRY(note_arrays(classes, &objects->resized, &remarks->resized, &remarks->resized_example,
                    why));
    for (size_t i = 0; i < classes->count; i++) {
        const struct heap_class *class_of = &classes->items[i];
        if (!is_resized(class_of))
            continue;
        remarks->classes++;
        remarks->objects += class_of->objects;
        if (!remarks->example)
            remarks->example = shown_class_name(classes, class_of);
        if (!remarks->example)
            return fail_memory(why);
    }
    return STATUS_OK;
}

bool dump_remarks_exist(const struct dump_remarks *remarks)
{
    return remarks->classes + remarks->renamed + remarks->cut + remarks->resized > 0;
}

/* Prints how many objects are shown in another size than the trace has. */
static void print_sizes(FILE *stream, const struct dump_remarks *remarks)
{
    if (remarks->objects == 1)
        fprintf(stream, "1 object of %s", remarks->example);
    else if (remarks->classes == 1)
        fprintf(stream, "%" PRIu64 " objects of %s", remarks->objects, remarks->example);
    else
        fprintf(stream, "%" PRIu64 " objects of %" PRIu64 " classes, such as %s,",
                remarks->objects, remarks->classes, remarks->example);
    fprintf(stream, " larger or smaller than the trace does: in a dump, all objects of a class "
                    "have one size, with room for a header and the references");
}

static void print_renamed(FILE *stream, const struct dump_remarks *remarks)
{
    if (remarks->renamed == 1)
        fprintf(stream, "1 object with another id");
    else
        fprintf(stream, "%" PRIu64 " objects with other ids", remarks->renamed);
    fprintf(stream, " than the trace does: in a dump, an id is of one object");
}

/* Prints the number of arrays, and the class of one of them. */
static void print_arrays(FILE *stream, uint64_t count, const char *example)
{
    if (count == 1)
        fprintf(stream, "1 array (%s)", example);
    else
        fprintf(stream, "%" PRIu64 " arrays, such as %s,", count, example);
}

void dump_remarks_print(FILE *stream, const struct dump_remarks *remarks)
{
    const char *joint = "";
    if (remarks->classes > 0) {
        print_sizes(stream, remarks);
        joint = "; and ";
    }
    if (remarks->renamed > 0) {
        fputs(joint, stream);
        print_renamed(stream, remarks);
        joint = "; and ";
    }
    if (remarks->resized > 0) {
        fputs(joint, stream);
        print_arrays(stream, remarks->resized, remarks->resized_example);
        fprintf(stream,
                " larger or smaller than the trace does: tools show %d bytes, and the "
                "elements, of which references have %d",
                HPROF_ARRAY_HEADER, HPROF_REFERENCE);
        joint = "; and ";
    }
    if (remarks->cut > 0) {
        fputs(joint, stream);
        print_arrays(stream, remarks->cut, remarks->cut_example);
        fprintf(stream, " with fewer elements than the trace does: in a dump, an array has "
                        "less than 4 GiB, and no more elements than bytes");
    }
}

void dump_remarks_free(struct dump_remarks *remarks)
{
    if (!remarks)
        return;
    free(remarks->example);
    free(remarks->cut_example);
    free(remarks->resized_example);
    free(remarks);
}
