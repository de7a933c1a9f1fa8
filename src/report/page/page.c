/* SPDX-License-Identifier: MIT */
/* The page is a template with marks for data, style and scripts. Its content security policy
 * allows only its own style and scripts, by their hashes, and no requests. The data are JSON in
 * a script element that browsers do not run, so that names in it remain data. */
#include "report/report_table.h"

#include "report/page/page_assets.h"
#include "report/page/page_data.h"
#include "report/stats/stats_print.h"

#include <stdlib.h>
#include <string.h>

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
    enum status status = stats_init(&data->stats, report, why);
    data->tracer = material->reader->mark.tracer;
    if (status == STATUS_OK)
        status = page_plots_start(&data->plots, material->stream, why);
    page_curves_watch(&data->curves, report->sums);
    return status;
}

static enum status page_add_life(struct report *report, const struct life_facts *life,
                                 struct failure *why)
{
    struct page_data *data = report->state;
    enum status status = stats_add(&data->stats, life, why);
    if (status != STATUS_OK || life_is_prior(life))
        return status;
    page_plots_add(&data->plots, life, stats_has_uses(&data->stats));
    return page_sites_add(&data->sites, report->sums, life, why);
}

static void print_asset(struct print *print, const struct page_asset *asset)
{
    print_bytes(print, (const char *)asset->bytes, asset->length);
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
    static const char *const names[] = {"policy",  "style",  "library",
                                        "vectors", "script", "stats"};
    const size_t count = sizeof names / sizeof *names;
    size_t part = 0;
    while (part < count &&
           (strlen(names[part]) != length || memcmp(names[part], name, length) != 0))
        part++;
    switch (part) {
    case 0:
        print_policy(print);
        break;
    case 1:
        print_asset(print, &page_style);
        break;
    case 2:
        print_asset(print, &page_library);
        break;
    case 3:
        print_asset(print, &page_vectors);
        break;
    case 4:
        print_asset(print, &page_script);
        break;
    case 5:
        stats_print_in_html(print, &((const struct page_data *)report->state)->stats);
        break;
    default:
        return page_data_print(print, report->state, report->material->names,
                               report->material->engine->context_depth);
    }
    return print->status;
}

static enum status print_page(struct print *print, const struct report *report)
{
    const char *at = (const char *)page_template.bytes, *end = at + page_template.length;
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        const char *mark = memchr(at, '@', (size_t)(end - at));
        print_bytes(print, at, (size_t)((mark ? mark : end) - at));
        if (!mark)
            break;
        const char *close = memchr(mark + 1, '@', (size_t)(end - mark - 1));
        status = print_page_part(print, report, mark + 1, (size_t)(close - mark - 1));
        at = close + 1;
    }
    return status == STATUS_OK ? print->status : status;
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
    enum status status = stats_complete(&data->stats, why);
    if (status == STATUS_OK)
        status = page_sites_finish(&data->sites, report->sums, why);
    return status == STATUS_OK ? print_page(&print, report) : status;
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
                                         .shows_names = true,
                                         .has_costs = true,
                                         .has_advice = true,
                                         .has_held = true,
                                         .sums = SUMS_OF_PAIRS,
                                         .begin = page_begin,
                                         .life = page_add_life,
                                         .finish = page_finish,
                                         .release = page_release};
