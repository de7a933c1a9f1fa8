/* SPDX-License-Identifier: MIT */
/* A ranking can have a row for each site or context of the trace. So only the order is kept,
 * and rows are made as they are put. In text, rankings by drag, by the stack and by young bytes
 * show shares, the others lifetimes and the peak. */
#include "report/stats/stats.h"

#include "base/text.h"
#include "report/lives/shown_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows that are ranked, and what their names are made of; then a ranking of them. Types and
 * sites have ids and names of their own; methods and contexts are pairs with a type. */
struct ranked {
    const struct tallies *tallies;
    const struct dispersion *dispersions; /* of each; NULL: they are sites, and have none */
    const struct names *names;            /* NULL: there are none */
    const struct contexts *contexts;      /* NULL: they are not by context */
    const struct pass *pass;              /* has the methods of sites, and contexts */
    bool is_of_types;
    bool is_of_deaths;       /* by context: in which objects die */
    bool has_uses;           /* so there is drag */
    bool has_threads;        /* the trace shows which objects threads share */
    wide_sum drag;           /* of all rows */
    unsigned rankings;       /* so many of enum ranking there are, the first ones */
    struct shown_name *name; /* a buffer */

    enum ranking ranking;
    const struct tally **order; /* the first `count` */
    size_t count;
};

static wide_sum drag_of_all(const struct tallies *tallies)
{
    wide_sum all = 0;
    for (size_t i = 0; i < tallies->count; i++)
        all += tallies->items[i].drag;
    return all;
}

static struct ranked rows_of(const struct stats *stats, const struct tallies *tallies,
                             const struct dispersion *dispersions)
{
    return (struct ranked){
        .tallies = tallies,
        .dispersions = dispersions,
        .pass = stats->pass,
        .has_uses = stats_has_uses(stats),
        .has_threads = !stats->pass->explicit_time,
        .drag = drag_of_all(tallies),
        .rankings = RANKINGS,
    };
}

static struct ranked ranked_types(const struct stats *stats)
{
    const struct site_tallies *types = &stats->sums->by_type;
    struct ranked ranked = rows_of(stats, &types->tallies, types->dispersions);
    ranked.is_of_types = true;
    return ranked;
}

static struct ranked ranked_sites(const struct stats *stats)
{
    return rows_of(stats, &stats->sites, NULL);
}

static struct ranked ranked_methods(const struct stats *stats)
{
    const struct site_tallies *methods = &stats->sums->by_method;
    return rows_of(stats, &methods->tallies, methods->dispersions);
}

static struct ranked ranked_contexts(const struct stats *stats)
{
    const struct site_tallies *contexts = &stats->sums->by_context;
    struct ranked ranked = rows_of(stats, &contexts->tallies, contexts->dispersions);
    ranked.contexts = stats->sums->contexts;
    return ranked;
}

/* Contexts of deaths, by objects and bytes. */
static struct ranked ranked_deaths(const struct stats *stats)
{
    const struct site_tallies *deaths = &stats->sums->by_death;
    struct ranked ranked = rows_of(stats, &deaths->tallies, deaths->dispersions);
    ranked.contexts = stats->sums->contexts;
    ranked.is_of_deaths = true;
    ranked.rankings = RANK_BYTES + 1;
    return ranked;
}

/* Makes the rows of a kind, with these names (NULL: none), which are made in a buffer. */
typedef struct ranked ranked_rows(const struct stats *stats);
static struct ranked ranked_of(ranked_rows *rows, const struct stats *stats,
                               const struct names *names, struct shown_name *name)
{
    struct ranked ranked = rows(stats);
    ranked.names = names;
    ranked.name = name;
    return ranked;
}

/* A row of it. */
struct shown_row {
    const struct tally *tally;
    const struct dispersion *dispersion; /* not of sites */
    uint64_t type;                       /* the first one */
    const char *type_name;               /* NULL: no name */
    /* The method that allocates, if it is known; of a site the most frequent one: */
    bool has_method, is_one_of_several;
    uint64_t method;
    const char *method_name;
};

/* Sets the method that allocates most at a site. */
static void set_site_method(struct shown_row *row, const struct pass *pass)
{
    struct site_method method = contexts_site_method(pass_contexts(pass), row->tally->id);
    row->has_method = method.number != 0;
    row->is_one_of_several = method.is_one_of_several;
    if (row->has_method)
        row->method = contexts_numbered(pass_contexts(pass), method.number);
}

