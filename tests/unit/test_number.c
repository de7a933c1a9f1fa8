/* SPDX-License-Identifier: MIT */
#include "base/number.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static enum number_result parse(const char *text, uint64_t *value)
{
    return number_parse(text, strlen(text), value);
}

Test(number, reads_the_whole_range)
{
    uint64_t value = 7;
    cr_expect_eq(parse("0", &value), NUMBER_OK);
    cr_expect_eq(value, 0);
    cr_expect_eq(parse("18446744073709551615", &value), NUMBER_OK);
    cr_expect_eq(value, UINT64_MAX);
    cr_expect_eq(parse("000000000000000000000000012", &value), NUMBER_OK);
    cr_expect_eq(value, 12);
}

Test(number, tells_why_it_is_none)
{
    uint64_t value = 7;
    cr_expect_eq(parse("", &value), NUMBER_NONE);
    cr_expect_eq(parse("-", &value), NUMBER_NONE);
    cr_expect_eq(parse("+1", &value), NUMBER_NONE);
    cr_expect_eq(parse("1x", &value), NUMBER_NONE);
    cr_expect_eq(parse("-5", &value), NUMBER_NEGATIVE);
    cr_expect_eq(parse("18446744073709551616", &value), NUMBER_TOO_LARGE);
    cr_expect_eq(parse("99999999999999999999999", &value), NUMBER_TOO_LARGE);
    cr_expect_eq(value, 7, "a failed parse must leave the value alone");
}

Test(number, a_number_too_large_by_its_tenfold_is_found)
{
    /* Ten times the number before the last digit exceeds 2^64 and wraps to a larger number. */
    uint64_t value = 7;
    cr_expect_eq(parse("27670116110564327430", &value), NUMBER_TOO_LARGE);
    cr_expect_eq(parse("184467440737095516160", &value), NUMBER_TOO_LARGE);
}

Test(number, what_is_no_number_is_so_whatever_its_size)
{
    uint64_t value = 7;
    cr_expect_eq(parse("99999999999999999999999x", &value), NUMBER_NONE);
    cr_expect_eq(parse("-x", &value), NUMBER_NONE);
    cr_expect_eq(parse("--1", &value), NUMBER_NONE);
    cr_expect_eq(parse("-99999999999999999999999", &value), NUMBER_NEGATIVE);
}

Test(number, blanks_and_bytes_beside_the_digits_are_refused)
{
    static const char *const texts[] = {" 1", "1 ", "\t1", "1\r", "1/", "1:", "1\xb1", "0x1"};
    for (size_t i = 0; i < ITEMS(texts); i++) {
        uint64_t value = 7;
        cr_expect_eq(parse(texts[i], &value), NUMBER_NONE, "%s", texts[i]);
    }
}

Test(number, reads_no_further_than_the_length)
{
    uint64_t value = 7;
    cr_expect_eq(number_parse("1234", 2, &value), NUMBER_OK);
    expect_number(value, 12);
}

Test(number, writes_without_terminator)
{
    char out[NUMBER_DIGITS + 1];
    memset(out, '!', sizeof out);
    cr_expect_eq(number_format(out, UINT64_MAX), NUMBER_DIGITS);
    cr_expect(memcmp(out, "18446744073709551615!", sizeof out) == 0);
    cr_expect_eq(number_format(out, 0), 1);
    cr_expect_eq(out[0], '0');
}

static void expect_written(uint64_t value)
{
    char out[NUMBER_DIGITS], expected[NUMBER_DIGITS + 1];
    int length = snprintf(expected, sizeof expected, "%" PRIu64, value);
    size_t written = number_format(out, value);
    must(written == (size_t)length && memcmp(out, expected, written) == 0, "%.*s, not %s",
         (int)written, out, expected);
}

Test(number, writes_every_length)
{
    for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10)
        for (uint64_t digit = 1; digit <= 9; digit++) {
            expect_written(power * digit - 1);
            expect_written(power * digit);
            expect_written(power * digit + 1);
        }
    for (uint64_t value = 0; value < 10000; value++)
        expect_written(value);
}

Test(number, writes_random_numbers_of_any_width)
{
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++)
        expect_written(random_below(&seed, UINT64_MAX) >> random_below(&seed, 64));
}
