/* SPDX-License-Identifier: MIT */
#include "merlin/life_records.h"
#include "support.h"

Test(records, have_the_last_use_and_count_up_to_the_most)
{
    struct life_records records = {.uses = NULL};
    ok(life_records_reserve(&records, 3, &cause));
    expect_number(life_records_use_count(&records, 1), 0);
    for (unsigned i = 0; i < USES_MAX + 5; i++) {
        cr_expect_eq(life_records_use_count(&records, 1), i < USES_MAX ? i : USES_MAX);
        enum use use = (enum use[]){USE_NAMED, USE_OVERWRITTEN, USE_STATIC}[i % 3];
        life_records_use(&records, 1, use, 0);
        cr_expect_eq(life_records_last_use(&records, 1), use);
    }
    life_records_use(&records, 2, USE_NAMED, 0);
    life_records_use(&records, 2, USE_POPPED, 0);
    cr_expect_eq(life_records_last_use(&records, 2), USE_POPPED);
    expect_number(life_records_use_count(&records, 2), 1);
    life_records_free(&records);
}

/* Allocations 0, 1 and 2 are nodes 2, 1 and 4, of which 1 is released, with 3. */
Test(records, move_with_their_nodes)
{
    static const node_t allocations[] = {2, 1, 4}, moved[] = {0, 0, 1, 0, 2};
    struct life_records records = {.keeps_first_uses = true};
    ok(life_records_reserve(&records, 5, &cause));
    for (node_t node = 1; node < 5; node++)
        for (node_t use = 0; use <= node; use++)
            life_records_use(&records, node, USE_NAMED, 10 * node + use);
    life_records_use(&records, 4, USE_STATIC, 99);
    ok(life_records_birth(&records, 7, 100, &cause));
    ok(life_records_birth(&records, 8, 30, &cause));
    ok(life_records_birth(&records, 9, 5, &cause));
    ok(life_records_move(&records, allocations, moved, 5, &cause));
    expect_number(life_records_use_count(&records, 1), 3);
    expect_number(life_records_use_count(&records, 2), 6);
    cr_expect_eq(life_records_last_use(&records, 2), USE_STATIC);
    expect_number(records.first_uses[1], 21);
    expect_number(records.first_uses[2], 41);
    expect_number(life_records_use_count(&records, 3), 0);
    expect_number(life_records_use_count(&records, 4), 0);
    expect_number(life_records_size(&records, 0), 100);
    expect_number(life_records_size(&records, 1), 5);
    ok(life_records_birth(&records, 9, 4, &cause));
    expect_number(life_records_size(&records, 2), 4);
    life_records_free(&records);
}

Test(records, count_bytes_to_2_to_the_64)
{
    struct life_records records = {.uses = NULL};
    ok(life_records_birth(&records, 1, 0, &cause));
    ok(life_records_birth(&records, 5, UINT64_MAX - 3, &cause));
    ok(life_records_birth(&records, 5, 3, &cause));
    expect_number(life_records_size(&records, 0), 0);
    expect_number(life_records_size(&records, 1), UINT64_MAX - 3);
    expect_number(life_records_size(&records, 2), 3);
    expect_number(ascending_at(&records.birth_bytes, 2), UINT64_MAX);
    expect_number(ascending_at(&records.birth_ticks, 2), 5);
    expect_failure(life_records_birth(&records, 6, 1, &cause), STATUS_LIMIT, 0,
                   "The trace allocates more than 2^64-1 bytes: reports cannot count them");
    expect_number(records.birth_ticks.count, 3);
    life_records_free(&records);
}
