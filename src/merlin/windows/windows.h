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

#include "merlin/engine.h"

struct windows;

/* Begins the first reading, of a trace whose records have a time and no thread if
 * `explicit_time`. If `recording` is not NULL, the third reading records that, too, and lives
 * are found (deaths->lives). *options and *recording are copied; what they point to must
 * outlive *out. The caller owns *out (windows_close). */
enum status windows_open(struct windows **out, const struct engine_options *options,
                         bool explicit_time, const struct recorders_options *recording,
                         struct failure *why) MUST_CHECK;

/* The first reading: reads the records of `batch`. */
enum status windows_add(struct windows *windows, const struct batch *batch,
                        struct failure *why) MUST_CHECK;

/* What the first reading has counted so far. */
const struct trace_counts *windows_counts(const struct windows *windows);

/* How many objects the trace has named so far. */
uint64_t windows_named(const struct windows *windows);

/* Makes the numbering for the records of another reading. To be called after windows_compute,
 * with WANT_NUMBERS or options->renumber. `windows` must outlive *out, which the caller owns
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
