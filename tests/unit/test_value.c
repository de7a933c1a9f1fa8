/* SPDX-License-Identifier: MIT */
#include "report/form/value.h"

#include <criterion/criterion.h>

static void expect_scaled(uint64_t bytes, const char *expected)
{
    char out[SCALED_SIZE];
    cr_expect_eq(value_scaled(out, bytes), out);
    cr_expect_str_eq(out, expected, "%s, and not %s", out, expected);
}

Test(value, bytes_are_in_the_largest_unit_that_is_not_larger)
{
    expect_scaled(0, "0 B");
    expect_scaled(1023, "1023 B");
    expect_scaled(1024, "1 KiB");
    expect_scaled(UINT64_C(1) << 30, "1 GiB");
    expect_scaled(UINT64_C(1) << 63, "8 EiB");
}

Test(value, scaled_bytes_are_rounded)
{
    expect_scaled(1688207, "1.61 MiB");
    expect_scaled(99 * 1024 + 960, "99.9 KiB");
    expect_scaled(100 * 1024 + 1000, "101 KiB");
    expect_scaled(120424, "117.6 KiB");
    expect_scaled(1024 * 1024 - 1, "1024 KiB");
    expect_scaled(UINT64_MAX, "16 EiB");
}
