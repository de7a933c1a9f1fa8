/* SPDX-License-Identifier: MIT */
/* The tables of the page: what allocates most bytes comes first, and there is an end to both
 * rows and names, so that a page of any trace can be mailed. */
#include "report/form/json.h"
#include "report/lives/ranked_rows.h"
#include "report/lives/shown_name.h"
#include "report/page/page_data.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_TYPES = 600, MOST_METHODS = 500, MOST_CONTEXTS = 300 };

/* Longest name, as it is printed. */
enum { NAME_BYTES = 240 };

bool page_name_print(struct print *print, const char *name)
{
    if (name)
        json_print_cut_string(print, name, NAME_BYTES);
    return name;
}

static void print_table_figures(struct print *print, const struct tally *tally,
                                const struct dispersion *dispersion, bool has_uses)
{
    char digits[WIDE_SIZE], gini[GINI_SIZE];
    print_text(print, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", tally->objects, tally->bytes,
               tally->deaths);
    if (tally->deaths == 0)
        print_text(print, "null,null,");
    else
        print_text(
            print, "%s,%" PRIu64 ",",
            figures_format_wide(digits, figures_whole_mean(tally->lifetime, tally->deaths)),
            dispersion->median);
    print_text(print, "%s,", has_uses ? figures_format_wide(digits, tally->drag) : "null");
    print_text(print, "%s,",
               has_uses ? figures_format_wide(digits, tally->immortal_drag) : "null");
    print_text(print, "%" PRIu64 ",%" PRIu64 ",%s]", tally->live, tally->immortal_bytes,
               gini_print(gini, &dispersion->by_bytes));
}

/* Prints the method, or the context, and the type; of a type that alone. */
static bool print_place_names(struct print *print, const struct ranked_rows *sums,
                              const struct tally *tally)
{
    struct shown_name name = {.text = NULL};
    bool is_made = true;
    if (sums->contexts)
        is_made = page_name_print(
            print, shown_name_of_allocations(&name, sums->contexts, tally, sums->names));
    else if (!sums->is_of_ids && tally->has_method)
        is_made = page_name_print(print, shown_name_of_allocator(&name, tally, sums->names));
    else if (!sums->is_of_ids)
        is_made = page_name_print(print, "(none)");
    if (is_made && !sums->is_of_ids)
        print_text(print, ",");
    if (is_made)
        is_made = page_name_print(
            print,
            shown_name_of_type(&name, sums->is_of_ids ? tally->id : tally->type, sums->names));
    free(name.text);
    return is_made;
}

static enum status print_table(struct print *print, const char *key,
                               const struct ranked_rows *sums, enum ranking ranking,
                               size_t most)
{
    const struct ranking_choice choice = {.min_count = 1, .top = most};
    const struct tally **ranked;
    size_t count;
    enum status status =
        tallies_rank(sums->tallies, ranking, &choice, &ranked, &count, print->why);
    if (status != STATUS_OK)
        return status;
    print_text(print, "\"%s\":{\"count\":%zu,\"rows\":[", key, sums->tallies->count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        print_text(print, "%s\n[", i == 0 ? "" : ",");
        if (!print_place_names(print, sums, ranked[i]))
            status = fail_memory(print->why);
        print_table_figures(print, ranked[i],
                            &sums->dispersions[ranked[i] - sums->tallies->items],
                            sums->has_uses);
    }
    print_text(print, "]}");
    free(ranked);
    return status == STATUS_OK ? print->status : status;
}

enum status page_tables_print(struct print *print, const struct stats *stats,
                              const struct names *names)
{
    struct ranked_rows types = ranked_types(stats, names);
    struct ranked_rows methods = ranked_methods(stats, names);
    struct ranked_rows contexts = ranked_contexts(stats, names);
    /* Some formats have no sizes. */
    enum ranking ranking = stats->bytes_in_all > 0 ? RANK_BYTES : RANK_OBJECTS;
    print_text(print, ",\n\"tables\":{");
    enum status status = print_table(print, "types", &types, ranking, MOST_TYPES);
    print_text(print, ",\n");
    if (status == STATUS_OK)
        status = print_table(print, "methods", &methods, ranking, MOST_METHODS);
    print_text(print, ",\n");
    if (status == STATUS_OK)
        status = print_table(print, "contexts", &contexts, ranking, MOST_CONTEXTS);
    print_text(print, "}");
    return status;
}
