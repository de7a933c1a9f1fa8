/* SPDX-License-Identifier: MIT */
/* The options of java that start the tracer. */
#ifndef ETTRACE_ARGUMENTS_H
#define ETTRACE_ARGUMENTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

/* What the command line of ettrace says; NULL: nothing. Texts are borrowed. */
struct arguments {
    const char *output;
    const char *records;
    const char *include, *exclude;
    const char *start_at, *stop_at;
    const char *names;
    const char *ids; /* "tags" or "header" */
    const char *check;
    bool truth;
    bool force;
    bool no_cache;
    bool verbose;
};

/* STATUS_MEANING: a value is none that there is, or options do not go together. */
enum status arguments_check(const struct arguments *arguments, struct failure *why) MUST_CHECK;

/* Whether the outputs can be made (places_check); nothing is changed. */
enum status arguments_check_places(const struct arguments *arguments,
                                   struct failure *why) MUST_CHECK;

/* Makes the command: `command`, of java, with the options after its first word. The trace is
 * open as `descriptor`; -1: the agent opens it. The caller owns the array *words and the
 * options in it. */
enum status arguments_command(char ***words, const struct arguments *arguments, int descriptor,
                              char **command, struct failure *why) MUST_CHECK;

/* Puts the options into the environment, for the virtual machines that a command starts: the
 * first of them to begin is traced, or all where the trace has the process in its name. */
enum status arguments_environment(const struct arguments *arguments,
                                  struct failure *why) MUST_CHECK;

/* Prints the options, one on each line; the agent opens the trace itself then. */
enum status arguments_print(const struct arguments *arguments, FILE *stream,
                            struct failure *why) MUST_CHECK;

#endif
