/* One table says what the options are: getopt_long and --help are fed from it, and tests
 * compare it with the manual page. */
#include "cli/options.h"

#include "base/memory.h"
#include "base/number.h"
#include "cli/suggest.h"
#include "cli/values.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* What an option does; those without a letter are numbered from where characters end. */
enum option_id {
    OPTION_FORCE = 'f',
    OPTION_FROM = 'F',
    OPTION_HELP = 'h',
    OPTION_JOBS = 'j',
    OPTION_OUTPUT = 'o',
    OPTION_QUIET = 'q',
    OPTION_TO = 't',
    OPTION_VERBOSE = 'v',
    OPTION_VERSION = 'V',
    OPTION_COMPRESS = 'z',
    OPTION_AT_END = 256,
    OPTION_COMPARE,
    OPTION_COMPARE_ALL,
    OPTION_COMPARE_BY,
    OPTION_COMPARE_FORMAT,
    OPTION_BOUNDS,
    OPTION_DEATH_FROM,
    OPTION_DEATH_THREAD,
    OPTION_DEATHS_ONLY,
    OPTION_DIALECT,
    OPTION_ESCAPE_EDGES,
    OPTION_GROUPS,
    OPTION_HATF_COMPACT,
    OPTION_HATF_ENDIAN,
    OPTION_HELD_BY,
    OPTION_IGNORE,
    OPTION_IN_PLACE,
    OPTION_LENIENT,
    OPTION_LOADS_AS_UPDATES,
    OPTION_LIFETIMES,
    OPTION_LIVE,
    OPTION_LIVE_POINTS,
    OPTION_MEMORY_LIMIT,
    OPTION_NAMES,
    OPTION_NO_DEATHS,
    OPTION_ORACLE,
    OPTION_PROGRESS,
    OPTION_RECEIVER_UNTIL,
    OPTION_REFERENCES,
    OPTION_RENUMBER,
    OPTION_REPLACE_DEATHS,
    OPTION_SHOW,
    OPTION_SPOOL,
    OPTION_STATS,
    OPTION_STATS_FORMAT,
    OPTION_SUFFIX,
    OPTION_THREADS,
    OPTION_TMPDIR,
    OPTION_TYPE_SIZES,
    OPTION_TOP,
    OPTION_UNALLOCATED,
    OPTION_VALIDATE,
    OPTION_VALIDATE_FORMAT,
    OPTION_VERIFY,
};

/* Sets of commands that an option applies to. */
enum {
    ADDS = 1 << COMMAND_ADD_DEATHS,
    COMPARES = 1 << COMMAND_COMPARE,
    VALIDATES = 1 << COMMAND_VALIDATE,
    EVERY = ADDS | COMPARES | VALIDATES,
};

