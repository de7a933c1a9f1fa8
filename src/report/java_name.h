/* SPDX-License-Identifier: MIT */
/* Names of classes as Java prints them. */
#ifndef ETMERLIN_REPORT_JAVA_NAME_H
#define ETMERLIN_REPORT_JAVA_NAME_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A primitive type. */
struct java_primitive {
    const char *name;
    char letter;  /* in descriptors */
    uint8_t code; /* of the instruction newarray, and in heap dumps */
};

/* By code, from JAVA_FIRST_CODE on. */
enum { JAVA_PRIMITIVES = 8, JAVA_FIRST_CODE = 4 };
extern const struct java_primitive java_primitives[JAVA_PRIMITIVES];

/* The primitive type whose name is the `length` bytes at `name`; NULL: none has it. */
const struct java_primitive *java_primitive_named(const char *name, size_t length);

/* A buffer for names; zero-initialize it, and free its text. */
struct java_name {
    char *text;
    size_t capacity;
};

/* Sets name->text to `from`, a name as a virtual machine or a tracer spells it, in the spelling
 * of Java: [I becomes int[], [Ljava/lang/String; becomes java.lang.String[], and
 * Ljava/util/List; and java/util/List become java.util.List; a name in that spelling stays. The
 * text is valid until the next call. */
enum status java_name_make(struct java_name *name, const char *from,
                           struct failure *why) MUST_CHECK;

#endif
