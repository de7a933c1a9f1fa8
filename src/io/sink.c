/* SPDX-License-Identifier: MIT */
/* Small writes are gathered in a buffer; a large one goes straight on, to the
 * encoder if there is one, else to the system. The temporary file stands next to the final one,
 * because a rename replaces a file in one step only within one file system. Where the file
 * system can do that, it has no name at all until it is complete, so that nothing is left of a
 * process that is killed. Then it gets its name by a link, which replaces nothing; to replace a
 * file, it gets a temporary name first, and is renamed at once. */
#include "io/sink.h"

#include "io/descriptor.h"
#include "io/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024 };

struct sink {
    char *name;      /* for messages, and where the file goes */
    char *temporary; /* the file's name until then; NULL: written in place */
    bool is_unnamed; /* that name is one in /proc, of the descriptor */
    bool is_ended;
    int descriptor;
    struct sink_options options;
    struct sink *next;     /* in options.list */
    pid_t owner;           /* the process: one that it forks only knows of the file */
    struct packer *packer; /* NULL: the output is plain */
    bool finished;
    size_t buffered;
    char buffer[BUFFER_SIZE];
};

/* While a sink holds its list, its temporary file is there under the name in the sink, or not
 * at all. */
static void hold_list(const struct sink *sink)
{
    if (sink->options.list)
        pthread_mutex_lock(&sink->options.list->lock);
}

static void release_list(const struct sink *sink)
{
    if (sink->options.list)
        pthread_mutex_unlock(&sink->options.list->lock);
}

static void list_add(struct sink *sink)
{
    struct sink_list *list = sink->options.list;
    sink->next = NULL;
    sink->owner = getpid();
    if (!list)
        return;
    hold_list(sink);
    sink->next = list->first;
    list->first = sink;
    release_list(sink);
}

/* The list is held. */
static void list_remove(struct sink *sink)
{
    struct sink **at = sink->options.list ? &sink->options.list->first : NULL;
    while (at && *at && *at != sink)
        at = &(*at)->next;
    if (at && *at)
        *at = sink->next;
}

/* What is known of the file that a sink writes, or is to replace. */
static int sink_stat(const struct sink *sink, struct stat *facts)
{
    return sink->temporary ? stat(sink->name, facts) : fstat(sink->descriptor, facts);
}

bool sink_list_has_file(const struct sink_list *list, const char *path)
{
    struct stat wanted, facts;
    if (stat(path, &wanted) != 0 || !S_ISREG(wanted.st_mode))
        return false;
    for (const struct sink *sink = list->first; sink; sink = sink->next)
        if (sink_stat(sink, &facts) == 0 && facts.st_dev == wanted.st_dev &&
            facts.st_ino == wanted.st_ino)
            return true;
    return false;
}

void sink_list_unlink(struct sink_list *list)
{
    pthread_mutex_lock(&list->lock);
    for (const struct sink *sink = list->first; sink; sink = sink->next)
        if (sink->temporary && !sink->is_unnamed && sink->owner == getpid())
            unlink(sink->temporary);
}

/* Whether the file can be opened, and linked, by the name of its descriptor. */
static bool has_descriptor_name(int descriptor, const char *name)
{
    struct stat facts, named;
    return fstat(descriptor, &facts) == 0 && stat(name, &named) == 0 &&
           facts.st_dev == named.st_dev && facts.st_ino == named.st_ino;
}

/* Makes the temporary file without a name, in the folder that the first `folder` bytes of the
 * final name show. Returns whether that is possible. */
static bool make_unnamed(struct sink *sink, size_t folder)
{
    char *path = folder > 0 ? strndup(sink->name, folder) : strdup("."), *name = NULL;
    int descriptor = path ? open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
    free(path);
    if (descriptor < 0)
        return false;
    if (asprintf(&name, "/proc/self/fd/%d", descriptor) < 0)
        name = NULL;
    if (!name || !has_descriptor_name(descriptor, name)) {
        free(name);
        close(descriptor);
        return false;
    }
    hold_list(sink);
    sink->descriptor = descriptor;
    sink->temporary = name;
    sink->is_unnamed = true;
    release_list(sink);
    return true;
}

/* Makes the temporary file, in the folder that the first `folder` bytes of the final name
 * show, under the name `stem` and something new. Returns 0 or an error number. */
