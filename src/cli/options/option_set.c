/* SPDX-License-Identifier: MIT */
/* Lists of the options in a set: they are in the order of the table, so that messages name
 * options as --help=all does. */
#include "cli/options/option_set.h"

#include <stdio.h>
#include <string.h>

bool option_is_in(const struct option_set *set, const char *name)
{
    size_t count;
    return set->rows[option_find(name) - option_table(&count)];
}

size_t option_list_names(char *out, const struct option_set *set)
{
    size_t rows, count = 0, left = 0;
    const struct option_row *table = option_table(&rows);
    for (size_t i = 0; i < rows; i++)
        left += set->rows[i];
    for (size_t i = 0; i < rows; i++) {
        if (!set->rows[i])
            continue;
        const char *joint = count == 0 ? "" : --left > 1 ? ", " : " or ";
        out += sprintf(out, "%s--%s", joint, table[i].name);
        count++;
    }
    return count;
}

const char *option_next_name(const char *name)
{
    name += strcspn(name, " ");
    return *name ? name + 1 : NULL;
}
