/* SPDX-License-Identifier: MIT */
/* Symbols are a map from hashes to numbers, and one text with all strings, one after the other.
 * The hashes have a seed, so an input cannot have many strings with one hash. It is rare that
 * two strings share one; the later one is then kept at the next free hash.
 *
 * An interner does not keep the ids, since most callers have them in the items that they
 * number. A caller appends an item when the number is that of its next item, which also works
 * after a failure between the two steps. */
#include "base/symbols.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_string(const struct symbols *symbols, uint32_t number, const char *text,
                      size_t length)
{
    size_t found_length;
    const char *found = symbols_text(symbols, number, &found_length);
    return found_length == length && memcmp(found, text, length) == 0;
}

/* The hash at which the string is kept, or is to be added. Sets *number to its number or
 * NO_SYMBOL. */
static uint64_t symbols_find_hash(const struct symbols *symbols, const char *text,
                                  size_t length, uint32_t *number)
{
    for (uint64_t hash = hash_text(symbols->seed, text, length);; hash++) {
        const uint64_t *found = map_find(&symbols->numbers, hash);
        *number = found ? (uint32_t)(*found - 1) : NO_SYMBOL;
        if (!found || is_string(symbols, *number, text, length))
            return hash;
    }
}

uint32_t symbols_find(const struct symbols *symbols, const char *text, size_t length)
{
    uint32_t number;
    symbols_find_hash(symbols, text, length, &number);
    return number;
}

/* Appends the string and a NUL to the text. */
static enum status symbols_append(struct symbols *symbols, const char *string, size_t length,
                                  struct failure *why)
{
    size_t end = symbols->count > 0 ? symbols->begins[symbols->count] : 0, needed;
    if (__builtin_add_overflow(end, length, &needed) || needed == SIZE_MAX)
        return fail_memory(why);
    if (!ARRAY_RESERVE(symbols->text, symbols->text_capacity, needed + 1))
        return fail_memory(why);
    char *text = symbols->text;
    if (!ARRAY_RESERVE(symbols->begins, symbols->begins_capacity, symbols->count + 2))
        return fail_memory(why);
    size_t *begins = symbols->begins;
    memcpy(text + end, string, length);
    text[needed] = '\0';
    begins[symbols->count] = end;
    begins[symbols->count + 1] = needed + 1;
    return STATUS_OK;
}

enum status symbols_add(struct symbols *symbols, const char *text, size_t length,
                        uint32_t *number, struct failure *why)
{
    if (symbols->count == 0)
        symbols->seed = hash_seed();
    uint64_t hash = symbols_find_hash(symbols, text, length, number);
    if (*number != NO_SYMBOL)
        return STATUS_OK;
    if (symbols->count == NO_SYMBOL)
        return fail(why, STATUS_LIMIT, "There are more than 4294967295 names");
    TRY(symbols_append(symbols, text, length, why));
    uint64_t *value = map_insert(&symbols->numbers, hash);
    if (!value)
        return fail_memory(why);
    *number = (uint32_t)symbols->count++;
    *value = symbols->count;
    return STATUS_OK;
}

const char *symbols_text(const struct symbols *symbols, uint32_t number, size_t *length)
{
    size_t begin = symbols->begins[number];
    if (length)
        *length = symbols->begins[number + 1] - begin - 1;
    return symbols->text + begin;
}

void symbols_free(struct symbols *symbols)
{
    map_free(&symbols->numbers);
    free(symbols->begins);
    free(symbols->text);
    *symbols = (struct symbols){.count = 0};
}

enum status interner_add(struct interner *interner, uint64_t id, const char *things,
                         uint32_t *number, struct failure *why)
{
    uint64_t *found = map_insert(&interner->numbers, id);
    if (!found)
        return fail_memory(why);
    if (*found == 0) {
        if (interner->count == NO_NUMBER - 1)
            return fail(why, STATUS_LIMIT, "There are more than %u %s", NO_NUMBER - 1, things);
        *found = ++interner->count;
    }
    *number = (uint32_t)(*found - 1);
    return STATUS_OK;
}

uint32_t interner_find(const struct interner *interner, uint64_t id)
{
    const uint64_t *found = map_find(&interner->numbers, id);
    return found && *found != 0 ? (uint32_t)(*found - 1) : NO_NUMBER;
}

void interner_free(struct interner *interner)
{
    map_free(&interner->numbers);
    interner->count = 0;
}
