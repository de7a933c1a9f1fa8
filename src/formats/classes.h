/* SPDX-License-Identifier: MIT */
/* The classes of readers and writers of all formats, for the registry (formats.c). */
#ifndef ETMERLIN_FORMATS_CLASSES_H
#define ETMERLIN_FORMATS_CLASSES_H

#include "trace/reader.h"
#include "trace/writer.h"

/* Elephant Tracks text, in both dialects (etmerlin-formats(5), ELEPHANT TRACKS). The reader
 * bids lowest of all, since nearly any text may be such a trace (et/inspection.h).
 *
 * The writer writes each record as a line of its own, which ends like the line before it, or as
 * writer_imitate wants. After text whose last line has no line end, a record starts on a new
 * line and has no line end itself: so removing the lines of the deaths always restores the
 * text. */
extern const struct reader_class et_reader_class;
extern const struct writer_class et_writer_class;

/* HATF 1.0 (etmerlin-formats(5), HATF 1.0). The reader bids for input that begins like the
 * files that the writer writes. Allocs become N or A records and frees become D records, of a
 * trace with explicit times; all other records are skipped (etmerlin-formats(5), "How they are
 * read"). Before there are metadata about times, the time of an event is its number, from 1.
 *
 * The writer makes of each allocation an alloc record with the object's id as its address, and
 * of each death a free. A thread is created at its first record and destroyed at the end. */
extern const struct reader_class hatf_reader_class;
extern const struct writer_class hatf_writer_class;

/* Meta-TF 1.0 (Chilimbi, Jones, Zorn, ISMM 2000, section 4), as far as it is supported: files
 * whose records are described by the one DTD that etmerlin ships. The reader bids for the magic
 * number; records are read and written as those of HATF, but threads are skipped.
 *
 * The writer keeps all records in a temporary file until the end, because the header has their
 * number and size. STATUS_LIMIT: the output would be 4 GiB or more, which the header cannot
 * express. */
extern const struct reader_class metatf_reader_class;
extern const struct writer_class metatf_writer_class;

/* SELogger traces, which are folders of files; dataids.txt stands for the folder. The reader
 * bids high for it, and also for all other files of SELogger, which it refuses with a message
 * that says what to give instead. */
extern const struct reader_class selogger_reader_class;

/* TraceVis traces, bare text or ZIP archives (etmerlin-formats(5), TRACEVIS). */
extern const struct reader_class tracevis_reader_class;

#endif
