/* SPDX-License-Identifier: MIT */
/* A quotation from an input is cut so that it fits a line of a terminal, and all but printable
 * ASCII is escaped, since any byte of it may be the one that is wrong. Names are shown as they
 * are, so that people can read theirs, except for control characters. */
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SHOWN_BYTES = 60 };

size_t text_escape(char *out, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    static const char plain[] = "\t\r\n";
    static const char letters[] = "trn";
    const char *special = byte ? strchr(plain, byte) : NULL;
    out[0] = '\\';
    out[1] = special ? letters[special - plain] : 'x';
    if (special)
        return 2;
    out[2] = hex[byte >> 4];
    out[3] = hex[byte & 15];
    return 4;
}

/* Appends one byte in the form that it has between quotes; returns the end. */
static char *quote_byte(char *out, unsigned char byte)
{
    if (byte < 0x20 || byte > 0x7e)
        return out + text_escape(out, byte);
    if (byte == '"' || byte == '\\')
        *out++ = '\\';
    *out++ = (char)byte;
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

/* The length of the UTF-8 character that begins with `byte`; 0: none begins with it. Sets
 * *point to the bits of the character that are in this byte. */
static size_t utf8_length(unsigned char byte, uint32_t *point)
{
    size_t length = byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    *point = length == 1 ? byte : byte & (0x7fu >> length);
    return byte > 0xf4 ? 0 : length;
}

/* Whether a character is a control character, or none at all: half of a UTF-16 pair. */
static bool is_unshown(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point <= 0x9f) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) ||
           (point >= 0xd800 && point <= 0xdfff) || point > 0x10ffff;
}

size_t text_shown_length(const char *text, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800,
                                     0x10000}; /* by length: the least character */
    uint32_t point;
    size_t needed = utf8_length((unsigned char)*text, &point);
    if (needed == 0 || needed > length)
        return 0;
    for (size_t i = 1; i < needed; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return point < least[needed] || is_unshown(point) ? 0 : needed;
}

void text_print(FILE *stream, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        char escaped[TEXT_ESCAPE_SIZE];
        size_t shown = text_shown_length(text, left), taken = shown ? shown : 1;
        if (shown)
            fwrite(text, 1, shown, stream);
        else
            fwrite(escaped, 1, text_escape(escaped, (unsigned char)*text), stream);
        text += taken;
        left -= taken;
    }
}

size_t text_end(const char *text, size_t room)
{
    size_t length = strlen(text);
    if (length <= room)
        return 0;
    size_t at = length - (room - strlen("..."));
    while (((unsigned char)text[at] & 0xc0) == 0x80)
        at++;
    return at;
}

size_t text_line_length(const char *text, size_t length)
{
    if (length > 0 && text[length - 1] == '\n')
        length--;
    if (length > 0 && text[length - 1] == '\r')
        length--;
    return length;
}
