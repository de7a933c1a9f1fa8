/* SPDX-License-Identifier: MIT */
/* Numbers as bytes, the counterpart of base/load.h. */
#ifndef ETMERLIN_BASE_STORE_H
#define ETMERLIN_BASE_STORE_H

#include <stdbool.h>
#include <stdint.h>

/* Writes the lowest `width` bytes (0 to 8) of `value` to `out`, the most significant byte last
 * (`little_endian`) or first; returns the byte after them. */
static inline uint8_t *store_number(uint8_t *out, uint64_t value, unsigned width,
                                    bool little_endian)
{
    for (unsigned i = 0; i < width; i++)
        out[little_endian ? i : width - 1 - i] = (uint8_t)(value >> 8 * i);
    return out + width;
}

#endif
