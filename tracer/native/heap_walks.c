/* SPDX-License-Identifier: MIT */
/* JVMTI walks over the references of the heap. During a walk the program stands still, and
 * nothing of the virtual machine may be called, so what is met is only noted; then the notes
 * are written as records. */
#include "cleared.h"
#include "header.h"
#include "objects.h"
#include "trace_limits.h"
#include "tracer.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The walk when tracing begins: over all references. It gives a field by its index in the class
 * of the object, as the description of JVMTI defines it: the fields of all interfaces come
 * first, then those of the superclasses from Object down. */

/* The tag of the agent's own classes during the walk. */
enum { NOT_TRACED = -1 };

struct noted_object {
    uint64_t id, size;
    uint64_t class_id;
    uint64_t length;
};

struct noted_reference {
    uint64_t from, to; /* ids */
    uint64_t class_id; /* of `from` */
    int32_t index;     /* of the field or element */
    uint8_t kind;
};

struct notes {
    jlong thread; /* tag of the calling thread, which itself records what its variables hold */
    jclass *classes; /* the class with id n is at n - 1 */
    size_t class_count;
    struct class_names {
        uint32_t type;
        bool is_array, is_read, is_unloadable;
        uint32_t *fields; /* numbers, by index */
        size_t field_count;
        uint8_t reference; /* the kind of reference objects; 0: none */
        int32_t referent;  /* the index of the field of these */
    } *names;              /* by class */
    bool *is_noted; /* by id - 1: whether the object of a class, or of the thread, was met */
    struct noted_object *objects;
    size_t object_count, object_capacity;
    struct noted_reference *references;
    size_t reference_count, reference_capacity;
    bool has_memory;
};

static void note_object(struct notes *notes, uint64_t id, jlong class_id, jlong size,
                        jint length)
{
    struct noted_object *objects = array_grow(notes->objects, &notes->object_capacity,
                                              notes->object_count + 1, sizeof *objects);
    notes->has_memory = notes->has_memory && objects;
    if (!objects)
        return;
    notes->objects = objects;
    objects[notes->object_count++] = (struct noted_object){
        id, (uint64_t)size, (uint64_t)class_id, length > 0 ? (uint64_t)length : 0};
}

static void note_reference(struct notes *notes, struct noted_reference reference)
{
    struct noted_reference *references =
        array_grow(notes->references, &notes->reference_capacity, notes->reference_count + 1,
                   sizeof *references);
    notes->has_memory = notes->has_memory && references;
    if (!references)
        return;
    notes->references = references;
    references[notes->reference_count++] = reference;
}

/* Notes the object itself, if the walk has not met it before. */
static void note_new_object(struct notes *notes, jlong *tag, jlong class_id, jlong size,
                            jint length)
{
    if (!*tag) {
        *tag = (jlong)atomic_fetch_add(&tracer.next_id, 1);
    } else if ((size_t)*tag > notes->class_count + 1 || notes->is_noted[*tag - 1]) {
        return;
    } else {
        notes->is_noted[*tag - 1] = true;
    }
    note_object(notes, (uint64_t)*tag, class_id, size, length);
}

static int32_t index_of(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info)
{
    if (kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD)
        return info->field.index;
    return kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT ? info->array.index : 0;
}

/* Called by the virtual machine for each reference. */
static jint JNICALL follow(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                           jlong class_id, jlong from_class, jlong size, jlong *tag,
                           jlong *from, jint length, void *context)
{
    struct notes *notes = context;
    atomic_store_explicit(&tracer.has_walked, true, memory_order_relaxed);
    if (*tag == NOT_TRACED || class_id == NOT_TRACED)
        return 0;
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL &&
        info->stack_local.thread_tag == notes->thread)
        kind = JVMTI_HEAP_REFERENCE_CLASS; /* of this kind none is recorded */
    note_new_object(notes, tag, class_id, size, length);
    note_reference(notes, (struct noted_reference){
                              .from = from ? (uint64_t)*from : 0,
                              .to = (uint64_t)*tag,
                              .class_id = (uint64_t)from_class,
                              .index = index_of(kind, info),
                              .kind = (uint8_t)kind,
                          });
    return JVMTI_VISIT_OBJECTS;
}

