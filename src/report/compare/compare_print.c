/* SPDX-License-Identifier: MIT */
/* The comparison as a document: how the deaths were aligned, the verdict, the figures, and
 * examples with their lines, so that a difference can be looked up in the trace. With
 * --compare-all a row for each set of assumptions. */
#include "report/compare/compare.h"

#include <inttypes.h>
#include <stdio.h>

/* Allocations of a class, or recorded deaths. */
struct class_counts {
    uint64_t count;
    uint64_t alive;      /* without a death in either */
    uint64_t impossible; /* used after the recorded death */
};

/* What is printed. */
struct compared {
    const struct comparison *comparison; /* NULL: of --compare-all */
    const struct alignment *alignment;
    const char *recorded, *recorded_unfinished;
    const char *by;
    bool agrees;
    struct compare_figures figures;
    struct class_counts classes[CLASS_COUNT];
    uint64_t differing; /* allocations */
    uint64_t leftover;  /* recorded deaths */
    struct compare_row *current;
};

static struct value reason_of(struct row *row)
{
    const struct alignment *alignment = ((const struct compared *)row->document)->alignment;
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
    snprintf(row->scratch, ROW_SCRATCH, "by %s: %.120s",
             ((const struct compared *)row->document)->by, reason);
    return value_text(row->scratch);
}

#define COMPARED(key, label, unit, member) FIGURE(key, label, unit, 0, compared, member)

static const struct figure alignment_figures[] = {
    COMPARED("recorded", "recorded", "name", recorded),
    COMPARED("recorded_unfinished", "unfinished", "text", recorded_unfinished),
    COMPARED("compared_by", NULL, "word", by),
    FIGURE_OF("reason", NULL, "text", 0, reason_of),
    FIGURE_OF(NULL, "compared", "text", 0, shown_by_of),
    FIGURES_END,
};

const struct section alignment_sections[] = {
    HEAD(alignment_figures),
    SECTIONS_END,
};

static const struct figure verdict[] = {
    COMPARED("agrees", "agrees", "flag", agrees),
    FIGURES_END,
};

static const struct figure allocations[] = {
    COMPARED("allocations", "all", "allocations", figures.allocations),
    FIGURES_END,
};

static const struct figure deaths[] = {
    COMPARED("recorded_deaths", "all", "deaths", figures.deaths),
    FIGURES_END,
};

#define COUNT(key_, label_, remark_, member)                                                   \
    {.key = key_, .label = label_, .remark = remark_, .subject = MEMBER(compared, member)}

static const struct named_row class_rows[] = {
    COUNT("same", "same", "", classes[CLASS_SAME]),
    COUNT(NULL, "  alive", "no death in either", classes[CLASS_SAME].alive),
    COUNT("early", "early", "recorded before computed", classes[CLASS_EARLY]),
    COUNT(NULL, "  impossible", "used after the recorded death",
          classes[CLASS_EARLY].impossible),
    COUNT("late", "late", "recorded after computed", classes[CLASS_LATE]),
    COUNT("missing", "missing", "computed, not recorded", classes[CLASS_MISSING]),
    COUNT("extra", "extra", "recorded, computed alive at the end", classes[CLASS_EXTRA]),
    COUNT(NULL, "  impossible", "used after the recorded death",
          classes[CLASS_EXTRA].impossible),
    ROWS_END,
};

static const struct figure classes[] = {
    FIGURE_SUBJECT("count", "", "allocations", 13),
    FIGURE_SUBJECT_PART("percent", "", 8, compared, figures.allocations),
    FIGURE("alive", NULL, "allocations", 0, class_counts, alive),
    FIGURE("impossible", NULL, "allocations", 0, class_counts, impossible),
    FIGURES_END,
};

static const struct named_row fate_rows[] = {
    COUNT("unknown", "unknown", "of objects not allocated", figures.unknown),
    COUNT("repeated", "repeated", "of objects that had one", figures.repeated),
    ROWS_END,
};

static const struct figure fates[] = {
    FIGURE_SUBJECT("count", "", "deaths", 13),
    FIGURE_SUBJECT_PART("percent", "", 8, compared, figures.deaths),
    FIGURES_END,
};

