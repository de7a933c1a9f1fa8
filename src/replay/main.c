/* SPDX-License-Identifier: MIT */
/* etmerlin-replay runs an oracle against an allocator: its command line, and its report. The
 * whole oracle is read before the first call is made (plan.c), so that reading costs the
 * allocator nothing; and by another process, since an allocator keeps what has been freed, and
 * would put objects there without any more resident memory. */
#include "replay/replay.h"

#include "base/number.h"
#include "base/options.h"
#include "io/codec/codec.h"
#include "io/path.h"
#include "report/print.h"

#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_FAULT = 1, EXIT_TROUBLE = 2, SAMPLES = 1000 };

struct replay_options {
    const char *oracle; /* NULL: standard input */
    const char *series; /* NULL: none is wanted */
    uint64_t limit;     /* bytes; 0: what the machine has available */
    bool threads, force, help, version;
};

static const char program[] = "etmerlin-replay"; /* in messages */

static const char help[] =
    "Usage: etmerlin-replay [OPTION]... [ORACLE]\n"
    "Replays an oracle of etmerlin --oracle-form=objects or threads against the allocator\n"
    "that this program runs with, and reports its time and memory. ORACLE may be compressed;\n"
    "none or - is standard input.\n"
    "\n"
    "      --threads       start a thread for each of an oracle of the form threads\n"
    "      --series=FILE   write live and resident bytes over time to FILE (.csv: commas);\n"
    "                      the times then include this work\n"
    "  -f, --force         replace FILE if it is there already\n"
    "      --memory-limit=SIZE  stop beyond SIZE bytes (K, M, G); default: free memory\n"
    "  -h, --help          show this help\n"
    "  -V, --version       show the version\n"
    "\n"
    "  etmerlin --oracle=- --oracle-form=objects TRACE | etmerlin-replay -\n"
    "  LD_PRELOAD=libjemalloc.so.2 etmerlin-replay oracle.csv\n"
    "\n"
    "Exit status: 0 all went well, 1 an object's memory was changed while it was allocated,\n"
    "2 trouble.\n";

/* Checks that the name of the series promises nothing else. */
static enum status check_series(const char *series, struct failure *why)
{
    const char *form = form_of_name(series);
    unsigned index;
    if (is_standard_stream(series))
        return fail(why, STATUS_MEANING,
                    "The report goes to standard output, so --series needs a file");
    if (codec_of_path(series) || codec_unwritable(series))
        return fail(why, STATUS_MEANING,
                    "--series is not compressed: give a name without this suffix");
    if (!form || form_find("text|tsv|csv", form, &index))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, series, 0,
                   "--series does not write %s: let the name end with .tsv or .csv", form);
}

enum { OPTION_THREADS = 256, OPTION_SERIES, OPTION_MEMORY_LIMIT };

static const struct option option_names[] = {
    {"threads", no_argument, NULL, OPTION_THREADS},
    {"series", required_argument, NULL, OPTION_SERIES},
    {"force", no_argument, NULL, 'f'},
    {"memory-limit", required_argument, NULL, OPTION_MEMORY_LIMIT},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0}};

/* Takes an option, whose value is optarg. */
static enum status take_option(struct replay_options *options, int option, const char *argument,
                               struct failure *why)
{
    switch (option) {
    case OPTION_THREADS:
        options->threads = true;
        return STATUS_OK;
    case OPTION_SERIES:
        options->series = optarg;
        return STATUS_OK;
    case OPTION_MEMORY_LIMIT:
        return parse_size(optarg, &options->limit, why);
    case 'f':
        options->force = true;
        return STATUS_OK;
    case 'h':
        options->help = true;
        return STATUS_OK;
    case 'V':
        options->version = true;
        return STATUS_OK;
    default:
        return option_fault(option, argument, option_names, why);
    }
}

static enum status parse(struct replay_options *options, int count, char **arguments,
                         struct failure *why)
{
    int option;
    *options = (struct replay_options){.oracle = NULL};
    opterr = 0;
    while ((option = getopt_long(count, arguments, ":fhV", option_names, NULL)) != -1)
        TRY(take_option(options, option, arguments[optind - 1], why));
    if (options->series)
        TRY(check_series(options->series, why));
    if (count - optind > 1)
        return fail(why, STATUS_MEANING, "One oracle is replayed at a time, not %d",
                    count - optind);
    options->oracle = arguments[optind];
    return STATUS_OK;
}

/* The file that malloc comes from. */
static const char *allocator(void)
{
    Dl_info about;
    /* POSIX allows the address of a function as one of data; C does not. */
    void *(*function)(size_t) = malloc;
    void *address;
    memcpy(&address, &function, sizeof address);
    return dladdr(address, &about) && about.dli_fname ? about.dli_fname : "(unknown)";
}

/* Warns if LD_PRELOAD names something that was not loaded: the loader goes on then, with
 * another allocator than the intended one. */
