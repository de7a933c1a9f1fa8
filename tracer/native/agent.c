/* SPDX-License-Identifier: MIT */
/* The agent's begin and end in the virtual machine, its threads, and the native methods of
 * etmerlin.tracer.Names. A failure here must not end the program: it is told on standard error,
 * and the program goes on untraced; only what is wrong before it starts keeps it from starting.
 */
#include "collect.h"
#include "native_code.h"
#include "objects.h"
#include "probes.h"
#include "snapshot.h"
#include "trace_limits.h"
#include "tracer.h"

#include "base/memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TYPES = 1 << 22, /* room, of which only what is used takes memory */
    CONSTANTS = 1 << 26,
    MOST_REFERENCES = 1 << 16, /* local ones that may be announced; each class is one */
};

struct tracer tracer = {.beginning = PTHREAD_MUTEX_INITIALIZER,
                        .naming = PTHREAD_MUTEX_INITIALIZER,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .named = 1,
                        .next_id = 1};

__thread struct thread *thread_current __attribute__((tls_model("initial-exec")));
static __thread int suspended_before __attribute__((tls_model("initial-exec")));

static void complain(struct failure *why)
{
    failure_print(why, "ettrace", stderr);
    failure_clear(why);
}

void tracer_problem(const char *text)
{
    pthread_mutex_lock(&tracer.lock);
    size_t length = strlen(text);
    char *problems = array_grow(tracer.problems, &tracer.problems_capacity,
                                tracer.problems_length + length + 16, 1);
    if (problems) {
        tracer.problems = problems;
        int printed =
            snprintf(problems + tracer.problems_length, length + 16, "# ettrace: %s\n", text);
        for (char *at = problems + tracer.problems_length; *at; at++)
            if (*at == '\n' && at[1])
                *at = ' ';
        tracer.problems_length += (size_t)printed;
    }
    tracer.problem_count++;
    pthread_mutex_unlock(&tracer.lock);
}

/* Threads */

/* The ring is handed over when the thread has its id: by then what tells of the thread itself
 * stands in it. */
struct thread *thread_new(JNIEnv *jni)
{
    jthread object = NULL;
    pthread_mutex_lock(&tracer.beginning);
    pthread_mutex_unlock(&tracer.beginning);
    if ((*tracer.jvmti)->GetCurrentThread(tracer.jvmti, &object) || !object)
        return NULL;
    struct thread *me = calloc(1, sizeof *me);
    if (!me || !(me->ring = ring_new(0))) {
        free(me);
        (*jni)->DeleteLocalRef(jni, object);
        tracer_out_of_memory();
        return NULL;
    }
    me->jni = jni;
    me->ids = calloc(1, sizeof *me->ids); /* without it, it only takes longer */
    me->suspended = suspended_before;
    thread_current = me;
    me->id = me->ring->thread = object_id(me, object, 0);
    merger_add(tracer.merger, me->ring);
    objects_settle(me);
    if (tracer.settings.level != LEVEL_ET3)
        record_store(me, 0, me->id, FIELD_THREAD + me->id);
    (*jni)->DeleteLocalRef(jni, object);
    return me;
}

void thread_suspend(JNIEnv *jni, int step)
{
    (void)jni;
    suspended_before += step;
    if (thread_current)
        thread_current->suspended = suspended_before;
}

void thread_end(JNIEnv *jni)
{
    struct thread *me = thread_current;
    (void)jni;
    if (!me)
        return;
    if (thread_here(me->jni)) {
        truth_lock(me);
        if (tracer.settings.level != LEVEL_ET3)
            record_store(me, 0, 0, FIELD_THREAD + me->id);
        truth_unlock();
    }
    thread_current = NULL;
    collect_forget(me);
    atomic_store(&me->ring->is_ended, true);
    free(me->ids);
    free(me->frames);
    free(me->allocations);
    free(me->variables);
    free(me->newcomers);
    free(me);
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)thread;
    thread_end(jni);
}

