/* SPDX-License-Identifier: MIT */
/* A stand-in for the virtual machine: objects, handles of them, and the functions of JNI and
 * JVMTI that the tracer's parts call on them; and the tracer that agent.c else defines. One
 * thread. */
#ifndef ETMERLIN_TESTS_MACHINE_H
#define ETMERLIN_TESTS_MACHINE_H

#include "../../tracer/native/tracer.h"

enum { MACHINE_FIELDS = 2 };

struct object;

/* A field that holds references; `name` NULL: there is none. */
struct machine_field {
    const char *name;
    bool is_static;
};

/* A class is an object, too. */
struct object {
    struct object *of; /* its class */
    jlong id, facts;   /* its tags */
    jint header;       /* what etmerlin.tracer.Header finds in its header */
    jlong size;
    struct object **elements; /* of an array, or what the fields hold */
    jint length;
    const char *signature; /* of a class */
    struct object *above;
    struct machine_field fields[MACHINE_FIELDS];
};

/* How often the virtual machine was asked for a tag. */
extern unsigned machine_asked;

/* How often a probe was called for a global reference, made or deleted. */
extern unsigned machine_kept;

/* Called when it is asked for the id of an object, after it has looked; NULL: nothing is. */
extern void (*machine_interrupt)(struct object *object);

/* Called when a header is looked at, before; NULL: nothing is. */
extern void (*machine_look)(struct object *object);

/* Whether a probe has the stack to call Java code; false: that throws. */
extern bool machine_has_stack;

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

/* Called when the classes are listed, before; NULL: nothing is. */
extern void (*machine_list)(void);

/* Begins to keep ids in headers. */
void machine_use_headers(struct thread *me);

/* Starts a tracer at the level "stores" with the id cache on; the calling thread's structure.
 */
struct thread *machine_start(void);

/* A handle of the object; NULL for NULL. */
jobject machine_handle(struct object *object);

/* Handles that are in use. */
size_t machine_handles(void);

/* The next record of the thread as "letter first field field ...", in a buffer that the next
 * call writes again; "" when there is none. */
const char *machine_record(struct thread *me);

#endif
