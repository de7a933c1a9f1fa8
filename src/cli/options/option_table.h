/* SPDX-License-Identifier: MIT */
/* The table of options: a row for each, with all that the program knows about it; and what
 * follows from the options that were given. */
#ifndef ETMERLIN_CLI_OPTIONS_OPTION_TABLE_H
#define ETMERLIN_CLI_OPTIONS_OPTION_TABLE_H

#include "cli/options/options.h"

/* What kind of value an option has, and how it is stored. */
enum option_kind {
    OPTION_FLAG,    /* no value; stored as bool: true, if there is a target */
    OPTION_CHOICE,  /* one of `words`; an enum, unsigned or bool: the index of the word, from 0
                     */
    OPTION_FORMAT,  /* one of `words`; const char *: the word, but NULL for "auto" */
    OPTION_NUMBER,  /* a number from `least` to `most`; uint64_t. The only one of `words`, if
                       any: UINT64_MAX */
    OPTION_SIZE,    /* uint64_t: bytes */
    OPTION_TEXT,    /* const char *, as it is; so are the next three, which must not be empty */
    OPTION_FILE,    /* the name of a file */
    OPTION_FOLDER,  /* the name of a folder */
    OPTION_FILES,   /* names of folders and files */
    OPTION_CODEC,   /* struct compression */
    OPTION_MOMENTS, /* struct moments */
    /* Of --simulate: */
    OPTION_COLLECTORS, /* bool for each collector */
    OPTION_HEAPS,      /* struct heap_list */
    OPTION_NURSERIES,  /* struct nursery_list */
    OPTION_TENURES,    /* bool for each number of collections */
    OPTION_IGNORING    /* violation_set: kinds of violations */
};

/* Where a value is stored, as an offset into struct options. */
struct option_target {
    size_t offset;
    size_t size; /* 0: it is not stored */
};

struct option_row {
    const char *name; /* NULL: the row begins the group of `topic`, with the heading `help` */
    char letter;      /* of the short form; '\0': there is none */
    enum option_kind kind;
    struct option_target target;
    unsigned commands;    /* the commands that it applies to: bit i for enum command i */
    const char *help;     /* the text of --help=TOPIC, without the default */
    const char *everyday; /* the text of --help; NULL: it is not there */
    const char *topic;    /* of a row that begins a group: the word for --help=TOPIC */

    const char *words;    /* the allowed words: "a|b|c"; the first is the default of a choice */
    const char *argument; /* the name of the value in --help; NULL: `words`, or nothing */
    bool is_optional;     /* the value may be left out */
    const char *left_out; /* the value if it is left out */
    uint64_t least, most; /* of a number; 0: any */
    uint64_t preset;      /* the default of a number; 0: none */
    const char *initial;  /* the default of a list of --simulate */
    bool help_has_default; /* `help` says what it is */
    const char *forms;     /* of a report that it writes: "a|b" (output_checks.c); NULL: any */
    bool chooses_form;     /* --format says which of the forms */
    struct option_target given; /* a bool that is set when the option is given */
    enum command command;       /* the command that it asks for; COMMAND_ADD_DEATHS: none */

    /* Names of other options, with a blank between them. */
    const char *needs;    /* at least one of these must be given as well */
    unsigned for_reports; /* a report with this trait must be asked for; 0: none */
    /* None of these may be given; only one of two such options names the other. */
    const char *conflicts;
    const char *because; /* the reason for `conflicts`, if it is not obvious */
    bool of_computed;    /* it is for computed deaths, not for --death-from=free */
    bool of_trace;       /* it is for the trace that is written, not for reports alone */
};

/* There are fewer rows than these. */
enum { OPTION_ROWS_MOST = 160 };

/* The table; *count is set to the number of its rows. */
const struct option_row *option_table(size_t *count);

/* The row of the option with this name, which ends at a blank or at the end of the string;
 * NULL: there is none. */
const struct option_row *option_find(const char *name);

/* Old name number `i`, from 0, that an option had in an earlier release; sets *now to the row
 * of the option. NULL: there are not so many. */
const char *option_old_name(size_t i, const struct option_row **now);

/* Room for the help of an option with its default. */
enum { OPTION_HELP_ROOM = 256 };

/* The default of an option, for people: a word, or a number, which is written to `room`; NULL:
 * it has none. */
enum { OPTION_DEFAULT_ROOM = 24 };
const char *option_default(const struct option_row *row, char room[OPTION_DEFAULT_ROOM]);

/* The name of the option that asks for a report. */
const char *options_report_name(enum report_kind kind);

/* A set of options, such as those that were given, by their rows. */
struct option_set {
    bool rows[OPTION_ROWS_MOST];
};

/* Whether the set has the option `name`, which must exist, and ends as for option_find. */
bool option_is_in(const struct option_set *set, const char *name);

/* Room for the names of all options, which have at most OPTION_NAME_LENGTH bytes. */
enum {
    OPTION_NAME_LENGTH = 26,
    OPTION_NAMES_ROOM = OPTION_ROWS_MOST * (OPTION_NAME_LENGTH + 6)
};

/* Writes the options in the set to `out`, which has OPTION_NAMES_ROOM, in the order of the
 * table: "--a, --b or --c". Returns how many there are. */
size_t option_list_names(char *out, const struct option_set *set);

/* In a list of names with blanks between them, the name after `name`; NULL: it is the last. */
const char *option_next_name(const char *name);

/* Reads CODEC[:LEVEL], where CODEC is zstd, gzip, xz or none, into the codec and level of
 * *compression. STATUS_MEANING: it is anything else. */
enum status parse_compression(const char *word, struct compression *compression,
                              struct failure *why) MUST_CHECK;

/* Checks that the options which were given go together. STATUS_MEANING: they do not. */
enum status options_check(const struct options *options, const struct option_set *given,
                          struct failure *why) MUST_CHECK;

#endif