/* The end */

static char *closing_lines(void)
{
    char *text = NULL;
    int length =
        asprintf(&text, "%.*s%s# ettrace: end of the trace; %llu problems\n",
                 (int)tracer.problems_length, tracer.problems ? tracer.problems : "",
                 tracer.lacks_memory ? "# ettrace: memory ran out; records are missing\n" : "",
                 (unsigned long long)tracer.problem_count);
    return length < 0 ? NULL : text;
}

static void tell_problems(void)
{
    bool is_one = tracer.problem_count == 1;
    if (tracer.problem_count)
        fprintf(stderr,
                "ettrace: %llu %s could not be instrumented; the last lines of the trace name "
                "%s.\n",
                (unsigned long long)tracer.problem_count,
                is_one ? "class or method" : "classes or methods", is_one ? "it" : "them");
    if (tracer.lacks_memory)
        fputs("ettrace: Memory ran out; records are missing in the trace.\n", stderr);
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    struct failure why = {0};
    struct merger_counts counts;
    (void)jvmti;
    (void)jni;
    if (tracer.has_ended || !tracer.merger)
        return;
    tracer.has_ended = true;
    atomic_store(&tracer.is_active, false);
    char *end = closing_lines();
    if (merger_close(tracer.merger, end ? end : "", &counts, &why) != STATUS_OK)
        complain(&why);
    free(end);
    limits_tell();
    tell_problems();
    if (tracer.settings.verbose)
        fprintf(stderr, "ettrace: %llu records, %llu boundaries.\n",
                (unsigned long long)counts.records, (unsigned long long)counts.boundaries);
}

/* The begin */

/* An empty file is not left behind; a device is none. */
static void remove_empty(const char *path, int descriptor)
{
    struct stat facts;
    if (path && descriptor >= 0 && fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
        !facts.st_size)
        unlink(path);
}

static enum status open_check(int *descriptor, struct failure *why)
{
    const struct settings *settings = &tracer.settings;
    if (!settings->checks || !settings->check_file)
        return STATUS_OK;
    return output_create(descriptor, settings->check_file, settings->force, why);
}

static enum status open_files(struct failure *why)
{
    struct settings *settings = &tracer.settings;
    struct merger_options options = {.check = -1};
    char begin[120];
    enum status status = STATUS_OK;
    if (settings->descriptor < 0 && settings->file)
        status = output_create(&settings->descriptor, settings->file, settings->force, why);
    else if (settings->descriptor < 0)
        status = fail(why, STATUS_MEANING, "The agent's settings name no file");
    if (status == STATUS_OK)
        fcntl(settings->descriptor, F_SETFD, FD_CLOEXEC);
    if (status == STATUS_OK)
        status = open_check(&options.check, why);
    if (status == STATUS_OK)
        status = name_lists_open(&tracer.names, settings->names, settings->force, why);
    if (status == STATUS_OK)
        status = output_open(&options.output, settings->descriptor, settings->file, why);
    if (status != STATUS_OK) {
        remove_empty(settings->check_file, options.check);
        return status;
    }
    options.names = tracer.names;
    snprintf(begin, sizeof begin, "# ettrace %s, level %s\n", VERSION, settings->records);
    return merger_open(&tracer.merger, &options, begin, why);
}

/* What is there by now is noted, unless the level leaves that out. */
static void begin_tracing(JNIEnv *jni)
{
    struct thread starter = {.jni = jni};
    tracer.has_begun = true;
    if (tracer.settings.level == LEVEL_ET3) {
        tracer.first_object = tracer.first_new = 1;
        atomic_store(&tracer.is_active, true);
        return;
    }
    starter.ring = ring_new(0);
    if (!starter.ring) {
        tracer_out_of_memory();
        return;
    }
    merger_add(tracer.merger, starter.ring);
    if (!snapshot_take(&starter))
        tracer_out_of_memory();
    free(starter.newcomers);
    atomic_store(&starter.ring->is_ended, true);
}

