/* SPDX-License-Identifier: MIT */
/* Strings, names of classes and stack traces come first, then classes, roots and objects as
 * records of the heap. Tools reckon the size of an object from its fields or elements: with ids
 * of four bytes as on a 32-bit machine, where headers are smaller, and with ids of eight bytes
 * as with references of eight, unless they find that references are compressed. So ids have
 * eight bytes, and the dump has the signs of compressed references that tools look for:
 * VisualVM the offsets of two neighbouring fields of java.lang.Class, which static fields of
 * another class have, and Eclipse MAT two arrays of references that would overlap if these had
 * eight bytes. */
#include "report/report.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/graph/heap_classes.h"
#include "report/lives/moments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { U1 = 1, U2 = 2, U4 = 4 };

/* Serial numbers of stack traces: 1 is the empty trace; then come those of threads, then those
 * of sites. */
enum { NO_TRACE = 1, FIRST_TRACE = 2 };

/* Room for a name that is made from a number. */
enum { NUMBER_NAME_SIZE = 40 };

/* An element of an array, and its index there. */
struct element {
    uint64_t index;
    node_t target;
};

/* Arrays that differ from those in the trace. */
struct array_remark {
    uint64_t count;
    size_t class_of; /* of the first */
};

struct dump {
    struct hprof hprof;
    struct print print;
    const struct report_material *material;
    struct heap_graph *graph;
    struct heap_classes classes;
    struct map used;        /* ids of objects and classes */
    uint64_t fresh;         /* the last fresh id that was given to an object or class */
    uint64_t renamed;       /* objects whose ids differ from those in the trace */
    struct symbols strings; /* by id, less 1 */
    uint64_t *field_names; /* strings: of each class those of the fields, then of static ones */
    size_t field_name_count, field_name_capacity;
    struct map methods;               /* method -> its frame */
    struct map own_names, signatures; /* of methods: where a part begins -> its string */
    uint64_t frames;                  /* the id of the last frame */
    uint64_t *thread_ids;             /* by thread: the id of its object; 0: it needs none */
    uint64_t *values;                 /* of the fields of an object */
    size_t value_capacity;
    struct element *elements;
    size_t element_count, element_capacity;
    size_t thread_class;
    size_t compressed_class;
    uint64_t compressed_ids[2]; /* of two arrays */
    struct array_remark cut;    /* arrays with fewer elements than in the trace */
    struct array_remark resized;
};

/* What the remark of the report says: report->state. */
struct dump_remarks {
    uint64_t classes; /* with objects that are shown in a wrong size */
    uint64_t objects;
    char *example;         /* owned */
    uint64_t renamed;      /* objects whose ids differ from those in the trace */
    uint64_t cut;          /* arrays with fewer elements than in the trace */
    char *cut_example;     /* owned */
    uint64_t resized;      /* arrays that are shown in a wrong size */
    char *resized_example; /* owned */
};

static enum status take_fresh_id(struct dump *dump, uint64_t *id, struct failure *why)
{
    uint64_t *entry;
    do {
        entry = map_insert(&dump->used, ++dump->fresh);
        if (!entry)
            return fail_memory(why);
    } while (*entry != 0);
    *entry = 1;
    *id = dump->fresh;
    return STATUS_OK;
}

/* Gives each present object an id of its own: that of the trace, unless an earlier object has
 * it. */
static enum status name_objects(struct dump *dump, struct failure *why)
{
    struct heap_graph *graph = dump->graph;
    enum status status = STATUS_OK;
    for (size_t i = 1; i < graph->count; i++) {
        uint64_t *id = &graph->ids[i];
        if (!graph_is_present(graph, (node_t)i))
            continue;
        TRY(interrupt_check(dump->material->pass->interrupt, why));
        uint64_t *entry = map_insert(&dump->used, *id);
        if (!entry)
            return fail_memory(why);
        if (*entry != 0) {
            *id = 0;
            dump->renamed++;
        }
        *entry = 1;
    }
    for (size_t i = 1; i < graph->count && status == STATUS_OK; i++)
        if (graph_is_present(graph, (node_t)i) && graph->ids[i] == 0)
            status = take_fresh_id(dump, &graph->ids[i], why);
    return status;
}

static enum status name_threads(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    enum status status = STATUS_OK;
    dump->thread_ids = array_new(graph->thread_count, sizeof *dump->thread_ids);
    if (!dump->thread_ids)
        return fail_memory(why);
    for (size_t i = 0; i < graph->root_count && status == STATUS_OK; i++) {
        const struct graph_root *root = &graph->roots[i];
        if (root->kind == GRAPH_ROOT_FRAME && dump->thread_ids[root->thread] == 0)
            status = take_fresh_id(dump, &dump->thread_ids[root->thread], why);
    }
    return status == STATUS_OK
               ? heap_classes_named(&dump->classes, CLASS_THREAD, strlen(CLASS_THREAD),
                                    &dump->thread_class, why)
               : status;
}

/* Makes the classes of all methods in which objects were allocated. */
static enum status find_sites(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    enum status status = STATUS_OK;
    size_t number;
    for (size_t i = 1; i <= graph->site_count && status == STATUS_OK; i++) {
        struct member_name name =
            heap_member_name(dump->classes.names, NAMES_SITE, graph->site_ids[i]);
        status = heap_classes_owner(&dump->classes, &name, CLASS_METHOD, &number, why);
    }
    return status;
}

