/* SPDX-License-Identifier: MIT */
/* What the command line asks of the agent, as text "name=value,name=value". In a value, a comma
 * and a percent sign are written %2C and %25; in those that are the names of outputs, %p stands
 * for the number of the process. */
#ifndef ETTRACE_SETTINGS_H
#define ETTRACE_SETTINGS_H

#include "places.h"

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum level { LEVEL_ET3, LEVEL_STORES, LEVEL_EXACT };

struct settings {
    enum level level;
    char *records;            /* the level's name */
    char *file;               /* of the trace; NULL: standard output */
    int descriptor;           /* of the open trace; -1: `file` is to be opened */
    char *ids;                /* "header": ids are to be in headers; NULL: tags */
    char *names;              /* folder; NULL: no lists */
    char *include, *exclude;  /* patterns of classes; NULL: all, none */
    char *start_at, *stop_at; /* CLASS#METHOD or SIGNAL; NULL: from the beginning, to the end */
    uint64_t tick_bytes;      /* allocated by a thread without a boundary; 0: no ticks */
    uint64_t checks;          /* how many checks are wanted; 0: none */
    char *check_file;         /* the file of --check; NULL: none */
    bool truth;
    struct replacing replacing;
    bool no_cache; /* each class is instrumented anew */
    bool verbose;
    bool is_alone; /* no other virtual machine has these settings */
};

/* Reads the text; NULL is an empty one. The caller owns what *settings holds, also after a
 * failure (settings_free). STATUS_MEANING: a setting is unknown, or its value is. */
enum status settings_read(struct settings *settings, const char *text,
                          struct failure *why) MUST_CHECK;

/* The words of CLASS#METHOD or CLASS#METHOD:NUMBER. */
struct limit_words {
    size_t owner, method; /* their lengths */
    uint64_t number;      /* of the call; 0: none is given */
};

/* Reads the value of --start-at or --stop-at, if it is no signal. Returns NULL, or what is
 * wrong with it, as the end of a sentence. */
const char *settings_limit(struct limit_words *words, const char *text);

/* The value of the setting with that name, which the settings own; NULL: it has none, or is no
 * text. */
const char *settings_text(const struct settings *settings, const char *name);

void settings_free(struct settings *settings);

#endif
