/* SPDX-License-Identifier: MIT */
/* What --version writes. */
#ifndef ETMERLIN_CLI_VERSION_H
#define ETMERLIN_CLI_VERSION_H

#include <stdio.h>

/* Writes the version of the program, then a line for each library with the version that runs;
 * Judy tells none. */
void version_print(FILE *stream);

#endif
