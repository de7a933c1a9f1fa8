/* SPDX-License-Identifier: MIT */
/* Attributes are words KEY=VALUE with commas between them. Versions of SELogger have different
 * keys for the same attribute, all of which are recognised here.
 *
 * A value may have commas, for names may. So it ends at a comma only if a key follows that the
 * line does not have so far. In most places where there are names, only one certain key can
 * follow, or nothing, for a name may look like another attribute. */
#include "formats/selogger/catalogue.h"
#include "formats/selogger/rows.h"

#include <string.h>

/* All events of all versions, also those that are only uses of the object that they name: a
 * name of an event shows where the columns of a line are. */

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

/* The words for each key, up to a NULL. */
static const char *const key_words[KEYS][4] = {
    [KEY_OWNER] = {"owner"},
    [KEY_NAME] = {"name", "fieldname"},
    [KEY_TYPE] = {"type"},
    [KEY_ELEMENT] = {"objecttype", "elementtype"},
    [KEY_DESCRIPTION] = {"desc"},
    [KEY_METHOD_TYPE] = {"methodtype", "calltype", "receiver"},
    [KEY_CREATED] = {"created"},
    [KEY_NEW_PARENT] = {"newparent"},
    [KEY_INDEX] = {"index"},
    [KEY_LOCATION] = {"location"},
    [KEY_BLOCK] = {"blocktype"},
    [KEY_BOOTSTRAP] = {"bootstrap_owner", "bootstrap"},
    /* These only end other attributes. */
    {"exceptiontype"},
    {"start"},
    {"end"},
    {"handler"},
    {"bootstrap_name", "bootstrapmethod"},
    {"bootstrap_desc", "bootstrapdesc"},
    {"instruction", "opcode"},
    {"callparent", "parent"},
    {"var", "varindex"},
    {"increment", "amount"},
    {"dimensions"},
};

enum { LONGEST_KEY = sizeof "bootstrapmethod" - 1 };

/* The key that `text` begins with, before a `=`; KEYS: it begins with none. */
static enum sel_key find_key(struct piece text)
{
    size_t most = text.length < LONGEST_KEY + 1 ? text.length : LONGEST_KEY + 1;
    const char *equals = most > 0 ? memchr(text.text, '=', most) : NULL;
    if (!equals)
        return KEYS;
    text.length = (size_t)(equals - text.text);
    for (unsigned key = 0; key < KEYS; key++)
        for (const char *const *word = key_words[key]; *word; word++)
            if (piece_is_word(text, *word))
                return (enum sel_key)key;
    return KEYS;
}

/* Of an instruction with this event, the only key that can follow a value with names in it, as
 * that of `key`; `key` itself: none can; KEYS: any key can. */
static enum sel_key key_after(enum sel_event_kind event, enum sel_key key)
{
    bool is_call =
        event == EVENT_CALL || event == EVENT_DYNAMIC || event == EVENT_DYNAMIC_RESULT;
    bool is_alone = event == EVENT_NEW_OBJECT || event == EVENT_NEW_ARRAY;
    switch (key) {
    case KEY_NAME:
        return event_has_field(event) ? KEY_TYPE : is_call ? KEY_DESCRIPTION : KEYS;
    case KEY_OWNER:
        return event_has_field(event) || is_call ? KEY_NAME : KEYS;
    case KEY_TYPE:
        return event_has_field(event) ? KEY_OWNER : is_alone ? KEY_TYPE : KEYS;
    case KEY_ELEMENT:
        return is_alone ? KEY_ELEMENT : KEYS;
    default:
        return KEYS;
    }
}

/* Takes the last attribute with this key, and what follows it, off *value, and moves *rest to
 * it. False: there is none. */
static bool cut_at_last(struct piece *value, struct piece *rest, enum sel_key key)
{
    struct piece left = *value, last;
    while (split_last(&left, &last)) {
        struct piece from = {last.text, (size_t)(value->text + value->length - last.text)};
        if (find_key(from) != key)
            continue;
        *value = left;
        *rest = from;
        return true;
    }
    return false;
}

/* Takes the first attribute whose key is in the set `keys` of bits, and what follows it, off
 * *value, and moves *rest to it. False: there is none. */
static bool cut_at_first(struct piece *value, struct piece *rest, unsigned keys)
{
    struct piece from = *value, first;
    while (split_first(&from, &first)) {
        enum sel_key key = find_key(from);
        if (key == KEYS || !(keys & 1u << key))
            continue;
        value->length = (size_t)(from.text - value->text) - 1;
        *rest = from;
        return true;
    }
    return false;
}

