/* SPDX-License-Identifier: MIT */
/* The reader of TraceVis traces, bare text or ZIP archives (etmerlin-formats(5), TRACEVIS). */
#ifndef ETMERLIN_FORMATS_TRACEVIS_TRACEVIS_H
#define ETMERLIN_FORMATS_TRACEVIS_TRACEVIS_H

#include "trace/reader.h"

extern const struct reader_class tracevis_reader_class;

#endif
