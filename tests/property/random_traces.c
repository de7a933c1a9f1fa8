/* SPDX-License-Identifier: MIT */
/*
 * random_traces SEED: prints the random trace of a seed.
 * random_traces SEED --facts: prints lines about it instead: the dialect; "auto" if the program
 * finds that dialect, or another one in which the trace can be read, too; "deaths" if it may
 * have some.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brute.h"
#include "generate.h"

/* Whether --dialect=auto is good for the trace. Threads may look like a clock, which then goes
 * backwards, so such a trace would be refused. A clock that jumps looks like threads, and the
 * trace can be read. */
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
