/* SPDX-License-Identifier: MIT */
/* The rule is the same as for --compare-by=auto: one time that cannot be the clock's makes all
 * of them times of another clock, which may count nanoseconds. */
#include "merlin/recorded_times.h"

#include "merlin/clock.h"
#include "trace/readahead.h"

struct times_check {
    const struct reader *reader;
    struct clock clock;
    bool has_misfit;
    uint64_t misfit_line;
    bool has_positions; /* a record other than a death follows a death */
    bool has_deaths;
    bool has_clock; /* there is a boundary */
};

static enum status check_record(struct times_check *check, const struct record *record,
                                uint64_t line, struct failure *why)
{
    if (record->kind == RECORD_DEATH) {
        check->has_deaths = true;
        if (!check->has_misfit && !clock_has(&check->clock, record->time, check->clock.now)) {
            check->has_misfit = true;
            check->misfit_line = line;
        }
        return STATUS_OK;
    }
    check->has_positions |= check->has_deaths;
    if (!record_is_boundary(record->kind))
        return STATUS_OK;
    check->has_clock = true;
    if (check->reader->explicit_time)
        return clock_tick_at(&check->clock, record->time, why);
    clock_tick(&check->clock);
    return STATUS_OK;
}

static enum status check_times(void *context, const struct batch *batch, struct failure *why)
{
    for (size_t i = 0; i < batch->count; i++)
        TRY(check_record(context, &batch->records[i],
                         batch->first_line + batch->records[i].line, why));
    return STATUS_OK;
}

/* HATF that was converted to Elephant Tracks has no boundaries. */
static enum status judge(const struct times_check *check, uint64_t digest,
                         struct recorded_times *times, struct failure *why)
{
    bool by_record = !check->has_clock && check->reader->explicit_time;
    *times = (struct recorded_times){.by_position = check->has_misfit && check->has_clock,
                                     .has_clock = check->has_clock,
                                     .digest = digest};
    if (!check->has_misfit || by_record || (check->has_clock && check->has_positions))
        return STATUS_OK;
    if (!check->has_clock)
        return fail_at(why, STATUS_MEANING, check->reader->name, check->misfit_line,
                       "The trace has no method boundary, and so no clock that this time "
                       "belongs to; --dialect=time takes the last fields of its records for "
                       "times");
    return fail_at(
        why, STATUS_MEANING, check->reader->name, check->misfit_line,
        "The time of this death is not one of the trace's clock, and no death stands before a "
        "boundary, so their positions do not show when objects died");
}

enum status recorded_times_check(struct reader *reader, unsigned threads,
                                 struct recorded_times *times, struct failure *why)
{
    struct times_check check = {.reader = reader};
    reader_rewind(reader, NULL);
    enum status status = readahead_visit(reader, threads, check_times, &check, why);
    uint64_t digest = reader_digest(reader);
    clock_free(&check.clock);
    reader_rewind(reader, NULL);
    return status == STATUS_OK ? judge(&check, digest, times, why) : status;
}
