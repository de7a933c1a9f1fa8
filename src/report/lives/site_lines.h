/* SPDX-License-Identifier: MIT */
/* Where in the source objects are allocated: a context and, if name lists have it, the line in
 * its innermost method. */
#ifndef ETMERLIN_REPORT_LIVES_SITE_LINES_H
#define ETMERLIN_REPORT_LIVES_SITE_LINES_H

#include "base/map.h"
#include "merlin/recorders/contexts.h"
#include "trace/names.h"

/* Zero-initialize it, and set `contexts` and `names`; site_lines_free ends it. */
struct site_lines {
    const struct contexts *contexts;
    const struct names *names; /* NULL: no line is known */
    struct map lines;          /* of sites: id -> number of its name, or 0, and 1 */
    struct name_index index;   /* of names; their numbers are from 1 on */
    uint64_t *firsts;          /* by number - 1: the first site of that name */
    size_t count, capacity;
    struct map spots; /* context and number of a name -> number of the spot, and 1 */
    uint32_t spot_count;
};

/* A context with a line, or without one. */
struct spot {
    uint32_t number; /* from 0 on */
    uint64_t site;   /* the first one of the same name */
};

/* Finds the spot of an allocation. STATUS_LIMIT: there are too many. */
enum status site_lines_find(struct site_lines *lines, uint32_t context, uint64_t site,
                            struct spot *spot, struct failure *why) MUST_CHECK;

/* The number of a spot that has been found before. */
uint32_t site_lines_known(const struct site_lines *lines, uint32_t context, uint64_t site);

void site_lines_free(struct site_lines *lines);

#endif
