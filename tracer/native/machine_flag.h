/* SPDX-License-Identifier: MIT */
/* Flags of the virtual machine that tracing needs another value of, where an option would not
 * do: a virtual machine that does not know an option does not start. */
#ifndef ETTRACE_MACHINE_FLAG_H
#define ETTRACE_MACHINE_FLAG_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* Sets the flag of that name, which must be of HotSpot's type intx. True: the virtual machine
 * has it, and it had its default, which an option of the user replaces. Call it in
 * Agent_OnLoad, before anything reads the flag. */
bool machine_flag_set(jvmtiEnv *jvmti, const char *name, intptr_t value);

#endif
