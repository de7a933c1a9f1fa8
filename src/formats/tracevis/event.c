/* SPDX-License-Identifier: MIT */
/* The table of events, with their letters and the contents of their fields; text is read and
 * written by this table. Events for which Elephant Tracks has no record become comments, so
 * that no information is lost. */
#include "formats/tracevis/event.h"

#include "base/number.h"

#include <string.h>

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

static enum status add_bytes(struct batch *batch, const char *bytes, size_t length,
                             struct failure *why)
{
    enum status status = batch_reserve(batch, 0, batch->text_length + length, why);
    if (status != STATUS_OK)
        return status;
    memcpy(batch->text + batch->text_length, bytes, length);
    batch->text_length += length;
    return STATUS_OK;
}

static enum status add_text(struct batch *batch, const char *text, struct failure *why)
{
    return add_bytes(batch, text, strlen(text), why);
}

static enum status add_number(struct batch *batch, uint64_t number, struct failure *why)
{
    char digits[NUMBER_DIGITS];
    return add_bytes(batch, digits, number_format(digits, number), why);
}

static enum status add_time(struct batch *batch, int64_t time, struct failure *why)
{
    uint64_t number = (uint64_t)time;
    if (time >= 0)
        return add_number(batch, number, why);
    enum status status = add_text(batch, "-", why);
    return status == STATUS_OK ? add_number(batch, -number, why) : status;
}

/* Adds the name of an event's class; for an event of a method that of the method, since `type`
 * may be that of the object. */
static enum status add_type_record(struct batch *batch, const struct tv_event *event,
                                   const struct names *names, struct failure *why)
{
    if (event->method > 0) {
        struct name_parts method = names_find_parts(names, NAMES_METHOD, event->method);
        return add_bytes(batch, method.owner, method.owner_length, why);
    }
    struct name_parts type = names_find_parts(names, NAMES_TYPE, event->type);
    return add_bytes(batch, type.own, type.own_length, why);
}

static enum status add_method_name(struct batch *batch, const struct tv_event *event,
                                   const struct names *names, struct failure *why)
{
    struct name_parts method = names_find_parts(names, NAMES_METHOD, event->method);
    return add_bytes(batch, method.own, method.own_length, why);
}

static enum status add_field(struct batch *batch, enum event_field what,
                             const struct tv_event *event, const struct names *names,
                             struct failure *why)
{
    switch (what) {
    case FIELD_TIME:
        return add_time(batch, event->time, why);
    case FIELD_THREAD:
        return add_number(batch, event->thread, why);
    case FIELD_TYPE:
        return add_type_record(batch, event, names, why);
    case FIELD_METHOD:
        return add_method_name(batch, event, names, why);
    case FIELD_OBJECT:
    case FIELD_RECEIVER:
        break;
    }
    return add_number(batch, event->object, why);
}

enum status comment_add(struct batch *batch, const char *text, struct failure *why)
{
    enum status status = add_text(batch, "# ", why);
    if (status == STATUS_OK)
        status = add_text(batch, text, why);
    return status == STATUS_OK ? add_text(batch, "\n", why) : status;
}

enum status comment_add_line(struct batch *batch, const struct tv_event *event,
                             const struct names *names, struct failure *why)
{
    enum status status;
    if (event->kind == EVENT_UNKNOWN) {
        status = add_bytes(batch, event->letters, EVENT_NAME_LENGTH, why);
        return status == STATUS_OK ? add_text(batch, "\n", why) : status;
    }
    const struct tv_event_format *format = tv_event_format(event->kind);
    status = add_text(batch, format->name, why);
    for (const char *field = format->fields; *field && status == STATUS_OK; field++) {
        status = add_text(batch, ":", why);
        if (status == STATUS_OK)
            status = add_field(batch, (enum event_field) * field, event, names, why);
    }
    return status == STATUS_OK ? add_text(batch, "\n", why) : status;
}

enum status comment_add_event(struct batch *batch, const struct tv_event *event,
                              const struct names *names, struct failure *why)
{
    enum status status = add_text(batch, "# ", why);
    return status == STATUS_OK ? comment_add_line(batch, event, names, why) : status;
}
