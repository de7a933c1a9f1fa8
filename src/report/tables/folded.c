/* SPDX-License-Identifier: MIT */
/* A line for each context, of allocation or of death, and type: the methods, the outermost
 * first, and the type, with ";" between them, then a blank and a number. Programs that draw
 * flame graphs split lines at each ";", so a ";" in a name, as in descriptors, becomes a ",".
 * Two numbers at the end of a line are to them the counts of two profiles, and they may reverse
 * the frames; so a blank before the last word of a frame becomes a "_" if that is a number. */
#include "report/report.h"

#include "report/lives/shown_name.h"
#include "report/lives/site_sums.h"
#include "report/print.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is kept for the remark. */
struct folded {
    uint64_t wide; /* how many numbers do not fit 64 bits */
};

static wide_sum weight_of(const struct tally *tally, const struct dispersion *dispersion,
                          enum folded_weight weight)
{
    switch (weight) {
    case FOLDED_OBJECTS:
        return tally->objects;
    case FOLDED_LIVE:
        return tally->live;
    case FOLDED_LIFETIME:
        return dispersion->by_bytes.sum;
    case FOLDED_DRAG:
        return tally->drag;
    default:
        return tally->bytes;
    }
}

/* The bytes of the blank that the `length` bytes at `text` end with; 0: they end with none. All
 * that Unicode takes for white space are blanks to those programs; control characters are
 * escaped when they are printed. */
static size_t blank_length(const char *text, size_t length)
{
    static const char *const blanks[] = {" ",
                                         "\xc2\xa0",
                                         "\xe1\x9a\x80",
                                         "\xe2\x80\x80",
                                         "\xe2\x80\x81",
                                         "\xe2\x80\x82",
                                         "\xe2\x80\x83",
                                         "\xe2\x80\x84",
                                         "\xe2\x80\x85",
                                         "\xe2\x80\x86",
                                         "\xe2\x80\x87",
                                         "\xe2\x80\x88",
                                         "\xe2\x80\x89",
                                         "\xe2\x80\x8a",
                                         "\xe2\x80\xa8",
                                         "\xe2\x80\xa9",
                                         "\xe2\x80\xaf",
                                         "\xe2\x81\x9f",
                                         "\xe3\x80\x80"};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        size_t bytes = strlen(blanks[i]);
        if (bytes <= length && memcmp(text + length - bytes, blanks[i], bytes) == 0)
            return bytes;
    }
    return 0;
}

/* Replaces the blank before the last word of the frame by "_" if the word is a number, perhaps
 * with a fraction. Blanks after it are left out of account, as those programs do. */
static void join_number(char *frame)
{
    size_t end = strlen(frame), blank;
    while ((blank = blank_length(frame, end)) > 0)
        end -= blank;
    size_t begin = end;
    while (begin > 0 && strchr("0123456789.", frame[begin - 1]))
        begin--;
    blank = blank_length(frame, begin);
    if (begin == end || blank == 0)
        return;
    frame[begin - blank] = '_';
    memmove(frame + begin - blank + 1, frame + begin, strlen(frame + begin) + 1);
}

/* Prints a name that was made; false: there was no memory for it. */
static bool print_frame(struct print *print, struct shown_name *name, const char *made)
{
    if (!made)
        return false;
    for (char *at = name->text; (at = strchr(at, ';'));)
        *at = ',';
    join_number(name->text);
    print_shown(print, name->text);
    return true;
}

/* The line of a death is never known. */
static bool print_methods(struct print *print, const struct report *report,
                          struct shown_name *name, const struct tally *tally)
{
    const struct names *names = report->material->names;
    bool is_of_deaths = report->material->settings->folded_by == CONTEXTS_BY_DEATH;
    struct shown_frame frames[CONTEXT_DEPTH_MAX];
    size_t count = shown_frames(frames, report->sums->contexts, tally->context,
                                is_of_deaths ? NULL : tally, names);
    if (count == 0)
        print_text(print, tally->is_alive ? "(alive);" : "(none);");
    while (count-- > 0) {
        if (!print_frame(print, name,
                         shown_name_of_id(name, frames[count].space, frames[count].id, names)))
            return false;
        print_text(print, ";");
    }
    return true;
}

