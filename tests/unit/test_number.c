#include "base/number.h"

#include <criterion/criterion.h>
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

Test(number, writes_without_terminator)
{
    char out[NUMBER_DIGITS + 1];
    memset(out, '!', sizeof out);
    cr_expect_eq(number_format(out, UINT64_MAX), NUMBER_DIGITS);
    cr_expect(memcmp(out, "18446744073709551615!", sizeof out) == 0);
    cr_expect_eq(number_format(out, 0), 1);
    cr_expect_eq(out[0], '0');
}
