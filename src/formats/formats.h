/* SPDX-License-Identifier: MIT */
/* The registry of formats. Adding one takes a row in a table of formats.c and its word in the
 * table of options. */
#ifndef ETMERLIN_FORMATS_FORMATS_H
#define ETMERLIN_FORMATS_FORMATS_H

#include "trace/reader.h"
#include "trace/writer.h"

/* All classes of readers; *count is set to how many there are. */
const struct reader_class *const *formats_readers(size_t *count);

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

/* Whether a writer of the format `name` (NULL: the usual one) writes times of deaths in the
 * order of the trace, and needs them to be times of its clock. */
bool formats_order_deaths(const char *name);

/* What people call the format whose readers take an option (enum reader_takes). */
const char *formats_title_taking(unsigned option);

/* Whether a writer of the format `name` (NULL: the usual one) has a byte order to choose, and
 * whether it has settings that make its output small. */
bool formats_write_byte_order(const char *name);
bool formats_write_compact(const char *name);

/* Opens a writer of the format `name`, or of the usual one if that is NULL, to `sink`, which
 * must outlive it. The caller owns *out (writer_close). `name` must be a format that can be
 * written. */
enum status formats_open_writer(struct writer **out, const char *name, struct sink *sink,
                                const struct writer_options *options,
                                struct failure *why) MUST_CHECK;

#endif
