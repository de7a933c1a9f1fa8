/* SPDX-License-Identifier: MIT */
/* A death is kept as its difference from the one before: most objects die in the same tick as
 * another one of the same thread, and times go up as ticks do. What remains is the id. */
#include "merlin/stored_deaths.h"

#include "base/bytes.h"
#include "io/temporary/numbers.h"

#include <stdlib.h>

/* The first number of a death is the ticks since the one before, and these bits. */
enum { OTHER_THREAD = 1, OTHER_TIME = 2, STEP_SHIFT = 2 };

struct stored_deaths {
    struct number_list *numbers;
    uint64_t dead;
    uint64_t survivors;
    struct death last;
};

struct stored_cursor {
    const struct stored_deaths *deaths;
    struct number_cursor *numbers;
    uint64_t next;
    struct death last;
};

enum status stored_deaths_open(struct stored_deaths **out,
                               const struct temporary_folder *temporary, struct failure *why)
{
    struct stored_deaths *deaths = calloc(1, sizeof *deaths);
    if (!deaths)
        return fail_memory(why);
    enum status status = number_list_open(&deaths->numbers, temporary, why);
    if (status == STATUS_OK)
        *out = deaths;
    else
        stored_deaths_close(deaths);
    return status;
}

enum status stored_deaths_add(struct stored_deaths *deaths, const struct death *death,
                              struct failure *why)
{
    struct number_list *numbers = deaths->numbers;
    uint64_t step = death->tick - deaths->last.tick, expected = deaths->last.time + step;
    bool other_thread = death->thread != deaths->last.thread;
    bool other_time = death->time != expected;
    uint64_t head =
        step << STEP_SHIFT | (other_time ? OTHER_TIME : 0) | (other_thread ? OTHER_THREAD : 0);
    enum status status = number_list_add(numbers, head, why);
    if (status == STATUS_OK)
        status = number_list_add(numbers, death->object, why);
    if (status == STATUS_OK && other_thread)
        status = number_list_add(numbers, death->thread, why);
    if (status == STATUS_OK && other_time)
        status = number_list_add(numbers, varint_step(expected, death->time), why);
    deaths->last = *death;
    deaths->dead += !death->survives;
    deaths->survivors += death->survives;
    return status;
}

enum status stored_deaths_finish(struct stored_deaths *deaths, struct failure *why)
{
    return number_list_finish(deaths->numbers, why);
}

uint64_t stored_deaths_dead(const struct stored_deaths *deaths)
{
    return deaths->dead;
}

uint64_t stored_deaths_survivors(const struct stored_deaths *deaths)
{
    return deaths->survivors;
}

void stored_deaths_close(struct stored_deaths *deaths)
{
    if (!deaths)
        return;
    number_list_close(deaths->numbers);
    free(deaths);
}

enum status stored_cursor_open(struct stored_cursor **out, const struct stored_deaths *deaths,
                               struct failure *why)
{
    struct stored_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return fail_memory(why);
    cursor->deaths = deaths;
    enum status status = number_cursor_open(&cursor->numbers, deaths->numbers, why);
    if (status == STATUS_OK)
        *out = cursor;
    else
        stored_cursor_close(cursor);
    return status;
}

enum status stored_cursor_next(struct stored_cursor *cursor, struct death *death,
                               struct failure *why)
{
    struct death *last = &cursor->last;
    uint64_t head = 0, lag = 0;
    if (cursor->next == cursor->deaths->dead + cursor->deaths->survivors)
        return STATUS_END;
    enum status status = number_cursor_next(cursor->numbers, &head, why);
    if (status == STATUS_OK)
        status = number_cursor_next(cursor->numbers, &last->object, why);
    if (status == STATUS_OK && head & OTHER_THREAD)
        status = number_cursor_next(cursor->numbers, &last->thread, why);
    if (status == STATUS_OK && head & OTHER_TIME)
        status = number_cursor_next(cursor->numbers, &lag, why);
    last->tick += head >> STEP_SHIFT;
    last->time = varint_follow(last->time + (head >> STEP_SHIFT), lag);
    last->survives = cursor->next++ >= cursor->deaths->dead;
    *death = *last;
    return status;
}

void stored_cursor_close(struct stored_cursor *cursor)
{
    if (!cursor)
        return;
    number_cursor_close(cursor->numbers);
    free(cursor);
}
