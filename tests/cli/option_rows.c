/* SPDX-License-Identifier: MIT */
/* Prints the table of options for tests, a line an option, with tabs between the columns:
 * letter, name, value, words, commands, needs, conflicts, purpose, topic, default. `value` is
 * an example after "=", or after "[=" where the value may be left out; "-" means none.
 * Fails with a message if the table contradicts itself. */
#include "cli/options/option_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad(const struct option_row *row, const char *what)
{
    fprintf(stderr, "--%s: %s\n", row->name, what);
    return 1;
}

/* The size of the variable that stores a value of this kind, in bytes. */
static size_t stored_size(const struct option_row *row)
{
    switch (row->kind) {
    case OPTION_FLAG:
        return sizeof(bool);
    case OPTION_CHOICE:
        return row->target.size == sizeof(bool) ? sizeof(bool) : sizeof(unsigned);
    case OPTION_NUMBER:
    case OPTION_SIZE:
        return sizeof(uint64_t);
    case OPTION_CODEC:
        return sizeof(struct compression);
    case OPTION_IGNORING:
        return sizeof(violation_set);
    case OPTION_MOMENTS:
        return sizeof(struct moments);
    case OPTION_COLLECTORS:
        return sizeof((struct plan *)0)->collectors;
    case OPTION_HEAPS:
        return sizeof(struct heap_list);
    case OPTION_NURSERIES:
        return sizeof(struct nursery_list);
    case OPTION_TENURES:
        return sizeof((struct plan *)0)->tenures;
    default:
        return sizeof(const char *);
    }
}

static int check_name(const struct option_row *row)
{
    if (strlen(row->help) + OPTION_DEFAULT_ROOM + 16 > OPTION_HELP_ROOM)
        return bad(row, "the help is too long");
    return strlen(row->name) > OPTION_NAME_LENGTH ? bad(row, "the name is too long") : 0;
}

static int check_target(const struct option_row *row)
{
    bool is_command = row->kind == OPTION_FLAG && row->command != COMMAND_ADD_DEATHS;
    if (row->target.size != stored_size(row) && !(is_command && row->target.size == 0))
        return bad(row, "the target has another size than what is stored");
    if (row->given.size != 0 && row->given.size != sizeof(bool))
        return bad(row, "what shows that it is given is no bool");
    return 0;
}

static int check_words(const struct option_row *row)
{
    bool chooses = row->kind == OPTION_CHOICE || row->kind == OPTION_FORMAT;
    bool has_value = row->kind != OPTION_FLAG;
    if (chooses && !row->words)
        return bad(row, "there are no words to choose from");
    if (row->words && !chooses && row->kind != OPTION_NUMBER)
        return bad(row, "words have no meaning for this kind");
    if (has_value != (row->words || row->argument))
        return bad(row, "the value has no name in --help, or there is none");
    if (!row->commands)
        return bad(row, "it applies to no command");
    return 0;
}

static int check_references(const struct option_row *row, const char *names)
{
    int wrong = 0;
    for (; names; names = option_next_name(names))
        if (!option_find(names) || option_find(names) == row)
            wrong |= bad(row, "names an option that is none, or itself");
    return wrong;
}

/* Reports options with the same name, letter or target. Several commands, though, may each have
 * an option with the same target. */
static int check_pair(const struct option_row *one, const struct option_row *other)
{
    if (strcmp(one->name, other->name) == 0)
        return bad(one, "stands twice");
    if (one->letter && one->letter == other->letter)
        return bad(one, "has the letter of another option");
    if (one->target.size > 0 && one->target.offset == other->target.offset &&
        one->commands & other->commands)
        return bad(one, "has the target of another option");
    return 0;
}

static int check_row(const struct option_row *table, const struct option_row *row)
{
    int wrong = check_name(row) | check_target(row) | check_words(row) |
                check_references(row, row->needs) | check_references(row, row->conflicts);
    for (const struct option_row *other = table; other < row; other++)
        if (other->name)
            wrong |= check_pair(row, other);
    return wrong;
}

/* A value that the option accepts. */
static const char *example(const struct option_row *row)
{
    switch (row->kind) {
    case OPTION_CODEC:
        return "zstd";
    case OPTION_IGNORING:
        return violation_name((enum violation)0);
    case OPTION_NUMBER:
        return "7";
    case OPTION_TENURES:
        return "7";
    case OPTION_MOMENTS:
        return "peak";
    case OPTION_COLLECTORS:
        return "whole";
    case OPTION_SIZE:
    case OPTION_HEAPS:
    case OPTION_NURSERIES:
        return "1G";
    default:
        return row->words ? row->words : "file";
    }
}

