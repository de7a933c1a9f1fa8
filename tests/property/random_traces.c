/* SPDX-License-Identifier: MIT */
/*
 * random_traces: runs etmerlin on random traces under every combination of the options that say
 * what lives, with a table and with small windows, and compares what it writes, byte by byte,
 * with what brute force computes.
 *
 * Everything about a seed's runs follows from the seed, also which of them read standard input,
 * detect the dialect, or write the deaths only; so a seed that fails, fails alone as well.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "brute.h"
#include "generate.h"

#define COMBINATIONS 12
#define SECONDS_TO_RUN 60 /* for one run of the program; more is a failure */
#define TROUBLE 2         /* exit status: not a verdict on etmerlin */

static volatile sig_atomic_t stop_signal;

static void note_signal(int number)
{
    stop_signal = number;
}

static void die(const char *what)
{
    fprintf(stderr, "random_traces: %s: %s\n", what, strerror(errno));
    exit(TROUBLE);
}

/* ---- Command line ---- */

struct settings {
    uint64_t seed;
    uint64_t count;
    uint64_t jobs;
    bool print;
    bool tap;
    const char *etmerlin;
};

/* How many seeds passed and failed. */
struct tally {
    uint64_t passed;
    uint64_t failed;
};

static void usage(void)
{
    fputs("usage: random_traces [--seed N] [--count N] [--jobs N] [--tap] --etmerlin PATH\n"
          "       random_traces --seed N --print\n",
          stderr);
    exit(TROUBLE);
}

static uint64_t parse_number(const char *word)
{
    char *end;
    unsigned long long number;

    errno = 0;
    number = strtoull(word, &end, 10);
    if (errno != 0 || *word < '0' || *word > '9' || *end != '\0')
        usage();
    return number;
}

static struct settings parse_settings(int argc, char **argv)
{
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'},
        {"count", required_argument, NULL, 'c'},
        {"jobs", required_argument, NULL, 'j'},
        {"print", no_argument, NULL, 'p'},
        {"tap", no_argument, NULL, 't'},
        {"etmerlin", required_argument, NULL, 'e'},
        {NULL, 0, NULL, 0},
    };
    struct settings settings = {.seed = 1, .count = 1000, .jobs = 1};
    int letter;

    while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (letter == 's')
            settings.seed = parse_number(optarg);
        else if (letter == 'c')
            settings.count = parse_number(optarg);
        else if (letter == 'j')
            settings.jobs = parse_number(optarg);
        else if (letter == 'p')
            settings.print = true;
        else if (letter == 't')
            settings.tap = true;
        else if (letter == 'e')
            settings.etmerlin = optarg;
        else
            usage();
    }
    if (optind != argc || settings.jobs == 0 || settings.jobs > 1024 ||
        (settings.etmerlin == NULL && !settings.print))
        usage();
    return settings;
}

/* ---- Temporary files ---- */

struct workplace {
    char *trace_path; /* the program opens the trace by name */
    int trace;
    int output; /* of the program; these two have no name any more */
    int errors;
};

static char *temporary_path(void)
{
    const char *folder = getenv("TMPDIR");
    struct text path = {0};

    text_string(&path, folder == NULL || *folder == '\0' ? "/tmp" : folder);
    text_string(&path, "/random_traces.XXXXXX");
    text_append(&path, "", 1);
    return path.data;
}

static int temporary_file(char **path)
{
    int file;

    *path = temporary_path();
    file = mkstemp(*path);
    if (file < 0)
        die(*path);
    return file;
}

static int nameless_file(void)
{
    char *path;
    int file = temporary_file(&path);

    unlink(path);
    free(path);
    return file;
}

static void open_workplace(struct workplace *place)
{
    place->output = nameless_file();
    place->errors = nameless_file();
    place->trace = temporary_file(&place->trace_path);
    fcntl(place->trace, F_SETFD, FD_CLOEXEC);
}

static void close_workplace(struct workplace *place)
{
    unlink(place->trace_path);
    free(place->trace_path);
    close(place->trace);
    close(place->output);
    close(place->errors);
}

