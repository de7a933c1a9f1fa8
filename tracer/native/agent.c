/* SPDX-License-Identifier: MIT */
/* How the agent begins and ends in the virtual machine, its threads, and the native methods of
 * etmerlin.tracer.Names. A failure while the program runs must not end it: the failure is
 * reported on standard error, and the program goes on untraced. Only a failure before the
 * program starts keeps it from starting. Output files are made when the trace begins, so a
 * virtual machine that runs no method of a program makes and replaces none. */
#include "cleared.h"
#include "collect.h"
#include "fresh.h"
#include "header.h"
#include "heap_walks.h"
#include "hotspot.h"
#include "indirect.h"
#include "kept_classes.h"
#include "messages.h"
#include "missed.h"
#include "mounts.h"
#include "native_code.h"
#include "objects.h"
#include "probes.h"
#include "quick.h"
#include "trace_limits.h"
#include "tracer.h"

#include "base/memory.h"
#include "io/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    TYPES = 1 << 22, /* the tables have room for so many; only what is used takes memory */
    CONSTANTS = 1 << 26,
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
    failure_print(why, "ettrace", messages());
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

uint32_t tracer_type(const char *name)
{
    uint32_t number = name_of_type(tracer.names, name, strlen(name));
    return number < TYPES ? number : 0;
}

uint32_t tracer_constant(void)
{
    pthread_mutex_lock(&tracer.lock);
    uint32_t number = ++tracer.constants;
    pthread_mutex_unlock(&tracer.lock);
    return number;
}

/* Threads */

/* The merger has the ring at once, although it cannot write these records before the thread
 * has its id: later records of all threads wait for them. */
static bool give_ring(struct thread *me)
{
    me->ring = ring_new(0);
    if (!me->ring)
        return false;
    atomic_store(&me->ring->is_ready, false);
    merger_add(tracer.merger, me->ring);
    return true;
}

static void give_up_ring(struct ring *ring)
{
    atomic_store(&ring->is_ready, true);
    atomic_store(&ring->is_ended, true);
}

/* Makes the structure of the calling thread; `object`: the platform thread. */
static struct thread *begin_thread(JNIEnv *jni, jthread object)
{
    struct thread *me = calloc(1, sizeof *me);
    if (!me || !give_ring(me)) {
        free(me);
        tracer_out_of_memory();
        return NULL;
    }
    me->jni = jni;
    me->ids = calloc(1, sizeof *me->ids); /* without it, it only takes longer */
    me->suspended = suspended_before;
    thread_current = me;
    me->id = me->ring->thread = object_id(me, object, 0);
    if (!me->id) {
        thread_current = NULL;
        give_up_ring(me->ring);
        free(me->ids);
        free(me);
        return NULL;
    }
    atomic_store(&me->ring->is_ready, true);
    objects_settle(me);
    record_running(me, true);
    quick_add(me, object);
    return me;
}

/* The same; if `current` is a virtual thread, its carrier runs it. */
static struct thread *begin_mounted(JNIEnv *jni, jthread current)
{
    jthread carrier = mounts_carrier(jni, current);
    struct thread *me = begin_thread(jni, carrier ? carrier : current);
    if (me && carrier)
        mounts_enter(me, current);
    (*jni)->DeleteLocalRef(jni, carrier);
    return me;
}

/* Whether the trace goes on. Waits for the snapshot, except where that may wait for this
 * thread: until the snapshot walks over the heap, it will meet what the thread has stored. */
static bool can_begin(JNIEnv *jni, jthread current)
{
    if (!atomic_load(&tracer.has_walked) && tracer.settings.level != LEVEL_ET3 &&
        mounts_carries(jni, current))
        return false;
    pthread_mutex_lock(&tracer.beginning);
    pthread_mutex_unlock(&tracer.beginning);
    return atomic_load(&tracer.is_active);
}

struct thread *thread_new(JNIEnv *jni)
{
    jthread current = NULL;
    if ((*tracer.jvmti)->GetCurrentThread(tracer.jvmti, &current) || !current)
        return NULL;
    struct thread *me = can_begin(jni, current) ? begin_mounted(jni, current) : NULL;
    (*jni)->DeleteLocalRef(jni, current);
    return me;
}

