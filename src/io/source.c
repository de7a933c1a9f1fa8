/* A file is read with pread rather than mapped: a file that another program
 * truncates while it is read then ends early instead of killing the process. */
#include "io/source.h"

#include "io/descriptor.h"
#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct source {
    char *name;
    int descriptor;
    bool is_standard_input;
    struct spool *spool; /* NULL when the descriptor can be read twice */
    uint64_t start;      /* file offset of the first byte */
    uint64_t position;   /* of the next byte, from 0 */
};

static enum status open_descriptor(struct source *source, const char *path, struct failure *why)
{
    source->is_standard_input = !path || strcmp(path, "-") == 0;
    source->name = strdup(source->is_standard_input ? "(standard input)" : path);
    if (!source->name)
        return fail_memory(why);
    if (source->is_standard_input) {
        source->descriptor = STDIN_FILENO;
        return STATUS_OK;
    }
    do
        source->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (source->descriptor < 0 && errno == EINTR);
    if (source->descriptor < 0)
        return fail_errno(why, path, "open", errno);
    return STATUS_OK;
}

/* Decides between reading twice and spooling. */
static enum status prepare(struct source *source, const char *spool_folder, struct failure *why)
{
    struct stat facts;
    if (fstat(source->descriptor, &facts) != 0)
        return fail_errno(why, source->name, "read", errno);
    if (S_ISDIR(facts.st_mode))
        return fail_errno(why, source->name, "read", EISDIR);
    if (!S_ISREG(facts.st_mode))
        return spool_open(&source->spool, spool_folder, why);
    off_t start = lseek(source->descriptor, 0, SEEK_CUR);
    if (start < 0)
        return fail_errno(why, source->name, "seek", errno);
    source->start = (uint64_t)start;
    posix_fadvise(source->descriptor, start, 0, POSIX_FADV_SEQUENTIAL);
    return STATUS_OK;
}

enum status source_open(struct source **out, const char *path, const char *spool_folder,
                        struct failure *why)
{
    struct source *source = calloc(1, sizeof *source);
    if (!source)
        return fail_memory(why);
    source->descriptor = -1;
    enum status status = open_descriptor(source, path, why);
    if (status == STATUS_OK)
        status = prepare(source, spool_folder, why);
    if (status != STATUS_OK) {
        source_close(source);
        return status;
    }
    *out = source;
    return STATUS_OK;
}

const char *source_name(const struct source *source)
{
    return source->name;
}

static enum status read_file(struct source *source, void *bytes, size_t capacity, size_t *got,
                             struct failure *why)
{
    int error = descriptor_read_at(source->descriptor, source->start + source->position, bytes,
                                   capacity, got);
    return error ? fail_errno(why, source->name, "read", error) : STATUS_OK;
}

/* What has been read before comes from the spool, the rest from the descriptor
 * and goes to the spool. */
static enum status read_spooled(struct source *source, void *bytes, size_t capacity,
                                size_t *got, struct failure *why)
{
    if (source->position < spool_length(source->spool))
        return spool_read(source->spool, source->position, bytes, capacity, got, why);
    int error = descriptor_read(source->descriptor, bytes, capacity, got);
    if (error)
        return fail_errno(why, source->name, "read", error);
    return spool_append(source->spool, bytes, *got, why);
}

enum status source_read(struct source *source, void *bytes, size_t capacity, size_t *got,
                        struct failure *why)
{
    enum status status = source->spool ? read_spooled(source, bytes, capacity, got, why)
                                       : read_file(source, bytes, capacity, got, why);
    if (status == STATUS_OK)
        source->position += *got;
    return status;
}

void source_rewind(struct source *source)
{
    source->position = 0;
}

void source_close(struct source *source)
{
    if (!source)
        return;
    spool_close(source->spool);
    if (source->descriptor >= 0 && !source->is_standard_input)
        close(source->descriptor);
    free(source->name);
    free(source);
}
