/* SPDX-License-Identifier: MIT */
/* The comparison as a document: how the deaths were aligned, the verdict, the figures, and
 * examples with their lines, so that a difference can be looked up in the trace. With
 * --compare-all a row for each set of assumptions. */
#include "report/compare/compare_print.h"

#include "report/form/common.h"

#include <inttypes.h>
#include <stdio.h>

/* What is printed. */
struct compared {
    const struct comparison *comparison;
    const struct alignment *alignment;
    struct compare_row *current;
};

static const struct comparison *comparison_of(const struct row *row)
{
    return ((const struct compared *)row->document)->comparison;
}

static const struct compare_figures *figures_of(const struct row *row)
{
    return &comparison_of(row)->figures;
}

static const struct alignment *alignment_of(const struct row *row)
{
    return ((const struct compared *)row->document)->alignment;
}

static struct value recorded_of(struct row *row)
{
    return value_text(alignment_of(row)->recorded->name);
}

static struct value recorded_unfinished_of(struct row *row)
{
    const struct alignment *alignment = alignment_of(row);
    return alignment->recorded == alignment->trace
               ? NO_VALUE
               : value_text(alignment->recorded->unfinished);
}

static struct value compared_by_of(struct row *row)
{
    return value_text(alignment_of(row)->by == COMPARE_BY_TIME ? "time" : "position");
}

static struct value reason_of(struct row *row)
{
    const struct alignment *alignment = alignment_of(row);
    if (alignment->requested != COMPARE_BY_AUTO)
        return value_text("as --compare-by says");
    if (alignment->recorded->death_count == 0)
        return value_text("there are no recorded deaths");
    if (alignment->misfit_line == 0)
        return value_text("all recorded times are of the trace's clock");
    snprintf(row->scratch, ROW_SCRATCH,
             "the recorded time in line %" PRIu64 " is not of the trace's clock",
             alignment->misfit_line);
    return value_text(row->scratch);
}

static struct value shown_by_of(struct row *row)
{
    char reason[ROW_SCRATCH];
    snprintf(reason, sizeof reason, "%s", reason_of(row).text);
    snprintf(row->scratch, ROW_SCRATCH, "by %s: %.120s", compared_by_of(row).text, reason);
    return value_text(row->scratch);
}

static const struct figure alignment_figures[] = {
    FIGURE_OF("recorded", "recorded", "name", 0, recorded_of),
    FIGURE_OF("recorded_unfinished", "unfinished", "text", 0, recorded_unfinished_of),
    FIGURE_OF("compared_by", NULL, "word", 0, compared_by_of),
    FIGURE_OF("reason", NULL, "text", 0, reason_of),
    FIGURE_OF(NULL, "compared", "text", 0, shown_by_of),
    FIGURES_END,
};

const struct section alignment_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = alignment_figures},
    {.figures = NULL},
};

static struct value agrees_of(struct row *row)
{
    return value_flag(compare_agrees(figures_of(row)));
}

static const struct figure verdict[] = {
    FIGURE_OF("agrees", "agrees", "flag", 0, agrees_of),
    FIGURES_END,
};

/* A row of allocations, or of recorded deaths. */
struct count_row {
    const char *key; /* NULL: of the row before, which has it in JSON */
    const char *label;
    const char *remark;
    size_t offset; /* in struct compare_figures */
};

#define COUNT(key, label, remark, member)                                                      \
    {key, label, remark, offsetof(struct compare_figures, member)}

static bool set_count(struct row *row, const struct count_row *count)
{
    row->key = count->key;
    row->label = count->label;
    row->remark = count->remark;
    if (row->document)
        row->subject = (const char *)figures_of(row) + count->offset;
    return true;
}

static bool next_class(struct row *row)
{
    static const struct count_row counts[] = {
        COUNT("same", "same", "", classes[CLASS_SAME]),
        COUNT(NULL, "  alive", "no death in either", same_alive),
        COUNT("early", "early", "recorded before computed", classes[CLASS_EARLY]),
        COUNT(NULL, "  impossible", "used after the recorded death", impossible[CLASS_EARLY]),
        COUNT("late", "late", "recorded after computed", classes[CLASS_LATE]),
        COUNT("missing", "missing", "computed, not recorded", classes[CLASS_MISSING]),
        COUNT("extra", "extra", "recorded, computed alive at the end", classes[CLASS_EXTRA]),
        COUNT(NULL, "  impossible", "used after the recorded death", impossible[CLASS_EXTRA]),
    };
    return row->at < sizeof counts / sizeof *counts && set_count(row, &counts[row->at++]);
}