static const struct option_row table[] = {
    {0, NULL, NULL, "Input", 0},
    {OPTION_FROM, "from", "auto|et|selogger|tracevis|hatf|metatf",
     "the format of the input; auto (default) finds out", EVERY},
    {OPTION_HATF_ENDIAN, "hatf-endian", "big|little",
     "the byte order of HATF, input and output", EVERY},
    {OPTION_DIALECT, "dialect", "auto|thread|time",
     "what the last field of a record is: its thread, or\n"
     "the time; auto (default) finds out",
     EVERY},
    {OPTION_LOADS_AS_UPDATES, "loads-as-updates", NULL,
     "SELogger: what a load finds in a field was stored\n"
     "there",
     EVERY},
    {OPTION_ESCAPE_EDGES, "escape-edges", NULL,
     "SELogger: an object of a library keeps what its\n"
     "methods are given",
     EVERY},
    {OPTION_TYPE_SIZES, "type-sizes", "FILE",
     "SELogger: the sizes of objects, CLASS,BYTES lines", EVERY},
    {OPTION_LENIENT, "lenient", NULL, "pass malformed lines through and count them",
     ADDS | COMPARES},
    {OPTION_REPLACE_DEATHS, "replace-deaths", NULL,
     "drop the deaths that the trace has already", ADDS},
    {OPTION_SPOOL, "spool", "auto|never|always",
     "keep a copy of the input for the second pass;\n"
     "auto (default): when that is needed, or faster",
     EVERY},
    {OPTION_TMPDIR, "tmpdir", "DIR", "keep it in DIR instead of $TMPDIR or /tmp", EVERY},
    {0, NULL, NULL, "Death times", 0},
    {OPTION_HELD_BY, "held-by", "receiver|none|frame",
     "what an open frame keeps alive: its receiver\n"
     "(default), nothing, or all that is named in it",
     ADDS | COMPARES},
    {OPTION_UNALLOCATED, "unallocated", "last-use|immortal",
     "objects that the trace never allocates: like any\n"
     "other (default), or roots",
     ADDS | COMPARES},
    {OPTION_AT_END, "at-end", "none|die",
     "objects that are alive at the end: no death\n"
     "(default), or one after the last record",
     ADDS | COMPARES},
    {OPTION_DEATH_FROM, "death-from", "last-use|free",
     "of a TraceVis trace: compute the deaths\n"
     "(default), or take the collector's frees for them",
     ADDS | COMPARES},
    {0, NULL, NULL, "Output", 0},
    {OPTION_OUTPUT, "output", "FILE",
     "write to FILE instead of standard output; .zst,\n"
     ".gz and .xz files are compressed",
     EVERY},
    {OPTION_TO, "to", "et|hatf|metatf", "the format of the output (default et)", ADDS},
    {OPTION_HATF_COMPACT, "hatf-compact", NULL, "make a HATF output as small as it can be",
     ADDS},
    {OPTION_SUFFIX, "suffix", "SUFFIX",
     "write to a file beside each TRACE, with SUFFIX\n"
     "added to its name, before .zst, .gz or .xz",
     ADDS},
    {OPTION_IN_PLACE, "in-place", NULL, "replace the TRACE itself", ADDS},
    {OPTION_FORCE, "force", NULL, "replace an output file that is there already", EVERY},
    {OPTION_COMPRESS, "compress", "CODEC[:LEVEL]",
     "compress with zstd, gzip, xz or none, whatever the\n"
     "name of the output",
     EVERY},
    {OPTION_VERIFY, "verify", NULL,
     "read the output back and check it against the\n"
     "input and the deaths before it gets its name",
     ADDS},
    {OPTION_DEATHS_ONLY, "deaths-only", NULL, "write the deaths alone", ADDS},
    {OPTION_NO_DEATHS, "no-deaths", NULL,
     "compute no deaths, only convert; what deaths the\n"
     "input has stay",
     ADDS},
    {OPTION_RENUMBER, "renumber", NULL, "give each allocation an id of its own: 1, 2, 3, ...",
     ADDS},
    {OPTION_DEATH_THREAD, "death-thread", "ID",
     "write ID as the thread of each death; by default\n"
     "it is that of the allocation, 0 if there is none",
     ADDS},
    {0, NULL, NULL, "Reports (FILE may be -; without --output no trace is written)", 0},
    {OPTION_LIFETIMES, "lifetimes", "FILE",
     "write when each object was allocated, last used\n"
     "and died, and why",
     ADDS},
    {OPTION_GROUPS, "groups", "FILE", "write which objects died together", ADDS},
    {OPTION_REFERENCES, "references", "FILE", "write when each reference was made and ended",
     ADDS},
    {OPTION_LIVE, "live", "FILE", "write how large the live heap was over time", ADDS},
    {OPTION_LIVE_POINTS, "live-points", "N", "... in at most N rows", ADDS},
    {OPTION_BOUNDS, "bounds", "FILE",
     "of a TraceVis trace: write when each object died at\n"
     "the earliest and at the latest, and sums by class",
     ADDS},
    {OPTION_RECEIVER_UNTIL, "receiver-until", "exit|entry",
     "... at the earliest when its last call is left\n"
     "(default), or entered",
     ADDS},
    {OPTION_STATS, "stats", "[=FILE]", "write statistics, to standard output without FILE",
     ADDS},
    {OPTION_STATS_FORMAT, "stats-format", "text|json", "their form", ADDS},
    {OPTION_TOP, "top", "N", "... with the first N types and sites (default 20)", ADDS},
    {OPTION_ORACLE, "oracle", "FILE", "write allocations and deaths for replays, as CSV", ADDS},
    {OPTION_NAMES, "names", "DIR|FILE,...",
     "take names of types from these lists instead of\n"
     "those beside the trace",
     ADDS},
    {0, NULL, NULL, "Compare", 0},
    {OPTION_COMPARE, "compare", "[=RECORDED]",
     "instead of a trace, write how the deaths recorded\n"
     "in RECORDED (default: in TRACE) differ from the\n"
     "computed ones",
     COMPARES},
    {OPTION_COMPARE_BY, "compare-by", "auto|time|position",
     "what tells when a recorded death was: its time\n"
     "field, or its place; auto (default) finds out",
     COMPARES},
    {OPTION_COMPARE_ALL, "compare-all", NULL,
     "compare under all assumptions (the options on\n"
     "death times), and write which agree best",
     COMPARES},
    {OPTION_SHOW, "show", "K|all", "list the first K differences (default 10)", COMPARES},
    {OPTION_COMPARE_FORMAT, "compare-format", "text|json|tsv",
     "the form of the report; tsv: a row an allocation", COMPARES},
    {0, NULL, NULL, "Validate", 0},
    {OPTION_VALIDATE, "validate", NULL,
     "instead of a trace, write what is not well-formed\n"
     "in it, and figures",
     VALIDATES},
    {OPTION_IGNORE, "ignore", "KIND,...",
     "accept these kinds of violations; the manual page\n"
     "lists them",
     VALIDATES},
    {OPTION_VALIDATE_FORMAT, "validate-format", "text|json", "the form of the report",
     VALIDATES},
    {0, NULL, NULL, "Speed", 0},
    {OPTION_THREADS, "threads", "auto|1|2",
     "read ahead in a second thread; auto (default): if\n"
     "there are two processors",
     EVERY},
    {OPTION_JOBS, "jobs", "N", "do N traces at once, each in a process of its own", ADDS},
    {OPTION_MEMORY_LIMIT, "memory-limit", "SIZE",
     "stop when a process needs more memory: bytes, or\n"
     "with K, M, G or T",
     EVERY},
    {0, NULL, NULL, "Messages", 0},
    {OPTION_VERBOSE, "verbose", NULL, "write a summary to standard error", ADDS},
    {OPTION_PROGRESS, "progress", "auto|always|never",
     "show how far it is: on a terminal (auto, default),\n"
     "anywhere, or nowhere",
     EVERY},
    {OPTION_QUIET, "quiet", NULL, "write errors only", EVERY},
    {OPTION_HELP, "help", NULL, "write this text", EVERY},
    {OPTION_VERSION, "version", NULL, "write the version", EVERY},
};

