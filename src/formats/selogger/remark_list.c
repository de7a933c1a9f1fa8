/* SPDX-License-Identifier: MIT */
/* Remarks whose text is made at run time, kept until the command line shows them: readers do
 * not print, and most remarks are known only when all has been read. */
#include "formats/selogger/remark_list.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum status remark_list_add(struct remark_list *list, struct failure *why, const char *format,
                            ...)
{
    if (!ARRAY_RESERVE(list->remarks, list->capacity, list->count + 1))
        return fail_memory(why);
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return fail_memory(why);
    list->remarks[list->count++] = (struct remark){.text = text, .count = 1, .once = true};
    return STATUS_OK;
}

void remark_list_free(struct remark_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free((char *)(uintptr_t)list->remarks[i].text);
    free(list->remarks);
    *list = (struct remark_list){.remarks = NULL};
}
