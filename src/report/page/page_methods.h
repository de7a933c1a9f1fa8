/* SPDX-License-Identifier: MIT */
/* What the page shows of methods: those that allocate, and how much of what they allocate is
 * short-lived, long-lived and immortal; and in which methods these objects die. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_METHODS_H
#define ETMERLIN_REPORT_PAGE_PAGE_METHODS_H

#include "report/form/form.h"
#include "report/lives/site_sums.h"

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

#endif