/* Makes the classes of all open methods. */
static enum status find_methods(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    enum status status = STATUS_OK;
    size_t number;
    for (size_t i = 0; i < graph->thread_count; i++)
        for (size_t j = 0; j < graph->threads[i].depth && status == STATUS_OK; j++) {
            uint64_t method = graph->threads[i].frames[j].method;
            uint64_t *entry = map_insert(&dump->methods, method);
            if (!entry)
                return fail_memory(why);
            struct member_name name =
                heap_member_name(dump->classes.names, NAMES_METHOD, method);
            if (*entry == 0)
                status = heap_classes_owner(&dump->classes, &name, CLASS_METHOD, &number, why);
            *entry = 1;
        }
    return status;
}

/* Two empty arrays, of which the second lies where the first would have its length if
 * references had eight bytes. */
static enum status name_compressed(struct dump *dump, struct failure *why)
{
    uint64_t *ids = dump->compressed_ids;
    enum status status =
        heap_classes_named(&dump->classes, CLASS_COMPRESSED, strlen(CLASS_COMPRESSED),
                           &dump->compressed_class, why);
    if (status == STATUS_OK)
        status = take_fresh_id(dump, &ids[1], why);
    do {
        ids[0] = ids[1];
        if (status == STATUS_OK)
            status = take_fresh_id(dump, &ids[1], why);
    } while (status == STATUS_OK && ids[1] - ids[0] >= HPROF_ARRAY_HEADER);
    if (status == STATUS_OK)
        dump->classes.items[dump->compressed_class].is_array = true;
    return status;
}

static enum status name_classes(struct dump *dump, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < dump->classes.count && status == STATUS_OK; i++)
        status = take_fresh_id(dump, &dump->classes.items[i].id, why);
    return status;
}

/* Returns the id of a string, which is put unless it has been before. */
static uint64_t put_string(struct dump *dump, const char *text, size_t length)
{
    struct print *print = &dump->print;
    size_t known = dump->strings.count;
    uint32_t number = 0;
    if (print->status == STATUS_OK)
        print->status = symbols_add(&dump->strings, text, length, &number, print->why);
    if (print->status == STATUS_OK && number == known)
        hprof_string(&dump->hprof, (uint64_t)number + 1, text, length);
    return (uint64_t)number + 1;
}

/* Puts the name of a class as virtual machines spell it: java/lang/String, [I,
 * [Ljava/lang/String;. Sets *string to its id. */
static enum status put_class_name(struct dump *dump, const char *name, bool is_array,
                                  uint64_t *string)
{
    size_t length = strlen(name), dimensions = 0;
    while (length > 2 && memcmp(name + length - 2, "[]", 2) == 0) {
        length -= 2;
        dimensions++;
    }
    dimensions += dimensions == 0 && is_array;
    const struct java_primitive *primitive =
        dimensions > 0 ? java_primitive_named(name, length) : NULL;
    char *text = malloc(dimensions + length + 3), *end = text;
    if (!text)
        return fail_memory(dump->print.why);
    memset(end, '[', dimensions);
    end += dimensions;
    if (primitive) {
        *end++ = primitive->letter;
    } else {
        if (dimensions > 0)
            *end++ = 'L';
        for (size_t i = 0; i < length; i++)
            *end++ = name[i] == '.' ? '/' : name[i];
        if (dimensions > 0)
            *end++ = ';';
    }
    *string = put_string(dump, text, (size_t)(end - text));
    free(text);
    return dump->print.status;
}

static enum status put_loaded_classes(struct dump *dump)
{
    enum status status = dump->print.status;
    for (size_t i = 0; i < dump->classes.count && status == STATUS_OK; i++) {
        const struct heap_class *class_of = &dump->classes.items[i];
        uint64_t name = 0;
        status = put_class_name(dump, heap_class_name(&dump->classes, class_of),
                                class_of->is_array, &name);
        hprof_load_class(&dump->hprof, (uint32_t)i + 1, class_of->id, NO_TRACE, name);
    }
    return status;
}

/* Puts WHAT#ID, in place of a missing name; returns the id of the string. */
static uint64_t put_number_string(struct dump *dump, const char *what, uint64_t id)
{
    char text[NUMBER_NAME_SIZE];
    int length = snprintf(text, sizeof text, "%s#%" PRIu64, what, id);
    return put_string(dump, text, (size_t)length);
}

/* Puts a part of a name in a list. The lines of a method share it, so a long one is not
 * compared with all strings for each of them. Sets *string to its id. */
static enum status put_part(struct dump *dump, struct map *strings, const char *text,
                            size_t length, uint64_t *string, struct failure *why)
{
    uint64_t *entry = map_insert(strings, (uintptr_t)text);
    if (!entry)
        return fail_memory(why);
    if (*entry == 0)
        *entry = put_string(dump, text, length);
    *string = *entry;
    return STATUS_OK;
}

/* Sets *own and *signature to the ids of the parts of a member's name within its class. */
static enum status put_member_name(struct dump *dump, const struct member_name *name,
                                   uint64_t *own, uint64_t *signature, struct failure *why)
{
    TRY(put_part(dump, &dump->own_names, name->own, name->own_length, own, why));
    return put_part(dump, &dump->signatures, name->signature, name->signature_length, signature,
                    why);
}

/* Puts the frame of a method or site, and sets *frame to its id. */
static enum status put_frame(struct dump *dump, enum name_space space, uint64_t id,
                             uint64_t *frame, struct failure *why)
{
    struct member_name name = heap_member_name(dump->classes.names, space, id);
    size_t number = 0;
    uint64_t own = 0, signature = 0;
    TRY(heap_classes_owner(&dump->classes, &name, CLASS_METHOD, &number, why));
    if (name.own)
        TRY(put_member_name(dump, &name, &own, &signature, why));
    *frame = ++dump->frames;
    if (!name.own) {
        own = put_number_string(dump, "method", id);
        signature = put_string(dump, "", 0);
    }
    hprof_frame(&dump->hprof, *frame, own, signature, (uint32_t)number + 1, name.line);
    return dump->print.status;
}

