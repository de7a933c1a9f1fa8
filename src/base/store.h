/* SPDX-License-Identifier: MIT */
/* Numbers as bytes, the counterpart of base/load.h. */
#ifndef ETMERLIN_BASE_STORE_H
#define ETMERLIN_BASE_STORE_H

#include <stdbool.h>
#include <stdint.h>

/* Writes the lowest `width` bytes (0 to 8) of `value` to `out`, the most significant byte last
 * (`little_endian`) or first. Returns the byte after them. */
static inline uint8_t *store_number(uint8_t *out, uint64_t value, unsigned width,
                                    bool little_endian)
{
    for (unsigned i = 0; i < width; i++)
        out[little_endian ? i : width - 1 - i] = (uint8_t)(value >> 8 * i);
    return out + width;
}

/* Write all 32 or 64 bits of `value` to `out`, the most significant byte last, and return the
 * byte after them. Compilers merge the single bytes into one store. */
static inline uint8_t *store_little_32(uint8_t *out, uint32_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
    out[3] = (uint8_t)(value >> 24);
    return out + 4;
}

static inline uint8_t *store_little_64(uint8_t *out, uint64_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
    out[3] = (uint8_t)(value >> 24);
    out[4] = (uint8_t)(value >> 32);
    out[5] = (uint8_t)(value >> 40);
    out[6] = (uint8_t)(value >> 48);
    out[7] = (uint8_t)(value >> 56);
    return out + 8;
}

#endif
