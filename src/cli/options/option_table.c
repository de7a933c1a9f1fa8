/* SPDX-License-Identifier: MIT */
/* Everything about an option is in its row: parsing, --help, the completion files, the checks
 * of what goes together, and the test of the manual page all use it.
 *
 * To add an option: add a member to struct options (options.h), its row here, and its entry to
 * man/etmerlin.1; what the row cannot say of what it goes together with is checked in
 * option_checks.c. tests/cli/interface then compares table, --help and manual page, and tries
 * what the row says. */
#include "cli/options/option_table.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Sets of commands that an option applies to. */
enum {
    ADDS = 1 << COMMAND_ADD_DEATHS,
    COMPARES = 1 << COMMAND_COMPARE,
    VALIDATES = 1 << COMMAND_VALIDATE,
    CHECKS = 1 << COMMAND_CHECK_ORACLE,
    MATCHES = 1 << COMMAND_MATCH,
    EVERY = ADDS | COMPARES | VALIDATES | CHECKS | MATCHES,
};

#define TO(member) {offsetof(struct options, member), sizeof(((struct options *)0)->member)}
#define NOWHERE {0, 0}

static const struct option_row table[] = {
    {.topic = "input", .help = "Input"},
    {"from", 'F', OPTION_FORMAT, TO(reader.format), EVERY,
     .help = "the format of the input; auto: detected",
     .words = "auto|et|selogger|tracevis|hatf|metatf"},
    {"hatf-endian", 0, OPTION_CHOICE, TO(reader.byte_order), EVERY,
     .help = "the byte order of HATF; auto: detected, and big-endian in outputs",
     .words = "auto|big|little"},
    {"dialect", 0, OPTION_CHOICE, TO(reader.dialect), EVERY,
     .help = "the last field of a record is its thread, or the time; auto: detected",
     .words = "auto|thread|time"},
    {"update-order", 0, OPTION_CHOICE, TO(reader.update_order), EVERY,
     .help = "the first field of U; auto: the container, and traces that look otherwise are "
             "refused",
     .words = "auto|container|value"},
    {"loads-as-updates", 0, OPTION_FLAG, TO(reader.loads_as_updates), EVERY,
     .help = "SELogger: take an object that a load finds in a field for stored there"},
    {"escape-edges", 0, OPTION_FLAG, TO(reader.escape_edges), EVERY,
     .help = "SELogger: objects of libraries keep the arguments of their methods"},
    {"type-sizes", 0, OPTION_FILE, TO(reader.type_sizes), EVERY,
     .help = "SELogger: read the sizes of objects from FILE, in lines CLASS,BYTES",
     .argument = "FILE"},
    {"lenient", 0, OPTION_FLAG, TO(reader.lenient), ADDS | COMPARES | CHECKS | MATCHES,
     .help = "pass malformed lines through and count them"},

    {.topic = "deaths", .help = "Death times"},
    {"held-by", 0, OPTION_CHOICE, TO(assumptions.held_by), ADDS | COMPARES | MATCHES,
     .help =
         "an open frame keeps alive its receiver, nothing, or all objects that are named in it",
     .words = "receiver|none|frame", .conflicts = "compare-all", .of_computed = true},
    {"unallocated", 0, OPTION_CHOICE, TO(assumptions.unallocated), ADDS | COMPARES | MATCHES,
     .help = "objects that are never allocated live until their last use, or are roots",
     .words = "last-use|immortal", .conflicts = "compare-all", .of_computed = true},
    {"at-end", 0, OPTION_CHOICE, TO(assumptions.at_end), ADDS | COMPARES,
     .help = "objects that are alive at the end have no death, or one after the last record",
     .words = "none|die", .conflicts = "compare-all no-deaths", .of_computed = true},
    {"death-from", 0, OPTION_CHOICE, TO(reader.deaths_from_free), ADDS | COMPARES | MATCHES,
     .help = "TraceVis: compute deaths, or take the frees of the collector as deaths",
     .words = "last-use|free"},
    {"replace-deaths", 0, OPTION_FLAG, TO(replace_deaths), ADDS,
     .help = "drop the deaths that the trace has, and compute them anew",
     .conflicts = "no-deaths", .of_computed = true},
    {"no-deaths", 0, OPTION_FLAG, TO(no_deaths), ADDS,
     .help = "compute no deaths: convert the trace, or report on its recorded deaths",
     .conflicts = "deaths-only verify",
     .because = "there would be no deaths to write or check"},
    {"death-thread", 0, OPTION_NUMBER, TO(death_thread), ADDS,
     .help = "write ID as the thread of each death, instead of the thread of the allocation",
     .argument = "ID", .given = TO(has_death_thread), .conflicts = "no-deaths",
     .of_computed = true},

    {.topic = "output", .help = "Output"},
    {"output", 'o', OPTION_FILE, TO(output), EVERY,
     .help =
         "write to FILE, not standard output, compressed if its name ends in .zst, .gz or .xz",
     .everyday = "write to FILE; .zst, .gz and .xz are compressed", .argument = "FILE",
     .conflicts = "suffix in-place", .because = "both set the output"},
    {"suffix", 0, OPTION_TEXT, TO(suffix), ADDS,
     .help = "write next to each TRACE, with SUFFIX added to its name, before .zst, .gz or .xz",
     .everyday = "write next to each TRACE, SUFFIX added to its name", .argument = "SUFFIX",
     .conflicts = "in-place", .because = "both set the output"},
    {"in-place", 0, OPTION_FLAG, TO(in_place), ADDS, .help = "replace the TRACE itself",
     .conflicts = "deaths-only",
     .because = "only the deaths of the trace would remain; --suffix or --output writes them "
                "to another file"},
    {"force", 'f', OPTION_FLAG, TO(force), EVERY, .help = "replace existing output files"},
    {"skip-existing", 0, OPTION_FLAG, TO(skip_existing), ADDS,
     .help = "leave out traces whose outputs exist", .conflicts = "force in-place"},
    {"deaths-only", 0, OPTION_FLAG, TO(deaths_only), ADDS, .help = "write the deaths alone",
     .of_computed = true, .of_trace = true},
    {"compress", 'z', OPTION_CODEC, TO(compression), EVERY,
     .help = "compress with zstd, gzip, xz or none, instead of by the name of the output",
     .argument = "CODEC[:LEVEL]", .given = TO(has_compression), .of_trace = true},
    {"verify", 0, OPTION_FLAG, TO(verify), ADDS,
     .help = "read the output back, and compare it with the input and the deaths, before it "
             "gets its name",
     .of_computed = true},
    {"renumber", 0, OPTION_FLAG, TO(renumber), ADDS,
     .help = "give each allocation an id of its own: 1, 2, 3, ...",
     .conflicts = "no-deaths verify live-check", .of_computed = true},
    {"to", 't', OPTION_FORMAT, TO(to), ADDS, .help = "the format of the output",
     .words = "et|hatf|metatf", .of_trace = true},
    {"hatf-compact", 0, OPTION_FLAG, TO(writer.compact), ADDS,
     .help = "choose the widths of fields that make a HATF output smallest"},

    {.topic = "reports",
     .help = "Reports (FILE may be -; without --output no trace is written)"},
    {"page", 0, OPTION_FILE, TO(reports[REPORT_PAGE]), ADDS | MATCHES,
     .help = "draw plots, figures and tables as one HTML file, for a browser",
     .everyday = "draw plots and tables as one HTML file", .argument = "FILE", .forms = "html"},
    {"stats", 0, OPTION_FILE, TO(reports[REPORT_STATS]), ADDS,
     .help = "write statistics, to standard output without FILE",
     .everyday = "what was allocated, how long it lived, why it died", .argument = "FILE",
     .is_optional = true, .left_out = "-", .forms = "text|json|tsv", .chooses_form = true},
    {"no-header", 0, OPTION_FLAG, TO(report.no_header), ADDS,
     .help = "... without the line of column names, so that cat can join tables",
     .needs = "stats"},
    {"top", 0, OPTION_NUMBER, TO(report.top), ADDS,
     .help = "... in full, with the first N of each ranking", .argument = "N", .least = 1,
     .preset = 20, .needs = "stats", .given = TO(report.chooses_rankings)},
    {"min-count", 0, OPTION_NUMBER, TO(report.min_count), ADDS,
     .help = "... by mean lifetime only of N deaths or more", .argument = "N", .least = 1,
     .preset = 100, .needs = "stats", .given = TO(report.chooses_rankings)},
    {"lifetimes", 0, OPTION_FILE, TO(reports[REPORT_LIFETIMES]), ADDS,
     .help = "write when each object was allocated, last used and died, and why",
     .everyday = "when each object was allocated and died, and why", .argument = "FILE",
     .forms = "tsv|csv"},
    {"columns", 0, OPTION_FOLDER, TO(reports[REPORT_COLUMNS]), ADDS,
     .help = "write the table of --lifetimes as columns in a folder, for NumPy, pandas, R and "
             "DuckDB",
     .everyday = "the same as columns for NumPy, pandas, R, DuckDB", .argument = "DIR"},
    {"live", 0, OPTION_FILE, TO(reports[REPORT_LIVE]), ADDS,
     .help = "write how large the live heap was over time",
     .everyday = "how large the live heap was over time", .argument = "FILE",
     .forms = "tsv|csv"},
    {"live-points", 0, OPTION_NUMBER, TO(report.live_points), ADDS,
     .help = "... in at most N rows, instead of one for each change", .argument = "N",
     .least = 1, .needs = "live"},
    {"live-axis", 0, OPTION_CHOICE, TO(report.live_axis), ADDS,
     .help = "... evenly spaced in bytes allocated, or in time", .words = "bytes|ticks",
     .needs = "live-points"},
    {"live-check", 0, OPTION_FILE, TO(reports[REPORT_LIVE_CHECK]), ADDS,
     .help = "compare the live heap with that after collections, which ettrace recorded in "
             "FILE",
     .argument = "FILE", .forms = "text|json", .chooses_form = true},
    {"heap-dump", 0, OPTION_FILE, TO(reports[REPORT_HEAP_DUMP]), ADDS,
     .help = "write the heap at its peak, or at another moment, as HPROF, for Eclipse MAT and "
             "VisualVM",
     .everyday = "the heap at its peak, for Eclipse MAT and VisualVM", .argument = "FILE",
     .forms = "hprof"},
    {"with-dead", 0, OPTION_SIZE, TO(report.with_dead), ADDS,
     .help = "... with objects that died while the last BYTES were allocated",
     .argument = "BYTES", .needs = "heap-dump"},
    {"dump-limit", 0, OPTION_SIZE, TO(report.dump_limit), ADDS,
     .help = "... and refuse to write a dump of more than SIZE (by default ten times the trace "
             "and 64M)",
     .argument = "SIZE", .needs = "heap-dump"},
    {"held", 0, OPTION_FILE, TO(reports[REPORT_HELD]), ADDS,
     .help = "write the objects that each static field and each method keeps alive at the end, "
             "or at another moment",
     .everyday = "the objects that each static field keeps alive", .argument = "FILE",
     .forms = "tsv|csv"},
    {"at", 0, OPTION_MOMENTS, TO(report.at), ADDS,
     .help = "the moment of these, and of --contexts and --folded: peak, end, bytes:N, tick:N "
             "or record:N; or several, with commas",
     .argument = "MOMENT", .for_reports = TRAIT_MOMENTS},
    {"groups", 0, OPTION_FILE, TO(reports[REPORT_GROUPS]), ADDS,
     .help = "write which objects died together", .argument = "FILE", .forms = "tsv|csv"},
    {"references", 0, OPTION_FILE, TO(reports[REPORT_REFERENCES]), ADDS,
     .help = "write when each reference was made and ended", .argument = "FILE",
     .forms = "tsv|csv"},
    {"contexts", 0, OPTION_FILE, TO(reports[REPORT_CONTEXTS]), ADDS,
     .help = "write what was allocated in which methods and callers, how long it lived, and "
             "its drag",
     .argument = "FILE", .forms = "tsv|csv"},
    {"contexts-by", 0, OPTION_CHOICE, TO(report.contexts_by), ADDS,
     .help = "... where objects are allocated, where they die, or for each pair of both",
     .words = "allocation|death|both", .needs = "contexts"},
    {"context-depth", 0, OPTION_NUMBER, TO(engine.context_depth), ADDS | MATCHES,
     .help = "the context of an allocation is the innermost K open methods, 1 to 64",
     .argument = "K", .least = 1, .most = CONTEXT_DEPTH_MAX, .preset = 4,
     .for_reports = TRAIT_CONTEXTS},
    {"folded", 0, OPTION_FILE, TO(reports[REPORT_FOLDED]), ADDS,
     .help = "write contexts and types as folded stacks, for flame graphs", .argument = "FILE",
     .forms = "text"},
    {"folded-by", 0, OPTION_CHOICE, TO(report.folded_by), ADDS,
     .help = "... where objects are allocated, or where they die", .words = "allocation|death",
     .needs = "folded"},
    {"folded-weight", 0, OPTION_CHOICE, TO(report.folded_weight), ADDS,
     .help = "... by bytes allocated, objects, bytes live at the peak, or bytes times lifetime "
             "or drag",
     .words = "bytes|objects|live|lifetime|drag", .needs = "folded"},
    {"dhat", 0, OPTION_FILE, TO(reports[REPORT_DHAT]), ADDS,
     .help = "write contexts and types for the viewer of Valgrind's DHAT", .argument = "FILE",
     .forms = "json"},
    {"bounds", 0, OPTION_FILE, TO(reports[REPORT_BOUNDS]), ADDS,
     .help = "TraceVis: write when each object died at the earliest and at the latest, and "
             "sums by class",
     .argument = "FILE", .forms = "tsv|csv"},
    {"receiver-until", 0, OPTION_CHOICE, TO(report.receiver_until), ADDS,
     .help = "... at the earliest at the exit, or the entry, of its last call",
     .words = "exit|entry", .needs = "bounds"},
    {"simulate", 0, OPTION_FILE, TO(reports[REPORT_SIMULATE]), ADDS,
     .help = "write the cost of garbage collectors with heaps of many sizes",
     .argument = "FILE", .forms = "tsv|json"},
    {"collectors", 0, OPTION_COLLECTORS, TO(report.simulate.collectors), ADDS,
     .help = "... of these: whole, semispace, generational, ideal (all by default)",
     .argument = "NAME,...", .initial = "whole,semispace,generational,ideal",
     .help_has_default = true, .needs = "simulate"},
    {"heaps", 0, OPTION_HEAPS, TO(report.simulate.heaps), ADDS,
     .help = "... sizes with B, K, M or G, or multiples of the smallest heap",
     .argument = "SIZE,...", .initial = "1,1.25,1.5,2,3,4,6", .needs = "simulate"},
    {"nurseries", 0, OPTION_NURSERIES, TO(report.simulate.nurseries), ADDS,
     .help = "... of generational ones", .argument = "SIZE,...",
     .initial = "256K,1M,4M,16M,64M", .given = TO(report.simulate.names_nurseries),
     .needs = "simulate"},
    {"tenure", 0, OPTION_TENURES, TO(report.simulate.tenures), ADDS,
     .help = "... that promote objects which have survived K collections before, 0 to 15",
     .argument = "K,...", .initial = "0", .given = TO(report.simulate.names_tenures),
     .needs = "simulate"},
    {"names", 0, OPTION_FILES, TO(names), ADDS | VALIDATES,
     .help = "take names from these lists, not from those of TRACE.names or of the folder of "
             "the trace",
     .argument = "DIR|FILE,...", .for_reports = TRAIT_NAMES},
    {"format", 0, OPTION_CHOICE, TO(format), EVERY,
     .help = "the form of --stats, --compare, --match, --validate, --advise, --check-oracle or "
             "--live-check; tsv only of the first three",
     .words = "text|json|tsv", .given = TO(has_format),
     .needs = "stats compare compare-all match validate advise check-oracle live-check"},

    {.topic = "compare", .help = "Compare"},
    {"compare", 0, OPTION_FILE, TO(recorded), COMPARES,
     .help = "compare the deaths recorded in RECORDED, or else in TRACE, with the computed "
             "ones; no trace is written",
     .everyday = "are the deaths that the trace has right?", .argument = "RECORDED",
     .is_optional = true, .command = COMMAND_COMPARE, .forms = "text|json|tsv",
     .chooses_form = true},
    {"compare-by", 0, OPTION_CHOICE, TO(compare_by), COMPARES,
     .help =
         "a recorded death is at the time in its record, or at its position; auto: detected",
     .words = "auto|time|position"},
    {"compare-all", 0, OPTION_FLAG, TO(compare_all), COMPARES,
     .help = "compare under all assumptions (the options on death times); the best come first",
     .command = COMMAND_COMPARE},
    {"show", 0, OPTION_NUMBER, TO(show), COMPARES | CHECKS,
     .help = "list the first K differences, or faults of an oracle", .words = "all",
     .argument = "K|all", .preset = 10, .conflicts = "compare-all"},
    {"match", 0, OPTION_FILE, TO(match), MATCHES,
     .help = "compare TRACE with A, another run of its program: allocations, lifetimes, sites, "
             "predictions; no trace is written",
     .everyday = "how far are two runs of a program the same?", .argument = "A",
     .command = COMMAND_MATCH, .forms = "text|json|tsv", .chooses_form = true},
    {"match-sites", 0, OPTION_FILE, TO(reports[REPORT_MATCH_SITES]), MATCHES,
     .help = "write the sites of both runs, and the distances of their lifetimes",
     .argument = "FILE", .forms = "tsv"},
    {"long", 0, OPTION_SIZE, TO(long_threshold), MATCHES,
     .help = "predict which objects live longer than SIZE bytes of allocation",
     .argument = "SIZE", .preset = 1048576},
    {"pure", 0, OPTION_NUMBER, TO(purity), MATCHES,
     .help = "... from the sites where N percent of the bytes of A do", .argument = "N",
     .least = 1, .most = 100, .preset = 99},

    {.topic = "validate", .help = "Validate"},
    {"validate", 0, OPTION_FLAG, NOWHERE, VALIDATES,
     .help =
         "check that the trace is well-formed, and write figures of it; no trace is written",
     .everyday = "is the trace well-formed, and what is in it?", .command = COMMAND_VALIDATE,
     .forms = "text|json", .chooses_form = true},
    {"advise", 0, OPTION_FLAG, TO(advise), VALIDATES,
     .help = "report which records the tracer left out, and their effect on the deaths",
     .everyday = "what did its tracer leave out?", .command = COMMAND_VALIDATE,
     .forms = "text|json", .chooses_form = true, .conflicts = "validate ignore names"},
    {"ignore", 0, OPTION_IGNORING, TO(ignored), VALIDATES,
     .help = "accept these kinds of violations; etmerlin-reports(5) lists them",
     .argument = "KIND,..."},

    {.topic = "oracle", .help = "Oracles"},
    {"oracle", 0, OPTION_FILE, TO(reports[REPORT_ORACLE]), ADDS,
     .help = "write allocations and deaths for replays, as CSV",
     .everyday = "allocations and frees, to replay with an allocator", .argument = "FILE",
     .forms = "csv"},
    {"oracle-form", 0, OPTION_CHOICE, TO(report.oracle_form), ADDS,
     .help = "... a row for each event; or for each allocation, with the number of the one "
             "before which it is freed, in all or by thread",
     .words = "events|objects|threads", .needs = "oracle"},
    {"oracle-free", 0, OPTION_CHOICE, TO(report.oracle_free), ADDS,
     .help = "... when an object dies, or after its last use", .words = "death|last-use",
     .needs = "oracle"},
    {"check-oracle", 0, OPTION_FILE, TO(oracle), CHECKS,
     .help =
         "report the objects that ORACLE, of any form, frees too early, twice, late or never",
     .argument = "ORACLE", .command = COMMAND_CHECK_ORACLE, .forms = "text|json",
     .chooses_form = true},

    {.topic = "speed", .help = "Speed, memory and messages"},
    {"jobs", 'j', OPTION_NUMBER, TO(jobs), ADDS | COMPARES | VALIDATES | MATCHES,
     .help = "process N traces at once, each in a process of its own", .argument = "N",
     .least = 1, .preset = 1},
    {"threads", 0, OPTION_CHOICE, TO(engine.threads), EVERY,
     .help = "read ahead in a second thread; auto: if there are two processors",
     .words = "auto|1|2"},
    {"engine", 0, OPTION_CHOICE, TO(engine.choice), ADDS | COMPARES | CHECKS | MATCHES,
     .help = "compute with a table of all objects, or in windows, with memory for live objects "
             "only; auto: a table if it fits",
     .words = "auto|table|windows", .of_computed = true},
    {"window", 0, OPTION_NUMBER, TO(engine.window), ADDS | COMPARES | CHECKS | MATCHES,
     .help = "... in windows: look for dead objects once there are N objects and references",
     .argument = "N", .least = 1, .preset = 16384, .needs = "engine", .of_computed = true},
    {"memory-limit", 0, OPTION_SIZE, TO(engine.memory_limit), EVERY,
     .help = "use at most SIZE of memory a process, or stop: bytes, or with K, M, G or T",
     .argument = "SIZE"},
    {"spool", 0, OPTION_CHOICE, TO(source.spool), EVERY,
     .help =
         "copy the input to a temporary file for the second pass; auto: if needed, or faster",
     .words = "auto|never|always"},
    {"tmpdir", 0, OPTION_FOLDER, TO(source.temporary.path), EVERY,
     .help = "keep temporary files in DIR instead of $TMPDIR or /tmp", .argument = "DIR"},
    {"spool-codec", 0, OPTION_CHOICE, TO(source.temporary.codec), EVERY,
     .help = "compress temporary files; auto: each beyond its first GiB",
     .words = "auto|none|zstd"},
    {"verbose", 'v', OPTION_FLAG, TO(verbose), ADDS,
     .help = "print a summary on standard error",
     .everyday = "print a summary on standard error"},
    {"progress", 0, OPTION_CHOICE, TO(progress), EVERY,
     .help = "show progress: on a terminal (auto), always, or never",
     .words = "auto|always|never"},
    {"quiet", 'q', OPTION_FLAG, TO(quiet), EVERY, .help = "write errors only"},
    {"help", 'h', OPTION_FORMAT, TO(help_topic), EVERY,
     .help = "print the everyday options, or those of a topic", .is_optional = true,
     .words = "input|deaths|output|reports|compare|validate|oracle|speed|all",
     .command = COMMAND_HELP},
    {"version", 'V', OPTION_FLAG, NOWHERE, EVERY, .help = "print the version",
     .command = COMMAND_VERSION},
    {"cite", 0, OPTION_FLAG, NOWHERE, EVERY, .help = "print the works to cite, as BibTeX",
     .command = COMMAND_CITE},
};

