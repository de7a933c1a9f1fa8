/* SPDX-License-Identifier: MIT */
/* The parts of the data of the page: series (page_plots.c), methods (page_methods.c), Lorenz
 * curves (page_curves.c), and what it shows of another run (page.c); and its files. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_H
#define ETMERLIN_REPORT_PAGE_PAGE_H

#include "report/figures.h"
#include "report/form/form.h"
#include "report/lives/live.h"
#include "report/lives/site_sums.h"

/* The series, which are added up life by life, and put as tables of its data. They take memory
 * for each series, none for each object. */
enum {
    PAGE_STEPS = 800,     /* the most intervals that the clock of bytes is divided into */
    PAGE_BANDS = 24,      /* of ages: below 64 KiB, and so on by powers of 4 */
    PAGE_SURVIVALS = 240, /* the most amounts of allocation, four for each power of two */
    PAGE_NURSERIES = 64   /* sizes of nurseries, by powers of two */
};

/* Instants at which the heap is looked at: when 0, `step`, 2 * `step` ... and, at last, `end`
 * bytes are allocated. */
struct page_grid {
    uint64_t end;
    uint64_t step;
    size_t count;
};

/* The live heap from the instant before up to this one, after each allocation and each death;
 * it includes the heap at the instant before. */
struct page_live {
    uint64_t most_bytes, least_bytes;
    uint64_t most_objects;
};

/* Why objects are alive at an instant. */
enum page_phase { PAGE_IN_USE, PAGE_DRAGGED, PAGE_VOID, PAGE_PHASES };

/* Of objects that the trace shows for long enough: how much there is, and how much of it lived
 * so long. */
struct page_survival {
    struct amount eligible, survived;
};

/* The live heap at all instants. */
struct page_heap {
    struct page_grid grid;
    struct page_live live[PAGE_STEPS + 1];
};

struct page_plots {
    struct page_heap heap;
    /* Live bytes at each instant. Until page_plots_finish: the difference from the instant
     * before, modulo 2^64. */
    uint64_t ages[PAGE_BANDS][PAGE_STEPS + 2];
    uint64_t phases[PAGE_PHASES][PAGE_STEPS + 2];
    size_t survival_count;
    uint64_t survival_limits[PAGE_SURVIVALS];
    struct page_survival survivals[PAGE_SURVIVALS + 1];
    /* By the exponent of the size of a nursery: the bytes that the first collection after their
     * allocation finds, and keeps. */
    struct page_survival nurseries[PAGE_NURSERIES];
};

/* Finds the live heap of a run; *heap must be zero. */
enum status page_heap_find(struct page_heap *heap, const struct life_stream *stream,
                           struct failure *why) MUST_CHECK;

/* Finds the live heap, and prepares *plots, which must be zero, for lives to be added. */
enum status page_plots_start(struct page_plots *plots, const struct life_stream *stream,
                             struct failure *why) MUST_CHECK;

/* Adds a life. Phases are added if `has_uses`. */
void page_plots_add(struct page_plots *plots, const struct life_facts *life, bool has_uses);

/* To be called after the last life. */
void page_plots_finish(struct page_plots *plots);

/* Puts the series as tables of the data of the page; phases only if `has_uses`. */
void page_plots_put(struct form *form, const struct page_plots *plots, bool has_uses);

/* Puts a live heap as a table at `path`, with a row an instant. */
void page_heap_put(struct form *form, const char *path, const struct page_heap *heap);

/* Methods: those that allocate, and how much of what they allocate is short-lived, long-lived
 * and immortal; and in which methods these objects die. */

enum page_life { PAGE_SHORT, PAGE_LONG, PAGE_IMMORTAL, PAGE_LIVES };

/* Shorter lifetimes are short, in bytes. */
enum { PAGE_SHORT_LIFETIME = 1024 * 1024 };

struct page_split {
    uint64_t bytes;
    uint64_t live; /* bytes of these that are live at the peak */
    wide_sum drag; /* size times drag */
};

struct page_site {
    struct page_split splits[PAGE_LIVES];
};

/* Zero-initialize it; page_sites_free ends it. */
struct page_sites {
    struct page_site *rows; /* by row of sums->by_context */
    size_t row_count;
    size_t row_capacity;
    /* From page_sites_finish on: */
    struct tallies methods;   /* by number of the method (contexts.h); 0: none */
    struct page_site *splits; /* by row of `methods` */
};

/* Adds a life, the last one that was added to the sums. */
enum status page_sites_add(struct page_sites *sites, const struct site_sums *sums,
                           const struct life_facts *life, struct failure *why) MUST_CHECK;

/* After the last life: adds up the methods. */
enum status page_sites_finish(struct page_sites *sites, const struct site_sums *sums,
                              struct failure *why) MUST_CHECK;

void page_sites_free(struct page_sites *sites);

/* Puts the methods with the most bytes, the most drag, and the most live bytes at the peak, as
 * tables of the data of the page; `names` may be NULL. */
void page_sites_put(struct form *form, const struct page_sites *sites,
                    const struct names *names);

/* After run_sums_finish: puts the pairs of a method that allocates and a method in which the
 * objects die that have the most bytes, as a table of the data; `names` may be NULL. */
void page_pairs_put(struct form *form, const struct site_sums *sums, const struct names *names);

/* Lorenz curves of lifetimes weighted by bytes: of all objects, and of the largest types. */

enum { PAGE_CURVE_TYPES = 10, PAGE_CURVE_POINTS = 100 };

/* The objects with the shortest lifetimes: their bytes, and the sum of their bytes times
 * lifetimes. */
struct page_curve_point {
    uint64_t weight;
    wide_sum sum;
};

struct page_curve {
    uint64_t whole; /* bytes in all */
    struct page_curve_point now;
    size_t count;
    struct page_curve_point points[PAGE_CURVE_POINTS + 1];
};

struct page_curves {
    const struct site_sums *sums;
    struct page_curve all;
    size_t type_count;
    /* In the sums; those with the most bytes first. */
    const struct tally *types[PAGE_CURVE_TYPES];
    struct page_curve of_types[PAGE_CURVE_TYPES];
    uint8_t *numbers; /* by index of a type: its number among `types`, from 1; 0: none */
};

/* Has `sums` make the curves in run_sums_finish. *curves must be zero, and stay where it is;
 * page_curves_free releases it. */
void page_curves_start(struct page_curves *curves, struct site_sums *sums);

/* Puts the curves, that of all objects first, and the points of all of them, as tables of the
 * data of the page; `names` may be NULL. */
void page_curves_put(struct form *form, const struct page_curves *curves,
                     const struct names *names);

void page_curves_free(struct page_curves *curves);

/* What the page of a run shows of another run that it was matched with. */

struct page_match {
    const char *name;       /* of the other run's trace */
    const char *unfinished; /* why that trace is not complete; NULL: it seems to be */
    struct page_heap heap;
    uint64_t changed;       /* the number of sites that changed, listed or not */
    struct form_part sites; /* those that changed most, as a list "match.sites" */
};

/* Files of the page that the build turns into object files (scripts/bin2c.c). */
struct page_asset {
    const unsigned char *bytes; /* NULL: there is none */
    size_t length;
    const char *hash; /* as a content security policy has it */
};

extern const struct page_asset page_template; /* src/report/page/page.html */
extern const struct page_asset page_style;    /* page.css */
extern const struct page_asset page_script;   /* page.js */
extern const struct page_asset page_vectors;  /* vectors.js */
extern const struct page_asset page_library;  /* Chart.js, where configure has found it */

#endif
