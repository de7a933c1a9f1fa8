/* SPDX-License-Identifier: MIT */
/* The tracer gives such names to what it writes with a trace, and etmerlin looks for them: so
 * both must make them in the same way. */
#include "io/trace_stem.h"

#include "io/codec.h"

#include <stdio.h>
#include <string.h>

static size_t stem_length(const char *path)
{
    static const char suffix[] = ".trace";
    enum { SUFFIX = sizeof suffix - 1 };
    const struct codec *codec = codec_of_path(path);
    size_t length = strlen(path) - (codec ? strlen(codec->suffix) : 0);
    bool has_name = length > SUFFIX && path[length - SUFFIX - 1] != '/';
    if (has_name && memcmp(path + length - SUFFIX, suffix, SUFFIX) == 0)
        length -= SUFFIX;
    return length;
}

char *trace_stem_path(const char *path, const char *suffix)
{
    char *made = NULL;
    int length = (int)stem_length(path);
    return asprintf(&made, "%.*s%s", length, path, suffix) < 0 ? NULL : made;
}
