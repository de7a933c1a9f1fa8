/* SPDX-License-Identifier: MIT */
/* A file that many outputs share, such as a DTD: written under a temporary name like all
 * outputs, but not renamed over another: what is there stays if it says the same. */
#include "cli/files/companion.h"

#include "cli/process/ending.h"
#include "cli/process/signals.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the file at `path` holds just what the companion does. */
static bool is_there(const char *path, const struct companion *companion)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *bytes = malloc(companion->length + 1);
    bool is_same = false;
    if (descriptor >= 0 && bytes)
        is_same =
            read(descriptor, bytes, companion->length + 1) == (ssize_t)companion->length &&
            memcmp(bytes, companion->text, companion->length) == 0;
    if (descriptor >= 0)
        close(descriptor);
    free(bytes);
    return is_same;
}

/* The companion's name in the folder of `output`; NULL: no memory. */
static char *path_beside(const char *output, const struct companion *companion)
{
    const char *slash = strrchr(output, '/');
    size_t folder = slash ? (size_t)(slash - output) + 1 : 0;
    char *path = malloc(folder + strlen(companion->name) + 1);
    if (path) {
        memcpy(path, output, folder);
        strcpy(path + folder, companion->name);
    }
    return path;
}

static enum status open_at(struct sink **out, const char *path, const char *output,
                           const struct companion *companion, bool force, struct failure *why)
{
    struct sink_options how = {
        .force = force, .input = -1, .interrupt = signals_interrupt(), .list = ending_sinks()};
    if (strcmp(path, output) == 0)
        return fail_at(why, STATUS_MEANING, path, 0,
                       "The output cannot have this name, since a file of this name is written "
                       "next to it");
    if (is_there(path, companion))
        return STATUS_OK;
    enum status status = sink_open(out, path, &how, why);
    if (status != STATUS_OK)
        return status;
    status = sink_write(*out, companion->text, companion->length, why);
    return status == STATUS_OK ? sink_finish(*out, why) : status;
}

enum status companion_open(struct sink **out, const struct companion *companion,
                           const struct sink *output, bool force, struct failure *why)
{
    if (!companion || !sink_temporary(output))
        return STATUS_OK;
    char *path = path_beside(sink_name(output), companion);
    if (!path)
        return fail_memory(why);
    enum status status = open_at(out, path, sink_name(output), companion, force, why);
    free(path);
    return status;
}

enum status companion_commit(struct sink *sink, const struct companion *companion,
                             struct failure *why)
{
    char *path = strdup(sink_name(sink));
    enum status status = sink_commit(sink, why);
    if (status != STATUS_OK && path && is_there(path, companion)) {
        failure_clear(why);
        status = STATUS_OK;
    }
    free(path);
    return status;
}