static enum status print_stack(struct print *print, const struct report *report,
                               struct shown_name *name, const struct site_tallies *rows,
                               size_t row)
{
    struct folded *folded = report->state;
    const struct tally *tally = &rows->tallies.items[row];
    const struct names *names = report->material->names;
    wide_sum weight =
        weight_of(tally, &rows->dispersions[row], report->material->settings->folded_weight);
    char digits[WIDE_SIZE];
    if (weight == 0)
        return STATUS_OK;
    if (!print_methods(print, report, name, tally) ||
        !print_frame(print, name, shown_name_of_id(name, NAMES_TYPE, tally->type, names)))
        return fail_memory(print->why);
    folded->wide += weight > UINT64_MAX;
    print_text(print, " %s\n", figures_format_wide(digits, weight));
    return print->status;
}

static enum status folded_begin(struct report *report, struct failure *why)
{
    report->state = calloc(1, sizeof(struct folded));
    return report->state ? STATUS_OK : fail_memory(why);
}

static char *folded_remark(const struct report *report)
{
    const struct folded *folded = report->state;
    char *text = NULL;
    if (!folded || folded->wide == 0)
        return NULL;
    return asprintf(&text,
                    "--folded has %" PRIu64 " number%s of 2^64 or more: FlameGraph and "
                    "speedscope read %s, but inferno leaves %s out",
                    folded->wide, folded->wide == 1 ? "" : "s",
                    folded->wide == 1 ? "it" : "them",
                    folded->wide == 1 ? "its line" : "their lines") < 0
               ? NULL
               : text;
}

static void folded_release(struct report *report)
{
    free(report->state);
}

static enum status folded_finish(struct report *report, struct failure *why)
{
    const struct site_sums *sums = report->sums;
    struct print print = {.sink = report->sink, .why = why};
    struct shown_name name = {.text = NULL};
    if (report->material->settings->folded_weight == FOLDED_DRAG && !sums->has_uses &&
        sums->allocated > 0)
        return fail_at(why, STATUS_MEANING, report->material->trace, 0,
                       "The trace records no uses of objects, so there is no drag: choose "
                       "another --folded-weight");
    const struct site_tallies *rows = report->material->settings->folded_by == CONTEXTS_BY_DEATH
                                          ? &sums->by_death
                                          : &sums->by_context;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < rows->tallies.count; i++)
        status = print_stack(&print, report, &name, rows, i);
    free(name.text);
    return status;
}

#define FOLDED_FUNCTIONS                                                                       \
    .begin = folded_begin, .finish = folded_finish, .remark = folded_remark,                   \
    .release = folded_release

/* The report of --folded: by context of the allocation, or of the death. */
const struct report_class folded_report = {.traits = TRAIT_NAMES,
                                           .sums = SUMS_OF_ALLOCATIONS,
                                           .of = OF_MOMENTS_GIVEN,
                                           FOLDED_FUNCTIONS};
const struct report_class folded_lifetimes_report = {.traits = TRAIT_NAMES | TRAIT_LIFETIMES,
                                                     .sums = SUMS_OF_ALLOCATIONS,
                                                     .of = OF_MOMENTS_GIVEN,
                                                     FOLDED_FUNCTIONS};
const struct report_class folded_deaths_report = {.traits = TRAIT_NAMES | TRAIT_COMPUTED |
                                                            TRAIT_LIFETIMES,
                                                  .sums = SUMS_OF_PAIRS,
                                                  .of = OF_MOMENTS_GIVEN,
                                                  FOLDED_FUNCTIONS};
