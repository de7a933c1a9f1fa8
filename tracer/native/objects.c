/* SPDX-License-Identifier: MIT */
/* An id is the tag of an object, or is in its header. An object gets it when a record first
 * names it. What it holds by then was stored by code without probes (native code, generated
 * classes, the virtual machine), so its references are read once. Objects without ids that
 * they lead to wait in a list (newcomers).
 *
 * Where headers are used, the first thread to set a header decides for all whether it holds an
 * id. An object without an id in its header has a tag. So do the objects that the snapshot has
 * named, whose headers get the same id when they are met. */
#include "objects.h"

#include "cleared.h"
#include "header.h"
#include "native_code.h"
#include "quick.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool object_field_is_referent(const char *java_class, const char *name)
{
    return strcmp(java_class, "Ljava/lang/ref/Reference;") == 0 &&
           strcmp(name, "referent") == 0;
}

bool object_field_is_weak(const char *java_class, const char *name, uint8_t reference)
{
    if (strcmp(java_class, "Ljava/lang/Class;") ==
        0) /* the virtual machine keeps other things in this field */
        return strcmp(name, "componentType") == 0;
    if (object_field_is_referent(java_class, name))
        return reference != KIND_SOFT;
    return strcmp(java_class, "Ljava/lang/ref/Reference;") == 0 &&
           strcmp(name, "discovered") == 0;
}

jweak object_weak_reference(JNIEnv *jni, jobject object)
{
    jweak weak = (*jni)->NewWeakGlobalRef(jni, object);
    if (!weak)
        (*jni)->ExceptionClear(jni);
    return weak;
}

/* The kind of a class of java.lang.ref with that signature; 0: it is no kind of reference. */
static uint8_t reference_kind(const char *signature)
{
    static const char *const names[KINDS_END] = {
        [KIND_SOFT] = "Ljava/lang/ref/SoftReference;",
        [KIND_WEAK] = "Ljava/lang/ref/WeakReference;",
        [KIND_FINAL] = "Ljava/lang/ref/FinalReference;",
        [KIND_PHANTOM] = "Ljava/lang/ref/PhantomReference;",
    };
    uint8_t kind = KINDS_END - 1;
    while (kind > 0 && strcmp(signature, names[kind]) != 0)
        kind--;
    return kind;
}

uint8_t class_reference_kind(JNIEnv *jni, jclass java_class)
{
    uint8_t kind = 0;
    jclass at = (*jni)->NewLocalRef(jni, java_class);
    while (at) {
        char *signature;
        jclass above = kind ? NULL : (*jni)->GetSuperclass(jni, at);
        if ((*tracer.jvmti)->GetClassSignature(tracer.jvmti, at, &signature, NULL) == 0) {
            kind = kind ? kind : reference_kind(signature);
            (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
        }
        (*jni)->DeleteLocalRef(jni, at);
        at = above;
    }
    return kind;
}

bool class_is_own(const char *signature)
{
    static const char *const prefixes[] = {"Letmerlin/tracer/", "Ljava/lang/Ettrace"};
    const char *element = signature + strspn(signature, "[");
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(element, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

uint32_t class_type(const char *signature)
{
    size_t name = class_name_length(signature);
    if (*signature == 'L')
        return name_of_type(tracer.names, signature + 1, name);
    if (!strchr(signature, '.'))
        return name_of_type(tracer.names, signature, strlen(signature));
    char *array = NULL;
    int length = asprintf(&array, "%.*s;", (int)name + 1, signature);
    if (length < 0) {
        tracer_out_of_memory();
        return 0;
    }
    uint32_t type = name_of_type(tracer.names, array, (size_t)length);
    free(array);
    return type;
}

size_t class_name_length(const char *signature)
{
    return strcspn(signature + 1, ".;");
}

static bool add_field(struct class_field **fields, size_t *count, jfieldID id, uint32_t number,
                      bool is_recorded)
{
    struct class_field *grown = realloc(*fields, (*count + 1) * sizeof *grown);
    if (!grown) {
        tracer_out_of_memory();
        return false;
    }
    *fields = grown;
    grown[(*count)++] = (struct class_field){id, number, is_recorded, 0};
    return true;
}

static bool is_instrumented(uint32_t type)
{
    return type < tracer.type_capacity && tracer.types[type].is_instrumented;
}

bool class_has_probes(jclass java_class)
{
    char *signature = NULL;
    if ((*tracer.jvmti)->GetClassSignature(tracer.jvmti, java_class, &signature, NULL) != 0)
        return false;
    bool has = is_instrumented(class_type(signature));
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
    return has;
}

uint32_t object_field_number(const char *owner, const char *name, const char *type)
{
    char *member = NULL;
    if (asprintf(&member, "%s.%s", name, type) < 0) {
        tracer_out_of_memory();
        return 0;
    }
    uint32_t number = name_of_field(tracer.names, owner, member);
    free(member);
    return number;
}

/* Adds one field of the class with that signature, if it holds references. `is_own`: static
 * fields are wanted, too. False: no memory. */
static bool read_field(struct class_facts *facts, jclass java_class, jfieldID id,
                       const char *signature, bool is_own)
{
    enum { STATIC = 8 };
    jint modifiers;
    char *name, *type;
    if ((*tracer.jvmti)->GetFieldModifiers(tracer.jvmti, java_class, id, &modifiers) ||
        (*tracer.jvmti)->GetFieldName(tracer.jvmti, java_class, id, &name, &type, NULL))
        return true;
    bool fits = true;
    bool is_static = modifiers & STATIC;
    bool is_weak = object_field_is_weak(signature, name, facts->reference);
    if (object_field_is_referent(signature, name))
        facts->referent = id;
    if ((*type == 'L' || *type == '[') && (is_own || !is_static) && !is_weak) {
        char *owner = strndup(signature + 1, class_name_length(signature));
        if (!owner)
            tracer_out_of_memory();
        uint32_t number = owner ? object_field_number(owner, name, type) : 0;
        bool recorded =
            owner && is_instrumented(name_of_type(tracer.names, owner, strlen(owner)));
        free(owner);
        fits = is_static
                   ? add_field(&facts->statics, &facts->static_count, id, number, recorded)
                   : add_field(&facts->fields, &facts->field_count, id, number, recorded);
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)name);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)type);
    return fits;
}