/* Row number `number`; if there is none, an empty one. */
static struct shown_row shown_row(const struct ranked *ranked, size_t number)
{
    static const struct tally no_tally;
    static const struct dispersion no_dispersion;
    struct shown_row row = {.tally = &no_tally, .dispersion = &no_dispersion};
    if (number >= ranked->count)
        return row;
    const struct tally *tally = row.tally = ranked->order[number];
    row.has_method = tally->has_method;
    row.method = tally->method;
    row.type = ranked->is_of_types ? tally->id : tally->type;
    row.type_name = names_find(ranked->names, NAMES_TYPE, row.type);
    if (ranked->dispersions)
        row.dispersion = &ranked->dispersions[tally - ranked->tallies->items];
    else
        set_site_method(&row, ranked->pass);
    row.method_name =
        row.has_method ? names_find(ranked->names, NAMES_METHOD, row.method) : "(none)";
    return row;
}

static struct value site_name(struct form *form, const struct ranked *ranked,
                              const struct shown_row *row)
{
    const char *name;
    if (!shown_name_of_site(ranked->name, ranked->pass, row->tally->id, ranked->names, &name))
        return form_name(form, NULL);
    return value_text(name);
}

static struct value frames(struct form *form, const struct ranked *ranked,
                           const struct shown_row *row)
{
    const struct tally *tally = row->tally;
    return form_name(
        form,
        ranked->is_of_deaths
            ? shown_name_of_death(ranked->name, ranked->contexts, tally->is_alive,
                                  tally->context, ranked->names)
            : shown_name_of_allocations(ranked->name, ranked->contexts, tally, ranked->names));
}

/* In text: the methods of a site, by their ids if they have no names. */
static struct value shown_methods(struct form *form, const struct ranked *ranked,
                                  const struct shown_row *row)
{
    const struct tally *tally = row->tally;
    if (ranked->contexts)
        return frames(form, ranked, row);
    if (!tally->has_method)
        return value_text("(none)");
    return form_name(
        form, shown_name_of_id(ranked->name, NAMES_METHOD, tally->method, ranked->names));
}

static struct value shown_type(struct form *form, const struct ranked *ranked,
                               const struct shown_row *row)
{
    return form_name(form,
                     shown_name_of_id(ranked->name, NAMES_TYPE, row->type, ranked->names));
}

static struct value whole_mean(const struct tally *tally)
{
    return tally->deaths == 0
               ? NO_VALUE
               : value_number(figures_whole_mean(tally->lifetime, tally->deaths));
}

static void put_outlived(struct form *form, const struct tally *tally)
{
    const uint64_t *bytes = tally->outlived;
    form_put(form, "outlived_bytes.0", "bytes", value_number(bytes[OUTLIVED_0]));
    form_put(form, "outlived_bytes.1", "bytes", value_number(bytes[OUTLIVED_1]));
    form_put(form, "outlived_bytes.2", "bytes", value_number(bytes[OUTLIVED_2]));
    form_put(form, "outlived_bytes.3_to_5", "bytes", value_number(bytes[OUTLIVED_3_TO_5]));
    form_put(form, "outlived_bytes.6_to_10", "bytes", value_number(bytes[OUTLIVED_6_TO_10]));
    form_put(form, "outlived_bytes.more", "bytes", value_number(bytes[OUTLIVED_MORE]));
    form_put(form, "outlived_bytes.no_frame", "bytes", value_number(bytes[OUTLIVED_NO_FRAME]));
}

/* The figures that all rankings have. */
static void put_sums(struct form *form, const struct ranked *ranked, const struct tally *tally)
{
    bool has_uses = ranked->has_uses;
    form_cell(form, "objects", "objects", 9, "objects", value_number(tally->objects));
    form_cell(form, "bytes", "bytes", 11, "bytes", value_number(tally->bytes));
    form_put(form, "died", "objects", value_number(tally->deaths));
    form_put(form, "mean_lifetime", "bytes", value_mean(tally->lifetime, tally->deaths));
    form_put(form, "live_at_peak", "bytes", value_number(tally->live));
    form_put(form, "drag", "bytes_bytes", value_number_if(has_uses, tally->drag));
    form_put(form, "immortal_objects", "objects", value_number(tally->immortals));
    form_put(form, "immortal_bytes", "bytes", value_number(tally->immortal_bytes));
    form_put(form, "immortal_drag", "bytes_bytes",
             value_number_if(has_uses, tally->immortal_drag));
    form_put(form, "young_bytes", "bytes", value_number(tally->young));
    put_outlived(form, tally);
    form_put(form, "shared_bytes", "bytes",
             value_number_if(ranked->has_threads, tally->shared));
}

