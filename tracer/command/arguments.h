/* SPDX-License-Identifier: MIT */
/* The options of java that start the tracer. */
#ifndef ETTRACE_ARGUMENTS_H
#define ETTRACE_ARGUMENTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The options of ettrace's command line; NULL: not given. Texts are borrowed. */
struct arguments {
    const char *output;
    const char *records;
    const char *include, *exclude;
    const char *start_at, *stop_at;
    const char *names;
    const char *ids;        /* "tags" or "header" */
    const char *tick_bytes; /* a size, or 0 */
    const char *check;      /* how many collections */
    bool truth;
    bool force;
    bool no_cache;
    bool verbose;
};

/* Checks the values. STATUS_MEANING: a value is not valid, or options do not go together. */
enum status arguments_check(const struct arguments *arguments, struct failure *why) MUST_CHECK;

/* Checks whether the outputs can be made (places_check); changes nothing. */
enum status arguments_check_places(const struct arguments *arguments,
                                   struct failure *why) MUST_CHECK;

/* Sets *words to `command`, a command of java, with the options after its first word. The
 * trace is open as `descriptor`; -1: the agent opens it. The caller owns the array *words and
 * the options in it; the other words are those of `command`. */
enum status arguments_command(char ***words, const struct arguments *arguments, int descriptor,
                              char **command, struct failure *why) MUST_CHECK;

/* Puts the options into the environment, for the virtual machines that a command starts. Only
 * the first one to begin is traced, or all of them if the name of the trace has %p in it. */
enum status arguments_environment(const struct arguments *arguments,
                                  struct failure *why) MUST_CHECK;

/* A number that changes when a command makes or replaces the trace, or its name lists. */
uint64_t arguments_made(const struct arguments *arguments);

/* Prints the options, one on each line. With these, the agent opens the trace. STATUS_IO: they
 * could not be written. */
enum status arguments_print(const struct arguments *arguments, FILE *stream,
                            struct failure *why) MUST_CHECK;

#endif
