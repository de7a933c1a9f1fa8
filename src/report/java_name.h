/* SPDX-License-Identifier: MIT */
/* Names of classes as Java prints them. */
#ifndef ETMERLIN_REPORT_JAVA_NAME_H
#define ETMERLIN_REPORT_JAVA_NAME_H

#include "base/status.h"

#include <stddef.h>

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