/* Adds the field in which the virtual machine keeps the stack of an exception: JVMTI does not
 * list it. False: no memory. */
static bool read_backtrace(JNIEnv *jni, struct class_facts *facts, jclass throwable)
{
    static const char owner[] = "java/lang/Throwable";
    jfieldID id = (*jni)->GetFieldID(jni, throwable, "backtrace", "Ljava/lang/Object;");
    if (!id) {
        (*jni)->ExceptionClear(jni);
        return true;
    }
    return add_field(&facts->fields, &facts->field_count, id,
                     object_field_number(owner, "backtrace", "Ljava/lang/Object;"),
                     is_instrumented(name_of_type(tracer.names, owner, strlen(owner))));
}

static bool read_fields(JNIEnv *jni, struct class_facts *facts, jclass java_class, bool is_own)
{
    jint count;
    jfieldID *fields;
    char *signature = NULL;
    if ((*tracer.jvmti)->GetClassFields(tracer.jvmti, java_class, &count, &fields))
        return true;
    bool fits =
        (*tracer.jvmti)->GetClassSignature(tracer.jvmti, java_class, &signature, NULL) == 0;
    for (jint i = 0; i < count && fits; i++)
        fits = read_field(facts, java_class, fields[i], signature, is_own);
    if (fits && strcmp(signature, "Ljava/lang/Throwable;") == 0)
        fits = read_backtrace(jni, facts, java_class);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)fields);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
    return fits;
}

static struct class_facts *read_class(JNIEnv *jni, jclass java_class)
{
    char *signature;
    struct class_facts *facts = calloc(1, sizeof *facts);
    if (!facts ||
        (*tracer.jvmti)->GetClassSignature(tracer.jvmti, java_class, &signature, NULL)) {
        free(facts);
        tracer_out_of_memory();
        return NULL;
    }
    facts->type = class_type(signature);
    facts->is_array = *signature == '[';
    facts->is_lambda = strstr(signature, "$$Lambda") != NULL;
    facts->is_class_object = strcmp(signature, "Ljava/lang/Class;") == 0;
    facts->element = facts->is_array ? signature[1] : '\0';
    facts->holds_references = facts->element == 'L' || facts->element == '[';
    facts->is_unloadable = unloading_is_possible(jni, java_class, signature);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
    if (facts->is_array)
        return facts;
    facts->reference = class_reference_kind(jni, java_class);
    bool fits = read_fields(jni, facts, java_class, true);
    for (jclass above = (*jni)->GetSuperclass(jni, java_class); above && fits;) {
        fits = read_fields(jni, facts, above, false);
        jclass next = (*jni)->GetSuperclass(jni, above);
        (*jni)->DeleteLocalRef(jni, above);
        above = next;
    }
    if (!fits)
        tracer_out_of_memory();
    return facts;
}

/* Whether code records all stores into fields of objects of the class. */
static bool stores_are_recorded(const struct class_facts *facts)
{
    size_t i = 0;
    while (i < facts->field_count && facts->fields[i].is_recorded)
        i++;
    return i == facts->field_count;
}

/* Several classes have the type: what is known of one need not be true of another. */
static void share_type(struct type_facts *type)
{
    type->is_shared = true;
    type->is_known = false;
    quick_know_size((uint32_t)(type - tracer.types), 0);
}

void object_class_defined(struct type_facts *type)
{
    pthread_mutex_lock(&tracer.naming);
    if (type->is_defined || atomic_load(&type->facts))
        share_type(type);
    type->is_defined = true;
    pthread_mutex_unlock(&tracer.naming);
}

/* Makes the facts those of their type, for facts_of_type. The agent is not asked about each
 * class, so a second one of the type may be met first here. Arrays of one name differ in
 * nothing that is asked for by their type. */
static void keep_facts(const struct class_facts *facts)
{
    if (!facts || facts->type >= tracer.type_capacity)
        return;
    struct type_facts *type = &tracer.types[facts->type];
    if (!facts->is_array && atomic_load(&type->facts))
        share_type(type);
    atomic_store_explicit(&type->facts, facts, memory_order_release);
}