void tracer_begin(JNIEnv *jni, uint32_t method)
{
    bool waits = true;
    if (suspended_before || !limits_begin_with(method))
        return;
    pthread_mutex_lock(&tracer.beginning);
    if (atomic_compare_exchange_strong(&tracer.is_waiting, &waits, false))
        begin_tracing(jni);
    pthread_mutex_unlock(&tracer.beginning);
}

/* Room of which the system gives memory only for what is used, and which never moves. */
static void *room(size_t size)
{
    void *place = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place == MAP_FAILED ? NULL : place;
}

static bool make_room(void)
{
    tracer.types = room(TYPES * sizeof *tracer.types);
    tracer.constants_told = room(CONSTANTS);
    tracer.type_capacity = TYPES;
    tracer.constant_capacity = CONSTANTS;
    return tracer.types && tracer.constants_told;
}

static void JNICALL on_collection(jvmtiEnv *jvmti)
{
    (void)jvmti;
    id_cache_turn();
}

/* After a collection a thread of the virtual machine frees what the tags of dead objects took.
 * The C library would keep these small pieces apart until a thread of the program asks for a
 * larger one, and let that thread join them all. */
static void spread_frees(void)
{
    mallopt(M_MXFAST, 0);
}

static bool set_up_environment(void)
{
    jvmtiCapabilities wanted = {.can_tag_objects = 1,
                                .can_generate_garbage_collection_events = 1};
    jvmtiEventCallbacks callbacks = {.VMDeath = on_vm_death,
                                     .ThreadEnd = on_thread_end,
                                     .GarbageCollectionStart = on_collection,
                                     .GarbageCollectionFinish = on_collection};
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_END,
                                        JVMTI_EVENT_GARBAGE_COLLECTION_START,
                                        JVMTI_EVENT_GARBAGE_COLLECTION_FINISH};
    jvmtiEnv *jvmti = tracer.jvmti;
    bool fits = true;
    fits = (*jvmti)->AddCapabilities(jvmti, &wanted) == 0 &&
           (*tracer.classes)->AddCapabilities(tracer.classes, &wanted) == 0 &&
           (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) == 0;
    for (size_t i = 0; i < sizeof events / sizeof *events && fits; i++)
        fits = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL) == 0;
    return fits;
}

/* Whether the virtual machine is one that the Java part can run in. */
static bool is_new_enough(jvmtiEnv *jvmti)
{
    enum { LEAST = 17, MAJOR_BITS = 0xfff };
    jint version = 0;
    return (*jvmti)->GetVersionNumber(jvmti, &version) == 0 &&
           (version >> JVMTI_VERSION_SHIFT_MAJOR & MAJOR_BITS) >= LEAST;
}

/* What is wrong before the program starts keeps it from starting. The virtual machine would add
 * lines of its own, and has another status. An empty trace is not left behind. */
static _Noreturn void give_up(void)
{
    enum { EXIT_TROUBLE = 2 };
    remove_empty(tracer.settings.file, tracer.settings.descriptor);
    fflush(NULL);
    _exit(EXIT_TROUBLE);
}

/* Options in the environment reach the Java programs that the traced one starts, too: there is
 * one trace, that of the first. The others run as they do without the tracer. */
