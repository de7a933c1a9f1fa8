/* SPDX-License-Identifier: MIT */
/* A temporary file that has no name: it is unlinked as soon as it is open, so that nothing is
 * left over, however the program ends. Its first part, which may be empty or all of it, is as
 * it was appended; it is read by offset, with pread, so that several threads may read at once.
 * The rest is compressed (spool_blocks.h).
 *
 * What is short stays in the memory that the system keeps of files, and is written and read as
 * fast as memory: compressing it would take longer. What is long goes to a disk, and it is the
 * disk that would take longer, if it has the room at all. */
#include "io/spool.h"

#include "io/descriptor.h"
#include "io/spool_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that never has a name cannot be left over. Some file systems know none; there it has
 * one for a moment, under which a signal that kills at once leaves it. Its mode is 0600. */

const char *unnamed_folder(const char *folder)
{
    if (folder)
        return folder;
    folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* Makes the file under a name, and unlinks it. */
static enum status make_and_unlink(int *descriptor, const char *folder, struct failure *why)
{
    static const char tail[] = "/etmerlin-XXXXXX";
    size_t length = strlen(folder);
    char *path = malloc(length + sizeof tail);
    if (!path)
        return fail_memory(why);
    memcpy(path, folder, length);
    memcpy(path + length, tail, sizeof tail);
    enum status status = STATUS_OK;
    *descriptor = mkstemp(path);
    if (*descriptor < 0 && (errno == ENOENT || errno == ENOTDIR))
        status = fail_at(why, STATUS_IO, folder, 0,
                         "There is no folder of this name for temporary files: --tmpdir or "
                         "TMPDIR names another");
    else if (*descriptor < 0)
        status = fail_errno(why, folder, "make a temporary file", errno);
    else if (unlink(path) != 0)
        status = fail_errno(why, path, "unlink the temporary file", errno);
    free(path);
    return status;
}

enum status unnamed_open(int *descriptor, const char *folder, struct failure *why)
{
    *descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return *descriptor >= 0 ? STATUS_OK : make_and_unlink(descriptor, folder, why);
}

enum status unnamed_fail_damaged(const char *folder, struct failure *why)
{
    return fail_at(why, STATUS_IO, folder, 0,
                   "A temporary file does not hold what was written to it");
}

/* How much is left as it is by default. */
#define BEGINNING (UINT64_C(1) << 30)

struct spool {
    int descriptor;
    uint64_t length;
    uint64_t plain;              /* bytes that stand in the file as they are, */
    uint64_t plain_most;         /* and how many may */
    struct spool_blocks *blocks; /* what follows these; NULL: nothing */
    char *folder;                /* for messages */
};

static uint64_t plain_bytes_of(const struct temporary_folder *temporary)
{
    switch (temporary->codec) {
    case SPOOL_CODEC_NONE:
        return UINT64_MAX;
    case SPOOL_CODEC_ZSTD:
        return 0;
    case SPOOL_CODEC_AUTO:
        break;
    }
    return temporary->beginning ? temporary->beginning : BEGINNING;
}

enum status spool_open(struct spool **out, const struct temporary_folder *temporary,
                       struct failure *why)
{
    static const struct temporary_folder usual = {.path = NULL};
    struct spool *spool = calloc(1, sizeof *spool);
    if (!spool)
        return fail_memory(why);
    if (!temporary)
        temporary = &usual;
    spool->descriptor = -1;
    spool->plain_most = plain_bytes_of(temporary);
    spool->folder = strdup(unnamed_folder(temporary->path));
    enum status status =
        spool->folder ? unnamed_open(&spool->descriptor, spool->folder, why) : fail_memory(why);
    if (status != STATUS_OK) {
        spool_close(spool);
        return status;
    }
    *out = spool;
    return STATUS_OK;
}

static enum status append_plain(struct spool *spool, const void *bytes, size_t length,
                                struct failure *why)
{
    int error = descriptor_write(spool->descriptor, bytes, length, NULL);
    if (error)
        return fail_errno(why, spool->folder, "write the temporary file", error);
    spool->plain += length;
    return STATUS_OK;
}

static enum status append_compressed(struct spool *spool, const void *bytes, size_t length,
                                     struct failure *why)
{
    enum status status = STATUS_OK;
    if (!spool->blocks)
        status = spool_blocks_open(&spool->blocks, spool->descriptor, spool->plain,
                                   spool->folder, why);
    return status == STATUS_OK ? spool_blocks_append(spool->blocks, bytes, length, why)
                               : status;
}

enum status spool_append(struct spool *spool, const void *bytes, size_t length,
                         struct failure *why)
{
    bool is_plain = !spool->blocks && length <= spool->plain_most - spool->plain;
    enum status status = is_plain ? append_plain(spool, bytes, length, why)
                                  : append_compressed(spool, bytes, length, why);
    if (status == STATUS_OK)
        spool->length += length;
    return status;
}

/* Reads from one of the two parts, perhaps less than `capacity`. */
static enum status read_some(struct spool *spool, uint64_t offset, void *bytes, size_t capacity,
                             size_t *got, struct failure *why)
{
    if (spool->blocks && offset >= spool->plain)
        return spool_blocks_read(spool->blocks, offset - spool->plain, bytes, capacity, got,
                                 why);
    if (spool->blocks && capacity > spool->plain - offset)
        capacity = (size_t)(spool->plain - offset);
    int error = descriptor_read_at(spool->descriptor, offset, bytes, capacity, got);
    if (error)
        return fail_errno(why, spool->folder, "read the temporary file", error);
    return STATUS_OK;
}

/* A file that ends before what was appended has been cut off by another program, or by a disk
 * that lost it. */
enum status spool_read(struct spool *spool, uint64_t offset, void *bytes, size_t capacity,
                       size_t *got, struct failure *why)
{
    uint64_t left = offset < spool->length ? spool->length - offset : 0;
    size_t wanted = left < capacity ? (size_t)left : capacity, some = 0;
    for (*got = 0; *got < wanted; *got += some) {
        enum status status =
            read_some(spool, offset + *got, (char *)bytes + *got, wanted - *got, &some, why);
        if (status != STATUS_OK)
            return status;
        if (some == 0)
            return spool_fail_damaged(spool, why);
    }
    return STATUS_OK;
}

enum status spool_fail_damaged(const struct spool *spool, struct failure *why)
{
    return unnamed_fail_damaged(spool->folder, why);
}

enum status spool_settle(struct spool *spool, struct failure *why)
{
    return spool->blocks ? spool_blocks_settle(spool->blocks, why) : STATUS_OK;
}

uint64_t spool_length(const struct spool *spool)
{
    return spool->length;
}

void spool_close(struct spool *spool)
{
    if (!spool)
        return;
    spool_blocks_close(spool->blocks);
    if (spool->descriptor >= 0)
        close(spool->descriptor);
    free(spool->folder);
    free(spool);
}
