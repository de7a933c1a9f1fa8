/* SPDX-License-Identifier: MIT */
/* The series of the page, which are added up life by life, and put as tables of its data.
 * They take memory for each series, none for each object. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_PLOTS_H
#define ETMERLIN_REPORT_PAGE_PAGE_PLOTS_H

#include "report/figures.h"
#include "report/form/form.h"
#include "report/lives/live.h"

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
    uint64_t eligible_objects, eligible_bytes;
    uint64_t survived_objects, survived_bytes;
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

#endif
