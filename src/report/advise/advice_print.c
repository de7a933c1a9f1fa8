/* SPDX-License-Identifier: MIT */
/* The advice as a document: for each kind of record the verdict, the counts that it rests on,
 * and, unless it is recorded, what its absence does to deaths. */
#include "report/advise/advice.h"

#include <stdio.h>
#include <string.h>

/* The texts about a kind of record. */
static const struct advice_text {
    const char *key;
    const char *title;
    const char *effect; /* of its absence, in lines of at most 76 characters */
} advice_texts[ADVICE_COUNT] = {
    [ADVICE_CONSTRUCTORS] =
        {"constructor_stores", "U of fields that constructors set",
         "An object that only such a field holds dies at its own last use, perhaps\n"
         "far too early: its lifetime is a lower bound, as is what lives at a time."},
    [ADVICE_READS] =
        {"reads", "W of reads, of primitive fields too",
         "An object that is only read dies before its last read: its lifetime is a\n"
         "lower bound, 1 tick if no other record names it later."},
    [ADVICE_LIBRARIES] =
        {"library_stores", "U of stores in libraries",
         "An object that only a collection holds dies at its own last use: its\n"
         "lifetime is a lower bound, 1 tick if only its allocation names it."},
    [ADVICE_ELEMENTS] = {"element_stores", "U of array elements",
                         "An object that only an array holds dies at its own last use: its\n"
                         "lifetime is a lower bound, 1 tick if only its allocation names it."},
    [ADVICE_EXCEPTIONS] =
        {"exceptions", "X of frames that an exception leaves",
         "An abandoned frame holds nothing with --held-by=receiver: its receiver\n"
         "may die early, so that its lifetime is a lower bound. With\n"
         "--held-by=frame it holds far too long: lifetimes may be too large, too."},
    [ADVICE_LOCALS] = {"locals", "W when a local variable loses its object",
                       "An object that only a local variable or an argument holds dies at its\n"
                       "last mention: its lifetime is a lower bound, 1 tick if only its\n"
                       "allocation names it."},
    [ADVICE_ALLOCATIONS] =
        {"allocations", "N of every object",
         "Such objects get no death, and the objects that they hold die with their\n"
         "last use: these lifetimes are lower bounds, and what is allocated and alive\n"
         "is too little. --unallocated=immortal makes them roots."},
};

static const char *const verdict_words[] = {
    [ADVICE_RECORDED] = "recorded", [ADVICE_MISSING] = "missing", [ADVICE_UNCLEAR] = "unclear"};

enum { COUNT_LABELS = 36, COUNTS = 18 };

/* Puts the counts that the verdict on a kind of record rests on. */
static void put_counts_of(struct form *form, const struct advice_counts *counts,
                          enum advice_kind kind)
{
#define COUNT(label, unit, member)                                                             \
    form_line(form, #member, "  " label, unit, value_number(counts->member))
    switch (kind) {
    case ADVICE_CONSTRUCTORS:
        COUNT("objects that a W names", "objects", read_objects);
        COUNT("before any store into them", "objects", read_first);
        COUNT("fields first stored, by type", "count", first_fields);
        COUNT("stored before anything else", "count", constructed);
        break;
    case ADVICE_READS:
        COUNT("W", "count", reads);
        form_line(form, "never_stored", "  objects of types without stores", "objects",
                  value_number(counts->unstored));
        break;
    case ADVICE_ELEMENTS:
        COUNT("arrays", "objects", arrays);
        COUNT("stores into them", "count", element_stores);
        break;
    case ADVICE_EXCEPTIONS:
        COUNT("X", "count", exceptions);
        COUNT("T and H", "count", throws);
        COUNT("abandoned frames", "count", abandoned);
        break;
    case ADVICE_LOCALS:
        COUNT("exits", "count", exits);
        COUNT("after a W not of the receiver", "count", exits_after_w);
        break;
    case ADVICE_ALLOCATIONS:
        COUNT("allocated", "objects", allocated);
        COUNT("named, never allocated", "objects", never_allocated);
        COUNT("named before their N", "objects", named_first);
        break;
    case ADVICE_LIBRARIES:
    case ADVICE_COUNT:
        break;
    }
#undef COUNT
}

/* Puts the verdict on a kind of record, and its counts with what its absence does. */
static void put_kind(struct form *form, const struct advice_counts *counts,
                     enum advice_kind kind)
{
    enum { LABELS = 45 };
    const struct advice_text *text = &advice_texts[kind];
    enum advice_verdict verdict = advice_verdict_of(counts, kind);
    char note[COMPOSED_SIZE];
    form_rows(form, "", "", LABELS);
    form_row(form, text->key, text->title);
    form_cell(form, "verdict", "", 0, "word", value_text(verdict_words[verdict]));
    form_lines(form, text->key, NULL, COUNT_LABELS, COUNTS);
    put_counts_of(form, counts, kind);
    if (verdict == ADVICE_RECORDED)
        return;
    snprintf(note, sizeof note, "%s%s",
             verdict == ADVICE_UNCLEAR ? "If such records are missing:\n" : "", text->effect);
    form_note(form, note);
}

/* The effect is one line. */
void advice_put_list(struct form *form, const void *subject)
{
    const struct advice_counts *counts = subject;
    form_list(form, "advice", NULL, 0);
    for (size_t i = 0; form_next(form, i, ADVICE_COUNT); i++) {
        enum advice_verdict verdict = advice_verdict_of(counts, (enum advice_kind)i);
        char effect[COMPOSED_SIZE];
        snprintf(effect, sizeof effect, "%s", advice_texts[i].effect);
        for (char *at = effect; (at = strchr(at, '\n')) != NULL;)
            *at = ' ';
        form_item(form);
        form_put(form, "kind", "word", value_text(advice_texts[i].key));
        form_put(form, "records", "text", value_text(advice_texts[i].title));
        form_put(form, "verdict", "word", value_text(verdict_words[verdict]));
        form_put(form, "effect", "text", value_text(effect));
    }
}

void advice_print(struct print *print, enum report_format format,
                  const struct trace_origin *origin, const struct advice_counts *counts)
{
    bool has_level = counts->level != TRACE_LEVEL_UNKNOWN;
    struct form *form = form_begin(print, format, "advise-2");
    if (!form)
        return;
    origin_put(form, origin);
    form_head(form, "");
    form_line(form, "level", "level", "word",
              has_level ? value_text(trace_level_name(counts->level)) : NO_VALUE);
    form_lines(form, "", NULL, COUNT_LABELS, COUNTS);
    form_line(form, "longest_tick_bytes", "bytes between two boundaries, most", "bytes",
              value_number(counts->longest_tick.most));
    for (size_t i = 0; i < ADVICE_COUNT; i++)
        put_kind(form, counts, (enum advice_kind)i);
    form_finish(form);
}
