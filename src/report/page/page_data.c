/* SPDX-License-Identifier: MIT */
/* The data are a document whose lists are tables (document_begin_data): so the script finds
 * columns by their names, and rows are arrays, which are half as long as objects with keys.
 * What a trace does not show is left out. */
#include "report/page/page_data.h"

#include "report/form/forms.h"
#include "report/page/page_rows.h"
#include "report/page/page_series.h"
#include "report/reading.h"
#include "report/stats/rankings.h"

#include <inttypes.h>
#include <stdio.h>

/* The most rows of simulated collectors; --simulate can have many. */
enum { MOST_COSTS = 4096 };

/* The longest name, as it is printed, in bytes. */
enum { NAME_BYTES = 240 };

/* What comes before the series. */
struct page_head {
    uint64_t context_depth, ticks;
    bool has_uses, has_methods, has_names;
    /* Bytes times time of all objects; those that survive count to the end. */
    wide_sum space_time;
    const char *tracer; /* NULL: it is not known */
    const char *digest, *type_sizes;
    struct reading_option reading[READING_MOST]; /* how the trace was read */
    size_t reading_count;
};

#define HEAD_FIGURE(unit, member) FIGURE(#member, NULL, unit, 0, page_head, member)

static const struct figure head_figures[] = {
    HEAD_FIGURE("count", context_depth), HEAD_FIGURE("ticks", ticks),
    HEAD_FIGURE("flag", has_uses),       HEAD_FIGURE("flag", has_methods),
    HEAD_FIGURE("flag", has_names),      HEAD_FIGURE("bytes_bytes", space_time),
    HEAD_FIGURE("text", tracer),         HEAD_FIGURE("text", digest),
    HEAD_FIGURE("name", type_sizes),     FIGURES_END,
};

static struct value option_of(struct row *row)
{
    const struct reading_option *option = row->subject;
    snprintf(row->scratch, ROW_SCRATCH, "%s%s", option->name,
             option->value ? option->value : "");
    return value_text(row->scratch);
}

static const struct figure option_figures[] = {
    FIGURE_OF("", NULL, "text", 0, option_of),
    FIGURES_END,
};

static const struct section head_sections[] = {
    HEAD(head_figures),
    SECTION(LIST, "reading", NULL, 0, 0, option_figures,
            .array = ARRAY_PART(page_head, reading, reading_count)),
    SECTIONS_END,
};

static bool has_methods(const struct stats *stats)
{
    const struct tallies *contexts = &stats->sums->by_context.tallies;
    for (size_t i = 0; i < contexts->count; i++)
        if (contexts->items[i].has_method)
            return true;
    return false;
}

static void print_head(struct document *document, const struct page_data *data,
                       const struct names *names, uint64_t context_depth)
{
    const struct stats *stats = &data->stats;
    char digest[17];
    struct page_head head = {
        .context_depth = context_depth,
        .ticks = stats->end_tick,
        .has_uses = stats_has_uses(stats),
        .has_methods = has_methods(stats),
        .has_names = names != NULL,
        .space_time = data->curves.all.now.sum,
        .tracer = *data->tracer ? data->tracer : NULL,
        .digest = digest,
        .type_sizes = stats->reading->type_sizes,
    };
    head.reading_count = reading_list(head.reading, stats->reading);
    snprintf(digest, sizeof digest, "%016" PRIx64, stats->digest);
    document_print(document, head_sections, &head);
}

/* Prints the list of --simulate, if there is room for it. */
static void print_costs(struct document *document, const struct document_part *costs)
{
    struct section list = costs->sections[0];
    list.key = "collectors";
    if (document_number(&list.array.count, costs->subject) <= MOST_COSTS)
        document_put(document, &list, costs->subject);
}

enum status page_data_print(struct print *print, const struct page_data *data,
                            const struct names *names, uint64_t context_depth)
{
    const struct stats *stats = &data->stats;
    struct document document = document_begin_data(print, NAME_BYTES);
    print_head(&document, data, names, context_depth);
    if (data->advice)
        document_print(&document, data->advice->sections, data->advice->subject);
    if (data->held)
        document_print(&document, data->held->sections, data->held->subject);
    if (data->match)
        page_match_print(&document, data->match);
    page_plots_print(&document, &data->plots, stats_has_uses(stats));
    page_sites_print(&document, &data->sites, names);
    print_costs(&document, data->costs);
    page_pairs_print(&document, stats->sums, names);
    page_curves_print(&document, &data->curves, names);
    rankings_print_for_page(&document, stats, names);
    document_end(&document);
    return print->status;
}
