/* SPDX-License-Identifier: MIT */
/* Reference slots: which field of which container refers to which object. */
#ifndef ETMERLIN_HEAP_SLOTS_H
#define ETMERLIN_HEAP_SLOTS_H

#include "base/status.h"
#include "heap/objects.h"

#include <stddef.h>

struct slots;

/* The caller owns *out (slots_free). */
enum status slots_new(struct slots **out, struct failure *why) MUST_CHECK;

/* Stores `value` in `field` of `container`; NODE_NONE clears the slot. *first is where the
 * slots of `container` begin (objects_first_slot; 0: it has none), and may change. Sets *old to
 * what the slot referred to. */
enum status slots_store(struct slots *slots, node_t container, slot_t *first, uint64_t field,
                        node_t value, node_t *old, struct failure *why) MUST_CHECK;

/* Walks over the slots of a container; *slot is at first where they begin. Returns the next
 * object that one of them refers to, and moves *slot after that slot; NODE_NONE: there is no
 * more. */
node_t slots_next(const struct slots *slots, slot_t *slot);

/* From now on each slot has a mark, a number for the caller, 0 at first. To be called before
 * the first store. */
enum status slots_keep_marks(struct slots *slots, struct failure *why) MUST_CHECK;

/* Sets the mark of the slot that the latest slots_store stored to, and returns the mark that it
 * had. Has no meaning after a field was cleared that never held a reference. */
uint64_t slots_exchange_mark(struct slots *slots, uint64_t mark);

/* The mark of a slot that is not 0. */
uint64_t slots_mark(const struct slots *slots, slot_t slot);

/* Sets *field to the field of slot *slot, which is not 0, *target to what it refers to now, and
 * *slot to the next one of its container; 0: there is none. */
void slots_look(const struct slots *slots, slot_t *slot, uint64_t *field, node_t *target);

/* How slots are moved: call slots_move_begin; slots_move_list for each container that stays,
 * with its first slot; slots_move_end, after which slots refer to moved[node] instead of node,
 * and the slots of other containers are released; slots_moved for the new first slot of each
 * container; and slots_move_done. Slots keep their order and their marks. */
enum status slots_move_begin(struct slots *slots, struct failure *why) MUST_CHECK;
void slots_move_list(struct slots *slots, slot_t first);
void slots_move_end(struct slots *slots, const node_t *moved);
slot_t slots_moved(const struct slots *slots, slot_t first);
void slots_move_done(struct slots *slots);

/* How many slots have ever held a reference, except those of released containers. */
size_t slots_present(const struct slots *slots);

/* How many slots have ever held a reference, those of released containers included. */
size_t slots_count(const struct slots *slots);

/* Releases all slots, none of which may be used any more; slots_count stays the same. */
void slots_drop(struct slots *slots);

/* NULL is allowed. */
void slots_free(struct slots *slots);

#endif
