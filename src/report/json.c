/* SPDX-License-Identifier: MIT */
/* JSON by jansson. A report is built as a tree and written once; what fails for want of memory
 * while it is built makes it incomplete, and only the end tells. */
#include "report/json.h"

#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_report_begin(struct json_report *report)
{
    report->root = json_object();
    report->incomplete = !report->root;
}

/* Takes over `value`. */
static void json_put(struct json_report *report, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        report->incomplete = true;
}

static json_t *number_of(wide_sum sum)
{
    char digits[WIDE_SIZE];
    return sum <= INT64_MAX ? json_integer((json_int_t)sum)
                            : json_string(figures_format_wide(digits, sum));
}

void json_put_wide(struct json_report *report, json_t *object, const char *key, wide_sum sum)
{
    json_put(report, object, key, number_of(sum));
}

void json_put_number(struct json_report *report, json_t *object, const char *key,
                     uint64_t number)
{
    json_put_wide(report, object, key, number);
}

void json_put_null(struct json_report *report, json_t *object, const char *key)
{
    json_put(report, object, key, json_null());
}

void json_put_bool(struct json_report *report, json_t *object, const char *key, bool value)
{
    json_put(report, object, key, json_boolean(value));
}

/* A copy of `text`, owned by the caller, with all bytes escaped that are not UTF-8, and
 * controls; NULL: no memory. */
static char *escape_bytes(const char *text)
{
    size_t left = strlen(text);
    char *copy = malloc(left * TEXT_ESCAPE_SIZE + 1), *end = copy;
    while (copy && left > 0) {
        size_t shown = text_shown_length(text, left), taken = shown ? shown : 1;
        if (shown)
            memcpy(end, text, shown);
        end += shown ? shown : text_escape(end, (unsigned char)*text);
        text += taken;
        left -= taken;
    }
    if (copy)
        *end = '\0';
    return copy;
}

void json_put_text(struct json_report *report, json_t *object, const char *key,
                   const char *text)
{
    json_t *value = json_string(text);
    char *escaped = value ? NULL : escape_bytes(text);
    json_put(report, object, key, value ? value : json_string(escaped));
    free(escaped);
}

void json_report_start(struct json_report *report, const char *schema)
{
    json_report_begin(report);
    json_put_text(report, report->root, "schema", schema);
    json_put_text(report, report->root, "etmerlin", PACKAGE_VERSION);
}

void json_put_decimal(struct json_report *report, json_t *object, const char *key,
                      uint64_t whole, unsigned hundredths)
{
    json_put(report, object, key, json_real((double)whole + hundredths / 100.0));
}

void json_put_ten_thousandths(struct json_report *report, json_t *object, const char *key,
                              unsigned number)
{
    json_put(report, object, key, json_real(number / 10000.0));
}

void json_put_share(struct json_report *report, json_t *object, const char *key, uint64_t part,
                    uint64_t whole)
{
    if (whole == 0) {
        json_put_null(report, object, key);
        return;
    }
    uint64_t share = figures_share(part, whole);
    json_put_decimal(report, object, key, share / 100, (unsigned)(share % 100));
}

json_t *json_put_object(struct json_report *report, json_t *object, const char *key)
{
    json_put(report, object, key, json_object());
    return json_object_get(object, key);
}

json_t *json_put_array(struct json_report *report, json_t *object, const char *key)
{
    json_put(report, object, key, json_array());
    return json_object_get(object, key);
}

json_t *json_append_object(struct json_report *report, json_t *array)
{
    json_t *value = json_object();
    if (json_array_append_new(array, value) == 0)
        return value;
    report->incomplete = true;
    return NULL;
}

void json_append_number(struct json_report *report, json_t *array, uint64_t number)
{
    if (json_array_append_new(array, number_of(number)) != 0)
        report->incomplete = true;
}

/* The length of the control U+007F to U+009F that begins at `text`; 0: none does. */
static size_t control_length(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    unsigned char second = length > 1 ? (unsigned char)text[1] : 0xff;
    return first == 0x7f ? 1 : first == 0xc2 && second <= 0x9f ? 2 : 0;
}

