/* SPDX-License-Identifier: MIT */
/* Writes the records of a batch in another format, or with other fields, and copies what is no
 * record, such as comments and blank lines. A record takes the place of the old one, and its
 * line ends in the same way. */
#include "trace/rewrite.h"

#include "trace/readahead.h"

enum status rewrite_record(struct rewriting *rewriting, const struct record *from,
                           const struct record *as, struct failure *why)
{
    struct writer *writer = rewriting->writer;
    const char *text = rewriting->batch->text;
    size_t begin = rewriting->written, end = from->begin;
    rewriting->written = from->end;
    if (end > begin)
        TRY(writer_text(writer, text + begin, end - begin, why));
    if (!as)
        return STATUS_OK;
    if (from->end > from->begin)
        writer_imitate(writer, text + from->begin, from->end - from->begin);
    return writer_record(writer, as, why);
}

enum status rewrite_rest(struct rewriting *rewriting, struct failure *why)
{
    const struct batch *batch = rewriting->batch;
    size_t begin = rewriting->written;
    if (begin == batch->text_length)
        return STATUS_OK;
    return writer_text(rewriting->writer, batch->text + begin, batch->text_length - begin, why);
}

/* What all batches of a conversion share. */
struct conversion {
    struct writer *writer;
    uint64_t malformed; /* lines so far */
};

static enum status copy_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct conversion *conversion = context;
    conversion->malformed += batch->malformed;
    return writer_text(conversion->writer, batch->text, batch->text_length, why);
}

static enum status convert_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct conversion *conversion = context;
    struct rewriting rewriting = {.writer = conversion->writer, .batch = batch};
    conversion->malformed += batch->malformed;
    for (size_t i = 0; i < batch->count; i++)
        TRY(rewrite_record(&rewriting, &batch->records[i], &batch->records[i], why));
    return rewrite_rest(&rewriting, why);
}

bool is_same_format(const struct reader *reader, const struct writer *writer)
{
    return writer->methods->reader == reader->methods && writer->methods->text;
}

enum status convert(struct reader *reader, struct writer *writer, unsigned threads,
                    uint64_t *malformed, struct failure *why)
{
    struct conversion conversion = {.writer = writer};
    enum status status = readahead_visit(
        reader, threads, is_same_format(reader, writer) ? copy_batch : convert_batch,
        &conversion, why);
    *malformed = conversion.malformed;
    return status == STATUS_OK ? writer_finish(writer, why) : status;
}
