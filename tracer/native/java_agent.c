/* SPDX-License-Identifier: MIT */
/* The native methods of the agent in Java: those of etmerlin.tracer.Names, by which it asks for
 * numbers and settings and has the virtual machine do what no method of Java does, and the one
 * of Agent. */
#include "archives.h"
#include "cleared.h"
#include "collect.h"
#include "header.h"
#include "hotspot.h"
#include "indirect.h"
#include "java_calls.h"
#include "native_code.h"
#include "objects.h"
#include "prepared.h"
#include "probes.h"
#include "quick.h"
#include "trace_limits.h"
#include "tracer.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#define NAMES(result, name, ...) NATIVE(result, names_##name, __VA_ARGS__)
#define HEADER "java/lang/EttraceHeader"

/* The text of a string, to be released with drop_text; "" if there is no memory. */
static const char *take_text(JNIEnv *jni, jstring string)
{
    const char *text = string ? (*jni)->GetStringUTFChars(jni, string, NULL) : NULL;
    if (string && !text)
        tracer_out_of_memory();
    return text ? text : "";
}

static void drop_text(JNIEnv *jni, jstring string, const char *text)
{
    if (*text)
        (*jni)->ReleaseStringUTFChars(jni, string, text);
}

NAMES(jint, type, jstring name)
{
    const char *text = take_text(jni, name);
    uint32_t number = tracer_type(text);
    drop_text(jni, name, text);
    return (jint)number;
}

/* The number that `name_of` gives a member of the class `owner`. */
static jint number_member(JNIEnv *jni, jstring owner, jstring name,
                          uint32_t (*name_of)(struct name_lists *lists, const char *owner,
                                              const char *name))
{
    const char *owner_text = take_text(jni, owner);
    const char *text = take_text(jni, name);
    uint32_t number = name_of(tracer.names, owner_text, text);
    drop_text(jni, name, text);
    drop_text(jni, owner, owner_text);
    return (jint)number;
}

NAMES(jint, method, jstring owner, jstring name)
{
    return number_member(jni, owner, name, name_of_method);
}

NAMES(jint, field, jstring owner, jstring name)
{
    return number_member(jni, owner, name, name_of_field);
}

NAMES(jint, site, jint method, jint line, jstring type)
{
    const char *text = take_text(jni, type);
    uint32_t number = name_new_sites(tracer.names, 1);
    name_site(tracer.names, number, (uint32_t)method, (uint32_t)line, text);
    drop_text(jni, type, text);
    return (jint)number;
}

static jint JNICALL names_constant(NATIVE_CALLER)
{
    return (jint)tracer_constants(1);
}

NAMES(jstring, setting, jstring name)
{
    const char *text = take_text(jni, name);
    const char *value = settings_text(&tracer.settings, text);
    drop_text(jni, name, text);
    return value ? (*jni)->NewStringUTF(jni, value) : NULL;
}

NAMES(void, defined, jint type)
{
    if (type > 0)
        object_class_defined(&tracer.types[type]);
}

NAMES(void, instrumented, jint type)
{
    if (type > 0)
        tracer.types[type].is_instrumented = true;
}

NAMES(void, problem, jstring text)
{
    const char *line = take_text(jni, text);
    tracer_problem(line);
    drop_text(jni, text, line);
}

NAMES(void, suspend, jint step)
{
    thread_suspend(jni, step);
}

static jboolean JNICALL names_isSuspended(NATIVE_CALLER)
{
    return thread_is_suspended();
}

NAMES(jlong, refer, jobject object)
{
    return (jlong)(uintptr_t)object_weak_reference(jni, object);
}

NAMES(jboolean, refersTo, jlong reference, jobject object)
{
    return (*jni)->IsSameObject(jni, (jweak)(uintptr_t)reference, object);
}

NAMES(void, forget, jlong reference)
{
    if (reference)
        (*jni)->DeleteWeakGlobalRef(jni, (jweak)(uintptr_t)reference);
}

static jobjectArray list_classes(JNIEnv *jni)
{
    jint count;
    jclass *classes;
    jclass element = (*jni)->FindClass(jni, "java/lang/Class");
    if (!element || (*tracer.jvmti)->GetLoadedClasses(tracer.jvmti, &count, &classes))
        return NULL;
    jobjectArray list = (*jni)->NewObjectArray(jni, count, element, NULL);
    for (jint i = 0; i < count && list; i++)
        (*jni)->SetObjectArrayElement(jni, list, i, classes[i]);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)classes);
    return list;
}

static jobjectArray JNICALL names_loaded(NATIVE_CALLER)
{
    if ((*jni)->PushLocalFrame(jni, MOST_REFERENCES) != 0)
        return NULL;
    return (*jni)->PopLocalFrame(jni, list_classes(jni));
}