const struct class_facts *class_facts(JNIEnv *jni, jclass java_class)
{
    jlong tag = 0;
    (*tracer.classes)->GetTag(tracer.classes, java_class, &tag);
    if (tag)
        return (const struct class_facts *)(uintptr_t)tag;
    pthread_mutex_lock(&tracer.naming);
    (*tracer.classes)->GetTag(tracer.classes, java_class, &tag);
    if (!tag) {
        const struct class_facts *facts = read_class(jni, java_class);
        keep_facts(facts);
        tag = (jlong)(uintptr_t)facts;
        (*tracer.classes)->SetTag(tracer.classes, java_class, tag);
    }
    pthread_mutex_unlock(&tracer.naming);
    return (const struct class_facts *)(uintptr_t)tag;
}

void object_class_missed(JNIEnv *jni, jclass java_class)
{
    const struct class_facts *facts = class_facts(jni, java_class);
    if (!facts || facts->type >= tracer.type_capacity)
        return;
    struct type_facts *type = &tracer.types[facts->type];
    pthread_mutex_lock(&tracer.naming);
    if (type->is_defined)
        share_type(type);
    type->is_defined = true;
    pthread_mutex_unlock(&tracer.naming);
}

/* As class_facts, from the thread's id cache if it can. The cache may have the id of the class
 * under its address, so the address of its facts is kept under an odd one, which no object
 * has. */
static const struct class_facts *remembered_facts(struct thread *me, jclass java_class)
{
    struct id_place place;
    if (!me->ids || !id_place_of(&place, java_class))
        return class_facts(me->jni, java_class);
    place.address |= 1;
    uintptr_t facts = (uintptr_t)id_cache_find(me->ids, &place);
    if (!facts) {
        facts = (uintptr_t)class_facts(me->jni, java_class);
        id_cache_add(me->ids, &place, facts);
    }
    return (const struct class_facts *)facts;
}

const struct class_facts *object_facts(struct thread *me, jobject object)
{
    jclass java_class = (*me->jni)->GetObjectClass(me->jni, object);
    const struct class_facts *facts = remembered_facts(me, java_class);
    (*me->jni)->DeleteLocalRef(me->jni, java_class);
    return facts;
}

/* As object_facts, for an object whose class has that type, by its number. */
static const struct class_facts *facts_of_type(struct thread *me, jobject object, uint32_t type)
{
    if (type >= tracer.type_capacity)
        return object_facts(me, object);
    const struct type_facts *of = &tracer.types[type];
    const struct class_facts *facts = atomic_load_explicit(&of->facts, memory_order_acquire);
    return facts && !of->is_shared ? facts : object_facts(me, object);
}

/* The id of an object, as a tag; 0: it has none. */
static uint64_t tag_of(jobject object)
{
    jlong tag = 0;
    (*tracer.jvmti)->GetTag(tracer.jvmti, object, &tag);
    return tag > 0 ? (uint64_t)tag : 0;
}

/* Drops the record that is being made, and all others of its probe. */
static void fail_here(struct thread *me)
{
    if (!me->is_failing)
        atomic_fetch_add_explicit(&tracer.dropped, 1, memory_order_relaxed);
    me->is_failing = true;
}

/* The id by what was found in the header (header_find); 0: none. Sets *tag to the object's
 * tag, if it had to be asked for. A negative number may be the hash of an object of the JDK's
 * archive that is met first while it is locked; objects that were there when tracing began
 * have tags, so it is taken for an id only without a tag, and only below the ids that were
 * given. */
static uint64_t id_found(jobject object, jint found, uint64_t *tag)
{
    if (found > HEADER_NONE)
        return (uint64_t)found;
    *tag = tag_of(object);
    if (*tag || found >= 0)
        return *tag;
    uint64_t id = (uint64_t)-(int64_t)found;
    return id < atomic_load_explicit(&tracer.next_id, memory_order_relaxed) ? id : 0;
}

static bool fits_header(uint64_t id)
{
    return id > HEADER_NONE && id <= HEADER_MOST;
}

static uint64_t known_by_header(struct thread *me, jobject object)
{
    jint found = HEADER_NONE;
    uint64_t tag = 0;
    if (me->is_failing)
        return 0;
    bool fits = header_find(me->jni, object, &found);
    uint64_t id = id_found(object, fits ? found : HEADER_NONE, &tag);
    if (!fits && !id)
        fail_here(me);
    if (fits && found == HEADER_UNDECIDED && fits_header(tag) &&
        !header_install(me->jni, object, tag, &found))
        return id; /* the header gets it the next time */
    return id;
}

uint64_t object_known(struct thread *me, jobject object)
{
    if (!object)
        return 0;
    return header_is_used ? known_by_header(me, object) : tag_of(object);
}

/* What a search for the id of an object has found out. */
struct search {
    struct id_place place; /* of the object; its epoch is UINT64_MAX if the place is unknown */
    uint64_t named; /* tracer.named before the virtual machine reported that there is no id */
};

/* Values of `named` where the virtual machine was not asked, or need not be, since the object
 * is so new that only this thread has it. */