void thread_suspend(JNIEnv *jni, int step)
{
    (void)jni;
    suspended_before += step;
    if (thread_current)
        thread_current->suspended = suspended_before;
    if (thread_current)
        quick_gate(thread_current);
}

bool thread_is_suspended(void)
{
    return suspended_before > 0;
}

void thread_end(JNIEnv *jni)
{
    struct thread *me = thread_current;
    (void)jni;
    if (!me)
        return;
    if (me->carrier)
        mounts_leave(me);
    if (thread_here(me->jni)) {
        truth_lock(me);
        record_running(me, false);
        truth_unlock();
    }
    thread_current = NULL;
    quick_remove(me);
    collect_forget(me);
    atomic_store(&me->ring->is_ended, true);
    free(me->ids);
    mounts_release(&me->calls);
    objects_release(me);
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
    char dropped[120] = "";
    uint64_t count = atomic_load(&tracer.dropped);
    if (count)
        snprintf(dropped, sizeof dropped,
                 "# ettrace: the stack ran out in %llu probes; their records are missing\n",
                 (unsigned long long)count);
    int length =
        asprintf(&text, "%.*s%s%s# ettrace: end of the trace; %llu problems\n",
                 (int)tracer.problems_length, tracer.problems ? tracer.problems : "", dropped,
                 tracer.lacks_memory ? "# ettrace: memory ran out; records are missing\n" : "",
                 (unsigned long long)tracer.problem_count);
    return length < 0 ? NULL : text;
}

/* Prints the first lines of the closing comment, without the mark of comments, and how many
 * more there are. */
static void report_problems(void)
{
    enum { MOST = 5 };
    static const char mark[] = "# ";
    const char *line = tracer.problems;
    uint64_t shown = 0;
    for (; shown < tracer.problem_count && shown < MOST && line && *line; shown++) {
        int length = (int)strcspn(line, "\n") - (int)strlen(mark);
        fprintf(messages(), "%.*s.\n", length, line + strlen(mark));
        line += strcspn(line, "\n") + 1;
    }
    if (tracer.problem_count > shown)
        fprintf(messages(), "ettrace: And %llu more, which the last lines of the trace name.\n",
                (unsigned long long)(tracer.problem_count - shown));
}

/* Scripts can look for this last line; the exit status is that of the program. */
static void report_incomplete(void)
{
    struct failure *why = &tracer.failure;
    if (why->status == STATUS_OK && tracer.lacks_memory)
        fail_at(why, STATUS_MEMORY, tracer.settings.file, 0,
                "Memory ran out, and records are missing");
    if (why->status == STATUS_OK && atomic_load(&tracer.dropped) > 0)
        fail_at(why, STATUS_MEMORY, tracer.settings.file, 0,
                "The stack ran out in %llu probes, and their records are missing; -Xss gives "
                "threads more stack",
                (unsigned long long)atomic_load(&tracer.dropped));
    if (why->status != STATUS_OK && !why->file && tracer.settings.file)
        why->file = strdup(tracer.settings.file);
    if (why->status != STATUS_OK)
        failure_print(why, "ettrace: incomplete trace", messages());
    failure_clear(why);
}

/* Native code can keep the virtual machine from collecting for longer than --check waits. */
static void report_missed(void)
{
    uint64_t missed = collect_missed();
    if (missed)
        fprintf(messages(),
                "ettrace: %llu collections did not take place, as native code held arrays all "
                "the time; %s.\n",
                (unsigned long long)missed,
                tracer.settings.truth ? "deaths of that time are recorded later"
                                      : "the file of --check has the others");
}

/* "java File.java" compiles the file in the same virtual machine. The first method of the trace
 * shows whether that is traced, too. */
static void report_compiler(void)
{
    static const char launcher[] = "jdk.compiler/com.sun.tools.javac.launcher.";
    char *command = NULL;
    if (!name_begins_method(tracer.names, tracer.first_method, "com/sun/tools/javac/") ||
        (*tracer.jvmti)->GetSystemProperty(tracer.jvmti, "sun.java.command", &command) != 0)
        return;
    if (strncmp(command, launcher, sizeof launcher - 1) == 0)
        fputs("ettrace: The trace has the compiler, too, which java runs for a file of source; "
              "to leave it out, compile the file with javac, and trace java with the class.\n",
              messages());
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)command);
}

