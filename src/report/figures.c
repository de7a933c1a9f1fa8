#include "report/figures.h"

#include <stdlib.h>

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

uint64_t figures_share(uint64_t part, uint64_t whole)
{
    uint64_t share = (uint64_t)divide_rounded((wide_sum)part * 10000, whole);
    if (share == 0 && part > 0)
        return 1;
    return share == 10000 && part < whole ? 9999 : share;
}

wide_sum figures_mean(wide_sum sum, uint64_t count)
{
    return divide_rounded(sum * 100, count);
}

static int order_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The number at the nearest rank of `percent`, which is not 0. */
static uint64_t quantile(const uint64_t *sorted, size_t count, unsigned percent)
{
    size_t rank = (size_t)(((wide_sum)count * percent + 99) / 100);
    return sorted[rank - 1];
}

struct distribution figures_describe(uint64_t *numbers, size_t count)
{
    if (count == 0)
        return (struct distribution){.count = 0};
    qsort(numbers, count, sizeof *numbers, order_numbers);
    wide_sum sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    wide_sum mean = figures_mean(sum, count);
    return (struct distribution){
        .count = count,
        .min = numbers[0],
        .median = quantile(numbers, count, 50),
        .p90 = quantile(numbers, count, 90),
        .p99 = quantile(numbers, count, 99),
        .max = numbers[count - 1],
        .mean = (uint64_t)(mean / 100),
        .mean_hundredths = (unsigned)(mean % 100),
    };
}
