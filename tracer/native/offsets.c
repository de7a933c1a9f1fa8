/* SPDX-License-Identifier: MIT */
/* JVMTI gives no offsets, but code of the JDK does. It is asked for that of a field when a
 * store by an offset is first compared with the field. */
#include "offsets.h"

#include "objects.h"

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