static void report_counts(const struct merger_counts *counts)
{
    fprintf(messages(), "ettrace: %llu records, %llu boundaries.\n",
            (unsigned long long)counts->records, (unsigned long long)counts->boundaries);
}

static void close_trace(void)
{
    struct merger_counts counts;
    char *end = closing_lines();
    if (!end)
        tracer_out_of_memory();
    enum status reported_later =
        merger_close(tracer.merger, end ? end : "", &counts, &tracer.failure);
    (void)reported_later;
    free(end);
    if (tracer.settings.verbose)
        report_counts(&counts);
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    if (tracer.has_ended)
        return;
    tracer.has_ended = true;
    struct thread *me = thread_here(jni);
    if (me)
        collect_at_end(me);
    atomic_store(&tracer.is_active, false);
    quick_attend(ATTEND_END);
    if (tracer.merger)
        close_trace();
    kept_classes_end();
    if (tracer.merger || !tracer.has_begun)
        limits_report();
    if (tracer.merger)
        report_compiler();
    report_missed();
    report_problems();
    report_incomplete();
}

/* The beginning */

/* The two lines that the trace begins with. Each name list and the file of --check begin with
 * the second one. */
struct opening {
    char first[120];
    char id[64];
};

/* The id is random: two processes could begin at the same time. */
static enum status make_opening(struct opening *opening, struct failure *why)
{
    uint64_t id[2];
    if (getrandom(id, sizeof id, 0) != sizeof id)
        return fail_errno(why, NULL, "draw the id of the trace", errno);
    snprintf(opening->first, sizeof opening->first, "# ettrace %s, level %s\n", VERSION,
             tracer.settings.records);
    snprintf(opening->id, sizeof opening->id, "# id %016" PRIx64 "%016" PRIx64 "\n", id[0],
             id[1]);
    return STATUS_OK;
}

/* The outputs that are opened when the trace begins, except for the name lists. */
struct outputs {
    struct fresh trace, check;
};

/* Opens the file of --check and writes its first line, the id of the trace. */
static enum status create_check(struct fresh *check, const struct opening *opening,
                                struct failure *why)
{
    const char *file = tracer.settings.check_file;
    enum status status = place_refuse_pipe(file, why);
    if (status == STATUS_OK)
        status = fresh_open(check, file, why);
    if (status != STATUS_OK)
        return status;
    int error = descriptor_write(check->descriptor, opening->id, strlen(opening->id), NULL);
    return error ? fail_errno(why, file, "write", error) : STATUS_OK;
}

/* Opens all outputs under temporary names. */
static enum status create_outputs(struct outputs *outputs, const struct opening *opening,
                                  struct failure *why)
{
    const struct settings *settings = &tracer.settings;
    enum status status = STATUS_OK;
    if (settings->descriptor >= 0)
        outputs->trace.descriptor = settings->descriptor;
    else
        status = fresh_open(&outputs->trace, settings->file, why);
    if (status == STATUS_OK && settings->check_file)
        status = create_check(&outputs->check, opening, why);
    return status == STATUS_OK ? name_lists_create(tracer.names, opening->id, why) : status;
}

/* Gives all outputs their names, the trace first: of several processes with the same settings,
 * the one that gets this name may replace the other files. */
static enum status name_outputs(struct outputs *outputs, struct failure *why)
{
    const struct replacing *replacing = &tracer.settings.replacing;
    const struct replacing others = {.force = replacing->force};
    enum status status = fresh_name(&outputs->trace, replacing, why);
    if (status == STATUS_OK)
        status = fresh_name(&outputs->check, &others, why);
    return status == STATUS_OK ? name_lists_name(tracer.names, &others, why) : status;
}

static enum status start_merger(struct outputs *outputs, const struct opening *opening,
                                struct failure *why)
{
    struct merger_options options = {.names = tracer.names, .check = outputs->check.descriptor};
    char begin[sizeof opening->first + sizeof opening->id];
    snprintf(begin, sizeof begin, "%s%s", opening->first, opening->id);
    struct failure later = {0};
    enum status status =
        output_open(&options.output, outputs->trace.descriptor, tracer.settings.file, why);
    if (status != STATUS_OK)
        return status;
    status = merger_open(&tracer.merger, &options, begin, why);
    if (status == STATUS_OK)
        return STATUS_OK;
    if (output_close(options.output, &later) != STATUS_OK)
        failure_clear(&later);
    outputs->trace.descriptor = -1;
    return status;
}