/* Puts a stack trace of one frame for each site. */
static enum status put_sites(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    enum status status = dump->print.status;
    for (size_t i = 1; i <= graph->site_count && status == STATUS_OK; i++) {
        uint64_t frame = 0;
        status = put_frame(dump, NAMES_SITE, graph->site_ids[i], &frame, why);
        hprof_trace(&dump->hprof, (uint32_t)(FIRST_TRACE + graph->thread_count + i - 1), 0, 1);
        hprof_trace_frame(&dump->hprof, frame);
    }
    return status;
}

/* Puts the number of the stack trace with which an object was allocated. */
static void put_trace_of(struct dump *dump, const struct graph_object *object)
{
    const struct heap_graph *graph = dump->graph;
    uint32_t site = graph_site(graph, object->node);
    hprof_put(&dump->hprof, site > 0 ? FIRST_TRACE + graph->thread_count + site - 1 : NO_TRACE,
              U4);
}

/* Puts the open methods as frames, then the empty stack trace, then those of all threads. */
static enum status put_traces(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    enum status status = dump->print.status;
    uint64_t method = 0;
    for (uint64_t *frame = map_first(&dump->methods, &method); frame && status == STATUS_OK;
         frame = map_next(&dump->methods, &method))
        status = put_frame(dump, NAMES_METHOD, method, frame, why);
    hprof_trace(&dump->hprof, NO_TRACE, 0, 0);
    for (size_t i = 0; i < graph->thread_count && status == STATUS_OK; i++) {
        const struct graph_thread *thread = &graph->threads[i];
        hprof_trace(&dump->hprof, (uint32_t)i + FIRST_TRACE, (uint32_t)i + 1,
                    (uint32_t)thread->depth);
        for (size_t j = thread->depth; j-- > 0;)
            hprof_trace_frame(&dump->hprof,
                              *map_find(&dump->methods, thread->frames[j].method));
        status = dump->print.status;
    }
    return status;
}

/* Whether the class has no objects, and only the field that readers look for. */
static bool has_expected_field(const struct heap_class *class_of)
{
    return class_of->expected_field && class_of->objects == 0;
}

/* The number of fields that are written for the class. */
static uint64_t field_count(const struct heap_class *class_of)
{
    return has_expected_field(class_of) ? 1 : class_of->field_count;
}

/* The bytes of an object that are neither header nor references; they are filled with fields.
 */
static uint64_t filler_of(const struct heap_class *class_of)
{
    uint64_t taken = HPROF_OBJECT_HEADER + field_count(class_of) * HPROF_REFERENCE;
    uint64_t room = HPROF_FIELDS_MOST - field_count(class_of);
    uint64_t filler = class_of->size > taken ? class_of->size - taken : 0;
    if (filler / 8 + (unsigned)__builtin_popcountll(filler % 8) > room)
        filler -= filler % 8;
    return filler < room * 8 ? filler : room * 8;
}

/* The type of the next field where `left` bytes are to be filled. */
static enum hprof_type next_filler(uint64_t left)
{
    if (left >= 8)
        return HPROF_LONG;
    if (left >= 4)
        return HPROF_INT;
    return left >= 2 ? HPROF_SHORT : HPROF_BYTE;
}

/* Two static fields of CLASS_OFFSETS, as virtual machines have them: the offsets of two fields
 * that hold references, one after the other. */
static const char *const offset_names[] = {"annotationDataOffset", "annotationTypeOffset"};
enum { OFFSETS = sizeof offset_names / sizeof *offset_names };

static uint64_t offset_count(const struct heap_class *class_of)
{
    return class_of->has_offsets ? OFFSETS : 0;
}

/* The number of static fields of the trace that are written for the class. */
static uint64_t static_count(const struct heap_class *class_of)
{
    uint64_t room = HPROF_FIELDS_MOST - offset_count(class_of);
    return class_of->static_count < room ? class_of->static_count : room;
}

/* The number of fields that fill the objects of the class. */
static uint64_t filler_count(const struct heap_class *class_of)
{
    uint64_t filler = class_of->is_array ? 0 : filler_of(class_of);
    return filler / 8 + (unsigned)__builtin_popcountll(filler % 8);
}

/* Puts the fields of a class: those that hold references, then the filler. `names` has their
 * strings. */
static void put_fields(struct dump *dump, const struct heap_class *class_of,
                       const uint64_t *names)
{
    uint64_t references = field_count(class_of);
    uint64_t left = class_of->is_array ? 0 : filler_of(class_of);
    hprof_put(&dump->hprof, references + filler_count(class_of), U2);
    for (uint64_t i = 0; i < references; i++) {
        hprof_put_id(&dump->hprof, names[i]);
        hprof_put(&dump->hprof, HPROF_OBJECT, U1);
    }
    for (uint64_t i = references; left > 0; i++) {
        enum hprof_type type = next_filler(left);
        left -= hprof_size(type);
        hprof_put_id(&dump->hprof, names[i]);
        hprof_put(&dump->hprof, type, U1);
    }
}

/* The bytes of all fields of an object of the class in the file, and with the header those of
 * the object in the heap. */
static uint64_t instance_bytes(const struct heap_class *class_of)
{
    return field_count(class_of) * HPROF_ID + filler_of(class_of);
}

static uint64_t instance_size(const struct heap_class *class_of)
{
    return HPROF_OBJECT_HEADER + field_count(class_of) * HPROF_REFERENCE + filler_of(class_of);
}

