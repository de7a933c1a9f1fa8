/* A ring of batches between two threads. The reading thread fills batches as long as
 * there is an empty one; the using thread holds one batch at a time. Each side
 * waits under the lock only when the ring is full or empty. */
#include "trace/readahead.h"

#include "base/thread.h"

#include <stdlib.h>

enum { RING_SIZE = 4 };

/* A place of the ring: a batch, and what reader_next said of it. */
struct ring_place {
    struct batch batch;
    enum status status;
    struct failure why;
};

struct readahead {
    struct reader *reader;
    struct ring_place ring[RING_SIZE];
    uint64_t filled; /* batches that the reading thread has finished */
    uint64_t freed;  /* batches that the using thread needs no more */
    uint64_t used;   /* batches handed out; the using thread's own */
    bool stop;       /* the using thread wants no more */
    bool has_thread;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static struct ring_place *readahead_place_of(struct readahead *readahead, uint64_t number)
{
    return &readahead->ring[number % RING_SIZE];
}

/* Waits for an empty place; false when no more batches are wanted. */
static bool wait_for_room(struct readahead *readahead)
{
    pthread_mutex_lock(&readahead->lock);
    while (readahead->filled - readahead->freed == RING_SIZE && !readahead->stop)
        pthread_cond_wait(&readahead->changed, &readahead->lock);
    bool wanted = !readahead->stop;
    pthread_mutex_unlock(&readahead->lock);
    return wanted;
}

static void add_to(struct readahead *readahead, uint64_t *counter)
{
    pthread_mutex_lock(&readahead->lock);
    ++*counter;
    pthread_cond_signal(&readahead->changed);
    pthread_mutex_unlock(&readahead->lock);
}

static void *read_batches(void *argument)
{
    struct readahead *readahead = argument;
    enum status status = STATUS_OK;
    for (uint64_t number = 0; status == STATUS_OK && wait_for_room(readahead); number++) {
        struct ring_place *place = readahead_place_of(readahead, number);
        status = reader_next(readahead->reader, &place->batch, &place->why);
        place->status = status;
        add_to(readahead, &readahead->filled);
    }
    return NULL;
}

enum status readahead_open(struct readahead **out, struct reader *reader, unsigned threads,
                           struct failure *why)
{
    struct readahead *readahead = calloc(1, sizeof *readahead);
    if (!readahead)
        return fail_memory(why);
    readahead->reader = reader;
    pthread_mutex_init(&readahead->lock, NULL);
    pthread_cond_init(&readahead->changed, NULL);
    /* Without a second thread a trace can be read all the same. */
    if (threads > 1)
        readahead->has_thread = thread_start(&readahead->thread, read_batches, readahead) == 0;
    *out = readahead;
    return STATUS_OK;
}

/* Hands the batch used last back and waits for the next one; none comes after the end. */
static struct ring_place *wait_for_batch(struct readahead *readahead)
{
    if (readahead->used > 0 &&
        readahead_place_of(readahead, readahead->used - 1)->status != STATUS_OK)
        return readahead_place_of(readahead, readahead->used - 1);
    if (readahead->used > 0)
        add_to(readahead, &readahead->freed);
    pthread_mutex_lock(&readahead->lock);
    while (readahead->filled == readahead->used)
        pthread_cond_wait(&readahead->changed, &readahead->lock);
    pthread_mutex_unlock(&readahead->lock);
    return readahead_place_of(readahead, readahead->used++);
}

enum status readahead_next(struct readahead *readahead, const struct batch **batch,
                           struct failure *why)
{
    if (!readahead->has_thread) {
        *batch = &readahead->ring[0].batch;
        return reader_next(readahead->reader, &readahead->ring[0].batch, why);
    }
    struct ring_place *place = wait_for_batch(readahead);
    *batch = &place->batch;
    if (place->status != STATUS_OK && place->status != STATUS_END) {
        failure_clear(why);
        *why = place->why;
        place->why = (struct failure){.status = STATUS_OK};
    }
    return place->status;
}

static void stop_thread(struct readahead *readahead)
{
    pthread_mutex_lock(&readahead->lock);
    readahead->stop = true;
    pthread_cond_signal(&readahead->changed);
    pthread_mutex_unlock(&readahead->lock);
    pthread_join(readahead->thread, NULL);
}

void readahead_close(struct readahead *readahead)
{
    if (!readahead)
        return;
    if (readahead->has_thread)
        stop_thread(readahead);
    for (size_t i = 0; i < RING_SIZE; i++) {
        batch_free(&readahead->ring[i].batch);
        failure_clear(&readahead->ring[i].why);
    }
    pthread_cond_destroy(&readahead->changed);
    pthread_mutex_destroy(&readahead->lock);
    free(readahead);
}

enum status readahead_visit(struct reader *reader, unsigned threads,
                            enum status (*visit)(void *context, const struct batch *batch,
                                                 struct failure *why),
                            void *context, struct failure *why)
{
    struct readahead *batches;
    const struct batch *batch;
    enum status status = readahead_open(&batches, reader, threads, why);
    if (status != STATUS_OK)
        return status;
    while ((status = readahead_next(batches, &batch, why)) == STATUS_OK &&
           (status = visit(context, batch, why)) == STATUS_OK)
        continue;
    readahead_close(batches);
    return status == STATUS_END ? STATUS_OK : status;
}
