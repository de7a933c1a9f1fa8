#include "trace/rewrite.h"

#include "trace/readahead.h"

#include <string.h>

enum status rewrite_record(struct rewriting *rewriting, const struct record *from,
                           const struct record *as, struct failure *why)
{
    struct writer *writer = rewriting->writer;
    const char *text = rewriting->batch->text;
    size_t begin = rewriting->written, end = from->begin;
    rewriting->written = from->end;
    enum status status = STATUS_OK;
    if (end > begin)
        status = writer_text(writer, text + begin, end - begin, why);
    if (status != STATUS_OK || !as)
        return status;
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

static enum status convert_batch(struct writer *writer, const struct batch *batch,
                                 struct failure *why)
{
    struct rewriting rewriting = {.writer = writer, .batch = batch};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++)
        status = rewrite_record(&rewriting, &batch->records[i], &batch->records[i], why);
    return status == STATUS_OK ? rewrite_rest(&rewriting, why) : status;
}

bool is_same_format(const struct reader *reader, const struct writer *writer)
{
    return strcmp(reader->class->name, writer->class->name) == 0 && writer->class->text;
}

enum status convert(struct reader *reader, struct writer *writer, unsigned threads,
                    struct failure *why)
{
    struct readahead *batches;
    enum status status = readahead_open(&batches, reader, threads, why);
    if (status != STATUS_OK)
        return status;
    bool as_it_is = is_same_format(reader, writer);
    const struct batch *batch;
    while ((status = readahead_next(batches, &batch, why)) == STATUS_OK) {
        status = as_it_is ? writer_text(writer, batch->text, batch->text_length, why)
                          : convert_batch(writer, batch, why);
        if (status != STATUS_OK)
            break;
    }
    readahead_close(batches);
    return status == STATUS_END ? writer_finish(writer, why) : status;
}