/* Jansson leaves these controls as they are, and a terminal would obey them. It hands over
 * whole characters. */
static int print_piece(const char *piece, size_t length, void *context)
{
    struct print *print = context;
    while (length > 0) {
        size_t plain = 0, control = 0;
        while (plain < length && (control = control_length(piece + plain, length - plain)) == 0)
            plain++;
        print_bytes(print, piece, plain);
        if (control > 0)
            print_text(print, "\\u%04X", (unsigned char)piece[plain + control - 1]);
        piece += plain + control;
        length -= plain + control;
    }
    return print->status == STATUS_OK ? 0 : -1;
}

/* Figures have at most two decimals: 15 digits show them as they are. */
enum { INDENT = 2 };
#define JSON_FORM (JSON_INDENT(INDENT) | JSON_REAL_PRECISION(15))

void json_report_end(struct json_report *report, struct print *print)
{
    if (report->incomplete ||
        json_dump_callback(report->root, print_piece, print, JSON_FORM) != 0)
        if (print->status == STATUS_OK)
            print->status = fail_memory(print->why);
    json_decref(report->root);
    print_text(print, "\n");
}

/* The text of a tree. NULL: no memory. The caller owns it (free). Jansson's own function for
 * this goes on without a key that it has no memory for; into a buffer of the right size it
 * needs none. */
static char *tree_text(const json_t *tree)
{
    size_t size = json_dumpb(tree, NULL, 0, JSON_FORM);
    char *text = size > 0 ? malloc(size + 1) : NULL;
    if (!text)
        return NULL;
    text[size] = '\0';
    if (json_dumpb(tree, text, size, JSON_FORM) == size)
        return text;
    free(text);
    return NULL;
}

/* The text of the report, which is released. NULL: no memory. The caller owns it (free). */
static char *report_text(struct json_report *report, struct print *print)
{
    char *text = report->incomplete ? NULL : tree_text(report->root);
    if (!text && print->status == STATUS_OK)
        print->status = fail_memory(print->why);
    json_decref(report->root);
    return text;
}

void json_report_open(struct json_report *report, struct print *print)
{
    static const char end[] = "\n}";
    char *text = report_text(report, print);
    if (text)
        print_piece(text, strlen(text) - strlen(end), print);
    free(text);
}

void json_report_close(struct print *print)
{
    print_text(print, "\n}\n");
}

void json_print_item(struct json_report *item, struct print *print, unsigned depth,
                     bool is_first)
{
    static const char indent[INDENT] = {' ', ' '};
    char *text = report_text(item, print);
    print_text(print, "%s\n", is_first ? "" : ",");
    for (char *line = text; line && print->status == STATUS_OK;) {
        char *line_end = strchr(line, '\n');
        size_t length = line_end ? (size_t)(line_end + 1 - line) : strlen(line);
        for (unsigned level = 0; level < depth; level++)
            print_bytes(print, indent, INDENT);
        print_piece(line, length, print);
        line = line_end ? line_end + 1 : NULL;
    }
    free(text);
}

/* Room for a character in a string. */
enum { STRING_CHARACTER = 8 };

/* Sets `out` to what one character at `text`, or one byte that is none, has in a string, and
 * *length to its length; returns how many bytes of the text it is. */
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
    if (*text == '<' || *text == '>' || *text == '&') {
        *length = (size_t)snprintf(out, STRING_CHARACTER, "\\u%04x", (unsigned char)*text);
        return 1;
    }
    memcpy(out + *length, text, shown);
    *length += shown;
    return shown;
}

void json_print_cut_string(struct print *print, const char *text, size_t most)
{
    static const char cut[] = "\xe2\x80\xa6";
    char character[STRING_CHARACTER];
    size_t left = strlen(text), length;
    print_bytes(print, "\"", 1);
    while (left > 0 && print->status == STATUS_OK) {
        size_t taken = string_character(character, &length, text, left);
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

void json_print_string(struct print *print, const char *text)
{
    json_print_cut_string(print, text, SIZE_MAX);
}