static bool is_other_program(const struct settings *settings)
{
    struct failure why = {0};
    if (settings->descriptor >= 0 || !settings->file || !output_is_taken(settings->file))
        return false;
    fail_at(&why, STATUS_MEANING, settings->file, 0,
            "Another program is traced into this file; this one is not traced");
    complain(&why);
    return true;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    struct failure why = {0};
    (void)reserved;
    spread_frees();
    tracer.vm = vm;
    enum status status = settings_read(&tracer.settings, options, &why);
    if (status == STATUS_OK && is_other_program(&tracer.settings))
        return JNI_OK;
    if (status == STATUS_OK &&
        ((*vm)->GetEnv(vm, (void **)&tracer.jvmti, JVMTI_VERSION_11) != JNI_OK ||
         (*vm)->GetEnv(vm, (void **)&tracer.classes, JVMTI_VERSION_11) != JNI_OK ||
         !is_new_enough(tracer.jvmti) || !set_up_environment()))
        status = fail(&why, STATUS_MEANING,
                      "This virtual machine cannot be traced; Java 17 or later, with JVMTI, is "
                      "needed");
    if (status == STATUS_OK && !make_room())
        status = fail_memory(&why);
    if (status == STATUS_OK)
        status = open_files(&why);
    if (status == STATUS_OK)
        status = limits_open(&why);
    if (status == STATUS_OK)
        return JNI_OK;
    complain(&why);
    give_up();
}

/* Native methods of Names */

#define NAMES(result, name, ...) NATIVE(result, names_##name, __VA_ARGS__)

/* The text of a string, to be released with drop_text; "" without memory. */
static const char *take_text(JNIEnv *jni, jstring string)
{
    const char *text = string ? (*jni)->GetStringUTFChars(jni, string, NULL) : NULL;
    return text ? text : "";
}

static void drop_text(JNIEnv *jni, jstring string, const char *text)
{
    if (*text)
        (*jni)->ReleaseStringUTFChars(jni, string, text);
}

NAMES(jint, type, jstring name)
{
    const char *text = take_text(jni, name);
    uint32_t number = name_of_type(tracer.names, text, strlen(text));
    drop_text(jni, name, text);
    return (jint)(number < TYPES ? number : 0);
}

/* The number that `name_of` gives a member of the class `owner`. */
static jint number_member(JNIEnv *jni, jstring owner, jstring name,
                          uint32_t (*name_of)(struct name_lists *lists, const char *owner,
                                              const char *name))
{
    const char *owner_text = take_text(jni, owner);
    const char *text = take_text(jni, name);
    uint32_t number = name_of(tracer.names, owner_text, text);
    drop_text(jni, name, text);
    drop_text(jni, owner, owner_text);
    return (jint)number;
}

NAMES(jint, method, jstring owner, jstring name)
{
    return number_member(jni, owner, name, name_of_method);
}

NAMES(jint, field, jstring owner, jstring name)
{
    return number_member(jni, owner, name, name_of_field);
}

NAMES(jint, site, jint method, jint line, jstring type)
{
    const char *text = take_text(jni, type);
    uint32_t number = name_of_site(tracer.names, (uint32_t)method, (uint32_t)line, text);
    drop_text(jni, type, text);
    return (jint)number;
}

static jint JNICALL names_constant(NATIVE_CALLER)
{
    pthread_mutex_lock(&tracer.lock);
    jint number = (jint)++tracer.constants;
    pthread_mutex_unlock(&tracer.lock);
    return number;
}

NAMES(jstring, setting, jstring name)
{
    const char *text = take_text(jni, name);
    const char *value = settings_text(&tracer.settings, text);
    drop_text(jni, name, text);
    return value ? (*jni)->NewStringUTF(jni, value) : NULL;
}

/* What is known of the first class of the name need not hold of the next. */
static void define(struct type_facts *type)
{
    pthread_mutex_lock(&tracer.naming);
    if (type->is_defined || atomic_load(&type->facts)) {
        type->is_shared = true;
        type->is_known = false;
    }
    type->is_defined = true;
    pthread_mutex_unlock(&tracer.naming);
}

NAMES(void, defined, jint type)
{
    if (type > 0)
        define(&tracer.types[type]);
}

NAMES(void, instrumented, jint type)
{
    if (type > 0)
        tracer.types[type].is_instrumented = true;
}

NAMES(void, problem, jstring text)
{
    const char *line = take_text(jni, text);
    tracer_problem(line);
    drop_text(jni, text, line);
}

