/* SPDX-License-Identifier: MIT */
/* Meta-TF 1.0 (Chilimbi, Jones, Zorn, ISMM 2000, section 4), as far as etmerlin supports it:
 * files whose records are described by the one DTD that it ships. */
#ifndef ETMERLIN_FORMATS_METATF_METATF_H
#define ETMERLIN_FORMATS_METATF_METATF_H

#include "trace/reader.h"
#include "trace/writer.h"

/* The name of the DTD, by which files refer to it, without a terminator. */
#define METATF_DTD_NAME "et-lifetimes-1.dtd"

/* The length of the header without the DTD's name, and that of the section's header. */
enum { METATF_HEADER = 28, METATF_SECTION_HEADER = 12 };
#define METATF_MAGIC "\177MTF"
enum { METATF_CLASS_64 = 2, METATF_LITTLE_ENDIAN = 1, METATF_BIG_ENDIAN = 2 };

/* The tags of built-in records, and of those in the DTD's section. */
enum {
    METATF_COMMENT = 1,
    METATF_SECTION = 2,
    METATF_METADATA = 3,
    METATF_ALLOC = 4,
    METATF_FREE = 6,
    METATF_CREATE_THREAD = 9,
    METATF_DESTROY_THREAD = 10
};

/* The number of the section that has all records. */
enum { METATF_LIFETIMES = 1 };

/* Bids for the magic number. Allocs become N or A records and frees become D records, of a
 * trace with explicit times; threads are skipped. */
extern const struct reader_class metatf_reader_class;

/* Each allocation becomes an alloc record with the object's id as its address, and each death a
 * free. A thread is created at its first record and destroyed at the end. All records are kept
 * in a temporary file until the end, because the header has their number and size.
 * STATUS_LIMIT: the output would be 4 GiB or more, which the header cannot express. */
extern const struct writer_class metatf_writer_class;

#endif
