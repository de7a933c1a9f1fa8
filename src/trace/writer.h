/* A writer turns records, or text that a reader of its format has read, into output. */
#ifndef ETMERLIN_TRACE_WRITER_H
#define ETMERLIN_TRACE_WRITER_H

#include "base/status.h"
#include "io/sink.h"
#include "trace/record.h"

#include <stddef.h>

struct writer;

struct writer_class {
    const char *name;
    enum status (*text)(struct writer *writer, const char *text, size_t length,
                        struct failure *why);
    enum status (*record)(struct writer *writer, const struct record *record,
                          struct failure *why);
};

/* What each class's writer begins with. */
struct writer {
    const struct writer_class *class;
};

/* Writes `length` bytes of text in the writer's format as they are. */
static inline enum status MUST_CHECK writer_text(struct writer *writer, const char *text,
                                                 size_t length, struct failure *why)
{
    return writer->class->text(writer, text, length, why);
}

/* Writes one record. */
static inline enum status MUST_CHECK writer_record(struct writer *writer,
                                                   const struct record *record,
                                                   struct failure *why)
{
    return writer->class->record(writer, record, why);
}

#endif
