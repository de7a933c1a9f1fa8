/* Names are found by their hash. Of two with the same hash, the later one is kept under the
 * next value that is free. */
#include "formats/tracevis/name_numbers.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const char *name_numbers_name(const struct name_numbers *numbers, uint64_t number,
                              size_t *length)
{
    size_t begin = number > 1 ? numbers->ends[number - 2] : 0;
    *length = numbers->ends[number - 1] - begin;
    return numbers->text + begin;
}

static bool is_name(const struct name_numbers *numbers, uint64_t number, const char *name,
                    size_t length)
{
    size_t other_length;
    const char *other = name_numbers_name(numbers, number, &other_length);
    return other_length == length && memcmp(other, name, length) == 0;
}

/* Gives the name the next number. */
static enum status add(struct name_numbers *numbers, const char *name, size_t length,
                       struct failure *why)
{
    size_t end = numbers->text_length + length;
    char *text = array_grow(numbers->text, &numbers->text_capacity, end, 1);
    if (!text)
        return fail_memory(why);
    numbers->text = text;
    size_t *ends =
        array_grow(numbers->ends, &numbers->ends_capacity, numbers->count + 1, sizeof *ends);
    if (!ends)
        return fail_memory(why);
    numbers->ends = ends;
    memcpy(text + numbers->text_length, name, length);
    ends[numbers->count++] = numbers->text_length = end;
    return STATUS_OK;
}

enum status name_numbers_find(struct name_numbers *numbers, const char *name, size_t length,
                              uint64_t *number, bool *is_new, struct failure *why)
{
    for (uint64_t hash = XXH3_64bits(name, length);; hash++) {
        uint64_t *found = map_insert(&numbers->by_hash, hash);
        if (!found)
            return fail_memory(why);
        *is_new = *found == 0;
        if (!*is_new && !is_name(numbers, *found, name, length))
            continue;
        enum status status = *is_new ? add(numbers, name, length, why) : STATUS_OK;
        if (*is_new && status == STATUS_OK)
            *found = numbers->count;
        *number = *found;
        return status;
    }
}

void name_numbers_free(struct name_numbers *numbers)
{
    map_free(&numbers->by_hash);
    free(numbers->text);
    free(numbers->ends);
    *numbers = (struct name_numbers){.count = 0};
}
