#include "trace/notes.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum status notes_add(struct notes *notes, struct failure *why, const char *file,
                      const char *format, ...)
{
    char **texts = array_grow(notes->texts, &notes->capacity, notes->count + 1, sizeof *texts);
    if (!texts)
        return fail_memory(why);
    notes->texts = texts;
    char *sentence = NULL, *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&sentence, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        length = asprintf(&text, "%s: %s.", file, sentence);
        free(sentence);
    }
    if (length < 0)
        return fail_memory(why);
    texts[notes->count++] = text;
    return STATUS_OK;
}

void notes_free(struct notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->texts[i]);
    free(notes->texts);
    *notes = (struct notes){.texts = NULL};
}
