/* SPDX-License-Identifier: MIT */
/* Numbers stand in arrays, which are half as long as objects with keys; page.js says again what
 * is where. */
#include "report/page/page_data.h"

#include "report/form/forms.h"
#include "report/form/json.h"
#include "report/lives/shown_name.h"
#include "report/page/page_pairs.h"
#include "report/reading.h"
#include "report/stats/rankings.h"
#include "report/stats/stats_print.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bars of each kind; and rows of simulated collectors, of which --simulate can have many. */
enum { MOST_SITES = 15, MOST_PAIRS = 20, MOST_COSTS = 4096 };

/* Longest name, as it is printed: so there is an end to names, too. */
enum { NAME_BYTES = 240 };

bool page_name_print(struct print *print, const char *name)
{
    if (name)
        json_print_cut_string(print, name, NAME_BYTES);
    return name;
}

static void print_page_number(struct print *print, const char *key, uint64_t number)
{
    print_text(print, ",\n\"%s\":%" PRIu64, key, number);
}

static bool has_methods(const struct stats *stats)
{
    const struct tallies *contexts = &stats->sums->by_context.tallies;
    for (size_t i = 0; i < contexts->count; i++)
        if (contexts->items[i].has_method)
            return true;
    return false;
}

static const char *truth(bool is_true)
{
    return is_true ? "true" : "false";
}

/* Prints the options that say how the trace was read. */
static void print_reading(struct print *print, const struct reader_options *reading)
{
    struct reading_option options[READING_MOST];
    size_t count = reading_list(options, reading);
    print_text(print, ",\n\"reading\":[");
    for (size_t i = 0; i < count; i++)
        print_text(print, "%s\"%s%s\"", i > 0 ? "," : "", options[i].name,
                   options[i].value ? options[i].value : "");
    print_text(print, "]");
}

static void print_source(struct print *print, const struct page_data *data)
{
    print_text(print, ",\n\"tracer\":");
    json_print_string_or_null(print, *data->tracer ? data->tracer : NULL);
    print_text(print, ",\n\"digest\":\"%016" PRIx64 "\"", data->stats.digest);
    print_reading(print, data->stats.reading);
    print_text(print, ",\n\"typeSizes\":");
    json_print_string_or_null(print, data->stats.reading->type_sizes);
}

static void print_page_head(struct print *print, const struct stats *stats,
                            const struct names *names, uint64_t depth)
{
    print_text(print, "{\"stats\":");
    stats_print_in_html(print, stats);
    print_page_number(print, "contextDepth", depth);
    print_page_number(print, "ticks", stats->end_tick);
    print_text(print, ",\n\"hasUses\":%s,\"hasMethods\":%s,\"hasNames\":%s",
               truth(stats_has_uses(stats)), truth(has_methods(stats)), truth(names));
}

static void print_series(struct print *print, const uint64_t *series, size_t count)
{
    print_text(print, "[");
    for (size_t i = 0; i < count; i++)
        print_text(print, "%s%" PRIu64, i == 0 ? "" : ",", series[i]);
    print_text(print, "]");
}

static void print_layers(struct print *print, const char *key,
                         const uint64_t layers[][PAGE_STEPS + 2], size_t count, size_t moments)
{
    print_text(print, ",\n\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        print_text(print, "%s", i == 0 ? "" : ",\n");
        print_series(print, layers[i], moments);
    }
    print_text(print, "]");
}

static void print_survival(struct print *print, uint64_t limit,
                           const struct page_survival *survival, bool is_first)
{
    print_text(print, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
               is_first ? "" : ",", limit, survival->eligible_bytes, survival->survived_bytes,
               survival->eligible_objects, survival->survived_objects);
}

static void print_plots(struct print *print, const struct page_plots *plots, bool has_uses)
{
    size_t bands = page_band_count(plots);
    page_heap_print(print, &plots->heap);
    print_layers(print, "ages", plots->ages, bands, plots->heap.grid.count);
    print_layers(print, "phases", plots->phases, has_uses ? PAGE_PHASES : 0,
                 plots->heap.grid.count);
    print_text(print, ",\n\"ageFrom\":[");
    for (size_t i = 0; i < bands; i++)
        print_text(print, "%s%" PRIu64, i == 0 ? "" : ",", page_band_from(i));
    print_text(print, "],\n\"survival\":[");
    for (size_t i = 0; i < plots->survival_count; i++)
        print_survival(print, plots->survival_limits[i], &plots->survivals[i], i == 0);
    print_text(print, "],\n\"nurseries\":[");
    for (size_t i = PAGE_NURSERY_FIRST; i < page_nursery_end(plots); i++)
        print_survival(print, UINT64_C(1) << i, &plots->nurseries[i], i == PAGE_NURSERY_FIRST);
    print_text(print, "]");
}

static bool print_method_name(struct print *print, bool has_method, uint64_t method,
                              const struct names *names)
{
    struct shown_name name = {.text = NULL};
    const char *made = "(none)";
    if (has_method)
        made = shown_name_of_method(&name, method, names);
    bool is_made = page_name_print(print, made);
    free(name.text);
    return is_made;
}

static wide_sum split_by(const struct page_split *split, enum ranking ranking)
{
    return ranking == RANK_BYTES  ? split->bytes
           : ranking == RANK_LIVE ? split->live
                                  : split->drag;
}

