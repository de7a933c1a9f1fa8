/* SPDX-License-Identifier: MIT */
/* The text of SELogger's side files: commas, numbers, and names of types in several spellings
 * (etmerlin-formats(5), SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_CSV_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_CSV_H

#include "base/status.h"
#include "base/symbols.h"
#include "io/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a line. */
struct piece {
    const char *text;
    size_t length;
};

/* No name of a class, and no descriptor, is longer: class files have 2 bytes for the length. */
enum { NAME_LONGEST = 65535 };

/* Splits a line at its first commas, at most `limit` - 1 of them; the last piece is the rest of
 * the line. Returns the number of pieces. */
size_t split_line(const struct line *line, struct piece *pieces, size_t limit);

/* Splits a piece, like split_line. */
size_t split_piece(struct piece piece, struct piece *pieces, size_t limit);

/* Takes the first comma of *rest, and what is before it, off *rest; *first is what was before
 * it. False: there is no comma. */
bool split_first(struct piece *rest, struct piece *first);

/* Takes the last comma of *rest, and what is after it, off *rest; *last is what was after it.
 * False: there is no comma. */
bool split_last(struct piece *rest, struct piece *last);

/* Splits CLASS,METHOD, both of which may have commas. `class_name` is the name of the class, if
 * it is known, or empty. False: it is not known where the class ends, or it has another name.
 */
bool split_member(struct piece names, struct piece class_name, struct piece *class_part,
                  struct piece *method_part) MUST_CHECK;

/* The text of the symbol. */
struct piece piece_of_symbol(const struct symbols *symbols, uint32_t symbol);

/* Whether the piece equals `word`. */
bool piece_is(struct piece piece, const char *word);

/* Whether the piece equals `word`, if the case of ASCII letters is ignored. */
bool piece_is_word(struct piece piece, const char *word);

/* Whether the piece is a decimal number from `least` to `most`, perhaps with a minus. Sets
 * *value to it, also if it is out of this range. */
bool piece_number(struct piece piece, int64_t least, int64_t most, int64_t *value);

/* Whether the piece is a decimal number that fits 64 bits, perhaps with a minus. */
bool piece_is_number(struct piece piece);

/* How many bytes at the beginning of `text` spell the type `other`, perhaps in another
 * spelling, if a comma follows them; else 0. */
size_t piece_begins_with_type(struct piece text, struct piece other);

/* Sets *name to the symbol of the type or class that `piece` names, in the spelling `a.b.C[]`;
 * `a/b/C[]` and `[La/b/C;` are other spellings of it. */
enum status add_type_name(struct symbols *symbols, struct piece piece, uint32_t *name,
                          struct failure *why) MUST_CHECK;

/* STATUS_SYNTAX: `what` is wrong with a line, which the message shows. */
enum status reject_line(struct failure *why, const struct lines *lines, const struct line *line,
                        const char *what);

#endif
