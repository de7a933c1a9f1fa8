/* SPDX-License-Identifier: MIT */
/* Numbers as bytes: of a given width (load_..., store_...), or in as few bytes as they need
 * (varint_...). */
#ifndef ETMERLIN_BASE_BYTES_H
#define ETMERLIN_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Loads are bounded: the bytes may be what another program has written. No load reads past the
 * end; one that finds too few bytes fails, and takes none. */
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

/* Takes a number as store_number writes it. False: there are fewer bytes. */
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

/* The most bytes that a number takes as a varint: seven bits in each byte, the lowest first. */
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
