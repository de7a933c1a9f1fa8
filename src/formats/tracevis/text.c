/* SPDX-License-Identifier: MIT */
/* The table of events has their letters and the contents of their fields; text is read and
 * written by this table. Lines are split at colons, which no name in Java contains. Classes and
 * methods are numbered in the order in which events name them, so another reading gives them
 * the same numbers. */
#include "formats/tracevis/events.h"

#include "base/digest.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/symbols.h"
#include "base/text.h"
#include "formats/tracevis/zip_member.h"
#include "io/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is in a field. */
enum event_field {
    FIELD_TIME = 't',
    FIELD_THREAD = 'h',
    FIELD_TYPE = 'c',
    FIELD_METHOD = 'm', /* its class is the field before it */
    FIELD_OBJECT = 'o',
    FIELD_RECEIVER = 'r' /* an object, or 0 */
};

enum { EVENT_FIELDS_MAX = 5 };

/* How an event is written: its name, and the contents of the fields after it. */
struct tv_event_format {
    char name[EVENT_NAME_LENGTH + 1];
    char fields[EVENT_FIELDS_MAX + 1];
};

static const struct tv_event_format formats[EVENT_KINDS] = {
    [EVENT_VM_STARTED] = {"VS", "t"},     [EVENT_VM_INITIALISED] = {"VI", "t"},
    [EVENT_VM_ENDED] = {"VD", "t"},       [EVENT_CLASS_LOADED] = {"CL", "tc"},
    [EVENT_ALLOCATED] = {"OA", "tco"},    [EVENT_FREED] = {"OF", "tco"},
    [EVENT_THREAD_BEGINS] = {"TB", "th"}, [EVENT_THREAD_ENDS] = {"TE", "th"},
    [EVENT_ENTERED] = {"MN", "thcmr"},    [EVENT_LEFT] = {"MX", "thcm"},
    [EVENT_POPPED] = {"FP", "thcm"},
};

/* Events for which Elephant Tracks has no record become comments, so that no information is
 * lost. */

/* The room that a line needs but for its names. */
enum { LINE_ROOM = 2 + EVENT_NAME_LENGTH + EVENT_FIELDS_MAX * (2 + NUMBER_DIGITS) + 1 };

/* These add to the text of the batch, which has the room. */

static void put(struct batch *batch, const char *bytes, size_t length)
{
    memcpy(batch->text + batch->text_length, bytes, length);
    batch->text_length += length;
}

static void put_number(struct batch *batch, uint64_t number)
{
    batch->text_length += number_format(batch->text + batch->text_length, number);
}

/* `name` is that of the event's method or, if it has none, of its class; the class of an event
 * of a method is that of the method, since `type` may be that of the object. */
static void put_field(struct batch *batch, enum event_field what, const struct tv_event *event,
                      const struct name_parts *name)
{
    switch (what) {
    case FIELD_TIME:
        if (event->time < 0)
            put(batch, "-", 1);
        put_number(batch, event->time < 0 ? -(uint64_t)event->time : (uint64_t)event->time);
        return;
    case FIELD_THREAD:
        put_number(batch, event->thread);
        return;
    case FIELD_TYPE:
        if (event->method > 0)
            put(batch, name->owner, name->owner_length);
        else
            put(batch, name->own, name->own_length);
        return;
    case FIELD_METHOD:
        put(batch, name->own, name->own_length);
        return;
    case FIELD_OBJECT:
    case FIELD_RECEIVER:
        put_number(batch, event->object);
    }
}

enum status comment_add(struct batch *batch, const char *text, struct failure *why)
{
    TRY(batch_reserve(batch, 0, batch->text_length + strlen(text) + 3, why));
    put(batch, "# ", 2);
    put(batch, text, strlen(text));
    put(batch, "\n", 1);
    return STATUS_OK;
}

