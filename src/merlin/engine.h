/* SPDX-License-Identifier: MIT */
/* Finds the deaths of a trace, and what reports ask of it.
 *
 * There are two ways to find deaths, with the same result: a table of all objects, from which
 * all deaths are computed at the end (deaths.h), and windows, whose memory follows the live
 * heap (windows/windows.h). Or none are found, and those that the trace has are taken. Which
 * way it is, and that a table which grows too large gives way to windows, stays hidden by this
 * interface: deaths and lives are the same, in the same order. */
#ifndef ETMERLIN_MERLIN_ENGINE_H
#define ETMERLIN_MERLIN_ENGINE_H

#include "merlin/deaths.h"
#include "merlin/lives.h"
#include "merlin/numbering.h"
#include "merlin/reference_walk.h"
#include "trace/reader.h"

struct engine;

/* Which way to take. ENGINE_AUTO: a table, and windows once it is too large. */
enum engine_choice { ENGINE_AUTO, ENGINE_TABLE, ENGINE_WINDOWS };

/* What a user may choose of its work. */
struct engine_settings {
    enum engine_choice choice;
    unsigned threads;       /* that may work: 1 or 2 */
    uint64_t context_depth; /* of contexts: most methods, 1 to CONTEXT_DEPTH_MAX */
    uint64_t memory_limit;  /* bytes that the process may have; 0: half of the machine's for the
                               table */
    uint64_t window;        /* fewest nodes and slots between collections; 0: default */
};

/* Facts that are wanted in addition to deaths; each takes memory. */
enum engine_want {
    WANT_LIVES = 1,
    /* Of lives: */
    WANT_CAUSES = 2,       /* of computed deaths, and groups */
    WANT_CONTEXTS = 4,     /* of allocations: history->contexts */
    WANT_SITES = 8,        /* the methods of each site: history->sites; with contexts */
    WANT_FIRST_USES = 16,  /* life_facts.first_use_bytes */
    WANT_USE_RECORDS = 32, /* where last uses are, as use_positions.h says; these kinds */
    WANT_USE_COUNTS = 64,  /* exclude each other */
    WANT_USE_THREADS = 128,
    WANT_REFERENCES = 256, /* when references were made and ended: a temporary file */
    WANT_CLOCK = 512,      /* history->clock knows the times of all ticks */
    /* Where objects die: life_facts.death_context, and what follows it. With causes and
     * contexts */
    WANT_DEATH_SITES = 1024,
    WANT_LOST_FIELDS = 2048, /* life_facts.key_field; with causes */
    WANTS = 4095             /* all of these */
};

/* What the engine is at. */
enum engine_phase {
    ENGINE_READING, /* the trace; again if a table gives way to windows */
    ENGINE_PROPAGATION,
    ENGINE_MENTIONS,    /* the second and third reading of windows, */
    ENGINE_WINDOWS_PASS /* of a temporary file */
};

/* Who sees it at work. What it does with `context` must not take long. */
struct engine_watch {
    /* A phase begins. */
    void (*phase)(void *context, enum engine_phase phase);
    /* In ENGINE_READING: `batch` has been gone through. A failure ends the run. */
    enum status (*batch)(void *context, const struct batch *batch, struct failure *why);
    /* In the others: so many records of so many, or in ENGINE_PROPAGATION objects, have been
     * gone through. */
    void (*progress)(void *context, uint64_t done, uint64_t of);
    void *context;
};

struct engine_options {
    struct engine_settings settings;
    bool is_recorded; /* the deaths are those that the trace has */
    bool renumber;    /* objects are called by numbers (numbering.h); not of recorded deaths */
    bool is_for_reports; /* which take memory in addition to that of the facts here */
    enum held_by held_by;
    enum unallocated unallocated;
    enum at_end at_end;
    unsigned wants;                    /* of enum engine_want */
    struct temporary_folder temporary; /* of temporary files */
    const struct interrupt *interrupt; /* NULL: it never stops early */
    struct engine_watch watch;         /* of which each function may be NULL */
};

/* For the trace of `reader`, which has not been read yet. The caller owns *out (engine_close).
 * *options is copied; what it and its watch point to must stay, as must `reader`. */
enum status engine_open(struct engine **out, const struct engine_options *options,
                        struct reader *reader, struct failure *why) MUST_CHECK;

/* Reads the trace, from its start to its end, and finds the deaths; if a table gives way to
 * windows, reads it once more. Of recorded deaths it only reads. STATUS_INTERRUPTED:
 * options->interrupt asks to stop. */
enum status engine_run(struct engine *engine, struct failure *why) MUST_CHECK;

/* What the reading has met so far, and how many objects the trace has named so far. */
const struct trace_counts *engine_counts(const struct engine *engine);
uint64_t engine_named(const struct engine *engine);

/* The deaths that engine_run has found; not of recorded ones. */
const struct deaths *engine_deaths(const struct engine *engine);

/* Sets *out to the births and lives, which are made at the first call; with WANT_LIVES, after
 * engine_run. They stay the engine's. */
enum status engine_lives(struct engine *engine, const struct life_stream **out,
                         struct failure *why) MUST_CHECK;

/* Sets *out to the references, with WANT_REFERENCES and WANT_LIVES, after engine_lives. They
 * stay the engine's. */
enum status engine_references(struct engine *engine, struct reference_stream **out,
                              struct failure *why) MUST_CHECK;

/* With options->renumber, after engine_run: what gives their numbers to the records of another
 * reading; else NULL. */
struct numbering *engine_numbering(const struct engine *engine);

/* What the engine has kept of the trace: after engine_run its contexts, sites, threads and
 * counts, which are those of all of it. */
struct history *engine_history(struct engine *engine);

/* Whether the deaths are those that the trace has. */
bool engine_is_recorded(const struct engine *engine);

/* Whether the phase is part of the work, as it stands: others are when a table has given way to
 * windows. */
bool engine_has_phase(const struct engine *engine, enum engine_phase phase);

/* NULL is allowed. */
void engine_close(struct engine *engine);

#endif
