/* SPDX-License-Identifier: MIT */
/* What is to be known of a trace before it is read, because its records do not say it: the
 * dialect, and the order of an update's fields. What is no trace of this format at all shows
 * here, too. */
#ifndef ETMERLIN_FORMATS_ET_INSPECTION_H
#define ETMERLIN_FORMATS_ET_INSPECTION_H

#include "formats/et/dialect.h"
#include "trace/reader_options.h"

/* Reads the beginning of a trace from `reader`, which must keep lines that are no records and
 * read last fields as threads and, if options->update_order is to be detected, updates as
 * container, value, field; notes what the boundaries say in *evidence, and rewinds the reader.
 * STATUS_MEANING: it is a relative of the format, or has another order of fields than
 * options->update_order, which may have been detected, allows. */
enum status et_inspect(struct reader *reader, const struct reader_options *options,
                       struct dialect_evidence *evidence, struct failure *why) MUST_CHECK;

#endif