/* Gives the classes their ids. The agent's get the tag at which the walk stops. */
static void tag_classes(struct notes *notes, JNIEnv *jni)
{
    for (size_t i = 0; i < notes->class_count; i++) {
        char *signature;
        jlong tag = (jlong)i + 1;
        if ((*tracer.jvmti)
                ->GetClassSignature(tracer.jvmti, notes->classes[i], &signature, NULL))
            continue;
        if (class_is_own(signature))
            tag = NOT_TRACED;
        notes->names[i].is_array = *signature == '[';
        notes->names[i].type = class_type(signature);
        notes->names[i].is_unloadable =
            unloading_is_possible(jni, notes->classes[i], signature);
        (*tracer.jvmti)->SetTag(tracer.jvmti, notes->classes[i], tag);
        (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
    }
}

static void untag_own_classes(struct notes *notes)
{
    for (size_t i = 0; i < notes->class_count; i++) {
        jlong tag = 0;
        (*tracer.jvmti)->GetTag(tracer.jvmti, notes->classes[i], &tag);
        if (tag == NOT_TRACED)
            (*tracer.jvmti)->SetTag(tracer.jvmti, notes->classes[i], 0);
    }
}

/* Fields */

struct class_list {
    jclass *items;
    size_t count, capacity;
};

/* Adds the interfaces that the class itself declares, unless they are in the list. */
static void add_interfaces(JNIEnv *jni, struct class_list *list, jclass java_class)
{
    jint count;
    jclass *found;
    if ((*tracer.jvmti)->GetImplementedInterfaces(tracer.jvmti, java_class, &count, &found))
        return;
    for (jint i = 0; i < count; i++) {
        bool is_there = false;
        for (size_t k = 0; k < list->count && !is_there; k++)
            is_there = (*jni)->IsSameObject(jni, list->items[k], found[i]);
        jclass *items =
            is_there ? NULL
                     : array_grow(list->items, &list->capacity, list->count + 1, sizeof *items);
        if (items) {
            list->items = items;
            items[list->count++] = found[i];
        } else {
            (*jni)->DeleteLocalRef(jni, found[i]);
            if (!is_there)
                tracer_out_of_memory();
        }
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)found);
}

/* Sets *fields to the fields that the class itself declares, and returns their number. */
static size_t own_fields(jclass java_class, jfieldID **fields)
{
    jint count = 0;
    if ((*tracer.jvmti)->GetClassFields(tracer.jvmti, java_class, &count, fields)) {
        *fields = NULL;
        return 0;
    }
    return (size_t)count;
}

/* The number of fields of all interfaces of the class. */
static size_t fields_of_interfaces(JNIEnv *jni, jclass java_class)
{
    struct class_list list = {0};
    size_t count = 0;
    add_interfaces(jni, &list, java_class);
    for (jclass above = (*jni)->GetSuperclass(jni, java_class); above;) {
        add_interfaces(jni, &list, above);
        jclass next = (*jni)->GetSuperclass(jni, above);
        (*jni)->DeleteLocalRef(jni, above);
        above = next;
    }
    for (size_t i = 0; i < list.count; i++) {
        jfieldID *fields;
        add_interfaces(jni, &list, list.items[i]);
        count += own_fields(list.items[i], &fields);
        (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)fields);
    }
    for (size_t i = 0; i < list.count; i++)
        (*jni)->DeleteLocalRef(jni, list.items[i]);
    free(list.items);
    return count;
}

/* Sets the numbers of the fields that the class itself declares, from `at` on. */
static void number_fields(struct class_names *names, jclass java_class, size_t at)
{
    jfieldID *fields;
    char *signature;
    size_t count = own_fields(java_class, &fields);
    if ((*tracer.jvmti)->GetClassSignature(tracer.jvmti, java_class, &signature, NULL))
        return;
    char *owner = strndup(signature + 1, class_name_length(signature));
    if (!owner)
        tracer_out_of_memory();
    for (size_t i = 0; i < count && owner; i++) {
        char *name, *type;
        if ((*tracer.jvmti)
                ->GetFieldName(tracer.jvmti, java_class, fields[i], &name, &type, NULL))
            continue;
        if (object_field_is_referent(signature, name))
            names->referent = (int32_t)(at + i);
        names->fields[at + i] = object_field_is_weak(signature, name, names->reference)
                                    ? 0
                                    : object_field_number(owner, name, type);
        (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)name);
        (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)type);
    }
    free(owner);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)fields);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
}

/* The number of fields of the class and its superclasses. */
static size_t fields_with_inherited(JNIEnv *jni, jclass java_class)
{
    size_t count = 0;
    jclass at = (*jni)->NewLocalRef(jni, java_class);
    while (at) {
        jfieldID *fields;
        count += own_fields(at, &fields);
        (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)fields);
        jclass above = (*jni)->GetSuperclass(jni, at);
        (*jni)->DeleteLocalRef(jni, at);
        at = above;
    }
    return count;
}

