/* SPDX-License-Identifier: MIT */
/* Dense numbers, 0, 1, 2, ..., for what an input names, in the order in which it is first
 * added: byte strings (symbols) and ids, which may be any numbers (an interner). So facts about
 * each can be in an array. */
#ifndef ETMERLIN_BASE_SYMBOLS_H
#define ETMERLIN_BASE_SYMBOLS_H

#include "base/map.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The numbers of byte strings, and these. Zero-initialize it; symbols_free ends it. */
struct symbols {
    struct map numbers; /* hash, or else the next free one -> number + 1 */
    uint64_t seed;      /* of the hashes */
    size_t *begins;     /* of each string in `text`, and after them the end of the last one */
    size_t count;
    size_t begins_capacity;
    char *text;
    size_t text_capacity;
};

/* No string has this number. */
#define NO_SYMBOL UINT32_MAX

/* Sets *number to the number of the `length` bytes at `text`, which may contain NUL bytes. A
 * new string gets the next number. STATUS_LIMIT: there are more than 2^32-1 of them. */
enum status symbols_add(struct symbols *symbols, const char *text, size_t length,
                        uint32_t *number, struct failure *why) MUST_CHECK;

/* The number of the `length` bytes at `text`; NO_SYMBOL: they have none. */
uint32_t symbols_find(const struct symbols *symbols, const char *text, size_t length);

/* The string with the number `number`, followed by a NUL. Sets *length to its length, unless
 * `length` is NULL. The string is good until another one is added. */
const char *symbols_text(const struct symbols *symbols, uint32_t number, size_t *length);

/* Releases what the symbols own; there are none then. */
void symbols_free(struct symbols *symbols);

/* No id has this number. */
#define NO_NUMBER UINT32_MAX

/* The numbers of ids. Zero-initialize it; interner_free ends it. */
struct interner {
    struct map numbers; /* id -> its number + 1 */
    uint32_t count;     /* of ids */
};

/* Sets *number to the number of `id`. A new id gets the number `count`, which grows.
 * STATUS_LIMIT: there are more than 2^32-2 `things`, the plural of what ids name. */
enum status interner_add(struct interner *interner, uint64_t id, const char *things,
                         uint32_t *number, struct failure *why) MUST_CHECK;

/* The number of `id`; NO_NUMBER: it has none. */
uint32_t interner_find(const struct interner *interner, uint64_t id);

/* Releases what the interner owns; it is empty then. */
void interner_free(struct interner *interner);

#endif
