/* SPDX-License-Identifier: MIT */
/* A table is made row by row, so all columns are written at the same time, each through a sink
 * of its own. Texts are numbered in the order of their first rows. Since the same ones recur
 * often, a text is compared with recent ones before it is looked up. */
#include "report/columns.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/symbols.h"
#include "io/sink.h"
#include "report/print.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first line of the README begins so, and its end is a heading and a line for each column.
 * A folder of columns is recognized by them. */
#define README_TITLE "Columns of etmerlin"
#define COLUMN_HEADING "\nThe columns:\n\n"
#define COLUMN_INDENT "    "
#define COLUMN_IS_TEXT " (text)"

/* No README is larger, in bytes. */
enum { README_MOST = 1 << 16 };

/* The size of a column's buffer in bytes, and how many recent texts a column remembers. */
enum { COLUMN_BUFFER = 4096, RECENT_TEXTS = 16 };

struct table_column {
    char *name;
    bool is_text;
    struct sink *sink;
    uint8_t *buffer;
    size_t buffered;
    struct symbols texts;
    uint32_t recent[RECENT_TEXTS]; /* their codes, by length and last byte; NO_SYMBOL: none */
};

struct columns {
    const char *folder;
    const char *shown; /* the name that failures have for it */
    uint64_t rows;
    const struct interrupt *interrupt;
    struct table_column *items;
    size_t count;
    size_t capacity;
    size_t next; /* the column of the next field */
};

enum status columns_new(struct columns **out, const char *folder, const char *shown,
                        uint64_t rows, const struct interrupt *interrupt, struct failure *why)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail_memory(why);
    **out = (struct columns){
        .folder = folder, .shown = shown, .rows = rows, .interrupt = interrupt};
    return STATUS_OK;
}

/* Returns `status`, that of writing a file of the folder. In a failure, the final name of the
 * folder takes the place of the temporary one, which means nothing to the user. */
static enum status about_file(const struct columns *columns, enum status status,
                              struct failure *why)
{
    size_t length = strlen(columns->folder), shown_length = strlen(columns->shown);
    char *shown;
    if (status == STATUS_OK || !why->file || strncmp(why->file, columns->folder, length) != 0)
        return status;
    while (shown_length > 1 && columns->shown[shown_length - 1] == '/')
        shown_length--;
    if (asprintf(&shown, "%.*s%s", (int)shown_length, columns->shown, why->file + length) < 0)
        return status;
    free(why->file);
    why->file = shown;
    return status;
}

/* Opens the file FOLDER/NAMESUFFIX. */
static enum status open_file_of(const struct columns *columns, struct sink **sink,
                                const char *name, const char *suffix, struct failure *why)
{
    const struct sink_options how = {.input = -1, .interrupt = columns->interrupt};
    char *path;
    if (asprintf(&path, "%s/%s%s", columns->folder, name, suffix) < 0)
        return fail_memory(why);
    enum status status = sink_open(sink, path, &how, why);
    free(path);
    return status;
}

/* Writes what NumPy wants before the numbers: a Python literal, padded to a multiple of 64
 * bytes. */
static enum status put_npy_header(const struct columns *columns,
                                  const struct table_column *column, struct failure *why)
{
    enum { PREFIX = 10, HEADER = 128 };
    char header[HEADER + 1];
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = HEADER - PREFIX;
    header[9] = 0;
    int length =
        snprintf(header + PREFIX, sizeof header - PREFIX,
                 "{'descr': '<i%d', 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
                 column->is_text ? 4 : 8, columns->rows);
    memset(header + PREFIX + length, ' ', (size_t)(HEADER - PREFIX - length));
    header[HEADER - 1] = '\n';
    return sink_write(column->sink, header, HEADER, why);
}

/* Whether a column holds text: words, or names. */
static bool is_of_text(const char *name, size_t length)
{
    static const char ending[] = "_name";
    size_t end = sizeof ending - 1;
    return (length == 4 && memcmp(name, "kind", 4) == 0) ||
           (length == 5 && memcmp(name, "cause", 5) == 0) ||
           (length > end && memcmp(name + length - end, ending, end) == 0);
}

