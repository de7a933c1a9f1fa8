/* SPDX-License-Identifier: MIT */
/* The native methods of java.lang.EttraceProbe. Each finds its thread, names the objects and
 * records. A record gets its stamp, which is its position in the order of all records, only
 * after all calls of the virtual machine: these may wait, and the record would come late in
 * the order. */
#include "probes.h"
#include "cleared.h"
#include "collect.h"
#include "indirect.h"
#include "objects.h"
#include "prepared.h"
#include "quick.h"
#include "trace_limits.h"
#include "tracer.h"

#include "base/memory.h"

#include <stdlib.h>

/* EttraceProbe.clock, which a method compares with its value at the beginning to see whether it
 * has lasted long. */
static struct {
    jclass probe;
    jfieldID field;
    _Atomic jint now;
} probe_clock;

#define PROBE(name, ...) NATIVE(void, probe_##name, __VA_ARGS__)

/* As begin, but an X that waits is not recorded yet. */
static struct thread *begin_unwinding(JNIEnv *jni)
{
    struct thread *me = thread_here(jni);
    if (me)
        truth_lock(me);
    return me;
}

/* Ends a probe. */
static void finish(struct thread *me)
{
    objects_settle(me);
    if (me->postponed_count && !me->is_failing)
        objects_resume(me);
    me->is_failing = false;
    quick_gate(me);
    truth_unlock();
}

/* Frames */

static void open_frame(struct thread *me, uint32_t method, uint64_t receiver)
{
    struct open_frame *frames = array_grow(me->calls.frames, &me->calls.frame_capacity,
                                           me->calls.frame_count + 1, sizeof *frames);
    if (!frames) {
        tracer_out_of_memory();
        return;
    }
    me->calls.frames = frames;
    frames[me->calls.frame_count++] = (struct open_frame){
        .method = method,
        .receiver = receiver,
        .allocations = (uint32_t)me->calls.allocation_count,
        .variables = (uint32_t)me->calls.variable_count,
        .is_missing = me->is_failing,
        .is_last = me->begins_last,
    };
    me->calls.has_last |= me->begins_last;
    me->begins_last = false;
}

/* Records a use of the object, and ends the probe. */
static void finish_read(struct thread *me, jobject object, uint32_t type)
{
    uint64_t id = object_id(me, object, 0);
    objects_settle(me);
    record_read(me, id, type);
    finish(me);
}

/* Records a store into an object, and ends the probe. */
static void finish_store(struct thread *me, jobject container, jobject value, uint64_t field)
{
    uint64_t in = object_container(me, container, field);
    uint64_t id = object_id(me, value, 0);
    objects_settle(me);
    if (in)
        record_store(me, in, id, field);
    finish(me);
}

/* Records a store into a static field, or into something else outside of objects, and ends the
 * probe. `holder`: 0, or the id of the class that holds the value. */
static void finish_static(struct thread *me, uint64_t holder, jobject value, uint64_t field)
{
    uint64_t id = object_id(me, value, 0);
    objects_settle(me);
    record_store(me, holder, id, field);
    finish(me);
}

/* Removes the variables from `from` on, and records that they held their objects until now. */
static void drop_variables(struct thread *me, size_t from)
{
    while (me->calls.variable_count > from)
        record_read(me, me->calls.variables[--me->calls.variable_count], 0);
}

/* The innermost open frame of the method; NULL: there is none. Frames above it were left by an
 * exception without a probe. */
static struct open_frame *frame_of(const struct thread *me, uint32_t method)
{
    size_t i = me->calls.frame_count;
    while (i > 0 && me->calls.frames[i - 1].method != method)
        i--;
    return i ? &me->calls.frames[i - 1] : NULL;
}

/* Closes the frames above this one. */
static void uncover(struct thread *me, const struct open_frame *frame)
{
    size_t count = (size_t)(frame - me->calls.frames) + 1;
    if (me->calls.frame_count > count) {
        drop_variables(me, me->calls.frames[count].variables);
        me->calls.frame_count = count;
    }
}

/* Closes the innermost frame of the method, and those above it, and sets *receiver to its
 * receiver. False: the frame has no M, or there is none, since it was open when tracing began.
 */
static bool close_frame(struct thread *me, uint32_t method, uint64_t *receiver)
{
    struct open_frame *frame = frame_of(me, method);
    if (!frame)
        return false;
    drop_variables(me, frame->variables);
    me->calls.frame_count = (size_t)(frame - me->calls.frames);
    *receiver = frame->receiver;
    return !frame->is_missing;
}

/* Whether a call that --stop-at names by its number has ended, in this thread. */
static bool has_ended_last(const struct thread *me)
{
    bool has_ended = me->calls.has_last;
    for (size_t i = 0; i < me->calls.frame_count && has_ended; i++)
        has_ended = !me->calls.frames[i].is_last;
    return has_ended;
}

