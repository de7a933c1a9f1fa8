/* SPDX-License-Identifier: MIT */
/* Sums are kept by context, whose number each allocation has, and added up by method at the
 * end, so that a life costs no search for its method. Pairs of contexts are sorted by their
 * methods, so that pairs of the same two methods follow each other, and can be added up.
 *
 * Rows and their names are made as they are put. If there is no memory for a name, printing
 * ends after its row. */
#include "report/page/page.h"

#include "base/memory.h"
#include "report/lives/shown_name.h"

#include <stdlib.h>

/* The most bars of each kind. */
enum { MOST_SITES = 15, MOST_PAIRS = 20 };

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

/* Makes names of methods. */
struct page_names {
    const struct names *names;
    struct shown_name buffer;
};

static void put_method(struct form *form, const char *key, struct page_names *names,
                       bool has_method, uint64_t method)
{
    form_put(form, key, "name",
             has_method ? form_name(form, shown_name_of_id(&names->buffer, NAMES_METHOD, method,
                                                           names->names))
                        : value_text("(none)"));
}

static wide_sum split_by(const struct page_split *split, enum ranking ranking)
{
    return ranking == RANK_BYTES  ? split->bytes
           : ranking == RANK_LIVE ? split->live
                                  : split->drag;
}

static void put_sites(struct form *form, const char *path, const char *unit,
                      const struct page_sites *sites, enum ranking ranking,
                      struct page_names *names)
{
    static const char *const parts[PAGE_LIVES] = {"short_lived", "long_lived", "immortal"};
    static const struct page_site no_site;
    static const struct tally no_tally;
    const struct ranking_choice choice = {.min_count = 1, .top = MOST_SITES};
    const struct tally **ranked = NULL;
    size_t count = 0;
    form_try(form, tallies_rank(&sites->methods, ranking, &choice, &ranked, &count,
                                form_failure(form)));
    form_list(form, path, NULL, 0);
    for (size_t i = 0; form_next(form, i, count); i++) {
        const struct tally *method = i < count ? ranked[i] : &no_tally;
        const struct page_site *site =
            i < count ? &sites->splits[method - sites->methods.items] : &no_site;
        form_item(form);
        put_method(form, "method", names, method->has_method, method->method);
        for (size_t life = 0; life < PAGE_LIVES; life++)
            form_put(form, parts[life], unit,
                     value_number(split_by(&site->splits[life], ranking)));
    }
    free(ranked);
}

void page_sites_put(struct form *form, const struct page_sites *sites,
                    const struct names *names)
{
    struct page_names made_of = {.names = names};
    put_sites(form, "sites_by_bytes", "bytes", sites, RANK_BYTES, &made_of);
    put_sites(form, "sites_by_drag", "bytes_bytes", sites, RANK_DRAG, &made_of);
    put_sites(form, "sites_by_live", "bytes", sites, RANK_LIVE, &made_of);
    free(made_of.buffer.text);
}

/* A method that allocates, and a method in which the objects die. */
struct page_pair {
    uint32_t allocates, dies; /* numbers of methods (contexts.h); 0: none is open */
    uint64_t objects;
    uint64_t bytes;
};

static int order_by_methods(const void *left, const void *right)
{
    const struct page_pair *a = left, *b = right;
    if (a->allocates != b->allocates)
        return a->allocates < b->allocates ? -1 : 1;
    return (a->dies > b->dies) - (a->dies < b->dies);
}

static int order_by_size(const void *left, const void *right)
{
    const struct page_pair *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    if (a->objects != b->objects)
        return a->objects > b->objects ? -1 : 1;
    return order_by_methods(left, right);
}

/* Adds up neighbours with the same methods; returns how many pairs are left. */
static size_t join_pairs(struct page_pair *pairs, size_t count)
{
    size_t joined = 0;
    for (size_t i = 0; i < count; i++) {
        if (joined == 0 || order_by_methods(&pairs[joined - 1], &pairs[i]) != 0) {
            pairs[joined++] = pairs[i];
            continue;
        }
        pairs[joined - 1].objects += pairs[i].objects;
        pairs[joined - 1].bytes += pairs[i].bytes;
    }
    return joined;
}

/* Sets *pairs to the pairs with the most bytes of objects that die at boundaries, at most
 * `most` of them, the largest first, and *count to their number, which is 0 if the sums have no
 * pairs. The caller owns *pairs (free). */
static enum status find_pairs(struct page_pair **pairs, size_t *count,
                              const struct site_sums *sums, size_t most, struct failure *why)
{
    const struct tallies *all = &sums->by_pair.tallies;
    struct page_pair *found = *pairs = array_new(all->count, sizeof *found);
    *count = 0;
    if (!found)
        return fail_memory(why);
    for (size_t i = 0; i < all->count; i++) {
        const struct tally *pair = &all->items[i];
        if (!pair->is_alive)
            found[(*count)++] =
                (struct page_pair){contexts_method_number(sums->contexts, pair->context),
                                   contexts_method_number(sums->contexts, pair->death_context),
                                   pair->objects, pair->bytes};
    }
    qsort(found, *count, sizeof *found, order_by_methods);
    *count = join_pairs(found, *count);
    qsort(found, *count, sizeof *found, order_by_size);
    if (*count > most)
        *count = most;
    return STATUS_OK;
}

/* Puts the method with a number; 0: none. */
static void put_numbered(struct form *form, const char *key, struct page_names *names,
                         const struct contexts *contexts, uint32_t number)
{
    put_method(form, key, names, number != 0,
               number == 0 ? 0 : contexts_numbered(contexts, number));
}

void page_pairs_put(struct form *form, const struct site_sums *sums, const struct names *names)
{
    static const struct page_pair no_pair;
    struct page_names made_of = {.names = names};
    struct page_pair *pairs = NULL;
    size_t count = 0;
    form_try(form, find_pairs(&pairs, &count, sums, MOST_PAIRS, form_failure(form)));
    form_list(form, "death_pairs", NULL, 0);
    for (size_t i = 0; form_next(form, i, count); i++) {
        const struct page_pair *pair = i < count ? &pairs[i] : &no_pair;
        form_item(form);
        put_numbered(form, "method", &made_of, sums->contexts, pair->allocates);
        put_numbered(form, "death_method", &made_of, sums->contexts, pair->dies);
        form_put(form, "bytes", "bytes", value_number(pair->bytes));
        form_put(form, "objects", "objects", value_number(pair->objects));
    }
    free(pairs);
    free(made_of.buffer.text);
}
