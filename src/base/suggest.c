/* SPDX-License-Identifier: MIT */
/* The Damerau-Levenshtein distance, restricted to one change of each letter (optimal string
 * alignment), computed row by row. */
#include "base/suggest.h"

#include <string.h>

enum { LETTERS = 31 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t suggest_distance(const char *wrong, size_t length, const char *right)
{
    size_t rows = least(length, LETTERS), columns = least(strlen(right), LETTERS);
    size_t d[LETTERS + 1][LETTERS + 1];
    for (size_t i = 0; i <= rows; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= columns; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = d[i - 1][j - 1] + (wrong[i - 1] != right[j - 1]);
            d[i][j] = least(replaced, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && wrong[i - 1] == right[j - 2] && wrong[i - 2] == right[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[rows][columns];
}

void suggestion_offer(struct suggestion *suggestion, const char *right)
{
    size_t distance = suggest_distance(suggestion->wrong, suggestion->length, right);
    if (suggestion->nearest && distance >= suggestion->distance)
        return;
    suggestion->nearest = right;
    suggestion->distance = distance;
}

const char *suggestion_word(const struct suggestion *suggestion)
{
    return suggestion->distance <= 1 + suggestion->length / 4 ? suggestion->nearest : NULL;
}
