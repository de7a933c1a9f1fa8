/* SPDX-License-Identifier: MIT */
/* A ranking can have a row for each site or context of the trace. So only the order is kept,
 * and rows are made as they are printed. Text has two forms: rankings by drag show the share of
 * all drag that a site has, the others lifetimes and the peak. */
#include "report/stats/stats_print.h"

#include "base/text.h"
#include "report/lives/shown_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows that a ranking ranks, and what their names are made of. Types and sites have ids and
 * names of their own; methods and contexts are pairs with a type. */
struct ranked_rows {
    const struct tallies *tallies;
    const struct dispersion *dispersions; /* of each; NULL: there are none */
    const struct names *names;            /* NULL: there are none */
    const struct contexts *contexts;      /* NULL: they are not by context */
    const struct pass *pass;              /* of sites: has their methods */
    bool is_of_deaths;                    /* by context: in which objects die */
    bool is_of_ids;                       /* of ids in the space below, types or sites */
    enum name_space space;
    bool has_uses;     /* so there is drag */
    unsigned rankings; /* so many of enum ranking there are, the first ones */
};

static struct ranked_rows rows_of(const struct stats *stats, const struct names *names,
                                  const struct site_tallies *sums)
{
    return (struct ranked_rows){
        .tallies = &sums->tallies,
        .dispersions = sums->dispersions,
        .names = names,
        .has_uses = stats_has_uses(stats),
        .rankings = RANKINGS,
    };
}

static struct ranked_rows ranked_types(const struct stats *stats, const struct names *names)
{
    struct ranked_rows sums = rows_of(stats, names, &stats->sums->by_type);
    sums.is_of_ids = true;
    sums.space = NAMES_TYPE;
    return sums;
}

static struct ranked_rows ranked_sites(const struct stats *stats, const struct names *names)
{
    return (struct ranked_rows){
        .tallies = &stats->sites,
        .names = names,
        .pass = stats->pass,
        .is_of_ids = true,
        .space = NAMES_SITE,
        .has_uses = stats_has_uses(stats),
        .rankings = RANKINGS,
    };
}

static struct ranked_rows ranked_methods(const struct stats *stats, const struct names *names)
{
    return rows_of(stats, names, &stats->sums->by_method);
}

static struct ranked_rows ranked_contexts(const struct stats *stats, const struct names *names)
{
    struct ranked_rows sums = rows_of(stats, names, &stats->sums->by_context);
    sums.contexts = stats->sums->contexts;
    return sums;
}

/* Contexts of deaths, by objects and bytes. */
static struct ranked_rows ranked_deaths(const struct stats *stats, const struct names *names)
{
    struct ranked_rows sums = rows_of(stats, names, &stats->sums->by_death);
    sums.contexts = stats->sums->contexts;
    sums.is_of_deaths = true;
    sums.rankings = RANK_BYTES + 1;
    return sums;
}

/* A row while it is printed. */
struct shown_row {
    struct tally tally;
    struct dispersion dispersion; /* not of sites */
    bool is_dead;
    bool has_one_type, has_one_site;
    bool has_method; /* the method that allocates is known; of a site the most frequent one */
    bool has_several_methods;
    uint64_t method;
    uint64_t type;                       /* the first one */
    const char *type_name, *method_name; /* NULL: no name */
};

/* A ranking that is printed. */
struct ranked {
    const struct ranked_rows *sums;
    const struct tally **tallies;
    size_t count;
    uint64_t all;                          /* rows */
    wide_sum drag;                         /* of all rows */
    uint64_t objects_in_all, bytes_in_all; /* that the trace allocates */
    bool has_threads;                      /* the trace shows which objects threads share */
    bool has_uses;                         /* the trace shows uses, so there is drag */
    struct shown_name *name;               /* a buffer */
    struct print *print;
    struct shown_row *current;
};

static const struct tally *tally_of(const struct row *row)
{
    return &((const struct shown_row *)row->subject)->tally;
}