NAMES(void, suspend, jint step)
{
    thread_suspend(jni, step);
}

static jboolean JNICALL names_isSuspended(NATIVE_CALLER)
{
    return suspended_before > 0;
}

NAMES(jboolean, connect, jobject loader, jstring package)
{
    const char *text = take_text(jni, package);
    jobject module = NULL;
    bool fits =
        (*tracer.jvmti)->GetNamedModule(tracer.jvmti, loader, text, &module) == 0 &&
        (!module ||
         (*tracer.jvmti)->AddModuleReads(tracer.jvmti, module, (*jni)->GetModule(jni, of)) ==
             0);
    drop_text(jni, package, text);
    return fits;
}

static jobjectArray list_classes(JNIEnv *jni)
{
    jint count;
    jclass *classes;
    jclass element = (*jni)->FindClass(jni, "java/lang/Class");
    if (!element || (*tracer.jvmti)->GetLoadedClasses(tracer.jvmti, &count, &classes))
        return NULL;
    jobjectArray list = (*jni)->NewObjectArray(jni, count, element, NULL);
    for (jint i = 0; i < count && list; i++)
        (*jni)->SetObjectArrayElement(jni, list, i, classes[i]);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)classes);
    return list;
}

static jobjectArray JNICALL names_loaded(NATIVE_CALLER)
{
    if ((*jni)->PushLocalFrame(jni, MOST_REFERENCES) != 0)
        return NULL;
    return (*jni)->PopLocalFrame(jni, list_classes(jni));
}

NAMES(void, elements, jint base, jint scale)
{
    tracer.element_base = base;
    tracer.element_scale = scale;
    id_cache_start();
}

static void JNICALL names_start(NATIVE_CALLER)
{
    if (tracer.settings.level != LEVEL_ET3 && !native_code_watch(tracer.jvmti))
        tracer_problem("native code: its functions could not be replaced");
    limits_wait();
}

NAMES(jint, expect, jstring pattern)
{
    const char *text = take_text(jni, pattern);
    uint32_t number = limits_expect(text);
    drop_text(jni, pattern, text);
    return (jint)number;
}

NAMES(void, meet, jint pattern)
{
    limits_meet((uint32_t)pattern);
}

/* Called before any class has probes in it. */
JNIEXPORT jboolean JNICALL Java_etmerlin_tracer_Names_bind(JNIEnv *jni, jclass names,
                                                           jclass probe);
JNIEXPORT jboolean JNICALL Java_etmerlin_tracer_Names_bind(JNIEnv *jni, jclass names,
                                                           jclass probe)
{
#define STRING "Ljava/lang/String;"
#define BOUND(name, signature)                                                                 \
    {                                                                                          \
#name, signature, __extension__(void *) names_##name                                   \
    }
    static const JNINativeMethod methods[] = {
        BOUND(type, "(" STRING ")I"),
        BOUND(method, "(" STRING STRING ")I"),
        BOUND(field, "(" STRING STRING ")I"),
        BOUND(site, "(II" STRING ")I"),
        BOUND(constant, "()I"),
        BOUND(setting, "(" STRING ")" STRING),
        BOUND(defined, "(I)V"),
        BOUND(instrumented, "(I)V"),
        BOUND(problem, "(" STRING ")V"),
        BOUND(suspend, "(I)V"),
        BOUND(isSuspended, "()Z"),
        BOUND(connect, "(Ljava/lang/ClassLoader;" STRING ")Z"),
        BOUND(loaded, "()[Ljava/lang/Class;"),
        BOUND(elements, "(II)V"),
        BOUND(start, "()V"),
        BOUND(expect, "(" STRING ")I"),
        BOUND(meet, "(I)V"),
    };
    return tracer.merger &&
           (*jni)->RegisterNatives(jni, names, methods, sizeof methods / sizeof *methods) ==
               0 &&
           probes_bind(jni, probe);
}
