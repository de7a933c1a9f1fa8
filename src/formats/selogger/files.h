/* SPDX-License-Identifier: MIT */
/* The files of a SELogger trace: a folder (etmerlin-formats(5), SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_FILES_H
#define ETMERLIN_FORMATS_SELOGGER_FILES_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The file in the folder that describes the events; it stands for the whole trace. */
#define SELOGGER_INDEX "dataids.txt"

/* The files that a log is divided into, in order. Zero-initialize it; parts_free ends it. */
struct parts {
    char **paths;
    size_t count;
};

/* The path of `name` in the folder that has the file `sibling`. NULL: no memory. The caller
 * owns it (free). */
char *file_next_to(const char *sibling, const char *name) MUST_CHECK;

/* The part of `path` that is the name of the file. */
const char *file_name(const char *path);

/* Lists the files PREFIX00001SUFFIX, PREFIX00002SUFFIX, ... in the folder that has the file
 * `sibling`. *parts must be empty, and stays so if there are none. STATUS_MEANING: a file is
 * missing, and a later one is there. */
enum status parts_find(struct parts *parts, const char *sibling, const char *prefix,
                       const char *suffix, struct failure *why) MUST_CHECK;

/* Releases the list; it is empty then. */
void parts_free(struct parts *parts);

#endif
