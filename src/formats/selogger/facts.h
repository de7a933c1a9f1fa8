/* SPDX-License-Identifier: MIT */
/* What the conversion knows of single objects: their ids are dense, so pages of arrays hold
 * it. */
#ifndef ETMERLIN_FORMATS_SELOGGER_FACTS_H
#define ETMERLIN_FORMATS_SELOGGER_FACTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum object_mark {
    OBJECT_ALLOCATED = 1, /* its allocation record is out */
    OBJECT_LOGGED = 2,    /* an event has named it */
    OBJECT_ROOTED = 4,    /* a hidden static field keeps it */
};

struct fact {
    uint32_t length; /* elements + 1; 0: no array, or not known */
    uint8_t marks;   /* enum object_mark, of the present reading */
};

/* Zero-initialize it; facts_free ends it. */
struct facts {
    struct fact **pages; /* NULL where no object has been met */
    size_t page_count;
    size_t page_capacity;
};

/* The object with this id, which may be met for the first time; NULL: no memory. */
struct fact *facts_look_up(struct facts *facts, uint64_t id) MUST_CHECK;

enum { OBJECT_PAGE = 4096 };

/* The object with this id; NULL: no memory. Fast for objects that have been met. */
static inline struct fact *MUST_CHECK facts_of(struct facts *facts, uint64_t id)
{
    uint64_t page = id / OBJECT_PAGE;
    if (page < facts->page_count && facts->pages[page])
        return &facts->pages[page][id % OBJECT_PAGE];
    return facts_look_up(facts, id);
}

/* Takes all marks away. */
void facts_unmark(struct facts *facts);

/* Releases what the objects own. */
void facts_free(struct facts *facts);

#endif