/* The figures that all rankings but those of sites have. */
static void put_dispersion(struct form *form, const struct shown_row *row)
{
    const struct dispersion *dispersion = row->dispersion;
    form_put(form, "median_lifetime", "bytes",
             value_number_if(row->tally->deaths > 0, dispersion->median));
    form_put(form, "gini_bytes", "fraction", value_gini(&dispersion->by_bytes));
    form_put(form, "gini_objects", "fraction", value_gini(&dispersion->by_objects));
}

/* Two columns of text that show what the ranking is by. */
static void put_rank(struct form *form, const struct ranked *ranked, const struct tally *tally)
{
    switch (ranked->ranking) {
    case RANK_DRAG:
        form_cell(form, NULL, "drag", 11, "percent",
                  value_wide_share(tally->drag, ranked->drag));
        form_cell(form, NULL, "of alive", 10, "percent",
                  value_wide_share(tally->immortal_drag, ranked->drag));
        break;
    case RANK_STACK:
        form_cell(form, NULL, "on stack", 11, "percent",
                  value_share(tally->outlived[OUTLIVED_0], tally->bytes));
        form_cell(form, NULL, "shared", 10, "percent",
                  ranked->has_threads ? value_share(tally->shared, tally->bytes) : NO_VALUE);
        break;
    case RANK_YOUNG:
        form_cell(form, NULL, "young", 11, "percent", value_share(tally->young, tally->bytes));
        form_cell(form, NULL, "alive", 10, "percent",
                  value_share(tally->immortal_bytes, tally->bytes));
        break;
    default:
        form_cell(form, NULL, "lifetime", 11, "bytes", whole_mean(tally));
        form_cell(form, NULL, "peak", 10, "bytes", value_number(tally->live));
        break;
    }
}

/* A name in text: as much of its end as fits 80 columns. */
static void put_cut_name(struct form *form, const char *name)
{
    enum { ROOM = 23 };
    char cut[COMPOSED_SIZE];
    size_t end = name ? text_end(name, ROOM) : 0;
    if (end > 0)
        snprintf(cut, sizeof cut, "...%s", name + end);
    form_cell(form, NULL, "", 0, "name",
              end > 0 ? value_text(cut) : value_text(name ? name : ""));
}

static void put_type(struct form *form, const struct ranked *ranked,
                     const struct shown_row *row)
{
    form_cell(form, "id", "type", 10, "id", value_number(row->tally->id));
    form_put(form, "name", "name", value_text(row->type_name));
    put_sums(form, ranked, row->tally);
    put_dispersion(form, row);
    put_rank(form, ranked, row->tally);
    put_cut_name(form, row->type_name);
}

static void put_site(struct form *form, const struct ranked *ranked,
                     const struct shown_row *row)
{
    const struct tally *tally = row->tally;
    bool has_one_type = !tally->has_types;
    form_put(form, "id", "id", value_number(tally->id));
    form_put(form, "name", "name", ranked->count > 0 ? site_name(form, ranked, row) : NO_VALUE);
    form_put(form, "method", "id", value_number_if(row->has_method, row->method));
    form_put(form, "method_name", "name", value_text(row->method_name));
    form_put(form, "several_methods", "flag", value_flag(row->is_one_of_several));
    form_put(form, "type", "id", value_number_if(has_one_type, tally->type));
    form_put(form, "type_name", "name", has_one_type ? value_text(row->type_name) : NO_VALUE);
    put_sums(form, ranked, tally);
}

