/* SPDX-License-Identifier: MIT */
/* Writes completion files for shells, from the table of options of etmerlin, or from what
 * another program prints for --help: they are made when the programs are built.
 *
 * Usage: completions bash|zsh|fish etmerlin
 *        PROGRAM --help | completions bash|zsh|fish PROGRAM */
#include "cli/options/option_table.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program, and what its arguments are to each shell. */
struct program {
    const char *name;
    const char *function; /* of bash */
    const char *bash;     /* for compgen */
    const char *zsh;      /* for _arguments */
    const char *fish;     /* for complete; NULL: files */
};

static const struct program programs[] = {
    {"etmerlin", "_etmerlin", "-f", "'*:trace:_files'", NULL},
    {"etmerlin-replay", "_etmerlin_replay", "-f", "'*:oracle:_files'", NULL},
    {"ettrace", "_ettrace", "-c -f", "'(-)1: :_command_names -e' '*::arguments:_normal'",
     "-a '(__fish_complete_subcommand)'"},
};

/* What follows an option: nothing, one of some words, a file, a folder, or anything else. */
enum value {
    VALUE_NONE,
    VALUE_WORDS,
    VALUE_OPTIONAL_WORDS, /* only after a = */
    VALUE_FILE,
    VALUE_OPTIONAL_FILE, /* the same */
    VALUE_FOLDER,
    VALUE_ANY
};

