/* SPDX-License-Identifier: MIT */
/* ettrace: starts a Java program with the tracer in it. It turns its options into those of the
 * agent, checks the outputs, so that faults are reported before the program starts, and then
 * runs the program in its own process. Another command than java runs in a child: no agent may
 * be there at the end to report that there is no trace. */
#include "arguments.h"
#include "parts.h"
#include "watch.h"

#include "base/options.h"
#include "base/status.h"
#include "base/text.h"
#include "io/path.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 2, EXIT_NO_TRACE = 3, EXIT_NOT_FOUND = 127, EXIT_CANNOT_RUN = 126 };

static const char usage[] =
    "Usage: ettrace [OPTION]... -o FILE -- COMMAND [ARGUMENT]...\n"
    "   or: ettrace [OPTION]... -o FILE --print-options\n"
    "Runs a Java program and writes a heap trace of it, from which etmerlin computes when\n"
    "each object died. COMMAND is java, or any other that starts a virtual machine.\n"
    "\n"
    "  -o, --output=FILE        the trace; compressed if FILE ends in .zst, .gz or .xz;\n"
    "                           %p in FILE stands for the number of the process;\n"
    "                           \"-\": standard output, and the program's own goes to "
    "standard\n"
    "                           error\n"
    "  -f, --force              replace files that are there already\n"
    "      --records=stores|exact|et3\n"
    "                           exact (default), stores: without what local variables\n"
    "                           hold; faster, for live heaps alone; et3: the records of\n"
    "                           older tracers\n"
    "      --include=PATTERNS   trace the methods of these classes only\n"
    "      --exclude=PATTERNS   do not trace the methods of these classes; patterns are\n"
    "                           separated by commas, a star stands for any characters\n"
    "      --start-at=METHOD    trace from the first call of a method on, such as\n"
    "                           org.example.Main#run, or from the signal SIGUSR1 on;\n"
    "                           with :N after it, from its Nth call on\n"
    "      --stop-at=METHOD     trace until that method or call ends, or until the signal\n"
    "      --names=DIR          the folder of the name lists (default: t.names for t.zst)\n"
    "      --ids=tags|header    keep ids in tags (default) or in the headers of objects:\n"
    "                           faster, but identity hashes are others\n"
    "      --tick-bytes=N       write a method boundary of the tracer's own when a thread has\n"
    "                           allocated N bytes without one, as in a long call of a\n"
    "                           library; 0: never (default: 1K, at the level exact)\n"
    "      --no-cache           instrument all classes anew; else those of earlier runs are\n"
    "                           taken from ~/.cache/etmerlin\n"
    "      --check[=COUNT]      also write the objects that survive collections over the run\n"
    "                           (default: about 100), into FILE with the suffix .check\n"
    "      --truth              collect after each method boundary and record true deaths;\n"
    "                           slow, for small programs\n"
    "      --print-options      print the options of java that start the tracer\n"
    "  -v, --verbose            print the number of records at the end\n"
    "  -h, --help               print this help\n"
    "  -V, --version            print the version\n";

static int complain_and_fail(struct failure *why)
{
    failure_print(why, "ettrace", stderr);
    failure_clear(why);
    return EXIT_TROUBLE;
}

static int misused(const char *sentence)
{
    fprintf(stderr, "ettrace: %s; see ettrace --help.\n", sentence);
    return EXIT_TROUBLE;
}

enum {
    OPTION_RECORDS = 256,
    OPTION_INCLUDE,
    OPTION_EXCLUDE,
    OPTION_START,
    OPTION_STOP,
    OPTION_NAMES,
    OPTION_IDS,
    OPTION_TICK_BYTES,
    OPTION_NO_CACHE,
    OPTION_CHECK,
    OPTION_TRUTH,
    OPTION_PRINT
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, 'f'},
    {"records", required_argument, NULL, OPTION_RECORDS},
    {"include", required_argument, NULL, OPTION_INCLUDE},
    {"exclude", required_argument, NULL, OPTION_EXCLUDE},
    {"start-at", required_argument, NULL, OPTION_START},
    {"stop-at", required_argument, NULL, OPTION_STOP},
    {"names", required_argument, NULL, OPTION_NAMES},
    {"ids", required_argument, NULL, OPTION_IDS},
    {"tick-bytes", required_argument, NULL, OPTION_TICK_BYTES},
    {"no-cache", no_argument, NULL, OPTION_NO_CACHE},
    {"check", optional_argument, NULL, OPTION_CHECK},
    {"truth", no_argument, NULL, OPTION_TRUTH},
    {"print-options", no_argument, NULL, OPTION_PRINT},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {0},
};

/* The command line, as far as it has been read. */
struct wishes {
    struct arguments arguments;
    bool prints;
    int exit; /* the status to exit with; -1: go on */
};

static int finished(const char *text)
{
    return fputs(text, stdout) < 0 || fflush(stdout) != 0 ? EXIT_TROUBLE : 0;
}

