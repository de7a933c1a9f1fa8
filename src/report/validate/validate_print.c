/* SPDX-License-Identifier: MIT */
/* The validation as a document: the verdict, each kind of violation and note with its count,
 * its first line and an example, then the figures. */
#include "report/validate/validate_print.h"

#include "report/form/common.h"
#include "report/validate/kind_figures.h"

#include <stdio.h>

/* What is printed. */
struct verdict {
    const struct validation *validation;
    violation_set ignored;
};

static const struct validation *validation_of(const struct row *row)
{
    return ((const struct verdict *)row->document)->validation;
}

static unsigned violations_of(const struct row *row)
{
    const struct verdict *verdict = row->document;
    return (unsigned)__builtin_popcount(
        violations_met(verdict->validation->violations, verdict->ignored));
}

static struct value valid_of(struct row *row)
{
    return value_flag(violations_of(row) == 0);
}

static struct value shown_valid_of(struct row *row)
{
    unsigned met = violations_of(row);
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

/* A row of a violation or a note. */
static bool set_finding(struct row *row, const struct finding *finding)
{
    row->subject = finding;
    row->is_silent = finding && finding->count == 0;
    row->note = finding && finding->first.text ? finding->first.text : "";
    return true;
}

static bool next_violation(struct row *row)
{
    unsigned at = (unsigned)row->at++;
    if (at == VIOLATION_COUNT)
        return false;
    row->key = row->label = violation_name((enum violation)at);
    return set_finding(row, row->document ? &validation_of(row)->violations[at] : NULL);
}

static bool next_note(struct row *row)
{
    unsigned at = (unsigned)row->at++;
    if (at == NOTE_COUNT)
        return false;
    row->key = row->label = validate_note_name((enum validate_note)at);
    return set_finding(row, row->document ? &validation_of(row)->notes[at] : NULL);
}

static struct value ignored_of(struct row *row)
{
    const struct verdict *verdict = row->document;
    return value_flag(verdict->ignored >> (row->at - 1) & 1);
}

static struct value shown_ignored_of(struct row *row)
{
    return value_text(ignored_of(row).number ? "ignored" : "");
}

static struct value example_of(struct row *row)
{
    const struct finding *finding = row->subject;
    return finding->count > 0 ? value_text(finding->first.text ? finding->first.text : "")
                              : NO_VALUE;
}

static const struct figure violations[] = {
    FIGURE("count", "count", "count", 15, finding, count),
    FIGURE_OF("ignored", NULL, "flag", 0, ignored_of),
    FIGURE_IF("first_line", "first in line", "line", 15, finding, first.line, count),
    FIGURE_OF("example", NULL, "text", 0, example_of),
    FIGURE_OF(NULL, "", "word", 0, shown_ignored_of),
    FIGURES_END,
};

static const struct figure notes[] = {
    FIGURE("count", "count", "count", 15, finding, count),
    FIGURE_IF("first_line", "first in line", "line", 15, finding, first.line, count),
    FIGURE_OF("example", NULL, "text", 0, example_of),
    FIGURES_END,
};

static bool next_thread(struct row *row)
{
    const struct calls *calls = &validation_of(row)->calls;
    if (row->at == calls->count)
        return false;
    row->subject = &calls->threads[row->at++];
    return true;
}

static struct value thread_of(struct row *row)
{
    const struct thread_calls *thread = row->subject;
    return value_number_if(!validation_of(row)->reader->explicit_time, thread->id);
}

static const struct figure methods[] = {
    FIGURE_OF("thread", "thread", "id", 12, thread_of),
    FIGURE("entries", "entries", "count", 12, thread_calls, entries),
    FIGURE("exits", "exits", "count", 12, thread_calls, exits),
    FIGURE("unmatched", "unmatched", "count", 9, thread_calls, unmatched),
    FIGURE("unwound", "unwound", "count", 9, thread_calls, unwound),
    FIGURE("open", "open", "count", 9, thread_calls, open),
    FIGURES_END,
};

static const struct validate_figures *figures_of(const struct row *row)
{
    return &validation_of(row)->figures;
}

/* Sections of figures have them as the subject. */
static bool next_figures(struct row *row)
{
    row->subject = row->document ? figures_of(row) : NULL;
    return row->at++ == 0;
}

static struct value allocations_of(struct row *row)
{
    return value_number(figures_of(row)->objects + figures_of(row)->arrays);
}

static struct value alive_of(struct row *row)
{
    const struct validate_figures *figures = figures_of(row);
    return value_number(figures->objects + figures->arrays - figures->deaths);
}

#define FOUND(key, label, unit, member) FIGURE(key, label, unit, 0, validate_figures, member)

static const struct figure allocations[] = {
    FOUND("events", "events", "count", events),
    FIGURE_OF("allocations", "allocations", "objects", 0, allocations_of),
    FOUND("objects", "  objects", "objects", objects),
    FOUND("arrays", "  arrays", "objects", arrays),
    FOUND("named_before", "  named in advance", "objects", adopted),
    FOUND("bytes", "bytes allocated", "bytes", bytes),
    FOUND("before_objects", "before the trace", "objects", prior_objects),
    FOUND("before_bytes", "  bytes", "bytes", prior_bytes),
    FOUND("deaths", "deaths", "objects", deaths),
    FIGURE_OF("alive", "still alive", "objects", 0, alive_of),
    FIGURES_END,
};

/* How many records of a kind there are. */
static bool next_kind(struct row *row)
{
    struct kind_figure kinds[RECORD_KINDS];
    if (row->at == kind_figures_list(kinds))
        return false;
    const struct kind_figure *kind = &kinds[row->at++];
    snprintf(row->scratch, ROW_SCRATCH, "%c", (char)kind->kind);
    row->key = kind->key ? kind->key : row->scratch;
    row->label = kind->label;
    row->subject = row->document ? &figures_of(row)->records[kind->kind] : NULL;
    return true;
}

static const struct figure kinds[] = {
    FIGURE_SUBJECT("", "", "count", 15, MEMBER_NUMBER),
    FIGURES_END,
};

static struct value threads_of(struct row *row)
{
    const struct validation *validation = validation_of(row);
    return value_number_if(!validation->reader->explicit_time, validation->calls.count);
}

/* What ends lifetimes. */
static struct value by_of(struct row *row)
{
    return figures_of(row)->lifetimes.count == 0
               ? NO_VALUE
               : value_text(figures_of(row)->by_place ? "position" : "time");
}

/* Why there are none, though there are deaths. */
static struct value unknown_of(struct row *row)
{
    const struct validate_figures *figures = figures_of(row);
    bool is_unknown = figures->lifetimes.count == 0 && figures->deaths > 0;
    return value_text(is_unknown ? "unknown: deaths have neither a time nor a position" : NULL);
}

static const struct figure uses[] = {
    FOUND("mentions", "mentions of objects", "count", mentions),
    FOUND("unallocated_mentions", "  never allocated", "count", unallocated_mentions),
    FIGURE_SHARE("unallocated_percent", "    of all", 0, validate_figures, unallocated_mentions,
                 mentions),
    FIGURE_OF("threads", "threads", "count", 0, threads_of),
    FOUND("first_time", "clock, first", "time", first_time),
    FOUND("last_time", "  last", "time", last_time),
    FIGURE_OF("lifetimes_by", "lifetimes end by", "word", 0, by_of),
    FIGURE_OF(NULL, "lifetimes", "text", 0, unknown_of),
    FIGURES_END,
};

static bool has_lifetimes(const void *document)
{
    const struct verdict *verdict = document;
    return verdict->validation->figures.lifetimes.count > 0;
}

static bool next_lifetimes(struct row *row)
{
    row->subject = row->document ? &figures_of(row)->lifetimes : NULL;
    row->unit = "ticks";
    return row->at++ == 0;
}

static bool has_names(const void *document)
{
    return ((const struct verdict *)document)->validation->naming.names;
}

static bool next_named_kind(struct row *row)
{
    if (row->at == NAMED_KINDS)
        return false;
    row->key = row->label = naming_label((unsigned)row->at);
    row->subject = row->document ? &validation_of(row)->naming.kinds[row->at] : NULL;
    row->at++;
    return true;
}

static const struct figure names[] = {
    FIGURE("ids", "ids", "count", 15, named_kind, ids),
    FIGURE("unnamed", "without a name", "count", 15, named_kind, unnamed),
    FIGURE_IF("first_unnamed", "the first", "id", 15, named_kind, first, unnamed),
    FIGURES_END,
};

enum { LABELS = 22, CELLS = 15 };

const struct section validate_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = head},
    {.form = SECTION_ROWS,
     .key = "violations",
     .title = "violations",
     .width = LABELS,
     .figures = violations,
     .next = next_violation},
    {.form = SECTION_ROWS,
     .key = "notes",
     .title = "notes",
     .width = LABELS,
     .figures = notes,
     .next = next_note},
    {.form = SECTION_LIST,
     .key = "methods",
     .title = "methods",
     .width = HEAD_WIDTH,
     .figures = methods,
     .next = next_thread},
    {.form = SECTION_LINES,
     .key = "figures",
     .title = "figures",
     .width = LABELS,
     .cell = CELLS,
     .figures = allocations,
     .next = next_figures},
    {.form = SECTION_ROWS,
     .key = "figures",
     .width = LABELS,
     .figures = kinds,
     .next = next_kind},
    {.form = SECTION_LINES,
     .key = "figures",
     .width = LABELS,
     .cell = CELLS,
     .figures = uses,
     .next = next_figures},
    {.form = SECTION_LINES,
     .key = "figures.lifetimes",
     .title = "lifetimes in ticks",
     .width = LABELS,
     .cell = CELLS,
     .figures = distribution_figures,
     .next = next_lifetimes,
     .exists = has_lifetimes},
    {.form = SECTION_ROWS,
     .key = "names",
     .title = "names",
     .width = LABELS,
     .figures = names,
     .next = next_named_kind,
     .exists = has_names},
    {.figures = NULL},
};

void validate_print(struct print *print, enum report_format format,
                    const struct validation *validation, violation_set ignored)
{
    const struct verdict verdict = {validation, ignored};
    const struct trace_origin origin = origin_of(validation->reader, NULL);
    struct document document = document_begin(print, format, "validate-2");
    document_print(&document, origin_sections, &origin);
    document_print(&document, validate_sections, &verdict);
    document_end(&document);
}
