/* SPDX-License-Identifier: MIT */
/* A trace as far as the comparison needs it: allocations and deaths with their lines and ticks.
 * Two recordings belong together when they allocate the same objects at the same ticks. */
#include "report/compare/recording.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

static enum status recording_add_allocation(struct recording *recording,
                                            const struct record *record, uint64_t line,
                                            struct failure *why)
{
    if (!ARRAY_RESERVE(recording->allocations, recording->allocation_capacity,
                       recording->allocation_count + 1))
        return fail_memory(why);
    recording->allocations[recording->allocation_count++] = (struct recorded_allocation){
        .object = record->object, .line = line, .tick = recording->ticks};
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
    enum status status = line_map_add(&recording->lines, line, why);
    if (record_is_boundary(record->kind)) {
        recording->ticks++;
        recording->boundary_record = recording->lines.records;
    } else if (record_is_allocation(record->kind) && status == STATUS_OK) {
        status = recording_add_allocation(recording, record, line, why);
    }
    return status;
}

enum status recording_add(struct recording *recording, const struct batch *batch,
                          struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        status = recording_add_record(recording, record, batch->first_line + record->line, why);
    }
    return status;
}

uint64_t recording_line(const struct recording *recording, uint64_t record)
{
    return line_map_line(&recording->lines, record);
}

bool recording_is_deaths_only(const struct recording *recording)
{
    return recording->allocation_count == 0 && recording->ticks == 0;
}

bool recording_has_positions(const struct recording *recording)
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

enum status recording_match(const struct recording *trace, const struct recording *other,
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
