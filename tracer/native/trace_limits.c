/* SPDX-License-Identifier: MIT */
/* A limit is a method, by its number, or a signal. The handler of the signal only sets what
 * the next probe looks at. The signal is SIGUSR1, since the virtual machine uses the others.
 * If the signal that ends comes before a method has begun the trace, the next one begins it,
 * and it ends there: what a program that waits gets within a second are two signals, too. */
#include "trace_limits.h"

#include "messages.h"
#include "quick.h"
#include "tracer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char signal_name[] = "SIGUSR1";

/* A call of a method. Methods of a class with the same name are one; where one of them passes a
 * call on to another, or to itself, that is no call of its own. */
struct limit {
    uint32_t method;        /* 0: none */
    uint64_t number;        /* of the call, from 1; 0: the first one in the trace */
    _Atomic uint64_t calls; /* that have begun */
};

static struct {
    struct limit first, last;
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

/* The calls of the two methods that are open in the thread. */
static __thread uint32_t first_open, last_open;

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

/* Takes the number of the call from the end of the text "METHOD:NUMBER". */
static void take_number(struct limit *limit, char *method)
{
    char *colon = strrchr(method, ':'), *end;
    if (!colon || colon == method || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
        return;
    limit->number = strtoull(colon + 1, &end, 10);
    *colon = '\0';
}

/* Reads the value of an option into *limit or *by_signal; NULL sets neither. */
static enum status take_limit(const char *option, const char *text, struct limit *limit,
                              bool *by_signal, struct failure *why)
{
    if (!text)
        return STATUS_OK;
    const char *mark = strchr(text, '#');
    *by_signal = strcmp(text, signal_name) == 0;
    if (*by_signal)
        return STATUS_OK;
    if (!mark || mark == text || !mark[1])
        return fail(why, STATUS_MEANING, "The agent's setting %s is no CLASS#METHOD", option);
    char *owner = strdup(text);
    if (!owner)
        return fail_memory(why);
    char *method = owner + (mark - text) + 1;
    method[-1] = '\0';
    for (char *at = owner; *at; at++)
        if (*at == '.')
            *at = '/';
    take_number(limit, method);
    limit->method = name_of_method(tracer.names, owner, method);
    free(owner);
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
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (status == STATUS_OK && (limits.begins_by_signal || limits.ends_by_signal))
        sigaction(SIGUSR1, &action, NULL);
    return status;
}

void limits_wait(void)
{
    if (limits.begins_by_signal)
        return;
    atomic_store(&tracer.is_waiting, true);
    if (atomic_load(&limits.has_ended)) /* the signal may have come just before */
        atomic_store(&tracer.is_waiting, false);
}

/* Whether a call of the method that begins, of which `open` others are open, is the one of the
 * limit, or a later one. */
static bool has_come(struct limit *limit, uint32_t method, uint32_t *open)
{
    if (method != limit->method || (*open)++ > 0)
        return false;
    return atomic_fetch_add(&limit->calls, 1) + 1 >= limit->number;
}

bool limits_begin_with(uint32_t method)
{
    if (!limits.first.number)
        return !limits.first.method || method == limits.first.method;
    return has_come(&limits.first, method, &first_open);
}

bool limits_is_last_call(uint32_t method)
{
    return limits.last.number && has_come(&limits.last, method, &last_open) &&
           atomic_load(&limits.last.calls) == limits.last.number;
}

void limits_left(uint32_t method)
{
    if (method == limits.first.method && first_open > 0)
        first_open--;
    if (method == limits.last.method && last_open > 0)
        last_open--;
}

bool limits_count(void)
{
    return limits.first.number || limits.last.number;
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

/* Why a trace did not begin that --start-at was to begin, with a place for its value. */
static const char *unbegun(void)
{
    if (!limits.begins_by_signal)
        return "ettrace: The method of --start-at=%s was not entered; there is no trace.\n";
    return atomic_load(&limits.has_come)
               ? "ettrace: No method began after the signal of --start-at=%s; there is no "
                 "trace.\n"
               : "ettrace: The signal of --start-at=%s did not come; there is no trace.\n";
}

void limits_report(void)
{
    const struct settings *settings = &tracer.settings;
    if (settings->start_at && !tracer.has_begun)
        fprintf(messages(), unbegun(), settings->start_at);
    else if (!tracer.has_begun && settings->is_alone)
        fputs(limits.pattern_count > 0
                  ? "ettrace: There is no trace: no method of a program began that --include "
                    "and --exclude leave in.\n"
                  : "ettrace: There is no trace: no method of a program began, and methods of "
                    "the Java runtime begin none.\n",
              messages());
    else if (tracer.has_begun && limits.last.method && !atomic_load(&limits.has_ended))
        fprintf(
            messages(),
            "ettrace: The method of --stop-at=%s was not entered and left in the trace, which "
            "lasts to the end of the program.\n",
            settings->stop_at);
    for (size_t i = 0; i < limits.pattern_count; i++)
        if (!limits.patterns[i].is_met)
            fprintf(messages(),
                    "ettrace: No class of the program matches the pattern \"%s\" of --include "
                    "or --exclude.\n",
                    limits.patterns[i].text);
}
