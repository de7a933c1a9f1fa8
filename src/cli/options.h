/* The command line. */
#ifndef ETMERLIN_CLI_OPTIONS_H
#define ETMERLIN_CLI_OPTIONS_H

#include "base/status.h"
#include "merlin/last_use.h"
#include "merlin/merge.h"
#include "merlin/propagation.h"
#include "report/basis.h"
#include "report/violations.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stdint.h>

/* What the program is asked to do. */
enum command { COMMAND_ADD_DEATHS, COMMAND_COMPARE, COMMAND_VALIDATE, COMMAND_HELP, COMMAND_VERSION };

/* The form of a report. */
enum report_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_TSV };

struct options {
    enum command command;
    const char *trace;  /* NULL: standard input */
    const char *output; /* NULL: standard output */
    struct reader_options reader;
    enum held_by held_by;
    enum unallocated unallocated;
    enum at_end at_end;
    uint64_t death_thread;
    bool has_death_thread;
    bool deaths_only;
    bool replace_deaths;
    unsigned threads; /* 1 or 2 */
    const char *recorded; /* file of the recorded deaths; NULL: the trace */
    enum compare_by compare_by;
    bool compare_all;
    uint64_t show; /* differences; UINT64_MAX: all */
    enum report_format format;
    violation_set ignored;
    bool verbose;
    bool quiet;
};

/* Reads the command line. STATUS_MEANING: it cannot be understood. The strings
 * in *options are those of `arguments`. */
enum status options_parse(struct options *options, int count, char *const *arguments,
                          struct failure *why) MUST_CHECK;

/* Writes the text of --help. */
void options_print_help(FILE *stream);

#endif