/* False when the reader has closed the pipe: it need not read all. */
static bool write_all(int file, const struct text *text)
{
    size_t done = 0;

    while (done < text->size) {
        ssize_t wrote = write(file, text->data + done, text->size - done);

        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno == EPIPE)
            return false;
        else if (errno != EINTR)
            die("write");
    }
    return true;
}

static void rewrite_file(int file, const struct text *text)
{
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
        die("temporary file");
    write_all(file, text);
}

static void read_file(int file, struct text *text)
{
    text_clear(text);
    if (lseek(file, 0, SEEK_SET) != 0 || !text_read(text, file))
        die("temporary file");
}

/* ---- One run ---- */

/* What one run of the program is asked for. */
struct run {
    struct brute_options options;
    bool auto_dialect;
    bool deaths_only;
    bool standard_input;
    bool two_threads;
    const char *window; /* how large windows are, for --engine=windows; NULL: --engine=table */
};

/* What came out of it. */
struct result {
    int status; /* as of waitpid() */
    struct text output;
    struct text errors;
    struct text expected;
};

static bool one_in(uint64_t *random, uint64_t n)
{
    *random = scramble(*random);
    return *random % n == 0;
}

/*
 * The dialect that --dialect=auto must find. It need not be the one that the trace was made in:
 * a clock that jumps looks like threads, and can be read as such.
 */
static enum brute_dialect auto_dialect(const struct generated_trace *trace)
{
    enum brute_dialect dialect = BRUTE_THREAD;
    size_t bad_line;

    brute_auto_dialect(trace->text.data, trace->text.size, &dialect, &bad_line);
    return dialect;
}

/* Of the 12 combinations one; and, at random, how the program is run. */
static struct run choose_run(uint64_t seed, unsigned combination,
                             const struct generated_trace *trace)
{
    static const uint64_t threads[] = {0, 1, 7, UINT64_MAX};
    uint64_t random = scramble(seed) + combination;
    struct run run = {0};

    run.options.dialect = trace->time_dialect ? BRUTE_TIME : BRUTE_THREAD;
    run.options.held_by = (enum brute_held_by)(combination % 3);
    run.options.unallocated = (enum brute_unallocated)(combination / 3 % 2);
    run.options.at_end = (enum brute_at_end)(combination / 6);
    run.options.has_death_thread = one_in(&random, 6);
    run.options.death_thread = threads[random / 6 % 4];
    run.options.replace_deaths = trace->has_deaths || one_in(&random, 12);
    run.deaths_only = one_in(&random, 6);
    run.standard_input = one_in(&random, 6);
    run.two_threads = one_in(&random, 2);
    run.auto_dialect = one_in(&random, 3);
    if (run.auto_dialect && auto_dialect(trace) == BRUTE_THREAD)
        run.options.dialect = BRUTE_THREAD;
    else if (!trace->time_dialect) /* threads that look like a clock, which may go backwards */
        run.auto_dialect = false;
    return run;
}

/* The arguments of a run, NULL after the last one. */
struct command {
    const char *word[16];
    size_t count;
    char death_thread[40];
};

static void add_word(struct command *command, const char *word)
{
    command->word[command->count++] = word;
}

static void build_command(struct command *command, const struct run *run, const char *etmerlin,
                          const char *trace_path)
{
    static const char *const dialects[] = {"--dialect=thread", "--dialect=time"};
    static const char *const held_by[] = {"--held-by=receiver", "--held-by=none",
                                          "--held-by=frame"};
    static const char *const unallocated[] = {"--unallocated=last-use",
                                              "--unallocated=immortal"};
    static const char *const at_end[] = {"--at-end=none", "--at-end=die"};
    const struct brute_options *options = &run->options;

    *command = (struct command){0};
    add_word(command, etmerlin);
    add_word(command, run->auto_dialect ? "--dialect=auto" : dialects[options->dialect]);
    add_word(command, held_by[options->held_by]);
    add_word(command, unallocated[options->unallocated]);
    add_word(command, at_end[options->at_end]);
    add_word(command, "--update-order=container"); /* random ids do not show it */
    add_word(command, run->window ? "--engine=windows" : "--engine=table");
    if (run->window != NULL)
        add_word(command, run->window);
    add_word(command, run->two_threads ? "--threads=2" : "--threads=1");
    snprintf(command->death_thread, sizeof command->death_thread, "--death-thread=%" PRIu64,
             options->death_thread);
    if (options->has_death_thread)
        add_word(command, command->death_thread);
    if (options->replace_deaths)
        add_word(command, "--replace-deaths");
    if (run->deaths_only)
        add_word(command, "--deaths-only");
    if (!run->standard_input)
        add_word(command, trace_path);
}

