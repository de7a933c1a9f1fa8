/* SPDX-License-Identifier: MIT */
/* The validation as a document: the verdict, each kind of violation and note with its count,
 * its first line and an example, then the figures. The numbers of records of some kinds have
 * names and an order for readers, such as method calls and exceptions. All other kinds follow
 * under their names in the table of records, so that none is left out. */
#include "report/form/common.h"
#include "report/validate/validate.h"

#include <stdio.h>

/* The name of the number of records of a kind. */
struct kind_figure {
    unsigned kind;
    const char *label; /* in text */
    const char *key;   /* in JSON; NULL: the letter of the kind */
};

static const struct kind_figure named[] = {
    {RECORD_ENTRY, "method calls", "method_calls"},
    {RECORD_UPDATE, "field updates", "field_updates"},
    {RECORD_WITNESS, "witnesses", "witnesses"},
    {RECORD_THROW, "exceptions thrown", "exceptions_thrown"},
    {RECORD_CATCH, "  caught", "exceptions_caught"},
    {RECORD_EXCEPTION_EXIT, "  leaving a method", "exception_exits"},
};

enum { NAMED = sizeof named / sizeof *named };

static bool is_counted_elsewhere(unsigned kind)
{
    return record_is_allocation(kind) || kind == RECORD_EXIT || kind == RECORD_DEATH;
}

static bool has_name(unsigned kind)
{
    for (size_t i = 0; i < NAMED; i++)
        if (named[i].kind == kind)
            return true;
    return false;
}

/* Lists the figures for numbers of records in the order of the report, and returns how many
 * there are. Allocations, method exits and deaths have other figures. */
static size_t kind_figures_list(struct kind_figure figures[RECORD_KINDS])
{
    size_t count = 0;
    for (; count < NAMED; count++)
        figures[count] = named[count];
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        if (!is_counted_elsewhere(layout->kind) && !has_name(layout->kind))
            figures[count++] = (struct kind_figure){layout->kind, layout->plural, NULL};
    }
    return count;
}

/* A violation or a note. */
struct shown_finding {
    struct finding finding;
    const char *example; /* NULL: there is none */
    bool is_ignored;
};

/* What is printed. */
struct verdict {
    struct shown_finding violations[VIOLATION_COUNT], notes[NOTE_COUNT];
    struct calls calls;
    struct validate_figures figures;
    struct naming naming;
    /* The number of kinds of violations that were met, without ignored ones. */
    unsigned met;
    bool has_threads; /* the trace has them */
    uint64_t threads; /* their number */
    uint64_t allocations;
    uint64_t alive;          /* allocated, without a death */
    const char *lifetime_by; /* what ends lifetimes; NULL: there are none */
    const char *unknown;     /* why there are none, though there are deaths */
};

static struct value valid_of(struct row *row)
{
    return value_flag(((const struct verdict *)row->subject)->met == 0);
}

static struct value shown_valid_of(struct row *row)
{
    unsigned met = ((const struct verdict *)row->subject)->met;
    if (met == 0)
        return value_text("yes");
    snprintf(row->scratch, ROW_SCRATCH, "no: %u kind%s of violation", met, met == 1 ? "" : "s");
    return value_text(row->scratch);
}

static const struct figure head[] = {
    FIGURE_OF("valid", NULL, "flag", 0, valid_of),
    FIGURE_OF(NULL, "valid", "text", 0, shown_valid_of),
    FIGURES_END,
};

static void name_finding(struct row *row, const char *name)
{
    const struct shown_finding *found = row->subject;
    row->key = row->label = name;
    row->note = found && found->example ? found->example : "";
}

static void name_violation(struct row *row)
{
    name_finding(row, violation_name((enum violation)(row->at - 1)));
}

static void name_note(struct row *row)
{
    name_finding(row, validate_note_name((enum validate_note)(row->at - 1)));
}

#define FINDING(key, label, unit, width, member)                                               \
    FIGURE_IF(key, label, unit, width, shown_finding, member, finding.count)

static const char *const ignored_words[] = {"", "ignored"};

static const struct figure violations[] = {
    FIGURE("count", "count", "count", 15, shown_finding, finding.count),
    FIGURE("ignored", NULL, "flag", 0, shown_finding, is_ignored),
    FINDING("first_line", "first in line", "line", 15, finding.first.line),
    FIGURE("example", NULL, "text", 0, shown_finding, example),
    FIGURE_WORD(NULL, "", 0, shown_finding, is_ignored, ignored_words),
    FIGURES_END,
};

static const struct figure notes[] = {
    FIGURE("count", "count", "count", 15, shown_finding, finding.count),
    FINDING("first_line", "first in line", "line", 15, finding.first.line),
    FIGURE("example", NULL, "text", 0, shown_finding, example),
    FIGURES_END,
};

static const struct figure methods[] = {
    FIGURE_WHERE("thread", "thread", "id", 12, thread_calls, id, verdict, has_threads),
    FIGURE("entries", "entries", "count", 12, thread_calls, entries),
    FIGURE("exits", "exits", "count", 12, thread_calls, exits),
    FIGURE("unmatched", "unmatched", "count", 9, thread_calls, unmatched),
    FIGURE("unwound", "unwound", "count", 9, thread_calls, unwound),
    FIGURE("open", "open", "count", 9, thread_calls, open),
    FIGURES_END,
};

#define VERDICT(key, label, unit, member) FIGURE(key, label, unit, 0, verdict, member)

