/* Scans of text, many bytes at a time: with SSE2 where there is SSE2, else
 * word by word in portable C. A test compares the two. */
#ifndef ETMERLIN_TRACE_ET_SCAN_H
#define ETMERLIN_TRACE_ET_SCAN_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bytes that one scan looks at. */
enum { SCAN_BYTES = 64 };

/* A word with `byte` in each of its bytes. */
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

/* Bit i tells whether text[i], of SCAN_BYTES bytes, is LF. */
static inline uint64_t scan_line_ends_portable(const char *text)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < SCAN_BYTES; i += 8) {
        /* LF becomes 0, the only value that has no top bit after 127 was added to it. */
        uint64_t word = scan_load(text + i) ^ SCAN_EACH('\n');
        uint64_t others = ((word & SCAN_EACH(0x7f)) + SCAN_EACH(0x7f)) | word;
        /* The multiplication gathers the eight bits in the top byte, the lowest lowest. */
        uint64_t line_ends = (~others & SCAN_EACH(0x80)) >> 7;
        bits |= (line_ends * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return bits;
}

#ifdef __SSE2__

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

#endif

#endif
