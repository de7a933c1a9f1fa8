/* SPDX-License-Identifier: MIT */
/* Objects: their ids, and the records of those that are seen for the first time. */
#ifndef ETTRACE_OBJECTS_H
#define ETTRACE_OBJECTS_H

#include "tracer.h"

/* The kinds of reference objects, as lines about references number them (etmerlin-formats(5),
 * "References"); 0 stands for an object that is none. */
enum { KIND_SOFT = 1, KIND_WEAK, KIND_FINAL, KIND_PHANTOM, KINDS_END };

/* A class: its type, and the fields that hold references, its own and inherited. The referents
 * of weak and phantom references are not among them, since these hold nothing. Those of soft
 * references are: the collector clears them only when memory is short. */
struct class_field {
    jfieldID id;
    uint32_t field;
    bool is_recorded;     /* code records its stores */
    _Atomic jlong offset; /* in the object; 0: not asked yet, -1: it is unknown */
};

struct class_facts {
    uint32_t type;
    bool is_array;
    char element;          /* the first character of the signature of an array's elements */
    bool is_class_object;  /* java.lang.Class: its objects are held by the virtual machine */
    bool is_unloadable;    /* the class may be unloaded */
    uint8_t reference;     /* the kind of a reference object; 0: it is none */
    bool is_lambda;        /* a lambda, whose class has no probes */
    bool holds_references; /* an array: of references */
    struct class_field *fields;
    size_t field_count;
    struct class_field *statics; /* its own */
    size_t static_count;
    jfieldID referent; /* the field of a reference object */
};

/* The facts of a prepared class, which are made when it is first met, and kept; NULL: no
 * memory. */
const struct class_facts *class_facts(JNIEnv *jni, jclass java_class);

/* A class of this name is about to be defined. If it is not the first one, what is known of
 * the others need not be true of it. */
void object_class_defined(struct type_facts *type);

/* A prepared class was defined while the agent worked, so object_class_defined was not called.
 * The calling thread must not hold the lock `naming`. */
void object_class_missed(JNIEnv *jni, jclass java_class);

/* Whether a class with that signature is one of the tracer, or an array of them: its objects
 * are not of the program. */
bool class_is_own(const char *signature);

/* The number of the class with that signature. The signature of a hidden class ends with a dot
 * and its address, which are left out, since code names a class without them. */
uint32_t class_type(const char *signature);

/* Whether the agent has instrumented a class of this name. */
bool class_has_probes(jclass java_class);

/* How long the name after the first character of the signature is. */
size_t class_name_length(const char *signature);

/* The kind of reference objects that those of the class are (references.h); 0: they are
 * none. */
uint8_t class_reference_kind(JNIEnv *jni, jclass java_class);

/* Whether that is the field, of the class with that signature, which has the referent of a
 * reference object. */
bool object_field_is_referent(const char *java_class, const char *name);

/* Whether that field, of the class with that signature, holds nothing; `reference`: in a
 * reference object of that kind. */
bool object_field_is_weak(const char *java_class, const char *name, uint8_t reference);

/* The number of a field of that class, name and descriptor of its type; 0: no memory. */
uint32_t object_field_number(const char *owner, const char *name, const char *type);

/* The id of an object; 0: it has none, or is null, or the thread has no stack left to look. In
 * the last case nothing more is recorded in this probe; this holds for all functions that
 * return an id. */
uint64_t object_known(struct thread *me, jobject object);

/* The id of an object; 0 for null, and for a reference of the tracer's own that the thread only
 * passes on. One that is met for the first time gets an id and its N or A, and becomes a
 * newcomer of the thread. `site` is that of the N, 0 if it is not known. */
uint64_t object_id(struct thread *me, jobject object, uint32_t site);

/* As object_id, for an object of the class with number `type` whose constructor has just
 * returned to that site. */
uint64_t object_made(struct thread *me, jobject object, uint32_t type, uint32_t site);

/* As object_id; returns whether the object had no id before. */
bool object_arrived(struct thread *me, jobject object, uint32_t site);

