/* SPDX-License-Identifier: MIT */
/* What the page of a run shows of another run that it was matched with. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_MATCH_H
#define ETMERLIN_REPORT_PAGE_PAGE_MATCH_H

#include "report/form/form.h"
#include "report/page/page_plots.h"

enum { PAGE_MATCH_SITES = 20 };

/* A site whose lifetimes differ, with what the other run (0) and this one (1) allocate there.
 */
struct page_match_site {
    char *context, *type; /* owned: names, or ids in decimal */
    uint64_t distance;    /* ten-thousandths */
    uint64_t objects[2];
    uint64_t bytes[2];
};

struct page_match {
    const char *name;       /* of the other run's trace */
    const char *unfinished; /* why that trace is not complete; NULL: it seems to be */
    struct page_heap heap;
    struct page_match_site sites[PAGE_MATCH_SITES]; /* those that changed most come first */
    size_t site_count;
    uint64_t changed; /* the number of sites that changed, listed or not */
};

/* Puts *match as the member "match" of the data of the page. */
void page_match_put(struct form *form, const struct page_match *match);

/* Releases the names of sites. */
void page_match_free(struct page_match *match);

#endif
