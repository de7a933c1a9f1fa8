/* SPDX-License-Identifier: MIT */
/* Files of classes, as the JDK's own loaders define them. Asked for a file, they ask each of
 * their modules, some 70. But a package is of one module or of none, and the loaders have a
 * table of that; a file of none can only be on the class path, of which the boot loader has
 * one, too. The methods and fields for this are not accessible in Java.
 *
 * The tracer opens the class path once more: what the loader opened for it would be objects of
 * the program that are not recorded. */
#include "archives.h"
#include "native_code.h"
#include "runtime_image.h"
#include "tracer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LOADER(name) "jdk/internal/loader/" name
#define CLASS_PATH LOADER("URLClassPath")
#define STREAM "Ljava/io/InputStream;"
#define STRING "Ljava/lang/String;"
#define URLS "[Ljava/net/URL;"

static struct {
    jobject app, platform;   /* the loaders; NULL: they are to be asked as others are */
    jobject modules, theirs; /* the table, by package; the class path as the loader opens it */
    jclass class_path;
    jmethodID make, make_with_access; /* one of them, depending on the version of the JDK */
    _Atomic(jobject) own;             /* the class path as opened here; NULL: not yet */
    bool has_image; /* modules of the JDK are read from its image, without Java */
} jdk;

static jmethodID look_up, loader_of, name_of, place_of, open_in, list_urls, add_url, find,
    url_of, text_of, open_found;

static const struct {
    jmethodID *id;
    const char *owner, *name, *signature;
} methods[] = {
    {&look_up, "java/util/Map", "get", "(Ljava/lang/Object;)Ljava/lang/Object;"},
    {&loader_of, LOADER("BuiltinClassLoader$LoadedModule"), "loader",
     "()L" LOADER("BuiltinClassLoader;")},
    {&name_of, LOADER("BuiltinClassLoader$LoadedModule"), "name", "()" STRING},
    {&place_of, LOADER("BuiltinClassLoader$LoadedModule"), "codeSourceURL", "()Ljava/net/URL;"},
    {&open_in, LOADER("BuiltinClassLoader"), "findResourceAsStream",
     "(" STRING STRING ")" STREAM},
    {&list_urls, CLASS_PATH, "getURLs", "()" URLS},
    {&add_url, CLASS_PATH, "addURL", "(Ljava/net/URL;)V"},
    {&find, CLASS_PATH, "getResource", "(" STRING ")L" LOADER("Resource;")},
    {&url_of, LOADER("Resource"), "getURL", "()Ljava/net/URL;"},
    {&text_of, "java/net/URL", "toString", "()" STRING},
    {&open_found, LOADER("Resource"), "getInputStream", "()" STREAM},
};

static bool is_thrown(JNIEnv *jni)
{
    return (*jni)->ExceptionCheck(jni);
}

/* NULL: an exception is pending, or there is none. */
static jobject keep(JNIEnv *jni, jobject local)
{
    return is_thrown(jni) || !local ? NULL : native_code_keep(jni, local);
}

static bool find_methods(JNIEnv *jni)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        jclass owner = (*jni)->FindClass(jni, methods[i].owner);
        *methods[i].id =
            owner ? (*jni)->GetMethodID(jni, owner, methods[i].name, methods[i].signature)
                  : NULL;
        if (!*methods[i].id)
            return false;
        (*jni)->DeleteLocalRef(jni, owner);
    }
    return true;
}

static bool find_constructor(JNIEnv *jni)
{
    jdk.class_path = keep(jni, (*jni)->FindClass(jni, CLASS_PATH));
    if (!jdk.class_path)
        return false;
    jdk.make = (*jni)->GetMethodID(jni, jdk.class_path, "<init>", "(" URLS ")V");
    (*jni)->ExceptionClear(jni);
    if (!jdk.make)
        jdk.make_with_access = (*jni)->GetMethodID(
            jni, jdk.class_path, "<init>", "(" URLS "Ljava/security/AccessControlContext;)V");
    return jdk.make || jdk.make_with_access;
}