/* Sets the method that allocates most at a site. */
static void set_site_method(struct shown_row *shown, const struct pass *pass)
{
    struct site_method method = site_methods_find(pass_sites(pass), shown->tally.id);
    shown->has_method = method.number != 0;
    shown->has_several_methods = method.is_one_of_several;
    if (shown->has_method)
        shown->method = contexts_numbered(pass_contexts(pass), method.number);
}

static void show_row(const struct ranked *ranked, const struct tally *tally)
{
    const struct ranked_rows *sums = ranked->sums;
    struct shown_row *shown = ranked->current;
    bool is_type = sums->is_of_ids && sums->space == NAMES_TYPE;
    *shown = (struct shown_row){
        .tally = *tally,
        .is_dead = !tally->is_alive,
        .has_one_type = !tally->has_types,
        .has_one_site = !tally->has_sites,
        .has_method = tally->has_method,
        .method = tally->method,
        .type = is_type ? tally->id : tally->type,
        .method_name = "(none)",
    };
    shown->type_name = names_find(sums->names, NAMES_TYPE, shown->type);
    if (sums->dispersions)
        shown->dispersion = sums->dispersions[tally - sums->tallies->items];
    if (sums->is_of_ids && !is_type)
        set_site_method(shown, sums->pass);
    if (shown->has_method)
        shown->method_name = names_find(sums->names, NAMES_METHOD, shown->method);
}

static bool next_ranked(struct row *row)
{
    const struct ranked *ranked = row->document;
    if (row->at == ranked->count)
        return false;
    show_row(ranked, ranked->tallies[row->at++]);
    row->subject = ranked->current;
    return true;
}

static struct value site_name_of(struct row *row)
{
    const struct ranked *ranked = row->document;
    const char *name;
    if (!shown_name_of_site(ranked->name, ranked->sums->pass, tally_of(row)->id,
                            ranked->sums->names, &name))
        return shown_name_value(ranked->print, NULL);
    return value_text(name);
}

static struct value frames_of(struct row *row)
{
    const struct ranked *ranked = row->document;
    const struct tally *tally = tally_of(row);
    const struct ranked_rows *sums = ranked->sums;
    return shown_name_value(
        ranked->print,
        sums->is_of_deaths
            ? shown_name_of_death(ranked->name, sums->contexts, tally->is_alive, tally->context,
                                  sums->names)
            : shown_name_of_allocations(ranked->name, sums->contexts, tally, sums->names));
}

/* In text: the first site, with a plus if there are more. */
static struct value shown_site_of(struct row *row)
{
    snprintf(row->scratch, ROW_SCRATCH, "%" PRIu64 "%s", tally_of(row)->site,
             tally_of(row)->has_sites ? "+" : " ");
    return value_text(row->scratch);
}

/* In text: as much of the end of a type's name as fits 80 columns. */
static struct value shown_name_of(struct row *row)
{
    enum { ROOM = 23 };
    const char *name = ((const struct shown_row *)row->subject)->type_name;
    size_t end = name ? text_end(name, ROOM) : 0;
    if (end == 0)
        return value_text(name ? name : "");
    snprintf(row->scratch, ROW_SCRATCH, "...%s", name + end);
    return value_text(row->scratch);
}

/* In text: the methods of a site, by their ids if they have no names. */
static struct value shown_methods_of(struct row *row)
{
    const struct ranked *ranked = row->document;
    if (ranked->sums->contexts)
        return frames_of(row);
    if (!tally_of(row)->has_method)
        return value_text("(none)");
    return shown_name_value(
        ranked->print,
        shown_name_of_method(ranked->name, tally_of(row)->method, ranked->sums->names));
}

/* The method, with its line if that is known. */
static struct value allocator_of(struct row *row)
{
    const struct ranked *ranked = row->document;
    if (!tally_of(row)->has_method)
        return value_text("(none)");
    return shown_name_value(ranked->print, shown_name_of_allocator(ranked->name, tally_of(row),
                                                                   ranked->sums->names));
}

