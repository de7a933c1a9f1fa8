/* SPDX-License-Identifier: MIT */
/* The other files of the tracer: the agent and its Java part. */
#ifndef ETTRACE_PARTS_H
#define ETTRACE_PARTS_H

#include "base/status.h"

/* The folder in which the parts are or should be. The caller owns it; NULL: no memory. */
char *parts_folder(void);

/* Checks that the parts are there and fit this machine. STATUS_IO: one cannot be read;
 * STATUS_MEANING: the agent cannot be loaded. */
enum status parts_check(struct failure *why) MUST_CHECK;

#endif
