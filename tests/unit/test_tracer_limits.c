/* SPDX-License-Identifier: MIT */
#include "../../tracer/native/trace_limits.h"
#include "machine.h"
#include "support.h"

#include <criterion/redirect.h>
#include <signal.h>

TestSuite(tracer_limits);

static char *copy(const char *text)
{
    char *copied = strdup(text);
    cr_assert_not_null(copied);
    return copied;
}

static uint32_t method(const char *owner, const char *name)
{
    return name_of_method(tracer.names, owner, name);
}

static void open_limits(const char *start, const char *stop)
{
    machine_start();
    tracer.settings.start_at = start ? copy(start) : NULL;
    tracer.settings.stop_at = stop ? copy(stop) : NULL;
    ok(limits_open(&cause));
}

Test(tracer_limits, any_method_begins_where_none_is_named)
{
    open_limits(NULL, NULL);
    limits_wait();
    cr_expect(atomic_load(&tracer.is_waiting));
    cr_expect(limits_begin_with(method("a/B", "run"), 0));
    cr_expect_not(limits_end_with(method("a/B", "run")));
}

Test(tracer_limits, only_the_method_of_that_class_begins)
{
    open_limits("a.B#run", NULL);
    cr_expect(limits_begin_with(method("a/B", "run"), 0));
    cr_expect_not(limits_begin_with(method("a/C", "run"), 0));
    cr_expect_not(limits_begin_with(method("a/B", "ran"), 0));
}

/* A call of the method, with another one in it that it is passed on to; returns what the outer
 * one is. */
static unsigned call(uint32_t number)
{
    unsigned roles = limits_entered(number);
    cr_expect_eq(limits_entered(number), 0, "it counts twice");
    limits_left(number);
    limits_left(number);
    return roles;
}

Test(tracer_limits, calls_are_counted)
{
    open_limits("a.B#run:3", "a.B#ran:2");
    cr_expect_not(atomic_load(&limits_are_counted), "the program does not run yet");
    limits_wait();
    cr_expect(atomic_load(&limits_are_counted) && limits_counts_last());
    uint32_t run = method("a/B", "run"), ran = method("a/B", "ran");
    for (unsigned i = 1; i < 5; i++) {
        cr_expect_eq(call(method("a/C", "run")), 0);
        cr_expect_eq(call(run), i == 3 ? CALL_BEGINS_TRACE : 0, "call %u of run", i);
        cr_expect_eq(call(ran), i == 2 ? CALL_ENDS_TRACE : 0, "call %u of ran", i);
    }
    cr_expect(limits_begin_with(run, CALL_BEGINS_TRACE));
    cr_expect_not(limits_begin_with(run, 0), "another call begins the trace");
}

Test(tracer_limits, calls_are_counted_as_long_as_one_is_awaited)
{
    open_limits("a.B#run:3", NULL);
    limits_wait();
    cr_expect(atomic_load(&limits_are_counted));
    limits_begin();
    cr_expect_not(atomic_load(&limits_are_counted));
}

Test(tracer_limits, calls_are_counted_in_the_trace_for_its_end)
{
    open_limits("a.B#run:3", "a.B#run:3");
    limits_wait();
    limits_begin();
    cr_expect(atomic_load(&limits_are_counted));
}

Test(tracer_limits, a_call_has_one_number_for_both_options)
{
    open_limits("a.B#run:3", "a.B#run:3");
    limits_wait();
    for (unsigned i = 1; i < 5; i++)
        cr_expect_eq(call(method("a/B", "run")),
                     i == 3 ? CALL_BEGINS_TRACE | CALL_ENDS_TRACE : 0, "call %u", i);
}

enum { CALLERS = 4, CALLS = 5000 };

struct caller {
    pthread_t thread;
    unsigned counts[4]; /* calls, by what they are */
};

static void *call_often(void *argument)
{
    struct caller *caller = argument;
    uint32_t run = method("a/B", "run");
    for (int i = 0; i < CALLS; i++) {
        caller->counts[limits_entered(run)]++;
        limits_left(run);
    }
    return NULL;
}

Test(tracer_limits, of_calls_at_once_one_is_the_one)
{
    struct caller callers[CALLERS] = {0};
    open_limits("a.B#run:9999", "a.B#run:9999");
    limits_wait();
    for (int i = 0; i < CALLERS; i++)
        pthread_create(&callers[i].thread, NULL, call_often, &callers[i]);
    unsigned counts[4] = {0};
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        for (int role = 0; role < 4; role++)
            counts[role] += callers[i].counts[role];
    }
    cr_expect_eq(counts[CALL_BEGINS_TRACE | CALL_ENDS_TRACE], 1);
    cr_expect_eq(counts[0], CALLERS * CALLS - 1);
}