enum status comment_add_line(struct batch *batch, const char *before,
                             const struct tv_event *event, const struct names *names,
                             struct failure *why)
{
    const struct name_parts name = event->method > 0
                                       ? names_find_parts(names, NAMES_METHOD, event->method)
                                       : names_find_parts(names, NAMES_TYPE, event->type);
    size_t room = LINE_ROOM + name.owner_length + name.own_length;
    TRY(batch_reserve(batch, 0, batch->text_length + room, why));
    put(batch, before, strlen(before));
    if (event->kind == EVENT_UNKNOWN)
        put(batch, event->letters, EVENT_NAME_LENGTH);
    else
        put(batch, formats[event->kind].name, EVENT_NAME_LENGTH);
    const char *field = event->kind == EVENT_UNKNOWN ? "" : formats[event->kind].fields;
    for (; *field; field++) {
        put(batch, ":", 1);
        put_field(batch, (enum event_field) * field, event, &name);
    }
    put(batch, "\n", 1);
    return STATUS_OK;
}

enum { FIELDS_MAX = 1 + EVENT_FIELDS_MAX };

/* What is known about a method in addition to its name. */
struct method {
    uint64_t type; /* its class */
    bool constructor;
};

struct tracevis_text {
    struct source *source;
    struct zip_member *member; /* NULL: the text is bare */
    bool lenient;
    XXH3_state_t *digest;
    struct lines *lines;
    struct line line; /* the present one */

    int64_t time;             /* of the latest event */
    struct failure malformed; /* the first malformed line, when lenient */

    struct symbols types;
    struct symbols methods; /* CLASS:METHOD */
    struct method *facts;   /* by number of method, from 1 */
    size_t facts_capacity;
    struct names *names;
};

/* A line, split. */
struct tv_line {
    const char *text;
    size_t length;
    const char *fields[FIELDS_MAX + 1];
    size_t lengths[FIELDS_MAX + 1];
    size_t count; /* of fields, the name of the event included; FIELDS_MAX + 1: there are too
                     many */
};

int tracevis_bid(const char *head, size_t length)
{
    if (zip_recognises(head, length))
        return 50;
    bool is_text = length > 3 && memcmp(head, "VS:", 3) == 0 &&
                   (head[3] == '-' || (head[3] >= '0' && head[3] <= '9'));
    return is_text ? 90 : 0;
}

/* Opens the trace in the archive, if the input is one. */
static enum status open_member(struct tracevis_text *text, struct failure *why)
{
    char head[4];
    size_t length;
    TRY(source_read_head(text->source, head, sizeof head, &length, why));
    if (!zip_recognises(head, length))
        return STATUS_OK;
    return zip_member_open(&text->member, text->source, "trace", why);
}

/* Reads text, and adds it to the digest. */
static enum status read_text_bytes(void *context, void *bytes, size_t capacity, size_t *got,
                                   struct failure *why)
{
    struct tracevis_text *text = context;
    TRY(text->member ? zip_member_read(text->member, bytes, capacity, got, why)
                     : source_read(text->source, bytes, capacity, got, why));
    XXH3_64bits_update(text->digest, bytes, *got);
    return STATUS_OK;
}

enum status tracevis_text_open(struct tracevis_text **out, struct source *source, bool lenient,
                               struct failure *why)
{
    struct tracevis_text *text = calloc(1, sizeof *text);
    if (!text)
        return fail_memory(why);
    text->source = source;
    text->lenient = lenient;
    text->digest = XXH3_createState();
    enum status status = text->digest ? names_new(&text->names, why) : fail_memory(why);
    if (status == STATUS_OK)
        status = open_member(text, why);
    if (status == STATUS_OK)
        status = lines_over(&text->lines, read_text_bytes, text, tracevis_text_name(text), why);
    if (status != STATUS_OK) {
        tracevis_text_close(text);
        return status;
    }
    tracevis_text_rewind(text);
    *out = text;
    return STATUS_OK;
}

void tracevis_text_rewind(struct tracevis_text *text)
{
    source_rewind(text->source);
    if (text->member)
        zip_member_rewind(text->member);
    XXH3_64bits_reset(text->digest);
    lines_rewind(text->lines);
    text->line = (struct line){.has_end = true};
    text->time = 0;
}

