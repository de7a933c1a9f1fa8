/* SPDX-License-Identifier: MIT */
/* What readers have to say of their input. */
#ifndef ETMERLIN_CLI_REMARKS_H
#define ETMERLIN_CLI_REMARKS_H

#include "trace/reader.h"

/* Writes a message for each remark of `reader` that applies to what it has read. */
void remarks_print(const struct reader *reader);

/* The same, after a message on the `malformed` lines that were passed over, if there are any.
 */
void remarks_print_passed_over(const struct reader *reader, uint64_t malformed);

#endif
