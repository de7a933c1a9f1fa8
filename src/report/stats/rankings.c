/* SPDX-License-Identifier: MIT */
/* A ranking can have a row for each site or context of the trace: only the order is kept, and
 * rows are made as they are printed. Text has two forms: by drag it shows what share of all
 * drag a site has, else lifetimes and the peak. */
#include "report/stats/rankings.h"

#include "report/lives/ranked_rows.h"
#include "report/lives/shown_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A ranking that is printed. */
struct ranked {
    const struct ranked_rows *sums;
    const struct tally **tallies;
    size_t count;
    wide_sum drag;           /* of all of them */
    bool has_threads;        /* the trace shows what threads share */
    struct shown_name *name; /* a buffer */
    struct print *print;
};

static const struct ranked *ranked_of(const struct row *row)
{
    return row->document;
}

static const struct ranked_rows *sums_of(const struct row *row)
{
    return ranked_of(row)->sums;
}

static const struct tally *tally_of(const struct row *row)
{
    return row->subject;
}

static bool next_ranked(struct row *row)
{
    const struct ranked *ranked = row->document;
    if (row->at == ranked->count)
        return false;
    row->subject = ranked->tallies[row->at++];
    return true;
}

/* A name that was made; NULL: there was no memory. */
static struct value made_name(struct row *row, const char *name)
{
    struct print *print = ranked_of(row)->print;
    if (!name && print->status == STATUS_OK)
        print->status = fail_memory(print->why);
    return value_text(name);
}

static struct value type_name_of_id(struct row *row, uint64_t type)
{
    return value_text(names_find(sums_of(row)->names, NAMES_TYPE, type));
}

static struct value name_of(struct row *row)
{
    return type_name_of_id(row, tally_of(row)->id);
}

static struct value site_name_of(struct row *row)
{
    const struct ranked *ranked = row->document;
    const char *name;
    if (!shown_name_of_site(ranked->name, ranked->sums->history, tally_of(row)->id,
                            ranked->sums->names, &name))
        return made_name(row, NULL);
    return value_text(name);
}

/* The method that allocates most at a site; number 0: none. */
static struct site_method site_method_of(const struct row *row)
{
    return site_methods_find(sums_of(row)->history->sites, tally_of(row)->id);
}

static uint64_t site_method_id(const struct row *row)
{
    return contexts_numbered(sums_of(row)->history->contexts, site_method_of(row).number);
}

static struct value method_name_of(struct row *row, bool has_method, uint64_t method)
{
    return value_text(has_method ? names_find(sums_of(row)->names, NAMES_METHOD, method)
                                 : "(none)");
}

static struct value site_method(struct row *row)
{
    bool has_method = site_method_of(row).number != 0;
    return value_number_if(has_method, has_method ? site_method_id(row) : 0);
}

static struct value site_method_name(struct row *row)
{
    bool has_method = site_method_of(row).number != 0;
    return method_name_of(row, has_method, has_method ? site_method_id(row) : 0);
}

static struct value several_methods_of(struct row *row)
{
    return value_flag(site_method_of(row).is_one_of_several);
}

static struct value site_type_of(struct row *row)
{
    return value_number_if(!tally_of(row)->has_types, tally_of(row)->type);
}

static struct value site_type_name_of(struct row *row)
{
    return tally_of(row)->has_types ? NO_VALUE : type_name_of_id(row, tally_of(row)->type);
}

static struct value frames_of(struct row *row)
{
    const struct ranked *ranked = row->document;
    const struct tally *tally = row->subject;
    const struct ranked_rows *sums = ranked->sums;
    return made_name(
        row, sums->is_of_deaths
                 ? shown_name_of_death(ranked->name, sums->contexts, tally->is_alive,
                                       tally->context, sums->names)
                 : shown_name_of_allocations(ranked->name, sums->contexts, tally, sums->names));
}

/* The context of a death; survivors have none. */
static struct value death_context_of(struct row *row)
{
    return value_number_if(!tally_of(row)->is_alive, tally_of(row)->context);
}

static struct value death_method_name_of(struct row *row)
{
    const struct tally *tally = row->subject;
    return tally->is_alive ? NO_VALUE : method_name_of(row, tally->has_method, tally->method);
}

static bool has_threads(const struct row *row)
{
    return ranked_of(row)->has_threads;
}

static struct value shared_of(struct row *row)
{
    return value_number_if(has_threads(row), tally_of(row)->shared);
}

static struct value shared_share_of(struct row *row)
{
    return has_threads(row) ? value_share(tally_of(row)->shared, tally_of(row)->bytes)
                            : NO_VALUE;
}

