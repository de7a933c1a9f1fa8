/* Two lexers of one language. et_lex reads anything that is allowed and is driven by the
 * table of records; et_lex_canonical reads only what tracers write, with straight code for
 * each record, and leaves the rest to et_lex. */
#include "trace/et_lexer.h"

#include "base/number.h"
#include "base/text.h"
#include "trace/et_scan.h"

#include <string.h>

enum { MOST_FIELDS = 6 };

/* A field of a record: its name in messages, where it goes, and whether 0 is an object there.
 */
struct field {
    const char *name;
    size_t offset;
    bool needs_object;
};

/* A record: its letter and its fields. The last field of all but D is named by the dialect. */
struct shape {
    uint8_t letter;
    uint8_t count;
    struct field fields[MOST_FIELDS];
};

#define FIELD(member)                                                                          \
    {                                                                                          \
#member, offsetof(struct record, member), false                                        \
    }
#define OBJECT(member)                                                                         \
    {                                                                                          \
#member, offsetof(struct record, member), true                                         \
    }
#define NAMED(name, member)                                                                    \
    {                                                                                          \
        name, offsetof(struct record, member), false                                           \
    }
#define LAST                                                                                   \
    {                                                                                          \
        NULL, offsetof(struct record, thread), false                                           \
    }
#define ALLOCATION                                                                             \
    {                                                                                          \
        OBJECT(object), FIELD(size), FIELD(type), FIELD(site), FIELD(length), LAST             \
    }

static const struct shape shapes[] = {
    {RECORD_OBJECT, 6, ALLOCATION},
    {RECORD_ARRAY, 6, ALLOCATION},
    {RECORD_INITIAL, 6, ALLOCATION},
    {RECORD_PREEXISTING, 6, ALLOCATION},
    {RECORD_VM, 6, ALLOCATION},
    {RECORD_ENTRY, 3, {FIELD(method), FIELD(receiver), LAST}},
    {RECORD_EXIT, 2, {FIELD(method), LAST}},
    {RECORD_EXCEPTION_EXIT, 4, {FIELD(method), FIELD(receiver), FIELD(exception), LAST}},
    {RECORD_THROW, 4, {FIELD(method), FIELD(receiver), FIELD(exception), LAST}},
    {RECORD_CATCH, 4, {FIELD(method), FIELD(receiver), FIELD(exception), LAST}},
    {RECORD_UPDATE, 4, {FIELD(container), FIELD(value), FIELD(field), LAST}},
    {RECORD_WITNESS, 3, {OBJECT(object), NAMED("class", class_id), LAST}},
    {RECORD_DEATH, 3, {OBJECT(object), NAMED("thread", death_thread), FIELD(time)}},
};

