/* SPDX-License-Identifier: MIT */
/* getopt_long sets optopt to the letter or number of an option that it knows, to the letter of
 * a short option that it does not know, and to 0 for a long option that it does not know or
 * that could be several.
 *
 * The nearest word is that with the least Damerau-Levenshtein distance, restricted to one
 * change of each letter (optimal string alignment), computed row by row. */
#include "base/options.h"

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

static enum status fault_of_known(int result, const char *name, struct failure *why)
{
    return fail(why, STATUS_MEANING, "--%s %s", name,
                result == ':' ? "needs a value" : "takes no value");
}

/* Fails because of the long option `name`, which may be followed by "=" and a value. */
static enum status fault_of_unknown(const char *name, const struct option *table,
                                    struct failure *why)
{
    struct suggestion suggestion = {.wrong = name, .length = strcspn(name, "=")};
    const char *first = NULL;
    int length = (int)suggestion.length;
    for (const struct option *option = table; option->name; option++) {
        suggestion_offer(&suggestion, option->name);
        if (strncmp(option->name, name, suggestion.length) != 0)
            continue;
        if (first)
            return fail(why, STATUS_MEANING, "--%.*s could be --%s or --%s", length, name,
                        first, option->name);
        first = option->name;
    }
    const char *nearest = suggestion_word(&suggestion);
    if (!nearest)
        return fail(why, STATUS_MEANING, "There is no option --%.*s", length, name);
    return fail(why, STATUS_MEANING, "There is no option --%.*s; the nearest is --%s", length,
                name, nearest);
}

enum status option_fault(int result, const char *word, const struct option *table,
                         struct failure *why)
{
    bool is_long = strncmp(word, "--", 2) == 0;
    for (const struct option *option = table; is_long && optopt && option->name; option++)
        if (option->val == optopt)
            return fault_of_known(result, option->name, why);
    if (!optopt)
        return fault_of_unknown(word + 2, table, why);
    return result == ':' ? fail(why, STATUS_MEANING, "-%c needs a value", optopt)
                         : fail(why, STATUS_MEANING, "There is no option -%c", optopt);
}
