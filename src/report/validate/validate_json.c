/* SPDX-License-Identifier: MIT */
/* The validation as JSON: each kind of violation and note with its count, its first line and an
 * example. */
#include "report/json.h"
#include "report/validate/kind_figures.h"
#include "report/validate/validate_print.h"

static void put_first(struct json_report *report, json_t *object, const struct finding *finding)
{
    if (finding->count == 0) {
        json_put_null(report, object, "first_line");
        json_put_null(report, object, "example");
        return;
    }
    json_put_number(report, object, "first_line", finding->first.line);
    json_put_text(report, object, "example", finding->first.text ? finding->first.text : "");
}

static void put_violations(struct json_report *report, const struct validation *validation,
                           violation_set ignored)
{
    json_t *all = json_put_object(report, report->root, "violations");
    for (unsigned i = 0; i < VIOLATION_COUNT; i++) {
        const struct finding *finding = &validation->violations[i];
        json_t *object = json_put_object(report, all, violation_name((enum violation)i));
        json_put_number(report, object, "count", finding->count);
        json_put_bool(report, object, "ignored", ignored >> i & 1);
        put_first(report, object, finding);
    }
}

static void put_notes(struct json_report *report, const struct validation *validation)
{
    json_t *all = json_put_object(report, report->root, "notes");
    for (unsigned i = 0; i < NOTE_COUNT; i++) {
        const struct finding *finding = &validation->notes[i];
        json_t *object =
            json_put_object(report, all, validate_note_name((enum validate_note)i));
        json_put_number(report, object, "count", finding->count);
        put_first(report, object, finding);
    }
}

static void put_calls(struct json_report *report, const struct validation *validation)
{
    json_t *array = json_put_array(report, report->root, "methods");
    for (size_t i = 0; i < validation->calls.count; i++) {
        const struct thread_calls *thread = &validation->calls.threads[i];
        json_t *object = json_append_object(report, array);
        if (validation->reader->explicit_time)
            json_put_null(report, object, "thread");
        else
            json_put_number(report, object, "thread", thread->id);
        json_put_number(report, object, "entries", thread->entries);
        json_put_number(report, object, "exits", thread->exits);
        json_put_number(report, object, "unmatched", thread->unmatched);
        json_put_number(report, object, "unwound", thread->unwound);
        json_put_number(report, object, "open", thread->open);
    }
}

static void put_allocations(struct json_report *report, json_t *object,
                            const struct validate_figures *figures)
{
    json_put_number(report, object, "allocations", figures->objects + figures->arrays);
    json_put_number(report, object, "objects", figures->objects);
    json_put_number(report, object, "arrays", figures->arrays);
    json_put_number(report, object, "named_before", figures->adopted);
    json_put_wide(report, object, "bytes", figures->bytes);
    json_put_number(report, object, "deaths", figures->deaths);
    json_put_number(report, object, "alive",
                    figures->objects + figures->arrays - figures->deaths);
}

static void put_uses(struct json_report *report, json_t *object,
                     const struct validate_figures *figures)
{
    struct kind_figure kinds[RECORD_KINDS];
    size_t count = kind_figures_list(kinds);
    for (size_t i = 0; i < count; i++) {
        const char letter[] = {(char)kinds[i].kind, '\0'};
        json_put_number(report, object, kinds[i].key ? kinds[i].key : letter,
                        figures->records[kinds[i].kind]);
    }
    json_put_number(report, object, "mentions", figures->mentions);
    json_put_number(report, object, "unallocated_mentions", figures->unallocated_mentions);
    json_put_share(report, object, "unallocated_percent", figures->unallocated_mentions,
                   figures->mentions);
}

static void put_lifetimes(struct json_report *report, json_t *object,
                          const struct validate_figures *figures)
{
    const struct distribution *lifetimes = &figures->lifetimes;
    if (lifetimes->count == 0) {
        json_put_null(report, object, "lifetimes");
        return;
    }
    json_t *inner = json_put_object(report, object, "lifetimes");
    json_put_text(report, inner, "by", figures->by_place ? "position" : "time");
    json_put_number(report, inner, "count", lifetimes->count);
    json_put_decimal(report, inner, "average", lifetimes->mean, lifetimes->mean_hundredths);
    json_put_number(report, inner, "median", lifetimes->median);
    json_put_number(report, inner, "max", lifetimes->max);
}

static void validate_json_put_figures(struct json_report *report,
                                      const struct validation *validation)
{
    const struct validate_figures *figures = &validation->figures;
    json_t *object = json_put_object(report, report->root, "figures");
    json_put_number(report, object, "events", figures->events);
    put_allocations(report, object, figures);
    put_uses(report, object, figures);
    if (validation->reader->explicit_time)
        json_put_null(report, object, "threads");
    else
        json_put_number(report, object, "threads", validation->calls.count);
    json_put_number(report, object, "first_time", figures->first_time);
    json_put_number(report, object, "last_time", figures->last_time);
    put_lifetimes(report, object, figures);
}

void validate_print_json(struct print *print, const struct validation *validation,
                         violation_set ignored)
{
    struct json_report report;
    json_report_start(&report, "validate-1");
    json_put_text(&report, report.root, "trace", validation->reader->name);
    json_put_text(&report, report.root, "dialect",
                  validation->reader->explicit_time ? "time" : "thread");
    json_put_bool(&report, report.root, "valid",
                  violations_met(validation->violations, ignored) == 0);
    put_violations(&report, validation, ignored);
    put_notes(&report, validation);
    put_calls(&report, validation);
    validate_json_put_figures(&report, validation);
    json_report_end(&report, print);
}
