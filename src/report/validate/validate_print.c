/* SPDX-License-Identifier: MIT */
/* The validation as a document: the verdict, each kind of violation and note with its count,
 * its first line and an example, then the figures. The numbers of records of some kinds have
 * names and an order for readers, such as method calls and exceptions. All other kinds follow
 * under their names in the table of records, so that none is left out. */
#include "report/form/common.h"
#include "report/validate/validate.h"

#include <stdio.h>
#include <string.h>

/* The names by which --ignore accepts violations and notes. Users rely on them: none may be
 * changed, or used again for something else. */
static const char *const violation_names[VIOLATION_COUNT] = {
    [VIOLATION_MALFORMED] = "malformed",
    [VIOLATION_ID_ZERO] = "id-zero",
    [VIOLATION_ID_NEGATIVE] = "id-negative",
    [VIOLATION_UNKNOWN_RECORD] = "unknown-record",
    [VIOLATION_TIME_BACKWARDS] = "time-backwards",
    [VIOLATION_UNMATCHED_EXIT] = "unmatched-exit",
    [VIOLATION_UNWOUND_FRAME] = "unwound-frame",
    [VIOLATION_OPEN_FRAME] = "open-frame",
    [VIOLATION_REPEATED_ID] = "repeated-id",
    [VIOLATION_NEVER_ALLOCATED] = "never-allocated",
    [VIOLATION_DEATH_OF_UNKNOWN] = "death-of-unknown",
    [VIOLATION_DEATH_OF_DEAD] = "death-of-dead",
    [VIOLATION_MENTION_AFTER_DEATH] = "mention-after-death",
    [VIOLATION_UNKNOWN_REFERENCE] = "unknown-reference",
    [VIOLATION_CLEARED_TWICE] = "cleared-twice",
};

static const char *const note_names[NOTE_COUNT] = {
    [NOTE_NO_DEATH] = "no-death",
    [NOTE_OPEN_AT_END] = "open-at-end",
};

const char *violation_name(enum violation violation)
{
    return violation_names[violation];
}

/* The index of a name in a list of `count`; count: it is not there. */
static size_t find_name(const char *const *names, size_t count, const char *name, size_t length)
{
    size_t i = 0;
    while (i < count && (strlen(names[i]) != length || memcmp(names[i], name, length) != 0))
        i++;
    return i;
}

bool violation_find(const char *name, size_t length, enum violation *violation)
{
    *violation = (enum violation)find_name(violation_names, VIOLATION_COUNT, name, length);
    return *violation < VIOLATION_COUNT;
}

bool validate_note_find(const char *name, size_t length)
{
    return find_name(note_names, NOTE_COUNT, name, length) < NOTE_COUNT;
}

violation_set violations_met(const struct finding *violations, violation_set ignored)
{
    violation_set met = 0;
    for (unsigned i = 0; i < VIOLATION_COUNT; i++)
        if (violations[i].count > 0)
            met |= (violation_set)1 << i;
    return met & ~ignored;
}

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

enum { LABELS = 22, CELLS = 15 };

static void put_valid(struct form *form, const struct validation *validation,
                      violation_set ignored)
{
    /* The number of kinds of violations that were met, without ignored ones. */
    unsigned met =
        (unsigned)__builtin_popcount(violations_met(validation->violations, ignored));
    char shown[COMPOSED_SIZE] = "yes";
    if (met > 0)
        snprintf(shown, sizeof shown, "no: %u kind%s of violation", met, met == 1 ? "" : "s");
    form_head(form, "");
    form_put(form, "valid", "flag", value_flag(met == 0));
    form_line(form, NULL, "valid", "text", value_text(shown));
}

/* Begins the row of a violation or note. */
static void begin_finding(struct form *form, const char *name, const struct finding *finding)
{
    form_row(form, name, name);
    if (finding->count == 0)
        form_hide_row(form);
    form_note(form, finding->first.text);
    form_cell(form, "count", "count", 15, "count", value_number(finding->count));
}

static void put_first(struct form *form, const struct finding *finding)
{
    form_cell(form, "first_line", "first in line", 15, "line",
              value_number_if(finding->count > 0, finding->first.line));
    form_put(form, "example", "text",
             finding->first.text  ? value_text(finding->first.text)
             : finding->count > 0 ? value_text("")
                                  : NO_VALUE);
}

static void put_findings(struct form *form, const struct validation *validation,
                         violation_set ignored)
{
    form_rows(form, "violations", "violations", LABELS);
    for (unsigned i = 0; i < VIOLATION_COUNT; i++) {
        const struct finding *finding = &validation->violations[i];
        bool is_ignored = ignored >> i & 1;
        begin_finding(form, violation_name((enum violation)i), finding);
        form_put(form, "ignored", "flag", value_flag(is_ignored));
        put_first(form, finding);
        form_cell(form, NULL, "", 0, "word", value_text(is_ignored ? "ignored" : ""));
    }
    form_rows(form, "notes", "notes", LABELS);
    for (unsigned i = 0; i < NOTE_COUNT; i++) {
        begin_finding(form, note_names[i], &validation->notes[i]);
        put_first(form, &validation->notes[i]);
    }
}

static bool has_threads(const struct validation *validation)
{
    return !validation->reader->explicit_time;
}