/* A frame of the method has been closed: ends the trace, if --stop-at names the call, or the
 * method, of which no other frame is open in this thread. */
static void end_with(struct thread *me, uint32_t method)
{
    bool ends = limits_counts_last() ? has_ended_last(me)
                                     : limits_end_with(method) && !frame_of(me, method);
    if (!ends)
        return;
    last_uses_record(me);
    limits_end();
}

/* Records the X that waits. The frame of its method is already closed. */
static void end_unwinding(struct thread *me)
{
    struct unwinding unwinding = me->calls.unwinding;
    me->calls.unwinding.method = 0;
    collect_before(me);
    record(me, 'X', unwinding.method, 2, (uint64_t[]){unwinding.receiver, unwinding.exception});
    collect_boundary(me, true);
    end_with(me, unwinding.method);
}

/* Begins a probe: the calling thread, or NULL if nothing is to be recorded of it. The first one
 * after a collection records what that has cleared. */
static struct thread *begin(JNIEnv *jni)
{
    struct thread *me = begin_unwinding(jni);
    if (me && me->calls.unwinding.method)
        end_unwinding(me);
    if (me && quick_attends(ATTEND_UNLOADING)) {
        unloading_record(me);
        soft_record(me, false);
        prepared_record_all(me);
    }
    if (me)
        prepared_record(me);
    return me;
}

/* Advances EttraceProbe.clock, if the thread has made LASTING_WORDS since it last did so. Only
 * the level "stores" reads it. */
static void wind_clock(struct thread *me)
{
    if (tracer.settings.level == LEVEL_EXACT || thread_words(me) - me->wound < LASTING_WORDS)
        return;
    me->wound = thread_words(me);
    (*me->jni)->SetStaticIntField(me->jni, probe_clock.probe, probe_clock.field,
                                  atomic_fetch_add(&probe_clock.now, 1) + 1);
}

static void enter(struct thread *me, uint64_t self, uint32_t method)
{
    objects_settle(me);
    collect_before(me);
    record(me, 'M', method, 1, &self);
    open_frame(me, method, self);
    wind_clock(me);
    collect_boundary(me, true);
}

static void enter_reading(struct thread *me, uint64_t self, uint32_t method, uint32_t type)
{
    enter(me, self, method);
    record_read(me, self, type);
}

/* Records M, W and E of a method that only returns a field. */
static void get(struct thread *me, uint64_t self, uint32_t method, uint32_t type)
{
    objects_settle(me);
    collect_before(me);
    record(me, 'M', method, 1, &self);
    collect_boundary(me, true);
    record_read(me, self, type);
    record(me, 'E', method, 0, NULL);
    collect_boundary(me, false);
    me->calls.has_last |= me->begins_last;
    me->begins_last = false;
    end_with(me, method);
}

/* Whether calls of the calling thread are counted. */
static bool are_counted(void)
{
    return atomic_load_explicit(&limits_are_counted, memory_order_acquire) &&
           !thread_is_suspended();
}

/* As begin, when a method begins. The first method of the program begins the trace; what was
 * allocated before is in the snapshot then. */
static struct thread *begin_method(JNIEnv *jni, uint32_t method)
{
    if (quick_attends(ATTEND_MISSED) && !thread_is_suspended())
        prepared_offer_missed(jni);
    unsigned roles = are_counted() ? limits_entered(method) : 0;
    if (atomic_load_explicit(&tracer.is_waiting, memory_order_relaxed))
        tracer_begin(jni, method, roles);
    struct thread *me = begin(jni);
    if (me)
        me->begins_last = roles & CALL_ENDS_TRACE;
    return me;
}

/* A method has ended. Calls are counted before the trace begins, too. */
static void count_left(jint method)
{
    if (are_counted())
        limits_left((uint32_t)method);
}

PROBE(enter, jobject self, jint method)
{
    struct thread *me = begin_method(jni, (uint32_t)method);
    if (!me)
        return;
    enter(me, object_id(me, self, 0), (uint32_t)method);
    finish(me);
}

PROBE(enterReading, jobject self, jint method, jint type)
{
    struct thread *me = begin_method(jni, (uint32_t)method);
    if (!me)
        return;
    enter_reading(me, object_id(me, self, 0), (uint32_t)method, (uint32_t)type);
    finish(me);
}

PROBE(get, jobject self, jint method, jint type)
{
    struct thread *me = begin_method(jni, (uint32_t)method);
    count_left(method);
    if (!me)
        return;
    get(me, object_id(me, self, 0), (uint32_t)method, (uint32_t)type);
    finish(me);
}

PROBE(construct, jobject self, jint method, jint type)
{
    struct thread *me = begin_method(jni, (uint32_t)method);
    if (!me)
        return;
    enter(me, object_constructed(me, self, (uint32_t)type), (uint32_t)method);
    finish(me);
}

