#include "report/print.h"

#include "report/figures.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

void print_bytes(struct print *print, const char *bytes, size_t length)
{
    if (print->status == STATUS_OK)
        print->status = sink_write(print->sink, bytes, length, print->why);
}

void print_text(struct print *print, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length < sizeof line) {
        print_bytes(print, line, length < 0 ? 0 : (size_t)length);
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
    print_bytes(print, text, (size_t)length);
    free(text);
}

const char *print_share(char *out, uint64_t part, uint64_t whole)
{
    if (whole == 0) {
        snprintf(out, SHARE_SIZE, "-");
        return out;
    }
    uint64_t share = figures_share(part, whole);
    snprintf(out, SHARE_SIZE, "%" PRIu64 ".%02u%%", share / 100, (unsigned)(share % 100));
    return out;
}
