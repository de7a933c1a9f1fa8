/* SPDX-License-Identifier: MIT */
/* A limit is a method, by its number, or a signal. The handler of the signal only sets what
 * the next probe looks at. The signal is SIGUSR1, since the virtual machine uses the others.
 * If the signal that ends comes before a method has begun the trace, the next one begins it,
 * and it ends there: what a program that waits gets within a second are two signals, too. */
#include "trace_limits.h"

#include "quick.h"
#include "tracer.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char signal_name[] = "SIGUSR1";

/* A method, or a call of it. Methods of a class with the same name are one. */
struct limit {
    uint32_t method; /* 0: none */
    uint64_t number; /* of the call, from 1; 0: any one */
};

enum { COUNTERS = 2 };

_Atomic bool limits_are_counted;

static struct {
    struct limit first, last;
    /* The calls of a method. Where one of the methods of a name passes a call on to another, or
     * to itself, that is no call of its own. The first counter is of --start-at. If --stop-at
     * has the same method, it has no other: a call has the same number for both options, also
     * where several threads call the method at once. */
    struct counter {
        uint32_t method;        /* 0: none */
        _Atomic uint64_t calls; /* that have begun */
    } counters[COUNTERS];
    bool begins_by_signal, ends_by_signal;
    _Atomic bool has_come; /* the signal that begins */
    _Atomic bool has_ended;
    pthread_mutex_t lock; /* of the patterns */
    struct pattern {
        char *text;
        bool is_met;
    } *patterns;
    size_t pattern_count;
} limits = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The mark comes first: a thread that begins the trace meanwhile looks at it after it has set
 * has_begun. */
static void end_by_signal(void)
{
    atomic_store(&limits.has_ended, true);
    if (!limits.begins_by_signal || atomic_load(&tracer.has_begun))
        limits_end();
}

static void on_signal(int number)
{
    (void)number;
    if (limits.begins_by_signal && !atomic_exchange(&limits.has_come, true))
        atomic_store(&tracer.is_waiting, true);
    else if (limits.ends_by_signal)
        end_by_signal();
}

/* Reads the value of an option into *limit or *by_signal; NULL sets neither. */
static enum status take_limit(const char *option, const char *text, struct limit *limit,
                              bool *by_signal, struct failure *why)
{
    if (!text)
        return STATUS_OK;
    *by_signal = strcmp(text, signal_name) == 0;
    if (*by_signal)
        return STATUS_OK;
    struct limit_words words;
    if (settings_limit(&words, text))
        return fail(why, STATUS_MEANING, "The agent's setting %s is no CLASS#METHOD", option);
    char *owner = strndup(text, words.owner);
    char *method = strndup(text + words.owner + 1, words.method);
    for (char *at = owner; at && *at; at++)
        if (*at == '.')
            *at = '/';
    limit->number = words.number;
    limit->method = owner && method ? name_of_method(tracer.names, owner, method) : 0;
    free(owner);
    free(method);
    return limit->method ? STATUS_OK : fail_memory(why);
}

enum status limits_open(struct failure *why)
{
    const struct settings *settings = &tracer.settings;
    enum status status = take_limit("start-at", settings->start_at, &limits.first,
                                    &limits.begins_by_signal, why);
    if (status == STATUS_OK)
        status =
            take_limit("stop-at", settings->stop_at, &limits.last, &limits.ends_by_signal, why);
    limits.counters[0].method = limits.first.method;
    if (limits.last.method != limits.first.method)
        limits.counters[1].method = limits.last.method;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (status == STATUS_OK && (limits.begins_by_signal || limits.ends_by_signal))
        sigaction(SIGUSR1, &action, NULL);
    return status;
}

bool limits_show_losses(void)
{
    return !limits.first.method && !limits.begins_by_signal && !limits.ends_by_signal;
}

void limits_wait(void)
{
    if (!limits.begins_by_signal) {
        atomic_store(&tracer.is_waiting, true);
        if (atomic_load(&limits.has_ended)) /* the signal may have come just before */
            atomic_store(&tracer.is_waiting, false);
    }
    atomic_store(&limits_are_counted, limits.first.number || limits.last.number);
}

/* Adds 1 or -1 to the calls of that counter which are open in the calling thread; their number
 * is never less than 0. Returns what it was before. The virtual machine keeps it, since it does
 * so for virtual threads, too, and before the trace begins. */
static uintptr_t count_open(unsigned counter, int step)
{
    enum { BITS = sizeof(uintptr_t) * CHAR_BIT / COUNTERS };
    const uintptr_t one = (uintptr_t)1 << counter * BITS, most = ((uintptr_t)1 << BITS) - 1;
    void *kept = NULL;
    (*tracer.jvmti)->GetThreadLocalStorage(tracer.jvmti, NULL, &kept);
    uintptr_t all = (uintptr_t)kept, open = all / one & most;
    if (step > 0 ? open < most : open > 0)
        (*tracer.jvmti)
            ->SetThreadLocalStorage(tracer.jvmti, NULL,
                                    (void *)(step > 0 ? all + one : all - one));
    return open;
}

