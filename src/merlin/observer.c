/* SPDX-License-Identifier: MIT */
/* Tells a report of allocations and deaths as they pass by in the second reading. When that
 * reading finds only some records, the number of a record is taken from its line, which the
 * first reading has noted. */
#include "merlin/observer.h"

bool observer_needs_all(const struct merge_observer *observer)
{
    return observer && observer->wants_events &&
           (!observer->lines || observer->lines->is_shared);
}

struct showing show_to(const struct merge_observer *observer, const struct history *history,
                       bool reads_all)
{
    struct showing showing = {.observer = observer, .reads_all = reads_all};
    for (size_t i = 0; observer && i < record_layout_count; i++)
        if (record_is_allocation(record_layouts[i].kind))
            showing.left += history->counts.records[record_layouts[i].kind];
    return showing;
}

static void count_record(struct showing *showing, uint64_t line)
{
    if (showing->reads_all)
        showing->records++;
    else if (showing->observer->wants_events)
        showing->records = line_map_record(showing->observer->lines, line);
}

enum status show_record(struct showing *showing, const struct batch *batch,
                        const struct record *record, struct failure *why)
{
    const struct merge_observer *observer = showing->observer;
    uint64_t line = batch->first_line + record->line;
    if (!observer)
        return STATUS_OK;
    count_record(showing, line);
    if (!record_is_allocation(record->kind) || showing->left == 0)
        return STATUS_OK;
    showing->left--;
    return observer->allocated(observer->context, record, line,
                               showing->records + showing->deaths - 1, why);
}

void show_boundary(struct showing *showing, const struct record *boundary)
{
    const struct merge_observer *observer = showing->observer;
    if (observer && observer->boundary)
        observer->boundary(observer->context, boundary);
}

enum status show_death(struct showing *showing, const struct record *death, node_t node,
                       struct failure *why)
{
    const struct merge_observer *observer = showing->observer;
    uint64_t event = showing->records + showing->deaths++;
    if (!observer || !observer->died)
        return STATUS_OK;
    return observer->died(observer->context, death, node, event, why);
}

void show_end(struct showing *showing)
{
    const struct merge_observer *observer = showing->observer;
    if (observer && observer->wants_events && !showing->reads_all)
        showing->records = observer->lines->records;
}
