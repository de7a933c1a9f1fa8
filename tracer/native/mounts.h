/* SPDX-License-Identifier: MIT */
/* Virtual threads (Java 21). The virtual machine mounts one on a platform thread, its carrier,
 * and unmounts it where it waits; later it may go on on another one. While it is mounted, the
 * records of the carrier are those of the virtual thread. */
#ifndef ETTRACE_MOUNTS_H
#define ETTRACE_MOUNTS_H

#include "tracer.h"

/* Has the virtual machine report mounts, if it has virtual threads; called as the agent is
 * loaded. `others`: the callbacks of the other events. False: the virtual machine refuses. */
bool mounts_open(const jvmtiEventCallbacks *others);

/* The carrier on which that thread is mounted, as a local reference; NULL: it is no virtual
 * thread, or mounts are not reported. */
jthread mounts_carrier(JNIEnv *jni, jthread thread);

/* Whether virtual threads run on the thread, which may be between two of them: a walk over the
 * heap waits until it is not, so it must not wait for one. */
bool mounts_carries(JNIEnv *jni, jthread thread);

/* The calling thread, whose own calls are those in its structure, runs the virtual thread. */
void mounts_enter(struct thread *me, jthread thread);

/* The calling thread no longer runs its virtual thread. After the end of the trace nothing is
 * recorded. */
void mounts_leave(struct thread *me);

/* Releases what belongs to the calls. */
void mounts_release(struct calls *calls);

#endif
