/* SPDX-License-Identifier: MIT */
/* Nearly every line is a record, so runs of consecutive lines are few, and a look-up is a
 * binary search among them. */
#include "trace/line_map.h"

#include "base/memory.h"

#include <stdlib.h>

enum status line_map_begin_run(struct line_map *map, uint64_t line, struct failure *why)
{
    if (!ARRAY_RESERVE(map->runs, map->capacity, map->count + 1))
        return fail_memory(why);
    map->runs[map->count++] = (struct line_run){map->records, line};
    return STATUS_OK;
}

uint64_t line_map_line(const struct line_map *map, uint64_t record)
{
    size_t next = 1, high = map->count; /* the run of the record is before `next` */
    BISECT(next, high, at, map->runs[at].record <= record);
    return map->runs[next - 1].line + (record - map->runs[next - 1].record);
}

void line_map_free(struct line_map *map)
{
    free(map->runs);
    *map = (struct line_map){.runs = NULL};
}
