/* SPDX-License-Identifier: MIT */
/* A handle is the address of a word that holds the address of the object, as in HotSpot: the
 * tracer reads that word itself. */
#include "machine.h"
#include "expect.h"

#include "../../tracer/native/header.h"
#include "../../tracer/native/id_cache.h"
#include "../../tracer/native/probes.h"

#include <stdarg.h>
#include <stdlib.h>

enum { HANDLES = 4096, TYPES = 64, STATIC = 8 };

struct tracer tracer = {.naming = PTHREAD_MUTEX_INITIALIZER,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .named = 1,
                        .next_id = 1};
__thread struct thread *thread_current __attribute__((tls_model("initial-exec")));

unsigned machine_asked, machine_kept;
void (*machine_interrupt)(struct object *object);
void (*machine_look)(struct object *object);
void (*machine_tag)(struct object *object);
bool machine_has_stack;
bool machine_lacks_references;
struct object **machine_classes;
jint machine_class_count;
struct machine_reference *machine_references;
size_t machine_reference_count;
void (*machine_list)(void);

static bool has_thrown;
static char find_method, install_method, error_class, header_class;
static struct object error;

static struct object *handles[HANDLES];
static size_t handle_count;

jobject machine_handle(struct object *object)
{
    if (!object)
        return NULL;
    for (size_t i = 0; i < HANDLES; i++)
        if (!handles[i]) {
            handles[i] = object;
            handle_count++;
            return (jobject)(void *)&handles[i];
        }
    cr_assert_fail("there are too many handles");
    return NULL;
}

size_t machine_handles(void)
{
    return handle_count;
}

static struct object *object_of(jobject handle)
{
    return *(struct object **)(void *)handle;
}

/* JVMTI */

static bool is_of_classes(jvmtiEnv *env)
{
    return env == tracer.classes;
}

