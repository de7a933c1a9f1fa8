/* SPDX-License-Identifier: MIT */
/* All events of all versions, also those that are only uses of the object that they name: a
 * name of an event shows where the columns of a line are. */
#include "formats/selogger/index/events.h"

static const struct {
    const char *name;
    enum sel_event_kind event;
} event_names[] = {
    {"METHOD_ENTRY", EVENT_ENTRY},
    {"METHOD_NORMAL_EXIT", EVENT_NORMAL_EXIT},
    {"METHOD_EXCEPTIONAL_EXIT", EVENT_EXCEPTIONAL_EXIT},
    {"METHOD_THROW", EVENT_THROW},
    {"METHOD_OBJECT_INITIALIZED", EVENT_OBJECT_INITIALIZED},
    {"CATCH", EVENT_CATCH},
    {"CATCH_LABEL", EVENT_CATCH_LABEL},
    {"CALL", EVENT_CALL},
    {"CALL_PARAM", EVENT_CALL_PARAM},
    {"CALL_RETURN", EVENT_CALL_RETURN},
    {"NEW_OBJECT", EVENT_NEW_OBJECT},
    {"NEW_OBJECT_CREATED", EVENT_NEW_OBJECT_CREATED},
    {"NEW_ARRAY", EVENT_NEW_ARRAY},
    {"NEW_ARRAY_RESULT", EVENT_NEW_ARRAY_RESULT},
    {"MULTI_NEW_ARRAY", EVENT_MULTI_NEW_ARRAY},
    {"MULTI_NEW_ARRAY_OWNER", EVENT_MULTI_NEW_ARRAY_OWNER},
    {"MULTI_NEW_ARRAY_ELEMENT", EVENT_MULTI_NEW_ARRAY_ELEMENT},
    {"INVOKE_DYNAMIC", EVENT_DYNAMIC},
    {"INVOKE_DYNAMIC_PARAM", EVENT_DYNAMIC_PARAM},
    {"INVOKE_DYNAMIC_RESULT", EVENT_DYNAMIC_RESULT},
    {"OBJECT_CONSTANT_LOAD", EVENT_CONSTANT_LOAD},
    {"PUT_STATIC_FIELD", EVENT_PUT_STATIC},
    {"PUT_INSTANCE_FIELD", EVENT_PUT_FIELD},
    {"PUT_INSTANCE_FIELD_VALUE", EVENT_PUT_FIELD_VALUE},
    {"PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION", EVENT_PUT_FIELD_EARLY},
    {"ARRAY_STORE", EVENT_ARRAY_STORE},
    {"ARRAY_STORE_INDEX", EVENT_ARRAY_STORE_INDEX},
    {"ARRAY_STORE_VALUE", EVENT_ARRAY_STORE_VALUE},
    {"GET_STATIC_FIELD", EVENT_GET_STATIC},
    {"GET_INSTANCE_FIELD", EVENT_GET_FIELD},
    {"GET_INSTANCE_FIELD_RESULT", EVENT_GET_FIELD_RESULT},
    {"ARRAY_LOAD", EVENT_ARRAY_LOAD},
    {"ARRAY_LOAD_INDEX", EVENT_ARRAY_LOAD_INDEX},
    {"ARRAY_LOAD_RESULT", EVENT_ARRAY_LOAD_RESULT},
    {"RESERVED", EVENT_USE},
    {"METHOD_PARAM", EVENT_USE},
    {"LABEL", EVENT_USE},
    {"JUMP", EVENT_USE},
    {"LINE_NUMBER", EVENT_USE},
    {"LOCAL_LOAD", EVENT_USE},
    {"LOCAL_STORE", EVENT_USE},
    {"LOCAL_INCREMENT", EVENT_USE},
    {"RET", EVENT_USE},
    {"DIVIDE", EVENT_USE},
    {"ARRAY_LENGTH", EVENT_USE},
    {"ARRAY_LENGTH_RESULT", EVENT_USE},
    {"MONITOR_ENTER", EVENT_USE},
    {"MONITOR_ENTER_RESULT", EVENT_USE},
    {"MONITOR_EXIT", EVENT_USE},
    {"OBJECT_INSTANCEOF", EVENT_USE},
    {"OBJECT_INSTANCEOF_RESULT", EVENT_USE},
};

bool event_find(struct piece name, enum sel_event_kind *event)
{
    for (size_t i = 0; i < sizeof event_names / sizeof *event_names; i++) {
        if (piece_is(name, event_names[i].name)) {
            *event = event_names[i].event;
            return true;
        }
    }
    *event = EVENT_USE;
    return false;
}

bool event_has_field(enum sel_event_kind event)
{
    switch (event) {
    case EVENT_PUT_STATIC:
    case EVENT_PUT_FIELD:
    case EVENT_PUT_FIELD_VALUE:
    case EVENT_PUT_FIELD_EARLY:
    case EVENT_GET_STATIC:
    case EVENT_GET_FIELD:
    case EVENT_GET_FIELD_RESULT:
        return true;
    default:
        return false;
    }
}
