/* SPDX-License-Identifier: MIT */
/* Flags of the virtual machine: those that tracing needs another value of, where an option
 * would not do, since a virtual machine that does not know an option does not start; and those
 * that trouble it. */
#ifndef ETTRACE_MACHINE_FLAG_H
#define ETTRACE_MACHINE_FLAG_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* Sets the flag of that name, which must be of HotSpot's type intx. False: the virtual machine
 * has no such flag, or an option of the user or something else has set it already. Call it in
 * Agent_OnLoad, before anything reads the flag. */
bool machine_flag_set(jvmtiEnv *jvmti, const char *name, intptr_t value);

/* Whether the flag of that name, of HotSpot's type bool, is set; false: there is no such flag.
 */
bool machine_flag_is_set(jvmtiEnv *jvmti, const char *name);

#endif
