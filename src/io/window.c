/* SPDX-License-Identifier: MIT */
/* The bytes that are left are moved to the front when more are needed, so a caller should ask
 * for little compared with WINDOW_SIZE: then each byte is moved seldom. */
#include "io/window.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW_SIZE = 256 * 1024 };

static enum status make_room(struct window *window, size_t wanted, struct failure *why)
{
    size_t size = wanted > WINDOW_SIZE ? wanted : WINDOW_SIZE;
    uint8_t *bytes = array_grow(window->bytes, &window->capacity, size, 1);
    if (!bytes)
        return fail_memory(why);
    window->bytes = bytes;
    memmove(bytes, bytes + window->begin, window->end - window->begin);
    window->end -= window->begin;
    window->begin = 0;
    return STATUS_OK;
}

static enum status read_on(struct window *window, size_t wanted, struct failure *why)
{
    TRY(make_room(window, wanted, why));
    while (window->end < wanted && !window->at_end) {
        size_t got = 0;
        TRY(source_read(window->source, window->bytes + window->end,
                        window->capacity - window->end, &got, why));
        window->end += got;
        window->at_end = got == 0;
    }
    return STATUS_OK;
}

enum status window_fill(struct window *window, size_t wanted, struct load *load,
                        struct failure *why)
{
    if (window->end - window->begin < wanted && !window->at_end)
        TRY(read_on(window, wanted, why));
    *load = (struct load){window->bytes + window->begin, window->bytes + window->end};
    return STATUS_OK;
}

void window_rewind(struct window *window)
{
    source_rewind(window->source);
    window->begin = window->end = 0;
    window->offset = 0;
    window->at_end = false;
}

void window_free(struct window *window)
{
    free(window->bytes);
    *window = (struct window){.source = window->source};
}
