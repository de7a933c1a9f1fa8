/* SPDX-License-Identifier: MIT */
#include "merlin/recorders/frame_exits.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 3, EXITS = 100000, DEEPEST = 40 };

struct made_exit {
    uint32_t thread, depth;
    uint64_t tick;
};

/* Makes exits of frames at most DEEPEST deep, 0 to 3 ticks apart. */
static struct made_exit *make_exits(void)
{
    struct made_exit *made = calloc(EXITS, sizeof *made);
    uint64_t state = 12345, tick = 1;
    cr_assert(made);
    for (size_t i = 0; i < EXITS; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        tick += state >> 60 & 3;
        made[i] = (struct made_exit){(uint32_t)(state >> 33) % THREADS,
                                     (uint32_t)(state >> 40) % DEEPEST, tick};
    }
    return made;
}

/* Of `depth` frames that were open in tick `birth`, how many are still open after the first
 * `count` exits: found by going through the exits. */
static uint32_t left_open(const struct made_exit *made, size_t count, uint32_t thread,
                          uint32_t depth, uint64_t birth)
{
    while (count-- > 0 && made[count].tick > birth)
        if (made[count].thread == thread && made[count].depth < depth)
            depth = made[count].depth;
    return depth;
}

static struct frame_exits *add_all(const struct made_exit *made,
                                   const struct temporary_folder *temporary)
{
    struct frame_exits *exits;
    struct failure why;
    must(frame_exits_new(&exits, temporary, &why) == STATUS_OK, "no exits");
    for (size_t i = 0; i < EXITS; i++)
        must(frame_exits_leave(exits, made[i].thread, made[i].depth, made[i].tick, &why) ==
                 STATUS_OK,
             "exit %zu is refused", i);
    return exits;
}

/* After every hundredth exit, checks the answers for some births before it. */
static void ask_about(const struct made_exit *made, const struct temporary_folder *temporary)
{
    struct frame_exits *exits = add_all(made, temporary);
    struct failure why;
    for (size_t i = 99; i < EXITS; i += 100) {
        uint64_t tick = made[i].tick, before = i % 60;
        size_t end = i + 1;
        while (end < EXITS && made[end].tick == tick)
            end++;
        must(frame_exits_pass(exits, tick, &why) == STATUS_OK, "exit %zu is not passed", i);
        for (uint32_t thread = 0; thread <= THREADS; thread++) {
            uint64_t birth = tick > before ? tick - before : 0;
            uint32_t open = frame_exits_still_open(exits, thread, DEEPEST / 2, birth);
            uint32_t wanted = left_open(made, end, thread, DEEPEST / 2, birth);
            must(open == wanted, "after exit %zu, %u frames of thread %u are open, not %u", i,
                 open, thread, wanted);
        }
    }
    frame_exits_free(exits);
}

Test(frame_exits, are_the_same_in_memory_and_in_a_file)
{
    struct made_exit *made = make_exits();
    const struct temporary_folder temporary = {.path = NULL};
    ask_about(made, NULL);
    ask_about(made, &temporary);
    free(made);
}

/* The status of reading all exits, when `damage` is done to their file after the first one. */
static enum status pass_damaged(void (*damage)(int file))
{
    const struct temporary_folder temporary = {.path = NULL};
    struct made_exit *made = make_exits();
    struct frame_exits *exits = add_all(made, &temporary);
    ok(frame_exits_pass(exits, made[0].tick, &cause));
    damage(unnamed_file());
    enum status status = frame_exits_pass(exits, UINT64_MAX, &cause);
    frame_exits_free(exits);
    free(made);
    return status;
}

static void cut_off(int file)
{
    cr_assert_eq(ftruncate(file, 200000), 0);
}

static void name_other_threads(int file)
{
    uint8_t bytes[1000];
    memset(bytes, 0x7f, sizeof bytes);
    cr_assert_eq(pwrite(file, bytes, sizeof bytes, 200000), (ssize_t)sizeof bytes);
}

static void lose_the_ends_of_numbers(int file)
{
    uint8_t bytes[1000];
    memset(bytes, 0xff, sizeof bytes);
    cr_assert_eq(pwrite(file, bytes, sizeof bytes, 200000), (ssize_t)sizeof bytes);
}

Test(frame_exits, of_a_damaged_file_are_a_failure)
{
    cr_expect_eq(pass_damaged(cut_off), STATUS_IO);
    cr_expect_eq(pass_damaged(name_other_threads), STATUS_IO);
    cr_expect_eq(pass_damaged(lose_the_ends_of_numbers), STATUS_IO);
}