enum { ROWS = sizeof table / sizeof *table, HELP_COLUMN = 29 };

/* Which options were given. */
struct given {
    bool rows[ROWS];
};

const struct option_row *options_table(size_t *count)
{
    *count = ROWS;
    return table;
}

static bool has_letter(const struct option_row *row)
{
    return row->id > 0 && row->id < 256;
}

/* What getopt calls it: no_argument, required_argument or optional_argument. */
static int argument_need(const struct option_row *row)
{
    if (!row->argument)
        return no_argument;
    return row->argument[0] == '[' ? optional_argument : required_argument;
}

/* Prints the lines of `help` from HELP_COLUMN on; `column` is where the cursor stands. */
static void print_help_text(FILE *stream, const char *help, int column)
{
    if (column > HELP_COLUMN - 2) {
        fputc('\n', stream);
        column = 0;
    }
    for (;;) {
        size_t length = strcspn(help, "\n");
        fprintf(stream, "%*s%.*s\n", HELP_COLUMN - column, "", (int)length, help);
        if (help[length] == '\0')
            return;
        help += length + 1;
        column = 0;
    }
}

static void print_row(FILE *stream, const struct option_row *row)
{
    if (!row->name) {
        fprintf(stream, "\n%s:\n", row->help);
        return;
    }
    char letter[] = "-x, ";
    letter[1] = (char)row->id;
    int column = fprintf(stream, "  %s--%s%s%s", has_letter(row) ? letter : "    ", row->name,
                         argument_need(row) == required_argument ? "=" : "",
                         row->argument ? row->argument : "");
    print_help_text(stream, row->help, column);
}

void options_print_help(FILE *stream)
{
    fputs("Usage: etmerlin [OPTION]... [TRACE]...\n"
          "Reads an Elephant Tracks heap trace and writes it with the death of each object\n"
          "in its place, computed by the Merlin algorithm. Without TRACE, or when it is -,\n"
          "reads standard input. A trace may be compressed (zstd, gzip, xz, bzip2).\n",
          stream);
    for (size_t i = 0; i < ROWS; i++)
        print_row(stream, &table[i]);
    fputs("\nExit status: 0 fine, 1 differs, 2 trouble. The manual etmerlin(1) says more.\n",
          stream);
}

/* The tables that getopt_long wants, made from ours. */
struct getopt_tables {
    struct option longs[ROWS + 1];
    char shorts[1 + 2 * ROWS + 1];
};

