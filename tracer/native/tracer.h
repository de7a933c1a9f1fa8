/* SPDX-License-Identifier: MIT */
/* What the parts of the agent in the virtual machine share. A virtual machine has one agent,
 * and no argument of a probe could lead to it, so the tracer is a global variable. Each thread
 * that has called a probe has a structure. */
#ifndef ETTRACE_TRACER_H
#define ETTRACE_TRACER_H

#include "id_cache.h"
#include "merge.h"
#include "names.h"
#include "settings.h"

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* Numbers of what is stored into but is no field. Elements are numbered as the description of
 * the format defines it. The others are of static references: what a class holds as a
 * constant, what is held when tracing begins (ROOT), and what native code, the virtual machine
 * itself, or a running thread holds. An address divided by 8 is added to the number of NATIVE,
 * and an id to those of HELD and THREAD; a record has room for 48 bits. */
#define FIELD_ELEMENT UINT64_C(1000000)
#define FIELD_CONSTANT UINT64_C(4000000000)
#define FIELD_ROOT UINT64_C(5000000000)
#define FIELD_NATIVE UINT64_C(10000000000)
#define FIELD_HELD UINT64_C(50000000000000)
#define FIELD_THREAD UINT64_C(100000000000000)

/* A method lasts long if the thread makes so many words of records in it, which are about 500
 * records: compared with these, the records of its variables are few. */
enum { LASTING_WORDS = 1600 };

/* Local references that may be announced; each class that is listed is one. */
enum { MOST_REFERENCES = 1 << 16 };

/* Defines the function of a native method; its arguments come after those of NATIVE_CALLER. */
#define NATIVE(result, name, ...) static result JNICALL name(NATIVE_CALLER, __VA_ARGS__)
#define NATIVE_CALLER __attribute__((unused)) JNIEnv *jni, __attribute__((unused)) jclass of

struct class_facts;
struct thread_place;

/* What is known of a type. Classes of the same name in different loaders have the same type.
 */
struct type_facts {
    _Atomic(const struct class_facts *) facts; /* of a class; NULL: none has been met */
    bool is_defined;                           /* a class of the type has been */
    _Atomic bool is_shared;                    /* several classes have the type */
    _Atomic bool is_instrumented;              /* all stores of its own code are recorded */
    _Atomic bool is_known;   /* the next two are set, for objects of exactly this class */
    uint32_t size;           /* of an object, bytes */
    bool is_wholly_recorded; /* all stores into its fields are recorded, inherited ones too */
};

struct tracer {
    JavaVM *vm;
    jvmtiEnv *jvmti;   /* its tags are the ids of objects */
    jvmtiEnv *classes; /* its tags lead from a class to its facts */
    struct settings settings;
    struct name_lists *names;
    struct merger *merger;
    _Atomic bool is_active;  /* records are written */
    _Atomic bool is_waiting; /* a method of the program will begin the trace */
    _Atomic bool has_begun;
    uint32_t first_method;     /* which has begun the trace; 0: none has */
    _Atomic bool has_walked;   /* the snapshot has met all that was stored before */
    pthread_mutex_t beginning; /* held until the snapshot is recorded */
    bool has_ended;
    bool leaves_out_repeats; /* each W that says nothing new (repeats.h) */
    pthread_mutex_t naming;  /* held while an object gets a tag, and for class and type facts */
    _Atomic uint64_t named;  /* 1 + the objects that have got tags under this lock */
    _Atomic uint64_t next_id;
    bool tags_too;            /* an object with its id in the header has a tag, too */
    _Atomic uint64_t dropped; /* probes whose records are missing for want of stack */
    uint64_t first_object;    /* ids below it are of classes that were there at the beginning */
    uint64_t first_new;       /* ids below it are of objects that were there at the beginning */
    struct type_facts *types; /* by number */
    size_t type_capacity;
    uint32_t constants;                  /* numbers given out */
    _Atomic uint8_t *constants_recorded; /* by number; not 0: it has been recorded */
    size_t constant_capacity;
    char *problems; /* lines of the closing comment */
    size_t problems_length, problems_capacity;
    uint64_t problem_count;
    _Atomic bool lacks_memory; /* some records could not be made */
    struct failure failure;    /* why the trace could not be written to its end */
    pthread_mutex_t lock;      /* held for constants and problems */
};

extern struct tracer tracer;

/* An open method. */
struct open_frame {
    uint32_t method;
    uint16_t is_missing; /* its M was dropped */
    uint16_t is_last;    /* the trace ends with it */
    uint64_t receiver;
    uint32_t allocations; /* the thread's allocation_count when it opened */
    uint32_t variables;   /* where its variables begin among the thread's */
};

/* An object whose constructor has been called and whose allocation may not be recorded yet. */
struct begun_allocation {
    uint32_t type;
    uint32_t site;
};

/* An exception that has left a method. Its X is recorded when the thread goes on, since only
 * then is it known what the variables of the method that catches it have lost. */
struct unwinding {
    uint32_t method; /* 0: there is none */
    uint64_t receiver;
    uint64_t exception;
};

