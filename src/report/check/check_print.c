/* SPDX-License-Identifier: MIT */
/* The check as a document: the verdict, how allocations are freed and what is wrong with rows,
 * what lateness costs, and examples with the lines of both files. */
#include "report/check/check.h"

#include <inttypes.h>
#include <stdio.h>

/* What is printed. */
struct checked {
    const struct check *check;
    struct check_figures figures;
    const char *oracle, *form;
    const char *granularity; /* to what frees are checked: the record or the allocation */
    const char *lifetimes;   /* as in struct check_names */
    bool has_uses, is_clean;
    uint64_t allocations, rows;  /* all of them */
    uint64_t faulty_allocations; /* and those with faults */
    struct faulty_row *faulty;   /* of the matching */
    size_t faulty_rows;
    struct check_oracle_row *current;
};

static struct value verdict_of(struct row *row)
{
    const struct checked *checked = row->subject;
    uint64_t faults = checked->faulty_allocations + checked->faulty_rows;
    if (faults == 0)
        snprintf(row->scratch, ROW_SCRATCH, "nothing is freed before its last use, to the %s",
                 checked->granularity);
    else
        snprintf(row->scratch, ROW_SCRATCH, "%" PRIu64 " fault%s, checked to the %s", faults,
                 faults == 1 ? "" : "s", checked->granularity);
    return value_text(row->scratch);
}

static struct value note_of(struct row *row)
{
    const struct checked *checked = row->subject;
    if (!checked->lifetimes)
        return NO_VALUE;
    snprintf(row->scratch, ROW_SCRATCH,
             "the format %s records no uses: an object may be freed as soon as it is there",
             checked->lifetimes);
    return value_text(row->scratch);
}

static const struct figure head[] = {
    FIGURE("oracle", "oracle", "name", 0, checked, oracle),
    FIGURE("form", "form", "word", 0, checked, form),
    FIGURE("granularity", NULL, "word", 0, checked, granularity),
    FIGURE("has_uses", NULL, "flag", 0, checked, has_uses),
    FIGURE("clean", NULL, "flag", 0, checked, is_clean),
    FIGURE_OF(NULL, "verdict", "text", 0, verdict_of),
    FIGURE_OF(NULL, "note", "text", 0, note_of),
    FIGURES_END,
};

static const struct figure allocations[] = {
    FIGURE("allocations", "all", "allocations", 0, checked, allocations),
    FIGURES_END,
};

static const struct figure rows[] = {
    FIGURE("rows", "all", "rows", 0, checked, rows),
    FIGURES_END,
};

#define COUNT(key_, label_, remark_, member)                                                   \
    {.key = key_,                                                                              \
     .label = label_,                                                                          \
     .remark = remark_,                                                                        \
     .subject = MEMBER(checked, figures.member)}

/* In the order of enum check_verdict. */
static const struct named_row verdict_rows[] = {
    COUNT("on_time", "on time", "at the first allocation after the last use",
          verdicts[VERDICT_ON_TIME]),
    COUNT("late", "late", "at a later one", verdicts[VERDICT_LATE]),
    COUNT("never_freed", "never freed", "not before the end", verdicts[VERDICT_NEVER]),
    COUNT("early", "early", "before a record that uses it", verdicts[VERDICT_EARLY]),
    COUNT("missing", "missing", "no row", verdicts[VERDICT_MISSING]),
    ROWS_END,
};

/* In the order of enum row_fault. */
static const struct named_row fault_rows[] = {
    COUNT("no_allocation", "no allocation", "of a number or id that the trace does not have",
          faults[ROW_UNKNOWN]),
    COUNT("other_object", "other object", "the allocation has another id",
          faults[ROW_OTHER_OBJECT]),
    COUNT("other_size", "other size", "the allocation has another size",
          faults[ROW_OTHER_SIZE]),
    COUNT("freed_twice", "freed twice", "an earlier row frees it, too",
          faults[ROW_FREED_TWICE]),
    COUNT("out_of_order", "out of order", "allocated before the object of an earlier row",
          faults[ROW_OUT_OF_ORDER]),
    COUNT("no_such_moment", "no such moment", "freed at an allocation that does not exist",
          faults[ROW_NO_MOMENT]),
    ROWS_END,
};

