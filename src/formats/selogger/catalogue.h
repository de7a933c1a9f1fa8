/* SPDX-License-Identifier: MIT */
/* Everything that the side files of a trace contain. The index, dataids.txt, has a line for
 * each instruction of the program that was instrumented, which shows what its events mean;
 * classes.txt and methods.txt have the classes and methods of these instructions, and may be
 * missing (etmerlin-formats(5), SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_CATALOGUE_H
#define ETMERLIN_FORMATS_SELOGGER_CATALOGUE_H

#include "base/map.h"
#include "base/status.h"
#include "base/symbols.h"
#include "formats/selogger/loading.h"
#include "formats/selogger/rows.h"
#include "formats/selogger/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The classes and methods of the program. */
struct classes {
    struct map of_method; /* method -> symbol of its class + 1 */
    struct map woven;     /* name (a symbol) -> number of classes that write events */
    struct map name_of;   /* class id -> name (a symbol) + 1 */
    struct map loader_of; /* class id -> symbol of its loader + 1 */
    bool has_list;        /* classes.txt is there */
};

/* What the value of an event is. */
enum value_kind { VALUE_NONE, VALUE_NUMBER, VALUE_OBJECT };

enum instruction_flag {
    CREATED_IS_DATA_ID = 1, /* `created` is not an index but the data id of an instruction */
    IS_CONSTRUCTOR = 2,     /* METHOD_ENTRY: the method is a constructor; CALL: it calls one */
    IS_EXIT_HANDLER = 4,   /* CATCH: by a handler of the tracer, on the way out of the method */
    MAKES_LAMBDA = 8,      /* INVOKE_DYNAMIC_RESULT: the result holds the parameters */
    MAKES_CONSTANT = 16,   /* INVOKE_DYNAMIC_RESULT: the result is the same object each time */
    STARTS_THREAD = 32,    /* CALL: of a method start() without parameters */
    CALLS_UNWOVEN = 64,    /* CALL: of a class that writes no events */
    KEEPS_PARAMETER = 128, /* CALL: the exception keeps the one that is passed to it */
};

/* No instruction of a method has this index. */
#define NO_INSTRUCTION INT32_MIN

struct instruction {
    uint8_t event;  /* enum sel_event_kind */
    uint8_t value;  /* enum value_kind */
    uint16_t flags; /* enum instruction_flag */
    uint32_t method;
    int32_t index;         /* in its method */
    int32_t created;       /* index or data id of the NEW_OBJECT whose object this makes ready;
                              NO_INSTRUCTION: none */
    uint32_t field;        /* NO_FIELD: none */
    uint32_t type;         /* of what is allocated; NO_TYPE: unknown */
    uint32_t class_symbol; /* the symbol of the method's class; NO_SYMBOL: unknown */
    uint32_t owner;        /* symbol of the class whose method or field it uses; or NO_SYMBOL */
};

struct instructions {
    struct instruction *items; /* by data id */
    size_t count;
    size_t capacity;
    struct layout layout; /* of the index */
};

/* Whether the `length` bytes at `head` can be the beginning of an index. */
bool instructions_recognise(const char *head, size_t length);

/* Zero-initialize it but for `loading`, which is used until it is loaded; catalogue_free ends
 * it. */
struct catalogue {
    struct loading loading;
    struct symbols symbols;
    struct types types;
    struct classes classes;
    struct fields fields;
    struct instructions instructions;
    struct exceptions exceptions;
};

/* Reads the index and the side files that exist next to it. */
enum status catalogue_load(struct catalogue *catalogue, struct failure *why) MUST_CHECK;

/* Releases what the catalogue owns. */
void catalogue_free(struct catalogue *catalogue);

#endif
