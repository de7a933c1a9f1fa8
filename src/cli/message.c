/* SPDX-License-Identifier: MIT */
/* Messages have one form, whether they tell of a failure or not: so they are printed as
 * failures are, which also escapes what names and traces bring into them. */
#include "cli/message.h"

#include <stdarg.h>
#include <stdlib.h>

const char message_program[] = "etmerlin";

void message(const char *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct failure what = {.file = (char *)(uintptr_t)file};
    if (vasprintf(&what.text, format, arguments) < 0)
        what.text = NULL;
    va_end(arguments);
    failure_print(&what, message_program, stderr);
    free(what.text);
}
