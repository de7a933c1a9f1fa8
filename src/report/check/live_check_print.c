/* SPDX-License-Identifier: MIT */
/* The ratios of live bytes; then the objects that are early, and those that are late: all of
 * them, and the heaviest types. In text, a type without a name is called by its id. */
#include "report/check/live_check_print.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>

static const struct figure head[] = {
    FIGURE("checked_by", "checked by", "name", 0, live_checked, checked_by),
    FIGURE("collections", "GCs", "count", 0, live_checked, collections),
    FIGURES_END,
};

enum { RATIO_LABELS = 11, RATIOS = 10, LABELS = 31 };

static const struct figure mean[] = {
    FIGURE("mean", "mean", "ratio", RATIOS, live_checked, mean),
    FIGURES_END,
};

static struct value time_in_words(struct row *row)
{
    snprintf(row->scratch, ROW_SCRATCH, "at time %" PRIu64,
             ((const struct live_ratio *)row->subject)->time);
    return value_text(row->scratch);
}

static const struct figure ratio[] = {
    FIGURE("ratio", "", "ratio", RATIOS, live_ratio, ratio),
    FIGURE("time", NULL, "time", 0, live_ratio, time),
    FIGURE_OF(NULL, "", "text", 0, time_in_words),
    FIGURES_END,
};

static const struct named_row extremes[] = {
    ROW("min", "least", live_checked, least),
    ROW("max", "most", live_checked, most),
    ROWS_END,
};

#define GAP                                                                                    \
    FIGURE("objects", "objects", "objects", 12, live_gap, objects),                            \
        FIGURE("bytes", "bytes", "bytes", 16, live_gap, bytes),                                \
        FIGURE_PART("live_bytes_percent", "share", 10, live_gap, weight, live_checked, bytes), \
        FIGURES_END

static const struct figure gaps[] = {GAP};

static const struct figure typed_gaps[] = {
    FIGURE("id", NULL, "id", 0, live_gap, type),
    FIGURE("name", NULL, "name", 0, live_gap, name),
    GAP,
};

static void name_type(struct row *row)
{
    const struct live_gap *gap = row->subject;
    if (!gap)
        return;
    row->scratch[number_format(row->scratch, gap->type)] = '\0';
    row->label = gap->name ? gap->name : row->scratch;
}

static const struct named_row all_early[] = {
    ROW("", "all", live_checked, early.all),
    ROWS_END,
};

static const struct named_row all_late[] = {
    ROW("", "all", live_checked, late.all),
    ROWS_END,
};

const struct section live_check_sections[] = {
    HEAD(head),
    SECTION(LINES, "ratio", "computed / truly live bytes", RATIO_LABELS, RATIOS, mean),
    SECTION(ROWS, "ratio", NULL, RATIO_LABELS, 0, ratio, .rows = extremes),
    SECTION(ROWS, "early", "early: dead, but truly live", LABELS, 0, gaps, .rows = all_early),
    SECTION(LIST, "early.types", NULL, LABELS, 0, typed_gaps,
            .array = ARRAY_AT(live_checked, early.types, early.type_count), .name = name_type),
    SECTION(ROWS, "late", "late: live, but truly dead", LABELS, 0, gaps, .rows = all_late),
    SECTION(LIST, "late.types", NULL, LABELS, 0, typed_gaps,
            .array = ARRAY_AT(live_checked, late.types, late.type_count), .name = name_type),
    SECTIONS_END,
};

void live_check_print(struct print *print, enum report_format format,
                      const struct trace_origin *origin, const struct live_checked *checked)
{
    struct document document = document_begin(print, format, "live-check-1");
    document_print(&document, origin_sections, origin);
    document_print(&document, assumption_sections, origin);
    document_print(&document, live_check_sections, checked);
    document_end(&document);
}