/* An object that has an id, but whose references are not recorded yet. */
struct newcomer {
    jobject object; /* a local reference; of a postponed one, a global reference */
    uint64_t id;
    const struct class_facts *facts;
    uint64_t stored; /* the field or element whose store its probe records itself; 0: none */
};

/* The open methods of a thread, and what belongs to them. Those of a virtual thread that waits
 * are kept until it goes on (threads.c). */
struct calls {
    /* Used by probes in Java, too (quick.c). */
    struct open_frame *frames;
    size_t frame_count, frame_capacity;
    struct begun_allocation *allocations;
    size_t allocation_count, allocation_capacity;
    uint64_t *variables; /* ids of what they hold, or 0; level "exact" */
    size_t variable_count, variable_capacity;
    /* The rest. */
    uint64_t instantiated; /* the id of the object that was last made without an instruction */
    struct unwinding unwinding; /* level "exact" */
    bool has_last;              /* a frame has been opened with which the trace ends */
};

enum { LATEST_USES = 128 };

/* The objects that a thread has used last, by their ids: so the probe itself leaves out most of
 * the uses that say nothing new, by a coarser rule than that of repeats.h. A segment ends with
 * each record of the thread but a W, and with each of another thread. */
struct latest_uses {
    uint64_t segment; /* from 1 on */
    uint64_t end;     /* the words of the ring after the latest W */
    uint64_t saved;   /* words that records left out would have taken */
    uint64_t stamp;   /* of the latest W; the ring may have got a newer one without a record */
    struct {
        uint64_t id, segment;
    } slots[LATEST_USES];
};

/* Classes that have been prepared (prepared.c). */
struct prepared_classes {
    struct prepared {
        jweak class_object;
        bool is_recorded; /* its object and its constants are */
    } *items;
    size_t count, capacity;
};

/* What belongs to a thread of the system. */
struct thread {
    /* Used by probes in Java, too (quick.c). */
    uint64_t store_end, call_end;
    uint64_t next_id, end_id; /* the thread gives ids from the first to below the second */
    struct calls calls;       /* of the virtual thread that it runs, or its own */
    struct latest_uses uses;  /* of probes in Java at level "exact" only */
    /* The rest. */
    uint64_t carrier;           /* its own id while it runs a virtual thread; 0: it runs none */
    struct calls below;         /* its own calls then */
    struct thread_place *place; /* where probes in Java find it; NULL: they do not */
    struct thread_place *mounted; /* also there, while it runs a virtual thread */
    struct ring *ring;
    JNIEnv *jni;
    uint64_t id;          /* of the virtual thread that it runs, or its own */
    struct id_cache *ids; /* NULL: none */
    bool notes_old;       /* objects that it names were there before, and are recorded as P */
    bool is_checked;      /* a collection was run for the next boundary */
    bool passes_on;       /* it passes on the references that collections have cleared */
    uint64_t wound; /* its words (thread_words) when it last advanced EttraceProbe.clock */
    uint32_t site_within; /* of the arrays in a new array of arrays; 0: there is none */
    bool begins_last;     /* the trace ends with the call that begins */
    bool is_failing;      /* nothing more is recorded until the probe ends */
    int suspended;        /* not 0: it is not traced */
    struct newcomer *newcomers;
    size_t newcomer_count, newcomer_capacity;
    struct newcomer *postponed; /* newcomers for whose contents no stack was left */
    size_t postponed_count, postponed_capacity;
    uintptr_t postponed_at;           /* how far the stack reached then, as an address */
    struct prepared_classes prepared; /* since its last probe */
};

/* Called when a method of the program begins while tracing waits: begins tracing, if that is
 * the method or the call it waits for. `roles`: of limits_entered. */
void tracer_begin(JNIEnv *jni, uint32_t method, unsigned roles);

/* As tracing begins (heap_walks.c): sets tracer.is_active, gives an id to every object that can
 * be reached, and records a P for each of them and a U for each reference: of fields, elements,
 * statics, and of what holds objects inside the virtual machine. The agent's own objects are
 * left out. Sets tracer.first_object and tracer.first_new. False: no memory; records are
 * missing. */
bool snapshot_take(struct thread *me);

/* As the trace ends (heap_walks.c): records a use of each object that variables of open methods
 * hold, of all threads. Not with --truth, which records true deaths, nor at the level et3. */
void last_uses_record(struct thread *me);

/* The virtual machine ends: saves what this run has instrumented (kept_classes.c). A failure
 * only costs later runs time, so it is reported only with -v. */
void kept_classes_end(void);

/* The structure of the calling thread; NULL: it has called no probe yet. */
extern __thread struct thread *thread_current __attribute__((tls_model("initial-exec")));

/* Makes the structure of the calling thread, which thread_end releases. NULL: no memory, or
 * the trace could not begin, or has ended meanwhile. */
struct thread *thread_new(JNIEnv *jni);

/* As thread_here, but also a suspended thread. */
static inline struct thread *thread_always(JNIEnv *jni)
{
    if (!atomic_load_explicit(&tracer.is_active, memory_order_relaxed))
        return NULL;
    return thread_current ? thread_current : thread_new(jni);
}

