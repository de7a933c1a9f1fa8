/* SPDX-License-Identifier: MIT */
/*
 * Growable text and arrays. Their room doubles, so that appending takes linear time in total.
 * Nothing returns an error for want of memory, since a test without memory can only stop.
 */
#define _POSIX_C_SOURCE 200809L

#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *resize(void *memory, size_t count, size_t item_size)
{
    void *result = count > SIZE_MAX / item_size ? NULL : realloc(memory, count * item_size);

    if (result == NULL) {
        fputs("property tests: out of memory\n", stderr);
        exit(2);
    }
    return result;
}

static void reserve(struct text *text, size_t more)
{
    size_t room = text->room == 0 ? 256 : text->room;

    if (more <= text->room - text->size)
        return;
    while (room - text->size < more)
        room = room > SIZE_MAX / 2 ? SIZE_MAX : room * 2;
    text->data = resize(text->data, room, 1);
    text->room = room;
}

void text_append(struct text *text, const char *data, size_t size)
{
    if (size == 0)
        return;
    reserve(text, size);
    memcpy(text->data + text->size, data, size);
    text->size += size;
}

void text_string(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_number(struct text *text, uint64_t number)
{
    char digits[20]; /* 2^64 - 1 has 20 digits */
    size_t start = sizeof digits;

    do {
        digits[--start] = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number != 0);
    text_append(text, digits + start, sizeof digits - start);
}

bool text_read(struct text *text, int file)
{
    for (;;) {
        ssize_t got;

        reserve(text, 4096);
        got = read(file, text->data + text->size, text->room - text->size);
        if (got == 0)
            return true;
        if (got > 0)
            text->size += (size_t)got;
        else if (errno != EINTR)
            return false;
    }
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

void *array_room(void *array, size_t count, size_t *room, size_t item_size)
{
    if (count < *room)
        return array;
    *room = *room == 0 ? 64 : *room * 2;
    return resize(array, *room, item_size);
}
