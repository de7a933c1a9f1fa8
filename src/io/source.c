/* SPDX-License-Identifier: MIT */
/* Bytes come from a descriptor, perhaps through a decoder. At one of the two
 * places, or at neither, a spool keeps a copy for the next reading: after the
 * descriptor when it cannot be read twice, after the decoder when that is slow.
 *
 * A file is read with pread rather than mapped: a file that another program
 * truncates while it is read then ends early instead of killing the process. */
#include "io/source.h"

#include "io/codec/unpack.h"
#include "io/descriptor.h"
#include "io/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A copy of one of the two streams, and where its reading is. */
struct copy {
    struct spool *spool; /* NULL: there is no copy */
    uint64_t position;
};

struct source {
    char *name;
    int descriptor;
    bool is_standard_input;
    bool is_file; /* can be read twice */
    bool is_empty;
    bool is_cut;
    bool started; /* what follows has been decided */
    struct source_options options;

    struct stat facts; /* when it was opened */
    uint64_t start;    /* file offset of the first byte */
    uint64_t size;     /* of the file from there; 0: unknown */
    uint64_t raw_position;
    uint8_t head[CODEC_HEAD]; /* the first bytes of a pipe, read to find the codec */
    size_t head_length;

    const struct codec *codec; /* NULL: plain */
    struct unpacker *unpacker;
    struct copy raw_copy;
    struct copy plain_copy;

    atomic_uint_fast64_t done, total, bytes; /* see source_progress */
    atomic_uint_fast64_t others_done, others_total;
};

static enum status open_descriptor(struct source *source, const char *path, struct failure *why)
{
    source->is_standard_input = is_standard_stream(path);
    source->name = strdup(source->is_standard_input ? "(standard input)" : path);
    if (!source->name)
        return fail_memory(why);
    if (source->is_standard_input) {
        source->descriptor = STDIN_FILENO;
        return STATUS_OK;
    }
    int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (source->options.is_found ? O_NONBLOCK : 0);
    do
        source->descriptor = open(path, flags);
    while (source->descriptor < 0 && errno == EINTR &&
           !interrupt_requested(source->options.interrupt));
    if (source->descriptor < 0)
        return fail_errno(why, path, "open", errno == EINTR ? ECANCELED : errno);
    return STATUS_OK;
}

/* Finds out whether the input can be read twice. */
static enum status examine(struct source *source, struct failure *why)
{
    if (fstat(source->descriptor, &source->facts) != 0)
        return fail_errno(why, source->name, "read", errno);
    if (S_ISDIR(source->facts.st_mode))
        return fail_errno(why, source->name, "read", EISDIR);
    source->is_file = S_ISREG(source->facts.st_mode);
    if (!source->is_file && source->options.is_found)
        return fail_at(why, STATUS_MEANING, source->name, 0,
                       "This is found by its name, and must be a regular file");
    if (!source->is_file) {
        descriptor_widen(source->descriptor);
        return STATUS_OK;
    }
    off_t start = lseek(source->descriptor, 0, SEEK_CUR);
    if (start < 0)
        return fail_errno(why, source->name, "seek", errno);
    source->start = (uint64_t)start;
    source->size =
        source->facts.st_size > start ? (uint64_t)(source->facts.st_size - start) : 0;
    posix_fadvise(source->descriptor, start, 0, POSIX_FADV_SEQUENTIAL);
    return STATUS_OK;
}

