/* SPDX-License-Identifier: MIT */
/* The series of the page, as tables of its data. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_SERIES_H
#define ETMERLIN_REPORT_PAGE_PAGE_SERIES_H

#include "report/form/document.h"
#include "report/page/page_plots.h"

/* The figures of a live heap: a row a moment. */
extern const struct figure page_live_figures[];

/* A table of a struct page_heap. */
#define PAGE_LIVE(key_)                                                                        \
    SECTION(LIST, key_, NULL, 0, 0, page_live_figures,                                         \
            .array = ARRAY_PART(page_heap, live, grid.count))

/* Prints the series; phases only if `has_uses`. */
void page_plots_print(struct document *document, const struct page_plots *plots, bool has_uses);

#endif
