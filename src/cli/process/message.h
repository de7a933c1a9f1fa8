/* SPDX-License-Identifier: MIT */
/* Messages on standard error. */
#ifndef ETMERLIN_CLI_PROCESS_MESSAGE_H
#define ETMERLIN_CLI_PROCESS_MESSAGE_H

#include "base/status.h"
#include "formats/name_lists.h"
#include "trace/reader.h"

/* The name of the program, with which each message begins. */
extern const char message_program[];

/* Writes a sentence, given as for printf and without its full stop, about `file` (NULL: about
 * none) to standard error, as failure_print does. */
void message(const char *file, const char *format, ...) PRINTF_LIKE(2, 3);

/* Writes a message for each remark of `reader` that applies to what it has read. */
void remarks_print(const struct reader *reader);

/* Writes a message about the `malformed` lines that were passed over, if there are any, then
 * those of remarks_print. */
void remarks_print_passed_over(const struct reader *reader, uint64_t malformed);

/* Writes messages about name lists that may belong to another trace than the one that `reader`
 * reads, and about names that are missing. */
void remarks_print_lists(const struct reader *reader, const struct list_remarks *remarks);

#endif