/* Adds a string to the names of the fields of the present class, unless one of them has it:
 * `used` has these. *is_new shows. */
static enum status add_field_name(struct dump *dump, struct map *used, const char *text,
                                  size_t length, bool *is_new, struct failure *why)
{
    uint64_t string = put_string(dump, text, length);
    uint64_t *entry = map_insert(used, string);
    if (!entry || !ARRAY_RESERVE(dump->field_names, dump->field_name_capacity,
                                 dump->field_name_count + 1))
        return fail_memory(why);
    *is_new = *entry == 0;
    *entry = 1;
    if (*is_new)
        dump->field_names[dump->field_name_count++] = string;
    return dump->print.status;
}

/* Returns `name` with ` (MORE)` behind it, which the caller owns (free); NULL: no memory. */
static char *longer_name(const char *name, const char *more, size_t more_length)
{
    size_t length = strlen(name);
    char *text = malloc(length + more_length + sizeof " ()");
    if (!text)
        return NULL;
    memcpy(text, name, length);
    memcpy(text + length, " (", 2);
    memcpy(text + length + 2, more, more_length);
    memcpy(text + length + 2 + more_length, ")", 2);
    return text;
}

/* The last part of the name of a class, which ends before `end`. */
static const char *simple_name(const char *name, const char *end)
{
    const char *at = end;
    while (at > name && at[-1] != '/' && at[-1] != '.')
        at--;
    return at;
}

/* Adds `name` with the number of the field behind it, as often as it takes to make it new. */
static enum status add_numbered_name(struct dump *dump, struct map *used, const char *name,
                                     uint64_t number, struct failure *why)
{
    char digits[NUMBER_DIGITS];
    const char *shorter = name;
    size_t length = number_format(digits, number);
    char *longer = NULL;
    bool is_new = false;
    enum status status = STATUS_OK;
    while (!is_new && status == STATUS_OK) {
        char *text = longer_name(shorter, digits, length);
        free(longer);
        longer = text;
        shorter = text;
        status = text ? add_field_name(dump, used, text, strlen(text), &is_new, why)
                      : fail_memory(why);
    }
    free(longer);
    return status;
}

/* Adds `name` with the last part of the name of the field's class behind it, unless it is used,
 * or the part is so long that a dump would grow with how often it is repeated. */
static enum status add_name_with_class(struct dump *dump, struct map *used, const char *name,
                                       const struct member_name *field, bool *is_new,
                                       struct failure *why)
{
    const char *end = field->owner + field->owner_length;
    const char *simple = simple_name(field->owner, end);
    if ((size_t)(end - simple) > NAMES_SHOWN)
        return STATUS_OK;
    char *text = longer_name(name, simple, (size_t)(end - simple));
    enum status status =
        text ? add_field_name(dump, used, text, strlen(text), is_new, why) : fail_memory(why);
    free(text);
    return status;
}

/* Adds the name of a field. No two fields of a class have the same name: a second one, as of a
 * superclass, has the name of its class behind it, or else its number. */
static enum status add_name_of(struct dump *dump, struct map *used, uint64_t field,
                               struct failure *why)
{
    struct member_name name = heap_member_name(dump->classes.names, NAMES_FIELD, field);
    char unnamed[NUMBER_NAME_SIZE];
    snprintf(unnamed, sizeof unnamed, "field#%" PRIu64, field);
    const char *own = name.own ? name.own : unnamed;
    bool is_new = false;
    enum status status = add_field_name(dump, used, own, strlen(own), &is_new, why);
    if (name.own && name.owner && !is_new && status == STATUS_OK)
        status = add_name_with_class(dump, used, own, &name, &is_new, why);
    if (is_new || status != STATUS_OK)
        return status;
    return add_numbered_name(dump, used, own, field, why);
}

/* Adds the names of `count` fields that only fill objects. */
static enum status add_filler_names(struct dump *dump, struct map *used, uint64_t count,
                                    struct failure *why)
{
    char text[NUMBER_NAME_SIZE];
    enum status status = STATUS_OK;
    for (uint64_t number = 1; count > 0 && status == STATUS_OK; number++) {
        bool is_new = false;
        int length = snprintf(text, sizeof text, "(filler %" PRIu64 ")", number);
        status = add_field_name(dump, used, text, (size_t)length, &is_new, why);
        count -= is_new;
    }
    return status;
}

/* Adds the names of the fields of a class, in the order in which they are put. */
static enum status add_field_names(struct dump *dump, const struct heap_class *class_of,
                                   struct failure *why)
{
    struct map used = {.root = NULL};
    uint64_t field = 0;
    bool is_new = false;
    enum status status = STATUS_OK;
    if (has_expected_field(class_of))
        status = add_field_name(dump, &used, class_of->expected_field,
                                strlen(class_of->expected_field), &is_new, why);
    for (uint64_t *entry = map_first(&class_of->fields, &field); entry && status == STATUS_OK;
         entry = map_next(&class_of->fields, &field))
        status = add_name_of(dump, &used, field, why);
    if (status == STATUS_OK)
        status = add_filler_names(dump, &used, filler_count(class_of), why);
    for (size_t i = 0; i < offset_count(class_of) && status == STATUS_OK; i++)
        status =
            add_field_name(dump, &used, offset_names[i], strlen(offset_names[i]), &is_new, why);
    for (size_t i = 0; i < static_count(class_of) && status == STATUS_OK; i++)
        status = add_name_of(dump, &used, class_of->statics[i].field, why);
    map_free(&used);
    return status;
}

static void put_sticky_root(struct hprof *hprof, uint64_t id)
{
    hprof_heap(hprof, HPROF_ROOT_STICKY_CLASS);
    hprof_put_id(hprof, id);
    hprof_heap_end(hprof, 0);
}