/* A loader of the JDK. A program may have another one as the system's loader. */
static jobject find_loader(JNIEnv *jni, const char *name)
{
    jclass loaders = (*jni)->FindClass(jni, LOADER("ClassLoaders"));
    jmethodID get =
        loaders ? (*jni)->GetStaticMethodID(jni, loaders, name, "()Ljava/lang/ClassLoader;")
                : NULL;
    return get ? keep(jni, (*jni)->CallStaticObjectMethod(jni, loaders, get)) : NULL;
}

static bool find_fields(JNIEnv *jni, jobject app)
{
    jclass of = (*jni)->FindClass(jni, LOADER("BuiltinClassLoader"));
    jfieldID path = of ? (*jni)->GetFieldID(jni, of, "ucp", "L" CLASS_PATH ";") : NULL;
    jfieldID modules =
        path ? (*jni)->GetStaticFieldID(jni, of, "packageToModule", "Ljava/util/Map;") : NULL;
    if (!modules)
        return false;
    jdk.theirs = keep(jni, (*jni)->GetObjectField(jni, app, path));
    jdk.modules = keep(jni, (*jni)->GetStaticObjectField(jni, of, modules));
    return jdk.theirs && jdk.modules;
}

/* Whether options of the virtual machine replace parts of its modules, which its image has as
 * they were. */
static bool has_patches(JNIEnv *jni)
{
#define MODULES(name) "jdk/internal/module/" name
    jclass start = (*jni)->FindClass(jni, MODULES("ModuleBootstrap"));
    jmethodID get = start ? (*jni)->GetStaticMethodID(jni, start, "patcher",
                                                      "()L" MODULES("ModulePatcher;"))
                          : NULL;
    jobject patcher = get ? (*jni)->CallStaticObjectMethod(jni, start, get) : NULL;
    jclass of = is_thrown(jni) || !patcher ? NULL : (*jni)->GetObjectClass(jni, patcher);
    jmethodID has = of ? (*jni)->GetMethodID(jni, of, "hasPatches", "()Z") : NULL;
    bool has_some = !has || (*jni)->CallBooleanMethod(jni, patcher, has);
    return is_thrown(jni) || has_some;
}

/* Where something is missing, the loaders are asked. */
static void start(JNIEnv *jni)
{
    if (!find_methods(jni) || !find_constructor(jni))
        return;
    jdk.platform = find_loader(jni, "platformClassLoader");
    jobject app = jdk.platform ? find_loader(jni, "appClassLoader") : NULL;
    if (app && find_fields(jni, app))
        jdk.app = app;
    jdk.has_image = jdk.app && !has_patches(jni) && runtime_image_open();
    (*jni)->ExceptionClear(jni);
}

/* Opens the class path as it is now; NULL: no memory, or an exception is pending. */
static jobject open_path(JNIEnv *jni)
{
    jobject urls = (*jni)->CallObjectMethod(jni, jdk.theirs, list_urls);
    if (is_thrown(jni))
        return NULL;
    jobject path =
        jdk.make ? (*jni)->NewObject(jni, jdk.class_path, jdk.make, urls)
                 : (*jni)->NewObject(jni, jdk.class_path, jdk.make_with_access, urls, NULL);
    return keep(jni, path);
}

/* The class path as opened here, once for all threads; NULL: no memory, or an
 * exception is pending. */
static jobject own_path(JNIEnv *jni)
{
    jobject none = NULL, own = atomic_load(&jdk.own);
    if (own || !(own = open_path(jni)) || atomic_compare_exchange_strong(&jdk.own, &none, own))
        return own;
    native_code_drop(jni, own);
    return none;
}

/* Agents can append to the class path. It does not matter if several threads do this at once:
 * what the path has is not added again. */
