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

/* Makes of `name`, as a virtual machine or a tracer spells it, the name that Java prints:
 * of [I int[], of [Ljava/lang/String; java.lang.String[], of Ljava/util/List; and of
 * java/util/List java.util.List; what is spelled so already stays. name->text becomes it, good
 * until the next call. */
enum status java_name_make(struct java_name *name, const char *from,
                           struct failure *why) MUST_CHECK;

#endif
