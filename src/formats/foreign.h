/* SPDX-License-Identifier: MIT */
/* Input that is no trace. */
#ifndef ETMERLIN_FORMATS_FOREIGN_H
#define ETMERLIN_FORMATS_FOREIGN_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Records in *why (STATUS_MEANING) that the input `name`, which begins with the `length` bytes
 * (1 or more) at `head`, is no trace, what it looks like, and what to do. `formats` lists those
 * that can be read. */
enum status foreign_refuse(const char *name, const char *head, size_t length,
                           const char *formats, struct failure *why);

/* Whether input that begins so is no trace for sure, whatever a reader takes it for: a tar
 * archive, which begins with the name of a file, or text with a byte order mark. */
bool foreign_is_certain(const char *head, size_t length);

#endif
