/* SPDX-License-Identifier: MIT */
/* All names are in one text, one after the other, and each has an entry with its position. A
 * name that begins with that of a class does not repeat it: a list can have millions of members
 * of one class, whose name may be long. Nor does that of a line repeat the name of its method.
 * Such a name is put together on request, in room for the longest that is shown, so that a
 * request cannot fail. */
#include "trace/names.h"

#include "base/hash.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    size_t begin;    /* where its own part begins in the text */
    uint32_t length; /* of its own part */
    uint32_t owner;  /* the number, from 1, of the entry whose name comes first; 0: none */
    uint64_t line;   /* 0: none */
};

struct names {
    struct map spaces[NAMES_SPACES]; /* id -> number of its entry, from 1 */
    struct entry *entries;
    size_t count;
    size_t entries_capacity;
    char *text;
    size_t length;
    size_t capacity;
    char *joined; /* the last name that was put together, with room for any that is shown */
};

enum status names_new(struct names **out, struct failure *why)
{
    struct names *names = calloc(1, sizeof *names);
    char *joined = malloc(NAMES_SHOWN_WHOLE + 1);
    if (!names || !joined) {
        free(names);
        free(joined);
        return fail_memory(why);
    }
    names->joined = joined;
    *out = names;
    return STATUS_OK;
}

static const struct entry *find_entry(const struct names *names, enum name_space space,
                                      uint64_t id)
{
    const uint64_t *number = map_find(&names->spaces[space], id);
    return number ? &names->entries[*number - 1] : NULL;
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
    return STATUS_OK;
}

/* Appends the text of an entry, a NUL and, if it is too long to be shown, how it is shown, and
 * a NUL. */
static enum status append_text(struct names *names, const char *text, size_t length,
                               struct failure *why)
{
    size_t needed;
    if (__builtin_add_overflow(names->length, length + 1 + NAMES_SHOWN_WHOLE + 1, &needed) ||
        !ARRAY_RESERVE(names->text, names->capacity, needed))
        return fail_memory(why);
    char *own = names->text + names->length;
    memcpy(own, text, length);
    own[length] = '\0';
    if (length > NAMES_SHOWN) {
        const struct name_parts parts = {.own = own, .own_length = length};
        own[length + 1 + name_parts_show(own + length + 1, &parts)] = '\0';
    }
    return STATUS_OK;
}

/* Adds an entry with a text of its own. */
static enum status add_text(struct names *names, enum name_space space, uint64_t id,
                            const char *text, const struct entry *entry, struct failure *why)
{
    TRY(append_text(names, text, entry->length, why));
    TRY(add_entry(names, space, id, entry, why));
    names->length += (size_t)entry->length + 1;
    if (entry->length > NAMES_SHOWN)
        names->length += strlen(names->text + names->length) + 1;
    return STATUS_OK;
}

static enum status add_name(struct names *names, enum name_space space, uint64_t id,
                            uint32_t owner, const char *text, size_t length,
                            struct failure *why)
{
    if (length >= UINT32_MAX)
        return fail_memory(why);
    const struct entry entry = {names->length, (uint32_t)length, owner, 0};
    return add_text(names, space, id, text, &entry, why);
}

enum status names_add(struct names *names, enum name_space space, uint64_t id, const char *text,
                      size_t length, struct failure *why)
{
    return add_name(names, space, id, 0, text, length, why);
}

enum status names_add_member(struct names *names, enum name_space space, uint64_t id,
                             enum name_space owner_space, uint64_t owner_id, const char *text,
                             size_t length, struct failure *why)
{
    const uint64_t *owner = map_find(&names->spaces[owner_space], owner_id);
    return add_name(names, space, id, owner ? (uint32_t)*owner : 0, text, length, why);
}

enum status names_add_line(struct names *names, enum name_space space, uint64_t id,
                           uint64_t method, uint64_t line, struct failure *why)
{
    char digits[NUMBER_DIGITS];
    const struct entry *of = find_entry(names, NAMES_METHOD, method);
    struct entry entry = {names->length, 0, 0, line};
    if (of) {
        entry = *of;
        entry.line = line;
        return add_entry(names, space, id, &entry, why);
    }
    entry.length = (uint32_t)number_format(digits, method);
    return add_text(names, space, id, digits, &entry, why);
}

struct name_parts names_find_parts(const struct names *names, enum name_space space,
                                   uint64_t id)
{
    const struct entry *entry = names ? find_entry(names, space, id) : NULL;
    if (!entry)
        return (struct name_parts){.own = NULL};
    struct name_parts parts = {
        .own = names->text + entry->begin, .own_length = entry->length, .line = entry->line};
    if (entry->owner > 0) {
        const struct entry *owner = &names->entries[entry->owner - 1];
        parts.owner = names->text + owner->begin;
        parts.owner_length = owner->length;
    }
    return parts;
}

/* A piece of a name. */
struct piece {
    const char *text;
    size_t length;
};

/* A name in pieces. */
struct name_pieces {
    struct piece items[4]; /* the class, "#", the member, ":" and the line */
    unsigned count;
    char line[1 + NUMBER_DIGITS];
};

static void add_piece(struct name_pieces *pieces, const char *text, size_t length)
{
    pieces->items[pieces->count++] = (struct piece){text, length};
}

