/* SPDX-License-Identifier: MIT */
/* What the conversion knows about each object. */
#ifndef ETMERLIN_FORMATS_SELOGGER_FACTS_H
#define ETMERLIN_FORMATS_SELOGGER_FACTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum object_mark {
    OBJECT_ALLOCATED = 1, /* its allocation has been emitted */
    OBJECT_LOGGED = 2,    /* a record has named it */
    OBJECT_ROOTED = 4,    /* a hidden static field holds it */
};

struct fact {
    uint32_t length; /* number of elements + 1; 0: it is no array, or the length is not known */
    uint8_t marks;   /* of enum object_mark, in the present reading */
};

/* Zero-initialize it; facts_free ends it. */
struct facts {
    struct fact **pages; /* NULL: no object of the page has been looked up */
    size_t page_count;
    size_t page_capacity;
};

/* The facts of the object with this id, which may be a new one; NULL: no memory. */
struct fact *facts_look_up(struct facts *facts, uint64_t id) MUST_CHECK;

enum { OBJECT_PAGE = 4096 };

/* As facts_look_up, but fast if the page of the object is there. */
static inline struct fact *MUST_CHECK facts_of(struct facts *facts, uint64_t id)
{
    uint64_t page = id / OBJECT_PAGE;
    if (page < facts->page_count && facts->pages[page])
        return &facts->pages[page][id % OBJECT_PAGE];
    return facts_look_up(facts, id);
}

/* Removes all marks. */
void facts_unmark(struct facts *facts);

/* Releases all facts; there are none then. */
void facts_free(struct facts *facts);

#endif
