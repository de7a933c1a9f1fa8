/* SPDX-License-Identifier: MIT */
/* Values and their digits. Decimals are exact: they are whole numbers of hundredths or
 * ten-thousandths, which no floating point rounds again. */
#include "report/form/value.h"

#include <stdio.h>

struct value value_of_number(wide_sum number)
{
    return (struct value){.kind = VALUE_NUMBER, .number = number};
}

struct value value_of_number_if(bool is_there, wide_sum number)
{
    return is_there ? value_number(number) : NO_VALUE;
}

struct value value_of_flag(bool flag)
{
    return (struct value){.kind = VALUE_FLAG, .number = flag};
}

struct value value_of_text(const char *text)
{
    return text ? (struct value){.kind = VALUE_TEXT, .text = text} : NO_VALUE;
}

struct value value_mean(wide_sum sum, uint64_t count)
{
    return count == 0
               ? NO_VALUE
               : (struct value){.kind = VALUE_HUNDREDTHS, .number = figures_mean(sum, count)};
}

struct value value_share(uint64_t part, uint64_t whole)
{
    return whole == 0
               ? NO_VALUE
               : (struct value){.kind = VALUE_PERCENT, .number = figures_share(part, whole)};
}

struct value value_wide_share(wide_sum part, wide_sum whole)
{
    return (struct value){.kind = VALUE_PERCENT, .number = figures_share(part, whole)};
}

struct value value_ten_thousandths(wide_sum number)
{
    return (struct value){.kind = VALUE_TEN_THOUSANDTHS, .number = number};
}

struct value value_gini(const struct gini *gini)
{
    return value_ten_thousandths(gini_coefficient(gini));
}

struct value value_distribution_mean(const struct distribution *distribution)
{
    return distribution->count == 0
               ? NO_VALUE
               : (struct value){.kind = VALUE_HUNDREDTHS,
                                .number = (wide_sum)distribution->mean * 100 +
                                          distribution->mean_hundredths};
}

const char *value_digits(char *out, const struct value *value)
{
    unsigned places = value->kind == VALUE_NUMBER            ? 0
                      : value->kind == VALUE_TEN_THOUSANDTHS ? 4
                                                             : 2;
    unsigned scale = places == 4 ? 10000 : places == 2 ? 100 : 1;
    const char *digits = figures_format_wide(out, value->number / scale);
    if (places > 0)
        snprintf(out + WIDE_SIZE - 1, VALUE_SIZE - WIDE_SIZE + 1, ".%0*u", (int)places,
                 (unsigned)(value->number % scale));
    return digits;
}

const char *value_scaled(char *out, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    double number = (double)bytes;
    for (; number >= 1024; number /= 1024)
        unit++;
    snprintf(out, SCALED_SIZE, "%.*g %s", number >= 100 ? 4 : 3, number, units[unit]);
    return out;
}

void value_put(struct table *table, struct value value)
{
    char digits[VALUE_SIZE];
    if (value.kind == VALUE_NOTHING)
        table_empty(table);
    else if (value.kind == VALUE_TEXT)
        table_text(table, value.text);
    else if (value.kind == VALUE_FLAG)
        table_text(table, value.number ? "true" : "false");
    else if (value.kind == VALUE_NUMBER && value.number <= UINT64_MAX)
        table_number(table, (uint64_t)value.number);
    else
        table_text(table, value_digits(digits, &value));
}