static enum status add_column(struct columns *columns, const char *name, size_t length,
                              struct failure *why)
{
    if (!ARRAY_RESERVE(columns->items, columns->capacity, columns->count + 1))
        return fail_memory(why);
    struct table_column *column = &columns->items[columns->count];
    *column = (struct table_column){.name = strndup(name, length),
                                    .is_text = is_of_text(name, length)};
    for (size_t i = 0; i < RECENT_TEXTS; i++)
        column->recent[i] = NO_SYMBOL;
    column->buffer = malloc(COLUMN_BUFFER);
    columns->count++;
    if (!column->name || !column->buffer)
        return fail_memory(why);
    TRY(open_file_of(columns, &column->sink, column->name, ".npy", why));
    return put_npy_header(columns, column, why);
}

static enum status add_columns(struct columns *columns, const char *names, struct failure *why)
{
    enum status status = STATUS_OK;
    while (*names && status == STATUS_OK) {
        size_t length = strcspn(names, " ");
        status = add_column(columns, names, length, why);
        names += length + (names[length] == ' ');
    }
    return status;
}

enum status columns_add(struct columns *columns, const char *names, struct failure *why)
{
    return about_file(columns, add_columns(columns, names, why), why);
}

static enum status flush_column(struct table_column *column, struct failure *why)
{
    size_t length = column->buffered;
    column->buffered = 0;
    return sink_write(column->sink, column->buffer, length, why);
}

/* Puts a number, in the width of the column, into the next column. */
static enum status put_integer(struct columns *columns, uint64_t number, struct failure *why)
{
    struct table_column *column = &columns->items[columns->next++];
    uint8_t *at = column->buffer + column->buffered;
    uint8_t *end =
        column->is_text ? store_little_32(at, (uint32_t)number) : store_little_64(at, number);
    column->buffered += (size_t)(end - at);
    return column->buffered < COLUMN_BUFFER
               ? STATUS_OK
               : about_file(columns, flush_column(column, why), why);
}

/* Sets *code to the number of a text in the column. */
static enum status code_text(struct table_column *column, const char *text, size_t length,
                             uint32_t *code, struct failure *why)
{
    unsigned last = length > 0 ? (unsigned char)text[length - 1] : 0;
    uint32_t *recent = &column->recent[(length + 3 * last) % RECENT_TEXTS];
    size_t recent_length = 0;
    const char *recent_text =
        *recent == NO_SYMBOL ? NULL : symbols_text(&column->texts, *recent, &recent_length);
    if (recent_text && recent_length == length && memcmp(recent_text, text, length) == 0) {
        *code = *recent;
        return STATUS_OK;
    }
    enum status status = symbols_add(&column->texts, text, length, code, why);
    if (status == STATUS_OK && *code > INT32_MAX)
        return fail(why, STATUS_LIMIT, "The column %s has more than %d different texts",
                    column->name, INT32_MAX);
    if (status == STATUS_OK)
        *recent = *code;
    return status;
}

enum status columns_put_text(struct columns *columns, const char *text, size_t length,
                             struct failure *why)
{
    uint32_t code = 0;
    TRY(code_text(&columns->items[columns->next], text, length, &code, why));
    return put_integer(columns, code, why);
}

enum status columns_put_number(struct columns *columns, uint64_t number, struct failure *why)
{
    const struct table_column *column = &columns->items[columns->next];
    char digits[NUMBER_DIGITS];
    if (column->is_text)
        return columns_put_text(columns, digits, number_format(digits, number), why);
    if (number > INT64_MAX)
        return fail(why, STATUS_LIMIT,
                    "A value of %s is %" PRIu64 ", but columns have only numbers below 2^63",
                    column->name, number);
    return put_integer(columns, number, why);
}

enum status columns_put_empty(struct columns *columns, struct failure *why)
{
    return put_integer(columns, UINT64_MAX, why);
}

void columns_end_row(struct columns *columns)
{
    columns->next = 0;
}

static enum status commit_column(struct table_column *column, struct failure *why)
{
    enum status status = flush_column(column, why);
    struct sink *sink = column->sink;
    if (status != STATUS_OK)
        return status;
    column->sink = NULL;
    return sink_commit(sink, why);
}