/* A virtual thread waits within its call, and its carrier runs another one, which calls, too.
 */
Test(tracer_limits, open_calls_are_those_of_the_virtual_thread)
{
    open_limits("a.B#run:2", "a.B#ran");
    limits_wait();
    uint32_t run = method("a/B", "run");
    cr_expect_eq(limits_entered(run), 0);
    void *first = machine_kept_for_thread;
    machine_kept_for_thread = NULL;
    cr_expect_eq(limits_entered(run), CALL_BEGINS_TRACE,
                 "it counts as a call within the first");
    limits_left(run);
    machine_kept_for_thread = first;
    cr_expect_eq(limits_entered(run), 0);
    limits_left(run);
    limits_left(run);
    cr_expect_null(machine_kept_for_thread);
}

Test(tracer_limits, a_call_that_began_before_counting_may_end)
{
    open_limits("a.B#run:2", "a.B#ran:1");
    limits_wait();
    limits_left(method("a/B", "run"));
    limits_left(method("a/B", "ran"));
    cr_expect_eq(call(method("a/B", "run")), 0);
    cr_expect_eq(call(method("a/B", "ran")), CALL_ENDS_TRACE);
    cr_expect_eq(call(method("a/B", "run")), CALL_BEGINS_TRACE);
}

Test(tracer_limits, the_end_is_the_end)
{
    open_limits(NULL, "a.B#run");
    atomic_store(&tracer.is_active, true);
    cr_expect(limits_end_with(method("a/B", "run")));
    limits_end();
    cr_expect_not(atomic_load(&tracer.is_active));
    limits_wait();
    cr_expect_not(atomic_load(&tracer.is_waiting), "the trace begins anew");
}

Test(tracer_limits, the_first_signal_begins_and_the_second_ends)
{
    open_limits("SIGUSR1", "SIGUSR1");
    limits_wait();
    cr_expect_not(atomic_load(&tracer.is_waiting), "it waits for the signal");
    raise(SIGUSR1);
    cr_expect(atomic_load(&tracer.is_waiting));
    cr_expect(limits_begin_with(method("a/B", "run"), 0));
    atomic_store(&tracer.has_begun, true);
    limits_begin();
    cr_expect(atomic_load(&tracer.is_active));
    raise(SIGUSR1);
    cr_expect_not(atomic_load(&tracer.is_active));
    cr_expect_not(atomic_load(&tracer.is_waiting));
}

Test(tracer_limits, two_signals_before_a_method_begin_and_end_an_empty_trace)
{
    open_limits("SIGUSR1", "SIGUSR1");
    raise(SIGUSR1);
    raise(SIGUSR1);
    cr_expect(atomic_load(&tracer.is_waiting), "the next method begins");
    atomic_store(&tracer.has_begun, true);
    limits_begin();
    cr_expect_not(atomic_load(&tracer.is_active), "the trace lasts to the end");
}

/* The first method of the program opens the files before it begins the trace. */
Test(tracer_limits, an_end_that_comes_while_the_trace_begins_is_the_end)
{
    open_limits(NULL, "SIGUSR1");
    limits_begin();
    cr_expect(atomic_load(&tracer.is_active));
    raise(SIGUSR1);
    limits_begin();
    cr_expect_not(atomic_load(&tracer.is_active), "the trace lasts to the end");
}

Test(tracer_limits, what_names_no_method_is_refused)
{
    static const char *const bad[] = {"run", "#run", "a.B#", "a.B#run:0"};
    machine_start();
    for (size_t i = 0; i < ITEMS(bad); i++) {
        tracer.settings.start_at = copy(bad[i]);
        expect_failure(limits_open(&cause), STATUS_MEANING, 0,
                       "The agent's setting start-at is no CLASS#METHOD");
        failure_clear(&cause);
        free(tracer.settings.start_at);
    }
}

Test(tracer_limits, what_has_not_come_is_reported, .init = cr_redirect_stderr)
{
    open_limits("a.B#run", NULL);
    limits_expect("x.*");
    limits_meet(limits_expect("y.*"));
    limits_expect("z.*");
    limits_report();
    fflush(stderr);
    cr_expect_stderr_eq_str(
        "ettrace: The method of --start-at=a.B#run was not entered; there is no trace.\n"
        "ettrace: No class of the program matches the pattern \"x.*\" of --include or "
        "--exclude.\n"
        "ettrace: No class of the program matches the pattern \"z.*\" of --include or "
        "--exclude.\n");
}

