/* SPDX-License-Identifier: MIT */
/* A table of the objects that were named last, by the lower bits of their ids: what was
 * allocated at the same time is near. Where an object has lost its place in it, its next W is
 * written. Records are numbered; a segment begins with each boundary, allocation and change of
 * threads.
 *
 * Which reference a store overwrites is not known, only that an object that was never stored
 * there cannot lose one, and that the first store into a field overwrites nothing. So an entry
 * has the fields in which its object has been stored, and those of the object into which
 * something has been, as bits of the hashes of container and field. */
#include "repeats.h"

#include <stdlib.h>

enum { ENTRY_BITS = 18, FIELD_BITS = 6 };

#define ANY_FIELD UINT64_MAX
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

struct entry {
    uint64_t id;
    uint64_t named;  /* number of the latest record that names the object; 0: none but its N */
    uint64_t fields; /* in which it may be */
    uint64_t filled; /* its own fields, into which something may have been stored */
};

struct repeats {
    uint64_t now;                     /* number of the record */
    uint64_t begun;                   /* of the first one of the segment */
    uint64_t thread;                  /* of the segment */
    uint64_t latest;                  /* stamp so far */
    uint64_t stored;                  /* the fields into which the segment stores */
    uint64_t stores[1 << FIELD_BITS]; /* number of the latest store into each */
    struct entry entries[1 << ENTRY_BITS];
};

struct repeats *repeats_new(void)
{
    return calloc(1, sizeof(struct repeats));
}

void repeats_free(struct repeats *repeats)
{
    free(repeats);
}

static void begin_segment(struct repeats *repeats)
{
    repeats->begun = repeats->now;
    repeats->stored = 0;
}

static struct entry *entry_of(struct repeats *repeats, uint64_t id)
{
    return &repeats->entries[id % (1 << ENTRY_BITS)];
}

/* The record names the object; 0 is none. Sets bits of `fields` in its entry. */
static void name(struct repeats *repeats, uint64_t id, uint64_t fields)
{
    struct entry *entry = entry_of(repeats, id);
    if (!id)
        return;
    if (entry->id != id)
        *entry = (struct entry){.id = id, .fields = ANY_FIELD, .filled = ANY_FIELD};
    entry->named = repeats->now;
    entry->fields |= fields;
}

/* A new object takes the place of another one in the table. There may have been stores before
 * if it is older than the trace, or if another thread has named it already: its record then
 * comes late, and the table may have had the object, and lost it. */
static void allocate(struct repeats *repeats, char letter, const uint64_t *words)
{
    uint64_t id = words[2];
    struct entry *entry = entry_of(repeats, id);
    bool is_late = words[0] < repeats->latest;
    uint64_t before = letter == 'P' || is_late || entry->id == id ? ANY_FIELD : 0;
    begin_segment(repeats);
    *entry = (struct entry){.id = id, .fields = before, .filled = before};
}

/* Whether the store may overwrite a reference. */
static bool may_overwrite(struct repeats *repeats, uint64_t container, uint64_t field)
{
    struct entry *entry = entry_of(repeats, container);
    bool is_first = entry->id == container && container && !(entry->filled & field);
    if (entry->id == container)
        entry->filled |= field;
    return !is_first;
}

static void store(struct repeats *repeats, const uint64_t *words)
{
    uint64_t place = words[2] * HASH_FACTOR ^ words[1] >> 16;
    unsigned hash = (unsigned)(place * HASH_FACTOR >> (64 - FIELD_BITS));
    uint64_t field = UINT64_C(1) << hash;
    if (may_overwrite(repeats, words[2], field)) {
        repeats->stored |= field;
        repeats->stores[hash] = repeats->now;
    }
    name(repeats, words[2], 0);
    name(repeats, words[3], field);
}

/* Whether a store may have overwritten a reference to the object since it was named. */
static bool is_overwritten(const struct repeats *repeats, const struct entry *entry)
{
    uint64_t fields = entry->fields & repeats->stored;
    for (; fields; fields &= fields - 1)
        if (repeats->stores[__builtin_ctzll(fields)] > entry->named)
            return true;
    return false;
}

static bool use(struct repeats *repeats, uint64_t id)
{
    const struct entry *entry = entry_of(repeats, id);
    if (entry->id == id && entry->named >= repeats->begun && !is_overwritten(repeats, entry))
        return true;
    name(repeats, id, 0);
    return false;
}

/* Whether the record is a use that says nothing new. */
static bool find_use(struct repeats *repeats, char letter, const uint64_t *words)
{
    switch (letter) {
    case 'W':
        return use(repeats, words[2]);
    case 'U':
        store(repeats, words);
        return false;
    case 'N':
    case 'A':
    case 'P':
        allocate(repeats, letter, words);
        return false;
    case 'M':
        begin_segment(repeats);
        name(repeats, words[2], 0);
        return false;
    case 'X': /* it uses the exception in the method that it leaves; a W is in another one */
    case 'E':
    case 'D':
        begin_segment(repeats);
        return false;
    case 'T':
    case 'H':
        name(repeats, words[2], 0);
        name(repeats, words[3], 0);
        return false;
    default:
        return false;
    }
}

bool repeats_find(struct repeats *repeats, uint64_t thread, const uint64_t *words)
{
    char letter = (char)(words[1] & 0xff);
    if (letter == 'F' || letter == 'K') /* they use nothing */
        return false;
    repeats->now++;
    if (repeats->thread != thread)
        begin_segment(repeats);
    repeats->thread = thread;
    bool says_nothing = find_use(repeats, letter, words);
    if (words[0] > repeats->latest)
        repeats->latest = words[0];
    return says_nothing;
}