static void take_option(struct wishes *wishes, int option)
{
    struct arguments *arguments = &wishes->arguments;
    switch (option) {
    case 'o':
        arguments->output = optarg;
        break;
    case 'f':
        arguments->force = true;
        break;
    case 'v':
        arguments->verbose = true;
        break;
    case 'h':
        wishes->exit = finished(usage);
        break;
    case 'V':
        wishes->exit = finished("ettrace " VERSION "\n");
        break;
    case OPTION_RECORDS:
        arguments->records = optarg;
        break;
    case OPTION_INCLUDE:
        arguments->include = optarg;
        break;
    case OPTION_EXCLUDE:
        arguments->exclude = optarg;
        break;
    case OPTION_START:
        arguments->start_at = optarg;
        break;
    case OPTION_STOP:
        arguments->stop_at = optarg;
        break;
    case OPTION_NAMES:
        arguments->names = optarg;
        break;
    case OPTION_IDS:
        arguments->ids = optarg;
        break;
    case OPTION_TICK_BYTES:
        arguments->tick_bytes = optarg;
        break;
    case OPTION_NO_CACHE:
        arguments->no_cache = true;
        break;
    case OPTION_CHECK:
        arguments->check = optarg ? optarg : "100";
        break;
    case OPTION_TRUTH:
        arguments->truth = true;
        break;
    case OPTION_PRINT:
        wishes->prints = true;
        break;
    }
}

/* STATUS_MEANING: an option is wrong. */
static enum status read_options(struct wishes *wishes, int count, char **words,
                                struct failure *why)
{
    int option;
    wishes->exit = -1;
    opterr = 0;
    while (wishes->exit < 0 &&
           (option = getopt_long(count, words, "+:o:fvhV", long_options, NULL)) != -1) {
        if (option == '?' || option == ':')
            return option_fault(option, words[optind - 1], long_options, why);
        take_option(wishes, option);
    }
    return STATUS_OK;
}

/* Whether the command is java, which gets the agent as an option. Others get it through the
 * environment. */
static bool is_java(const char *command)
{
    const char *slash = strrchr(command, '/');
    return strcmp(slash ? slash + 1 : command, "java") == 0;
}

/* With "-o -", sets *descriptor to a copy of standard output, for the trace, and sends the
 * program's output to standard error. Otherwise the agent opens the trace: -1. */
static enum status redirect(int *descriptor, const struct arguments *arguments,
                            struct failure *why)
{
    *descriptor = -1;
    if (!is_standard_stream(arguments->output))
        return STATUS_OK;
    *descriptor = dup(STDOUT_FILENO);
    if (*descriptor < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return fail_errno(why, NULL, "write to standard output", errno);
    return STATUS_OK;
}

/* Sets *words to the command that is to be run. */
static enum status prepare(char ***words, const struct arguments *arguments, char **command,
                           struct failure *why)
{
    int descriptor;
    *words = command;
    if (!is_java(command[0]))
        return arguments_environment(arguments, why);
    enum status status = redirect(&descriptor, arguments, why);
    return status == STATUS_OK ? arguments_command(words, arguments, descriptor, command, why)
                               : status;
}

static int cannot_run(const char *program, int error)
{
    fputs("ettrace: ", stderr);
    text_print(stderr, program);
    fprintf(stderr, ": Cannot run this: %s.\n", strerror(error));
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

/* Runs a command that may start virtual machines, and reports if none of them was traced. */
static int run_other(const struct arguments *arguments, char **command)
{
    int status = 0;
    uint64_t before = arguments_made(arguments);
    int error = watch_run(command, &status);
    if (error)
        return cannot_run(command[0], error);
    bool is_made = arguments_made(arguments) != before;
    if (!is_made)
        fputs("ettrace: There is no trace when the command has ended: no Java virtual machine "
              "found the options in JAVA_TOOL_OPTIONS and ran a method that begins one.\n",
              stderr);
    if (WIFSIGNALED(status))
        return watch_end_by(WTERMSIG(status));
    return WEXITSTATUS(status) || is_made ? WEXITSTATUS(status) : EXIT_NO_TRACE;
}

static int run(struct wishes *wishes, char **command)
{
    struct failure why = {0};
    char **words;
    if (prepare(&words, &wishes->arguments, command, &why) != STATUS_OK)
        return complain_and_fail(&why);
    if (!is_java(command[0]))
        return run_other(&wishes->arguments, command);
    execvp(words[0], words);
    return cannot_run(words[0], errno);
}

static int print(struct wishes *wishes)
{
    struct failure why = {0};
    if (is_standard_stream(wishes->arguments.output))
        return misused("--print-options needs the name of a file");
    if (arguments_print(&wishes->arguments, stdout, &why) != STATUS_OK)
        return complain_and_fail(&why);
    return 0;
}

int main(int count, char **words)
{
    struct wishes wishes = {0};
    struct failure why = {0};
    if (read_options(&wishes, count, words, &why) != STATUS_OK)
        return complain_and_fail(&why);
    if (wishes.exit >= 0)
        return wishes.exit;
    if (!wishes.arguments.output)
        return misused("There is no -o FILE for the trace");
    if (arguments_check(&wishes.arguments, &why) != STATUS_OK || parts_check(&why) != STATUS_OK)
        return complain_and_fail(&why);
    if (wishes.prints)
        return print(&wishes);
    if (optind == count)
        return misused("No program is given");
    if (!is_java(words[optind]) && is_standard_stream(wishes.arguments.output))
        return misused("-o - needs java itself as the program to run; others may print there, "
                       "too, and start several");
    if (arguments_check_places(&wishes.arguments, &why) != STATUS_OK)
        return complain_and_fail(&why);
    return run(&wishes, words + optind);
}
