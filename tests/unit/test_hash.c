/* SPDX-License-Identifier: MIT */
/* Hashes of input text. */
#include "base/hash.h"

#include "base/symbols.h"
#include "support.h"

#include <string.h>
#include <xxhash.h>

enum { TEXT_LENGTH = 32 };

/* Makes text `number` of a family that all have the same XXH3 hash without a seed: the first 8
 * bytes are those of the default secret, which makes the next 8 bytes count for nothing. */
static void make_colliding(char *text, unsigned number)
{
    memcpy(text, "\xb8\xfe\x6c\x39\x23\xa4\x4b\xbe", 8);
    snprintf(text + 8, TEXT_LENGTH + 1 - 8, "%08xabcdefghijklmnop", number);
}

Test(hash, has_a_seed)
{
    char one[TEXT_LENGTH + 1], other[TEXT_LENGTH + 1];
    make_colliding(one, 1);
    make_colliding(other, 2);
    cr_assert_eq(XXH3_64bits(one, TEXT_LENGTH), XXH3_64bits(other, TEXT_LENGTH));
    cr_expect_neq(hash_text(hash_seed(), one, TEXT_LENGTH),
                  hash_text(hash_seed(), other, TEXT_LENGTH));
}

Test(hash, is_the_same_in_all_of_a_process)
{
    expect_number(hash_text(hash_seed(), "a", 1), hash_text(hash_seed(), "a", 1));
}

/* If all had the same hash, this would take hours. */
Test(hash, symbols_made_to_collide_do_not)
{
    struct symbols symbols = {.count = 0};
    char text[TEXT_LENGTH + 1];
    for (unsigned i = 0; i < 300000; i++) {
        uint32_t number;
        make_colliding(text, i);
        ok(symbols_add(&symbols, text, TEXT_LENGTH, &number, &cause));
        must(number == i, "text %u is number %" PRIu32, i, number);
    }
    symbols_free(&symbols);
}
