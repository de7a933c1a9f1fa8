/* SPDX-License-Identifier: MIT */
/* The check as a document: the verdict, how allocations are freed and what is wrong with rows,
 * what lateness costs, and examples with the lines of both files. */
#include "report/check/check.h"

#include <inttypes.h>
#include <stdio.h>

enum { LABELS = 19, COUNTS = 13, LIVE_LABELS = 23, CELLS = 16 };

/* A verdict, or a fault, in words. */
struct in_words {
    const char *key, *label, *remark;
};

static const struct in_words verdict_words[] = {
    [VERDICT_ON_TIME] = {"on_time", "on time", "at the first allocation after the last use"},
    [VERDICT_LATE] = {"late", "late", "at a later one"},
    [VERDICT_NEVER] = {"never_freed", "never freed", "not before the end"},
    [VERDICT_EARLY] = {"early", "early", "before a record that uses it"},
    [VERDICT_MISSING] = {"missing", "missing", "no row"},
};

static const struct in_words fault_words[] = {
    [ROW_UNKNOWN] = {"no_allocation", "no allocation",
                     "of a number or id that the trace does not have"},
    [ROW_OTHER_OBJECT] = {"other_object", "other object", "the allocation has another id"},
    [ROW_OTHER_SIZE] = {"other_size", "other size", "the allocation has another size"},
    [ROW_FREED_TWICE] = {"freed_twice", "freed twice", "an earlier row frees it, too"},
    [ROW_OUT_OF_ORDER] = {"out_of_order", "out of order",
                          "allocated before the object of an earlier row"},
    [ROW_NO_MOMENT] = {"no_such_moment", "no such moment",
                       "freed at an allocation that does not exist"},
};

/* To what frees are checked: the record or the allocation. */
static const char *granularity_of(const struct check *check)
{
    return check->matching->numbers_records ? "record" : "allocation";
}

static void put_verdict(struct form *form, const struct check *check)
{
    uint64_t faults = check_faulty_allocations(check) + check->matching->faulty_count;
    const char *granularity = granularity_of(check);
    char verdict[COMPOSED_SIZE];
    if (faults == 0)
        snprintf(verdict, sizeof verdict, "nothing is freed before its last use, to the %s",
                 granularity);
    else
        snprintf(verdict, sizeof verdict, "%" PRIu64 " fault%s, checked to the %s", faults,
                 faults == 1 ? "" : "s", granularity);
    form_line(form, NULL, "verdict", "text", value_text(verdict));
}

static void put_head(struct form *form, const struct check *check,
                     const struct check_names *names)
{
    static const char *const forms[ORACLE_FORMS] = {"events", "objects", "threads"};
    const char *format = names->lifetimes ? names->lifetimes : "";
    char note[COMPOSED_SIZE];
    snprintf(note, sizeof note,
             "the format %s records no uses: an object may be freed as soon as it is there",
             format);
    form_head(form, "");
    form_line(form, "oracle", "oracle", "name", value_text(names->oracle));
    form_line(form, "form", "form", "word", value_text(forms[check->matching->form]));
    form_put(form, "granularity", "word", value_text(granularity_of(check)));
    form_put(form, "has_uses", "flag", value_flag(!names->lifetimes));
    form_put(form, "clean", "flag", value_flag(check_is_clean(check)));
    put_verdict(form, check);
    form_line(form, NULL, "note", "text", names->lifetimes ? value_text(note) : NO_VALUE);
}

/* Puts how many of `all`, allocations or rows, are as `words` say. */
static void put_counts(struct form *form, const char *unit, uint64_t all, const char *key,
                       const struct in_words *words, const uint64_t *counts, size_t count)
{
    form_lines(form, "", unit, LABELS, COUNTS);
    form_line(form, unit, "all", unit, value_number(all));
    form_rows(form, key, NULL, LABELS);
    for (size_t i = 0; i < count; i++) {
        form_row(form, words[i].key, words[i].label);
        form_remark(form, words[i].remark);
        form_cell(form, "", "", 13, unit, value_number(counts[i]));
        form_cell(form, NULL, "", 8, "percent", value_share(counts[i], all));
    }
}

/* Puts by how much objects are freed later than they could be: the allocations in between, and
 * their bytes. */