static struct value shown_type_of(struct row *row)
{
    const struct ranked *ranked = row->document;
    return shown_name_value(ranked->print,
                            shown_name_of_type(ranked->name,
                                               ((const struct shown_row *)row->subject)->type,
                                               ranked->sums->names));
}

static struct value shown_mean_of(struct row *row)
{
    const struct tally *tally = tally_of(row);
    return tally->deaths == 0
               ? NO_VALUE
               : value_number(figures_whole_mean(tally->lifetime, tally->deaths));
}

#define SHOWN(key, label, unit, width, member)                                                 \
    FIGURE(key, label, unit, width, shown_row, member)
#define SHOWN_IF(key, unit, member, condition)                                                 \
    FIGURE_IF(key, NULL, unit, 0, shown_row, member, condition)
#define TALLY(key, label, unit, width, member) SHOWN(key, label, unit, width, tally.member)
/* A figure that is there only if the ranking has `condition`. */
#define TALLY_WHERE(key, unit, member, condition)                                              \
    FIGURE_WHERE(key, NULL, unit, 0, shown_row, tally.member, ranked, condition)

/* The bytes of a class of frames outlived. */
#define OUTLIVED(key, outlived_class)                                                          \
    TALLY("outlived_bytes." key, NULL, "bytes", 0, outlived[outlived_class])

/* Columns of all rankings. */
#define SUMS                                                                                   \
    TALLY("objects", "objects", "objects", 9, objects),                                        \
        TALLY("bytes", "bytes", "bytes", 11, bytes),                                           \
        TALLY("died", NULL, "objects", 0, deaths),                                             \
        FIGURE_QUOTIENT("mean_lifetime", NULL, "bytes", 0, shown_row, tally.lifetime,          \
                        MEMBER(shown_row, tally.deaths)),                                      \
        TALLY("live_at_peak", NULL, "bytes", 0, live),                                         \
        TALLY_WHERE("drag", "bytes_bytes", drag, has_uses),                                    \
        TALLY("immortal_objects", NULL, "objects", 0, immortals),                              \
        TALLY("immortal_bytes", NULL, "bytes", 0, immortal_bytes),                             \
        TALLY_WHERE("immortal_drag", "bytes_bytes", immortal_drag, has_uses),                  \
        TALLY("young_bytes", NULL, "bytes", 0, young), OUTLIVED("0", OUTLIVED_0),              \
        OUTLIVED("1", OUTLIVED_1), OUTLIVED("2", OUTLIVED_2),                                  \
        OUTLIVED("3_to_5", OUTLIVED_3_TO_5), OUTLIVED("6_to_10", OUTLIVED_6_TO_10),            \
        OUTLIVED("more", OUTLIVED_MORE), OUTLIVED("no_frame", OUTLIVED_NO_FRAME),              \
        TALLY_WHERE("shared_bytes", "bytes", shared, has_threads)

/* Columns of all rankings but those of sites. */
#define DISPERSION                                                                             \
    SHOWN_IF("median_lifetime", "bytes", dispersion.median, tally.deaths),                     \
        SHOWN("gini_bytes", NULL, "fraction", 0, dispersion.by_bytes),                         \
        SHOWN("gini_objects", NULL, "fraction", 0, dispersion.by_objects)

#define LIFETIME_COLUMNS                                                                       \
    FIGURE_OF(NULL, "lifetime", "bytes", 11, shown_mean_of),                                   \
        TALLY(NULL, "peak", "bytes", 10, live)
#define DRAG_COLUMNS                                                                           \
    FIGURE_WIDE_PART(NULL, "drag", 11, shown_row, tally.drag, ranked, drag),                   \
        FIGURE_WIDE_PART(NULL, "of alive", 10, shown_row, tally.immortal_drag, ranked, drag)

