/* SPDX-License-Identifier: MIT */
/*
 * random_traces SEED: prints the random trace of a seed.
 * random_traces SEED --facts: prints instead what options a program needs to read it, a line
 * each: its dialect; "auto" if that is found again, or another in which it can be read, too;
 * "deaths" if it has some.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brute.h"
#include "generate.h"

/* Threads may look like a clock that goes backwards; a clock that jumps, like threads that can
 * be read. */
static bool auto_is_good(const struct generated_trace *trace)
{
    enum brute_dialect dialect = BRUTE_THREAD;
    size_t bad_line;

    return trace->time_dialect ||
           (brute_auto_dialect(trace->text.data, trace->text.size, &dialect, &bad_line) &&
            dialect == BRUTE_THREAD);
}

int main(int argc, char **argv)
{
    struct generated_trace trace;
    bool facts = argc == 3 && strcmp(argv[2], "--facts") == 0;
    char *end = NULL;
    uint64_t seed;

    errno = 0;
    seed = argc > 1 ? strtoull(argv[1], &end, 10) : 0;
    if (end == NULL || *end != '\0' || errno != 0 || argc != 2 + facts) {
        fputs("usage: random_traces SEED [--facts]\n", stderr);
        return 2;
    }
    generate_trace(seed, &trace);
    if (!facts)
        fwrite(trace.text.data, 1, trace.text.size, stdout);
    else
        printf("%s\n%s%s", trace.time_dialect ? "time" : "thread",
               auto_is_good(&trace) ? "auto\n" : "", trace.has_deaths ? "deaths\n" : "");
    text_free(&trace.text);
    return fflush(stdout) == 0 ? 0 : 2;
}