static bool next_fate(struct row *row)
{
    static const struct count_row counts[] = {
        COUNT("unknown", "unknown", "of objects not allocated", unknown),
        COUNT("repeated", "repeated", "of objects that had one", repeated),
    };
    return row->at < sizeof counts / sizeof *counts && set_count(row, &counts[row->at++]);
}

static uint64_t count_of(const struct row *row)
{
    return *(const uint64_t *)row->subject;
}

static struct value percent_of(struct row *row)
{
    return value_share(count_of(row), figures_of(row)->allocations);
}

static struct value fate_percent_of(struct row *row)
{
    return value_share(count_of(row), figures_of(row)->deaths);
}

/* Without a death in either: only those of one class can be. */
static struct value alive_of(struct row *row)
{
    const struct compare_figures *figures = figures_of(row);
    bool is_same = row->subject == &figures->classes[CLASS_SAME];
    return value_number(is_same ? figures->same_alive : 0);
}

/* Used after the recorded death. */
static struct value impossible_of(struct row *row)
{
    const struct compare_figures *figures = figures_of(row);
    return value_number(figures->impossible[(const uint64_t *)row->subject - figures->classes]);
}

static const struct figure classes[] = {
    FIGURE_SUBJECT("count", "", "allocations", 13, MEMBER_NUMBER),
    FIGURE_OF("percent", "", "percent", 8, percent_of),
    FIGURE_OF("alive", NULL, "allocations", 0, alive_of),
    FIGURE_OF("impossible", NULL, "allocations", 0, impossible_of),
    FIGURES_END,
};

static const struct figure fates[] = {
    FIGURE_SUBJECT("count", "", "deaths", 13, MEMBER_NUMBER),
    FIGURE_OF("percent", "", "percent", 8, fate_percent_of),
    FIGURES_END,
};

static bool next_figures(struct row *row)
{
    row->subject = row->document ? figures_of(row) : NULL;
    return row->at++ == 0;
}

static const struct figure allocations[] = {
    FIGURE("allocations", "all", "allocations", 0, compare_figures, allocations),
    FIGURES_END,
};

static const struct figure deaths[] = {
    FIGURE("recorded_deaths", "all", "deaths", 0, compare_figures, deaths),
    FIGURES_END,
};

/* Distances of a class. */
static bool next_distances(struct row *row)
{
    static const char *const keys[] = {"early", "late", "all"};
    static const size_t offsets[] = {offsetof(struct compare_figures, early),
                                     offsetof(struct compare_figures, late),
                                     offsetof(struct compare_figures, all)};
    if (row->at == sizeof keys / sizeof *keys)
        return false;
    row->key = keys[row->at];
    row->label = row->at == 2 ? "all (same: 0)" : keys[row->at];
    row->unit = "ticks";
    if (row->document) {
        const struct compare_distances *distances =
            (const void *)((const char *)figures_of(row) + offsets[row->at]);
        row->is_missing = distances->distribution.count == 0;
        row->subject = distances;
    }
    row->at++;
    return true;
}

#define RANGE(key, label, range)                                                               \
    FIGURE(key, label, "allocations", 0, compare_distances, ranges[range])

static const struct figure ranges[] = {
    RANGE("1", "of 1", RANGE_1),
    RANGE("2-3", "of 2 to 3", RANGE_2_TO_3),
    RANGE("4-10", "of 4 to 10", RANGE_4_TO_10),
    RANGE(">10", "of more than 10", RANGE_ABOVE_10),
    FIGURES_END,
};

static uint64_t count_differing(const void *document)
{
    const struct compare_figures *figures =
        &((const struct compared *)document)->comparison->figures;
    return figures->allocations - figures->classes[CLASS_SAME];
}

static bool next_row(struct row *row)
{
    const struct compared *compared = row->document;
    if (row->at == compared->comparison->figures.allocations)
        return false;
    *compared->current = compare_row(compared->comparison, (size_t)row->at++);
    row->subject = compared->current;
    return true;
}

static bool next_difference(struct row *row)
{
    const struct compared *compared = row->document;
    while (next_row(row))
        if (compared->current->verdict != CLASS_SAME)
            return true;
    return false;
}

static struct value computed_time_of(struct row *row)
{
    const struct compare_row *compared = row->subject;
    return value_number_if(compared->is_dead, compared->computed);
}

static struct value class_of(struct row *row)
{
    return value_text(compare_class_name(((const struct compare_row *)row->subject)->verdict));
}

/* As tables have it. */
static struct value judged_class_of(struct row *row)
{
    const struct compare_row *compared = row->subject;
    return compared->used_line > 0 ? value_text("impossible") : class_of(row);
}

