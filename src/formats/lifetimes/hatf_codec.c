/* SPDX-License-Identifier: MIT */
/* One table has the fields of each record; encoder and decoder go through it. Both change the
 * state by the same functions, so that they cannot disagree about it. */
#include "base/bytes.h"
#include "formats/lifetimes/hatf.h"

#include <string.h>

/* The number of records after a comment that are looked at to find out where it ends. */
enum { RECORDS_AHEAD = 16 };

/* Only in the table: the first address of a realloc, and the end of a row. */
enum { OLD_ADDRESS = HATF_FIELDS, END };

static const uint8_t layouts[][8] = {
    [HATF_ALLOC] = {HATF_SIZE, HATF_ADDRESS, HATF_THREAD, HATF_HEAP, HATF_TIME, HATF_ATTRIBUTES,
                    END},
    [HATF_FREE] = {HATF_ADDRESS, HATF_THREAD, HATF_HEAP, HATF_TIME, HATF_ATTRIBUTES, END},
    [HATF_REALLOC] = {HATF_SIZE, OLD_ADDRESS, HATF_ADDRESS, HATF_THREAD, HATF_HEAP, HATF_TIME,
                      HATF_ATTRIBUTES, END},
    [HATF_CREATE_HEAP] = {HATF_HEAP, HATF_THREAD, HATF_TIME, HATF_ATTRIBUTES, END},
    [HATF_CREATE_THREAD] = {HATF_THREAD, HATF_TIME, HATF_ATTRIBUTES, END},
};

static const uint8_t *layout_of(unsigned tag)
{
    if (tag >= HATF_REALLOC && tag < HATF_CREATE_HEAP)
        tag = HATF_REALLOC;
    else if (tag == HATF_DESTROY_HEAP || tag == HATF_DESTROY_THREAD)
        tag--;
    return layouts[tag];
}

/* A pointer to the number of a column in a record. */
static uint64_t *number_of(struct hatf_record *record, unsigned column)
{
    return column == OLD_ADDRESS ? &record->old_address : &record->numbers[column];
}

static unsigned field_of(unsigned column)
{
    return column == OLD_ADDRESS ? HATF_ADDRESS : column;
}

void hatf_state_init(struct hatf_state *state, bool little_endian)
{
    *state = (struct hatf_state){.little_endian = little_endian};
    for (unsigned field = 0; field < HATF_FIELDS; field++)
        state->fields[field].interpretation = HATF_DEFAULT;
    for (unsigned field = HATF_SIZE; field <= HATF_ADDRESS; field++)
        state->fields[field] = (struct hatf_settings){.width = 4, .last_width = 4};
}

/* The bytes that a field with these settings takes, or HATF_V1 or HATF_V2. */
static unsigned width_of(const struct hatf_settings *settings)
{
    bool is_absent =
        settings->interpretation == HATF_DEFAULT || settings->interpretation == HATF_STRIDE;
    return is_absent ? 0 : settings->width;
}

/* The value that the bytes `raw` of a field mean. */
static uint64_t interpret(const struct hatf_settings *settings, uint64_t raw)
{
    switch ((enum hatf_interpretation)settings->interpretation) {
    case HATF_NONE:
        break;
    case HATF_DEFAULT:
        return settings->argument;
    case HATF_BASE_OFFSET:
        return settings->argument + load_sign(raw, settings->width);
    case HATF_DELTA:
        return settings->previous + load_sign(raw, settings->width);
    case HATF_STRIDE:
        return settings->previous + settings->stride;
    }
    return raw;
}

/* The bytes of a field that mean `value`, or the lowest of them if it does not fit. */
static uint64_t raw_of(const struct hatf_settings *settings, uint64_t value)
{
    if (settings->interpretation == HATF_BASE_OFFSET)
        value -= settings->argument;
    else if (settings->interpretation == HATF_DELTA)
        value -= settings->previous;
    unsigned width = width_of(settings);
    return width < 8 ? value & ((UINT64_C(1) << 8 * width) - 1) : value;
}

static bool is_width(unsigned field, unsigned code)
{
    return code <= 2 || code == 4 || code == 8 ||
           (field == HATF_ATTRIBUTES && (code == HATF_V1 || code == HATF_V2));
}

/* The number of arguments of a metadata record; -1: there is no such record. */
static int count_arguments(const struct hatf_metadata *metadata)
{
    if (metadata->field >= HATF_FIELDS)
        return -1;
    if (metadata->operation == HATF_SET_WIDTH)
        return is_width(metadata->field, metadata->code) ? 0 : -1;
    bool is_possible =
        metadata->code <= (metadata->field == HATF_ATTRIBUTES ? HATF_DEFAULT : HATF_STRIDE);
    if (metadata->operation != HATF_SET_INTERPRETATION || !is_possible)
        return -1;
    if (metadata->code == HATF_NONE)
        return 0;
    return metadata->code == HATF_STRIDE ? 2 : 1;
}

