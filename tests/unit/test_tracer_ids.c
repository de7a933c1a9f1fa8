/* SPDX-License-Identifier: MIT */
/* A thread's cache of ids by address. It must give the id of the object that is at the address
 * now, so entries that a collection may have moved are dropped. */
#include "../../tracer/native/id_cache.h"
#include "expect.h"

TestSuite(tracer_ids);

static uintptr_t at[2] = {0x1000, 0x2000}; /* two handles: the addresses of objects */

static struct id_place place_of(size_t handle)
{
    struct id_place place;
    cr_assert(id_place_of(&place, (jobject)(void *)&at[handle]));
    return place;
}

Test(tracer_ids, are_off_until_the_collector_is_known)
{
    struct id_place place;
    cr_expect_not(id_place_of(&place, (jobject)(void *)&at[0]));
    id_cache_turn();
    cr_expect_not(id_place_of(&place, (jobject)(void *)&at[0]));
}

Test(tracer_ids, are_those_of_the_address)
{
    static struct id_cache cache;
    atomic_store(&id_cache_epoch, 0);
    struct id_place one = place_of(0), other = place_of(1);
    expect_number(id_cache_find(&cache, &one), 0);
    id_cache_add(&cache, &one, 7);
    expect_number(id_cache_find(&cache, &one), 7);
    expect_number(id_cache_find(&cache, &other), 0);
}

Test(tracer_ids, are_forgotten_with_a_collection)
{
    static struct id_cache cache;
    struct id_place place;
    atomic_store(&id_cache_epoch, 0);
    struct id_place before = place_of(0);
    id_cache_add(&cache, &before, 7);
    id_cache_turn();
    cr_expect_not(id_place_of(&place, (jobject)(void *)&at[0]), "during a collection");
    id_cache_turn();
    struct id_place after = place_of(0);
    expect_number(id_cache_find(&cache, &after), 0);
}

/* The object may move after its address was read and before the virtual machine answers. */
Test(tracer_ids, are_not_kept_when_a_collection_came_between)
{
    static struct id_cache cache;
    atomic_store(&id_cache_epoch, 0);
    struct id_place before = place_of(0);
    id_cache_turn();
    id_cache_turn();
    id_cache_add(&cache, &before, 7);
    struct id_place after = place_of(0);
    expect_number(id_cache_find(&cache, &after), 0);
}

Test(tracer_ids, of_a_handle_with_marks_are_not_looked_for)
{
    struct id_place place;
    atomic_store(&id_cache_epoch, 0);
    cr_expect_not(id_place_of(&place, (jobject)(void *)((char *)&at[0] + 1)));
}

Test(tracer_ids, of_two_addresses_with_one_slot_are_told_apart)
{
    static struct id_cache cache;
    atomic_store(&id_cache_epoch, 0);
    struct id_place one = place_of(0), other = one;
    do
        other.address += 8;
    while (id_cache_slot(&cache, other.address) != id_cache_slot(&cache, one.address));
    id_cache_add(&cache, &one, 7);
    expect_number(id_cache_find(&cache, &other), 0);
    id_cache_add(&cache, &other, 8);
    expect_number(id_cache_find(&cache, &one), 0);
    expect_number(id_cache_find(&cache, &other), 8);
}
