/* SPDX-License-Identifier: MIT */
/* Scans of text, many bytes at a time: with SSE2 where it is available, else word by word in
 * portable C. A test compares the two. */
#ifndef ETMERLIN_FORMATS_ET_SCAN_H
#define ETMERLIN_FORMATS_ET_SCAN_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The bytes that one scan covers. */
enum { SCAN_BYTES = 64 };

/* A word each of whose bytes is `byte`. */
#define SCAN_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The eight bytes at `text`, the first of them lowest. */
static inline uint64_t scan_load(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* A word in which bit i is set if text[i] is LF, for SCAN_BYTES bytes. */
static inline uint64_t scan_line_ends_portable(const char *text)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < SCAN_BYTES; i += 8) {
        /* LF becomes 0, the only value whose top bit is not set after 127 is added. */
        uint64_t word = scan_load(text + i) ^ SCAN_EACH('\n');
        uint64_t others = ((word & SCAN_EACH(0x7f)) + SCAN_EACH(0x7f)) | word;
        /* The multiplication collects the eight bits in the top byte, in their order. */
        uint64_t line_ends = (~others & SCAN_EACH(0x80)) >> 7;
        bits |= (line_ends * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return bits;
}

/* A short line has at most SCAN_LINE bytes, LF included. */
enum { SCAN_LINE_WORDS = 4, SCAN_LINE = 8 * SCAN_LINE_WORDS };

/* If the line at `text` is short, returns its length, LF included, and sets the words to its
 * bytes, followed by zeros; else returns 0, and the words are unspecified. SCAN_LINE bytes at
 * `text` must be readable. */
static inline unsigned scan_short_line_portable(const char *text,
                                                uint64_t words[SCAN_LINE_WORDS])
{
    unsigned length = 0;
    while (length < SCAN_LINE && text[length] != '\n')
        length++;
    if (length++ == SCAN_LINE)
        return 0;
    for (unsigned i = 0; i < SCAN_LINE_WORDS; i++) {
        unsigned before = 8 * i;
        uint64_t mask = UINT64_MAX;
        if (length <= before)
            mask = 0;
        else if (length - before < 8)
            mask = (UINT64_C(1) << 8 * (length - before)) - 1;
        words[i] = scan_load(text + before) & mask;
    }
    return length;
}

#ifdef __SSE2__

/* Bytes of ones, then as many of zeros: SCAN_LINE bytes read from `length` bytes before the
 * middle are a mask of the first `length` bytes. */
static const uint8_t scan_masks[2 * SCAN_LINE] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
};

static inline unsigned scan_short_line_sse2(const char *text, uint64_t words[SCAN_LINE_WORDS])
{
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)text);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(text + 16));
    __m128i line_end = _mm_set1_epi8('\n');
    unsigned line_ends = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(low, line_end)) |
                         (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(high, line_end)) << 16;
    if (line_ends == 0)
        return 0;
    unsigned length = (unsigned)__builtin_ctz(line_ends) + 1;
    const __m128i *masks = (const __m128i *)(const void *)(scan_masks + SCAN_LINE - length);
    low = _mm_and_si128(low, _mm_loadu_si128(masks));
    high = _mm_and_si128(high, _mm_loadu_si128(masks + 1));
    _mm_storeu_si128((__m128i *)(void *)words, low);
    _mm_storeu_si128((__m128i *)(void *)(words + 2), high);
    return length;
}

#define scan_short_line scan_short_line_sse2

static inline uint64_t scan_line_ends_16(const char *text)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
}

static inline uint64_t scan_line_ends_sse2(const char *text)
{
    return scan_line_ends_16(text) | scan_line_ends_16(text + 16) << 16 |
           scan_line_ends_16(text + 32) << 32 | scan_line_ends_16(text + 48) << 48;
}

#define scan_line_ends scan_line_ends_sse2

#else

#define scan_line_ends scan_line_ends_portable
#define scan_short_line scan_short_line_portable

#endif

#endif
