/* SPDX-License-Identifier: MIT */
/* The exits are a list, of a few bytes each, that is read once, in order, while the ticks of
 * deaths go up. So the list can be in a file, and no more than EXITS_IN_MEMORY bytes of it in
 * memory. */
#include "merlin/recorders/frame_exits.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of the list that are collected before they go to the file, and the most bytes of an
 * exit. */
enum { EXITS_IN_MEMORY = 1 << 16, EXIT_MAX = 3 * VARINT_MAX };

struct frame_exit {
    uint64_t tick;
    uint32_t depth; /* frames that stay open */
};

/* The exits that were passed are on a stack, in their order: each is later than those below it
 * and leaves more frames open, since an exit removes those above it that left as many or more.
 * The frames of a birth that stay open are those that the lowest later exit on the stack
 * leaves. For example, let births in 5 open frames be at ticks 1 and 4, and exits to 3 frames
 * at tick 3 and to 4 at tick 6. In tick 7 both exits are on the stack: of the frames of the
 * first birth 3 are open, of those of the second 4. */
struct exits_of_thread {
    struct frame_exit *stack; /* of those passed */
    size_t height;
    size_t capacity;
};

struct frame_exits {
    struct exits_of_thread *threads;
    size_t thread_count;
    size_t thread_capacity;
    /* The list. An exit is a number made of the ticks since the exit before and a bit for
     * another thread; that thread, if there is one; and the depth. */
    uint8_t *list;
    size_t length;
    size_t capacity;
    uint64_t last_tick; /* of the list */
    uint32_t last_thread;
    bool has_temporary;
    struct temporary_folder temporary;
    struct spool *spool; /* the list without its end; NULL: all of it is in `list` */
    bool is_read;   /* nothing is added any more; with a spool, all of the list is in it, and
                       `list` is a part of it */
    bool is_at_end; /* no bytes of the spool follow that part */
    uint64_t read_offset; /* of the bytes of the spool that follow that part */
    /* The position of the next exit to be passed, and the exit before it. */
    size_t next;
    uint64_t passed_tick;
    uint32_t passed_thread;
};

enum status frame_exits_new(struct frame_exits **out, const struct temporary_folder *temporary,
                            struct failure *why)
{
    struct frame_exits *exits = *out = calloc(1, sizeof *exits);
    if (!exits)
        return fail_memory(why);
    exits->has_temporary = temporary;
    if (temporary)
        exits->temporary = *temporary;
    return STATUS_OK;
}

/* Moves the list in memory to the end of the file. */
static enum status move_to_file(struct frame_exits *exits, struct failure *why)
{
    enum status status = STATUS_OK;
    if (!exits->spool)
        status = spool_open(&exits->spool, &exits->temporary, why);
    if (status == STATUS_OK)
        status = spool_append(exits->spool, exits->list, exits->length, why);
    exits->length = 0;
    return status;
}

/* Begins to read the complete list. */
static enum status begin_reading(struct frame_exits *exits, struct failure *why)
{
    exits->is_read = true;
    if (!exits->spool)
        return STATUS_OK;
    TRY(move_to_file(exits, why));
    return spool_settle(exits->spool, why);
}

/* Makes sure that the next exit, if there is one, is in memory as a whole. */
static enum status read_more(struct frame_exits *exits, struct failure *why)
{
    size_t left = exits->length - exits->next, got;
    if (!exits->spool || exits->is_at_end || left >= EXIT_MAX)
        return STATUS_OK;
    memmove(exits->list, exits->list + exits->next, left);
    exits->next = 0;
    enum status status = spool_read(exits->spool, exits->read_offset, exits->list + left,
                                    exits->capacity - left, &got, why);
    exits->length = left + got;
    exits->read_offset += got;
    exits->is_at_end = got == 0;
    return status;
}

