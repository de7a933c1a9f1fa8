/* SPDX-License-Identifier: MIT */
/* Two tables, of readers and of writers. A format is chosen by its name, or by the highest bid
 * for the first bytes of the input. A folder is read through the one file in it that a format
 * names. */
#include "formats/formats.h"

#include "base/text.h"
#include "formats/classes.h"
#include "io/path.h"
#include "io/source.h"
#include "trace/reader_class.h"
#include "trace/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct reader_class *const readers[] = {
    &et_reader_class, &hatf_reader_class, &metatf_reader_class, &selogger_reader_class,
    &tracevis_reader_class};
/* The first is the usual one. */
static const struct writer_class *const writers[] = {&et_writer_class, &hatf_writer_class,
                                                     &metatf_writer_class};

enum { READERS = sizeof readers / sizeof *readers, WRITERS = sizeof writers / sizeof *writers };

/* How many bytes of the input a bid may look at. */
enum { HEAD_SIZE = 4096 };

/* The class that bids highest; NULL: none bids. */
static const struct reader_class *find_highest(const char *head, size_t length)
{
    const struct reader_class *best = NULL;
    int highest = 0;
    for (size_t i = 0; i < READERS; i++) {
        int bid = readers[i]->bid(head, length);
        if (bid > highest) {
            highest = bid;
            best = readers[i];
        }
    }
    return best;
}

const struct reader_class *const *formats_readers(size_t *count)
{
    *count = READERS;
    return readers;
}

/* The class for which a file of this name stands for a folder; NULL: there is none. Only its
 * name shows what an empty file is. */
static const struct reader_class *find_by_index(const char *path)
{
    const char *name = path + path_folder_length(path);
    for (size_t i = 0; i < READERS; i++)
        if (readers[i]->index && strcmp(readers[i]->index, name) == 0)
            return readers[i];
    return NULL;
}

static const struct reader_class *find_reader(const char *name)
{
    for (size_t i = 0; i < READERS; i++)
        if (strcmp(readers[i]->name, name) == 0)
            return readers[i];
    return NULL;
}

enum status formats_find_index(const char *folder, char **index, struct failure *why)
{
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    *index = NULL;
    for (size_t i = 0; i < READERS; i++) {
        char *path;
        if (!readers[i]->index)
            continue;
        if (asprintf(&path, "%s%s%s", folder, slash, readers[i]->index) < 0)
            return fail_memory(why);
        if (access(path, F_OK) == 0) {
            *index = path;
            return STATUS_OK;
        }
        free(path);
    }
    return fail_at(why, STATUS_MEANING, folder, 0,
                   "This folder is no trace: it has no %s, as those of %s have",
                   selogger_reader_class.index, selogger_reader_class.title);
}

const char *formats_title_taking(unsigned option)
{
    for (size_t i = 0; i < READERS; i++)
        if (readers[i]->takes & option)
            return readers[i]->title;
    return "no format";
}

/* The room that the titles and names of all formats need. */
enum { TITLES_ROOM = 512 };

/* Writes the titles of the formats and their names for --from to `list`: "A (a), B (b) and C
 * (c)". */
static void list_titles(char list[TITLES_ROOM])
{
    size_t length = 0;
    for (size_t i = 0; i < READERS; i++) {
        const char *before = i == 0 ? "" : i + 1 < READERS ? ", " : " and ";
        length += (size_t)snprintf(list + length, TITLES_ROOM - length, "%s%s (%s)", before,
                                   readers[i]->title, readers[i]->name);
    }
    snprintf(list + length, TITLES_ROOM - length,
             ", also compressed; --from sets a format that is not recognised");
}

/* Files that are often given in place of a trace, known by their first bytes: a message that
 * names the kind of file helps more than a list of formats. */
static const struct foreign_kind {
    const char *magic;
    size_t length; /* of it */
    size_t at;     /* its position */
    const char *looks;
    const char *advice; /* NULL: there is none */
} foreign_kinds[] = {
    {"\x1f\x9d", 2, 0, "data compressed with compress",
     "decompress it first, as in zcat FILE | etmerlin"},
    {"7z\xbc\xaf\x27\x1c", 6, 0, "a 7z archive", "take the trace out of it first"},
    {"Rar!", 4, 0, "a RAR archive", "take the trace out of it first"},
    {"\xef\xbb\xbf", 3, 0, "text with a byte order mark",
     "take its 3 bytes off, as in tail -c +4 FILE | etmerlin"},
    {"\xff\xfe", 2, 0, "text in UTF-16", "convert it first, as in iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", 2, 0, "text in UTF-16", "convert it first, as in iconv -f UTF-16 -t UTF-8"},
    {"version https://git-lfs", 23, 0, "a pointer of Git LFS", "git lfs pull gets the file"},
    {"<", 1, 0, "a page of the web or another document with markup",
     "it may have been saved in place of the trace"},
    {"JAVA PROFILE", 12, 0, "a heap dump of HPROF", NULL},
    {"FLR", 4, 0, "a recording of Java Flight Recorder", NULL},
    {"\xca\xfe\xba\xbe", 4, 0, "a Java class",
     "ettrace traces programs, as in ettrace -o t.zst -- java -cp FOLDER CLASS"},
    {"\x7f"
     "ELF",
     4, 0, "a program or library", NULL},
    {"%PDF", 4, 0, "a PDF document", NULL},
};

