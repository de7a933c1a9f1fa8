/* SPDX-License-Identifier: MIT */
/* What the probes in Java (java.lang.EttraceRecords) share with those in C: where a thread
 * finds its ring, how far it may write there by itself, and what it needs to do so. */
#ifndef ETTRACE_QUICK_H
#define ETTRACE_QUICK_H

#include "tracer.h"

/* Things that all threads have to look at before they go on: bits of quick_attention. */
enum {
    ATTEND_UNLOADING = 1, /* a collection may have unloaded classes, or cleared references */
    ATTEND_MISSED = 2,    /* classes have been defined without probes */
    ATTEND_END = 4,       /* the trace has ended */
    ATTEND_CHECK = 8,     /* a thread makes a check (collect.h) */
};

extern _Atomic uint32_t quick_attention;

/* Asks threads to look at `what`. Probes in Java do so when the stamp has changed. */
static inline void quick_attend(uint32_t what)
{
    atomic_fetch_or(&quick_attention, what);
    atomic_fetch_add(&merger_stamp, 1);
}

/* Whether `what` is to be looked at. */
static inline bool quick_attends(uint32_t what)
{
    return atomic_load_explicit(&quick_attention, memory_order_relaxed) & what;
}

/* Notes that somebody is about to look at `what`. */
static inline void quick_attended(uint32_t what)
{
    atomic_fetch_and(&quick_attention, ~what);
}

/* Room of which the system gives memory only for what is used, and which never moves; NULL:
 * there is none. */
void *quick_room(size_t size);

/* Makes room for the tables; false: no memory. */
bool quick_open(JNIEnv *jni);

/* The addresses that EttraceRecords needs: those of the tables, and of what belongs to them. */
const void *quick_shared(void);

/* From now on the thread may write by itself. `object`: the platform thread. */
void quick_add(struct thread *me, jthread object);

/* The thread, if it may write by itself, runs that virtual thread, or no longer does. */
void quick_mount(struct thread *me, jthread object);
void quick_unmount(struct thread *me);

/* The thread ends. */
void quick_remove(struct thread *me);

/* As quick_gate, for a thread that may write by itself. */
void quick_set_ends(struct thread *me);

/* Sets how far the calling thread may write by itself; called at the end of each probe. */
static inline void quick_gate(struct thread *me)
{
    if (me->place)
        quick_set_ends(me);
}

/* The next id of the thread: those that it gives by itself are taken from all in batches. */
uint64_t quick_take_id(struct thread *me);

/* Objects of exactly that type need no look at their class: they have that size. 0: they do. */
void quick_know_size(uint32_t type, uint32_t size);

/* The same of arrays, of which this one was looked at; `element` is the first character of the
 * signature of its elements. */
void quick_know_array(uint32_t type, char element, jint length, jlong size);

#endif