static const struct figure differences[] = {
    FIGURE("line", "N in line", "line", 9, compare_row, line),
    FIGURE_IF("recorded_line", "D in line", "line", 9, compare_row, recorded_line,
              recorded_line),
    FIGURE("object", "object", "id", 11, compare_row, object),
    FIGURE("thread", NULL, "id", 0, compare_row, thread),
    FIGURE("allocated", NULL, "time", 0, compare_row, allocated),
    FIGURE_OF("computed", "computed", "time", 10, computed_time_of),
    FIGURE_IF("recorded", "recorded", "time", 10, compare_row, recorded, recorded_line),
    FIGURE_OF("class", NULL, "word", 0, class_of),
    FIGURE_IF("used_line", "used in line", "line", 12, compare_row, used_line, used_line),
    FIGURE_OF(NULL, "class", "word", 0, class_of),
    FIGURES_END,
};

static const struct figure table[] = {
    FIGURE("line", NULL, "line", 0, compare_row, line),
    FIGURE("object", NULL, "id", 0, compare_row, object),
    FIGURE("thread", NULL, "id", 0, compare_row, thread),
    FIGURE("allocated", NULL, "time", 0, compare_row, allocated),
    FIGURE_OF("computed", NULL, "time", 0, computed_time_of),
    FIGURE_IF("recorded", NULL, "time", 0, compare_row, recorded, recorded_line),
    FIGURE_OF("class", NULL, "word", 0, judged_class_of),
    FIGURES_END,
};

static uint64_t count_leftovers(const void *document)
{
    const struct compare_figures *figures =
        &((const struct compared *)document)->comparison->figures;
    return figures->unknown + figures->repeated;
}

static bool next_leftover(struct row *row)
{
    const struct recording *recorded = alignment_of(row)->recorded;
    const uint8_t *fate = comparison_of(row)->pairing.fates;
    while (row->at < recorded->death_count && fate[row->at] == DEATH_PAIRED)
        row->at++;
    if (row->at == recorded->death_count)
        return false;
    row->subject = &recorded->deaths[row->at++];
    return true;
}

static struct value shown_time_of(struct row *row)
{
    return value_number(alignment_shown_time(alignment_of(row), row->subject));
}

static struct value fate_of(struct row *row)
{
    return value_text(compare_fate_name(comparison_of(row)->pairing.fates[row->at - 1]));
}

static const struct figure leftovers[] = {
    FIGURE("recorded_line", "D in line", "line", 19, recorded_death, line),
    FIGURE("object", "object", "id", 11, recorded_death, object),
    FIGURE_OF("recorded", "recorded", "time", 21, shown_time_of),
    FIGURE_OF("class", "class", "word", 0, fate_of),
    FIGURES_END,
};

enum { LABELS = 19, COUNTS = 13, CELLS = 16 };

const struct section compare_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = verdict},
    {.form = SECTION_LINES,
     .key = "",
     .title = "allocations",
     .width = LABELS,
     .cell = COUNTS,
     .figures = allocations,
     .next = next_figures},
    {.form = SECTION_ROWS,
     .key = "classes",
     .width = LABELS,
     .figures = classes,
     .next = next_class},
    {.form = SECTION_LINES,
     .key = "",
     .title = "recorded deaths",
     .width = LABELS,
     .cell = COUNTS,
     .figures = deaths,
     .next = next_figures},
    {.form = SECTION_ROWS, .key = "", .width = LABELS, .figures = fates, .next = next_fate},
    {.form = SECTION_UPRIGHT,
     .key = "distance",
     .title = "distance in ticks",
     .width = LABELS,
     .cell = CELLS,
     .figures = distribution_figures,
     .next = next_distances},
    {.form = SECTION_UPRIGHT,
     .key = "ranges",
     .width = LABELS,
     .cell = CELLS,
     .figures = ranges,
     .next = next_distances},
    {.form = SECTION_LIST,
     .key = "differences",
     .title = "differing allocations",
     .figures = differences,
     .next = next_difference,
     .total = count_differing},
    {.form = SECTION_LIST,
     .key = "leftover_deaths",
     .title = "recorded deaths that belong to no allocation",
     .figures = leftovers,
     .next = next_leftover,
     .total = count_leftovers},
    {.figures = NULL},
};

static const struct section table_section = {
    .form = SECTION_LIST, .figures = table, .next = next_row};