PROBE(leave, jint method)
{
    count_left(method);
    struct thread *me = begin(jni);
    if (!me)
        return;
    uint64_t receiver;
    if (close_frame(me, (uint32_t)method, &receiver)) {
        record(me, 'E', (uint32_t)method, 0, NULL);
        collect_boundary(me, false);
        end_with(me, (uint32_t)method);
    }
    finish(me);
}

PROBE(unwound, jthrowable exception, jint method)
{
    count_left(method);
    struct thread *me = begin(jni);
    if (!me)
        return;
    uint64_t receiver;
    const struct open_frame *frame = frame_of(me, (uint32_t)method);
    if (frame)
        me->calls.allocation_count = frame->allocations;
    if (close_frame(me, (uint32_t)method, &receiver)) {
        uint64_t id = object_id(me, exception, 0);
        objects_settle(me);
        me->is_failing = false; /* the X is recorded even if the exception has no id */
        me->calls.unwinding = (struct unwinding){(uint32_t)method, receiver, id};
        if (tracer.settings.level != LEVEL_EXACT)
            end_unwinding(me);
    }
    finish(me);
}

/* Records T or H. The method runs, so frames above its own are closed. */
static void record_exception(JNIEnv *jni, char letter, jthrowable exception, uint32_t method)
{
    struct thread *me = exception ? begin(jni) : NULL;
    if (!me)
        return;
    const struct open_frame *frame = frame_of(me, method);
    if (frame && !frame->is_missing) {
        uncover(me, frame);
        if (letter == 'H')
            me->calls.allocation_count = frame->allocations;
        uint64_t id = object_id(me, exception, 0);
        objects_settle(me);
        record(me, letter, method, 2, (uint64_t[]){frame->receiver, id});
    }
    finish(me);
}

PROBE(threw, jthrowable exception, jint method)
{
    record_exception(jni, 'T', exception, (uint32_t)method);
}

PROBE(caught, jthrowable exception, jint method)
{
    record_exception(jni, 'H', exception, (uint32_t)method);
}

/* Allocations */

PROBE(before, jint type, jint site)
{
    struct thread *me = thread_here(jni);
    if (!me)
        return;
    struct begun_allocation *allocations =
        array_grow(me->calls.allocations, &me->calls.allocation_capacity,
                   me->calls.allocation_count + 1, sizeof *allocations);
    if (!allocations) {
        tracer_out_of_memory();
        return;
    }
    me->calls.allocations = allocations;
    allocations[me->calls.allocation_count++] =
        (struct begun_allocation){(uint32_t)type, (uint32_t)site};
}

/* Ends the allocation of that site, and those above it, whose constructors threw exceptions.
 */
static void end_allocation(struct thread *me, uint32_t site)
{
    size_t i = me->calls.allocation_count;
    while (i > 0 && me->calls.allocations[i - 1].site != site)
        i--;
    if (i > 0)
        me->calls.allocation_count = i - 1;
}

/* Level "et3": as tracers of that generation do, records an allocation when its constructor
 * has returned, with the class whose code allocates as the type. */
static void record_late(struct thread *me, jobject object, uint32_t type, uint32_t site,
                        jint length, char letter)
{
    jlong size = 0;
    (*tracer.jvmti)->GetObjectSize(tracer.jvmti, object, &size);
    uint64_t id = object_id(me, object, site);
    record(me, letter, type, 4, (uint64_t[]){id, (uint64_t)size, site, (uint64_t)length});
}

/* Records that the new object was held until its constructor returned. */
static void record_made(struct thread *me, uint64_t id)
{
    if (tracer.settings.level == LEVEL_EXACT)
        record_read(me, id, 0);
}

PROBE(made, jobject object, jint type, jint site)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    if (tracer.settings.level == LEVEL_ET3 && object)
        record_late(me, object, (uint32_t)type, (uint32_t)site, 0, 'N');
    else if (object)
        record_made(me, object_made(me, object, (uint32_t)type, (uint32_t)site));
    end_allocation(me, (uint32_t)site);
    finish(me);
}

PROBE(array, jobject array, jint type, jint site)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    if (tracer.settings.level == LEVEL_ET3)
        record_late(me, array, (uint32_t)type, (uint32_t)site,
                    (*jni)->GetArrayLength(jni, array), 'A');
    else
        object_array(me, array, (uint32_t)type, (uint32_t)site);
    finish(me);
}

PROBE(arrays, jobject array, jint site)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    me->site_within = (uint32_t)site;
    object_id(me, array, (uint32_t)site);
    objects_settle(me);
    me->site_within = 0;
    finish(me);
}

static jint array_length(struct thread *me, jobject object)
{
    return object_is_array(me, object) ? (*me->jni)->GetArrayLength(me->jni, object) : 0;
}