/* Sets the numbers of the fields of the class and its superclasses, by their index. */
static void read_all_fields(JNIEnv *jni, struct class_names *names, jclass java_class)
{
    names->is_read = true;
    size_t end = fields_of_interfaces(jni, java_class) + fields_with_inherited(jni, java_class);
    names->fields = array_new(end, sizeof *names->fields);
    if (!names->fields) {
        tracer_out_of_memory();
        return;
    }
    names->field_count = end;
    names->reference = class_reference_kind(jni, java_class);
    jclass at = (*jni)->NewLocalRef(jni, java_class);
    while (at) {
        jfieldID *fields;
        end -= own_fields(at, &fields);
        (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)fields);
        number_fields(names, at, end);
        jclass above = (*jni)->GetSuperclass(jni, at);
        (*jni)->DeleteLocalRef(jni, at);
        at = above;
    }
}

/* The number of the field; 0: it holds nothing, or is unknown. */
static uint32_t field_number(JNIEnv *jni, struct notes *notes, uint64_t class_id, int32_t index)
{
    if (class_id == 0 || class_id > notes->class_count)
        return 0;
    struct class_names *names = &notes->names[class_id - 1];
    if (!names->is_read)
        read_all_fields(jni, names, notes->classes[class_id - 1]);
    return (size_t)index < names->field_count ? names->fields[index] : 0;
}

/* What holds the references of a class in the trace: its id if it may be unloaded; else, and
 * if `from` is no class, 0. */
static uint64_t class_holder(const struct notes *notes, uint64_t from)
{
    bool is_unloadable =
        from && from <= notes->class_count && notes->names[from - 1].is_unloadable;
    return is_unloadable ? from : 0;
}

/* Records that a reference object refers to its referent, if that is the field of this
 * reference. */
static void write_referent(struct thread *me, const struct notes *notes,
                           const struct noted_reference *reference)
{
    if (reference->class_id == 0 || reference->class_id > notes->class_count)
        return;
    const struct class_names *names = &notes->names[reference->class_id - 1];
    if (names->reference && reference->index == names->referent)
        record_reference(me, reference->from, reference->to, names->reference);
}

static void write_reference(struct thread *me, struct notes *notes,
                            const struct noted_reference *reference, uint64_t *roots)
{
    uint32_t field;
    switch (reference->kind) {
    case JVMTI_HEAP_REFERENCE_FIELD:
        field = field_number(me->jni, notes, reference->class_id, reference->index);
        if (field)
            record_store(me, reference->from, reference->to, field);
        write_referent(me, notes, reference);
        break;
    case JVMTI_HEAP_REFERENCE_STATIC_FIELD:
        field = field_number(me->jni, notes, reference->from, reference->index);
        if (field)
            record_store(me, class_holder(notes, reference->from), reference->to, field);
        break;
    case JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT:
        record_store(me, reference->from, reference->to,
                     FIELD_ELEMENT + (uint64_t)reference->index);
        break;
    case JVMTI_HEAP_REFERENCE_THREAD:
        record_store(me, 0, reference->to, FIELD_THREAD + reference->to);
        break;
    case JVMTI_HEAP_REFERENCE_MONITOR:
    case JVMTI_HEAP_REFERENCE_CLASS:
    case JVMTI_HEAP_REFERENCE_SUPERCLASS:
    case JVMTI_HEAP_REFERENCE_INTERFACE:
        break;
    default:
        record_store(me, class_holder(notes, reference->from), reference->to,
                     FIELD_ROOT + (*roots)++);
        break;
    }
}

static void write_notes(struct thread *me, struct notes *notes)
{
    uint64_t roots = 0;
    for (size_t i = 0; i < notes->object_count; i++) {
        const struct noted_object *object = &notes->objects[i];
        uint32_t type = object->class_id && object->class_id <= notes->class_count
                            ? notes->names[object->class_id - 1].type
                            : 0;
        record(me, 'P', type, 4, (uint64_t[]){object->id, object->size, 0, object->length});
        if (object->id <= notes->class_count)
            unloading_held(me, notes->classes[object->id - 1], object->id);
    }
    for (size_t i = 0; i < notes->reference_count; i++)
        write_reference(me, notes, &notes->references[i], &roots);
}

/* The walk gives what a class holds as a class. This records what its object of
 * java.lang.Class holds in fields, such as names and caches of reflection. */
static void write_classes(struct thread *me, struct notes *notes)
{
    me->notes_old = true;
    for (size_t i = 0; i < notes->class_count; i++)
        if (notes->is_noted[i]) {
            object_contents(me, notes->classes[i], 0, 0, false);
            objects_settle(me);
            me->is_failing = false;
        }
    me->notes_old = false;
}