static const struct figure allocations[] = {
    VERDICT("events", "events", "count", figures.events),
    VERDICT("allocations", "allocations", "objects", allocations),
    VERDICT("objects", "  objects", "objects", figures.objects),
    VERDICT("arrays", "  arrays", "objects", figures.arrays),
    VERDICT("named_before", "  named in advance", "objects", figures.adopted),
    VERDICT("bytes", "bytes allocated", "bytes", figures.bytes),
    VERDICT("before_objects", "before the trace", "objects", figures.prior_objects),
    VERDICT("before_bytes", "  bytes", "bytes", figures.prior_bytes),
    VERDICT("deaths", "deaths", "objects", figures.deaths),
    VERDICT("alive", "still alive", "objects", alive),
    FIGURES_END,
};

/* The number of records of the next kind. */
static bool next_kind(struct row *row)
{
    struct kind_figure kinds[RECORD_KINDS];
    const struct verdict *verdict = row->document;
    if (row->at == kind_figures_list(kinds))
        return false;
    const struct kind_figure *kind = &kinds[row->at++];
    snprintf(row->scratch, ROW_SCRATCH, "%c", (char)kind->kind);
    row->key = kind->key ? kind->key : row->scratch;
    row->label = kind->label;
    row->subject = verdict ? &verdict->figures.records[kind->kind] : NULL;
    return true;
}

static const struct figure kinds[] = {
    FIGURE_SUBJECT("", "", "count", 15),
    FIGURES_END,
};

static const struct figure uses[] = {
    VERDICT("mentions", "mentions of objects", "count", figures.mentions),
    VERDICT("unallocated_mentions", "  never allocated", "count", figures.unallocated_mentions),
    FIGURE_SHARE("unallocated_percent", "    of all", 0, verdict, figures.unallocated_mentions,
                 figures.mentions),
    FIGURE_IF("threads", "threads", "count", 0, verdict, threads, has_threads),
    VERDICT("first_time", "clock, first", "time", figures.first_time),
    VERDICT("last_time", "  last", "time", figures.last_time),
    VERDICT("lifetimes_by", "lifetimes end by", "word", lifetime_by),
    VERDICT(NULL, "lifetimes", "text", unknown),
    FIGURES_END,
};

static void name_ids(struct row *row)
{
    row->key = row->label = naming_label((unsigned)row->at - 1);
}

static const struct figure names[] = {
    FIGURE("ids", "ids", "count", 15, named_kind, ids),
    FIGURE("unnamed", "without a name", "count", 15, named_kind, unnamed),
    FIGURE_IF("first_unnamed", "the first", "id", 15, named_kind, first, unnamed),
    FIGURES_END,
};

enum { LABELS = 22, CELLS = 15 };

const struct section validate_sections[] = {
    HEAD(head),
    SECTION(ROWS, "violations", "violations", LABELS, 0, violations,
            .array = ARRAY(verdict, violations), .name = name_violation,
            .shown_if = MEMBER(shown_finding, finding.count)),
    SECTION(ROWS, "notes", "notes", LABELS, 0, notes, .array = ARRAY(verdict, notes),
            .name = name_note, .shown_if = MEMBER(shown_finding, finding.count)),
    SECTION(LIST, "methods", "methods", HEAD_WIDTH, 0, methods,
            .array = ARRAY_AT(verdict, calls.threads, calls.count)),
    SECTION(LINES, "figures", "figures", LABELS, CELLS, allocations),
    SECTION(ROWS, "figures", NULL, LABELS, 0, kinds, .next = next_kind),
    SECTION(LINES, "figures", NULL, LABELS, CELLS, uses),
    SECTION(LINES, "figures.lifetimes", "lifetimes in ticks", LABELS, CELLS,
            distribution_figures, .subject = MEMBER(verdict, figures.lifetimes),
            .unit = "ticks", .only_if = MEMBER(verdict, figures.lifetimes.count)),
    SECTION(ROWS, "names", "names", LABELS, 0, names, .array = ARRAY(verdict, naming.kinds),
            .name = name_ids, .only_if = MEMBER(verdict, naming.names)),
    SECTIONS_END,
};

static void show_findings(struct shown_finding *shown, const struct finding *findings,
                          size_t count, violation_set ignored)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = findings[i].first.text;
        shown[i] = (struct shown_finding){.finding = findings[i],
                                          .example = text                    ? text
                                                     : findings[i].count > 0 ? ""
                                                                             : NULL,
                                          .is_ignored = ignored >> i & 1};
    }
}

static struct verdict verdict_on(const struct validation *validation, violation_set ignored)
{
    const struct validate_figures *figures = &validation->figures;
    bool has_lifetimes = figures->lifetimes.count > 0;
    struct verdict verdict = {
        .calls = validation->calls,
        .figures = *figures,
        .naming = validation->naming,
        .met = (unsigned)__builtin_popcount(violations_met(validation->violations, ignored)),
        .has_threads = !validation->reader->explicit_time,
        .threads = validation->calls.count,
        .allocations = figures->objects + figures->arrays,
        .alive = figures->objects + figures->arrays - figures->deaths,
        .lifetime_by = !has_lifetimes         ? NULL
                       : figures->by_position ? "position"
                                              : "time",
    };
    if (!has_lifetimes && figures->deaths > 0)
        verdict.unknown = "unknown: deaths have neither a time nor a position";
    show_findings(verdict.violations, validation->violations, VIOLATION_COUNT, ignored);
    show_findings(verdict.notes, validation->notes, NOTE_COUNT, 0);
    return verdict;
}

void validate_print(struct print *print, enum report_format format,
                    const struct validation *validation, violation_set ignored)
{
    const struct verdict verdict = verdict_on(validation, ignored);
    const struct trace_origin origin = origin_of(validation->reader, NULL);
    struct document document = document_begin(print, format, "validate-2");
    document_print(&document, origin_sections, &origin);
    document_print(&document, validate_sections, &verdict);
    document_end(&document);
}