#define NOT_ASKED 0
#define NOT_NEEDED UINT64_MAX

/* What the record of an allocation says, but for the id. The record is made before others can
 * see the id: else they, or the end of the trace, could come between. */
struct allocation {
    char letter; /* '\0': none is recorded */
    uint32_t type;
    uint32_t site;
    uint64_t length; /* of an array */
    uint64_t size;
};

static struct allocation describe(struct thread *me, jobject object,
                                  const struct class_facts *facts, uint32_t site)
{
    jlong size = 0;
    (*tracer.jvmti)->GetObjectSize(tracer.jvmti, object, &size);
    jint length = facts->is_array ? (*me->jni)->GetArrayLength(me->jni, object) : 0;
    char letter = me->notes_old ? 'P' : facts->is_array ? 'A' : 'N';
    return (struct allocation){letter, facts->type, site, (uint64_t)length, (uint64_t)size};
}

/* Writes the record, which nobody sees before show_allocation. */
static void write_allocation(struct thread *me, const struct allocation *of, uint64_t id)
{
    if (of->letter && !me->is_failing)
        record_write(me, of->letter, of->type, 4,
                     (uint64_t[]){id, of->size, of->site, of->length});
}

static void show_allocation(struct thread *me, const struct allocation *of)
{
    if (of->letter && !me->is_failing)
        merger_show(me->ring, RECORD_WORDS);
}

/* Gives the object `new_id` as a tag (0: the next id), unless another thread was faster, and
 * returns its id; *is_new is whether this call gave it. If no object has got an id since the
 * virtual machine was asked, it is not asked again. */
static uint64_t give_tag(struct thread *me, jobject object, const struct search *search,
                         uint64_t new_id, const struct allocation *allocation, bool *is_new)
{
    ring_reserve(me->ring); /* waits, if at all, without the lock */
    pthread_mutex_lock(&tracer.naming);
    uint64_t named = atomic_load_explicit(&tracer.named, memory_order_relaxed);
    uint64_t id = search->named == named ? 0 : tag_of(object);
    *is_new = id == 0;
    if (!id) {
        id = new_id ? new_id
                    : atomic_fetch_add_explicit(&tracer.next_id, 1, memory_order_relaxed);
        write_allocation(me, allocation, id);
        show_allocation(me, allocation);
        (*tracer.jvmti)->SetTag(tracer.jvmti, object, (jlong)id);
        atomic_store_explicit(&tracer.named, named + 1, memory_order_release);
    }
    pthread_mutex_unlock(&tracer.naming);
    return id;
}

/* As give_tag, but the id goes into the header if that is free. 0: the thread has no stack
 * left for that. */
static uint64_t give_in_header(struct thread *me, jobject object, const struct search *search,
                               const struct allocation *allocation, bool *is_new)
{
    jint found = HEADER_NONE;
    uint64_t tag = 0;
    *is_new = false;
    if (me->is_failing)
        return 0;
    if (search->named == NOT_ASKED && (tag = tag_of(object)))
        return tag;
    uint64_t id = quick_take_id(me);
    write_allocation(me, allocation, id);
    bool fits = fits_header(id) ? header_install(me->jni, object, id, &found)
                                : header_find(me->jni, object, &found);
    if (!fits)
        found = HEADER_NONE;
    if (!fits && search->named != NOT_NEEDED) {
        fail_here(me);
        return 0;
    }
    *is_new = found == (jint)id && fits_header(id);
    uint64_t other = *is_new ? id : id_found(object, found, &tag);
    if (!other)
        return give_tag(me, object, search, id, allocation, is_new);
    if (*is_new)
        show_allocation(me, allocation);
    if (*is_new && tracer.tags_too)
        (*tracer.jvmti)->SetTag(tracer.jvmti, object, (jlong)id);
    return other;
}

/* Gives the object an id, unless it has one, and then records its allocation; returns its id.
 */
static uint64_t give_id(struct thread *me, jobject object, const struct search *search,
                        const struct allocation *allocation, bool *is_new)
{
    return header_is_used ? give_in_header(me, object, search, allocation, is_new)
                          : give_tag(me, object, search, 0, allocation, is_new);
}

/* Adds a newcomer. A native method may have 16 local references; more have to be announced. */
static void add_newcomer(struct thread *me, jobject object, uint64_t id,
                         const struct class_facts *facts)
{
    enum { STEP = 8, SPARE = 16 };
    size_t count = me->newcomer_count;
    struct newcomer *newcomers =
        array_grow(me->newcomers, &me->newcomer_capacity, count + 1, sizeof *newcomers);
    if (!newcomers) {
        tracer_out_of_memory();
        return;
    }
    me->newcomers = newcomers;
    if (count > 0 && count % STEP == 0 &&
        (*me->jni)->EnsureLocalCapacity(me->jni, (jint)count + STEP + SPARE) != 0)
        (*me->jni)->ExceptionClear(me->jni);
    jobject kept = (*me->jni)->NewLocalRef(me->jni, object);
    if (!kept) {
        tracer_out_of_memory();
        return;
    }
    newcomers[me->newcomer_count++] = (struct newcomer){kept, id, facts, 0};
}

