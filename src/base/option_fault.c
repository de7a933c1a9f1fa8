/* SPDX-License-Identifier: MIT */
/* getopt_long sets optopt to the letter or number of an option that it knows, to the letter of
 * a short option that it does not know, and to 0 for a long option that it does not know or
 * that could be several. */
#include "base/option_fault.h"

#include "base/suggest.h"

#include <string.h>

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
