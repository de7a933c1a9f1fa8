/* SPDX-License-Identifier: MIT */
/* What a user may have meant by a mistyped word. */
#ifndef ETMERLIN_CLI_SUGGEST_H
#define ETMERLIN_CLI_SUGGEST_H

#include <stddef.h>

/* How many letters must be put in, left out, replaced, or swapped with their
 * neighbour to make `right` of the first `length` letters of `wrong`, when no
 * letter is changed twice. Words are compared by their first 31 letters. */
size_t suggest_distance(const char *wrong, size_t length, const char *right);

/* Whether a word at this distance may have been meant by one of `length` letters. */
int suggest_is_near(size_t distance, size_t length);

#endif
