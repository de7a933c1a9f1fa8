/* SPDX-License-Identifier: MIT */
/* The tables take 300 KB, but the numbers of a trace are near each other, so the parts that
 * are read stay in the processor's caches. A table also avoids a branch on the number of
 * digits, which the processor can hardly predict. */
#include "digits.h"

static void fill_field(struct short_field *field, unsigned number)
{
    char digits[8];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    field->text[0] = ' ';
    field->length = (uint8_t)(count + 1);
    for (unsigned i = 1; i <= count; i++)
        field->text[i] = digits[count - i];
}

void digits_fill(struct digits *digits)
{
    for (unsigned i = 0; i < SHORT_FIELDS; i++)
        fill_field(&digits->fields[i], i);
    for (unsigned i = 0; i < QUADS; i++)
        for (unsigned digit = 4, rest = i; digit-- > 0; rest /= 10)
            digits->quads[i][digit] = (char)('0' + rest % 10);
}

char *digits_put_long(const struct digits *digits, char *at, uint64_t number)
{
    uint64_t lower[4];
    unsigned count = 0;
    for (; number >= SHORT_FIELDS; number /= QUADS)
        lower[count++] = number % QUADS;
    at = digits_put_short(digits, at, number);
    while (count > 0)
        at = digits_put_quad(digits, at, lower[--count]);
    return at;
}
