/* Writes completion files for shells, from the table of options: they are made when the program
 * is built, and name what --help names.
 *
 * Usage: completions bash|zsh|fish */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

/* What follows an option: one of some words, a file, a folder, or anything else. */
enum value {
    VALUE_NONE,
    VALUE_WORDS,
    VALUE_FILE,
    VALUE_OPTIONAL_FILE, /* only behind a = */
    VALUE_FOLDER,
    VALUE_ANY
};

/* The letter of the short form; 0: there is none. */
static char letter_of(const struct option_row *row)
{
    return row->id < 256 ? (char)row->id : '\0';
}

static enum value value_of(const struct option_row *row)
{
    if (!row->argument)
        return VALUE_NONE;
    if (row->argument[0] == '[')
        return VALUE_OPTIONAL_FILE;
    if (strstr(row->argument, "FILE")) /* also "DIR|FILE,...", which are no words */
        return VALUE_FILE;
    if (strcmp(row->argument, "DIR") == 0)
        return VALUE_FOLDER;
    return strchr(row->argument, '|') ? VALUE_WORDS : VALUE_ANY;
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
    if (letter_of(row))
        printf(" | -%c", letter_of(row));
    fputs(") COMPREPLY=(", stdout);
    switch (value_of(row)) {
    case VALUE_WORDS:
        fputs("$(compgen -W '", stdout);
        print_words(row->argument, ' ');
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
        if (rows[i].argument && value_of(&rows[i]) != VALUE_OPTIONAL_FILE)
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
    bool is_optional = value_of(row) == VALUE_OPTIONAL_FILE;
    const char *plus = row->argument ? "+" : "";
    const char *equals = is_optional ? "=-" : row->argument ? "=" : "";
    if (letter_of(row))
        printf("    '(-%c --%s)'{-%c%s,--%s%s}'[", letter_of(row), row->name, letter_of(row),
               plus, row->name, equals);
    else
        printf("    '--%s%s[", row->name, equals);
    print_help_line(row->help);
    putchar(']');
    switch (value_of(row)) {
    case VALUE_NONE:
        break;
    case VALUE_WORDS:
        fputs(":value:(", stdout);
        print_words(row->argument, ' ');
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
    if (letter_of(row))
        printf(" -s %c", letter_of(row));
    switch (value_of(row)) {
    case VALUE_NONE:
    case VALUE_OPTIONAL_FILE:
        break;
    case VALUE_WORDS:
        fputs(" -x -a '", stdout);
        print_words(row->argument, ' ');
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
    const struct option_row *rows = options_table(&row_count);
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
