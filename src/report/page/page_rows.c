/* SPDX-License-Identifier: MIT */
/* Rows and their names are made as they are printed: each table has a struct with room for one
 * row and a buffer for names. If there is no memory for a name, printing ends after its row. */
#include "report/page/page_rows.h"

#include "report/lives/shown_name.h"
#include "report/page/page_pairs.h"

#include <stdlib.h>

/* The most bars of each kind. */
enum { MOST_SITES = 15, MOST_PAIRS = 20 };

/* Makes names. */
struct page_names {
    const struct names *names;
    struct shown_name *buffer;
    struct print *print;
};

static struct value made_name(const struct page_names *names, const char *name)
{
    if (!name && names->print->status == STATUS_OK)
        names->print->status = fail_memory(names->print->why);
    return value_text(name);
}

static struct value method_name(const struct page_names *names, bool has_method,
                                uint64_t method)
{
    if (!has_method)
        return value_text("(none)");
    return made_name(names, shown_name_of_method(names->buffer, method, names->names));
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

static struct value killer_of(struct row *row)
{
    return numbered_name(row->document, ((const struct page_pair *)row->subject)->kills);
}

static const struct figure pair_figures[] = {
    FIGURE_OF("method", NULL, "name", 0, allocator_of),
    FIGURE_OF("death_method", NULL, "name", 0, killer_of),
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
    print->status = page_pairs_find(&shown.pairs, &shown.count, sums, MOST_PAIRS, print->why);
    if (print->status == STATUS_OK)
        document_put(document, &death_pairs, &shown);
    free(shown.pairs);
    free(buffer.text);
}

struct curve_row {
    const struct tally *type; /* NULL: the curve of all objects */
    uint64_t bytes;
    struct gini gini;
};

/* A point of a curve. */
struct point_row {
    uint64_t curve; /* its row, from 0 on */
    uint64_t bytes_share, lifetime_share;
};

struct shown_curves {
    struct page_names names;
    const struct page_curves *curves;
    struct curve_row *curve;
    struct point_row *point;
};

static const struct page_curve *curve_at(const struct page_curves *curves, size_t number)
{
    return number == 0 ? &curves->all : &curves->of_types[number - 1];
}

static bool next_curve(struct row *row)
{
    const struct shown_curves *shown = row->document;
    const struct page_curves *curves = shown->curves;
    const struct site_sums *sums = curves->sums;
    size_t number = (size_t)row->at++;
    if (number > curves->type_count)
        return false;
    const struct tally *type = number == 0 ? NULL : curves->types[number - 1];
    *shown->curve = (struct curve_row){
        .type = type,
        .bytes = curve_at(curves, number)->whole,
        .gini = type ? sums->by_type.dispersions[type - sums->by_type.tallies.items].by_bytes
                     : sums->all.by_bytes,
    };
    row->subject = shown->curve;
    return true;
}

static struct value curve_name_of(struct row *row)
{
    const struct page_names *names = &((const struct shown_curves *)row->document)->names;
    const struct tally *type = ((const struct curve_row *)row->subject)->type;
    if (!type)
        return NO_VALUE;
    return made_name(names, shown_name_of_type(names->buffer, type->id, names->names));
}

/* Goes to the next point. Each curve begins at 0, which is not among its points. */
static bool next_point(struct row *row)
{
    enum { MOST = PAGE_CURVE_POINTS + 2 };
    const struct shown_curves *shown = row->document;
    size_t number = (size_t)(row->at / MOST), at = (size_t)(row->at % MOST);
    if (number <= shown->curves->type_count && at > curve_at(shown->curves, number)->count) {
        number++;
        at = 0;
    }
    if (number > shown->curves->type_count)
        return false;
    const struct page_curve *curve = curve_at(shown->curves, number);
    const struct page_curve_point zero = {.weight = 0},
                                  *point = at == 0 ? &zero : &curve->points[at - 1];
    *shown->point =
        (struct point_row){number, page_curve_share(point->weight, curve->now.weight),
                           page_curve_share(point->sum, curve->now.sum)};
    row->subject = shown->point;
    row->at = (uint64_t)number * MOST + at + 1;
    return true;
}

static const struct figure curve_figures[] = {
    FIGURE_OF("name", NULL, "name", 0, curve_name_of),
    FIGURE("bytes", NULL, "bytes", 0, curve_row, bytes),
    FIGURE("gini_bytes", NULL, "fraction", 0, curve_row, gini),
    FIGURES_END,
};

static const struct figure point_figures[] = {
    FIGURE("curve", NULL, "count", 0, point_row, curve),
    FIGURE("bytes_millionths", NULL, "millionths", 0, point_row, bytes_share),
    FIGURE("lifetime_millionths", NULL, "millionths", 0, point_row, lifetime_share),
    FIGURES_END,
};

static const struct section curve_sections[] = {
    SECTION(LIST, "curves", NULL, 0, 0, curve_figures, .next = next_curve),
    SECTION(LIST, "curve_points", NULL, 0, 0, point_figures, .next = next_point),
    SECTIONS_END,
};

void page_curves_print(struct document *document, const struct page_curves *curves,
                       const struct names *names)
{
    struct shown_name buffer = {.text = NULL};
    struct curve_row curve;
    struct point_row point;
    const struct shown_curves shown = {
        .names = {names, &buffer, document->print},
        .curves = curves,
        .curve = &curve,
        .point = &point,
    };
    document_print(document, curve_sections, &shown);
    free(buffer.text);
}
