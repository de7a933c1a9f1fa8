/* SPDX-License-Identifier: MIT */
/* Numbers in as few bytes as they need, seven bits a byte, the low ones first. */
#ifndef ETMERLIN_BASE_VARINT_H
#define ETMERLIN_BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>

/* Most bytes that a number takes. */
enum { VARINT_MAX = 10 };

/* Writes `number` at `at`, which has room for VARINT_MAX bytes; returns the byte after it. */
static inline uint8_t *varint_put(uint8_t *at, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

/* Sets *number to what varint_put wrote at `at`; returns the byte after it, or, where the
 * number does not end in front of `end`, NULL. */
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

/* A number for the step from `from` to `to`: small when they are near each other. */
static inline uint64_t varint_step(uint64_t from, uint64_t to)
{
    uint64_t step = to - from;
    return step >> 63 ? ~(step << 1) : step << 1;
}

/* Where the step `number` leads from `from`. */
static inline uint64_t varint_follow(uint64_t from, uint64_t number)
{
    return from + (number & 1 ? ~(number >> 1) : number >> 1);
}

#endif
