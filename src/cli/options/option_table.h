/* SPDX-License-Identifier: MIT */
/* The table of options: all that the program knows of them, one row an option. */
#ifndef ETMERLIN_CLI_OPTIONS_OPTION_TABLE_H
#define ETMERLIN_CLI_OPTIONS_OPTION_TABLE_H

#include "cli/options/options.h"

/* What the value of an option is, and what it is stored as. */
enum option_kind {
    OPTION_FLAG,    /* there is none; bool: true, if there is a target */
    OPTION_CHOICE,  /* one of `words`; an enum, unsigned or bool: the place of the word, from 0
                     */
    OPTION_FORMAT,  /* one of `words`; const char *: the word, but NULL for "auto" */
    OPTION_NUMBER,  /* from `least` on; uint64_t. Or the only one of `words`: UINT64_MAX */
    OPTION_SIZE,    /* uint64_t: bytes */
    OPTION_TEXT,    /* const char *, as it is; so are the next three, which must not be empty */
    OPTION_FILE,    /* the name of a file */
    OPTION_FOLDER,  /* the name of a folder */
    OPTION_FILES,   /* names of folders and files */
    OPTION_CODEC,   /* struct compression */
    OPTION_IGNORING /* violation_set: kinds of violations */
};

/* Where a value is stored, as an offset into struct options. */
struct option_target {
    size_t offset;
    size_t size; /* 0: it is not stored */
};

struct option_row {
    const char *name; /* NULL: this row starts the group of `topic`; `help` is its heading */
    char letter;      /* of the short form; '\0': there is none */
    enum option_kind kind;
    struct option_target target;
    unsigned commands;    /* that it applies to: bit i is enum command i */
    const char *help;     /* what --help=TOPIC says of it, without the default */
    const char *everyday; /* what --help says; NULL: --help leaves it out */
    const char *topic;    /* of a row that starts a group: the word after --help= */

    const char *words;    /* that are allowed: "a|b|c"; of a choice the first is the default */
    const char *argument; /* what --help calls the value; NULL: `words`, or nothing */
    bool is_optional;     /* the value may be left out */
    const char *left_out; /* the value then */
    uint64_t least, most; /* of a number; 0: any */
    uint64_t preset;      /* the number by default; 0: there is none */
    const char *usual;    /* what a text that is not given means; NULL: nothing to be said */
    const char *forms; /* of a report that it writes: "a|b" (cli/options/forms.h); NULL: any */
    bool chooses_form; /* --format says which of the forms */
    struct option_target given; /* a bool that becomes true when the option is given */
    enum command command;       /* that it asks for; COMMAND_ADD_DEATHS: none */

    /* Names of other options, with a blank between them. */
    const char *needs; /* one of these must be given, too */
    /* A report of which this is true must be asked for; NULL: none. */
    bool (*for_reports)(const struct report_class *methods);
    const char *conflicts; /* none of these may be given; named on one side only */
    const char *because;   /* the reason for `conflicts`, if it is not plain */
    bool of_computed;      /* it is for deaths that are computed: not for --death-from=free */
    bool of_trace;         /* it is for the trace that is written: not for reports alone */
};

/* More rows, and more old names, than there are. */
enum { OPTION_ROWS_MOST = 160, OPTION_OLD_MOST = 16 };

/* The table; *count is set to the number of its rows. */
const struct option_row *option_table(size_t *count);

/* The row of the option with this name, which ends at a blank or at the end of the string;
 * NULL: there is none. */
const struct option_row *option_find(const char *name);

/* The i-th name that an option had in an earlier release, and its row now; NULL: there are not
 * so many. */
const char *option_old_name(size_t i, const struct option_row **now);

/* Room for the help of an option with its default. */
enum { OPTION_HELP_ROOM = 256 };

/* The default of an option, for people: a word or a number, which is written to `room` then;
 * NULL: it has none. */
enum { OPTION_DEFAULT_ROOM = 24 };
const char *option_default(const struct option_row *row, char room[OPTION_DEFAULT_ROOM]);

/* The name of the option that asks for a report. */
const char *options_report_name(enum report_kind kind);

/* A set of options, such as those that were given: which rows of the table are in it. */
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
