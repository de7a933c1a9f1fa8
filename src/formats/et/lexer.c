/* SPDX-License-Identifier: MIT */
/* Two lexers of one language. et_lex reads everything that is allowed and is driven by the
 * table of records; et_lex_canonical reads only what tracers write, with straight-line code for
 * each record, and leaves the rest to et_lex. */
#include "formats/et/lexer.h"

#include "base/number.h"
#include "base/text.h"
#include "formats/et/scan.h"
#include "trace/record.h"

#include <string.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_letter(char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* The rest of a line. */
struct rest {
    const char *at;
    const char *end;
};

/* Takes the next word between blanks; false: there is none. */
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

/* The length of a line without the CR that ends it. */
static size_t plain_length(const char *line, size_t length)
{
    return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
}

/* Where the comment after the fields begins: a '#' at the start of the line or after a blank.
 * NULL: there is none. */
static const char *find_comment(const char *line, size_t length)
{
    const char *end = line + length, *at = line;
    while ((at = memchr(at, '#', (size_t)(end - at))) != NULL) {
        if (at == line || is_blank(at[-1]))
            return at;
        at++;
    }
    return NULL;
}

/* A line without its CR and the comment after its fields. */
static struct rest rest_of(const char *line, size_t length)
{
    size_t plain = plain_length(line, length);
    const char *comment = find_comment(line, plain);
    return (struct rest){line, comment ? comment : line + plain};
}

/* Whether a word is the dimensions that some tracers append to the record of an array: numbers
 * with commas between them. */
static bool is_dimensions(const char *word, size_t length)
{
    bool has_comma = false, in_number = false;
    for (size_t i = 0; i < length; i++) {
        bool is_comma = word[i] == ',';
        if ((is_comma && !in_number) || (!is_comma && (word[i] < '0' || word[i] > '9')))
            return false;
        has_comma |= is_comma;
        in_number = !is_comma;
    }
    return has_comma && in_number;
}

/* What a line is, if `rest` follows its fields. */
static enum et_line lex_appendix(struct rest rest, const struct record_layout *layout)
{
    const char *word;
    size_t length;
    if (!take_word(&rest, &word, &length))
        return ET_RECORD;
    bool is_allowed = layout->kind == RECORD_ARRAY && is_dimensions(word, length) &&
                      !take_word(&rest, &word, &length);
    return is_allowed ? ET_RECORD_AND_MORE : ET_MALFORMED;
}

static enum et_line lex_fields(struct rest rest, const struct record_layout *layout,
                               struct record *record)
{
    const char *word;
    size_t length;
    for (size_t i = 0; i < layout->count; i++) {
        const struct record_field *field = &layout->fields[i];
        uint64_t *value = record_at(record, field);
        if (!take_word(&rest, &word, &length) ||
            number_parse(word, length, value) != NUMBER_OK || (field->required && *value == 0))
            return ET_MALFORMED;
    }
    return lex_appendix(rest, layout);
}

/* Whether the line about a reference object has numbers that mean something. Another line with
 * its letter is of an unknown kind, since tracers may use the letter for something else. */
static bool is_about_reference(const struct record *record)
{
    bool has_kind = record->strength > 0 && record->strength < REFERENCE_KINDS;
    if (record->kind == RECORD_REFERENCE)
        return has_kind && record->reference != 0 && record->referent != 0;
    return has_kind && record->reference != 0 && record->cause > 0 &&
           record->cause < CLEARING_CAUSES;
}

enum et_line et_lex(const char *line, size_t length, struct record *record)
{
    if (length > ET_LINE_MAX + 1 || memchr(line, '\0', length))
        return ET_MALFORMED;
    size_t plain = plain_length(line, length);
    if (plain > ET_LINE_MAX)
        return ET_MALFORMED;
    struct rest rest = rest_of(line, length);
    bool has_comment = rest.end < line + plain;
    const char *word;
    size_t word_length;
    if (!take_word(&rest, &word, &word_length))
        return ET_COMMENT;
    if (word_length != 1 || !is_letter(*word))
        return ET_MALFORMED;
    const struct record_layout *layout = record_layout_find((uint8_t)*word);
    if (!layout)
        return ET_UNKNOWN;
    record->kind = layout->kind;
    record->object = 0;
    enum et_line what = lex_fields(rest, layout, record);
    if (record_is_about_reference(layout->kind) &&
        (what == ET_MALFORMED || !is_about_reference(record)))
        return ET_UNKNOWN;
    return what == ET_RECORD && has_comment ? ET_RECORD_AND_MORE : what;
}

size_t et_fields_end(const char *line, size_t length)
{
    struct rest rest = rest_of(line, length);
    const char *word;
    size_t word_length;
    if (!take_word(&rest, &word, &word_length))
        return 0;
    const struct record_layout *layout = record_layout_find((uint8_t)*word);
    for (size_t i = 0; layout && i < layout->count; i++)
        take_word(&rest, &word, &word_length);
    return (size_t)(rest.at - line);
}

/* Reads a number of at most 19 digits, which always fits 64 bits. Returns the byte after it;
 * NULL: it has more digits, or none. */
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

/* Reads a field of a record in canonical form, after a single space. */
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

