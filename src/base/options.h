/* SPDX-License-Identifier: MIT */
/* What is wrong with an option on the command line, and what a user may have meant by a
 * mistyped word. */
#ifndef ETMERLIN_BASE_OPTIONS_H
#define ETMERLIN_BASE_OPTIONS_H

#include "base/status.h"

#include <getopt.h>
#include <stddef.h>

/* Sets *why to what getopt_long did not understand of the argument `word`, words[optind - 1],
 * and which option may have been meant. getopt_long has returned `result`, ':' or '?', for the
 * options in `table`, with opterr 0 and ":" or "+:" before the short ones. Always
 * STATUS_MEANING. */
enum status option_fault(int result, const char *word, const struct option *table,
                         struct failure *why);

/* How many letters must be inserted, deleted, replaced, or swapped with their neighbour to turn
 * the first `length` letters of `wrong` into `right`, if no letter is changed twice. Words are
 * compared by their first 31 letters. */
size_t suggest_distance(const char *wrong, size_t length, const char *right);

/* A search for the word that may have been meant by the first `length` letters of `wrong`. Set
 * `wrong` and `length`; the others are zero at first. */
struct suggestion {
    const char *wrong;
    size_t length;
    const char *nearest; /* of the words offered so far; NULL: there is none */
    size_t distance;
};

/* Offers the word `right`, which must outlive *suggestion. */
void suggestion_offer(struct suggestion *suggestion, const char *right);

/* The first of the nearest words that were offered; NULL: none is near enough to have been
 * meant. */
const char *suggestion_word(const struct suggestion *suggestion);

#endif