enum status source_open(struct source **out, const char *path,
                        const struct source_options *options, struct failure *why)
{
    struct source *source = calloc(1, sizeof *source);
    if (!source)
        return fail_memory(why);
    source->descriptor = -1;
    if (options)
        source->options = *options;
    enum status status = open_descriptor(source, path, why);
    if (status == STATUS_OK)
        status = examine(source, why);
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

bool source_is_standard_input(const struct source *source)
{
    return source->is_standard_input;
}

bool source_is_found(const struct source *source)
{
    return source->options.is_found;
}

const struct interrupt *source_interrupt(const struct source *source)
{
    return source->options.interrupt;
}

int source_descriptor(const struct source *source)
{
    return source->descriptor;
}

static bool is_same(const struct stat *left, const struct stat *right)
{
    return left->st_dev == right->st_dev && left->st_ino == right->st_ino &&
           left->st_size == right->st_size && left->st_mtim.tv_sec == right->st_mtim.tv_sec &&
           left->st_mtim.tv_nsec == right->st_mtim.tv_nsec;
}

enum status source_changed(const char *name, struct failure *why)
{
    return fail_at(why, STATUS_MEANING, name, 0,
                   "The file changed while it was read: start again when it is complete");
}

enum status source_check(const struct source *source, bool by_name, struct failure *why)
{
    struct stat facts;
    if (!source->is_file)
        return STATUS_OK;
    if (fstat(source->descriptor, &facts) != 0)
        return fail_errno(why, source->name, "read", errno);
    if (!is_same(&facts, &source->facts))
        return source_changed(source->name, why);
    if (by_name && (stat(source->name, &facts) != 0 || !is_same(&facts, &source->facts)))
        return source_changed(source->name, why);
    return STATUS_OK;
}

/* Reads what comes next from a pipe: first of all what has been read of it already. */
static int read_pipe(struct source *source, void *bytes, size_t capacity, size_t *got)
{
    if (source->raw_position < source->head_length) {
        size_t left = source->head_length - (size_t)source->raw_position;
        *got = left < capacity ? left : capacity;
        memcpy(bytes, source->head + source->raw_position, *got);
        return 0;
    }
    return descriptor_read(source->descriptor, bytes, capacity, got, source->options.interrupt);
}

static enum status read_descriptor(struct source *source, void *bytes, size_t capacity,
                                   size_t *got, struct failure *why)
{
    int error;
    if (interrupt_requested(source->options.interrupt))
        error = ECANCELED;
    else if (source->is_file)
        error = descriptor_read_at(source->descriptor, source->start + source->raw_position,
                                   bytes, capacity, got);
    else
        error = read_pipe(source, bytes, capacity, got);
    if (error)
        return fail_errno(why, source->name, "read", error);
    source->raw_position += *got;
    return STATUS_OK;
}

typedef enum status (*read_function)(struct source *source, void *bytes, size_t capacity,
                                     size_t *got, struct failure *why);

/* A copy that only saves time is given up when there is no room for it. */
static bool is_dispensable(const struct source *source)
{
    return source->is_file && source->options.spool == SPOOL_AUTO;
}

static enum status append_copy(struct source *source, struct copy *copy, const void *bytes,
                               size_t length, struct failure *why)
{
    enum status status = spool_append(copy->spool, bytes, length, why);
    if (status == STATUS_OK || !is_dispensable(source))
        return status;
    failure_clear(why);
    spool_close(copy->spool);
    copy->spool = NULL;
    return STATUS_OK;
}

/* What has been read before comes from the copy, the rest from `original` and
 * goes to the copy. */
static enum status read_copied(struct source *source, struct copy *copy, read_function original,
                               void *bytes, size_t capacity, size_t *got, struct failure *why)
{
    enum status status;
    if (!copy->spool || copy->position == spool_length(copy->spool)) {
        status = original(source, bytes, capacity, got, why);
        if (status == STATUS_OK && copy->spool)
            status = append_copy(source, copy, bytes, *got, why);
    } else if (interrupt_requested(source->options.interrupt)) {
        status = fail_errno(why, source->name, "read", ECANCELED);
    } else {
        status = spool_read(copy->spool, copy->position, bytes, capacity, got, why);
    }
    if (status == STATUS_OK)
        copy->position += *got;
    return status;
}

static enum status read_raw(void *context, void *bytes, size_t capacity, size_t *got,
                            struct failure *why)
{
    struct source *source = context;
    return read_copied(source, &source->raw_copy, read_descriptor, bytes, capacity, got, why);
}

static enum status read_unpacked(struct source *source, void *bytes, size_t capacity,
                                 size_t *got, struct failure *why)
{
    return source->unpacker ? unpacker_read(source->unpacker, bytes, capacity, got, why)
                            : read_raw(source, bytes, capacity, got, why);
}

/* Reads the first bytes, to be read again. */
static enum status find_head(struct source *source, struct failure *why)
{
    enum status status = STATUS_OK;
    size_t got = 1, length = 0;
    while (status == STATUS_OK && got > 0 && length < CODEC_HEAD) {
        status = read_descriptor(source, source->head + length, CODEC_HEAD - length, &got, why);
        length += status == STATUS_OK ? got : 0;
    }
    source->head_length = length;
    source->raw_position = 0;
    return status;
}

/* Decides where to keep a copy. */
static struct copy *choose_copy(struct source *source)
{
    bool is_slow = source->codec && !source->codec->decodes_fast;
    switch (source->options.spool) {
    case SPOOL_ALWAYS:
        return &source->plain_copy;
    case SPOOL_NEVER:
    case SPOOL_ONCE:
        return NULL;
    case SPOOL_AUTO:
        break;
    }
    if (is_slow)
        return &source->plain_copy;
    return source->is_file ? NULL : &source->raw_copy;
}

static enum status open_copy(struct source *source, struct copy *copy, struct failure *why)
{
    struct temporary_folder temporary = source->options.temporary;
    if (source->codec && copy == &source->raw_copy)
        temporary.codec = SPOOL_CODEC_NONE; /* it is compressed already */
    enum status status = spool_open(&copy->spool, &temporary, why);
    if (status != STATUS_IO || !is_dispensable(source))
        return status;
    failure_clear(why);
    return STATUS_OK;
}

/* A file that is empty though its name promises compressed data was lost on its way. */
static enum status check_not_lost(const struct source *source, struct failure *why)
{
    const struct codec *promised = codec_of_path(source->name);
    if (source->head_length > 0 || !promised)
        return STATUS_OK;
    return fail_at(why, STATUS_SYNTAX, source->name, 0,
                   "The file is empty, but by its name it is %s compressed", promised->name);
}

/* Refuses data that were compressed with something that cannot be read. */
static enum status check_readable(const struct source *source, struct failure *why)
{
    const char *command, *name = codec_unreadable(source->head, source->head_length, &command);
    if (!name)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, source->name, 0,
                   "This is compressed with %s, which cannot be read: decompress it first, as "
                   "in %s",
                   name, command);
}