static void remark_not_preloaded(void)
{
    const char *word = getenv("LD_PRELOAD");
    for (size_t length; word && *word; word += length) {
        length = strspn(word, " :");
        word += length;
        length = strcspn(word, " :");
        char *name = length > 0 ? strndup(word, length) : NULL;
        void *library = name ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (name && !library)
            fprintf(stderr, "%s: %s was not preloaded: the allocator is %s.\n", program, name,
                    allocator());
        if (library)
            dlclose(library);
        free(name);
    }
}

static void print_unknown(const char *name)
{
    printf("%-18s %18s\n", name, "-");
}

static void print_ratio(const char *name, uint64_t part, uint64_t whole)
{
    if (whole > 0)
        printf("%-18s %18.2f\n", name, (double)part / (double)whole);
    else
        print_unknown(name);
}

static void print_resident(const struct run_figures *figures, uint64_t peak_live)
{
    static const char resident[] = "peak resident", ratio[] = "resident/live";
    if (figures->has_peak) {
        printf("%-18s %18" PRIu64 "\n", resident, figures->peak_resident);
        print_ratio(ratio, figures->peak_resident, peak_live);
    } else {
        print_unknown(resident);
        print_unknown(ratio);
    }
}

static void print_report(const struct replay_plan *plan, const struct run_figures *figures,
                         const struct replay_options *options)
{
    uint64_t peak = plan_peak(plan);
    printf("%-18s %s\n", "allocator", allocator());
    printf("%-18s %18zu\n", "threads", options->threads ? plan->threads : 1);
    printf("%-18s %18zu\n", "allocations", plan->count);
    printf("%-18s %18" PRIu64 "\n", "frees", figures->frees);
    printf("%-18s %18" PRIu64 "\n", "bytes", plan_bytes(plan));
    printf("%-18s %18" PRIu64 "\n", "peak live", peak);
    print_resident(figures, peak);
    printf("%-18s %18.3f\n", "seconds", (double)figures->nanoseconds / 1e9);
    print_ratio("ns an operation", figures->nanoseconds, plan->count + figures->frees);
    if (options->series)
        puts("note               the times include the samples of --series");
}

static enum status write_rows(struct table *table, const struct run_figures *figures)
{
    table_names(table, "allocations live_bytes resident_bytes");
    table_end_row(table);
    for (size_t i = 0; i < figures->sample_count; i++) {
        table_number(table, figures->samples[i].allocations);
        table_number(table, figures->samples[i].live);
        table_number(table, figures->samples[i].resident);
        table_end_row(table);
    }
    return table_end(table);
}

/* Checks that the series does not replace the oracle. */
static enum status protect_oracle(const struct sink_list *list, const char *oracle,
                                  struct failure *why)
{
    const char *path = is_standard_stream(oracle) ? "/dev/stdin" : oracle;
    if (!sink_list_has_file(list, path))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0,
                   "This is the oracle, and --series would take its place");
}

/* Loads the plan and writes it to `descriptor`. Returns an exit status, after a message unless
 * it is 0. */
static int store(const char *oracle, int descriptor)
{
    struct replay_plan plan;
    struct failure why = {.status = STATUS_OK};
    enum status status = plan_load(&plan, oracle, &why);
    if (status == STATUS_OK)
        status = plan_store(&plan, descriptor, &why);
    plan_free(&plan);
    if (status != STATUS_OK)
        failure_print(&why, program, stderr);
    failure_clear(&why);
    return status == STATUS_OK ? EXIT_SUCCESS : EXIT_TROUBLE;
}

/* Waits for the process that stores the plan, and takes it. STATUS_INTERRUPTED: that process
 * has printed why there is none. */
static enum status take(struct replay_plan *plan, int descriptor, pid_t process,
                        struct failure *why)
{
    int result;
    while (waitpid(process, &result, 0) < 0)
        if (errno != EINTR)
            return fail_errno(why, NULL, "wait for the process that reads the oracle", errno);
    if (WIFSIGNALED(result))
        return fail(why, STATUS_IO, "Signal %d ended the process that reads the oracle",
                    WTERMSIG(result));
    if (WEXITSTATUS(result) != EXIT_SUCCESS)
        return fail(why, STATUS_INTERRUPTED, "The oracle cannot be read");
    return plan_map(plan, descriptor, why);
}

/* Loads the plan in another process. */
static enum status load_apart(struct replay_plan *plan, const char *oracle, struct failure *why)
{
    int descriptor = memfd_create("plan", MFD_CLOEXEC);
    if (descriptor < 0)
        return fail_errno(why, NULL, "make a file in memory for the oracle", errno);
    pid_t process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        exit(store(oracle, descriptor));
    }
    enum status status =
        process < 0 ? fail_errno(why, NULL, "start a process that reads the oracle", errno)
                    : take(plan, descriptor, process, why);
    close(descriptor);
    return status;
}

/* Loads the plan, and refuses one that allocates nothing, or more at once than the limit, to
 * which *limit is set (0: none). */
