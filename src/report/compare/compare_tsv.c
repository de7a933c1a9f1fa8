/* SPDX-License-Identifier: MIT */
/* The comparison as a table, a row an object that differs. There may be millions of rows, so
 * numbers are formatted by number_format and not by printf. */
#include "base/number.h"
#include "report/compare/compare_print.h"

#include <string.h>

static char *put_number(char *out, bool is_there, uint64_t number)
{
    if (is_there)
        out += number_format(out, number);
    *out++ = '\t';
    return out;
}

static void compare_tsv_print_row(struct print *print, const struct compare_row *row)
{
    const char *verdict = row->used_line > 0 ? "impossible" : compare_class_name(row->verdict);
    char line[6 * (NUMBER_DIGITS + 1) + sizeof "impossible\n"];
    char *end = put_number(line, true, row->line);
    end = put_number(end, true, row->object);
    end = put_number(end, true, row->thread);
    end = put_number(end, true, row->allocated);
    end = put_number(end, row->is_dead, row->computed);
    end = put_number(end, row->recorded_line > 0, row->recorded);
    size_t length = strlen(verdict);
    memcpy(end, verdict, length);
    end += length;
    *end++ = '\n';
    print_bytes(print, line, (size_t)(end - line));
}

void compare_print_tsv(struct print *print, const struct comparison *comparison)
{
    print_text(print, "line\tobject\tthread\tallocated\tcomputed\trecorded\tclass\n");
    for (size_t i = 0; i < comparison->figures.allocations; i++) {
        struct compare_row row = compare_row(comparison, i);
        compare_tsv_print_row(print, &row);
    }
}