/* Puts the static fields of a class, of which `names` has the strings. */
static void put_statics(struct dump *dump, const struct heap_class *class_of,
                        const uint64_t *names)
{
    struct hprof *hprof = &dump->hprof;
    uint64_t offsets = offset_count(class_of);
    hprof_put(hprof, offsets + static_count(class_of), U2);
    for (size_t i = 0; i < offsets; i++) {
        hprof_put_id(hprof, names[i]);
        hprof_put(hprof, HPROF_LONG, U1);
        hprof_put(hprof, HPROF_OBJECT_HEADER + i * HPROF_REFERENCE, hprof_size(HPROF_LONG));
    }
    for (size_t i = 0; i < static_count(class_of); i++) {
        hprof_put_id(hprof, names[offsets + i]);
        hprof_put(hprof, HPROF_OBJECT, U1);
        hprof_put_id(hprof, dump->graph->ids[class_of->statics[i].target]);
    }
}

/* Puts a class. What its static fields hold becomes a root if there are more of them than the
 * class has room for. */
static void put_class(struct dump *dump, size_t number, const uint64_t *names)
{
    const struct heap_class *class_of = &dump->classes.items[number];
    const uint64_t *static_names = names + field_count(class_of) + filler_count(class_of);
    struct hprof *hprof = &dump->hprof;
    hprof_heap(hprof, HPROF_CLASS_DUMP);
    hprof_put_id(hprof, class_of->id);
    hprof_put(hprof, NO_TRACE, U4);
    hprof_put_id(hprof, number == 0 ? 0 : dump->classes.items[0].id);
    hprof_put_zeros(hprof, 5 * HPROF_ID); /* loader, signers, domain, reserved */
    hprof_put(hprof, class_of->is_array ? 0 : instance_bytes(class_of), U4);
    hprof_put(hprof, 0, U2); /* constants */
    put_statics(dump, class_of, static_names);
    put_fields(dump, class_of, names);
    hprof_heap_end(hprof, 0);
    if (class_of->static_count == 0)
        return;
    put_sticky_root(hprof, class_of->id);
    for (size_t i = static_count(class_of); i < class_of->static_count; i++)
        put_sticky_root(hprof, dump->graph->ids[class_of->statics[i].target]);
}

/* Puts all classes. Their strings come before the first record of the heap. */
static enum status put_classes(struct dump *dump, struct failure *why)
{
    size_t count = dump->classes.count;
    size_t *firsts = array_new(count, sizeof *firsts);
    enum status status = firsts ? dump->print.status : fail_memory(why);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        firsts[i] = dump->field_name_count;
        status = interrupt_check(dump->material->pass->interrupt, why);
        if (status == STATUS_OK)
            status = add_field_names(dump, &dump->classes.items[i], why);
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        put_class(dump, i, dump->field_names + firsts[i]);
        status = dump->print.status;
    }
    free(firsts);
    return status;
}

static void put_thread(struct dump *dump, size_t number)
{
    struct hprof *hprof = &dump->hprof;
    const struct heap_class *class_of = &dump->classes.items[dump->thread_class];
    hprof_heap(hprof, HPROF_ROOT_THREAD);
    hprof_put_id(hprof, dump->thread_ids[number]);
    hprof_put(hprof, number + 1, U4);
    hprof_put(hprof, number + FIRST_TRACE, U4);
    hprof_heap_end(hprof, 0);
    hprof_heap(hprof, HPROF_INSTANCE_DUMP);
    hprof_put_id(hprof, dump->thread_ids[number]);
    hprof_put(hprof, NO_TRACE, U4);
    hprof_put_id(hprof, class_of->id);
    hprof_put(hprof, instance_bytes(class_of), U4);
    hprof_heap_end(hprof, instance_bytes(class_of));
}

/* To be called before any other array of references is put. */
static void put_compressed(struct dump *dump)
{
    struct hprof *hprof = &dump->hprof;
    for (size_t i = 0; i < 2; i++) {
        hprof_heap(hprof, HPROF_OBJECT_ARRAY_DUMP);
        hprof_put_id(hprof, dump->compressed_ids[i]);
        hprof_put(hprof, NO_TRACE, U4);
        hprof_put(hprof, 0, U4);
        hprof_put_id(hprof, dump->classes.items[dump->compressed_class].id);
        hprof_heap_end(hprof, 0);
    }
}

static void put_root(struct dump *dump, const struct graph_root *root)
{
    static const enum hprof_heap_tag tags[] = {
        [GRAPH_ROOT_FRAME] = HPROF_ROOT_JAVA_FRAME,
        [GRAPH_ROOT_SYSTEM] = HPROF_ROOT_STICKY_CLASS,
        [GRAPH_ROOT_DEAD] = HPROF_ROOT_UNKNOWN,
    };
    struct hprof *hprof = &dump->hprof;
    hprof_heap(hprof, tags[root->kind]);
    hprof_put_id(hprof, dump->graph->ids[root->object]);
    if (root->kind == GRAPH_ROOT_FRAME) {
        const struct graph_thread *thread = &dump->graph->threads[root->thread];
        hprof_put(hprof, root->thread + 1, U4);
        hprof_put(hprof,
                  root->frame == GRAPH_NONE ? UINT32_MAX : thread->depth - 1 - root->frame, U4);
    }
    hprof_heap_end(hprof, 0);
}

static void put_roots(struct dump *dump)
{
    const struct heap_graph *graph = dump->graph;
    for (size_t i = 0; i < graph->thread_count; i++)
        if (dump->thread_ids[i] != 0)
            put_thread(dump, i);
    for (size_t i = 0; i < graph->root_count && dump->print.status == STATUS_OK; i++)
        put_root(dump, &graph->roots[i]);
}