static void make_getopt_tables(struct getopt_tables *tables)
{
    struct option *longs = tables->longs;
    char *shorts = tables->shorts;
    *shorts++ = ':'; /* tell a missing value from an unknown option */
    for (size_t i = 0; i < ROWS; i++) {
        const struct option_row *row = &table[i];
        if (!row->name)
            continue;
        *longs++ = (struct option){row->name, argument_need(row), NULL, row->id};
        if (has_letter(row)) {
            *shorts++ = (char)row->id;
            if (row->argument)
                *shorts++ = ':';
        }
    }
    *longs = (struct option){NULL, 0, NULL, 0};
    *shorts = '\0';
}

/* The row of the option `id`, or NULL. */
static const struct option_row *find_row(int id)
{
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].name && table[i].id == id)
            return &table[i];
    return NULL;
}

/* The place of `word` among the words "a|b|c" that option `id` allows, from 0. */
static enum status parse_choice(int id, const char *word, unsigned *choice, struct failure *why)
{
    const struct option_row *row = find_row(id);
    const char *allowed = row->argument;
    for (*choice = 0;; ++*choice) {
        size_t length = strcspn(allowed, "|");
        if (strlen(word) == length && memcmp(word, allowed, length) == 0)
            return STATUS_OK;
        if (allowed[length] == '\0')
            return fail(why, STATUS_MEANING, "--%s cannot be \"%s\": it is one of %s",
                        row->name, word, row->argument);
        allowed += length + 1;
    }
}

/* Sets *name to the format that option `id` names; NULL: auto. */
static enum status parse_format(int id, const char *word, const char **name,
                                struct failure *why)
{
    unsigned choice;
    *name = strcmp(word, "auto") == 0 ? NULL : word;
    return parse_choice(id, word, &choice, why);
}

static enum status parse_number(int id, const char *word, uint64_t least, uint64_t *value,
                                struct failure *why)
{
    if (number_parse(word, strlen(word), value) == NUMBER_OK && *value >= least)
        return STATUS_OK;
    return fail(why, STATUS_MEANING, "--%s cannot be \"%s\": it is a number from %u to 2^64-1",
                find_row(id)->name, word, (unsigned)least);
}

/* The options that choose one of some words. */
static enum status apply_choice(struct options *options, int id, const char *word,
                                struct failure *why)
{
    unsigned choice = 0;
    enum status status = parse_choice(id, word, &choice, why);
    if (id == OPTION_DIALECT)
        options->reader.dialect = (enum dialect)choice;
    else if (id == OPTION_HATF_ENDIAN)
        options->reader.little_endian = options->writer.little_endian = choice == 1;
    else if (id == OPTION_HELD_BY)
        options->held_by = (enum held_by)choice;
    else if (id == OPTION_UNALLOCATED)
        options->unallocated = (enum unallocated)choice;
    else if (id == OPTION_AT_END)
        options->at_end = (enum at_end)choice;
    else if (id == OPTION_DEATH_FROM)
        options->reader.deaths_from_free = choice == 1;
    else if (id == OPTION_RECEIVER_UNTIL)
        options->receiver_until = (enum receiver_until)choice;
    else if (id == OPTION_SPOOL)
        options->source.spool = (enum spool_mode)choice;
    else if (id == OPTION_PROGRESS)
        options->progress = (enum progress_mode)choice;
    else if (id == OPTION_COMPARE_BY)
        options->compare_by = (enum compare_by)choice;
    else if (id == OPTION_STATS_FORMAT)
        options->stats_format = (enum report_format)choice;
    else if (id == OPTION_COMPARE_FORMAT || id == OPTION_VALIDATE_FORMAT)
        options->format = (enum report_format)choice;
    else
        options->threads = choice;
    return status;
}

static enum status parse_show(const char *word, uint64_t *show, struct failure *why)
{
    *show = UINT64_MAX;
    if (strcmp(word, "all") == 0 || number_parse(word, strlen(word), show) == NUMBER_OK)
        return STATUS_OK;
    return fail(why, STATUS_MEANING, "--show cannot be \"%s\": it is a number or \"all\"",
                word);
}

/* Adds the violations "KIND,..." to *set. */
static enum status parse_violations(const char *words, violation_set *set, struct failure *why)
{
    for (;;) {
        enum violation violation;
        size_t length = strcspn(words, ",");
        if (!violation_find(words, length, &violation))
            return fail(why, STATUS_MEANING, "--ignore: \"%.*s\" is no kind of violation",
                        (int)length, words);
        *set |= (violation_set)1 << violation;
        if (words[length] == '\0')
            return STATUS_OK;
        words += length + 1;
    }
}

