/* SPDX-License-Identifier: MIT */
/* Strings, names of classes and stack traces come first, then classes, roots and objects as
 * records of the heap. Tools reckon the size of an object from its fields or elements: with ids
 * of four bytes as on a 32-bit machine, where headers are smaller, and with ids of eight bytes
 * as with references of eight, unless they find that references are compressed. So ids have
 * eight bytes, and the dump has the signs of compressed references that tools look for:
 * VisualVM the offsets of two neighbouring fields of java.lang.Class, which static fields of
 * another class have, and Eclipse MAT two arrays of references that would overlap if these had
 * eight bytes. */
#include "report/graph/heap_dump.h"

#include "base/memory.h"
#include "report/lives/moments.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dump {
    struct hprof hprof;
    struct print print;
    const struct report_material *material;
    struct heap_graph *graph;
    struct heap_classes classes;
    struct dump_names names;
    struct dump_objects objects;
    struct map used;      /* ids of objects and classes */
    uint64_t fresh;       /* the last fresh id that was given to an object or class */
    uint64_t renamed;     /* objects whose ids differ from those in the trace */
    struct map methods;   /* method -> its frame */
    uint64_t frames;      /* the id of the last frame */
    uint64_t *thread_ids; /* by thread: the id of its object; 0: it needs none */
    size_t thread_class;
    size_t compressed_class;
    uint64_t compressed_ids[2]; /* of two arrays */
};

static enum status take_fresh_id(struct dump *dump, uint64_t *id, struct failure *why)
{
    uint64_t *entry;
    TRY(interrupt_check(dump->material->pass->interrupt, why));
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
    for (size_t i = 1; i < graph->count; i++)
        if (graph_is_present(graph, (node_t)i) && graph->ids[i] == 0)
            TRY(take_fresh_id(dump, &graph->ids[i], why));
    return STATUS_OK;
}

static enum status name_threads(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    dump->thread_ids = array_new(graph->thread_count, sizeof *dump->thread_ids);
    if (!dump->thread_ids)
        return fail_memory(why);
    for (size_t i = 0; i < graph->root_count; i++) {
        const struct graph_root *root = &graph->roots[i];
        if (root->kind == GRAPH_ROOT_FRAME && dump->thread_ids[root->thread] == 0)
            TRY(take_fresh_id(dump, &dump->thread_ids[root->thread], why));
    }
    return heap_classes_named(&dump->classes, CLASS_THREAD, strlen(CLASS_THREAD),
                              &dump->thread_class, why);
}

/* Makes the class of a method or site. */
static enum status find_owner(struct dump *dump, enum name_space space, uint64_t id,
                              struct failure *why)
{
    struct member_name name = heap_member_name(dump->classes.names, space, id);
    size_t number;
    return heap_classes_owner(&dump->classes, &name, CLASS_METHOD, &number, why);
}

/* Makes the classes of all methods in which objects were allocated. */
static enum status find_sites(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    for (size_t i = 1; i <= graph->site_count; i++)
        TRY(find_owner(dump, NAMES_SITE, graph->site_ids[i], why));
    return STATUS_OK;
}

/* Makes the classes of all open methods. */
static enum status find_methods(struct dump *dump, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    for (size_t i = 0; i < graph->thread_count; i++)
        for (size_t j = 0; j < graph->threads[i].depth; j++) {
            uint64_t method = graph->threads[i].frames[j].method;
            uint64_t *entry = map_insert(&dump->methods, method);
            if (!entry)
                return fail_memory(why);
            if (*entry == 0)
                TRY(find_owner(dump, NAMES_METHOD, method, why));
            *entry = 1;
        }
    return STATUS_OK;
}

/* Two empty arrays, of which the second lies where the first would have its length if
 * references had eight bytes. */
static enum status name_compressed(struct dump *dump, struct failure *why)
{
    uint64_t *ids = dump->compressed_ids;
    TRY(heap_classes_named(&dump->classes, CLASS_COMPRESSED, strlen(CLASS_COMPRESSED),
                           &dump->compressed_class, why));
    dump->classes.items[dump->compressed_class].is_array = true;
    TRY(take_fresh_id(dump, &ids[1], why));
    do {
        ids[0] = ids[1];
        TRY(take_fresh_id(dump, &ids[1], why));
    } while (ids[1] - ids[0] >= HPROF_ARRAY_HEADER);
    return STATUS_OK;
}

static enum status name_classes(struct dump *dump, struct failure *why)
{
    for (size_t i = 0; i < dump->classes.count; i++)
        TRY(take_fresh_id(dump, &dump->classes.items[i].id, why));
    return STATUS_OK;
}

/* Whether nothing has failed, and nothing asks to stop. */
static bool goes_on(struct dump *dump)
{
    struct print *print = &dump->print;
    if (print->status == STATUS_OK)
        print->status = interrupt_check(dump->material->pass->interrupt, print->why);
    return print->status == STATUS_OK;
}

