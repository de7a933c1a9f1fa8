/* SPDX-License-Identifier: MIT */
/* The reader of TraceVis traces, bare text or ZIP archives (tracevis-zip.md, "Mapping to ET").
 */
#ifndef ETMERLIN_FORMATS_TRACEVIS_TRACEVIS_H
#define ETMERLIN_FORMATS_TRACEVIS_TRACEVIS_H

#include "trace/reader.h"

extern const struct reader_class tracevis_reader_class;

#endif
