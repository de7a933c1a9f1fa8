/* SPDX-License-Identifier: MIT */
/* Strings of JSON, character by character. Controls are escaped, U+007F to U+009F included,
 * since a terminal would obey them; so are bytes that are not UTF-8, which JSON does not allow.
 */
#include "report/form/json.h"

#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Room for a character in a string. */
enum { STRING_CHARACTER = 8 };

/* Writes the character at `text`, or one byte that belongs to none, to `out` as a string has
 * it, and its length there to *length. Returns how many bytes of `text` were taken. */
static size_t string_character(char *out, size_t *length, const char *text, size_t left)
{
    size_t shown = text_shown_length(text, left);
    *length = 0;
    if (shown == 0 || *text == '"' || *text == '\\')
        out[(*length)++] = '\\';
    if (shown == 0) {
        *length += text_escape(out + 1, (unsigned char)*text);
        return 1;
    }
    memcpy(out + *length, text, shown);
    *length += shown;
    return shown;
}

/* The same, for a script within HTML. */
static size_t script_character(char *out, size_t *length, const char *text, size_t left)
{
    if (*text != '<' && *text != '>' && *text != '&')
        return string_character(out, length, text, left);
    *length = (size_t)snprintf(out, STRING_CHARACTER, "\\u%04x", (unsigned char)*text);
    return 1;
}

/* The code of a control, or of a mark that reverses or ends lines, at `text`; 0: it is none.
 * Sets *length to its bytes in `text`. */
static unsigned control_at(const char *text, size_t left, size_t *length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    *length = bytes[0] < 0x80 ? 1 : bytes[0] == 0xc2 ? 2 : 3;
    if (text_shown_length(text, left) > 0 || left < *length)
        return 0;
    if (*length == 1)
        return bytes[0];
    if (*length == 2)
        return bytes[1] >= 0x80 && bytes[1] <= 0x9f ? bytes[1] : 0;
    bool is_mark = bytes[0] == 0xe2 && (bytes[1] & 0xfe) == 0x80 && (bytes[2] & 0xc0) == 0x80;
    return is_mark ? 0x2000u | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu) : 0;
}

/* As string_character, for programs. A byte that belongs to no character becomes \\xHH. */
static size_t exact_character(char *out, size_t *length, const char *text, size_t left)
{
    size_t taken;
    unsigned control = control_at(text, left, &taken);
    if (control > 0) {
        *length = (size_t)snprintf(out, STRING_CHARACTER, "\\u%04X", control & 0xffffu);
        return taken;
    }
    if (text_shown_length(text, left) > 0)
        return string_character(out, length, text, left);
    *length = (size_t)snprintf(out, STRING_CHARACTER, "\\\\x%02x", (unsigned char)*text);
    return 1;
}

static void print_string(struct print *print, const char *text, size_t most,
                         size_t (*character_of)(char *out, size_t *length, const char *text,
                                                size_t left))
{
    static const char cut[] = "\xe2\x80\xa6";
    char character[STRING_CHARACTER];
    size_t left = strlen(text), length;
    print_bytes(print, "\"", 1);
    while (left > 0 && print->status == STATUS_OK) {
        size_t taken = character_of(character, &length, text, left);
        if (length > most) {
            print_bytes(print, cut, strlen(cut));
            break;
        }
        print_bytes(print, character, length);
        most -= length;
        text += taken;
        left -= taken;
    }
    print_bytes(print, "\"", 1);
}

void json_print_exact(struct print *print, const char *text)
{
    print_string(print, text, SIZE_MAX, exact_character);
}

void json_print_cut_string(struct print *print, const char *text, size_t most)
{
    print_string(print, text, most, script_character);
}

void json_print_string(struct print *print, const char *text)
{
    json_print_cut_string(print, text, SIZE_MAX);
}
