/* SPDX-License-Identifier: MIT */
/* The births and lives of a trace, one after the other: all that reports see of it, whichever
 * engine found the deaths.
 *
 * Births come in the order of allocation. Lives come in the order of death, those of one
 * boundary in the order of allocation, and what survives comes last, in the order of
 * allocation. Both can be read as often as one likes, and by several threads at once. */
#ifndef ETMERLIN_MERLIN_LIVES_H
#define ETMERLIN_MERLIN_LIVES_H

#include "merlin/life_facts.h"

struct interrupt;
struct life_stream;

struct life_stream_options {
    bool survivors_die;                /* at the end of the trace */
    bool wants_causes;                 /* and groups, of computed deaths */
    const struct interrupt *interrupt; /* of births_visit and lives_visit; NULL: none */
};

/* The lives of computed deaths. *deaths and its history must outlive *out, which the caller
 * owns (life_stream_close). In a table of all objects the history has life records and
 * allocation records (last_use.h), and its slots if causes are wanted; of windows deaths->lives
 * is there, with or without causes. */
enum status life_stream_open(struct life_stream **out, const struct deaths *deaths,
                             const struct life_stream_options *options,
                             struct failure *why) MUST_CHECK;

/* The lives of the deaths that are recorded in the input: `history` has life records of these,
 * and allocation records. A death that is recorded before its object was born is moved to its
 * birth. Causes are unknown, and there are no groups. */
enum status life_stream_open_recorded(struct life_stream **out, struct history *history,
                                      const struct life_stream_options *options,
                                      struct failure *why) MUST_CHECK;

const struct lives_summary *life_stream_summary(const struct life_stream *stream);

/* NULL is allowed. */
void life_stream_close(struct life_stream *stream);

/* A position among the lives. */
struct life_cursor;

/* Starts at the first life. `stream` must outlive *out, which the caller owns
 * (life_cursor_close). */
enum status life_cursor_open(struct life_cursor **out, const struct life_stream *stream,
                             struct failure *why) MUST_CHECK;

/* Sets *life to the next one. STATUS_END: there is none. */
enum status life_cursor_next(struct life_cursor *cursor, struct life_facts *life,
                             struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void life_cursor_close(struct life_cursor *cursor);

/* A position among the births: the same. */
struct birth_cursor;

enum status birth_cursor_open(struct birth_cursor **out, const struct life_stream *stream,
                              struct failure *why) MUST_CHECK;

/* Sets *birth to the next one. STATUS_END: there is none. */
enum status birth_cursor_next(struct birth_cursor *cursor, struct birth_facts *birth,
                              struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void birth_cursor_close(struct birth_cursor *cursor);

/* Goes through all births, or all lives: calls `visit` with each in its order, as long as that
 * returns STATUS_OK. Else returns what it has returned, which is not STATUS_END.
 * STATUS_INTERRUPTED: an interrupt was requested. */
enum status births_visit(const struct life_stream *stream,
                         enum status (*visit)(void *context, const struct birth_facts *birth,
                                              struct failure *why),
                         void *context, struct failure *why) MUST_CHECK;
enum status lives_visit(const struct life_stream *stream,
                        enum status (*visit)(void *context, const struct life_facts *life,
                                             struct failure *why),
                        void *context, struct failure *why) MUST_CHECK;

#endif
