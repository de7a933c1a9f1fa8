/* SPDX-License-Identifier: MIT */
/* Between two boundaries the heap only grows, so the most that is alive is found after the last
 * allocation of a tick, before anything dies. Births and deaths are both in order, so the walk
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
    uint64_t tick; /* of the latest point; NEVER: of what follows the last boundary */
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

/* Whether a recorded death ends the life before the boundary after the birth. The object is
 * alive until the next allocation, or that boundary. */
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

/* The boundary that follows the next birth; NEVER: none does, or there is no more birth. */
static uint64_t next_birth(const struct live_walk *walk)
{
    const struct live_ahead *ahead = walk->ahead;
    uint64_t tick = ahead->birth.tick;
    return ahead->has_birth && tick <= live_last_tick(walk) ? tick : NEVER;
}

static uint64_t next_death(const struct live_walk *walk)
{
    const struct live_ahead *ahead = walk->ahead;
    return ahead->has_death && !ahead->death.survives ? ahead->death.died.tick : NEVER;
}

static bool has_birth_before(const struct live_walk *walk, uint64_t tick)
{
    return walk->ahead->has_birth && next_birth(walk) == tick;
}

static bool has_death_at(const struct live_walk *walk, uint64_t tick)
{
    const struct live_ahead *ahead = walk->ahead;
    return ahead->has_death && ahead->death.has_died && next_death(walk) == tick;
}

/* Whether an object whose birth has been passed has a brief life. */
static bool has_brief_death(const struct live_walk *walk)
{
    const struct live_ahead *ahead = walk->ahead;
    return ahead->has_brief && ahead->brief.allocation < walk->point.born;
}

static void add_birth(struct live_walk *walk)
{
    const struct birth_facts *birth = &walk->ahead->birth;
    walk->point.bytes += birth->size;
    walk->point.size += birth->size;
    walk->point.objects++;
    walk->point.allocated++;
    walk->point.born++;
    if (walk->observer.born)
        walk->observer.born(walk->observer.context, birth);
    fetch_birth(walk);
}

static void live_add_death(struct live_walk *walk, const struct life_facts *life)
{
    walk->point.size -= life->size;
    walk->point.objects--;
    walk->point.died++;
    if (walk->observer.died)
        walk->observer.died(walk->observer.context, life);
}

/* Passes the births before the boundary, as far as nothing dies meanwhile. */
static void pass_births(struct live_walk *walk, uint64_t tick)
{
    uint64_t last = live_last_tick(walk);
    walk->point.passed = tick > last ? last : tick - 1;
    while (has_birth_before(walk, tick) && !has_brief_death(walk))
        add_birth(walk);
}

/* Passes the deaths before the next birth: those of brief lives, and then, if the boundary is
 * next, those at the boundary. */
static void pass_deaths(struct live_walk *walk, uint64_t tick)
{
    while (has_brief_death(walk)) {
        live_add_death(walk, &walk->ahead->brief);
        fetch_brief(walk);
    }
    if (has_birth_before(walk, tick))
        return;
    walk->point.passed = walk->point.tick;
    while (has_death_at(walk, tick)) {
        live_add_death(walk, &walk->ahead->death);
        fetch_death(walk);
    }
}

/* Stops before the first boundary, if there are prior objects. */
static bool live_begin(struct live_walk *walk)
{
    walk->has_begun = true;
    return walk->point.objects > 0;
}

/* Goes to the tick at which a birth or a death is next, or to the end. */
static void go_to_next(struct live_walk *walk)
{
    struct live_ahead *ahead = walk->ahead;
    uint64_t birth = next_birth(walk), death = next_death(walk);
    uint64_t tick = ahead->tick = birth < death ? birth : death;
    walk->point.tick = tick == NEVER ? live_last_tick(walk) : tick;
    if (tick == NEVER)
        walk->point.time = ahead->summary->end.time;
    else
        walk->point.time = birth == tick ? ahead->birth.time : ahead->death.died.time;
}

bool live_next(struct live_walk *walk)
{
    if (!walk->has_begun && live_begin(walk))
        return walk->status == STATUS_OK;
    walk->point.allocated = walk->point.died = 0;
    if (walk->status != STATUS_OK)
        return false;
    bool is_brief_next = has_brief_death(walk);
    if (!is_brief_next)
        go_to_next(walk);
    if (!is_brief_next && has_birth_before(walk, walk->ahead->tick))
        pass_births(walk, walk->ahead->tick);
    else
        pass_deaths(walk, walk->ahead->tick);
    return walk->point.allocated > 0 || walk->point.died > 0;
}

enum status live_find_peaks(struct live_peaks *peaks, const struct life_stream *stream,
                            struct failure *why)
{
    struct live_walk walk;
    enum status status = live_start(&walk, stream, why);
    *peaks = (struct live_peaks){.most_bytes = {.tick = 0}};
    while (status == STATUS_OK && live_next(&walk)) {
        if (walk.point.objects > peaks->most_objects.objects)
            peaks->most_objects = walk.point;
        if (walk.point.size > peaks->most_bytes.size)
            peaks->most_bytes = walk.point;
    }
    if (status == STATUS_OK)
        status = walk.status;
    live_end(&walk);
    return status;
}

bool live_heap_has(const struct life_facts *life, uint64_t passed, uint64_t born)
{
    uint64_t first = life_is_prior(life) ? 0 : life->allocation + 1;
    if (born < first)
        return false;
    if (life->survives || life->died.tick > passed)
        return true;
    /* Its recorded death comes before the first boundary of its life. */
    return life->died.tick <= life->born.tick && passed == life->born.tick && born == first;
}

/* Births come in the order of their ticks, so that the sum of one tick is all that must be
 * known. */
static enum status add_to_tick(void *longest, const struct birth_facts *birth,
                               struct failure *why)
{
    (void)why;
    longest_tick_add(longest, birth->tick, birth->size);
    return STATUS_OK;
}

enum status longest_tick_find(uint64_t *bytes, const struct life_stream *stream,
                              struct failure *why)
{
    struct longest_tick longest = {.most = 0};
    TRY(births_visit(stream, add_to_tick, &longest, why));
    *bytes = longest.most;
    return STATUS_OK;
}
