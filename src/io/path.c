/* SPDX-License-Identifier: MIT */
/* Names are followed through links before anything is made: an output is made next to its name
 * and renamed, and a rename would replace a link itself. What a name promises is in one table
 * of suffixes. */
#include "io/path.h"

#include "io/codec/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef RENAMES_BY_SYSTEM_CALL
static int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
#endif

/* What the link at `path` leads to, which need not be there; NULL and errno. */
static char *link_target(const char *path)
{
    struct stat facts;
    size_t folder = path_folder_length(path);
    if (lstat(path, &facts) != 0)
        return NULL;
    size_t size = (size_t)facts.st_size;
    char *target = malloc(folder + size + 1);
    ssize_t length = target ? readlink(path, target + folder, size) : -1;
    if (length < 0) {
        free(target);
        return NULL;
    }
    target[folder + (size_t)length] = '\0';
    if (target[folder] == '/')
        memmove(target, target + folder, (size_t)length + 1);
    else
        memcpy(target, path, folder);
    return target;
}

static bool is_link(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
}

char *path_resolve(const char *path)
{
    char *name = strdup(path);
    while (name && is_link(name)) {
        char *real = realpath(name, NULL);
        if (!real && errno == ENOENT)
            real = link_target(name);
        free(name);
        name = real;
    }
    return name;
}

bool path_is_link(const char *path)
{
    size_t length = path_folder_length(path);
    char *folder = length > 1 ? strndup(path, length - 1) : NULL;
    bool is = is_link(path) || (length > 1 && (!folder || is_link(folder)));
    free(folder);
    return is;
}

int path_rename(const char *from, const char *to, unsigned flags)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, flags) == 0 ? 0 : errno;
}

bool path_rename_is_unknown(int error)
{
    return error == EINVAL || error == ENOSYS;
}

enum status path_fail_in_folder(struct failure *why, const char *path, const char *doing,
                                int error)
{
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash > path ? slash - path : 1) : 0;
    if (length > 0 && error == ENOENT)
        return fail_at(why, STATUS_IO, path, 0, "There is no folder %.*s", length, path);
    if (length > 0 && error == ENOTDIR)
        return fail_at(why, STATUS_IO, path, 0, "%.*s is no folder", length, path);
    return fail_errno(why, path, doing, error);
}

static size_t stem_length(const char *path)
{
    static const char suffix[] = ".trace";
    enum { SUFFIX = sizeof suffix - 1 };
    const struct codec *codec = codec_of_path(path);
    size_t length = strlen(path) - (codec ? strlen(codec->suffix) : 0);
    bool has_name = length > SUFFIX && path[length - SUFFIX - 1] != '/';
    if (has_name && memcmp(path + length - SUFFIX, suffix, SUFFIX) == 0)
        length -= SUFFIX;
    return length;
}

char *trace_stem_path(const char *path, const char *suffix)
{
    char *made = NULL;
    int length = (int)stem_length(path);
    return asprintf(&made, "%.*s%s", length, path, suffix) < 0 ? NULL : made;
}

/* Suffixes, and the form that each promises; others promise nothing. ".txt" also fits outputs
 * in text of any kind, unless they have a form "text". */
static const struct promise {
    const char *suffix;
    const char *form;
} promises[] = {
    {".txt", "text"},        {".json", "json"},       {".tsv", "tsv"},     {".csv", "csv"},
    {".html", "html"},       {".htm", "html"},        {".xml", "xml"},     {".yaml", "yaml"},
    {".yml", "yaml"},        {".md", "md"},           {".hprof", "hprof"}, {".jfr", "jfr"},
    {".trace", "trace"},     {".jar", "jar"},         {".class", "class"}, {".java", "java"},
    {".pdf", "pdf"},         {".svg", "svg"},         {".png", "png"},     {".jpg", "jpg"},
    {".jpeg", "jpeg"},       {".gif", "gif"},         {".eps", "eps"},     {".ps", "ps"},
    {".webp", "webp"},       {".xlsx", "xlsx"},       {".xls", "xls"},     {".ods", "ods"},
    {".parquet", "parquet"}, {".feather", "feather"}, {".arrow", "arrow"}, {".npy", "npy"},
    {".npz", "npz"},         {".h5", "h5"},           {".rds", "rds"},
};

enum { PROMISES = sizeof promises / sizeof *promises };

const char *form_of_name(const char *path)
{
    const struct codec *codec = codec_of_path(path);
    size_t length = strlen(path) - (codec ? strlen(codec->suffix) : 0);
    for (size_t i = 0; i < PROMISES; i++) {
        size_t suffix = strlen(promises[i].suffix);
        if (length >= suffix && memcmp(path + length - suffix, promises[i].suffix, suffix) == 0)
            return promises[i].form;
    }
    return NULL;
}

bool form_find(const char *forms, const char *form, unsigned *index)
{
    size_t length = strlen(form);
    for (*index = 0;; ++*index) {
        size_t there = strcspn(forms, "|");
        if (there == length && memcmp(forms, form, length) == 0)
            return true;
        if (forms[there] == '\0')
            return false;
        forms += there + 1;
    }
}
