/* What the loaders of side files share. */
#ifndef ETMERLIN_FORMATS_SELOGGER_LOADING_H
#define ETMERLIN_FORMATS_SELOGGER_LOADING_H

#include "base/interrupt.h"
#include "base/status.h"
#include "formats/selogger/csv.h"
#include "formats/selogger/remark_list.h"
#include "io/lines.h"
#include "trace/names.h"

#include <stdbool.h>

struct loading {
    const char *index;      /* path of the index */
    const char *type_sizes; /* path of the user's table of sizes; NULL: there is none */
    const struct interrupt *interrupt;
    struct names *names; /* to be filled */
    struct remark_list *notes;
};

/* Does with one line of a file what a loader does. */
typedef enum status (*line_loader)(void *context, const struct loading *loading,
                                   const struct lines *lines, const struct line *line,
                                   struct failure *why);

/* Gives each line of the file `path` to `load`. A last line without a line end, which was cut
 * off, is left out, with a note. */
enum status load_lines(const struct loading *loading, const char *path, line_loader load,
                       void *context, struct failure *why) MUST_CHECK;

/* Does what load_lines does with the file `name` beside the index; *found tells whether it is
 * there. */
enum status load_beside(const struct loading *loading, const char *name, line_loader load,
                        void *context, bool *found, struct failure *why) MUST_CHECK;

/* Does what load_lines does with all files PREFIX00001.txt, ... beside the index; *found tells
 * whether there are any. */
enum status load_numbered(const struct loading *loading, const char *prefix, line_loader load,
                          void *context, bool *found, struct failure *why) MUST_CHECK;

/* Names `id` with the parts, one behind the other. Bytes that have no place in a
 * table become '?'. */
enum status add_name_of_parts(const struct loading *loading, enum name_space space, uint64_t id,
                              const struct piece *parts, size_t count,
                              struct failure *why) MUST_CHECK;

#endif
