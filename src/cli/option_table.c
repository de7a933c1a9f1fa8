/* SPDX-License-Identifier: MIT */
/* All that is known of an option stands in its row: parsing, --help, the completion files, the
 * checks of what goes together, and the test of the manual page are fed from here.
 *
 * To add an option: add a member to struct options (options.h), its row here, and its entry to
 * man/etmerlin.1; what the row cannot say of what it goes together with is checked in
 * option_checks.c. tests/cli/interface then compares table, --help and manual page, and tries
 * what the row says. */
#include "cli/option_table.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Sets of commands that an option applies to. */
enum {
    ADDS = 1 << COMMAND_ADD_DEATHS,
    COMPARES = 1 << COMMAND_COMPARE,
    VALIDATES = 1 << COMMAND_VALIDATE,
    CHECKS = 1 << COMMAND_CHECK_ORACLE,
    EVERY = ADDS | COMPARES | VALIDATES | CHECKS,
};

#define TO(member)                                                                             \
    {                                                                                          \
        offsetof(struct options, member), sizeof(((struct options *)0)->member)                \
    }
#define NOWHERE                                                                                \
    {                                                                                          \
        0, 0                                                                                   \
    }

static const struct option_row table[] = {
    {.help = "Input"},
    {"from", 'F', OPTION_FORMAT, TO(reader.format), EVERY,
     .help = "the format of the input; auto (default): detected",
     .words = "auto|et|selogger|tracevis|hatf|metatf"},
    {"hatf-endian", 0, OPTION_CHOICE, TO(reader.byte_order), EVERY,
     .help = "the byte order of HATF; auto (default): as the\n"
             "input shows, output big-endian",
     .words = "auto|big|little"},
    {"dialect", 0, OPTION_CHOICE, TO(reader.dialect), EVERY,
     .help = "what the last field of a record is: its thread, or\n"
             "the time; auto (default): detected",
     .words = "auto|thread|time"},
    {"update-order", 0, OPTION_CHOICE, TO(reader.update_order), EVERY,
     .help = "which field of U is first; auto (default): the\n"
             "container, if that does not look wrong",
     .words = "auto|container|value"},
    {"loads-as-updates", 0, OPTION_FLAG, TO(reader.loads_as_updates), EVERY,
     .help = "SELogger: what a load finds in a field was stored\n"
             "there"},
    {"escape-edges", 0, OPTION_FLAG, TO(reader.escape_edges), EVERY,
     .help = "SELogger: an object of a library keeps what its\n"
             "methods are given"},
    {"type-sizes", 0, OPTION_FILE, TO(reader.type_sizes), EVERY,
     .help = "SELogger: the sizes of objects, CLASS,BYTES lines", .argument = "FILE"},
    {"lenient", 0, OPTION_FLAG, TO(reader.lenient), ADDS | COMPARES | CHECKS,
     .help = "pass malformed lines through and count them"},
    {"replace-deaths", 0, OPTION_FLAG, TO(replace_deaths), ADDS,
     .help = "drop the deaths that the trace has already", .of_computed = true},
    {"spool", 0, OPTION_CHOICE, TO(source.spool), EVERY,
     .help = "keep a copy of the input for the second pass;\n"
             "auto (default): when that is needed, or faster",
     .words = "auto|never|always"},
    {"tmpdir", 0, OPTION_FOLDER, TO(source.place.folder), EVERY,
     .help = "keep it in DIR instead of $TMPDIR or /tmp", .argument = "DIR"},
    {"spool-codec", 0, OPTION_CHOICE, TO(source.place.codec), EVERY,
     .help = "compress temporary files; auto (default): what is\n"
             "beyond the first GiB of each",
     .words = "auto|none|zstd"},

    {.help = "Death times"},
    {"held-by", 0, OPTION_CHOICE, TO(held_by), ADDS | COMPARES,
     .help = "what an open frame keeps alive: its receiver\n"
             "(default), nothing, or all that is named in it",
     .words = "receiver|none|frame", .conflicts = "compare-all", .of_computed = true},
    {"unallocated", 0, OPTION_CHOICE, TO(unallocated), ADDS | COMPARES,
     .help = "objects that the trace never allocates: like any\n"
             "other (default), or roots",
     .words = "last-use|immortal", .conflicts = "compare-all", .of_computed = true},
    {"at-end", 0, OPTION_CHOICE, TO(at_end), ADDS | COMPARES,
     .help = "objects that are alive at the end: no death\n"
             "(default), or one after the last record",
     .words = "none|die", .conflicts = "compare-all", .of_computed = true},
    {"death-from", 0, OPTION_CHOICE, TO(reader.deaths_from_free), ADDS | COMPARES,
     .help = "of a TraceVis trace: compute the deaths\n"
             "(default), or take the collector's frees for them",
     .words = "last-use|free"},

    {.help = "Output"},
    {"output", 'o', OPTION_FILE, TO(output), EVERY,
     .help = "write to FILE instead of standard output; .zst,\n"
             ".gz and .xz files are compressed",
     .argument = "FILE", .conflicts = "suffix in-place",
     .because = "only one can say where to write"},
    {"to", 't', OPTION_FORMAT, TO(to), ADDS, .help = "the format of the output (default et)",
     .words = "et|hatf|metatf", .of_trace = true},
    {"hatf-compact", 0, OPTION_FLAG, TO(writer.compact), ADDS,
     .help = "make a HATF output as small as it can be"},
    {"suffix", 0, OPTION_TEXT, TO(suffix), ADDS,
     .help = "write to a file beside each TRACE, with SUFFIX\n"
             "added to its name, before .zst, .gz or .xz",
     .argument = "SUFFIX", .conflicts = "in-place",
     .because = "only one can say where to write"},
    {"in-place", 0, OPTION_FLAG, TO(in_place), ADDS, .help = "replace the TRACE itself",
     .conflicts = "deaths-only",
     .because = "nothing of the trace but its deaths would be left; --suffix or --output "
                "writes them to another file"},
    {"force", 'f', OPTION_FLAG, TO(force), EVERY,
     .help = "replace an output file that is there already"},
    {"skip-existing", 0, OPTION_FLAG, TO(skip_existing), ADDS,
     .help = "leave out traces whose outputs are there already", .conflicts = "force in-place"},
    {"compress", 'z', OPTION_CODEC, TO(compression), EVERY,
     .help = "compress with zstd, gzip, xz or none, whatever the\n"
             "name of the output",
     .argument = "CODEC[:LEVEL]", .given = TO(has_compression), .of_trace = true},
    {"verify", 0, OPTION_FLAG, TO(verify), ADDS,
     .help = "read the output back and check it against the\n"
             "input and the deaths before it gets its name",
     .of_computed = true},
    {"deaths-only", 0, OPTION_FLAG, TO(deaths_only), ADDS, .help = "write the deaths alone",
     .of_computed = true, .of_trace = true},
    {"no-deaths", 0, OPTION_FLAG, TO(no_deaths), ADDS,
     .help = "compute no deaths, only convert; what deaths the\n"
             "input has stay",
     .conflicts = "deaths-only verify",
     .because = "there would be no deaths to write or check"},
    {"renumber", 0, OPTION_FLAG, TO(renumber), ADDS,
     .help = "give each allocation an id of its own: 1, 2, 3, ...",
     .conflicts = "no-deaths verify", .of_computed = true},
    {"death-thread", 0, OPTION_NUMBER, TO(death_thread), ADDS,
     .help = "write ID as the thread of each death; by default\n"
             "it is that of the allocation, 0 if there is none",
     .argument = "ID", .given = TO(has_death_thread), .of_computed = true},

    {.help = "Reports (FILE may be -; without --output no trace is written)"},
    {"lifetimes", 0, OPTION_FILE, TO(reports[REPORT_LIFETIMES]), ADDS,
     .help = "write when each object was allocated, last used\n"
             "and died, and why",
     .argument = "FILE", .forms = "tsv|csv"},
    {"columns", 0, OPTION_FOLDER, TO(reports[REPORT_COLUMNS]), ADDS,
     .help = "write the same as a folder of columns, for NumPy,\n"
             "pandas, R and DuckDB",
     .argument = "DIR"},
    {"groups", 0, OPTION_FILE, TO(reports[REPORT_GROUPS]), ADDS,
     .help = "write which objects died together", .argument = "FILE", .forms = "tsv|csv"},
    {"references", 0, OPTION_FILE, TO(reports[REPORT_REFERENCES]), ADDS,
     .help = "write when each reference was made and ended", .argument = "FILE",
     .forms = "tsv|csv"},
    {"live", 0, OPTION_FILE, TO(reports[REPORT_LIVE]), ADDS,
     .help = "write how large the live heap was over time", .argument = "FILE",
     .forms = "tsv|csv"},
    {"live-points", 0, OPTION_NUMBER, TO(report.live_points), ADDS,
     .help = "... in at most N rows", .argument = "N", .least = 1, .needs = "live"},
    {"live-axis", 0, OPTION_CHOICE, TO(report.live_axis), ADDS,
     .help = "... evenly spaced in bytes allocated (default), or\n"
             "in time",
     .words = "bytes|ticks", .needs = "live-points"},
    {"live-check", 0, OPTION_FILE, TO(reports[REPORT_LIVE_CHECK]), ADDS,
     .help = "write how the live heap compares to what\n"
             "collections have left, which ettrace wrote to FILE",
     .argument = "FILE"},
    {"bounds", 0, OPTION_FILE, TO(reports[REPORT_BOUNDS]), ADDS,
     .help = "of a TraceVis trace: write when each object died at\n"
             "the earliest and at the latest, and sums by class",
     .argument = "FILE", .forms = "tsv|csv"},
    {"receiver-until", 0, OPTION_CHOICE, TO(report.receiver_until), ADDS,
     .help = "... at the earliest when its last call is left\n"
             "(default), or entered",
     .words = "exit|entry", .needs = "bounds"},
    {"stats", 0, OPTION_FILE, TO(reports[REPORT_STATS]), ADDS,
     .help = "write statistics, to standard output without FILE", .argument = "FILE",
     .is_optional = true, .left_out = "-", .chosen_by = "stats-format"},
    {"stats-format", 0, OPTION_CHOICE, TO(report.stats_format), ADDS,
     .help = "their form; tsv: a row a trace, of its figures", .words = "text|json|tsv",
     .needs = "stats"},
    {"top", 0, OPTION_NUMBER, TO(report.top), ADDS,
     .help = "... with the first N of each ranking (default 20)", .argument = "N", .least = 1,
     .needs = "stats"},
    {"min-count", 0, OPTION_NUMBER, TO(report.min_count), ADDS,
     .help = "... by mean lifetime only those with N deaths or\n"
             "more (default 100)",
     .argument = "N", .least = 1, .needs = "stats"},
    {"contexts", 0, OPTION_FILE, TO(reports[REPORT_CONTEXTS]), ADDS,
     .help = "write what was allocated in which methods and\n"
             "callers, how long it lived, and its drag",
     .argument = "FILE", .forms = "tsv|csv"},
    {"context-depth", 0, OPTION_NUMBER, TO(report.context_depth), ADDS,
     .help = "tell contexts of allocations by the innermost K\n"
             "open methods (1 to 64, default 4)",
     .argument = "K", .least = 1, .most = CONTEXT_DEPTH_MAX,
     .for_reports = REPORT_NEEDS_CONTEXTS},
    {"folded", 0, OPTION_FILE, TO(reports[REPORT_FOLDED]), ADDS,
     .help = "write contexts and types as folded stacks, for\n"
             "flame graphs",
     .argument = "FILE", .forms = "text"},
    {"folded-weight", 0, OPTION_CHOICE, TO(report.folded_weight), ADDS,
     .help = "... by bytes allocated (default), objects, bytes\n"
             "live at the peak, or bytes times lifetime or drag",
     .words = "bytes|objects|live|lifetime|drag", .needs = "folded"},
    {"dhat", 0, OPTION_FILE, TO(reports[REPORT_DHAT]), ADDS,
     .help = "write them for the viewer of Valgrind's DHAT", .argument = "FILE",
     .forms = "json"},
    {"page", 0, OPTION_FILE, TO(reports[REPORT_PAGE]), ADDS,
     .help = "write a page of plots, figures and tables, to be\n"
             "opened in a browser",
     .argument = "FILE", .forms = "html"},
    {"oracle", 0, OPTION_FILE, TO(reports[REPORT_ORACLE]), ADDS,
     .help = "write allocations and deaths for replays, as CSV", .argument = "FILE",
     .forms = "tsv|csv"},
    {"oracle-form", 0, OPTION_CHOICE, TO(report.oracle_form), ADDS,
     .help = "... a row an event (default), or an allocation with\n"
             "the number of that at which it is freed, counted\n"
             "in all or by thread",
     .words = "events|objects|threads", .needs = "oracle"},
    {"oracle-free", 0, OPTION_CHOICE, TO(report.oracle_free), ADDS,
     .help = "... when an object dies (default), or after its\n"
             "last use",
     .words = "death|last-use", .needs = "oracle"},
    {"names", 0, OPTION_FILES, TO(names), ADDS,
     .help = "take names of types from these lists instead of\n"
             "those beside the trace",
     .argument = "DIR|FILE,...", .for_reports = REPORT_NEEDS_NAMES},

    {.help = "Compare"},
    {"compare", 0, OPTION_FILE, TO(recorded), COMPARES,
     .help = "instead of a trace, write how the deaths recorded\n"
             "in RECORDED (default: in TRACE) differ from the\n"
             "computed ones",
     .argument = "RECORDED", .is_optional = true, .command = COMMAND_COMPARE},
    {"compare-by", 0, OPTION_CHOICE, TO(compare_by), COMPARES,
     .help = "what tells when a recorded death was: its time\n"
             "field, or its place; auto (default): detected",
     .words = "auto|time|position"},
    {"compare-all", 0, OPTION_FLAG, TO(compare_all), COMPARES,
     .help = "compare under all assumptions (the options on\n"
             "death times), and write which agree best",
     .command = COMMAND_COMPARE},
    {"show", 0, OPTION_NUMBER, TO(show), COMPARES | CHECKS,
     .help = "list the first K differences or faults (default 10)", .words = "all",
     .argument = "K|all", .conflicts = "compare-all"},
    {"compare-format", 0, OPTION_CHOICE, TO(format), COMPARES,
     .help = "the form of the report; tsv: a row an allocation", .words = "text|json|tsv"},

    {.help = "Validate"},
    {"validate", 0, OPTION_FLAG, NOWHERE, VALIDATES,
     .help = "instead of a trace, write what is not well-formed\n"
             "in it, notes, and figures",
     .command = COMMAND_VALIDATE},
    {"ignore", 0, OPTION_IGNORING, TO(ignored), VALIDATES,
     .help = "accept these kinds of violations; the manual page\n"
             "lists them",
     .argument = "KIND,..."},
    {"advise", 0, OPTION_FLAG, TO(advise), VALIDATES,
     .help = "write what its tracer left out instead, and what\n"
             "that does to the deaths",
     .command = COMMAND_VALIDATE, .conflicts = "ignore"},
    {"validate-format", 0, OPTION_CHOICE, TO(format), VALIDATES,
     .help = "the form of the report", .words = "text|json"},

    {.help = "Check an oracle"},
    {"check-oracle", 0, OPTION_FILE, TO(oracle), CHECKS,
     .help = "instead of a trace, write what ORACLE, of any form,\n"
             "frees too early, twice, late or never",
     .argument = "ORACLE", .command = COMMAND_CHECK_ORACLE},
    {"check-format", 0, OPTION_CHOICE, TO(format), CHECKS, .help = "the form of the report",
     .words = "text|json"},

    {.help = "Speed"},
    {"threads", 0, OPTION_CHOICE, TO(threads), EVERY,
     .help = "read ahead in a second thread; auto (default): if\n"
             "there are two processors",
     .words = "auto|1|2"},
    {"engine", 0, OPTION_CHOICE, TO(engine), ADDS,
     .help = "compute with a table of all objects, or in windows,\n"
             "in memory that follows the live heap; auto\n"
             "(default): with the table, if it fits",
     .words = "auto|table|windows", .of_computed = true},
    {"jobs", 'j', OPTION_NUMBER, TO(jobs), ADDS | COMPARES | VALIDATES,
     .help = "do N traces at once, each in a process of its own", .argument = "N", .least = 1},
    {"memory-limit", 0, OPTION_SIZE, TO(memory_limit), EVERY,
     .help = "stay within so much memory a process, or stop:\n"
             "bytes, or with K, M, G or T",
     .argument = "SIZE"},

    {.help = "Messages"},
    {"verbose", 'v', OPTION_FLAG, TO(verbose), ADDS,
     .help = "write a summary to standard error"},
    {"progress", 0, OPTION_CHOICE, TO(progress), EVERY,
     .help = "show how far it is: on a terminal (auto, default),\n"
             "anywhere, or nowhere",
     .words = "auto|always|never"},
    {"quiet", 'q', OPTION_FLAG, TO(quiet), EVERY, .help = "write errors only"},
    {"help", 'h', OPTION_FLAG, NOWHERE, EVERY, .help = "write this text",
     .command = COMMAND_HELP},
    {"version", 'V', OPTION_FLAG, NOWHERE, EVERY, .help = "write the version",
     .command = COMMAND_VERSION},
    {"cite", 0, OPTION_FLAG, NOWHERE, EVERY, .help = "write what to cite, as BibTeX",
     .command = COMMAND_CITE},
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

const char *options_report_name(enum report_kind kind)
{
    size_t offset = offsetof(struct options, reports) + kind * sizeof(const char *);
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].target.offset == offset)
            return table[i].name;
    return NULL;
}