#define SHARED_COLUMN                                                                          \
    {FIGURE_TITLES(NULL, "shared", "percent", 10), .kind = MEMBER_SHARE,                       \
     .value = MEMBER(shown_row, tally.shared), .other = MEMBER(shown_row, tally.bytes),        \
     .only_if = DOCUMENT_MEMBER(ranked, has_threads)}
#define STACK_COLUMNS                                                                          \
    FIGURE_SHARE(NULL, "on stack", 11, shown_row, tally.outlived[OUTLIVED_0], tally.bytes),    \
        SHARED_COLUMN

#define YOUNG_COLUMNS                                                                          \
    FIGURE_SHARE(NULL, "young", 11, shown_row, tally.young, tally.bytes),                      \
        FIGURE_SHARE(NULL, "alive", 10, shown_row, tally.immortal_bytes, tally.bytes)

#define TYPE(columns)                                                                          \
    {TALLY("id", "type", "id", 10, id),                                                        \
     SHOWN("name", NULL, "name", 0, type_name),                                                \
     SUMS,                                                                                     \
     DISPERSION,                                                                               \
     columns,                                                                                  \
     FIGURE_OF(NULL, "", "name", 0, shown_name_of),                                            \
     FIGURES_END}
#define SITE                                                                                   \
    SHOWN_IF("method", "id", method, has_method),                                              \
        SHOWN("method_name", NULL, "name", 0, method_name),                                    \
        TALLY("type", NULL, "id", 0, type), SHOWN("type_name", NULL, "name", 0, type_name),    \
        SHOWN_IF("site", "id", tally.site, has_one_site)
/* The last columns of methods and contexts: sums, columns of text, and the names in text. */
#define SITE_SUMS(...)                                                                         \
    SUMS, DISPERSION, __VA_ARGS__, FIGURE_OF(NULL, "", "name", 0, shown_methods_of),           \
        FIGURE_OF(NULL, "", "name", 0, shown_type_of), FIGURES_END
#define METHOD(columns)                                                                        \
    {FIGURE_OF(NULL, "site ", "id", 10, shown_site_of), SITE, SITE_SUMS(columns)}
#define CONTEXT(columns)                                                                       \
    {TALLY("context", "context", "id", 10, context),                                           \
     FIGURE_OF("frames", NULL, "name", 0, frames_of), SITE, SITE_SUMS(columns)}

static const struct figure types[] = TYPE(LIFETIME_COLUMNS);
static const struct figure types_by_drag[] = TYPE(DRAG_COLUMNS);
static const struct figure types_by_stack[] = TYPE(STACK_COLUMNS);
static const struct figure types_by_young[] = TYPE(YOUNG_COLUMNS);
static const struct figure methods[] = METHOD(LIFETIME_COLUMNS);
static const struct figure methods_by_drag[] = METHOD(DRAG_COLUMNS);
static const struct figure methods_by_stack[] = METHOD(STACK_COLUMNS);
static const struct figure methods_by_young[] = METHOD(YOUNG_COLUMNS);
static const struct figure contexts[] = CONTEXT(LIFETIME_COLUMNS);
static const struct figure contexts_by_drag[] = CONTEXT(DRAG_COLUMNS);
static const struct figure contexts_by_stack[] = CONTEXT(STACK_COLUMNS);
static const struct figure contexts_by_young[] = CONTEXT(YOUNG_COLUMNS);

static const struct figure deaths[] = {
    FIGURE_IF("context", "context", "id", 10, shown_row, tally.context, is_dead),
    FIGURE_OF("frames", NULL, "name", 0, frames_of),
    SHOWN_IF("method", "id", method, has_method),
    SHOWN_IF("method_name", "name", method_name, is_dead),
    TALLY("type", NULL, "id", 0, type),
    SHOWN("type_name", NULL, "name", 0, type_name),
    SITE_SUMS(LIFETIME_COLUMNS),
};