/* The flag that an option without a value sets; NULL: it is none of these. */
static bool *flag_of(struct options *options, int id)
{
    switch (id) {
    case OPTION_COMPARE_ALL:
        return &options->compare_all;
    case OPTION_DEATHS_ONLY:
        return &options->deaths_only;
    case OPTION_NO_DEATHS:
        return &options->no_deaths;
    case OPTION_ESCAPE_EDGES:
        return &options->reader.escape_edges;
    case OPTION_FORCE:
        return &options->force;
    case OPTION_HATF_COMPACT:
        return &options->writer.compact;
    case OPTION_IN_PLACE:
        return &options->in_place;
    case OPTION_LENIENT:
        return &options->reader.lenient;
    case OPTION_LOADS_AS_UPDATES:
        return &options->reader.loads_as_updates;
    case OPTION_QUIET:
        return &options->quiet;
    case OPTION_RENUMBER:
        return &options->renumber;
    case OPTION_REPLACE_DEATHS:
        return &options->replace_deaths;
    case OPTION_VERBOSE:
        return &options->verbose;
    case OPTION_VERIFY:
        return &options->verify;
    default:
        return NULL;
    }
}

/* The command that an option asks for; COMMAND_ADD_DEATHS: none. */
static enum command command_of(int id)
{
    switch (id) {
    case OPTION_COMPARE:
    case OPTION_COMPARE_ALL:
        return COMMAND_COMPARE;
    case OPTION_VALIDATE:
        return COMMAND_VALIDATE;
    case OPTION_HELP:
        return COMMAND_HELP;
    case OPTION_VERSION:
        return COMMAND_VERSION;
    default:
        return COMMAND_ADD_DEATHS;
    }
}

/* The options that ask for reports. */
static const int report_options[REPORT_COUNT] = {
    [REPORT_LIFETIMES] = OPTION_LIFETIMES,   [REPORT_GROUPS] = OPTION_GROUPS,
    [REPORT_REFERENCES] = OPTION_REFERENCES, [REPORT_LIVE] = OPTION_LIVE,
    [REPORT_BOUNDS] = OPTION_BOUNDS,         [REPORT_ORACLE] = OPTION_ORACLE,
    [REPORT_STATS] = OPTION_STATS,
};

/* The report that option `id` asks for; REPORT_COUNT: none. */
static enum report report_of(int id)
{
    unsigned report = 0;
    while (report < REPORT_COUNT && report_options[report] != id)
        report++;
    return (enum report)report;
}

const char *options_report_name(enum report report)
{
    return find_row(report_options[report])->name;
}

bool options_want_reports(const struct options *options)
{
    for (size_t i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i])
            return true;
    return false;
}

bool options_write_trace(const struct options *options)
{
    return options->output || options->suffix || options->in_place ||
           !options_want_reports(options);
}

static enum status apply_value(struct options *options, int id, const char *argument,
                               struct failure *why)
{
    enum report report = report_of(id);
    if (report != REPORT_COUNT) {
        options->reports[report] = argument ? argument : "-";
        return STATUS_OK;
    }
    switch (id) {
    case OPTION_COMPARE:
        options->recorded = argument;
        return STATUS_OK;
    case OPTION_COMPRESS:
        options->has_compression = true;
        return parse_compression(argument, &options->compression, why);
    case OPTION_DEATH_THREAD:
        options->has_death_thread = true;
        return parse_number(id, argument, 0, &options->death_thread, why);
    case OPTION_FROM:
        return parse_format(id, argument, &options->reader.format, why);
    case OPTION_TO:
        return parse_format(id, argument, &options->to, why);
    case OPTION_IGNORE:
        return parse_violations(argument, &options->ignored, why);
    case OPTION_JOBS:
        return parse_number(id, argument, 1, &options->jobs, why);
    case OPTION_LIVE_POINTS:
        return parse_number(id, argument, 1, &options->live_points, why);
    case OPTION_MEMORY_LIMIT:
        return parse_size(argument, &options->memory_limit, why);
    case OPTION_NAMES:
        options->names = argument;
        return STATUS_OK;
    case OPTION_OUTPUT:
        options->output = argument;
        return STATUS_OK;
    case OPTION_SHOW:
        return parse_show(argument, &options->show, why);
    case OPTION_SUFFIX:
        options->suffix = argument;
        return STATUS_OK;
    case OPTION_TYPE_SIZES:
        options->reader.type_sizes = argument;
        return STATUS_OK;
    case OPTION_TMPDIR:
        options->source.spool_folder = argument;
        return STATUS_OK;
    case OPTION_TOP:
        return parse_number(id, argument, 1, &options->top, why);
    default:
        return apply_choice(options, id, argument, why);
    }
}

