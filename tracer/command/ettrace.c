/* SPDX-License-Identifier: MIT */
/* ettrace: starts a Java program with the tracer in it. All it does is to turn its options into
 * those of the agent, to open the trace, so that what is wrong with it is told before the
 * program starts, and to become the program. */
#include "arguments.h"

#include "base/status.h"
#include "base/text.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 2, EXIT_NOT_FOUND = 127, EXIT_CANNOT_RUN = 126 };

static const char usage[] =
    "Usage: ettrace [OPTION]... -o FILE -- java [ARGUMENT]...\n"
    "   or: ettrace [OPTION]... -o FILE --print-options\n"
    "Runs a Java program and writes a heap trace of it, from which etmerlin computes when\n"
    "each object died.\n"
    "\n"
    "  -o, --output=FILE        the trace; compressed if FILE ends in .zst, .gz or .xz;\n"
    "                           \"-\": standard output, and the program's own goes to "
    "standard\n"
    "                           error\n"
    "  -f, --force              replace files that are there already\n"
    "      --records=LEVEL      stores (default), exact: also what local variables hold,\n"
    "                           et3: what older tracers record\n"
    "      --include=PATTERNS   trace the methods of these classes only\n"
    "      --exclude=PATTERNS   do not trace the methods of these classes; patterns are\n"
    "                           separated by commas, a star stands for any characters\n"
    "      --start-at=METHOD    trace from the first begin of a method on, such as\n"
    "                           org.example.Main#run; or SIGUSR1: when that signal comes\n"
    "      --stop-at=METHOD     trace until that method ends, or the signal comes\n"
    "      --names=DIR          where the name lists go (default: beside the trace)\n"
    "      --check[=COUNT]      also write what lives after collections, spaced over the run\n"
    "                           (default: about 100), into FILE with the suffix .check\n"
    "      --truth              collect after each method boundary and record true deaths;\n"
    "                           slow, for small programs\n"
    "      --print-options      print the options of java that start the tracer, and end\n"
    "  -v, --verbose            tell at the end how many records there are\n"
    "  -h, --help               print this and end\n"
    "  -V, --version            print the version and end\n";

static int complain_and_fail(struct failure *why)
{
    failure_print(why, "ettrace", stderr);
    failure_clear(why);
    return EXIT_TROUBLE;
}

static int misused(const char *sentence)
{
    fprintf(stderr, "ettrace: %s; ettrace --help tells more.\n", sentence);
    return EXIT_TROUBLE;
}

enum {
    OPTION_RECORDS = 256,
    OPTION_INCLUDE,
    OPTION_EXCLUDE,
    OPTION_START,
    OPTION_STOP,
    OPTION_NAMES,
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
    {"check", optional_argument, NULL, OPTION_CHECK},
    {"truth", no_argument, NULL, OPTION_TRUTH},
    {"print-options", no_argument, NULL, OPTION_PRINT},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {0},
};

/* What the command line says. */
struct wishes {
    struct arguments arguments;
    bool prints;
    int exit; /* -1: go on */
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
    case OPTION_CHECK:
        arguments->check = optarg ? optarg : "100";
        break;
    case OPTION_TRUTH:
        arguments->truth = true;
        break;
    case OPTION_PRINT:
        wishes->prints = true;
        break;
    default:
        wishes->exit = EXIT_TROUBLE;
        break; /* getopt has told why */
    }
}

static void read_options(struct wishes *wishes, int count, char **words)
{
    int option;
    wishes->exit = -1;
    while (wishes->exit < 0 &&
           (option = getopt_long(count, words, "+o:fvhV", long_options, NULL)) != -1)
        take_option(wishes, option);
}

/* The agent goes into the command of a launcher of Java. */
static bool is_java(const char *command)
{
    const char *slash = strrchr(command, '/');
    return strcmp(slash ? slash + 1 : command, "java") == 0;
}

/* Opens the trace. With "-" the program's output goes where its messages go. */
static enum status open_trace(int *descriptor, const struct arguments *arguments,
                              struct failure *why)
{
    if (strcmp(arguments->output, "-") != 0) {
        enum status status =
            output_create(descriptor, arguments->output, arguments->force, why);
        if (status == STATUS_OK)
            fcntl(*descriptor, F_SETFD, 0);
        return status;
    }
    *descriptor = dup(STDOUT_FILENO);
    if (*descriptor < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return fail_errno(why, NULL, "write to standard output", errno);
    return STATUS_OK;
}

/* A device, such as /dev/null, is none. */
static bool is_empty_file(int descriptor)
{
    struct stat facts;
    return fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size == 0;
}

static int run(struct wishes *wishes, char **command)
{
    struct failure why = {0};
    int descriptor;
    char **words;
    if (open_trace(&descriptor, &wishes->arguments, &why) != STATUS_OK ||
        arguments_command(&words, &wishes->arguments, descriptor, command, &why) != STATUS_OK)
        return complain_and_fail(&why);
    execvp(words[0], words);
    int error = errno;
    fputs("ettrace: ", stderr);
    text_print(stderr, words[0]);
    fprintf(stderr, ": Cannot run this: %s.\n", strerror(error));
    if (strcmp(wishes->arguments.output, "-") != 0 && is_empty_file(descriptor))
        unlink(wishes->arguments.output);
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

static int print(struct wishes *wishes)
{
    struct failure why = {0};
    if (strcmp(wishes->arguments.output, "-") == 0)
        return misused("--print-options needs the name of a file");
    if (arguments_print(&wishes->arguments, stdout, &why) != STATUS_OK)
        return complain_and_fail(&why);
    return 0;
}

int main(int count, char **words)
{
    struct wishes wishes = {0};
    struct failure why = {0};
    read_options(&wishes, count, words);
    if (wishes.exit >= 0)
        return wishes.exit;
    if (!wishes.arguments.output)
        return misused("There is no -o FILE for the trace");
    if (arguments_check(&wishes.arguments, &why) != STATUS_OK ||
        arguments_installed(&why) != STATUS_OK)
        return complain_and_fail(&why);
    if (wishes.prints)
        return print(&wishes);
    if (optind == count)
        return misused("There is no program to run");
    if (!is_java(words[optind]))
        return misused(
            "The program to run is not java; --print-options tells what to give to a "
            "java that something else starts");
    return run(&wishes, words + optind);
}