static struct value place_method_of(struct row *row)
{
    return value_number_if(tally_of(row)->has_method, tally_of(row)->method);
}

static struct value place_method_name_of(struct row *row)
{
    return method_name_of(row, tally_of(row)->has_method, tally_of(row)->method);
}

static struct value type_name_of(struct row *row)
{
    return type_name_of_id(row, tally_of(row)->type);
}

static struct value site_of(struct row *row)
{
    return value_number_if(!tally_of(row)->has_sites, tally_of(row)->site);
}

/* In text: the first site, with a plus if there are more. */
static struct value shown_site_of(struct row *row)
{
    snprintf(row->scratch, ROW_SCRATCH, "%" PRIu64 "%s", tally_of(row)->site,
             tally_of(row)->has_sites ? "+" : " ");
    return value_text(row->scratch);
}

/* In text: the end of the name of a type, in what 80 columns leave. */
static struct value shown_name_of(struct row *row)
{
    enum { ROOM = 23 };
    const char *name = names_find(sums_of(row)->names, NAMES_TYPE, tally_of(row)->id);
    size_t length = name ? strlen(name) : 0, left = ROOM - 3;
    if (length <= ROOM)
        return value_text(name ? name : "");
    while (((unsigned char)name[length - left] & 0xc0) == 0x80)
        left--;
    snprintf(row->scratch, ROW_SCRATCH, "...%s", name + length - left);
    return value_text(row->scratch);
}

/* In text: the methods of a site, by their numbers if they have no names. */
static struct value shown_methods_of(struct row *row)
{
    const struct ranked_rows *sums = sums_of(row);
    const struct tally *tally = row->subject;
    struct shown_name *name = ranked_of(row)->name;
    if (sums->contexts)
        return frames_of(row);
    if (!tally->has_method)
        return value_text("(none)");
    return made_name(row, shown_name_of_method(name, tally->method, sums->names));
}

static struct value shown_type_of(struct row *row)
{
    return made_name(row, shown_name_of_type(ranked_of(row)->name, tally_of(row)->type,
                                             sums_of(row)->names));
}

static struct value mean_of(struct row *row)
{
    return value_mean(tally_of(row)->lifetime, tally_of(row)->deaths);
}

static struct value shown_mean_of(struct row *row)
{
    const struct tally *tally = row->subject;
    return tally->deaths == 0
               ? NO_VALUE
               : value_number(figures_whole_mean(tally->lifetime, tally->deaths));
}

static struct value drag_of(struct row *row)
{
    return value_number_if(sums_of(row)->has_uses, tally_of(row)->drag);
}

static struct value immortal_drag_of(struct row *row)
{
    return value_number_if(sums_of(row)->has_uses, tally_of(row)->immortal_drag);
}

static struct value drag_share_of(struct row *row)
{
    return value_wide_share(tally_of(row)->drag, ranked_of(row)->drag);
}

static struct value immortal_drag_share_of(struct row *row)
{
    return value_wide_share(tally_of(row)->immortal_drag, ranked_of(row)->drag);
}

static const struct dispersion *dispersion_of(const struct row *row)
{
    const struct ranked_rows *sums = sums_of(row);
    return &sums->dispersions[tally_of(row) - sums->tallies->items];
}

static struct value median_of(struct row *row)
{
    return value_number_if(tally_of(row)->deaths > 0, dispersion_of(row)->median);
}

static struct value gini_bytes_of(struct row *row)
{
    return value_gini(&dispersion_of(row)->by_bytes);
}

static struct value gini_objects_of(struct row *row)
{
    return value_gini(&dispersion_of(row)->by_objects);
}

#define TALLY(key, label, unit, width, member) FIGURE(key, label, unit, width, tally, member)

/* Bytes of a class by frames outlived. */
#define OUTLIVED(key, outlived_class)                                                          \
    TALLY("outlived_bytes." key, NULL, "bytes", 0, outlived[outlived_class])

/* What sites of all kinds have. */
#define SUMS                                                                                   \
    TALLY("objects", "objects", "objects", 9, objects),                                        \
        TALLY("bytes", "bytes", "bytes", 11, bytes),                                           \
        TALLY("died", NULL, "objects", 0, deaths),                                             \
        FIGURE_OF("mean_lifetime", NULL, "bytes", 0, mean_of),                                 \
        TALLY("live_at_peak", NULL, "bytes", 0, live),                                         \
        FIGURE_OF("drag", NULL, "bytes_bytes", 0, drag_of),                                    \
        TALLY("immortal_objects", NULL, "objects", 0, immortals),                              \
        TALLY("immortal_bytes", NULL, "bytes", 0, immortal_bytes),                             \
        FIGURE_OF("immortal_drag", NULL, "bytes_bytes", 0, immortal_drag_of),                  \
        OUTLIVED("0", OUTLIVED_0), OUTLIVED("1", OUTLIVED_1), OUTLIVED("2", OUTLIVED_2),       \
        OUTLIVED("3_to_5", OUTLIVED_3_TO_5), OUTLIVED("6_to_10", OUTLIVED_6_TO_10),            \
        OUTLIVED("more", OUTLIVED_MORE), OUTLIVED("no_frame", OUTLIVED_NO_FRAME),              \
        FIGURE_OF("shared_bytes", NULL, "bytes", 0, shared_of)

