/* SPDX-License-Identifier: MIT */
/*
 * Growable text and arrays for the property tests.
 *
 * These tests judge the tool, so they share no code with it, not even this.
 * When memory runs out the process ends with a message and status 2.
 */
#ifndef PROPERTY_TEXT_H
#define PROPERTY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run of bytes, not terminated by a zero. Start with {0}; the owner ends with text_free(). */
struct text {
    char *data;  /* NULL while nothing was ever appended */
    size_t size; /* bytes in use */
    size_t room; /* bytes allocated */
};

/* Appends size bytes; data may be NULL when size is 0. */
void text_append(struct text *text, const char *data, size_t size);

/* Appends a string without its terminating zero. */
void text_string(struct text *text, const char *string);

/* Appends a number in canonical decimal. */
void text_number(struct text *text, uint64_t number);

/* Appends all that can be read from a file descriptor; false (and errno) on a read error. */
bool text_read(struct text *text, int file);

/* Releases the memory; the text is empty and can be used again. */
void text_free(struct text *text);

/*
 * An array of item_size bytes an item with room for at least count + 1 items. array is what an
 * earlier call returned or NULL, *room its room in items (0 for NULL), which is updated. The
 * caller owns the result and releases it with free().
 */
void *array_room(void *array, size_t count, size_t *room, size_t item_size);

#endif
