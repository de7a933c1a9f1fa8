/* SPDX-License-Identifier: MIT */
/* The threads of the process, by the names that they have in the system: those of garbage
 * collectors show which one runs. */
#ifndef ETTRACE_TASKS_H
#define ETTRACE_TASKS_H

#include <stddef.h>

enum task_answer { TASK_NONE, TASK_FOUND, TASK_UNKNOWN };

/* Whether the name of a thread begins with one of the `count` texts. TASK_UNKNOWN: no such name
 * was found, but not all could be read. */
enum task_answer tasks_find(const char *const *beginnings, size_t count);

#endif
