/* SPDX-License-Identifier: MIT */
/* Appends records to a batch so that each object is allocated before a record names it. Facts
 * are what the conversion knows about each object. */
#ifndef ETMERLIN_FORMATS_SELOGGER_EMITTER_H
#define ETMERLIN_FORMATS_SELOGGER_EMITTER_H

#include "base/status.h"
#include "formats/selogger/catalogue.h"
#include "trace/batch.h"

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

/* The numbers of hidden fields, which no instruction of the program writes, are this plus the
 * id of the object that the field holds. Those of other fields and of indices are lower. */
#define HIDDEN_FIELDS (UINT64_C(1) << 40)

/* Set the first group before the first call, and the second for each batch; the others are zero
 * at first. emitter_free ends it. */
struct emitter {
    const struct catalogue *catalogue;
    struct facts *facts;
    uint64_t last_object; /* the greatest id that an object can have */

    /* Of the next records. */
    struct batch *batch; /* to which they are appended */
    uint32_t thread;
    struct failure *why; /* for a failure of any function here */

    uint64_t *logged; /* a stack of objects that are named for the first time */
    size_t logged_count;
    size_t logged_capacity;
};

/* Appends a record of the emitter's thread. */
enum status emit(struct emitter *emitter, const struct record *record) MUST_CHECK;

/* Appends the allocation of `id`, unless that has been done. `kind` is RECORD_ARRAY only where
 * the log shows that an array is allocated. `type` is used if the trace has no type of the
 * object. */
enum status emit_allocation(struct emitter *emitter, uint64_t id, enum record_kind kind,
                            uint32_t type, uint64_t site) MUST_CHECK;

/* Appends the allocation of an object that may not have been named before, and of all objects
 * that it is known to hold. Called by emit_mention. */
enum status emit_first_mention(struct emitter *emitter, uint64_t id) MUST_CHECK;

/* To be called before `emit` of a record that names `id`, which may be 0, null: appends what
 * that record needs before it. */
static inline enum status MUST_CHECK emit_mention(struct emitter *emitter, uint64_t id)
{
    const struct fact *fact = facts_of(emitter->facts, id);
    if (id == 0 || (fact && fact->marks & OBJECT_LOGGED))
        return STATUS_OK;
    return emit_first_mention(emitter, id);
}

/* Appends a use of `id`, unless that is 0, null. */
enum status emit_use(struct emitter *emitter, uint64_t id) MUST_CHECK;

/* Appends the store of `value` in a field of `container`, or in a static field if that is 0. */
enum status emit_store(struct emitter *emitter, uint64_t container, uint64_t value,
                       uint64_t field) MUST_CHECK;

/* Makes a hidden static field hold `id`, unless that is 0, null, until the end. */
enum status emit_kept(struct emitter *emitter, uint64_t id) MUST_CHECK;

/* Releases what the emitter owns. */
void emitter_free(struct emitter *emitter);

#endif
