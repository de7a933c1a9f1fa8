/* SPDX-License-Identifier: MIT */
/* The classes and methods that were instrumented (etmerlin-formats(5), SELOGGER: classes.txt
 * and methods.txt). Both files may be missing. */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_CLASSES_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_CLASSES_H

#include "base/map.h"
#include "base/status.h"
#include "base/symbols.h"
#include "formats/selogger/index/csv.h"
#include "formats/selogger/index/loading.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialize it; classes_free ends it. */
struct classes {
    struct symbols *symbols;
    struct map of_method; /* method -> symbol of its class + 1 */
    struct map woven;     /* name (a symbol) -> number of classes that write events */
    struct map name_of;   /* class id -> name (a symbol) + 1 */
    struct map loader_of; /* class id -> symbol of its loader + 1 */
    bool has_list;        /* classes.txt is there */
};

/* Reads the files, and adds the names of methods. */
enum status classes_load(struct classes *classes, const struct loading *loading,
                         struct failure *why) MUST_CHECK;

/* What is wrong with a line in which split_member cannot split the names. */
#define UNKNOWN_END_OF_CLASS                                                                   \
    "Where the name of the class ends in this line is not known: classes.txt, which has it, "  \
    "is "                                                                                      \
    "missing, is of another run, or has no such class"

/* The name of the class with this id; empty: it is not known. The text is good until a symbol
 * is added. */
struct piece classes_name(const struct classes *classes, struct piece class_id);

/* The symbol of the class of a method; NO_SYMBOL: it is not known. */
uint32_t classes_of_method(const struct classes *classes, uint32_t method);

/* Whether the class with this symbol writes events. */
bool classes_are_woven(const struct classes *classes, uint32_t name);

/* The symbol of the loader of the class that the code of class `class_id` (-1: not known) means
 * by `name`, if several classes have that name; NO_SYMBOL: there is only one, or it is not
 * known which is meant. */
uint32_t classes_loader(const struct classes *classes, uint32_t name, int64_t class_id);

/* Releases what the classes own. */
void classes_free(struct classes *classes);

#endif
