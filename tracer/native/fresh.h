/* SPDX-License-Identifier: MIT */
/* An output that has a temporary name until all outputs exist, so that what it replaces is kept
 * until the trace begins. */
#ifndef ETTRACE_FRESH_H
#define ETTRACE_FRESH_H

#include "places.h"

/* Zero-initialize it. */
struct fresh {
    char *path;      /* its final name */
    char *temporary; /* its present name; NULL: it has its final one, or is a device */
    char *former;    /* another name of the file that it has replaced; NULL: there is none */
    int descriptor;
    bool is_made; /* it is a new file with its own name */
};

/* Opens `path`, or a new file in its folder that the process locks. */
enum status fresh_open(struct fresh *fresh, const char *path, struct failure *why) MUST_CHECK;

/* Gives the file its name. STATUS_MEANING: there is a file which it may not replace. */
enum status fresh_name(struct fresh *fresh, const struct replacing *replacing,
                       struct failure *why) MUST_CHECK;

/* Removes the file, if it is new, and closes it. A file that it has replaced gets its name
 * back. */
void fresh_drop(struct fresh *fresh);

/* Releases what it owns, and the file that it has replaced, but leaves its file open, which is
 * the caller's from now on. */
void fresh_keep(struct fresh *fresh);

#endif
