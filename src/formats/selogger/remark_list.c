#include "formats/selogger/remark_list.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum status remark_list_add(struct remark_list *notes, struct failure *why, const char *format,
                            ...)
{
    struct remark *remarks =
        array_grow(notes->remarks, &notes->capacity, notes->count + 1, sizeof *remarks);
    if (!remarks)
        return fail_memory(why);
    notes->remarks = remarks;
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return fail_memory(why);
    remarks[notes->count++] = (struct remark){.text = text, .count = 1, .once = true};
    return STATUS_OK;
}

void remark_list_free(struct remark_list *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free((char *)(uintptr_t)notes->remarks[i].text);
    free(notes->remarks);
    *notes = (struct remark_list){.remarks = NULL};
}