enum status frame_exits_leave(struct frame_exits *exits, uint32_t thread, uint32_t depth,
                              uint64_t tick, struct failure *why)
{
    if (!ARRAY_LENGTHEN(exits->threads, exits->thread_count, exits->thread_capacity,
                        (size_t)thread + 1))
        return fail_memory(why);
    if (exits->has_temporary && exits->length + EXIT_MAX > EXITS_IN_MEMORY)
        TRY(move_to_file(exits, why));
    if (!ARRAY_RESERVE(exits->list, exits->capacity, exits->length + EXIT_MAX))
        return fail_memory(why);
    uint8_t *list = exits->list;
    bool switches = thread != exits->last_thread;
    uint8_t *end = varint_put(list + exits->length, (tick - exits->last_tick) << 1 | switches);
    if (switches)
        end = varint_put(end, thread);
    end = varint_put(end, depth);
    exits->length = (size_t)(end - list);
    exits->last_tick = tick;
    exits->last_thread = thread;
    return STATUS_OK;
}

/* Reads the next exit, which there must be. Returns where the one after it begins; NULL: it is
 * not one that was added, so the file is damaged. */
static const uint8_t *read_exit(const struct frame_exits *exits, struct frame_exit *next,
                                uint32_t *thread)
{
    const uint8_t *at = exits->list + exits->next, *end = exits->list + exits->length;
    uint64_t step = 0, number = exits->passed_thread, depth = 0;
    at = varint_get(at, end, &step);
    if (at && step & 1)
        at = varint_get(at, end, &number);
    if (at)
        at = varint_get(at, end, &depth);
    if (number >= exits->thread_count)
        return NULL;
    *next = (struct frame_exit){exits->passed_tick + (step >> 1), (uint32_t)depth};
    *thread = (uint32_t)number;
    return at;
}

static enum status push_exit(struct exits_of_thread *thread, struct frame_exit next,
                             struct failure *why)
{
    while (thread->height > 0 && thread->stack[thread->height - 1].depth >= next.depth)
        thread->height--;
    if (!ARRAY_RESERVE(thread->stack, thread->capacity, thread->height + 1))
        return fail_memory(why);
    thread->stack[thread->height++] = next;
    return STATUS_OK;
}

enum status frame_exits_pass(struct frame_exits *exits, uint64_t tick, struct failure *why)
{
    enum status status = exits->is_read ? STATUS_OK : begin_reading(exits, why);
    while (status == STATUS_OK) {
        struct frame_exit next;
        uint32_t thread;
        status = read_more(exits, why);
        if (status != STATUS_OK || exits->next == exits->length)
            break;
        const uint8_t *after = read_exit(exits, &next, &thread);
        if (!after)
            return spool_fail_damaged(exits->spool, why);
        if (next.tick > tick)
            break;
        status = push_exit(&exits->threads[thread], next, why);
        exits->next = (size_t)(after - exits->list);
        exits->passed_tick = next.tick;
        exits->passed_thread = thread;
    }
    return status;
}

void frame_exits_restart(struct frame_exits *exits)
{
    exits->length = exits->next = 0;
    exits->is_read = exits->is_at_end = false;
}

uint32_t frame_exits_still_open(const struct frame_exits *exits, uint32_t thread,
                                uint32_t depth, uint64_t birth)
{
    if (thread >= exits->thread_count)
        return depth;
    const struct exits_of_thread *of_thread = &exits->threads[thread];
    size_t low = 0, high = of_thread->height;
    BISECT(low, high, at, of_thread->stack[at].tick <= birth);
    if (low == of_thread->height || of_thread->stack[low].depth > depth)
        return depth;
    return of_thread->stack[low].depth;
}

void frame_exits_free(struct frame_exits *exits)
{
    if (!exits)
        return;
    for (size_t i = 0; i < exits->thread_count; i++)
        free(exits->threads[i].stack);
    free(exits->threads);
    free(exits->list);
    spool_close(exits->spool);
    free(exits);
}
