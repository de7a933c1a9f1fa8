/* SPDX-License-Identifier: MIT */
/* A radix sort, from the lowest digit up. The bits of the largest key are divided evenly into
 * as few digits as possible, and the digits of all passes are counted in one walk over the
 * keys. */
#include "merlin/sort.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS_MAX = 12 };

/* How keys are divided into digits. */
struct radix {
    unsigned passes;
    unsigned bits;  /* of a digit */
    size_t *counts; /* of each digit, for each pass */
};

static size_t digit_of(const struct radix *radix, uint64_t key, unsigned pass)
{
    return (key >> (pass * radix->bits)) & (((size_t)1 << radix->bits) - 1);
}

static size_t *counts_of(const struct radix *radix, unsigned pass)
{
    return radix->counts + ((size_t)pass << radix->bits);
}

static enum status radix_init(struct radix *radix, uint64_t max_key, struct failure *why)
{
    unsigned key_bits = max_key ? 64 - (unsigned)__builtin_clzll(max_key) : 0;
    radix->passes = (key_bits + DIGIT_BITS_MAX - 1) / DIGIT_BITS_MAX;
    radix->bits = radix->passes ? (key_bits + radix->passes - 1) / radix->passes : 0;
    radix->counts = array_new((size_t)radix->passes << radix->bits, sizeof *radix->counts);
    return radix->counts ? STATUS_OK : fail_memory(why);
}

static void count_digits(struct radix *radix, const node_t *nodes, size_t count,
                         const uint64_t *keys)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned pass = 0; pass < radix->passes; pass++)
            counts_of(radix, pass)[digit_of(radix, keys[nodes[i]], pass)]++;
}

/* Replaces the counts of a pass with the positions at which its digits begin. */
static void accumulate(struct radix *radix, unsigned pass)
{
    size_t *counts = counts_of(radix, pass), sum = 0;
    for (size_t digit = 0; digit < (size_t)1 << radix->bits; digit++) {
        size_t here = counts[digit];
        counts[digit] = sum;
        sum += here;
    }
}

static void distribute(struct radix *radix, unsigned pass, const node_t *from, node_t *to,
                       size_t count, const uint64_t *keys)
{
    size_t *positions = counts_of(radix, pass);
    for (size_t i = 0; i < count; i++)
        to[positions[digit_of(radix, keys[from[i]], pass)]++] = from[i];
}

/* How many nodes are processed between two checks of the interrupt. */
enum { NODES_AT_ONCE = 1024 * 1024 };

/* Counts the digits of all nodes or, if `to` is not NULL, copies the nodes there, sorted by the
 * digit of one pass. */
static enum status visit_nodes(struct radix *radix, unsigned pass, const node_t *from,
                               node_t *to, size_t count, const uint64_t *keys,
                               const struct interrupt *interrupt, struct failure *why)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = count - begin > NODES_AT_ONCE ? begin + NODES_AT_ONCE : count;
        enum status status = interrupt_check(interrupt, why);
        if (status != STATUS_OK)
            return status;
        if (to)
            distribute(radix, pass, from + begin, to, end - begin, keys);
        else
            count_digits(radix, from + begin, end - begin, keys);
    }
    return STATUS_OK;
}

/* Sorts with the help of `scratch`, which has room for all nodes. */
static enum status sort_by_passes(struct radix *radix, node_t *nodes, node_t *scratch,
                                  size_t count, const uint64_t *keys,
                                  const struct interrupt *interrupt, struct failure *why)
{
    node_t *from = nodes, *to = scratch;
    enum status status = visit_nodes(radix, 0, nodes, NULL, count, keys, interrupt, why);
    for (unsigned pass = 0; pass < radix->passes && status == STATUS_OK; pass++) {
        accumulate(radix, pass);
        status = visit_nodes(radix, pass, from, to, count, keys, interrupt, why);
        node_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != nodes && count > 0)
        memcpy(nodes, from, count * sizeof *nodes);
    return status;
}

enum status sort_nodes(node_t *nodes, size_t count, const uint64_t *keys, uint64_t max_key,
                       const struct interrupt *interrupt, struct failure *why)
{
    struct radix radix;
    node_t *scratch = array_new(count, sizeof *scratch);
    if (!scratch)
        return fail_memory(why);
    enum status status = radix_init(&radix, max_key, why);
    if (status == STATUS_OK) {
        status = sort_by_passes(&radix, nodes, scratch, count, keys, interrupt, why);
        free(radix.counts);
    }
    free(scratch);
    return status;
}
