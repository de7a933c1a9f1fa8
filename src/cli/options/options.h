/* SPDX-License-Identifier: MIT */
/* The command line. */
#ifndef ETMERLIN_CLI_OPTIONS_OPTIONS_H
#define ETMERLIN_CLI_OPTIONS_OPTIONS_H

#include "base/status.h"
#include "io/pack.h"
#include "io/path.h"
#include "io/source.h"
#include "merlin/engine.h"
#include "report/assumptions.h"
#include "report/compare/alignment.h"
#include "report/report_table.h"
#include "report/validate/violations.h"
#include "trace/reader_options.h"
#include "trace/writer_options.h"

/* What the program is to do. */
enum command {
    COMMAND_ADD_DEATHS,
    COMMAND_COMPARE,
    COMMAND_VALIDATE,
    COMMAND_CHECK_ORACLE,
    COMMAND_MATCH,
    /* With these, nothing else that is asked for is done; of several the last one here counts.
     */
    COMMAND_VERSION,
    COMMAND_CITE,
    COMMAND_HELP
};

/* When to show progress. */
enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct options {
    enum command command;
    char *const *traces; /* as given */
    size_t trace_count;
    const char *trace;  /* the one to read; NULL: standard input */
    const char *output; /* where to write; NULL: standard output */
    const char *suffix; /* makes an output's name of each trace's; NULL: not asked for */
    bool in_place;
    bool force;
    bool skip_existing;
    bool verify;
    struct compression compression;
    bool has_compression; /* it was asked for, whatever the output's name */
    uint64_t jobs;
    enum progress_mode progress;
    struct source_options source;
    struct reader_options reader;
    struct writer_options writer; /* but for explicit_time, which the reader knows */
    struct assumptions assumptions;
    uint64_t death_thread;
    bool has_death_thread;
    bool deaths_only;
    bool replace_deaths;
    bool renumber;
    bool no_deaths; /* only convert */
    const char *to; /* format of the output: the name of a writer_class; NULL: the usual one */
    struct engine_settings engine;
    const char *recorded;    /* file of the recorded deaths; NULL: the trace */
    const char *oracle;      /* file of the oracle to check */
    const char *match;       /* trace to match with */
    uint64_t long_threshold; /* of lifetimes that are long: bytes */
    uint64_t purity;         /* percent */
    enum compare_by compare_by;
    bool compare_all;
    uint64_t show; /* differences, or faults; UINT64_MAX: all */
    enum report_format format;
    violation_set ignored;
    bool advise;                       /* instead of validating */
    const char *reports[REPORT_COUNT]; /* file of each, see options_report_output; NULL:
                                        * it is not asked for */
    uint64_t left_out[REPORT_COUNT];   /* moments of --at, as bits, of which it is not */
    struct report_settings report;
    const char *names; /* name lists: folders and files; NULL: those next to the trace */
    bool verbose;
    bool quiet;
    const char *help_topic; /* NULL: none was given */
    const char *old_name;   /* the last option that was given by its old name; NULL: none */
    const char *new_name;   /* what it is called now */
};

/* Reads the command line. STATUS_MEANING: it cannot be understood. The strings
 * in *options are those of `arguments`. */
enum status options_parse(struct options *options, int count, char *const *arguments,
                          struct failure *why) MUST_CHECK;

/* Writes the text of --help=TOPIC, of --help if the topic is NULL. */
void options_print_help(FILE *stream, const char *topic);

/* Which outputs the options ask for: the trace, reports, or both. */

/* Whether any of options->reports is asked for. */
bool options_want_reports(const struct options *options);

/* Whether `has`, such as report_shows_names, is true of a report that is asked for. */
bool options_any_report(const struct options *options,
                        bool (*has)(const struct report_class *methods));

/* Whether options->output is written: the trace, always without reports, and with reports if an
 * option says where to; or the report of a command. */
bool options_write_trace(const struct options *options);

/* Whether options->output is for a report on each trace, so that "%" in it stands for the name
 * of the trace. */
bool options_output_is_report(const struct options *options);

/* Whether --at names several moments, and a report of the kind is of each of them: then "%" in
 * its file stands for the moment, too. */
bool options_have_moments(const struct options *options, enum report_kind kind);

/* Where a report is to be written, "-" for standard output; NULL: it is not asked for. */
const char *options_report_output(const struct options *options, enum report_kind kind);

/* The file of the one table of statistics, or matches, of several traces, "-" for standard
 * output, in which each has a row; NULL: there is none. */
const char *options_shared_table(const struct options *options);

/* Whether the trace, if it is written, goes to standard output. */
bool options_trace_to_standard_output(const struct options *options);

/* Whether a report does; with `is_table` only those that are written row by row count. */
bool options_report_to_standard_output(const struct options *options, bool is_table);

#endif
