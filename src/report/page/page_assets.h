/* SPDX-License-Identifier: MIT */
/* Files of the page that the build turns into object files (scripts/bin2c.c). */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_ASSETS_H
#define ETMERLIN_REPORT_PAGE_PAGE_ASSETS_H

#include <stddef.h>

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
