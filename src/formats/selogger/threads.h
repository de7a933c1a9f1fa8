/* Threads and their frames, as the log shows them (selogger.md, section 6). */
#ifndef ETMERLIN_FORMATS_SELOGGER_THREADS_H
#define ETMERLIN_FORMATS_SELOGGER_THREADS_H

#include "base/map.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of no event of the kind NEW_OBJECT. */
#define NO_BIRTH UINT64_MAX

/* The number of no data id. */
#define NO_DATA_ID UINT32_MAX

struct frame {
    uint32_t method;
    uint32_t call;     /* data id of the CALL that is under way, NO_DATA_ID: none */
    uint64_t receiver; /* 0: static, or not known yet */
    uint64_t birth; /* in a constructor: the NEW_OBJECT whose object this makes; or NO_BIRTH */
    size_t waiting; /* where its part of the thread's list begins */
};

/* What a frame waits for: a NEW_OBJECT for the end of its constructor, or a field for the
 * object that it is in. */
struct waiting {
    union {
        uint32_t data_id; /* of the NEW_OBJECT */
        uint32_t field;
    };
    union {
        uint64_t birth;
        uint64_t value;
    };
};

/* The parts of one operation that have been met: they follow each other within a thread. */
struct operation {
    uint32_t data_id;   /* of the latest part, NO_DATA_ID: none */
    uint64_t container; /* object, or array */
    int64_t index;      /* of an element; or the length of a new array */
};

struct thread {
    uint32_t id;
    struct frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    struct waiting *waiting;
    size_t waiting_count;
    size_t waiting_capacity;
    struct operation operation;
    uint64_t store;  /* number of the event that stored in an array just now, from 1; 0: none */
    uint64_t callee; /* object that is called and keeps what it is given; 0: none */
    struct waiting *captured; /* what a lambda that is being made will hold */
    size_t captured_count;
    size_t captured_capacity;
};

/* Zero-initialize it; threads_free ends it. */
struct threads {
    struct map numbers; /* id -> place + 1 */
    struct thread **items;
    size_t count;
    size_t capacity;
    struct thread *latest; /* that was asked for; NULL: none */
};

/* Does what threads_find does. */
struct thread *threads_look_up(struct threads *threads, uint32_t id) MUST_CHECK;

/* The thread with this id, a new one if there is none; NULL: no memory. */
static inline struct thread *MUST_CHECK threads_find(struct threads *threads, uint32_t id)
{
    if (threads->latest && threads->latest->id == id)
        return threads->latest;
    return threads_look_up(threads, id);
}

/* The innermost frame; NULL: there is none. */
static inline struct frame *thread_top(const struct thread *thread)
{
    return thread->frame_count > 0 ? &thread->frames[thread->frame_count - 1] : NULL;
}

/* How many frames must have been left for an event of `method` to happen in the innermost one;
 * 0 also if it can be in none. */
size_t thread_frames_above(const struct thread *thread, uint32_t method);

/* Opens a frame; its receiver is null, and it makes no object. NULL: no memory. */
struct frame *thread_push(struct thread *thread, uint32_t method) MUST_CHECK;

/* Leaves the innermost frame, with all that it waits for; there must be one. */
void thread_pop(struct thread *thread);

/* Lets the innermost frame wait for something. */
enum status thread_wait(struct thread *thread, const struct waiting *waiting,
                        struct failure *why) MUST_CHECK;

/* Where what the innermost frame waits for begins in the list. */
static inline size_t thread_waits_from(const struct thread *thread)
{
    return thread->frame_count > 0 ? thread->frames[thread->frame_count - 1].waiting : 0;
}

/* Forgets all threads. */
void threads_free(struct threads *threads);

#endif