/* Stores. A thread that is not traced still records what it stores in static fields and in
 * objects that have an id: the agent's own work fills tables of the library, which the program
 * reads later. */

/* As begin, but also when the thread is not traced. */
static struct thread *begin_always(JNIEnv *jni)
{
    struct thread *me = thread_always(jni);
    if (me)
        truth_lock(me);
    if (me && !me->suspended)
        prepared_record(me);
    return me;
}

/* As begin_always, but NULL if the thread is not traced and the container has no id. */
static struct thread *begin_store(JNIEnv *jni, jobject container)
{
    struct thread *me = thread_always(jni);
    if (!me || !me->suspended || object_known(me, container))
        return begin_always(jni);
    me->is_failing = false;
    return NULL;
}

/* An object that has an id already may have got references by a copy that was not recorded.
 * Where all stores are, only the virtual machine itself (site 0) may have added some. */
PROBE(arrived, jobject object, jint site)
{
    struct thread *me = object ? begin_store(jni, object) : NULL;
    if (!me)
        return;
    if (!object_arrived(me, object, (uint32_t)site) &&
        (!site || !object_is_recorded(me, object)))
        object_contents(me, object, 0, array_length(me, object), false);
    finish(me);
}

/* As arrived, for what a call site returns. Where an array is known, code with probes has
 * stored its elements, unless native code has just made it. */
PROBE(linked, jobject object, jint site)
{
    struct thread *me = object ? begin_store(jni, object) : NULL;
    if (!me)
        return;
    if (!object_arrived(me, object, (uint32_t)site) && !object_is_recorded(me, object) &&
        (!object_is_array(me, object) || object_id(me, object, 0) == me->calls.instantiated))
        object_contents(me, object, 0, array_length(me, object), false);
    finish(me);
}

/* At level "exact", variables of the library hold a lambda before the code gets it that makes
 * it: its site is not known. */
PROBE(instantiated, jobject object, jint site)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    bool is_lambda = object_is_lambda(me, object);
    if (tracer.settings.level == LEVEL_EXACT || !is_lambda)
        me->calls.instantiated = object_id(me, object, is_lambda ? 0 : (uint32_t)site);
    finish(me);
}

/* The id of the class, which then holds its constants; 0: the object is no class, or one that
 * is never unloaded. */
static uint64_t holder_of_constants(struct thread *me, jobject caller)
{
    const struct class_facts *facts = caller ? object_facts(me, caller) : NULL;
    return facts && facts->is_class_object ? object_static_holder(me, caller, 0) : 0;
}

/* The virtual machine keeps the object for the class `caller`. */
PROBE(held, jobject object, jobject caller)
{
    struct thread *me = object ? begin(jni) : NULL;
    if (!me)
        return;
    uint64_t holder = holder_of_constants(me, caller);
    finish_static(me, holder, object, FIELD_HELD + object_id(me, object, 0));
}

/* Records that the holder keeps the object, if it is a string: the other constants of a class
 * are made by code with probes. */
static void record_constant(struct thread *me, jobject object, uint64_t holder)
{
    jclass text = (*me->jni)->FindClass(me->jni, "java/lang/String");
    if (object && text && (*me->jni)->IsInstanceOf(me->jni, object, text)) {
        uint64_t id = object_id(me, object, 0);
        objects_settle(me);
        record_store(me, holder, id, FIELD_HELD + id);
    }
    (*me->jni)->DeleteLocalRef(me->jni, text);
}

PROBE(constants, jobject object, jobject caller)
{
    struct thread *me = object ? begin(jni) : NULL;
    if (!me)
        return;
    uint64_t holder = holder_of_constants(me, caller);
    const struct class_facts *facts = object_facts(me, object);
    jint count = facts && facts->is_array && facts->holds_references
                     ? (*jni)->GetArrayLength(jni, object)
                     : 0;
    for (jint i = 0; i < count; i++) {
        jobject one = (*jni)->GetObjectArrayElement(jni, object, i);
        record_constant(me, one, holder);
        (*jni)->DeleteLocalRef(jni, one);
    }
    record_constant(me, object, holder);
    finish(me);
}

/* Only constructors store a referent that is not null. */
PROBE(putReferent, jobject container, jobject value, jint field)
{
    struct thread *me = begin_store(jni, container);
    if (!me)
        return;
    uint8_t kind = object_reference_kind(me, container);
    uint64_t in = object_container(me, container, (uint32_t)field);
    /* An object that the virtual machine has made, and that only it holds, is not named here:
     * by the trace it would die at once. One under construction is: a final reference is made
     * in the constructor of Object. */
    uint64_t id = object_under_construction(me, value);
    if (!id && (kind == KIND_SOFT || kind == KIND_FINAL))
        id = object_id(me, value, 0);
    objects_settle(me);
    if (kind == KIND_SOFT) {
        soft_stored(me, container, in, value, (uint32_t)field);
        record_store(me, in, id, (uint32_t)field);
    }
    record_reference(me, in, id, kind);
    finish(me);
}