/* The id of an object, if the thread's cache has it; else 0. */
static uint64_t find_remembered(struct thread *me, jobject object, struct search *search)
{
    search->named = NOT_ASKED;
    if (me->ids && id_place_of(&search->place, object))
        return id_cache_find(me->ids, &search->place);
    search->place.epoch = UINT64_MAX;
    return 0;
}

static void remember(struct thread *me, const struct search *search, uint64_t id)
{
    if (me->ids && search->place.epoch != UINT64_MAX)
        id_cache_add(me->ids, &search->place, id);
}

/* As object_known, from the thread's cache if it can. */
static uint64_t remembered(struct thread *me, jobject object, struct search *search)
{
    uint64_t id = find_remembered(me, object, search);
    if (id)
        return id;
    search->named = atomic_load_explicit(&tracer.named, memory_order_acquire);
    if ((id = object_known(me, object)))
        remember(me, search, id);
    return id;
}

/* Lists an object that has just got its id, if it may refer to others. */
static void introduce(struct thread *me, jobject object, uint64_t id,
                      const struct class_facts *facts)
{
    if (facts->is_class_object)
        unloading_held(me, object, id);
    if (facts->holds_references || facts->field_count)
        add_newcomer(me, object, id, facts);
}

/* Whether the object is a reference that a thread has made while it was not traced, and that
 * the program has not met: the thread that passes it on does not lead to it. */
static bool is_own_reference(struct thread *me, jobject object, const struct class_facts *facts)
{
    return me->passes_on && facts && facts->reference && passing_has_end(me->jni, object);
}

/* The id of an object that the thread's cache does not have; a new one is recorded. 0: it is
 * not of the program. `type` is that of its class; 0: it is not known. */
static uint64_t name_object(struct thread *me, jobject object, const struct search *search,
                            uint32_t type, uint32_t site)
{
    bool is_new;
    bool is_recorded = tracer.settings.level != LEVEL_ET3;
    const struct class_facts *facts = !is_recorded ? NULL
                                      : type       ? facts_of_type(me, object, type)
                                                   : object_facts(me, object);
    struct allocation allocation = {0};
    if (is_own_reference(me, object, facts))
        return 0;
    if (facts)
        allocation = describe(me, object, facts, site);
    else if (is_recorded)
        tracer_out_of_memory();
    uint64_t id = give_id(me, object, search, &allocation, &is_new);
    remember(me, search, id);
    if (is_new && facts)
        introduce(me, object, id, facts);
    return id;
}

uint64_t object_id(struct thread *me, jobject object, uint32_t site)
{
    struct search search;
    if (!object)
        return 0;
    uint64_t id = remembered(me, object, &search);
    return id ? id : name_object(me, object, &search, 0, site);
}

bool object_arrived(struct thread *me, jobject object, uint32_t site)
{
    struct search search;
    if (remembered(me, object, &search))
        return false;
    name_object(me, object, &search, 0, site);
    return true;
}

/* Gives an array that only this thread has an id, and records it; 0: the thread has no stack
 * left for that. */
static uint64_t name_array(struct thread *me, jobject array,
                           const struct allocation *allocation)
{
    static const struct search in_vain = {.named = NOT_NEEDED};
    bool is_new;
    if (header_is_used)
        return give_in_header(me, array, &in_vain, allocation, &is_new);
    uint64_t id = atomic_fetch_add_explicit(&tracer.next_id, 1, memory_order_relaxed);
    write_allocation(me, allocation, id);
    show_allocation(me, allocation);
    (*tracer.jvmti)->SetTag(tracer.jvmti, array, (jlong)id);
    return id;
}

/* The next array of the type is one for a probe in Java. */
static void know_array(struct thread *me, jobject array, uint32_t type, jint length, jlong size)
{
    const struct class_facts *facts = object_facts(me, array);
    if (facts && facts->type == type)
        quick_know_array(type, facts->element, length, size);
}

void object_array(struct thread *me, jobject array, uint32_t type, uint32_t site)
{
    struct search search;
    jlong size = 0;
    find_remembered(me, array, &search);
    /* A thread without frames may have waited in this probe for the snapshot, which has met the
     * array then. */
    uint64_t id = me->calls.frame_count ? 0 : tag_of(array);
    if (id) {
        remember(me, &search, id);
        return;
    }
    (*tracer.jvmti)->GetObjectSize(tracer.jvmti, array, &size);
    jint length = (*me->jni)->GetArrayLength(me->jni, array);
    const struct allocation allocation = {'A', type, site, (uint64_t)length, (uint64_t)size};
    id = name_array(me, array, &allocation);
    if (!id)
        return;
    remember(me, &search, id);
    if (me->call_end)
        know_array(me, array, type, length, size);
}

/* Records that the object holds the value in that field or element. */
static void record_content(struct thread *me, const struct newcomer *of, uint64_t field,
                           jobject value, bool nulls)
{
    if ((value || nulls) && field != of->stored)
        record_store(me, of->id, object_id(me, value, me->site_within), field);
    (*me->jni)->DeleteLocalRef(me->jni, value);
}