/* Changes the settings as a metadata record says. A width that is set while the field is absent
 * takes effect when the field is present again. Without an earlier width, it is 4 bytes, or V1
 * for attributes. */
static void set(struct hatf_state *state, const struct hatf_metadata *metadata)
{
    struct hatf_settings *settings = &state->fields[metadata->field];
    if (metadata->operation == HATF_SET_WIDTH) {
        settings->width = metadata->code;
        if (metadata->code > 0)
            settings->last_width = metadata->code;
        return;
    }
    uint8_t first = metadata->field == HATF_ATTRIBUTES ? HATF_V1 : 4;
    settings->interpretation = metadata->code;
    settings->argument = metadata->arguments[0];
    settings->stride = metadata->arguments[1];
    settings->width = settings->last_width ? settings->last_width : first;
    if (metadata->code == HATF_DELTA || metadata->code == HATF_STRIDE)
        settings->previous = metadata->arguments[0];
}

static bool decode_attributes(const struct hatf_state *state, struct load *load,
                              struct hatf_record *record)
{
    unsigned width = width_of(&state->fields[HATF_ATTRIBUTES]);
    uint64_t length = width;
    if (width >= HATF_V1 &&
        !load_number(load, width == HATF_V1 ? 1 : 2, state->little_endian, &length))
        return false;
    record->data_length = (size_t)length;
    return load_bytes(load, record->data_length, &record->data);
}

static bool decode_fields(struct hatf_state *state, struct load *load,
                          struct hatf_record *record)
{
    for (const uint8_t *column = layout_of(record->tag); *column != END; column++) {
        if (*column == HATF_ATTRIBUTES)
            return decode_attributes(state, load, record);
        struct hatf_settings *settings = &state->fields[field_of(*column)];
        uint64_t raw;
        if (!load_number(load, width_of(settings), state->little_endian, &raw))
            return false;
        settings->previous = interpret(settings, raw);
        *number_of(record, *column) = settings->previous;
    }
    return true;
}

static enum hatf_result decode_metadata(struct hatf_state *state, struct load *load,
                                        struct hatf_metadata *metadata)
{
    const uint8_t *bytes;
    if (!load_bytes(load, 3, &bytes))
        return HATF_CUT_OFF;
    metadata->operation = bytes[0];
    metadata->field = bytes[1];
    metadata->code = bytes[2];
    int arguments = count_arguments(metadata);
    if (arguments < 0)
        return HATF_NO_SUCH_SETTING;
    for (int i = 0; i < arguments; i++)
        if (!load_number(load, 8, state->little_endian, &metadata->arguments[i]))
            return HATF_CUT_OFF;
    set(state, metadata);
    return HATF_OK;
}

/* Decodes what follows the tag of a record that is no comment. */
static enum hatf_result decode_tagged(struct hatf_state *state, struct load *load,
                                      struct hatf_record *record)
{
    if (record->tag > HATF_METADATA)
        return HATF_NO_SUCH_TAG;
    if (record->tag == HATF_METADATA)
        return decode_metadata(state, load, &record->metadata);
    return decode_fields(state, load, record) ? HATF_OK : HATF_CUT_OFF;
}

/* How many of the records at `load` are valid: up to RECORDS_AHEAD, which is also returned when
 * they end with the file or cannot be judged any further. `is_all`: the file ends with `load`.
 */
static unsigned count_legal(const struct hatf_state *state, struct load load, bool is_all)
{
    struct hatf_state ahead = *state;
    for (unsigned count = 0; count < RECORDS_AHEAD; count++) {
        const uint8_t *tag;
        if (!load_bytes(&load, 1, &tag) || *tag == HATF_COMMENT)
            break;
        struct hatf_record record = {.tag = *tag};
        enum hatf_result result = decode_tagged(&ahead, &load, &record);
        if (result == HATF_CUT_OFF && !is_all)
            break;
        if (result != HATF_OK)
            return count;
    }
    return RECORDS_AHEAD;
}

/* A comment, read as if its length came after a number of bytes of padding, and how many valid
 * records follow it then; 0: it cannot be so. */
struct comment_reading {
    struct load rest;
    const uint8_t *text;
    uint64_t length;
    unsigned legal;
};

