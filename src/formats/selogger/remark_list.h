/* SPDX-License-Identifier: MIT */
/* Notes: what a user should know about a trace that could be read all the same. */
#ifndef ETMERLIN_FORMATS_SELOGGER_REMARK_LIST_H
#define ETMERLIN_FORMATS_SELOGGER_REMARK_LIST_H

#include "base/status.h"
#include "trace/reader.h"

#include <stddef.h>

/* Zero-initialize it; remark_list_free ends it. */
struct remark_list {
    struct remark *remarks; /* their texts are owned */
    size_t count;
    size_t capacity;
};

/* Adds a note, formatted as by printf: a sentence without its full stop. */
enum status remark_list_add(struct remark_list *list, struct failure *why, const char *format,
                            ...) PRINTF_LIKE(3, 4);

/* Releases all remarks; there are none then. */
void remark_list_free(struct remark_list *list);

#endif
