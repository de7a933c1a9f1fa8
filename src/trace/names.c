/* SPDX-License-Identifier: MIT */
/* All names are in one text, one after the other, and each has an entry with its position. A
 * name that begins with that of a class does not repeat it: a list can have millions of members
 * of one class, whose name may be long. Such a name is put together on request, in room that
 * was made when it was added, so that a request cannot fail. */
#include "trace/names.h"

#include "base/map.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    size_t begin;    /* where its own part begins in the text */
    uint32_t length; /* of its own part */
    uint32_t owner;  /* the number, from 1, of the entry whose name comes first; 0: none */
};

struct names {
    struct map spaces[NAMES_SPACES]; /* id -> number of its entry, from 1 */
    struct entry *entries;
    size_t count;
    size_t entries_capacity;
    char *text;
    size_t length;
    size_t capacity;
    char *joined; /* the last name that was put together */
    size_t joined_capacity;
};

enum status names_new(struct names **out, struct failure *why)
{
    *out = calloc(1, sizeof **out);
    return *out ? STATUS_OK : fail_memory(why);
}

static const struct entry *find_entry(const struct names *names, enum name_space space,
                                      uint64_t id)
{
    const uint64_t *number = map_find(&names->spaces[space], id);
    return number ? &names->entries[*number - 1] : NULL;
}

/* Appends a name's own part, and a NUL, to the text. */
static enum status append_own(struct names *names, const char *text, size_t length,
                              struct failure *why)
{
    size_t needed;
    if (length >= UINT32_MAX || __builtin_add_overflow(names->length, length + 1, &needed))
        return fail_memory(why);
    if (!ARRAY_RESERVE(names->text, names->capacity, needed))
        return fail_memory(why);
    char *more = names->text;
    memcpy(more + names->length, text, length);
    more[needed - 1] = '\0';
    return STATUS_OK;
}

/* Adds an entry for `id`. */
static enum status add_entry(struct names *names, enum name_space space, uint64_t id,
                             const struct entry *entry, struct failure *why)
{
    if (names->count == UINT32_MAX)
        return fail(why, STATUS_LIMIT, "There are more than %" PRIu32 " names", UINT32_MAX);
    if (!ARRAY_RESERVE(names->entries, names->entries_capacity, names->count + 1))
        return fail_memory(why);
    uint64_t *number = map_insert(&names->spaces[space], id);
    if (!number)
        return fail_memory(why);
    names->entries[names->count++] = *entry;
    *number = names->count;
    names->length += (size_t)entry->length + 1;
    return STATUS_OK;
}

static enum status add_name(struct names *names, enum name_space space, uint64_t id,
                            uint32_t owner, const char *text, size_t length,
                            struct failure *why)
{
    enum status status = append_own(names, text, length, why);
    const struct entry entry = {names->length, (uint32_t)length, owner};
    return status == STATUS_OK ? add_entry(names, space, id, &entry, why) : status;
}

enum status names_add(struct names *names, enum name_space space, uint64_t id, const char *text,
                      size_t length, struct failure *why)
{
    return add_name(names, space, id, 0, text, length, why);
}

/* Names `id` with the text of `owner`, an entry of *names, and then `text`. */
static enum status add_owned(struct names *names, enum name_space space, uint64_t id,
                             const struct entry *owner, const char *text, size_t length,
                             struct failure *why)
{
    size_t needed;
    if (__builtin_add_overflow((size_t)owner->length + 2, length, &needed))
        return fail_memory(why);
    if (!ARRAY_RESERVE(names->joined, names->joined_capacity, needed))
        return fail_memory(why);
    return add_name(names, space, id, (uint32_t)(owner - names->entries) + 1, text, length,
                    why);
}

enum status names_add_member(struct names *names, enum name_space space, uint64_t id,
                             enum name_space owner_space, uint64_t owner_id, const char *text,
                             size_t length, struct failure *why)
{
    const struct entry *owner = find_entry(names, owner_space, owner_id);
    return owner ? add_owned(names, space, id, owner, text, length, why)
                 : names_add(names, space, id, text, length, why);
}

enum status names_add_sibling(struct names *names, enum name_space space, uint64_t id,
                              enum name_space other_space, uint64_t other_id, const char *text,
                              size_t length, struct failure *why)
{
    const struct entry *other = find_entry(names, other_space, other_id);
    return other && other->owner > 0
               ? add_owned(names, space, id, &names->entries[other->owner - 1], text, length,
                           why)
               : names_add(names, space, id, text, length, why);
}

struct name_parts names_find_parts(const struct names *names, enum name_space space,
                                   uint64_t id)
{
    const struct entry *entry = names ? find_entry(names, space, id) : NULL;
    if (!entry)
        return (struct name_parts){.own = NULL};
    struct name_parts parts = {.own = names->text + entry->begin, .own_length = entry->length};
    if (entry->owner > 0) {
        const struct entry *owner = &names->entries[entry->owner - 1];
        parts.owner = names->text + owner->begin;
        parts.owner_length = owner->length;
    }
    return parts;
}

const char *names_find(const struct names *names, enum name_space space, uint64_t id)
{
    struct name_parts parts = names_find_parts(names, space, id);
    if (!names || !parts.owner)
        return parts.own;
    memcpy(names->joined, parts.owner, parts.owner_length);
    names->joined[parts.owner_length] = '#';
    memcpy(names->joined + parts.owner_length + 1, parts.own, parts.own_length + 1);
    return names->joined;
}

bool names_exist(const struct names *names)
{
    return names->count > 0;
}

bool names_exist_in(const struct names *names, enum name_space space)
{
    uint64_t id = 0;
    return names && map_first(&names->spaces[space], &id);
}

void names_free(struct names *names)
{
    if (!names)
        return;
    for (unsigned space = 0; space < NAMES_SPACES; space++)
        map_free(&names->spaces[space]);
    free(names->entries);
    free(names->text);
    free(names->joined);
    free(names);
}
