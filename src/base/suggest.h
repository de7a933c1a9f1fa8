/* SPDX-License-Identifier: MIT */
/* What a user may have meant by a mistyped word. */
#ifndef ETMERLIN_BASE_SUGGEST_H
#define ETMERLIN_BASE_SUGGEST_H

#include <stddef.h>

/* How many letters must be put in, left out, replaced, or swapped with their
 * neighbour to make `right` of the first `length` letters of `wrong`, when no
 * letter is changed twice. Words are compared by their first 31 letters. */
size_t suggest_distance(const char *wrong, size_t length, const char *right);

/* The search for what may have been meant by the first `length` letters of `wrong`; it begins
 * with these two alone. */
struct suggestion {
    const char *wrong;
    size_t length;
    const char *nearest; /* of the words that there are; NULL: none has come yet */
    size_t distance;
};

/* There is the word `right`, which must stay. */
void suggestion_offer(struct suggestion *suggestion, const char *right);

/* The first of the nearest words; NULL: none is so near that it may have been meant. */
const char *suggestion_word(const struct suggestion *suggestion);

#endif
