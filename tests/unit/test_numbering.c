/* SPDX-License-Identifier: MIT */
/* Numbers of objects, by which later readings find them. */
#include "heap/objects_inline.h"
#include "merlin/numbering.h"

#include "support.h"

static struct objects *objects;
static struct numbering *numbering;

static void finish(void)
{
    numbering_free(numbering);
    objects_free(objects);
}

TestSuite(numbering, .fini = finish);

/* Mentions object `id` as the first reading does; returns its node. */
static node_t first_mention(uint64_t id)
{
    node_t node;
    ok(objects_find(objects, id, &node, &cause));
    return node;
}

static node_t first_allocation(uint64_t id)
{
    node_t before, node;
    enum allocation how;
    ok(objects_allocate(objects, id, 0, &before, &node, &how, &cause));
    return node;
}

static uint64_t renumber(unsigned kind, uint64_t id)
{
    struct record record = {.kind = (uint8_t)kind, .object = id};
    ok(numbering_apply(numbering, &record, &cause));
    return record.object;
}

/* 9 is named, 5 allocated, 9 allocated, 5 allocated again, 8 named. */
Test(numbering, what_an_id_means_changes_as_the_trace_goes_on)
{
    ok(objects_new(&objects, &cause));
    node_t nine = first_mention(9), five = first_allocation(5);
    expect_number(first_allocation(9), nine);
    node_t other_five = first_allocation(5), eight = first_mention(8);
    ok(objects_renumber(objects, &cause));
    ok(numbering_new(&numbering, objects, &cause));
    expect_number(objects_id(objects, NODE_NONE), 0);
    expect_number(objects_id(objects, five), 1);
    expect_number(objects_id(objects, nine), 2);
    expect_number(objects_id(objects, other_five), 3);
    expect_number(objects_id(objects, eight), 4);

    expect_number(renumber(RECORD_WITNESS, 9), 2);
    expect_number(renumber(RECORD_OBJECT, 5), 1);
    expect_number(renumber(RECORD_ENTRY, 5), 1);
    expect_number(renumber(RECORD_ARRAY, 9), 2);
    expect_number(renumber(RECORD_OBJECT, 5), 3);
    expect_number(renumber(RECORD_WITNESS, 5), 3);
    expect_number(renumber(RECORD_WITNESS, 8), 4);
    expect_number(renumber(RECORD_WITNESS, 0), 0);
    expect_number(renumber(RECORD_WITNESS, 9), 2);
}

Test(numbering, each_field_that_names_an_object)
{
    ok(objects_new(&objects, &cause));
    first_allocation(70);
    first_allocation(80);
    ok(objects_renumber(objects, &cause));
    ok(numbering_new(&numbering, objects, &cause));
    expect_number(renumber(RECORD_OBJECT, 70), 1);
    expect_number(renumber(RECORD_OBJECT, 80), 2);
    struct record update = {
        .kind = RECORD_UPDATE, .container = 80, .value = 70, .field = 70, .thread = 80};
    ok(numbering_apply(numbering, &update, &cause));
    expect_number(update.container, 2);
    expect_number(update.value, 1);
    expect_number(update.field, 70);
    expect_number(update.thread, 80);
    static const unsigned kinds[] = {RECORD_EXCEPTION_EXIT, RECORD_THROW, RECORD_CATCH};
    for (size_t i = 0; i < ITEMS(kinds); i++) {
        struct record record = {
            .kind = (uint8_t)kinds[i], .receiver = 70, .exception = 80, .method = 70};
        ok(numbering_apply(numbering, &record, &cause));
        expect_number(record.receiver, 1);
        expect_number(record.exception, 2);
        expect_number(record.method, 70);
    }
}

/* Ids mean the same numbers whether the ids of those that are used no more are forgotten or
 * not. Of 20,000 objects, each of which is used until the next one is allocated, each tenth is
 * used until the end, and the ids of the first ten are used again. */
Test(numbering, of_ids_that_are_forgotten)
{
    enum { OBJECTS = 20000, KEPT = 10 };
    ok(objects_new(&objects, &cause));
    for (uint64_t i = 0; i < OBJECTS; i++)
        objects_use(objects, first_allocation(100 + i), i % KEPT == 0 ? OBJECTS : i);
    for (uint64_t i = 0; i < KEPT; i++)
        objects_use(objects, first_allocation(100 + i), OBJECTS);
    ok(numbering_new(&numbering, objects, &cause));
    for (uint64_t i = 0; i < OBJECTS; i++) {
        expect_number(renumber(RECORD_OBJECT, 100 + i), i + 1);
        expect_number(renumber(RECORD_ENTRY, 100 + i), i + 1);
    }
    for (uint64_t i = 0; i < OBJECTS; i += KEPT)
        expect_number(renumber(RECORD_WITNESS, 100 + i), i + 1);
    for (uint64_t i = 0; i < KEPT; i++)
        expect_number(renumber(RECORD_ARRAY, 100 + i), OBJECTS + i + 1);
    expect_number(renumber(RECORD_WITNESS, 100), OBJECTS + 1);
}

/* Lines about references name objects that no later record names; what no record before them
 * names has no number. */
Test(numbering, of_references_that_are_cleared_long_after)
{
    enum { OBJECTS = 20000 };
    ok(objects_new(&objects, &cause));
    for (uint64_t i = 0; i < OBJECTS; i++)
        objects_use(objects, first_allocation(100 + i), i);
    ok(numbering_new(&numbering, objects, &cause));
    numbering_keep_all(numbering);
    for (uint64_t i = 0; i < OBJECTS; i++) {
        expect_number(renumber(RECORD_OBJECT, 100 + i), i + 1);
        expect_number(renumber(RECORD_ENTRY, 100 + i), i + 1);
        expect_number(renumber(RECORD_CLEARED, 101 + i), 0);
    }
    for (uint64_t i = 0; i < OBJECTS; i++)
        expect_number(renumber(RECORD_CLEARED, 100 + i), i + 1);
    struct record line = {
        .kind = RECORD_REFERENCE, .reference = 101, .referent = 100, .strength = 4};
    ok(numbering_apply(numbering, &line, &cause));
    expect_number(line.reference, 2);
    expect_number(line.referent, 1);
    expect_number(line.strength, REFERENCE_PHANTOM);
}

/* Here the trace has been changed between the readings. Other code reports that; this code must
 * not read beyond its arrays. */
Test(numbering, more_objects_than_in_the_first_reading)
{
    ok(objects_new(&objects, &cause));
    first_allocation(1);
    ok(objects_renumber(objects, &cause));
    ok(numbering_new(&numbering, objects, &cause));
    for (uint64_t id = 1; id < 100; id++) {
        renumber(RECORD_OBJECT, id);
        renumber(RECORD_WITNESS, 1000 + id);
    }
}
