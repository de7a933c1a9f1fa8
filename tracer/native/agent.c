/* SPDX-License-Identifier: MIT */
/* How the agent begins and ends in the virtual machine. A failure while the program runs must
 * not end it: the failure is reported on standard error, and the program goes on untraced. Only
 * a failure before the program starts keeps it from starting. Output files are made when the
 * trace begins, so a virtual machine that runs no method of a program makes and replaces none.
 */
#include "collect.h"
#include "hotspot.h"
#include "java_calls.h"
#include "objects.h"
#include "prepared.h"
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

uint32_t tracer_constants(uint32_t count)
{
    pthread_mutex_lock(&tracer.lock);
    uint32_t first = tracer.constants + 1;
    tracer.constants += count;
    pthread_mutex_unlock(&tracer.lock);
    return first;
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
    struct merger_options options = {.names = tracer.names,
                                     .check = outputs->check.descriptor,
                                     .tick_bytes = tracer.settings.tick_bytes,
                                     .leaves_out_repeats = tracer.leaves_out_repeats};
    char begin[sizeof opening->first + sizeof opening->id];
    snprintf(begin, sizeof begin, "%s%s", opening->first, opening->id);
    struct failure later = {0};
    if (options.tick_bytes) /* a method that no class can have */
        options.tick = name_of_method(tracer.names, "ettrace", "<tick>");
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
    if (thread_is_suspended() || !limits_begin_with(method, roles))
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

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)thread;
    java_calls_start(jni);
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
    jvmtiEventCallbacks callbacks = {.VMInit = on_vm_init,
                                     .VMDeath = on_vm_death,
                                     .ClassFileLoadHook = java_calls_offered,
                                     .ThreadEnd = on_thread_end,
                                     .ClassPrepare = prepared_class,
                                     .GarbageCollectionStart = on_collection,
                                     .GarbageCollectionFinish = on_collection};
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_END,
        JVMTI_EVENT_GARBAGE_COLLECTION_START, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH};
    jvmtiEnv *jvmti = tracer.jvmti;
    bool fits = true;
    fits = (*jvmti)->AddCapabilities(jvmti, &wanted) == 0 &&
           (*tracer.classes)->AddCapabilities(tracer.classes, &wanted) == 0 &&
           (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) == 0;
    for (size_t i = 0; i < sizeof events / sizeof *events && fits; i++)
        fits = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL) == 0;
    return fits && threads_follow_virtual(&callbacks);
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

void tracer_refuse(const char *reason)
{
    struct failure why = {0};
    fail(&why, STATUS_MEANING, "%s", reason);
    complain(&why);
    give_up();
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

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    struct failure why = {0};
    (void)reserved;
    spread_frees();
    messages_open();
    tracer.vm = vm;
    enum status status = settings_read(&tracer.settings, options, &why);
    tracer.leaves_out_repeats = tracer.settings.level != LEVEL_ET3 &&
                                !getenv("ETTRACE_EVERY_USE"); /* by tests, to compare both */
    if (status == STATUS_OK && is_other_program(&tracer.settings))
        return JNI_OK;
    if (status == STATUS_OK &&
        ((*vm)->GetEnv(vm, (void **)&tracer.jvmti, JVMTI_VERSION_11) != JNI_OK ||
         (*vm)->GetEnv(vm, (void **)&tracer.classes, JVMTI_VERSION_11) != JNI_OK ||
         !is_new_enough(tracer.jvmti) || !set_up_environment() || !java_calls_prepare()))
        status = fail(&why, STATUS_MEANING,
                      "This virtual machine cannot be traced; Java 17 or later, with JVMTI, is "
                      "needed");
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
