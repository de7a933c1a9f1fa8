/* SPDX-License-Identifier: MIT */
/* The summary that --verbose writes. */
#ifndef ETMERLIN_CLI_COMMANDS_SUMMARY_H
#define ETMERLIN_CLI_COMMANDS_SUMMARY_H

#include "merlin/deaths.h"
#include "trace/reader.h"

#include <stdio.h>

/* How long each phase took, in seconds. */
struct phase_times {
    double pass_1;
    double propagation; /* or the second and third reading of windows */
    double pass_2;
};

/* Writes the summary; `digest` is that of pass 1. */
void summary_print(FILE *stream, const struct reader *reader, const struct deaths *deaths,
                   uint64_t digest, const struct phase_times *times);

/* Writes the summary of a conversion, which computes no deaths. `from_free`: the deaths are
 * frees. */
void summary_print_converted(FILE *stream, const struct reader *reader, bool from_free);

#endif