/* Bytes of the records of an object, without those of its fields or elements. */
enum {
    INSTANCE_RECORD = U1 + HPROF_ID + U4 + HPROF_ID + U4,
    OBJECT_ARRAY_RECORD = U1 + HPROF_ID + U4 + U4 + HPROF_ID,
    PRIMITIVE_ARRAY_RECORD = U1 + HPROF_ID + U4 + U4 + U1
};

/* The size that tools show: a multiple of the alignment. */
static uint64_t align(uint64_t size)
{
    uint64_t over = size % HPROF_ALIGNMENT;
    return over == 0 ? size : size - over + HPROF_ALIGNMENT;
}

static enum status put_instance(struct dump *dump, const struct graph_object *object,
                                const struct heap_class *class_of, struct failure *why)
{
    struct hprof *hprof = &dump->hprof;
    uint64_t count = field_count(class_of), field;
    if (!ARRAY_RESERVE(dump->values, dump->value_capacity, (size_t)count + 1))
        return fail_memory(why);
    uint64_t *values = dump->values;
    memset(values, 0, (size_t)count * sizeof *values);
    for (slot_t slot = object->first; slot != 0;) {
        node_t target = graph_next(dump->graph, &slot, &field);
        uint64_t number = target == NODE_NONE ? 0 : *map_find(&class_of->fields, field);
        if (number > 0)
            values[number - 1] = dump->graph->ids[target];
    }
    hprof_heap_large(hprof, HPROF_INSTANCE_DUMP, INSTANCE_RECORD + instance_bytes(class_of));
    hprof_put_id(hprof, object->id);
    put_trace_of(dump, object);
    hprof_put_id(hprof, class_of->id);
    hprof_put(hprof, instance_bytes(class_of), U4);
    for (uint64_t i = 0; i < count; i++)
        hprof_put_id(hprof, values[i]);
    hprof_heap_end(hprof, filler_of(class_of));
    return dump->print.status;
}

