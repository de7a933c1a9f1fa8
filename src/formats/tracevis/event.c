/* SPDX-License-Identifier: MIT */
/* The table of events: their letters and what is in their fields. The text reader knows no more
 * of the format than this. */
#include "formats/tracevis/event.h"

static const struct tv_event_format formats[EVENT_KINDS] = {
    [EVENT_VM_STARTED] = {"VS", "t"},     [EVENT_VM_INITIALISED] = {"VI", "t"},
    [EVENT_VM_ENDED] = {"VD", "t"},       [EVENT_CLASS_LOADED] = {"CL", "tc"},
    [EVENT_ALLOCATED] = {"OA", "tco"},    [EVENT_FREED] = {"OF", "tco"},
    [EVENT_THREAD_BEGINS] = {"TB", "th"}, [EVENT_THREAD_ENDS] = {"TE", "th"},
    [EVENT_ENTERED] = {"MN", "thcmr"},    [EVENT_LEFT] = {"MX", "thcm"},
    [EVENT_POPPED] = {"FP", "thcm"},
};

const struct tv_event_format *tv_event_format(enum tv_event_kind kind)
{
    return &formats[kind];
}