/* A mask of the lowest `count` bytes of a word, or of all 8. */
static uint64_t word_mask(size_t count)
{
    return count < 8 ? (UINT64_C(1) << 8 * count) - 1 : UINT64_MAX;
}

/* Keeps the last field in *memo if it is short: `length` bytes at `text`, LF included. */
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

/* Reads the last field and LF. It is nearly always that of the line before: then its digits
 * need not be read one by one, nor its end be searched for. */
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

/* How many fields `rest` has; the dimensions of an array are none. */
static size_t count_fields(struct rest rest, const struct record_layout *layout)
{
    const char *word;
    size_t length, count = 0;
    while (take_word(&rest, &word, &length)) {
        if (count == layout->count &&
            lex_appendix((struct rest){word, rest.end}, layout) == ET_RECORD_AND_MORE)
            break;
        count++;
    }
    return count;
}

static const char *field_name(const struct record_field *field, bool explicit_time)
{
    if (field->name)
        return field->name;
    return explicit_time ? "time" : "thread";
}

/* Writes the names of the fields, as in "object size type site length thread". The longest such
 * list is far shorter than the room. */
static void list_fields(char *out, size_t room, const struct record_layout *layout,
                        bool explicit_time)
{
    out[0] = '\0';
    for (size_t i = 0; i < layout->count; i++) {
        size_t length = strlen(out);
        snprintf(out + length, room - length, "%s%s", i ? " " : "",
                 field_name(&layout->fields[i], explicit_time));
    }
}

/* Whether a field is an id, and not a quantity or a time. */
static bool is_id(const struct record_field *field, bool explicit_time)
{
    return field->role != ROLE_NUMBER && field->role != ROLE_TIME &&
           !(field->role == ROLE_THREAD_OR_TIME && explicit_time);
}

/* Sets *field to the first bad field of a record with the right number of fields, and returns
 * what is wrong with it. */
static enum record_fault find_fault(struct rest rest, const struct record_layout *layout,
                                    bool explicit_time, const struct record_field **field)
{
    const char *word;
    size_t length;
    uint64_t value = 0;
    for (size_t i = 0; i < layout->count; i++) {
        *field = &layout->fields[i];
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
        if ((*field)->required && value == 0)
            return FAULT_NO_OBJECT;
    }
    return FAULT_LINE;
}

enum record_fault et_fault(const char *line, size_t length, bool explicit_time)
{
    struct rest rest = rest_of(line, length);
    const char *word;
    size_t word_length;
    if (plain_length(line, length) > ET_LINE_MAX || memchr(line, '\0', length) ||
        !take_word(&rest, &word, &word_length) || word_length != 1)
        return FAULT_LINE;
    const struct record_field *field;
    const struct record_layout *layout = record_layout_find((uint8_t)*word);
    if (!layout || count_fields(rest, layout) != layout->count)
        return FAULT_LINE;
    return find_fault(rest, layout, explicit_time, &field);
}

static enum status explain_fields(struct failure *why, const char *file, uint64_t number,
                                  struct rest rest, const struct record_layout *layout,
                                  const char *shown, bool explicit_time)
{
    size_t count = count_fields(rest, layout);
    if (count != layout->count) {
        char names[80];
        list_fields(names, sizeof names, layout, explicit_time);
        return fail_at(why, STATUS_SYNTAX, file, number,
                       "%c has %zu field%s where %d are needed (%s): %s", layout->kind, count,
                       count == 1 ? "" : "s", layout->count, names, shown);
    }
    static const char *const faults[] = {
        [FAULT_LINE] = "is not understood",
        [FAULT_NO_NUMBER] = "is not a number",
        [FAULT_TOO_LARGE] = "does not fit 64 bits",
        [FAULT_NEGATIVE] = "is negative",
        [FAULT_NEGATIVE_ID] = "is negative",
        [FAULT_NO_OBJECT] = "is 0, which is no object",
    };
    const struct record_field *field = layout->fields;
    const char *fault = faults[find_fault(rest, layout, explicit_time, &field)];
    return fail_at(why, STATUS_SYNTAX, file, number, "The %s of %c %s: %s",
                   field_name(field, explicit_time), layout->kind, fault, shown);
}

enum status et_explain(struct failure *why, const char *file, uint64_t number, const char *line,
                       size_t length, bool explicit_time)
{
    struct rest rest = rest_of(line, length);
    size_t plain = plain_length(line, length);
    char shown[TEXT_QUOTE_SIZE];
    text_quote(shown, line, plain);
    if (plain > ET_LINE_MAX)
        return fail_at(why, STATUS_SYNTAX, file, number, "The line is longer than %d bytes: %s",
                       ET_LINE_MAX, shown);
    const char *zero = memchr(line, '\0', plain);
    if (zero)
        return fail_at(why, STATUS_SYNTAX, file, number, "Byte %zu of the line is NUL: %s",
                       (size_t)(zero - line) + 1, shown);
    const char *word;
    size_t word_length;
    take_word(&rest, &word, &word_length);
    const struct record_layout *layout =
        word_length == 1 ? record_layout_find((uint8_t)*word) : NULL;
    if (!layout)
        return fail_at(why, STATUS_SYNTAX, file, number,
                       "The line does not start with a record letter: %s", shown);
    return explain_fields(why, file, number, rest, layout, shown, explicit_time);
}
