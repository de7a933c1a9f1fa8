/* SPDX-License-Identifier: MIT */
#include "merlin/propagation.h"
#include "report/compare/compare.h"
#include "support.h"

static struct recording trace = {.name = "trace"}, list = {.name = "list"};
static struct clock clock_;
static struct alignment alignment;
static struct pairing pairing;

static void release(void)
{
    pairing_free(&pairing);
    alignment_free(&alignment);
    recording_free(&trace);
    recording_free(&list);
    clock_free(&clock_);
}

TestSuite(pairing, .fini = release);

/* Adds a record to the recording, on the line after the last one. */
static void add(struct recording *recording, struct record record)
{
    static uint64_t line;
    struct batch batch = {.records = &record, .count = 1, .first_line = ++line};
    ok(recording_add(recording, &batch, &cause));
}

static void allocate(uint64_t object)
{
    add(&trace, (struct record){.kind = RECORD_OBJECT, .object = object});
}

static void tick(void)
{
    add(&trace, (struct record){.kind = RECORD_ENTRY});
    clock_tick(&clock_);
}

static void die(struct recording *recording, uint64_t object, uint64_t time)
{
    add(recording, (struct record){.kind = RECORD_DEATH, .object = object, .time = time});
}

/* Pairs the deaths; by allocation, `computed` are the ticks of death, and `uses` the last uses.
 */
static void pair_used(const struct recording *recorded, enum compare_by by,
                      const uint64_t *computed, const struct proof *uses)
{
    ok(alignment_init(&alignment, &trace, recorded, &clock_, by, NULL, &cause));
    ok(pairing_init(&pairing, &alignment, computed, uses, &cause));
}

/* The same without uses. */
static void pair_with(const struct recording *recorded, const uint64_t *computed)
{
    struct proof *uses = calloc(trace.allocation_count, sizeof *uses);
    must(uses, "no memory");
    pair_used(recorded, COMPARE_BY_AUTO, computed, uses);
    free(uses);
}

Test(pairing, an_appended_death_belongs_to_the_allocation_before_its_time)
{
    static const uint64_t computed[] = {NEVER, NEVER};
    allocate(7);
    tick();
    tick();
    allocate(7);
    tick();
    die(&list, 7, 3);
    die(&list, 7, 2);
    pair_with(&list, computed);
    expect_number(pairing.death_of[0], 2);
    expect_number(pairing.death_of[1], 1);
}

static void expect_fate_in_both(enum death_fate fate)
{
    static const uint64_t computed[] = {3};
    pair_with(&trace, computed);
    expect_number(pairing.fates[0], fate);
    pairing_free(&pairing);
    alignment_free(&alignment);
    pair_with(&list, computed);
    expect_number(pairing.fates[0], fate);
}

Test(pairing, a_death_before_the_time_of_the_allocation_is_unknown_in_place_and_in_a_list)
{
    tick();
    die(&trace, 7, 1);
    die(&list, 7, 1);
    tick();
    allocate(7);
    tick();
    expect_fate_in_both(DEATH_UNKNOWN);
}

Test(pairing, a_death_at_the_time_of_the_allocation_is_its_own_in_place_and_in_a_list)
{
    tick();
    tick();
    die(&trace, 7, 2);
    die(&list, 7, 2);
    allocate(7);
    tick();
    expect_fate_in_both(DEATH_PAIRED);
}

/* Pairs the deaths of id 7: two objects have it, which die at the ticks `computed`; the
 * recording has four deaths of it, at the ticks `died_at`. */
static void pair_four_deaths(const uint64_t computed[2], const uint64_t died_at[4])
{
    allocate(7);
    allocate(7);
    tick();
    tick();
    tick();
    for (size_t i = 0; i < 4; i++)
        die(&list, 7, died_at[i]);
    pair_with(&list, computed);
    expect_number(pairing.fates[2], DEATH_REPEATED);
    expect_number(pairing.fates[3], DEATH_REPEATED);
}

Test(pairing, agreement_comes_first)
{
    pair_four_deaths((const uint64_t[]){3, 2}, (const uint64_t[]){2, 3, 3, 1});
    expect_number(pairing.death_of[0], 2);
    expect_number(pairing.death_of[1], 1);
}

Test(pairing, more_deaths_than_allocations_of_an_id)
{
    pair_four_deaths((const uint64_t[]){2, 2}, (const uint64_t[]){2, 2, 2, 3});
    expect_number(pairing.death_of[0], 1);
    expect_number(pairing.death_of[1], 2);
}

Test(pairing, a_death_in_a_list_is_of_the_allocation_that_is_not_used_after_it)
{
    static const uint64_t computed[] = {NEVER, NEVER};
    static const struct proof uses[] = {{.record = 3, .tick = 1}, {.record = 5, .tick = 3}};
    allocate(7);
    allocate(7);
    tick();
    tick();
    tick();
    tick();
    die(&list, 7, 2);
    pair_used(&list, COMPARE_BY_TIME, computed, uses);
    expect_number(pairing.death_of[0], 1);
    expect_number(pairing.death_of[1], 0);
}

/* Both uses are in the tick of the death, which stands between them. */
Test(pairing, a_death_in_place_is_of_the_allocation_that_is_not_used_after_it)
{
    static const uint64_t computed[] = {NEVER, NEVER};
    static const struct proof uses[] = {{.record = 4, .tick = 1}, {.record = 5, .tick = 1}};
    allocate(7);
    allocate(7);
    tick();
    add(&trace, (struct record){.kind = RECORD_UPDATE, .value = 7});
    die(&trace, 7, 1);
    add(&trace, (struct record){.kind = RECORD_UPDATE, .value = 7});
    tick();
    pair_used(&trace, COMPARE_BY_POSITION, computed, uses);
    expect_number(pairing.death_of[0], 1);
    expect_number(pairing.death_of[1], 0);
}

/* If each death walked the allocations of its id, this would take hours. */
Test(pairing, a_million_allocations_of_one_id)
{
    enum { COUNT = 1000000 };
    uint64_t *computed = calloc(COUNT, sizeof *computed);
    must(computed, "no memory");
    for (size_t i = 0; i < COUNT; i++) {
        allocate(7);
        tick();
        computed[i] = COUNT - i / 2;
        die(&list, 7, i % 2 ? COUNT - i / 2 : 1);
    }
    pair_with(&list, computed);
    size_t paired = 0;
    for (size_t i = 0; i < COUNT; i++)
        paired += pairing.fates[i] == DEATH_PAIRED;
    cr_expect_gt(paired, COUNT / 4);
    free(computed);
}

Test(pairing, sorting_stops_when_the_program_is_to_end)
{
    const struct interrupt interrupt = {.signal = 15, .descriptor = -1};
    allocate(7);
    tick();
    die(&trace, 7, 1);
    cr_expect_eq(alignment_init(&alignment, &trace, &trace, &clock_, COMPARE_BY_AUTO,
                                &interrupt, &cause),
                 STATUS_INTERRUPTED);
}
