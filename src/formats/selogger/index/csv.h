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

/* Splits a line at its first commas, at most `limit` - 1 of them; the last piece is the rest of
 * the line. Returns the number of pieces. */
size_t split_line(const struct line *line, struct piece *pieces, size_t limit);

/* Takes the last comma of *rest, and what is after it, off *rest; *last is what was after it.
 * False: there is no comma. */
bool split_last(struct piece *rest, struct piece *last);

/* The text of the symbol. */
struct piece piece_of_symbol(const struct symbols *symbols, uint32_t symbol);

/* Whether the piece equals `word`. */
bool piece_is(struct piece piece, const char *word);

/* Whether the piece equals `word`, if the case of ASCII letters is ignored. */
bool piece_is_word(struct piece piece, const char *word);

/* Whether the piece is a decimal number from `least` to `most`, perhaps with a minus. Sets
 * *value to it, also if it is out of this range. */
bool piece_number(struct piece piece, int64_t least, int64_t most, int64_t *value);

/* Sets *name to the symbol of the type or class that `piece` names, in the spelling `a.b.C[]`;
 * `a/b/C[]` and `[La/b/C;` are other spellings of it. */
enum status add_type_name(struct symbols *symbols, struct piece piece, uint32_t *name,
                          struct failure *why) MUST_CHECK;

/* STATUS_SYNTAX: `what` is wrong with a line, which the message shows. */
enum status reject_line(struct failure *why, const struct lines *lines, const struct line *line,
                        const char *what);

#endif
