/* SPDX-License-Identifier: MIT */
/* Lives in temporary files, for windows: all facts that reports print of an object, in the
 * order of death, and the births, in the order of allocation. */
#ifndef ETMERLIN_MERLIN_LIVES_STORED_LIVES_H
#define ETMERLIN_MERLIN_LIVES_STORED_LIVES_H

#include "io/temporary/numbers.h"
#include "merlin/lives/life_facts.h"

struct stored_lives;

/* Makes an empty list of lives in `temporary` (NULL: see spool_open). The caller owns *out
 * (stored_lives_close). */
enum status stored_lives_open(struct stored_lives **out,
                              const struct temporary_folder *temporary,
                              struct failure *why) MUST_CHECK;

/* Appends a birth. Births must come in the order of allocation. */
enum status stored_lives_add_birth(struct stored_lives *lives, const struct birth_facts *birth,
                                   struct failure *why) MUST_CHECK;

/* Appends a life; ticks of deaths may not go down, and what survives must come last. */
enum status stored_lives_add(struct stored_lives *lives, const struct life_facts *life,
                             struct failure *why) MUST_CHECK;

/* To be called when all births and lives have been added, before a cursor is opened.
 * stored_lives_summary then returns `summary`, but with the numbers of lives, deaths and births
 * that have been added. */
enum status stored_lives_finish(struct stored_lives *lives, const struct lives_summary *summary,
                                struct failure *why) MUST_CHECK;

const struct lives_summary *stored_lives_summary(const struct stored_lives *lives);

/* NULL is allowed. */
void stored_lives_close(struct stored_lives *lives);

/* Makes a cursor before the first life or, for stored_births_read, the first birth. There may
 * be several. `lives` must outlive *out, which the caller owns (number_cursor_close). */
enum status stored_lives_read(struct number_cursor **out, const struct stored_lives *lives,
                              struct failure *why) MUST_CHECK;
enum status stored_births_read(struct number_cursor **out, const struct stored_lives *lives,
                               struct failure *why) MUST_CHECK;

/* Turns *life, or *birth, which is the one before, or zero for the first, into the next one,
 * which there must be. */
enum status stored_life_next(struct number_cursor *cursor, struct life_facts *life,
                             struct failure *why) MUST_CHECK;
enum status stored_birth_next(struct number_cursor *cursor, struct birth_facts *birth,
                              struct failure *why) MUST_CHECK;

#endif
