/* SPDX-License-Identifier: MIT */
/* How the virtual machine runs, where JVMTI does not say it. */
#ifndef ETTRACE_HOTSPOT_H
#define ETTRACE_HOTSPOT_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Flags of the virtual machine: those that tracing needs another value of, where an option
 * would not do, since a virtual machine that does not know an option does not start; and those
 * that trouble it. */

/* Sets the flag of that name, which must be of HotSpot's type intx. False: the virtual machine
 * has no such flag, or an option of the user or something else has set it already. Call it in
 * Agent_OnLoad, before anything reads the flag. */
bool hotspot_set_flag(jvmtiEnv *jvmti, const char *name, intptr_t value);

/* Whether the flag of that name, of HotSpot's type bool, is set; false: there is no such flag.
 */
bool hotspot_flag_is_set(jvmtiEnv *jvmti, const char *name);

/* The threads of the process, by the names that they have in the system: those of garbage
 * collectors show which one runs. */

enum thread_answer { THREAD_NONE, THREAD_FOUND, THREAD_UNKNOWN };

/* Whether the name of a thread begins with one of the `count` texts. THREAD_UNKNOWN: no such
 * name was found, but not all could be read. */
enum thread_answer hotspot_find_thread(const char *const *beginnings, size_t count);

#endif