/* Opens all outputs. After a failure, none of the new files is left, and those that were
 * replaced are there again. */
static enum status open_outputs(struct failure *why)
{
    struct opening opening;
    struct outputs outputs = {.trace.descriptor = -1, .check.descriptor = -1};
    enum status status = make_opening(&opening, why);
    if (status == STATUS_OK)
        status = create_outputs(&outputs, &opening, why);
    if (status == STATUS_OK)
        status = name_outputs(&outputs, why);
    if (status == STATUS_OK)
        status = start_merger(&outputs, &opening, why);
    if (status == STATUS_OK) {
        fresh_keep(&outputs.trace);
        fresh_keep(&outputs.check);
        name_lists_keep(tracer.names);
        return STATUS_OK;
    }
    fresh_drop(&outputs.trace);
    fresh_drop(&outputs.check);
    name_lists_drop(tracer.names);
    return status;
}

/* Options in the environment also reach Java programs that run before or after the traced one,
 * or that it starts. If all of them have the same file, only the first one is traced; the
 * others run as they do without the tracer. */
static bool is_other_program(const struct settings *settings)
{
    struct failure why = {0};
    if (settings->descriptor >= 0 || !settings->file ||
        !place_is_taken(settings->file, &settings->replacing))
        return false;
    fail_at(&why, STATUS_MEANING, settings->file, 0,
            "Another program is traced into this file, this one is not; a %%p in the name is "
            "the process, so that each has its own");
    complain(&why);
    return true;
}

