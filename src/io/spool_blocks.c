/* SPDX-License-Identifier: MIT */
/* A block is being filled, handed to the thread, or in the file. Of those in the file the one
 * that was decoded last is kept decoded, since readers go through a file in small steps,
 * forward or backward. One lock guards all of it; compressing and writing go on without the
 * lock. If no thread can be started, the one that appends does this work. */
#include "io/spool_blocks.h"

#include "base/memory.h"
#include "base/thread.h"
#include "io/descriptor.h"
#include "io/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Level 1 makes text of traces a sixteenth of its size at some 400 MB/s; faster levels win
 * little time and lose a third of that. With larger blocks the size hardly changes. */
enum { SPOOL_BLOCK = 256 * 1024, SPOOL_LEVEL = 1 };

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

enum status spool_blocks_open(struct spool_blocks **out, int descriptor, uint64_t start,
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
    enum status status = wait_for_thread(blocks, why);
    if (status != STATUS_OK)
        return status;
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

enum status spool_blocks_append(struct spool_blocks *blocks, const void *bytes, size_t length,
                                struct failure *why)
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
    enum status status = fetch_block(blocks, number, &length, why);
    if (status != STATUS_OK)
        return status;
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

enum status spool_blocks_read(struct spool_blocks *blocks, uint64_t offset, void *bytes,
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

enum status spool_blocks_settle(struct spool_blocks *blocks, struct failure *why)
{
    pthread_mutex_lock(&blocks->lock);
    enum status status = wait_for_thread(blocks, why);
    pthread_mutex_unlock(&blocks->lock);
    return status;
}

static void blocks_stop(struct spool_blocks *blocks)
{
    pthread_mutex_lock(&blocks->lock);
    blocks->stop = true;
    pthread_cond_broadcast(&blocks->changed);
    pthread_mutex_unlock(&blocks->lock);
    pthread_join(blocks->thread, NULL);
}

void spool_blocks_close(struct spool_blocks *blocks)
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
