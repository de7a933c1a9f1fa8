/* SPDX-License-Identifier: MIT */
/* Where objects are allocated, and what they amount to there: by type, by method and type, and
 * by context and type. */
#ifndef ETMERLIN_REPORT_LIVES_PLACES_H
#define ETMERLIN_REPORT_LIVES_PLACES_H

#include "heap/contexts.h"
#include "io/row_sort.h"
#include "report/assumptions.h"
#include "report/gini.h"
#include "report/lives/live.h"
#include "report/lives/tallies.h"
#include "trace/record.h"

/* How lifetimes in bytes spread. Of what is alive at the end they last to the end. */
struct dispersion {
    uint64_t deaths; /* that have been added */
    uint64_t median; /* of what died */
    struct gini by_bytes;
    struct gini by_objects;
};

/* Tallies, and a dispersion for each of them from places_finish on. */
struct place_tallies {
    struct tallies tallies;
    struct dispersion *dispersions;
};

/* Who is told of the objects in ascending order of their lifetimes, after `start`. */
struct lifetime_visitor {
    enum status (*start)(void *context, struct failure *why);
    void (*visit)(void *context, size_t allocation, uint64_t lifetime, uint64_t size);
    void *context;
};

struct places {
    const struct lives *lives; /* NULL: of stored ones */
    const struct contexts *contexts;
    bool has_uses; /* the trace tells uses, so there is drag */
    struct live_peaks peaks;
    size_t next;    /* allocation */
    uint32_t *rows; /* by allocation: index in by_context; NULL with stored lives */
    struct place_tallies by_type;
    struct place_tallies by_context; /* and type */
    struct place_tallies by_method;  /* and type; from places_finish on */
    struct dispersion all;           /* the same */
    uint64_t deaths;                 /* the same; of stored lives, those that have been added */
    struct lifetime_visitor visitor; /* to be set before places_finish; zero: nobody is told.
                                        Not with stored lives */
    /* Of stored lives: */
    struct row_sort *order; /* owned; NULL: there is a table */
    uint64_t all_bytes;     /* that the trace allocates */
    enum at_end at_end;
};

/* After the propagation; the history of `lives` has contexts, and it outlives *places, which
 * places_free releases, also after a failure. */
enum status places_init(struct places *places, const struct lives *lives,
                        struct failure *why) MUST_CHECK;

/* Whether the object lives just after the boundary after which most bytes do. */
bool places_lives_at_peak(const struct places *places, size_t allocation,
                          const struct life *life);

/* What is added up of a life, and of one that is stored. */
struct tallied_life places_tallied(const struct places *places, const struct life *life,
                                   size_t allocation);
struct tallied_life places_tallied_stored(const struct places *places,
                                          const struct life_facts *life);

/* The next allocation of the trace is `record`, and this its life. */
enum status places_add(struct places *places, const struct record *record,
                       const struct tallied_life *life, struct failure *why) MUST_CHECK;

/* As places_init, of stored lives: those of `history`, what is alive at the end being as
 * `at_end` says. Temporary files are made at `place`. places_add_stored is then called for each
 * of them. */
enum status places_init_stored(struct places *places, const struct stored_lives *stored,
                               const struct history *history, enum at_end at_end,
                               const struct spool_place *place, struct failure *why) MUST_CHECK;
enum status places_add_stored(struct places *places, const struct life_facts *life,
                              const struct tallied_life *tallied,
                              struct failure *why) MUST_CHECK;

/* All allocations have been added: finds what takes all of them. */
enum status places_finish(struct places *places, struct failure *why) MUST_CHECK;

void places_free(struct places *places);

#endif
