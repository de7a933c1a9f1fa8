/* SPDX-License-Identifier: MIT */
/* Numbers in as few bytes as they need: seven bits in each byte, the lowest first. */
#ifndef ETMERLIN_BASE_VARINT_H
#define ETMERLIN_BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>

/* The most bytes that a number takes. */
enum { VARINT_MAX = 10 };

/* Writes `number` at `at`, which has room for VARINT_MAX bytes; returns the byte after it. */
static inline uint8_t *varint_put(uint8_t *at, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

/* Sets *number to what varint_put wrote at `at`. Returns the byte after it; NULL: the number
 * does not end before `end`. */
static inline const uint8_t *varint_get(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        uint8_t byte = *at++;
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return at;
    }
    return NULL;
}

/* The step from `from` to `to` as a number, which is small when they are near each other. */
static inline uint64_t varint_step(uint64_t from, uint64_t to)
{
    uint64_t step = to - from;
    return step >> 63 ? ~(step << 1) : step << 1;
}

/* The number that the step `number` (varint_step) leads to from `from`. */
static inline uint64_t varint_follow(uint64_t from, uint64_t number)
{
    return from + (number & 1 ? ~(number >> 1) : number >> 1);
}

#endif
