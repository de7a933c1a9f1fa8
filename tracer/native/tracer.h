/* SPDX-License-Identifier: MIT */
/* What the parts of the agent in the virtual machine share. A virtual machine has one agent,
 * and its probes have no argument that could lead to it: so there is one tracer, and a
 * structure for each thread that a probe has been called on. */
#ifndef ETTRACE_TRACER_H
#define ETTRACE_TRACER_H

#include "id_cache.h"
#include "merge.h"
#include "names.h"
#include "settings.h"

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>

/* Numbers of fields that are none. Elements are numbered as the format's description says; the
 * others are static: what is held for as long as a thread runs, as a constant, by the virtual
 * machine itself, or by native code. */
#define FIELD_ELEMENT UINT64_C(1000000)
#define FIELD_THREAD UINT64_C(3000000000)
#define FIELD_CONSTANT UINT64_C(4000000000)
#define FIELD_ROOT UINT64_C(5000000000)
#define FIELD_HELD UINT64_C(6000000000)
#define FIELD_NATIVE UINT64_C(7000000000)

/* A method lasts long when a thread makes so many words of records in it, about 500: the
 * records of its variables are few then against them. */
enum { LASTING_WORDS = 1600 };

/* A native method `name` of a class in Java, with arguments in addition to NATIVE_CALLER. Not
 * every one needs those. */
#define NATIVE(result, name, ...) static result JNICALL name(NATIVE_CALLER, __VA_ARGS__)
#define NATIVE_CALLER __attribute__((unused)) JNIEnv *jni, __attribute__((unused)) jclass of

struct class_facts;
struct thread_place;

/* What a type, by its number, is to the tracer. Several classes of the same name, of different
 * loaders, have the same type. */
struct type_facts {
    _Atomic(const struct class_facts *) facts; /* of a class; NULL: none is met yet */
    bool is_defined;                           /* by a loader */
    _Atomic bool is_shared;                    /* there are several such classes */
    _Atomic bool is_instrumented;              /* all its own stores are recorded */
    _Atomic bool is_known;   /* the next two are known, for objects of exactly this class */
    uint32_t size;           /* of an object, bytes */
    bool is_wholly_recorded; /* its stores and those of all it extends are recorded */
};

struct tracer {
    JavaVM *vm;
    jvmtiEnv *jvmti;   /* its tags are the ids of objects */
    jvmtiEnv *classes; /* its tags lead from a class to its facts */
    struct settings settings;
    struct name_lists *names;
    struct merger *merger;
    _Atomic bool is_active;  /* records are written */
    _Atomic bool is_waiting; /* they will be from a method of the program on */
    bool has_begun;
    pthread_mutex_t beginning; /* held until what is there when tracing begins is recorded */
    bool has_ended;
    pthread_mutex_t naming; /* of an object, and class facts */
    _Atomic uint64_t named; /* objects that have got their ids under this lock; from 1 on */
    _Atomic uint64_t next_id;
    bool tags_too;            /* what has its id in the header has a tag, too */
    _Atomic uint64_t dropped; /* probes whose records are missing for want of stack */
    uint64_t first_object;    /* ids below are those of classes that were there */
    uint64_t first_new;       /* ids below were there when tracing began */
    struct type_facts *types; /* by number */
    size_t type_capacity;
    uint32_t constants;                  /* given out */
    _Atomic uint8_t *constants_recorded; /* by number */
    size_t constant_capacity;
    char *problems; /* lines of the closing comment */
    size_t problems_length, problems_capacity;
    uint64_t problem_count;
    _Atomic bool lacks_memory; /* some records could not be made */
    struct failure failure;    /* why the trace could not be written to its end */
    pthread_mutex_t lock;      /* of constants and problems */
};

extern struct tracer tracer;

/* An open method. */
struct open_frame {
    uint32_t method;
    uint32_t is_missing; /* its M was dropped */
    uint64_t receiver;
    uint32_t allocations; /* of the thread that were begun when it opened */
    uint32_t variables;   /* where its variables begin */
};

/* An object whose constructor has been called and has not been recorded. */
struct begun_allocation {
    uint32_t type;
    uint32_t site;
};

