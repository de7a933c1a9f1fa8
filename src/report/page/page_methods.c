/* SPDX-License-Identifier: MIT */
/* Sums are kept by context, whose number each allocation has, and added up by method at the
 * end, so that a life costs no search for its method. Pairs of contexts are sorted by their
 * methods, so that pairs of the same two methods follow each other, and can be added up.
 *
 * Rows and their names are made as they are printed: each table has a struct with room for one
 * row and a buffer for names. If there is no memory for a name, printing ends after its row. */
#include "report/page/page_methods.h"

#include "base/memory.h"
#include "report/lives/life_classes.h"
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

/* Makes names. */
struct page_names {
    const struct names *names;
    struct shown_name *buffer;
    struct print *print;
};

static struct value method_name(const struct page_names *names, bool has_method,
                                uint64_t method)
{
    if (!has_method)
        return value_text("(none)");
    return shown_name_value(names->print,
                            shown_name_of_method(names->buffer, method, names->names));
}

struct site_row {
    const struct tally *method;
    wide_sum parts[PAGE_LIVES];
};

/* A ranking of sites. */
struct ranked_sites {
    struct page_names names;
    const struct page_sites *sites;
    enum ranking ranking;
    const struct tally **ranked;
    size_t count;
    struct site_row *current;
};

static wide_sum split_by(const struct page_split *split, enum ranking ranking)
{
    return ranking == RANK_BYTES  ? split->bytes
           : ranking == RANK_LIVE ? split->live
                                  : split->drag;
}

static bool next_site(struct row *row)
{
    const struct ranked_sites *ranked = row->document;
    if (row->at == ranked->count)
        return false;
    const struct tally *method = ranked->ranked[row->at++];
    const struct page_site *site =
        &ranked->sites->splits[method - ranked->sites->methods.items];
    ranked->current->method = method;
    for (size_t life = 0; life < PAGE_LIVES; life++)
        ranked->current->parts[life] = split_by(&site->splits[life], ranked->ranking);
    row->subject = ranked->current;
    return true;
}

static struct value site_method_of(struct row *row)
{
    const struct tally *method = ((const struct site_row *)row->subject)->method;
    return method_name(&((const struct ranked_sites *)row->document)->names, method->has_method,
                       method->method);
}

static const struct figure site_figures[] = {
    FIGURE_OF("method", NULL, "name", 0, site_method_of),
    FIGURE("short_lived", NULL, "", 0, site_row, parts[PAGE_SHORT]),
    FIGURE("long_lived", NULL, "", 0, site_row, parts[PAGE_LONG]),
    FIGURE("immortal", NULL, "", 0, site_row, parts[PAGE_IMMORTAL]),
    FIGURES_END,
};

#define SITES(key_, unit_)                                                                     \
    SECTION(LIST, key_, NULL, 0, 0, site_figures, .next = next_site, .unit = unit_)

static const struct section sites_by_bytes = SITES("sites_by_bytes", "bytes");
static const struct section sites_by_drag = SITES("sites_by_drag", "bytes_bytes");
static const struct section sites_by_live = SITES("sites_by_live", "bytes");

static void print_sites(struct document *document, const struct section *section,
                        struct ranked_sites *ranked, enum ranking ranking)
{
    struct print *print = document->print;
    const struct ranking_choice choice = {.min_count = 1, .top = MOST_SITES};
    if (print->status != STATUS_OK)
        return;
    ranked->ranking = ranking;
    print->status = tallies_rank(&ranked->sites->methods, ranking, &choice, &ranked->ranked,
                                 &ranked->count, print->why);
    if (print->status != STATUS_OK)
        return;
    document_put(document, section, ranked);
    free(ranked->ranked);
}

void page_sites_print(struct document *document, const struct page_sites *sites,
                      const struct names *names)
{
    struct shown_name buffer = {.text = NULL};
    struct site_row current;
    struct ranked_sites ranked = {
        .names = {names, &buffer, document->print}, .sites = sites, .current = &current};
    print_sites(document, &sites_by_bytes, &ranked, RANK_BYTES);
    print_sites(document, &sites_by_drag, &ranked, RANK_DRAG);
    print_sites(document, &sites_by_live, &ranked, RANK_LIVE);
    free(buffer.text);
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

struct shown_pairs {
    struct page_names names;
    const struct contexts *contexts;
    struct page_pair *pairs;
    size_t count;
};

/* The name of the method with a number; 0: none. */
static struct value numbered_name(const struct shown_pairs *shown, uint32_t number)
{
    return method_name(&shown->names, number != 0,
                       number == 0 ? 0 : contexts_numbered(shown->contexts, number));
}

static struct value allocator_of(struct row *row)
{
    return numbered_name(row->document, ((const struct page_pair *)row->subject)->allocates);
}

static struct value death_method_of(struct row *row)
{
    return numbered_name(row->document, ((const struct page_pair *)row->subject)->dies);
}

static const struct figure pair_figures[] = {
    FIGURE_OF("method", NULL, "name", 0, allocator_of),
    FIGURE_OF("death_method", NULL, "name", 0, death_method_of),
    FIGURE("bytes", NULL, "bytes", 0, page_pair, bytes),
    FIGURE("objects", NULL, "objects", 0, page_pair, objects),
    FIGURES_END,
};

static const struct section death_pairs = SECTION(LIST, "death_pairs", NULL, 0, 0, pair_figures,
                                                  .array = ARRAY_AT(shown_pairs, pairs, count));

void page_pairs_print(struct document *document, const struct site_sums *sums,
                      const struct names *names)
{
    struct print *print = document->print;
    struct shown_name buffer = {.text = NULL};
    struct shown_pairs shown = {.names = {names, &buffer, print}, .contexts = sums->contexts};
    if (print->status != STATUS_OK)
        return;
    print->status = find_pairs(&shown.pairs, &shown.count, sums, MOST_PAIRS, print->why);
    if (print->status == STATUS_OK)
        document_put(document, &death_pairs, &shown);
    free(shown.pairs);
    free(buffer.text);
}