/* Splits a name into *pieces, which has to stay where it is. */
static void split(struct name_pieces *pieces, const struct name_parts *parts)
{
    pieces->count = 0;
    if (parts->owner) {
        add_piece(pieces, parts->owner, parts->owner_length);
        add_piece(pieces, "#", 1);
    }
    add_piece(pieces, parts->own, parts->own_length);
    if (parts->line > 0) {
        *pieces->line = ':';
        add_piece(pieces, pieces->line, 1 + number_format(pieces->line + 1, parts->line));
    }
}

static size_t whole_length(const struct name_pieces *pieces)
{
    size_t length = 0;
    for (unsigned i = 0; i < pieces->count; i++)
        length += pieces->items[i].length;
    return length;
}

/* Takes `length` bytes, which it has, off the first piece of a name that is not empty. */
static void pass(struct piece **piece, size_t length)
{
    (*piece)->text += length;
    (*piece)->length -= length;
}

static void pass_empty(struct piece **piece)
{
    while ((*piece)->length == 0)
        ++*piece;
}

bool name_parts_equal(const struct name_parts *a, const struct name_parts *b)
{
    struct name_pieces left, right;
    struct piece *x = left.items, *y = right.items;
    if (!a->own || !b->own)
        return !a->own && !b->own;
    if (a->own == b->own && a->own_length == b->own_length && a->owner == b->owner)
        return a->line == b->line;
    split(&left, a);
    split(&right, b);
    size_t rest = whole_length(&left);
    if (rest != whole_length(&right))
        return false;
    while (rest > 0) {
        pass_empty(&x);
        pass_empty(&y);
        size_t length = x->length < y->length ? x->length : y->length;
        if (memcmp(x->text, y->text, length) != 0)
            return false;
        pass(&x, length);
        pass(&y, length);
        rest -= length;
    }
    return true;
}

/* Writes a part of a name to `out`, shortened if it is too long. Returns the length. */
static size_t show_part(char *out, const char *text, size_t length)
{
    enum { DIGITS = 16, ENDING = 3 + DIGITS, KEPT = NAMES_SHOWN - ENDING };
    if (length <= NAMES_SHOWN) {
        memcpy(out, text, length);
        return length;
    }
    size_t kept = KEPT;
    while (kept > KEPT - 4 && ((unsigned char)text[kept] & 0xc0) == 0x80)
        kept--; /* whole characters of UTF-8 */
    memcpy(out, text, kept);
    memcpy(out + kept, "...", 3);
    uint64_t hash = hash_text(0, text, length);
    for (unsigned i = 0; i < DIGITS; i++)
        out[kept + 3 + i] = "0123456789abcdef"[hash >> (4 * (DIGITS - 1 - i)) & 0xf];
    return kept + ENDING;
}

size_t name_parts_show(char *out, const struct name_parts *parts)
{
    struct name_parts shown = *parts;
    size_t length = 0;
    const char *hash = shown.owner || shown.own_length <= NAMES_SHOWN
                           ? NULL
                           : memchr(shown.own, '#', shown.own_length);
    if (hash) {
        shown.owner = shown.own;
        shown.owner_length = (size_t)(hash - shown.own);
        shown.own = hash + 1;
        shown.own_length -= shown.owner_length + 1;
    }
    if (shown.owner) {
        length = show_part(out, shown.owner, shown.owner_length);
        out[length++] = '#';
    }
    length += show_part(out + length, shown.own, shown.own_length);
    if (shown.line > 0) {
        out[length++] = ':';
        length += number_format(out + length, shown.line);
    }
    return length;
}

const char *names_find(const struct names *names, enum name_space space, uint64_t id)
{
    struct name_parts parts = names_find_parts(names, space, id);
    if (!parts.own || (!parts.owner && parts.line == 0))
        return parts.own_length > NAMES_SHOWN ? parts.own + parts.own_length + 1 : parts.own;
    names->joined[name_parts_show(names->joined, &parts)] = '\0';
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

/* What is hashed is a name as it is shown, which is never long and differs from that of other
 * names. If two share a hash nevertheless, the later one is kept at the next free hash. */
enum status name_index_add(struct name_index *index, const struct indexed_names *names,
                           const struct name_parts *name, uint32_t *number, struct failure *why)
{
    char shown[NAMES_SHOWN_WHOLE];
    uint64_t hash = hash_text(hash_seed(), shown, name_parts_show(shown, name));
    const uint64_t *found;
    for (; (found = map_find(&index->numbers, hash)) && *found > 0; hash++) {
        *number = (uint32_t)(*found - 1);
        struct name_parts other = names->name_of(names->context, *number);
        if (name_parts_equal(name, &other))
            return STATUS_OK;
    }
    if (index->count == UINT32_MAX)
        return fail(why, STATUS_LIMIT, "There are more than %" PRIu32 " names", UINT32_MAX);
    uint64_t *entry = map_insert(&index->numbers, hash);
    if (!entry)
        return fail_memory(why);
    *number = index->count++;
    *entry = index->count;
    return STATUS_OK;
}

void name_index_free(struct name_index *index)
{
    map_free(&index->numbers);
    index->count = 0;
}
