/* SPDX-License-Identifier: MIT */
/* Code written by hand for each kind of record agrees with the table of kinds. */
#include "formats/et/lexer.h"
#include "support.h"
#include "trace/record.h"

#include <stdlib.h>
#include <string.h>

/* The results of both lexers for a line that ends with LF. The general one reads lines by the
 * table of kinds. */
struct readings {
    struct record general, canonical;
    bool is_record, is_canonical;
};

static struct readings readings_of(const char *line)
{
    struct readings readings;
    struct et_memo memo = {.length = 0};
    char text[256] = "";
    size_t length = strlen(line);
    memset(&readings, 0, sizeof readings);
    memcpy(text, line, length);
    readings.is_record = et_lex(text, length - 1, &readings.general) == ET_RECORD;
    readings.is_canonical = et_lex_canonical(text, &readings.canonical, &memo) == text + length;
    return readings;
}

/* Writes a line of the kind with `count` fields: 101, 102, 103..., but field number `zero` is
 * 0. Returns `line`. */
static const char *line_of(char line[256], const struct record_layout *layout, size_t count,
                           size_t zero)
{
    int length = snprintf(line, 256, "%c", layout->kind);
    for (size_t i = 0; i < count; i++)
        length +=
            snprintf(line + length, 256 - (size_t)length, " %zu", i == zero ? 0 : 101 + i);
    strcpy(line + length, "\n");
    return line;
}

/* Expects that both lexers store field number i of the line in the member that the table has.
 */
static void expect_fields(const struct record_layout *layout, const struct readings *readings)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct record_field *field = &layout->fields[i];
        must(record_value(&readings->general, field) == 101 + i &&
                 record_value(&readings->canonical, field) == 101 + i,
             "%c: field %zu is elsewhere", layout->kind, i);
    }
    must(readings->general.kind == layout->kind && readings->canonical.kind == layout->kind,
         "%c is read as another kind", layout->kind);
    must(layout->kind != RECORD_EXIT ||
             (readings->general.object == 0 && readings->canonical.object == 0),
         "an exit has an object");
}

Test(record, both_lexers_read_the_fields_of_each_kind)
{
    char line[256];
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        struct readings readings = readings_of(line_of(line, layout, layout->count, SIZE_MAX));
        must(readings.is_record, "the general lexer does not read %c", layout->kind);
        must(readings.is_canonical, "the canonical lexer does not read %c", layout->kind);
        expect_fields(layout, &readings);
    }
}

Test(record, both_lexers_want_as_many_fields_as_each_kind_has)
{
    char line[256];
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        for (size_t count = 0; count < RECORD_FIELDS_MAX + 2; count++) {
            struct readings readings = readings_of(line_of(line, layout, count, SIZE_MAX));
            must(readings.is_record == (count == layout->count) &&
                     readings.is_canonical == readings.is_record,
                 "%c with %zu fields", layout->kind, count);
        }
    }
}

Test(record, both_lexers_want_an_object_where_one_is_required)
{
    char line[256];
    size_t required = 0;
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        for (size_t zero = 0; zero < layout->count; zero++) {
            bool is_required = layout->fields[zero].required;
            struct readings readings = readings_of(line_of(line, layout, layout->count, zero));
            required += is_required;
            must(readings.is_record == !is_required && readings.is_canonical == !is_required,
                 "%c with 0 in field %zu", layout->kind, zero);
        }
    }
    expect_number(required, 7); /* of N A I P V W D */
}

Test(record, kinds_that_allocate_have_a_new_object)
{
    for (unsigned kind = 0; kind < RECORD_KINDS; kind++) {
        const struct record_layout *layout = record_layout_find(kind);
        bool has_new = false;
        for (size_t i = 0; layout && i < layout->count; i++)
            has_new |= layout->fields[i].role == ROLE_NEW_OBJECT;
        must(has_new == (record_is_allocation(kind) != 0), "%c", (int)kind);
    }
}

/* The spool of records has room for two objects; a kind that names three needs more. */
Test(record, objects_stand_in_two_members)
{
    uint8_t names[RECORD_KINDS];
    char first[RECORD_KINDS + 1] = "", second[RECORD_KINDS + 1] = "";
    size_t firsts = 0, seconds = 0;
    record_names_by_kind(names);
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        for (size_t k = 0; k < layout->count; k++) {
            const struct record_field *field = &layout->fields[k];
            must((field->role != ROLE_OBJECT && field->role != ROLE_NEW_OBJECT) ||
                     field->offset == offsetof(struct record, object) ||
                     field->offset == offsetof(struct record, value),
                 "%s of %c", field->name, layout->kind);
        }
        if (names[layout->kind] & RECORD_NAMES_FIRST)
            first[firsts++] = (char)layout->kind;
        if (names[layout->kind] & RECORD_NAMES_SECOND)
            second[seconds++] = (char)layout->kind;
    }
    cr_expect_str_eq(first, "NAIPVMXTHUW");
    cr_expect_str_eq(second, "XTHU");
}

/* Each kind has a letter of its own, and the letters are those that the format describes. */
Test(record, each_kind_is_there_once)
{
    const struct record_layout *by_kind[RECORD_KINDS];
    char letters[RECORD_KINDS + 1] = "", title[RECORD_TITLE_SIZE];
    record_layouts_by_kind(by_kind);
    for (size_t i = 0; i < record_layout_count; i++) {
        letters[i] = (char)record_layouts[i].kind;
        cr_expect_eq(by_kind[record_layouts[i].kind], &record_layouts[i]);
    }
    cr_expect_str_eq(letters, "NAIPVMEXTHUWD");
    cr_expect_null(by_kind['B']);
    cr_expect_str_eq(record_title(title, by_kind['P']), "P pre-existing objects");
}