/* What methods and contexts have: of what allocates, then sums, and names in text. */
static void put_allocation(struct form *form, const struct shown_row *row)
{
    form_put(form, "method", "id", value_number_if(row->has_method, row->method));
    form_put(form, "method_name", "name", value_text(row->method_name));
    form_put(form, "type", "id", value_number(row->tally->type));
    form_put(form, "type_name", "name", value_text(row->type_name));
    form_put(form, "site", "id", value_number_if(!row->tally->has_sites, row->tally->site));
}

static void put_sums_and_names(struct form *form, const struct ranked *ranked,
                               const struct shown_row *row)
{
    put_sums(form, ranked, row->tally);
    put_dispersion(form, row);
    put_rank(form, ranked, row->tally);
    form_cell(form, NULL, "", 0, "name", shown_methods(form, ranked, row));
    form_cell(form, NULL, "", 0, "name", shown_type(form, ranked, row));
}

/* In text, the first site, with a plus if there are more. */
static void put_method(struct form *form, const struct ranked *ranked,
                       const struct shown_row *row)
{
    char site[COMPOSED_SIZE];
    snprintf(site, sizeof site, "%" PRIu64 "%s", row->tally->site,
             row->tally->has_sites ? "+" : " ");
    form_cell(form, NULL, "site ", 10, "id", value_text(site));
    put_allocation(form, row);
    put_sums_and_names(form, ranked, row);
}

static void put_context(struct form *form, const struct ranked *ranked,
                        const struct shown_row *row)
{
    form_cell(form, "context", "context", 10, "id", value_number(row->tally->context));
    if (!form_is_text(form))
        form_put(form, "frames", "name", frames(form, ranked, row));
    put_allocation(form, row);
    put_sums_and_names(form, ranked, row);
}

static void put_death(struct form *form, const struct ranked *ranked,
                      const struct shown_row *row)
{
    bool is_dead = !row->tally->is_alive;
    form_cell(form, "context", "context", 10, "id",
              value_number_if(is_dead, row->tally->context));
    if (!form_is_text(form))
        form_put(form, "frames", "name", frames(form, ranked, row));
    form_put(form, "method", "id", value_number_if(row->has_method, row->method));
    form_put(form, "method_name", "name", is_dead ? value_text(row->method_name) : NO_VALUE);
    form_put(form, "type", "id", value_number(row->tally->type));
    form_put(form, "type_name", "name", value_text(row->type_name));
    put_sums_and_names(form, ranked, row);
}

/* What is ranked. */
struct ranked_kind {
    const char *key, *title;
    ranked_rows *rows;
    void (*put)(struct form *form, const struct ranked *ranked, const struct shown_row *row);
    bool is_in_text;
};

static const struct ranked_kind kinds[] = {
    {"types", "types", ranked_types, put_type, true},
    {"sites", "sites", ranked_sites, put_site, false},
    {"methods", "methods and types", ranked_methods, put_method, true},
    {"contexts", "contexts and types", ranked_contexts, put_context, true},
    {"death_contexts", "contexts of deaths and types", ranked_deaths, put_death, true},
};

/* What it is ranked by: the ends of paths and titles. */
static const struct {
    const char *key, *title;
} rankings[RANKINGS] = {
    [RANK_OBJECTS] = {"by_objects", "by objects"},
    [RANK_BYTES] = {"by_bytes", "by bytes"},
    [RANK_DRAG] = {"by_drag", "by drag"},
    [RANK_LIFETIME] = {"by_mean_lifetime", "by mean lifetime in bytes"},
    [RANK_LIVE] = {"by_live_at_peak", "by bytes live at the peak"},
    [RANK_STACK] = {"by_stack_bytes", "by bytes that could be on the stack"},
    [RANK_YOUNG] = {"by_young_bytes", "by bytes that die young"},
};

/* Ranks the rows; free releases ranked->order. */
static void rank(struct form *form, struct ranked *ranked, enum ranking ranking,
                 const struct ranking_choice *choice)
{
    ranked->ranking = ranking;
    ranked->order = NULL;
    ranked->count = 0;
    form_try(form, tallies_rank(ranked->tallies, ranking, choice, &ranked->order,
                                &ranked->count, form_failure(form)));
}

