/* SPDX-License-Identifier: MIT */
/* What the loaders of side files share. */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_LOADING_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_LOADING_H

#include "base/interrupt.h"
#include "base/status.h"
#include "base/text.h"
#include "formats/selogger/index/csv.h"
#include "io/lines.h"
#include "trace/names.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stddef.h>

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

struct loading {
    const char *index;      /* path of the index */
    const char *type_sizes; /* path of the user's table of sizes; NULL: there is none */
    const struct interrupt *interrupt;
    struct names *names; /* to which names are added */
    struct remark_list *remarks;
    struct lost_name *lost; /* the first one */
};

/* How each line of a file is loaded. */
struct line_loader {
    /* `line` is the present line, which lines_go_on may change. */
    enum status (*load)(void *context, const struct loading *loading, struct lines *lines,
                        struct line *line, struct failure *why);
    bool takes_cut_lines; /* lines that are too long are loaded, as by lines_begin; else they
                             are refused */
};

/* Loads each line of the file `path` with `loader`. A last line without a line end was cut off;
 * it is left out, with a remark, unless the file is loading->type_sizes, the user's own. */
enum status load_lines(const struct loading *loading, const char *path,
                       const struct line_loader *loader, void *context,
                       struct failure *why) MUST_CHECK;

/* As load_lines for the file `name` next to the index, if there is one. Sets *found to whether
 * there is. */
enum status load_next_to(const struct loading *loading, const char *name,
                         const struct line_loader *loader, void *context, bool *found,
                         struct failure *why) MUST_CHECK;

/* As load_lines for all files PREFIX00001.txt, PREFIX00002.txt, ... next to the index. Sets
 * *found to whether there are any. */
enum status load_numbered(const struct loading *loading, const char *prefix,
                          const struct line_loader *loader, void *context, bool *found,
                          struct failure *why) MUST_CHECK;

/* Whether the piece has a '?', which SELogger writes in place of letters that the encoding of
 * its files does not have. */
bool is_lost(struct piece name);

/* Adds a remark if a name has lost letters. */
enum status loading_note_lost(const struct loading *loading, struct failure *why) MUST_CHECK;

/* Adds a name of `id`. Bytes that a table cannot show become '?'. */
enum status loading_add_name(const struct loading *loading, enum name_space space, uint64_t id,
                             struct piece text, struct failure *why) MUST_CHECK;

/* Adds the name OWNER#PARTS of `id`, where OWNER is the text of the symbol `owner`, stored only
 * once, and PARTS are the `count` parts, one after the other. */
enum status add_member_name(const struct loading *loading, enum name_space space, uint64_t id,
                            const struct symbols *symbols, uint32_t owner,
                            const struct piece *parts, size_t count,
                            struct failure *why) MUST_CHECK;

#endif