static const struct figure sites[] = {
    TALLY("id", NULL, "id", 0, id),
    FIGURE_OF("name", NULL, "name", 0, site_name_of),
    SHOWN_IF("method", "id", method, has_method),
    SHOWN("method_name", NULL, "name", 0, method_name),
    SHOWN("several_methods", NULL, "flag", 0, has_several_methods),
    SHOWN_IF("type", "id", tally.type, has_one_type),
    SHOWN_IF("type_name", "name", type_name, has_one_type),
    SUMS,
    FIGURES_END,
};

/* Columns of the page. Those that one can sort by are whole numbers. */
#define PAGE_COLUMNS                                                                           \
    TALLY("objects", NULL, "objects", 0, objects), TALLY("bytes", NULL, "bytes", 0, bytes),    \
        TALLY("died", NULL, "objects", 0, deaths),                                             \
        FIGURE_OF("mean_lifetime", NULL, "bytes", 0, shown_mean_of),                           \
        SHOWN_IF("median_lifetime", "bytes", dispersion.median, tally.deaths),                 \
        TALLY_WHERE("drag", "bytes_bytes", drag, has_uses),                                    \
        TALLY_WHERE("immortal_drag", "bytes_bytes", immortal_drag, has_uses),                  \
        TALLY("live_at_peak", NULL, "bytes", 0, live),                                         \
        TALLY("immortal_bytes", NULL, "bytes", 0, immortal_bytes),                             \
        SHOWN("gini_bytes", NULL, "fraction", 0, dispersion.by_bytes),                         \
        TALLY("young_bytes", NULL, "bytes", 0, young), FIGURES_END

static const struct figure page_types[] = {FIGURE_OF("type", NULL, "name", 0, shown_type_of),
                                           PAGE_COLUMNS};
static const struct figure page_methods[] = {FIGURE_OF("method", NULL, "name", 0, allocator_of),
                                             FIGURE_OF("type", NULL, "name", 0, shown_type_of),
                                             PAGE_COLUMNS};
static const struct figure page_contexts[] = {FIGURE_OF("context", NULL, "name", 0, frames_of),
                                              FIGURE_OF("type", NULL, "name", 0, shown_type_of),
                                              PAGE_COLUMNS};

static const struct figure counts[] = {
    FIGURE("count", NULL, "count", 0, tallies, count),
    FIGURES_END,
};

#define RANKING(key_, title_, figures_)                                                        \
    SECTION(LIST, key_, title_, 0, 0, figures_, .next = next_ranked,                           \
            .total = MEMBER(ranked, all))
/* In the order of enum ranking, after the count. */
#define FIRST_RANKINGS(key_, title_, figures_)                                                 \
    SECTION(LINES, key_, NULL, 0, 0, counts),                                                  \
        RANKING(key_ ".by_objects", title_ " by objects", figures_),                           \
        RANKING(key_ ".by_bytes", title_ " by bytes", figures_)
#define KIND(key_, title_, figures_, by_drag, by_stack, by_young)                              \
    FIRST_RANKINGS(key_, title_, figures_),                                                    \
        RANKING(key_ ".by_drag", title_ " by drag", by_drag),                                  \
        RANKING(key_ ".by_mean_lifetime", title_ " by mean lifetime in bytes", figures_),      \
        RANKING(key_ ".by_live_at_peak", title_ " by bytes live at the peak", figures_),       \
        RANKING(key_ ".by_stack_bytes", title_ " by bytes that could be on the stack",         \
                by_stack),                                                                     \
        RANKING(key_ ".by_young_bytes", title_ " by bytes that die young", by_young)

const struct section ranking_sections[] = {
    KIND("types", "types", types, types_by_drag, types_by_stack, types_by_young),
    KIND("sites", "sites", sites, sites, sites, sites),
    KIND("methods", "methods and types", methods, methods_by_drag, methods_by_stack,
         methods_by_young),
    KIND("contexts", "contexts and types", contexts, contexts_by_drag, contexts_by_stack,
         contexts_by_young),
    FIRST_RANKINGS("death_contexts", "contexts of deaths and types", deaths),
    SECTIONS_END,
};

