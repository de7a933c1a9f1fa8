/* SPDX-License-Identifier: MIT */
/* What the loaders of side files share (etmerlin-formats(5), SELOGGER): the files of the
 * folder, the text of their lines (commas, numbers, and names of types in several spellings),
 * and the reading of a file line by line. */
#ifndef ETMERLIN_FORMATS_SELOGGER_LOADING_H
#define ETMERLIN_FORMATS_SELOGGER_LOADING_H

#include "base/status.h"
#include "base/symbols.h"
#include "base/text.h"
#include "io/lines.h"
#include "trace/names.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file in the folder that describes the events; it stands for the whole trace. */
#define SELOGGER_INDEX "dataids.txt"

/* The files that a log is divided into, in order. Zero-initialize it; parts_free ends it. */
struct parts {
    char **paths;
    size_t count;
};

/* The path of `name` in the folder that has the file `sibling`. NULL: no memory. The caller
 * owns it (free). */
char *file_next_to(const char *sibling, const char *name) MUST_CHECK;

/* The part of `path` that is the name of the file. */
const char *file_name(const char *path);

/* Lists the files PREFIX00001SUFFIX, PREFIX00002SUFFIX, ... in the folder that has the file
 * `sibling`. *parts must be empty, and stays so if there are none; after a failure, it is still
 * to be released. STATUS_MEANING: a file is missing, and a later one is there. */
enum status parts_find(struct parts *parts, const char *sibling, const char *prefix,
                       const char *suffix, struct failure *why) MUST_CHECK;

/* Releases the list; it is empty then. */
void parts_free(struct parts *parts);

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

/* Remarks for the user about a trace that can be read nevertheless. Zero-initialize it;
 * remark_list_free ends it. */
struct remark_list {
    struct remark *remarks; /* their texts are owned */
    size_t count;
    size_t capacity;
};

/* Adds a remark, formatted as by printf: a sentence without its full stop. */
enum status remark_list_add(struct remark_list *list, struct failure *why, const char *format,
                            ...) PRINTF_LIKE(3, 4);

/* Releases all remarks; there are none then. */
void remark_list_free(struct remark_list *list);

/* A name in which the program's letters are lost: they were written as '?'. */
struct lost_name {
    bool is_found;
    char shown[TEXT_QUOTE_SIZE]; /* quoted */
};

/* What the side files of a trace are loaded with. */
struct loading {
    const char *index;      /* path of the index */
    const char *type_sizes; /* path of the user's table of sizes; NULL: there is none */
    const struct interrupt *interrupt;
    struct names *names; /* to which names are added */
    struct remark_list *remarks;
    struct lost_name lost; /* the first one */
};

struct catalogue;

/* Loads a line of a file into the catalogue. `line` is the present line of `lines`, which
 * lines_go_on may change. */
typedef enum status line_loader(struct catalogue *catalogue, struct lines *lines,
                                struct line *line, struct failure *why);

/* Loads each line of the file `path`. If it `takes_cut_lines`, lines that are too long are
 * loaded, as by lines_begin; else they are refused. A last line without a line end was cut off;
 * it is left out, with a remark, unless the file is loading->type_sizes, the user's own. */
enum status load_lines(struct catalogue *catalogue, const char *path, line_loader *load,
                       bool takes_cut_lines, struct failure *why) MUST_CHECK;

/* As load_lines for the file `name` next to the index, if there is one, in which no line may be
 * too long. Sets *found to whether there is. */
enum status load_next_to(struct catalogue *catalogue, const char *name, line_loader *load,
                         bool *found, struct failure *why) MUST_CHECK;

/* As load_lines for all files PREFIX00001.txt, PREFIX00002.txt, ... next to the index. Sets
 * *found to whether there are any. */
enum status load_numbered(struct catalogue *catalogue, const char *prefix, line_loader *load,
                          bool takes_cut_lines, bool *found, struct failure *why) MUST_CHECK;

/* Whether the piece has a '?', which SELogger writes in place of letters that the encoding of
 * its files does not have. */
bool is_lost(struct piece name);

/* Adds a remark if a name has lost letters. */
enum status loading_note_lost(const struct loading *loading, struct failure *why) MUST_CHECK;

/* Adds a name of `id`. Bytes that a table cannot show become '?'. */
enum status loading_add_name(struct loading *loading, enum name_space space, uint64_t id,
                             struct piece text, struct failure *why) MUST_CHECK;

/* Adds the name OWNER#PARTS of `id`, where OWNER is the text of the symbol `owner`, stored only
 * once, and PARTS are the `count` parts, one after the other. */
enum status add_member_name(struct catalogue *catalogue, enum name_space space, uint64_t id,
                            uint32_t owner, const struct piece *parts, size_t count,
                            struct failure *why) MUST_CHECK;

#endif
