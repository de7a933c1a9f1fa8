/* SPDX-License-Identifier: MIT */
/* What decides is the last use of an object without regard to frames (struct proof). An object
 * that is freed before that record is freed too early under any assumption. The next allocation
 * after the record is the first at which the object can be freed. */
#include "report/check/check.h"

#include "base/memory.h"

#include <stdlib.h>

/* The record of the last use of an allocation's object. */
static uint64_t last_use(const struct check *check, size_t allocation)
{
    return check->uses[check->traced->allocations[allocation].number].record;
}

/* The number, from 1, of the first allocation at which it can be freed; 1 more than there are:
 * at the end. */
static uint64_t least_moment(const struct check *check, size_t allocation)
{
    return traced_made(check->traced, last_use(check, allocation)) + 1;
}

/* The number, from 1, of the allocation at which it is freed; 1 more than there are: at the
 * end, or not at all. An object that is freed before it is allocated counts as freed right
 * after. */
static uint64_t real_moment(const struct check *check, size_t allocation)
{
    uint64_t freed_at = check->matching->matches[allocation].freed_at;
    if (freed_at == 0)
        return check->traced->count + 1;
    return freed_at < allocation + 2 ? allocation + 2 : freed_at;
}

static enum check_verdict judge_allocation(const struct check *check, size_t allocation)
{
    const struct oracle_match *match = &check->matching->matches[allocation];
    if (match->line == 0)
        return VERDICT_MISSING;
    if (match->freed_at == 0)
        return VERDICT_NEVER;
    if (check->matching->numbers_records && match->freed_after < last_use(check, allocation))
        return VERDICT_EARLY;
    uint64_t least = least_moment(check, allocation);
    return match->freed_at < least    ? VERDICT_EARLY
           : match->freed_at == least ? VERDICT_ON_TIME
                                      : VERDICT_LATE;
}

/* Describes how late the allocations with this verdict are freed. */
static enum status describe_lateness(const struct check *check, enum check_verdict verdict,
                                     struct lateness *lateness, struct failure *why)
{
    const struct traced *traced = check->traced;
    size_t of = (size_t)check->figures.verdicts[verdict], count = 0;
    uint64_t *allocations = array_new(of, sizeof *allocations);
    uint64_t *bytes = array_new(of, sizeof *bytes);
    bool has_room = allocations && bytes;
    for (size_t i = 0; has_room && i < traced->count; i++) {
        if (judge_allocation(check, i) != verdict)
            continue;
        size_t least = (size_t)least_moment(check, i) - 1;
        size_t real = (size_t)real_moment(check, i) - 1;
        allocations[count] = real - least;
        bytes[count++] = traced_bytes(traced, real) - traced_bytes(traced, least);
    }
    if (has_room) {
        lateness->allocations = figures_describe(allocations, count);
        lateness->bytes = figures_describe(bytes, count);
    }
    free(allocations);
    free(bytes);
    return has_room ? STATUS_OK : fail_memory(why);
}

/* Adds up the live bytes after each allocation, if each object is freed at its `moment`. */
static enum status sum_live(const struct check *check,
                            uint64_t (*moment)(const struct check *check, size_t allocation),
                            struct live_bytes *sums, struct failure *why)
{
    const struct traced *traced = check->traced;
    uint64_t *freed = array_new(traced->count + 2, sizeof *freed); /* by moment */
    if (!freed)
        return fail_memory(why);
    for (size_t i = 0; i < traced->count; i++)
        freed[moment(check, i)] += traced_size(traced, i);
    uint64_t live = 0;
    for (size_t i = 0; i < traced->count; i++) {
        live += traced_size(traced, i) - freed[i + 1];
        sums->peak = live > sums->peak ? live : sums->peak;
        sums->sum += live;
    }
    free(freed);
    return STATUS_OK;
}

enum status check_oracle_matches(struct check *check, const struct traced *traced,
                                 const struct proof *uses, const struct matching *matching,
                                 struct failure *why)
{
    *check = (struct check){.traced = traced, .uses = uses, .matching = matching};
    struct check_figures *figures = &check->figures;
    for (size_t i = 0; i < traced->count; i++)
        figures->verdicts[judge_allocation(check, i)]++;
    for (size_t i = 0; i < matching->faulty_count; i++)
        figures->faults[matching->faulty[i].fault]++;
    TRY(describe_lateness(check, VERDICT_LATE, &figures->late, why));
    TRY(describe_lateness(check, VERDICT_NEVER, &figures->never, why));
    TRY(sum_live(check, real_moment, &figures->freed, why));
    return sum_live(check, least_moment, &figures->least, why);
}

uint64_t check_faulty_allocations(const struct check *check)
{
    return check->figures.verdicts[VERDICT_EARLY] + check->figures.verdicts[VERDICT_MISSING];
}

bool check_is_clean(const struct check *check)
{
    return check_faulty_allocations(check) == 0 && check->matching->faulty_count == 0;
}

struct check_oracle_row check_oracle_row(const struct check *check, size_t allocation)
{
    const struct traced *traced = check->traced;
    const struct oracle_match *match = &check->matching->matches[allocation];
    struct check_oracle_row row = {
        .verdict = judge_allocation(check, allocation),
        .oracle_line = match->free_line > 0 ? match->free_line : match->line,
        .line = traced_line(traced, allocation),
        .object = traced->allocations[allocation].object,
        .used_line = line_map_line(&traced->lines, last_use(check, allocation)),
    };
    if (match->freed_at == 0)
        return row;
    if (check->matching->numbers_records && match->freed_after < traced->lines.records)
        row.freed_line = line_map_line(&traced->lines, match->freed_after + 1);
    else if (!check->matching->numbers_records && match->freed_at <= traced->count)
        row.freed_line = traced_line(traced, (size_t)match->freed_at - 1);
    return row;
}
