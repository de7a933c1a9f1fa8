/* SPDX-License-Identifier: MIT */
/* The lines of classes.txt, methods.txt and LOG$Types.txt, whose names and locations may have
 * commas (etmerlin-formats(5), SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_ROWS_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_ROWS_H

#include "formats/selogger/index/csv.h"
#include "io/lines.h"

#include <stdbool.h>
#include <stdint.h>

/* A line of classes.txt:
 * ClassID,LoadedFrom,FileName,ClassName,LogLevel,ClassHash[,ClassLoaderID[,Annotations]]. */
struct class_row {
    struct piece id, name;
    struct piece loader; /* empty: the line does not have it */
};

/* False: the line is none, or its name cannot be told from what is next to it. */
bool class_row_split(const struct line *line, struct class_row *row) MUST_CHECK;

/* A line of methods.txt: ClassID,MethodID,ClassName,MethodName,MethodDesc,Access,... */
struct method_row {
    struct piece class_id, id;
    struct piece names; /* ClassName,MethodName (split_member) */
};

/* False: the line is none. */
bool method_row_split(const struct line *line, struct method_row *row) MUST_CHECK;

/* A line of LOG$Types.txt: TYPE,NAME[,LOCATION,SUPERCLASS,COMPONENT[,LOADER]]. */
struct type_row {
    struct piece id, name;
    bool has_parent; /* the line is not only TYPE,NAME */
    int64_t parent;  /* the number of the superclass; -1: there is none */
};

/* False: the line is none, or its name cannot be told from what is next to it. */
bool type_row_split(const struct line *line, struct type_row *row) MUST_CHECK;

#endif
