/* SPDX-License-Identifier: MIT */
/* Native code calls the virtual machine through a table of functions, in which an agent may
 * replace some: those here call the original and record what it has done. JVMTI also has an
 * event for allocations, but where it is enabled, no allocation takes the fast path, even
 * those that instrumented code records by itself. */
#include "native_code.h"

#include "objects.h"
#include "probes.h"

#include <link.h>
#include <stdarg.h>
#include <string.h>

static jniNativeInterface *original;

/* Where a library of the JDK is. */
struct library {
    const char *name;
    uintptr_t begin, end;
};

/* It passes classes to the agent: what it allocates for that is no object of the program. */
static struct library instrument = {.name = "/libinstrument.so"};

/* The library for debuggers. It may have suspended a thread in the midst of a probe, for whose
 * locks a probe in a thread of the library would wait for ever. */
static struct library debugger = {.name = "/libjdwp.so"};

static bool is_in(const struct library *library, const void *address)
{
    return (uintptr_t)address >= library->begin && (uintptr_t)address < library->end;
}

/* Finds the library `context`, if that is this one. */
static int find_library(struct dl_phdr_info *loaded, size_t size, void *context)
{
    struct library *library = context;
    (void)size;
    if (!strstr(loaded->dlpi_name, library->name))
        return 0;
    library->begin = loaded->dlpi_addr;
    for (int i = 0; i < loaded->dlpi_phnum; i++) {
        uintptr_t end =
            loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr + loaded->dlpi_phdr[i].p_memsz;
        if (end > library->end)
            library->end = end;
    }
    return 1;
}

/* Allocations */

static jobject arrived_for(JNIEnv *jni, jobject object, const void *caller)
{
    if (!is_in(&instrument, caller) && !is_in(&debugger, caller))
        probes_arrived(jni, object);
    return object;
}

#define arrived(jni, object) arrived_for(jni, object, __builtin_return_address(0))

static jobject JNICALL alloc_object(JNIEnv *jni, jclass of)
{
    return arrived(jni, original->AllocObject(jni, of));
}

static jobject JNICALL new_object_v(JNIEnv *jni, jclass of, jmethodID method, va_list arguments)
{
    return arrived(jni, original->NewObjectV(jni, of, method, arguments));
}

static jobject JNICALL new_object(JNIEnv *jni, jclass of, jmethodID method, ...)
{
    va_list arguments;
    va_start(arguments, method);
    jobject object = original->NewObjectV(jni, of, method, arguments);
    va_end(arguments);
    return arrived(jni, object);
}

static jobject JNICALL new_object_a(JNIEnv *jni, jclass of, jmethodID method,
                                    const jvalue *arguments)
{
    return arrived(jni, original->NewObjectA(jni, of, method, arguments));
}

static jstring JNICALL new_string(JNIEnv *jni, const jchar *text, jsize length)
{
    return arrived(jni, original->NewString(jni, text, length));
}

static jstring JNICALL new_string_utf(JNIEnv *jni, const char *text)
{
    return arrived(jni, original->NewStringUTF(jni, text));
}

static jobjectArray JNICALL new_object_array(JNIEnv *jni, jsize length, jclass of,
                                             jobject element)
{
    return arrived(jni, original->NewObjectArray(jni, length, of, element));
}

#define NEW_ARRAY(name, type, function)                                                        \
    static type JNICALL name(JNIEnv *jni, jsize length)                                        \
    {                                                                                          \
        return arrived(jni, original->function(jni, length));                                  \
    }
NEW_ARRAY(new_boolean_array, jbooleanArray, NewBooleanArray)
NEW_ARRAY(new_byte_array, jbyteArray, NewByteArray)
NEW_ARRAY(new_char_array, jcharArray, NewCharArray)
NEW_ARRAY(new_short_array, jshortArray, NewShortArray)
NEW_ARRAY(new_int_array, jintArray, NewIntArray)
NEW_ARRAY(new_long_array, jlongArray, NewLongArray)
NEW_ARRAY(new_float_array, jfloatArray, NewFloatArray)
NEW_ARRAY(new_double_array, jdoubleArray, NewDoubleArray)

/* Stores */

static void JNICALL set_object_field(JNIEnv *jni, jobject object, jfieldID field, jobject value)
{
    original->SetObjectField(jni, object, field, value);
    probes_put(jni, object, value, field);
}

static void JNICALL set_static_object_field(JNIEnv *jni, jclass of, jfieldID field,
                                            jobject value)
{
    original->SetStaticObjectField(jni, of, field, value);
    probes_put_static(jni, of, value, field);
}

static void JNICALL set_object_array_element(JNIEnv *jni, jobjectArray array, jsize index,
                                             jobject value)
{
    original->SetObjectArrayElement(jni, array, index, value);
    if (!original->ExceptionCheck(jni))
        probes_store_element(jni, array, index, value);
}

/* References that native code keeps. They are distinguished by the addresses of their handles.
 */

static uint64_t handle_number(jobject reference)
{
    return (uint64_t)(uintptr_t)reference >> 3;
}

static jobject JNICALL new_global_ref(JNIEnv *jni, jobject object)
{
    jobject reference = original->NewGlobalRef(jni, object);
    if (reference && !is_in(&debugger, __builtin_return_address(0)))
        probes_keep(jni, object, handle_number(reference));
    return reference;
}

static void JNICALL delete_global_ref(JNIEnv *jni, jobject reference)
{
    if (reference && !is_in(&debugger, __builtin_return_address(0)))
        probes_keep(jni, NULL, handle_number(reference));
    original->DeleteGlobalRef(jni, reference);
}

jobject native_code_keep(JNIEnv *jni, jobject object)
{
    return (original ? original : *jni)->NewGlobalRef(jni, object);
}

void native_code_drop(JNIEnv *jni, jobject reference)
{
    (original ? original : *jni)->DeleteGlobalRef(jni, reference);
}

bool native_code_watch(jvmtiEnv *jvmti)
{
    jniNativeInterface *table;
    dl_iterate_phdr(find_library, &instrument);
    dl_iterate_phdr(find_library, &debugger);
    if ((*jvmti)->GetJNIFunctionTable(jvmti, &original) ||
        (*jvmti)->GetJNIFunctionTable(jvmti, &table))
        return false;
    table->AllocObject = alloc_object;
    table->NewObject = new_object;
    table->NewObjectV = new_object_v;
    table->NewObjectA = new_object_a;
    table->NewString = new_string;
    table->NewStringUTF = new_string_utf;
    table->NewObjectArray = new_object_array;
    table->NewBooleanArray = new_boolean_array;
    table->NewByteArray = new_byte_array;
    table->NewCharArray = new_char_array;
    table->NewShortArray = new_short_array;
    table->NewIntArray = new_int_array;
    table->NewLongArray = new_long_array;
    table->NewFloatArray = new_float_array;
    table->NewDoubleArray = new_double_array;
    table->SetObjectField = set_object_field;
    table->SetStaticObjectField = set_static_object_field;
    table->SetObjectArrayElement = set_object_array_element;
    table->NewGlobalRef = new_global_ref;
    table->DeleteGlobalRef = delete_global_ref;
    bool is_set = (*jvmti)->SetJNIFunctionTable(jvmti, table) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
    return is_set;
}