/* Names that options had in an earlier release. */
static const struct {
    const char *name, *now;
} old_names[] = {
    {"stats-format", "format"},
    {"compare-format", "format"},
    {"validate-format", "format"},
    {"check-format", "format"},
};

enum { ROWS = sizeof table / sizeof *table };

static_assert(sizeof table / sizeof *table <= OPTION_ROWS_MOST,
              "OPTION_ROWS_MOST is too small");

const struct option_row *option_table(size_t *count)
{
    *count = ROWS;
    return table;
}

const struct option_row *option_find(const char *name)
{
    size_t length = strcspn(name, " ");
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].name && strlen(table[i].name) == length &&
            memcmp(table[i].name, name, length) == 0)
            return &table[i];
    return NULL;
}

const char *option_default(const struct option_row *row, char room[OPTION_DEFAULT_ROOM])
{
    bool chooses = row->kind == OPTION_CHOICE || row->kind == OPTION_FORMAT;
    if (row->preset > 0)
        snprintf(room, OPTION_DEFAULT_ROOM, "%" PRIu64, row->preset);
    else if (row->initial && !row->help_has_default)
        snprintf(room, OPTION_DEFAULT_ROOM, "%s", row->initial);
    else if (chooses && !row->is_optional)
        snprintf(room, OPTION_DEFAULT_ROOM, "%.*s", (int)strcspn(row->words, "|"), row->words);
    else
        return NULL;
    return room;
}

