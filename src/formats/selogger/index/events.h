/* SPDX-License-Identifier: MIT */
/* The events of SELogger (etmerlin-formats(5), "How events are converted"). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_EVENTS_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_EVENTS_H

#include "formats/selogger/index/csv.h"

#include <stdbool.h>

/* The kind of an event, as far as its meaning differs from that of others. */
enum sel_event_kind {
    EVENT_USE, /* all that are not below: its value, if that is an object, is used */
    EVENT_ENTRY,
    EVENT_NORMAL_EXIT,
    EVENT_EXCEPTIONAL_EXIT,
    EVENT_THROW,
    EVENT_CATCH,
    EVENT_CATCH_LABEL,
    EVENT_CALL,
    EVENT_CALL_PARAM,
    EVENT_CALL_RETURN,
    EVENT_NEW_OBJECT,
    EVENT_NEW_OBJECT_CREATED,
    EVENT_OBJECT_INITIALIZED,
    EVENT_NEW_ARRAY,
    EVENT_NEW_ARRAY_RESULT,
    EVENT_MULTI_NEW_ARRAY,
    EVENT_MULTI_NEW_ARRAY_OWNER,
    EVENT_MULTI_NEW_ARRAY_ELEMENT,
    EVENT_DYNAMIC,
    EVENT_DYNAMIC_PARAM,
    EVENT_DYNAMIC_RESULT,
    EVENT_CONSTANT_LOAD,
    EVENT_PUT_STATIC,
    EVENT_PUT_FIELD,
    EVENT_PUT_FIELD_VALUE,
    EVENT_PUT_FIELD_EARLY, /* before the constructor of the superclass was called */
    EVENT_ARRAY_STORE,
    EVENT_ARRAY_STORE_INDEX,
    EVENT_ARRAY_STORE_VALUE,
    EVENT_GET_STATIC,
    EVENT_GET_FIELD,
    EVENT_GET_FIELD_RESULT,
    EVENT_ARRAY_LOAD,
    EVENT_ARRAY_LOAD_INDEX,
    EVENT_ARRAY_LOAD_RESULT,
};

/* Sets *event to the kind of the event with this name: EVENT_USE if no version of SELogger has
 * such an event, which is false. */
bool event_find(struct piece name, enum sel_event_kind *event);

/* Whether the instruction of the event names a field of the program. */
bool event_has_field(enum sel_event_kind event);

#endif
