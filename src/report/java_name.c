/* SPDX-License-Identifier: MIT */
/* Tracers take names from class files (slashes), from descriptors ([Lx;) or from Java (dots).
 * Those who compare several oracles want one spelling. */
#include "report/java_name.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

const struct java_primitive java_primitives[JAVA_PRIMITIVES] = {
    {"boolean", 'Z', JAVA_FIRST_CODE},
    {"char", 'C', 5},
    {"float", 'F', 6},
    {"double", 'D', 7},
    {"byte", 'B', 8},
    {"short", 'S', 9},
    {"int", 'I', 10},
    {"long", 'J', 11},
};

const struct java_primitive *java_primitive_named(const char *name, size_t length)
{
    for (size_t i = 0; i < JAVA_PRIMITIVES; i++)
        if (strlen(java_primitives[i].name) == length &&
            memcmp(java_primitives[i].name, name, length) == 0)
            return &java_primitives[i];
    return NULL;
}

/* The primitive type that has this letter in descriptors; NULL: none has. */
static const char *primitive(char letter)
{
    for (size_t i = 0; i < JAVA_PRIMITIVES; i++)
        if (java_primitives[i].letter == letter)
            return java_primitives[i].name;
    return NULL;
}

/* Replaces slashes by dots, but for the last slash of a hidden class such as
 * Outer$$Lambda/0x1234. */
static void use_dots(char *text)
{
    for (char *slash = strchr(text, '/'); slash; slash = strchr(slash + 1, '/'))
        if (strncmp(slash, "/0x", 3) != 0)
            *slash = '.';
}

enum status java_name_make(struct java_name *name, const char *from, struct failure *why)
{
    size_t dimensions = strspn(from, "[");
    const char *element = from + dimensions;
    size_t length = strlen(element);
    const char *simple = dimensions > 0 && length == 1 ? primitive(*element) : NULL;
    bool is_descriptor = length > 2 && element[0] == 'L' && element[length - 1] == ';';
    if (simple) {
        element = simple;
        length = strlen(simple);
    } else if (is_descriptor) {
        element++;
        length -= 2;
    }
    if (!ARRAY_RESERVE(name->text, name->capacity, length + 2 * dimensions + 1))
        return fail_memory(why);
    char *text = name->text;
    memcpy(text, element, length);
    for (size_t i = 0; i < dimensions; i++)
        memcpy(text + length + 2 * i, "[]", 2);
    text[length + 2 * dimensions] = '\0';
    use_dots(text);
    return STATUS_OK;
}
