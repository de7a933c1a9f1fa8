/* SPDX-License-Identifier: MIT */
/* The index of instructions: dataids.txt has a line for each instruction of the program that
 * was made to write events (etmerlin-formats(5), SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_INSTRUCTIONS_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_INSTRUCTIONS_H

#include "base/status.h"
#include "base/symbols.h"
#include "formats/selogger/index/classes.h"
#include "formats/selogger/index/fields.h"
#include "formats/selogger/index/instruction.h"
#include "formats/selogger/index/loading.h"
#include "formats/selogger/index/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialize it; instructions_free ends it. */
struct instructions {
    struct symbols *symbols;
    struct types *types;
    struct fields *fields;
    const struct classes *classes;
    struct instruction *items; /* by data id */
    size_t count;
    size_t capacity;
};

/* Reads the index. */
enum status instructions_load(struct instructions *instructions, const struct loading *loading,
                              struct failure *why) MUST_CHECK;

/* Whether `length` bytes at `head` can be the beginning of an index. */
bool instructions_recognise(const char *head, size_t length);

/* Releases what the instructions own. */
void instructions_free(struct instructions *instructions);

#endif
