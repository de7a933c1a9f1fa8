/* SPDX-License-Identifier: MIT */
/* Where the outputs of the tracer go: checks before the program starts, which change nothing,
 * and the files, which get their names when the trace begins. */
#ifndef ETTRACE_PLACES_H
#define ETTRACE_PLACES_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum list { LIST_TYPES, LIST_METHODS, LIST_FIELDS, LIST_SITES, LIST_COUNT };

/* The names of the lists in their folder. */
extern const char *const list_names[LIST_COUNT];

/* Outputs with the process's id in their names; NULL: there is none. Texts are borrowed. */
struct places {
    const char *trace; /* NULL: it is already open */
    const char *names; /* folder */
    const char *check;
};

/* What may be replaced. */
struct replacing {
    bool force;      /* existing files may be replaced */
    bool is_shared;  /* other programs have the same settings: of files only `former` */
    uint64_t former; /* inode of the trace before all of these began; 0: there was none */
};

/* Whether an output may take the place of a file. */
bool place_is_free(const struct stat *facts, const struct replacing *replacing);

/* Whether another process writes into the file that is open. */
bool place_is_locked(int descriptor);

/* Whether the settings are of a program that began before this one: the trace is being written,
 * or was written since the settings were made. */
bool place_is_taken(const char *path, const struct replacing *replacing);

/* Whether the outputs can be made. STATUS_MEANING: one is there already and may not be
 * replaced, or two of them would be one file; STATUS_IO: one cannot be made. */
enum status places_check(const struct places *places, const struct replacing *replacing,
                         struct failure *why) MUST_CHECK;

/* The path with the number of this process for "%p", and a percent sign for "%%". The caller
 * owns it; NULL: no memory, or `path` is NULL. */
char *place_of_process(const char *path);

/* A pattern (glob(3)) of the names that place_of_process gives in any process. The caller owns
 * it; NULL: no memory, or `path` is NULL. */
char *place_pattern(const char *path);

/* Whether `path`, of an output that is not the trace, is no pipe: to open one would wait for a
 * reader. STATUS_MEANING: it is one. */
enum status place_refuse_pipe(const char *path, struct failure *why) MUST_CHECK;

/* Whether a name list stays in its folder: a link there may lead to a file that is none of the
 * tracer's. STATUS_MEANING: it leads elsewhere. */
enum status place_refuse_outside(const char *path, struct failure *why) MUST_CHECK;

/* The file in the folder. The caller owns it; NULL: no memory. */
char *place_in(const char *folder, const char *name);

/* The folder of the file. The caller owns it; NULL: no memory. */
char *place_folder(const char *path);

/* The file that a link leads to, which need not exist, or the path itself. The caller owns it;
 * NULL: no memory. */
char *place_behind_links(const char *path);

/* An output that has a temporary name until all outputs exist, so that what it replaces is kept
 * until the trace begins. Zero-initialize it. */
struct fresh {
    char *path;      /* its final name */
    char *temporary; /* its present name; NULL: it has its final one, or is a device */
    char *former;    /* another name of the file that it has replaced; NULL: there is none */
    int descriptor;
    bool is_made; /* it is a new file with its own name */
};

/* Opens `path`, or a new file in its folder that the process locks. */
enum status fresh_open(struct fresh *fresh, const char *path, struct failure *why) MUST_CHECK;

/* Gives the file its name. STATUS_MEANING: there is a file which it may not replace. */
enum status fresh_name(struct fresh *fresh, const struct replacing *replacing,
                       struct failure *why) MUST_CHECK;

/* Removes the file, if it is new, and closes it. A file that it has replaced gets its name
 * back. */
void fresh_drop(struct fresh *fresh);

/* Releases what it owns, and the file that it has replaced, but leaves its file open, which is
 * the caller's from now on. */
void fresh_keep(struct fresh *fresh);

#endif
