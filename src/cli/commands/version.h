/* SPDX-License-Identifier: MIT */
/* What --version and --cite write. */
#ifndef ETMERLIN_CLI_COMMANDS_VERSION_H
#define ETMERLIN_CLI_COMMANDS_VERSION_H

#include <stdio.h>

/* Writes the version of the program, then a line for each library with the version that runs;
 * Judy has none. */
void version_print(FILE *stream);

/* Writes BibTeX entries of the program, of Elephant Tracks and of Merlin. What fails shows in
 * ferror(stream). */
void citation_print(FILE *stream);

#endif
