/* SPDX-License-Identifier: MIT */
/* Reads the command line. getopt_long finds the options, as the table lists them; the row of an
 * option says what its value is and where it is stored. Errors are explained here, since
 * getopt's own messages name no candidates. */
#include "base/number.h"
#include "base/options.h"
#include "cli/options/option_table.h"

#include <getopt.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* For a long option, getopt_long returns this plus the index of its row; for a short one its
 * letter. */
enum { FIRST_LONG = 256 };

/* The tables that getopt_long wants, made from ours. */
struct getopt_tables {
    struct option longs[OPTION_ROWS_MOST + 1];
    char shorts[1 + 2 * OPTION_ROWS_MOST + 1];
};

/* Whether an option has a value, in getopt's words: no_argument, required_argument or
 * optional_argument. */
static int argument_need(const struct option_row *row)
{
    if (row->kind == OPTION_FLAG)
        return no_argument;
    return row->is_optional ? optional_argument : required_argument;
}

static void make_getopt_tables(struct getopt_tables *tables)
{
    size_t count;
    const struct option_row *table = option_table(&count);
    struct option *longs = tables->longs;
    char *shorts = tables->shorts;
    *shorts++ = ':'; /* distinguish a missing value from an unknown option */
    for (size_t i = 0; i < count; i++) {
        const struct option_row *row = &table[i];
        if (!row->name)
            continue;
        *longs++ = (struct option){row->name, argument_need(row), NULL, FIRST_LONG + (int)i};
        if (!row->letter)
            continue;
        *shorts++ = row->letter;
        if (argument_need(row) == required_argument)
            *shorts++ = ':';
    }
    *longs = (struct option){NULL, 0, NULL, 0};
    *shorts = '\0';
}

/* The row of the option that getopt_long returned or left in optopt; NULL: there is none. */
static const struct option_row *row_of(int result)
{
    size_t count;
    const struct option_row *table = option_table(&count);
    if (result >= FIRST_LONG)
        return &table[result - FIRST_LONG];
    for (size_t i = 0; i < count; i++)
        if (table[i].letter && table[i].letter == result)
            return &table[i];
    return NULL;
}

/* Sets *choice to the index of `word` among the words of the row. */
static enum status parse_choice(const struct option_row *row, const char *word,
                                unsigned *choice, struct failure *why)
{
    const char *allowed = row->words;
    for (*choice = 0;; ++*choice) {
        size_t length = strcspn(allowed, "|");
        if (strlen(word) == length && memcmp(word, allowed, length) == 0)
            return STATUS_OK;
        if (allowed[length] == '\0')
            return fail(why, STATUS_MEANING, "--%s cannot be \"%s\": it is one of %s",
                        row->name, word, row->words);
        allowed += length + 1;
    }
}

static enum status store_choice(const struct option_row *row, const char *word, void *target,
                                struct failure *why)
{
    unsigned choice;
    TRY(parse_choice(row, word, &choice, why));
    if (row->target.size == sizeof(bool))
        *(bool *)target = choice != 0;
    else
        memcpy(target, &choice, sizeof choice); /* enums are as wide */
    return STATUS_OK;
}

static enum status store_format(const struct option_row *row, const char *word,
                                const char **name, struct failure *why)
{
    unsigned choice;
    *name = !word || strcmp(word, "auto") == 0 ? NULL : word;
    if (!word)
        return STATUS_OK;
    return parse_choice(row, word, &choice, why);
}

static enum status store_option_number(const struct option_row *row, const char *word,
                                       uint64_t *number, struct failure *why)
{
    *number = UINT64_MAX;
    if (row->words && strcmp(word, row->words) == 0)
        return STATUS_OK;
    uint64_t most = row->most > 0 ? row->most : UINT64_MAX;
    if (number_parse(word, strlen(word), number) == NUMBER_OK && *number >= row->least &&
        *number <= most)
        return STATUS_OK;
    if (row->most > 0)
        return fail(why, STATUS_MEANING, "--%s cannot be \"%s\": it is a number from %u to %u",
                    row->name, word, (unsigned)row->least, (unsigned)row->most);
    if (row->words)
        return fail(why, STATUS_MEANING, "--%s cannot be \"%s\": it is a number or \"%s\"",
                    row->name, word, row->words);
    return fail(why, STATUS_MEANING, "--%s cannot be \"%s\": it is a number from %u to 2^64-1",
                row->name, word, (unsigned)row->least);
}

/* Stores the name of something, which messages call `what`. */
static enum status store_name(const struct option_row *row, const char *word, const char **name,
                              const char *what, struct failure *why)
{
    *name = word;
    if (!word || *word)
        return STATUS_OK;
    return fail(why, STATUS_MEANING, "--%s cannot be \"\": it is %s", row->name, what);
}

static enum status parse_level(const char *word, struct compression *compression,
                               struct failure *why)
{
    const struct codec *codec = compression->codec;
    uint64_t level;
    if (number_parse(word, strlen(word), &level) != NUMBER_OK ||
        level < (uint64_t)codec->level_min || level > (uint64_t)codec->level_max)
        return fail(why, STATUS_MEANING, "The level of %s cannot be \"%s\": it is %d to %d",
                    codec->name, word, codec->level_min, codec->level_max);
    compression->level = (int)level;
    return STATUS_OK;
}