static void append_new(JNIEnv *jni, jobject own)
{
    jobjectArray mine = (*jni)->CallObjectMethod(jni, own, list_urls);
    jobjectArray all =
        is_thrown(jni) ? NULL : (*jni)->CallObjectMethod(jni, jdk.theirs, list_urls);
    if (is_thrown(jni))
        return;
    jsize count = (*jni)->GetArrayLength(jni, all);
    for (jsize i = (*jni)->GetArrayLength(jni, mine); i < count && !is_thrown(jni); i++) {
        jobject url = (*jni)->GetObjectArrayElement(jni, all, i);
        (*jni)->CallVoidMethod(jni, own, add_url, url);
        (*jni)->DeleteLocalRef(jni, url);
    }
}

/* An array of the bytes, which are freed; NULL: there are none, or an exception is pending. */
static jbyteArray take_array(JNIEnv *jni, unsigned char *bytes, size_t length)
{
    jbyteArray array =
        bytes && length <= INT32_MAX ? (*jni)->NewByteArray(jni, (jsize)length) : NULL;
    if (array)
        (*jni)->SetByteArrayRegion(jni, array, 0, (jsize)length, (const jbyte *)bytes);
    free(bytes);
    return array;
}

/* What the URL names, an array of bytes, read without the JDK; NULL: this cannot be, or an
 * exception is pending. */
static jbyteArray read_url(JNIEnv *jni, jobject url)
{
    size_t length = 0;
    jstring text = (*jni)->CallObjectMethod(jni, url, text_of);
    const char *chars =
        is_thrown(jni) || !text ? NULL : (*jni)->GetStringUTFChars(jni, text, NULL);
    if (!chars)
        return NULL;
    unsigned char *bytes = archives_read(chars, &length);
    (*jni)->ReleaseStringUTFChars(jni, text, chars);
    return take_array(jni, bytes, length);
}

/* The contents of what was found: an array of bytes, or a stream if it cannot be read without
 * the JDK; NULL: an exception is pending. */
static jobject read_found(JNIEnv *jni, jobject found)
{
    jobject url = (*jni)->CallObjectMethod(jni, found, url_of);
    jobject contents = is_thrown(jni) || !url ? NULL : read_url(jni, url);
    if (contents || is_thrown(jni))
        return contents;
    return (*jni)->CallObjectMethod(jni, found, open_found);
}

/* NULL: there is none, or an exception is pending. */
static jobject read_on_path(JNIEnv *jni, jstring file)
{
    jobject own = own_path(jni);
    if (own)
        append_new(jni, own);
    if (!own || is_thrown(jni))
        return NULL;
    jobject found = (*jni)->CallObjectMethod(jni, own, find, file);
    return is_thrown(jni) || !found ? NULL : read_found(jni, found);
}

/* The name of the module, if that URL is one of the JDK's image; else NULL. */
static const char *name_in_image(const char *url)
{
    static const char image[] = "jrt:/";
    bool is_in = jdk.has_image && strncmp(url, image, sizeof image - 1) == 0;
    return is_in ? url + sizeof image - 1 : NULL;
}

/* Whether the module is in the image. If so, sets *contents to the file; NULL: there is none,
 * or an exception is pending. */
static bool read_in_module(JNIEnv *jni, jobject module, const char *file, jbyteArray *contents)
{
    size_t length = 0;
    jobject url = (*jni)->CallObjectMethod(jni, module, place_of);
    jstring text = is_thrown(jni) || !url ? NULL : (*jni)->CallObjectMethod(jni, url, text_of);
    const char *chars =
        is_thrown(jni) || !text ? NULL : (*jni)->GetStringUTFChars(jni, text, NULL);
    const char *name = chars ? name_in_image(chars) : NULL;
    unsigned char *bytes = name ? runtime_image_read(name, file, &length) : NULL;
    *contents = take_array(jni, bytes, length);
    if (chars)
        (*jni)->ReleaseStringUTFChars(jni, text, chars);
    return name != NULL;
}

/* NULL: there is none, or an exception is pending. The loaders above that of the class path do
 * not see its modules. */
