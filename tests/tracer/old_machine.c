/* SPDX-License-Identifier: MIT */
/* Loads the agent into what looks like a virtual machine of another version. Usage: old_machine
 * LIBRARY VERSION SETTINGS; VERSION 0 means one without JVMTI. */
#include <dlfcn.h>
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>

static jint version;

static jvmtiError JNICALL get_version(jvmtiEnv *jvmti, jint *answer)
{
    (void)jvmti;
    *answer = JVMTI_VERSION_INTERFACE_JVMTI | version << JVMTI_VERSION_SHIFT_MAJOR;
    return JVMTI_ERROR_NONE;
}

static jint JNICALL get_environment(JavaVM *vm, void **environment, jint wanted)
{
    static const struct jvmtiInterface_1_ functions = {.GetVersionNumber = get_version};
    static jvmtiEnv jvmti = &functions;
    (void)vm;
    (void)wanted;
    *environment = &jvmti;
    return version ? JNI_OK : JNI_EVERSION;
}

int main(int count, char **words)
{
    static const struct JNIInvokeInterface_ functions = {.GetEnv = get_environment};
    JavaVM vm = &functions;
    void *library = count == 4 ? dlopen(words[1], RTLD_NOW) : NULL;
    jint(JNICALL * load)(JavaVM *, char *, void *);
    if (!library || !(*(void **)&load = dlsym(library, "Agent_OnLoad"))) {
        fprintf(stderr, "old_machine: %s\n", dlerror());
        return 1;
    }
    version = atoi(words[2]);
    return load(&vm, words[3], NULL) == JNI_OK ? 0 : 1;
}