static void put_methods(struct form *form, const struct validation *validation)
{
    static const struct thread_calls none;
    const struct calls *calls = &validation->calls;
    form_list(form, "methods", "methods", HEAD_WIDTH);
    for (size_t i = 0; form_next(form, i, calls->count); i++) {
        const struct thread_calls *thread = i < calls->count ? &calls->threads[i] : &none;
        form_item(form);
        form_cell(form, "thread", "thread", 12, "id",
                  value_number_if(has_threads(validation), thread->id));
        form_cell(form, "entries", "entries", 12, "count", value_number(thread->entries));
        form_cell(form, "exits", "exits", 12, "count", value_number(thread->exits));
        form_cell(form, "unmatched", "unmatched", 9, "count", value_number(thread->unmatched));
        form_cell(form, "unwound", "unwound", 9, "count", value_number(thread->unwound));
        form_cell(form, "open", "open", 9, "count", value_number(thread->open));
    }
}

static void put_allocations(struct form *form, const struct validate_figures *figures)
{
    uint64_t allocations = figures->objects + figures->arrays;
    form_lines(form, "figures", "figures", LABELS, CELLS);
    form_line(form, "events", "events", "count", value_number(figures->events));
    form_line(form, "allocations", "allocations", "objects", value_number(allocations));
    form_line(form, "objects", "  objects", "objects", value_number(figures->objects));
    form_line(form, "arrays", "  arrays", "objects", value_number(figures->arrays));
    form_line(form, "named_before", "  named in advance", "objects",
              value_number(figures->adopted));
    form_line(form, "bytes", "bytes allocated", "bytes", value_number(figures->bytes));
    form_line(form, "before_objects", "before the trace", "objects",
              value_number(figures->prior_objects));
    form_line(form, "before_bytes", "  bytes", "bytes", value_number(figures->prior_bytes));
    form_line(form, "deaths", "deaths", "objects", value_number(figures->deaths));
    form_line(form, "alive", "still alive", "objects",
              value_number(allocations - figures->deaths));
}

/* Puts the number of records of each kind. */
static void put_kinds(struct form *form, const struct validate_figures *figures)
{
    struct kind_figure kinds[RECORD_KINDS];
    size_t count = kind_figures_list(kinds);
    form_rows(form, "figures", NULL, LABELS);
    for (size_t i = 0; i < count; i++) {
        const char letter[] = {(char)kinds[i].kind, '\0'};
        form_row(form, kinds[i].key ? kinds[i].key : letter, kinds[i].label);
        form_cell(form, "", "", 15, "count", value_number(figures->records[kinds[i].kind]));
    }
}

/* Puts what ends lifetimes, or why there are none, though there are deaths. */
static void put_ends(struct form *form, const struct validate_figures *figures)
{
    bool has_lifetimes = figures->lifetimes.count > 0;
    form_line(form, "lifetimes_by", "lifetimes end by", "word",
              has_lifetimes ? value_text(figures->by_position ? "position" : "time")
                            : NO_VALUE);
    form_line(form, NULL, "lifetimes", "text",
              !has_lifetimes && figures->deaths > 0
                  ? value_text("unknown: deaths have neither a time nor a position")
                  : NO_VALUE);
}

static void put_uses(struct form *form, const struct validation *validation)
{
    const struct validate_figures *figures = &validation->figures;
    form_lines(form, "figures", NULL, LABELS, CELLS);
    form_line(form, "mentions", "mentions of objects", "count",
              value_number(figures->mentions));
    form_line(form, "unallocated_mentions", "  never allocated", "count",
              value_number(figures->unallocated_mentions));
    form_line(form, "unallocated_percent", "    of all", "percent",
              value_share(figures->unallocated_mentions, figures->mentions));
    form_line(form, "threads", "threads", "count",
              value_number_if(has_threads(validation), validation->calls.count));
    form_line(form, "first_time", "clock, first", "time", value_number(figures->first_time));
    form_line(form, "last_time", "  last", "time", value_number(figures->last_time));
    put_ends(form, figures);
    form_lines(form, "figures.lifetimes", "lifetimes in ticks", LABELS, CELLS);
    form_only_if(form, figures->lifetimes.count > 0);
    distribution_put(form, &figures->lifetimes, "ticks");
}

static void put_names(struct form *form, const struct naming *naming)
{
    form_rows(form, "names", "names", LABELS);
    form_only_if(form, naming->names != NULL);
    for (unsigned i = 0; i < sizeof naming->kinds / sizeof *naming->kinds; i++) {
        const struct named_kind *kind = &naming->kinds[i];
        form_row(form, naming_label(i), naming_label(i));
        form_cell(form, "ids", "ids", 15, "count", value_number(kind->ids));
        form_cell(form, "unnamed", "without a name", 15, "count", value_number(kind->unnamed));
        form_cell(form, "first_unnamed", "the first", 15, "id",
                  value_number_if(kind->unnamed > 0, kind->first));
    }
}

void validate_print(struct print *print, enum report_format format,
                    const struct validation *validation, violation_set ignored)
{
    const struct trace_origin origin = origin_of(validation->reader, NULL);
    struct form *form = form_begin(print, format, "validate-2");
    if (!form)
        return;
    origin_put(form, &origin);
    put_valid(form, validation, ignored);
    put_findings(form, validation, ignored);
    put_methods(form, validation);
    put_allocations(form, &validation->figures);
    put_kinds(form, &validation->figures);
    put_uses(form, validation);
    put_names(form, &validation->naming);
    form_finish(form);
}
