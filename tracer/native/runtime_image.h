/* SPDX-License-Identifier: MIT */
/* The image in which the JDK keeps its modules, read with the library of the virtual machine:
 * the JDK's own reader would make objects and load classes before the program does. */
#ifndef ETTRACE_RUNTIME_IMAGE_H
#define ETTRACE_RUNTIME_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the image of the virtual machine, as it starts; false: it has none that can be read
 * here, and runtime_image_read must not be called. */
bool runtime_image_open(void);

/* Reads the file of that name, as java/lang/Object.class, in the module. Returns its bytes,
 * which the caller frees, and sets *length. NULL: there is none, or no memory. Any thread may
 * call it. */
unsigned char *runtime_image_read(const char *module, const char *name, size_t *length);

#endif
