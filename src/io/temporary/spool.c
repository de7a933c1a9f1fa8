/* SPDX-License-Identifier: MIT */
/* A temporary file that has no name: it is unlinked as soon as it is open, so that nothing is
 * left over, however the program ends. Its first part, which may be empty or all of it, is as
 * it was appended; it is read by offset, with pread, so that several threads may read at once.
 * The rest is compressed, in blocks.
 *
 * What is short stays in the memory that the system keeps of files, and is written and read as
 * fast as memory: compressing it would take longer. What is long goes to a disk, and it is the
 * disk that would take longer, if it has the room at all. */
#include "io/temporary/spool.h"

#include "base/memory.h"
#include "base/thread.h"
#include "io/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

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

/* STATUS_IO, since what was read from such a file in `folder` is not what was written. */
static enum status unnamed_fail_damaged(const char *folder, struct failure *why)
{
    return fail_at(why, STATUS_IO, folder, 0,
                   "A temporary file does not hold what was written to it");
}

/* Level 1 makes text of traces a sixteenth of its size at some 400 MB/s; faster levels win
 * little time and lose a third of that. With larger blocks the size hardly changes. */
enum { SPOOL_BLOCK = 256 * 1024, SPOOL_LEVEL = 1 };

/* The compressed part of a spool: blocks of one size, each compressed on its own, so that any
 * byte is found by decoding one of them. A thread of its own compresses and writes, while the
 * next block is filled.
 *
 * A block is being filled, handed to the thread, or in the file. Of those in the file the one
 * that was decoded last is kept decoded, since readers go through a file in small steps,
 * forward or backward. One lock guards all of it; compressing and writing go on without the
 * lock. If no thread can be started, the one that appends does this work. */