/* Finds the codec and decides how a second reading will go. */
static enum status start(struct source *source, struct failure *why)
{
    if (!source->is_file && source->options.spool == SPOOL_NEVER)
        return fail_at(why, STATUS_MEANING, source->name, 0,
                       "This cannot be read twice, and no copy of it is allowed");
    TRY(find_head(source, why));
    TRY(check_not_lost(source, why));
    TRY(check_readable(source, why));
    source->codec = codec_of_content(source->head, source->head_length);
    if (source->codec)
        TRY(unpacker_open(&source->unpacker, source->codec, read_raw, source, source->name,
                          source->options.takes_cut, source->options.cut_advice, why));
    struct copy *copy = choose_copy(source);
    if (copy)
        TRY(open_copy(source, copy, why));
    source->started = true;
    return STATUS_OK;
}

/* Shows other threads how far the reading is. */
static void publish(struct source *source, size_t got)
{
    const struct copy *plain = &source->plain_copy, *raw = &source->raw_copy;
    uint64_t done = source->raw_position, total = source->size;
    if (plain->spool && plain->position < spool_length(plain->spool)) {
        done = plain->position;
        total = spool_length(plain->spool);
    } else if (raw->spool && raw->position < spool_length(raw->spool)) {
        done = raw->position;
        total = spool_length(raw->spool);
    }
    atomic_store_explicit(&source->done, done, memory_order_relaxed);
    atomic_store_explicit(&source->total, total, memory_order_relaxed);
    atomic_fetch_add_explicit(&source->bytes, got, memory_order_relaxed);
}

enum status source_read(struct source *source, void *bytes, size_t capacity, size_t *got,
                        struct failure *why)
{
    enum status status = source->started ? STATUS_OK : start(source, why);
    if (status == STATUS_OK)
        status =
            read_copied(source, &source->plain_copy, read_unpacked, bytes, capacity, got, why);
    if (status == STATUS_OK)
        publish(source, *got);
    if (source->unpacker && unpacker_is_cut(source->unpacker))
        source->is_cut = true;
    if (status == STATUS_OK && *got == 0 && capacity > 0 &&
        atomic_load_explicit(&source->bytes, memory_order_relaxed) == 0)
        source->is_empty = true;
    return status;
}

/* Gives the copy up if it only saves time, and has not been written as a whole. */
static void check_copy(struct source *source, struct copy *copy)
{
    struct failure why = {.status = STATUS_OK};
    if (!copy->spool || !is_dispensable(source) || spool_settle(copy->spool, &why) == STATUS_OK)
        return;
    failure_clear(&why);
    spool_close(copy->spool);
    copy->spool = NULL;
}

bool source_is_empty(const struct source *source)
{
    return source->is_empty;
}

bool source_is_cut(const struct source *source)
{
    return source->is_cut;
}

void source_rewind(struct source *source)
{
    check_copy(source, &source->plain_copy);
    atomic_store_explicit(&source->bytes, 0, memory_order_relaxed);
    source->plain_copy.position = 0;
    if (source->plain_copy.spool)
        return;
    source->raw_copy.position = 0;
    if (!source->raw_copy.spool)
        source->raw_position = 0;
    if (source->unpacker)
        unpacker_rewind(source->unpacker);
}