static int make_temporary(struct sink *sink, size_t folder, const char *stem)
{
    size_t size = folder + strlen(stem) + sizeof ".XXXXXX";
    char *name = malloc(size);
    if (!name)
        return ENOMEM;
    memcpy(name, sink->name, folder);
    snprintf(name + folder, size - folder, "%s.XXXXXX", stem);
    hold_list(sink);
    sink->descriptor = mkstemp(name);
    int error = sink->descriptor < 0 ? errno : 0;
    if (!error)
        sink->temporary = name;
    release_list(sink);
    if (error)
        free(name);
    return error;
}

/* What the umask leaves of the mode of a new file. */
static mode_t new_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Makes `mode` give the group no more than everybody: the file has another group than was
 * meant. */
static mode_t without_group(mode_t mode)
{
    mode_t both = (mode >> 3) & mode & 07;
    return (mode & 0700) | both << 3 | both;
}

/* Gives the temporary file the owner, group and mode that a redirection leaves a file with: of
 * the file that is there already (`facts`), or those of a new one (NULL). Only
 * root can give a file away; others keep what they may. */
static enum status set_attributes(struct sink *sink, const struct stat *facts,
                                  struct failure *why)
{
    mode_t mode = facts ? facts->st_mode & 0777 : new_mode();
    if (facts && fchown(sink->descriptor, (uid_t)-1, facts->st_gid) != 0)
        mode = without_group(mode);
    if (facts && fchown(sink->descriptor, facts->st_uid, (gid_t)-1) != 0 && errno != EPERM)
        return fail_errno(why, sink->name, "set the owner of the new file", errno);
    if (fchmod(sink->descriptor, mode) != 0)
        return fail_errno(why, sink->name, "set the mode of the new file", errno);
    return STATUS_OK;
}

/* Makes the temporary file with a name. */
static enum status make_named(struct sink *sink, struct failure *why)
{
    size_t folder = path_folder_length(sink->name);
    int error = make_temporary(sink, folder, sink->name + folder);
    if (error == ENAMETOOLONG)
        error = make_temporary(sink, folder, "etmerlin");
    if (error == ENOMEM)
        return fail_memory(why);
    return error
               ? path_fail_in_folder(why, sink->name, "make a temporary file next to it", error)
               : STATUS_OK;
}

static enum status open_temporary(struct sink *sink, const struct stat *facts,
                                  struct failure *why)
{
    if (!make_unnamed(sink, path_folder_length(sink->name)))
        TRY(make_named(sink, why));
    return set_attributes(sink, facts, why);
}

static enum status check_read_back(const struct sink *sink, struct failure *why)
{
    if (!sink->options.read_back)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, sink->name, 0,
                   "--verify cannot read this back: it is not a regular file");
}

/* Opens what is neither a regular file nor absent. */
static enum status open_in_place(struct sink *sink, struct failure *why)
{
    TRY(check_read_back(sink, why));
    do
        sink->descriptor = open(sink->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    while (sink->descriptor < 0 && errno == EINTR &&
           !interrupt_requested(sink->options.interrupt));
    if (sink->descriptor < 0)
        return fail_errno(why, sink->name, "open", errno == EINTR ? ECANCELED : errno);
    return STATUS_OK;
}

/* Whether the regular file that `facts` describe is the input. */
static bool is_input(const struct sink *sink, const struct stat *facts)
{
    struct stat input;
    return sink->options.input >= 0 && fstat(sink->options.input, &input) == 0 &&
           S_ISREG(facts->st_mode) && input.st_dev == facts->st_dev &&
           input.st_ino == facts->st_ino;
}

/* Whether the regular file that is there may be replaced. */
static enum status check_existing(const struct sink *sink, const char *path,
                                  const struct stat *facts, struct failure *why)
{
    if (is_input(sink, facts)) {
        if (!sink->options.in_place)
            return fail_at(why, STATUS_MEANING, path, 0, "This is the input%s",
                           sink->options.could_be_in_place
                               ? "; --in-place replaces it"
                               : ", and the output would take its place");
    } else if (!sink->options.force) {
        return fail_at(why, STATUS_MEANING, path, 0,
                       "The file is there already; --force replaces it");
    }
    if (access(sink->name, W_OK) != 0)
        return fail_errno(why, path, "write", errno);
    return STATUS_OK;
}

/* Opens `path`, which is not there or a regular file (`facts`). */
static enum status open_regular(struct sink *sink, const char *path, const struct stat *facts,
                                struct failure *why)
{
    sink->name = path_resolve(path);
    if (!sink->name)
        return errno == ENOMEM ? fail_memory(why) : fail_errno(why, path, "open", errno);
    if (facts)
        TRY(check_existing(sink, path, facts, why));
    return open_temporary(sink, facts, why);
}

static enum status open_file(struct sink *sink, const char *path, struct failure *why)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return errno == ENOENT && *path ? open_regular(sink, path, NULL, why)
                                        : path_fail_in_folder(why, path, "open", errno);
    if (S_ISDIR(facts.st_mode))
        return fail_errno(why, path, "write", EISDIR);
    if (S_ISREG(facts.st_mode))
        return open_regular(sink, path, &facts, why);
    sink->name = strdup(path);
    return sink->name ? open_in_place(sink, why) : fail_memory(why);
}