/* Opens the outputs, and records what is in the heap by now, except at the level et3. */
static void begin_tracing(JNIEnv *jni)
{
    struct thread starter = {.jni = jni};
    atomic_store(&tracer.has_begun, true);
    if (open_outputs(&tracer.failure) != STATUS_OK) {
        if (is_other_program(&tracer.settings)) /* it has begun after this one started */
            failure_clear(&tracer.failure);
        return;
    }
    if (tracer.settings.level == LEVEL_ET3) {
        tracer.first_object = tracer.first_new = 1;
        limits_begin();
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
    objects_release(&starter);
    atomic_store(&starter.ring->is_ended, true);
}

void tracer_begin(JNIEnv *jni, uint32_t method, unsigned roles)
{
    bool waits = true;
    if (suspended_before || !limits_begin_with(method, roles))
        return;
    pthread_mutex_lock(&tracer.beginning);
    if (atomic_compare_exchange_strong(&tracer.is_waiting, &waits, false)) {
        tracer.first_method = method;
        begin_tracing(jni);
    }
    pthread_mutex_unlock(&tracer.beginning);
}

static bool make_room(void)
{
    tracer.types = quick_room(TYPES * sizeof *tracer.types);
    tracer.constants_recorded = quick_room(CONSTANTS);
    tracer.type_capacity = TYPES;
    tracer.constant_capacity = CONSTANTS;
    return tracer.types && tracer.constants_recorded;
}

static void JNICALL on_collection(jvmtiEnv *jvmti)
{
    (void)jvmti;
    id_cache_turn();
    quick_attend(ATTEND_UNLOADING);
}

/* After a collection, a thread of the virtual machine frees the memory of the tags of dead
 * objects. By default the C library would not join these small pieces then, but later, all at
 * once, in a thread of the program that asks for a larger piece. */
static void spread_frees(void)
{
    mallopt(M_MXFAST, 0);
}

static bool set_up_environment(void)
{
    jvmtiCapabilities wanted = {.can_tag_objects = 1,
                                .can_retransform_classes = 1,
                                .can_generate_garbage_collection_events = 1};
    jvmtiEventCallbacks callbacks = {.VMDeath = on_vm_death,
                                     .ThreadEnd = on_thread_end,
                                     .ClassPrepare = missed_prepared,
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
    return fits && mounts_open(&callbacks);
}

/* Each call of a probe costs the optimizing compiler as much as many other instructions. So a
 * method with probes of over so many bytes is compiled once, not again as a part of each method
 * that calls it often. */
static void inline_less(void)
{
    enum { MOST_BYTES = 50 }; /* HotSpot: 325 */
    hotspot_set_flag(tracer.jvmti, "FreqInlineSize", MOST_BYTES);
}

/* The process ends. If it has made no trace, scripts see that in its status, unless the program
 * has failed anyway. */
static void on_process_end(int status, void *context)
{
    enum { EXIT_NO_TRACE = 3 };
    (void)context;
    if (status != 0 || tracer.merger)
        return;
    fflush(NULL);
    _exit(EXIT_NO_TRACE);
}

/* Whether the Java part can run in this virtual machine. */
static bool is_new_enough(jvmtiEnv *jvmti)
{
    enum { LEAST = 17, MAJOR_BITS = 0xfff };
    jint version = 0;
    return (*jvmti)->GetVersionNumber(jvmti, &version) == 0 &&
           (version >> JVMTI_VERSION_SHIFT_MAJOR & MAJOR_BITS) >= LEAST;
}

/* Ends the process before the program starts. If Agent_OnLoad returned an error instead, the
 * virtual machine would add lines of its own and exit with another status. */
static _Noreturn void give_up(void)
{
    enum { EXIT_TROUBLE = 2 };
    fflush(NULL);
    _exit(EXIT_TROUBLE);
}

static enum status check_outputs(struct failure *why)
{
    const struct settings *settings = &tracer.settings;
    const struct places places = {.trace = settings->descriptor < 0 ? settings->file : NULL,
                                  .names = settings->names,
                                  .check = settings->check_file};
    if (settings->descriptor < 0 && !settings->file)
        return fail(why, STATUS_MEANING, "The agent's settings name no file");
    if (settings->descriptor >= 0)
        fcntl(settings->descriptor, F_SETFD, FD_CLOEXEC);
    return places_check(&places, &settings->replacing, why);
}

/* Whether the image has the module that loads the Java part; one that was made for a single
 * program may lack it. */
static bool has_instrumentation(jvmtiEnv *jvmti)
{
    char *home = NULL, *library = NULL;
    if ((*jvmti)->GetSystemProperty(jvmti, "java.home", &home) != 0)
        return true;
    bool is_there =
        asprintf(&library, "%s/lib/libinstrument.so", home) < 0 || access(library, F_OK) == 0;
    free(library);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)home);
    return is_there;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    struct failure why = {0};
    (void)reserved;
    spread_frees();
    messages_open();
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
    if (status == STATUS_OK && !has_instrumentation(tracer.jvmti))
        status =
            fail(&why, STATUS_MEANING,
                 "This Java lacks the module java.instrument, which the tracer needs; jlink "
                 "--add-modules java.instrument makes an image with it");
    if (status == STATUS_OK && !make_room())
        status = fail_memory(&why);
    if (status == STATUS_OK)
        status = check_outputs(&why);
    if (status == STATUS_OK)
        status = name_lists_open(&tracer.names, tracer.settings.names, &why);
    if (status == STATUS_OK)
        status = limits_open(&why);
    if (status == STATUS_OK) {
        inline_less();
        if (tracer.settings.is_alone)
            on_exit(on_process_end, NULL);
        return JNI_OK;
    }
    complain(&why);
    give_up();
}

/* Native methods of Names */

#define NAMES(result, name, ...) NATIVE(result, names_##name, __VA_ARGS__)
#define HEADER "java/lang/EttraceHeader"

/* The text of a string, to be released with drop_text; "" if there is no memory. */
static const char *take_text(JNIEnv *jni, jstring string)
{
    const char *text = string ? (*jni)->GetStringUTFChars(jni, string, NULL) : NULL;
    if (string && !text)
        tracer_out_of_memory();
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
    uint32_t number = tracer_type(text);
    drop_text(jni, name, text);
    return (jint)number;
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
    return (jint)tracer_constant();
}

NAMES(jstring, setting, jstring name)
{
    const char *text = take_text(jni, name);
    const char *value = settings_text(&tracer.settings, text);
    drop_text(jni, name, text);
    return value ? (*jni)->NewStringUTF(jni, value) : NULL;
}

NAMES(void, defined, jint type)
{
    if (type > 0)
        object_class_defined(&tracer.types[type]);
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
    return thread_is_suspended();
}

NAMES(jlong, refer, jobject object)
{
    return (jlong)(uintptr_t)object_weak_reference(jni, object);
}

