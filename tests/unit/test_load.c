/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "support.h"

static const uint8_t bytes[] = {0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88, 0x99};

Test(load, numbers_of_every_width)
{
    static const uint64_t big[] = {0,
                                   0x81,
                                   0x8102,
                                   0x810203,
                                   0x81020304,
                                   0x8102030405,
                                   0x810203040506,
                                   0x81020304050607,
                                   UINT64_C(0x8102030405060788)};
    static const uint64_t little[] = {0,
                                      0x81,
                                      0x0281,
                                      0x030281,
                                      0x04030281,
                                      0x0504030281,
                                      0x060504030281,
                                      0x07060504030281,
                                      UINT64_C(0x8807060504030281)};
    for (unsigned width = 0; width <= 8; width++) {
        uint64_t value = 77;
        struct load load = load_from(bytes, sizeof bytes);
        cr_expect(load_big(&load, width, &value));
        expect_number(value, big[width]);
        expect_number(load_left(&load), sizeof bytes - width);
        load = load_from(bytes, sizeof bytes);
        cr_expect(load_little(&load, width, &value));
        expect_number(value, little[width]);
        expect_number(load_left(&load), sizeof bytes - width);
    }
}

Test(load, what_is_not_there_is_not_taken)
{
    struct load load = load_from(bytes, 3);
    uint64_t value = 77;
    const uint8_t *at = NULL;
    cr_expect(!load_big(&load, 4, &value));
    cr_expect(!load_little(&load, 8, &value));
    cr_expect(!load_bytes(&load, 4, &at));
    cr_expect(!load_bytes(&load, SIZE_MAX, &at));
    expect_number(value, 77);
    expect_number(load_left(&load), 3);
    cr_expect(load_bytes(&load, 3, &at));
    cr_expect_eq(at, bytes);
    cr_expect(!load_big(&load, 1, &value));
    cr_expect(load_big(&load, 0, &value));
}

Test(load, nothing_can_be_loaded_from_nothing)
{
    struct load load = load_from(NULL, 0);
    const uint8_t *at;
    uint64_t value;
    expect_number(load_left(&load), 0);
    cr_expect(!load_bytes(&load, 1, &at));
    cr_expect(!load_big(&load, 1, &value));
}

Test(load, signs_of_every_width)
{
    expect_number(load_sign(0, 0), 0);
    expect_number(load_sign(0x7f, 1), 0x7f);
    expect_number(load_sign(0x80, 1), (uint64_t)INT64_C(-0x80));
    expect_number(load_sign(0xff, 1), UINT64_MAX);
    expect_number(load_sign(0xff, 2), 0xff);
    expect_number(load_sign(0x8000, 2), (uint64_t)INT64_C(-0x8000));
    expect_number(load_sign(0xfffffffe, 4), (uint64_t)INT64_C(-2));
    expect_number(load_sign(0x7fffffff, 4), 0x7fffffff);
    expect_number(load_sign(UINT64_C(1) << 63, 8), UINT64_C(1) << 63);
    expect_number(load_sign(UINT64_MAX, 8), UINT64_MAX);
}
