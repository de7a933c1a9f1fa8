/* SPDX-License-Identifier: MIT */
/* Batches are filled again and again, so their arrays only grow: once the largest batch has
 * been read, no more memory is allocated.
 *
 * Nearly every line is a record, so runs of consecutive lines are few, and a look-up in a line
 * map is a binary search among them. */
#include "trace/batch.h"

#include "base/memory.h"

#include <stdlib.h>

enum status batch_reserve(struct batch *batch, size_t records, size_t text, struct failure *why)
{
    return ARRAY_RESERVE(batch->records, batch->capacity, records) &&
                   ARRAY_RESERVE(batch->text, batch->text_capacity, text)
               ? STATUS_OK
               : fail_memory(why);
}

void batch_free(struct batch *batch)
{
    free(batch->records);
    free(batch->text);
    *batch = BATCH_EMPTY;
}

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
