/* SPDX-License-Identifier: MIT */
/* The parts of an explanation (file, line, text) are kept separately, so that the layer that
 * knows the text need not know the file, and tests can check each part. */
#include "base/status.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return NULL;
    char *text = malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

static enum status record(struct failure *why, enum status status, const char *file,
                          uint64_t line, const char *format, va_list arguments)
{
    char *text = format_text(format, arguments);
    char *name = file ? strdup(file) : NULL;
    failure_clear(why);
    *why = (struct failure){.status = status, .file = name, .line = line, .text = text};
    return status;
}

enum status fail(struct failure *why, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(why, status, NULL, 0, format, arguments);
    va_end(arguments);
    return status;
}

enum status fail_at(struct failure *why, enum status status, const char *file, uint64_t line,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(why, status, file, line, format, arguments);
    va_end(arguments);
    return status;
}

enum status fail_at_offset(struct failure *why, enum status status, const char *file,
                           uint64_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(why, status, file, 0, format, arguments);
    va_end(arguments);
    why->offset = offset;
    why->has_offset = true;
    return status;
}

enum status fail_errno(struct failure *why, const char *file, const char *doing, int error)
{
    enum status status = error == ECANCELED ? STATUS_INTERRUPTED : STATUS_IO;
    return fail_at(why, status, file, 0, "Cannot %s: %s", doing, strerror(error));
}

void fail_adding(struct failure *why, const char *more)
{
    char *text;
    if (!why->text || asprintf(&text, "%s%s", why->text, more) < 0)
        return;
    free(why->text);
    why->text = text;
}

void failure_print(const struct failure *why, const char *program, FILE *stream)
{
    fprintf(stream, "%s: ", program);
    if (why->file)
        text_print(stream, why->file);
    if (why->has_offset)
        fprintf(stream, "@0x%" PRIx64, why->offset);
    else if (why->line)
        fprintf(stream, ":%" PRIu64, why->line);
    fputs(why->file ? ": " : "", stream);
    text_print(stream, why->text ? why->text : "Out of memory");
    fputs(".\n", stream);
}

void failure_clear(struct failure *why)
{
    free(why->file);
    free(why->text);
    *why = (struct failure){.status = STATUS_OK};
}