const char *option_old_name(size_t i, const struct option_row **now)
{
    if (i >= sizeof old_names / sizeof *old_names)
        return NULL;
    *now = option_find(old_names[i].now);
    return old_names[i].name;
}

const char *options_report_name(enum report_kind kind)
{
    size_t offset = offsetof(struct options, reports) + kind * sizeof(const char *);
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].target.offset == offset)
            return table[i].name;
    return NULL;
}

bool option_is_in(const struct option_set *set, const char *name)
{
    return set->rows[option_find(name) - table];
}

size_t option_list_names(char *out, const struct option_set *set)
{
    size_t count = 0, left = 0;
    for (size_t i = 0; i < ROWS; i++)
        left += set->rows[i];
    for (size_t i = 0; i < ROWS; i++) {
        if (!set->rows[i])
            continue;
        const char *joint = count == 0 ? "" : --left > 1 ? ", " : " or ";
        out += sprintf(out, "%s--%s", joint, table[i].name);
        count++;
    }
    return count;
}

const char *option_next_name(const char *name)
{
    name += strcspn(name, " ");
    return *name ? name + 1 : NULL;
}

/* Makes the text of --help from the table of options: a screen with the everyday ones, or all
 * options of a topic. The help is in a column of its own, with the default at its end. */

enum { HELP_COLUMN = 29, HELP_WIDTH = 80 - HELP_COLUMN };