/* Names an array that the last instruction has allocated: it is empty, and nobody but the
 * snapshot can have named it. `type`: the type of the array. */
void object_array(struct thread *me, jobject array, uint32_t type, uint32_t site);

/* As object_id, for an object into which that field or element was stored, which the caller
 * records: the contents of a new object are recorded without it (0: with all). If the object is
 * new, it is usually under construction. Its site is then that of the last allocation that was
 * begun, if that is of its class. */
uint64_t object_container(struct thread *me, jobject object, uint64_t stored);

/* As object_known; but an object without an id gets one, with the site of its allocation, if
 * one of its class has begun in this thread and has not ended. Others may have begun after it.
 */
uint64_t object_under_construction(struct thread *me, jobject object);

/* Records what a constructor has stored in its object before a probe could get that, if the
 * object has not got its id, with all that it held, in the constructor of a superclass. One
 * that was there before tracing, or was not made by code with probes, may have got it earlier.
 */
void object_shown(struct thread *me, jobject object);

/* A weak reference to the object; NULL: no memory. */
jweak object_weak_reference(JNIEnv *jni, jobject object);

/* As objects_settle, where there are newcomers. */
void objects_introduce(struct thread *me);

/* Records what is in the newcomers, and in what they lead to. Each probe calls it before it
 * records its own. */
static inline void objects_settle(struct thread *me)
{
    if (me->newcomer_count)
        objects_introduce(me);
}

/* Records what is in the newcomers for which earlier probes had no stack left, if there is
 * enough stack now. */
void objects_resume(struct thread *me);

/* Whether there is so much more stack than when records were last put off that it is worth
 * another try: the virtual machine ends if the stack runs out again just where it did before.
 */
bool objects_have_stack(const struct thread *me);

/* The probe has no stack left to record what has come before it: that is put off, so no record
 * is missing. The probe goes on. */
void objects_put_off(struct thread *me);

/* Releases the newcomers. */
void objects_release(struct thread *me);

/* The id of `object`, on which a constructor of the class with number `type` runs. */
uint64_t object_constructed(struct thread *me, jobject object, uint32_t type);

/* Records the references that the object holds now: elements from `from` on, `count` of them,
 * or all fields (an object that is no array; `from` and `count` are ignored). With `nulls` also
 * where there is none. An object without an id becomes a newcomer instead. */
void object_contents(struct thread *me, jobject object, jint from, jint count, bool nulls);

/* The facts of the object's class; NULL: no memory. */
const struct class_facts *object_facts(struct thread *me, jobject object);

/* The kind of a reference object; 0: the object is none. */
uint8_t object_reference_kind(struct thread *me, jobject object);

/* Has it recorded when a collection clears the soft reference with that id, whose referent is
 * recorded already (soft_stored). */
void object_watch_soft(struct thread *me, jobject reference, uint64_t id);

/* Whether the object is an array, or a lambda. */
bool object_is_array(struct thread *me, jobject object);
bool object_is_lambda(struct thread *me, jobject object);

/* Whether the object is no array, and code records all stores of references in it. */
bool object_is_recorded(struct thread *me, jobject object);

/* The number of a field of the object; 0: the field holds nothing. */
uint32_t object_field(struct thread *me, jobject object, jfieldID id);

/* The same for a static field of the class, or of one that it extends. Sets *holder to what
 * holds the value in the trace: 0, or the id of a class that may be unloaded. */
uint32_t object_static_field(struct thread *me, jclass java_class, jfieldID id,
                             uint64_t *holder);

/* Records what that static field of the class itself holds now, unless it holds nothing. */
void object_static(struct thread *me, jclass java_class, jfieldID field);

/* Records what the static fields of the class itself hold now; with `nulls` also of those that
 * hold nothing. */
void object_statics(struct thread *me, jclass java_class, bool nulls);

/* What holds the static field with that number of the class or one it extends; with 0, what the
 * class holds itself. */
uint64_t object_static_holder(struct thread *me, jclass java_class, uint32_t field);

#endif
