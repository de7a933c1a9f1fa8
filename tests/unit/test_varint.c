/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "support.h"

static void expect_round_trip(uint64_t number, size_t length)
{
    uint8_t bytes[VARINT_MAX];
    uint64_t found = 1;
    uint8_t *end = varint_put(bytes, number);
    expect_number((uint64_t)(end - bytes), length);
    cr_expect_eq(varint_get(bytes, end, &found), end);
    expect_number(found, number);
    cr_expect_null(varint_get(bytes, end - 1, &found));
}

Test(varint, a_number_takes_a_byte_for_each_seven_bits)
{
    expect_round_trip(0, 1);
    expect_round_trip(127, 1);
    expect_round_trip(128, 2);
    expect_round_trip(16383, 2);
    expect_round_trip(16384, 3);
    expect_round_trip(UINT64_MAX >> 1, 9);
    expect_round_trip(UINT64_MAX, 10);
}

Test(varint, a_step_leads_from_one_number_to_another)
{
    static const uint64_t numbers[] = {0,         1, 2, 1000, UINT64_MAX / 2, UINT64_MAX - 1,
                                       UINT64_MAX};
    for (size_t i = 0; i < ITEMS(numbers); i++)
        for (size_t j = 0; j < ITEMS(numbers); j++)
            expect_number(varint_follow(numbers[i], varint_step(numbers[i], numbers[j])),
                          numbers[j]);
    expect_number(varint_step(5, 6), 2);
    expect_number(varint_step(6, 5), 1);
    expect_number(varint_step(6, 6), 0);
}
