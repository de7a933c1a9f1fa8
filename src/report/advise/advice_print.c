/* SPDX-License-Identifier: MIT */
/* The advice as a document: for each kind of record the verdict, the counts that it rests on,
 * and, unless it is recorded, what its absence does to deaths. */
#include "report/advise/advice.h"

#include <stdio.h>
#include <string.h>

struct advised {
    const char *level; /* NULL: unknown */
    const struct advice_counts *counts;
};

static const struct figure head[] = {
    FIGURE("level", "level", "word", 0, advised, level),
    FIGURES_END,
};

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

/* Each kind has two sections after the first: its verdict, and its counts. */
static enum advice_kind kind_of(const struct row *row)
{
    return (enum advice_kind)((row->section - advice_sections - 1) / 2);
}

static enum advice_verdict verdict_of(const struct row *row)
{
    return advice_verdict_of(((const struct advised *)row->document)->counts, kind_of(row));
}

static const char *const verdict_words[] = {
    [ADVICE_RECORDED] = "recorded", [ADVICE_MISSING] = "missing", [ADVICE_UNCLEAR] = "unclear"};

static struct value verdict_word(struct row *row)
{
    return value_text(verdict_words[verdict_of(row)]);
}

static bool next_verdict(struct row *row)
{
    row->key = advice_texts[kind_of(row)].key;
    row->label = advice_texts[kind_of(row)].title;
    return row->at++ == 0;
}

static bool next_counts(struct row *row)
{
    if (row->document) {
        enum advice_verdict verdict = verdict_of(row);
        row->subject = ((const struct advised *)row->document)->counts;
        if (verdict != ADVICE_RECORDED) {
            snprintf(row->scratch, ROW_SCRATCH, "%s%s",
                     verdict == ADVICE_UNCLEAR ? "If such records are missing:\n" : "",
                     advice_texts[kind_of(row)].effect);
            row->note = row->scratch;
        }
    }
    return row->at++ == 0;
}

static const struct figure verdicts[] = {
    FIGURE_OF("verdict", "", "word", 0, verdict_word),
    FIGURES_END,
};

#define COUNT(label, unit, member) FIGURE(#member, "  " label, unit, 0, advice_counts, member)

static const struct figure constructors[] = {
    COUNT("objects that a W names", "objects", read_objects),
    COUNT("before any store into them", "objects", read_first),
    COUNT("fields first stored, by type", "count", first_fields),
    COUNT("stored before anything else", "count", constructed),
    FIGURES_END,
};

static const struct figure reads[] = {
    COUNT("W", "count", reads),
    FIGURE("never_stored", "  objects of types without stores", "objects", 0, advice_counts,
           unstored),
    FIGURES_END,
};

static const struct figure libraries[] = {FIGURES_END};

static const struct figure elements[] = {
    COUNT("arrays", "objects", arrays),
    COUNT("stores into them", "count", element_stores),
    FIGURES_END,
};

static const struct figure exceptions[] = {
    COUNT("X", "count", exceptions),
    COUNT("T and H", "count", throws),
    COUNT("abandoned frames", "count", abandoned),
    FIGURES_END,
};

static const struct figure locals[] = {
    COUNT("exits", "count", exits),
    COUNT("after a W not of the receiver", "count", exits_after_w),
    FIGURES_END,
};

static const struct figure allocations[] = {
    COUNT("allocated", "objects", allocated),
    COUNT("named, never allocated", "objects", never_allocated),
    COUNT("named before their N", "objects", named_first),
    FIGURES_END,
};

enum { LABELS = 45, COUNT_LABELS = 36, COUNTS = 18 };

#define KIND(key_, counts)                                                                     \
    {.form = SECTION_ROWS,                                                                     \
     .key = "",                                                                                \
     .title = "",                                                                              \
     .width = LABELS,                                                                          \
     .figures = verdicts,                                                                      \
     .next = next_verdict},                                                                    \
    {                                                                                          \
        .form = SECTION_LINES, .key = key_, .width = COUNT_LABELS, .cell = COUNTS,             \
        .figures = counts, .next = next_counts                                                 \
    }

/* The kinds are in the order of enum advice_kind, the most important first. */
const struct section advice_sections[] = {
    {.form = SECTION_HEAD, .key = "", .width = HEAD_WIDTH, .figures = head},
    KIND("constructor_stores", constructors),
    KIND("reads", reads),
    KIND("library_stores", libraries),
    KIND("element_stores", elements),
    KIND("exceptions", exceptions),
    KIND("locals", locals),
    KIND("allocations", allocations),
    {.figures = NULL},
};

/* Goes to the next kind of a list, whose subject is its text. */
static bool next_listed(struct row *row)
{
    if (row->at == ADVICE_COUNT)
        return false;
    row->subject = &advice_texts[row->at++];
    return true;
}

static struct value listed_verdict(struct row *row)
{
    const struct advice_text *text = row->subject;
    return value_text(verdict_words[advice_verdict_of(
        row->document, (enum advice_kind)(text - advice_texts))]);
}

/* As one line. */
static struct value listed_effect(struct row *row)
{
    const struct advice_text *text = row->subject;
    snprintf(row->scratch, ROW_SCRATCH, "%s", text->effect);
    for (char *at = row->scratch; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    return value_text(row->scratch);
}

static const struct figure listed[] = {
    FIGURE("kind", NULL, "word", 0, advice_text, key),
    FIGURE("records", NULL, "text", 0, advice_text, title),
    FIGURE_OF("verdict", NULL, "word", 0, listed_verdict),
    FIGURE_OF("effect", NULL, "text", 0, listed_effect),
    FIGURES_END,
};

const struct section advice_list[] = {
    SECTION(LIST, "advice", NULL, 0, 0, listed, .next = next_listed),
    SECTIONS_END,
};

void advice_print(struct print *print, enum report_format format,
                  const struct trace_origin *origin, const struct advice_counts *counts)
{
    bool has_level = counts->level != TRACE_LEVEL_UNKNOWN;
    const struct advised advised = {has_level ? trace_level_name(counts->level) : NULL, counts};
    struct document document = document_begin(print, format, "advise-2");
    document_print(&document, origin_sections, origin);
    document_print(&document, advice_sections, &advised);
    document_end(&document);
}
