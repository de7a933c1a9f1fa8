/* SPDX-License-Identifier: MIT */
/* The first and the last steps of the program: options, standard streams, signals, the
 * command, and the exit status. A command returns what went wrong; it is printed here. */
#include "cli/commands/commands.h"
#include "cli/commands/version.h"
#include "cli/files/skip.h"
#include "cli/options/report_options.h"
#include "cli/process/ending.h"
#include "cli/process/memory_limit.h"
#include "cli/process/message.h"
#include "cli/process/several.h"
#include "cli/process/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A closed standard stream is taken up by something that cannot be used, so that no file that
 * is opened later gets its number. */
static void occupy_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_TROUBLE);
}

/* Carries out the command on options->trace. *differs: whether a comparison found differences,
 * a validation violations, the check of an oracle faults, or a match what is not the same. */
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
        version_print(stdout);
        break;
    case COMMAND_CITE:
        citation_print(stdout);
        break;
    }
    return STATUS_OK;
}

static enum status main_run(const struct options *options, bool *differs, struct failure *why)
{
    bool has_command = options->command < COMMAND_VERSION;
    if (has_command && (options->trace_count > 1 || options_shared_table(options)))
        return several_run(options, run_command, differs, why);
    struct options missing = *options;
    if (!skip_finished(&missing, false))
        return run_command(&missing, differs, why);
    skip_tell(options, 1);
    return STATUS_OK;
}

int main(int count, char **arguments)
{
    signals_hold();
    occupy_standard_streams();
    if (atexit(ending_clean_up) != 0)
        _exit(EXIT_TROUBLE);
    struct options options;
    struct failure why = {.status = STATUS_OK};
    enum status status = options_parse(&options, count, arguments, &why);
    bool understood = status == STATUS_OK, differs = false;
    if (understood && options.old_name && !options.quiet)
        message(NULL, "--%s is now --%s: the old name goes with the next release",
                options.old_name, options.new_name);
    if (understood)
        status = signals_install(&why);
    if (status == STATUS_OK && options.memory_limit > 0)
        status = memory_limit_set(options.memory_limit, &why);
    if (status == STATUS_OK)
        status = main_run(&options, &differs, &why);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = fail_errno(&why, "(standard output)", "write", errno);
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