/* Soft references. Their ids would be slow to look up among all tags, so a walk gives them tags
 * of the environment whose tags lead from classes to their facts. */

enum { SOFT_REFERENCE = 1 };

static jint JNICALL mark_soft(jlong class_facts_at, jlong size, jlong *tag, jint length,
                              void *context)
{
    const struct class_facts *facts = (const struct class_facts *)(uintptr_t)class_facts_at;
    (void)size, (void)length, (void)context;
    if (facts && facts->reference == KIND_SOFT)
        *tag = SOFT_REFERENCE;
    return JVMTI_VISIT_OBJECTS;
}

/* Whether there are any; makes the facts of their classes. */
static bool has_soft(JNIEnv *jni, const struct notes *notes)
{
    bool has_any = false;
    for (size_t i = 0; i < notes->class_count; i++)
        if (notes->names[i].reference == KIND_SOFT)
            has_any |= class_facts(jni, notes->classes[i]) != NULL;
    return has_any;
}

/* Has those that the walk has met watched, since a collection may clear them. */
static void watch_soft(struct thread *me, const struct notes *notes)
{
    jvmtiEnv *classes = tracer.classes;
    jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = mark_soft};
    jlong tag = SOFT_REFERENCE;
    jint count = 0;
    jobject *found = NULL;
    if (!has_soft(me->jni, notes))
        return;
    (*classes)->IterateThroughHeap(classes, 0, NULL, &callbacks, NULL);
    if ((*classes)->GetObjectsWithTags(classes, 1, &tag, &count, &found, NULL)) {
        tracer_out_of_memory();
        return;
    }
    for (jint i = 0; i < count; i++) {
        uint64_t id = object_known(me, found[i]);
        if (id)
            object_watch_soft(me, found[i], id);
        (*classes)->SetTag(classes, found[i], 0);
        (*me->jni)->DeleteLocalRef(me->jni, found[i]);
    }
    (*classes)->Deallocate(classes, (unsigned char *)found);
}

static void release_notes(JNIEnv *jni, struct notes *notes)
{
    for (size_t i = 0; i < notes->class_count; i++) {
        (*jni)->DeleteLocalRef(jni, notes->classes[i]);
        if (notes->names)
            free(notes->names[i].fields);
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)notes->classes);
    free(notes->names);
    free(notes->is_noted);
    free(notes->objects);
    free(notes->references);
}

/* Gives the calling thread's object its id. */
static void tag_thread(struct notes *notes, JNIEnv *jni)
{
    jthread thread = NULL;
    if ((*tracer.jvmti)->GetCurrentThread(tracer.jvmti, &thread) || !thread)
        return;
    notes->thread = (jlong)atomic_fetch_add(&tracer.next_id, 1);
    (*tracer.jvmti)->SetTag(tracer.jvmti, thread, notes->thread);
    (*jni)->DeleteLocalRef(jni, thread);
}

/* Lists the classes; false: no memory. */
static bool list_classes(struct notes *notes)
{
    jint count;
    if ((*tracer.jvmti)->GetLoadedClasses(tracer.jvmti, &count, &notes->classes))
        return false;
    notes->class_count = (size_t)count;
    notes->names = array_new(notes->class_count, sizeof *notes->names);
    notes->is_noted = array_new(notes->class_count + 1, sizeof *notes->is_noted);
    return notes->names && notes->is_noted;
}

bool snapshot_take(struct thread *me)
{
    struct notes notes = {.has_memory = true};
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = follow};
    if ((*me->jni)->EnsureLocalCapacity(me->jni, MOST_REFERENCES) != 0)
        (*me->jni)->ExceptionClear(me->jni);
    /* From now on other threads wait at their next probe until all is written: so hardly any
     * class is loaded after the list, and what they store later they record. */
    limits_begin();
    if (!list_classes(&notes)) {
        atomic_store(&tracer.is_active, false);
        release_notes(me->jni, &notes);
        return false;
    }
    atomic_store(&tracer.next_id, notes.class_count + 1);
    tag_classes(&notes, me->jni);
    tag_thread(&notes, me->jni);
    (*tracer.jvmti)->FollowReferences(tracer.jvmti, 0, NULL, NULL, &callbacks, &notes);
    untag_own_classes(&notes);
    tracer.first_object = notes.class_count + 1;
    write_notes(me, &notes);
    write_classes(me, &notes);
    watch_soft(me, &notes);
    tracer.first_new = atomic_load(&tracer.next_id);
    release_notes(me->jni, &notes);
    return notes.has_memory;
}

/* The walk as the trace ends: over the roots of the heap, which shows what variables hold. */

enum { NO_THREAD = -1 };

