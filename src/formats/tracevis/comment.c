#include "formats/tracevis/comment.h"

#include "base/number.h"

#include <string.h>

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

static enum status add_field(struct batch *batch, enum event_field what,
                             const struct event *event, const struct names *names,
                             struct failure *why)
{
    const char *type = names_find(names, NAMES_TYPE, event->type);
    switch (what) {
    case FIELD_TIME:
        return add_time(batch, event->time, why);
    case FIELD_THREAD:
        return add_number(batch, event->thread, why);
    case FIELD_TYPE:
        return add_text(batch, type, why);
    case FIELD_METHOD:
        /* Its own name stands behind that of its class. */
        return add_text(batch,
                        names_find(names, NAMES_METHOD, event->method) + strlen(type) + 1, why);
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

enum status comment_add_line(struct batch *batch, const struct event *event,
                             const struct names *names, struct failure *why)
{
    enum status status;
    if (event->kind == EVENT_UNKNOWN) {
        status = add_bytes(batch, event->letters, EVENT_NAME_LENGTH, why);
        return status == STATUS_OK ? add_text(batch, "\n", why) : status;
    }
    const struct event_format *format = event_format(event->kind);
    status = add_text(batch, format->name, why);
    for (const char *field = format->fields; *field && status == STATUS_OK; field++) {
        status = add_text(batch, ":", why);
        if (status == STATUS_OK)
            status = add_field(batch, (enum event_field) * field, event, names, why);
    }
    return status == STATUS_OK ? add_text(batch, "\n", why) : status;
}

enum status comment_add_event(struct batch *batch, const struct event *event,
                              const struct names *names, struct failure *why)
{
    enum status status = add_text(batch, "# ", why);
    return status == STATUS_OK ? comment_add_line(batch, event, names, why) : status;
}
