/* SPDX-License-Identifier: MIT */
/* The statistics on one screen of 24 lines and 80 columns, with room for a prompt: what is in
 * the trace, how much of it is alive, how long it lives, why it dies, and rankings. Sizes are
 * rounded, so this is for people only. */
#include "report/stats/stats_print.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BRIEF_ROWS = 5, TOP_CAUSES = 3 };

/* The most columns of the trace's name, so that its line has 80. */
enum { NAME_ROOM = 38, UNFINISHED_NAME_ROOM = NAME_ROOM - (int)sizeof "unfinished; " + 1 };

static const struct stats *stats_of(const struct row *row)
{
    return row->subject;
}

/* A line that is composed for a row. */
struct composed {
    char *text; /* ROW_SCRATCH bytes */
    size_t length;
};

static void add(struct composed *line, const char *format, ...) PRINTF_LIKE(2, 3);

static void add(struct composed *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(line->text + line->length, ROW_SCRATCH - line->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        line->length += (size_t)length;
    if (line->length >= ROW_SCRATCH)
        line->length = ROW_SCRATCH - 1;
}

static void add_count(struct composed *line, const char *before, uint64_t count,
                      const char *what)
{
    add(line, "%s%" PRIu64 " %s%s", before, count, what, count == 1 ? "" : "s");
}

static void add_bytes(struct composed *line, const char *before, uint64_t bytes)
{
    char scaled[SCALED_SIZE];
    add(line, "%s%s", before, value_scaled(scaled, bytes));
}

static void add_share(struct composed *line, const char *before, uint64_t part, uint64_t whole)
{
    char digits[VALUE_SIZE];
    struct value share = value_share(part, whole);
    add(line, "%s%s%%", before, value_digits(digits, &share));
}

static struct value trace_of(struct row *row)
{
    struct composed line = {.text = row->scratch};
    const char *name = stats_of(row)->name;
    bool is_unfinished = stats_of(row)->unfinished;
    size_t cut = text_end(name, is_unfinished ? UNFINISHED_NAME_ROOM : NAME_ROOM);
    add(&line, "%s%s (%sall of --stats: --top=20)", cut > 0 ? "..." : "", name + cut,
        is_unfinished ? "unfinished; " : "");
    return value_text(row->scratch);
}

static struct value what_of(struct row *row)
{
    const struct stats *stats = stats_of(row);
    struct composed line = {.text = row->scratch};
    const struct stats_amount all = stats_allocated(stats), prior = stats_prior(stats);
    uint64_t events = 0;
    for (size_t i = 0; i < record_layout_count; i++)
        events += stats_events(stats, record_layouts[i].kind);
    add_count(&line, "", events, "event");
    if (!stats->pass->explicit_time)
        add_count(&line, ", ", frames_thread_count(stats->pass->heap.frames), "thread");
    add_count(&line, ", ", all.objects, "object");
    if (all.bytes > 0)
        add_bytes(&line, ", ", all.bytes);
    if (prior.objects > 0)
        add(&line, "; %" PRIu64 " older", prior.objects);
    return value_text(row->scratch);
}

/* Adds what is alive at the end, in bytes if there are any. */
static void add_end(struct composed *line, const struct stats *stats, bool has_bytes)
{
    if (stats->assumptions && stats->assumptions->at_end == AT_END_DIE) {
        add(line, "--at-end=die ends the rest");
        return;
    }
    if (has_bytes)
        add_bytes(line, "", stats->alive.bytes + stats->prior_alive.bytes);
    else
        add(line, "%" PRIu64, stats->alive.objects + stats->prior_alive.objects);
    add(line, " at the end");
}

/* Objects older than the trace count, as in the live heap. */
static struct value how_much_of(struct row *row)
{
    const struct stats *stats = stats_of(row);
    const struct live_peaks *peaks = stats->sums->peaks;
    struct composed line = {.text = row->scratch};
    bool has_bytes = peaks->most_bytes.size > 0;
    if (has_bytes)
        add_bytes(&line, "at most ", peaks->most_bytes.size);
    add_count(&line, has_bytes ? " and " : "at most ", peaks->most_objects.objects, "object");
    add(&line, " alive; ");
    add_end(&line, stats, has_bytes);
    return value_text(row->scratch);
}

static struct value how_long_of(struct row *row)
{
    const struct stats *stats = stats_of(row);
    struct composed line = {.text = row->scratch};
    if (stats->died.objects == 0)
        return value_text("nothing dies");
    if (stats->bytes_in_all == 0) {
        add(&line, "median %" PRIu64 ", 99%% up to %" PRIu64 " ticks", stats->ticks.median,
            stats->ticks.p99);
        return value_text(row->scratch);
    }
    add_bytes(&line, "median ", stats->bytes.median);
    add_bytes(&line, ", 99% up to ", stats->bytes.p99);
    add_share(&line, "; ", stats->ages[AGE_YOUNG].bytes, stats_allocated(stats).bytes);
    add(&line, " of all bytes die young");
    return value_text(row->scratch);
}

/* The cause with the most bytes, or objects, among those that are not `taken`; CAUSE_COUNT:
 * nothing is left. */
static unsigned next_cause(const uint64_t *amounts, const bool *taken)
{
    unsigned most = CAUSE_COUNT;
    for (unsigned cause = 0; cause < CAUSE_ALIVE_STATIC; cause++)
        if (!taken[cause] && amounts[cause] > 0 &&
            (most == CAUSE_COUNT || amounts[cause] > amounts[most]))
            most = cause;
    return most;
}

static void add_causes(struct composed *line, const uint64_t *amounts, uint64_t all)
{
    static const char *const words[CAUSE_COUNT] = {
        [CAUSE_USE] = "last use",          [CAUSE_UPDATE] = "field changed",
        [CAUSE_FRAME] = "frame left",      [CAUSE_CONTAINER] = "with container",
        [CAUSE_STATIC] = "static changed",
    };
    bool taken[CAUSE_COUNT] = {false};
    for (unsigned i = 0; i < TOP_CAUSES; i++) {
        unsigned cause = next_cause(amounts, taken);
        if (cause == CAUSE_COUNT)
            return;
        add_share(line, i > 0 ? ", " : "", amounts[cause], all);
        add(line, " %s", words[cause]);
        taken[cause] = true;
    }
}

/* Shares of the bytes that died or, if these are none, of the objects. */
static struct value why_of(struct row *row)
{
    const struct stats *stats = stats_of(row);
    struct composed line = {.text = row->scratch};
    uint64_t amounts[CAUSE_COUNT] = {0}, all = 0;
    if (!stats->assumptions)
        return value_text("unknown, since the deaths are recorded");
    for (unsigned cause = 0; cause < CAUSE_ALIVE_STATIC; cause++)
        all += stats->causes[cause].bytes;
    bool by_bytes = all > 0;
    for (unsigned cause = 0; cause < CAUSE_ALIVE_STATIC; cause++) {
        amounts[cause] = by_bytes ? stats->causes[cause].bytes : stats->causes[cause].objects;
        all += by_bytes ? 0 : amounts[cause];
    }
    *row->scratch = '\0';
    add_causes(&line, amounts, all);
    return line.length > 0 ? value_text(row->scratch) : NO_VALUE;
}

static const struct figure brief_figures[] = {
    FIGURE_OF(NULL, "trace", "name", 0, trace_of),
    FIGURE_OF(NULL, "what", "text", 0, what_of),
    FIGURE_OF(NULL, "how much", "text", 0, how_much_of),
    FIGURE_OF(NULL, "how long", "text", 0, how_long_of),
    FIGURE_OF(NULL, "why", "text", 0, why_of),
    FIGURES_END,
};

static const struct section brief_sections[] = {
    HEAD(brief_figures),
    SECTIONS_END,
};

void stats_print_briefly(struct print *print, const struct stats *stats,
                         const struct names *names)
{
    struct document document = document_begin(print, FORMAT_TEXT, NULL);
    document.is_tight = true;
    document_print(&document, brief_sections, stats);
    rankings_print_briefly(&document, stats, names, BRIEF_ROWS);
    document_end(&document);
}