static const struct figure verdicts[] = {
    FIGURE_SUBJECT("", "", "allocations", 13),
    FIGURE_SUBJECT_PART(NULL, "", 8, checked, allocations),
    FIGURES_END,
};

static const struct figure faults[] = {
    FIGURE_SUBJECT("", "", "rows", 13),
    FIGURE_SUBJECT_PART(NULL, "", 8, checked, rows),
    FIGURES_END,
};

/* By how much objects are freed later than they could be: the allocations in between, and their
 * bytes. */
#define LATENESS(unit_, member)                                                                \
    {.key = unit_,                                                                             \
     .label = unit_,                                                                           \
     .unit = unit_,                                                                            \
     .subject = MEMBER(checked, member),                                                       \
     .only_if = MEMBER(checked, member.count)}

static const struct named_row late[] = {
    LATENESS("allocations", figures.late.allocations),
    LATENESS("bytes", figures.late.bytes),
    ROWS_END,
};

static const struct named_row never[] = {
    LATENESS("allocations", figures.never.allocations),
    LATENESS("bytes", figures.never.bytes),
    ROWS_END,
};

static const struct named_row frees[] = {
    ROW("freed", "as the oracle frees", checked, figures.freed),
    ROW("least", "all freed on time", checked, figures.least),
    ROWS_END,
};

static const struct figure live[] = {
    FIGURE("most_bytes.bytes", "peak", "bytes", 14, live_bytes, peak),
    FIGURE_QUOTIENT("mean", "mean", "bytes", 17, live_bytes, sum,
                    DOCUMENT_MEMBER(checked, allocations)),
    FIGURES_END,
};

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
        verdict_rows[((const struct check_oracle_row *)row->subject)->verdict].label);
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

static struct value row_line_of(struct row *row)
{
    const struct checked *checked = row->document;
    uint64_t allocation = ((const struct faulty_row *)row->subject)->allocation;
    return allocation == 0
               ? NO_VALUE
               : value_number(traced_line(checked->check->traced, (size_t)allocation - 1));
}

static struct value fault_of(struct row *row)
{
    return value_text(fault_rows[((const struct faulty_row *)row->subject)->fault].label);
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
    HEAD(head),
    SECTION(LINES, "", "allocations", LABELS, COUNTS, allocations),
    SECTION(ROWS, "verdicts", NULL, LABELS, 0, verdicts, .rows = verdict_rows),
    SECTION(LINES, "", "rows", LABELS, COUNTS, rows),
    SECTION(ROWS, "faults", NULL, LABELS, 0, faults, .rows = fault_rows),
    SECTION(UPRIGHT, "late", "late by", LABELS, CELLS, distribution_figures, .rows = late),
    SECTION(UPRIGHT, "never", "never freed, for", LABELS, CELLS, distribution_figures,
            .rows = never),
    SECTION(ROWS, "live_bytes", "live bytes", LIVE_LABELS, 0, live, .rows = frees),
    SECTION(LIST, "faulty_allocations", "allocations with faults", 0, 0, faulty_allocations,
            .next = next_faulty, .total = MEMBER(checked, faulty_allocations)),
    SECTION(LIST, "faulty_rows", "rows with faults", 0, 0, faulty_rows,
            .array = ARRAY_AT(checked, faulty, faulty_rows),
            .total = MEMBER(checked, faulty_rows)),
    SECTIONS_END,
};

void check_print(struct print *print, enum report_format format, const struct check *check,
                 const struct check_names *names, const struct trace_origin *origin,
                 uint64_t show)
{
    static const char *const forms[ORACLE_FORMS] = {"events", "objects", "threads"};
    struct check_oracle_row current;
    const struct checked checked = {
        .check = check,
        .figures = check->figures,
        .oracle = names->oracle,
        .form = forms[check->matching->form],
        .granularity = check->matching->numbers_records ? "record" : "allocation",
        .lifetimes = names->lifetimes,
        .has_uses = !names->lifetimes,
        .is_clean = check_is_clean(check),
        .allocations = check->traced->count,
        .rows = check->matching->rows,
        .faulty_allocations = check_faulty_allocations(check),
        .faulty = check->matching->faulty,
        .faulty_rows = check->matching->faulty_count,
        .current = &current,
    };
    struct document document = document_begin(print, format, "check-oracle-2");
    document.show = show;
    document_print(&document, origin_sections, origin);
    document_print(&document, check_sections, &checked);
    document_end(&document);
}
