/* SPDX-License-Identifier: MIT */
/* Threads and their frames, as the log shows them (etmerlin-formats(5), SELOGGER). */
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

struct sel_frame {
    uint32_t method;
    uint32_t call;     /* data id of the CALL that is under way, NO_DATA_ID: none */
    uint64_t receiver; /* 0: static, or not known yet */
    uint64_t birth; /* in a constructor: the NEW_OBJECT whose object this makes; or NO_BIRTH */
    size_t waiting; /* where its part of the thread's list begins */
    size_t outer;   /* next frame outwards of the method, from 1; 0: none, or not mapped */
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

/* What a NEW_OBJECT is looked for by, always together with its method. */
enum waiting_part { BY_DATA_ID, BY_INDEX, BY_METHOD, WAITING_PARTS };

/* The keys of a NEW_OBJECT: the method in the upper half, and what it is looked for by in the
 * lower one (BY_METHOD: 0). */
struct waiting_keys {
    uint64_t of[WAITING_PARTS];
};

/* Zero-initialize it; the thread ends it. Places count from 1; they are entered in the
 * order of the list, all up to `count`. */
struct waiting_index {
    struct map youngest[WAITING_PARTS]; /* key -> position; 0: none */
    struct waiting_entry *items;
    size_t count;
    size_t capacity;
};

struct sel_thread {
    uint32_t id;
    struct sel_frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    size_t mapped;      /* so many of the outermost frames are in the map */
    struct map methods; /* method -> its innermost mapped frame, from 1; 0: none */
    struct waiting *waiting;
    size_t waiting_count;
    size_t waiting_capacity;
    struct waiting_index index; /* of those that wait for the ends of constructors */
    struct operation operation;
    uint64_t store;  /* number of the event that stored in an array just now, from 1; 0: none */
    uint64_t callee; /* object that is called and keeps what it is given; 0: none */
    struct waiting *captured; /* what a lambda that is being made will hold */
    size_t captured_count;
    size_t captured_capacity;
};

/* Zero-initialize it; threads_free ends it. */
struct threads {
    struct map numbers; /* id -> number + 1 */
    struct sel_thread **items;
    size_t count;
    size_t capacity;
    struct sel_thread *latest; /* that was asked for; NULL: none */
};

/* Finds or makes the thread, where it is not the latest. For threads_find. */
struct sel_thread *threads_look_up(struct threads *threads, uint32_t id) MUST_CHECK;

/* The thread with this id, a new one if there is none; NULL: no memory. */
static inline struct sel_thread *MUST_CHECK threads_find(struct threads *threads, uint32_t id)
{
    if (threads->latest && threads->latest->id == id)
        return threads->latest;
    return threads_look_up(threads, id);
}

/* The innermost frame; NULL: there is none. */
static inline struct sel_frame *thread_top(const struct sel_thread *thread)
{
    return thread->frame_count > 0 ? &thread->frames[thread->frame_count - 1] : NULL;
}

/* Sets *above to how many frames must have been left for an event of `method` to happen in the
 * innermost one; to 0 also if it can be in none. */
enum status thread_frames_above(struct sel_thread *thread, uint32_t method, size_t *above,
                                struct failure *why) MUST_CHECK;

/* Opens a frame; its receiver is null, and it makes no object. NULL: no memory. */
struct sel_frame *thread_push(struct sel_thread *thread, uint32_t method) MUST_CHECK;

/* Leaves the innermost frame, with all that it waits for; there must be one. */
void thread_pop(struct sel_thread *thread);

/* Lets the innermost frame wait for something. */
enum status thread_wait(struct sel_thread *thread, const struct waiting *waiting,
                        struct failure *why) MUST_CHECK;

/* Lets the innermost frame wait no longer for what is in the list from position `count` on. */
void thread_stop_waiting(struct sel_thread *thread, size_t count);

/* Enters the next position. After a failure the index is only to be released. */
enum status waiting_index_add(struct waiting_index *index, const struct waiting_keys *keys,
                              struct failure *why) MUST_CHECK;

/* The position entered last under this key; 0: none. */
size_t waiting_index_find(const struct waiting_index *index, enum waiting_part part,
                          uint64_t key);

/* Forgets all threads. */
void threads_free(struct threads *threads);

#endif