enum status parse_compression(const char *word, struct compression *compression,
                              struct failure *why)
{
    compression->codec = NULL;
    compression->level = 0;
    if (strcmp(word, "none") == 0)
        return STATUS_OK;
    size_t length = strcspn(word, ":");
    const struct codec *codec = codec_of_name(word, length);
    if (!codec || !codec->can_encode)
        return fail(why, STATUS_MEANING,
                    "--compress cannot be \"%s\": it is zstd, gzip or xz, perhaps with :LEVEL, "
                    "or none",
                    word);
    compression->codec = codec;
    compression->level = codec->level_default;
    return word[length] == ':' ? parse_level(word + length + 1, compression, why) : STATUS_OK;
}

/* Adds the violations "KIND,..." to *set; names of notes are accepted, but add nothing. */
static enum status parse_violations(const char *words, violation_set *set, struct failure *why)
{
    for (;;) {
        enum violation violation;
        size_t length = strcspn(words, ",");
        if (violation_find(words, length, &violation))
            *set |= (violation_set)1 << violation;
        else if (!validate_note_find(words, length))
            return fail(why, STATUS_MEANING, "--ignore: \"%.*s\" is not a kind of violation",
                        (int)length, words);
        if (words[length] == '\0')
            return STATUS_OK;
        words += length + 1;
    }
}

/* Stores the value `word` of an option; NULL: it was left out. */
static enum status store_value(const struct option_row *row, const char *word, void *target,
                               struct failure *why)
{
    switch (row->kind) {
    case OPTION_FLAG:
        if (row->target.size > 0)
            *(bool *)target = true;
        return STATUS_OK;
    case OPTION_CHOICE:
        return store_choice(row, word, target, why);
    case OPTION_FORMAT:
        return store_format(row, word, target, why);
    case OPTION_NUMBER:
        return store_option_number(row, word, target, why);
    case OPTION_SIZE:
        return parse_size(word, target, why);
    case OPTION_TEXT:
        *(const char **)target = word;
        return STATUS_OK;
    case OPTION_FILE:
        return store_name(row, word, target, "the name of a file", why);
    case OPTION_FOLDER:
        return store_name(row, word, target, "the name of a folder", why);
    case OPTION_FILES:
        return store_name(row, word, target, "names of folders or files", why);
    case OPTION_CODEC:
        return parse_compression(word, target, why);
    case OPTION_MOMENTS:
        return moments_parse(target, word, why);
    case OPTION_COLLECTORS:
        return collectors_parse(target, word, why);
    case OPTION_HEAPS:
        return heaps_parse(target, word, why);
    case OPTION_NURSERIES:
        return nurseries_parse(target, word, why);
    case OPTION_TENURES:
        return tenures_parse(target, word, why);
    case OPTION_IGNORING:
        return parse_violations(word, target, why);
    }
    return STATUS_OK;
}

/* Sets the command, in place of an earlier one unless that is --help, --cite or --version. */
static void ask_for_command(struct options *options, enum command command)
{
    if (command != COMMAND_ADD_DEATHS &&
        (options->command < COMMAND_VERSION || command > options->command))
        options->command = command;
}

static enum status apply_option(struct options *options, const struct option_row *row,
                                const char *argument, struct failure *why)
{
    char *base = (char *)options;
    if (row->given.size > 0)
        *(bool *)(base + row->given.offset) = true;
    ask_for_command(options, row->command);
    return store_value(row, argument ? argument : row->left_out, base + row->target.offset,
                       why);
}

/* The options whose names begin with the first `length` bytes of `name`. */
static struct option_set find_candidates(const char *name, size_t length)
{
    struct option_set candidates = {.rows = {false}};
    size_t rows;
    const struct option_row *table = option_table(&rows);
    for (size_t i = 0; i < rows; i++)
        candidates.rows[i] = table[i].name && strncmp(table[i].name, name, length) == 0;
    return candidates;
}

static bool has_candidates(const char *name, size_t length)
{
    char list[OPTION_NAMES_ROOM];
    struct option_set candidates = find_candidates(name, length);
    return option_list_names(list, &candidates) > 0;
}

/* The option whose name is most similar to the first `length` bytes of `name`; NULL: none is
 * similar. */
static const char *find_nearest(const char *name, size_t length)
{
    size_t rows;
    const struct option_row *table = option_table(&rows);
    struct suggestion suggestion = {.wrong = name, .length = length};
    for (size_t i = 0; i < rows; i++)
        if (table[i].name)
            suggestion_offer(&suggestion, table[i].name);
    return suggestion_word(&suggestion);
}

/* Explains that the long option `name`, which may end with a value, does not exist or is
 * ambiguous. */