static enum status print_ranked_sites(struct print *print, const char *key,
                                      const struct page_sites *sites, enum ranking ranking,
                                      const struct names *names)
{
    const struct ranking_choice choice = {.min_count = 1, .top = MOST_SITES};
    const struct tally **ranked;
    size_t count;
    char digits[WIDE_SIZE];
    enum status status =
        tallies_rank(&sites->methods, ranking, &choice, &ranked, &count, print->why);
    if (status != STATUS_OK)
        return status;
    print_text(print, ",\n\"%s\":[", key);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct page_site *site = &sites->splits[ranked[i] - sites->methods.items];
        print_text(print, "%s\n[", i == 0 ? "" : ",");
        if (!print_method_name(print, ranked[i]->has_method, ranked[i]->method, names))
            status = fail_memory(print->why);
        for (size_t life = 0; life < PAGE_LIVES; life++)
            print_text(print, ",%s",
                       figures_format_wide(digits, split_by(&site->splits[life], ranking)));
        print_text(print, "]");
    }
    print_text(print, "]");
    free(ranked);
    return status;
}

/* The same of a method with a number. */
static bool print_numbered_name(struct print *print, const struct contexts *contexts,
                                uint32_t number, const struct names *names)
{
    return print_method_name(print, number != 0,
                             number == 0 ? 0 : contexts_numbered(contexts, number), names);
}

static enum status print_pairs(struct print *print, const struct site_sums *sums,
                               const struct names *names)
{
    struct page_pair *pairs;
    size_t count;
    enum status status = page_pairs_find(&pairs, &count, sums, MOST_PAIRS, print->why);
    if (status != STATUS_OK)
        return status;
    print_text(print, ",\n\"deathPairs\":[");
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        print_text(print, "%s\n[", i == 0 ? "" : ",");
        bool is_made = print_numbered_name(print, sums->contexts, pairs[i].allocates, names);
        print_text(print, ",");
        is_made = is_made && print_numbered_name(print, sums->contexts, pairs[i].kills, names);
        print_text(print, ",%" PRIu64 ",%" PRIu64 "]", pairs[i].bytes, pairs[i].objects);
        if (!is_made)
            status = fail_memory(print->why);
    }
    print_text(print, "]");
    free(pairs);
    return status;
}

/* The sum of what all objects have of bytes times time: alive at the end lasts to the end. */
static void print_page_space_time(struct print *print, const struct page_curves *curves)
{
    char digits[WIDE_SIZE];
    print_text(print, ",\n\"spaceTime\":%s", figures_format_wide(digits, curves->all.now.sum));
}

static void print_page_curve(struct print *print, const struct page_curve *curve,
                             const struct gini *by_bytes)
{
    char gini[GINI_SIZE];
    print_text(print, ",\"bytes\":%" PRIu64 ",\"gini\":%s,\"points\":[[0,0]", curve->whole,
               gini_print(gini, by_bytes));
    for (size_t i = 0; i < curve->count; i++)
        print_text(print, ",[%u,%u]",
                   page_curve_share(curve->points[i].weight, curve->now.weight),
                   page_curve_share(curve->points[i].sum, curve->now.sum));
    print_text(print, "]}");
}

static enum status print_curves(struct print *print, const struct page_curves *curves,
                                const struct names *names)
{
    const struct site_sums *sums = curves->sums;
    struct shown_name name = {.text = NULL};
    enum status status = STATUS_OK;
    print_text(print, ",\n\"curves\":[{\"name\":\"\"");
    print_page_curve(print, &curves->all, &sums->all.by_bytes);
    for (size_t i = 0; i < curves->type_count && status == STATUS_OK; i++) {
        const struct tally *type = curves->types[i];
        print_text(print, ",\n{\"name\":");
        if (!page_name_print(print, shown_name_of_type(&name, type->id, names)))
            status = fail_memory(print->why);
        print_page_curve(
            print, &curves->of_types[i],
            &sums->by_type.dispersions[type - sums->by_type.tallies.items].by_bytes);
    }
    print_text(print, "]");
    free(name.text);
    return status;
}

static void print_costs(struct print *print, const struct document_part *costs)
{
    print_text(print, ",\n\"collectors\":");
    if (document_number(&costs->sections->array.count, costs->subject) <= MOST_COSTS)
        document_print_columns(print, costs->sections, costs->subject, NAME_BYTES);
    else
        print_text(print, "null");
}

enum status page_data_print(struct print *print, const struct page_data *data,
                            const struct names *names, const struct report_settings *settings)
{
    const struct stats *stats = &data->stats;
    print_page_head(print, stats, names, settings->context_depth);
    print_source(print, data);
    page_match_print(print, data->match);
    print_plots(print, &data->plots, stats_has_uses(stats));
    enum status status =
        print_ranked_sites(print, "sitesByBytes", &data->sites, RANK_BYTES, names);
    if (status == STATUS_OK)
        status = print_ranked_sites(print, "sitesByDrag", &data->sites, RANK_DRAG, names);
    if (status == STATUS_OK)
        status = print_ranked_sites(print, "sitesByLive", &data->sites, RANK_LIVE, names);
    print_costs(print, data->costs);
    if (status == STATUS_OK)
        status = print_pairs(print, stats->sums, names);
    print_page_space_time(print, &data->curves);
    if (status == STATUS_OK)
        status = print_curves(print, &data->curves, names);
    print_text(print, ",\n\"tables\":");
    rankings_print_for_page(print, stats, names, NAME_BYTES);
    print_text(print, "}");
    return status == STATUS_OK ? print->status : status;
}
