/* SPDX-License-Identifier: MIT */
/* Unsigned decimal numbers, as traces have them. Parsing checks each step for overflow, so that
 * a number that is too large never becomes a wrong small one. Formatting looks up two digits
 * per division in a table, since D records are written by the million. */
#include "base/number.h"

#include <string.h>

static enum number_result parse_digits(const char *text, size_t length, uint64_t *value)
{
    uint64_t sum = 0;
    int overflow = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9)
            return NUMBER_NONE;
        overflow |= __builtin_mul_overflow(sum, (uint64_t)10, &sum);
        overflow |= __builtin_add_overflow(sum, (uint64_t)digit, &sum);
    }
    if (length == 0)
        return NUMBER_NONE;
    if (overflow)
        return NUMBER_TOO_LARGE;
    *value = sum;
    return NUMBER_OK;
}

enum number_result number_parse(const char *text, size_t length, uint64_t *value)
{
    if (length > 0 && text[0] == '-') {
        uint64_t magnitude;
        enum number_result result = parse_digits(text + 1, length - 1, &magnitude);
        return result == NUMBER_NONE ? NUMBER_NONE : NUMBER_NEGATIVE;
    }
    return parse_digits(text, length, value);
}

/* The numbers from 00 to 99. */
static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

/* How many digits a number has. */
static size_t decimal_length(uint64_t value)
{
    static const uint64_t powers[] = {
        UINT64_C(0),
        UINT64_C(10),
        UINT64_C(100),
        UINT64_C(1000),
        UINT64_C(10000),
        UINT64_C(100000),
        UINT64_C(1000000),
        UINT64_C(10000000),
        UINT64_C(100000000),
        UINT64_C(1000000000),
        UINT64_C(10000000000),
        UINT64_C(100000000000),
        UINT64_C(1000000000000),
        UINT64_C(10000000000000),
        UINT64_C(100000000000000),
        UINT64_C(1000000000000000),
        UINT64_C(10000000000000000),
        UINT64_C(100000000000000000),
        UINT64_C(1000000000000000000),
        UINT64_C(10000000000000000000),
    };
    /* 1233 / 4096 is just below the decimal logarithm of 2: `digits` is right or one too low.
     */
    unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
    unsigned digits = bits * 1233 >> 12;
    return digits + (value >= powers[digits]);
}

size_t number_format(char *out, uint64_t value)
{
    size_t length = value == 0 ? 1 : decimal_length(value);
    char *at = out + length;
    for (; value >= 10; value /= 100)
        memcpy(at -= 2, pairs + 2 * (value % 100), 2);
    if (at > out)
        *out = (char)('0' + value);
    return length;
}

enum status parse_size(const char *word, uint64_t *bytes, struct failure *why)
{
    static const char units[] = "KMGT";
    size_t length = strlen(word);
    const char *unit = length > 0 ? strchr(units, word[length - 1]) : NULL;
    unsigned shift = unit ? (unsigned)(unit - units + 1) * 10 : 0;
    if (number_parse(word, length - (unit != NULL), bytes) != NUMBER_OK || *bytes == 0 ||
        *bytes > UINT64_MAX >> shift)
        return fail(why, STATUS_MEANING,
                    "\"%s\" is not a size: it is a number of bytes, perhaps with K, M, G or T",
                    word);
    *bytes <<= shift;
    return STATUS_OK;
}

int number_compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}
