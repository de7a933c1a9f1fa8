#include "report/figures.h"

#include <stdlib.h>

/* No product or sum of two 64-bit numbers, nor any sum of numbers that fit in memory, exceeds
 * it. */
typedef unsigned __int128 wide;

static uint64_t divide_rounded(wide dividend, uint64_t divisor)
{
    return (uint64_t)((dividend + divisor / 2) / divisor);
}

uint64_t figures_share(uint64_t part, uint64_t whole)
{
    return divide_rounded((wide)part * 10000, whole);
}

static int order_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The number at the nearest rank of `percent`, which is not 0. */
static uint64_t quantile(const uint64_t *sorted, size_t count, unsigned percent)
{
    size_t rank = (size_t)(((wide)count * percent + 99) / 100);
    return sorted[rank - 1];
}

struct distribution figures_describe(uint64_t *numbers, size_t count)
{
    if (count == 0)
        return (struct distribution){.count = 0};
    qsort(numbers, count, sizeof *numbers, order_numbers);
    wide sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    return (struct distribution){
        .count = count,
        .min = numbers[0],
        .median = quantile(numbers, count, 50),
        .p90 = quantile(numbers, count, 90),
        .max = numbers[count - 1],
        .mean = divide_rounded(sum * 100, count),
    };
}
