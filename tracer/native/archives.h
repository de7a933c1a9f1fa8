/* SPDX-License-Identifier: MIT */
/* Files, and files in archives, read without the JDK: what it needs to read one stays in the
 * lists that it keeps for all, and so would be in the trace. */
#ifndef ETTRACE_ARCHIVES_H
#define ETTRACE_ARCHIVES_H

#include <stddef.h>

/* Reads what a URL of the JDK names: `file:/PATH`, or `jar:file:/PATH!/NAME` for a file in an
 * archive, each percent-encoded. Returns its bytes, which the caller frees, and sets *length.
 * NULL: it is another kind of URL, or cannot be read, or there is no memory; the JDK may be
 * able to. Archives stay open. Any thread may call it. */
unsigned char *archives_read(const char *url, size_t *length);

/* The same for the file of that name in the archive or folder at `path`; neither is encoded. */
unsigned char *archives_read_in(const char *path, const char *name, size_t *length);

#endif
