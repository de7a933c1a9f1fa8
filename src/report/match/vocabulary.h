/* SPDX-License-Identifier: MIT */
/* What two runs have in common: words for the types, methods and contexts of both, and numbers
 * for these words and for allocations that are alike. */
#ifndef ETMERLIN_REPORT_MATCH_VOCABULARY_H
#define ETMERLIN_REPORT_MATCH_VOCABULARY_H

#include "base/symbols.h"
#include "heap/contexts.h"
#include "trace/names.h"

/* Zero-initialize it; vocabulary_free ends it. */
struct vocabulary {
    struct symbols words; /* names, or ids in decimal */
    struct symbols keys;  /* struct allocation_key, as bytes */
    char *text;           /* of the word that is being made */
    size_t capacity;
};

/* What two allocations must share to be paired. */
struct allocation_key {
    uint32_t type;   /* words */
    uint32_t method; /* the innermost open one */
    uint64_t size;   /* bytes */
};

/* Sets *word to the number of the name that `names` has for an id or, if it has none or is
 * NULL, of the id itself in decimal. */
enum status vocabulary_word(struct vocabulary *vocabulary, const struct names *names,
                            enum name_space space, uint64_t id, uint32_t *word,
                            struct failure *why) MUST_CHECK;

/* Sets *word to the number of the text of a context: the names of its methods, the innermost
 * first, with ";" between them, or "(none)" if no method was open. With `innermost`, the text
 * is the name of the innermost method alone. */
enum status vocabulary_context(struct vocabulary *vocabulary, const struct names *names,
                               const struct contexts *contexts, uint32_t context,
                               bool innermost, uint32_t *word, struct failure *why) MUST_CHECK;

/* Sets *number to the number of a key, which is the same in both runs. */
enum status vocabulary_key(struct vocabulary *vocabulary, const struct allocation_key *key,
                           uint32_t *number, struct failure *why) MUST_CHECK;

/* The key with a number. */
struct allocation_key vocabulary_key_of(const struct vocabulary *vocabulary, uint32_t number);

/* The text of a word; it stays until a word is added. */
const char *vocabulary_text(const struct vocabulary *vocabulary, uint32_t word);

void vocabulary_free(struct vocabulary *vocabulary);

#endif
