/* SPDX-License-Identifier: MIT */
/* The table of records with one more row, for a record Z that uses two objects. No other source
 * file knows it. The program etmerlin_one_more_kind is etmerlin with this table. */
#define RECORD_MORE_LAYOUTS                                                                    \
    {'Z',                                                                                      \
     4,                                                                                        \
     "records of a test",                                                                      \
     {FIELD_AS("place", type, ROLE_SITE), FIELD(receiver, ROLE_OBJECT),                        \
      FIELD(exception, ROLE_OBJECT), LAST}},

#include "trace/record.c"
