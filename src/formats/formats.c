/* SPDX-License-Identifier: MIT */
/* Two tables, readers and writers, and the choice among them: by name, or by the highest bid on
 * the first bytes of the input. A folder is read through the one file in it that a format
 * names. */
#include "formats/formats.h"

#include "formats/et/et.h"
#include "formats/foreign.h"
#include "formats/hatf/hatf.h"
#include "formats/metatf/metatf.h"
#include "formats/selogger/selogger.h"
#include "formats/tracevis/tracevis.h"
#include "io/source.h"
#include "trace/reader_options.h"
#include "trace/writer_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct reader_class *const readers[] = {
    &et_reader_class, &hatf_reader_class, &metatf_reader_class, &selogger_reader_class,
    &tracevis_reader_class};
/* The first one is the usual one. */
static const struct writer_class *const writers[] = {&et_writer_class, &hatf_writer_class,
                                                     &metatf_writer_class};

enum { READERS = sizeof readers / sizeof *readers, WRITERS = sizeof writers / sizeof *writers };

/* How much of the input a bid may look at. */
enum { HEAD_SIZE = 4096 };

/* Reads the first bytes of the source, all HEAD_SIZE when there are as many. */
static enum status formats_read_head(struct source *source, char *head, size_t *length,
                                     struct failure *why)
{
    enum status status = STATUS_OK;
    size_t got = 1;
    *length = 0;
    while (status == STATUS_OK && got > 0 && *length < HEAD_SIZE) {
        status = source_read(source, head + *length, HEAD_SIZE - *length, &got, why);
        if (status == STATUS_OK)
            *length += got;
    }
    source_rewind(source);
    return status;
}

/* The class that bids highest, NULL if none bids. */
static const struct reader_class *formats_find_highest(const char *head, size_t length)
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

/* The class that has a file of this name stand for a folder; NULL: there is none. An empty file
 * shows nothing else of what it is. */
static const struct reader_class *find_by_index(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
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

/* Room for the titles and names of all formats. */
enum { TITLES_ROOM = 512 };

/* Writes what people and --from call the formats to `list`: "A (a), B (b) and C (c)". */
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

/* Finds the class of a format that is not named. To be lenient is to take what no class knows
 * for the usual format, with malformed lines. */
static enum status detect_reader(const struct reader_class **found, struct source *source,
                                 const char *head, size_t length, bool lenient,
                                 struct failure *why)
{
    char titles[TITLES_ROOM];
    *found = length == 0 ? find_by_index(source_name(source)) : NULL;
    if (!*found && !foreign_is_certain(head, length))
        *found = formats_find_highest(head, length);
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
    enum status status = formats_read_head(source, head, &length, why);
    if (options->format)
        found = find_reader(options->format);
    else if (status == STATUS_OK)
        status = detect_reader(&found, source, head, length, options->lenient, why);
    if (status == STATUS_OK && !found)
        return fail_at(why, STATUS_MEANING, source_name(source), 0, "There is no format \"%s\"",
                       options->format);
    if (status == STATUS_OK)
        status = found->open(out, source, options, why);
    if (status == STATUS_OK && found == &et_reader_class)
        trace_mark_read(&(*out)->mark, head, length);
    return status;
}

/* The class of writers of a format that can be written; NULL: it cannot. */
static const struct writer_class *find_writer(const char *name)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (!name || strcmp(writers[i]->name, name) == 0)
            return writers[i];
    return NULL;
}

bool formats_order_deaths(const char *name)
{
    const struct writer_class *writer = find_writer(name);
    return writer && writer->writes_lives;
}

bool formats_write_byte_order(const char *name)
{
    const struct writer_class *writer = find_writer(name);
    return writer && writer->reader->takes & TAKES_BYTE_ORDER;
}

bool formats_write_compact(const char *name)
{
    const struct writer_class *writer = find_writer(name);
    return writer && writer->can_be_compact;
}

enum status formats_open_writer(struct writer **out, const char *name, struct sink *sink,
                                const struct writer_options *options, struct failure *why)
{
    const struct writer_class *writer = find_writer(name);
    if (writer)
        return writer->open(out, sink, options, why);
    return fail(why, STATUS_MEANING, "There is no writer of the format \"%s\"", name);
}