static void put_lateness(struct form *form, const char *path, const char *title,
                         const struct lateness *late)
{
    form_upright(form, path, title, LABELS, CELLS);
    form_row_if(form, late->allocations.count > 0, "allocations", "allocations");
    distribution_put(form, &late->allocations, "allocations");
    form_row_if(form, late->bytes.count > 0, "bytes", "bytes");
    distribution_put(form, &late->bytes, "bytes");
}

static void put_live_row(struct form *form, const char *key, const char *label,
                         const struct live_bytes *live, uint64_t allocations)
{
    form_row(form, key, label);
    form_cell(form, "most_bytes.bytes", "peak", 14, "bytes", value_number(live->peak));
    form_cell(form, "mean", "mean", 17, "bytes", value_mean(live->sum, allocations));
}

static void put_live(struct form *form, const struct check *check)
{
    form_rows(form, "live_bytes", "live bytes", LIVE_LABELS);
    put_live_row(form, "freed", "as the oracle frees", &check->figures.freed,
                 check->traced->count);
    put_live_row(form, "least", "all freed on time", &check->figures.least,
                 check->traced->count);
}

/* Finds the next allocation with a fault from number *at on, which becomes the one after it. */
static struct check_oracle_row next_faulty(const struct check *check, size_t *at)
{
    struct check_oracle_row row;
    do
        row = check_oracle_row(check, (*at)++);
    while (row.verdict != VERDICT_EARLY && row.verdict != VERDICT_MISSING);
    return row;
}

/* A line; nothing if it is 0. */
static struct value line_value(uint64_t line)
{
    return value_number_if(line > 0, line);
}

static void put_faulty_allocations(struct form *form, const struct check *check, uint64_t show)
{
    uint64_t total = check_faulty_allocations(check), most = show < total ? show : total;
    struct check_oracle_row row = {.line = 0};
    size_t at = 0;
    form_list_of(form, "faulty_allocations", "allocations with faults", show, total);
    for (uint64_t i = 0; form_next(form, i, most); i++) {
        if (i < most)
            row = next_faulty(check, &at);
        form_item(form);
        form_cell(form, "oracle_line", "in oracle", 11, "line", line_value(row.oracle_line));
        form_cell(form, "line", "in trace", 11, "line", line_value(row.line));
        form_cell(form, "object", "object", 11, "id", value_number(row.object));
        form_cell(form, "freed_line", "freed before", 16, "line", line_value(row.freed_line));
        form_cell(form, "used_line", "last use", 16, "line", line_value(row.used_line));
        form_cell(form, "verdict", "verdict", 0, "word",
                  value_text(verdict_words[row.verdict].label));
    }
}

static void put_faulty_rows(struct form *form, const struct check *check, uint64_t show)
{
    static const struct faulty_row none;
    uint64_t total = check->matching->faulty_count, most = show < total ? show : total;
    form_list_of(form, "faulty_rows", "rows with faults", show, total);
    for (uint64_t i = 0; form_next(form, i, most); i++) {
        const struct faulty_row *row = i < most ? &check->matching->faulty[i] : &none;
        uint64_t allocation = row->allocation;
        form_item(form);
        form_cell(form, "oracle_line", "in oracle", 11, "line", value_number(row->line));
        form_cell(form, "line", "in trace", 11, "line",
                  allocation == 0
                      ? NO_VALUE
                      : value_number(traced_line(check->traced, (size_t)allocation - 1)));
        form_cell(form, "object", "object", 11, "id", value_number(row->object));
        form_cell(form, "fault", "fault", 0, "word", value_text(fault_words[row->fault].label));
    }
}

void check_print(struct print *print, enum report_format format, const struct check *check,
                 const struct check_names *names, const struct trace_origin *origin,
                 uint64_t show)
{
    struct form *form = form_begin(print, format, "check-oracle-2");
    if (!form)
        return;
    origin_put(form, origin);
    put_head(form, check, names);
    put_counts(form, "allocations", check->traced->count, "verdicts", verdict_words,
               check->figures.verdicts, VERDICTS);
    put_counts(form, "rows", check->matching->rows, "faults", fault_words,
               check->figures.faults, ROW_FAULTS);
    put_lateness(form, "late", "late by", &check->figures.late);
    put_lateness(form, "never", "never freed, for", &check->figures.never);
    put_live(form, check);
    put_faulty_allocations(form, check, show);
    put_faulty_rows(form, check, show);
    form_finish(form);
}
