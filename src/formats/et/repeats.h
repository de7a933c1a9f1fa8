/* SPDX-License-Identifier: MIT */
/* Lines that have been read before. Programs call the same methods on the same objects again
 * and again, so most lines of a trace repeat an earlier line, byte for byte: in real traces 45
 * to 90 of a hundred repeat one of the latest few thousand different lines. Such a line need
 * not be lexed again. */
#ifndef ETMERLIN_FORMATS_ET_REPEATS_H
#define ETMERLIN_FORMATS_ET_REPEATS_H

#include "formats/et/scan.h"
#include "trace/record.h"

#include <stddef.h>
#include <string.h>

/* Measured: four times as many lines do not fit the nearer caches; with a quarter, fewer lines
 * repeat. */
enum { ET_REPEATS_BITS = 12 };

/* The text of a short line, LF included, followed by zeros. Text that has been lexed has no
 * NUL, so two lines are the same if their words are. */
struct et_short_line {
    uint64_t words[SCAN_LINE_WORDS];
    unsigned length; /* LF included; 0: the line is not a short one */
};

/* A line and the fields of its record up to the thread, which suffice for all kinds but
 * allocations. The words of an empty entry are 0. */
struct et_repeat {
    uint64_t words[SCAN_LINE_WORDS];
    uint64_t object, size, type, thread;
};

/* A table in which each line can be in only one slot. */
struct et_repeats {
    struct et_repeat entries[1 << ET_REPEATS_BITS];
};

static inline struct et_repeat *et_repeats_slot(struct et_repeats *repeats,
                                                const struct et_short_line *line)
{
    uint64_t hash = line->words[0] * UINT64_C(0x9E3779B97F4A7C15) +
                    line->words[1] * UINT64_C(0xC2B2AE3D27D4EB4F) +
                    line->words[2] * UINT64_C(0x165667B19E3779F9) +
                    line->words[3] * UINT64_C(0xD6E8FEB86659FD93);
    return &repeats->entries[hash >> (64 - ET_REPEATS_BITS)];
}

/* Looks for the line at `text` among the lines in the table. If it is there, returns the byte
 * after its LF and sets *record's fields; else returns NULL, leaves the fields alone, and sets
 * *line for et_repeats_note. The text must have SCAN_BYTES readable bytes. */
static inline const char *et_repeats_find(struct et_repeats *repeats, const char *text,
                                          struct et_short_line *line, struct record *record)
{
    line->length = scan_short_line(text, line->words);
    if (line->length == 0)
        return NULL;
    const struct et_repeat *slot = et_repeats_slot(repeats, line);
    uint64_t difference = (slot->words[0] ^ line->words[0]) |
                          (slot->words[1] ^ line->words[1]) |
                          (slot->words[2] ^ line->words[2]) | (slot->words[3] ^ line->words[3]);
    if (difference != 0)
        return NULL;
    record->kind = (uint8_t)*text;
    record->object = slot->object;
    record->size = slot->size;
    record->type = slot->type;
    record->thread = slot->thread;
    return text + line->length;
}

/* Adds a line that et_repeats_find has not found, with the record that et_lex_canonical made of
 * it, unless that is an allocation, which repeats too seldom, or a death, which never does. */
static inline void et_repeats_note(struct et_repeats *repeats, const struct et_short_line *line,
                                   const struct record *record)
{
    if (line->length == 0 || record_is_allocation(record->kind) || record->kind == RECORD_DEATH)
        return;
    struct et_repeat *slot = et_repeats_slot(repeats, line);
    memcpy(slot->words, line->words, sizeof slot->words);
    slot->object = record->object;
    slot->size = record->size;
    slot->type = record->type;
    slot->thread = record->thread;
}

#endif