enum status source_read_head(struct source *source, void *bytes, size_t capacity,
                             size_t *length, struct failure *why)
{
    enum status status = STATUS_OK;
    size_t got = 1;
    *length = 0;
    while (status == STATUS_OK && got > 0 && *length < capacity) {
        status = source_read(source, (char *)bytes + *length, capacity - *length, &got, why);
        *length += status == STATUS_OK ? got : 0;
    }
    source_rewind(source);
    return status;
}

/* Whether bytes are read from where they stand in the file. */
static bool can_jump(const struct source *source)
{
    return source->is_file && !source->unpacker && !source->plain_copy.spool;
}

/* Reads on until `limit` bytes have been read since the start, or all. */
static enum status skip_to(struct source *source, uint64_t limit, struct failure *why)
{
    char bytes[16 * 1024];
    enum status status = STATUS_OK;
    size_t got = 1;
    while (status == STATUS_OK && got > 0) {
        uint64_t left = limit - atomic_load_explicit(&source->bytes, memory_order_relaxed);
        if (left == 0)
            break;
        status =
            source_read(source, bytes, left < sizeof bytes ? left : sizeof bytes, &got, why);
    }
    return status;
}

enum status source_keep_copy(struct source *source, struct failure *why)
{
    if (!source->started)
        TRY(start(source, why));
    if (!source->codec || source->plain_copy.spool)
        return STATUS_OK;
    if (source->options.spool == SPOOL_NEVER || source->options.spool == SPOOL_ONCE)
        return fail_at(why, STATUS_MEANING, source->name, 0,
                       "An archive within %s data takes a copy of them, and none is allowed",
                       source->codec->name);
    source_rewind(source);
    return open_copy(source, &source->plain_copy, why);
}

/* The copy in which any byte that has been read is found at once; NULL: there is none. */
static struct copy *copy_to_seek_in(struct source *source)
{
    if (source->plain_copy.spool)
        return &source->plain_copy;
    return source->raw_copy.spool && !source->unpacker ? &source->raw_copy : NULL;
}

enum status source_seek(struct source *source, uint64_t offset, struct failure *why)
{
    if (!source->started)
        TRY(start(source, why));
    if (can_jump(source)) {
        source->raw_position = offset < source->size ? offset : source->size;
        atomic_store_explicit(&source->bytes, source->raw_position, memory_order_relaxed);
        return STATUS_OK;
    }
    struct copy *copy = copy_to_seek_in(source);
    if (copy) {
        uint64_t length = spool_length(copy->spool);
        copy->position = offset < length ? offset : length;
        atomic_store_explicit(&source->bytes, copy->position, memory_order_relaxed);
    } else if (offset < atomic_load_explicit(&source->bytes, memory_order_relaxed)) {
        source_rewind(source);
    }
    return skip_to(source, offset, why);
}

enum status source_size(struct source *source, uint64_t *size, struct failure *why)
{
    enum status status = source->started ? STATUS_OK : start(source, why);
    if (status == STATUS_OK && !can_jump(source)) {
        status = skip_to(source, UINT64_MAX, why);
        *size = atomic_load_explicit(&source->bytes, memory_order_relaxed);
    } else {
        *size = source->size;
    }
    source_rewind(source);
    return status;
}

struct source_progress source_progress(const struct source *source)
{
    uint64_t done = atomic_load_explicit(&source->others_done, memory_order_relaxed);
    uint64_t total = atomic_load_explicit(&source->others_total, memory_order_relaxed);
    return (struct source_progress){
        .done = done + atomic_load_explicit(&source->done, memory_order_relaxed),
        .total = total + atomic_load_explicit(&source->total, memory_order_relaxed),
        .bytes = done + atomic_load_explicit(&source->bytes, memory_order_relaxed),
    };
}

void source_count_others(struct source *source, uint64_t done, uint64_t total)
{
    atomic_store_explicit(&source->others_done, done, memory_order_relaxed);
    atomic_store_explicit(&source->others_total, total, memory_order_relaxed);
}

void source_close(struct source *source)
{
    if (!source)
        return;
    unpacker_close(source->unpacker);
    spool_close(source->raw_copy.spool);
    spool_close(source->plain_copy.spool);
    if (source->descriptor >= 0 && !source->is_standard_input)
        close(source->descriptor);
    free(source->name);
    free(source);
}
