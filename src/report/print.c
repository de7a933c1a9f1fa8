/* SPDX-License-Identifier: MIT */
/* The status of printing sticks: after a failure, printing has no effect, and the failure is
 * reported once, at the end. */
#include "report/print.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void print_bytes(struct print *print, const char *bytes, size_t length)
{
    if (print->status == STATUS_OK)
        print->status = sink_write(print->sink, bytes, length, print->why);
}

/* Prints text, with what is not to be shown escaped; with `has_lines`, line ends and tabs stay.
 */
static void print_escaped(struct print *print, const char *text, size_t length, bool has_lines)
{
    while (length > 0) {
        char escaped[TEXT_ESCAPE_SIZE];
        size_t plain = 0, shown;
        while (plain < length &&
               ((shown = text_shown_length(text + plain, length - plain)) > 0 ||
                (has_lines && (text[plain] == '\n' || text[plain] == '\t'))))
            plain += shown > 0 ? shown : 1;
        print_bytes(print, text, plain);
        if (plain == length)
            return;
        print_bytes(print, escaped, text_escape(escaped, (unsigned char)text[plain]));
        text += plain + 1;
        length -= plain + 1;
    }
}

void print_shown(struct print *print, const char *text)
{
    print_escaped(print, text, strlen(text), false);
}

void print_text(struct print *print, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length < sizeof line) {
        print_escaped(print, line, length < 0 ? 0 : (size_t)length, true);
        return;
    }
    char *text = malloc((size_t)length + 1);
    if (!text) {
        if (print->status == STATUS_OK)
            print->status = fail_memory(print->why);
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    print_escaped(print, text, (size_t)length, true);
    free(text);
}
