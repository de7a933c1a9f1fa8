/* SPDX-License-Identifier: MIT */
/* Makes the text of --help from the table of options: a screen with the everyday ones, or all
 * options of a topic. The help is in a column of its own, with the default at its end. */
#include "cli/options/option_table.h"

#include <string.h>

enum { HELP_COLUMN = 29, HELP_WIDTH = 80 - HELP_COLUMN };

/* The length of the longest beginning of `text` that ends at a blank, or at the end, and is not
 * longer than a line. */
static size_t line_length(const char *text)
{
    size_t length = strlen(text);
    if (length <= HELP_WIDTH)
        return length;
    for (length = HELP_WIDTH; length > 0 && text[length] != ' ';)
        length--;
    return length > 0 ? length : HELP_WIDTH;
}

/* Prints the lines of `help` from HELP_COLUMN on; `column` is where the cursor stands. */
static void print_help_text(FILE *stream, const char *help, int column)
{
    if (column > HELP_COLUMN - 2) {
        fputc('\n', stream);
        column = 0;
    }
    while (*help) {
        size_t length = line_length(help);
        fprintf(stream, "%*s%.*s\n", HELP_COLUMN - column, "", (int)length, help);
        help += length;
        help += *help == ' ';
        column = 0;
    }
}

/* Prints the names of an option and of its value; returns how many columns they take. */
static int print_names(FILE *stream, const struct option_row *row)
{
    const char *argument = row->argument ? row->argument : row->words;
    int column =
        row->letter ? fprintf(stream, "  -%c, ", row->letter) : fprintf(stream, "      ");
    column += fprintf(stream, "--%s", row->name);
    if (argument)
        column += fprintf(stream, row->is_optional ? "[=%s]" : "=%s", argument);
    return column;
}

/* Prints an option with its help and its default. */
static void print_option(FILE *stream, const struct option_row *row)
{
    char room[OPTION_DEFAULT_ROOM], text[OPTION_HELP_ROOM];
    const char *preset = option_default(row, room);
    int column = print_names(stream, row);
    snprintf(text, sizeof text, preset ? "%s (default %s)" : "%s", row->help, preset);
    print_help_text(stream, text, column);
}

/* Prints the words "a|b|c" as "a, b or c". */
static void print_topics(FILE *stream, const char *words)
{
    for (; *words; words++)
        if (*words == '|')
            fputs(strchr(words + 1, '|') ? ", " : " or ", stream);
        else
            fputc(*words, stream);
}

static void print_everyday(FILE *stream)
{
    size_t count;
    const struct option_row *table = option_table(&count);
    fputs("Usage: etmerlin [OPTION]... [TRACE]...\n"
          "Adds to a heap trace of a Java program the time at which each object became\n"
          "unreachable, or reports on it. Without TRACE, or when it is -, reads standard\n"
          "input. A trace may be compressed (zstd, gzip, xz, bzip2).\n\n",
          stream);
    for (size_t i = 0; i < count; i++)
        if (table[i].everyday)
            print_help_text(stream, table[i].everyday, print_names(stream, &table[i]));
    fputs("\nMore options: --help=TOPIC, where TOPIC is\n", stream);
    print_topics(stream, option_find("help")->words);
    fputs(".\nExit status: 0 fine, 1 differs, 2 trouble. 'man etmerlin' has examples.\n",
          stream);
}

void options_print_help(FILE *stream, const char *topic)
{
    size_t count, printed = 0;
    const struct option_row *table = option_table(&count);
    bool is_wanted = false;
    if (!topic) {
        print_everyday(stream);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_heading = !table[i].name;
        if (is_heading)
            is_wanted = strcmp(topic, "all") == 0 || strcmp(topic, table[i].topic) == 0;
        if (is_wanted && is_heading)
            fprintf(stream, "%s%s:\n", printed++ > 0 ? "\n" : "", table[i].help);
        else if (is_wanted)
            print_option(stream, &table[i]);
    }
}