NAMES(jboolean, refersTo, jlong reference, jobject object)
{
    return (*jni)->IsSameObject(jni, (jweak)(uintptr_t)reference, object);
}

NAMES(void, forget, jlong reference)
{
    if (reference)
        (*jni)->DeleteWeakGlobalRef(jni, (jweak)(uintptr_t)reference);
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

/* The virtual machine's name for the error; NULL: there was none, or it has no name. */
static jstring error_name(JNIEnv *jni, jvmtiError error)
{
    char *name = NULL;
    if (error == JVMTI_ERROR_NONE ||
        (*tracer.jvmti)->GetErrorName(tracer.jvmti, error, &name) != 0)
        return NULL;
    jstring text = (*jni)->NewStringUTF(jni, name);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)name);
    return text;
}

/* A global reference to an element; NULL: no memory. */
static jclass element_of(JNIEnv *jni, jobjectArray classes, jint index)
{
    jobject local = (*jni)->GetObjectArrayElement(jni, classes, index);
    jclass global = native_code_keep(jni, local);
    (*jni)->DeleteLocalRef(jni, local);
    return global;
}

/* The references are global because a native method may have only a few local ones. */
static jstring JNICALL names_retransform(NATIVE_CALLER, jobjectArray classes)
{
    jint count = (*jni)->GetArrayLength(jni, classes), made = 0;
    jclass *list = array_new((size_t)count, sizeof *list);
    while (list && made < count && (list[made] = element_of(jni, classes, made)))
        made++;
    jvmtiError error = list && made == count
                           ? (*tracer.jvmti)->RetransformClasses(tracer.jvmti, count, list)
                           : JVMTI_ERROR_OUT_OF_MEMORY;
    while (made > 0)
        native_code_drop(jni, list[--made]);
    free(list);
    return error_name(jni, error);
}

static void refuse(const char *reason)
{
    struct failure why = {0};
    fail(&why, STATUS_MEANING, "%s", reason);
    complain(&why);
    give_up();
}

NAMES(void, refuse, jstring reason)
{
    refuse(take_text(jni, reason));
}

