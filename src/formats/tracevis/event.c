#include "formats/tracevis/event.h"

static const struct event_format formats[EVENT_KINDS] = {
    [EVENT_VM_STARTED] = {"VS", "t"},     [EVENT_VM_INITIALISED] = {"VI", "t"},
    [EVENT_VM_ENDED] = {"VD", "t"},       [EVENT_CLASS_LOADED] = {"CL", "tc"},
    [EVENT_ALLOCATED] = {"OA", "tco"},    [EVENT_FREED] = {"OF", "tco"},
    [EVENT_THREAD_BEGINS] = {"TB", "th"}, [EVENT_THREAD_ENDS] = {"TE", "th"},
    [EVENT_ENTERED] = {"MN", "thcmr"},    [EVENT_LEFT] = {"MX", "thcm"},
    [EVENT_POPPED] = {"FP", "thcm"},
};

const struct event_format *event_format(enum event_kind kind)
{
    return &formats[kind];
}
