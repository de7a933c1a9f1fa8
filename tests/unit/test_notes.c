#include "merlin/notes.h"
#include "support.h"

Test(notes, tell_the_last_use_and_count_up_to_the_most)
{
    struct notes notes = {.uses = NULL};
    ok(notes_reserve(&notes, 3, &cause));
    expect_number(notes_use_count(&notes, 1), 0);
    for (unsigned i = 0; i < USES_MAX + 5; i++) {
        cr_expect_eq(notes_use_count(&notes, 1), i < USES_MAX ? i : USES_MAX);
        enum use use = (enum use[]){USE_NAMED, USE_OVERWRITTEN, USE_STATIC}[i % 3];
        notes_use(&notes, 1, use);
        cr_expect_eq(notes_last_use(&notes, 1), use);
    }
    notes_use(&notes, 2, USE_NAMED);
    notes_use(&notes, 2, USE_POPPED);
    cr_expect_eq(notes_last_use(&notes, 2), USE_POPPED);
    expect_number(notes_use_count(&notes, 2), 1);
    notes_free(&notes);
}

Test(notes, stay_when_room_is_made_for_more)
{
    struct notes notes = {.keeps_deaths = true};
    for (node_t node = 1; node < 1000; node++) {
        ok(notes_reserve(&notes, node + 1, &cause));
        must(notes_use_count(&notes, node) == 0, "node %u has uses", node);
        must(notes.deaths[node] == 0, "node %u has a death", node);
        notes.deaths[node] = node;
        notes_use(&notes, node, USE_STATIC);
    }
    for (node_t node = 1; node < 1000; node++)
        must(notes_use_count(&notes, node) == 1 && notes.deaths[node] == node, "node %u", node);
    notes_free(&notes);
}

Test(notes, count_bytes_to_2_to_the_64)
{
    struct notes notes = {.uses = NULL};
    ok(notes_birth(&notes, 1, 0, &cause));
    ok(notes_birth(&notes, 5, UINT64_MAX - 3, &cause));
    ok(notes_birth(&notes, 5, 3, &cause));
    expect_number(notes_size(&notes, 0), 0);
    expect_number(notes_size(&notes, 1), UINT64_MAX - 3);
    expect_number(notes_size(&notes, 2), 3);
    expect_number(notes.births[2].bytes, UINT64_MAX);
    expect_number(notes.births[2].tick, 5);
    expect_failure(notes_birth(&notes, 6, 1, &cause), STATUS_LIMIT, 0,
                   "The trace allocates more than 2^64-1 bytes: no report can count them");
    expect_number(notes.birth_count, 3);
    notes_free(&notes);
}
