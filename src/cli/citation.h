/* SPDX-License-Identifier: MIT */
/* What --cite writes. */
#ifndef ETMERLIN_CLI_CITATION_H
#define ETMERLIN_CLI_CITATION_H

#include <stdio.h>

/* Writes BibTeX entries of the program, of Elephant Tracks and of Merlin. What fails shows in
 * ferror(stream). */
void citation_print(FILE *stream);

#endif
