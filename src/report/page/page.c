/* SPDX-License-Identifier: MIT */
/* The page is a template with marks for data, style and scripts. Its content security policy
 * allows only its own style and scripts, by their hashes, and no requests. The data are JSON in
 * a script element that browsers do not run, so that names in it remain data.
 *
 * The data are a form whose lists are tables (form_begin_data): so the script finds
 * columns by their names, and rows are arrays, which are half as long as objects with keys.
 * What a trace does not show is left out. */
#include "report/page/page.h"

#include "report/report.h"
#include "report/stats/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most rows of simulated collectors; --simulate can have many. */
enum { MOST_COSTS = 4096 };

/* The longest name, as it is printed, in bytes. */
enum { NAME_BYTES = 240 };

/* What is shown. */
struct page_data {
    struct stats stats;
    const char *tracer; /* what the trace says about its tracer; empty: nothing */
    struct page_plots plots;
    struct page_sites sites;
    struct page_curves curves;
    const struct form_part *costs;  /* a list: the rows of --simulate */
    const struct form_part *advice; /* a list: what --advise says; NULL: nothing */
    const struct form_part *held;   /* the first rows of --held; NULL: none */
    const struct page_match *match; /* NULL: there is only one run */
};

bool page_is_built(void)
{
    return page_library.bytes != NULL;
}

static enum status page_begin(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct page_data *data = report->state = calloc(1, sizeof *data);
    if (!data)
        return fail_memory(why);
    TRY(stats_init(&data->stats, report, why));
    data->tracer = material->reader->mark.tracer;
    TRY(page_plots_start(&data->plots, material->stream, why));
    page_curves_start(&data->curves, report->sums);
    return STATUS_OK;
}

static enum status page_add_life(struct report *report, const struct life_facts *life,
                                 struct failure *why)
{
    struct page_data *data = report->state;
    TRY(stats_add(&data->stats, life, why));
    if (life_is_prior(life))
        return STATUS_OK;
    page_plots_add(&data->plots, life, stats_has_uses(&data->stats));
    return page_sites_add(&data->sites, report->sums, life, why);
}

static bool has_methods(const struct stats *stats)
{
    const struct tallies *contexts = &stats->sums->by_context.tallies;
    for (size_t i = 0; i < contexts->count; i++)
        if (contexts->items[i].has_method)
            return true;
    return false;
}

/* Puts how the trace was read. */
static void put_reading(struct form *form, const struct reader_options *reading)
{
    struct reading_option options[READING_MOST];
    char text[COMPOSED_SIZE];
    size_t count = reading_list(options, reading);
    form_list(form, "reading", NULL, 0);
    for (size_t i = 0; form_next(form, i, count); i++) {
        if (i < count)
            snprintf(text, sizeof text, "%s%s", options[i].name,
                     options[i].value ? options[i].value : "");
        form_item(form);
        form_put(form, "", "text", i < count ? value_text(text) : NO_VALUE);
    }
}

static void put_head(struct form *form, const struct page_data *data, const struct names *names,
                     uint64_t context_depth)
{
    const struct stats *stats = &data->stats;
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, stats->digest);
    form_head(form, "");
    form_put(form, "context_depth", "count", value_number(context_depth));
    form_put(form, "ticks", "count", value_number(stats->end_tick));
    form_put(form, "has_uses", "flag", value_flag(stats_has_uses(stats)));
    form_put(form, "has_methods", "flag", value_flag(has_methods(stats)));
    form_put(form, "has_names", "flag", value_flag(names != NULL));
    /* Of all objects; those that survive count to the end. */
    form_put(form, "space_time", "bytes_bytes", value_number(data->curves.all.now.sum));
    form_put(form, "early_deaths", "text",
             value_text(early_deaths(stats->level, stats->assumptions)));
    form_put(form, "tracer", "text", *data->tracer ? value_text(data->tracer) : NO_VALUE);
    form_put(form, "digest", "text", value_text(digest));
    form_put(form, "type_sizes", "name", value_text(stats->reading->type_sizes));
    put_reading(form, stats->reading);
}

/* Puts the member "match". Both live heaps have the same form, but each has the instants of its
 * own run, since one may allocate more than the other. */
