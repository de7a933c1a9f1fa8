/* SPDX-License-Identifier: MIT */
/* A call by reflection passes the method, and a call by a handle passes the member: both lead
 * to the class, and few classes have native methods that store references. */
#include "indirect.h"

#include "objects.h"
#include "offsets.h"

static struct {
    jclass system, array, unsafe, long_box, integer_box;
    jmethodID copy, set;
    jfieldID member_class, long_value, integer_value;
} known;

static jclass find_class(JNIEnv *jni, const char *name)
{
    jclass found = (*jni)->FindClass(jni, name);
    jclass kept = found ? (*jni)->NewGlobalRef(jni, found) : NULL;
    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, found);
    return kept;
}

static bool find_classes(JNIEnv *jni)
{
    known.system = find_class(jni, "java/lang/System");
    known.array = find_class(jni, "java/lang/reflect/Array");
    known.unsafe = find_class(jni, "jdk/internal/misc/Unsafe");
    known.long_box = find_class(jni, "java/lang/Long");
    known.integer_box = find_class(jni, "java/lang/Integer");
    return known.system && known.array && known.unsafe && known.long_box && known.integer_box;
}

bool indirect_start(JNIEnv *jni)
{
    jclass member = find_class(jni, "java/lang/invoke/MemberName");
    if (!find_classes(jni) || !member)
        return false;
    known.copy = (*jni)->GetStaticMethodID(jni, known.system, "arraycopy",
                                           "(Ljava/lang/Object;ILjava/lang/Object;II)V");
    known.set = (*jni)->GetStaticMethodID(jni, known.array, "set",
                                          "(Ljava/lang/Object;ILjava/lang/Object;)V");
    known.member_class = (*jni)->GetFieldID(jni, member, "clazz", "Ljava/lang/Class;");
    known.long_value = (*jni)->GetFieldID(jni, known.long_box, "value", "J");
    known.integer_value = (*jni)->GetFieldID(jni, known.integer_box, "value", "I");
    (*jni)->DeleteGlobalRef(jni, member);
    (*jni)->ExceptionClear(jni);
    return known.copy && known.set && known.member_class && known.long_value &&
           known.integer_value;
}

static bool is_member_of(JNIEnv *jni, jobject member, jclass owner)
{
    if (!member || !known.member_class)
        return false;
    jobject of = (*jni)->GetObjectField(jni, member, known.member_class);
    bool is_owner = (*jni)->IsSameObject(jni, of, owner);
    (*jni)->DeleteLocalRef(jni, of);
    return is_owner;
}

bool indirect_is_copy(JNIEnv *jni, jobject member)
{
    return is_member_of(jni, member, known.system);
}

bool indirect_is_set(JNIEnv *jni, jobject member)
{
    return is_member_of(jni, member, known.array);
}

bool indirect_is_unsafe(JNIEnv *jni, jobject object)
{
    return object && known.unsafe && (*jni)->IsInstanceOf(jni, object, known.unsafe);
}

/* The number in a box, -1 if there is none: reflection also takes an int in place of a long.
 */
static jlong number_in(JNIEnv *jni, jobject box)
{
    if (box && (*jni)->IsInstanceOf(jni, box, known.long_box))
        return (*jni)->GetLongField(jni, box, known.long_value);
    if (box && (*jni)->IsInstanceOf(jni, box, known.integer_box))
        return (*jni)->GetIntField(jni, box, known.integer_value);
    return -1;
}

static void stored_by_offset(struct thread *me, jobjectArray arguments)
{
    jobject container = (*me->jni)->GetObjectArrayElement(me->jni, arguments, 0);
    jobject offset = (*me->jni)->GetObjectArrayElement(me->jni, arguments, 1);
    if (container)
        offsets_stored(me, container, number_in(me->jni, offset));
    (*me->jni)->DeleteLocalRef(me->jni, offset);
    (*me->jni)->DeleteLocalRef(me->jni, container);
}

/* Records all elements of the array that is argument `which`: the indexes of those that were
 * stored are in boxes of several kinds, which are not looked into. */
static void stored_into(struct thread *me, jobjectArray arguments, jint which)
{
    jobject array = (*me->jni)->GetObjectArrayElement(me->jni, arguments, which);
    jint length = (*me->jni)->GetArrayLength(me->jni, array);
    object_contents(me, array, 0, length, true);
    (*me->jni)->DeleteLocalRef(me->jni, array);
}

void indirect_invoked(struct thread *me, jobject method, jobject target, jobject arguments)
{
    enum { COPY_TARGET = 2 };
    jint count = arguments ? (*me->jni)->GetArrayLength(me->jni, arguments) : 0;
    if (!known.member_class || count < 2)
        return;
    jmethodID called = (*me->jni)->FromReflectedMethod(me->jni, method);
    if (called == known.copy)
        stored_into(me, arguments, COPY_TARGET);
    else if (called == known.set)
        stored_into(me, arguments, 0);
    else if (indirect_is_unsafe(me->jni, target))
        stored_by_offset(me, arguments);
}
