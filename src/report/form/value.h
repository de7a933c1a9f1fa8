/* SPDX-License-Identifier: MIT */
/* The value of a figure. Its kind decides how it is printed. */
#ifndef ETMERLIN_REPORT_FORM_VALUE_H
#define ETMERLIN_REPORT_FORM_VALUE_H

#include "report/figures.h"
#include "report/print.h"

#include <stdbool.h>

enum value_form {
    VALUE_NOTHING, /* unknown or meaningless: null, "-", or empty */
    VALUE_NUMBER,
    VALUE_HUNDREDTHS,      /* a number of hundredths, printed as 12.34 */
    VALUE_TEN_THOUSANDTHS, /* printed as 0.1234 */
    VALUE_PERCENT,         /* hundredths of a percent; text has 12.34% */
    VALUE_FLAG,            /* yes or no; true or false */
    VALUE_TEXT
};

struct value {
    enum value_form kind;
    wide_sum number; /* not of texts */
    const char *text;
};

#define NO_VALUE ((struct value){.kind = VALUE_NOTHING})

/* Those that take numbers, flags and texts take no others: what is none does not compile. */
#define VALUE_WHOLE(number_)                                                                   \
    _Generic((number_),                                                                        \
        unsigned char: (number_),                                                              \
        unsigned: (number_),                                                                   \
        unsigned long: (number_),                                                              \
        unsigned long long: (number_),                                                         \
        wide_sum: (number_))
#define value_number(number_) value_of_number(VALUE_WHOLE(number_))
#define value_number_if(is_there_, number_)                                                    \
    value_of_number_if((is_there_), VALUE_WHOLE(number_))
#define value_flag(flag_) value_of_flag(_Generic((flag_), bool: (flag_), int: (flag_)))
/* A text, which must outlive the value; NULL: nothing. */
#define value_text(text_)                                                                      \
    value_of_text(_Generic((text_), char *: (text_), const char *: (text_)))

struct value value_of_number(wide_sum number);
struct value value_of_number_if(bool is_there, wide_sum number);
struct value value_of_flag(bool flag);
struct value value_of_text(const char *text);

/* `sum` / `count`, rounded as figures_mean does; nothing if `count` is 0. */
struct value value_mean(wide_sum sum, uint64_t count);

/* The share that `part` has of `whole`, as figures_share has it; nothing if `whole` is 0. */
struct value value_share(uint64_t part, uint64_t whole);

/* The same, for sums; 0 if `whole` is 0. */
struct value value_wide_share(wide_sum part, wide_sum whole);

/* A number of ten-thousandths, printed as 0.1234. */
struct value value_ten_thousandths(wide_sum number);

/* The coefficient, in ten-thousandths. */
struct value value_gini(const struct gini *gini);

/* The mean of a distribution; nothing if its count is 0. */
struct value value_distribution_mean(const struct distribution *distribution);

/* Room for the digits of a value. */
enum { VALUE_SIZE = WIDE_SIZE + 8 };

/* Writes a number of any kind, terminated, without a sign for percent, to `out`, which has
 * VALUE_SIZE bytes; returns where it begins in `out`. */
const char *value_digits(char *out, const struct value *value);

/* Room for a size in units. */
enum { SCALED_SIZE = 24 };

/* Writes a number of bytes as people read it, such as 1.61 MiB, rounded to three digits or,
 * from 100 on, to four, to `out`, which has SCALED_SIZE bytes; returns `out`. */
const char *value_scaled(char *out, uint64_t bytes);

/* Puts a value of any kind into the next field of a table. */
void value_put(struct table *table, struct value value);

#endif