static enum status open_standard_output(struct sink *sink, struct failure *why)
{
    struct stat facts;
    sink->name = strdup("(standard output)");
    sink->descriptor = STDOUT_FILENO;
    if (!sink->name)
        return fail_memory(why);
    if (fstat(STDOUT_FILENO, &facts) == 0 && is_input(sink, &facts))
        return fail_at(why, STATUS_MEANING, sink->name, 0,
                       "The output would go to the trace itself");
    return check_read_back(sink, why);
}

static enum status write_through(void *context, const void *bytes, size_t length,
                                 struct failure *why)
{
    struct sink *sink = context;
    int error = descriptor_write(sink->descriptor, bytes, length, sink->options.interrupt);
    return error ? fail_errno(why, sink->name, "write", error) : STATUS_OK;
}

enum status sink_open(struct sink **out, const char *path, const struct sink_options *options,
                      struct failure *why)
{
    struct sink *sink = malloc(sizeof *sink);
    if (!sink)
        return fail_memory(why);
    sink->name = sink->temporary = NULL;
    sink->is_unnamed = sink->is_ended = false;
    sink->descriptor = -1;
    sink->options = *options;
    list_add(sink);
    sink->packer = NULL;
    sink->finished = false;
    sink->buffered = 0;
    enum status status =
        is_standard_stream(path) ? open_standard_output(sink, why) : open_file(sink, path, why);
    if (status == STATUS_OK && options->compression.codec)
        status = packer_open(&sink->packer, &options->compression, write_through, sink, why);
    if (status != STATUS_OK) {
        sink_discard(sink);
        return status;
    }
    *out = sink;
    return STATUS_OK;
}

/* Writes past the buffer. */
static enum status write_on(struct sink *sink, const void *bytes, size_t length,
                            struct failure *why)
{
    return sink->packer ? packer_write(sink->packer, bytes, length, why)
                        : write_through(sink, bytes, length, why);
}

static enum status sink_flush(struct sink *sink, struct failure *why)
{
    size_t length = sink->buffered;
    sink->buffered = 0;
    return write_on(sink, sink->buffer, length, why);
}

