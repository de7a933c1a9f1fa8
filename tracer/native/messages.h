/* SPDX-License-Identifier: MIT */
/* Where the agent prints what people are to read. */
#ifndef ETTRACE_MESSAGES_H
#define ETTRACE_MESSAGES_H

#include <stdio.h>

/* From now on, messages go to what standard error is now, even if the program closes that. */
void messages_open(void);

/* The stream for messages: standard error, before messages_open or if that has failed. */
FILE *messages(void);

#endif