static void put_loaded_classes(struct dump *dump)
{
    for (size_t i = 0; i < dump->classes.count && goes_on(dump); i++) {
        const struct heap_class *class_of = &dump->classes.items[i];
        uint64_t name = dump_names_put_class(
            &dump->names, heap_class_name(&dump->classes, class_of), class_of->is_array);
        hprof_load_class(&dump->hprof, (uint32_t)i + 1, class_of->id, NO_TRACE, name);
    }
}

/* Puts the frame of a method or site, whose class has been made, and returns its id. */
static uint64_t put_frame(struct dump *dump, enum name_space space, uint64_t id)
{
    struct member_name name = heap_member_name(dump->classes.names, space, id);
    struct print *print = &dump->print;
    size_t number = 0;
    uint64_t own, signature;
    print->status =
        heap_classes_owner(&dump->classes, &name, CLASS_METHOD, &number, print->why);
    if (name.own) {
        dump_names_put_member(&dump->names, &name, &own, &signature);
    } else {
        own = dump_names_put_number(&dump->names, "method", id);
        signature = dump_names_put(&dump->names, "", 0);
    }
    hprof_frame(&dump->hprof, ++dump->frames, own, signature, (uint32_t)number + 1, name.line);
    return dump->frames;
}

/* Puts a stack trace of one frame for each site. */
static void put_sites(struct dump *dump)
{
    const struct heap_graph *graph = dump->graph;
    for (size_t i = 1; i <= graph->site_count && goes_on(dump); i++) {
        uint64_t frame = put_frame(dump, NAMES_SITE, graph->site_ids[i]);
        hprof_trace(&dump->hprof, (uint32_t)(FIRST_TRACE + graph->thread_count + i - 1), 0, 1);
        hprof_trace_frame(&dump->hprof, frame);
    }
}

/* Puts the open methods as frames, then the empty stack trace, then those of all threads. */
static void put_traces(struct dump *dump)
{
    const struct heap_graph *graph = dump->graph;
    uint64_t method = 0;
    for (uint64_t *frame = map_first(&dump->methods, &method); frame && goes_on(dump);
         frame = map_next(&dump->methods, &method))
        *frame = put_frame(dump, NAMES_METHOD, method);
    hprof_trace(&dump->hprof, NO_TRACE, 0, 0);
    for (size_t i = 0; i < graph->thread_count && goes_on(dump); i++) {
        const struct graph_thread *thread = &graph->threads[i];
        hprof_trace(&dump->hprof, (uint32_t)i + FIRST_TRACE, (uint32_t)i + 1,
                    (uint32_t)thread->depth);
        for (size_t j = thread->depth; j-- > 0;)
            hprof_trace_frame(&dump->hprof,
                              *map_find(&dump->methods, thread->frames[j].method));
    }
}

/* Puts the fields of a class: those that hold references, then the filler. `names` has their
 * strings. */