/* The length of the longest beginning of `text` that ends at a blank, or at the end, and is not
 * longer than a line. */
static size_t line_length(const char *text)
{
    size_t length = strlen(text);
    if (length <= HELP_WIDTH)
        return length;
    for (length = HELP_WIDTH; length > 0 && text[length] != ' ';)
        length--;
    return length > 0 ? length : HELP_WIDTH;
}

/* Prints the lines of `help` from HELP_COLUMN on; `column` is where the cursor stands. */
static void print_help_text(FILE *stream, const char *help, int column)
{
    if (column > HELP_COLUMN - 2) {
        fputc('\n', stream);
        column = 0;
    }
    while (*help) {
        size_t length = line_length(help);
        fprintf(stream, "%*s%.*s\n", HELP_COLUMN - column, "", (int)length, help);
        help += length;
        help += *help == ' ';
        column = 0;
    }
}

/* Prints the names of an option and of its value; returns how many columns they take. */
static int print_names(FILE *stream, const struct option_row *row)
{
    const char *argument = row->argument ? row->argument : row->words;
    int column =
        row->letter ? fprintf(stream, "  -%c, ", row->letter) : fprintf(stream, "      ");
    column += fprintf(stream, "--%s", row->name);
    if (argument)
        column += fprintf(stream, row->is_optional ? "[=%s]" : "=%s", argument);
    return column;
}

