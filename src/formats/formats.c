#include "formats/formats.h"

#include "formats/hatf_reader.h"
#include "formats/hatf_writer.h"
#include "formats/metatf.h"
#include "formats/tracevis/reader.h"
#include "trace/et_reader.h"
#include "trace/et_writer.h"

#include <string.h>

static const struct reader_class *const readers[] = {
    &et_reader_class, &hatf_reader_class, &metatf_reader_class, &tracevis_reader_class};
static const struct writer_class *const writers[] = {&et_writer_class, &hatf_writer_class,
                                                     &metatf_writer_class};

enum { READERS = sizeof readers / sizeof *readers, WRITERS = sizeof writers / sizeof *writers };

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

/* The class that bids highest, NULL if none bids. */
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

static const struct reader_class *find_reader(const char *name)
{
    for (size_t i = 0; i < READERS; i++)
        if (strcmp(readers[i]->name, name) == 0)
            return readers[i];
    return NULL;
}

enum status formats_open_reader(struct reader **out, struct source *source,
                                const struct reader_options *options, struct failure *why)
{
    const struct reader_class *class;
    if (options->format) {
        class = find_reader(options->format);
    } else {
        char head[HEAD_SIZE];
        size_t length;
        enum status status = read_head(source, head, &length, why);
        if (status != STATUS_OK)
            return status;
        class = find_highest(head, length);
    }
    if (!class)
        return fail_at(why, STATUS_MEANING, source_name(source), 0,
                       "Not a trace in any format that etmerlin reads");
    return class->open(out, source, options, why);
}

enum status formats_open_writer(struct writer **out, const char *name, struct sink *sink,
                                const struct writer_options *options, struct failure *why)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (strcmp(writers[i]->name, name) == 0)
            return writers[i]->open(out, sink, options, why);
    return fail(why, STATUS_MEANING, "There is no writer of the format \"%s\"", name);
}
