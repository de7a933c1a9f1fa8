/* SPDX-License-Identifier: MIT */
/* Sums, shares and quantiles, exact: sums have 128 bits, shares are rounded but never to 0 or
 * 100 when there are some or not all, and quantiles are those of the sorted numbers, by nearest
 * rank. */
#include "report/figures.h"

const char *figures_format_wide(char *out, wide_sum sum)
{
    char *at = out + WIDE_SIZE - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + (unsigned)(sum % 10));
        sum /= 10;
    } while (sum != 0);
    return at;
}

static wide_sum divide_rounded(wide_sum dividend, uint64_t divisor)
{
    return (dividend + divisor / 2) / divisor;
}

unsigned figures_share(wide_sum part, wide_sum whole)
{
    unsigned share = figures_wide_share(part, whole, 10000);
    if (share == 0 && part > 0)
        return 1;
    return share == 10000 && part < whole ? 9999 : share;
}

wide_sum figures_mean(wide_sum sum, uint64_t count)
{
    return divide_rounded(sum * 100, count);
}

wide_sum figures_whole_mean(wide_sum sum, uint64_t count)
{
    return divide_rounded(sum, count);
}

unsigned figures_wide_share(wide_sum part, wide_sum whole, unsigned scale)
{
    while (whole >> 100 != 0) {
        whole >>= 1;
        part >>= 1;
    }
    return whole == 0 ? 0 : (unsigned)((part * scale + whole / 2) / whole);
}

static void sort_few(uint64_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t number = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

enum { FEW = 24, BUCKETS = 256 };

static size_t bucket_of(uint64_t number, unsigned shift)
{
    return number >> shift & (BUCKETS - 1);
}

/* Sorts the numbers by their byte at bit `shift`, in place: each number is swapped with the one
 * in its slot until that belongs there. ends[] becomes where each bucket ends. */
static void figures_part(uint64_t *numbers, size_t count, unsigned shift, size_t ends[BUCKETS])
{
    size_t next[BUCKETS] = {0};
    for (size_t i = 0; i < count; i++)
        next[bucket_of(numbers[i], shift)]++;
    size_t begin = 0;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        ends[bucket] = begin + next[bucket];
        next[bucket] = begin;
        begin = ends[bucket];
    }
    for (size_t bucket = 0; bucket < BUCKETS; bucket++)
        while (next[bucket] < ends[bucket]) {
            uint64_t *slot = &numbers[next[bucket]];
            size_t home = bucket_of(*slot, shift);
            uint64_t number = *slot;
            *slot = numbers[next[home]];
            numbers[next[home]++] = number;
        }
}

/* Sorts numbers that are equal above their byte at bit `shift`, in place: the C library's sort
 * would need as much memory again, and be slower. The recursion is at most seven deep. */
static void sort(uint64_t *numbers, size_t count, unsigned shift)
{
    if (count <= FEW) {
        sort_few(numbers, count);
        return;
    }
    size_t ends[BUCKETS], begin = 0;
    figures_part(numbers, count, shift, ends);
    for (size_t bucket = 0; bucket < BUCKETS && shift > 0; bucket++) {
        sort(numbers + begin, ends[bucket] - begin, shift - 8);
        begin = ends[bucket];
    }
}

static void figures_sort(uint64_t *numbers, size_t count)
{
    uint64_t bits = 1;
    for (size_t i = 0; i < count; i++)
        bits |= numbers[i];
    sort(numbers, count, (63 - (unsigned)__builtin_clzll(bits)) / 8 * 8);
}

/* The nearest rank, from 1, of the quantile `percent`, which is not 0, among `count` numbers.
 */
static size_t rank_of(size_t count, unsigned percent)
{
    return (size_t)(((wide_sum)count * percent + 99) / 100);
}

struct describing describing_begin(size_t count)
{
    return (struct describing){.distribution = {.count = count},
                               .p10_rank = rank_of(count, 10),
                               .median_rank = rank_of(count, 50),
                               .p90_rank = rank_of(count, 90),
                               .p99_rank = rank_of(count, 99)};
}

void describing_add(struct describing *describing, uint64_t number)
{
    struct distribution *distribution = &describing->distribution;
    size_t rank = ++describing->seen;
    describing->sum += number;
    if (rank == 1)
        distribution->min = number;
    if (rank == describing->p10_rank)
        distribution->p10 = number;
    if (rank == describing->median_rank)
        distribution->median = number;
    if (rank == describing->p90_rank)
        distribution->p90 = number;
    if (rank == describing->p99_rank)
        distribution->p99 = number;
    distribution->max = number;
}

struct distribution describing_end(const struct describing *describing)
{
    struct distribution distribution = describing->distribution;
    if (distribution.count == 0)
        return distribution;
    wide_sum mean = figures_mean(describing->sum, distribution.count);
    distribution.mean = (uint64_t)(mean / 100);
    distribution.mean_hundredths = (unsigned)(mean % 100);
    return distribution;
}

struct distribution figures_describe(uint64_t *numbers, size_t count)
{
    if (count == 0)
        return (struct distribution){.count = 0};
    struct describing describing = describing_begin(count);
    figures_sort(numbers, count);
    for (size_t i = 0; i < count; i++)
        describing_add(&describing, numbers[i]);
    return describing_end(&describing);
}

/* A number of 192 bits. The area of a Gini coefficient is a sum of trapezoids: products of a
 * weight of 64 bits and a weighted sum of 128, so it is exact. Only the division at the end
 * drops bits, those beyond 113. */
struct gini_wide {
    wide_sum low;
    uint64_t high;
};

static struct gini_wide multiply(uint64_t weight, wide_sum sum)
{
    wide_sum low = (wide_sum)weight * (uint64_t)sum;
    wide_sum upper = (wide_sum)weight * (uint64_t)(sum >> 64);
    struct gini_wide product = {low + (upper << 64), (uint64_t)(upper >> 64)};
    product.high += product.low < low;
    return product;
}

static void add_area(struct gini *gini, struct gini_wide area)
{
    gini->area_low += area.low;
    gini->area_high += area.high + (gini->area_low < area.low);
}

void gini_add(struct gini *gini, uint64_t number, uint64_t weight)
{
    add_area(gini, multiply(weight, gini->sum));
    gini->sum += (wide_sum)number * weight;
    gini->weight += weight;
    add_area(gini, multiply(weight, gini->sum));
}

static struct gini_wide halve(struct gini_wide wide)
{
    return (struct gini_wide){wide.low >> 1 | (wide_sum)(wide.high & 1) << 127, wide.high >> 1};
}

unsigned gini_coefficient(const struct gini *gini)
{
    struct gini_wide whole = multiply(gini->weight, gini->sum);
    struct gini_wide part = {whole.low - gini->area_low, whole.high - gini->area_high};
    part.high -= whole.low < gini->area_low;
    while (whole.high > 0 || whole.low >> 113 != 0) {
        whole = halve(whole);
        part = halve(part);
    }
    if (whole.low == 0)
        return 0;
    return (unsigned)((part.low * 10000 + whole.low / 2) / whole.low);
}