static void print_commands(unsigned commands)
{
    static const char *const names[] = {[COMMAND_ADD_DEATHS] = "add",
                                        [COMMAND_COMPARE] = "compare",
                                        [COMMAND_VALIDATE] = "validate",
                                        [COMMAND_CHECK_ORACLE] = "check-oracle",
                                        [COMMAND_MATCH] = "match"};
    size_t count = sizeof names / sizeof *names;
    for (size_t i = 0; i < count; i++)
        printf("%s%c", commands >> i & 1 ? names[i] : "", i + 1 < count ? ',' : '\t');
}

/* Reports in their default form. */
static const struct report_settings settings;

/* Prints the names of the options one of which must be given with this one. */
static void print_needs(const struct option_row *row)
{
    bool has_reports = false;
    size_t count;
    const struct option_row *table = option_table(&count);
    for (size_t k = 0; k < count * REPORT_COUNT; k++) { /* in the order of the table */
        enum report_kind kind = (enum report_kind)(k % REPORT_COUNT);
        const char *name = table[k / REPORT_COUNT].name;
        if (name != options_report_name(kind) ||
            !(report_traits(report_class_of(kind, &settings)) & row->for_reports))
            continue;
        printf("%s%s", has_reports ? " " : "", name);
        has_reports = true;
    }
    if (!has_reports)
        fputs(row->needs ? row->needs : "-", stdout);
    putchar('\t');
}

static void print_row(const struct option_row *row, const char *topic)
{
    char room[OPTION_DEFAULT_ROOM];
    const char *preset = option_default(row, room);
    bool chooses = row->kind == OPTION_CHOICE || row->kind == OPTION_FORMAT;
    const char *value = example(row);
    printf("%c\t%s\t", row->letter ? row->letter : '.', row->name);
    if (row->kind == OPTION_FLAG)
        fputs("-", stdout);
    else
        printf("%s%.*s", row->is_optional ? "[=" : "=", (int)strcspn(value, "|"), value);
    printf("\t%s\t", chooses ? row->words : "-");
    print_commands(row->commands);
    print_needs(row);
    printf("%s\t%s%s\t%s\t%s\n", row->conflicts ? row->conflicts : "-",
           row->of_computed ? "computed," : ",", row->of_trace ? "trace" : "", topic,
           preset ? preset : "-");
}

/* Checks that the words of --help are the topics, in their order, and "all". */
static int check_topics(const struct option_row *table, size_t count)
{
    const char *words = option_find("help")->words;
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(words, "|");
        if (table[i].name)
            continue;
        if (!table[i].topic || strlen(table[i].topic) != length ||
            memcmp(table[i].topic, words, length) != 0)
            return bad(option_find("help"), "its words are not the topics");
        words += length + 1;
    }
    return strcmp(words, "all") == 0 ? 0 : bad(option_find("help"), "the last word is not all");
}

/* Checks that each old name is no option now, and stands for one. */
static int check_old_names(void)
{
    const struct option_row *now;
    const char *name;
    for (size_t i = 0; (name = option_old_name(i, &now)) != NULL; i++)
        if (option_find(name) || !now) {
            fprintf(stderr, "--%s: is an option, or stands for none\n", name);
            return 1;
        }
    return 0;
}

/* Checks that the kind of report has a row of its own and an option. */
static int check_report(enum report_kind kind)
{
    const struct report_class *methods = report_class_of(kind, &settings);
    if ((methods->finish || methods->life) && options_report_name(kind))
        return 0;
    fprintf(stderr, "report %d: has no row, or no option asks for it\n", (int)kind);
    return 1;
}

int main(void)
{
    size_t count;
    int wrong = 0;
    const struct option_row *table = option_table(&count);
    const char *topic = "-";
    for (size_t i = 0; i < count; i++) {
        if (!table[i].name) {
            topic = table[i].topic;
            continue;
        }
        wrong |= check_row(table, &table[i]);
        print_row(&table[i], topic);
    }
    wrong |= check_topics(table, count) | check_old_names();
    for (unsigned kind = 0; kind < REPORT_COUNT; kind++)
        wrong |= check_report((enum report_kind)kind);
    return wrong || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
