/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void expect_quoted(const char *text, size_t length, const char *expected)
{
    char out[TEXT_QUOTE_SIZE];
    cr_expect_eq(text_quote(out, text, length), out);
    cr_expect_str_eq(out, expected);
}

Test(text, printable_bytes_are_quoted_as_they_are)
{
    expect_quoted("", 0, "\"\"");
    expect_quoted("N 1 ~", 5, "\"N 1 ~\"");
}

Test(text, quotes_backslashes_and_white_space_are_escaped)
{
    expect_quoted("\t\r\n\"\\", 5, "\"\\t\\r\\n\\\"\\\\\"");
}

Test(text, other_bytes_are_shown_in_hexadecimal)
{
    expect_quoted("\0\x01\x1f\x7f\x80\xff", 6, "\"\\x00\\x01\\x1f\\x7f\\x80\\xff\"");
}

Test(text, sixty_bytes_are_shown_whole)
{
    expect_quoted("123456789012345678901234567890123456789012345678901234567890", 60,
                  "\"123456789012345678901234567890123456789012345678901234567890\"");
}

Test(text, what_follows_sixty_bytes_is_left_out)
{
    expect_quoted("123456789012345678901234567890123456789012345678901234567890x", 61,
                  "\"123456789012345678901234567890123456789012345678901234567890...\"");
}

Test(text, the_longest_quotation_fills_its_room)
{
    char text[1000], out[TEXT_QUOTE_SIZE];
    memset(text, 0xff, sizeof text);
    cr_expect_eq(strlen(text_quote(out, text, sizeof text)), TEXT_QUOTE_SIZE - 1);
}

Test(text, a_line_ends_before_its_lf_or_crlf)
{
    cr_expect_eq(text_line_length("ab\n", 3), 2);
    cr_expect_eq(text_line_length("ab\r\n", 4), 2);
    cr_expect_eq(text_line_length("ab", 2), 2);
    cr_expect_eq(text_line_length("\n", 1), 0);
    cr_expect_eq(text_line_length("\r\n", 2), 0);
    cr_expect_eq(text_line_length("", 0), 0);
}

Test(text, only_one_line_end_is_taken_off)
{
    cr_expect_eq(text_line_length("ab\n\n", 4), 3);
    cr_expect_eq(text_line_length("ab\r\r\n", 5), 3);
    cr_expect_eq(text_line_length("a\rb\n", 4), 3);
}

/* Expects that text_print prints `text` as `expected`. */
static void text_expect_shown(const char *text, const char *expected)
{
    char *printed = NULL;
    size_t length;
    FILE *stream = open_memstream(&printed, &length);
    cr_assert_not_null(stream);
    text_print(stream, text);
    fclose(stream);
    cr_expect_str_eq(printed, expected);
    free(printed);
}

Test(text, shows_characters_of_every_length)
{
    text_expect_shown("a\\\"~", "a\\\"~");
    text_expect_shown("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
                      "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    text_expect_shown("\xc2\xa0\xed\x9f\xbf\xf4\x8f\xbf\xbf",
                      "\xc2\xa0\xed\x9f\xbf\xf4\x8f\xbf\xbf");
}

Test(text, escapes_controls)
{
    text_expect_shown("\x1b[0m\x7f\t\r\n\x01", "\\x1b[0m\\x7f\\t\\r\\n\\x01");
    text_expect_shown("\xc2\x80\xc2\x9f", "\\xc2\\x80\\xc2\\x9f");
    text_expect_shown("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6",
                      "\xe2\x80\xa7\\xe2\\x80\\xa8\\xe2\\x80\\xae\\xe2\\x81\\xa6");
}

Test(text, escapes_what_is_no_utf8)
{
    text_expect_shown("\x9b\xff\x80z", "\\x9b\\xff\\x80z");
    text_expect_shown("\xc3", "\\xc3");
    text_expect_shown("\xe2\x82z", "\\xe2\\x82z");
    text_expect_shown("\xc0\xaf\xe0\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf");
    text_expect_shown("\xed\xa0\x80\xf4\x90\x80\x80\xf5",
                      "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xf5");
}

Test(text, the_end_of_a_text_begins_at_a_character)
{
    cr_expect_eq(text_end("", 4), 0);
    cr_expect_eq(text_end("123456", 6), 0);
    cr_expect_eq(text_end("1234567", 6), 4);
    cr_expect_eq(text_end("1234567", 4), 6);
    /* The character of two bytes does not fit after the dots as a whole. */
    cr_expect_eq(text_end("12345\303\204", 4), 7);
    cr_expect_eq(text_end("12345\303\204", 5), 5);
}