static enum status load(struct replay_plan *plan, const struct replay_options *options,
                        uint64_t *limit, struct failure *why)
{
    const char *name = options->oracle ? options->oracle : "-";
    TRY(load_apart(plan, options->oracle, why));
    if (plan->count == 0)
        return fail_at(why, STATUS_MEANING, name, 0, "The oracle allocates nothing");
    *limit = options->limit > 0 ? options->limit : memory_available();
    uint64_t peak = plan_peak(plan);
    if (*limit > 0 && peak > *limit)
        return fail_at(why, STATUS_LIMIT, name, 0,
                       "%" PRIu64 " bytes are allocated at once, and %s %" PRIu64, peak,
                       options->limit > 0 ? "--memory-limit allows" : "the machine has free",
                       *limit);
    return STATUS_OK;
}

/* Opens the file of the series, which may be open already. */
static enum status open_series(struct sink **series, struct sink_list *list,
                               const struct replay_options *options, struct failure *why)
{
    const struct sink_options how = {.force = options->force, .input = -1, .list = list};
    if (*series)
        return STATUS_OK;
    TRY(sink_open(series, options->series, &how, why));
    return protect_oracle(list, options->oracle, why);
}

static void discard_series(struct sink **series)
{
    sink_discard(*series);
    *series = NULL;
}

/* Opens the series before the work begins, in case it cannot be. A temporary file does not
 * stay, and is opened again when it is to be written: so a signal, or an allocator that ends
 * the process, leaves none. A pipe stays open: its reader would take a second writer for
 * another one. */
static enum status try_series(struct sink **series, struct sink_list *list,
                              const struct replay_options *options, struct failure *why)
{
    if (!options->series)
        return STATUS_OK;
    TRY(open_series(series, list, options, why));
    if (sink_temporary(*series))
        discard_series(series);
    return STATUS_OK;
}

static enum status write_series(struct sink **series, struct sink_list *list,
                                const struct replay_options *options,
                                const struct run_figures *figures, struct failure *why)
{
    struct table table;
    if (!options->series)
        return STATUS_OK;
    TRY(open_series(series, list, options, why));
    TRY(table_begin(&table, *series, options->series, why));
    TRY(write_rows(&table, figures));
    struct sink *written = *series;
    *series = NULL;
    return sink_commit(written, why);
}

/* Runs the plan. *fault: the memory of an object was changed. */
static enum status run(struct replay_plan *plan, const struct replay_options *options,
                       uint64_t limit, struct run_figures *figures, bool *fault,
                       struct failure *why)
{
    const struct run_options how = {options->threads, options->series ? SAMPLES : 0, limit};
    enum status status =
        run_plan(plan, options->oracle ? options->oracle : "-", &how, figures, why);
    *fault = status == STATUS_MEANING;
    return status;
}

/* Replays, and prints the report. *fault is set as by `run`. */
static enum status replay(const struct replay_options *options, bool *fault,
                          struct failure *why)
{
    struct replay_plan plan = {.count = 0};
    struct run_figures figures = {.samples = NULL};
    struct sink *series = NULL;
    struct sink_list list = {.first = NULL};
    uint64_t limit = 0;
    enum status status = try_series(&series, &list, options, why);
    if (status == STATUS_OK)
        status = load(&plan, options, &limit, why);
    if (status == STATUS_OK)
        status = run(&plan, options, limit, &figures, fault, why);
    if (status == STATUS_OK)
        status = write_series(&series, &list, options, &figures, why);
    discard_series(&series);
    if (status == STATUS_OK) {
        print_report(&plan, &figures, options);
        remark_not_preloaded();
    }
    free(figures.samples);
    plan_free(&plan);
    return status;
}

static enum status act(const struct replay_options *options, bool *fault, struct failure *why)
{
    if (options->help)
        fputs(help, stdout);
    else if (options->version)
        puts("etmerlin-replay " PACKAGE_VERSION);
    else
        return replay(options, fault, why);
    return STATUS_OK;
}

/* Whether no oracle is named, and none can come from standard input. */
static bool reads_terminal(const struct replay_options *options)
{
    return !options->oracle && !options->help && !options->version && isatty(STDIN_FILENO);
}

int main(int count, char **arguments)
{
    struct replay_options options;
    struct failure why = {.status = STATUS_OK};
    bool fault = false;
    enum status status = parse(&options, count, arguments, &why);
    if (status != STATUS_OK) {
        failure_print(&why, program, stderr);
        fprintf(stderr, "%s: Try 'etmerlin-replay --help' or 'man etmerlin-replay'.\n",
                program);
        failure_clear(&why);
        return EXIT_TROUBLE;
    }
    if (reads_terminal(&options)) {
        fputs(help, stderr);
        return EXIT_TROUBLE;
    }
    status = act(&options, &fault, &why);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = fail_errno(&why, "(standard output)", "write", errno);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        failure_print(&why, program, stderr);
    failure_clear(&why);
    if (status == STATUS_OK)
        return EXIT_SUCCESS;
    return fault ? EXIT_FAULT : EXIT_TROUBLE;
}
