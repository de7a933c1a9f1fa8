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

/* The longest line that is read, in bytes, its line end not counted. */
enum { ET_LINE_MAX = 1024 * 1024 };

/* The bytes after the end of a line that et_lex_canonical may load, but ignores. */
enum { ET_PADDING = 16 };

enum et_line {
    ET_RECORD,
    ET_RECORD_AND_MORE, /* with a comment, or the dimensions of an array, after its fields */
    ET_COMMENT,         /* begins with '#', perhaps after blanks, or has only blanks */
    ET_UNKNOWN,         /* a single letter that no record has, then anything */
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

#endif
