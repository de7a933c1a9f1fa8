/* SPDX-License-Identifier: MIT */
/* The scan in use and the portable one, compared with a loop over the bytes. */
#include "formats/et/scan.h"
#include "support.h"

#include <string.h>

static uint64_t line_ends(const char *text)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < SCAN_BYTES; i++)
        if (text[i] == '\n')
            bits |= UINT64_C(1) << i;
    return bits;
}

static void expect_line_ends(const char *text)
{
    uint64_t expected = line_ends(text);
    must(scan_line_ends(text) == expected, "found %" PRIx64 ", not %" PRIx64,
         scan_line_ends(text), expected);
    must(scan_line_ends_portable(text) == expected, "portable: found %" PRIx64 ", not %" PRIx64,
         scan_line_ends_portable(text), expected);
}

Test(et_scan, loads_the_first_byte_lowest)
{
    expect_number(scan_load("\x01\x02\x03\x04\x05\x06\x07\x88"), UINT64_C(0x8807060504030201));
}

Test(et_scan, finds_a_line_end_wherever_it_is)
{
    for (size_t place = 0; place < SCAN_BYTES; place++)
        for (int byte = 0; byte < 256; byte++) {
            char text[SCAN_BYTES];
            memset(text, byte, sizeof text);
            text[place] = '\n';
            expect_line_ends(text);
        }
}

Test(et_scan, takes_no_other_byte_for_a_line_end)
{
    for (size_t place = 0; place < SCAN_BYTES; place++)
        for (int byte = 0; byte < 256; byte++) {
            char text[SCAN_BYTES];
            memset(text, '\n', sizeof text);
            text[place] = (char)byte;
            expect_line_ends(text);
        }
}

Test(et_scan, agrees_on_random_bytes_at_any_address)
{
    static const char alphabet[] = "\n\n\n\x0b\x09\x8a\x0a\r\x00\x7f\x80\xff\x2aN";
    char text[SCAN_BYTES + 16];
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        for (size_t at = 0; at < sizeof text; at++)
            text[at] = alphabet[random_below(&seed, sizeof alphabet - 1)];
        expect_line_ends(text + i % 16);
    }
}

/* The length of a short line, and its bytes, found by a loop over the bytes. */
static unsigned short_line(const char *text, char bytes[SCAN_LINE])
{
    unsigned length = 0;
    memset(bytes, 0, SCAN_LINE);
    while (length < SCAN_LINE) {
        bytes[length] = text[length];
        if (text[length++] == '\n')
            return length;
    }
    return 0;
}

static void expect_short_line(const char *text)
{
    char expected[SCAN_LINE];
    uint64_t words[SCAN_LINE_WORDS], portable[SCAN_LINE_WORDS];
    unsigned length = short_line(text, expected);
    expect_number(scan_short_line(text, words), length);
    expect_number(scan_short_line_portable(text, portable), length);
    for (unsigned i = 0; length > 0 && i < SCAN_LINE_WORDS; i++) {
        expect_number(words[i], scan_load(expected + 8 * i));
        expect_number(portable[i], scan_load(expected + 8 * i));
    }
}

Test(et_scan, knows_short_lines_of_each_length)
{
    for (int byte = 0; byte < 256; byte++)
        for (size_t place = 0; place <= SCAN_LINE; place++) {
            char text[SCAN_LINE + 1];
            memset(text, byte, sizeof text);
            text[place] = '\n';
            expect_short_line(text);
        }
}

Test(et_scan, knows_short_lines_among_random_bytes)
{
    static const char alphabet[] = "\n\x0b\x8a\x00\x7f\x80\xffN 0123456789";
    char text[SCAN_LINE + 16];
    uint64_t seed = 2;
    for (int i = 0; i < 20000; i++) {
        for (size_t at = 0; at < sizeof text; at++)
            text[at] = alphabet[random_below(&seed, sizeof alphabet - 1)];
        expect_short_line(text + i % 16);
    }
}
