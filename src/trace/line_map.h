/* SPDX-License-Identifier: MIT */
/* In which line each record is. Lines and records nearly always count up together, so only the
 * exceptions are kept. */
#ifndef ETMERLIN_TRACE_LINE_MAP_H
#define ETMERLIN_TRACE_LINE_MAP_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* From record `record` on, lines count up together with records. */
struct line_run {
    uint64_t record; /* its number from 1 */
    uint64_t line;
};

/* Zero-initialize it; line_map_free ends it. */
struct line_map {
    struct line_run *runs;
    size_t count;
    size_t capacity;
    uint64_t records;
};

/* The part of line_map_add that begins a run. */
enum status line_map_begin_run(struct line_map *map, uint64_t line,
                               struct failure *why) MUST_CHECK;

/* Adds the next record, which is in line `line`. */
static inline enum status MUST_CHECK line_map_add(struct line_map *map, uint64_t line,
                                                  struct failure *why)
{
    map->records++;
    if (map->count > 0) {
        const struct line_run *run = &map->runs[map->count - 1];
        if (line - run->line == map->records - run->record)
            return STATUS_OK;
    }
    return line_map_begin_run(map, line, why);
}

/* The line of record number `record`, from 1. */
uint64_t line_map_line(const struct line_map *map, uint64_t record);

void line_map_free(struct line_map *map);

#endif