static struct comment_reading read_comment(const struct hatf_state *state, struct load load,
                                           unsigned padding, bool is_all)
{
    struct comment_reading reading = {.legal = 0};
    const uint8_t *skipped;
    if (!load_bytes(&load, padding, &skipped) ||
        !load_number(&load, 2, state->little_endian, &reading.length) ||
        !load_bytes(&load, (size_t)reading.length, &reading.text))
        return reading;
    reading.legal = count_legal(state, load, is_all);
    reading.rest = load;
    return reading;
}

/* Whether a comment has text, which would be an unlikely sequence of records after an empty
 * comment. */
static bool is_text(const struct comment_reading *reading)
{
    if (reading->legal == 0)
        return false;
    for (uint64_t i = 0; i < reading->length; i++)
        if (reading->text[i] < ' ' && reading->text[i] != '\t' && reading->text[i] != '\n')
            return false;
    return reading->length > 0;
}

/* The length of a comment comes after its tag or, in some files, after a byte of padding. The
 * reading that explains more of what follows is taken; if both explain as much, that of the
 * comment before. */
static enum hatf_result decode_comment(struct hatf_state *state, struct load *load,
                                       struct hatf_record *record)
{
    bool is_all = load_left(load) + 1 < HATF_LONGEST, is_padded = state->pads_comments;
    struct comment_reading plain = read_comment(state, *load, 0, is_all);
    struct comment_reading padded = read_comment(state, *load, 1, is_all);
    if (plain.legal != padded.legal)
        is_padded = padded.legal > plain.legal;
    else if (plain.length == 0 && is_text(&padded))
        is_padded = true;
    const struct comment_reading *reading = is_padded ? &padded : &plain;
    /* Far from the end of the file it is not the comment that is wrong, but what follows. */
    if (reading->legal == 0 && is_all)
        return HATF_CUT_OFF;
    state->pads_comments = is_padded;
    record->data = reading->text;
    record->data_length = (size_t)reading->length;
    *load = reading->rest;
    return HATF_OK;
}

enum hatf_result hatf_decode(struct hatf_state *state, struct load *load,
                             struct hatf_record *record)
{
    const uint8_t *tag;
    *record = (struct hatf_record){.tag = 0};
    if (!load_bytes(load, 1, &tag))
        return HATF_CUT_OFF;
    record->tag = *tag;
    return *tag == HATF_COMMENT ? decode_comment(state, load, record)
                                : decode_tagged(state, load, record);
}

static uint8_t *put_data(uint8_t *out, const struct hatf_record *record)
{
    if (record->data_length > 0)
        memcpy(out, record->data, record->data_length);
    return out + record->data_length;
}

static uint8_t *encode_attributes(const struct hatf_state *state, uint8_t *out,
                                  const struct hatf_record *record)
{
    unsigned width = width_of(&state->fields[HATF_ATTRIBUTES]);
    if (width >= HATF_V1)
        out = store_number(out, record->data_length, width == HATF_V1 ? 1 : 2,
                           state->little_endian);
    return put_data(out, record);
}

static uint8_t *encode_fields(struct hatf_state *state, uint8_t *out,
                              const struct hatf_record *record)
{
    for (const uint8_t *column = layout_of(record->tag); *column != END; column++) {
        if (*column == HATF_ATTRIBUTES)
            return encode_attributes(state, out, record);
        struct hatf_settings *settings = &state->fields[field_of(*column)];
        uint64_t value =
            *column == OLD_ADDRESS ? record->old_address : record->numbers[*column];
        out = store_number(out, raw_of(settings, value), width_of(settings),
                           state->little_endian);
        settings->previous = value;
    }
    return out;
}

static uint8_t *encode_metadata(struct hatf_state *state, uint8_t *out,
                                const struct hatf_metadata *metadata)
{
    *out++ = metadata->operation;
    *out++ = metadata->field;
    *out++ = metadata->code;
    int arguments = count_arguments(metadata);
    for (int i = 0; i < arguments; i++)
        out = store_number(out, metadata->arguments[i], 8, state->little_endian);
    set(state, metadata);
    return out;
}

size_t hatf_encode(struct hatf_state *state, const struct hatf_record *record, uint8_t *out)
{
    uint8_t *end = out;
    *end++ = record->tag;
    if (record->tag == HATF_METADATA) {
        end = encode_metadata(state, end, &record->metadata);
    } else if (record->tag == HATF_COMMENT) {
        end = store_number(end, record->data_length, 2, state->little_endian);
        end = put_data(end, record);
    } else {
        end = encode_fields(state, end, record);
    }
    return (size_t)(end - out);
}
