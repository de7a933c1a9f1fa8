/* SPDX-License-Identifier: MIT */
/* Names of files and folders: where links lead, how a name is given, and what its suffix
 * promises of an output: whoever opens the file later sees only its name. */
#ifndef ETMERLIN_IO_PATH_H
#define ETMERLIN_IO_PATH_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifndef RENAME_NOREPLACE /* a C library, such as musl, that lacks what the system has */
#define RENAMES_BY_SYSTEM_CALL
enum { RENAME_NOREPLACE = 1, RENAME_EXCHANGE = 2 };
#endif

/* Whether `path`, of an input or output, is that of the standard one. */
static inline bool is_standard_stream(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* How many bytes of `path` name the folder, the slash after it included; 0: it names none, and
 * the file is in the present one. */
static inline size_t path_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The name of what `path` stands for: if that is a link, of what it leads to, which need not be
 * there, as in a redirection. NULL and errno: there is none. The caller owns it. */
char *path_resolve(const char *path);

/* Whether a file, or its folder, is a symbolic link: what it leads to may be none of what the
 * user meant, so that messages should not quote it. */
bool path_is_link(const char *path);

/* Renames `from` with the flags of renameat2(2). Returns 0 or an error number. */
int path_rename(const char *from, const char *to, unsigned flags);

/* Whether an error number of path_rename says that this system, or this file system, does not
 * know the flags: nothing has been done. */
bool path_rename_is_unknown(int error);

/* STATUS_IO: the operation `doing` in the folder of `path`, that of a file, failed with the
 * error number `error`. *why says so if that folder is not there, or is no folder. */
enum status path_fail_in_folder(struct failure *why, const char *path, const char *doing,
                                int error);

/* What a file is called that belongs to a trace, by which the tracer writes it and etmerlin
 * looks for it, such as t.names for t.trace.zst: the path of the trace with `suffix` in place
 * of that of a compression and of ".trace" before it. Other suffixes stay: they may be all that
 * distinguishes traces. The caller owns what is returned; NULL: no memory. */
char *trace_stem_path(const char *path, const char *suffix);

/* The form that the name of an output promises, such as "json" of a.json and of a.json.gz.
 * NULL: it promises none. What is never written, such as a picture or a spreadsheet, has forms,
 * too. */
const char *form_of_name(const char *path);

/* Sets *index to that of a form among the words "a|b"; false: it is not there. */
bool form_find(const char *forms, const char *form, unsigned *index);

#endif
