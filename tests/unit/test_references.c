/* SPDX-License-Identifier: MIT */
#include "merlin/references.h"
#include "support.h"

TestSuite(references, .fini = scratch_remove);

/* A reference of which each field tells `i`. */
static struct ended_reference make(uint64_t i)
{
    return (struct ended_reference){
        .field = UINT64_MAX - i,
        .created = i,
        .ended = 2 * i,
        .container = (node_t)(3 * i),
        .target = NODE_MAX - (node_t)i,
        .cleared = i % 2,
    };
}

static void expect_count(uint64_t count)
{
    struct references *references;
    struct ended_reference found;
    char path[PATH_SIZE];
    ok(references_open(&references, &(struct spool_place){.folder = scratch_path(path, "")},
                       &cause));
    for (uint64_t i = 0; i < count; i++) {
        struct ended_reference reference = make(i);
        ok(references_add(references, &reference, &cause));
    }
    for (uint64_t i = 0; i < count; i++) {
        struct ended_reference wanted = make(i);
        ok(references_next(references, &found, &cause));
        must(found.field == wanted.field && found.created == wanted.created &&
                 found.ended == wanted.ended && found.container == wanted.container &&
                 found.target == wanted.target && found.cleared == wanted.cleared,
             "reference %" PRIu64 " of %" PRIu64, i, count);
    }
    cr_expect_eq(references_next(references, &found, &cause), STATUS_END);
    cr_expect_eq(references_next(references, &found, &cause), STATUS_END);
    references_close(references);
}

Test(references, come_back_in_order_however_many)
{
    const uint64_t counts[] = {0, 1, 2047, 2048, 2049, 4096, 10000};
    for (size_t i = 0; i < ITEMS(counts); i++)
        expect_count(counts[i]);
}

Test(references, need_a_folder)
{
    struct references *references;
    cr_expect_eq(
        references_open(&references, &(struct spool_place){.folder = "/nonexistent"}, &cause),
        STATUS_IO);
    references_close(NULL);
}
