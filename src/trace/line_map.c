/* SPDX-License-Identifier: MIT */
/* Which line a record stands in, for all records of a trace. Nearly every line is a record, so
 * only the runs of consecutive lines are kept, and a look-up is a binary search among them. */
#include "trace/line_map.h"

#include "base/memory.h"

#include <stdlib.h>

enum status line_map_begin_run(struct line_map *map, uint64_t line, struct failure *why)
{
    struct line_run *runs = array_grow(map->runs, &map->capacity, map->count + 1, sizeof *runs);
    if (!runs)
        return fail_memory(why);
    map->runs = runs;
    if (map->count > 0 && line <= line_map_line(map, map->records - 1))
        map->is_shared = true;
    runs[map->count++] = (struct line_run){map->records, line};
    return STATUS_OK;
}

uint64_t line_map_line(const struct line_map *map, uint64_t record)
{
    size_t low = 0, high = map->count; /* the run of the record is below high */
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (map->runs[middle].record <= record)
            low = middle;
        else
            high = middle;
    }
    return map->runs[low].line + (record - map->runs[low].record);
}

uint64_t line_map_record(const struct line_map *map, uint64_t line)
{
    size_t low = 0, high = map->count; /* the run of the line is below high */
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (map->runs[middle].line <= line)
            low = middle;
        else
            high = middle;
    }
    return map->count == 0 ? 0 : map->runs[low].record + (line - map->runs[low].line);
}

void line_map_free(struct line_map *map)
{
    free(map->runs);
    *map = (struct line_map){.runs = NULL};
}