static void record_elements(struct thread *me, const struct newcomer *array, jint from,
                            jint count, bool nulls)
{
    for (jint i = from; i < from + count; i++)
        record_content(me, array, FIELD_ELEMENT + (uint64_t)i,
                       (*me->jni)->GetObjectArrayElement(me->jni, array->object, i), nulls);
}

/* Records what a field holds. Another thread may store into it meanwhile, and record that
 * before: so this is repeated until the field has not changed. */
static void record_field(struct thread *me, const struct newcomer *of,
                         const struct class_field *field)
{
    jobject value, now = (*me->jni)->GetObjectField(me->jni, of->object, field->id);
    bool is_same = false;
    while (!is_same) {
        value = now;
        record_content(me, of, field->field, (*me->jni)->NewLocalRef(me->jni, value), true);
        now = (*me->jni)->GetObjectField(me->jni, of->object, field->id);
        is_same = me->is_failing || (*me->jni)->IsSameObject(me->jni, now, value);
        (*me->jni)->DeleteLocalRef(me->jni, value);
    }
    (*me->jni)->DeleteLocalRef(me->jni, now);
}

static void record_fields(struct thread *me, const struct newcomer *of, bool nulls)
{
    const struct class_field *fields = of->facts->fields;
    for (size_t i = 0; i < of->facts->field_count; i++)
        if (nulls)
            record_field(me, of, &fields[i]);
        else
            record_content(me, of, fields[i].field,
                           (*me->jni)->GetObjectField(me->jni, of->object, fields[i].id),
                           false);
}

static void record_contents(struct thread *me, const struct newcomer *of, jint from, jint count,
                            bool nulls)
{
    if (!of->facts->is_array)
        record_fields(me, of, nulls);
    else if (of->facts->holds_references)
        record_elements(me, of, from, count, nulls);
}

void object_contents(struct thread *me, jobject object, jint from, jint count, bool nulls)
{
    const struct class_facts *facts = object ? object_facts(me, object) : NULL;
    if (!facts)
        return;
    size_t newcomers = me->newcomer_count;
    struct newcomer of = {object, object_id(me, object, 0), facts, 0};
    if (me->newcomer_count == newcomers)
        record_contents(me, &of, from, count, nulls);
}

bool object_is_array(struct thread *me, jobject object)
{
    const struct class_facts *facts = object_facts(me, object);
    return facts && facts->is_array;
}

uint8_t object_reference_kind(struct thread *me, jobject object)
{
    const struct class_facts *facts = object_facts(me, object);
    return facts ? facts->reference : 0;
}

bool object_is_lambda(struct thread *me, jobject object)
{
    const struct class_facts *facts = object_facts(me, object);
    return facts && facts->is_lambda;
}

bool object_is_recorded(struct thread *me, jobject object)
{
    const struct class_facts *facts = object_facts(me, object);
    return facts && !facts->is_array && stores_are_recorded(facts);
}

static uint32_t find_field(const struct class_field *fields, size_t count, jfieldID id)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].id == id)
            return fields[i].field;
    return 0;
}

uint32_t object_field(struct thread *me, jobject object, jfieldID id)
{
    const struct class_facts *facts = object_facts(me, object);
    return facts ? find_field(facts->fields, facts->field_count, id) : 0;
}

uint32_t object_static_field(struct thread *me, jclass java_class, jfieldID id,
                             uint64_t *holder)
{
    jclass declaring;
    if ((*tracer.jvmti)->GetFieldDeclaringClass(tracer.jvmti, java_class, id, &declaring))
        return 0;
    const struct class_facts *facts = remembered_facts(me, declaring);
    *holder = facts && facts->is_unloadable ? object_id(me, declaring, 0) : 0;
    (*me->jni)->DeleteLocalRef(me->jni, declaring);
    return facts ? find_field(facts->statics, facts->static_count, id) : 0;
}

static bool declares(const struct class_facts *facts, uint32_t field)
{
    size_t i = 0;
    while (i < facts->static_count && facts->statics[i].field != field)
        i++;
    return i < facts->static_count;
}

uint64_t object_static_holder(struct thread *me, jclass java_class, uint32_t field)
{
    uint64_t holder = 0;
    bool is_found = false;
    jclass at = (*me->jni)->NewLocalRef(me->jni, java_class);
    while (at && !is_found) {
        const struct class_facts *facts = remembered_facts(me, at);
        jclass above = NULL;
        is_found = !facts || !field || declares(facts, field);
        if (is_found && facts && facts->is_unloadable)
            holder = object_id(me, at, 0);
        else if (!is_found)
            above = (*me->jni)->GetSuperclass(me->jni, at);
        (*me->jni)->DeleteLocalRef(me->jni, at);
        at = above;
    }
    return holder;
}

/* Records what a static field holds. Another thread may store into it meanwhile, and record
 * that before: so this is repeated until the field has not changed. */
