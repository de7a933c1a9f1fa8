/* The registry of formats. Adding one takes a row in a table of formats.c and its word in the
 * table of options. */
#ifndef ETMERLIN_FORMATS_FORMATS_H
#define ETMERLIN_FORMATS_FORMATS_H

#include "trace/reader.h"
#include "trace/writer.h"

/* Sets *index to the path of the file in `folder` that stands for a trace which is a folder of
 * files. The caller owns it (free). STATUS_MEANING: there is none. */
enum status formats_find_index(const char *folder, char **index,
                               struct failure *why) MUST_CHECK;

/* Opens a reader of the format options->format or, if that is NULL, of the class that bids
 * highest for `source`. The caller owns *out (reader_close); `source` must outlive it.
 * STATUS_MEANING: it is in no format that can be read. */
enum status formats_open_reader(struct reader **out, struct source *source,
                                const struct reader_options *options,
                                struct failure *why) MUST_CHECK;

/* Opens a writer of the format `name` to `sink`, which must outlive it. The caller owns *out
 * (writer_close). `name` must be a format that can be written. */
enum status formats_open_writer(struct writer **out, const char *name, struct sink *sink,
                                const struct writer_options *options,
                                struct failure *why) MUST_CHECK;

#endif
