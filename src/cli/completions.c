/* SPDX-License-Identifier: MIT */
/* Writes completion files for shells, from the table of options: they are made when the program
 * is built, and name what --help names.
 *
 * Usage: completions bash|zsh|fish */
#include "cli/option_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What follows an option: nothing, one of some words, a file, a folder, or anything else. */
enum value {
    VALUE_NONE,
    VALUE_WORDS,
    VALUE_FILE,
    VALUE_OPTIONAL_FILE, /* only behind a = */
    VALUE_FOLDER,
    VALUE_ANY
};

static enum value completions_value_of(const struct option_row *row)
{
    switch (row->kind) {
    case OPTION_FLAG:
        return VALUE_NONE;
    case OPTION_CHOICE:
    case OPTION_FORMAT:
        return VALUE_WORDS;
    case OPTION_FILE:
        return row->is_optional ? VALUE_OPTIONAL_FILE : VALUE_FILE;
    case OPTION_FILES:
        return VALUE_FILE;
    case OPTION_FOLDER:
        return VALUE_FOLDER;
    default:
        return row->words ? VALUE_WORDS : VALUE_ANY;
    }
}

/* Prints the words "a|b|c" with `between` between them. */
static void print_words(const char *words, char between)
{
    for (; *words; words++)
        putchar(*words == '|' ? between : *words);
}

/* Prints one line of the text of --help, without what shells give a meaning. */
static void print_help_line(const char *help)
{
    for (; *help; help++)
        if (!strchr("'[]\"\\`$", *help))
            putchar(*help == '\n' ? ' ' : *help);
}

static void print_bash_value(const struct option_row *row)
{
    printf("    --%s", row->name);
    if (row->letter)
        printf(" | -%c", row->letter);
    fputs(") COMPREPLY=(", stdout);
    switch (completions_value_of(row)) {
    case VALUE_WORDS:
        fputs("$(compgen -W '", stdout);
        print_words(row->words, ' ');
        fputs("' -- \"$word\")", stdout);
        break;
    case VALUE_FILE:
        fputs("$(compgen -f -- \"$word\")", stdout);
        break;
    case VALUE_FOLDER:
        fputs("$(compgen -d -- \"$word\")", stdout);
        break;
    default:
        break;
    }
    puts(") ;;");
}

static void print_bash(const struct option_row *rows, size_t count)
{
    puts("_etmerlin()\n"
         "{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    if [[ $word == = ]]; then word=; fi\n"
         "    if [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    case $option in");
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind != OPTION_FLAG && !rows[i].is_optional)
            print_bash_value(&rows[i]);
    fputs("    *)\n"
          "        if [[ $word != -* ]]; then\n"
          "            COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "            return\n"
          "        fi\n"
          "        compopt +o filenames 2>/dev/null\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    for (size_t i = 0; i < count; i++)
        if (rows[i].name)
            printf("--%s ", rows[i].name);
    puts("' -- \"$word\"))\n"
         "        ;;\n"
         "    esac\n"
         "}\n"
         "complete -F _etmerlin etmerlin");
}

static void print_zsh_row(const struct option_row *row)
{
    bool is_optional = completions_value_of(row) == VALUE_OPTIONAL_FILE;
    bool has_value = row->kind != OPTION_FLAG;
    const char *plus = has_value ? "+" : "";
    const char *equals = is_optional ? "=-" : has_value ? "=" : "";
    if (row->letter)
        printf("    '(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter, plus,
               row->name, equals);
    else
        printf("    '--%s%s[", row->name, equals);
    print_help_line(row->help);
    putchar(']');
    switch (completions_value_of(row)) {
    case VALUE_NONE:
        break;
    case VALUE_WORDS:
        fputs(":value:(", stdout);
        print_words(row->words, ' ');
        putchar(')');
        break;
    case VALUE_FILE:
        fputs(":file:_files", stdout);
        break;
    case VALUE_OPTIONAL_FILE:
        fputs("::file:_files", stdout);
        break;
    case VALUE_FOLDER:
        fputs(":folder:_files -/", stdout);
        break;
    case VALUE_ANY:
        fputs(":value: ", stdout);
        break;
    }
    puts("' \\");
}

static void print_zsh(const struct option_row *rows, size_t count)
{
    puts("#compdef etmerlin\n"
         "_arguments -s \\");
    for (size_t i = 0; i < count; i++)
        if (rows[i].name)
            print_zsh_row(&rows[i]);
    puts("    '*:trace:_files'");
}

static void print_fish_row(const struct option_row *row)
{
    printf("complete -c etmerlin -l %s", row->name);
    if (row->letter)
        printf(" -s %c", row->letter);
    switch (completions_value_of(row)) {
    case VALUE_NONE:
    case VALUE_OPTIONAL_FILE:
        break;
    case VALUE_WORDS:
        fputs(" -x -a '", stdout);
        print_words(row->words, ' ');
        putchar('\'');
        break;
    case VALUE_FILE:
        fputs(" -r -F", stdout);
        break;
    case VALUE_FOLDER:
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
        break;
    case VALUE_ANY:
        fputs(" -x", stdout);
        break;
    }
    fputs(" -d '", stdout);
    print_help_line(row->help);
    puts("'");
}

static void print_fish(const struct option_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].name)
            print_fish_row(&rows[i]);
}

int main(int count, char **arguments)
{
    size_t row_count;
    const struct option_row *rows = option_table(&row_count);
    const char *shell = count == 2 ? arguments[1] : "";
    if (strcmp(shell, "bash") == 0)
        print_bash(rows, row_count);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(rows, row_count);
    else if (strcmp(shell, "fish") == 0)
        print_fish(rows, row_count);
    else
        return 2;
    return fflush(stdout) != 0 || ferror(stdout) ? 2 : EXIT_SUCCESS;
}
