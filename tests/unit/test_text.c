#include "base/text.h"
#include "support.h"

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