void tracevis_text_close(struct tracevis_text *text)
{
    if (!text)
        return;
    lines_close(text->lines);
    zip_member_close(text->member);
    XXH3_freeState(text->digest);
    failure_clear(&text->malformed);
    symbols_free(&text->types);
    symbols_free(&text->methods);
    names_free(text->names);
    free(text->facts);
    free(text);
}

const char *tracevis_text_name(const struct tracevis_text *text)
{
    return text->member ? zip_member_title(text->member) : source_name(text->source);
}

uint64_t tracevis_text_digest(const struct tracevis_text *text)
{
    return XXH3_64bits_digest(text->digest);
}

const struct names *tracevis_text_names(const struct tracevis_text *text)
{
    return text->names;
}

bool tracevis_text_is_open(const struct tracevis_text *text)
{
    return !text->line.has_end;
}

bool tracevis_text_is_cut(const struct tracevis_text *text)
{
    return source_is_cut(text->source);
}

static void tv_split_line(struct tv_line *line)
{
    const char *at = line->text, *limit = at + line->length;
    for (line->count = 0; line->count <= FIELDS_MAX;) {
        const char *colon = memchr(at, ':', (size_t)(limit - at));
        const char *end = colon ? colon : limit;
        line->fields[line->count] = at;
        line->lengths[line->count++] = (size_t)(end - at);
        if (!colon)
            return;
        at = colon + 1;
    }
}

/* Fails because of the line; the message is `what` followed by `problem`. */
static enum status tv_text_reject(const struct tracevis_text *text, const struct tv_line *line,
                                  const char *what, const char *problem, struct failure *why)
{
    char shown[TEXT_QUOTE_SIZE];
    return fail_at(why, STATUS_SYNTAX, tracevis_text_name(text), text->line.number, "%s%s: %s",
                   what, problem, text_quote(shown, line->text, line->length));
}

/* Sets *number to the number that the `length` bytes at `digits`, in the line, are. */
static enum status parse_number(const struct tracevis_text *text, const struct tv_line *line,
                                const char *digits, size_t length, const char *what,
                                uint64_t *number, struct failure *why)
{
    switch (number_parse(digits, length, number)) {
    case NUMBER_OK:
        return STATUS_OK;
    case NUMBER_NONE:
        return tv_text_reject(text, line, what, " is not a number", why);
    case NUMBER_NEGATIVE:
        return tv_text_reject(text, line, what, " is negative", why);
    case NUMBER_TOO_LARGE:
        break;
    }
    return tv_text_reject(text, line, what, " does not fit 64 bits", why);
}

/* Sets *time to the time in the line, which may be negative. */
static enum status parse_time(const struct tracevis_text *text, const struct tv_line *line,
                              int64_t *time, struct failure *why)
{
    uint64_t number = 0;
    bool negative = line->lengths[1] > 0 && *line->fields[1] == '-';
    TRY(parse_number(text, line, line->fields[1] + negative, line->lengths[1] - negative,
                     "The time", &number, why));
    if (number > (uint64_t)INT64_MAX)
        return tv_text_reject(text, line, "The time", " does not fit 63 bits", why);
    *time = negative ? -(int64_t)number : (int64_t)number;
    return STATUS_OK;
}

/* Sets *number to the number of the name of `length` bytes, from 1 in the order in which names
 * first occur, and *is_new to whether it is new. */
static enum status number_name(struct symbols *symbols, const char *name, size_t length,
                               uint64_t *number, bool *is_new, struct failure *why)
{
    uint32_t symbol;
    size_t before = symbols->count;
    TRY(symbols_add(symbols, name, length, &symbol, why));
    *number = (uint64_t)symbol + 1;
    *is_new = symbols->count > before;
    return STATUS_OK;
}