static void add_remark(struct array_remark *remark, const struct dump *dump,
                       const struct heap_class *class_of)
{
    if (remark->count++ == 0)
        remark->class_of = (size_t)(class_of - dump->classes.items);
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
static void note_array(struct dump *dump, const struct graph_object *object,
                       const struct heap_class *class_of, enum hprof_type type, uint64_t count)
{
    bool is_cut;
    uint64_t size = object->shape.size;
    element_count(object, type, &is_cut);
    if (is_cut)
        add_remark(&dump->cut, dump, class_of);
    else if (size > 0 &&
             align(HPROF_ARRAY_HEADER + count * hprof_heap_size(type)) != align(size))
        add_remark(&dump->resized, dump, class_of);
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
static enum status list_elements(struct dump *dump, const struct graph_object *object,
                                 uint64_t count, size_t *indexed, struct failure *why)
{
    uint64_t field;
    dump->element_count = 0;
    for (slot_t slot = object->first; slot != 0;) {
        node_t target = graph_next(dump->graph, &slot, &field);
        if (target == NODE_NONE)
            break;
        if (!ARRAY_RESERVE(dump->elements, dump->element_capacity, dump->element_count + 1))
            return fail_memory(why);
        struct element *elements = dump->elements;
        uint64_t index = field >= FIRST_ELEMENT ? field - FIRST_ELEMENT : field;
        elements[dump->element_count++] =
            (struct element){index < count ? index : UINT64_MAX, target};
    }
    struct element *elements = dump->elements;
    if (dump->element_count > 0)
        qsort(elements, dump->element_count, sizeof *elements, compare_elements);
    *indexed = 0;
    for (size_t i = 0; i < dump->element_count; i++)
        if (i > 0 && elements[i].index == elements[i - 1].index)
            elements[i].index = UINT64_MAX;
    if (dump->element_count > 0)
        qsort(elements, dump->element_count, sizeof *elements, compare_elements);
    while (*indexed < dump->element_count && elements[*indexed].index != UINT64_MAX)
        ++*indexed;
    return STATUS_OK;
}

/* Puts the elements: each at its index, those without one in the gaps. Returns how many
 * elements were put, zeros included. */
static uint64_t put_elements(struct dump *dump, size_t indexed)
{
    uint64_t at = 0;
    size_t next = 0, other = indexed;
    while (next < indexed || other < dump->element_count) {
        const struct element *element = &dump->elements[next];
        if (next < indexed && element->index > at && other == dump->element_count) {
            hprof_put_zeros(&dump->hprof, (element->index - at) * HPROF_ID);
            at = element->index;
        }
        if (next < indexed && element->index == at)
            next++;
        else
            element = &dump->elements[other++];
        hprof_put_id(&dump->hprof, dump->graph->ids[element->target]);
        at++;
    }
    return at;
}

/* The number of elements that an array of references has in the dump: there is room for all
 * that it refers to. */
static uint64_t reference_count(const struct dump *dump, const struct graph_object *object)
{
    bool is_cut;
    uint64_t count = element_count(object, HPROF_OBJECT, &is_cut), stored = 0, field;
    for (slot_t slot = object->first; slot != 0;)
        stored += graph_next(dump->graph, &slot, &field) != NODE_NONE;
    return stored > count ? stored : count;
}

static enum status put_object_array(struct dump *dump, const struct graph_object *object,
                                    const struct heap_class *class_of, struct failure *why)
{
    struct hprof *hprof = &dump->hprof;
    uint64_t count = reference_count(dump, object);
    size_t indexed;
    TRY(list_elements(dump, object, count, &indexed, why));
    note_array(dump, object, class_of, HPROF_OBJECT, count);
    hprof_heap_large(hprof, HPROF_OBJECT_ARRAY_DUMP, OBJECT_ARRAY_RECORD + count * HPROF_ID);
    hprof_put_id(hprof, object->id);
    put_trace_of(dump, object);
    hprof_put(hprof, count, U4);
    hprof_put_id(hprof, class_of->id);
    uint64_t put = put_elements(dump, indexed);
    hprof_heap_end(hprof, (count - put) * HPROF_ID);
    return dump->print.status;
}

static enum status put_array(struct dump *dump, const struct graph_object *object,
                             const struct heap_class *class_of, struct failure *why)
{
    struct hprof *hprof = &dump->hprof;
    enum hprof_type type = heap_classes_element(&dump->classes, class_of, object);
    if (type == HPROF_OBJECT)
        return put_object_array(dump, object, class_of, why);
    bool is_cut;
    uint64_t count = element_count(object, type, &is_cut);
    note_array(dump, object, class_of, type, count);
    hprof_heap_large(hprof, HPROF_PRIMITIVE_ARRAY_DUMP,
                     PRIMITIVE_ARRAY_RECORD + count * hprof_size(type));
    hprof_put_id(hprof, object->id);
    put_trace_of(dump, object);
    hprof_put(hprof, count, U4);
    hprof_put(hprof, type, U1);
    hprof_heap_end(hprof, count * hprof_size(type));
    return dump->print.status;
}

/* Bytes of the record of a class and of each of its fields, without those of the value. */
enum { CLASS_RECORD = U1 + 7 * HPROF_ID + 2 * U4 + 3 * U2, FIELD_RECORD = HPROF_ID + U1 };

static uint64_t class_bytes(const struct heap_class *class_of)
{
    uint64_t statics = static_count(class_of) + offset_count(class_of);
    return CLASS_RECORD + statics * (FIELD_RECORD + HPROF_ID) +
           (field_count(class_of) + filler_count(class_of)) * FIELD_RECORD;
}

static uint64_t object_bytes(const struct dump *dump, const struct graph_object *object,
                             const struct heap_class *class_of)
{
    bool is_cut;
    enum hprof_type type = class_of->is_array
                               ? heap_classes_element(&dump->classes, class_of, object)
                               : HPROF_OBJECT;
    if (!class_of->is_array)
        return INSTANCE_RECORD + instance_bytes(class_of);
    if (type == HPROF_OBJECT)
        return OBJECT_ARRAY_RECORD + reference_count(dump, object) * HPROF_ID;
    return PRIMITIVE_ARRAY_RECORD + element_count(object, type, &is_cut) * hprof_size(type);
}

/* Adds the bytes of an object to *bytes. Only what is stored can make a record too large: of
 * lengths and sizes, no more is shown than a record has room for. */
static enum status add_object_bytes(const struct dump *dump, const struct graph_object *object,
                                    uint64_t *bytes, struct failure *why)
{
    size_t number = heap_classes_of(&dump->classes, object);
    uint64_t needed = object_bytes(dump, object, &dump->classes.items[number]);
    *bytes += needed;
    if (needed <= HPROF_RECORD_MOST)
        return STATUS_OK;
    return fail_at(why, STATUS_LIMIT, dump->material->trace, 0,
                   "Object %" PRIu64 " holds more than %" PRIu64
                   " references: a heap dump has no larger arrays",
                   object->id, (HPROF_RECORD_MOST - OBJECT_ARRAY_RECORD) / HPROF_ID);
}

/* Sets *bytes to the bytes of all classes and objects in the dump. They are fewer than 2^64:
 * records have fewer than 2^32, and nodes are numbers of 32 bits. */
static enum status count_bytes(const struct dump *dump, uint64_t *bytes, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    *bytes = 0;
    for (size_t i = 0; i < dump->classes.count; i++)
        *bytes += class_bytes(&dump->classes.items[i]);
    for (size_t i = 1; i < graph->count; i++) {
        if (!graph_is_present(graph, (node_t)i))
            continue;
        const struct graph_object object = graph_object(graph, (node_t)i);
        TRY(interrupt_check(dump->material->pass->interrupt, why));
        TRY(add_object_bytes(dump, &object, bytes, why));
    }
    return STATUS_OK;
}

/* The most bytes that classes and objects may take. */
static uint64_t dump_limit(const struct dump *dump)
{
    enum { TIMES = 10, BASE = 64 << 20 };
    uint64_t limit = dump->material->settings->dump_limit, trace = dump->graph->trace_bytes;
    if (limit > 0)
        return limit;
    return trace < (UINT64_MAX - BASE) / TIMES ? trace * TIMES + BASE : UINT64_MAX;
}

/* Refuses a dump that is too large, before any of it is written. */
static enum status check_size(const struct dump *dump, struct failure *why)
{
    uint64_t bytes, limit = dump_limit(dump);
    TRY(count_bytes(dump, &bytes, why));
    if (bytes <= limit)
        return STATUS_OK;
    return fail_at(why, STATUS_LIMIT, dump->material->trace, 0,
                   "The heap dump would have %" PRIu64 " bytes of objects and classes, and the "
                   "limit is %" PRIu64 ": --dump-limit=%" PRIu64 " allows it",
                   bytes, limit, bytes);
}

static enum status put_objects(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    enum status status = dump->print.status;
    for (size_t i = 1; i < graph->count && status == STATUS_OK; i++) {
        if (!graph_is_present(graph, (node_t)i))
            continue;
        const struct graph_object view = graph_object(graph, (node_t)i), *object = &view;
        const struct heap_class *class_of =
            &dump->classes.items[heap_classes_of(&dump->classes, object)];
        status = class_of->is_array ? put_array(dump, object, class_of, why)
                                    : put_instance(dump, object, class_of, why);
        if (status == STATUS_OK)
            status = interrupt_check(dump->material->pass->interrupt, why);
    }
    return status;
}

static enum status prepare(struct dump *dump, struct failure *why)
{
    TRY(heap_classes_find(&dump->classes, dump->graph, why));
    TRY(name_objects(dump, why));
    TRY(find_methods(dump, why));
    TRY(find_sites(dump, why));
    TRY(name_threads(dump, why));
    TRY(name_compressed(dump, why));
    TRY(name_classes(dump, why));
    return check_size(dump, why);
}

static enum status write_dump(struct dump *dump, struct failure *why)
{
    enum status status = prepare(dump, why);
    if (status != STATUS_OK)
        return status;
    status = hprof_begin(&dump->hprof, &dump->print);
    if (status == STATUS_OK)
        status = put_loaded_classes(dump);
    if (status == STATUS_OK)
        status = put_traces(dump, why);
    if (status == STATUS_OK)
        status = put_sites(dump, why);
    if (status == STATUS_OK)
        status = put_classes(dump, why);
    put_roots(dump);
    put_compressed(dump);
    if (status == STATUS_OK)
        status = put_objects(dump, why);
    enum status ended = hprof_end(&dump->hprof);
    return status == STATUS_OK ? ended : status;
}

/* Whether an object of the class is shown in a size that differs from that in the trace. */
static bool is_resized(const struct heap_class *class_of)
{
    return class_of->objects > 0 && !class_of->is_array && class_of->size > 0 &&
           (class_of->has_other_sizes ||
            align(instance_size(class_of)) != align(class_of->size));
}

/* Returns the name of a class as messages show it, which the caller owns (free); NULL: no
 * memory. */
static char *shown_class_name(const struct dump *dump, const struct heap_class *class_of)
{
    const char *name = heap_class_name(&dump->classes, class_of);
    const struct name_parts parts = {.own = name, .own_length = strlen(name)};
    char shown[NAMES_SHOWN_WHOLE];
    return strndup(shown, name_parts_show(shown, &parts));
}

/* Notes how many arrays differ from those in the trace, and the class of the first. */
static enum status note_arrays(const struct dump *dump, const struct array_remark *from,
                               uint64_t *count, char **example, struct failure *why)
{
    *count = from->count;
    if (from->count > 0 &&
        !(*example = shown_class_name(dump, &dump->classes.items[from->class_of])))
        return fail_memory(why);
    return STATUS_OK;
}

static enum status note_remarks(struct report *report, const struct dump *dump,
                                struct failure *why)
{
    struct dump_remarks *remarks = report->state;
    if (!remarks)
        remarks = report->state = calloc(1, sizeof *remarks);
    if (!remarks)
        return fail_memory(why);
    remarks->renamed = dump->renamed;
    TRY(note_arrays(dump, &dump->cut, &remarks->cut, &remarks->cut_example, why));
    TRY(note_arrays(dump, &dump->resized, &remarks->resized, &remarks->resized_example, why));
    for (size_t i = 0; i < dump->classes.count; i++) {
        const struct heap_class *class_of = &dump->classes.items[i];
        if (!is_resized(class_of))
            continue;
        remarks->classes++;
        remarks->objects += class_of->objects;
        if (!remarks->example && !(remarks->example = shown_class_name(dump, class_of)))
            return fail_memory(why);
    }
    return STATUS_OK;
}

static void dump_free(struct dump *dump)
{
    heap_classes_free(&dump->classes);
    map_free(&dump->used);
    map_free(&dump->methods);
    map_free(&dump->own_names);
    map_free(&dump->signatures);
    symbols_free(&dump->strings);
    free(dump->field_names);
    free(dump->thread_ids);
    free(dump->values);
    free(dump->elements);
}

static enum status heap_dump_finish(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct dump dump = {
        .print = {.sink = report->sink, .why = why},
        .material = material,
        .graph = report->graph,
        .classes = {.names = material->names, .interrupt = material->pass->interrupt},
    };
    enum status status = write_dump(&dump, why);
    if (status == STATUS_OK)
        status = note_remarks(report, &dump, why);
    dump_free(&dump);
    return status;
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

static void print_remarks(FILE *stream, const struct dump_remarks *remarks)
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

static char *heap_dump_remark(const struct report *report)
{
    const struct dump_remarks *remarks = report->state;
    size_t moments = report->material->settings->at.count;
    char moment[MOMENT_NAME_SIZE] = "";
    if (remarks && moments > 1)
        moment_name(moment, report->moment, ':');
    bool has_any =
        remarks && remarks->classes + remarks->renamed + remarks->cut + remarks->resized > 0;
    char *text = NULL;
    size_t length;
    FILE *stream = has_any ? open_memstream(&text, &length) : NULL;
    if (!stream)
        return NULL;
    fprintf(stream, "--heap-dump%s%s shows ", moment[0] ? " at " : "", moment);
    print_remarks(stream, remarks);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static void heap_dump_release(struct report *report)
{
    struct dump_remarks *remarks = report->state;
    if (!remarks)
        return;
    free(remarks->example);
    free(remarks->cut_example);
    free(remarks->resized_example);
    free(remarks);
    report->state = NULL;
}

const struct report_class heap_dump_report = {.shows_names = true,
                                              .keeps_ids = true,
                                              .of = OF_THE_PEAK,
                                              .finish = heap_dump_finish,
                                              .remark = heap_dump_remark,
                                              .release = heap_dump_release};