PROBE(cleared, jobject reference, jint is_cleared, jint cause)
{
    struct thread *me = is_cleared ? begin_store(jni, reference) : NULL;
    if (!me)
        return;
    uint64_t id = object_known(me, reference);
    if (id)
        record_cleared(me, id, object_reference_kind(me, reference), (uint32_t)cause);
    finish(me);
}

PROBE(shown, jobject object)
{
    struct thread *me = begin_store(jni, object);
    if (!me)
        return;
    object_shown(me, object);
    finish(me);
}

PROBE(filled, jobject object)
{
    struct thread *me = begin_store(jni, object);
    if (!me)
        return;
    size_t newcomers = me->newcomer_count;
    object_container(me, object, 0);
    if (me->newcomer_count == newcomers)
        object_contents(me, object, 0, array_length(me, object), true);
    finish(me);
}

PROBE(filledStatics, jclass owner)
{
    jclass at = (*jni)->NewLocalRef(jni, owner);
    while (at) {
        probes_statics(jni, at);
        jclass above = (*jni)->GetSuperclass(jni, at);
        (*jni)->DeleteLocalRef(jni, at);
        at = above;
    }
}

PROBE(put, jobject container, jobject value, jint field)
{
    struct thread *me = begin_store(jni, container);
    if (me)
        finish_store(me, container, value, (uint32_t)field);
}

PROBE(putStatic, jobject value, jint field)
{
    struct thread *me = begin_always(jni);
    if (me)
        finish_static(me, 0, value, (uint32_t)field);
}

PROBE(putStaticOf, jobject value, jint field, jclass owner)
{
    struct thread *me = begin_always(jni);
    if (me)
        finish_static(me, object_static_holder(me, owner, (uint32_t)field), value,
                      (uint32_t)field);
}

PROBE(stored, jobject array, jint index, jobject value)
{
    struct thread *me = begin_store(jni, array);
    if (me)
        finish_store(me, array, value, FIELD_ELEMENT + (uint64_t)index);
}

PROBE(copied, jobject array, jint from, jint count)
{
    struct thread *me = begin_store(jni, array);
    if (!me)
        return;
    object_contents(me, array, from, count, true);
    finish(me);
}

PROBE(storedAt, jobject container, jlong offset)
{
    struct thread *me = container ? begin_store(jni, container) : NULL;
    if (!me)
        return;
    offsets_stored(me, container, offset);
    finish(me);
}

PROBE(storedIn, jobject array, jint index)
{
    probe_copied(jni, of, array, index, 1);
}

PROBE(linkedCopy, jobject member, jobject array, jint from, jint count)
{
    if (indirect_is_copy(jni, member))
        probe_copied(jni, of, array, from, count);
}

PROBE(linkedSet, jobject member, jobject array, jint index)
{
    if (indirect_is_set(jni, member))
        probe_storedIn(jni, of, array, index);
}

PROBE(linkedAt, jobject unsafe, jobject container, jlong offset)
{
    if (indirect_is_unsafe(jni, unsafe))
        probe_storedAt(jni, of, container, offset);
}

PROBE(invoked, jobject method, jobject target, jobject arguments)
{
    struct thread *me = arguments ? begin(jni) : NULL;
    if (!me)
        return;
    indirect_invoked(me, method, target, arguments);
    finish(me);
}

/* What no instruction shows */

void probes_arrived(JNIEnv *jni, jobject object)
{
    struct thread *me = object ? begin(jni) : NULL;
    if (!me)
        return;
    me->calls.instantiated = object_id(me, object, 0);
    finish(me);
}

/* As finish_store; with the number 0, the field holds nothing, and nothing is recorded. */
static void finish_field(struct thread *me, jobject object, jobject value, uint32_t number)
{
    if (number)
        finish_store(me, object, value, number);
    else
        finish(me);
}

void probes_put(JNIEnv *jni, jobject object, jobject value, jfieldID field)
{
    struct thread *me = begin_store(jni, object);
    if (me)
        finish_field(me, object, value, object_field(me, object, field));
}

void probes_put_static(JNIEnv *jni, jclass of, jobject value, jfieldID field)
{
    struct thread *me = begin(jni);
    uint64_t holder = 0;
    if (!me)
        return;
    uint32_t number = object_static_field(me, of, field, &holder);
    if (number)
        finish_static(me, holder, value, number);
    else
        finish(me);
}

void probes_statics(JNIEnv *jni, jclass of)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    object_statics(me, of, true);
    finish(me);
}

void probes_store_element(JNIEnv *jni, jobjectArray array, jint index, jobject value)
{
    struct thread *me = begin_store(jni, array);
    if (me)
        finish_store(me, array, value, FIELD_ELEMENT + (uint64_t)index);
}

