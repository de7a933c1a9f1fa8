/* SPDX-License-Identifier: MIT */
/* Bounded loads of numbers from bytes that another program has written. No load reads past the
 * end; one that finds too few bytes fails, and takes none. */
#ifndef ETMERLIN_BASE_LOAD_H
#define ETMERLIN_BASE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOAD_CHECK __attribute__((warn_unused_result))

/* Bytes from `at` to `end`; loads take them from the front. */
struct load {
    const uint8_t *at;
    const uint8_t *end;
};

/* The `length` bytes at `bytes`. */
static inline struct load load_from(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    return (struct load){at, length > 0 ? at + length : at};
}

/* How many bytes are left. */
static inline size_t load_left(const struct load *load)
{
    return (size_t)(load->end - load->at);
}

/* Takes `length` bytes without copying them: *bytes points to them. False: there are fewer. */
static inline bool LOAD_CHECK load_bytes(struct load *load, size_t length,
                                         const uint8_t **bytes)
{
    if (length > load_left(load))
        return false;
    *bytes = load->at;
    load->at += length;
    return true;
}

/* Takes an unsigned number of `width` bytes, 0 to 8, the most significant byte first (load_big)
 * or last (load_little). A number of no bytes is 0. False: there are fewer bytes. */
static inline bool LOAD_CHECK load_big(struct load *load, unsigned width, uint64_t *value)
{
    const uint8_t *bytes;
    if (!load_bytes(load, width, &bytes))
        return false;
    *value = 0;
    for (unsigned i = 0; i < width; i++)
        *value = *value << 8 | bytes[i];
    return true;
}

static inline bool LOAD_CHECK load_little(struct load *load, unsigned width, uint64_t *value)
{
    const uint8_t *bytes;
    if (!load_bytes(load, width, &bytes))
        return false;
    *value = 0;
    for (unsigned i = width; i > 0; i--)
        *value = *value << 8 | bytes[i - 1];
    return true;
}

/* Takes a number as store_number (base/store.h) writes it. False: there are fewer bytes. */
static inline bool LOAD_CHECK load_number(struct load *load, unsigned width, bool little_endian,
                                          uint64_t *value)
{
    return little_endian ? load_little(load, width, value) : load_big(load, width, value);
}

/* The number of which the lowest `width` bytes (0 to 8) of `raw` are the two's complement,
 * extended to 64 bits: sums with it wrap as signed sums would. */
static inline uint64_t load_sign(uint64_t raw, unsigned width)
{
    if (width == 0 || width >= 8)
        return width == 0 ? 0 : raw;
    uint64_t sign = UINT64_C(1) << (8 * width - 1);
    return ((raw & (2 * sign - 1)) ^ sign) - sign;
}

#endif
