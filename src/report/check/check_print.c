/* SPDX-License-Identifier: MIT */
/* The check as a document: the verdict, how allocations are freed and what is wrong with rows,
 * what lateness costs, and examples with the lines of both files. */
#include "report/check/check_print.h"

#include <inttypes.h>
#include <stdio.h>

struct checked {
    const struct check *check;
    const struct check_names *names;
    struct check_oracle_row *current;
};

static const struct check *check_of(const struct row *row)
{
    return ((const struct checked *)row->document)->check;
}

static const struct check_names *names_of(const struct row *row)
{
    return ((const struct checked *)row->document)->names;
}

static struct value oracle_of(struct row *row)
{
    return value_text(names_of(row)->oracle);
}

static struct value form_of(struct row *row)
{
    return value_text(check_form_name(check_of(row)->matching->form));
}

static struct value granularity_of(struct row *row)
{
    return value_text(check_granularity(check_of(row)));
}

static struct value has_uses_of(struct row *row)
{
    return value_flag(!names_of(row)->lifetimes);
}

static struct value clean_of(struct row *row)
{
    return value_flag(check_is_clean(check_of(row)));
}

static struct value verdict_of(struct row *row)
{
    const struct check *check = check_of(row);
    uint64_t faults = check_faulty_allocations(check) + check->matching->faulty_count;
    if (faults == 0)
        snprintf(row->scratch, ROW_SCRATCH, "nothing is freed before its last use, to the %s",
                 check_granularity(check));
    else
        snprintf(row->scratch, ROW_SCRATCH, "%" PRIu64 " fault%s, checked to the %s", faults,
                 faults == 1 ? "" : "s", check_granularity(check));
    return value_text(row->scratch);
}

static struct value note_of(struct row *row)
{
    const char *format = names_of(row)->lifetimes;
    if (!format)
        return NO_VALUE;
    snprintf(row->scratch, ROW_SCRATCH,
             "the format %s records no uses: an object may be freed as soon as it is there",
             format);
    return value_text(row->scratch);
}

static const struct figure head[] = {
    FIGURE_OF("oracle", "oracle", "name", 0, oracle_of),
    FIGURE_OF("form", "form", "word", 0, form_of),
    FIGURE_OF("granularity", NULL, "word", 0, granularity_of),
    FIGURE_OF("has_uses", NULL, "flag", 0, has_uses_of),
    FIGURE_OF("clean", NULL, "flag", 0, clean_of),
    FIGURE_OF(NULL, "verdict", "text", 0, verdict_of),
    FIGURE_OF(NULL, "note", "text", 0, note_of),
    FIGURES_END,
};

static struct value allocations_of(struct row *row)
{
    return value_number(check_of(row)->traced->count);
}

static struct value rows_of(struct row *row)
{
    return value_number(check_of(row)->matching->rows);
}

static const struct figure allocations[] = {
    FIGURE_OF("allocations", "all", "allocations", 0, allocations_of),
    FIGURES_END,
};

static const struct figure rows[] = {
    FIGURE_OF("rows", "all", "rows", 0, rows_of),
    FIGURES_END,
};

/* The name of a count: its key has underscores for blanks. */
static void name_count(struct row *row, const char *name, const char *remark)
{
    row->label = name;
    row->remark = remark;
    snprintf(row->scratch, ROW_SCRATCH, "%s", name);
    for (char *at = row->scratch; *at; at++)
        *at = *at == ' ' ? '_' : *at;
    row->key = row->scratch;
}

static bool next_verdict(struct row *row)
{
    static const char *const remarks[VERDICTS] = {"at the first allocation after the last use",
                                                  "at a later one", "not before the end",
                                                  "before a record that uses it", "no row"};
    if (row->at == VERDICTS)
        return false;
    name_count(row, check_verdict_name((enum check_verdict)row->at), remarks[row->at]);
    row->subject = row->document ? &check_of(row)->figures.verdicts[row->at] : NULL;
    row->at++;
    return true;
}