#define DISTANCES(key_, label_, member)                                                        \
    {.key = key_,                                                                              \
     .label = label_,                                                                          \
     .unit = "ticks",                                                                          \
     .subject = MEMBER(compared, figures.member),                                              \
     .only_if = MEMBER(compared, figures.member.distribution.count)}

static const struct named_row distance_rows[] = {
    DISTANCES("early", "early", early),
    DISTANCES("late", "late", late),
    DISTANCES("all", "all (same: 0)", all),
    ROWS_END,
};

#define RANGE(key, label, range)                                                               \
    FIGURE(key, label, "allocations", 0, compare_distances, ranges[range])

static const struct figure ranges[] = {
    RANGE("1", "of 1", RANGE_1),
    RANGE("2-3", "of 2 to 3", RANGE_2_TO_3),
    RANGE("4-10", "of 4 to 10", RANGE_4_TO_10),
    RANGE(">10", "of more than 10", RANGE_ABOVE_10),
    FIGURES_END,
};

static bool next_row(struct row *row)
{
    const struct compared *compared = row->document;
    if (row->at == compared->figures.allocations)
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

static const char *const class_words[CLASS_COUNT] = {"same", "early", "late", "missing",
                                                     "extra"};

/* As tables have it. */
static struct value judged_class_of(struct row *row)
{
    const struct compare_row *compared = row->subject;
    return value_text(compared->used_line > 0 ? "impossible" : class_words[compared->verdict]);
}

static const struct figure differences[] = {
    FIGURE("line", "N in line", "line", 9, compare_row, line),
    FIGURE_IF("recorded_line", "D in line", "line", 9, compare_row, recorded_line,
              recorded_line),
    FIGURE("object", "object", "id", 11, compare_row, object),
    FIGURE("thread", NULL, "id", 0, compare_row, thread),
    FIGURE("allocated", NULL, "time", 0, compare_row, allocated),
    FIGURE_IF("computed", "computed", "time", 10, compare_row, computed, is_dead),
    FIGURE_IF("recorded", "recorded", "time", 10, compare_row, recorded, recorded_line),
    FIGURE_WORD("class", NULL, 0, compare_row, verdict, class_words),
    FIGURE_IF("used_line", "used in line", "line", 12, compare_row, used_line, used_line),
    FIGURE_WORD(NULL, "class", 0, compare_row, verdict, class_words),
    FIGURES_END,
};

static const struct figure table[] = {
    FIGURE("line", NULL, "line", 0, compare_row, line),
    FIGURE("object", NULL, "id", 0, compare_row, object),
    FIGURE("thread", NULL, "id", 0, compare_row, thread),
    FIGURE("allocated", NULL, "time", 0, compare_row, allocated),
    FIGURE_IF("computed", NULL, "time", 0, compare_row, computed, is_dead),
    FIGURE_IF("recorded", NULL, "time", 0, compare_row, recorded, recorded_line),
    FIGURE_OF("class", NULL, "word", 0, judged_class_of),
    FIGURES_END,
};

static bool next_leftover(struct row *row)
{
    const struct compared *compared = row->document;
    const struct recording *recorded = compared->alignment->recorded;
    const uint8_t *fate = compared->comparison->pairing.fates;
    while (row->at < recorded->death_count && fate[row->at] == DEATH_PAIRED)
        row->at++;
    if (row->at == recorded->death_count)
        return false;
    row->subject = &recorded->deaths[row->at++];
    return true;
}

static struct value shown_time_of(struct row *row)
{
    const struct compared *compared = row->document;
    return value_number(alignment_shown_time(compared->alignment, row->subject));
}

static struct value fate_of(struct row *row)
{
    const struct compared *compared = row->document;
    bool is_unknown = compared->comparison->pairing.fates[row->at - 1] == DEATH_UNKNOWN;
    return value_text(is_unknown ? "unknown" : "repeated");
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
    HEAD(verdict),
    SECTION(LINES, "", "allocations", LABELS, COUNTS, allocations),
    SECTION(ROWS, "classes", NULL, LABELS, 0, classes, .rows = class_rows),
    SECTION(LINES, "", "recorded deaths", LABELS, COUNTS, deaths),
    SECTION(ROWS, "", NULL, LABELS, 0, fates, .rows = fate_rows),
    SECTION(UPRIGHT, "distance", "distance in ticks", LABELS, CELLS, distribution_figures,
            .rows = distance_rows),
    SECTION(UPRIGHT, "ranges", NULL, LABELS, CELLS, ranges, .rows = distance_rows),
    SECTION(LIST, "differences", "differing allocations", 0, 0, differences,
            .next = next_difference, .total = MEMBER(compared, differing)),
    SECTION(LIST, "leftover_deaths", "recorded deaths that belong to no allocation", 0, 0,
            leftovers, .next = next_leftover, .total = MEMBER(compared, leftover)),
    SECTIONS_END,
};

static struct compared compared_by(const struct alignment *alignment)
{
    const struct recording *recorded = alignment->recorded;
    return (struct compared){
        .alignment = alignment,
        .recorded = recorded->name,
        .recorded_unfinished = recorded == alignment->trace ? NULL : recorded->unfinished,
        .by = alignment->by == COMPARE_BY_TIME ? "time" : "position",
    };
}

static struct compared compared_of(const struct comparison *comparison)
{
    const struct compare_figures *figures = &comparison->figures;
    struct compared compared = compared_by(comparison->alignment);
    compared.comparison = comparison;
    compared.figures = *figures;
    compared.agrees = compare_agrees(figures);
    compared.differing = figures->allocations - figures->classes[CLASS_SAME];
    compared.leftover = figures->unknown + figures->repeated;
    for (size_t i = 0; i < CLASS_COUNT; i++)
        compared.classes[i] = (struct class_counts){figures->classes[i],
                                                    i == CLASS_SAME ? figures->same_alive : 0,
                                                    figures->impossible[i]};
    return compared;
}

void compare_print(struct print *print, enum report_format format,
                   const struct comparison *comparison, const struct trace_origin *origin,
                   uint64_t show)
{
    struct compare_row current;
    struct compared compared = compared_of(comparison);
    compared.current = &current;
    if (format == FORMAT_TSV) {
        static const struct section all =
            SECTION(LIST, "", NULL, 0, 0, table, .next = next_row);
        document_print_table(print, &all, &compared);
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

#define AGREED(key, label, unit, width, member)                                                \
    FIGURE(key, label, unit, width, agreement, figures.member)

static const struct figure totals[] = {
    AGREED("allocations", "allocated", "allocations", 0, allocations),
    AGREED("recorded_deaths", "deaths", "deaths", 0, deaths),
    FIGURES_END,
};

static struct value all_agrees_of(struct row *row)
{
    return value_flag(compare_agrees(&((const struct agreement *)row->subject)->figures));
}

static struct value all_impossible_of(struct row *row)
{
    const uint64_t *impossible = ((const struct agreement *)row->subject)->figures.impossible;
    return value_number((wide_sum)impossible[CLASS_EARLY] + impossible[CLASS_EXTRA]);
}

static const struct figure agreements[] = {
    FIGURE_WORD("assumptions.held_by", "held-by", 8, agreement, assumptions.held_by,
                held_by_words),
    FIGURE_WORD("assumptions.unallocated", "unallocated", 11, agreement,
                assumptions.unallocated, unallocated_words),
    FIGURE_WORD("assumptions.at_end", "at-end", 6, agreement, assumptions.at_end, at_end_words),
    FIGURE_OF("agrees", NULL, "flag", 0, all_agrees_of),
    FIGURE_SHARE("percent", "same", 7, agreement, figures.classes[CLASS_SAME],
                 figures.allocations),
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
    HEAD(totals, .subject = MEMBER(agreed, agreements), .is_pointer = true),
    SECTION(LIST, "agreement", "", 0, 0, agreements,
            .array = ARRAY_AT(agreed, agreements, count)),
    SECTIONS_END,
};

void compare_print_all(struct print *print, enum report_format format,
                       const struct alignment *alignment, const struct trace_origin *origin,
                       const struct agreement *all, size_t count)
{
    const struct compared compared = compared_by(alignment);
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
