/* SPDX-License-Identifier: MIT */
/* One table says for each kind of record which counts are shown and what it does to deaths that
 * it is missing; both forms are written from it. */
#include "report/advise/advice_print.h"

#include "report/json.h"

#include <inttypes.h>
#include <stddef.h>

enum { FIGURES_MOST = 3 };

struct advice_figure {
    const char *name; /* as text has it; NULL: there are no more */
    const char *key;  /* as JSON has it */
    size_t offset;    /* in struct advice_counts */
};

#define FIGURE(name, member)                                                                   \
    {                                                                                          \
        name, #member, offsetof(struct advice_counts, member)                                  \
    }

static const struct advice_text {
    const char *key;
    const char *title;
    struct advice_figure figures[FIGURES_MOST];
    const char *effect; /* that it is missing, in lines of at most 76 characters */
} advice_texts[ADVICE_COUNT] = {
    [ADVICE_CONSTRUCTORS] =
        {"constructor_stores",
         "U of what constructors set",
         {FIGURE("objects that a W names", read_objects),
          FIGURE("before any store into them", read_first)},
         "What only such a field holds dies at its own last use: 23% of all\n"
         "early deaths, and most of those that are far too early."},
    [ADVICE_READS] = {"reads",
                      "W of reads, of primitive fields too",
                      {FIGURE("W", reads), FIGURE("objects never stored into", never_stored)},
                      "An object that is only read dies before its last read."},
    [ADVICE_LIBRARIES] = {"library_stores",
                          "U of stores in libraries",
                          {{NULL, NULL, 0}},
                          "What only a collection holds dies at its own last use: 14% of all\n"
                          "early deaths."},
    [ADVICE_ELEMENTS] = {"element_stores",
                         "U of array elements",
                         {FIGURE("arrays", arrays), FIGURE("stores into them", element_stores)},
                         "What only an array holds dies at its own last use: 4% of all early\n"
                         "deaths."},
    [ADVICE_EXCEPTIONS] =
        {"exceptions",
         "X of frames that an exception leaves",
         {FIGURE("X", exceptions), FIGURE("T and H", throws),
          FIGURE("abandoned frames", abandoned)},
         "An abandoned frame holds nothing with --held-by=receiver: its receiver\n"
         "may die early. With --held-by=frame it holds far too long."},
    [ADVICE_LOCALS] = {"locals",
                       "W when a local variable loses its object",
                       {FIGURE("exits", exits),
                        FIGURE("behind a W not of the receiver", exits_behind_w)},
                       "What only a local variable or an argument holds dies at its last\n"
                       "mention: 54% of all early deaths, most by few ticks."},
    [ADVICE_ALLOCATIONS] = {"allocations",
                            "N of every object",
                            {FIGURE("allocated", allocated),
                             FIGURE("named, never allocated", never_allocated),
                             FIGURE("named before their N", named_first)},
                            "Such objects get no death, and what they hold dies no later than\n"
                            "their last use; --unallocated=immortal makes them roots."},
};

static const char *const verdicts[] = {
    [ADVICE_RECORDED] = "recorded", [ADVICE_MISSING] = "missing", [ADVICE_UNCLEAR] = "unclear"};

static uint64_t figure_of(const struct advice_counts *counts,
                          const struct advice_figure *figure)
{
    return *(const uint64_t *)(const void *)((const char *)counts + figure->offset);
}

/* Prints the lines of `text`, indented. */
static void print_indented(struct print *print, const char *text)
{
    print_text(print, "    ");
    for (; *text; text++)
        print_text(print, *text == '\n' ? "\n    " : "%c", *text);
    print_text(print, "\n");
}

void advice_print_text(struct print *print, const char *name,
                       const struct advice_counts *counts)
{
    print_text(print, "trace      %s\n\n", name);
    print_text(print, "What its tracer records, the most worth first:\n");
    for (enum advice_kind kind = 0; kind < ADVICE_COUNT; kind++) {
        const struct advice_text *text = &advice_texts[kind];
        enum advice_verdict verdict = advice_verdict_of(counts, kind);
        print_text(print, "\n  %-44s %s\n", text->title, verdicts[verdict]);
        for (size_t i = 0; i < FIGURES_MOST && text->figures[i].name; i++)
            print_text(print, "    %-32s %18" PRIu64 "\n", text->figures[i].name,
                       figure_of(counts, &text->figures[i]));
        if (verdict == ADVICE_UNCLEAR)
            print_text(print, "    Where that is missing:\n");
        if (verdict != ADVICE_RECORDED)
            print_indented(print, text->effect);
    }
}

void advice_print_json(struct print *print, const char *name,
                       const struct advice_counts *counts)
{
    struct json_report report;
    json_report_start(&report, "advise-1");
    json_put_text(&report, report.root, "trace", name);
    for (enum advice_kind kind = 0; kind < ADVICE_COUNT; kind++) {
        const struct advice_text *text = &advice_texts[kind];
        json_t *object = json_put_object(&report, report.root, text->key);
        json_put_text(&report, object, "verdict", verdicts[advice_verdict_of(counts, kind)]);
        for (size_t i = 0; i < FIGURES_MOST && text->figures[i].name; i++)
            json_put_number(&report, object, text->figures[i].key,
                            figure_of(counts, &text->figures[i]));
    }
    json_report_end(&report, print);
}