/* Takes the first attribute off *rest: sets *key to its key (KEYS: it has none) and *value to
 * its value, or else to all of it. `seen` is the set of the keys before it. */
static void take_attribute(enum sel_event_kind event, struct piece *rest, unsigned seen,
                           enum sel_key *key, struct piece *value)
{
    *value = *rest;
    *key = find_key(*rest);
    if (*key < KEYS) {
        const char *equals = memchr(value->text, '=', value->length);
        size_t before = (size_t)(equals - value->text) + 1;
        *value = (struct piece){equals + 1, value->length - before};
        seen |= 1u << *key;
    }
    *rest = (struct piece){"", 0};
    enum sel_key next = key_after(event, *key);
    if (next < KEYS && seen & 1u << next)
        return;
    bool is_cut = next < KEYS && (*key == KEY_NAME ? cut_at_last(value, rest, next)
                                                   : cut_at_first(value, rest, 1u << next));
    if (!is_cut)
        cut_at_first(value, rest, ~seen);
}

void attributes_read(enum sel_event_kind event, struct piece text,
                     struct piece values[static KEYS])
{
    unsigned seen = 0;
    for (unsigned key = 0; key < KEYS; key++)
        values[key] = (struct piece){"", 0};
    if (text.length >= 2 && text.text[0] == '"' && text.text[text.length - 1] == '"')
        text = (struct piece){text.text + 1, text.length - 2};
    while (text.length > 0) {
        struct piece value;
        enum sel_key key;
        take_attribute(event, &text, seen, &key, &value);
        if (key == KEYS && piece_is_word(value, "ExceptionalExit"))
            values[KEY_LOCATION] = value;
        if (key == KEYS)
            continue;
        values[key] = value;
        seen |= 1u << key;
    }
}

static bool is_constructor(const struct piece *values)
{
    return piece_is_word(values[KEY_METHOD_TYPE], "constructor") ||
           piece_is_word(values[KEY_METHOD_TYPE], "ReceiverNotInitialized") ||
           piece_is(values[KEY_NAME], "<init>");
}

static bool ends_with(struct piece piece, const char *end)
{
    size_t length = strlen(end);
    return piece.length >= length &&
           memcmp(piece.text + piece.length - length, end, length) == 0;
}

static bool begins_with(struct piece piece, const char *begin)
{
    size_t length = strlen(begin);
    return piece.length >= length && memcmp(piece.text, begin, length) == 0;
}

/* Whether a call is to a method by which an exception comes to hold another one. */
static bool keeps_exception(const struct piece *values)
{
    return (piece_is(values[KEY_NAME], "addSuppressed") &&
            piece_is(values[KEY_DESCRIPTION], "(Ljava/lang/Throwable;)V")) ||
           (piece_is(values[KEY_NAME], "initCause") &&
            piece_is(values[KEY_DESCRIPTION], "(Ljava/lang/Throwable;)Ljava/lang/Throwable;"));
}

uint16_t attributes_flags(enum sel_event_kind event, const struct piece values[static KEYS])
{
    unsigned flags = 0;
    bool is_exit = piece_is_word(values[KEY_LOCATION], "exceptional-exit") ||
                   piece_is_word(values[KEY_LOCATION], "ExceptionalExit") ||
                   piece_is_word(values[KEY_BLOCK], "ExceptionalExit");
    if (values[KEY_NEW_PARENT].length > 0)
        flags |= CREATED_IS_DATA_ID;
    if ((event == EVENT_ENTRY || event == EVENT_CALL) && is_constructor(values))
        flags |= IS_CONSTRUCTOR;
    if (event == EVENT_CATCH && is_exit)
        flags |= IS_EXIT_HANDLER;
    if (ends_with(values[KEY_BOOTSTRAP], "LambdaMetafactory"))
        flags |= MAKES_LAMBDA;
    if (event == EVENT_DYNAMIC_RESULT && begins_with(values[KEY_DESCRIPTION], "()") &&
        !ends_with(values[KEY_BOOTSTRAP], "StringConcatFactory"))
        flags |= MAKES_CONSTANT;
    if (event == EVENT_CALL && keeps_exception(values))
        flags |= KEEPS_PARAMETER;
    if (event == EVENT_CALL && piece_is(values[KEY_NAME], "start") &&
        piece_is(values[KEY_DESCRIPTION], "()V"))
        flags |= STARTS_THREAD;
    return (uint16_t)flags;
}
