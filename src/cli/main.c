#include "cli/commands.h"
#include "cli/memory_limit.h"
#include "cli/several.h"
#include "cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_DIFFERS = 1, EXIT_TROUBLE = 2 };

/* A closed standard stream is taken up by something that cannot be used, so that no file that
 * is opened later gets its number. */
static void occupy_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_TROUBLE);
}

/* *differs: whether a comparison found differences, or a validation violations. */
static enum status run(const struct options *options, bool *differs, struct failure *why)
{
    switch (options->command) {
    case COMMAND_ADD_DEATHS:
        return options->trace_count > 1 ? add_deaths_to_several(options, why)
                                        : add_deaths(options, why);
    case COMMAND_COMPARE:
        return compare_traces(options, differs, why);
    case COMMAND_VALIDATE:
        return validate_trace(options, differs, why);
    case COMMAND_HELP:
        options_print_help(stdout);
        break;
    case COMMAND_VERSION:
        puts(PACKAGE_STRING);
        break;
    }
    return STATUS_OK;
}

int main(int count, char **arguments)
{
    occupy_standard_streams();
    struct options options;
    struct failure why = {.status = STATUS_OK};
    enum status status = options_parse(&options, count, arguments, &why);
    bool understood = status == STATUS_OK, differs = false;
    if (understood)
        status = signals_install(&why);
    if (status == STATUS_OK && options.memory_limit > 0)
        status = memory_limit_set(options.memory_limit, &why);
    if (status == STATUS_OK)
        status = run(&options, &differs, &why);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = fail_errno(&why, "(standard output)", "write", errno);
    signals_reraise();
    if (status != STATUS_OK)
        failure_print(&why, stderr);
    if (!understood)
        fputs("Try 'etmerlin --help' or 'man etmerlin'.\n", stderr);
    failure_clear(&why);
    if (status != STATUS_OK)
        return EXIT_TROUBLE;
    return differs ? EXIT_DIFFERS : EXIT_SUCCESS;
}