static jobject open_in_module(JNIEnv *jni, jobject module, jstring file, bool is_app)
{
    jobject loader = (*jni)->CallObjectMethod(jni, module, loader_of);
    jobject name = is_thrown(jni) ? NULL : (*jni)->CallObjectMethod(jni, module, name_of);
    if (is_thrown(jni) || (!is_app && (*jni)->IsSameObject(jni, loader, jdk.app)))
        return NULL;
    jbyteArray contents = NULL;
    const char *chars = (*jni)->GetStringUTFChars(jni, file, NULL);
    bool is_read = chars && read_in_module(jni, module, chars, &contents);
    if (chars)
        (*jni)->ReleaseStringUTFChars(jni, file, chars);
    if (is_read || is_thrown(jni))
        return contents;
    return (*jni)->CallObjectMethod(jni, loader, open_in, name, file);
}

/* The first file of that name in the archives and folders of the path, whose parts are changed;
 * NULL: there is none. */
static unsigned char *read_in_parts(char *path, const char *name, size_t *length)
{
    unsigned char *bytes = NULL;
    char *rest = NULL;
    for (char *part = strtok_r(path, ":", &rest); part && !bytes;
         part = strtok_r(NULL, ":", &rest))
        bytes = archives_read_in(part, name, length);
    return bytes;
}

/* The file on the path of the boot loader, which has the tracer's archive, too; NULL: there is
 * none, or an exception is pending. */
static jbyteArray read_on_boot_path(JNIEnv *jni, jstring file)
{
    size_t length = 0;
    char *path = NULL;
    if ((*tracer.jvmti)->GetSystemProperty(tracer.jvmti, "jdk.boot.class.path.append", &path))
        return NULL;
    const char *name = (*jni)->GetStringUTFChars(jni, file, NULL);
    unsigned char *bytes = name ? read_in_parts(path, name, &length) : NULL;
    if (name)
        (*jni)->ReleaseStringUTFChars(jni, file, name);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)path);
    return take_array(jni, bytes, length);
}

/* The native methods of JdkFiles */

static jboolean JNICALL is_of_jdk(NATIVE_CALLER, jobject loader)
{
    return !loader || (*jni)->IsSameObject(jni, loader, jdk.app) ||
           (*jni)->IsSameObject(jni, loader, jdk.platform);
}

static jobject JNICALL find_file(NATIVE_CALLER, jobject loader, jstring package, jstring file)
{
    bool is_app = (*jni)->IsSameObject(jni, loader, jdk.app);
    jobject module = (*jni)->CallObjectMethod(jni, jdk.modules, look_up, package);
    if (is_thrown(jni))
        return NULL;
    if (module)
        return open_in_module(jni, module, file, is_app);
    jbyteArray contents = read_on_boot_path(jni, file);
    return contents || is_thrown(jni) || !is_app ? contents : read_on_path(jni, file);
}

static jbyteArray JNICALL read_file(NATIVE_CALLER, jobject url)
{
    return text_of ? read_url(jni, url) : NULL;
}

JNIEXPORT jboolean JNICALL Java_etmerlin_tracer_JdkFiles_bind(JNIEnv *jni, jclass files);
JNIEXPORT jboolean JNICALL Java_etmerlin_tracer_JdkFiles_bind(JNIEnv *jni, jclass files)
{
#define LOADER_TYPE "Ljava/lang/ClassLoader;"
    static const JNINativeMethod natives[] = {
        {"isOfJdk", "(" LOADER_TYPE ")Z", __extension__(void *) is_of_jdk},
        {"find", "(" LOADER_TYPE STRING STRING ")Ljava/lang/Object;",
         __extension__(void *) find_file},
        {"read", "(Ljava/net/URL;)[B", __extension__(void *) read_file},
    };
    (*jni)->RegisterNatives(jni, files, natives, sizeof natives / sizeof *natives);
    start(jni);
    (*jni)->ExceptionClear(jni);
    return jdk.app != NULL;
}
