/* SPDX-License-Identifier: MIT */
/* Runs unit tests where there is no Criterion: see criterion/criterion.h. --tap=FILE names the
 * file for the results, as TAP; other options of Criterion are accepted and ignored. Exit
 * status: 0 all tests passed, 1 some failed. */
#include "criterion/criterion.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct criterion_entry *entries;
static int failures; /* the number of failures of the test in this process */

void criterion_add(struct criterion_entry *entry)
{
    entry->next = entries;
    entries = entry;
}

static void note(const char *file, int line, const char *text, const char *format,
                 va_list arguments)
{
    failures++;
    fprintf(stderr, "%s:%d: not so: %s: ", file, line, text);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void criterion_note(const char *file, int line, const char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(file, line, text, format, arguments);
    va_end(arguments);
}

void criterion_end(const char *file, int line, const char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(file, line, text, format, arguments);
    va_end(arguments);
    _exit(1);
}

/* The options of the test's suite; NULL: it has none. */
static const struct criterion_options *suite_of(const struct criterion_entry *test)
{
    for (const struct criterion_entry *entry = entries; entry; entry = entry->next)
        if (!entry->body && strcmp(entry->suite, test->suite) == 0)
            return &entry->options;
    return NULL;
}

/* Runs the test in this process, and ends the process. */
static void run_here(const struct criterion_entry *test)
{
    const struct criterion_options *suite = suite_of(test);
    if (suite && suite->init)
        suite->init();
    if (test->options.init)
        test->options.init();
    test->body();
    if (test->options.fini)
        test->options.fini();
    if (suite && suite->fini)
        suite->fini();
    fflush(NULL);
    _exit(failures > 0);
}

static bool passes(const struct criterion_entry *test)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_here(test);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (test->options.signal != 0)
        return WIFSIGNALED(status) && WTERMSIG(status) == test->options.signal;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **arguments)
{
    FILE *tap = stdout;
    for (int i = 1; i < count; i++)
        if (strncmp(arguments[i], "--tap=", 6) == 0)
            tap = fopen(arguments[i] + 6, "w");
    if (!tap)
        return 2;
    unsigned number = 0, failed = 0;
    for (const struct criterion_entry *test = entries; test; test = test->next) {
        if (!test->body)
            continue;
        bool passed = passes(test);
        failed += !passed;
        fprintf(tap, "%sok %u - %s::%s\n", passed ? "" : "not ", ++number, test->suite,
                test->name);
    }
    fprintf(tap, "1..%u\n", number);
    fclose(tap);
    return failed > 0;
}
