/* SPDX-License-Identifier: MIT */
/* The command line: the bytes are its words, each with a zero byte at its end. Options that are
 * accepted are consistent, and others are refused with a message. */
#include "fuzz.h"

#include "cli/files/outputs.h"
#include "cli/options/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

const char fuzz_target[] = "options";

enum { WORDS_MOST = 64 };

/* Cuts `text`, which ends with a zero byte, into words, and puts them after the name of the
 * program; returns how many words there are. */
static int cut(char *text, size_t length, char *words[static WORDS_MOST + 2])
{
    static char program[] = "etmerlin";
    int count = 0;
    words[count++] = program;
    for (size_t at = 0; at < length && count <= WORDS_MOST; at += strlen(text + at) + 1)
        words[count++] = text + at;
    words[count] = NULL;
    return count;
}

/* Expects that the traces are among the words, and that the requested reports have files. */
static void check_options(const struct options *options, char *const *words, int count)
{
    promised(options->command <= COMMAND_HELP);
    promised(options->traces >= words && options->traces <= words + count);
    promised(options->trace_count == (size_t)(words + count - options->traces));
    if (options->command >= COMMAND_VERSION)
        return;
    promised(options->engine.threads >= 1 && options->jobs >= 1);
    for (unsigned kind = 0; kind < REPORT_COUNT; kind++)
        if (options->reports[kind])
            promised(outputs_report_path(options, (enum report_kind)kind) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct options options;
    struct failure why = {.status = STATUS_OK};
    char *words[WORDS_MOST + 2], *text = malloc(length + 1);
    promised(text != NULL);
    if (length > 0)
        memcpy(text, bytes, length);
    text[length] = '\0';
    int count = cut(text, length, words);
    optind = 0; /* getopt begins anew */
    enum status status = options_parse(&options, count, words, &why);
    if (status == STATUS_OK)
        status = outputs_settle(&options, &why);
    promised(status == why.status && (status == STATUS_OK) == (why.text == NULL));
    if (status == STATUS_OK)
        check_options(&options, words, count);
    failure_clear(&why);
    free(text);
    return 0;
}
