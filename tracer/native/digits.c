/* SPDX-License-Identifier: MIT */
/* The table of digits, which takes 40 KB: the numbers of a trace are near each other, so that
 * those parts of it that are read stay in the processor's caches. */
#include "digits.h"

void digits_fill(struct digits *digits)
{
    for (unsigned i = 0; i < QUADS; i++)
        for (unsigned digit = 4, rest = i; digit-- > 0; rest /= 10)
            digits->quads[i][digit] = (char)('0' + rest % 10);
}

char *digits_put_long(const struct digits *digits, char *at, uint64_t number)
{
    uint64_t lower[4];
    unsigned count = 0;
    for (; number >= QUADS; number /= QUADS)
        lower[count++] = number % QUADS;
    at = digits_put_short(digits, at, number);
    while (count > 0) {
        memcpy(at, digits->quads[lower[--count]], 4);
        at += 4;
    }
    return at;
}