void compare_print(struct print *print, enum report_format format,
                   const struct comparison *comparison, const struct trace_origin *origin,
                   uint64_t show)
{
    struct compare_row current;
    const struct compared compared = {comparison, comparison->alignment, &current};
    if (format == FORMAT_TSV) {
        document_print_table(print, &table_section, &compared);
        return;
    }
    struct document document = document_begin(print, format, "compare-2");
    document.show = show;
    document_print(&document, origin_sections, origin);
    document_print(&document, alignment_sections, &compared);
    document_print(&document, assumption_sections, origin);
    document_print(&document, compare_sections, &compared);
    document_end(&document);
}

/* What --compare-all prints. */
struct agreed {
    const struct agreement *agreements;
    size_t count;
};

static const struct compare_figures *first_of(const struct row *row)
{
    return &((const struct agreed *)row->document)->agreements[0].figures;
}

static bool next_total(struct row *row)
{
    row->subject = row->document ? first_of(row) : NULL;
    return row->at++ == 0;
}

static const struct figure totals[] = {
    FIGURE("allocations", "allocated", "allocations", 0, compare_figures, allocations),
    FIGURE("recorded_deaths", "deaths", "deaths", 0, compare_figures, deaths),
    FIGURES_END,
};

static bool next_agreement(struct row *row)
{
    const struct agreed *agreed = row->document;
    if (row->at == agreed->count)
        return false;
    row->subject = &agreed->agreements[row->at++];
    return true;
}

static const struct agreement *agreement_of(const struct row *row)
{
    return row->subject;
}

static struct value held_by_of(struct row *row)
{
    return value_text(assumptions_held_by(&agreement_of(row)->assumptions));
}

static struct value unallocated_of(struct row *row)
{
    return value_text(assumptions_unallocated(&agreement_of(row)->assumptions));
}

static struct value at_end_of(struct row *row)
{
    return value_text(assumptions_at_end(&agreement_of(row)->assumptions));
}

static struct value all_agrees_of(struct row *row)
{
    return value_flag(compare_agrees(&agreement_of(row)->figures));
}

static struct value same_percent_of(struct row *row)
{
    const struct compare_figures *figures = &agreement_of(row)->figures;
    return value_share(figures->classes[CLASS_SAME], figures->allocations);
}

static struct value all_impossible_of(struct row *row)
{
    const uint64_t *impossible = agreement_of(row)->figures.impossible;
    return value_number((wide_sum)impossible[CLASS_EARLY] + impossible[CLASS_EXTRA]);
}

#define AGREED(key, label, unit, width, member)                                                \
    FIGURE(key, label, unit, width, agreement, figures.member)

static const struct figure agreements[] = {
    FIGURE_OF("assumptions.held_by", "held-by", "word", 8, held_by_of),
    FIGURE_OF("assumptions.unallocated", "unallocated", "word", 11, unallocated_of),
    FIGURE_OF("assumptions.at_end", "at-end", "word", 6, at_end_of),
    FIGURE_OF("agrees", NULL, "flag", 0, all_agrees_of),
    FIGURE_OF("percent", "same", "percent", 7, same_percent_of),
    AGREED("same", NULL, "allocations", 0, classes[CLASS_SAME]),
    AGREED("early", "early", "allocations", 8, classes[CLASS_EARLY]),
    AGREED("late", "late", "allocations", 8, classes[CLASS_LATE]),
    AGREED("missing", "missing", "allocations", 8, classes[CLASS_MISSING]),
    AGREED("extra", "extra", "allocations", 8, classes[CLASS_EXTRA]),
    FIGURE_OF("impossible", "imposs.", "allocations", 7, all_impossible_of),
    AGREED("unknown", NULL, "deaths", 0, unknown),
    AGREED("repeated", NULL, "deaths", 0, repeated),
    FIGURES_END,
};

const struct section agreement_sections[] = {
    {.form = SECTION_HEAD,
     .key = "",
     .width = HEAD_WIDTH,
     .figures = totals,
     .next = next_total},
    {.form = SECTION_LIST,
     .key = "agreement",
     .title = "",
     .figures = agreements,
     .next = next_agreement},
    {.figures = NULL},
};

void compare_print_all(struct print *print, enum report_format format,
                       const struct alignment *alignment, const struct trace_origin *origin,
                       const struct agreement *all, size_t count)
{
    const struct compared compared = {.alignment = alignment};
    const struct agreed agreed = {all, count};
    if (format == FORMAT_TSV) {
        document_print_table(print, &agreement_sections[1], &agreed);
        return;
    }
    struct document document = document_begin(print, format, "compare-all-2");
    document_print(&document, origin_sections, origin);
    document_print(&document, alignment_sections, &compared);
    document_print(&document, agreement_sections, &agreed);
    document_end(&document);
}
