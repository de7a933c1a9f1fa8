/* SPDX-License-Identifier: MIT */
/* Deaths in memory that follows the live heap.
 *
 * Let T be a boundary. An object that no later record names, that is no value of a static field
 * at T, that no frame open at T holds, and that none of these reaches, is dead at T for good.
 * What was alive at an earlier boundary T0 was reachable from such roots then, so if it is dead
 * at T it died after T0. So the dead can be released at any boundary, and the propagation over
 * them alone gives their deaths: nothing that lives refers to one of them.
 *
 * That no later record names an object is found by reading backward. So there are three
 * readings before the one that writes:
 *
 *   births      forward, of the trace itself: where each object is named first (births.h). The
 *               records are kept in a temporary file, without their text.
 *   mentions    backward, of that file: the last record that names each object (mentions.h).
 *   windows     forward, of that file: the heap as in pass 1 of the table. Whenever it has
 *               become half as large again, what is dead is found and released (collect.h). */
#ifndef ETMERLIN_MERLIN_WINDOWS_WINDOWS_H
#define ETMERLIN_MERLIN_WINDOWS_WINDOWS_H

#include "base/interrupt.h"
#include "merlin/deaths.h"
#include "merlin/numbering.h"
#include "trace/batch.h"

struct windows;

struct windows_options {
    enum held_by held_by;
    enum unallocated unallocated;
    bool explicit_time; /* records carry a time and no thread */
    unsigned threads;   /* that may work on it: 1 or 2 */
    uint64_t window;    /* fewest nodes and slots between collections; 0: default */
    bool renumber;      /* objects are called by numbers (merlin/numbering.h) */
    struct temporary_folder temporary; /* of temporary files */
    /* Also find the lives of objects: deaths->lives. `prepare` is called with the history,
     * before its first record, and has it keep what the lives need, life records at
     * least. NULL: lives are not wanted. */
    enum status (*prepare)(void *context, struct history *history, struct failure *why);
    const struct interrupt *interrupt; /* NULL: it never stops early */
    /* Called now and then, also when a reading begins, with how many records, of how many, the
     * second (`backward`) or the third reading has gone through. May be NULL. */
    void (*progress)(void *context, bool backward, uint64_t records, uint64_t of);
    void *context; /* of progress and prepare */
};

/* The caller owns *out (windows_close). *options is copied; what it points to must stay. */
enum status windows_open(struct windows **out, const struct windows_options *options,
                         struct failure *why) MUST_CHECK;

/* The first reading: goes on with the records of `batch`. */
enum status windows_add(struct windows *windows, const struct batch *batch,
                        struct failure *why) MUST_CHECK;

/* What the first reading has met so far. */
const struct trace_counts *windows_counts(const struct windows *windows);

/* How many objects the trace has named so far. */
uint64_t windows_named(const struct windows *windows);

/* After windows_compute, with options->renumber: what gives their numbers to the records
 * of another reading. `windows` must outlive *out, which the caller owns (numbering_free). */
enum status windows_numbering(struct windows *windows, struct numbering **out,
                              struct failure *why) MUST_CHECK;

/* What the third reading makes of the trace: with windows_compute it becomes what is alive at
 * the end, of which only the numbers are kept if lives are not wanted. */
struct history *windows_history(struct windows *windows);

/* The second and the third reading. deaths_free releases *deaths, also after a failure;
 * `windows` must outlive it. STATUS_INTERRUPTED: options->interrupt asks to stop. */
enum status windows_compute(struct windows *windows, struct deaths *deaths,
                            struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void windows_close(struct windows *windows);

#endif
