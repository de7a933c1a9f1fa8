/* Small writes are gathered in a buffer; a large one goes straight to the
 * system. The temporary file stands beside the final one, because a rename
 * replaces a file in one step only within one file system. */
#include "io/sink.h"

#include "io/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024 };

struct sink {
    char *name;      /* for messages, and where the file goes */
    char *temporary; /* the file's name until then; NULL: written in place */
    int descriptor;
    size_t buffered;
    char buffer[BUFFER_SIZE];
};

/* `path` followed by the tail that mkstemp fills. */
static char *temporary_name(const char *path)
{
    static const char tail[] = ".XXXXXX";
    size_t length = strlen(path);
    char *name = malloc(length + sizeof tail);
    if (name) {
        memcpy(name, path, length);
        memcpy(name + length, tail, sizeof tail);
    }
    return name;
}

/* The mode that a file made by a redirection has: of the file that is there
 * already (`facts`, or NULL), else what the umask leaves. */
static mode_t redirect_mode(const struct stat *facts)
{
    if (facts)
        return facts->st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static enum status open_temporary(struct sink *sink, const struct stat *facts,
                                  struct failure *why)
{
    char *path = temporary_name(sink->name);
    if (!path)
        return fail_memory(why);
    sink->descriptor = mkstemp(path);
    if (sink->descriptor < 0) {
        int error = errno;
        free(path);
        return fail_errno(why, sink->name, "make a temporary file beside it", error);
    }
    sink->temporary = path;
    if (fchmod(sink->descriptor, redirect_mode(facts)) != 0)
        return fail_errno(why, path, "set its mode", errno);
    return STATUS_OK;
}

static enum status open_in_place(struct sink *sink, struct failure *why)
{
    do
        sink->descriptor = open(sink->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    while (sink->descriptor < 0 && errno == EINTR);
    return sink->descriptor < 0 ? fail_errno(why, sink->name, "open", errno) : STATUS_OK;
}

/* What the link at `path` leads to, which need not be there; NULL and errno. */
static char *link_target(const char *path)
{
    struct stat facts;
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
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

/* A name that is a link stands for the file behind it, as in a redirection, also when that
 * file is not there yet. NULL and errno: there is none. */
static char *resolve(const char *path)
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

static enum status open_file(struct sink *sink, const char *path, struct failure *why)
{
    sink->name = resolve(path);
    if (!*path)
        return fail_errno(why, path, "open", ENOENT);
    if (!sink->name)
        return errno == ENOMEM ? fail_memory(why) : fail_errno(why, path, "open", errno);
    struct stat facts;
    if (stat(sink->name, &facts) != 0)
        return errno == ENOENT ? open_temporary(sink, NULL, why)
                               : fail_errno(why, path, "open", errno);
    if (S_ISDIR(facts.st_mode))
        return fail_errno(why, path, "write", EISDIR);
    if (!S_ISREG(facts.st_mode))
        return open_in_place(sink, why);
    if (access(sink->name, W_OK) != 0)
        return fail_errno(why, path, "write", errno);
    return open_temporary(sink, &facts, why);
}

static enum status open_standard_output(struct sink *sink, struct failure *why)
{
    sink->name = strdup("(standard output)");
    sink->descriptor = STDOUT_FILENO;
    return sink->name ? STATUS_OK : fail_memory(why);
}

enum status sink_open(struct sink **out, const char *path, struct failure *why)
{
    struct sink *sink = malloc(sizeof *sink);
    if (!sink)
        return fail_memory(why);
    sink->name = sink->temporary = NULL;
    sink->descriptor = -1;
    sink->buffered = 0;
    enum status status = path && strcmp(path, "-") != 0 ? open_file(sink, path, why)
                                                        : open_standard_output(sink, why);
    if (status != STATUS_OK) {
        sink_discard(sink);
        return status;
    }
    *out = sink;
    return STATUS_OK;
}

static enum status write_through(struct sink *sink, const void *bytes, size_t length,
                                 struct failure *why)
{
    int error = descriptor_write(sink->descriptor, bytes, length);
    return error ? fail_errno(why, sink->name, "write", error) : STATUS_OK;
}

static enum status flush(struct sink *sink, struct failure *why)
{
    size_t length = sink->buffered;
    sink->buffered = 0;
    return write_through(sink, sink->buffer, length, why);
}

enum status sink_write(struct sink *sink, const void *bytes, size_t length, struct failure *why)
{
    if (length > BUFFER_SIZE - sink->buffered) {
        enum status status = flush(sink, why);
        if (status != STATUS_OK)
            return status;
        if (length >= BUFFER_SIZE)
            return write_through(sink, bytes, length, why);
    }
    memcpy(sink->buffer + sink->buffered, bytes, length);
    sink->buffered += length;
    return STATUS_OK;
}

/* Closes in either case: an error that the system kept back shows only here. */
static enum status close_descriptor(struct sink *sink, struct failure *why)
{
    int descriptor = sink->descriptor;
    sink->descriptor = -1;
    if (close(descriptor) != 0 && errno != EINTR)
        return fail_errno(why, sink->name, "close", errno);
    return STATUS_OK;
}

static enum status give_name(struct sink *sink, struct failure *why)
{
    if (rename(sink->temporary, sink->name) != 0)
        return fail_errno(why, sink->name, "rename the temporary file", errno);
    free(sink->temporary);
    sink->temporary = NULL;
    return STATUS_OK;
}

enum status sink_commit(struct sink *sink, struct failure *why)
{
    enum status status = flush(sink, why);
    if (status == STATUS_OK && sink->temporary && fsync(sink->descriptor) != 0)
        status = fail_errno(why, sink->name, "write", errno);
    if (status == STATUS_OK)
        status = close_descriptor(sink, why);
    if (status == STATUS_OK && sink->temporary)
        status = give_name(sink, why);
    sink_discard(sink);
    return status;
}

void sink_discard(struct sink *sink)
{
    if (!sink)
        return;
    if (sink->descriptor > STDERR_FILENO)
        close(sink->descriptor);
    if (sink->temporary)
        unlink(sink->temporary);
    free(sink->temporary);
    free(sink->name);
    free(sink);
}