static void record_static(struct thread *me, jclass java_class, const struct class_field *field,
                          bool nulls)
{
    JNIEnv *jni = me->jni;
    uint64_t holder = object_static_holder(me, java_class, field->field);
    jobject value = (*jni)->GetStaticObjectField(jni, java_class, field->id);
    bool is_same = false;
    while (!is_same) {
        uint64_t id = object_id(me, value, 0);
        objects_settle(me);
        if (value || nulls)
            record_store(me, holder, id, field->field);
        jobject now = (*jni)->GetStaticObjectField(jni, java_class, field->id);
        is_same = me->is_failing || (*jni)->IsSameObject(jni, now, value);
        nulls = true; /* the value that is recorded now may be gone */
        (*jni)->DeleteLocalRef(jni, value);
        value = now;
    }
    (*jni)->DeleteLocalRef(jni, value);
}

void object_static(struct thread *me, jclass java_class, jfieldID field)
{
    const struct class_facts *facts = class_facts(me->jni, java_class);
    for (size_t i = 0; facts && i < facts->static_count; i++)
        if (facts->statics[i].id == field)
            record_static(me, java_class, &facts->statics[i], false);
}

void object_statics(struct thread *me, jclass java_class, bool nulls)
{
    const struct class_facts *facts = class_facts(me->jni, java_class);
    for (size_t i = 0; facts && i < facts->static_count; i++)
        record_static(me, java_class, &facts->statics[i], nulls);
}

/* Leaves the contents of a newcomer to a later probe that has more stack. */
static void postpone(struct thread *me, const struct newcomer *newcomer)
{
    struct newcomer *postponed = array_grow(me->postponed, &me->postponed_capacity,
                                            me->postponed_count + 1, sizeof *postponed);
    if (postponed)
        me->postponed = postponed;
    jobject kept = postponed ? native_code_keep(me->jni, newcomer->object) : NULL;
    if (kept)
        postponed[me->postponed_count++] =
            (struct newcomer){kept, newcomer->id, newcomer->facts, 0};
    else
        tracer_out_of_memory();
    me->postponed_at = (uintptr_t)__builtin_frame_address(0);
}

bool objects_have_stack(const struct thread *me)
{
    enum { MORE_BYTES = 16 << 10 };
    return (uintptr_t)__builtin_frame_address(0) > me->postponed_at + MORE_BYTES;
}

void objects_put_off(struct thread *me)
{
    me->postponed_at = (uintptr_t)__builtin_frame_address(0);
    atomic_fetch_sub_explicit(&tracer.dropped, 1, memory_order_relaxed);
    me->is_failing = false;
}

/* Releases a newcomer, or postpones it if the probe records nothing more. */
static void leave_newcomer(struct thread *me, const struct newcomer *newcomer)
{
    if (me->is_failing)
        postpone(me, newcomer);
    (*me->jni)->DeleteLocalRef(me->jni, newcomer->object);
}

void object_watch_soft(struct thread *me, jobject reference, uint64_t id)
{
    const struct class_facts *facts = object_facts(me, reference);
    uint32_t field =
        facts && facts->referent ? object_field(me, reference, facts->referent) : 0;
    if (!field)
        return;
    jobject referent = (*me->jni)->GetObjectField(me->jni, reference, facts->referent);
    soft_stored(me, reference, id, referent, field);
    (*me->jni)->DeleteLocalRef(me->jni, referent);
}

/* Records to what a reference object refers that was made without probes. That of a probe which
 * records it itself is under construction. */
static void record_referent(struct thread *me, const struct newcomer *of)
{
    if (!of->facts->reference || !of->facts->referent || of->stored)
        return;
    jobject referent = (*me->jni)->GetObjectField(me->jni, of->object, of->facts->referent);
    record_reference(me, of->id, object_known(me, referent), of->facts->reference);
    if (of->facts->reference == KIND_SOFT)
        object_watch_soft(me, of->object, of->id);
    (*me->jni)->DeleteLocalRef(me->jni, referent);
}

void objects_introduce(struct thread *me)
{
    struct newcomer shown = {0}; /* by a store that its probe records after all this */
    while (me->newcomer_count) {
        struct newcomer next = me->newcomers[--me->newcomer_count];
        jint length =
            next.facts->is_array ? (*me->jni)->GetArrayLength(me->jni, next.object) : 0;
        record_contents(me, &next, 0, length, false);
        record_referent(me, &next);
        if (next.stored && !me->is_failing)
            shown = next;
        else
            leave_newcomer(me, &next);
    }
    if (shown.object)
        leave_newcomer(me, &shown);
}

void objects_resume(struct thread *me)
{
    if (!objects_have_stack(me))
        return;
    for (size_t i = 0; i < me->postponed_count; i++) {
        const struct newcomer *next = &me->postponed[i];
        add_newcomer(me, next->object, next->id, next->facts);
        native_code_drop(me->jni, next->object);
    }
    me->postponed_count = 0;
    objects_introduce(me);
    if (me->is_failing)
        objects_put_off(me);
}

void objects_release(struct thread *me)
{
    for (size_t i = 0; i < me->postponed_count; i++)
        native_code_drop(me->jni, me->postponed[i].object);
    free(me->postponed);
    free(me->newcomers);
}

/* Finds out the size of objects of exactly this type, and whether all their stores are
 * recorded, and keeps both. NULL: the type is not that of the object, or several classes have
 * it. */
