#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_BYTES = 60 };

/* Appends the escaped form of one byte; returns its end. */
static char *quote_byte(char *out, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    static const char plain[] = "\t\r\n\"\\";
    static const char letters[] = "trn\"\\";
    const char *special = byte ? strchr(plain, byte) : NULL;
    if (special) {
        *out++ = '\\';
        *out++ = letters[special - plain];
    } else if (byte < 0x20 || byte > 0x7e) {
        *out++ = '\\';
        *out++ = 'x';
        *out++ = hex[byte >> 4];
        *out++ = hex[byte & 15];
    } else {
        *out++ = (char)byte;
    }
    return out;
}

const char *text_quote(char *out, const char *text, size_t length)
{
    char *end = out;
    *end++ = '"';
    for (size_t i = 0; i < length && i < SHOWN_BYTES; i++)
        end = quote_byte(end, (unsigned char)text[i]);
    if (length > SHOWN_BYTES)
        end = (char *)memcpy(end, "...", 3) + 3;
    *end++ = '"';
    *end = '\0';
    return out;
}

size_t text_line_length(const char *text, size_t length)
{
    if (length > 0 && text[length - 1] == '\n')
        length--;
    if (length > 0 && text[length - 1] == '\r')
        length--;
    return length;
}
