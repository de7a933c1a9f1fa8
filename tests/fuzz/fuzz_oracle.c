/* SPDX-License-Identifier: MIT */
/* The reader of oracles: two readings must give the same rows. The rows are checked against a
 * small trace, and etmerlin-replay makes a plan of them. */
#include "fuzz.h"

#include "replay/replay.h"
#include "report/check/check.h"

#include <xxhash.h>

const char fuzz_target[] = "oracle";

struct rows_reading {
    enum status status;
    uint64_t rows;
    uint64_t digest;
};

static struct rows_reading read_rows(const char *path)
{
    struct rows_reading reading = {.rows = 0};
    struct failure why = {.status = STATUS_OK};
    struct oracle_rows *rows = NULL;
    struct oracle_row row;
    reading.status = oracle_rows_open(&rows, path, NULL, &why);
    while (reading.status == STATUS_OK &&
           (reading.status = oracle_rows_next(rows, &row, &why)) == STATUS_OK) {
        const uint64_t fields[] = {row.line,          row.object, row.size,        row.sequence,
                                   row.free_sequence, row.thread, row.free_thread, row.is_free};
        reading.digest = XXH3_64bits_withSeed(fields, sizeof fields, reading.digest);
        reading.digest = XXH3_64bits_withSeed(row.type, row.type_length, reading.digest);
        reading.rows++;
    }
    promised((why.text != NULL) == (reading.status != STATUS_END));
    oracle_rows_close(rows);
    failure_clear(&why);
    return reading;
}

/* Those of the trace that make_trace makes. */
enum { ALLOCATIONS = 4 };

/* Makes a trace of two threads, with an id that repeats and a use of the first thread's object.
 */
static void make_trace(struct traced *traced, struct pass *pass, struct failure *why)
{
    struct record records[] = {
        {.kind = RECORD_OBJECT, .line = 0, .object = 11, .size = 24, .thread = 1},
        {.kind = RECORD_OBJECT, .line = 1, .object = 12, .size = 32, .thread = 2},
        {.kind = RECORD_OBJECT, .line = 2, .object = 11, .size = 8, .thread = 1},
        {.kind = RECORD_WITNESS, .line = 3, .object = 12, .thread = 1},
        {.kind = RECORD_OBJECT, .line = 4, .object = 13, .size = 16, .thread = 1},
    };
    const struct batch batch = {
        .records = records, .count = sizeof records / sizeof *records, .first_line = 1};
    const struct recorders_options proofs = {.uses.proofs = true};
    promised(pass_init(pass, HELD_BY_NONE, false, why) == STATUS_OK &&
             recorders_open(pass, &proofs, why) == STATUS_OK &&
             traced_add(traced, &batch, why) == STATUS_OK &&
             pass_add(pass, &batch, why) == STATUS_OK);
}

static void list_uses(struct proof *uses, const struct pass *pass)
{
    size_t count;
    const node_t *nodes = objects_allocations(pass->heap.objects, &count);
    promised(count == ALLOCATIONS);
    for (size_t i = 0; i < count; i++)
        uses[i] = uses_proofs(pass->recorders->uses)[nodes[i]];
}

/* Expects one verdict for each allocation, and at most two reports on a row. */
static void check_rows(const char *path)
{
    struct failure why = {.status = STATUS_OK};
    struct traced traced = {.allocations = NULL};
    struct pass pass;
    struct matching matching = {.matches = NULL};
    struct check check;
    struct oracle_rows *rows = NULL;
    make_trace(&traced, &pass, &why);
    if (oracle_rows_open(&rows, path, NULL, &why) == STATUS_OK &&
        matching_read(&matching, rows, &traced, pass.heap.frames, &why) == STATUS_OK) {
        uint64_t sum = 0;
        struct proof uses[ALLOCATIONS];
        list_uses(uses, &pass);
        promised(check_oracle_matches(&check, &traced, uses, &matching, &why) == STATUS_OK);
        for (unsigned i = 0; i < VERDICTS; i++)
            sum += check.figures.verdicts[i];
        promised(sum == traced.count && matching.faulty_count <= 2 * matching.rows);
        promised(check.figures.least.peak <= check.figures.freed.peak ||
                 check.figures.verdicts[VERDICT_EARLY] > 0);
    }
    oracle_rows_close(rows);
    matching_free(&matching);
    pass_free(&pass);
    traced_free(&traced);
    failure_clear(&why);
}

/* Expects that each object is allocated in one step, and freed in the step of a later
 * allocation or in the last step of a thread. */
static void check_plan(const struct replay_plan *plan)
{
    size_t steps = plan->first_steps[plan->threads], freed = 0;
    promised(steps == plan->count + plan->threads);
    for (size_t step = 0; step < steps; step++) {
        size_t allocated = plan->allocated[step];
        promised(allocated == PLAN_NONE || plan->step_of[allocated] == step);
        promised(plan->freed_begin[step] == freed);
        for (; freed < plan->freed_begin[step + 1]; freed++)
            promised(plan->freed[freed] < allocated &&
                     plan->objects[plan->freed[freed]].freed_at == step);
    }
    promised(freed == plan->count && plan_peak(plan) <= plan_bytes(plan));
}

static void make_plan(const char *path)
{
    struct failure why = {.status = STATUS_OK};
    struct replay_plan plan;
    enum status status = plan_load(&plan, path, &why);
    promised(status == why.status);
    if (status == STATUS_OK)
        check_plan(&plan);
    plan_free(&plan);
    failure_clear(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *path = fuzz_file(bytes, length);
    struct rows_reading first = read_rows(path), second = read_rows(path);
    promised(first.status == second.status && first.rows == second.rows &&
             first.digest == second.digest);
    check_rows(path);
    make_plan(path);
    return 0;
}
