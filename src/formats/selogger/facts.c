/* SPDX-License-Identifier: MIT */
/* The ids of SELogger count up from 1, so facts are in pages of arrays, which need no search; a
 * page exists only where an object has been looked up. */
#include "formats/selogger/facts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Makes the list of pages long enough for page number `page`; false: no memory. */
static bool make_room(struct facts *facts, size_t page)
{
    if (page < facts->page_count)
        return true;
    if (!ARRAY_RESERVE(facts->pages, facts->page_capacity, page + 1))
        return false;
    struct fact **pages = facts->pages;
    memset(pages + facts->page_count, 0, (page + 1 - facts->page_count) * sizeof *pages);
    facts->page_count = page + 1;
    return true;
}

struct fact *facts_look_up(struct facts *facts, uint64_t id)
{
    size_t page = (size_t)(id / OBJECT_PAGE);
    if (!make_room(facts, page))
        return NULL;
    if (!facts->pages[page] &&
        !(facts->pages[page] = array_new(OBJECT_PAGE, sizeof(struct fact))))
        return NULL;
    return &facts->pages[page][id % OBJECT_PAGE];
}

void facts_unmark(struct facts *facts)
{
    for (size_t page = 0; page < facts->page_count; page++)
        for (size_t i = 0; facts->pages[page] && i < OBJECT_PAGE; i++)
            facts->pages[page][i].marks = 0;
}

void facts_free(struct facts *facts)
{
    for (size_t page = 0; page < facts->page_count; page++)
        free(facts->pages[page]);
    free(facts->pages);
    *facts = (struct facts){.pages = NULL};
}
