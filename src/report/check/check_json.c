/* SPDX-License-Identifier: MIT */
/* The check as JSON: the figures of check_text.c under names that stay, since programs read
 * them; what is counted there is counted here, and faults are listed as rows. */
#include "report/check/check_print.h"
#include "report/json.h"

#include <string.h>

/* Puts a number under `name` with its blanks as underscores, as all keys are. */
static void check_json_put_count(struct json_report *report, json_t *object, const char *name,
                                 uint64_t count)
{
    char key[32];
    snprintf(key, sizeof key, "%s", name);
    for (char *at = key; (at = strchr(at, ' ')) != NULL;)
        *at = '_';
    json_put_number(report, object, key, count);
}

static void check_json_put_distribution(struct json_report *report, json_t *parent,
                                        const char *key, const struct distribution *numbers)
{
    if (numbers->count == 0) {
        json_put_null(report, parent, key);
        return;
    }
    json_t *object = json_put_object(report, parent, key);
    json_put_number(report, object, "min", numbers->min);
    json_put_number(report, object, "median", numbers->median);
    json_put_number(report, object, "p90", numbers->p90);
    json_put_number(report, object, "max", numbers->max);
    json_put_decimal(report, object, "mean", numbers->mean, numbers->mean_hundredths);
}

static void put_lateness(struct json_report *report, const char *key,
                         const struct lateness *lateness)
{
    json_t *object = json_put_object(report, report->root, key);
    check_json_put_distribution(report, object, "allocations", &lateness->allocations);
    check_json_put_distribution(report, object, "bytes", &lateness->bytes);
}

static void put_live(struct json_report *report, json_t *parent, const char *key,
                     const struct live_bytes *live, uint64_t count)
{
    json_t *object = json_put_object(report, parent, key);
    json_put_number(report, object, "peak", live->peak);
    if (count == 0) {
        json_put_null(report, object, "mean");
        return;
    }
    wide_sum mean = figures_mean(live->sum, count);
    json_put_decimal(report, object, "mean", (uint64_t)(mean / 100), (unsigned)(mean % 100));
}

static void put_figures(struct json_report *report, const struct check *check)
{
    const struct check_figures *figures = &check->figures;
    json_put_bool(report, report->root, "clean", check_is_clean(check));
    json_put_number(report, report->root, "allocations", check->traced->count);
    json_t *verdicts = json_put_object(report, report->root, "verdicts");
    for (unsigned i = 0; i < VERDICTS; i++)
        check_json_put_count(report, verdicts, check_verdict_name((enum check_verdict)i),
                             figures->verdicts[i]);
    json_put_number(report, report->root, "rows", check->matching->rows);
    json_t *faults = json_put_object(report, report->root, "faults");
    for (unsigned i = 0; i < ROW_FAULTS; i++)
        check_json_put_count(report, faults, check_fault_name((enum row_fault)i),
                             figures->faults[i]);
    put_lateness(report, "late", &figures->late);
    put_lateness(report, "never", &figures->never);
    json_t *live = json_put_object(report, report->root, "live_bytes");
    put_live(report, live, "freed", &figures->freed, check->traced->count);
    put_live(report, live, "least", &figures->least, check->traced->count);
}

static void put_line(struct json_report *report, json_t *object, const char *key, uint64_t line)
{
    if (line > 0)
        json_put_number(report, object, key, line);
    else
        json_put_null(report, object, key);
}

static void check_json_put_allocations(struct json_report *report, const struct check *check,
                                       uint64_t show)
{
    uint64_t left = check_faulty_allocations(check);
    json_t *array = json_put_array(report, report->root, "faulty_allocations");
    for (size_t i = 0; show > 0 && left > 0; i++) {
        struct check_oracle_row row = check_oracle_row(check, i);
        if (row.verdict != VERDICT_EARLY && row.verdict != VERDICT_MISSING)
            continue;
        json_t *object = json_append_object(report, array);
        put_line(report, object, "oracle_line", row.oracle_line);
        put_line(report, object, "line", row.line);
        json_put_number(report, object, "object", row.object);
        put_line(report, object, "freed_line", row.freed_line);
        put_line(report, object, "used_line", row.used_line);
        json_put_text(report, object, "verdict", check_verdict_name(row.verdict));
        show--;
        left--;
    }
}

static void put_rows(struct json_report *report, const struct check *check, uint64_t show)
{
    const struct matching *matching = check->matching;
    json_t *array = json_put_array(report, report->root, "faulty_rows");
    for (size_t i = 0; i < show && i < matching->faulty_count; i++) {
        const struct faulty_row *row = &matching->faulty[i];
        size_t allocation = (size_t)row->allocation;
        json_t *object = json_append_object(report, array);
        json_put_number(report, object, "oracle_line", row->line);
        put_line(report, object, "line",
                 allocation > 0 ? traced_line(check->traced, allocation - 1) : 0);
        json_put_number(report, object, "object", row->object);
        json_put_text(report, object, "fault", check_fault_name(row->fault));
    }
}

void check_print_json(struct print *print, const struct check *check,
                      const struct check_names *names, uint64_t show)
{
    struct json_report report;
    json_report_start(&report, "check-oracle-1");
    json_put_text(&report, report.root, "trace", names->trace);
    json_put_text(&report, report.root, "oracle", names->oracle);
    json_put_text(&report, report.root, "form", check_form_name(check->matching->form));
    json_put_bool(&report, report.root, "has_uses", !names->lifetimes);
    put_figures(&report, check);
    check_json_put_allocations(&report, check, show);
    put_rows(&report, check, show);
    json_report_end(&report, print);
}
