/* SPDX-License-Identifier: MIT */
/* The part of Criterion that the unit tests use, for machines without it. Each test runs in a
 * process of its own. Expectations are checked in plain C, and their messages have no values.
 */
#ifndef CRITERION_H
#define CRITERION_H

#include <stdbool.h>
#include <stdlib.h> /* which Criterion's header has, too */
#include <string.h>

/* The options of a test or a suite. A suite's init and fini run around each of its tests. */
struct criterion_options {
    int has_options; /* not used: an initializer needs a member */
    void (*init)(void);
    void (*fini)(void);
    int signal;     /* the signal that must end the test; 0: none */
    double timeout; /* not used */
};

/* A test, or, if `body` is NULL, a suite. */
struct criterion_entry {
    const char *suite, *name;
    void (*body)(void);
    struct criterion_options options;
    struct criterion_entry *next;
};

/* Adds the entry, which must be static, to those that main runs. */
void criterion_add(struct criterion_entry *entry);

/* Reports that the condition `text` on that line is false; the format and its arguments, if not
 * NULL, add a message. */
void criterion_note(const char *file, int line, const char *text, const char *format, ...);

/* Does what criterion_note does, and ends the test. */
_Noreturn void criterion_end(const char *file, int line, const char *text, const char *format,
                             ...);

#define CRITERION_ENTER(label, suite, name, body, ...)                                         \
    static struct criterion_entry criterion_entry_##label = {                                  \
        suite, name, body, {.has_options = 1, __VA_ARGS__}, NULL};                             \
    __attribute__((constructor)) static void criterion_enter_##label(void)                     \
    {                                                                                          \
        criterion_add(&criterion_entry_##label);                                               \
    }
#define TestSuite(suite, ...)                                                                  \
    CRITERION_ENTER(suite, #suite, "", NULL, __VA_ARGS__)                                      \
    struct criterion_entry
#define Test(suite, name, ...)                                                                 \
    static void criterion_body_##suite##_##name(void);                                         \
    CRITERION_ENTER(suite##_##name, #suite, #name, criterion_body_##suite##_##name,            \
                    __VA_ARGS__)                                                               \
    static void criterion_body_##suite##_##name(void)

#define CRITERION_CHECK(holds, fail, text, ...)                                                \
    ((holds) ? (void)0 : fail(__FILE__, __LINE__, text, "" __VA_ARGS__))
#define CRITERION_COMPARE(fail, a, is, b, ...)                                                 \
    CRITERION_CHECK((a)is(b), fail, #a " " #is " " #b, __VA_ARGS__)

#define cr_expect(it, ...) CRITERION_CHECK((it), criterion_note, #it, __VA_ARGS__)
#define cr_expect_not(it, ...) CRITERION_CHECK(!(it), criterion_note, "!" #it, __VA_ARGS__)
#define cr_expect_null(it, ...) CRITERION_COMPARE(criterion_note, it, ==, NULL, __VA_ARGS__)
#define cr_expect_not_null(it, ...) CRITERION_COMPARE(criterion_note, it, !=, NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) CRITERION_COMPARE(criterion_note, a, ==, b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...) CRITERION_COMPARE(criterion_note, a, !=, b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...) CRITERION_COMPARE(criterion_note, a, <, b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...) CRITERION_COMPARE(criterion_note, a, <=, b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...) CRITERION_COMPARE(criterion_note, a, >, b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...) CRITERION_COMPARE(criterion_note, a, >=, b, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)                                                            \
    CRITERION_CHECK(strcmp((a), (b)) == 0, criterion_note, #a " is " #b, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...)                                                      \
    CRITERION_CHECK(memcmp((a), (b), (size)) == 0, criterion_note, #a " is " #b, __VA_ARGS__)

#define cr_assert(it, ...) CRITERION_CHECK((it), criterion_end, #it, __VA_ARGS__)
#define cr_assert_fail(...) criterion_end(__FILE__, __LINE__, "failure", "" __VA_ARGS__)
#define cr_assert_null(it, ...) CRITERION_COMPARE(criterion_end, it, ==, NULL, __VA_ARGS__)
#define cr_assert_not_null(it, ...) CRITERION_COMPARE(criterion_end, it, !=, NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...) CRITERION_COMPARE(criterion_end, a, ==, b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...) CRITERION_COMPARE(criterion_end, a, <, b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) CRITERION_COMPARE(criterion_end, a, <=, b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...) CRITERION_COMPARE(criterion_end, a, >=, b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)                                                            \
    CRITERION_CHECK(strcmp((a), (b)) == 0, criterion_end, #a " is " #b, __VA_ARGS__)

#endif
