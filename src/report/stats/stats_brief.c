/* SPDX-License-Identifier: MIT */
/* The statistics on one screen of 24 lines and 80 columns, with room for a prompt: what is in
 * the trace, how much of it is alive, how long it lives, why it dies, and rankings. Sizes are
 * rounded, so this is for people only. */
#include "report/stats/stats.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { BRIEF_ROWS = 5, TOP_CAUSES = 3 };

/* The most columns of the trace's name, so that its line has 80. */
enum { NAME_ROOM = 38, UNFINISHED_NAME_ROOM = NAME_ROOM - (int)sizeof "unfinished; " + 1 };

/* A line that is composed. */
struct composed {
    char *text; /* COMPOSED_SIZE bytes */
    size_t length;
};

static void add(struct composed *line, const char *format, ...) PRINTF_LIKE(2, 3);

static void add(struct composed *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(line->text + line->length, COMPOSED_SIZE - line->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        line->length += (size_t)length;
    if (line->length >= COMPOSED_SIZE)
        line->length = COMPOSED_SIZE - 1;
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

static void put_trace(struct form *form, const struct stats *stats)
{
    char text[COMPOSED_SIZE];
    struct composed line = {.text = text};
    const char *name = stats->name;
    bool is_unfinished = stats->unfinished;
    size_t cut = text_end(name, is_unfinished ? UNFINISHED_NAME_ROOM : NAME_ROOM);
    add(&line, "%s%s (%sall of --stats: --top=20)", cut > 0 ? "..." : "", name + cut,
        is_unfinished ? "unfinished; " : "");
    form_line(form, NULL, "trace", "name", value_text(text));
}

static void put_what(struct form *form, const struct stats *stats)
{
    char text[COMPOSED_SIZE];
    struct composed line = {.text = text};
    const struct amount all = stats_allocated(stats), prior = stats_prior(stats);
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
    form_line(form, NULL, "what", "text", value_text(text));
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
static void put_how_much(struct form *form, const struct stats *stats)
{
    const struct live_peaks *peaks = stats->sums->peaks;
    char text[COMPOSED_SIZE];
    struct composed line = {.text = text};
    bool has_bytes = peaks->most_bytes.size > 0;
    if (has_bytes)
        add_bytes(&line, "at most ", peaks->most_bytes.size);
    add_count(&line, has_bytes ? " and " : "at most ", peaks->most_objects.objects, "object");
    add(&line, " alive; ");
    add_end(&line, stats, has_bytes);
    form_line(form, NULL, "how much", "text", value_text(text));
}

static void put_how_long(struct form *form, const struct stats *stats)
{
    char text[COMPOSED_SIZE];
    struct composed line = {.text = text};
    if (stats->died.objects == 0) {
        add(&line, "nothing dies");
    } else if (stats->bytes_in_all == 0) {
        add(&line, "median %" PRIu64 ", 99%% up to %" PRIu64 " ticks", stats->ticks.median,
            stats->ticks.p99);
    } else {
        add_bytes(&line, "median ", stats->bytes.median);
        add_bytes(&line, ", 99% up to ", stats->bytes.p99);
        add_share(&line, "; ", stats->ages[AGE_YOUNG].bytes, stats_allocated(stats).bytes);
        add(&line, " of all bytes die young");
    }
    form_line(form, NULL, "how long", "text", value_text(text));
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

/* Adds shares of the bytes that died or, if these are none, of the objects. */
static void add_reasons(struct composed *line, const struct stats *stats)
{
    uint64_t amounts[CAUSE_COUNT] = {0}, all = 0;
    for (unsigned cause = 0; cause < CAUSE_ALIVE_STATIC; cause++)
        all += stats->causes[cause].bytes;
    bool by_bytes = all > 0;
    for (unsigned cause = 0; cause < CAUSE_ALIVE_STATIC; cause++) {
        amounts[cause] = by_bytes ? stats->causes[cause].bytes : stats->causes[cause].objects;
        all += by_bytes ? 0 : amounts[cause];
    }
    add_causes(line, amounts, all);
}

static void put_why(struct form *form, const struct stats *stats)
{
    char text[COMPOSED_SIZE];
    struct composed line = {.text = text};
    if (stats->assumptions)
        add_reasons(&line, stats);
    else
        add(&line, "unknown, since the deaths are recorded");
    form_line(form, NULL, "why", "text", line.length > 0 ? value_text(text) : NO_VALUE);
}

void stats_print_briefly(struct print *print, const struct stats *stats,
                         const struct names *names)
{
    struct form *form = form_begin_tight(print);
    if (!form)
        return;
    form_head(form, "");
    put_trace(form, stats);
    put_what(form, stats);
    put_how_much(form, stats);
    put_how_long(form, stats);
    put_why(form, stats);
    rankings_put_briefly(form, stats, names, BRIEF_ROWS);
    form_finish(form);
}