static enum status apply(struct options *options, int id, const char *argument,
                         struct failure *why)
{
    bool *flag = flag_of(options, id);
    enum command command = command_of(id);
    if (flag)
        *flag = true;
    if (command != COMMAND_ADD_DEATHS)
        options->command = command;
    bool has_value = find_row(id)->argument;
    return has_value ? apply_value(options, id, argument, why) : STATUS_OK;
}

/* Lists in `out` the options whose names begin with the first `length` bytes of `name`, as
 * "--a, --b or --c"; returns how many there are. Without them `out` is not touched. */
static size_t list_candidates(char *out, size_t room, const char *name, size_t length)
{
    size_t count = 0, left = 0, used = 0;
    for (size_t i = 0; i < ROWS; i++)
        left += table[i].name && strncmp(table[i].name, name, length) == 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (!table[i].name || strncmp(table[i].name, name, length) != 0)
            continue;
        const char *joint = count == 0 ? "" : --left > 1 ? ", " : " or ";
        used += (size_t)snprintf(out + used, room - used, "%s--%s", joint, table[i].name);
        count++;
    }
    return count;
}

/* The option whose name is most like the first `length` bytes of `name`; NULL: none is like it.
 */
static const struct option_row *find_nearest(const char *name, size_t length)
{
    const struct option_row *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < ROWS; i++) {
        if (!table[i].name)
            continue;
        size_t distance = suggest_distance(name, length, table[i].name);
        if (distance < least) {
            least = distance;
            nearest = &table[i];
        }
    }
    return suggest_is_near(least, length) ? nearest : NULL;
}

/* Says that the long option `name`, which may end with a value, is none or could be several. */
static enum status reject_name(const char *name, struct failure *why)
{
    char candidates[ROWS * 32];
    size_t length = strcspn(name, "=");
    if (list_candidates(candidates, sizeof candidates, name, length) > 0)
        return fail(why, STATUS_MEANING, "--%.*s could be %s", (int)length, name, candidates);
    const struct option_row *nearest = find_nearest(name, length);
    if (!nearest)
        return fail(why, STATUS_MEANING, "There is no option --%.*s", (int)length, name);
    return fail(why, STATUS_MEANING, "There is no option --%.*s; the nearest is --%s",
                (int)length, name, nearest->name);
}

/* Says what getopt_long, which returned `result`, did not understand of the argument `word`. */
static enum status reject(int result, const char *word, struct failure *why)
{
    const struct option_row *row = find_row(optopt);
    bool is_long = strncmp(word, "--", 2) == 0;
    if (result == ':' && is_long)
        return fail(why, STATUS_MEANING, "--%s needs a value", row->name);
    if (result == ':')
        return fail(why, STATUS_MEANING, "-%c needs a value", optopt);
    if (row)
        return fail(why, STATUS_MEANING, "--%s takes no value", row->name);
    if (optopt)
        return fail(why, STATUS_MEANING, "There is no option -%c", optopt);
    return reject_name(word + 2, why);
}

/* Checks that each file has a name. */
static enum status check_names(const struct options *options, struct failure *why)
{
    if (options->output && !*options->output)
        return fail(why, STATUS_MEANING, "--output cannot be \"\": it is the name of a file");
    for (size_t i = 0; i < options->trace_count; i++)
        if (!*options->traces[i])
            return fail(why, STATUS_MEANING, "The name of the trace is empty");
    if (options->recorded && !*options->recorded)
        return fail(why, STATUS_MEANING, "--compare cannot be \"\": it is the name of a file");
    if (options->names && !*options->names)
        return fail(why, STATUS_MEANING,
                    "--names cannot be \"\": it is names of folders or files");
    for (unsigned i = 0; i < REPORT_COUNT; i++)
        if (options->reports[i] && !*options->reports[i])
            return fail(why, STATUS_MEANING, "--%s cannot be \"\": it is the name of a file",
                        options_report_name((enum report)i));
    return STATUS_OK;
}

