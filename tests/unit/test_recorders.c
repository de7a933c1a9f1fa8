/* SPDX-License-Identifier: MIT */
/* What recorders keep of the events of short traces. */
#include "merlin/pass.h"
#include "support.h"

static struct pass first;

static void free_pass(void)
{
    pass_free(&first);
}

TestSuite(recorders, .fini = free_pass);

static void record_trace(const char *text, const struct recorders_options *options)
{
    struct batch batch = read_trace(text, &thread_dialect);
    ok(pass_init(&first, HELD_BY_RECEIVER, false, &cause));
    ok(recorders_open(&first, options, &cause));
    ok(pass_add(&first, &batch, &cause));
    batch_free(&batch);
}

static node_t node_of(uint64_t id)
{
    return objects_known(first.heap.objects, id);
}

static const struct recorders_options only_uses = {0};

Test(recorders, count_uses_up_to_the_most)
{
    char text[32 * (USES_MAX + 8)] = "N 1 16 1 1 0 7\nN 2 16 1 1 0 7\nW 2 1 7\n", *at;
    at = text + strlen(text);
    for (unsigned i = 0; i < USES_MAX + 4; i++)
        at += sprintf(at, "W 1 1 7\n");
    record_trace(text, &only_uses);
    expect_number(uses_count(first.recorders->uses, node_of(1)), USES_MAX);
    expect_number(uses_count(first.recorders->uses, node_of(2)), 2);
}

Test(recorders, know_how_the_last_use_was)
{
    const char *text = "N 1 16 1 1 0 7\nN 2 16 1 1 0 7\nN 3 16 1 1 0 7\nN 4 16 1 1 0 7\n"
                       "U 1 2 5 7\nU 1 0 5 7\nU 0 3 6 7\nU 0 0 6 7\nM 9 4 7\nE 9 7\n";
    record_trace(text, &only_uses);
    const struct uses *uses = first.recorders->uses;
    cr_expect_eq(uses_last(uses, node_of(1)), USE_NAMED);
    cr_expect_eq(uses_last(uses, node_of(2)), USE_OVERWRITTEN);
    cr_expect_eq(uses_last(uses, node_of(3)), USE_STATIC);
    cr_expect_eq(uses_last(uses, node_of(4)), USE_POPPED);
    expect_number(uses_count(uses, node_of(1)), 3);
    expect_number(uses_count(uses, node_of(2)), 3);
    expect_number(uses_count(uses, node_of(4)), 2); /* that the frame held it is no record */
}

Test(recorders, know_first_uses_lost_fields_and_proofs)
{
    static const struct recorders_options options = {
        .uses = {.first_uses = true, .lost_fields = true, .proofs = true},
    };
    record_trace("N 1 16 1 1 0 7\nM 5 1 7\nU 0 1 8 7\nD 3 7 1\nU 0 0 8 7\nM 6 0 7\nW 1 1 7\n"
                 "E 6 7\nE 5 7\n",
                 &options);
    const struct uses *uses = first.recorders->uses;
    node_t node = node_of(1);
    expect_number(uses_first(uses)[node], 1);
    expect_number(uses_lost_fields(uses)[node], 8);
    expect_number(uses_proofs(uses)[node].record, 6); /* W; the death is not counted */
    expect_number(uses_proofs(uses)[node].tick, 2);
}

Test(recorders, know_positions_by_what_they_count)
{
    static const uint64_t expected[][2] = {
        [USE_POSITION_RECORDS] = {5, 6},
        [USE_POSITION_ALLOCATIONS] = {3, 3},
        [USE_POSITION_THREAD_ALLOCATIONS] = {1, 2},
    };
    const char *text = "N 1 16 1 1 0 7\nN 2 16 1 1 0 7\nP 9 16 1 1 0 7\nN 3 16 1 1 0 8\n"
                       "W 1 1 8\nW 2 1 7\n";
    for (enum use_position_kind kind = USE_POSITION_RECORDS;
         kind <= USE_POSITION_THREAD_ALLOCATIONS; kind++) {
        const struct recorders_options options = {.uses.positions = kind};
        record_trace(text, &options);
        for (uint64_t id = 1; id <= 2; id++)
            expect_number(uses_position(first.recorders->uses, node_of(id)).count,
                          expected[kind][id - 1]);
        if (kind != USE_POSITION_THREAD_ALLOCATIONS)
            pass_free(&first);
    }
    uint32_t thread = uses_position(first.recorders->uses, node_of(1)).thread;
    expect_number(frames_thread_id(first.heap.frames, thread), 8);
}

