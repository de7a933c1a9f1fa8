/* SPDX-License-Identifier: MIT */
/* There are two buffers: one is filled while the other is compressed and written. A chunk
 * becomes one frame of its codec, which is written with one call. If that fails, the file is
 * cut after the last good chunk, which makes room for a comment with the reason. */
#include "output.h"

#include "base/memory.h"
#include "base/thread.h"
#include "io/codec/codec.h"
#include "io/descriptor.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK_SIZE = 1024 * 1024,
    BUFFERS = 2,
    FAST_ZSTD = 1,
    ROOM_SIZE = 64 * 1024, /* more than the head and the end of a frame */
};

struct chunk {
    char *bytes;
    size_t length;
    bool is_full;
};

struct output {
    int descriptor;
    const struct codec *codec; /* NULL: not compressed */
    int level;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct chunk chunks[BUFFERS];
    unsigned filling; /* the chunk that output_buffer gives */
    bool is_closing;
    void *encoder;   /* NULL: there is none */
    uint8_t *packed; /* the frame of a chunk */
    size_t packed_length, packed_capacity;
    off_t good; /* length of the file up to the last good chunk; -1: it cannot be cut */
    int error;
    char *name; /* of the trace, for messages */
};

size_t output_capacity(void)
{
    return CHUNK_SIZE;
}

static void drop_encoder(struct output *output)
{
    if (output->encoder)
        output->codec->encoder_free(output->encoder);
    output->encoder = NULL;
}

/* Makes sure that there is an encoder; false: no memory. */
static bool keep_encoder(struct output *output)
{
    if (!output->encoder)
        output->encoder = output->codec->encoder_new(output->level, 0);
    return output->encoder;
}

/* Adds room for `more` bytes to the frame; false: no memory. */
static bool make_room(struct output *output, size_t more)
{
    uint8_t *packed =
        array_grow(output->packed, &output->packed_capacity, output->packed_length + more, 1);
    if (packed)
        output->packed = packed;
    return packed;
}

/* Makes one frame of the bytes; false: no memory. With all input at once and room for the
 * longest frame, zstd needs no buffers of its own. */
static bool pack(struct output *output, const char *bytes, size_t length)
{
    struct codec_step step = {.in = (const uint8_t *)bytes, .in_left = length, .in_ends = true};
    enum codec_result result = CODEC_MORE;
    output->packed_length = 0;
    if (!keep_encoder(output))
        return false;
    while (result == CODEC_MORE) {
        if (!make_room(output, length + length / 64 + ROOM_SIZE))
            result = CODEC_NO_MEMORY;
        else {
            step.out = output->packed + output->packed_length;
            step.out_left = output->packed_capacity - output->packed_length;
            result = output->codec->encode(output->encoder, &step);
            output->packed_length = output->packed_capacity - step.out_left;
        }
    }
    if (result != CODEC_END || !output->codec->encodes_on)
        drop_encoder(output);
    return result == CODEC_END;
}

/* Writes a chunk, and sets *written to the bytes that it takes in the file. Returns 0 or an
 * errno. */
static int write_chunk(struct output *output, const char *bytes, size_t length, size_t *written)
{
    *written = length;
    if (!output->codec)
        return descriptor_write(output->descriptor, bytes, length, NULL);
    if (!pack(output, bytes, length))
        return ENOMEM;
    *written = output->packed_length;
    return descriptor_write(output->descriptor, output->packed, output->packed_length, NULL);
}

/* Ends the trace after the last good chunk with the reason. */
static void write_reason(struct output *output)
{
    char text[160];
    size_t written;
    if (output->good < 0 || ftruncate(output->descriptor, output->good) != 0 ||
        lseek(output->descriptor, output->good, SEEK_SET) < 0)
        return;
    int length = snprintf(text, sizeof text, "# ettrace: the trace ends here: %s\n",
                          strerror(output->error));
    if (write_chunk(output, text, (size_t)length, &written) != 0 &&
        ftruncate(output->descriptor, output->good) != 0)
        output->good = -1;
}

