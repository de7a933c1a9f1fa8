/* SPDX-License-Identifier: MIT */
/* Sets of options, such as those that were given, and lists of their names. */
#ifndef ETMERLIN_CLI_OPTIONS_OPTION_SET_H
#define ETMERLIN_CLI_OPTIONS_OPTION_SET_H

#include "cli/options/option_table.h"

/* Which rows of the table are in it. */
struct option_set {
    bool rows[OPTION_ROWS_MOST];
};

/* Whether the set has the option `name`, which exists, and ends as for option_find. */
bool option_is_in(const struct option_set *set, const char *name);

/* Room for the names of all options, which have at most OPTION_NAME_LENGTH bytes. */
enum {
    OPTION_NAME_LENGTH = 26,
    OPTION_NAMES_ROOM = OPTION_ROWS_MOST * (OPTION_NAME_LENGTH + 6)
};

/* Writes the options in the set to `out`, which has OPTION_NAMES_ROOM, in the order of the
 * table: "--a, --b or --c". Returns how many there are. */
size_t option_list_names(char *out, const struct option_set *set);

/* The next of some names with blanks between them, after `name`; NULL: there is none. */
const char *option_next_name(const char *name);

#endif