/* A death stands at a boundary also where that was in another batch, with deaths between. */
Test(recorders, know_the_place_of_deaths_in_a_batch_of_their_own)
{
    static const struct recorders_options options = {.input_deaths = true, .uses.proofs = true};
    record_trace("M 9 0 7\nN 1 16 1 1 0 7\nN 2 16 1 1 0 7\nN 3 16 1 1 0 7\nE 9 7\nD 1 7 0\n",
                 &options);
    static const char *const later[] = {"D 2 7 0\n", "W 4 1 7\nD 3 7 0\n"};
    for (size_t i = 0; i < 2; i++) {
        struct batch batch = read_trace(later[i], &thread_dialect);
        ok(pass_add(&first, &batch, &cause));
        batch_free(&batch);
    }
    const struct input_death *deaths = first.recorders->input_deaths.deaths;
    expect_number(deaths[node_of(1)].at.place, death_place(5, true));
    expect_number(deaths[node_of(2)].at.place, death_place(5, true));
    expect_number(deaths[node_of(3)].at.place, death_place(6, false));
}

/* Allocations 0, 1 and 2 are nodes 2, 1 and 4, of which 1 is released, with 3. */
Test(recorders, move_with_their_nodes)
{
    static const struct recorders_options options = {.uses.first_uses = true};
    static const node_t moved[] = {0, 0, 1, 0, 2};
    record_trace("W 11 1 7\nN 12 100 1 1 0 7\nN 11 30 1 1 0 7\nM 1 0 7\nW 13 1 7\nW 12 1 7\n"
                 "N 14 5 1 1 0 7\nM 2 0 7\nU 0 14 3 7\nU 0 0 3 7\n",
                 &options);
    ok(pass_move(&first, moved, &cause));
    const struct uses *uses = first.recorders->uses;
    const struct allocations *allocations = &first.recorders->allocations;
    expect_number(uses_count(uses, 1), 2);
    expect_number(uses_count(uses, 2), 3);
    cr_expect_eq(uses_last(uses, 2), USE_STATIC);
    expect_number(uses_first(uses)[1], 1);
    expect_number(uses_first(uses)[2], 2);
    expect_number(allocations->ticks.count, 2);
    expect_number(allocations_size(allocations, 0), 100);
    expect_number(allocations_size(allocations, 1), 5);
    struct batch batch = read_trace("N 15 4 1 1 0 7\nW 16 1 7\n", &thread_dialect);
    ok(pass_add(&first, &batch, &cause));
    batch_free(&batch);
    expect_number(uses_count(uses, node_of(15)), 1);
    expect_number(uses_count(uses, node_of(16)), 1);
    expect_number(allocations_size(allocations, 2), 4);
}

Test(recorders, count_bytes_to_2_to_the_64)
{
    struct allocations allocations = {.kinds = NULL};
    ok(allocations_add(&allocations, 1, 0, false, &cause));
    ok(allocations_add(&allocations, 5, UINT64_MAX - 3, false, &cause));
    ok(allocations_add(&allocations, 5, 3, true, &cause));
    expect_number(allocations_size(&allocations, 0), 0);
    expect_number(allocations_size(&allocations, 1), UINT64_MAX - 3);
    expect_number(allocations_size(&allocations, 2), 3);
    expect_number(allocations_clock(&allocations, 3), UINT64_MAX - 3); /* the last is older */
    expect_number(ascending_at(&allocations.bytes, 2), UINT64_MAX);
    expect_number(ascending_at(&allocations.ticks, 2), 5);
    expect_failure(allocations_add(&allocations, 6, 1, false, &cause), STATUS_LIMIT, 0,
                   "The trace allocates more than 2^64-1 bytes: reports cannot count them");
    expect_number(allocations.ticks.count, 3);
    allocations_free(&allocations);
}
