/* SPDX-License-Identifier: MIT */
/* Which fields are one, though instructions reach them through several classes (fields.h). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_FIELD_JOIN_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_FIELD_JOIN_H

#include "base/status.h"
#include "formats/selogger/index/fields.h"
#include "formats/selogger/index/types.h"

/* Sets fields->same_as, which has room, for each field to the field of the same name and type
 * in the superclass farthest up that has one, or to itself. */
enum status field_join(struct fields *fields, const struct types *types,
                       struct failure *why) MUST_CHECK;

#endif