unsigned limits_entered(uint32_t method)
{
    unsigned roles = 0;
    for (unsigned i = 0; i < COUNTERS; i++) {
        struct counter *counter = &limits.counters[i];
        if (counter->method != method || count_open(i, 1) > 0)
            continue;
        uint64_t number = atomic_fetch_add(&counter->calls, 1) + 1;
        if (method == limits.first.method && number == limits.first.number)
            roles |= CALL_BEGINS_TRACE;
        if (method == limits.last.method && number == limits.last.number)
            roles |= CALL_ENDS_TRACE;
    }
    return roles;
}

void limits_left(uint32_t method)
{
    for (unsigned i = 0; i < COUNTERS; i++)
        if (limits.counters[i].method == method)
            count_open(i, -1);
}

bool limits_begin_with(uint32_t method, unsigned roles)
{
    if (limits.first.number)
        return roles & CALL_BEGINS_TRACE;
    return !limits.first.method || method == limits.first.method;
}

bool limits_counts_last(void)
{
    return limits.last.number != 0;
}

bool limits_end_with(uint32_t method)
{
    return limits.last.method && method == limits.last.method;
}

bool limits_has_last(void)
{
    return limits.last.method != 0;
}

void limits_begin(void)
{
    atomic_store(&tracer.is_active, true);
    if (atomic_load(&limits.has_ended)) /* the signal may have come before the line above */
        atomic_store(&tracer.is_active, false);
    if (!limits.last.number)
        atomic_store(&limits_are_counted, false);
}

void limits_end(void)
{
    atomic_store(&limits.has_ended, true);
    atomic_store(&tracer.is_waiting, false);
    atomic_store(&tracer.is_active, false);
    quick_attend(ATTEND_END);
}

uint32_t limits_expect(const char *pattern)
{
    pthread_mutex_lock(&limits.lock);
    size_t count = limits.pattern_count;
    struct pattern *grown = realloc(limits.patterns, (count + 1) * sizeof *grown);
    char *text = strdup(pattern);
    bool fits = grown && text;
    if (grown)
        limits.patterns = grown;
    if (fits) {
        grown[count] = (struct pattern){.text = text};
        limits.pattern_count = count + 1;
    } else {
        free(text);
    }
    pthread_mutex_unlock(&limits.lock);
    return fits ? (uint32_t)count : UINT32_MAX;
}

void limits_meet(uint32_t pattern)
{
    pthread_mutex_lock(&limits.lock);
    if (pattern < limits.pattern_count)
        limits.patterns[pattern].is_met = true;
    pthread_mutex_unlock(&limits.lock);
}

/* How many calls of the limit's method have begun. */
static uint64_t calls_of(const struct limit *limit)
{
    unsigned counter = limit->method == limits.first.method ? 0 : 1;
    return atomic_load(&limits.counters[counter].calls);
}

/* Prints why there is no trace, if --start-at was to begin it. */
static void report_unbegun(const char *start_at)
{
    uint64_t calls = calls_of(&limits.first);
    if (limits.begins_by_signal)
        fprintf(messages(),
                atomic_load(&limits.has_come)
                    ? "ettrace: No method began after the signal of --start-at=%s; there is no "
                      "trace.\n"
                    : "ettrace: The signal of --start-at=%s did not come; there is no trace.\n",
                start_at);
    else if (limits.first.number && calls)
        fprintf(messages(),
                "ettrace: Only %llu call%s of the method of --start-at=%s began; there is no "
                "trace.\n",
                (unsigned long long)calls, calls == 1 ? "" : "s", start_at);
    else
        fprintf(messages(),
                "ettrace: The method of --start-at=%s was not entered; there is no trace.\n",
                start_at);
}

/* Prints that the call or the method of --stop-at has not ended the trace. */
static void report_unended(const char *stop_at)
{
    uint64_t calls = calls_of(&limits.last);
    if (calls && calls < limits.last.number)
        fprintf(
            messages(),
            "ettrace: Only %llu call%s of the method of --stop-at=%s began; the trace lasts "
            "to the end of the program.\n",
            (unsigned long long)calls, calls == 1 ? "" : "s", stop_at);
    else
        fprintf(messages(),
                "ettrace: The method of --stop-at=%s was not entered and left in the trace, "
                "which lasts to the end of the program.\n",
                stop_at);
}

/* Prints why the trace has not begun or ended as the options say. */
static void report_limits(void)
{
    const struct settings *settings = &tracer.settings;
    bool has_ended = atomic_load(&limits.has_ended);
    if (tracer.has_begun && limits.last.method && !has_ended)
        report_unended(settings->stop_at);
    else if (tracer.has_begun)
        return;
    else if (has_ended && !limits.begins_by_signal)
        fprintf(messages(),
                "ettrace: The signal of --stop-at=%s came before the trace began; there is no "
                "trace.\n",
                settings->stop_at);
    else if (settings->start_at)
        report_unbegun(settings->start_at);
    else if (settings->is_alone)
        fputs(limits.pattern_count > 0
                  ? "ettrace: There is no trace: no method of a program began that --include "
                    "and --exclude leave in.\n"
                  : "ettrace: There is no trace: no method of a program began, and methods of "
                    "the Java runtime begin none.\n",
              messages());
}

void limits_report(void)
{
    report_limits();
    for (size_t i = 0; i < limits.pattern_count; i++)
        if (!limits.patterns[i].is_met)
            fprintf(messages(),
                    "ettrace: No class of the program matches the pattern \"%s\" of --include "
                    "or --exclude.\n",
                    limits.patterns[i].text);
}