static enum value value_of(const struct option_row *row)
{
    switch (row->kind) {
    case OPTION_FLAG:
        return VALUE_NONE;
    case OPTION_CHOICE:
    case OPTION_FORMAT:
        return row->is_optional ? VALUE_OPTIONAL_WORDS : VALUE_WORDS;
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

/* Prints a line of --help without characters that have a meaning to shells. */
static void print_help_line(const char *help)
{
    for (; *help; help++)
        if (!strchr("'[]\"\\`$", *help))
            putchar(*help == '\n' ? ' ' : *help);
}

static void print_bash_value(const struct option_row *row)
{
    enum value value = value_of(row);
    if (value == VALUE_NONE)
        return;
    printf("    --%s=", row->name);
    if (!row->is_optional)
        printf(" | --%s", row->name);
    if (row->letter && !row->is_optional)
        printf(" | -%c", row->letter);
    fputs(") COMPREPLY=(", stdout);
    switch (value) {
    case VALUE_WORDS:
    case VALUE_OPTIONAL_WORDS:
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

static void print_bash(const struct program *program, const struct option_row *rows,
                       size_t count)
{
    printf("%s()\n", program->function);
    puts("{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    if [[ $word == = ]]; then word= option+==; fi\n"
         "    if [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD - 2]}=; fi\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    case $option in");
    for (size_t i = 0; i < count; i++)
        if (rows[i].name &&
            (!rows[i].is_optional || value_of(&rows[i]) == VALUE_OPTIONAL_WORDS))
            print_bash_value(&rows[i]);
    printf("    *)\n"
           "        if [[ $word != -* ]]; then\n"
           "            COMPREPLY=($(compgen %s -- \"$word\"))\n",
           program->bash);
    fputs("            return\n"
          "        fi\n"
          "        compopt +o filenames 2>/dev/null\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    for (size_t i = 0; i < count; i++)
        if (rows[i].name)
            printf("--%s ", rows[i].name);
    printf("' -- \"$word\"))\n"
           "        ;;\n"
           "    esac\n"
           "}\n"
           "complete -F %s %s\n",
           program->function, program->name);
}

static void print_zsh_row(const struct option_row *row)
{
    bool is_optional = row->is_optional;
    bool has_value = row->kind != OPTION_FLAG;
    const char *plus = has_value ? "+" : "";
    const char *equals = is_optional ? "=-" : has_value ? "=" : "";
    if (row->letter && is_optional) {
        printf("    '(-%c --%s)-%c[", row->letter, row->name, row->letter);
        print_help_line(row->help);
        puts("]' \\");
        printf("    '(-%c --%s)--%s%s[", row->letter, row->name, row->name, equals);
    } else if (row->letter)
        printf("    '(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter, plus,
               row->name, equals);
    else
        printf("    '--%s%s[", row->name, equals);
    print_help_line(row->help);
    putchar(']');
    switch (value_of(row)) {
    case VALUE_NONE:
        break;
    case VALUE_WORDS:
    case VALUE_OPTIONAL_WORDS:
        fputs(is_optional ? "::value:(" : ":value:(", stdout);
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
        fputs(is_optional ? "::value: " : ":value: ", stdout);
        break;
    }
    puts("' \\");
}

static void print_zsh(const struct program *program, const struct option_row *rows,
                      size_t count)
{
    printf("#compdef %s\n"
           "_arguments -s \\\n",
           program->name);
    for (size_t i = 0; i < count; i++)
        if (rows[i].name)
            print_zsh_row(&rows[i]);
    printf("    %s\n", program->zsh);
}

static void print_fish_row(const struct program *program, const struct option_row *row)
{
    printf("complete -c %s -l %s", program->name, row->name);
    if (row->letter)
        printf(" -s %c", row->letter);
    switch (value_of(row)) {
    case VALUE_NONE:
    case VALUE_OPTIONAL_FILE:
        break;
    case VALUE_WORDS:
    case VALUE_OPTIONAL_WORDS:
        fputs(row->is_optional ? " -f -a '" : " -x -a '", stdout);
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
        fputs(row->is_optional ? "" : " -x", stdout);
        break;
    }
    fputs(" -d '", stdout);
    print_help_line(row->help);
    puts("'");
}

static void print_fish(const struct program *program, const struct option_row *rows,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].name)
            print_fish_row(program, &rows[i]);
    if (program->fish)
        printf("complete -c %s -x %s\n", program->name, program->fish);
}

/* The help of a program, as it was read. Its texts are never released. */
struct help {
    struct option_row rows[OPTION_ROWS_MOST];
    size_t count;
};

static char *copied(const char *text, size_t length)
{
    char *copy = strndup(text, length);
    if (!copy)
        exit(2);
    return copy;
}

/* Finds out what the value of an option is. If it is written in small letters, these are the
 * words that it can be. */
static void take_argument(struct option_row *row, const char *argument, size_t length)
{
    row->is_optional = *argument == '[';
    const char *text = argument + row->is_optional;
    if (*text != '=')
        return;
    text++;
    length -= (size_t)(text - argument) + row->is_optional;
    row->argument = copied(text, length);
    row->kind = OPTION_TEXT;
    if (strcmp(row->argument, "FILE") == 0)
        row->kind = OPTION_FILE;
    else if (strcmp(row->argument, "DIR") == 0)
        row->kind = OPTION_FOLDER;
    else if (strchr(row->argument, '|'))
        row->words = row->argument;
}

/* Adds a line to the help of the last option. */
static void take_help(struct help *help, const char *text)
{
    struct option_row *row = &help->rows[help->count - 1];
    char *both = NULL;
    text += strspn(text, " ");
    if (*text && asprintf(&both, "%s%s%s", row->help, *row->help ? "\n" : "", text) < 0)
        exit(2);
    if (!*text)
        return;
    if (*row->help) /* it has an earlier line */
        free((char *)(uintptr_t)row->help);
    row->help = both;
}

/* Reads a line of help: "  -x, --name=VALUE  help", or more help; other lines are ignored. */
static void take_line(struct help *help, const char *line)
{
    enum { NAMES = 6, HELP = 10 };
    size_t blanks = strspn(line, " ");
    const char *name = line + blanks;
    bool has_letter = name[0] == '-' && name[1] && strncmp(name + 2, ", --", 4) == 0;
    char letter = has_letter ? name[1] : '\0';
    if (blanks >= HELP && help->count > 0)
        take_help(help, line);
    name += has_letter ? 4 : 0;
    if (strncmp(name, "--", 2) != 0 || name - line != NAMES || help->count == OPTION_ROWS_MOST)
        return;
    struct option_row *row = &help->rows[help->count++];
    size_t length = strcspn(name, "=[ "), all = strcspn(name, " ");
    *row =
        (struct option_row){.name = copied(name + 2, length - 2), .letter = letter, .help = ""};
    take_argument(row, name + length, all - length);
    take_help(help, name + all);
}

/* Reads the help of a program from standard input. */
static void read_help(struct help *help)
{
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        take_line(help, line);
    }
    free(line);
}

static const struct program *find_program(const char *name)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].name, name) == 0)
            return &programs[i];
    return NULL;
}

int main(int count, char **arguments)
{
    static struct help help;
    const char *shell = count == 3 ? arguments[1] : "";
    const struct program *program = count == 3 ? find_program(arguments[2]) : NULL;
    if (!program)
        return 2;
    const struct option_row *rows = option_table(&help.count);
    if (program != programs) {
        help.count = 0;
        read_help(&help);
        rows = help.rows;
    }
    if (strcmp(shell, "bash") == 0)
        print_bash(program, rows, help.count);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(program, rows, help.count);
    else if (strcmp(shell, "fish") == 0)
        print_fish(program, rows, help.count);
    else
        return 2;
    return fflush(stdout) != 0 || ferror(stdout) ? 2 : EXIT_SUCCESS;
}