/* A tar archive begins with a block that contains the sum of its bytes, in octal; for the sum,
 * its own field counts as blanks. Old archives have no magic number. All have NUL bytes there,
 * which a text with the same digits by chance has not. */
static bool is_tar(const char *head, size_t length)
{
    enum { BLOCK = 512, SUM_AT = 148, SUM_LENGTH = 8 };
    unsigned sum = SUM_LENGTH * ' ', stated = 0;
    size_t at = SUM_AT;
    if (length < BLOCK || *head == '\0' || !memchr(head, '\0', BLOCK))
        return false;
    for (size_t i = 0; i < BLOCK; i++)
        sum += i < SUM_AT || i >= SUM_AT + SUM_LENGTH ? (unsigned char)head[i] : 0;
    while (at < SUM_AT + SUM_LENGTH && head[at] == ' ')
        at++;
    for (; at < SUM_AT + SUM_LENGTH && head[at] >= '0' && head[at] <= '7'; at++)
        stated = stated * 8 + (unsigned)(head[at] - '0');
    return stated == sum;
}

static const struct foreign_kind *find_foreign_kind(const char *head, size_t length)
{
    static const struct foreign_kind tar = {"", 0, 0, "a tar archive",
                                            "take the trace out of it first"};
    if (is_tar(head, length))
        return &tar;
    for (size_t i = 0; i < sizeof foreign_kinds / sizeof *foreign_kinds; i++) {
        const struct foreign_kind *kind = &foreign_kinds[i];
        if (length >= kind->at + kind->length &&
            memcmp(head + kind->at, kind->magic, kind->length) == 0)
            return kind;
    }
    return NULL;
}

/* Whether input that begins like this cannot be a trace, even if a reader bids for it: it is a
 * tar archive, which begins with the name of a file, or text with a byte order mark. */
static bool foreign_is_certain(const char *head, size_t length)
{
    return is_tar(head, length) || (length >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0);
}

/* Records in *why (STATUS_MEANING) that the input `name` is no trace, what it looks like, and
 * what to do. It begins with the `length` bytes (1 or more) at `head`. `formats` lists the
 * formats that can be read. */
static enum status foreign_refuse(const char *name, const char *head, size_t length,
                                  const char *formats, struct failure *why)
{
    const struct foreign_kind *kind = find_foreign_kind(head, length);
    char quote[TEXT_QUOTE_SIZE];
    if (kind && kind->advice)
        return fail_at(why, STATUS_MEANING, name, 0, "This is no trace: it looks like %s; %s",
                       kind->looks, kind->advice);
    if (kind)
        return fail_at(why, STATUS_MEANING, name, 0,
                       "This is no trace: it looks like %s. What can be read is %s",
                       kind->looks, formats);
    const char *feed = memchr(head, '\n', length);
    size_t line = feed ? (size_t)(feed - head) : length;
    return fail_at(why, STATUS_MEANING, name, 0,
                   "This is no trace: no record begins like %s. What can be read is %s",
                   text_quote(quote, head, text_line_length(head, line)), formats);
}

/* Finds the class of the input if no format is named. With `lenient`, what would be refused is
 * read in the usual format. */
static enum status detect_reader(const struct reader_class **found, struct source *source,
                                 const char *head, size_t length, bool lenient,
                                 struct failure *why)
{
    char titles[TITLES_ROOM];
    *found = length == 0 ? find_by_index(source_name(source)) : NULL;
    if (!*found && !foreign_is_certain(head, length))
        *found = find_highest(head, length);
    if (!*found && lenient)
        *found = &et_reader_class;
    if (*found)
        return STATUS_OK;
    list_titles(titles);
    return foreign_refuse(source_name(source), head, length, titles, why);
}

enum status formats_open_reader(struct reader **out, struct source *source,
                                const struct reader_options *options, struct failure *why)
{
    const struct reader_class *found = NULL;
    char head[HEAD_SIZE];
    size_t length;
    TRY(source_read_head(source, head, HEAD_SIZE, &length, why));
    if (options->format)
        found = find_reader(options->format);
    else
        TRY(detect_reader(&found, source, head, length, options->lenient, why));
    if (!found)
        return fail_at(why, STATUS_MEANING, source_name(source), 0, "There is no format \"%s\"",
                       options->format);
    TRY(found->open(out, source, options, why));
    if (found == &et_reader_class)
        trace_mark_read(&(*out)->mark, head, length);
    return STATUS_OK;
}

const struct writer_class *formats_find_writer(const char *name)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (!name || strcmp(writers[i]->name, name) == 0)
            return writers[i];
    return NULL;
}

enum status formats_open_writer(struct writer **out, const char *name, struct sink *sink,
                                const struct writer_options *options, struct failure *why)
{
    const struct writer_class *writer = formats_find_writer(name);
    if (writer)
        return writer->open(out, sink, options, why);
    return fail(why, STATUS_MEANING, "There is no writer of the format \"%s\"", name);
}
