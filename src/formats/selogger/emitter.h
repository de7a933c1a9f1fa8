/* SPDX-License-Identifier: MIT */
/* Writes records of objects, so that each is allocated before a record names it. */
#ifndef ETMERLIN_FORMATS_SELOGGER_EMITTER_H
#define ETMERLIN_FORMATS_SELOGGER_EMITTER_H

#include "base/status.h"
#include "formats/selogger/facts.h"
#include "formats/selogger/index/catalogue.h"
#include "trace/batch.h"

#include <stddef.h>
#include <stdint.h>

/* Numbers of hidden fields, which no instruction of the program writes, begin here: those of
 * fields and indices are lower. Each holds the object whose id is added. */
#define HIDDEN_FIELDS (UINT64_C(1) << 40)

/* Set the first two groups; emitter_free ends it. */
struct emitter {
    const struct catalogue *catalogue;
    struct facts *facts;
    uint64_t last_object; /* no object has a greater id */

    /* For the next records. */
    struct batch *batch; /* where they go */
    uint32_t thread;
    struct failure *why; /* of a failure of any function here */

    uint64_t *logged; /* objects that are named for the first time */
    size_t logged_count;
    size_t logged_capacity;
};

/* Appends a record, with the thread. */
enum status emit(struct emitter *emitter, const struct record *record) MUST_CHECK;

/* Appends the allocation of `id`, once. Only where the log shows that an array is allocated it
 * is an array to the trace, too: `kind` shows. `type` counts if the trace has no other. */
enum status emit_allocation(struct emitter *emitter, uint64_t id, enum record_kind kind,
                            uint32_t type, uint64_t site) MUST_CHECK;

/* Appends the allocation of an object that may not have been named before, and of all that it
 * holds. For emit_mention. */
enum status emit_first_mention(struct emitter *emitter, uint64_t id) MUST_CHECK;

/* To be called before `emit` of a record that names `id`, which may be null. */
static inline enum status MUST_CHECK emit_mention(struct emitter *emitter, uint64_t id)
{
    const struct fact *fact = facts_of(emitter->facts, id);
    if (id == 0 || (fact && fact->marks & OBJECT_LOGGED))
        return STATUS_OK;
    return emit_first_mention(emitter, id);
}

/* Appends a use of `id`; nothing if it is null. */
enum status emit_use(struct emitter *emitter, uint64_t id) MUST_CHECK;

/* Appends the store of `value` in a field of `container`, or, if that is 0, in a static one. */
enum status emit_store(struct emitter *emitter, uint64_t container, uint64_t value,
                       uint64_t field) MUST_CHECK;

/* Has a hidden static field hold `id`, which may be null, until the end. */
enum status emit_kept(struct emitter *emitter, uint64_t id) MUST_CHECK;

/* Releases what the emitter owns. */
void emitter_free(struct emitter *emitter);

#endif
