/* SPDX-License-Identifier: MIT */
/*
 * Growable text and arrays for the property tests.
 *
 * These tests check the program, so they share no code with it, not even this.
 * If there is not enough memory, the process ends with a message and status 2.
 */
#ifndef PROPERTY_TEXT_H
#define PROPERTY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Some bytes, without a zero at the end. It begins as {0}; the owner calls text_free(). */
struct text {
    char *data;  /* NULL while nothing was ever appended */
    size_t size; /* bytes in use */
    size_t room; /* bytes allocated */
};

/* Appends size bytes; data may be NULL when size is 0. */
void text_append(struct text *text, const char *data, size_t size);

/* Appends a string without the zero at its end. */
void text_string(struct text *text, const char *string);

/* Appends a number in canonical decimal. */
void text_number(struct text *text, uint64_t number);

/* Appends everything that can be read from a file descriptor. Returns false, with errno, if a
 * reading fails; what was read before stays appended. */
bool text_read(struct text *text, int file);

/* Releases the memory; the text is empty and can be used again. */
void text_free(struct text *text);

/*
 * Makes room for at least count + 1 items of item_size bytes in an array, and returns the
 * array, which may have moved. `array` is what an earlier call returned, or NULL; *room is its
 * room in items (0 for NULL), and is updated. The caller owns the result and releases it with
 * free().
 */
void *array_room(void *array, size_t count, size_t *room, size_t item_size);

#endif