/* Writes the lines of a text column. */
static enum status write_texts(const struct columns *columns, const struct table_column *column,
                               struct failure *why)
{
    struct sink *sink;
    struct table lines;
    enum status status = open_file_of(columns, &sink, column->name, ".txt", why);
    if (status != STATUS_OK)
        return status;
    status = table_begin(&lines, sink, "", why);
    for (size_t i = 0; status == STATUS_OK && i < column->texts.count; i++) {
        table_text(&lines, symbols_text(&column->texts, (uint32_t)i, NULL));
        table_end_row(&lines);
    }
    if (status == STATUS_OK)
        status = table_end(&lines);
    if (status == STATUS_OK)
        return sink_commit(sink, why);
    sink_discard(sink);
    return status;
}

static const char how_to_load[] =
    "\n"
    "Each NAME.npy holds a column: little-endian integers of 64 bits, in the order of the "
    "rows,\n"
    "and -1 for an empty field, which is no number: leave it out, as these recipes do. A "
    "column\n"
    "with a NAME.txt holds text: integers of 32 bits that are numbers of lines of it, from 0.\n"
    "\n"
    "NumPy, without reading what is not used:\n"
    "\n"
    "    import numpy as np\n"
    "    lifetimes = np.load('lifetime_bytes.npy', mmap_mode='r')\n"
    "    print(lifetimes[lifetimes != -1].mean())\n"
    "\n"
    "pandas, which has missing values:\n"
    "\n"
    "    import glob, os, numpy as np, pandas as pd\n"
    "    t = {}\n"
    "    for name in sorted(f[:-4] for f in glob.glob('*.npy')):\n"
    "        column = np.load(name + '.npy')\n"
    "        if os.path.exists(name + '.txt'):\n"
    "            text = open(name + '.txt', encoding='utf-8', newline='\\n').read()\n"
    "            t[name] = pd.Categorical.from_codes(column, text.split('\\n')[:-1])\n"
    "        else:\n"
    "            t[name] = pd.arrays.IntegerArray(column.astype('int64'), column == -1)\n"
    "    t = pd.DataFrame(t)\n"
    "    print(t['lifetime_bytes'].mean())\n"
    "\n"
    "DuckDB, of that frame:\n"
    "\n"
    "    import duckdb\n"
    "    duckdb.sql('select cause, avg(lifetime_bytes) from t group by cause').show()\n"
    "\n"
    "R, whose numbers are exact to 2^53:\n"
    "\n"
    "    column <- function(name) {\n"
    "        f <- file(paste0(name, '.npy'), 'rb'); on.exit(close(f))\n"
    "        readBin(f, 'raw', 8)\n"
    "        head <- readChar(f, readBin(f, 'integer', 1, 2, FALSE, 'little'))\n"
    "        n <- as.numeric(sub('.*[(]([0-9]+),.*', '\\\\1', head))\n"
    "        if (grepl('<i4', head)) {\n"
    "            x <- readBin(f, 'integer', n, 4, endian = 'little')\n"
    "        } else {\n"
    "            w <- matrix(readBin(f, 'integer', 4 * n, 2, FALSE, 'little'), 4)\n"
    "            w[4, ] <- w[4, ] - 65536 * (w[4, ] > 32767)\n"
    "            x <- colSums(w * 65536^(0:3))\n"
    "        }\n"
    "        replace(x, x == -1, NA)\n"
    "    }\n"
    "    causes <- readLines('cause.txt')[column('cause') + 1]\n"
    "    print(mean(column('lifetime_bytes'), na.rm = TRUE), digits = 15)\n";

static enum status write_readme(const struct columns *columns, struct failure *why)
{
    struct print print = {.why = why};
    TRY(open_file_of(columns, &print.sink, "README", "", why));
    print_text(&print, "%s: %" PRIu64 " rows, as in etmerlin-reports(5), LIFETIMES\n",
               README_TITLE, columns->rows);
    print_bytes(&print, how_to_load, sizeof how_to_load - 1);
    print_text(&print, COLUMN_HEADING);
    for (size_t i = 0; i < columns->count; i++)
        print_text(&print, COLUMN_INDENT "%s%s\n", columns->items[i].name,
                   columns->items[i].is_text ? COLUMN_IS_TEXT : "");
    if (print.status == STATUS_OK)
        return sink_commit(print.sink, why);
    sink_discard(print.sink);
    return print.status;
}