static enum status reject_name(const char *name, struct failure *why)
{
    char list[OPTION_NAMES_ROOM];
    size_t length = strcspn(name, "=");
    struct option_set candidates = find_candidates(name, length);
    if (option_list_names(list, &candidates) > 0)
        return fail(why, STATUS_MEANING, "--%.*s could be %s", (int)length, name, list);
    const char *nearest = find_nearest(name, length);
    if (!nearest)
        return fail(why, STATUS_MEANING, "There is no option --%.*s", (int)length, name);
    return fail(why, STATUS_MEANING, "There is no option --%.*s; the nearest is --%s",
                (int)length, name, nearest);
}

/* Explains why getopt_long, which returned `result`, did not accept the argument `word`. */
static enum status reject_option(int result, const char *word, struct failure *why)
{
    const struct option_row *row = row_of(optopt);
    bool is_long = strncmp(word, "--", 2) == 0;
    if (result == ':' && is_long && row)
        return fail(why, STATUS_MEANING, "--%s needs a value", row->name);
    if (result == ':')
        return fail(why, STATUS_MEANING, "-%c needs a value", optopt);
    if (row)
        return fail(why, STATUS_MEANING, "--%s takes no value", row->name);
    if (optopt)
        return fail(why, STATUS_MEANING, "There is no option -%c", optopt);
    return reject_name(word + 2, why);
}

/* Whether the option asks for a report. */
static bool is_report(const struct option_row *row)
{
    size_t first = offsetof(struct options, reports);
    return row->target.size > 0 && row->target.offset >= first &&
           row->target.offset < first + sizeof((struct options *)0)->reports;
}

/* If the argument that getopt_long did not know has an old name or begins it, and no name of
 * now, notes that, and sets optarg to the value that follows, as getopt_long does (NULL: none).
 * Returns the row of the option; NULL: there is no such name. Old names are not in the table of
 * getopt_long, where they would make abbreviations of other names ambiguous. */
static const struct option_row *take_old_name(struct options *options, int count,
                                              char *const *arguments)
{
    const char *word = arguments[optind - 1], *name;
    const struct option_row *now;
    size_t length = strcspn(word, "=");
    if (optopt || strncmp(word, "--", 2) != 0 || has_candidates(word + 2, length - 2))
        return NULL;
    for (size_t i = 0; (name = option_old_name(i, &now)) != NULL; i++) {
        if (strncmp(word + 2, name, length - 2) != 0)
            continue;
        options->old_name = name;
        options->new_name = now->name;
        optarg = word[length] == '=' ? (char *)word + length + 1
                 : optind < count    ? arguments[optind++]
                                     : NULL;
        return now;
    }
    return NULL;
}

/* Reads the options, and notes which were given. */
static enum status parse_options(struct options *options, struct option_set *given, int count,
                                 char *const *arguments, struct failure *why)
{
    struct getopt_tables tables;
    size_t rows;
    const struct option_row *table = option_table(&rows);
    make_getopt_tables(&tables);
    opterr = 0;
    for (;;) {
        int result = getopt_long(count, arguments, tables.shorts, tables.longs, NULL);
        if (result == -1)
            return STATUS_OK;
        const struct option_row *row =
            result == '?' ? take_old_name(options, count, arguments) : row_of(result);
        if (!row || result == ':')
            return reject_option(result, arguments[optind - 1], why);
        if (result == '?' && !optarg)
            return fail(why, STATUS_MEANING, "--%s needs a value", options->old_name);
        if (given->rows[row - table] && is_report(row))
            return fail(why, STATUS_MEANING,
                        "--%s is given twice: each report is written to one file", row->name);
        given->rows[row - table] = true;
        TRY(apply_option(options, row, optarg, why));
    }
}

/* The number of processors that this process may run on. */
static unsigned processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* Sets what some options imply. */
static void complete_options(struct options *options)
{
    if (options->command == COMMAND_ADD_DEATHS && options->reader.deaths_from_free)
        options->no_deaths = true; /* to be computed */
    if (options->engine.threads == 0)
        options->engine.threads = processors() > 1 ? 2 : 1;
    options->report.stats_format = options->format;
    options->compression.threads = processors();
    options->writer.little_endian = options->reader.byte_order == BYTE_ORDER_LITTLE;
}

/* Sets the defaults that are not zero. */
static enum status preset_options(struct options *options, struct failure *why)
{
    size_t count;
    const struct option_row *table = option_table(&count);
    for (size_t i = 0; i < count; i++) {
        void *target = (char *)options + table[i].target.offset;
        if (table[i].preset > 0)
            *(uint64_t *)target = table[i].preset;
        if (table[i].initial)
            TRY(store_value(&table[i], table[i].initial, target, why));
    }
    return STATUS_OK;
}

enum status options_parse(struct options *options, int count, char *const *arguments,
                          struct failure *why)
{
    struct option_set given = {.rows = {false}};
    *options = (struct options){.command = COMMAND_ADD_DEATHS};
    TRY(preset_options(options, why));
    TRY(parse_options(options, &given, count, arguments, why));
    options->traces = arguments + optind;
    options->trace_count = (size_t)(count - optind);
    options->trace = options->trace_count > 0 ? options->traces[0] : NULL;
    complete_options(options);
    return options_check(options, &given, why);
}
