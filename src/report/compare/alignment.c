/* SPDX-License-Identifier: MIT */
/* A recording is a trace as far as the comparison needs it: allocations and deaths with their
 * lines and ticks. Two recordings belong together when they allocate the same objects at the
 * same ticks. Which ticks of the trace recorded deaths mean: by time, if all their times are
 * the clock's; else by the boundary that each stands after: tracers write times of other
 * clocks, and tools append all deaths to the end. Both lists are sorted by object once, and
 * compared in one walk. */
#include "report/compare/alignment.h"

#include "base/memory.h"
#include "merlin/sort.h"

#include <inttypes.h>
#include <stdlib.h>

static enum status recording_add_allocation(struct recording *recording,
                                            const struct record *record, uint64_t line,
                                            struct failure *why)
{
    if (!ARRAY_RESERVE(recording->allocations, recording->allocation_capacity,
                       recording->allocation_count + 1))
        return fail_memory(why);
    recording->allocations[recording->allocation_count++] =
        (struct recorded_allocation){.object = record->object,
                                     .line = line,
                                     .tick = recording->ticks,
                                     .thread = recording->explicit_time ? 0 : record->thread};
    return STATUS_OK;
}

static enum status recording_add_death(struct recording *recording, const struct record *record,
                                       uint64_t line, struct failure *why)
{
    if (!ARRAY_RESERVE(recording->deaths, recording->death_capacity,
                       recording->death_count + 1))
        return fail_memory(why);
    recording->deaths[recording->death_count++] = (struct recorded_death){
        .object = record->object,
        .time = record->time,
        .line = line,
        .allocations = recording->allocation_count,
        .ticks = recording->ticks,
        .records = recording->lines.records,
        .at_boundary =
            recording->ticks > 0 && recording->lines.records == recording->boundary_record,
    };
    return STATUS_OK;
}

static inline enum status recording_add_record(struct recording *recording,
                                               const struct record *record, uint64_t line,
                                               struct failure *why)
{
    if (record->kind == RECORD_DEATH)
        return recording_add_death(recording, record, line, why);
    TRY(line_map_add(&recording->lines, line, why));
    if (record_is_allocation(record->kind))
        return recording_add_allocation(recording, record, line, why);
    if (record_is_boundary(record->kind)) {
        recording->ticks++;
        recording->boundary_record = recording->lines.records;
    }
    return STATUS_OK;
}

enum status recording_add(struct recording *recording, const struct batch *batch,
                          struct failure *why)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        TRY(recording_add_record(recording, record, batch->first_line + record->line, why));
    }
    return STATUS_OK;
}

/* Whether the file has no allocations and no boundaries: nothing of the trace but its deaths.
 */
static bool recording_is_deaths_only(const struct recording *recording)
{
    return recording->allocation_count == 0 && recording->ticks == 0;
}

/* Whether the deaths stand where they happened; not, when all are after the last record. */
static bool recording_has_positions(const struct recording *recording)
{
    return !recording_is_deaths_only(recording) && recording->death_count > 0 &&
           recording->deaths[0].records < recording->lines.records;
}

static enum status fail_number(const struct recording *trace, const struct recording *other,
                               const char *of_what, uint64_t wanted, uint64_t count,
                               struct failure *why)
{
    return fail_at(why, STATUS_MEANING, other->name, 0,
                   "This is no recording of %s: the number of its %s is %" PRIu64
                   ", not %" PRIu64,
                   trace->name, of_what, count, wanted);
}

/* Checks that two recordings that are not deaths only are of the same trace: that the same
 * objects are allocated at the same ticks. STATUS_MEANING: the first record of `other` that
 * differs. */
static enum status recording_match(const struct recording *trace, const struct recording *other,
                                   struct failure *why)
{
    for (size_t i = 0; i < trace->allocation_count && i < other->allocation_count; i++) {
        const struct recorded_allocation *wanted = &trace->allocations[i];
        const struct recorded_allocation *got = &other->allocations[i];
        if (wanted->object != got->object)
            return fail_at(why, STATUS_MEANING, other->name, got->line,
                           "This is no recording of %s: object %" PRIu64
                           " is allocated where line %" PRIu64
                           " of the trace allocates %" PRIu64,
                           trace->name, got->object, wanted->line, wanted->object);
        if (wanted->tick != got->tick)
            return fail_at(why, STATUS_MEANING, other->name, got->line,
                           "This is no recording of %s: object %" PRIu64
                           " is allocated after %" PRIu64 " method boundaries, in line %" PRIu64
                           " of the trace after %" PRIu64,
                           trace->name, got->object, got->tick, wanted->line, wanted->tick);
    }
    if (trace->allocation_count != other->allocation_count)
        return fail_number(trace, other, "allocations", trace->allocation_count,
                           other->allocation_count, why);
    if (trace->ticks != other->ticks)
        return fail_number(trace, other, "method boundaries", trace->ticks, other->ticks, why);
    return STATUS_OK;
}

void recording_free(struct recording *recording)
{
    free(recording->allocations);
    free(recording->deaths);
    line_map_free(&recording->lines);
    *recording = (struct recording){.name = NULL};
}

