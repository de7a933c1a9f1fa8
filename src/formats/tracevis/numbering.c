/* Names are found by their hash. Of two with the same hash, the later one is kept under the
 * next value that is free. */
#include "formats/tracevis/numbering.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const char *numbering_name(const struct numbering *numbering, uint64_t number, size_t *length)
{
    size_t begin = number > 1 ? numbering->ends[number - 2] : 0;
    *length = numbering->ends[number - 1] - begin;
    return numbering->text + begin;
}

static bool is_name(const struct numbering *numbering, uint64_t number, const char *name,
                    size_t length)
{
    size_t other_length;
    const char *other = numbering_name(numbering, number, &other_length);
    return other_length == length && memcmp(other, name, length) == 0;
}

/* Gives the name the next number. */
static enum status add(struct numbering *numbering, const char *name, size_t length,
                       struct failure *why)
{
    size_t end = numbering->text_length + length;
    char *text = array_grow(numbering->text, &numbering->text_capacity, end, 1);
    if (!text)
        return fail_memory(why);
    numbering->text = text;
    size_t *ends = array_grow(numbering->ends, &numbering->ends_capacity, numbering->count + 1,
                              sizeof *ends);
    if (!ends)
        return fail_memory(why);
    numbering->ends = ends;
    memcpy(text + numbering->text_length, name, length);
    ends[numbering->count++] = numbering->text_length = end;
    return STATUS_OK;
}

enum status numbering_find(struct numbering *numbering, const char *name, size_t length,
                           uint64_t *number, bool *is_new, struct failure *why)
{
    for (uint64_t hash = XXH3_64bits(name, length);; hash++) {
        uint64_t *found = map_insert(&numbering->by_hash, hash);
        if (!found)
            return fail_memory(why);
        *is_new = *found == 0;
        if (!*is_new && !is_name(numbering, *found, name, length))
            continue;
        enum status status = *is_new ? add(numbering, name, length, why) : STATUS_OK;
        if (*is_new && status == STATUS_OK)
            *found = numbering->count;
        *number = *found;
        return status;
    }
}

void numbering_free(struct numbering *numbering)
{
    map_free(&numbering->by_hash);
    free(numbering->text);
    free(numbering->ends);
    *numbering = (struct numbering){.count = 0};
}