/* Sets *type to the number of the class whose name has `length` bytes. */
static enum status find_type(struct tracevis_text *text, const char *name, size_t length,
                             uint64_t *type, struct failure *why)
{
    bool is_new;
    TRY(number_name(&text->types, name, length, type, &is_new, why));
    if (!is_new)
        return STATUS_OK;
    return names_add(text->names, NAMES_TYPE, *type, name, length, why);
}

/* Adds what is known about a new method, and its name as a member of its class. */
static enum status add_method(struct tracevis_text *text, struct tv_line *line, uint64_t method,
                              struct failure *why)
{
    if (!ARRAY_RESERVE(text->facts, text->facts_capacity, method + 1))
        return fail_memory(why);
    struct method *facts = text->facts;
    const char *name = line->fields[4];
    size_t length = line->lengths[4];
    uint64_t *type = &facts[method].type;
    facts[method].constructor = length == strlen("<init>") && memcmp(name, "<init>", 6) == 0;
    TRY(find_type(text, line->fields[3], line->lengths[3], type, why));
    TRY(names_add_member(text->names, NAMES_METHOD, method, NAMES_TYPE, *type, name, length,
                         why));
    /* Where it allocates, it is a site. */
    return names_add_member(text->names, NAMES_SITE, method, NAMES_TYPE, *type, name, length,
                            why);
}

/* Finds the method of an event, whose fields class and method are adjacent. */
static enum status find_method(struct tracevis_text *text, struct tv_line *line,
                               struct tv_event *event, struct failure *why)
{
    bool is_new;
    size_t length = line->lengths[3] + 1 + line->lengths[4];
    TRY(number_name(&text->methods, line->fields[3], length, &event->method, &is_new, why));
    if (is_new)
        TRY(add_method(text, line, event->method, why));
    event->type = text->facts[event->method].type;
    event->constructor = text->facts[event->method].constructor;
    return STATUS_OK;
}

/* What is wrong with a name; NULL: nothing. */
static const char *name_problem(const char *name, size_t length)
{
    if (length == 0)
        return " has no name";
    if (length > NAMES_LONGEST)
        return " has a name that is longer than 262144 bytes";
    return memchr(name, '\0', length) ? " has a NUL byte in its name" : NULL;
}

static enum status parse_name(struct tracevis_text *text, struct tv_line *line, size_t field,
                              enum event_field what, struct tv_event *event,
                              struct failure *why)
{
    const char *name = line->fields[field];
    size_t length = line->lengths[field];
    const char *problem = name_problem(name, length);
    if (problem)
        return tv_text_reject(text, line, what == FIELD_METHOD ? "The method" : "The class",
                              problem, why);
    if (what == FIELD_METHOD)
        return find_method(text, line, event, why);
    /* The class of a method is looked up when the method is new. */
    if (event->kind >= EVENT_ENTERED)
        return STATUS_OK;
    return find_type(text, name, length, &event->type, why);
}

static enum status parse_field(struct tracevis_text *text, struct tv_line *line, size_t field,
                               enum event_field what, struct tv_event *event,
                               struct failure *why)
{
    const char *bytes = line->fields[field];
    size_t length = line->lengths[field];
    switch (what) {
    case FIELD_TIME:
        return parse_time(text, line, &event->time, why);
    case FIELD_THREAD:
        return parse_number(text, line, bytes, length, "The thread", &event->thread, why);
    case FIELD_TYPE:
    case FIELD_METHOD:
        return parse_name(text, line, field, what, event, why);
    case FIELD_OBJECT:
    case FIELD_RECEIVER:
        break;
    }
    TRY(parse_number(text, line, bytes, length, "The object", &event->object, why));
    if (what == FIELD_OBJECT && event->object == 0)
        return tv_text_reject(text, line, "The object", " is 0, which is no object", why);
    return STATUS_OK;
}

