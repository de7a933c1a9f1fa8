/* SPDX-License-Identifier: MIT */
/* Sums are kept by context, whose number each allocation has, and added up by method at the
 * end, so that a life costs no search for its method. */
#include "report/page/page_sites.h"

#include "base/memory.h"
#include "report/lives/life_classes.h"

#include <stdlib.h>

static enum page_life page_life_of(const struct life_facts *life)
{
    if (life->survives)
        return PAGE_IMMORTAL;
    return life->died.bytes - life->born.bytes < PAGE_SHORT_LIFETIME ? PAGE_SHORT : PAGE_LONG;
}

/* The row of a context; a new one gets the next row. NULL: no memory. */
static struct page_site *page_site_row(struct page_sites *sites, size_t row)
{
    if (!ARRAY_RESERVE(sites->rows, sites->row_capacity, row + 1))
        return NULL;
    struct page_site *rows = sites->rows;
    while (sites->row_count <= row)
        rows[sites->row_count++] = (struct page_site){.splits = {{.bytes = 0}}};
    return &rows[row];
}

enum status page_sites_add(struct page_sites *sites, const struct site_sums *sums,
                           const struct life_facts *life, struct failure *why)
{
    const struct tallied_life *tallied = &sums->tallied;
    struct page_site *row = page_site_row(sites, sums->row);
    if (!row)
        return fail_memory(why);
    struct page_split *split = &row->splits[page_life_of(life)];
    split->bytes += life->size;
    if (tallied->lives_at_peak)
        split->live += life->size;
    split->drag += (wide_sum)life->size * tallied->drag;
    return STATUS_OK;
}

static void add_split(struct page_split *into, const struct page_split *from)
{
    into->bytes += from->bytes;
    into->live += from->live;
    into->drag += from->drag;
}

/* Adds a context to the row of its method in sites->methods; returns that row. NULL: no memory.
 */
static struct tally *page_sites_method(struct page_sites *sites, const struct site_sums *sums,
                                       const struct tally *context)
{
    uint32_t number = contexts_method_number(sums->contexts, context->context);
    struct tally *method = tallies_find(&sites->methods, number);
    if (!method)
        return NULL;
    method->has_method = context->has_method;
    method->method = context->method;
    method->bytes += context->bytes;
    method->live += context->live;
    method->drag += context->drag;
    return method;
}

enum status page_sites_finish(struct page_sites *sites, const struct site_sums *sums,
                              struct failure *why)
{
    const struct tallies *contexts = &sums->by_context.tallies;
    sites->splits = array_new(contexts->count, sizeof *sites->splits);
    if (!sites->splits)
        return fail_memory(why);
    for (size_t i = 0; i < contexts->count; i++) {
        struct tally *method = page_sites_method(sites, sums, &contexts->items[i]);
        if (!method)
            return fail_memory(why);
        struct page_site *site = &sites->splits[method - sites->methods.items];
        for (size_t life = 0; life < PAGE_LIVES; life++)
            add_split(&site->splits[life], &sites->rows[i].splits[life]);
    }
    return STATUS_OK;
}

void page_sites_free(struct page_sites *sites)
{
    tallies_free(&sites->methods);
    free(sites->rows);
    free(sites->splits);
}
