/* SPDX-License-Identifier: MIT */
/* Both live heaps have the same form, but each has the instants of its own run, since one may
 * allocate more than the other. */
#include "report/page/page_match.h"

#include <stdlib.h>

#define MATCH(unit, member) FIGURE(#member, NULL, unit, 0, page_match, member)

static const struct figure head_figures[] = {
    MATCH("name", name),
    MATCH("text", unfinished),
    FIGURE("changed_sites", NULL, "count", 0, page_match, changed),
    FIGURES_END,
};

static struct value distance_of(struct row *row)
{
    const struct page_match_site *site = row->subject;
    return (struct value){.kind = VALUE_TEN_THOUSANDTHS, .number = site->distance};
}

#define SITE(key, unit, member) FIGURE(key, NULL, unit, 0, page_match_site, member)

static const struct figure site_figures[] = {
    SITE("context", "name", context),
    SITE("type", "name", type),
    FIGURE_OF("distance", NULL, "fraction", 0, distance_of),
    SITE("a_objects", "objects", objects[0]),
    SITE("a_bytes", "bytes", bytes[0]),
    SITE("b_objects", "objects", objects[1]),
    SITE("b_bytes", "bytes", bytes[1]),
    FIGURES_END,
};

static const struct section live = PAGE_LIVE("match.live");

static const struct section sections[] = {
    SECTION(HEAD, "match", NULL, 0, 0, head_figures),
    SECTION(LIST, "match.sites", NULL, 0, 0, site_figures,
            .array = ARRAY_PART(page_match, sites, site_count)),
    SECTIONS_END,
};

void page_match_print(struct document *document, const struct page_match *match)
{
    document_print(document, sections, match);
    document_put(document, &live, &match->heap);
}

void page_match_free(struct page_match *match)
{
    for (size_t i = 0; i < match->site_count; i++) {
        free(match->sites[i].context);
        free(match->sites[i].type);
    }
    match->site_count = 0;
}
