/* SPDX-License-Identifier: MIT */
/* A ring of batches between two threads. The reading thread fills batches while there is an
 * empty one; the using thread holds one batch at a time. Each side waits under the lock only
 * when the ring is full or empty, and is woken only when the ring is half empty or half full:
 * waking a thread costs about as much as a tenth of a batch. */
#include "trace/readahead.h"

#include "base/thread.h"

enum { RING_SIZE = 8, RING_HALF = RING_SIZE / 2 };

/* A slot of the ring: a batch, and what reader_next returned for it. */
struct ring_slot {
    struct batch batch;
    enum status status;
    struct failure why;
};

struct readahead {
    struct reader *reader;
    struct ring_slot ring[RING_SIZE];
    uint64_t filled; /* batches that the reading thread has finished */
    uint64_t freed;  /* batches that the using thread has finished */
    bool stop;       /* the using thread wants no more batches */
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static struct ring_slot *readahead_slot_of(struct readahead *readahead, uint64_t number)
{
    return &readahead->ring[number % RING_SIZE];
}

/* Waits for an empty slot; false: no more batches are wanted. */
static bool wait_for_room(struct readahead *readahead)
{
    pthread_mutex_lock(&readahead->lock);
    while (readahead->filled - readahead->freed == RING_SIZE && !readahead->stop)
        pthread_cond_wait(&readahead->changed, &readahead->lock);
    bool wanted = !readahead->stop;
    pthread_mutex_unlock(&readahead->lock);
    return wanted;
}

/* Notes that another batch is filled; it is the last one if `last`. */
static void note_filled(struct readahead *readahead, bool last)
{
    pthread_mutex_lock(&readahead->lock);
    readahead->filled++;
    if (last || readahead->filled - readahead->freed >= RING_HALF)
        pthread_cond_signal(&readahead->changed);
    pthread_mutex_unlock(&readahead->lock);
}

/* Notes that the using thread has finished another batch. */
static void note_freed(struct readahead *readahead)
{
    pthread_mutex_lock(&readahead->lock);
    readahead->freed++;
    if (readahead->filled - readahead->freed <= RING_HALF)
        pthread_cond_signal(&readahead->changed);
    pthread_mutex_unlock(&readahead->lock);
}

static void *read_batches(void *argument)
{
    struct readahead *readahead = argument;
    enum status status = STATUS_OK;
    for (uint64_t number = 0; status == STATUS_OK && wait_for_room(readahead); number++) {
        struct ring_slot *slot = readahead_slot_of(readahead, number);
        status = reader_next(readahead->reader, &slot->batch, &slot->why);
        slot->status = status;
        note_filled(readahead, status != STATUS_OK);
    }
    return NULL;
}

/* Waits for the batch `number`, from 0. */
static struct ring_slot *wait_for_batch(struct readahead *readahead, uint64_t number)
{
    pthread_mutex_lock(&readahead->lock);
    while (readahead->filled <= number)
        pthread_cond_wait(&readahead->changed, &readahead->lock);
    pthread_mutex_unlock(&readahead->lock);
    return readahead_slot_of(readahead, number);
}

/* Shows batches while the other thread reads more of them. */
static enum status visit_ahead(struct readahead *readahead, batch_visitor visit, void *context,
                               struct failure *why)
{
    for (uint64_t number = 0;; number++) {
        struct ring_slot *slot = wait_for_batch(readahead, number);
        if (slot->status == STATUS_END)
            return STATUS_END;
        if (slot->status != STATUS_OK) {
            failure_clear(why);
            *why = slot->why;
            slot->why = (struct failure){.status = STATUS_OK};
            return slot->status;
        }
        TRY(visit(context, &slot->batch, why));
        note_freed(readahead);
    }
}

/* Reads each batch after the one before has been shown. */
static enum status visit_each(struct readahead *readahead, batch_visitor visit, void *context,
                              struct failure *why)
{
    struct batch *batch = &readahead->ring[0].batch;
    enum status status;
    while ((status = reader_next(readahead->reader, batch, why)) == STATUS_OK &&
           (status = visit(context, batch, why)) == STATUS_OK)
        continue;
    return status;
}

static void stop_thread(struct readahead *readahead, pthread_t thread)
{
    pthread_mutex_lock(&readahead->lock);
    readahead->stop = true;
    pthread_cond_signal(&readahead->changed);
    pthread_mutex_unlock(&readahead->lock);
    pthread_join(thread, NULL);
}

static void readahead_free(struct readahead *readahead)
{
    for (size_t i = 0; i < RING_SIZE; i++) {
        batch_free(&readahead->ring[i].batch);
        failure_clear(&readahead->ring[i].why);
    }
    pthread_cond_destroy(&readahead->changed);
    pthread_mutex_destroy(&readahead->lock);
}

enum status readahead_visit(struct reader *reader, unsigned threads, batch_visitor visit,
                            void *context, struct failure *why)
{
    struct readahead readahead = {.reader = reader};
    pthread_t thread;
    enum status status;
    pthread_mutex_init(&readahead.lock, NULL);
    pthread_cond_init(&readahead.changed, NULL);
    /* If no thread can be started, the trace is read in this one. */
    if (threads > 1 && thread_start(&thread, read_batches, &readahead) == 0) {
        status = visit_ahead(&readahead, visit, context, why);
        stop_thread(&readahead, thread);
    } else {
        status = visit_each(&readahead, visit, context, why);
    }
    readahead_free(&readahead);
    return status == STATUS_END ? STATUS_OK : status;
}
