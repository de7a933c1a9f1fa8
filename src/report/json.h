/* SPDX-License-Identifier: MIT */
/* JSON reports, by jansson. */
#ifndef ETMERLIN_REPORT_JSON_H
#define ETMERLIN_REPORT_JSON_H

#include "report/figures.h"
#include "report/print.h"

#include <jansson.h>
#include <stdbool.h>

/* A JSON text that is being built. When memory runs out, it stays incomplete and
 * json_report_end says so. */
struct json_report {
    json_t *root; /* an object */
    bool incomplete;
};

void json_report_begin(struct json_report *report);

/* Begins a report that is a file of its own: with the name of the JSON Schema that it follows,
 * NAME-VERSION for schema/NAME-VERSION.json, and the version of the program. The version of a
 * schema changes when one of its members means something else or is no longer there. */
void json_report_start(struct json_report *report, const char *schema);

/* Each json_put adds a member to `object`; NULL as an object is a member that could not be
 * made. */

/* JSON has no larger integers than 2^63-1 that all readers of it read exactly: larger numbers
 * are strings. */
void json_put_number(struct json_report *report, json_t *object, const char *key,
                     uint64_t number);

void json_put_null(struct json_report *report, json_t *object, const char *key);
void json_put_bool(struct json_report *report, json_t *object, const char *key, bool value);

/* Bytes of the text that are not UTF-8 become \xHH. */
void json_put_text(struct json_report *report, json_t *object, const char *key,
                   const char *text);

/* As json_put_number. */
void json_put_wide(struct json_report *report, json_t *object, const char *key, wide_sum sum);

/* `whole` and so many hundredths, to 15 digits. */
void json_put_decimal(struct json_report *report, json_t *object, const char *key,
                      uint64_t whole, unsigned hundredths);

/* A number of ten-thousandths, as a fraction. */
void json_put_ten_thousandths(struct json_report *report, json_t *object, const char *key,
                              unsigned number);

/* The share of `part` in `whole`, in percent; null if `whole` is 0. */
void json_put_share(struct json_report *report, json_t *object, const char *key, uint64_t part,
                    uint64_t whole);

/* An object, or an array, that is empty yet; it belongs to `object`. */
json_t *json_put_object(struct json_report *report, json_t *object, const char *key);
json_t *json_put_array(struct json_report *report, json_t *object, const char *key);

/* A new object at the end of `array`. */
json_t *json_append_object(struct json_report *report, json_t *array);

/* A number at the end of `array`, as json_put_number has it. */
void json_append_number(struct json_report *report, json_t *array, uint64_t number);

/* For reports with lists that are too long to be kept: json_report_open prints the report but
 * for its end, and releases it. Then come members, each with the comma before it, as print_text
 * prints them and json_print_item prints objects in their lists; json_report_close is the last.
 */
void json_report_open(struct json_report *report, struct print *print);
void json_report_close(struct print *print);

/* Prints the object of `item`, `depth` levels down, at the start of a line of its own, and
 * releases it; is_first: no item stands before it. */
void json_print_item(struct json_report *item, struct print *print, unsigned depth,
                     bool is_first);

/* Prints a string. What is not to be shown (text_shown_length) becomes \xHH; <, > and & are
 * escaped as well, so that it can stand in a script within HTML. */
void json_print_string(struct print *print, const char *text);

/* The same of a string of which at most `most` bytes are printed between its quotes; of what is
 * cut off, three dots are left. */
void json_print_cut_string(struct print *print, const char *text, size_t most);

/* Prints the report and releases it. */
void json_report_end(struct json_report *report, struct print *print);

#endif
