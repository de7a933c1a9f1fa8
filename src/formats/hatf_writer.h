/* The writer of HATF 1.0 (hatf.md, section 8): each allocation is an alloc record with the
 * object's id as its address, each death a free, and threads are created with their first
 * record and destroyed at the end. */
#ifndef ETMERLIN_FORMATS_HATF_WRITER_H
#define ETMERLIN_FORMATS_HATF_WRITER_H

#include "trace/writer.h"

extern const struct writer_class hatf_writer_class;

#endif
