/* SPDX-License-Identifier: MIT */
/* What the loaders of side files share. */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_LOADING_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_LOADING_H

#include "base/interrupt.h"
#include "base/status.h"
#include "formats/selogger/index/csv.h"
#include "io/lines.h"
#include "trace/names.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stddef.h>

/* What a user should know about a trace that could be read all the same. Zero-initialize it;
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

struct loading {
    const char *index;      /* path of the index */
    const char *type_sizes; /* path of the user's table of sizes; NULL: there is none */
    const struct interrupt *interrupt;
    struct names *names; /* to be filled */
    struct remark_list *remarks;
};

/* Takes one line of a file. */
struct line_loader {
    /* `line` is the present one; it may be changed by lines_go_on. */
    enum status (*load)(void *context, const struct loading *loading, struct lines *lines,
                        struct line *line, struct failure *why);
    bool takes_cut_lines; /* lines that are too long come as lines_begin gives them; else they
                             are refused */
};

/* Gives each line of the file `path` to `loader`. A last line without a line end, which was cut
 * off, is left out, with a note. */
enum status load_lines(const struct loading *loading, const char *path,
                       const struct line_loader *loader, void *context,
                       struct failure *why) MUST_CHECK;

/* Gives each line of the file `name` next to the index, if there is one, to `loader`, like
 * load_lines; *found: whether there is. */
enum status load_next_to(const struct loading *loading, const char *name,
                         const struct line_loader *loader, void *context, bool *found,
                         struct failure *why) MUST_CHECK;

/* Gives each line of all files PREFIX00001.txt, ... next to the index to `loader`, like
 * load_lines; *found: whether there are any. */
enum status load_numbered(const struct loading *loading, const char *prefix,
                          const struct line_loader *loader, void *context, bool *found,
                          struct failure *why) MUST_CHECK;

/* Names `id`. Bytes that have no place in a table become '?'. */
enum status loading_add_name(const struct loading *loading, enum name_space space, uint64_t id,
                             struct piece text, struct failure *why) MUST_CHECK;

/* Names `id` OWNER#PARTS, where OWNER is the text of a symbol, which is not copied, and
 * the parts stand one after the other. */
enum status add_member_name(const struct loading *loading, enum name_space space, uint64_t id,
                            const struct symbols *symbols, uint32_t owner,
                            const struct piece *parts, size_t count,
                            struct failure *why) MUST_CHECK;

#endif
