/* SPDX-License-Identifier: MIT */
/* Both live heaps have the same form, but each has the instants of its own run, since one may
 * allocate more than the other. */
#include "report/page/page_match.h"

#include <stdlib.h>

static void put_sites(struct form *form, const struct page_match *match)
{
    form_list(form, "match.sites", NULL, 0);
    for (size_t i = 0; form_next(form, i, match->site_count); i++) {
        const struct page_match_site *site = &match->sites[i];
        form_item(form);
        form_put(form, "context", "name", value_text(site->context));
        form_put(form, "type", "name", value_text(site->type));
        form_put(form, "distance", "fraction", value_ten_thousandths(site->distance));
        form_put(form, "a_objects", "objects", value_number(site->objects[0]));
        form_put(form, "a_bytes", "bytes", value_number(site->bytes[0]));
        form_put(form, "b_objects", "objects", value_number(site->objects[1]));
        form_put(form, "b_bytes", "bytes", value_number(site->bytes[1]));
    }
}

void page_match_put(struct form *form, const struct page_match *match)
{
    form_head(form, "match");
    form_put(form, "name", "text", value_text(match->name));
    form_put(form, "unfinished", "text", value_text(match->unfinished));
    form_put(form, "changed_sites", "count", value_number(match->changed));
    put_sites(form, match);
    page_heap_put(form, "match.live", &match->heap);
}

void page_match_free(struct page_match *match)
{
    for (size_t i = 0; i < match->site_count; i++) {
        free(match->sites[i].context);
        free(match->sites[i].type);
    }
    match->site_count = 0;
}
