/* SPDX-License-Identifier: MIT */
/* A reference object gets its referent when it is made and is cleared once by each cause: while
 * the program clears it, the collector may, too. An id that is used again begins anew with its
 * next F. */
#include "report/validate/reference_states.h"

/* What the map has of an id: a bit for each cause that has cleared it, by its number. */
/* The first object that the line names and no record before it; 0: there is none. */
static uint64_t find_unnamed(const struct objects *objects, const struct record *line)
{
    if (objects_known(objects, line->reference) == NODE_NONE)
        return line->reference;
    bool has_referent = line->kind == RECORD_REFERENCE;
    return has_referent && objects_known(objects, line->referent) == NODE_NONE ? line->referent
                                                                               : 0;
}

enum status reference_states_add(struct reference_states *states, const struct objects *objects,
                                 const struct record *line, enum reference_verdict *verdict,
                                 uint64_t *id, struct failure *why)
{
    uint64_t *state = map_insert(&states->by_id, line->reference);
    if (!state)
        return fail_memory(why);
    uint64_t unnamed = find_unnamed(objects, line);
    bool clears = line->kind == RECORD_CLEARED;
    uint64_t cause = clears ? UINT64_C(1) << line->cause : 0;
    *id = unnamed ? unnamed : line->reference;
    *verdict = REFERENCE_FITS;
    if (unnamed)
        *verdict = REFERENCE_IS_UNKNOWN;
    else if (*state & cause)
        *verdict = REFERENCE_IS_CLEARED;
    *state = clears ? *state | cause : 0;
    return STATUS_OK;
}

void reference_states_free(struct reference_states *states)
{
    map_free(&states->by_id);
}
