/* SPDX-License-Identifier: MIT */
#include "base/set.h"
#include "support.h"

#include <malloc.h>

static bool add(struct set *set, uint64_t key)
{
    bool added;
    ok(set_add(set, key, &added, &cause));
    return added;
}

static bool take(struct set *set, uint64_t key)
{
    bool removed;
    ok(set_remove(set, key, &removed, &cause));
    return removed;
}

Test(set, tells_whether_a_key_is_new)
{
    static const uint64_t keys[] = {5,         0, UINT16_MAX, UINT32_MAX, UINT64_C(1) << 32,
                                    UINT64_MAX};
    struct set set = {.root = NULL};
    for (size_t i = 0; i < ITEMS(keys); i++)
        cr_expect(add(&set, keys[i]));
    for (size_t i = 0; i < ITEMS(keys); i++)
        cr_expect(!add(&set, keys[i]));
    set_free(&set);
    cr_expect(add(&set, 5));
    cr_expect(add(&set, UINT64_MAX));
    set_free(&set);
}

Test(set, tells_whether_a_key_was_in)
{
    static const uint64_t keys[] = {5, 70000, UINT64_MAX};
    struct set set = {.root = NULL};
    for (size_t i = 0; i < ITEMS(keys); i++) {
        cr_expect(!take(&set, keys[i]));
        cr_expect(add(&set, keys[i]));
        cr_expect(!take(&set, keys[i] - 1));
        cr_expect(take(&set, keys[i]));
        cr_expect(!take(&set, keys[i]));
        cr_expect(add(&set, keys[i]));
    }
    set_free(&set);
}

/* Adds `count` keys below `bound` in some order, then removes all of them, and expects the
 * right answers about members and others at each stage of the set's representation. */
static void fill_and_empty(uint64_t bound, uint64_t count)
{
    static uint8_t is_in[1 << 20];
    struct set set = {.root = NULL};
    uint64_t state = count;
    must(bound <= sizeof is_in, "too many");
    for (uint64_t i = 0; i < count; i++) {
        uint64_t key = random_below(&state, bound);
        must(add(&set, key) == !is_in[key], "%" PRIu64 " of %" PRIu64, key, i);
        is_in[key] = 1;
    }
    for (uint64_t key = 0; key < bound; key++) {
        must(take(&set, key) == is_in[key], "%" PRIu64 " is %d", key, is_in[key]);
        is_in[key] = 0;
    }
    for (uint64_t key = 0; key < bound; key += 3)
        must(add(&set, key), "%" PRIu64 " was not taken out", key);
    set_free(&set);
}

Test(set, keeps_many_keys_and_few)
{
    fill_and_empty(1 << 16, 100);
    fill_and_empty(1 << 16, 4095);
    fill_and_empty(1 << 16, 5000);
    fill_and_empty(1 << 16, 300000);
    fill_and_empty(1 << 20, 100000);
}

Test(set, keeps_many_scattered_keys)
{
    struct set set = {.root = NULL};
    uint64_t state = 1;
    for (unsigned i = 0; i < 50000; i++)
        must(add(&set, random_below(&state, UINT64_MAX)), "a new key is not new");
    state = 1;
    for (unsigned i = 0; i < 50000; i++)
        must(take(&set, random_below(&state, UINT64_MAX)), "a key is lost");
    cr_expect_null(set.root);
    set_free(&set);
}

#ifndef SANITIZED /* the sanitizer's malloc counts in another way */

/* The bytes that are allocated, as the C library counts them. */
static size_t in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Fills a set with 3 million random keys below `bound`; returns the bytes it takes per key. */
static double bytes_a_key(uint64_t bound)
{
    struct set set = {.root = NULL};
    uint64_t state = 1, count = 0;
    size_t before = in_use();
    while (count < 3000000)
        count += add(&set, random_below(&state, bound));
    double bytes = (double)(in_use() - before) / (double)count;
    set_free(&set);
    return bytes;
}

Test(set, random_keys_of_31_bits_take_three_bytes)
{
    double bytes = bytes_a_key(UINT64_C(1) << 31);
    cr_expect(bytes <= 3, "%.2f", bytes);
}

Test(set, random_keys_of_64_bits_take_22_bytes_at_most)
{
    double bytes = bytes_a_key(UINT64_MAX);
    cr_expect(bytes <= 22, "%.2f", bytes);
}

#endif