static enum status end_columns(struct columns *columns, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < columns->count && status == STATUS_OK; i++) {
        status = commit_column(&columns->items[i], why);
        if (status == STATUS_OK && columns->items[i].is_text)
            status = write_texts(columns, &columns->items[i], why);
    }
    return status == STATUS_OK ? write_readme(columns, why) : status;
}

enum status columns_end(struct columns *columns, struct failure *why)
{
    return about_file(columns, end_columns(columns, why), why);
}

void columns_free(struct columns *columns)
{
    if (!columns)
        return;
    for (size_t i = 0; i < columns->count; i++) {
        sink_discard(columns->items[i].sink);
        symbols_free(&columns->items[i].texts);
        free(columns->items[i].buffer);
        free(columns->items[i].name);
    }
    free(columns->items);
    free(columns);
}

/* The README of a folder, as far as it is of use here. */
struct columns_readme {
    char text[README_MOST + 1];
    const char *list; /* its lines of columns, which end it */
};

/* Reads a file, which may be anything, such as a FIFO. */
static bool read_readme(struct columns_readme *readme, int folder)
{
    struct stat facts;
    size_t length = 0;
    ssize_t got = -1;
    int file = openat(folder, "README", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    bool is_file = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    while (is_file && length < README_MOST &&
           (got = read(file, readme->text + length, README_MOST - length)) > 0)
        length += (size_t)got;
    if (file >= 0)
        close(file);
    readme->text[length] = '\0';
    return got == 0 && strlen(readme->text) == length;
}

/* The length of the name in a line of the list, which ends with `rest`. */
static size_t listed_name(const char *line, const char **rest)
{
    size_t indent = sizeof COLUMN_INDENT - 1;
    bool is_indented = strncmp(line, COLUMN_INDENT, indent) == 0;
    size_t length = is_indented ? strcspn(line + indent, " \n") : 0;
    *rest = line + (is_indented ? indent : 0) + length;
    return length;
}

/* The end of a line of the list; NULL: this is no such line. */
static const char *listed_end(const char *line)
{
    const char *rest;
    if (listed_name(line, &rest) == 0)
        return NULL;
    if (strncmp(rest, COLUMN_IS_TEXT, sizeof COLUMN_IS_TEXT - 1) == 0)
        rest += sizeof COLUMN_IS_TEXT - 1;
    return *rest == '\n' ? rest + 1 : NULL;
}

/* Whether a README is one of columns, to its end: it has been written here, and nobody has
 * added to it. */
static bool is_readme(struct columns_readme *readme)
{
    const char *heading = strstr(readme->text, COLUMN_HEADING);
    if (strncmp(readme->text, README_TITLE, sizeof README_TITLE - 1) != 0 || !heading)
        return false;
    readme->list = heading + sizeof COLUMN_HEADING - 1;
    const char *line = readme->list;
    while (line && *line)
        line = listed_end(line);
    return line != NULL;
}

/* Whether a README lists the file NAME.npy, or NAME.txt of a column of text. */
static bool lists(const struct columns_readme *readme, const char *file)
{
    enum { SUFFIX = 4 };
    size_t length = strlen(file) > SUFFIX ? strlen(file) - SUFFIX : 0;
    bool is_texts = strcmp(file + length, ".txt") == 0;
    if (!is_texts && strcmp(file + length, ".npy") != 0)
        return false;
    for (const char *line = readme->list; line && *line; line = listed_end(line)) {
        const char *rest;
        size_t listed = listed_name(line, &rest);
        if (listed == length && memcmp(rest - listed, file, length) == 0)
            return !is_texts || *rest == ' ';
    }
    return false;
}

static bool is_own_file(int folder, const char *name, const struct columns_readme *readme)
{
    struct stat facts;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode))
        return false;
    return strcmp(name, "README") == 0 || lists(readme, name);
}

bool columns_are_all(const char *folder)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    struct columns_readme readme;
    bool are_all = directory && read_readme(&readme, dirfd(directory)) && is_readme(&readme);
    for (errno = 0; are_all && (entry = readdir(directory)); errno = 0)
        are_all = is_own_file(dirfd(directory), entry->d_name, &readme);
    are_all = are_all && errno == 0;
    if (directory)
        closedir(directory);
    return are_all;
}
