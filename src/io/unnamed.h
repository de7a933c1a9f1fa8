/* SPDX-License-Identifier: MIT */
/* Temporary files that have no name: nothing is left over, however the program ends. */
#ifndef ETMERLIN_IO_UNNAMED_H
#define ETMERLIN_IO_UNNAMED_H

#include "base/status.h"

/* Where temporary files are: `folder` or, if that is NULL, $TMPDIR, else /tmp. */
const char *unnamed_folder(const char *folder);

/* Makes an empty file in `folder`, readable by this user alone and unlinked at once. Sets
 * *descriptor to it, which the caller closes, or to -1. */
enum status unnamed_open(int *descriptor, const char *folder, struct failure *why) MUST_CHECK;

#endif