void probes_keep(JNIEnv *jni, jobject object, uint64_t place)
{
    struct thread *me = object ? begin(jni) : begin_always(jni);
    if (me)
        finish_static(me, 0, object, FIELD_NATIVE + place);
}

/* Uses */

PROBE(read, jobject object, jint type)
{
    struct thread *me = object ? begin(jni) : NULL;
    if (me)
        finish_read(me, object, (uint32_t)type);
}

/* Marks the constant as recorded; whether it was not before. */
static bool take_constant(uint32_t constant)
{
    return constant < tracer.constant_capacity &&
           !atomic_load_explicit(&tracer.constants_recorded[constant], memory_order_relaxed) &&
           !atomic_exchange(&tracer.constants_recorded[constant], 1);
}

/* As begin, for a constant that is not null and not recorded yet. Sets *holder to what holds
 * it.
 */
static struct thread *begin_constant(JNIEnv *jni, jobject object, jint constant, jclass owner,
                                     uint64_t *holder)
{
    struct thread *me = thread_here(jni);
    if (!me || !object || !take_constant((uint32_t)constant))
        return NULL;
    truth_lock(me);
    prepared_record(me);
    *holder = owner ? object_static_holder(me, owner, 0) : 0;
    return me;
}

PROBE(constant, jobject object, jint constant, jclass owner)
{
    uint64_t holder;
    struct thread *me = begin_constant(jni, object, constant, owner, &holder);
    if (me)
        finish_static(me, holder, object, FIELD_CONSTANT + (uint64_t)constant);
}

/* The arrays of references that a table consists of, as they are found. */
struct part {
    jobject array; /* a local reference */
    uint64_t id;
};
struct table {
    struct part *parts;
    size_t count, capacity;
};

static void add_part(struct thread *me, struct table *table, jobject array)
{
    enum { STEP = 64 };
    uint64_t id = object_id(me, array, 0);
    size_t count = table->count;
    for (size_t i = 0; i < count; i++)
        if (table->parts[i].id == id) /* arrays may share others, or hold themselves */
            return;
    struct part *parts = array_grow(table->parts, &table->capacity, count + 1, sizeof *parts);
    if (parts)
        table->parts = parts;
    if (count % STEP == 0 && (*me->jni)->EnsureLocalCapacity(me->jni, 2 * STEP) != 0)
        (*me->jni)->ExceptionClear(me->jni);
    jobject kept = parts ? (*me->jni)->NewLocalRef(me->jni, array) : NULL;
    if (kept)
        parts[table->count++] = (struct part){kept, id};
    else
        tracer_out_of_memory();
}

/* Adds an array to the table, or records that the holder keeps a string. */
static void add_to_table(struct thread *me, struct table *table, jobject object,
                         uint64_t holder)
{
    const struct class_facts *facts = object ? object_facts(me, object) : NULL;
    if (facts && facts->is_array && facts->holds_references)
        add_part(me, table, object);
    else
        record_constant(me, object, holder);
}

PROBE(table, jobject object, jint constant, jclass owner)
{
    uint64_t holder;
    struct table table = {0};
    struct thread *me = begin_constant(jni, object, constant, owner, &holder);
    if (!me)
        return;
    add_to_table(me, &table, object, holder);
    for (size_t i = 0; i < table.count; i++) {
        jobject array = table.parts[i].array;
        jint count = (*jni)->GetArrayLength(jni, array);
        for (jint k = 0; k < count; k++) {
            jobject one = (*jni)->GetObjectArrayElement(jni, array, k);
            add_to_table(me, &table, one, holder);
            (*jni)->DeleteLocalRef(jni, one);
        }
        (*jni)->DeleteLocalRef(jni, array);
    }
    free(table.parts);
    finish(me);
}

PROBE(arguments, jobject array, jint constant, jclass owner)
{
    const struct thread *me = thread_here(jni);
    if (me && me->calls.frame_count == 1)
        probe_constant(jni, of, array, constant, owner);
}

/* Level "exact" */

PROBE(pop, jint method)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    uint64_t receiver;
    close_frame(me, (uint32_t)method, &receiver);
    finish(me);
}

/* A variable of the innermost frame, which is added if need be; NULL: no frame, or no memory.
 */
static uint64_t *variable(struct thread *me, size_t number)
{
    if (!me->calls.frame_count)
        return NULL;
    size_t place = me->calls.frames[me->calls.frame_count - 1].variables + number;
    uint64_t *variables = array_grow(me->calls.variables, &me->calls.variable_capacity,
                                     place + 1, sizeof *variables);
    if (!variables) {
        tracer_out_of_memory();
        return NULL;
    }
    me->calls.variables = variables;
    while (me->calls.variable_count <= place)
        variables[me->calls.variable_count++] = 0;
    return &variables[place];
}