enum status sink_write(struct sink *sink, const void *bytes, size_t length, struct failure *why)
{
    if (length > BUFFER_SIZE - sink->buffered) {
        TRY(sink_flush(sink, why));
        if (length >= BUFFER_SIZE)
            return write_on(sink, bytes, length, why);
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

static enum status synchronize(struct sink *sink, struct failure *why)
{
    while (fsync(sink->descriptor) != 0)
        if (errno != EINTR)
            return fail_errno(why, sink->name, "write", errno);
    return STATUS_OK;
}

/* Whether a file may not be replaced that has appeared in the meantime. */
static bool keeps_others(const struct sink *sink)
{
    return !sink->options.force && !sink->options.in_place;
}

static int rename_output(const struct sink *sink)
{
    if (keeps_others(sink)) { /* on file systems that can do that in one step */
        int error = path_rename(sink->temporary, sink->name, RENAME_NOREPLACE);
        if (!path_rename_is_unknown(error))
            return error;
    }
    return rename(sink->temporary, sink->name) == 0 ? 0 : errno;
}

/* Gives the file without a name the name `name`. Returns 0 or an error number. */
static int link_unnamed(const struct sink *sink, const char *name)
{
    return linkat(AT_FDCWD, sink->temporary, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                                     : errno;
}

/* Gives the file without a name a temporary one, `stem` and something new in the same folder.
 * Returns 0 or an error number. */
static int link_temporary(struct sink *sink, size_t folder, const char *stem)
{
    enum { TRIES = 1000 };
    char *name = NULL;
    int error = EEXIST;
    for (unsigned i = 0; error == EEXIST && i < TRIES; i++) {
        free(name);
        if (asprintf(&name, "%.*s%s.%ld-%u", (int)folder, sink->name, stem, (long)getpid(), i) <
            0)
            return ENOMEM;
        error = link_unnamed(sink, name);
    }
    if (error) {
        free(name);
        return error;
    }
    free(sink->temporary);
    sink->temporary = name;
    sink->is_unnamed = false;
    return 0;
}

/* Gives the file its name, perhaps by way of a temporary one. Returns 0 or an error number. */
static int name_output(struct sink *sink)
{
    size_t folder = path_folder_length(sink->name);
    if (!sink->is_unnamed)
        return rename_output(sink);
    if (keeps_others(sink))
        return link_unnamed(sink, sink->name);
    int error = link_temporary(sink, folder, sink->name + folder);
    if (error == ENAMETOOLONG)
        error = link_temporary(sink, folder, "etmerlin");
    return error ? error : rename_output(sink);
}

static int give_name_once(struct sink *sink)
{
    hold_list(sink);
    int error = name_output(sink);
    if (!error) {
        free(sink->temporary);
        sink->temporary = NULL;
        sink->is_unnamed = false;
    }
    release_list(sink);
    return error;
}

static enum status copy_bytes(const struct sink *sink, int from, struct failure *why)
{
    char bytes[64 * 1024];
    ssize_t got;
    off_t at = 0;
    int error = 0;
    while (!error && (got = pread(from, bytes, sizeof bytes, at)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        error = got < 0 ? errno
                        : descriptor_write(sink->descriptor, bytes, (size_t)got,
                                           sink->options.interrupt);
        at += got;
    }
    return error ? fail_errno(why, sink->name, "copy to", error) : STATUS_OK;
}

/* Replaces the file without a name by a copy with a temporary one. */
static enum status copy_unnamed(struct sink *sink, struct failure *why)
{
    struct stat facts;
    int from = sink->descriptor;
    hold_list(sink);
    sink->descriptor = -1;
    free(sink->temporary);
    sink->temporary = NULL;
    sink->is_unnamed = false;
    release_list(sink);
    enum status status = make_named(sink, why);
    if (status == STATUS_OK && fstat(from, &facts) != 0)
        status = fail_errno(why, sink->name, "read", errno);
    if (status == STATUS_OK)
        status = set_attributes(sink, &facts, why);
    if (status == STATUS_OK)
        status = copy_bytes(sink, from, why);
    close(from);
    if (status == STATUS_OK)
        status = synchronize(sink, why);
    return status == STATUS_OK ? close_descriptor(sink, why) : status;
}

/* There are file systems, and rules of systems, that make a file without a name and do not let
 * it have one. No data are lost for that. */
static enum status give_name(struct sink *sink, struct failure *why)
{
    enum status status = STATUS_OK;
    int error = give_name_once(sink);
    if (error && error != EEXIST && sink->is_unnamed) {
        status = copy_unnamed(sink, why);
        error = status == STATUS_OK ? give_name_once(sink) : 0;
    }
    return error ? fail_errno(why, sink->name, "rename the temporary file", error) : status;
}

enum status sink_finish(struct sink *sink, struct failure *why)
{
    if (sink->finished)
        return STATUS_OK;
    TRY(sink_flush(sink, why));
    if (sink->packer)
        TRY(packer_finish(sink->packer, why));
    sink->finished = true;
    return STATUS_OK;
}

const char *sink_temporary(const struct sink *sink)
{
    return sink->temporary;
}

const char *sink_name(const struct sink *sink)
{
    return sink->name;
}

enum status sink_end(struct sink *sink, struct failure *why)
{
    if (sink->is_ended)
        return STATUS_OK;
    TRY(sink_finish(sink, why));
    if (sink->temporary)
        TRY(synchronize(sink, why));
    if (!sink->is_unnamed) /* what has no name would go */
        TRY(close_descriptor(sink, why));
    sink->is_ended = true;
    return STATUS_OK;
}

enum status sink_commit(struct sink *sink, struct failure *why)
{
    enum status status = sink_end(sink, why);
    if (status == STATUS_OK && interrupt_requested(sink->options.interrupt))
        status = fail_errno(why, sink->name, "write", ECANCELED);
    if (status == STATUS_OK && sink->temporary)
        status = give_name(sink, why);
    sink_discard(sink);
    return status;
}

void sink_discard(struct sink *sink)
{
    if (!sink)
        return;
    packer_close(sink->packer);
    if (sink->descriptor > STDERR_FILENO)
        close(sink->descriptor);
    hold_list(sink);
    list_remove(sink);
    if (sink->temporary && !sink->is_unnamed && sink->owner == getpid())
        unlink(sink->temporary);
    release_list(sink);
    free(sink->temporary);
    free(sink->name);
    free(sink);
}