/* Writes a chunk, unless an earlier one could not be written. */
static void handle(struct output *output, const struct chunk *chunk)
{
    size_t written;
    if (output->error)
        return;
    output->error = write_chunk(output, chunk->bytes, chunk->length, &written);
    if (output->error)
        write_reason(output);
    else if (output->good >= 0)
        output->good += (off_t)written;
}

static void *write_chunks(void *context)
{
    struct output *output = context;
    unsigned next = 0;
    pthread_setname_np(pthread_self(), "ettrace write");
    pthread_mutex_lock(&output->lock);
    for (;;) {
        struct chunk *chunk = &output->chunks[next];
        while (!chunk->is_full && !output->is_closing)
            pthread_cond_wait(&output->changed, &output->lock);
        if (!chunk->is_full)
            break;
        pthread_mutex_unlock(&output->lock);
        handle(output, chunk);
        pthread_mutex_lock(&output->lock);
        chunk->is_full = false;
        next = (next + 1) % BUFFERS;
        pthread_cond_broadcast(&output->changed);
    }
    pthread_mutex_unlock(&output->lock);
    return NULL;
}

static void release_output(struct output *output)
{
    drop_encoder(output);
    for (int i = 0; i < BUFFERS; i++)
        free(output->chunks[i].bytes);
    free(output->packed);
    free(output->name);
    free(output);
}

enum status output_open(struct output **out, int descriptor, const char *path,
                        struct failure *why)
{
    const char *unwritable = path ? codec_unwritable(path) : NULL;
    if (unwritable)
        return fail_at(why, STATUS_MEANING, path, 0,
                       "There is no %s output; let the name end with .zst, .gz or .xz, or with "
                       "none of these",
                       unwritable);
    struct output *output = calloc(1, sizeof *output);
    if (!output)
        return fail_memory(why);
    output->descriptor = descriptor;
    output->name = path ? strdup(path) : NULL;
    output->codec = path ? codec_of_path(path) : NULL;
    if (output->codec == &codec_zstd)
        output->level = FAST_ZSTD;
    else if (output->codec)
        output->level = output->codec->level_default;
    output->good = lseek(descriptor, 0, SEEK_CUR);
    pthread_mutex_init(&output->lock, NULL);
    pthread_cond_init(&output->changed, NULL);
    for (int i = 0; i < BUFFERS; i++)
        if (!(output->chunks[i].bytes = malloc(CHUNK_SIZE))) {
            release_output(output);
            return fail_memory(why);
        }
    int error = thread_start(&output->thread, write_chunks, output);
    if (error) {
        release_output(output);
        return fail_errno(why, path, "start a thread to write", error);
    }
    *out = output;
    return STATUS_OK;
}

char *output_buffer(struct output *output)
{
    struct chunk *chunk = &output->chunks[output->filling];
    pthread_mutex_lock(&output->lock);
    while (chunk->is_full)
        pthread_cond_wait(&output->changed, &output->lock);
    pthread_mutex_unlock(&output->lock);
    return chunk->bytes;
}

void output_submit(struct output *output, size_t length)
{
    struct chunk *chunk = &output->chunks[output->filling];
    pthread_mutex_lock(&output->lock);
    chunk->length = length;
    chunk->is_full = length > 0;
    if (length > 0)
        output->filling = (output->filling + 1) % BUFFERS;
    pthread_cond_broadcast(&output->changed);
    pthread_mutex_unlock(&output->lock);
}

enum status output_close(struct output *output, struct failure *why)
{
    pthread_mutex_lock(&output->lock);
    output->is_closing = true;
    pthread_cond_broadcast(&output->changed);
    pthread_mutex_unlock(&output->lock);
    pthread_join(output->thread, NULL);
    int error = output->error;
    if (close(output->descriptor) != 0 && !error && errno != EINTR)
        error = errno;
    enum status status =
        error ? fail_errno(why, output->name, "write the trace", error) : STATUS_OK;
    release_output(output);
    return status;
}
