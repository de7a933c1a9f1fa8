/* SPDX-License-Identifier: MIT */
/* Attributes are words "key=value" with commas between them. Versions of SELogger have other
 * keys for the same, which are all known here. */
#include "formats/selogger/index/attributes.h"

#include <string.h>

/* Where the attribute with this key is kept; NULL: it is not read. */
static struct piece *find_attribute(struct attributes *attributes, struct piece key)
{
    const struct {
        const char *key;
        struct piece *piece;
    } keys[] = {
        {"owner", &attributes->owner},          {"name", &attributes->name},
        {"fieldname", &attributes->name},       {"type", &attributes->type},
        {"objecttype", &attributes->element},   {"elementtype", &attributes->element},
        {"desc", &attributes->description},     {"methodtype", &attributes->method_type},
        {"calltype", &attributes->method_type}, {"receiver", &attributes->method_type},
        {"created", &attributes->created},      {"newparent", &attributes->new_parent},
        {"index", &attributes->index},          {"location", &attributes->location},
        {"blocktype", &attributes->block},      {"bootstrap_owner", &attributes->bootstrap},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (piece_is_word(key, keys[i].key))
            return keys[i].piece;
    return NULL;
}

void attributes_read(struct piece text, struct attributes *attributes)
{
    *attributes = (struct attributes){.owner = {"", 0}};
    if (text.length >= 2 && text.text[0] == '"' && text.text[text.length - 1] == '"')
        text = (struct piece){text.text + 1, text.length - 2};
    const char *at = text.text, *end = at + text.length;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *next = comma ? comma : end;
        const char *equals = memchr(at, '=', (size_t)(next - at));
        struct piece key = {at, (size_t)((equals ? equals : next) - at)};
        struct piece *value = find_attribute(attributes, key);
        if (value && equals)
            *value = (struct piece){equals + 1, (size_t)(next - equals - 1)};
        if (!equals && piece_is_word(key, "ExceptionalExit"))
            attributes->location = key;
        at = comma ? comma + 1 : end;
    }
}

static bool is_constructor(const struct attributes *attributes)
{
    return piece_is_word(attributes->method_type, "constructor") ||
           piece_is_word(attributes->method_type, "ReceiverNotInitialized") ||
           piece_is(attributes->name, "<init>");
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

/* Whether a call is of a method by which an exception comes to hold another one. */
static bool keeps_exception(const struct attributes *attributes)
{
    return (piece_is(attributes->name, "addSuppressed") &&
            piece_is(attributes->description, "(Ljava/lang/Throwable;)V")) ||
           (piece_is(attributes->name, "initCause") &&
            piece_is(attributes->description, "(Ljava/lang/Throwable;)Ljava/lang/Throwable;"));
}

uint16_t attributes_flags(enum sel_event_kind event, const struct attributes *attributes)
{
    unsigned flags = 0;
    bool is_exit = piece_is_word(attributes->location, "exceptional-exit") ||
                   piece_is_word(attributes->location, "ExceptionalExit") ||
                   piece_is_word(attributes->block, "ExceptionalExit");
    if (attributes->new_parent.length > 0)
        flags |= CREATED_IS_DATA_ID;
    if ((event == EVENT_ENTRY || event == EVENT_CALL) && is_constructor(attributes))
        flags |= IS_CONSTRUCTOR;
    if (event == EVENT_CATCH && is_exit)
        flags |= IS_EXIT_HANDLER;
    if (ends_with(attributes->bootstrap, "LambdaMetafactory"))
        flags |= MAKES_LAMBDA;
    if (event == EVENT_DYNAMIC_RESULT && begins_with(attributes->description, "()") &&
        !ends_with(attributes->bootstrap, "StringConcatFactory"))
        flags |= MAKES_CONSTANT;
    if (event == EVENT_CALL && keeps_exception(attributes))
        flags |= KEEPS_PARAMETER;
    if (event == EVENT_CALL && piece_is(attributes->name, "start") &&
        piece_is(attributes->description, "()V"))
        flags |= STARTS_THREAD;
    return (uint16_t)flags;
}
