/* SPDX-License-Identifier: MIT */
/* Assertions about statuses and numbers that all unit tests share. */
#ifndef ETMERLIN_TESTS_EXPECT_H
#define ETMERLIN_TESTS_EXPECT_H

#include "base/status.h"

#include <criterion/criterion.h>
#include <inttypes.h>

/* Calls under test write their failures here; it keeps the latest one. */
extern struct failure cause;

/* Fails and ends the test when the condition does not hold. Loops use it, because Criterion's
 * own assertions send a message each time they pass. */
#define must(condition, ...)                                                                   \
    do {                                                                                       \
        if (!(condition))                                                                      \
            cr_assert_fail(__VA_ARGS__);                                                       \
    } while (0)

/* Fails and ends the test unless the call returns STATUS_OK. */
#define ok(call) must((call) == STATUS_OK, "%s fails: %s", #call, cause.text ? cause.text : "?")

#define expect_number(actual, expected)                                                        \
    do {                                                                                       \
        uint64_t actual_ = (actual), expected_ = (expected);                                   \
        cr_expect(actual_ == expected_, "%s is %" PRIu64 ", not %" PRIu64, #actual, actual_,   \
                  expected_);                                                                  \
    } while (0)

/* Expects that the call returns this status, and that `cause` has it with this line and text.
 */
#define expect_failure(call, status_, line_, text_)                                            \
    do {                                                                                       \
        cr_expect_eq((call), status_, "%s succeeds or has another status", #call);             \
        cr_expect_eq(cause.status, status_);                                                   \
        expect_number(cause.line, line_);                                                      \
        cr_expect_str_eq(cause.text ? cause.text : "", text_);                                 \
    } while (0)

#define ITEMS(array) (sizeof(array) / sizeof *(array))

#endif
