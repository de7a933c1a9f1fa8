/* SPDX-License-Identifier: MIT */
/* The live heap from boundary to boundary. Births and deaths are both in order, so the walk
 * merges them, and needs no memory of its own: the next birth and the next death are ahead of
 * it. Lives that a recorded death ends before the boundary after the birth have a cursor of
 * their own, since among the deaths they come before objects that are born earlier. */
#include "report/lives/live.h"

#include <stdlib.h>

struct live_ahead {
    const struct lives_summary *summary;
    const struct life_stream *stream;
    struct birth_cursor *births;
    struct life_cursor *deaths; /* and survivors; brief lives are skipped */
    struct life_cursor *briefs; /* of brief lives alone; NULL: none has come */
    struct failure *why;
    bool has_birth, has_death, has_brief;
    struct birth_facts birth;
    struct life_facts death, brief;
};

/* Whether a cursor that returned `status` has given something; a failure is kept. */
static bool live_has(struct live_walk *walk, enum status status)
{
    if (status != STATUS_OK && status != STATUS_END)
        walk->status = status;
    return status == STATUS_OK;
}

static void fetch_birth(struct live_walk *walk)
{
    struct live_ahead *ahead = walk->ahead;
    ahead->has_birth =
        live_has(walk, birth_cursor_next(ahead->births, &ahead->birth, ahead->why));
}

/* Whether a recorded death ends the life before the boundary after the birth. The object goes
 * at that boundary. */
static bool is_brief(const struct life_facts *life)
{
    return !life_is_prior(life) && !life->survives && life->died.tick <= life->born.tick;
}

static void fetch_brief(struct live_walk *walk)
{
    struct live_ahead *ahead = walk->ahead;
    do
        ahead->has_brief =
            live_has(walk, life_cursor_next(ahead->briefs, &ahead->brief, ahead->why));
    while (ahead->has_brief && !is_brief(&ahead->brief));
}

/* Begins to pass brief lives, the first of which is ahead. */
static void open_briefs(struct live_walk *walk)
{
    struct live_ahead *ahead = walk->ahead;
    if (live_has(walk, life_cursor_open(&ahead->briefs, ahead->stream, ahead->why)))
        fetch_brief(walk);
}

static void fetch_death(struct live_walk *walk)
{
    struct live_ahead *ahead = walk->ahead;
    bool brief;
    do {
        ahead->has_death =
            live_has(walk, life_cursor_next(ahead->deaths, &ahead->death, ahead->why));
        brief = ahead->has_death && is_brief(&ahead->death);
        if (brief && !ahead->briefs)
            open_briefs(walk);
    } while (brief && walk->status == STATUS_OK);
}

enum status live_start(struct live_walk *walk, const struct life_stream *stream,
                       struct failure *why)
{
    *walk = (struct live_walk){.ahead = NULL};
    struct live_ahead *ahead = walk->ahead = calloc(1, sizeof *ahead);
    if (!ahead)
        return fail_memory(why);
    ahead->summary = life_stream_summary(stream);
    ahead->stream = stream;
    ahead->why = why;
    walk->point.objects = ahead->summary->prior_objects;
    walk->point.size = ahead->summary->prior_bytes;
    enum status status = birth_cursor_open(&ahead->births, stream, why);
    if (status == STATUS_OK)
        status = life_cursor_open(&ahead->deaths, stream, why);
    if (status != STATUS_OK)
        return status;
    fetch_birth(walk);
    fetch_death(walk);
    return walk->status;
}

void live_end(struct live_walk *walk)
{
    if (!walk->ahead)
        return;
    birth_cursor_close(walk->ahead->births);
    life_cursor_close(walk->ahead->deaths);
    life_cursor_close(walk->ahead->briefs);
    free(walk->ahead);
    walk->ahead = NULL;
}

static uint64_t live_last_tick(const struct live_walk *walk)
{
    return walk->ahead->summary->end.tick;
}

static bool has_birth(const struct live_walk *walk)
{
    return walk->ahead->has_birth;
}

