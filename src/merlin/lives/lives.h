/* SPDX-License-Identifier: MIT */
/* The births and lives of a trace, one after the other: all that reports see of it, whichever
 * engine found the deaths.
 *
 * Births are in the order of allocation. Lives are in the order of death, those of one boundary
 * in the order of allocation; what survives comes last, in the order of allocation. Both can be
 * read any number of times, and by several threads at once. */
#ifndef ETMERLIN_MERLIN_LIVES_LIVES_H
#define ETMERLIN_MERLIN_LIVES_LIVES_H

#include "merlin/lives/life_facts.h"

struct life_stream;

struct life_stream_options {
    bool survivors_die;                /* at the end of the trace */
    bool wants_causes;                 /* and groups; of computed deaths */
    enum unallocated unallocated;      /* where recorded deaths have to be computed, too */
    const struct interrupt *interrupt; /* of all that reads them; NULL: none */
};

/* Opens the lives of computed deaths. *deaths and its pass must outlive *out, which the
 * caller owns (life_stream_close). If there is a table of all objects, the pass must have
 * uses and allocations recorded (recorders/), and its slots if causes are
 * wanted; if there are windows, deaths->lives must be there, and has causes or not. */
enum status life_stream_open(struct life_stream **out, const struct deaths *deaths,
                             const struct life_stream_options *options,
                             struct failure *why) MUST_CHECK;

/* Opens the lives by the deaths that the input records. `pass`, which must outlive *out,
 * must have these, uses with proofs, and allocations recorded, and its slots. Of
 * an id that is allocated more than once, a death is that of the object that dies then by
 * computation, if there is one. A death that is recorded before the birth of its object is
 * moved to the birth. Causes are unknown, and there are no groups. */
enum status life_stream_open_recorded(struct life_stream **out, struct pass *pass,
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

/* Sets *life to the next one. STATUS_END: there is none. STATUS_INTERRUPTED: an interrupt was
 * requested. */
enum status life_cursor_next(struct life_cursor *cursor, struct life_facts *life,
                             struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void life_cursor_close(struct life_cursor *cursor);

/* A position among the births, used like a life_cursor. */
struct birth_cursor;

enum status birth_cursor_open(struct birth_cursor **out, const struct life_stream *stream,
                              struct failure *why) MUST_CHECK;

/* Sets *birth to the next one. Returns what life_cursor_next does. */
enum status birth_cursor_next(struct birth_cursor *cursor, struct birth_facts *birth,
                              struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void birth_cursor_close(struct birth_cursor *cursor);

/* Calls `visit` with each birth, or each life, in order, as long as it returns STATUS_OK.
 * `visit` must not return STATUS_END. Returns the first other status, also of reading. */
enum status births_visit(const struct life_stream *stream,
                         enum status (*visit)(void *context, const struct birth_facts *birth,
                                              struct failure *why),
                         void *context, struct failure *why) MUST_CHECK;
enum status lives_visit(const struct life_stream *stream,
                        enum status (*visit)(void *context, const struct life_facts *life,
                                             struct failure *why),
                        void *context, struct failure *why) MUST_CHECK;

/* Deaths and last uses in the order of the allocations, for those who know an object by its
 * allocation record: owned arrays, by the number of the allocation, from 0, objects that were
 * there before the trace included. */
struct lives_in_order {
    uint64_t *deaths;   /* ticks; NEVER: it survives */
    struct proof *uses; /* see WANT_PROOFS */
};

/* Reads all of the `count` lives. lives_in_order_free releases *lives, also after a failure. */
enum status lives_in_order_read(struct lives_in_order *lives, const struct life_stream *stream,
                                size_t count, struct failure *why) MUST_CHECK;

void lives_in_order_free(struct lives_in_order *lives);

#endif
