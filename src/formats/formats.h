/* SPDX-License-Identifier: MIT */
/* The registry of formats. A new one needs a row in a table of formats.c and its word in the
 * table of options. */
#ifndef ETMERLIN_FORMATS_FORMATS_H
#define ETMERLIN_FORMATS_FORMATS_H

#include "trace/reader.h"
#include "trace/writer.h"

/* All classes of readers. Sets *count to their number. */
const struct reader_class *const *formats_readers(size_t *count);

/* Sets *index to the path of the file in `folder` that stands for a trace which is a folder of
 * files. The caller owns it (free). STATUS_MEANING: there is no such file. */
enum status formats_find_index(const char *folder, char **index,
                               struct failure *why) MUST_CHECK;

/* Opens a reader of the format options->format or, if that is NULL, of the class that bids
 * highest for `source`. The caller owns *out (reader_close); `source` must outlive it.
 * STATUS_MEANING: there is no such format, or the source is in none that can be read. */
enum status formats_open_reader(struct reader **out, struct source *source,
                                const struct reader_options *options,
                                struct failure *why) MUST_CHECK;

/* The title of the first format whose readers take an option (enum reader_takes). */
const char *formats_title_taking(unsigned option);

/* The class of writers of the format `name` (NULL: the usual one); NULL: it cannot be written.
 * One that writes lives has times of deaths in ascending order, and so needs them to be times
 * of the trace's clock. */
const struct writer_class *formats_find_writer(const char *name);

/* Opens a writer of the format `name`, or of the usual one if that is NULL, to `sink`, which
 * must outlive it. The caller owns *out (writer_close). STATUS_MEANING: the format cannot be
 * written. */
enum status formats_open_writer(struct writer **out, const char *name, struct sink *sink,
                                const struct writer_options *options,
                                struct failure *why) MUST_CHECK;

#endif