/* The kind of event that the first field of a line names. */
static enum tv_event_kind find_kind(const struct tv_line *line)
{
    const char *name = line->fields[0];
    if (line->length == 0)
        return EVENT_BLANK;
    if (line->lengths[0] != EVENT_NAME_LENGTH || line->count < 2)
        return EVENT_MALFORMED;
    for (unsigned i = 0; i < EVENT_KINDS; i++)
        if (memcmp(name, formats[i].name, EVENT_NAME_LENGTH) == 0)
            return (enum tv_event_kind)i;
    bool is_name = name[0] >= 'A' && name[0] <= 'Z' && name[1] >= 'A' && name[1] <= 'Z';
    return is_name ? EVENT_UNKNOWN : EVENT_MALFORMED;
}

static enum status reject_count(const struct tracevis_text *text, const struct tv_line *line,
                                const char *name, size_t wanted, struct failure *why)
{
    char problem[64];
    snprintf(problem, sizeof problem, " has %zu fields, not %s%zu", wanted + 1,
             line->count > FIELDS_MAX ? "more than " : "",
             line->count > FIELDS_MAX ? (size_t)FIELDS_MAX : line->count);
    return tv_text_reject(text, line, name, problem, why);
}

static enum status parse(struct tracevis_text *text, struct tv_line *line,
                         struct tv_event *event, struct failure *why)
{
    tv_split_line(line);
    event->kind = find_kind(line);
    if (event->kind == EVENT_MALFORMED)
        return tv_text_reject(text, line, "This", " is no event of a TraceVis trace", why);
    if (event->kind == EVENT_UNKNOWN)
        memcpy(event->letters, line->text, EVENT_NAME_LENGTH);
    if (event->kind >= EVENT_KINDS)
        return STATUS_OK;
    const struct tv_event_format *format = &formats[event->kind];
    size_t wanted = strlen(format->fields);
    if (line->count != wanted + 1)
        return reject_count(text, line, format->name, wanted, why);
    for (size_t i = 0; i < wanted; i++)
        TRY(parse_field(text, line, i + 1, (enum event_field)format->fields[i], event, why));
    text->time = event->time;
    return STATUS_OK;
}

/* Reads the next line. Of a line that is too long, which is passed over when lenient, `line`
 * has no text, and *is_long is set. */
static enum status read_line(struct tracevis_text *text, struct tv_line *line, bool *is_long,
                             struct failure *why)
{
    enum status status = lines_begin(text->lines, &text->line, why);
    *is_long = status == STATUS_OK && (text->line.is_cut || text->line.length > LINE_LONGEST);
    if (!*is_long) {
        *line = (struct tv_line){.text = text->line.text, .length = text->line.length};
        return status;
    }
    *line = (struct tv_line){.text = ""};
    while (text->lenient && status == STATUS_OK && text->line.is_cut)
        status = lines_go_on(text->lines, &text->line, why);
    return status;
}

enum status tracevis_text_next(struct tracevis_text *text, struct tv_event *event,
                               struct failure *why)
{
    struct tv_line line;
    bool is_long;
    enum status status = read_line(text, &line, &is_long, why);
    if (status != STATUS_OK)
        return status;
    if (!text->line.has_end && !text->line.is_cut && tracevis_text_is_cut(text))
        return STATUS_END;
    uint64_t number = text->line.number;
    *event = (struct tv_event){.line = number, .time = text->time};
    status =
        is_long ? lines_refuse(text->lines, &text->line, why) : parse(text, &line, event, why);
    if (status != STATUS_SYNTAX || !text->lenient)
        return status;
    *event = (struct tv_event){.kind = EVENT_MALFORMED, .line = number, .time = text->time};
    if (text->malformed.status == STATUS_OK)
        failure_move(&text->malformed, why);
    failure_clear(why);
    return STATUS_OK;
}

enum status tracevis_text_explain(const struct tracevis_text *text, uint64_t line,
                                  struct failure *why)
{
    const struct failure *first = &text->malformed;
    return fail_at(why, STATUS_SYNTAX, tracevis_text_name(text), line, "%s",
                   first->line == line && first->text ? first->text : "The line is malformed");
}