static jvmtiError JNICALL get_tag(jvmtiEnv *env, jobject handle, jlong *tag)
{
    struct object *object = object_of(handle);
    *tag = is_of_classes(env) ? object->facts : object->id;
    if (is_of_classes(env))
        return JVMTI_ERROR_NONE;
    machine_asked++;
    if (machine_interrupt)
        machine_interrupt(object);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_tag(jvmtiEnv *env, jobject handle, jlong tag)
{
    if (machine_tag && !is_of_classes(env))
        machine_tag(object_of(handle));
    *(is_of_classes(env) ? &object_of(handle)->facts : &object_of(handle)->id) = tag;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_size(jvmtiEnv *env, jobject handle, jlong *size)
{
    (void)env;
    *size = object_of(handle)->size;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_signature(jvmtiEnv *env, jclass handle, char **signature,
                                        char **generic)
{
    (void)env;
    (void)generic;
    *signature = strdup(object_of(handle)->signature);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *memory)
{
    (void)env;
    free(memory);
    return JVMTI_ERROR_NONE;
}

/* The id of a field is the address of its description in the class. */
static jvmtiError JNICALL get_fields(jvmtiEnv *env, jclass handle, jint *count,
                                     jfieldID **fields)
{
    struct object *java_class = object_of(handle);
    (void)env;
    *fields = malloc(MACHINE_FIELDS * sizeof **fields);
    for (*count = 0; *count < MACHINE_FIELDS && java_class->fields[*count].name; ++*count)
        (*fields)[*count] = (jfieldID)(void *)&java_class->fields[*count];
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_modifiers(jvmtiEnv *env, jclass handle, jfieldID field,
                                        jint *modifiers)
{
    const struct machine_field *of = (const void *)field;
    (void)env;
    (void)handle;
    *modifiers = of->is_static ? STATIC : 0;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_name(jvmtiEnv *env, jclass handle, jfieldID field, char **name,
                                   char **type, char **generic)
{
    const struct machine_field *of = (const void *)field;
    (void)env;
    (void)handle;
    (void)generic;
    *name = strdup(of->name);
    if (type)
        *type = strdup("Ljava/lang/Object;");
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_interfaces(jvmtiEnv *env, jclass handle, jint *count,
                                         jclass **interfaces)
{
    (void)env;
    (void)handle;
    *count = 0;
    *interfaces = NULL;
    return JVMTI_ERROR_NONE;
}

/* No thread is known. */
static jvmtiError JNICALL get_thread(jvmtiEnv *env, jthread *thread)
{
    (void)env;
    *thread = NULL;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_classes(jvmtiEnv *env, jint *count, jclass **classes)
{
    (void)env;
    if (machine_list)
        machine_list();
    *count = machine_class_count;
    *classes = malloc((size_t)(machine_class_count + 1) * sizeof **classes);
    for (jint i = 0; i < machine_class_count; i++)
        (*classes)[i] = machine_handle(machine_classes[i]);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL follow_references(jvmtiEnv *env, jint filter, jclass of,
                                            jobject first, const jvmtiHeapCallbacks *callbacks,
                                            const void *context)
{
    (void)env;
    (void)filter;
    (void)of;
    (void)first;
    for (size_t i = 0; i < machine_reference_count; i++) {
        const struct machine_reference *reference = &machine_references[i];
        struct object *from = reference->from, *to = reference->to;
        jvmtiHeapReferenceInfo info = {.field = {.index = reference->index}};
        callbacks->heap_reference_callback(reference->kind, &info, to->of->id,
                                           from ? from->of->id : 0, to->size, &to->id,
                                           from ? &from->id : NULL, -1, (void *)context);
    }
    return JVMTI_ERROR_NONE;
}

/* JNI */

static jclass JNICALL get_class(JNIEnv *jni, jobject handle)
{
    (void)jni;
    return machine_handle(object_of(handle)->of);
}

static jclass JNICALL get_above(JNIEnv *jni, jclass handle)
{
    (void)jni;
    return machine_handle(object_of(handle)->above);
}

static jobject JNICALL new_reference(JNIEnv *jni, jobject handle)
{
    (void)jni;
    return handle && !machine_lacks_references ? machine_handle(object_of(handle)) : NULL;
}

static void JNICALL delete_reference(JNIEnv *jni, jobject handle)
{
    (void)jni;
    if (handle) {
        *(struct object **)(void *)handle = NULL;
        handle_count--;
    }
}

static jint JNICALL ensure_capacity(JNIEnv *jni, jint capacity)
{
    (void)jni;
    (void)capacity;
    return 0;
}

static jsize JNICALL get_length(JNIEnv *jni, jarray handle)
{
    (void)jni;
    return object_of(handle)->length;
}

static jobject JNICALL get_element(JNIEnv *jni, jobjectArray handle, jsize index)
{
    (void)jni;
    return machine_handle(object_of(handle)->elements[index]);
}

static jobject JNICALL get_field(JNIEnv *jni, jobject handle, jfieldID field)
{
    const struct object *object = object_of(handle);
    (void)jni;
    return machine_handle(object->elements[(const struct machine_field *)(const void *)field -
                                           object->of->fields]);
}

static jboolean JNICALL check_exception(JNIEnv *jni)
{
    (void)jni;
    return has_thrown;
}

static jthrowable JNICALL get_exception(JNIEnv *jni)
{
    (void)jni;
    return (jthrowable)machine_handle(&error);
}

static void JNICALL clear_exception(JNIEnv *jni)
{
    (void)jni;
    has_thrown = false;
}

static jboolean JNICALL is_instance(JNIEnv *jni, jobject object, jclass of)
{
    (void)jni;
    return object_of(object) == &error && (void *)of == (void *)&error_class;
}

static jclass JNICALL find_class(JNIEnv *jni, const char *name)
{
    (void)jni;
    (void)name;
    return (jclass)(void *)&error_class;
}

/* Makes a global reference. Classes that find_class returns have no handles, and are references
 * as they are. */
static jobject JNICALL keep_reference(JNIEnv *jni, jobject object)
{
    bool is_handle = (uintptr_t)object >= (uintptr_t)handles &&
                     (uintptr_t)object < (uintptr_t)(handles + HANDLES);
    return is_handle ? new_reference(jni, object) : object;
}

static jmethodID JNICALL get_method(JNIEnv *jni, jclass of, const char *name,
                                    const char *signature)
{
    (void)jni;
    (void)of;
    (void)signature;
    return (jmethodID)(void *)(*name == 'f' ? &find_method : &install_method);
}

/* Calls Header.find or Header.install. */
static jint JNICALL call_header(JNIEnv *jni, jclass of, jmethodID method, ...)
{
    va_list arguments;
    (void)jni;
    (void)of;
    va_start(arguments, method);
    struct object *object = object_of(va_arg(arguments, jobject));
    jint id = (void *)method == (void *)&install_method ? va_arg(arguments, jint) : 0;
    va_end(arguments);
    has_thrown = !machine_has_stack;
    if (has_thrown)
        return 0;
    if (machine_look)
        machine_look(object);
    if (!object->header)
        object->header = id;
    return object->header;
}

static struct JNINativeInterface_ jni_functions = {
    .GetObjectClass = get_class,
    .GetSuperclass = get_above,
    .NewLocalRef = new_reference,
    .DeleteLocalRef = delete_reference,
    .EnsureLocalCapacity = ensure_capacity,
    .GetArrayLength = get_length,
    .GetObjectArrayElement = get_element,
    .GetObjectField = get_field,
    .ExceptionCheck = check_exception,
    .ExceptionOccurred = get_exception,
    .ExceptionClear = clear_exception,
    .IsInstanceOf = is_instance,
    .FindClass = find_class,
    .NewGlobalRef = keep_reference,
    .DeleteGlobalRef = delete_reference,
    .NewWeakGlobalRef = new_reference,
    .DeleteWeakGlobalRef = delete_reference,
    .GetStaticMethodID = get_method,
    .CallStaticIntMethod = call_header,
};

static jvmtiError JNICALL get_functions(jvmtiEnv *env, jniNativeInterface **table)
{
    (void)env;
    *table = malloc(sizeof **table);
    cr_assert(*table);
    **table = jni_functions;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_functions(jvmtiEnv *env, const jniNativeInterface *table)
{
    (void)env;
    jni_functions = *table;
    return JVMTI_ERROR_NONE;
}

__thread void *machine_kept_for_thread;

static jvmtiError JNICALL get_kept(jvmtiEnv *jvmti, jthread thread, void **kept)
{
    (void)jvmti;
    cr_assert_null(thread);
    *kept = machine_kept_for_thread;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_kept(jvmtiEnv *jvmti, jthread thread, const void *kept)
{
    (void)jvmti;
    cr_assert_null(thread);
    machine_kept_for_thread = (void *)kept;
    return JVMTI_ERROR_NONE;
}

static struct jvmtiInterface_1_ jvmti_functions = {
    .GetThreadLocalStorage = get_kept,
    .SetThreadLocalStorage = set_kept,
    .GetTag = get_tag,
    .SetTag = set_tag,
    .GetObjectSize = get_size,
    .GetClassSignature = get_signature,
    .Deallocate = deallocate,
    .GetClassFields = get_fields,
    .GetFieldModifiers = get_modifiers,
    .GetFieldName = get_name,
    .GetImplementedInterfaces = get_interfaces,
    .GetCurrentThread = get_thread,
    .GetLoadedClasses = get_classes,
    .FollowReferences = follow_references,
    .GetJNIFunctionTable = get_functions,
    .SetJNIFunctionTable = set_functions,
};

/* The probes that the functions of native_code.c call. */

void probes_arrived(JNIEnv *jni, jobject object)
{
    (void)jni;
    (void)object;
}

void probes_put(JNIEnv *jni, jobject object, jobject value, jfieldID field)
{
    (void)jni;
    (void)object;
    (void)value;
    (void)field;
}

void probes_put_static(JNIEnv *jni, jclass of, jobject value, jfieldID field)
{
    probes_put(jni, of, value, field);
}

void probes_store_element(JNIEnv *jni, jobjectArray array, jint index, jobject value)
{
    (void)index;
    probes_put(jni, array, value, NULL);
}

void probes_keep(JNIEnv *jni, jobject object, uint64_t place)
{
    (void)jni;
    (void)object;
    (void)place;
    machine_kept++;
}

struct thread *machine_start(void)
{
    static jvmtiEnv ids = &jvmti_functions, classes = &jvmti_functions;
    static JNIEnv jni = &jni_functions;
    static struct thread me;
    tracer.jvmti = &ids;
    tracer.classes = &classes;
    tracer.settings.level = LEVEL_STORES;
    tracer.types = calloc(TYPES, sizeof *tracer.types);
    tracer.type_capacity = TYPES;
    ok(name_lists_open(&tracer.names, NULL, &cause));
    me = (struct thread){
        .jni = &jni, .ring = ring_new(1), .ids = calloc(1, sizeof(struct id_cache))};
    cr_assert(tracer.types && me.ring && me.ids);
    atomic_store(&id_cache_epoch, 0);
    thread_current = &me;
    return &me;
}

void machine_use_headers(struct thread *me)
{
    machine_has_stack = true;
    cr_assert(header_start(me->jni, (jclass)(void *)&header_class));
}

const char *machine_record(struct thread *me)
{
    static char text[200];
    ring_look(me->ring);
    const uint64_t *words = ring_peek(me->ring);
    if (!words)
        return "";
    size_t count = words[1] >> 8 & 0xff;
    int length = snprintf(text, sizeof text, "%c %" PRIu64, (char)words[1], words[1] >> 16);
    for (size_t i = 2; i < count; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, " %" PRIu64, words[i]);
    ring_consume(me->ring, count);
    return text;
}