static wide_sum drag_of_all(const struct tallies *tallies)
{
    wide_sum all = 0;
    for (size_t i = 0; i < tallies->count; i++)
        all += tallies->items[i].drag;
    return all;
}

static enum status find_ranking(struct ranked *ranked, enum ranking ranking,
                                const struct ranking_choice *choice)
{
    struct print *print = ranked->print;
    if (print->status == STATUS_OK)
        print->status = tallies_rank(ranked->sums->tallies, ranking, choice, &ranked->tallies,
                                     &ranked->count, print->why);
    return print->status;
}

static void print_ranking(struct document *document, const struct section *section,
                          struct ranked *ranked, enum ranking ranking,
                          const struct ranking_choice *choice)
{
    if (find_ranking(ranked, ranking, choice) != STATUS_OK)
        return;
    document->show = ranked->count;
    document_put(document, section, ranked);
    free(ranked->tallies);
}

static struct ranked ranked_of(const struct ranked_rows *sums, const struct stats *stats,
                               struct print *print)
{
    return (struct ranked){
        .sums = sums,
        .all = sums->tallies->count,
        .has_uses = sums->has_uses,
        .drag = drag_of_all(sums->tallies),
        .objects_in_all = stats_allocated(stats).objects,
        .bytes_in_all = stats->bytes_in_all,
        .has_threads = !stats->pass->explicit_time,
        .print = print,
    };
}

void rankings_print(struct document *document, const struct stats *stats,
                    const struct names *names, const struct ranking_choice *choice)
{
    const struct ranked_rows kinds[] = {
        ranked_types(stats, names), ranked_sites(stats, names), ranked_methods(stats, names),
        ranked_contexts(stats, names), ranked_deaths(stats, names)};
    struct shown_name name = {.text = NULL};
    struct shown_row current;
    const struct section *section = ranking_sections;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct ranked ranked = ranked_of(&kinds[kind], stats, document->print);
        ranked.name = &name;
        ranked.current = &current;
        document_put(document, section++, kinds[kind].tallies);
        for (unsigned i = 0; i < kinds[kind].rankings; i++, section++)
            if (document->format == FORMAT_JSON || section->figures != sites)
                print_ranking(document, section, &ranked, (enum ranking)i, choice);
    }
    free(name.text);
}

/* On one screen, a row is called by the end of its names. */
enum { LABEL_ROOM = 38 };

static void label_briefly(struct row *row, const char *name)
{
    size_t length = strlen(row->scratch);
    size_t end = name ? text_end(name, LABEL_ROOM - length) : 0;
    snprintf(row->scratch + length, LABEL_ROOM + 1 - length, "%s%s", end > 0 ? "..." : "",
             name ? name + end : "");
    row->label = row->scratch;
}

static void label_type(struct row *row)
{
    *row->scratch = '\0';
    label_briefly(row, shown_type_of(row).text);
}

/* The type gets at most half of the room. */
static void label_method(struct row *row)
{
    enum { TYPE_ROOM = LABEL_ROOM / 2 - 4 };
    const char *type = shown_type_of(row).text;
    size_t end = type ? text_end(type, TYPE_ROOM) : 0;
    snprintf(row->scratch, LABEL_ROOM + 1, "%s%s in ", end > 0 ? "..." : "",
             type ? type + end : "");
    label_briefly(row, shown_methods_of(row).text);
}

/* The label takes the first part of the scratch. */
static struct value shown_bytes_of(struct row *row)
{
    return value_text(value_scaled(row->scratch + ROW_SCRATCH / 2, tally_of(row)->bytes));
}

#define BRIEF_PART(label, part) FIGURE_SHARE(NULL, label, 8, shown_row, part, tally.bytes)

static const struct figure brief_bytes[] = {
    FIGURE_OF(NULL, "bytes", "bytes", 10, shown_bytes_of),
    FIGURE_PART(NULL, "of all", 8, shown_row, tally.bytes, ranked, bytes_in_all),
    BRIEF_PART("young", tally.young),
    BRIEF_PART("alive", tally.immortal_bytes),
    FIGURES_END,
};

