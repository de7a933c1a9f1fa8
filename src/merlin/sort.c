/* A radix sort from the lowest digit up, with as many digits as the largest key has. */
#include "merlin/sort.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static size_t digit_of(uint64_t key, unsigned shift)
{
    return (key >> shift) & (DIGITS - 1);
}

/* Distributes `from` over `to` by one digit of the keys. */
static void sort_by_digit(const node_t *from, node_t *to, size_t count, const uint64_t *keys,
                          unsigned shift)
{
    size_t place[DIGITS] = {0};
    for (size_t i = 0; i < count; i++)
        place[digit_of(keys[from[i]], shift)]++;
    size_t sum = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t here = place[digit];
        place[digit] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[place[digit_of(keys[from[i]], shift)]++] = from[i];
}

enum status sort_nodes(node_t *nodes, size_t count, const uint64_t *keys, uint64_t max_key,
                       struct failure *why)
{
    node_t *scratch = array_new(count, sizeof *scratch);
    if (!scratch)
        return fail_memory(why);
    node_t *from = nodes, *to = scratch;
    for (unsigned shift = 0; shift < 64 && max_key >> shift != 0; shift += DIGIT_BITS) {
        sort_by_digit(from, to, count, keys, shift);
        node_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != nodes && count > 0)
        memcpy(nodes, from, count * sizeof *nodes);
    free(scratch);
    return STATUS_OK;
}
