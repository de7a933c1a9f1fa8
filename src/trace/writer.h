/* SPDX-License-Identifier: MIT */
/* A writer turns records, or text that a reader of its format has read, into output. Each
 * format has one class of writers. */
#ifndef ETMERLIN_TRACE_WRITER_H
#define ETMERLIN_TRACE_WRITER_H

#include "base/status.h"
#include "io/sink.h"
#include "io/temporary/spool.h"
#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>

/* A file that has to be in the folder of each output. */
struct companion {
    const char *name;
    const char *text;
    size_t length;
};

/* How an output is to be written. */
struct writer_options {
    bool explicit_time; /* the records carry their own time and have no threads */
    bool compact;       /* HATF: settings that make the output small */
    bool little_endian; /* HATF */
    /* Recorded deaths have times of another clock; in a format with times, they get those of
     * the trace's clock at their place. */
    bool deaths_by_position;
    struct temporary_folder temporary; /* of a temporary file that a writer may need */
};

struct writer;
struct reader_class;

struct writer_class {
    const char *name;                  /* of the format */
    const struct reader_class *reader; /* reads what it writes */
    const struct companion *companion; /* NULL: none */
    bool can_be_compact;               /* takes `compact` */
    bool writes_lives; /* needs no more than reader_skim gives; then it has no `text` */
    /* Makes a writer to `sink`, which must outlive it. */
    enum status (*open)(struct writer **out, struct sink *sink,
                        const struct writer_options *options, struct failure *why);
    enum status (*text)(struct writer *writer, const char *text, size_t length,
                        struct failure *why); /* NULL: what is no record is left out */
    void (*imitate)(struct writer *writer, const char *line,
                    size_t length); /* NULL: there are no lines */
    enum status (*record)(struct writer *writer, const struct record *record,
                          struct failure *why);
    enum status (*finish)(struct writer *writer,
                          struct failure *why); /* NULL: nothing stands after the records */
    void (*close)(struct writer *writer);
};

/* What each class's writer begins with. */
struct writer {
    const struct writer_class *methods;
};

/* Writes `length` bytes of text: what the input has between its records (comments, lines that
 * are no records), or all of the input, if that is in the writer's own format. Formats that
 * have no place for text leave it out. */
static inline enum status MUST_CHECK writer_text(struct writer *writer, const char *text,
                                                 size_t length, struct failure *why)
{
    return writer->methods->text ? writer->methods->text(writer, text, length, why) : STATUS_OK;
}

/* Records that are written from now on end their lines as `line` does, which has `length`
 * bytes, with its line end if there is one. What follows the fields in it is also written after
 * the fields of the next record; until then `line` must stay. */
static inline void writer_imitate(struct writer *writer, const char *line, size_t length)
{
    if (writer->methods->imitate && length > 0)
        writer->methods->imitate(writer, line, length);
}

/* Writes a record of any kind, or what the format has in its place. Records must come in the
 * order of the trace, so that a writer can keep the clock, to which each boundary adds 1 if
 * there are no explicit times. */
static inline enum status MUST_CHECK writer_record(struct writer *writer,
                                                   const struct record *record,
                                                   struct failure *why)
{
    return writer->methods->record(writer, record, why);
}

/* To be called after the last record: writes what the format has after it. */
static inline enum status MUST_CHECK writer_finish(struct writer *writer, struct failure *why)
{
    return writer->methods->finish ? writer->methods->finish(writer, why) : STATUS_OK;
}

/* Releases the writer, not its sink; NULL is allowed. */
static inline void writer_close(struct writer *writer)
{
    if (writer)
        writer->methods->close(writer);
}

#endif