static bool has_death(const struct live_walk *walk)
{
    const struct live_ahead *ahead = walk->ahead;
    return ahead->has_death && ahead->death.has_died;
}

/* The boundary that follows the next birth; NEVER: none does, or there is no more birth. What
 * is at the tick NEVER, which can only be the last one, add_end adds. */
static uint64_t next_birth(const struct live_walk *walk)
{
    uint64_t tick = walk->ahead->birth.tick;
    return has_birth(walk) && tick <= live_last_tick(walk) ? tick : NEVER;
}

static uint64_t next_death(const struct live_walk *walk)
{
    const struct live_ahead *ahead = walk->ahead;
    return ahead->has_death && !ahead->death.survives ? ahead->death.died.tick : NEVER;
}

static void add_birth(struct live_walk *walk)
{
    const struct birth_facts *birth = &walk->ahead->birth;
    walk->point.bytes += birth->size;
    walk->point.size += birth->size;
    walk->point.objects++;
    walk->point.allocated++;
    walk->born++;
    if (walk->watch.born)
        walk->watch.born(walk->watch.context, birth);
    fetch_birth(walk);
}

static void live_add_death(struct live_walk *walk, const struct life_facts *life)
{
    walk->point.size -= life->size;
    walk->point.objects--;
    walk->point.died++;
    if (walk->watch.died)
        walk->watch.died(walk->watch.context, life);
}

static void pass_death(struct live_walk *walk)
{
    live_add_death(walk, &walk->ahead->death);
    fetch_death(walk);
}

/* Passes the deaths of brief lives whose births have been passed. */
static void pass_briefs(struct live_walk *walk)
{
    struct live_ahead *ahead = walk->ahead;
    while (ahead->has_brief && ahead->brief.allocation < walk->born) {
        live_add_death(walk, &ahead->brief);
        fetch_brief(walk);
    }
}

/* The time of a tick at which something is next, or of the end. */
static uint64_t time_of_next(const struct live_walk *walk, uint64_t tick)
{
    const struct live_ahead *ahead = walk->ahead;
    if (next_birth(walk) == tick)
        return ahead->birth.time;
    return next_death(walk) == tick ? ahead->death.died.time : ahead->summary->end.time;
}

/* What follows the last boundary. */
static bool add_end(struct live_walk *walk)
{
    walk->point.tick = live_last_tick(walk);
    walk->point.time = time_of_next(walk, walk->point.tick);
    while (has_birth(walk))
        add_birth(walk);
    pass_briefs(walk);
    while (has_death(walk))
        pass_death(walk);
    return walk->point.allocated > 0 || walk->point.died > 0;
}

/* Stops before the first boundary, if there are prior objects. */
static bool live_begin(struct live_walk *walk)
{
    walk->has_begun = true;
    return walk->point.objects > 0;
}

bool live_next(struct live_walk *walk)
{
    if (!walk->has_begun && live_begin(walk))
        return walk->status == STATUS_OK;
    uint64_t birth = next_birth(walk), death = next_death(walk);
    uint64_t tick = birth < death ? birth : death;
    walk->point.allocated = walk->point.died = 0;
    if (walk->status != STATUS_OK)
        return false;
    if (tick == NEVER)
        return add_end(walk);
    walk->point.tick = tick;
    walk->point.time = time_of_next(walk, tick);
    while (next_birth(walk) == tick)
        add_birth(walk);
    pass_briefs(walk);
    while (next_death(walk) == tick)
        pass_death(walk);
    return true;
}

void live_walk_peaks(struct live_peaks *peaks, struct live_walk *walk)
{
    *peaks = (struct live_peaks){.born_at_peak = 0};
    while (live_next(walk)) {
        if (walk->point.objects > peaks->most_objects.objects) {
            peaks->most_objects = walk->point;
            peaks->born_at_most_objects = walk->born;
        }
        if (walk->point.size > peaks->most_bytes.size) {
            peaks->most_bytes = walk->point;
            peaks->born_at_peak = walk->born;
        }
    }
}
