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
    cr_expect(limits_begin_with(method("a/B", "run")));
    cr_expect_not(limits_end_with(method("a/B", "run")));
}

Test(tracer_limits, only_the_method_of_that_class_begins)
{
    open_limits("a.B#run", NULL);
    cr_expect(limits_begin_with(method("a/B", "run")));
    cr_expect_not(limits_begin_with(method("a/C", "run")));
    cr_expect_not(limits_begin_with(method("a/B", "ran")));
}

/* A call of the method, with another one in it that it is passed on to; returns whether the
 * outer one begins the trace. */
static bool call(uint32_t number)
{
    bool begins = limits_begin_with(number);
    cr_expect_not(limits_begin_with(number));
    limits_left(number);
    limits_left(number);
    return begins;
}

Test(tracer_limits, calls_are_counted)
{
    open_limits("a.B#run:3", "a.B#ran:2");
    cr_expect(limits_count() && limits_counts_last());
    cr_expect_not(call(method("a/B", "run")));
    cr_expect_not(call(method("a/C", "run")));
    cr_expect_not(call(method("a/B", "run")));
    cr_expect(call(method("a/B", "run")));
    for (int i = 1; i < 4; i++) {
        cr_expect_eq(limits_is_last_call(method("a/B", "ran")), i == 2, "%d", i);
        cr_expect_not(limits_is_last_call(method("a/B", "ran")), "%d, within it", i);
        limits_left(method("a/B", "ran"));
        limits_left(method("a/B", "ran"));
    }
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
    cr_expect(limits_begin_with(method("a/B", "run")));
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
    static const char *const bad[] = {"run", "#run", "a.B#"};
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
