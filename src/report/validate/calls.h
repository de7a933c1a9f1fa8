/* SPDX-License-Identifier: MIT */
/* Matches method entries and exits, thread by thread. */
#ifndef ETMERLIN_REPORT_VALIDATE_CALLS_H
#define ETMERLIN_REPORT_VALIDATE_CALLS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_calls {
    uint64_t id; /* of the thread */
    uint64_t entries;
    uint64_t exits;
    uint64_t unmatched; /* exits of a method that is not open */
    uint64_t unwound;   /* frames left by the exit of an outer one */
    size_t open;        /* frames now */
    /* By open frame: the line in which it was entered, the outermost first. */
    uint64_t *lines;
    size_t line_capacity;
};

struct calls {
    struct frames *frames;
    struct thread_calls *threads; /* in order of appearance */
    size_t count;
    size_t capacity;
};

/* Begins without threads. calls_free releases *calls, also after a failure. */
enum status calls_init(struct calls *calls, struct failure *why) MUST_CHECK;

/* Sets *thread to the index of the thread `id` in calls->threads, to which it adds a new one.
 */
enum status calls_find_thread(struct calls *calls, uint64_t id, uint32_t *thread,
                              struct failure *why) MUST_CHECK;

/* The thread enters `method` in line `line`. */
enum status calls_enter(struct calls *calls, uint32_t thread, uint64_t method, uint64_t line,
                        struct failure *why) MUST_CHECK;

/* The thread leaves `method`. Sets *matched to whether it was open, and *unwound to the number
 * of inner frames that were left with it. */
enum status calls_leave(struct calls *calls, uint32_t thread, uint64_t method, bool *matched,
                        uint64_t *unwound, struct failure *why) MUST_CHECK;

void calls_free(struct calls *calls);

#endif
