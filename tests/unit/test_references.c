/* SPDX-License-Identifier: MIT */
#include "merlin/recorders/references.h"
#include "support.h"

TestSuite(references, .fini = scratch_remove);

/* A reference whose members are all made from `i`. */
static struct reference make(uint64_t i)
{
    return (struct reference){
        .container = 3 * i,
        .field = UINT64_MAX - i,
        .target = i * i,
        .created = i,
        .ended = 2 * i,
        .end = i % 2 ? REFERENCE_CLEARED : REFERENCE_OVERWRITTEN,
    };
}

static struct references *open_references(bool by_id)
{
    char path[PATH_SIZE];
    struct references *references = NULL;
    const struct temporary_folder temporary = {.path = scratch_path(path, "")};
    ok(references_open(&references, by_id, &temporary, &cause));
    cr_expect_eq(references_are_by_id(references), by_id);
    return references;
}

static void expect_next(struct references *references, const struct reference *wanted)
{
    struct reference found;
    ok(references_next(references, &found, &cause));
    expect_number(found.container, wanted->container);
    expect_number(found.field, wanted->field);
    expect_number(found.target, wanted->target);
    expect_number(found.created, wanted->created);
    expect_number(found.ended, wanted->ended);
    expect_number(found.end, wanted->end);
}

static void expect_end_of(struct references *references)
{
    struct reference found;
    cr_expect_eq(references_next(references, &found, &cause), STATUS_END);
    cr_expect_eq(references_next(references, &found, &cause), STATUS_END);
    references_close(references);
}

static void expect_count(uint64_t count)
{
    struct references *references = open_references(false);
    for (uint64_t i = 0; i < count; i++) {
        struct reference reference = make(i);
        ok(references_add(references, &reference, &cause));
    }
    for (uint64_t i = 0; i < count; i++) {
        struct reference wanted = make(i);
        expect_next(references, &wanted);
    }
    expect_end_of(references);
}

Test(references, come_back_in_order_however_many)
{
    const uint64_t counts[] = {0, 1, 2, 10000};
    for (size_t i = 0; i < ITEMS(counts); i++)
        expect_count(counts[i]);
}

/* Containers 7, 2 and 5 die in this order. The two references of each keep their order. */
Test(references, that_were_in_place_come_by_container)
{
    struct references *references = open_references(true);
    static const uint64_t died[] = {7, 2, 5}, named[] = {2, 5, 7};
    struct reference ended = make(1);
    for (size_t i = 0; i < ITEMS(died); i++)
        for (uint64_t field = 9; field > 7; field--) {
            const struct reference reference = {.container = 100 + died[i],
                                                .field = field,
                                                .target = UINT64_MAX,
                                                .created = died[i],
                                                .ended = 50 + died[i],
                                                .end = REFERENCE_DROPPED};
            ok(references_leave(references, died[i], &reference, &cause));
        }
    const struct reference left = {.target = 4, .end = REFERENCE_LEFT};
    ok(references_leave(references, 0, &left, &cause));
    ok(references_add(references, &ended, &cause));
    expect_next(references, &ended);
    expect_next(references, &left);
    for (size_t i = 0; i < ITEMS(named); i++)
        for (uint64_t field = 9; field > 7; field--) {
            const struct reference wanted = {.container = 100 + named[i],
                                             .field = field,
                                             .target = UINT64_MAX,
                                             .created = named[i],
                                             .ended = 50 + named[i],
                                             .end = REFERENCE_DROPPED};
            expect_next(references, &wanted);
        }
    expect_end_of(references);
}

Test(references, need_a_folder)
{
    struct references *references;
    cr_expect_eq(references_open(&references, false,
                                 &(struct temporary_folder){.path = "/nonexistent"}, &cause),
                 STATUS_IO);
    references_close(NULL);
}
