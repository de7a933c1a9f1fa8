/* SPDX-License-Identifier: MIT */
/* Both live heaps have the same form, each with the moments of its own run, since one may
 * allocate more than the other. */
#include "report/page/page_match.h"

#include "report/form/json.h"
#include "report/page/page_data.h"

#include <inttypes.h>

void page_heap_print(struct print *print, const struct page_heap *heap)
{
    print_text(print, ",\n\"step\":%" PRIu64 ",\"moments\":%zu,\n\"live\":[", heap->grid.step,
               heap->grid.count);
    for (size_t i = 0; i < heap->grid.count; i++)
        print_text(print, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", i == 0 ? "" : ",",
                   heap->live[i].most_bytes, heap->live[i].least_bytes,
                   heap->live[i].most_objects);
    print_text(print, "]");
}

static void print_changed_site(struct print *print, const struct page_match_site *site)
{
    print_text(print, "[");
    page_name_print(print, site->context);
    print_text(print, ",");
    page_name_print(print, site->type);
    print_text(print, ",%" PRIu64 ".%04" PRIu64, site->distance / 10000,
               site->distance % 10000);
    for (size_t run = 0; run < 2; run++)
        print_text(print, ",%" PRIu64 ",%" PRIu64, site->objects[run], site->bytes[run]);
    print_text(print, "]");
}

void page_match_print(struct print *print, const struct page_match *match)
{
    print_text(print, ",\n\"match\":");
    if (!match) {
        print_text(print, "null");
        return;
    }
    print_text(print, "{\"name\":");
    json_print_string(print, match->name);
    print_text(print, ",\"unfinished\":");
    json_print_string_or_null(print, match->unfinished);
    print_text(print, ",\"bytes\":%" PRIu64, match->heap.grid.end);
    page_heap_print(print, &match->heap);
    print_text(print, ",\n\"changed\":%" PRIu64 ",\"sites\":[", match->changed);
    for (size_t i = 0; i < match->site_count; i++) {
        print_text(print, i == 0 ? "\n" : ",\n");
        print_changed_site(print, &match->sites[i]);
    }
    print_text(print, "]}");
}
