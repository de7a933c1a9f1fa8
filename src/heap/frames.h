/* Frames: which methods each thread has entered and not left, and which objects
 * their frames hold (death-times.md, "What frames hold"). */
#ifndef ETMERLIN_HEAP_FRAMES_H
#define ETMERLIN_HEAP_FRAMES_H

#include "base/status.h"
#include "heap/node.h"

#include <stdbool.h>
#include <stddef.h>

struct frames;

/* The caller owns *out (frames_free). */
enum status frames_new(struct frames **out, struct failure *why) MUST_CHECK;

/* Finds the number of thread `id`, from 0 on in order of appearance; a new one
 * has no open frame. */
enum status frames_find_thread(struct frames *frames, uint64_t id, uint32_t *thread,
                               struct failure *why) MUST_CHECK;

/* The id of thread number `thread`. */
uint64_t frames_thread_id(const struct frames *frames, uint32_t thread);

/* How many threads there are. */
uint32_t frames_thread_count(const struct frames *frames);

/* Thread number `thread` enters `method`. */
enum status frames_enter(struct frames *frames, uint32_t thread, uint64_t method,
                         struct failure *why) MUST_CHECK;

/* The innermost frame of the thread holds `node` until it is popped. Nothing
 * when no frame is open or `node` is NODE_NONE. */
enum status frames_hold(struct frames *frames, uint32_t thread, node_t node,
                        struct failure *why) MUST_CHECK;

/* What an exit did. */
struct frames_left {
    bool matched;       /* the method was open; if not, nothing was popped */
    uint64_t unwound;   /* frames above the method's, popped with it */
    const node_t *held; /* what the popped frames held, good until the next call */
    size_t held_count;
};

/* The thread leaves `method`: pops down to the innermost frame of the method. */
enum status frames_leave(struct frames *frames, uint32_t thread, uint64_t method,
                         struct frames_left *left, struct failure *why) MUST_CHECK;

/* What the open frames of the thread hold; *count of them, some perhaps more than once. */
const node_t *frames_held(const struct frames *frames, uint32_t thread, size_t *count);

/* How many frames of the thread are open. */
size_t frames_depth(const struct frames *frames, uint32_t thread);

/* NULL is allowed. */
void frames_free(struct frames *frames);

#endif
