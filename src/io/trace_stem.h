/* SPDX-License-Identifier: MIT */
/* What the files and folders are called after that belong to a trace: t for t.trace.zst. */
#ifndef ETMERLIN_IO_TRACE_STEM_H
#define ETMERLIN_IO_TRACE_STEM_H

/* The path of a trace with `suffix` in place of that of a compression and of ".trace" before
 * it. Other suffixes stay: they may be all that distinguishes traces. The caller owns what is
 * returned; NULL: no memory. */
char *trace_stem_path(const char *path, const char *suffix);

#endif
