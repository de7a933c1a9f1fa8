#include "report/basis.h"

#include "base/memory.h"
#include "merlin/sort.h"

#include <inttypes.h>
#include <stdlib.h>

/* Whether the time of a death is one that the clock had shown where the death stands. */
static bool fits_clock(const struct basis *basis, const struct recorded_death *death)
{
    const struct clock *clock = basis->clock;
    uint64_t latest = basis->has_places ? death->ticks : clock->now;
    uint64_t earliest = clock->now > 0 ? 1 : 0;
    return death->time >= clock_time(clock, earliest) &&
           death->time <= clock_time(clock, latest);
}

static uint64_t find_misfit(const struct basis *basis)
{
    const struct recording *recorded = basis->recorded;
    for (size_t i = 0; i < recorded->death_count; i++)
        if (!fits_clock(basis, &recorded->deaths[i]))
            return recorded->deaths[i].line;
    return 0;
}

static enum status choose(struct basis *basis, struct failure *why)
{
    basis->by = basis->asked;
    basis->misfit_line = find_misfit(basis);
    if (basis->asked == COMPARE_BY_AUTO)
        basis->by = basis->misfit_line == 0 ? COMPARE_BY_TIME : COMPARE_BY_POSITION;
    if (basis->by == COMPARE_BY_TIME || basis->has_places || basis->recorded->death_count == 0)
        return STATUS_OK;
    if (basis->asked == COMPARE_BY_POSITION)
        return fail_at(why, STATUS_MEANING, basis->recorded->name, 0,
                       "All deaths stand behind the last record, so they have no position; "
                       "--compare-by=time compares their times");
    return fail_at(
        why, STATUS_MEANING, basis->recorded->name, basis->misfit_line,
        "The time of this death is not one of the trace's clock, and the deaths stand "
        "behind the last record, so they have no position; --compare-by=time compares "
        "their times all the same");
}

/* Sets *order to the numbers below `count`, sorted by their keys; takes over `keys`. */
static enum status sort_by(node_t **order, uint64_t *keys, size_t count, struct failure *why)
{
    uint64_t max_key = 0;
    *order = array_new(count, sizeof **order);
    enum status status = *order && keys ? STATUS_OK : fail_memory(why);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        (*order)[i] = (node_t)i;
        if (keys[i] > max_key)
            max_key = keys[i];
    }
    if (status == STATUS_OK)
        status = sort_nodes(*order, count, keys, max_key, why);
    free(keys);
    return status;
}

static enum status sort_allocations(struct basis *basis, struct failure *why)
{
    const struct recording *trace = basis->trace;
    uint64_t *keys = array_new(trace->allocation_count, sizeof *keys);
    for (size_t i = 0; keys && i < trace->allocation_count; i++)
        keys[i] = trace->allocations[i].object;
    return sort_by(&basis->allocations, keys, trace->allocation_count, why);
}

static enum status sort_deaths(struct basis *basis, struct failure *why)
{
    const struct recording *recorded = basis->recorded;
    if (recorded->death_count >= NODE_MAX)
        return fail_at(why, STATUS_LIMIT, recorded->name, 0,
                       "There are more than %" PRIu64 " deaths", (uint64_t)NODE_MAX - 1);
    uint64_t *keys = array_new(recorded->death_count, sizeof *keys);
    for (size_t i = 0; keys && i < recorded->death_count; i++)
        keys[i] = recorded->deaths[i].object;
    return sort_by(&basis->deaths, keys, recorded->death_count, why);
}

enum status basis_init(struct basis *basis, const struct recording *trace,
                       const struct recording *recorded, const struct clock *clock,
                       enum compare_by by, struct failure *why)
{
    *basis = (struct basis){
        .trace = trace,
        .recorded = recorded,
        .clock = clock,
        .asked = by,
        .has_places = recording_has_places(recorded),
    };
    enum status status = STATUS_OK;
    if (recorded != trace && !recording_is_deaths_only(recorded))
        status = recording_match(trace, recorded, why);
    if (status == STATUS_OK)
        status = choose(basis, why);
    if (status == STATUS_OK)
        status = sort_allocations(basis, why);
    if (status == STATUS_OK)
        status = sort_deaths(basis, why);
    return status;
}

struct span basis_span(const struct basis *basis, const struct recorded_death *death)
{
    struct span span = {death->ticks, death->ticks};
    if (basis->by == COMPARE_BY_TIME)
        clock_find(basis->clock, death->time, &span.first, &span.last);
    return span;
}

uint64_t basis_shown_time(const struct basis *basis, const struct recorded_death *death)
{
    return basis->by == COMPARE_BY_TIME ? death->time : clock_time(basis->clock, death->ticks);
}

void basis_free(struct basis *basis)
{
    free(basis->allocations);
    free(basis->deaths);
    *basis = (struct basis){.trace = NULL};
}