static void put_fields(struct dump *dump, const struct heap_class *class_of,
                       const uint64_t *names)
{
    uint64_t references = class_field_count(class_of);
    uint64_t left = class_of->is_array ? 0 : class_filler(class_of);
    hprof_put(&dump->hprof, references + class_filler_count(class_of), U2);
    for (uint64_t i = 0; i < references; i++) {
        hprof_put_id(&dump->hprof, names[i]);
        hprof_put(&dump->hprof, HPROF_OBJECT, U1);
    }
    for (uint64_t i = references; left > 0; i++) {
        enum hprof_type type = filler_type(left);
        left -= hprof_size(type);
        hprof_put_id(&dump->hprof, names[i]);
        hprof_put(&dump->hprof, type, U1);
    }
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
    uint64_t offsets = class_offset_count(class_of);
    hprof_put(hprof, offsets + class_static_count(class_of), U2);
    for (size_t i = 0; i < offsets; i++) {
        hprof_put_id(hprof, names[i]);
        hprof_put(hprof, HPROF_LONG, U1);
        hprof_put(hprof, HPROF_OBJECT_HEADER + i * HPROF_REFERENCE, hprof_size(HPROF_LONG));
    }
    for (size_t i = 0; i < class_static_count(class_of); i++) {
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
    const uint64_t *static_names =
        names + class_field_count(class_of) + class_filler_count(class_of);
    struct hprof *hprof = &dump->hprof;
    hprof_heap(hprof, HPROF_CLASS_DUMP);
    hprof_put_id(hprof, class_of->id);
    hprof_put(hprof, NO_TRACE, U4);
    hprof_put_id(hprof, number == 0 ? 0 : dump->classes.items[0].id);
    hprof_put_zeros(hprof, 5 * HPROF_ID); /* loader, signers, domain, reserved */
    hprof_put(hprof, class_of->is_array ? 0 : class_instance_bytes(class_of), U4);
    hprof_put(hprof, 0, U2); /* constants */
    put_statics(dump, class_of, static_names);
    put_fields(dump, class_of, names);
    hprof_heap_end(hprof, 0);
    if (class_of->static_count == 0)
        return;
    put_sticky_root(hprof, class_of->id);
    for (size_t i = class_static_count(class_of); i < class_of->static_count; i++)
        put_sticky_root(hprof, dump->graph->ids[class_of->statics[i].target]);
}

/* Puts all classes. Their strings come before the first record of the heap. */
static void put_classes(struct dump *dump)
{
    size_t count = dump->classes.count;
    size_t *firsts = array_new(count, sizeof *firsts);
    if (!firsts) {
        hprof_no_memory(&dump->hprof);
        return;
    }
    for (size_t i = 0; i < count && goes_on(dump); i++) {
        firsts[i] = dump->names.field_count;
        dump_names_add_fields(&dump->names, &dump->classes.items[i]);
    }
    for (size_t i = 0; i < count && goes_on(dump); i++)
        put_class(dump, i, dump->names.fields + firsts[i]);
    free(firsts);
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
    hprof_put(hprof, class_instance_bytes(class_of), U4);
    hprof_heap_end(hprof, class_instance_bytes(class_of));
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
    for (size_t i = 0; i < graph->root_count && goes_on(dump); i++)
        put_root(dump, &graph->roots[i]);
}

/* Adds the bytes of an object to *bytes. Only what is stored can make a record too large: of
 * lengths and sizes, no more is shown than a record has room for. */
static enum status add_object_bytes(const struct dump *dump, const struct graph_object *object,
                                    uint64_t *bytes, struct failure *why)
{
    uint64_t needed = dump_objects_bytes(&dump->objects, object);
    *bytes += needed;
    if (needed <= HPROF_RECORD_MOST)
        return STATUS_OK;
    return fail_at(why, STATUS_LIMIT, dump->material->trace, 0,
                   "Object %" PRIu64 " holds more than %" PRIu64
                   " references: a heap dump has no larger arrays",
                   object->id, dump_objects_references_most);
}

/* Sets *bytes to the bytes of all classes and objects in the dump. They are fewer than 2^64:
 * records have fewer than 2^32, and nodes are numbers of 32 bits. */
static enum status count_bytes(const struct dump *dump, uint64_t *bytes, struct failure *why)
{
    const struct heap_graph *graph = dump->graph;
    *bytes = 0;
    for (size_t i = 0; i < dump->classes.count; i++)
        *bytes += class_record_bytes(&dump->classes.items[i]);
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

static void put_objects(struct dump *dump)
{
    const struct heap_graph *graph = dump->graph;
    for (size_t i = 1; i < graph->count && goes_on(dump); i++) {
        if (!graph_is_present(graph, (node_t)i))
            continue;
        const struct graph_object object = graph_object(graph, (node_t)i);
        dump_objects_put(&dump->objects, &object);
    }
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
    TRY(prepare(dump, why));
    hprof_begin(&dump->hprof, &dump->print);
    put_loaded_classes(dump);
    put_traces(dump);
    put_sites(dump);
    put_classes(dump);
    put_roots(dump);
    put_compressed(dump);
    put_objects(dump);
    return hprof_end(&dump->hprof);
}

/* Keeps what the dump shows otherwise than the trace, if anything, as the state of the report:
 * a text. */
static enum status note_remarks(struct report *report, const struct dump *dump,
                                struct failure *why)
{
    char moment[MOMENT_NAME_SIZE] = "", *text = NULL;
    char prefix[MOMENT_NAME_SIZE + sizeof "--heap-dump at  shows "];
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return fail_memory(why);
    if (report->material->settings->at.count > 1)
        moment_name(moment, report->moment, ':');
    snprintf(prefix, sizeof prefix, "--heap-dump%s%s shows ", moment[0] ? " at " : "", moment);
    dump_remarks_print(stream, prefix, &dump->objects, dump->renamed);
    bool is_complete = fclose(stream) == 0;
    if (is_complete && length > 0)
        report->state = text;
    else
        free(text);
    return is_complete ? STATUS_OK : fail_memory(why);
}

static void dump_free(struct dump *dump)
{
    heap_classes_free(&dump->classes);
    dump_names_free(&dump->names);
    dump_objects_free(&dump->objects);
    map_free(&dump->used);
    map_free(&dump->methods);
    free(dump->thread_ids);
}

static enum status heap_dump_finish(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct dump dump = {
        .print = {.sink = report->sink, .why = why},
        .material = material,
        .graph = report->graph,
        .classes = {.names = material->names, .interrupt = material->pass->interrupt},
        .names = {.hprof = &dump.hprof, .names = material->names},
        .objects = {.hprof = &dump.hprof, .graph = report->graph, .classes = &dump.classes},
    };
    enum status status = write_dump(&dump, why);
    if (status == STATUS_OK)
        status = note_remarks(report, &dump, why);
    dump_free(&dump);
    return status;
}

static char *heap_dump_remark(const struct report *report)
{
    return report->state ? strdup(report->state) : NULL;
}

static void heap_dump_release(struct report *report)
{
    free(report->state);
    report->state = NULL;
}

const struct report_class heap_dump_report = {.traits = TRAIT_NAMES | TRAIT_IDS,
                                              .of = OF_THE_PEAK,
                                              .finish = heap_dump_finish,
                                              .remark = heap_dump_remark,
                                              .release = heap_dump_release};