static bool next_fault(struct row *row)
{
    static const char *const remarks[ROW_FAULTS] = {
        "of a number or id that the trace does not have",
        "the allocation has another id",
        "the allocation has another size",
        "an earlier row frees it, too",
        "allocated before the object of an earlier row",
        "freed at an allocation that does not exist"};
    if (row->at == ROW_FAULTS)
        return false;
    name_count(row, check_fault_name((enum row_fault)row->at), remarks[row->at]);
    row->subject = row->document ? &check_of(row)->figures.faults[row->at] : NULL;
    row->at++;
    return true;
}

static struct value verdict_share_of(struct row *row)
{
    return value_share(*(const uint64_t *)row->subject, check_of(row)->traced->count);
}

static struct value fault_share_of(struct row *row)
{
    return value_share(*(const uint64_t *)row->subject, check_of(row)->matching->rows);
}

static const struct figure verdicts[] = {
    FIGURE_SUBJECT("", "", "allocations", 13, MEMBER_NUMBER),
    FIGURE_OF(NULL, "", "percent", 8, verdict_share_of),
    FIGURES_END,
};

static const struct figure faults[] = {
    FIGURE_SUBJECT("", "", "rows", 13, MEMBER_NUMBER),
    FIGURE_OF(NULL, "", "percent", 8, fault_share_of),
    FIGURES_END,
};

/* By how much objects are freed later than they could be: the allocations in between, and their
 * bytes. */
static bool set_lateness(struct row *row, const struct lateness *lateness)
{
    static const char *const units[] = {"allocations", "bytes"};
    if (row->at == 2)
        return false;
    row->key = row->label = row->unit = units[row->at];
    if (lateness) {
        const struct distribution *numbers =
            row->at == 0 ? &lateness->allocations : &lateness->bytes;
        row->is_missing = numbers->count == 0;
        row->subject = numbers;
    }
    row->at++;
    return true;
}

static bool next_late(struct row *row)
{
    return set_lateness(row, row->document ? &check_of(row)->figures.late : NULL);
}

static bool next_never(struct row *row)
{
    return set_lateness(row, row->document ? &check_of(row)->figures.never : NULL);
}

static bool next_live(struct row *row)
{
    const struct check_figures *figures = row->document ? &check_of(row)->figures : NULL;
    if (row->at == 2)
        return false;
    row->key = row->at == 0 ? "freed" : "least";
    row->label = row->at == 0 ? "as the oracle frees" : "all freed on time";
    if (figures)
        row->subject = row->at == 0 ? &figures->freed : &figures->least;
    row->at++;
    return true;
}

static struct value live_mean_of(struct row *row)
{
    const struct live_bytes *live = row->subject;
    return value_mean(live->sum, check_of(row)->traced->count);
}

static const struct figure live[] = {
    FIGURE("peak", "peak", "bytes", 14, live_bytes, peak),
    FIGURE_OF("mean", "mean", "bytes", 17, live_mean_of),
    FIGURES_END,
};

static uint64_t count_faulty(const void *document)
{
    return check_faulty_allocations(((const struct checked *)document)->check);
}

static bool next_faulty(struct row *row)
{
    const struct checked *checked = row->document;
    while (row->at < checked->check->traced->count) {
        *checked->current = check_oracle_row(checked->check, (size_t)row->at++);
        row->subject = checked->current;
        enum check_verdict verdict = checked->current->verdict;
        if (verdict == VERDICT_EARLY || verdict == VERDICT_MISSING)
            return true;
    }
    return false;
}

static struct value faulty_verdict_of(struct row *row)
{
    return value_text(
        check_verdict_name(((const struct check_oracle_row *)row->subject)->verdict));
}