static const struct shape *find_shape(char letter)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].letter == (uint8_t)letter)
            return &shapes[i];
    return NULL;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_letter(char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* What is left of a line. */
struct rest {
    const char *at;
    const char *end;
};

/* Takes the next word between blanks; false when there is none. */
static bool take_word(struct rest *rest, const char **word, size_t *length)
{
    while (rest->at < rest->end && is_blank(*rest->at))
        rest->at++;
    *word = rest->at;
    while (rest->at < rest->end && !is_blank(*rest->at))
        rest->at++;
    *length = (size_t)(rest->at - *word);
    return *length > 0;
}

static struct rest rest_of(const char *line, size_t length)
{
    if (length > 0 && line[length - 1] == '\r')
        length--;
    return (struct rest){line, line + length};
}

static uint64_t *field_value(struct record *record, const struct field *field)
{
    return (uint64_t *)((char *)record + field->offset);
}

static enum et_line lex_fields(struct rest rest, const struct shape *shape,
                               struct record *record)
{
    const char *word;
    size_t length;
    for (size_t i = 0; i < shape->count; i++) {
        const struct field *field = &shape->fields[i];
        uint64_t *value = field_value(record, field);
        if (!take_word(&rest, &word, &length) ||
            number_parse(word, length, value) != NUMBER_OK ||
            (field->needs_object && *value == 0))
            return ET_MALFORMED;
    }
    return take_word(&rest, &word, &length) ? ET_MALFORMED : ET_RECORD;
}

enum et_line et_lex(const char *line, size_t length, struct record *record)
{
    if (length > ET_LINE_MAX + 1 || memchr(line, '\0', length))
        return ET_MALFORMED;
    struct rest rest = rest_of(line, length);
    if ((size_t)(rest.end - rest.at) > ET_LINE_MAX)
        return ET_MALFORMED;
    const char *word;
    size_t word_length;
    if ((length > 0 && line[0] == '#') || !take_word(&rest, &word, &word_length))
        return ET_COMMENT;
    if (word_length != 1 || !is_letter(*word))
        return ET_MALFORMED;
    const struct shape *shape = find_shape(*word);
    if (!shape)
        return ET_UNKNOWN;
    record->kind = shape->letter;
    record->object = 0;
    return lex_fields(rest, shape, record);
}

/* Reads a number of at most 19 digits, which always fits. Returns the byte after it, or NULL.
 */
static inline const char *lex_number(const char *text, uint64_t *value)
{
    const char *at = text;
    uint64_t sum = 0;
    unsigned digit;
    while ((digit = (unsigned)(unsigned char)*at - '0') <= 9) {
        sum = sum * 10 + digit;
        at++;
    }
    *value = sum;
    return at == text || at - text >= NUMBER_DIGITS ? NULL : at;
}

/* The fields of a record in canonical form: each after one space. */
static inline bool lex_field(const char **at, uint64_t *value)
{
    const char *end = **at == ' ' ? lex_number(*at + 1, value) : NULL;
    if (end)
        *at = end;
    return end != NULL;
}

static inline bool lex_object(const char **at, uint64_t *value)
{
    return lex_field(at, value) && *value != 0;
}

/* The lowest `count` bytes of a word, at most all 8. */
static uint64_t word_mask(size_t count)
{
    return count < 8 ? (UINT64_C(1) << 8 * count) - 1 : UINT64_MAX;
}

/* Notes the last field, of which `length` bytes, LF included, are at `text`, if it is short. */
static void remember(struct et_memo *memo, const char *text, size_t length, uint64_t value)
{
    if (length > 16)
        return;
    memo->value = value;
    memo->length = length;
    memo->masks[0] = word_mask(length);
    memo->masks[1] = length > 8 ? word_mask(length - 8) : 0;
    memo->words[0] = scan_load(text) & memo->masks[0];
    memo->words[1] = scan_load(text + 8) & memo->masks[1];
}

/* Reads the last field and LF. Nearly always it is that of the line before: then its digits
 * need not be looked at one by one, nor its end be searched. */
static inline bool lex_last(const char **at, uint64_t *value, struct et_memo *memo)
{
    const char *text = *at + 1;
    if (**at != ' ')
        return false;
    uint64_t difference = ((scan_load(text) & memo->masks[0]) ^ memo->words[0]) |
                          ((scan_load(text + 8) & memo->masks[1]) ^ memo->words[1]);
    if (difference == 0 && memo->length > 0) {
        *value = memo->value;
        *at = text + memo->length;
        return true;
    }
    const char *end = lex_number(text, value);
    if (!end || *end != '\n')
        return false;
    *at = end + 1;
    remember(memo, text, (size_t)(end + 1 - text), *value);
    return true;
}

static inline bool lex_canonical_fields(const char **at, struct record *record,
                                        struct et_memo *memo)
{
    switch (record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        return lex_object(at, &record->object) && lex_field(at, &record->size) &&
               lex_field(at, &record->type) && lex_field(at, &record->site) &&
               lex_field(at, &record->length) && lex_last(at, &record->thread, memo);
    case RECORD_ENTRY:
        return lex_field(at, &record->method) && lex_field(at, &record->receiver) &&
               lex_last(at, &record->thread, memo);
    case RECORD_EXIT:
        record->object = 0;
        return lex_field(at, &record->method) && lex_last(at, &record->thread, memo);
    case RECORD_EXCEPTION_EXIT:
    case RECORD_THROW:
    case RECORD_CATCH:
        return lex_field(at, &record->method) && lex_field(at, &record->receiver) &&
               lex_field(at, &record->exception) && lex_last(at, &record->thread, memo);
    case RECORD_UPDATE:
        return lex_field(at, &record->container) && lex_field(at, &record->value) &&
               lex_field(at, &record->field) && lex_last(at, &record->thread, memo);
    case RECORD_WITNESS:
        return lex_object(at, &record->object) && lex_field(at, &record->class_id) &&
               lex_last(at, &record->thread, memo);
    case RECORD_DEATH:
        return lex_object(at, &record->object) && lex_field(at, &record->death_thread) &&
               lex_last(at, &record->time, memo);
    default:
        return false;
    }
}

const char *et_lex_canonical(const char *line, struct record *record, struct et_memo *memo)
{
    const char *at = line + 1;
    record->kind = (uint8_t)*line;
    return lex_canonical_fields(&at, record, memo) ? at : NULL;
}

/* How many words are in `rest`. */
static size_t count_words(struct rest rest)
{
    const char *word;
    size_t length, count = 0;
    while (take_word(&rest, &word, &length))
        count++;
    return count;
}

static const char *field_name(const struct field *field, bool explicit_time)
{
    if (field->name)
        return field->name;
    return explicit_time ? "time" : "thread";
}

/* "object size type site length thread"; the longest is far shorter than the room. */
static void list_fields(char *out, size_t room, const struct shape *shape, bool explicit_time)
{
    out[0] = '\0';
    for (size_t i = 0; i < shape->count; i++) {
        size_t length = strlen(out);
        snprintf(out + length, room - length, "%s%s", i ? " " : "",
                 field_name(&shape->fields[i], explicit_time));
    }
}

/* Whether a field is the id of something, and not a quantity or a time. */
static bool is_id(const struct field *field, bool explicit_time)
{
    const char *name = field_name(field, explicit_time);
    return strcmp(name, "size") != 0 && strcmp(name, "length") != 0 && strcmp(name, "time") != 0;
}

/* The first field of a record with the right number of fields that is not what it should be,
 * and why. */
static enum record_fault find_fault(struct rest rest, const struct shape *shape,
                                    bool explicit_time, const struct field **field)
{
    const char *word;
    size_t length;
    uint64_t value = 0;
    for (size_t i = 0; i < shape->count; i++) {
        *field = &shape->fields[i];
        take_word(&rest, &word, &length);
        switch (number_parse(word, length, &value)) {
        case NUMBER_NONE:
            return FAULT_NO_NUMBER;
        case NUMBER_NEGATIVE:
            return is_id(*field, explicit_time) ? FAULT_NEGATIVE_ID : FAULT_NEGATIVE;
        case NUMBER_TOO_LARGE:
            return FAULT_TOO_LARGE;
        case NUMBER_OK:
            break;
        }
        if ((*field)->needs_object && value == 0)
            return FAULT_NO_OBJECT;
    }
    return FAULT_LINE;
}

enum record_fault et_fault(const char *line, size_t length, bool explicit_time)
{
    struct rest rest = rest_of(line, length);
    const char *word;
    size_t word_length;
    if ((size_t)(rest.end - rest.at) > ET_LINE_MAX || memchr(line, '\0', length) ||
        !take_word(&rest, &word, &word_length) || word_length != 1)
        return FAULT_LINE;
    const struct field *field;
    const struct shape *shape = find_shape(*word);
    if (!shape || count_words(rest) != shape->count)
        return FAULT_LINE;
    return find_fault(rest, shape, explicit_time, &field);
}

static enum status explain_fields(struct failure *why, const char *file, uint64_t number,
                                  struct rest rest, const struct shape *shape,
                                  const char *shown, bool explicit_time)
{
    size_t count = count_words(rest);
    if (count != shape->count) {
        char names[80];
        list_fields(names, sizeof names, shape, explicit_time);
        return fail_at(why, STATUS_SYNTAX, file, number,
                       "%c has %zu field%s where %d are needed (%s): %s", shape->letter, count,
                       count == 1 ? "" : "s", shape->count, names, shown);
    }
    static const char *const faults[] = {
        [FAULT_LINE] = "is not understood",
        [FAULT_NO_NUMBER] = "is not a number",
        [FAULT_TOO_LARGE] = "does not fit 64 bits",
        [FAULT_NEGATIVE] = "is negative",
        [FAULT_NEGATIVE_ID] = "is negative",
        [FAULT_NO_OBJECT] = "is 0, which is no object",
    };
    const struct field *field = NULL;
    const char *fault = faults[find_fault(rest, shape, explicit_time, &field)];
    return fail_at(why, STATUS_SYNTAX, file, number, "The %s of %c %s: %s",
                   field_name(field, explicit_time), shape->letter, fault, shown);
}

enum status et_explain(struct failure *why, const char *file, uint64_t number, const char *line,
                       size_t length, bool explicit_time)
{
    struct rest rest = rest_of(line, length);
    size_t plain_length = (size_t)(rest.end - rest.at);
    char shown[TEXT_QUOTE_SIZE];
    text_quote(shown, line, plain_length);
    if (plain_length > ET_LINE_MAX)
        return fail_at(why, STATUS_SYNTAX, file, number, "The line is longer than %d bytes: %s",
                       ET_LINE_MAX, shown);
    const char *zero = memchr(line, '\0', plain_length);
    if (zero)
        return fail_at(why, STATUS_SYNTAX, file, number, "Byte %zu of the line is NUL: %s",
                       (size_t)(zero - line) + 1, shown);
    const char *word;
    size_t word_length;
    take_word(&rest, &word, &word_length);
    const struct shape *shape = word_length == 1 ? find_shape(*word) : NULL;
    if (!shape)
        return fail_at(why, STATUS_SYNTAX, file, number,
                       "The line does not start with a record letter: %s", shown);
    return explain_fields(why, file, number, rest, shape, shown, explicit_time);
}