static void put_ranking(struct form *form, const struct ranked_kind *kind,
                        struct ranked *ranked, enum ranking ranking,
                        const struct ranking_choice *choice)
{
    char path[COMPOSED_SIZE], title[COMPOSED_SIZE];
    snprintf(path, sizeof path, "%s.%s", kind->key, rankings[ranking].key);
    snprintf(title, sizeof title, "%s %s", kind->title, rankings[ranking].title);
    rank(form, ranked, ranking, choice);
    form_list_of(form, path, title, ranked->count, ranked->tallies->count);
    for (size_t i = 0; form_next(form, i, ranked->count); i++) {
        const struct shown_row row = shown_row(ranked, i);
        form_item(form);
        kind->put(form, ranked, &row);
    }
    form_end(form);
    free(ranked->order);
}

void rankings_put(struct form *form, const struct stats *stats, const struct names *names,
                  const struct ranking_choice *choice)
{
    struct shown_name name = {.text = NULL};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct ranked_kind *kind = &kinds[i];
        struct ranked ranked = ranked_of(kind->rows, stats, names, &name);
        form_lines(form, kind->key, NULL, 0, 0);
        form_put(form, "count", "count", value_number(ranked.tallies->count));
        for (unsigned by = 0; by < ranked.rankings; by++)
            if (kind->is_in_text || !form_is_text(form))
                put_ranking(form, kind, &ranked, (enum ranking)by, choice);
    }
    free(name.text);
}

/* On one screen, a row is called by the end of its names. */
enum { LABEL_ROOM = 38, LABEL_SIZE = 4 * LABEL_ROOM };

/* Adds as much of the end of a name as the label has room for. */
static void add_to_label(char label[LABEL_SIZE], const char *name)
{
    size_t length = strlen(label);
    size_t end = name ? text_end(name, LABEL_ROOM - length) : 0;
    snprintf(label + length, LABEL_ROOM + 1 - length, "%s%s", end > 0 ? "..." : "",
             name ? name + end : "");
}

/* Makes the label of a row: its type and, with `has_method`, the method that allocates it. The
 * type gets at most half of the room then. */
static void make_label(char label[LABEL_SIZE], struct form *form, const struct ranked *ranked,
                       const struct shown_row *row, bool has_method)
{
    enum { TYPE_ROOM = LABEL_ROOM / 2 - 4 };
    const char *type = shown_type(form, ranked, row).text;
    size_t end = type ? text_end(type, TYPE_ROOM) : 0;
    *label = '\0';
    if (has_method) {
        snprintf(label, LABEL_ROOM + 1, "%s%s in ", end > 0 ? "..." : "",
                 type ? type + end : "");
        type = shown_methods(form, ranked, row).text;
    }
    add_to_label(label, type);
}

/* Puts the figures of a row on one screen: by bytes or, if nothing has a size, by objects. */
static void put_brief_row(struct form *form, const struct tally *tally,
                          const struct stats *stats)
{
    char scaled[SCALED_SIZE];
    if (stats->bytes_in_all == 0) {
        form_cell(form, NULL, "objects", 10, "objects", value_number(tally->objects));
        form_cell(form, NULL, "of all", 8, "percent",
                  value_share(tally->objects, stats_allocated(stats).objects));
        return;
    }
    form_cell(form, NULL, "bytes", 10, "bytes", value_text(value_scaled(scaled, tally->bytes)));
    form_cell(form, NULL, "of all", 8, "percent",
              value_share(tally->bytes, stats->bytes_in_all));
    form_cell(form, NULL, "young", 8, "percent", value_share(tally->young, tally->bytes));
    form_cell(form, NULL, "alive", 8, "percent",
              value_share(tally->immortal_bytes, tally->bytes));
}

static void put_briefly(struct form *form, const char *title, const struct stats *stats,
                        struct ranked *ranked, enum ranking ranking, size_t top)
{
    const struct ranking_choice choice = {.min_count = 1, .top = top};
    char label[LABEL_SIZE];
    rank(form, ranked, ranking, &choice);
    form_rows(form, "", title, LABEL_ROOM + 2);
    for (size_t i = 0; i < ranked->count; i++) {
        const struct shown_row row = shown_row(ranked, i);
        make_label(label, form, ranked, &row, !ranked->is_of_types);
        form_row(form, "", label);
        put_brief_row(form, row.tally, stats);
    }
    free(ranked->order);
}

