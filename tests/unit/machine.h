/* SPDX-License-Identifier: MIT */
/* A stand-in for the virtual machine: objects, their handles, and the functions of JNI and
 * JVMTI that parts of the tracer call. It also defines the variables of agent.c and threads.c,
 * which are not linked. All of it is for one thread. */
#ifndef ETMERLIN_TESTS_MACHINE_H
#define ETMERLIN_TESTS_MACHINE_H

#include "../../tracer/native/tracer.h"

enum { MACHINE_FIELDS = 2 };

struct object;

/* A field that holds references. A `name` of NULL ends the list. */
struct machine_field {
    const char *name;
    bool is_static;
};

/* An object or a class, which is an object, too. */
struct object {
    struct object *of; /* its class */
    jlong id, facts;   /* its tags */
    jint header;       /* what etmerlin.tracer.Header finds in its header */
    jlong size;
    struct object **elements; /* of an array; or what the fields hold, in their order */
    jint length;              /* of an array */
    const char *signature;    /* of a class */
    struct object *above;     /* of a class: its superclass, or NULL */
    struct machine_field fields[MACHINE_FIELDS];
};

/* How often the id of an object was asked for (GetTag). */
extern unsigned machine_asked;

/* What the tracer keeps for the calling thread (SetThreadLocalStorage). A test changes it where
 * the thread goes on as another virtual thread. */
extern __thread void *machine_kept_for_thread;

/* How often the native code under test made or deleted a global reference (probes_keep). */
extern unsigned machine_kept;

/* If not NULL, GetTag calls it after reading the id of the object and before returning it. */
extern void (*machine_interrupt)(struct object *object);

/* If not NULL, SetTag calls it before the object gets the tag. */
extern void (*machine_tag)(struct object *object);

/* If not NULL, Header.find and Header.install call it before they look at the header. */
extern void (*machine_look)(struct object *object);

/* Whether there is stack for a call of Java code; if not, the call throws an error. */
extern bool machine_has_stack;

/* Whether there is no memory for references that the tracer makes. */
extern bool machine_lacks_references;

/* A reference that a walk over the heap meets. */
struct machine_reference {
    struct object *from, *to; /* from NULL: a root */
    jvmtiHeapReferenceKind kind;
    jint index;
};

/* The classes that are loaded, and the references of the heap. */
extern struct object **machine_classes;
extern jint machine_class_count;
extern struct machine_reference *machine_references;
extern size_t machine_reference_count;

/* If not NULL, called before the classes are listed. */
extern void (*machine_list)(void);

/* Makes the tracer keep ids in headers, with stack for Java code; after machine_start. */
void machine_use_headers(struct thread *me);

/* Starts a tracer at the level "stores" with the id cache on. Returns the structure of the
 * calling thread, which is static. */
struct thread *machine_start(void);

/* A new handle of the object; NULL for NULL. The test fails after 4,096 handles. */
jobject machine_handle(struct object *object);

/* The number of handles in use. */
size_t machine_handles(void);

/* Takes the next record of the thread from its ring, as "LETTER FIELD FIELD...", in a buffer
 * that the next call reuses; "" if there is none. */
const char *machine_record(struct thread *me);

#endif
