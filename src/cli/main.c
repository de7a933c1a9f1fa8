/* SPDX-License-Identifier: MIT */
/* The first and the last steps of the program: options, standard streams, signals, the command,
 * and the exit status. A command returns a failure; it is printed here. */
#include "base/memory.h"
#include "cli/commands/commands.h"
#include "cli/files/outputs.h"
#include "cli/options/options.h"
#include "cli/process/process.h"
#include "cli/process/progress.h"

#include <archive.h>
#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <lzma.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

/* Opens something unusable in place of each closed standard stream, so that no file that is
 * opened later gets its number. */
static void occupy_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_TROUBLE);
}

/* Has the system limit this process, and those that it forks, to `bytes` of memory each.
 * Counted is all private memory that the process may write to: arrays, Judy's nodes, windows of
 * decoders, stacks. A request beyond the limit fails as on a machine without more memory. */
static enum status limit_memory(uint64_t bytes, struct failure *why)
{
    uint64_t used = memory_in_use();
    struct rlimit limit;
    if (used >= bytes)
        return fail(why, STATUS_MEANING,
                    "--memory-limit=%llu is too low: the program alone has %llu bytes",
                    (unsigned long long)bytes, (unsigned long long)used);
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    if (bytes < limit.rlim_cur)
        limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    return STATUS_OK;
}

/* Prints the version of the program, and those of the libraries that it runs with; Judy does
 * not have one. */
static void print_version(FILE *stream)
{
    unsigned hash = XXH_versionNumber();
    fprintf(stream, "%s\n", PACKAGE_STRING);
    fprintf(stream, "zlib %s\nzstd %s\nliblzma %s\nbzip2 %s\n", zlibVersion(),
            ZSTD_versionString(), lzma_version_string(), BZ2_bzlibVersion());
    fprintf(stream, "%s\njansson %s\n", archive_version_string(), jansson_version_str());
    fprintf(stream, "xxHash %u.%u.%u\nJudy\n", hash / 10000, hash / 100 % 100, hash % 100);
}

/* Prints what a paper should cite: the program in this version, since its rules decide about
 * deaths, and the papers from which records and algorithm come. CITATION.cff has the same. */
static void print_citation(FILE *stream)
{
    fputs("@misc{etmerlin,\n"
          "  author = {{The etmerlin authors}},\n"
          "  title = {etmerlin: Object death times for heap traces},\n"
          "  note = {Version " PACKAGE_VERSION "; it has no public address yet},\n"
          "  year = {2026}\n"
          "}\n"
          "\n"
          "@inproceedings{elephant-tracks,\n"
          "  author = {Ricci, Nathan P. and Guyer, Samuel Z. and Moss, J. Eliot B.},\n"
          "  title = {Elephant Tracks: Portable Production of Complete and Precise {GC} "
          "Traces},\n"
          "  booktitle = {Proceedings of the 2013 International Symposium on Memory "
          "Management},\n"
          "  series = {ISMM '13},\n"
          "  pages = {109--118},\n"
          "  year = {2013},\n"
          "  doi = {10.1145/2491894.2466484}\n"
          "}\n"
          "\n"
          "@article{merlin,\n"
          "  author = {Hertz, Matthew and Blackburn, Stephen M. and Moss, J. Eliot B. and\n"
          "            McKinley, Kathryn S. and Stefanovi{\\'c}, Darko},\n"
          "  title = {Generating Object Lifetime Traces with {Merlin}},\n"
          "  journal = {ACM Transactions on Programming Languages and Systems},\n"
          "  volume = {28},\n"
          "  number = {3},\n"
          "  pages = {476--516},\n"
          "  year = {2006},\n"
          "  doi = {10.1145/1133651.1133654}\n"
          "}\n",
          stream);
}

/* Carries out the command on options->trace. Sets *differs if a comparison or a match found
 * differences, a validation violations, or the check of an oracle faults. */
static enum status run_command(const struct options *options, bool *differs,
                               struct failure *why)
{
    switch (options->command) {
    case COMMAND_ADD_DEATHS:
        return add_deaths(options, why);
    case COMMAND_COMPARE:
        return compare_traces(options, differs, why);
    case COMMAND_VALIDATE:
        return options->advise ? advise_trace(options, why)
                               : validate_trace(options, differs, why);
    case COMMAND_CHECK_ORACLE:
        return check_oracle(options, differs, why);
    case COMMAND_MATCH:
        return match_traces(options, differs, why);
    case COMMAND_HELP:
        options_print_help(stdout, options->help_topic);
        break;
    case COMMAND_VERSION:
        print_version(stdout);
        break;
    case COMMAND_CITE:
        print_citation(stdout);
        break;
    }
    return STATUS_OK;
}

/* Reads the command line. Reports an option that has another name now. */
static enum status understand(struct options *options, int count, char **arguments,
                              struct failure *why)
{
    enum status status = options_parse(options, count, arguments, why);
    if (status == STATUS_OK)
        status = outputs_settle(options, why);
    if (status == STATUS_OK && options->old_name && !options->quiet)
        message(NULL, "--%s is now --%s: the old name goes with the next release",
                options->old_name, options->new_name);
    return status;
}

/* Carries out what the options ask for; *differs is as for run_command. */
static enum status carry_out(const struct options *options, bool *differs, struct failure *why)
{
    bool is_limited = options->command < COMMAND_VERSION && options->engine.memory_limit > 0;
    TRY(signals_install(why));
    if (is_limited)
        TRY(limit_memory(options->engine.memory_limit, why));
    TRY(traces_run(options, run_command, differs, why));
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail_errno(why, "(standard output)", "write", errno);
    return STATUS_OK;
}

int main(int count, char **arguments)
{
    signals_hold();
    memory_separate_arrays();
    occupy_standard_streams();
    if (atexit(ending_clean_up) != 0)
        _exit(EXIT_TROUBLE);
    struct options options;
    struct failure why = {.status = STATUS_OK};
    bool differs = false;
    enum status status = understand(&options, count, arguments, &why);
    bool understood = status == STATUS_OK;
    if (understood)
        status = carry_out(&options, &differs, &why);
    signals_reraise();
    if (status != STATUS_OK)
        failure_print(&why, message_program, stderr);
    if (!understood)
        message(NULL, "Try 'etmerlin --help' or 'man etmerlin'");
    failure_clear(&why);
    ending_is_regular();
    if (status != STATUS_OK)
        return EXIT_TROUBLE;
    return differs ? EXIT_DIFFERS : EXIT_SUCCESS;
}