/* Records that a variable of the innermost frame no longer holds its object. */
static void lose(struct thread *me, size_t number)
{
    size_t place = me->calls.frame_count
                       ? me->calls.frames[me->calls.frame_count - 1].variables + number
                       : 0;
    if (me->calls.frame_count && place < me->calls.variable_count) {
        record_read(me, me->calls.variables[place], 0);
        me->calls.variables[place] = 0;
    }
}

/* The first 64 variables lose their objects, except those whose bit in `held` is 1. */
static void lose_all_but(struct thread *me, uint64_t held)
{
    size_t first =
        me->calls.frame_count ? me->calls.frames[me->calls.frame_count - 1].variables : 0;
    if (!me->calls.frame_count || me->calls.variable_count <= first)
        return;
    uint64_t *variables = me->calls.variables + first;
    size_t count = me->calls.variable_count - first;
    uint64_t lost = count < 64 ? ~held & ((UINT64_C(1) << count) - 1) : ~held;
    for (; lost; lost &= lost - 1) {
        uint64_t *variable = &variables[__builtin_ctzll(lost)];
        record_read(me, *variable, 0);
        *variable = 0;
    }
}

/* The variable holds the object with that id from now on. */
static void hold_known(struct thread *me, uint64_t id, size_t number)
{
    objects_settle(me);
    uint64_t *place = variable(me, number);
    if (place && *place != id) {
        record_read(me, *place, 0);
        *place = id;
    }
}

/* The variable holds the object from now on. The variables of a constructor show the object
 * first, before any store. */
static void hold(struct thread *me, jobject value, size_t number)
{
    hold_known(me, object_container(me, value, 0), number);
}

PROBE(local, jobject value, jint number)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    hold(me, value, (size_t)number);
    finish(me);
}

PROBE(push, jint method)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    open_frame(me, (uint32_t)method, 0);
    finish(me);
}

PROBE(push_one, jobject first, jint method)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    open_frame(me, (uint32_t)method, 0);
    hold(me, first, 0);
    finish(me);
}

PROBE(push_two, jobject first, jobject second, jint method)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    open_frame(me, (uint32_t)method, 0);
    hold(me, first, 0);
    hold(me, second, 1);
    finish(me);
}

PROBE(lost, jint number)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    lose(me, (size_t)number);
    finish(me);
}

PROBE(keep, jlong held)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    lose_all_but(me, (uint64_t)held);
    finish(me);
}

/* The next two probes begin a handler. What the variables of abandoned frames held, and what
 * those of this frame have lost with the exception, was held until the exception left the last
 * of those frames: so this is recorded before the X. */
PROBE(keepCaught, jlong held)
{
    struct thread *me = begin_unwinding(jni);
    if (!me)
        return;
    lose_all_but(me, (uint64_t)held);
    finish(me);
}

PROBE(uncover, jlong held, jint method)
{
    struct thread *me = begin_unwinding(jni);
    if (!me)
        return;
    struct open_frame *frame = frame_of(me, (uint32_t)method);
    if (frame)
        uncover(me, frame);
    lose_all_but(me, (uint64_t)held);
    if (me->calls.unwinding.method)
        end_unwinding(me);
    finish(me);
}

static void JNICALL probe_returned(NATIVE_CALLER)
{
    struct thread *me = begin(jni);
    if (me)
        finish(me);
}

PROBE(returned_value, jobject value)
{
    struct thread *me = begin(jni);
    if (me)
        finish_read(me, value, 0);
}

/* The native methods of EttraceHeaderProbe that get ids in place of objects; 0 is null. */

#define KNOWN(name, ...) NATIVE(void, known_##name, __VA_ARGS__)

KNOWN(enter, jint self, jint method)
{
    struct thread *me = begin_method(jni, (uint32_t)method);
    if (!me)
        return;
    enter(me, (uint64_t)self, (uint32_t)method);
    finish(me);
}

KNOWN(enterReading, jint self, jint method, jint type)
{
    struct thread *me = begin_method(jni, (uint32_t)method);
    if (!me)
        return;
    enter_reading(me, (uint64_t)self, (uint32_t)method, (uint32_t)type);
    finish(me);
}

KNOWN(get, jint self, jint method, jint type)
{
    struct thread *me = begin_method(jni, (uint32_t)method);
    count_left(method);
    if (!me)
        return;
    get(me, (uint64_t)self, (uint32_t)method, (uint32_t)type);
    finish(me);
}

KNOWN(made, jint object, jint site)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    record_made(me, (uint64_t)object);
    end_allocation(me, (uint32_t)site);
    finish(me);
}

KNOWN(put, jint container, jint value, jint field)
{
    struct thread *me = begin_always(jni);
    if (!me)
        return;
    record_store(me, (uint64_t)container, (uint64_t)value, (uint32_t)field);
    finish(me);
}

