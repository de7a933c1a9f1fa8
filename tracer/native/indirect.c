/* SPDX-License-Identifier: MIT */
/* Neither the virtual machine nor the calling instruction says which field or element such a
 * store changes. So that is looked for after the store, and what it holds by then is recorded.
 */
#include "indirect.h"

#include "objects.h"

/* JVMTI gives no offsets, but code of the JDK does. It is asked for that of a field when a
 * store by an offset is first compared with the field. */

enum { STRIPES = 64 };

static struct {
    jobject unsafe;
    jmethodID instance_offset, static_offset;
    jint element_base, element_scale;
    pthread_mutex_t stripes[STRIPES]; /* by the id of the object that is stored into */
} offsets;

/* Where a reference is in an object. */
struct place {
    uint64_t field;
    jint index;  /* of an element */
    jfieldID id; /* NULL: it is an element */
    bool is_static;
};

/* The value of a constant of the class, which is an int or, in later releases, a long; -1:
 * there is none. */
static jint layout(JNIEnv *jni, jclass owner, const char *name)
{
    jfieldID field = (*jni)->GetStaticFieldID(jni, owner, name, "I");
    if (field)
        return (*jni)->GetStaticIntField(jni, owner, field);
    (*jni)->ExceptionClear(jni);
    field = (*jni)->GetStaticFieldID(jni, owner, name, "J");
    jint value = field ? (jint)(*jni)->GetStaticLongField(jni, owner, field) : -1;
    (*jni)->ExceptionClear(jni);
    return value;
}

bool offsets_start(JNIEnv *jni)
{
    static const char name[] = "jdk/internal/misc/Unsafe",
                      type[] = "Ljdk/internal/misc/Unsafe;";
    static const char of_field[] = "(Ljava/lang/reflect/Field;)J";
    for (size_t i = 0; i < STRIPES; i++)
        pthread_mutex_init(&offsets.stripes[i], NULL);
    jclass owner = (*jni)->FindClass(jni, name);
    jfieldID only = owner ? (*jni)->GetStaticFieldID(jni, owner, "theUnsafe", type) : NULL;
    if (only) {
        offsets.instance_offset =
            (*jni)->GetMethodID(jni, owner, "objectFieldOffset", of_field);
        offsets.static_offset = (*jni)->GetMethodID(jni, owner, "staticFieldOffset", of_field);
        jobject unsafe = (*jni)->GetStaticObjectField(jni, owner, only);
        offsets.unsafe = (*jni)->NewGlobalRef(jni, unsafe);
        (*jni)->DeleteLocalRef(jni, unsafe);
        offsets.element_base = layout(jni, owner, "ARRAY_OBJECT_BASE_OFFSET");
        offsets.element_scale = layout(jni, owner, "ARRAY_OBJECT_INDEX_SCALE");
    }
    bool is_there = offsets.unsafe && offsets.instance_offset && offsets.static_offset &&
                    offsets.element_base > 0 && offsets.element_scale > 0;
    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, owner);
    return is_there;
}

/* The offset of a field; -1: the virtual machine does not give it. The code that finds it has
 * probes, too, which must record nothing within this one. */
static jlong ask(JNIEnv *jni, jclass java_class, jfieldID id, bool is_static)
{
    thread_suspend(jni, 1);
    jobject field = (*jni)->ToReflectedField(jni, java_class, id, is_static);
    jlong offset = field
                       ? (*jni)->CallLongMethod(
                             jni, offsets.unsafe,
                             is_static ? offsets.static_offset : offsets.instance_offset, field)
                       : -1;
    if ((*jni)->ExceptionCheck(jni)) {
        (*jni)->ExceptionClear(jni);
        offset = -1;
    }
    (*jni)->DeleteLocalRef(jni, field);
    thread_suspend(jni, -1);
    return offset;
}

/* Sets *place to the field that is at the offset; false: none is. */
static bool find_among(JNIEnv *jni, jclass java_class, struct class_field *fields, size_t count,
                       jlong offset, struct place *place)
{
    for (size_t i = 0; i < count; i++) {
        jlong there = atomic_load_explicit(&fields[i].offset, memory_order_relaxed);
        if (!there) {
            there = ask(jni, java_class, fields[i].id, place->is_static);
            atomic_store_explicit(&fields[i].offset, there, memory_order_relaxed);
        }
        if (there == offset) {
            place->field = fields[i].field;
            place->id = fields[i].id;
            return true;
        }
    }
    return false;
}

/* Whether the fields of the class can be asked for. Before, nobody can store into them. */
static bool is_prepared(jclass java_class)
{
    jint status = 0;
    return (*tracer.jvmti)->GetClassStatus(tracer.jvmti, java_class, &status) == 0 &&
           (status & (JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ERROR));
}

/* As `find`, among the static fields of the class. */
static bool find_static(JNIEnv *jni, jclass java_class, jlong offset, struct place *place)
{
    const struct class_facts *facts =
        is_prepared(java_class) ? class_facts(jni, java_class) : NULL;
    place->is_static = true;
    return facts &&
           find_among(jni, java_class, facts->statics, facts->static_count, offset, place);
}

/* Sets *place to what is at the offset of the object; false: no reference that holds. */
static bool find(struct thread *me, jobject object, jlong offset, struct place *place)
{
    const struct class_facts *facts = object_facts(me, object);
    if (!facts)
        return false;
    if (facts->is_array) {
        place->index = (jint)((offset - offsets.element_base) / offsets.element_scale);
        place->field = FIELD_ELEMENT + (uint64_t)place->index;
        return facts->holds_references;
    }
    jclass java_class = (*me->jni)->GetObjectClass(me->jni, object);
    bool is_found =
        find_among(me->jni, java_class, facts->fields, facts->field_count, offset, place);
    (*me->jni)->DeleteLocalRef(me->jni, java_class);
    return is_found || (facts->is_class_object && find_static(me->jni, object, offset, place));
}

static jobject value_at(JNIEnv *jni, jobject object, const struct place *place)
{
    if (!place->id)
        return (*jni)->GetObjectArrayElement(jni, object, place->index);
    return place->is_static ? (*jni)->GetStaticObjectField(jni, object, place->id)
                            : (*jni)->GetObjectField(jni, object, place->id);
}

/* Records that *value is stored at the place. False: another value is there by now, which
 * *value becomes, and nothing was recorded. */
static bool record_if_there(struct thread *me, jobject object, uint64_t container,
                            const struct place *place, jobject *value)
{
    pthread_mutex_t *stripe = &offsets.stripes[container % STRIPES];
    uint64_t id = object_id(me, *value, 0);
    objects_settle(me);
    pthread_mutex_lock(stripe);
    jobject now = value_at(me->jni, object, place);
    bool is_there = (*me->jni)->IsSameObject(me->jni, now, *value);
    if (is_there)
        record_store(me, container, id, place->field);
    pthread_mutex_unlock(stripe);
    (*me->jni)->DeleteLocalRef(me->jni, *value);
    *value = now;
    return is_there;
}

void offsets_stored(struct thread *me, jobject object, jlong offset)
{
    struct place place = {0};
    if (!offsets.unsafe || !find(me, object, offset, &place))
        return;
    uint64_t container = place.is_static
                             ? object_static_holder(me, object, (uint32_t)place.field)
                             : object_container(me, object, place.field);
    jobject value = value_at(me->jni, object, &place);
    while (!record_if_there(me, object, container, &place, &value))
        ;
    (*me->jni)->DeleteLocalRef(me->jni, value);
}

/* A call by reflection passes the method, and a call by a handle passes the member: both lead
 * to the class, and few classes have native methods that store references. */

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