/* Prints an option with its help and its default. */
static void print_option(FILE *stream, const struct option_row *row)
{
    char room[OPTION_DEFAULT_ROOM], text[OPTION_HELP_ROOM];
    const char *preset = option_default(row, room);
    int column = print_names(stream, row);
    snprintf(text, sizeof text, preset ? "%s (default %s)" : "%s", row->help, preset);
    print_help_text(stream, text, column);
}

/* Prints the words "a|b|c" as "a, b or c". */
static void print_topics(FILE *stream, const char *words)
{
    for (; *words; words++)
        if (*words == '|')
            fputs(strchr(words + 1, '|') ? ", " : " or ", stream);
        else
            fputc(*words, stream);
}

static void print_everyday(FILE *stream)
{
    size_t count;
    const struct option_row *rows = option_table(&count);
    fputs("Usage: etmerlin [OPTION]... [TRACE]...\n"
          "Adds to a heap trace of a Java program the time at which each object became\n"
          "unreachable, or reports on it. Without TRACE, or when it is -, reads standard\n"
          "input. A trace may be compressed (zstd, gzip, xz, bzip2).\n\n",
          stream);
    for (size_t i = 0; i < count; i++)
        if (rows[i].everyday)
            print_help_text(stream, rows[i].everyday, print_names(stream, &rows[i]));
    fputs("\nMore options: --help=TOPIC, where TOPIC is\n", stream);
    const struct option_row *help = option_find("help");
    if (help)
        print_topics(stream, help->words);
    fputs(".\nExit status: 0 fine, 1 differs, 2 trouble. 'man etmerlin' has examples.\n",
          stream);
}

void options_print_help(FILE *stream, const char *topic)
{
    size_t count, printed = 0;
    const struct option_row *rows = option_table(&count);
    bool is_wanted = false;
    if (!topic) {
        print_everyday(stream);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_heading = !rows[i].name;
        if (is_heading)
            is_wanted = strcmp(topic, "all") == 0 || strcmp(topic, rows[i].topic) == 0;
        if (is_wanted && is_heading)
            fprintf(stream, "%s%s:\n", printed++ > 0 ? "\n" : "", rows[i].help);
        else if (is_wanted)
            print_option(stream, &rows[i]);
    }
}
