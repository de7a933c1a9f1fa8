/* SPDX-License-Identifier: MIT */
/* The text of SELogger's side files: commas, numbers, and names of types in two spellings
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

/* Splits the line at its first `limit` - 1 commas at the most; the last piece is all that is
 * left. Returns how many pieces there are. */
size_t split_line(const struct line *line, struct piece *pieces, size_t limit);

/* Takes off what stands after the last comma of *rest, and the comma. False: there is none. */
bool split_last(struct piece *rest, struct piece *last);

/* The text of the symbol. */
struct piece piece_of_symbol(const struct symbols *symbols, uint32_t symbol);

/* Whether the piece is just `word`. */
bool piece_is(struct piece piece, const char *word);

/* Whether the piece is `word`, in small or capital ASCII letters. */
bool piece_is_word(struct piece piece, const char *word);

/* Whether the piece is a decimal number from `least` to `most`, perhaps with a minus; *value
 * is set. */
bool piece_number(struct piece piece, int64_t least, int64_t most, int64_t *value);

/* The number of the type or class that `piece` names, written as in `a.b.C[]`; `a/b/C` and
 * `[La/b/C;` are other spellings of it. */
enum status add_type_name(struct symbols *symbols, struct piece piece, uint32_t *name,
                          struct failure *why) MUST_CHECK;

/* STATUS_SYNTAX: `what` is wrong with the line, which is shown. */
enum status reject_line(struct failure *why, const struct lines *lines, const struct line *line,
                        const char *what);

#endif