/* Expects that the options lead to this one message, after `calls` calls of the method. */
static void expect_report(const char *start, const char *stop, unsigned calls,
                          const char *message)
{
    open_limits(start, stop);
    limits_wait();
    while (calls-- > 0)
        call(method("a/B", "run"));
    limits_report();
    fflush(stderr);
    cr_expect_stderr_eq_str(message);
}

Test(tracer_limits, calls_that_have_not_come_are_counted_in_the_message,
     .init = cr_redirect_stderr)
{
    expect_report("a.B#run:3", NULL, 2,
                  "ettrace: Only 2 calls of the method of --start-at=a.B#run:3 began; there is "
                  "no trace.\n");
}

Test(tracer_limits, no_call_is_no_entry, .init = cr_redirect_stderr)
{
    expect_report("a.B#run:3", NULL, 0,
                  "ettrace: The method of --start-at=a.B#run:3 was not entered; there is no "
                  "trace.\n");
}

Test(tracer_limits, an_end_by_call_that_has_not_come_is_reported, .init = cr_redirect_stderr)
{
    tracer.has_begun = true;
    expect_report(NULL, "a.B#run:2", 1,
                  "ettrace: Only 1 call of the method of --stop-at=a.B#run:2 began; the trace "
                  "lasts to the end of the program.\n");
}

Test(tracer_limits, an_end_by_call_before_the_trace_is_reported, .init = cr_redirect_stderr)
{
    tracer.has_begun = true;
    expect_report(NULL, "a.B#run:2", 2,
                  "ettrace: The method of --stop-at=a.B#run:2 was not entered and left in the "
                  "trace, which lasts to the end of the program.\n");
}

Test(tracer_limits, a_signal_that_ends_before_the_beginning_is_reported,
     .init = cr_redirect_stderr)
{
    open_limits("a.B#run", "SIGUSR1");
    limits_wait();
    raise(SIGUSR1);
    limits_report();
    fflush(stderr);
    cr_expect_stderr_eq_str("ettrace: The signal of --stop-at=SIGUSR1 came before the trace "
                            "began; there is no trace.\n");
}

Test(tracer_limits, the_words_of_a_limit)
{
    static const struct {
        const char *text;
        struct limit_words words;
    } good[] = {
        {"a.B#run", {3, 3, 0}},
        {"a/B$C#<init>:12", {5, 6, 12}},
        {"B#a b:18446744073709551615", {1, 3, UINT64_MAX}},
        {"B#m:007", {1, 1, 7}},
    };
    static const struct {
        const char *text, *fault;
    } bad[] = {
        {"", "is neither"},           {"run:1", "is neither"},
        {"#run", "is neither"},       {"B#", "has no name"},
        {"B#:5", "has no name"},      {"B#m#n", "has no name"},
        {"B#x.y:1", "has no name"},   {"B#m([J)V", "has no name"},
        {"B#m:", "has no number"},    {"B#m:x", "has no number"},
        {"B#m:1:2", "has no number"}, {"B#m:+1", "has no number"},
        {"B#m:0", "has no number"},   {"B#m:18446744073709551616", "has no number"},
    };
    struct limit_words words;
    for (size_t i = 0; i < ITEMS(good); i++) {
        cr_expect_null(settings_limit(&words, good[i].text), "%s", good[i].text);
        cr_expect_eq(words.owner, good[i].words.owner, "%s", good[i].text);
        cr_expect_eq(words.method, good[i].words.method, "%s", good[i].text);
        cr_expect_eq(words.number, good[i].words.number, "%s", good[i].text);
    }
    for (size_t i = 0; i < ITEMS(bad); i++) {
        const char *fault = settings_limit(&words, bad[i].text);
        cr_expect(fault && strncmp(fault, bad[i].fault, strlen(bad[i].fault)) == 0, "%s: %s",
                  bad[i].text, fault);
    }
}

Test(tracer_limits, an_end_that_has_not_come_is_reported, .init = cr_redirect_stderr)
{
    open_limits(NULL, "a.B#run");
    tracer.has_begun = true;
    limits_report();
    fflush(stderr);
    cr_expect_stderr_eq_str("ettrace: The method of --stop-at=a.B#run was not entered and left "
                            "in the trace, which lasts to the end of the program.\n");
}

Test(tracer_limits, a_pattern_without_memory_has_no_number, .init = cr_redirect_stderr)
{
    open_limits(NULL, NULL);
    tracer.has_begun = true;
    fail_reallocations(1);
    uint32_t lacking = limits_expect("x.*");
    uint32_t next = limits_expect("y.*");
    cr_expect_neq(lacking, next);
    limits_meet(lacking);
    limits_report();
    fflush(stderr);
    cr_expect_stderr_eq_str(
        "ettrace: No class of the program matches the pattern \"y.*\" of --include or "
        "--exclude.\n");
}
