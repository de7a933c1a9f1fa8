/* A radix sort from the lowest digit up. The bits of the largest key are shared
 * evenly among as few digits as possible, and the digits of all places are counted in one
 * walk over the keys. */
#include "merlin/sort.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS_MAX = 12 };

/* How keys are cut into digits. */
struct radix {
    unsigned places;
    unsigned bits;  /* of a digit */
    size_t *counts; /* for each place, of each digit */
};

static size_t digit_of(const struct radix *radix, uint64_t key, unsigned place)
{
    return (key >> (place * radix->bits)) & (((size_t)1 << radix->bits) - 1);
}

static size_t *counts_of(const struct radix *radix, unsigned place)
{
    return radix->counts + ((size_t)place << radix->bits);
}

static enum status radix_init(struct radix *radix, uint64_t max_key, struct failure *why)
{
    unsigned key_bits = max_key ? 64 - (unsigned)__builtin_clzll(max_key) : 0;
    radix->places = (key_bits + DIGIT_BITS_MAX - 1) / DIGIT_BITS_MAX;
    radix->bits = radix->places ? (key_bits + radix->places - 1) / radix->places : 0;
    radix->counts = array_new((size_t)radix->places << radix->bits, sizeof *radix->counts);
    return radix->counts ? STATUS_OK : fail_memory(why);
}

static void count_digits(struct radix *radix, const node_t *nodes, size_t count,
                         const uint64_t *keys)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned place = 0; place < radix->places; place++)
            counts_of(radix, place)[digit_of(radix, keys[nodes[i]], place)]++;
}

/* Makes of the counts of a place the positions at which its digits begin. */
static void accumulate(struct radix *radix, unsigned place)
{
    size_t *counts = counts_of(radix, place), sum = 0;
    for (size_t digit = 0; digit < (size_t)1 << radix->bits; digit++) {
        size_t here = counts[digit];
        counts[digit] = sum;
        sum += here;
    }
}

static void distribute(struct radix *radix, unsigned place, const node_t *from, node_t *to,
                       size_t count, const uint64_t *keys)
{
    size_t *positions = counts_of(radix, place);
    accumulate(radix, place);
    for (size_t i = 0; i < count; i++)
        to[positions[digit_of(radix, keys[from[i]], place)]++] = from[i];
}

enum status sort_nodes(node_t *nodes, size_t count, const uint64_t *keys, uint64_t max_key,
                       struct failure *why)
{
    struct radix radix;
    node_t *scratch = array_new(count, sizeof *scratch);
    if (!scratch)
        return fail_memory(why);
    enum status status = radix_init(&radix, max_key, why);
    if (status != STATUS_OK) {
        free(scratch);
        return status;
    }
    node_t *from = nodes, *to = scratch;
    count_digits(&radix, nodes, count, keys);
    for (unsigned place = 0; place < radix.places; place++) {
        distribute(&radix, place, from, to, count, keys);
        node_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != nodes && count > 0)
        memcpy(nodes, from, count * sizeof *nodes);
    free(radix.counts);
    free(scratch);
    return STATUS_OK;
}
