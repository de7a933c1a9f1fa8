/* The registry of readable formats. */
#include "trace/reader.h"

#include "trace/et_reader.h"

#include <stddef.h>

static const struct reader_class *const classes[] = {&et_reader_class};

/* How much of the input a bid may look at. */
enum { HEAD_SIZE = 4096 };

/* Reads the first bytes of the source, all HEAD_SIZE when there are as many. */
static enum status read_head(struct source *source, char *head, size_t *length,
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

enum status reader_open(struct reader **out, struct source *source,
                        const struct reader_options *options, struct failure *why)
{
    char head[HEAD_SIZE];
    size_t length;
    enum status status = read_head(source, head, &length, why);
    if (status != STATUS_OK)
        return status;
    const struct reader_class *best = NULL;
    int highest = 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        int bid = classes[i]->bid(head, length);
        if (bid > highest) {
            highest = bid;
            best = classes[i];
        }
    }
    if (!best)
        return fail_at(why, STATUS_MEANING, source_name(source), 0,
                       "Not a trace in any format that etmerlin reads");
    return best->open(out, source, options, why);
}

void reader_close(struct reader *reader)
{
    if (reader)
        reader->class->close(reader);
}
