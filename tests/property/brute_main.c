/* SPDX-License-Identifier: MIT */
/*
 * brute: writes a small trace with its death records, computed by brute force.
 *
 * It has those options of etmerlin that affect deaths, so that tests run both with the same
 * ones.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "brute.h"

struct request {
    struct brute_options options;
    bool auto_dialect;
    bool deaths_only;
    const char *path; /* NULL: standard input */
};

/* If the argument begins with the option, which includes "=", its value; otherwise NULL. */
static const char *value_of(const char *argument, const char *option)
{
    size_t size = strlen(option);

    return strncmp(argument, option, size) == 0 ? argument + size : NULL;
}

static bool parse_dialect(const char *value, struct request *request)
{
    request->auto_dialect = strcmp(value, "auto") == 0;
    request->options.dialect = strcmp(value, "time") == 0 ? BRUTE_TIME : BRUTE_THREAD;
    return request->auto_dialect || strcmp(value, "time") == 0 || strcmp(value, "thread") == 0;
}

static bool parse_held_by(const char *value, struct request *request)
{
    static const char *const names[] = {"receiver", "none", "frame"};

    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            request->options.held_by = (enum brute_held_by)i;
            return true;
        }
    }
    return false;
}

static bool parse_unallocated(const char *value, struct request *request)
{
    request->options.unallocated =
        strcmp(value, "immortal") == 0 ? BRUTE_IMMORTAL : BRUTE_LAST_USE;
    return strcmp(value, "immortal") == 0 || strcmp(value, "last-use") == 0;
}

static bool parse_at_end(const char *value, struct request *request)
{
    request->options.at_end = strcmp(value, "die") == 0 ? BRUTE_DIE : BRUTE_NONE;
    return strcmp(value, "die") == 0 || strcmp(value, "none") == 0;
}

static bool parse_death_thread(const char *value, struct request *request)
{
    char *end;

    errno = 0;
    request->options.death_thread = strtoull(value, &end, 10);
    request->options.has_death_thread = true;
    return errno == 0 && *value >= '0' && *value <= '9' && *end == '\0';
}

static bool parse_option(const char *argument, struct request *request)
{
    static const struct {
        const char *name;
        bool (*parse)(const char *value, struct request *request);
    } options[] = {
        {"--dialect=", parse_dialect},           {"--held-by=", parse_held_by},
        {"--unallocated=", parse_unallocated},   {"--at-end=", parse_at_end},
        {"--death-thread=", parse_death_thread},
    };

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *value = value_of(argument, options[i].name);

        if (value != NULL)
            return options[i].parse(value, request);
    }
    if (strcmp(argument, "--deaths-only") == 0)
        return request->deaths_only = true;
    if (strcmp(argument, "--replace-deaths") == 0)
        return request->options.replace_deaths = true;
    return false;
}

static bool parse(int argc, char **argv, struct request *request)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            if (!parse_option(argv[i], request))
                return false;
        } else if (request->path != NULL) {
            return false;
        } else {
            request->path = argv[i];
        }
    }
    return true;
}

static bool read_trace(const char *path, struct text *trace)
{
    int file = path == NULL ? STDIN_FILENO : open(path, O_RDONLY);
    bool good = file >= 0 && text_read(trace, file);

    if (!good)
        fprintf(stderr, "brute: %s: %s\n", path == NULL ? "(standard input)" : path,
                strerror(errno));
    if (path != NULL && file >= 0)
        close(file);
    return good;
}

static bool compute(struct request *request, const struct text *trace, struct text *output)
{
    const struct brute_options *options = &request->options;
    size_t bad_line = 0;
    bool good = true;

    if (request->auto_dialect)
        good =
            brute_auto_dialect(trace->data, trace->size, &request->options.dialect, &bad_line);
    if (good && request->deaths_only)
        good = brute_deaths(trace->data, trace->size, options, output, &bad_line);
    else if (good)
        good = brute_trace(trace->data, trace->size, options, output, &bad_line);
    if (!good)
        fprintf(stderr, "brute: line %zu: Not a well-formed record.\n", bad_line);
    return good;
}

static bool write_output(const struct text *output)
{
    if (output->size > 0)
        fwrite(output->data, 1, output->size, stdout);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fprintf(stderr, "brute: (standard output): %s\n", strerror(errno));
    return false;
}

int main(int argc, char **argv)
{
    struct request request = {0};
    struct text trace = {0};
    struct text output = {0};
    bool good;

    if (!parse(argc, argv, &request)) {
        fputs("usage: brute [--dialect=thread|time|auto] [--held-by=receiver|none|frame]\n"
              "             [--unallocated=last-use|immortal] [--at-end=none|die]\n"
              "             [--death-thread=ID] [--deaths-only] [--replace-deaths] [TRACE]\n",
              stderr);
        return 2;
    }
    good = read_trace(request.path, &trace) && compute(&request, &trace, &output) &&
           write_output(&output);
    text_free(&trace);
    text_free(&output);
    return good ? 0 : 2;
}