/* Objects that variables hold, and the ids of their threads; 0: it is not known. Those that
 * have their id in the header alone get a tag, since the walk cannot read it: minus that of the
 * thread, or NO_THREAD, which is none's. */
struct held_objects {
    struct held_object {
        uint64_t id, thread;
    } *items;
    size_t count, capacity;
    jlong *tags;
    jint tag_count; /* 0: no object has got a tag */
    size_t tag_capacity;
};

static jint JNICALL note_variable(jvmtiHeapReferenceKind kind,
                                  const jvmtiHeapReferenceInfo *info, jlong class_id,
                                  jlong from_class, jlong size, jlong *tag, jlong *from,
                                  jint length, void *context)
{
    struct held_objects *held = context;
    (void)class_id, (void)from_class, (void)size, (void)from, (void)length;
    if (kind != JVMTI_HEAP_REFERENCE_STACK_LOCAL)
        return 0;
    jlong thread = info->stack_local.thread_tag > 0 ? info->stack_local.thread_tag : 0;
    if (*tag > 0 && ARRAY_RESERVE(held->items, held->capacity, held->count + 1))
        held->items[held->count++] = (struct held_object){(uint64_t)*tag, (uint64_t)thread};
    else if (*tag > 0)
        tracer_out_of_memory();
    else if (held->tag_count > 0)
        *tag = thread > 0 ? -thread : NO_THREAD;
    return 0; /* what the object refers to is not visited */
}

/* Has the walk find the ids of platform threads, which may be in their headers. */
static void tag_threads(struct thread *me, struct held_objects *held)
{
    jint count = 0;
    jthread *threads = NULL;
    if ((*tracer.jvmti)->GetAllThreads(tracer.jvmti, &count, &threads))
        return;
    if (ARRAY_RESERVE(held->tags, held->tag_capacity, (size_t)count + 1))
        held->tags[held->tag_count++] = NO_THREAD;
    for (jint i = 0; i < count; i++) {
        uint64_t id = held->tag_count > 0 ? object_known(me, threads[i]) : 0;
        if (id && (*tracer.jvmti)->SetTag(tracer.jvmti, threads[i], (jlong)id) == 0)
            held->tags[held->tag_count++] = -(jlong)id;
        (*me->jni)->DeleteLocalRef(me->jni, threads[i]);
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)threads);
}

/* Records that the thread uses the object. */
static void record_use(struct thread *me, uint64_t id, uint64_t thread)
{
    if (thread)
        record(me, RECORD_THREAD, 0, 1, &thread);
    record_read(me, id, 0);
    if (thread)
        record(me, RECORD_THREAD, 0, 1, &me->id);
}

/* Whether the allocation of the object with that id is recorded: a thread that has put the id
 * into the header shows the record just afterwards, but may be kept from it for a while. */
static bool is_recorded(uint64_t id)
{
    enum { LOOKS = 2000, NANOSECONDS = 100000 };
    int looks = 0;
    while (merger_lacks(tracer.merger, id) && looks++ < LOOKS)
        nanosleep(&(struct timespec){.tv_nsec = NANOSECONDS}, NULL);
    return looks < LOOKS;
}

/* The tags stay, since another thread may have given an object its id meanwhile; as ids, they
 * are none. */
static void use_tagged(struct thread *me, const struct held_objects *held)
{
    jint count = 0;
    jobject *objects = NULL;
    jlong *tags = NULL;
    if ((*tracer.jvmti)
            ->GetObjectsWithTags(tracer.jvmti, held->tag_count, held->tags, &count, &objects,
                                 &tags))
        return;
    for (jint i = 0; i < count; i++) {
        uint64_t id = object_known(me, objects[i]);
        if (id && is_recorded(id))
            record_use(me, id, tags[i] == NO_THREAD ? 0 : (uint64_t)-tags[i]);
        (*me->jni)->DeleteLocalRef(me->jni, objects[i]);
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)objects);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)tags);
}

void last_uses_record(struct thread *me)
{
    struct held_objects held = {.items = NULL};
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = note_variable};
    /* With --truth, threads that are between two virtual ones may wait for this one, and the
     * walk would wait for them. */
    if (tracer.settings.level == LEVEL_ET3 || tracer.settings.truth)
        return;
    if (header_is_used)
        tag_threads(me, &held);
    (*tracer.jvmti)->FollowReferences(tracer.jvmti, 0, NULL, NULL, &callbacks, &held);
    for (size_t i = 0; i < held.count; i++)
        record_use(me, held.items[i].id, held.items[i].thread);
    if (held.tag_count > 0)
        use_tagged(me, &held);
    free(held.items);
    free(held.tags);
}
