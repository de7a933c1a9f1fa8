/* SPDX-License-Identifier: MIT */
/* What two runs have in common: words for the types and methods of both, numbers for contexts,
 * and numbers for allocations that are alike. */
#ifndef ETMERLIN_REPORT_MATCH_VOCABULARY_H
#define ETMERLIN_REPORT_MATCH_VOCABULARY_H

#include "base/symbols.h"
#include "report/lives/shown_name.h"
#include "trace/names.h"

/* A name: numbers of its parts. */
struct word {
    uint32_t owner; /* NO_SYMBOL: none */
    uint32_t own;
};

/* Zero-initialize it; vocabulary_free ends it. */
struct vocabulary {
    struct symbols parts;    /* classes and members, or ids in decimal: each text once */
    struct word *words;      /* by number */
    size_t count, capacity;  /* of words */
    struct name_index index; /* of words */
    struct symbols contexts; /* words of methods, as bytes */
    struct symbols keys;     /* struct allocation_key, as bytes */
    struct shown_name shown; /* the context that was asked for last; room for the longest */
};

/* What two allocations must share to be paired. */
struct allocation_key {
    uint32_t type;   /* words */
    uint32_t method; /* the innermost open one */
    uint64_t size;   /* bytes */
};

/* Sets *word to the number of a name, which is the same in both runs. */
enum status vocabulary_word(struct vocabulary *vocabulary, const struct name_parts *name,
                            uint32_t *word, struct failure *why) MUST_CHECK;

/* Sets *context to the number of a context: the words of `count` methods, the innermost first.
 */
enum status vocabulary_context(struct vocabulary *vocabulary, const uint32_t *methods,
                               size_t count, uint32_t *context, struct failure *why) MUST_CHECK;

/* Sets *number to the number of a key, which is the same in both runs. */
enum status vocabulary_key(struct vocabulary *vocabulary, const struct allocation_key *key,
                           uint32_t *number, struct failure *why) MUST_CHECK;

/* The key with a number. */
struct allocation_key vocabulary_key_of(const struct vocabulary *vocabulary, uint32_t number);

/* The room for a word as it is shown (trace/names.h), with a NUL. */
enum { WORD_SIZE = NAMES_SHOWN_WHOLE + 1 };

/* Writes a word to `out`, which has room for WORD_SIZE bytes; returns `out`. */
const char *vocabulary_show(const struct vocabulary *vocabulary, uint32_t word, char *out);

/* The text of a context: its methods as they are shown, with ";" between them, or "(none)"
 * without methods. It is good until the next call, or until a context is added. */
const char *vocabulary_show_context(const struct vocabulary *vocabulary, uint32_t context);

void vocabulary_free(struct vocabulary *vocabulary);

#endif
