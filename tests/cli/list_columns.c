/* SPDX-License-Identifier: MIT */
/*
 * list_columns: prints a folder of columns (NAME.npy, NAME.txt) as a table with tabs.
 *
 *     list_columns FOLDER NAME...
 *
 * It is written from the description of format 1.0 of .npy files, and shares no code with the
 * program. Exit status: 0, or 2 if a file is not in that format.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct column {
    FILE *numbers;
    unsigned width;
    uint64_t rows;
    char **lines; /* NULL: the column has numbers */
    size_t line_count;
};

static void trouble(const char *name, const char *what)
{
    fprintf(stderr, "list_columns: %s: %s\n", name, what);
    exit(2);
}

static FILE *open_in(const char *folder, const char *name, const char *suffix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    return fopen(path, "r");
}

static void read_header(struct column *column, const char *name)
{
    unsigned char start[10];
    char header[65536];
    int end = 0;
    if (fread(start, 1, 10, column->numbers) != 10 ||
        memcmp(start, "\x93NUMPY\x01\x00", 8) != 0)
        trouble(name, "not of format 1.0");
    size_t length = start[8] + 256u * start[9];
    if ((length + 10) % 64 != 0 || fread(header, 1, length, column->numbers) != length ||
        header[length - 1] != '\n')
        trouble(name, "no aligned header");
    header[length - 1] = '\0';
    if (sscanf(header, "{'descr': '<i%u', 'fortran_order': False, 'shape': (%" SCNu64 ",), }%n",
               &column->width, &column->rows, &end) != 2 ||
        end == 0 || strspn(header + end, " ") != length - 1 - (size_t)end)
        trouble(name, "another header");
}

static void read_lines(struct column *column, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    column->lines = malloc(sizeof *column->lines);
    while ((length = getline(&line, &room, file)) > 0) {
        line[length - 1] = '\0';
        column->lines =
            realloc(column->lines, (column->line_count + 1) * sizeof *column->lines);
        column->lines[column->line_count++] = strdup(line);
    }
    free(line);
    fclose(file);
}

static void open_column(struct column *column, const char *folder, const char *name)
{
    column->numbers = open_in(folder, name, ".npy");
    if (!column->numbers)
        trouble(name, "cannot be opened");
    read_header(column, name);
    FILE *lines = open_in(folder, name, ".txt");
    if (lines)
        read_lines(column, lines);
    if (column->width != (lines ? 4 : 8))
        trouble(name, "of another width");
}

static void print_field(struct column *column, const char *name)
{
    unsigned char bytes[8];
    int64_t number = 0;
    if (fread(bytes, 1, column->width, column->numbers) != column->width)
        trouble(name, "too short");
    for (unsigned i = 0; i < column->width; i++)
        number |= (int64_t)((uint64_t)bytes[i] << (8 * i));
    if (column->width == 4)
        number = (int32_t)number;
    if (number == -1)
        return;
    if (!column->lines)
        printf("%" PRId64, number);
    else if (number < 0 || (uint64_t)number >= column->line_count)
        trouble(name, "no such line");
    else
        fputs(column->lines[number], stdout);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        trouble("usage", "list_columns FOLDER NAME...");
    size_t count = (size_t)argc - 2;
    struct column *columns = calloc(count, sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        open_column(&columns[i], argv[1], argv[i + 2]);
        if (columns[i].rows != columns[0].rows)
            trouble(argv[i + 2], "not as many rows");
        printf("%s%s", i > 0 ? "\t" : "", argv[i + 2]);
    }
    putchar('\n');
    for (uint64_t row = 0; row < columns[0].rows; row++) {
        for (size_t i = 0; i < count; i++) {
            if (i > 0)
                putchar('\t');
            print_field(&columns[i], argv[i + 2]);
        }
        putchar('\n');
    }
    for (size_t i = 0; i < count; i++) {
        if (getc(columns[i].numbers) != EOF)
            trouble(argv[i + 2], "too long");
        fclose(columns[i].numbers);
        for (size_t line = 0; line < columns[i].line_count; line++)
            free(columns[i].lines[line]);
        free(columns[i].lines);
    }
    free(columns);
    return 0;
}