/* Checks that there are not more traces than the command takes. */
static enum status check_traces(const struct options *options, struct failure *why)
{
    const char *hint = "";
    if (options->trace_count < 2 || options->suffix || options->in_place)
        return STATUS_OK;
    if (options->command == COMMAND_ADD_DEATHS)
        hint = ": say --suffix, so that each gets an output of its own";
    else if (options->command == COMMAND_COMPARE && !options->recorded)
        hint = "; the recorded deaths are given as --compare=RECORDED";
    if (options->reports[REPORT_STATS])
        hint = "; the file of the statistics is given as --stats=FILE";
    return fail(why, STATUS_MEANING, "More than one trace is given, \"%s\" and \"%s\"%s",
                options->traces[0], options->traces[1], hint);
}

/* Checks that the options agree on where the output goes. */
static enum status check_output(const struct options *options, struct failure *why)
{
    bool stays = !options->output && !options->suffix && !options->in_place;
    if (!!options->output + !!options->suffix + options->in_place > 1)
        return fail(why, STATUS_MEANING,
                    "Only one of --output, --suffix and --in-place can say where to write");
    if (options->in_place && options->deaths_only)
        return fail(why, STATUS_MEANING,
                    "--in-place with --deaths-only would leave nothing of the trace but its "
                    "deaths; --suffix or --output writes them to another file");
    if (options->no_deaths && (options->deaths_only || options->verify))
        return fail(why, STATUS_MEANING, "--no-deaths leaves nothing to do for --%s",
                    options->deaths_only ? "deaths-only" : "verify");
    if (options->renumber && (options->no_deaths || options->verify))
        return fail(why, STATUS_MEANING, "--renumber cannot be used together with --%s",
                    options->no_deaths ? "no-deaths" : "verify");
    if (options->verify && (stays || (options->output && strcmp(options->output, "-") == 0)))
        return fail(
            why, STATUS_MEANING,
            "--verify reads the output back: it needs --output, --suffix or --in-place");
    return STATUS_OK;
}

static bool is_standard_input(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

static bool is_given(const struct given *given, int id)
{
    return given->rows[find_row(id) - table];
}

/* Checks that each option that was given applies to the command. */
static enum status check_commands(const struct options *options, const struct given *given,
                                  struct failure *why)
{
    for (size_t i = 0; i < ROWS; i++) {
        const struct option_row *row = &table[i];
        if (!given->rows[i] || row->commands >> options->command & 1)
            continue;
        if (options->command == COMMAND_ADD_DEATHS)
            return fail(why, STATUS_MEANING, "--%s needs --%s", row->name,
                        row->commands & COMPARES ? "compare" : "validate");
        return fail(why, STATUS_MEANING, "--%s cannot be used together with --%s", row->name,
                    options->command == COMMAND_COMPARE ? "compare" : "validate");
    }
    return STATUS_OK;
}

/* Checks that at most one output goes to standard output. */
static enum status check_standard_output(const struct options *options, struct failure *why)
{
    bool to_file = options->suffix || options->in_place ||
                   (options->output && strcmp(options->output, "-") != 0);
    const char *taken = options_write_trace(options) && !to_file ? "output" : NULL;
    for (unsigned i = 0; i < REPORT_COUNT; i++) {
        if (!options->reports[i] || strcmp(options->reports[i], "-") != 0)
            continue;
        const char *name = options_report_name((enum report)i);
        if (taken)
            return fail(why, STATUS_MEANING,
                        "--%s and --%s cannot both write to standard output", taken, name);
        taken = name;
    }
    return STATUS_OK;
}

/* Deaths that are frees are not computed: what tells how to compute them would have no effect.
 */
static enum status check_frees(const struct options *options, const struct given *given,
                               struct failure *why)
{
    static const int computing[] = {OPTION_HELD_BY,        OPTION_UNALLOCATED, OPTION_AT_END,
                                    OPTION_REPLACE_DEATHS, OPTION_DEATHS_ONLY, OPTION_VERIFY,
                                    OPTION_RENUMBER,       OPTION_DEATH_THREAD};
    if (!options->reader.deaths_from_free || options->command != COMMAND_ADD_DEATHS)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof computing / sizeof *computing; i++)
        if (is_given(given, computing[i]))
            return fail(why, STATUS_MEANING,
                        "--%s is for deaths that are computed: it cannot be used together with "
                        "--death-from=free",
                        find_row(computing[i])->name);
    return STATUS_OK;
}