static void JNICALL names_start(NATIVE_CALLER)
{
    if (tracer.settings.level != LEVEL_ET3 && !native_code_watch(tracer.jvmti))
        tracer_problem("native code: its functions could not be replaced");
    if (!unloading_start(jni))
        tracer_problem(
            "class loaders: those of this virtual machine are unknown; no class is unloaded");
    if (!missed_start(tracer.jvmti))
        tracer_problem(
            "classes that the agent loads: the virtual machine does not report them");
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

static jboolean JNICALL names_hasHeaders(NATIVE_CALLER)
{
    return header_is_used;
}

/* Defines a class with the bootstrap loader, which no method of Java does. */
NAMES(void, define, jbyteArray file)
{
    jsize length = (*jni)->GetArrayLength(jni, file);
    jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
    if (!bytes)
        return; /* an exception is pending */
    (*jni)->DefineClass(jni, NULL, NULL, bytes, length);
    (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
}

static jstring JNICALL names_obstacle(NATIVE_CALLER)
{
    jclass header = (*jni)->FindClass(jni, HEADER);
    jmethodID obstacle =
        header ? (*jni)->GetStaticMethodID(jni, header, "obstacle", "()Ljava/lang/String;")
               : NULL;
    return obstacle ? (*jni)->CallStaticObjectMethod(jni, header, obstacle) : NULL;
}

/* Returns the address of what probes in Java share with the native part. */
JNIEXPORT jlong JNICALL Java_java_lang_EttraceRecords_shared(JNIEnv *jni, jclass records);
JNIEXPORT jlong JNICALL Java_java_lang_EttraceRecords_shared(JNIEnv *jni, jclass records)
{
    (void)records;
    if (!quick_open(jni))
        refuse("Memory has run out");
    return (jlong)(uintptr_t)quick_shared();
}

/* Has the class that writes records in Java look at the layout of objects. */
static bool start_records(JNIEnv *jni)
{
    jclass records = (*jni)->FindClass(jni, "java/lang/EttraceRecords");
    jmethodID start = records ? (*jni)->GetStaticMethodID(jni, records, "start", "()V") : NULL;
    if (start)
        (*jni)->CallStaticVoidMethod(jni, records, start);
    return start && !(*jni)->ExceptionCheck(jni);
}

/* Headers were asked for, but ids are tags: with -v, this is reported. */
NAMES(void, refuseHeaders, jstring reason)
{
    const char *text = take_text(jni, reason);
    if (tracer.settings.verbose)
        fprintf(messages(), "ettrace: Ids are tags: %s.\n", text);
    drop_text(jni, reason, text);
}

/* Must be called before any class has probes. */
NAMES(void, probes, jboolean has_headers)
{
    jclass header = NULL, header_probe = NULL;
    jclass probe = (*jni)->FindClass(jni, "java/lang/EttraceProbe");
    bool fits = probe != NULL;
    if (fits && has_headers)
        fits = (header = (*jni)->FindClass(jni, HEADER)) &&
               (header_probe = (*jni)->FindClass(jni, "java/lang/EttraceHeaderProbe")) &&
               start_records(jni) && header_start(jni, header);
    if (!fits || !probes_bind(jni, probe, header_probe))
        refuse("The tracer does not fit this virtual machine");
    tracer.tags_too = tracer.settings.checks || tracer.settings.truth;
}

/* The native method of Agent. */
static jbyteArray JNICALL agent_replaced(JNIEnv *jni, jclass agent, jobject loader,
                                         jbyteArray file, jint flags)
{
    jmethodID method =
        (*jni)->GetStaticMethodID(jni, agent, "replacement", "(Ljava/lang/ClassLoader;[BI)[B");
    return method ? (*jni)->CallStaticObjectMethod(jni, agent, method, loader, file, flags)
                  : NULL;
}

static bool bind_agent(JNIEnv *jni)
{
    static const JNINativeMethod replaced = {"replaced", "(Ljava/lang/ClassLoader;[BI)[B",
                                             __extension__(void *) agent_replaced};
    jclass agent = (*jni)->FindClass(jni, "etmerlin/tracer/Agent");
    return agent && (*jni)->RegisterNatives(jni, agent, &replaced, 1) == 0;
}

JNIEXPORT jboolean JNICALL Java_etmerlin_tracer_Names_bind(JNIEnv *jni, jclass names);
JNIEXPORT jboolean JNICALL Java_etmerlin_tracer_Names_bind(JNIEnv *jni, jclass names)
{
#define STRING "Ljava/lang/String;"
#define OBJECT "Ljava/lang/Object;"
#define CLASS "Ljava/lang/Class;"
#define BOUND(name, signature) {#name, signature, __extension__(void *) names_##name}
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
        BOUND(refer, "(" OBJECT ")J"),
        BOUND(refersTo, "(J" OBJECT ")Z"),
        BOUND(forget, "(J)V"),
        BOUND(loaded, "()[Ljava/lang/Class;"),
        BOUND(retransform, "([" CLASS ")" STRING),
        BOUND(refuse, "(" STRING ")V"),
        BOUND(start, "()V"),
        BOUND(expect, "(" STRING ")I"),
        BOUND(meet, "(I)V"),
        BOUND(define, "([B)V"),
        BOUND(obstacle, "()" STRING),
        BOUND(hasHeaders, "()Z"),
        BOUND(refuseHeaders, "(" STRING ")V"),
        BOUND(probes, "(Z)V"),
    };
    if (!tracer.names)
        return false;
    if ((*jni)->RegisterNatives(jni, names, methods, sizeof methods / sizeof *methods) != 0 ||
        !bind_agent(jni))
        refuse("The tracer does not fit this virtual machine");
    if (!collect_is_possible(jni))
        refuse(
            "--check and --truth force collections, and the garbage collector of this virtual "
            "machine frees nothing; leave out -XX:+UseEpsilonGC, or the option");
    if ((tracer.settings.checks || tracer.settings.truth) &&
        hotspot_flag_is_set(tracer.jvmti, "UseStringDeduplication"))
        refuse(
            "--check and --truth compare the trace with the heap, where equal strings share "
            "their arrays, which no trace has; leave out -XX:+UseStringDeduplication, or the "
            "option");
    if (!offsets_start(jni))
        tracer_problem(
            "stores by offset: this virtual machine does not give the offsets of fields");
    if (!indirect_start(jni))
        tracer_problem("stores by reflection: this virtual machine has other methods for them");
    id_cache_start();
    return true;
}