/* In the child: becomes the program, with input as its standard input. */
static void become(const struct command *command, const struct workplace *place, int input)
{
    if (dup2(input, STDIN_FILENO) < 0 || dup2(place->output, STDOUT_FILENO) < 0 ||
        dup2(place->errors, STDERR_FILENO) < 0)
        _exit(126);
    close(input);
    close(place->output);
    close(place->errors);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    alarm(SECONDS_TO_RUN); /* outlives execv() */
    execv(command->word[0], (char *const *)command->word);
    _exit(127);
}

static pid_t start(const struct command *command, const struct workplace *place, int input,
                   int unused)
{
    pid_t child = fork();

    if (child < 0)
        die("fork");
    if (child == 0) {
        if (unused >= 0)
            close(unused);
        become(command, place, input);
    }
    close(input);
    return child;
}

static int wait_for(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            die("waitpid");
    return status;
}

/* Runs the program, with the trace as a file or through a pipe; its outputs go to files. */
static int run_program(const struct command *command, const struct workplace *place,
                       bool standard_input, const struct text *trace)
{
    int ends[2];
    pid_t child;

    if (!standard_input) {
        int nothing = open("/dev/null", O_RDONLY);

        if (nothing < 0)
            die("/dev/null");
        return wait_for(start(command, place, nothing, -1));
    }
    if (pipe(ends) != 0)
        die("pipe");
    child = start(command, place, ends[0], ends[1]);
    write_all(ends[1], trace);
    close(ends[1]);
    return wait_for(child);
}

static void expect(const struct run *run, const struct text *trace, struct text *expected)
{
    size_t bad_line = 0;
    bool good;

    text_clear(expected);
    if (run->deaths_only)
        good = brute_deaths(trace->data, trace->size, &run->options, expected, &bad_line);
    else
        good = brute_trace(trace->data, trace->size, &run->options, expected, &bad_line);
    if (!good) {
        fprintf(stderr, "random_traces: generated trace, line %zu: Not well-formed.\n",
                bad_line);
        exit(TROUBLE);
    }
}

