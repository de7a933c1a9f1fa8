/* SPDX-License-Identifier: MIT */
/* Types and sites have ids and names of their own; methods and contexts are pairs with a type.
 */
#include "report/lives/ranked_places.h"

static struct ranked_places ranked_of(const struct stats *stats, const struct names *names,
                                      const struct place_tallies *places)
{
    return (struct ranked_places){
        .tallies = &places->tallies,
        .dispersions = places->dispersions,
        .names = names,
        .has_uses = stats_has_uses(stats),
        .rankings = RANKINGS,
    };
}

struct ranked_places ranked_types(const struct stats *stats, const struct names *names)
{
    struct ranked_places places = ranked_of(stats, names, &stats->places->by_type);
    places.is_of_ids = true;
    places.space = NAMES_TYPE;
    return places;
}

struct ranked_places ranked_sites(const struct stats *stats, const struct names *names)
{
    return (struct ranked_places){
        .tallies = &stats->sites,
        .names = names,
        .history = stats->history,
        .is_of_ids = true,
        .space = NAMES_SITE,
        .has_uses = stats_has_uses(stats),
        .rankings = RANKINGS,
    };
}

struct ranked_places ranked_methods(const struct stats *stats, const struct names *names)
{
    return ranked_of(stats, names, &stats->places->by_method);
}

struct ranked_places ranked_contexts(const struct stats *stats, const struct names *names)
{
    struct ranked_places places = ranked_of(stats, names, &stats->places->by_context);
    places.contexts = stats->places->contexts;
    return places;
}

struct ranked_places ranked_deaths(const struct stats *stats, const struct names *names)
{
    struct ranked_places places = ranked_of(stats, names, &stats->places->by_death);
    places.contexts = stats->places->contexts;
    places.is_of_deaths = true;
    places.rankings = RANK_BYTES + 1;
    return places;
}