static enum status check_reports(const struct options *options, const struct given *given,
                                 struct failure *why)
{
    static const int of_trace[] = {OPTION_DEATHS_ONLY, OPTION_COMPRESS, OPTION_TO};
    static const int of_stats[] = {OPTION_STATS_FORMAT, OPTION_TOP};
    if (options->live_points > 0 && !options->reports[REPORT_LIVE])
        return fail(why, STATUS_MEANING, "--live-points needs --live");
    if (is_given(given, OPTION_RECEIVER_UNTIL) && !options->reports[REPORT_BOUNDS])
        return fail(why, STATUS_MEANING, "--receiver-until needs --bounds");
    for (size_t i = 0; i < sizeof of_stats / sizeof *of_stats; i++)
        if (is_given(given, of_stats[i]) && !options->reports[REPORT_STATS])
            return fail(why, STATUS_MEANING, "--%s needs --stats", find_row(of_stats[i])->name);
    if (options->names && !options->reports[REPORT_STATS] &&
        !options->reports[REPORT_LIFETIMES])
        return fail(why, STATUS_MEANING, "--names needs --stats or --lifetimes");
    if (!options_want_reports(options))
        return STATUS_OK;
    if (options->trace_count > 1)
        return fail(why, STATUS_MEANING,
                    "Reports are of one trace, and \"%s\" and \"%s\" are given",
                    options->traces[0], options->traces[1]);
    if (options->no_deaths && options->reports[REPORT_GROUPS])
        return fail(why, STATUS_MEANING,
                    "--groups needs deaths that are computed: it cannot be used together with "
                    "--no-deaths");
    for (size_t i = 0; i < sizeof of_trace / sizeof *of_trace; i++)
        if (is_given(given, of_trace[i]) && !options_write_trace(options))
            return fail(why, STATUS_MEANING,
                        "With reports no trace is written unless --output says where to; "
                        "--%s needs that (--output=-: to standard output)",
                        find_row(of_trace[i])->name);
    return check_standard_output(options, why);
}

static enum status check_compare(const struct options *options, const struct given *given,
                                 struct failure *why)
{
    static const int fixed[] = {OPTION_HELD_BY, OPTION_UNALLOCATED, OPTION_AT_END, OPTION_SHOW};
    if (options->recorded && is_standard_input(options->recorded) &&
        is_standard_input(options->trace))
        return fail(why, STATUS_MEANING, "Standard input cannot be both RECORDED and TRACE");
    for (size_t i = 0; options->compare_all && i < sizeof fixed / sizeof *fixed; i++)
        if (is_given(given, fixed[i]))
            return fail(why, STATUS_MEANING, "--%s cannot be used together with --compare-all",
                        find_row(fixed[i])->name);
    return STATUS_OK;
}

/* Checks that the options go together. */
static enum status check(const struct options *options, const struct given *given,
                         struct failure *why)
{
    if (options->command == COMMAND_HELP || options->command == COMMAND_VERSION)
        return STATUS_OK;
    enum status status = check_names(options, why);
    if (status == STATUS_OK)
        status = check_commands(options, given, why);
    if (status == STATUS_OK)
        status = check_traces(options, why);
    if (status == STATUS_OK)
        status = check_frees(options, given, why);
    if (status == STATUS_OK)
        status = check_output(options, why);
    if (status == STATUS_OK)
        status = check_reports(options, given, why);
    if (status == STATUS_OK && options->command == COMMAND_COMPARE)
        status = check_compare(options, given, why);
    return status;
}

enum status options_parse(struct options *options, int count, char *const *arguments,
                          struct failure *why)
{
    struct getopt_tables tables;
    make_getopt_tables(&tables);
    *options =
        (struct options){.command = COMMAND_ADD_DEATHS, .jobs = 1, .show = 10, .top = 20};
    opterr = 0;
    struct given given = {.rows = {false}};
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        int id = getopt_long(count, arguments, tables.shorts, tables.longs, NULL);
        if (id == -1)
            break;
        if (id == '?' || id == ':')
            return reject(id, arguments[optind - 1], why);
        given.rows[find_row(id) - table] = true;
        status = apply(options, id, optarg, why);
    }
    if (status != STATUS_OK)
        return status;
    if (is_given(&given, OPTION_HELP) || is_given(&given, OPTION_VERSION))
        options->command = is_given(&given, OPTION_HELP) ? COMMAND_HELP : COMMAND_VERSION;
    if (options->command == COMMAND_ADD_DEATHS && options->reader.deaths_from_free)
        options->no_deaths = true; /* to be computed */
    if (options->threads == 0)
        options->threads = processors() > 1 ? 2 : 1;
    options->traces = arguments + optind;
    options->trace_count = (size_t)(count - optind);
    options->trace = options->trace_count > 0 ? options->traces[0] : NULL;
    options->compression.threads = processors();
    return check(options, &given, why);
}
