/* SPDX-License-Identifier: MIT */
/* What native code and the virtual machine allocate, store and hold, which no instruction
 * shows. */
#ifndef ETTRACE_NATIVE_CODE_H
#define ETTRACE_NATIVE_CODE_H

#include <jvmti.h>
#include <stdbool.h>

/* From now on the functions by which native code allocates, stores and holds objects record it.
 * Called once, when the virtual machine runs. False: they could not be replaced. */
bool native_code_watch(jvmtiEnv *jvmti);

#endif
