/* SPDX-License-Identifier: MIT */
/* The two readings of the log (etmerlin-formats(5), "How events are converted"). The survey is
 * the first one, for facts that only later events show: which object a NEW_OBJECT makes,
 * whether a store failed, and how long the arrays in an array are. In the second, the mapping,
 * events become records. Both follow the frames of threads, as the log shows them. */
#ifndef ETMERLIN_FORMATS_SELOGGER_CONVERSION_H
#define ETMERLIN_FORMATS_SELOGGER_CONVERSION_H

#include "base/map.h"
#include "base/status.h"
#include "formats/selogger/catalogue.h"
#include "formats/selogger/emitter.h"
#include "formats/selogger/loading.h"
#include "formats/selogger/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No NEW_OBJECT event has this number. */
#define NO_BIRTH UINT64_MAX

struct sel_frame {
    uint32_t method;
    uint32_t call;     /* data id of the CALL that is under way; NO_DATA_ID: none */
    uint64_t receiver; /* 0: static, or not known yet */
    uint64_t birth; /* in a constructor: the number of the NEW_OBJECT whose object this makes,
                       or NO_BIRTH */
    size_t waiting; /* where its part of the thread's list of waiting items begins */
    size_t outer; /* the next outer frame of the same method, from 1; 0: none, or not mapped */
};

/* An item that waits in a frame: a NEW_OBJECT for the end of its constructor, or the value of a
 * field for the object that has the field. */
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

/* The parts of one operation that have been logged so far: they follow each other within a
 * thread. */
struct operation {
    uint32_t data_id;   /* of the latest part; NO_DATA_ID: none */
    uint64_t container; /* the object or array */
    int64_t index;      /* of an element, or the length of a new array */
};

/* A NEW_OBJECT is looked up by its data id, its index, or as any of its method. */
enum { WAITING_KEYS = 3 };

/* An index of waiting items. Zero-initialize it; it is released with its thread. Positions
 * count from 1; all positions up to `count` have been added, in order. */
struct waiting_index {
    struct map youngest; /* key -> position; 0: none */
    struct waiting_entry *items;
    size_t count;
    size_t capacity;
};

struct sel_thread {
    uint32_t id;
    struct sel_frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    size_t mapped;      /* how many of the outermost frames are in the map */
    struct map methods; /* method -> its innermost mapped frame, from 1; 0: none */
    struct waiting *waiting;
    size_t waiting_count;
    size_t waiting_capacity;
    struct waiting_index index; /* of items that wait for the ends of constructors */
    struct operation operation;
    uint64_t store;  /* number, from 1, of the latest event but catch labels, if that stored an
                        object in an array; else 0 */
    uint64_t callee; /* the object that is called, if it keeps what is passed to it; else 0 */
    struct waiting *captured; /* what the lambda that is being made will hold */
    size_t captured_count;
    size_t captured_capacity;
};

/* Zero-initialize it; threads_free ends it. */
struct threads {
    struct map numbers; /* id -> number + 1 */
    struct sel_thread **items;
    size_t count;
    size_t capacity;
    struct sel_thread *latest; /* the thread that was looked up last; NULL: none */
};

/* Finds or makes the thread with this id. Called by threads_find if it is not the latest one.
 * NULL: no memory. */
struct sel_thread *threads_look_up(struct threads *threads, uint32_t id) MUST_CHECK;

/* The thread with this id, which is made if there is none; NULL: no memory. */
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

/* Sets *above to the number of frames that must have been left if an event of `method` happens
 * now; to 0 also if no frame of the method is open. */
enum status thread_frames_above(struct sel_thread *thread, uint32_t method, size_t *above,
                                struct failure *why) MUST_CHECK;

/* Opens a frame of `method`, with receiver 0 and without a birth. NULL: no memory. */
struct sel_frame *thread_push(struct sel_thread *thread, uint32_t method) MUST_CHECK;

/* Leaves the innermost frame, which there must be, and forgets the items that wait in it. */
void thread_pop(struct sel_thread *thread);

/* Adds an item that waits in the innermost frame. */
enum status thread_wait(struct sel_thread *thread, const struct waiting *waiting,
                        struct failure *why) MUST_CHECK;

/* Forgets all waiting items of the thread but the first `count`. */
void thread_stop_waiting(struct sel_thread *thread, size_t count);

/* Adds the next position, with keys that differ. After a failure the index may only be
 * released. */
enum status waiting_index_add(struct waiting_index *index, const uint64_t keys[WAITING_KEYS],
                              struct failure *why) MUST_CHECK;

/* The position that was added last with this key; 0: there is none. */
size_t waiting_index_find(const struct waiting_index *index, uint64_t key);

/* Releases all threads; there are none then. */
void threads_free(struct threads *threads);

/* Zero-initialize it; survey_free ends it. */
struct survey {
    uint64_t *born; /* the object of each NEW_OBJECT, from 0; 0: it is never logged */
    size_t born_count;
    size_t born_capacity;
    uint64_t *failed; /* the numbers among all events, from 1 and ascending, of the
                         ARRAY_STORE_VALUE events whose stores failed */
    size_t failed_count;
    size_t failed_capacity;
    uint64_t events; /* how many events the log has */
    uint64_t digest; /* of the log */
};

/* Reads the log from its start to its end. Sets lengths of arrays in *facts, and adds to
 * *remarks what was cut off. */
enum status survey_run(struct survey *survey, struct log *log,
                       const struct catalogue *catalogue, struct facts *facts,
                       struct remark_list *remarks, struct failure *why) MUST_CHECK;

/* Releases what the survey owns. */
void survey_free(struct survey *survey);

/* Set the first group; mapping_restart sets the rest, and mapping_free ends it. */
struct mapping {
    struct emitter out; /* set its first group */
    const struct survey *survey;
    bool loads_as_updates; /* a load of an object from a field becomes a store of it there */
    bool escape_edges;     /* an object outside the program keeps what is passed to it */

    struct threads threads;
    uint64_t number; /* of the present event, from 1 */
    size_t births;   /* number of NEW_OBJECTs so far */
    size_t failures; /* number of failed stores so far */

    /* The present event. */
    struct sel_thread *thread;
    const struct sel_event *event;
    const struct instruction *instruction;
};

/* Starts again at the first event. */
void mapping_restart(struct mapping *mapping);

/* Appends the records of the events to `batch`. */
enum status mapping_add(struct mapping *mapping, const struct sel_events *events,
                        struct batch *batch, struct failure *why) MUST_CHECK;

/* Releases what the mapping owns. */
void mapping_free(struct mapping *mapping);

#endif