/* The virtual machine's name for the error; NULL: there was none, or it has no name. */
static jstring error_name(JNIEnv *jni, jvmtiError error)
{
    char *name = NULL;
    if (error == JVMTI_ERROR_NONE ||
        (*tracer.jvmti)->GetErrorName(tracer.jvmti, error, &name) != 0)
        return NULL;
    jstring text = (*jni)->NewStringUTF(jni, name);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)name);
    return text;
}

/* A global reference to an element; NULL: no memory. */
static jclass element_of(JNIEnv *jni, jobjectArray classes, jint index)
{
    jobject local = (*jni)->GetObjectArrayElement(jni, classes, index);
    jclass global = native_code_keep(jni, local);
    (*jni)->DeleteLocalRef(jni, local);
    return global;
}

/* The references are global because a native method may have only a few local ones. */
static jstring JNICALL names_retransform(NATIVE_CALLER, jobjectArray classes)
{
    jint count = (*jni)->GetArrayLength(jni, classes), made = 0;
    jclass *list = array_new((size_t)count, sizeof *list);
    while (list && made < count && (list[made] = element_of(jni, classes, made)))
        made++;
    jvmtiError error = list && made == count
                           ? (*tracer.jvmti)->RetransformClasses(tracer.jvmti, count, list)
                           : JVMTI_ERROR_OUT_OF_MEMORY;
    while (made > 0)
        native_code_drop(jni, list[--made]);
    free(list);
    return error_name(jni, error);
}

NAMES(jboolean, isModifiable, jclass java_class)
{
    jboolean is = JNI_FALSE;
    return (*tracer.jvmti)->IsModifiableClass(tracer.jvmti, java_class, &is) == 0 && is;
}

static jboolean JNICALL names_offer(NATIVE_CALLER)
{
    return java_calls_offer();
}

NAMES(void, refuse, jstring reason)
{
    tracer_refuse(take_text(jni, reason));
}

static void JNICALL names_start(NATIVE_CALLER)
{
    if (tracer.settings.level != LEVEL_ET3 && !native_code_watch(tracer.jvmti))
        tracer_problem("native code: its functions could not be replaced");
    if (!unloading_start(jni))
        tracer_problem(
            "class loaders: those of this virtual machine are unknown; no class is unloaded");
    passing_start(jni);
    if (!prepared_start(tracer.jvmti))
        tracer_problem(
            "classes that the agent loads: the virtual machine does not report them");
    limits_wait();
}

NAMES(jint, expect, jstring pattern)
{
    const char *text = take_text(jni, pattern);
    uint32_t number = limits_expect(text);
    drop_text(jni, pattern, text);
    return (jint)number;
}

NAMES(void, meet, jint pattern)
{
    limits_meet((uint32_t)pattern);
}

static jboolean JNICALL names_showsLosses(NATIVE_CALLER)
{
    return limits_show_losses();
}

static jboolean JNICALL names_hasHeaders(NATIVE_CALLER)
{
    return header_is_used;
}

/* Defines a class with the bootstrap loader, which no method of Java does. */
NAMES(jboolean, define, jstring name)
{
    size_t length = 0;
    const char *text = take_text(jni, name);
    unsigned char *file = archives_read_in(java_calls_archive(), text, &length);
    drop_text(jni, name, text);
    bool is_defined = file && length <= INT32_MAX &&
                      (*jni)->DefineClass(jni, NULL, NULL, (jbyte *)file, (jsize)length);
    free(file);
    return is_defined;
}

static jstring JNICALL names_obstacle(NATIVE_CALLER)
{
    jclass header = (*jni)->FindClass(jni, HEADER);
    jmethodID obstacle =
        header ? (*jni)->GetStaticMethodID(jni, header, "obstacle", "()Ljava/lang/String;")
               : NULL;
    return obstacle ? (*jni)->CallStaticObjectMethod(jni, header, obstacle) : NULL;
}

/* Returns the address of what probes in Java share with the native part. */
JNIEXPORT jlong JNICALL Java_java_lang_EttraceRecords_shared(JNIEnv *jni, jclass records);
JNIEXPORT jlong JNICALL Java_java_lang_EttraceRecords_shared(JNIEnv *jni, jclass records)
{
    (void)records;
    if (!quick_open(jni))
        tracer_refuse("Memory has run out");
    return (jlong)(uintptr_t)quick_shared();
}

/* Has the class that writes records in Java look at the layout of objects. */
static bool start_records(JNIEnv *jni)
{
    jclass records = (*jni)->FindClass(jni, "java/lang/EttraceRecords");
    jmethodID start = records ? (*jni)->GetStaticMethodID(jni, records, "start", "()V") : NULL;
    if (start)
        (*jni)->CallStaticVoidMethod(jni, records, start);
    return start && !(*jni)->ExceptionCheck(jni);
}