static const struct figure brief_objects[] = {
    TALLY(NULL, "objects", "objects", 10, objects),
    FIGURE_PART(NULL, "of all", 8, shown_row, tally.objects, ranked, objects_in_all),
    FIGURES_END,
};

#define BRIEF(title_, figures_, name_)                                                         \
    SECTION(ROWS, "", title_, LABEL_ROOM + 2, 0, figures_, .next = next_ranked, .name = name_)

static const struct section brief_types[2] = {
    BRIEF("types by objects", brief_objects, label_type),
    BRIEF("types by bytes", brief_bytes, label_type),
};
static const struct section brief_methods[2] = {
    BRIEF("types and methods by objects", brief_objects, label_method),
    BRIEF("types and methods by bytes", brief_bytes, label_method),
};
static const struct section brief_young =
    BRIEF("dies youngest, by bytes", brief_bytes, label_method);

void rankings_print_briefly(struct document *document, const struct stats *stats,
                            const struct names *names, size_t top)
{
    const struct ranked_rows of_types = ranked_types(stats, names),
                             of_methods = ranked_methods(stats, names);
    const struct ranking_choice choice = {.min_count = 1, .top = top};
    bool has_bytes = stats->bytes_in_all > 0;
    enum ranking ranking = has_bytes ? RANK_BYTES : RANK_OBJECTS;
    struct shown_name name = {.text = NULL};
    struct shown_row current;
    struct ranked ranked = ranked_of(&of_types, stats, document->print);
    ranked.name = &name;
    ranked.current = &current;
    print_ranking(document, &brief_types[has_bytes], &ranked, ranking, &choice);
    ranked.sums = &of_methods;
    print_ranking(document, &brief_methods[has_bytes], &ranked, ranking, &choice);
    print_ranking(document, &brief_young, &ranked, RANK_YOUNG, &choice);
    free(name.text);
}

/* The types, methods and contexts of the page: how many there are, and a table. Its rows are
 * limited, so that the page of any trace can be mailed. */
#define PAGE_TABLE(key_, figures_)                                                             \
    {SECTION(LINES, key_, NULL, 0, 0, counts),                                                 \
     SECTION(LIST, key_ ".rows", NULL, 0, 0, figures_, .next = next_ranked)}

enum { PAGE_TABLES = 3 };

static const struct section page_tables[PAGE_TABLES][2] = {
    PAGE_TABLE("tables.types", page_types),
    PAGE_TABLE("tables.methods", page_methods),
    PAGE_TABLE("tables.contexts", page_contexts),
};

static const size_t page_rows[PAGE_TABLES] = {600, 500, 300};

/* Prints a table of those with the most bytes, or with the most objects if the format has no
 * sizes. */
static void print_page_table(struct document *document, struct ranked *ranked, size_t number,
                             uint64_t bytes_in_all)
{
    const struct ranking_choice choice = {.min_count = 1, .top = page_rows[number]};
    enum ranking ranking = bytes_in_all > 0 ? RANK_BYTES : RANK_OBJECTS;
    document_put(document, &page_tables[number][0], ranked->sums->tallies);
    print_ranking(document, &page_tables[number][1], ranked, ranking, &choice);
}

void rankings_print_for_page(struct document *document, const struct stats *stats,
                             const struct names *names)
{
    const struct ranked_rows kinds[PAGE_TABLES] = {ranked_types(stats, names),
                                                   ranked_methods(stats, names),
                                                   ranked_contexts(stats, names)};
    struct shown_name name = {.text = NULL};
    struct shown_row current;
    for (size_t i = 0; i < PAGE_TABLES; i++) {
        struct ranked ranked = ranked_of(&kinds[i], stats, document->print);
        ranked.name = &name;
        ranked.current = &current;
        print_page_table(document, &ranked, i, stats->bytes_in_all);
    }
    free(name.text);
}