static const struct figure faulty_allocations[] = {
    FIGURE_IF("oracle_line", "in oracle", "line", 11, check_oracle_row, oracle_line,
              oracle_line),
    FIGURE_IF("line", "in trace", "line", 11, check_oracle_row, line, line),
    FIGURE("object", "object", "id", 11, check_oracle_row, object),
    FIGURE_IF("freed_line", "freed before", "line", 16, check_oracle_row, freed_line,
              freed_line),
    FIGURE_IF("used_line", "last use", "line", 16, check_oracle_row, used_line, used_line),
    FIGURE_OF("verdict", "verdict", "word", 0, faulty_verdict_of),
    FIGURES_END,
};

static uint64_t count_faulty_rows(const void *document)
{
    return ((const struct checked *)document)->check->matching->faulty_count;
}

static bool next_faulty_row(struct row *row)
{
    const struct matching *matching = check_of(row)->matching;
    if (row->at == matching->faulty_count)
        return false;
    row->subject = &matching->faulty[row->at++];
    return true;
}

static struct value row_line_of(struct row *row)
{
    uint64_t allocation = ((const struct faulty_row *)row->subject)->allocation;
    return allocation == 0
               ? NO_VALUE
               : value_number(traced_line(check_of(row)->traced, (size_t)allocation - 1));
}

static struct value fault_of(struct row *row)
{
    return value_text(check_fault_name(((const struct faulty_row *)row->subject)->fault));
}

static const struct figure faulty_rows[] = {
    FIGURE("oracle_line", "in oracle", "line", 11, faulty_row, line),
    FIGURE_OF("line", "in trace", "line", 11, row_line_of),
    FIGURE("object", "object", "id", 11, faulty_row, object),
    FIGURE_OF("fault", "fault", "word", 0, fault_of),
    FIGURES_END,
};

enum { LABELS = 19, COUNTS = 13, LIVE_LABELS = 23, CELLS = 16 };

const struct section check_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = head},
    {.form = SECTION_LINES,
     .key = "",
     .title = "allocations",
     .width = LABELS,
     .cell = COUNTS,
     .figures = allocations},
    {.form = SECTION_ROWS,
     .key = "verdicts",
     .width = LABELS,
     .figures = verdicts,
     .next = next_verdict},
    {.form = SECTION_LINES,
     .key = "",
     .title = "rows",
     .width = LABELS,
     .cell = COUNTS,
     .figures = rows},
    {.form = SECTION_ROWS,
     .key = "faults",
     .width = LABELS,
     .figures = faults,
     .next = next_fault},
    {.form = SECTION_UPRIGHT,
     .key = "late",
     .title = "late by",
     .width = LABELS,
     .cell = CELLS,
     .figures = distribution_figures,
     .next = next_late},
    {.form = SECTION_UPRIGHT,
     .key = "never",
     .title = "never freed, for",
     .width = LABELS,
     .cell = CELLS,
     .figures = distribution_figures,
     .next = next_never},
    {.form = SECTION_ROWS,
     .key = "live_bytes",
     .title = "live bytes",
     .width = LIVE_LABELS,
     .figures = live,
     .next = next_live},
    {.form = SECTION_LIST,
     .key = "faulty_allocations",
     .title = "allocations with faults",
     .figures = faulty_allocations,
     .next = next_faulty,
     .total = count_faulty},
    {.form = SECTION_LIST,
     .key = "faulty_rows",
     .title = "rows with faults",
     .figures = faulty_rows,
     .next = next_faulty_row,
     .total = count_faulty_rows},
    {.figures = NULL},
};

void check_print(struct print *print, enum report_format format, const struct check *check,
                 const struct check_names *names, const struct trace_origin *origin,
                 uint64_t show)
{
    struct check_oracle_row current;
    const struct checked checked = {check, names, &current};
    struct document document = document_begin(print, format, "check-oracle-2");
    document.show = show;
    document_print(&document, origin_sections, origin);
    document_print(&document, check_sections, &checked);
    document_end(&document);
}
