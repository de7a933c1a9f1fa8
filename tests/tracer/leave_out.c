/* SPDX-License-Identifier: MIT */
/* Leaves out what the tracer's merger would: reads the text of a trace from standard input,
 * shows each record to repeats.h, and writes the trace with a comment in place of each use that
 * it leaves out. */
#include "../../tracer/native/merge.h"
#include "../../tracer/native/repeats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The word of the record that has each field of the line, in the order of the text; 0: its
 * head.
 */
static const char *places_of(char letter)
{
    switch (letter) {
    case 'N':
    case 'A':
    case 'P':
        return "23045";
    case 'U':
        return "230";
    case 'W':
        return "20";
    case 'M':
        return "02";
    case 'E':
        return "0";
    case 'D':
        return "23";
    default: /* X T H */
        return "023";
    }
}

/* Makes the words of a record from its line; returns its thread. */
static uint64_t parse(char *line, uint64_t *words)
{
    const char *places = places_of(*line);
    size_t count = strlen(places);
    uint64_t first = 0;
    char *at = line + 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = strtoull(at, &at, 10);
        if (places[i] == '0')
            first = number;
        else
            words[places[i] - '0'] = number;
    }
    words[1] = RECORD_HEAD(*line, count + 1, first);
    return strtoull(at, NULL, 10);
}

int main(void)
{
    struct repeats *repeats = repeats_new();
    char *line = NULL;
    size_t size = 0;
    if (!repeats)
        return 2;
    while (getline(&line, &size, stdin) > 0) {
        uint64_t words[RECORD_WORDS] = {0};
        bool is_record = *line >= 'A' && *line <= 'Z';
        uint64_t thread = is_record ? parse(line, words) : 0;
        bool is_out = is_record && repeats_find(repeats, thread, words);
        fputs(is_out ? "# left out\n" : line, stdout);
    }
    free(line);
    repeats_free(repeats);
    return ferror(stdin) || fflush(stdout) ? 2 : 0;
}