void rankings_put_briefly(struct form *form, const struct stats *stats,
                          const struct names *names, size_t top)
{
    bool has_bytes = stats->bytes_in_all > 0;
    enum ranking ranking = has_bytes ? RANK_BYTES : RANK_OBJECTS;
    struct shown_name name = {.text = NULL};
    struct ranked types = ranked_of(ranked_types, stats, names, &name);
    struct ranked methods = ranked_of(ranked_methods, stats, names, &name);
    put_briefly(form, has_bytes ? "types by bytes" : "types by objects", stats, &types, ranking,
                top);
    put_briefly(form, has_bytes ? "types and methods by bytes" : "types and methods by objects",
                stats, &methods, ranking, top);
    put_briefly(form, "dies youngest, by bytes", stats, &methods, RANK_YOUNG, top);
    free(name.text);
}

/* The types, methods and contexts of the page: how many there are, and a table. Its rows are
 * limited, so that the page of any trace can be mailed. */
struct page_table {
    const char *path, *rows_path;
    const char *name; /* the key of the first column, before the type; NULL: it is the type */
    ranked_rows *rows;
    size_t most;
};

static const struct page_table page_tables[] = {
    {"tables.types", "tables.types.rows", NULL, ranked_types, 600},
    {"tables.methods", "tables.methods.rows", "method", ranked_methods, 500},
    {"tables.contexts", "tables.contexts.rows", "context", ranked_contexts, 300},
};

/* The method, with its line if that is known, or the frames of a context. */
static struct value allocator(struct form *form, const struct ranked *ranked,
                              const struct shown_row *row)
{
    if (ranked->contexts)
        return frames(form, ranked, row);
    if (!row->tally->has_method)
        return value_text("(none)");
    return form_name(form, shown_name_of_allocator(ranked->name, row->tally, ranked->names));
}

/* Columns that one can sort by are whole numbers. */
static void put_page_row(struct form *form, const struct ranked *ranked,
                         const struct shown_row *row, const char *name)
{
    const struct tally *tally = row->tally;
    bool has_uses = ranked->has_uses;
    if (name)
        form_put(form, name, "name", allocator(form, ranked, row));
    form_put(form, "type", "name", shown_type(form, ranked, row));
    form_put(form, "objects", "objects", value_number(tally->objects));
    form_put(form, "bytes", "bytes", value_number(tally->bytes));
    form_put(form, "died", "objects", value_number(tally->deaths));
    form_put(form, "mean_lifetime", "bytes", whole_mean(tally));
    form_put(form, "median_lifetime", "bytes",
             value_number_if(tally->deaths > 0, row->dispersion->median));
    form_put(form, "drag", "bytes_bytes", value_number_if(has_uses, tally->drag));
    form_put(form, "immortal_drag", "bytes_bytes",
             value_number_if(has_uses, tally->immortal_drag));
    form_put(form, "live_at_peak", "bytes", value_number(tally->live));
    form_put(form, "immortal_bytes", "bytes", value_number(tally->immortal_bytes));
    form_put(form, "gini_bytes", "fraction", value_gini(&row->dispersion->by_bytes));
    form_put(form, "young_bytes", "bytes", value_number(tally->young));
}

/* Puts those with the most bytes, or with the most objects if the format has no sizes. */
static void put_page_table(struct form *form, const struct page_table *table,
                           struct ranked *ranked, uint64_t bytes_in_all)
{
    const struct ranking_choice choice = {.min_count = 1, .top = table->most};
    form_lines(form, table->path, NULL, 0, 0);
    form_put(form, "count", "count", value_number(ranked->tallies->count));
    rank(form, ranked, bytes_in_all > 0 ? RANK_BYTES : RANK_OBJECTS, &choice);
    form_list(form, table->rows_path, NULL, 0);
    for (size_t i = 0; form_next(form, i, ranked->count); i++) {
        const struct shown_row row = shown_row(ranked, i);
        form_item(form);
        put_page_row(form, ranked, &row, table->name);
    }
    free(ranked->order);
}

void rankings_put_for_page(struct form *form, const struct stats *stats,
                           const struct names *names)
{
    struct shown_name name = {.text = NULL};
    for (size_t i = 0; i < sizeof page_tables / sizeof *page_tables; i++) {
        struct ranked ranked = ranked_of(page_tables[i].rows, stats, names, &name);
        put_page_table(form, &page_tables[i], &ranked, stats->bytes_in_all);
    }
    free(name.text);
}