struct spool_blocks {
    int descriptor;
    uint64_t start; /* of the first block in the file */
    const char *folder;
    uint8_t *filling;
    size_t filled;
    uint8_t *handed;
    bool is_handed;  /* `handed` is a block that is not in the file yet */
    int error;       /* that kept it from getting there; 0: none */
    uint64_t *ends;  /* of the blocks in the file, in bytes after `start` */
    size_t written;  /* blocks */
    size_t capacity; /* of ends */
    uint8_t *packed; /* the block that is being written */
    uint8_t *decoded;
    uint64_t decoded_block; /* its number from 1; 0: none */
    uint8_t *fetched;       /* the same as it stands in the file */
    ZSTD_CCtx *encoder;
    ZSTD_DCtx *decoder;
    bool has_thread;
    bool stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* Compresses the block that was handed over and writes it; *length becomes its size in the
 * file. Returns 0 or an error number. */
static int write_block(struct spool_blocks *blocks, size_t *length)
{
    size_t bound = ZSTD_compressBound(SPOOL_BLOCK);
    *length =
        ZSTD_compress2(blocks->encoder, blocks->packed, bound, blocks->handed, SPOOL_BLOCK);
    if (ZSTD_isError(*length))
        return ENOMEM; /* there is nothing else that can go wrong */
    return descriptor_write(blocks->descriptor, blocks->packed, *length, NULL);
}

/* Takes note that the block that was handed over is in the file, `length` bytes long, or why
 * not. The lock is held. */
static void note_written(struct spool_blocks *blocks, size_t length, int error)
{
    uint64_t *ends =
        array_grow(blocks->ends, &blocks->capacity, blocks->written + 1, sizeof *ends);
    blocks->error = error || ends ? error : ENOMEM;
    if (ends)
        blocks->ends = ends;
    if (blocks->error)
        return;
    ends[blocks->written] = (blocks->written ? ends[blocks->written - 1] : 0) + length;
    blocks->written++;
    blocks->is_handed = false;
}

static void *write_blocks(void *argument)
{
    struct spool_blocks *blocks = argument;
    pthread_mutex_lock(&blocks->lock);
    while (!blocks->stop && !blocks->error) {
        if (!blocks->is_handed) {
            pthread_cond_wait(&blocks->changed, &blocks->lock);
            continue;
        }
        pthread_mutex_unlock(&blocks->lock);
        size_t length;
        int error = write_block(blocks, &length);
        pthread_mutex_lock(&blocks->lock);
        note_written(blocks, length, error);
        pthread_cond_broadcast(&blocks->changed);
    }
    pthread_mutex_unlock(&blocks->lock);
    return NULL;
}

static enum status blocks_allocate(struct spool_blocks *blocks, struct failure *why)
{
    blocks->filling = malloc(SPOOL_BLOCK);
    blocks->handed = malloc(SPOOL_BLOCK);
    blocks->decoded = malloc(SPOOL_BLOCK);
    blocks->packed = malloc(ZSTD_compressBound(SPOOL_BLOCK));
    blocks->fetched = malloc(ZSTD_compressBound(SPOOL_BLOCK));
    blocks->encoder = ZSTD_createCCtx();
    blocks->decoder = ZSTD_createDCtx();
    if (!blocks->filling || !blocks->handed || !blocks->decoded || !blocks->packed ||
        !blocks->fetched || !blocks->encoder || !blocks->decoder)
        return fail_memory(why);
    ZSTD_CCtx_setParameter(blocks->encoder, ZSTD_c_compressionLevel, SPOOL_LEVEL);
    ZSTD_CCtx_setParameter(blocks->encoder, ZSTD_c_checksumFlag, 1);
    return STATUS_OK;
}

static void blocks_stop(struct spool_blocks *blocks)
{
    pthread_mutex_lock(&blocks->lock);
    blocks->stop = true;
    pthread_cond_broadcast(&blocks->changed);
    pthread_mutex_unlock(&blocks->lock);
    pthread_join(blocks->thread, NULL);
}

/* NULL is allowed. */
static void spool_blocks_close(struct spool_blocks *blocks)
{
    if (!blocks)
        return;
    if (blocks->has_thread)
        blocks_stop(blocks);
    free(blocks->filling);
    free(blocks->handed);
    free(blocks->packed);
    free(blocks->decoded);
    free(blocks->fetched);
    free(blocks->ends);
    ZSTD_freeCCtx(blocks->encoder);
    ZSTD_freeDCtx(blocks->decoder);
    pthread_cond_destroy(&blocks->changed);
    pthread_mutex_destroy(&blocks->lock);
    free(blocks);
}

/* No blocks yet; they will be written after the first `start` bytes of the file `descriptor`,
 * which is at that position and must stay open; `folder`, for messages, must stay, too. The
 * caller owns *out (spool_blocks_close). */
static enum status spool_blocks_open(struct spool_blocks **out, int descriptor, uint64_t start,
                                     const char *folder, struct failure *why)
{
    struct spool_blocks *blocks = calloc(1, sizeof *blocks);
    if (!blocks)
        return fail_memory(why);
    blocks->descriptor = descriptor;
    blocks->start = start;
    blocks->folder = folder;
    pthread_mutex_init(&blocks->lock, NULL);
    pthread_cond_init(&blocks->changed, NULL);
    enum status status = blocks_allocate(blocks, why);
    if (status != STATUS_OK) {
        spool_blocks_close(blocks);
        return status;
    }
    *out = blocks;
    return STATUS_OK;
}

/* Waits until no block is on its way to the file. The lock is held. */
static enum status wait_for_thread(struct spool_blocks *blocks, struct failure *why)
{
    while (blocks->is_handed && !blocks->error)
        pthread_cond_wait(&blocks->changed, &blocks->lock);
    if (blocks->error == ENOMEM)
        return fail_memory(why);
    if (blocks->error)
        return fail_errno(why, blocks->folder, "write the temporary file", blocks->error);
    return STATUS_OK;
}

/* Hands the block that is full to the thread. The lock is held. */
static enum status hand_over(struct spool_blocks *blocks, struct failure *why)
{
    TRY(wait_for_thread(blocks, why));
    uint8_t *full = blocks->filling;
    blocks->filling = blocks->handed;
    blocks->handed = full;
    blocks->filled = 0;
    blocks->is_handed = true;
    if (!blocks->has_thread)
        blocks->has_thread = thread_start(&blocks->thread, write_blocks, blocks) == 0;
    if (blocks->has_thread) {
        pthread_cond_broadcast(&blocks->changed);
        return STATUS_OK;
    }
    size_t length;
    int error = write_block(blocks, &length);
    note_written(blocks, length, error);
    return wait_for_thread(blocks, why);
}

/* They do with the bytes of the blocks what spool_append, spool_read and spool_settle do with a
 * spool. */
static enum status spool_blocks_append(struct spool_blocks *blocks, const void *bytes,
                                       size_t length, struct failure *why)
{
    const uint8_t *from = bytes;
    enum status status = STATUS_OK;
    pthread_mutex_lock(&blocks->lock);
    while (length > 0 && status == STATUS_OK) {
        size_t room = SPOOL_BLOCK - blocks->filled, some = length < room ? length : room;
        memcpy(blocks->filling + blocks->filled, from, some);
        blocks->filled += some;
        from += some;
        length -= some;
        if (blocks->filled == SPOOL_BLOCK)
            status = hand_over(blocks, why);
    }
    pthread_mutex_unlock(&blocks->lock);
    return status;
}

/* Reads block `number` (from 0) of the file into `fetched`. */
static enum status fetch_block(struct spool_blocks *blocks, uint64_t number, size_t *length,
                               struct failure *why)
{
    uint64_t begin = number ? blocks->ends[number - 1] : 0;
    *length = (size_t)(blocks->ends[number] - begin);
    for (size_t done = 0, got; done < *length; done += got) {
        int error = descriptor_read_at(blocks->descriptor, blocks->start + begin + done,
                                       blocks->fetched + done, *length - done, &got);
        if (error)
            return fail_errno(why, blocks->folder, "read the temporary file", error);
        if (got == 0)
            return unnamed_fail_damaged(blocks->folder, why);
    }
    return STATUS_OK;
}

static enum status decode_block(struct spool_blocks *blocks, uint64_t number,
                                struct failure *why)
{
    size_t length;
    if (blocks->decoded_block == number + 1)
        return STATUS_OK;
    blocks->decoded_block = 0;
    TRY(fetch_block(blocks, number, &length, why));
    size_t decoded = ZSTD_decompressDCtx(blocks->decoder, blocks->decoded, SPOOL_BLOCK,
                                         blocks->fetched, length);
    if (decoded != SPOOL_BLOCK)
        return unnamed_fail_damaged(blocks->folder, why);
    blocks->decoded_block = number + 1;
    return STATUS_OK;
}

/* Finds the bytes of block `number`, wherever it is. The lock is held. */
static enum status find_block(struct spool_blocks *blocks, uint64_t number,
                              const uint8_t **bytes, size_t *length, struct failure *why)
{
    enum status status = STATUS_OK;
    *length = SPOOL_BLOCK;
    if (number < blocks->written) {
        status = decode_block(blocks, number, why);
        *bytes = blocks->decoded;
    } else if (number == blocks->written && blocks->is_handed) {
        *bytes = blocks->handed;
    } else {
        *bytes = blocks->filling;
        *length = number == blocks->written + blocks->is_handed ? blocks->filled : 0;
    }
    return status;
}

static enum status spool_blocks_read(struct spool_blocks *blocks, uint64_t offset, void *bytes,
                                     size_t capacity, size_t *got, struct failure *why)
{
    const uint8_t *from = NULL;
    size_t length = 0, skipped = (size_t)(offset % SPOOL_BLOCK);
    *got = 0;
    pthread_mutex_lock(&blocks->lock);
    enum status status = find_block(blocks, offset / SPOOL_BLOCK, &from, &length, why);
    if (status == STATUS_OK && length > skipped) {
        *got = length - skipped < capacity ? length - skipped : capacity;
        memcpy(bytes, from + skipped, *got);
    }
    pthread_mutex_unlock(&blocks->lock);
    return status;
}

static enum status spool_blocks_settle(struct spool_blocks *blocks, struct failure *why)
{
    pthread_mutex_lock(&blocks->lock);
    enum status status = wait_for_thread(blocks, why);
    pthread_mutex_unlock(&blocks->lock);
    return status;
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
    if (!spool->blocks)
        TRY(spool_blocks_open(&spool->blocks, spool->descriptor, spool->plain, spool->folder,
                              why));
    return spool_blocks_append(spool->blocks, bytes, length, why);
}

enum status spool_append(struct spool *spool, const void *bytes, size_t length,
                         struct failure *why)
{
    bool is_plain = !spool->blocks && length <= spool->plain_most - spool->plain;
    TRY(is_plain ? append_plain(spool, bytes, length, why)
                 : append_compressed(spool, bytes, length, why));
    spool->length += length;
    return STATUS_OK;
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
        TRY(read_some(spool, offset + *got, (char *)bytes + *got, wanted - *got, &some, why));
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