static bool same_text(const struct text *a, const struct text *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static bool execute(const struct run *run, const struct command *command,
                    const struct workplace *place, const struct text *trace,
                    struct result *result)
{
    const struct text empty = {0};

    rewrite_file(place->output, &empty);
    rewrite_file(place->errors, &empty);
    result->status = run_program(command, place, run->standard_input, trace);
    read_file(place->output, &result->output);
    read_file(place->errors, &result->errors);
    expect(run, trace, &result->expected);
    return result->status == 0 && same_text(&result->output, &result->expected);
}

/* ---- Reports ---- */

/* Appends a line's bytes as a C string literal would show them, at most 200 of them. */
static void show_line(struct text *report, const struct text *text, size_t start)
{
    static const char digits[] = "0123456789abcdef";

    if (start >= text->size) {
        text_string(report, "(end of output)");
        return;
    }
    text_string(report, "\"");
    for (size_t i = start; i < text->size && i < start + 200; i++) {
        unsigned char byte = (unsigned char)text->data[i];
        char code[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};

        if (byte >= ' ' && byte != 0x7f && byte != '"' && byte != '\\')
            text_append(report, text->data + i, 1);
        else if (byte == '\n' || byte == '\r' || byte == '\t')
            text_string(report, byte == '\n' ? "\\n" : byte == '\r' ? "\\r" : "\\t");
        else
            text_append(report, code, 4);
        if (byte == '\n')
            break;
    }
    text_string(report, "\"");
}

/* Finds the first line that differs: its number from 1; *start is where it begins in both. */
static uint64_t first_difference(const struct text *a, const struct text *b, size_t *start)
{
    uint64_t line = 1;

    *start = 0;
    for (size_t i = 0; i < a->size && i < b->size && a->data[i] == b->data[i]; i++) {
        if (a->data[i] == '\n') {
            line++;
            *start = i + 1;
        }
    }
    return line;
}

static void report_output(struct text *report, const struct result *result)
{
    size_t start;
    uint64_t line = first_difference(&result->expected, &result->output, &start);

    if (same_text(&result->expected, &result->output))
        return;
    text_string(report, "  line ");
    text_number(report, line);
    text_string(report, " of the output\n    expected ");
    show_line(report, &result->expected, start);
    text_string(report, "\n    got      ");
    show_line(report, &result->output, start);
    text_string(report, "\n");
}

static void report_status(struct text *report, const struct result *result)
{
    if (result->status == 0)
        return;
    if (WIFEXITED(result->status)) {
        text_string(report, "  exit status ");
        text_number(report, (uint64_t)WEXITSTATUS(result->status));
    } else {
        text_string(report, "  ended by signal ");
        text_number(report, (uint64_t)WTERMSIG(result->status));
    }
    text_string(report, "\n");
    if (result->errors.size > 0) {
        size_t shown = result->errors.size < 2000 ? result->errors.size : 2000;

        text_string(report, "  standard error:\n");
        text_append(report, result->errors.data, shown);
        if (result->errors.data[shown - 1] != '\n')
            text_string(report, "\n");
    }
}

/* How the run was called; the trace's temporary name would mean nothing to the reader. */
static void report_command(struct text *report, const struct command *command,
                           const struct run *run)
{
    text_string(report, "  run:");
    for (size_t i = 0; i < command->count; i++) {
        bool is_trace = !run->standard_input && i + 1 == command->count;

        text_string(report, " ");
        text_string(report, is_trace ? "TRACE" : command->word[i]);
    }
    text_string(report, run->standard_input ? " < TRACE\n" : "\n");
}

static void report_seed(struct text *report, uint64_t seed, const char *program,
                        const struct settings *settings)
{
    text_string(report, "  this seed alone: ");
    text_string(report, program);
    text_string(report, " --seed ");
    text_number(report, seed);
    text_string(report, " --count 1 --etmerlin ");
    text_string(report, settings->etmerlin);
    text_string(report, "\n  its TRACE: ");
    text_string(report, program);
    text_string(report, " --seed ");
    text_number(report, seed);
    text_string(report, " --print\n");
}

static void report_failure(struct text *report, uint64_t seed, const struct command *command,
                           const struct run *run, const struct result *result)
{
    text_string(report, "FAILED seed ");
    text_number(report, seed);
    text_string(report, "\n");
    report_command(report, command, run);
    report_status(report, result);
    report_output(report, result);
}

static void report_count(struct text *report, uint64_t failures)
{
    text_string(report, "  combinations that fail: ");
    text_number(report, failures);
    text_string(report, " of ");
    text_number(report, COMBINATIONS);
    text_string(report, "\n");
}

/* ---- One seed, and many ---- */

/* Runs one combination; the first one of a seed that fails is described in the report. */
static bool try_combination(uint64_t seed, const struct run *run,
                            const struct settings *settings, const struct workplace *place,
                            const struct text *trace, struct text *report)
{
    struct command command;
    struct result result = {0};
    bool good;

    build_command(&command, run, settings->etmerlin, place->trace_path);
    good = execute(run, &command, place, trace, &result);
    if (!good && report->size == 0)
        report_failure(report, seed, &command, run, &result);
    text_free(&result.output);
    text_free(&result.errors);
    text_free(&result.expected);
    return good;
}

/* All combinations of one seed. Reports are written whole: other jobs write theirs too. */
static bool try_seed(uint64_t seed, const char *program, const struct settings *settings,
                     const struct workplace *place)
{
    struct generated_trace trace;
    struct text report = {0};
    uint64_t failures = 0;

    generate_trace(seed, &trace);
    rewrite_file(place->trace, &trace.text);
    for (unsigned i = 0; i < COMBINATIONS && stop_signal == 0; i++) {
        static const char *const windows[] = {"--window=1", "--window=7", "--window=100"};
        struct run run = choose_run(seed, i, &trace);
        bool good = try_combination(seed, &run, settings, place, &trace.text, &report);

        run.window = windows[(seed + i) % 3];
        failures +=
            !try_combination(seed, &run, settings, place, &trace.text, &report) || !good;
    }
    if (failures > 0 && stop_signal == 0) {
        report_count(&report, failures);
        report_seed(&report, seed, program, settings);
        write_all(STDOUT_FILENO, &report);
    }
    text_free(&report);
    text_free(&trace.text);
    return failures == 0;
}

/* One write a line: the jobs share standard output. */
static void print_tap_line(uint64_t seed, bool passed)
{
    struct text line = {0};

    text_string(&line, passed ? "ok - seed " : "not ok - seed ");
    text_number(&line, seed);
    text_string(&line, "\n");
    write_all(STDOUT_FILENO, &line);
    text_free(&line);
}

/* Of the seeds every jobs-th one, from the job's own. */
static struct tally try_seeds(uint64_t job, const char *program,
                              const struct settings *settings)
{
    struct workplace place;
    struct tally tally = {0, 0};

    open_workplace(&place);
    for (uint64_t i = job; i < settings->count && stop_signal == 0; i += settings->jobs) {
        bool passed = try_seed(settings->seed + i, program, settings, &place);

        tally.passed += passed;
        tally.failed += !passed;
        if (settings->tap)
            print_tap_line(settings->seed + i, passed);
    }
    close_workplace(&place);
    return tally;
}

/* ---- Jobs ---- */

struct job {
    pid_t child;
    int tally; /* pipe from which its tally can be read */
};

static struct job start_job(uint64_t number, const char *program,
                            const struct settings *settings)
{
    struct job job;
    int ends[2];

    if (pipe(ends) != 0)
        die("pipe");
    job.tally = ends[0];
    job.child = fork();
    if (job.child < 0)
        die("fork");
    if (job.child == 0) {
        struct tally tally;
        struct text message = {0};

        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        tally = try_seeds(number, program, settings);
        text_append(&message, (const char *)&tally, sizeof tally);
        write_all(ends[1], &message);
        text_free(&message);
        _exit(0);
    }
    close(ends[1]);
    return job;
}

/* A job that ended without a tally met trouble and has said so. */
static bool finish_job(const struct job *job, struct tally *sum)
{
    struct text message = {0};
    struct tally tally;
    bool good = text_read(&message, job->tally) && message.size == sizeof tally;

    if (good) {
        memcpy(&tally, message.data, sizeof tally);
        sum->passed += tally.passed;
        sum->failed += tally.failed;
    }
    close(job->tally);
    text_free(&message);
    return wait_for(job->child) == 0 && good;
}

/* Runs all seeds in as many processes as asked for; false when one of them met trouble. */
static bool run_jobs(const char *program, const struct settings *settings, struct tally *sum)
{
    struct job *jobs = calloc(settings->jobs, sizeof *jobs);
    bool good = true;

    if (jobs == NULL)
        die("jobs");
    for (uint64_t i = 0; i < settings->jobs; i++)
        jobs[i] = start_job(i, program, settings);
    for (uint64_t i = 0; i < settings->jobs; i++)
        good = finish_job(&jobs[i], sum) && good;
    free(jobs);
    return good;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = note_signal};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE,
           SIG_IGN); /* a program that does not read its input is found by its output */
}

static int print_trace(uint64_t seed)
{
    struct generated_trace trace;

    generate_trace(seed, &trace);
    write_all(STDOUT_FILENO, &trace.text);
    text_free(&trace.text);
    return 0;
}

int main(int argc, char **argv)
{
    struct settings settings = parse_settings(argc, argv);
    struct tally tally = {0, 0};
    bool good;

    if (settings.print)
        return print_trace(settings.seed);
    if (access(settings.etmerlin, X_OK) != 0)
        die(settings.etmerlin);
    catch_signals();
    good = run_jobs(argv[0], &settings, &tally);
    if (stop_signal != 0) {
        signal(stop_signal, SIG_DFL);
        raise(stop_signal);
    }
    if (settings.tap)
        printf("1..%" PRIu64 "\n", settings.count);
    printf("random_traces: %" PRIu64 " passed, %" PRIu64 " failed\n", tally.passed,
           tally.failed);
    if (!good)
        return TROUBLE;
    return tally.failed == 0 ? 0 : 1;
}
