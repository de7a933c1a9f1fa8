/* SPDX-License-Identifier: MIT */
/* Lives in temporary files, for windows: all facts that reports print of an object, in the
 * order of death, and the births, in the order of allocation. */
#ifndef ETMERLIN_MERLIN_LIVES_STORED_LIVES_H
#define ETMERLIN_MERLIN_LIVES_STORED_LIVES_H

#include "io/temporary/spool.h"
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

/* A position among stored lives. There may be several. */
struct stored_life_cursor;

/* Starts at the first life. `lives` must outlive *out, which the caller owns
 * (stored_life_cursor_close). */
enum status stored_life_cursor_open(struct stored_life_cursor **out,
                                    const struct stored_lives *lives,
                                    struct failure *why) MUST_CHECK;

/* Sets *life to the next life. STATUS_END: there is none. */
enum status stored_life_cursor_next(struct stored_life_cursor *cursor, struct life_facts *life,
                                    struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void stored_life_cursor_close(struct stored_life_cursor *cursor);

/* A position among the births, used like a stored_life_cursor. */
struct stored_birth_cursor;

enum status stored_birth_cursor_open(struct stored_birth_cursor **out,
                                     const struct stored_lives *lives,
                                     struct failure *why) MUST_CHECK;

/* Sets *birth to the next birth. STATUS_END: there is none. */
enum status stored_birth_cursor_next(struct stored_birth_cursor *cursor,
                                     struct birth_facts *birth, struct failure *why) MUST_CHECK;

void stored_birth_cursor_close(struct stored_birth_cursor *cursor);

#endif
