/* SPDX-License-Identifier: MIT */
/* Finds deaths in memory that is proportional to the live heap.
 *
 * Let T be a boundary. An object is dead at T for good if no later record names it, no static
 * field refers to it at T, no frame that is open at T holds it, and no object that one of these
 * applies to reaches it. An object that was alive at an earlier boundary T0 was reachable from
 * such roots then, so if it is dead at T it died after T0. So the dead can be released at any
 * boundary, and the propagation over them alone gives their deaths: nothing that lives refers
 * to one of them.
 *
 * That no later record names an object is found by reading backward. So there are three
 * readings before the one that writes:
 *
 *   births      forward, of the trace itself: where each object is named first (births.c). The
 *               records are kept in a temporary file, without their text.
 *   mentions    backward, of that file: the last record that names each object (mentions.c).
 *   windows     forward, of that file: the heap as in pass 1 of the table. When it has
 *               grown by half, the dead are found and released (collect.c). */
#ifndef ETMERLIN_MERLIN_WINDOWS_WINDOWS_H
#define ETMERLIN_MERLIN_WINDOWS_WINDOWS_H

#include "base/status.h"
#include "merlin/deaths.h"
#include "merlin/numbering.h"
#include "merlin/pass.h"
#include "trace/batch.h"

struct windows;

struct windows_options {
    enum held_by held_by;
    enum unallocated unallocated;
    bool explicit_time; /* records have a time and no thread */
    unsigned threads;   /* how many may be used: 1 or 2 */
    uint64_t window;    /* the fewest nodes and slots that the heap has at a collection; 0: the
                           default */
    bool keeps_numbers; /* windows_numbering may be called */
    bool renumber;      /* objects get numbers as ids (merlin/numbering.h); with keeps_numbers
                         */
    struct temporary_folder temporary; /* of temporary files */
    /* What the third reading records for lives, uses and allocations at least. NULL: lives are
     * not wanted; else they are found, too (deaths->lives). It is copied. */
    const struct recorders_options *recording;
    bool wants_causes;                 /* lives have the causes of deaths, and groups */
    bool keeps_clock;                  /* the third reading keeps the times of all ticks */
    const struct interrupt *interrupt; /* NULL: the work never stops early */
    /* Called now and then, also when a reading begins, with the progress of the second
     * (`backward`) or the third reading: `records` of `of`. May be NULL. */
    void (*progress)(void *context, bool backward, uint64_t records, uint64_t of);
    void *context; /* of progress */
};

/* Begins the first reading. *options is copied; what it points to must outlive *out. The caller
 * owns *out (windows_close). */
enum status windows_open(struct windows **out, const struct windows_options *options,
                         struct failure *why) MUST_CHECK;

/* The first reading: reads the records of `batch`. */
enum status windows_add(struct windows *windows, const struct batch *batch,
                        struct failure *why) MUST_CHECK;

/* What the first reading has counted so far. */
const struct trace_counts *windows_counts(const struct windows *windows);

/* How many objects the trace has named so far. */
uint64_t windows_named(const struct windows *windows);

/* Makes the numbering for the records of another reading. To be called after windows_compute,
 * with options->keeps_numbers. `windows` must outlive *out, which the caller owns
 * (numbering_free).
 */
enum status windows_numbering(struct windows *windows, struct numbering **out,
                              struct failure *why) MUST_CHECK;

/* The pass that the third reading makes. After windows_compute it has what is alive at the
 * end; if lives are not wanted, only the numbers of these. */
struct pass *windows_pass(struct windows *windows);

/* Does the second and the third reading. deaths_free releases *deaths, also after a failure;
 * `windows` must outlive *deaths. STATUS_INTERRUPTED: options->interrupt asks to stop. */
enum status windows_compute(struct windows *windows, struct deaths *deaths,
                            struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void windows_close(struct windows *windows);

#endif
