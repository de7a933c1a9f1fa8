#include "report/json.h"

#include <stdlib.h>
#include <string.h>

void json_report_begin(struct json_report *report)
{
    report->root = json_object();
    report->incomplete = !report->root;
}

/* Takes over `value`. */
static void put(struct json_report *report, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        report->incomplete = true;
}

void json_put_wide(struct json_report *report, json_t *object, const char *key, wide_sum sum)
{
    char digits[WIDE_SIZE];
    if (sum <= INT64_MAX)
        put(report, object, key, json_integer((json_int_t)sum));
    else
        put(report, object, key, json_string(figures_format_wide(digits, sum)));
}

void json_put_number(struct json_report *report, json_t *object, const char *key,
                     uint64_t number)
{
    json_put_wide(report, object, key, number);
}

void json_put_null(struct json_report *report, json_t *object, const char *key)
{
    put(report, object, key, json_null());
}

void json_put_bool(struct json_report *report, json_t *object, const char *key, bool value)
{
    put(report, object, key, json_boolean(value));
}

void json_put_text(struct json_report *report, json_t *object, const char *key,
                   const char *text)
{
    json_t *value = json_string(text);
    char *ascii = value ? NULL : strdup(text);
    for (char *at = ascii; at && *at; at++)
        if ((unsigned char)*at > 0x7f)
            *at = '?';
    put(report, object, key, value ? value : json_string(ascii));
    free(ascii);
}

void json_put_decimal(struct json_report *report, json_t *object, const char *key,
                      uint64_t whole, unsigned hundredths)
{
    put(report, object, key, json_real((double)whole + hundredths / 100.0));
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
    put(report, object, key, json_object());
    return json_object_get(object, key);
}

json_t *json_put_array(struct json_report *report, json_t *object, const char *key)
{
    put(report, object, key, json_array());
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

static int print_piece(const char *piece, size_t length, void *context)
{
    struct print *print = context;
    print_bytes(print, piece, length);
    return print->status == STATUS_OK ? 0 : -1;
}

void json_report_end(struct json_report *report, struct print *print)
{
    /* Figures have at most two decimals: 15 digits show them as they are. */
    size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(15);
    if (report->incomplete || json_dump_callback(report->root, print_piece, print, flags) != 0)
        if (print->status == STATUS_OK)
            print->status = fail_memory(print->why);
    json_decref(report->root);
    print_text(print, "\n");
}
