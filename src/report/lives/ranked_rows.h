/* SPDX-License-Identifier: MIT */
/* What the rankings of statistics are of, and how it is named. */
#ifndef ETMERLIN_REPORT_LIVES_RANKED_ROWS_H
#define ETMERLIN_REPORT_LIVES_RANKED_ROWS_H

#include "report/lives/stats.h"

struct ranked_rows {
    const struct tallies *tallies;
    const struct dispersion *dispersions; /* of each; NULL: there are none */
    const struct names *names;            /* NULL: there are none */
    const struct contexts *contexts;      /* NULL: they are not by context */
    const struct pass *pass;              /* of sites: has their methods */
    bool is_of_deaths;                    /* by context: in which objects die */
    bool is_of_ids;                       /* of ids in the space below, types or sites */
    enum name_space space;
    bool has_uses;     /* so there is drag */
    unsigned rankings; /* so many of enum ranking there are, the first ones */
};

struct ranked_rows ranked_types(const struct stats *stats, const struct names *names);
struct ranked_rows ranked_sites(const struct stats *stats, const struct names *names);
struct ranked_rows ranked_methods(const struct stats *stats, const struct names *names);
struct ranked_rows ranked_contexts(const struct stats *stats, const struct names *names);
/* Contexts of deaths, by objects and bytes. */
struct ranked_rows ranked_deaths(const struct stats *stats, const struct names *names);

#endif