/* What all but sites have. */
#define DISPERSION                                                                             \
    FIGURE_OF("median_lifetime", NULL, "bytes", 0, median_of),                                 \
        FIGURE_OF("gini_bytes", NULL, "fraction", 0, gini_bytes_of),                           \
        FIGURE_OF("gini_objects", NULL, "fraction", 0, gini_objects_of)

#define LIFETIME_COLUMNS                                                                       \
    FIGURE_OF(NULL, "lifetime", "bytes", 11, shown_mean_of),                                   \
        TALLY(NULL, "peak", "bytes", 10, live)
#define DRAG_COLUMNS                                                                           \
    FIGURE_OF(NULL, "drag", "percent", 11, drag_share_of),                                     \
        FIGURE_OF(NULL, "of alive", "percent", 10, immortal_drag_share_of)

#define STACK_COLUMNS                                                                          \
    FIGURE_SHARE(NULL, "on stack", 11, tally, outlived[OUTLIVED_0], bytes),                    \
        FIGURE_OF(NULL, "shared", "percent", 10, shared_share_of)

#define TYPE(columns)                                                                          \
    {TALLY("id", "type", "id", 10, id),                                                        \
     FIGURE_OF("name", NULL, "name", 0, name_of),                                              \
     SUMS,                                                                                     \
     DISPERSION,                                                                               \
     columns,                                                                                  \
     FIGURE_OF(NULL, "", "name", 0, shown_name_of),                                            \
     FIGURES_END}
#define PLACE                                                                                  \
    FIGURE_OF("method", NULL, "id", 0, place_method_of),                                       \
        FIGURE_OF("method_name", NULL, "name", 0, place_method_name_of),                       \
        TALLY("type", NULL, "id", 0, type),                                                    \
        FIGURE_OF("type_name", NULL, "name", 0, type_name_of),                                 \
        FIGURE_OF("site", NULL, "id", 0, site_of)
#define METHOD(columns)                                                                        \
    {FIGURE_OF(NULL, "site ", "id", 10, shown_site_of),                                        \
     PLACE,                                                                                    \
     SUMS,                                                                                     \
     DISPERSION,                                                                               \
     columns,                                                                                  \
     FIGURE_OF(NULL, "", "name", 0, shown_methods_of),                                         \
     FIGURE_OF(NULL, "", "name", 0, shown_type_of),                                            \
     FIGURES_END}
#define CONTEXT(columns)                                                                       \
    {TALLY("context", "context", "id", 10, context),                                           \
     FIGURE_OF("frames", NULL, "name", 0, frames_of),                                          \
     PLACE,                                                                                    \
     SUMS,                                                                                     \
     DISPERSION,                                                                               \
     columns,                                                                                  \
     FIGURE_OF(NULL, "", "name", 0, shown_methods_of),                                         \
     FIGURE_OF(NULL, "", "name", 0, shown_type_of),                                            \
     FIGURES_END}

static const struct figure types[] = TYPE(LIFETIME_COLUMNS);
static const struct figure types_by_drag[] = TYPE(DRAG_COLUMNS);
static const struct figure types_by_stack[] = TYPE(STACK_COLUMNS);
static const struct figure methods[] = METHOD(LIFETIME_COLUMNS);
static const struct figure methods_by_drag[] = METHOD(DRAG_COLUMNS);
static const struct figure methods_by_stack[] = METHOD(STACK_COLUMNS);
static const struct figure contexts[] = CONTEXT(LIFETIME_COLUMNS);
static const struct figure contexts_by_drag[] = CONTEXT(DRAG_COLUMNS);
static const struct figure contexts_by_stack[] = CONTEXT(STACK_COLUMNS);