KNOWN(stored, jint array, jint index, jint value)
{
    struct thread *me = begin_always(jni);
    if (!me)
        return;
    record_store(me, (uint64_t)array, (uint64_t)value, FIELD_ELEMENT + (uint64_t)index);
    finish(me);
}

KNOWN(read, jint object, jint type)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    record_read(me, (uint64_t)object, (uint32_t)type);
    finish(me);
}

KNOWN(local, jint value, jint number)
{
    struct thread *me = begin(jni);
    if (!me)
        return;
    hold_known(me, (uint64_t)value, (size_t)number);
    finish(me);
}

#define BOUND_AS(name, type, function) {name, type, __extension__(void *) function}

static bool bind_header_probes(JNIEnv *jni, jclass probe)
{
    static const JNINativeMethod known[] = {
        BOUND_AS("enterKnown", "(II)V", known_enter),
        BOUND_AS("enterReadingKnown", "(III)V", known_enterReading),
        BOUND_AS("getKnown", "(III)V", known_get),
        BOUND_AS("madeKnown", "(II)V", known_made),
        BOUND_AS("putKnown", "(III)V", known_put),
        BOUND_AS("storedKnown", "(III)V", known_stored),
        BOUND_AS("readKnown", "(II)V", known_read),
        BOUND_AS("localKnown", "(II)V", known_local),
    };
    return (*jni)->RegisterNatives(jni, probe, known, sizeof known / sizeof *known) == 0;
}

bool probes_bind(JNIEnv *jni, jclass probe, jclass header_probe)
{
#define OBJECT "Ljava/lang/Object;"
#define CLASS "Ljava/lang/Class;"
#define THROWABLE "Ljava/lang/Throwable;"
#define BOUND(name, signature) BOUND_AS(#name, "(" signature ")V", probe_##name)
    static const JNINativeMethod methods[] = {
        BOUND(unwound, THROWABLE "I"),
        BOUND(threw, THROWABLE "I"),
        BOUND(caught, THROWABLE "I"),
        BOUND(arrays, OBJECT "I"),
        BOUND(arrived, OBJECT "I"),
        BOUND(linked, OBJECT "I"),
        BOUND(instantiated, OBJECT "I"),
        BOUND(shown, OBJECT),
        BOUND(filled, OBJECT),
        BOUND(filledStatics, CLASS),
        BOUND(held, OBJECT OBJECT),
        BOUND(constants, OBJECT OBJECT),
        BOUND(putReferent, OBJECT OBJECT "I"),
        BOUND(cleared, OBJECT "II"),
        BOUND(storedIn, OBJECT "I"),
        BOUND(storedAt, OBJECT "J"),
        BOUND(invoked, OBJECT OBJECT OBJECT),
        BOUND(linkedCopy, OBJECT OBJECT "II"),
        BOUND(linkedSet, OBJECT OBJECT "I"),
        BOUND(linkedAt, OBJECT OBJECT "J"),
        BOUND(table, OBJECT "I" CLASS),
        BOUND(arguments, OBJECT "I" CLASS),
        BOUND(push, "I"),
        BOUND(pop, "I"),
        BOUND(lost, "I"),
        BOUND(keep, "J"),
        BOUND(keepCaught, "J"),
        BOUND(uncover, "JI"),
        BOUND(returned, ""),
        BOUND(copied, OBJECT "II"),
        BOUND(putStaticOf, OBJECT "I" CLASS),
        BOUND(constant, OBJECT "I" CLASS),
        BOUND(array, OBJECT "II"),
        BOUND(before, "II"),
        BOUND(leave, "I"),
        BOUND(enter, OBJECT "I"),
        BOUND(enterReading, OBJECT "II"),
        BOUND(get, OBJECT "II"),
        BOUND(construct, OBJECT "II"),
        BOUND(made, OBJECT "II"),
        BOUND(put, OBJECT OBJECT "I"),
        BOUND(putStatic, OBJECT "I"),
        BOUND(stored, OBJECT "I" OBJECT),
        BOUND(read, OBJECT "I"),
        BOUND(local, OBJECT "I"),
        BOUND_AS("push", "(" OBJECT "I)V", probe_push_one),
        BOUND_AS("push", "(" OBJECT OBJECT "I)V", probe_push_two),
        BOUND_AS("returned", "(" OBJECT ")V", probe_returned_value),
    };
    probe_clock.probe = (*jni)->NewGlobalRef(jni, probe);
    probe_clock.field = (*jni)->GetStaticFieldID(jni, probe, "clock", "I");
    return probe_clock.probe && probe_clock.field &&
           (*jni)->RegisterNatives(jni, probe, methods, sizeof methods / sizeof *methods) ==
               0 &&
           (!header_probe || bind_header_probes(jni, header_probe));
}