/* Whether the time of a death is one that the clock had shown where the death stands. */
static bool fits_clock(const struct alignment *alignment, const struct recorded_death *death)
{
    const struct clock *clock = alignment->clock;
    return clock_has(clock, death->time, alignment->has_positions ? death->ticks : clock->now);
}

static uint64_t find_misfit(const struct alignment *alignment)
{
    const struct recording *recorded = alignment->recorded;
    for (size_t i = 0; i < recorded->death_count; i++)
        if (!fits_clock(alignment, &recorded->deaths[i]))
            return recorded->deaths[i].line;
    return 0;
}

static enum status choose(struct alignment *alignment, struct failure *why)
{
    alignment->by = alignment->requested;
    alignment->misfit_line = find_misfit(alignment);
    if (alignment->requested == COMPARE_BY_AUTO)
        alignment->by = alignment->misfit_line == 0 ? COMPARE_BY_TIME : COMPARE_BY_POSITION;
    if (alignment->by == COMPARE_BY_TIME || alignment->has_positions ||
        alignment->recorded->death_count == 0)
        return STATUS_OK;
    if (alignment->requested == COMPARE_BY_POSITION)
        return fail_at(why, STATUS_MEANING, alignment->recorded->name, 0,
                       "All deaths stand after the last record, so they have no position; "
                       "--compare-by=time compares their times");
    return fail_at(why, STATUS_MEANING, alignment->recorded->name, alignment->misfit_line,
                   "The time of this death is not one of the trace's clock, and the deaths "
                   "stand after the last record, so they have no position; --compare-by=time "
                   "nevertheless compares their times");
}

/* Sets *order to the numbers below `count`, sorted by their keys; takes over `keys`. */
static enum status sort_by(node_t **order, uint64_t *keys, size_t count,
                           const struct interrupt *interrupt, struct failure *why)
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
        status = sort_nodes(*order, count, keys, max_key, interrupt, why);
    free(keys);
    return status;
}

static enum status sort_allocations(struct alignment *alignment, struct failure *why)
{
    const struct recording *trace = alignment->trace;
    uint64_t *keys = array_new(trace->allocation_count, sizeof *keys);
    for (size_t i = 0; keys && i < trace->allocation_count; i++)
        keys[i] = trace->allocations[i].object;
    return sort_by(&alignment->allocations, keys, trace->allocation_count, alignment->interrupt,
                   why);
}

static enum status sort_deaths(struct alignment *alignment, struct failure *why)
{
    const struct recording *recorded = alignment->recorded;
    if (recorded->death_count >= NODE_MAX)
        return fail_at(why, STATUS_LIMIT, recorded->name, 0,
                       "There are more than %" PRIu64 " deaths", (uint64_t)NODE_MAX - 1);
    uint64_t *keys = array_new(recorded->death_count, sizeof *keys);
    for (size_t i = 0; keys && i < recorded->death_count; i++)
        keys[i] = recorded->deaths[i].object;
    return sort_by(&alignment->deaths, keys, recorded->death_count, alignment->interrupt, why);
}

enum status alignment_init(struct alignment *alignment, const struct recording *trace,
                           const struct recording *recorded, const struct clock *clock,
                           enum compare_by by, const struct interrupt *interrupt,
                           struct failure *why)
{
    *alignment = (struct alignment){
        .trace = trace,
        .recorded = recorded,
        .clock = clock,
        .requested = by,
        .interrupt = interrupt,
        .has_positions = recording_has_positions(recorded),
        .same_records = recorded->lines.records == trace->lines.records,
    };
    if (recorded != trace && !recording_is_deaths_only(recorded))
        TRY(recording_match(trace, recorded, why));
    TRY(choose(alignment, why));
    TRY(sort_allocations(alignment, why));
    return sort_deaths(alignment, why);
}

struct tick_span alignment_span(const struct alignment *alignment,
                                const struct recorded_death *death)
{
    struct tick_span span = {death->ticks, death->ticks};
    if (alignment->by == COMPARE_BY_TIME)
        clock_find(alignment->clock, death->time, &span.first, &span.last);
    return span;
}

/* Where a death stands in the trace. After the last record is the end. In another file the
 * records have other numbers, so within a tick nothing is known to be after it. */
static uint64_t place_of(const struct alignment *alignment, const struct recorded_death *death)
{
    if (death->records == alignment->recorded->lines.records)
        return PLACE_AT_END;
    if (!alignment->same_records)
        return death->at_boundary ? PLACE_AT_TICK : PLACE_AT_END;
    return death_place(death->records, death->at_boundary);
}

struct death_instant alignment_instant(const struct alignment *alignment,
                                       const struct recorded_death *death)
{
    uint64_t last = alignment_span(alignment, death).last;
    bool by_position = alignment->by == COMPARE_BY_POSITION;
    uint64_t at_time = last < alignment->clock->now ? PLACE_AT_TICK : PLACE_AT_END;
    return (struct death_instant){last, by_position ? place_of(alignment, death) : at_time};
}

uint64_t alignment_shown_time(const struct alignment *alignment,
                              const struct recorded_death *death)
{
    return alignment->by == COMPARE_BY_TIME ? death->time
                                            : clock_time(alignment->clock, death->ticks);
}

void alignment_free(struct alignment *alignment)
{
    free(alignment->allocations);
    free(alignment->deaths);
    *alignment = (struct alignment){.trace = NULL};
}