static void page_match_put(struct form *form, const struct page_match *match)
{
    form_head(form, "match");
    form_put(form, "name", "text", value_text(match->name));
    form_put(form, "unfinished", "text", value_text(match->unfinished));
    form_put(form, "changed_sites", "count", value_number(match->changed));
    match->sites.put(form, match->sites.subject);
    page_heap_put(form, "match.live", &match->heap);
}

static void put_part(struct form *form, const struct form_part *part)
{
    if (part)
        part->put(form, part->subject);
}

/* Prints all data. `names` may be NULL. `context_depth`: the most methods of a context. */
static void print_data(struct print *print, const struct page_data *data,
                       const struct names *names, uint64_t context_depth)
{
    const struct stats *stats = &data->stats;
    struct form *form = form_begin_data(print, NAME_BYTES);
    if (!form)
        return;
    put_head(form, data, names, context_depth);
    put_part(form, data->advice);
    put_part(form, data->held);
    if (data->match)
        page_match_put(form, data->match);
    page_plots_put(form, &data->plots, stats_has_uses(stats));
    page_sites_put(form, &data->sites, names);
    if (data->costs->rows <= MOST_COSTS)
        put_part(form, data->costs);
    page_pairs_put(form, stats->sums, names);
    page_curves_put(form, &data->curves, names);
    rankings_put_for_page(form, stats, names);
    form_finish(form);
}

/* Whether the `length` bytes at `text` are a name. */
static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

static void print_policy(struct print *print)
{
    print_text(print,
               "default-src 'none'; script-src '%s' '%s' '%s'; style-src '%s'; img-src data:; "
               "base-uri 'none'; form-action 'none'",
               page_library.hash, page_vectors.hash, page_script.hash, page_style.hash);
}

/* Prints what takes the place of @NAME@ in the template. */
static enum status print_page_part(struct print *print, const struct report *report,
                                   const char *name, size_t length)
{
    static const struct {
        const char *name;
        const struct page_asset *asset;
    } assets[] = {{"style", &page_style},
                  {"library", &page_library},
                  {"vectors", &page_vectors},
                  {"script", &page_script}};
    const struct page_data *data = report->state;
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (is_name(assets[i].name, name, length))
            print_bytes(print, (const char *)assets[i].asset->bytes, assets[i].asset->length);
    if (is_name("policy", name, length))
        print_policy(print);
    else if (is_name("stats", name, length))
        stats_print_in_html(print, &data->stats);
    else if (is_name("data", name, length))
        print_data(print, data, report->material->names,
                   report->material->engine->context_depth);
    return print->status;
}

static enum status print_page(struct print *print, const struct report *report)
{
    const char *at = (const char *)page_template.bytes, *end = at + page_template.length;
    for (;;) {
        const char *mark = memchr(at, '@', (size_t)(end - at));
        print_bytes(print, at, (size_t)((mark ? mark : end) - at));
        if (!mark)
            return print->status;
        const char *close = memchr(mark + 1, '@', (size_t)(end - mark - 1));
        TRY(print_page_part(print, report, mark + 1, (size_t)(close - mark - 1)));
        at = close + 1;
    }
}

static enum status page_finish(struct report *report, struct failure *why)
{
    struct page_data *data = report->state;
    struct print print = {.sink = report->sink, .why = why};
    data->match = report->material->page_match;
    page_plots_finish(&data->plots);
    data->costs = report->material->costs;
    data->advice = report->material->advice;
    data->held = report->material->held;
    TRY(stats_complete(&data->stats, report->material->marking, why));
    TRY(page_sites_finish(&data->sites, report->sums, why));
    return print_page(&print, report);
}

static void page_release(struct report *report)
{
    struct page_data *data = report->state;
    if (data) {
        stats_free(&data->stats);
        page_sites_free(&data->sites);
        page_curves_free(&data->curves);
    }
    free(data);
}

const struct report_class page_report = {.wants = WANT_FIRST_USES,
                                         .traits = TRAIT_NAMES | TRAIT_MARKING | TRAIT_COSTS |
                                                   TRAIT_ADVICE | TRAIT_HELD,
                                         .sums = SUMS_OF_PAIRS,
                                         .begin = page_begin,
                                         .life = page_add_life,
                                         .finish = page_finish,
                                         .release = page_release};
