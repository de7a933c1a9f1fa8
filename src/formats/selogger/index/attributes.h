/* SPDX-License-Identifier: MIT */
/* The attributes in the last column of a line of dataids.txt (etmerlin-formats(5), SELOGGER).
 */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_ATTRIBUTES_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_ATTRIBUTES_H

#include "formats/selogger/index/csv.h"
#include "formats/selogger/index/events.h"

#include <stdint.h>

/* The attributes that are read. */
struct attributes {
    struct piece owner, name, type, element, description, method_type, created, new_parent;
    struct piece index, location, block, bootstrap;
};

/* Sets the attributes of an instruction with this event, which are `text`, and makes those that
 * it does not have empty. */
void attributes_read(enum sel_event_kind event, struct piece text,
                     struct attributes *attributes);

/* The flags (enum instruction_flag) of an instruction with this event, as far as they follow
 * from its attributes. */
uint16_t attributes_flags(enum sel_event_kind event, const struct attributes *attributes);

#endif
