/* SPDX-License-Identifier: MIT */
/* Finds the deaths of a trace, and the facts that reports need.
 *
 * There are two ways to find deaths, with the same result: a table of all objects, from which
 * all deaths are computed at the end (deaths.h), and windows, whose memory is proportional to
 * the live heap (windows/windows.h). Or no deaths are computed, and those that the trace has
 * are used. This interface hides which way it is, and that a table which grows too large is
 * replaced by windows: deaths and lives are the same, in the same order. */
#ifndef ETMERLIN_MERLIN_ENGINE_H
#define ETMERLIN_MERLIN_ENGINE_H

#include "merlin/deaths.h"
#include "merlin/lives/lives.h"
#include "merlin/lives/reference_walk.h"
#include "merlin/numbering.h"
#include "trace/reader.h"

struct engine;

/* The way to find deaths. ENGINE_AUTO: a table, which is replaced by windows if it grows too
 * large. */
enum engine_choice { ENGINE_AUTO, ENGINE_TABLE, ENGINE_WINDOWS };

/* What users may choose. */
struct engine_settings {
    enum engine_choice choice;
    unsigned threads;       /* how many may be used: 1 or 2 */
    uint64_t context_depth; /* the most methods of a context, 1 to CONTEXT_DEPTH_MAX */
    uint64_t memory_limit; /* bytes that the process may have; 0: the table may take half of the
                              machine's memory */
    uint64_t window; /* the fewest nodes and slots that the heap has at a collection; 0: the
                        default */
};

/* Facts that are wanted in addition to deaths. Each takes memory. */
enum engine_want {
    WANT_LIVES = 1,
    /* With WANT_LIVES: */
    WANT_CAUSES = 2,   /* causes of computed deaths, and groups */
    WANT_CONTEXTS = 4, /* contexts of allocations: pass_contexts */
    WANT_SITES = 8,    /* the methods of each site: contexts_site_method; with WANT_CONTEXTS */
    WANT_FIRST_USES = 16,  /* life_facts.first_use_bytes */
    WANT_USE_RECORDS = 32, /* where last uses are (recorders/uses.h); one of three kinds */
    WANT_USE_COUNTS = 64,  /* exclude each other */
    WANT_USE_THREADS = 128,
    WANT_REFERENCES = 256, /* when references were made and ended, in a temporary file */
    WANT_CLOCK = 512,      /* pass->clock knows the times of all ticks */
    /* Where objects die: life_facts.death_context and the members after it; with WANT_CAUSES
     * and WANT_CONTEXTS. */
    WANT_DEATH_SITES = 1024,
    WANT_LOST_FIELDS = 2048, /* life_facts.key_field; with WANT_CAUSES */
    WANT_PROOFS = 4096,      /* life_facts.proof */
    WANT_STORES = 8192,      /* stores and allocations, in a temporary file */
    /* With or without WANT_LIVES: */
    WANT_NUMBERS = 16384 /* engine_numbering */
};

/* The phases of the engine's work. */
enum engine_phase {
    ENGINE_READING, /* of the trace; once more if a table is replaced by windows */
    ENGINE_PROPAGATION,
    ENGINE_MENTIONS,    /* the second reading of windows, and the third, */
    ENGINE_WINDOWS_PASS /* both of a temporary file */
};

/* Functions that are called while the engine works. They must not take long. */
struct engine_observer {
    /* Called when a phase begins. */
    void (*phase)(void *context, enum engine_phase phase);
    /* Called in ENGINE_READING when the records of `batch` have been processed. A failure ends
     * the run. */
    enum status (*batch)(void *context, const struct batch *batch, struct failure *why);
    /* Called in the other phases: `done` of `of` records, or in ENGINE_PROPAGATION of objects,
     * have been processed. */
    void (*progress)(void *context, uint64_t done, uint64_t of);
    void *context;
};

struct engine_options {
    struct engine_settings settings;
    bool is_recorded;    /* the deaths are those that the trace has */
    bool renumber;       /* objects get numbers as ids (numbering.h); not with is_recorded */
    bool without_sizes;  /* all bytes of lives are 0, however many the trace allocates */
    bool is_for_reports; /* reports will take memory in addition to that of the facts here */
    enum held_by held_by;
    enum unallocated unallocated;
    enum at_end at_end;
    unsigned wants;                    /* of enum engine_want */
    struct temporary_folder temporary; /* of temporary files */
    const struct interrupt *interrupt; /* NULL: the engine never stops early */
    struct engine_observer observer;   /* each function may be NULL */
};

/* Makes an engine for the trace of `reader`, which must not have been read yet. The caller owns
 * *out (engine_close). *options is copied; what it and its observer point to must outlive *out,
 * and so must `reader`. */
enum status engine_open(struct engine **out, const struct engine_options *options,
                        struct reader *reader, struct failure *why) MUST_CHECK;

/* Reads the trace, from its start to its end, and finds the deaths; if a table is replaced by
 * windows, reads it once more. If the deaths are recorded, only reads. STATUS_INTERRUPTED:
 * options->interrupt asks to stop. */
enum status engine_run(struct engine *engine, struct failure *why) MUST_CHECK;

/* Finds the deaths anew, after engine_run, as they are with `unallocated`; lives that were made
 * are no longer there. Only without windows (engine_has_phase(engine, ENGINE_PROPAGATION)),
 * without options->renumber, and without WANT_DEATH_SITES. */
enum status engine_compute_again(struct engine *engine, enum unallocated unallocated,
                                 struct failure *why) MUST_CHECK;

/* What has been read so far, and how many objects it names. */
const struct trace_counts *engine_counts(const struct engine *engine);
uint64_t engine_named(const struct engine *engine);

/* The deaths that engine_run has found; not with options->is_recorded. */
const struct deaths *engine_deaths(const struct engine *engine);

/* Sets *out to the births and lives, which are made at the first call. To be called after
 * engine_run, with WANT_LIVES. The engine owns them. */
enum status engine_lives(struct engine *engine, const struct life_stream **out,
                         struct failure *why) MUST_CHECK;

/* Sets *out to the references. To be called once, after engine_lives, with WANT_REFERENCES and
 * WANT_LIVES. The engine owns them. */
enum status engine_references(struct engine *engine, struct reference_stream **out,
                              struct failure *why) MUST_CHECK;

/* Sets *out to the list of stores, which is finished. To be called after engine_lives, with
 * WANT_STORES and WANT_LIVES; the list is that of these lives. The engine owns it. */
enum status engine_stores(struct engine *engine, const struct stores **out,
                          struct failure *why) MUST_CHECK;

/* Makes the numbering for the records of another reading. To be called after engine_run, with
 * WANT_NUMBERS or options->renumber. The engine must outlive *out, which the caller owns
 * (numbering_free). */
enum status engine_numbering(const struct engine *engine, struct numbering **out,
                             struct failure *why) MUST_CHECK;

/* What the engine has kept of the trace. After engine_run its contexts, sites, threads and
 * counts are those of the whole trace. */
struct pass *engine_pass(struct engine *engine);

/* Whether the deaths are those that the trace has. */
bool engine_is_recorded(const struct engine *engine);

/* Whether numbers have taken the place of the ids of objects (options->renumber). */
bool engine_renumbers(const struct engine *engine);

/* Whether the phase is part of the work as it is now planned, which changes when a table is
 * replaced by windows. */
bool engine_has_phase(const struct engine *engine, enum engine_phase phase);

/* NULL is allowed. */
void engine_close(struct engine *engine);

#endif
