/* SPDX-License-Identifier: MIT */
/* The classes of the agent are of the boot loader, and the virtual machine offers it the file
 * of each class. The module java.instrument would do all this, too. But a virtual machine that
 * loads it begins otherwise, with 300 classes more, which the program would find loaded, and
 * the program would have another set of modules. */
#include "java_calls.h"

#include "native_code.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char *archive;
    jclass agent;
    jmethodID transform;
} java;

/* Whether the thread transforms a class; those that it loads meanwhile are not offered. */
static __thread bool transforms __attribute__((tls_model("initial-exec")));

bool java_calls_prepare(void)
{
    static const char name[] = "ettrace.jar";
    Dl_info own;
    if (!dladdr(&java, &own) || !own.dli_fname)
        return false;
    const char *slash = strrchr(own.dli_fname, '/');
    int folder = slash ? (int)(slash + 1 - own.dli_fname) : 0;
    return asprintf(&java.archive, "%.*s%s", folder, own.dli_fname, name) >= 0 &&
           (*tracer.jvmti)->AddToBootstrapClassLoaderSearch(tracer.jvmti, java.archive) == 0;
}

const char *java_calls_archive(void)
{
    return java.archive;
}

/* A class of the boot loader, whatever the loader of the program does. */
static jclass find_own(JNIEnv *jni, const char *name)
{
    jclass of = (*jni)->FindClass(jni, "java/lang/Class");
    jmethodID find = of ? (*jni)->GetStaticMethodID(
                              jni, of, "forName",
                              "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;")
                        : NULL;
    jstring text = find ? (*jni)->NewStringUTF(jni, name) : NULL;
    jclass found =
        text ? (*jni)->CallStaticObjectMethod(jni, of, find, text, JNI_TRUE, NULL) : NULL;
    return (*jni)->ExceptionCheck(jni) ? NULL : found;
}

void java_calls_start(JNIEnv *jni)
{
    jclass agent = find_own(jni, "etmerlin.tracer.Agent");
    jmethodID start = agent ? (*jni)->GetStaticMethodID(jni, agent, "start", "()V") : NULL;
    java.transform = start ? (*jni)->GetStaticMethodID(
                                 jni, agent, "transform",
                                 "(Ljava/lang/Module;Ljava/lang/ClassLoader;Ljava/lang/String;Z"
                                 "Ljava/security/ProtectionDomain;[B)[B")
                           : NULL;
    java.agent = java.transform ? native_code_keep(jni, agent) : NULL;
    if (!java.agent)
        tracer_refuse("The tracer does not fit this virtual machine");
    (*jni)->CallStaticVoidMethod(jni, agent, start);
    (*jni)->ExceptionClear(jni); /* it reports its own */
}

bool java_calls_offer(void)
{
    return (*tracer.jvmti)
               ->SetEventNotificationMode(tracer.jvmti, JVMTI_ENABLE,
                                          JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) == 0;
}

/* The module of a class that is being defined; NULL: it is in none that has a name. */
static jobject named_module(jobject loader, const char *name)
{
    const char *slash = name ? strrchr(name, '/') : NULL;
    char *package = slash ? strndup(name, (size_t)(slash - name)) : NULL;
    jobject module = NULL;
    if (package && (*tracer.jvmti)->GetNamedModule(tracer.jvmti, loader, package, &module) != 0)
        module = NULL;
    free(package);
    return module;
}

/* What the agent makes of the file; NULL: the class stays as it is. */
static jbyteArray transform(JNIEnv *jni, jclass transformed, jobject loader, const char *name,
                            jobject domain, jbyteArray file)
{
    jobject module =
        transformed ? (*jni)->GetModule(jni, transformed) : named_module(loader, name);
    jstring text = name ? (*jni)->NewStringUTF(jni, name) : NULL;
    if ((*jni)->ExceptionCheck(jni))
        return NULL;
    return (*jni)->CallStaticObjectMethod(jni, java.agent, java.transform, module, loader, text,
                                          (jboolean)(transformed != NULL), domain, file);
}

/* Gives the array to the virtual machine. */
static void hand_over(JNIEnv *jni, jbyteArray array, jint *length, unsigned char **file)
{
    jint size = (*jni)->GetArrayLength(jni, array);
    unsigned char *bytes = NULL;
    if ((*tracer.jvmti)->Allocate(tracer.jvmti, size, &bytes) != 0) {
        tracer_out_of_memory();
        return;
    }
    (*jni)->GetByteArrayRegion(jni, array, 0, size, (jbyte *)bytes);
    *length = size;
    *file = bytes;
}

/* The agent reports what it cannot do with a class, unless no stack or memory is left for that.
 */
static void report(const char *name)
{
    char *text = NULL;
    if (asprintf(&text, "class %s: there is no stack or memory to instrument it",
                 name ? name : "without a name") < 0) {
        tracer_out_of_memory();
        return;
    }
    tracer_problem(text);
    free(text);
}

static void offer(JNIEnv *jni, jclass transformed, jobject loader, const char *name,
                  jobject domain, jint length, const unsigned char *file, jint *new_length,
                  unsigned char **new_file)
{
    jbyteArray array = (*jni)->NewByteArray(jni, length), made = NULL;
    if (array) {
        (*jni)->SetByteArrayRegion(jni, array, 0, length, (const jbyte *)file);
        made = transform(jni, transformed, loader, name, domain, array);
    }
    if ((*jni)->ExceptionCheck(jni))
        report(name);
    else if (made)
        hand_over(jni, made, new_length, new_file);
}

void JNICALL java_calls_offered(jvmtiEnv *jvmti, JNIEnv *jni, jclass transformed,
                                jobject loader, const char *name, jobject domain, jint length,
                                const unsigned char *file, jint *new_length,
                                unsigned char **new_file)
{
    enum { REFERENCES = 16 };
    (void)jvmti;
    if (transforms)
        return;
    transforms = true;
    jthrowable pending = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    thread_suspend(jni, 1);
    if ((*jni)->PushLocalFrame(jni, REFERENCES) == 0) {
        offer(jni, transformed, loader, name, domain, length, file, new_length, new_file);
        (*jni)->ExceptionClear(jni);
        (*jni)->PopLocalFrame(jni, NULL);
    }
    (*jni)->ExceptionClear(jni);
    thread_suspend(jni, -1);
    if (pending)
        (*jni)->Throw(jni, pending);
    (*jni)->DeleteLocalRef(jni, pending);
    transforms = false;
}