/* An exception that has left a method. Its X is recorded when the thread goes on: by then it is
 * known what the variables of the method that catches it have lost with it. */
struct unwinding {
    uint32_t method; /* 0: there is none */
    uint64_t receiver;
    uint64_t exception;
};

/* An object that has been named while what is in it is not recorded yet. */
struct newcomer {
    jobject object; /* a local reference, or if it is postponed a global one */
    uint64_t id;
    const struct class_facts *facts;
};

struct thread {
    /* What probes in Java use, too: quick.c. */
    uint64_t store_end, call_end;
    struct open_frame *frames;
    size_t frame_count, frame_capacity;
    struct begun_allocation *allocations;
    size_t allocation_count, allocation_capacity;
    uint64_t next_id, end_id; /* ids from the one to below the other are the thread's to give */
    /* The rest. */
    struct thread_place *place; /* where those find it; NULL: they do not */
    struct ring *ring;
    JNIEnv *jni;
    uint64_t id;
    struct id_cache *ids; /* NULL: none */
    bool notes_old;       /* what it names was there before: its allocations are P */
    bool is_checked;      /* a collection was forced for the boundary that comes */
    uint64_t wound;       /* the words of its ring when it last wound the clock of methods */
    bool is_failing;      /* until the probe ends, nothing is recorded any more */
    int suspended;        /* not traced while it is not 0 */
    struct unwinding unwinding; /* level "exact" */
    uint64_t *variables;        /* what they hold; level "exact" */
    size_t variable_count, variable_capacity;
    struct newcomer *newcomers;
    size_t newcomer_count, newcomer_capacity;
    struct newcomer *postponed; /* newcomers for which no stack was left */
    size_t postponed_count, postponed_capacity;
    uintptr_t postponed_at; /* where its stack was then */
};

/* Begins tracing, if it waits for that method: called when a method of the program begins. */
void tracer_begin(JNIEnv *jni, uint32_t method);

/* That of the calling thread; NULL: it has called no probe yet. */
extern __thread struct thread *thread_current __attribute__((tls_model("initial-exec")));

/* Makes that of the calling thread; NULL: no memory. */
struct thread *thread_new(JNIEnv *jni);

/* As thread_here, also when it is suspended. */
static inline struct thread *thread_always(JNIEnv *jni)
{
    if (!atomic_load_explicit(&tracer.is_active, memory_order_relaxed))
        return NULL;
    return thread_current ? thread_current : thread_new(jni);
}

/* The calling thread, if records are wanted of it now; else NULL. */
static inline struct thread *thread_here(JNIEnv *jni)
{
    struct thread *me = thread_always(jni);
    return me && !me->suspended ? me : NULL;
}

/* Raises or lowers the calling thread's switch. */
void thread_suspend(JNIEnv *jni, int step);

/* Whether it is raised. */
bool thread_is_suspended(void);

/* The calling thread ends. */
void thread_end(JNIEnv *jni);

/* The number of a type with that name, from 1; 0: no memory, or too many. */
uint32_t tracer_type(const char *name);

/* A new number for a constant of a class. */
uint32_t tracer_constant(void);

/* Keeps a line for the closing comment and counts it. */
void tracer_problem(const char *text);

/* Memory has run out: a message at the end reports that records are missing. */
static inline void tracer_out_of_memory(void)
{
    atomic_store_explicit(&tracer.lacks_memory, true, memory_order_relaxed);
}

/* Writes a record of up to four fields after the first. */
static inline void record(struct thread *me, char letter, uint64_t first, unsigned count,
                          const uint64_t *fields)
{
    if (me->is_failing)
        return;
    uint64_t *words = ring_reserve(me->ring);
    words[1] = RECORD_HEAD(letter, count + 2, first);
    for (unsigned i = 0; i < count; i++)
        words[2 + i] = fields[i];
    words[0] = merger_stamp_for(me->ring);
    ring_publish(me->ring, count + 2);
}

static inline void record_store(struct thread *me, uint64_t container, uint64_t value,
                                uint64_t field)
{
    record(me, 'U', field, 2, (uint64_t[]){container, value});
}

#endif
