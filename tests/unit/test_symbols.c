/* SPDX-License-Identifier: MIT */
/* The numbers that strings get. */
#include "base/symbols.h"

#include "support.h"

#include <string.h>

static uint32_t add(struct symbols *symbols, const char *text, size_t length)
{
    uint32_t number = 77;
    ok(symbols_add(symbols, text, length, &number, &cause));
    return number;
}

Test(symbols, are_numbered_in_order_and_once)
{
    struct symbols symbols = {.count = 0};
    expect_number(add(&symbols, "a", 1), 0);
    expect_number(add(&symbols, "", 0), 1);
    expect_number(add(&symbols, "a\0b", 3), 2);
    expect_number(add(&symbols, "a", 1), 0);
    expect_number(add(&symbols, "", 0), 1);
    expect_number(symbols_find(&symbols, "a\0b", 3), 2);
    expect_number(symbols_find(&symbols, "a\0c", 3), NO_SYMBOL);
    size_t length;
    cr_expect_str_eq(symbols_text(&symbols, 1, &length), "");
    expect_number(length, 0);
    cr_expect(memcmp(symbols_text(&symbols, 2, &length), "a\0b", 4) == 0);
    expect_number(length, 3);
    symbols_free(&symbols);
    expect_number(symbols_find(&symbols, "a", 1), NO_SYMBOL);
}

Test(symbols, can_be_many)
{
    struct symbols symbols = {.count = 0};
    char text[32];
    for (uint32_t i = 0; i < 20000; i++)
        must(add(&symbols, text, (size_t)snprintf(text, sizeof text, "name %u", i)) == i,
             "string %u has another number", i);
    for (uint32_t i = 0; i < 20000; i++) {
        size_t length = (size_t)snprintf(text, sizeof text, "name %u", i);
        must(symbols_find(&symbols, text, length) == i, "string %u is lost", i);
        must(strcmp(symbols_text(&symbols, i, NULL), text) == 0, "string %u differs", i);
    }
    symbols_free(&symbols);
}
