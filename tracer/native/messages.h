/* SPDX-License-Identifier: MIT */
/* Where the agent prints what people are to read. */
#ifndef ETTRACE_MESSAGES_H
#define ETTRACE_MESSAGES_H

#include <stdio.h>

/* From now on, messages go to what standard error is now, even if the program closes that,
 * unless it is a pipe or a socket. */
void messages_open(void);

/* The stream for messages, which is never NULL. */
FILE *messages(void);

#endif
