/* SPDX-License-Identifier: MIT */
/* Types and sites have ids and names of their own; methods and contexts are pairs with a type.
 */
#include "report/lives/ranked_rows.h"

static struct ranked_rows ranked_of(const struct stats *stats, const struct names *names,
                                    const struct site_tallies *sums)
{
    return (struct ranked_rows){
        .tallies = &sums->tallies,
        .dispersions = sums->dispersions,
        .names = names,
        .has_uses = stats_has_uses(stats),
        .rankings = RANKINGS,
    };
}

struct ranked_rows ranked_types(const struct stats *stats, const struct names *names)
{
    struct ranked_rows sums = ranked_of(stats, names, &stats->sums->by_type);
    sums.is_of_ids = true;
    sums.space = NAMES_TYPE;
    return sums;
}

struct ranked_rows ranked_sites(const struct stats *stats, const struct names *names)
{
    return (struct ranked_rows){
        .tallies = &stats->sites,
        .names = names,
        .pass = stats->pass,
        .is_of_ids = true,
        .space = NAMES_SITE,
        .has_uses = stats_has_uses(stats),
        .rankings = RANKINGS,
    };
}

struct ranked_rows ranked_methods(const struct stats *stats, const struct names *names)
{
    return ranked_of(stats, names, &stats->sums->by_method);
}

struct ranked_rows ranked_contexts(const struct stats *stats, const struct names *names)
{
    struct ranked_rows sums = ranked_of(stats, names, &stats->sums->by_context);
    sums.contexts = stats->sums->contexts;
    return sums;
}

struct ranked_rows ranked_deaths(const struct stats *stats, const struct names *names)
{
    struct ranked_rows sums = ranked_of(stats, names, &stats->sums->by_death);
    sums.contexts = stats->sums->contexts;
    sums.is_of_deaths = true;
    sums.rankings = RANK_BYTES + 1;
    return sums;
}