/* Headers were asked for, but ids are tags: with -v, this is reported. */
NAMES(void, refuseHeaders, jstring reason)
{
    const char *text = take_text(jni, reason);
    if (tracer.settings.verbose)
        fprintf(messages(), "ettrace: Ids are tags: %s.\n", text);
    drop_text(jni, reason, text);
}

/* Must be called before any class has probes. */
NAMES(void, probes, jboolean has_headers)
{
    jclass header = NULL, header_probe = NULL;
    jclass probe = (*jni)->FindClass(jni, "java/lang/EttraceProbe");
    bool fits = probe != NULL;
    if (fits && has_headers)
        fits = (header = (*jni)->FindClass(jni, HEADER)) &&
               (header_probe = (*jni)->FindClass(jni, "java/lang/EttraceHeaderProbe")) &&
               start_records(jni) && header_start(jni, header);
    if (!fits || !probes_bind(jni, probe, header_probe))
        tracer_refuse("The tracer does not fit this virtual machine");
    tracer.tags_too = tracer.settings.checks || tracer.settings.truth;
}

/* The native method of Agent. */
static jbyteArray JNICALL agent_replaced(JNIEnv *jni, jclass agent, jobject loader,
                                         jbyteArray file, jint flags)
{
    jmethodID method =
        (*jni)->GetStaticMethodID(jni, agent, "replacement", "(Ljava/lang/ClassLoader;[BI)[B");
    return method ? (*jni)->CallStaticObjectMethod(jni, agent, method, loader, file, flags)
                  : NULL;
}

static bool bind_agent(JNIEnv *jni)
{
    static const JNINativeMethod replaced = {"replaced", "(Ljava/lang/ClassLoader;[BI)[B",
                                             __extension__(void *) agent_replaced};
    jclass agent = (*jni)->FindClass(jni, "etmerlin/tracer/Agent");
    return agent && (*jni)->RegisterNatives(jni, agent, &replaced, 1) == 0;
}

JNIEXPORT jboolean JNICALL Java_etmerlin_tracer_Names_bind(JNIEnv *jni, jclass names);
JNIEXPORT jboolean JNICALL Java_etmerlin_tracer_Names_bind(JNIEnv *jni, jclass names)
{
#define STRING "Ljava/lang/String;"
#define OBJECT "Ljava/lang/Object;"
#define CLASS "Ljava/lang/Class;"
#define BOUND(name, signature) {#name, signature, __extension__(void *) names_##name}
    static const JNINativeMethod methods[] = {
        BOUND(type, "(" STRING ")I"),
        BOUND(method, "(" STRING STRING ")I"),
        BOUND(field, "(" STRING STRING ")I"),
        BOUND(site, "(II" STRING ")I"),
        BOUND(constant, "()I"),
        BOUND(setting, "(" STRING ")" STRING),
        BOUND(defined, "(I)V"),
        BOUND(instrumented, "(I)V"),
        BOUND(problem, "(" STRING ")V"),
        BOUND(suspend, "(I)V"),
        BOUND(isSuspended, "()Z"),
        BOUND(refer, "(" OBJECT ")J"),
        BOUND(refersTo, "(J" OBJECT ")Z"),
        BOUND(forget, "(J)V"),
        BOUND(loaded, "()[Ljava/lang/Class;"),
        BOUND(isModifiable, "(" CLASS ")Z"),
        BOUND(offer, "()Z"),
        BOUND(retransform, "([" CLASS ")" STRING),
        BOUND(refuse, "(" STRING ")V"),
        BOUND(start, "()V"),
        BOUND(expect, "(" STRING ")I"),
        BOUND(meet, "(I)V"),
        BOUND(define, "(" STRING ")Z"),
        BOUND(obstacle, "()" STRING),
        BOUND(showsLosses, "()Z"),
        BOUND(hasHeaders, "()Z"),
        BOUND(refuseHeaders, "(" STRING ")V"),
        BOUND(probes, "(Z)V"),
    };
    if (!tracer.names)
        return false;
    if ((*jni)->RegisterNatives(jni, names, methods, sizeof methods / sizeof *methods) != 0 ||
        !bind_agent(jni))
        tracer_refuse("The tracer does not fit this virtual machine");
    if (!collect_is_possible(jni, names))
        tracer_refuse(
            "--check and --truth force collections, and the garbage collector of this virtual "
            "machine frees nothing; leave out -XX:+UseEpsilonGC, or the option");
    if ((tracer.settings.checks || tracer.settings.truth) &&
        hotspot_flag_is_set(tracer.jvmti, "UseStringDeduplication"))
        tracer_refuse(
            "--check and --truth compare the trace with the heap, where equal strings share "
            "their arrays, which no trace has; leave out -XX:+UseStringDeduplication, or the "
            "option");
    if (!offsets_start(jni))
        tracer_problem(
            "stores by offset: this virtual machine does not give the offsets of fields");
    if (!indirect_start(jni))
        tracer_problem("stores by reflection: this virtual machine has other methods for them");
    id_cache_start();
    return true;
}
