/* SPDX-License-Identifier: MIT */
/* Names and ids are never mixed up: either both runs have names or neither uses them. An id
 * that a list of names leaves out stays an id, and no name can be mistaken for one, since no
 * name is a number.
 *
 * The text of a class or a member is kept once, however many names and contexts have it: they
 * are numbers, and are put together when they are shown. The two runs may have the same name in
 * different parts, so names are compared as whole texts. */
#include "report/match/vocabulary.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The name that a word stands for. */
static struct name_parts name_of(const void *context, uint32_t number)
{
    const struct vocabulary *vocabulary = context;
    const struct word *word = &vocabulary->words[number];
    struct name_parts name = {.owner = NULL};
    name.own = symbols_text(&vocabulary->parts, word->own, &name.own_length);
    if (word->owner != NO_SYMBOL)
        name.owner = symbols_text(&vocabulary->parts, word->owner, &name.owner_length);
    return name;
}

static enum status add_parts(struct vocabulary *vocabulary, const struct name_parts *name,
                             struct word *word, struct failure *why)
{
    word->owner = NO_SYMBOL;
    if (name->owner)
        TRY(symbols_add(&vocabulary->parts, name->owner, name->owner_length, &word->owner,
                        why));
    return symbols_add(&vocabulary->parts, name->own, name->own_length, &word->own, why);
}

enum status vocabulary_word(struct vocabulary *vocabulary, const struct name_parts *name,
                            uint32_t *word, struct failure *why)
{
    const struct indexed_names kept = {name_of, vocabulary};
    struct word parts;
    TRY(name_index_add(&vocabulary->index, &kept, name, word, why));
    if (*word < vocabulary->count)
        return STATUS_OK;
    TRY(add_parts(vocabulary, name, &parts, why));
    if (!ARRAY_RESERVE(vocabulary->words, vocabulary->capacity, vocabulary->count + 1))
        return fail_memory(why);
    vocabulary->words[vocabulary->count++] = parts;
    return STATUS_OK;
}

enum status vocabulary_context(struct vocabulary *vocabulary, const uint32_t *methods,
                               size_t count, uint32_t *context, struct failure *why)
{
    size_t longest = count * WORD_SIZE + sizeof SHOWN_NO_METHODS;
    if (!ARRAY_RESERVE(vocabulary->shown.text, vocabulary->shown.capacity, longest))
        return fail_memory(why);
    return symbols_add(&vocabulary->contexts, (const char *)methods, count * sizeof *methods,
                       context, why);
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

const char *vocabulary_show(const struct vocabulary *vocabulary, uint32_t word, char *out)
{
    struct name_parts name = name_of(vocabulary, word);
    out[name_parts_show(out, &name)] = '\0';
    return out;
}

/* A context: the bytes of its words. */
struct shown_words {
    const struct vocabulary *vocabulary;
    const char *bytes;
};

static bool append_word(struct shown_name *shown, const void *of, size_t at)
{
    const struct shown_words *words = of;
    uint32_t word;
    memcpy(&word, words->bytes + at * sizeof word, sizeof word);
    struct name_parts name = name_of(words->vocabulary, word);
    return shown_name_append(shown, &name);
}

/* Cannot fail: there is room for the longest. */
const char *vocabulary_show_context(const struct vocabulary *vocabulary, uint32_t context)
{
    size_t length;
    const struct shown_words words = {vocabulary,
                                      symbols_text(&vocabulary->contexts, context, &length)};
    struct shown_name shown = vocabulary->shown;
    return shown_name_of_context(&shown, length / sizeof(uint32_t), append_word, &words);
}

void vocabulary_free(struct vocabulary *vocabulary)
{
    symbols_free(&vocabulary->parts);
    symbols_free(&vocabulary->contexts);
    symbols_free(&vocabulary->keys);
    name_index_free(&vocabulary->index);
    free(vocabulary->words);
    free(vocabulary->shown.text);
}
