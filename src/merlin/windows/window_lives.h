/* SPDX-License-Identifier: MIT */
/* The facts that reports need of the objects of a window: kept while these live, and stored
 * when they have died. */
#ifndef ETMERLIN_MERLIN_WINDOWS_WINDOW_LIVES_H
#define ETMERLIN_MERLIN_WINDOWS_WINDOW_LIVES_H

#include "merlin/deaths.h"
#include "merlin/lives/stored_lives.h"

struct window_lives;

/* Begins to keep the lives of `pass`, which must record uses and allocations and have no record
 * yet; they are added to `stored`, with causes and groups if `wants_causes`. Both must outlive
 * *out, which the caller owns (window_lives_close). */
enum status window_lives_open(struct window_lives **out, struct pass *pass, bool wants_causes,
                              struct stored_lives *stored, struct failure *why) MUST_CHECK;

/* Takes over the allocations that the pass has recorded since the last call; their records must
 * have had their details (record_spool.h), and the clock must know their ticks. STATUS_LIMIT:
 * the sum of all sizes does not fit 64 bits. */
enum status window_lives_note(struct window_lives *lives, struct failure *why) MUST_CHECK;

/* Stores the births since the latest collection, and the first `count` lives of `window`: its
 * deaths and, at the end of the trace, what survives. */
enum status window_lives_store(struct window_lives *lives, const struct deaths *window,
                               size_t count, struct failure *why) MUST_CHECK;

/* To be called before pass_move with `moved`: forgets what is released. */
void window_lives_move(struct window_lives *lives, const node_t *moved);

/* To be called after the last record, when everything has been stored. */
enum status window_lives_finish(struct window_lives *lives, struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void window_lives_close(struct window_lives *lives);

#endif