/* The calling thread; NULL: nothing is to be recorded of it now, or there is no memory. */
static inline struct thread *thread_here(JNIEnv *jni)
{
    struct thread *me = thread_always(jni);
    return me && !me->suspended ? me : NULL;
}

/* Adds `step`, 1 or -1, to the calling thread's count: while it is not 0, the thread is
 * suspended, which means that it is not traced. */
void thread_suspend(JNIEnv *jni, int step);

/* Whether the calling thread is suspended. */
bool thread_is_suspended(void);

/* The calling thread ends: records that, and releases its structure. */
void thread_end(JNIEnv *jni);

/* Has the virtual machine report which virtual threads run, if it has any; called as the agent
 * is loaded. `others`: the callbacks of the other events. False: the virtual machine refuses.
 */
bool threads_follow_virtual(const jvmtiEventCallbacks *others);

/* The number of a type with that name, from 1; 0: no memory, or too many. */
uint32_t tracer_type(const char *name);

/* The first of `count` new numbers in a row for constants of a class. */
uint32_t tracer_constants(uint32_t count);

/* Messages for people (messages.c) go to what standard error is now, even if the program closes
 * that, unless it is a pipe or a socket. */
void messages_open(void);

/* The stream for messages, which is never NULL. */
FILE *messages(void);

/* Prints why the program cannot be traced, and ends the process; called before the program
 * runs. */
_Noreturn void tracer_refuse(const char *reason);

/* Adds a line to the closing comment and counts it; the text is copied. */
void tracer_problem(const char *text);

/* To be called when memory has run out: a message at the end reports that records are missing.
 */
static inline void tracer_out_of_memory(void)
{
    atomic_store_explicit(&tracer.lacks_memory, true, memory_order_relaxed);
}

/* Writes a record with `count` fields, at most 4, after the first one; nobody sees it yet. */
static inline void record_write(struct thread *me, char letter, uint64_t first, unsigned count,
                                const uint64_t *fields)
{
    uint64_t *words = ring_reserve(me->ring);
    words[1] = RECORD_HEAD(letter, count + 2, first);
    for (unsigned i = 0; i < count; i++)
        words[2 + i] = fields[i];
    words[0] = merger_stamp_for(me->ring);
}

/* The same, and shows it. */
static inline void record(struct thread *me, char letter, uint64_t first, unsigned count,
                          const uint64_t *fields)
{
    if (me->is_failing)
        return;
    record_write(me, letter, first, count, fields);
    merger_show(me->ring, count + 2);
}

static inline void record_store(struct thread *me, uint64_t container, uint64_t value,
                                uint64_t field)
{
    record(me, 'U', field, 2, (uint64_t[]){container, value});
}

/* The words of records that the thread has made, those of uses left out included. */
static inline uint64_t thread_words(const struct thread *me)
{
    return me->ring->next + me->uses.saved;
}

/* Ends the segment if the thread has made another record since its latest W, or another thread
 * any, which then has taken a stamp. */
static inline void follow_segment(struct thread *me)
{
    struct latest_uses *uses = &me->uses;
    atomic_thread_fence(memory_order_acquire);
    if (me->ring->next != uses->end ||
        atomic_load_explicit(&merger_stamp, memory_order_relaxed) != uses->stamp)
        uses->segment++;
}

/* Records a use of the object with that id, unless that says nothing new; 0: there is none.
 * Until the record has its stamp, another thread may still take one before it. */
static inline void record_read(struct thread *me, uint64_t id, uint32_t type)
{
    enum { WORDS = 3 };
    struct latest_uses *uses = &me->uses;
    if (!id)
        return;
    size_t slot = id % LATEST_USES;
    follow_segment(me);
    if (uses->slots[slot].id == id && uses->slots[slot].segment == uses->segment &&
        tracer.leaves_out_repeats) {
        uses->saved += WORDS;
        return;
    }
    record(me, 'W', type, 1, &id);
    uses->segment += me->ring->stamp != uses->stamp;
    uses->stamp = me->ring->stamp;
    uses->end = me->ring->next;
    uses->slots[slot].id = id;
    uses->slots[slot].segment = me->is_failing ? 0 : uses->segment;
}

/* Records that the reference object of that kind refers to its referent; 0: to none. */
static inline void record_reference(struct thread *me, uint64_t reference, uint64_t referent,
                                    uint8_t kind)
{
    if (referent)
        record(me, 'F', kind, 2, (uint64_t[]){reference, referent});
}

/* Records that the reference object of that kind refers to nothing any more; `cause`: the
 * collector (1) or the program (2) has cleared it. */
static inline void record_cleared(struct thread *me, uint64_t reference, uint8_t kind,
                                  uint32_t cause)
{
    record(me, 'K', kind, 2, (uint64_t[]){reference, cause});
}

/* Records that the virtual machine holds the thread, since it runs, or no longer does. */
static inline void record_running(struct thread *me, bool runs)
{
    if (tracer.settings.level != LEVEL_ET3)
        record_store(me, 0, runs ? me->id : 0, FIELD_THREAD + me->id);
}

#endif
