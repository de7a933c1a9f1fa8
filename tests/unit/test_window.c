/* SPDX-License-Identifier: MIT */
#include "io/window.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More bytes than a window reads at once. */
enum { LENGTH = 1000 * 1000 };

static uint8_t pattern(uint64_t offset)
{
    return (uint8_t)(offset * 7 + offset / 256);
}

static struct source *source_of_pattern(void)
{
    uint8_t *bytes = malloc(LENGTH);
    cr_assert_not_null(bytes);
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = pattern(i);
    struct source *source = source_of(bytes, LENGTH);
    free(bytes);
    return source;
}

/* Goes through all of the source: asks for `wanted` bytes and takes `taken` of them each time.
 */
static void take_all(struct window *window, size_t wanted, size_t taken)
{
    struct load load;
    for (uint64_t offset = 0; offset < LENGTH; offset += taken) {
        size_t left = LENGTH - offset;
        expect_number(window->offset, offset);
        ok(window_fill(window, wanted, &load, &cause));
        must(load_left(&load) >= (left < wanted ? left : wanted), "too little at %zu",
             (size_t)offset);
        must(load.at[0] == pattern(offset) &&
                 load.end[-1] == pattern(offset + load_left(&load) - 1),
             "other bytes at %zu", (size_t)offset);
        load.at += taken < left ? taken : left;
        window_take(window, &load);
    }
    ok(window_fill(window, wanted, &load, &cause));
    expect_number(load_left(&load), 0);
    expect_number(window->offset, LENGTH);
}

Test(window, shows_each_byte_once_and_again_after_rewind)
{
    struct window window = {.source = source_of_pattern()};
    take_all(&window, 70000, 4999);
    window_rewind(&window);
    take_all(&window, 3001, 3001);
    window_rewind(&window);
    take_all(&window, LENGTH + 1, LENGTH / 2);
    window_free(&window);
    source_close(window.source);
}

Test(window, of_an_empty_source)
{
    struct window window = {.source = source_from("")};
    struct load load;
    ok(window_fill(&window, 10, &load, &cause));
    expect_number(load_left(&load), 0);
    window_free(&window);
    source_close(window.source);
}

Test(window, tells_why_reading_fails)
{
    static const uint8_t cut_off[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b};
    struct window window = {.source = source_of(cut_off, sizeof cut_off)};
    struct load load;
    cr_expect_eq(window_fill(&window, 1, &load, &cause), STATUS_SYNTAX);
    window_free(&window);
    source_close(window.source);
}