static const struct type_facts *know_type(struct thread *me, jobject object, uint32_t type)
{
    struct type_facts *known = &tracer.types[type];
    const struct class_facts *facts = object_facts(me, object);
    if (!facts || facts->type != type)
        return NULL;
    jlong size = 0;
    (*tracer.jvmti)->GetObjectSize(tracer.jvmti, object, &size);
    bool wholly = stores_are_recorded(facts);
    pthread_mutex_lock(&tracer.naming);
    bool is_shared = known->is_shared; /* another class may be defined at any moment */
    if (!is_shared && !known->is_known) {
        known->size = (uint32_t)size;
        known->is_wholly_recorded = wholly;
        known->is_known = true;
        quick_know_size(type, wholly ? known->size : 0);
    }
    pthread_mutex_unlock(&tracer.naming);
    return is_shared ? NULL : known;
}

/* Makes the type known, so that a probe in Java can record its next object. */
static void know_made(struct thread *me, jobject object, uint32_t type)
{
    if (me->call_end && type < tracer.type_capacity && !tracer.types[type].is_known &&
        !tracer.types[type].is_shared)
        know_type(me, object, type);
}

/* The latest allocation that was begun, if it is of that type; else all 0. */
static struct begun_allocation begun(const struct thread *me, uint32_t type)
{
    struct begun_allocation none = {0};
    if (!me->calls.allocation_count)
        return none;
    struct begun_allocation latest = me->calls.allocations[me->calls.allocation_count - 1];
    return latest.type == type ? latest : none;
}

uint64_t object_made(struct thread *me, jobject object, uint32_t type, uint32_t site)
{
    struct search search;
    uint64_t id = find_remembered(me, object, &search);
    if (id)
        return id;
    id = name_object(me, object, &search, type, site);
    know_made(me, object, type);
    return id;
}

uint64_t object_constructed(struct thread *me, jobject object, uint32_t type)
{
    bool is_new;
    struct search search;
    uint64_t id = find_remembered(me, object, &search);
    if (id)
        return id;
    struct begun_allocation latest = begun(me, type);
    if (!latest.type) { /* of a superclass, or of what code without probes has allocated */
        const struct class_facts *of =
            me->calls.allocation_count ? object_facts(me, object) : NULL;
        uint32_t own = of ? of->type : 0;
        return name_object(me, object, &search, own, own ? begun(me, own).site : 0);
    }
    const struct type_facts *facts =
        tracer.types[type].is_known ? &tracer.types[type] : know_type(me, object, type);
    if (!facts || !facts->is_wholly_recorded)
        return name_object(me, object, &search, 0, latest.site);
    /* A method that has begun since the snapshot allocates it, so it has got no tag there. */
    if (header_is_used && me->calls.frame_count)
        search.named = NOT_NEEDED;
    const struct allocation allocation = {'N', type, latest.site, 0, facts->size};
    id = give_id(me, object, &search, &allocation, &is_new);
    remember(me, &search, id);
    /* No other object is that of this allocation; and if the id is a tag, a probe in Java must
     * not give another. */
    me->calls.allocations[me->calls.allocation_count - 1].type = 0;
    return id;
}

/* The latest allocation of that type that has begun and not ended; 0: there is none. */
static struct begun_allocation begun_any(const struct thread *me, uint32_t type)
{
    for (size_t i = me->calls.allocation_count; type && i-- > 0;)
        if (me->calls.allocations[i].type == type)
            return me->calls.allocations[i];
    return (struct begun_allocation){0};
}

uint64_t object_under_construction(struct thread *me, jobject object)
{
    struct search search;
    uint64_t id = object_known(me, object);
    if (!object || id || me->is_failing)
        return id;
    const struct class_facts *facts = object_facts(me, object);
    const struct begun_allocation begun = begun_any(me, facts ? facts->type : 0);
    if (!begun.type)
        return 0;
    id = remembered(me, object, &search);
    return id ? id : name_object(me, object, &search, begun.type, begun.site);
}

/* As object_container, for an object without an id in the thread's cache. */
static uint64_t name_container(struct thread *me, jobject object, const struct search *search)
{
    if (!me->calls.allocation_count)
        return name_object(me, object, search, 0, 0);
    const struct class_facts *facts = object_facts(me, object);
    uint32_t type = facts ? facts->type : 0;
    return name_object(me, object, search, type, begun(me, type).site);
}

uint64_t object_container(struct thread *me, jobject object, uint64_t stored)
{
    struct search search;
    if (!object)
        return 0;
    uint64_t id = remembered(me, object, &search);
    if (id)
        return id;
    size_t newcomers = me->newcomer_count;
    id = name_container(me, object, &search);
    if (me->newcomer_count > newcomers)
        me->newcomers[newcomers].stored = stored;
    return id;
}

void object_shown(struct thread *me, jobject object)
{
    size_t newcomers = me->newcomer_count;
    uint64_t id = object_container(me, object, 0);
    const struct class_facts *facts = id ? object_facts(me, object) : NULL;
    if (facts && me->newcomer_count == newcomers &&
        (id < tracer.first_new || id == me->calls.instantiated || !begun(me, facts->type).type))
        object_contents(me, object, 0, 0, false);
}
