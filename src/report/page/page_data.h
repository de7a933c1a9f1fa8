/* SPDX-License-Identifier: MIT */
/* What the page shows in addition to the statistics, as JSON for its script. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_DATA_H
#define ETMERLIN_REPORT_PAGE_PAGE_DATA_H

#include "report/form/document.h"
#include "report/lives/stats.h"
#include "report/page/page_curves.h"
#include "report/page/page_match.h"
#include "report/page/page_plots.h"
#include "report/page/page_sites.h"
#include "report/print.h"
#include "report/report_settings.h"

struct page_data {
    struct stats stats;
    const char *tracer; /* what the trace says about its tracer; empty: nothing */
    struct page_plots plots;
    struct page_sites sites;
    struct page_curves curves;
    const struct document_part *costs;  /* a list: the rows of --simulate */
    const struct document_part *advice; /* a list: what --advise says; NULL: nothing */
    const struct document_part *held;   /* the first rows of --held; NULL: none */
    const struct page_match *match;     /* NULL: there is only one run */
};

/* Prints all data. `names` may be NULL. `context_depth`: the most methods of a context. */
enum status page_data_print(struct print *print, const struct page_data *data,
                            const struct names *names, uint64_t context_depth) MUST_CHECK;

#endif
