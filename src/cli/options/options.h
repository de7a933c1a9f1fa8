/* SPDX-License-Identifier: MIT */
/* The command line. */
#ifndef ETMERLIN_CLI_OPTIONS_OPTIONS_H
#define ETMERLIN_CLI_OPTIONS_OPTIONS_H

#include "base/status.h"
#include "io/codec/pack.h"
#include "io/path.h"
#include "io/source.h"
#include "merlin/engine.h"
#include "report/compare/alignment.h"
#include "report/report.h"
#include "report/report_settings.h"
#include "report/validate/violations.h"
#include "trace/reader_class.h"
#include "trace/writer.h"

/* What the program is to do. */
enum command {
    COMMAND_ADD_DEATHS,
    COMMAND_COMPARE,
    COMMAND_VALIDATE,
    COMMAND_CHECK_ORACLE,
    COMMAND_MATCH,
    /* These leave all other commands undone; of several, the one that is last here counts. */
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
    const char *suffix; /* the output of each trace is named by it; NULL: not given */
    bool in_place;
    bool force;
    bool skip_existing;
    bool redoes_failed;  /* --skip-existing has found the statistics of a trace that failed */
    bool trace_is_there; /* --skip-existing has left out the trace that was to be written */
    bool verify;
    struct compression compression;
    bool has_compression; /* an option decides about compression, not the name of the output */
    uint64_t jobs;
    enum progress_mode progress;
    struct source_options source;
    struct reader_options reader;
    struct writer_options writer; /* except explicit_time, which the reader finds out */
    struct assumptions assumptions;
    uint64_t death_thread;
    bool has_death_thread;
    bool deaths_only;
    bool replace_deaths;
    bool renumber;
    bool no_deaths; /* the trace is only converted */
    const char *to; /* format of the output: the name of a writer_class; NULL: the default */
    struct engine_settings engine;
    const char *recorded;    /* file of the recorded deaths; NULL: the trace */
    const char *oracle;      /* file of the oracle to check */
    const char *match;       /* trace to match with */
    uint64_t long_threshold; /* longer lifetimes are long: bytes */
    uint64_t purity;         /* percent */
    enum compare_by compare_by;
    bool compare_all;
    uint64_t show; /* at most so many differences or faults; UINT64_MAX: all */
    enum report_format format;
    bool has_format; /* an option decides about it, not only the name of the output */
    violation_set ignored;
    bool advise;                       /* COMMAND_VALIDATE gives advice instead */
    const char *reports[REPORT_COUNT]; /* file of each, see outputs_report_path; NULL:
                                        * it is not asked for */
    /* The moments of --at, as bits, that each is not made for. */
    uint64_t left_out[REPORT_COUNT];
    struct report_settings report;
    const char *names; /* name lists: folders and files; NULL: those next to the trace */
    bool verbose;
    bool quiet;
    const char *help_topic; /* NULL: none was given */
    const char *old_name;   /* the last option that was given by its old name; NULL: none */
    const char *new_name;   /* the present name of that option */
};

/* Reads the command line. The strings in *options belong to `arguments`. STATUS_MEANING: the
 * options cannot be understood, or do not go together. Call outputs_settle next. */
enum status options_parse(struct options *options, int count, char *const *arguments,
                          struct failure *why) MUST_CHECK;

/* Writes the text of --help=TOPIC, or of --help if `topic` is NULL. */
void options_print_help(FILE *stream, const char *topic);

/* Which outputs the options ask for: the trace, reports, or both. */

/* Whether any of options->reports is asked for. */
bool options_want_reports(const struct options *options);

/* Whether a report that is asked for has the trait. */
bool options_any_report(const struct options *options, enum report_trait trait);

/* Whether options->output is written: the report of a command, or the trace. With reports, the
 * trace is written only if an option says where. */
bool options_write_trace(const struct options *options);

/* Whether options->output is for a report on each trace, so that "%" in it stands for the name
 * of the trace. */
bool options_output_is_report(const struct options *options);

#endif
