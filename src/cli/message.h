/* SPDX-License-Identifier: MIT */
/* What the program tells on standard error beside its summary. */
#ifndef ETMERLIN_CLI_MESSAGE_H
#define ETMERLIN_CLI_MESSAGE_H

#include "base/status.h"

/* The name of the program, with which each message begins. */
extern const char message_program[];

/* Writes a sentence, given as for printf and without its full stop, about `file` (NULL: about
 * none) to standard error, as failure_print does. */
void message(const char *file, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
