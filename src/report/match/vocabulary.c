/* SPDX-License-Identifier: MIT */
/* Names and ids are never mixed up: either both runs have names or neither uses them. An id
 * that a list of names leaves out stays an id, and no name can be mistaken for one, since no
 * name is a number. */
#include "report/match/vocabulary.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* Writes `length` bytes at position *at of the text, and moves *at past them. */
static enum status put_bytes(struct vocabulary *vocabulary, size_t *at, const char *bytes,
                             size_t length, struct failure *why)
{
    if (!ARRAY_RESERVE(vocabulary->text, vocabulary->capacity, *at + length + 1))
        return fail_memory(why);
    memcpy(vocabulary->text + *at, bytes, length);
    *at += length;
    return STATUS_OK;
}

static enum status put_name(struct vocabulary *vocabulary, size_t *at,
                            const struct names *names, enum name_space space, uint64_t id,
                            struct failure *why)
{
    struct name_parts parts = names_find_parts(names, space, id);
    char digits[NUMBER_DIGITS];
    if (!parts.own)
        return put_bytes(vocabulary, at, digits, number_format(digits, id), why);
    enum status status = STATUS_OK;
    if (parts.owner) {
        status = put_bytes(vocabulary, at, parts.owner, parts.owner_length, why);
        if (status == STATUS_OK)
            status = put_bytes(vocabulary, at, "#", 1, why);
    }
    return status == STATUS_OK ? put_bytes(vocabulary, at, parts.own, parts.own_length, why)
                               : status;
}

enum status vocabulary_word(struct vocabulary *vocabulary, const struct names *names,
                            enum name_space space, uint64_t id, uint32_t *word,
                            struct failure *why)
{
    size_t length = 0;
    enum status status = put_name(vocabulary, &length, names, space, id, why);
    return status == STATUS_OK
               ? symbols_add(&vocabulary->words, vocabulary->text, length, word, why)
               : status;
}

enum status vocabulary_context(struct vocabulary *vocabulary, const struct names *names,
                               const struct contexts *contexts, uint32_t context,
                               bool innermost, uint32_t *word, struct failure *why)
{
    static const char none[] = "(none)";
    uint64_t methods[CONTEXT_DEPTH_MAX];
    size_t count = contexts_methods(contexts, context, methods), length = 0;
    enum status status = STATUS_OK;
    if (count == 0)
        status = put_bytes(vocabulary, &length, none, sizeof none - 1, why);
    for (size_t i = 0; i < (innermost && count > 1 ? 1 : count) && status == STATUS_OK; i++) {
        if (i > 0)
            status = put_bytes(vocabulary, &length, ";", 1, why);
        if (status == STATUS_OK)
            status = put_name(vocabulary, &length, names, NAMES_METHOD, methods[i], why);
    }
    return status == STATUS_OK
               ? symbols_add(&vocabulary->words, vocabulary->text, length, word, why)
               : status;
}

_Static_assert(sizeof(struct allocation_key) == 16, "a key has no bytes that are not set");

enum status vocabulary_key(struct vocabulary *vocabulary, const struct allocation_key *key,
                           uint32_t *number, struct failure *why)
{
    return symbols_add(&vocabulary->keys, (const char *)key, sizeof *key, number, why);
}

struct allocation_key vocabulary_key_of(const struct vocabulary *vocabulary, uint32_t number)
{
    struct allocation_key key;
    memcpy(&key, symbols_text(&vocabulary->keys, number, NULL), sizeof key);
    return key;
}

const char *vocabulary_text(const struct vocabulary *vocabulary, uint32_t word)
{
    return symbols_text(&vocabulary->words, word, NULL);
}

void vocabulary_free(struct vocabulary *vocabulary)
{
    symbols_free(&vocabulary->words);
    symbols_free(&vocabulary->keys);
    free(vocabulary->text);
}
