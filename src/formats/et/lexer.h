/* SPDX-License-Identifier: MIT */
/* The lexer of Elephant Tracks text: one line, one record (etmerlin-formats(5), ELEPHANT
 * TRACKS). */
#ifndef ETMERLIN_FORMATS_ET_LEXER_H
#define ETMERLIN_FORMATS_ET_LEXER_H

#include "base/status.h"
#include "formats/et/scan.h"
#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The longest line that is read, in bytes, its line end not counted. */
enum { ET_LINE_MAX = 1024 * 1024 };

/* The bytes after the end of a line that et_lex_canonical may load, but ignores. */
enum { ET_PADDING = 16 };

enum et_line {
    ET_RECORD,
    ET_RECORD_AND_MORE, /* with a comment, or the dimensions of an array, after its fields */
    ET_COMMENT,         /* begins with '#', perhaps after blanks, or has only blanks */
    ET_UNKNOWN, /* a single letter that no record has, then anything; or what begins as a
                   line about a reference object does, and is none */
    ET_MALFORMED
};

/* Lexes the `length` bytes at `line`, a line without its LF, and returns what the line is. Of a
 * record it sets the kind and the fields that the kind has. */
enum et_line et_lex(const char *line, size_t length, struct record *record);

/* The length of the part of a record's line up to the end of its fields. */
size_t et_fields_end(const char *line, size_t length);

/* The last field of a line that et_lex_canonical has read. Zero-initialize it. */
struct et_memo {
    uint64_t value;
    size_t length;     /* of its text, LF included; 0: no field yet */
    uint64_t words[2]; /* its text, and which bits of the words belong to it */
    uint64_t masks[2];
};

/* Whether the line from `line` to `next`, the byte after its LF, ends with exactly the memo's
 * field, and has other fields before it. */
static inline bool et_memo_ends(const struct et_memo *memo, const char *line, const char *next)
{
    if (memo->length == 0 || (size_t)(next - line) < memo->length + 4)
        return false;
    const char *text = next - memo->length;
    return text[-1] == ' ' && ((scan_load(text) & memo->masks[0]) ^ memo->words[0]) == 0 &&
           ((scan_load(text + 8) & memo->masks[1]) ^ memo->words[1]) == 0;
}

/* Lexes a record in canonical form, faster than et_lex: single spaces, fields of at most 19
 * digits, LF. Returns the byte after the LF; NULL: the line must be lexed by et_lex, and
 * *record is unspecified. The text at `line` must have an LF somewhere, and ET_PADDING readable
 * bytes after it. */
const char *et_lex_canonical(const char *line, struct record *record, struct et_memo *memo);

/* The sort of fault of a line for which et_lex returned ET_MALFORMED. */
enum record_fault et_fault(const char *line, size_t length, bool explicit_time);

/* Records in *why (STATUS_SYNTAX) what is wrong with line `number` of `file`, for which et_lex
 * returned ET_MALFORMED. `explicit_time` decides what the message calls the last field of the
 * dialect. */
enum status et_explain(struct failure *why, const char *file, uint64_t number, const char *line,
                       size_t length, bool explicit_time);

/* Lines that have been read before. Programs call the same methods on the same objects again
 * and again, so most lines of a trace repeat an earlier line, byte for byte: in real traces 45
 * to 90 of a hundred repeat one of the latest few thousand different lines. Such a line need
 * not be lexed again. */

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