static const struct figure deaths[] = {
    FIGURE_OF("context", "context", "id", 10, death_context_of),
    FIGURE_OF("frames", NULL, "name", 0, frames_of),
    FIGURE_OF("method", NULL, "id", 0, place_method_of),
    FIGURE_OF("method_name", NULL, "name", 0, death_method_name_of),
    TALLY("type", NULL, "id", 0, type),
    FIGURE_OF("type_name", NULL, "name", 0, type_name_of),
    SUMS,
    DISPERSION,
    LIFETIME_COLUMNS,
    FIGURE_OF(NULL, "", "name", 0, shown_methods_of),
    FIGURE_OF(NULL, "", "name", 0, shown_type_of),
    FIGURES_END,
};

static const struct figure sites[] = {
    TALLY("id", NULL, "id", 0, id),
    FIGURE_OF("name", NULL, "name", 0, site_name_of),
    FIGURE_OF("method", NULL, "id", 0, site_method),
    FIGURE_OF("method_name", NULL, "name", 0, site_method_name),
    FIGURE_OF("several_methods", NULL, "flag", 0, several_methods_of),
    FIGURE_OF("type", NULL, "id", 0, site_type_of),
    FIGURE_OF("type_name", NULL, "name", 0, site_type_name_of),
    SUMS,
    FIGURES_END,
};

static const struct figure count[] = {
    FIGURE("count", NULL, "count", 0, tallies, count),
    FIGURES_END,
};

/* How many rows there are, of which a ranking has the first. */
static uint64_t count_places(const void *document)
{
    return ((const struct ranked *)document)->sums->tallies->count;
}

#define RANKING(key_, title_, figures_)                                                        \
    {.form = SECTION_LIST,                                                                     \
     .key = key_,                                                                              \
     .title = title_,                                                                          \
     .figures = figures_,                                                                      \
     .next = next_ranked,                                                                      \
     .total = count_places}
/* In the order of enum ranking, after the count. */
#define FIRST_RANKINGS(key_, title_, figures_)                                                 \
    {.form = SECTION_LINES, .key = key_, .figures = count},                                    \
        RANKING(key_ ".by_objects", title_ " by objects", figures_),                           \
        RANKING(key_ ".by_bytes", title_ " by bytes", figures_)
#define KIND(key_, title_, figures_, by_drag, by_stack)                                        \
    FIRST_RANKINGS(key_, title_, figures_),                                                    \
        RANKING(key_ ".by_drag", title_ " by drag", by_drag),                                  \
        RANKING(key_ ".by_mean_lifetime", title_ " by mean lifetime in bytes", figures_),      \
        RANKING(key_ ".by_live_at_peak", title_ " by bytes live at the peak", figures_),       \
        RANKING(key_ ".by_stack_bytes", title_ " by bytes that could be on the stack",         \
                by_stack)

const struct section ranking_sections[] = {
    KIND("types", "types", types, types_by_drag, types_by_stack),
    KIND("sites", "sites", sites, sites, sites),
    KIND("methods", "methods and types", methods, methods_by_drag, methods_by_stack),
    KIND("contexts", "contexts and types", contexts, contexts_by_drag, contexts_by_stack),
    FIRST_RANKINGS("death_contexts", "contexts of deaths and types", deaths),
    {.figures = NULL},
};

static wide_sum drag_of_all(const struct tallies *tallies)
{
    wide_sum all = 0;
    for (size_t i = 0; i < tallies->count; i++)
        all += tallies->items[i].drag;
    return all;
}

static void print_ranking(struct document *document, const struct section *section,
                          struct ranked *ranked, enum ranking ranking,
                          const struct ranking_choice *choice)
{
    struct print *print = document->print;
    if (print->status == STATUS_OK)
        print->status = tallies_rank(ranked->sums->tallies, ranking, choice, &ranked->tallies,
                                     &ranked->count, print->why);
    if (print->status != STATUS_OK)
        return;
    document->show = ranked->count;
    document_put(document, section, ranked);
    free(ranked->tallies);
}

void rankings_print(struct document *document, const struct stats *stats,
                    const struct names *names, const struct ranking_choice *choice)
{
    const struct ranked_rows kinds[] = {
        ranked_types(stats, names), ranked_sites(stats, names), ranked_methods(stats, names),
        ranked_contexts(stats, names), ranked_deaths(stats, names)};
    struct shown_name name = {.text = NULL};
    const struct section *section = ranking_sections;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct ranked ranked = {.sums = &kinds[kind],
                                .drag = drag_of_all(kinds[kind].tallies),
                                .has_threads = !stats->history->explicit_time,
                                .name = &name,
                                .print = document->print};
        document_put(document, section++, kinds[kind].tallies);
        for (unsigned i = 0; i < kinds[kind].rankings; i++, section++)
            if (document->format == FORMAT_JSON || section->figures != sites)
                print_ranking(document, section, &ranked, (enum ranking)i, choice);
    }
    free(name.text);
}
