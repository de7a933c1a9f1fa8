/* SPDX-License-Identifier: MIT */
/* The library has the functions of the JDK's jimage.hpp, by which the virtual machine itself
 * finds classes. It opens a file once for all who ask for it. */
#include "runtime_image.h"

#include "tracer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct image_file image_file;

static struct {
    image_file *file;
    image_file *(*open)(const char *path, jint *error);
    jlong (*find)(image_file *file, const char *module, const char *version, const char *name,
                  jlong *size);
    jlong (*get)(image_file *file, jlong place, char *bytes, jlong size);
} image;

/* The path of a file of the JDK, which the caller frees; NULL: it is unknown. */
static char *path_of(const char *file)
{
    char *home = NULL, *path = NULL;
    if ((*tracer.jvmti)->GetSystemProperty(tracer.jvmti, "java.home", &home) != 0)
        return NULL;
    if (asprintf(&path, "%s/lib/%s", home, file) < 0)
        path = NULL;
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)home);
    return path;
}

/* Finds the functions; false: one is missing. The library stays loaded. */
static bool load_library(void)
{
    char *path = path_of("libjimage.so");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    free(path);
    if (!library)
        return false;
    *(void **)&image.open = dlsym(library, "JIMAGE_Open");
    *(void **)&image.find = dlsym(library, "JIMAGE_FindResource");
    *(void **)&image.get = dlsym(library, "JIMAGE_GetResource");
    return image.open && image.find && image.get;
}

unsigned char *runtime_image_read(const char *module, const char *name, size_t *length)
{
    static const char version[] = "9.0"; /* of the format; it is not looked at */
    jlong size = 0;
    jlong place = image.find(image.file, module, version, name, &size);
    unsigned char *bytes = place && size > 0 ? malloc((size_t)size) : NULL;
    if (!bytes)
        return NULL;
    *length = (size_t)size;
    if (image.get(image.file, place, (char *)bytes, size) == size)
        return bytes;
    free(bytes);
    return NULL;
}

/* Whether a class that each image has can be read: another version of the JDK could have other
 * functions of these names. */
static bool can_read(void)
{
    size_t length = 0;
    unsigned char *bytes = runtime_image_read("java.base", "java/lang/Object.class", &length);
    free(bytes);
    return bytes != NULL;
}

bool runtime_image_open(void)
{
    jint error = 0;
    char *path = load_library() ? path_of("modules") : NULL;
    image.file = path ? image.open(path, &error) : NULL;
    free(path);
    return image.file && can_read();
}
