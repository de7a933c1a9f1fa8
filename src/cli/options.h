/* The command line. */
#ifndef ETMERLIN_CLI_OPTIONS_H
#define ETMERLIN_CLI_OPTIONS_H

#include "base/status.h"
#include "io/pack.h"
#include "io/source.h"
#include "merlin/last_use.h"
#include "merlin/merge.h"
#include "merlin/propagation.h"
#include "report/basis.h"
#include "report/bounds.h"
#include "report/violations.h"
#include "trace/reader.h"
#include "trace/writer.h"

#include <stdbool.h>
#include <stdint.h>

/* What the program is asked to do. */
enum command {
    COMMAND_ADD_DEATHS,
    COMMAND_COMPARE,
    COMMAND_VALIDATE,
    COMMAND_HELP,
    COMMAND_VERSION
};

/* The form of a report. */
enum report_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_TSV };

/* The reports that are written beside a trace or instead of it. */
enum report {
    REPORT_LIFETIMES,
    REPORT_GROUPS,
    REPORT_REFERENCES,
    REPORT_LIVE,
    REPORT_BOUNDS,
    REPORT_ORACLE,
    REPORT_STATS,
    REPORT_COUNT
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
    bool verify;
    struct compression compression;
    bool has_compression; /* it was asked for, whatever the output's name */
    uint64_t jobs;
    uint64_t memory_limit; /* bytes; 0: none */
    enum progress_mode progress;
    struct source_options source;
    struct reader_options reader;
    struct writer_options writer; /* but for explicit_time, which the reader tells */
    enum held_by held_by;
    enum unallocated unallocated;
    enum at_end at_end;
    uint64_t death_thread;
    bool has_death_thread;
    bool deaths_only;
    bool replace_deaths;
    bool renumber;
    bool no_deaths;       /* only convert */
    const char *to;       /* format of the output: the name of a writer_class; NULL: et */
    unsigned threads;     /* 1 or 2 */
    const char *recorded; /* file of the recorded deaths; NULL: the trace */
    enum compare_by compare_by;
    bool compare_all;
    uint64_t show; /* differences; UINT64_MAX: all */
    enum report_format format;
    violation_set ignored;
    const char *reports[REPORT_COUNT]; /* where to write each; NULL: it is not asked for */
    enum receiver_until receiver_until;
    uint64_t live_points; /* most rows of REPORT_LIVE; 0: any number */
    enum report_format stats_format;
    uint64_t top;      /* types and sites in each ranking of REPORT_STATS */
    const char *names; /* name lists: folders and files; NULL: those beside the trace */
    bool verbose;
    bool quiet;
};

/* One row of the table of options. A row without a name starts a group, which `help` names. */
struct option_row {
    int id; /* below 256: the letter of its short form */
    const char *name;
    const char *argument; /* as shown; "a|b|c": the words that are allowed; NULL: none;
                             "[=A]": it may be left out */
    const char *help;     /* lines of --help */
    unsigned commands;    /* that it applies to: bit i is enum command i */
};

/* The table of options; *count is set to the number of its rows. */
const struct option_row *options_table(size_t *count);

/* Reads the command line. STATUS_MEANING: it cannot be understood. The strings
 * in *options are those of `arguments`. */
enum status options_parse(struct options *options, int count, char *const *arguments,
                          struct failure *why) MUST_CHECK;

/* Whether any of options->reports is asked for. */
bool options_want_reports(const struct options *options);

/* Whether the trace itself is written: always without reports, and with reports if an option
 * says where to. */
bool options_write_trace(const struct options *options);

/* The name of the option that asks for a report. */
const char *options_report_name(enum report report);

/* Writes the text of --help. */
void options_print_help(FILE *stream);

#endif
