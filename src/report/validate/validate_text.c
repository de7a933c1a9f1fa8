/* SPDX-License-Identifier: MIT */
/* The validation as text: the verdict, the violations and the notes with an example each, then
 * the figures. */
#include "report/validate/kind_figures.h"
#include "report/validate/validate_print.h"

#include <inttypes.h>
#include <string.h>

static unsigned count_set(violation_set set)
{
    return (unsigned)__builtin_popcount(set);
}

static void validate_text_print_head(struct print *print, const struct validation *validation,
                                     violation_set ignored)
{
    unsigned met = count_set(violations_met(validation->violations, ignored));
    print_text(print, "trace      ");
    print_shown(print, validation->reader->name);
    print_text(print, " (%s dialect)\n", validation->reader->explicit_time ? "time" : "thread");
    if (met == 0)
        print_text(print, "valid      yes\n");
    else
        print_text(print, "valid      no: %u kind%s of violation\n", met, met == 1 ? "" : "s");
}

/* Prints an explanation; the text of the trace that ends it goes on a line of its own if need
 * be. */
static void print_example(struct print *print, const char *text)
{
    const char *quoted = strstr(text, ": \"");
    if (strlen(text) <= 76 || !quoted)
        print_text(print, "    %s\n", text);
    else
        print_text(print, "    %.*s\n      %s\n", (int)(quoted + 1 - text), text, quoted + 2);
}

static void print_findings_title(struct print *print, const char *title)
{
    print_text(print, "\n%-22s %15s %15s\n", title, "count", "first in line");
}

static void print_finding(struct print *print, const char *name, const struct finding *finding,
                          bool is_ignored)
{
    if (finding->count == 0)
        return;
    print_text(print, "  %-20s %15" PRIu64 " %15" PRIu64 "%s\n", name, finding->count,
               finding->first.line, is_ignored ? "   ignored" : "");
    print_example(print, finding->first.text ? finding->first.text : "");
}

static void print_violations(struct print *print, const struct validation *validation,
                             violation_set ignored)
{
    if (violations_met(validation->violations, 0) != 0)
        print_findings_title(print, "violations");
    for (unsigned i = 0; i < VIOLATION_COUNT; i++)
        print_finding(print, violation_name((enum violation)i), &validation->violations[i],
                      ignored >> i & 1);
}

static void print_notes(struct print *print, const struct validation *validation)
{
    bool has_notes = false;
    for (unsigned i = 0; i < NOTE_COUNT; i++)
        has_notes = has_notes || validation->notes[i].count > 0;
    if (has_notes)
        print_findings_title(print, "notes");
    for (unsigned i = 0; i < NOTE_COUNT; i++)
        print_finding(print, validate_note_name((enum validate_note)i), &validation->notes[i],
                      false);
}

static void print_calls(struct print *print, const struct validation *validation)
{
    const struct calls *calls = &validation->calls;
    if (calls->count == 0)
        return;
    print_text(print, "\n%-22s %12s %12s %9s %9s %9s\n", "methods, by thread", "entries",
               "exits", "unmatched", "unwound", "open");
    for (size_t i = 0; i < calls->count; i++) {
        const struct thread_calls *thread = &calls->threads[i];
        if (validation->reader->explicit_time)
            print_text(print, "  %-20s", "(no threads)");
        else
            print_text(print, "  %-20" PRIu64, thread->id);
        print_text(print, " %12" PRIu64 " %12" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9zu\n",
                   thread->entries, thread->exits, thread->unmatched, thread->unwound,
                   thread->open);
    }
}

static void print_figure(struct print *print, const char *name, uint64_t figure)
{
    print_text(print, "%-22s %15" PRIu64 "\n", name, figure);
}

static void print_allocations(struct print *print, const struct validate_figures *figures)
{
    char bytes[WIDE_SIZE];
    print_figure(print, "allocations", figures->objects + figures->arrays);
    print_figure(print, "  objects", figures->objects);
    print_figure(print, "  arrays", figures->arrays);
    print_figure(print, "  named in advance", figures->adopted);
    print_text(print, "%-22s %15s\n", "bytes allocated",
               figures_format_wide(bytes, figures->bytes));
    print_figure(print, "deaths", figures->deaths);
    print_figure(print, "still alive", figures->objects + figures->arrays - figures->deaths);
}

static void print_uses(struct print *print, const struct validate_figures *figures)
{
    struct kind_figure kinds[RECORD_KINDS];
    size_t count = kind_figures_list(kinds);
    char share[SHARE_SIZE];
    for (size_t i = 0; i < count; i++)
        print_figure(print, kinds[i].label, figures->records[kinds[i].kind]);
    print_figure(print, "mentions of objects", figures->mentions);
    print_text(print, "  %-20s %15" PRIu64 " %8s\n", "never allocated",
               figures->unallocated_mentions,
               print_share(share, figures->unallocated_mentions, figures->mentions));
}

static void validate_text_print_lifetimes(struct print *print,
                                          const struct validate_figures *figures)
{
    const struct distribution *lifetimes = &figures->lifetimes;
    if (lifetimes->count == 0) {
        if (figures->deaths > 0)
            print_text(print, "lifetimes in ticks                   -   "
                              "the deaths have neither a time nor a place\n");
        return;
    }
    print_text(print, "%-22s %15s   %s\n", "lifetimes in ticks", "",
               figures->by_place ? "up to where the deaths stand"
                                 : "up to the times of the deaths");
    print_text(print, "  %-20s %12" PRIu64 ".%02u\n", "average", lifetimes->mean,
               lifetimes->mean_hundredths);
    print_figure(print, "  median", lifetimes->median);
    print_figure(print, "  maximum", lifetimes->max);
}

void validate_print_text(struct print *print, const struct validation *validation,
                         violation_set ignored)
{
    const struct validate_figures *figures = &validation->figures;
    validate_text_print_head(print, validation, ignored);
    print_violations(print, validation, ignored);
    print_notes(print, validation);
    print_calls(print, validation);
    print_text(print, "\nfigures\n");
    print_figure(print, "events", figures->events);
    print_allocations(print, figures);
    print_uses(print, figures);
    if (!validation->reader->explicit_time)
        print_figure(print, "threads", validation->calls.count);
    print_figure(print, "clock, first", figures->first_time);
    print_figure(print, "  last", figures->last_time);
    validate_text_print_lifetimes(print, figures);
}
