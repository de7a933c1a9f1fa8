/* SPDX-License-Identifier: MIT */
/* The text of --help, made from the table of options: a line or more for each row, with the
 * help in a column of its own. */
#include "cli/option_table.h"

#include <string.h>

enum { HELP_COLUMN = 29 };

/* Prints the lines of `help` from HELP_COLUMN on; `column` is where the cursor stands. */
static void print_help_text(FILE *stream, const char *help, int column)
{
    if (column > HELP_COLUMN - 2) {
        fputc('\n', stream);
        column = 0;
    }
    for (;;) {
        size_t length = strcspn(help, "\n");
        fprintf(stream, "%*s%.*s\n", HELP_COLUMN - column, "", (int)length, help);
        if (help[length] == '\0')
            return;
        help += length + 1;
        column = 0;
    }
}

/* Prints what stands behind the name of an option; returns how long that is. */
static int print_argument(FILE *stream, const struct option_row *row)
{
    const char *argument = row->argument ? row->argument : row->words;
    if (!argument)
        return 0;
    return fprintf(stream, row->is_optional ? "[=%s]" : "=%s", argument);
}

static void print_option(FILE *stream, const struct option_row *row)
{
    int column =
        row->letter ? fprintf(stream, "  -%c, ", row->letter) : fprintf(stream, "      ");
    column += fprintf(stream, "--%s", row->name);
    column += print_argument(stream, row);
    print_help_text(stream, row->help, column);
}

void options_print_help(FILE *stream)
{
    size_t count;
    const struct option_row *table = option_table(&count);
    fputs("Usage: etmerlin [OPTION]... [TRACE]...\n"
          "Reads an Elephant Tracks heap trace and writes it with the death of each object\n"
          "in its place, computed by the Merlin algorithm. Without TRACE, or when it is -,\n"
          "reads standard input. A trace may be compressed (zstd, gzip, xz, bzip2).\n",
          stream);
    for (size_t i = 0; i < count; i++)
        if (table[i].name)
            print_option(stream, &table[i]);
        else
            fprintf(stream, "\n%s:\n", table[i].help);
    fputs("\nExit status: 0 fine, 1 differs, 2 trouble. The manual etmerlin(1) says more.\n",
          stream);
}
