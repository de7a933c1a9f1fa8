/* SPDX-License-Identifier: MIT */
/* Walks over the sections and rows of a document for the printers of text and JSON, and prints
 * tables. Nothing of a document is kept: a row is printed as it comes, however many there are.
 */
#include "report/form/document.h"

#include "report/form/forms.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

/* The number, flag or pointer of `size` bytes at `at`. */
static uint64_t number_at(const void *at, size_t size)
{
    if (size == sizeof(bool))
        return *(const bool *)at;
    return size == sizeof(uint32_t) ? *(const uint32_t *)at : *(const uint64_t *)at;
}

static const void *member_at(const struct member *member, const void *subject,
                             const void *document)
{
    return (const char *)(member->is_of_document ? document : subject) + member->offset;
}

static uint64_t member_number(const struct member *member, const struct row *row)
{
    return number_at(member_at(member, row->subject, row->document), member->size);
}

/* Whether a member is not 0; `otherwise` if there is no member, or nothing that could have it.
 */
static bool is_met(const struct member *member, const struct row *row, bool otherwise)
{
    const void *base = member->is_of_document ? row->document : row->subject;
    return member->size > 0 && base ? member_number(member, row) > 0 : otherwise;
}

uint64_t document_number(const struct member *member, const void *document)
{
    return number_at((const char *)document + member->offset, member->size);
}

static bool next_named(struct row *row)
{
    const struct named_row *named = &row->section->rows[row->at++];
    if (!named->key && !named->label)
        return false;
    row->key = named->key;
    row->label = named->label;
    row->remark = named->remark;
    row->unit = named->unit ? named->unit : row->unit;
    row->subject = NULL;
    if (row->document) {
        row->subject = member_at(&named->subject, row->document, NULL);
        row->is_missing =
            named->only_if.size > 0 && document_number(&named->only_if, row->document) == 0;
    }
    return true;
}

static bool next_element(struct row *row)
{
    const struct row_array *array = &row->section->array;
    const char *first = row->document;
    uint64_t length = array->length;
    if (first && array->count.size > 0)
        length = document_number(&array->count, first);
    if (row->at == length)
        return false;
    if (first) {
        first += array->offset;
        if (array->length == 0)
            first = *(const char *const *)(const void *)first;
        row->subject = first + row->at * array->size;
        if (array->are_pointers)
            row->subject = *(const void *const *)row->subject;
    }
    row->at++;
    return true;
}

static bool next_only(struct row *row)
{
    const struct section *section = row->section;
    if (row->document && section->subject.size > 0)
        row->subject = member_at(&section->subject, row->document, NULL);
    if (row->document && section->is_pointer)
        row->subject = *(const void *const *)row->subject;
    return row->at++ == 0;
}

bool row_next(const struct section *section, struct row *row)
{
    row->section = section;
    row->is_silent = row->is_missing = false;
    row->remark = row->note = NULL;
    row->subject = row->document;
    row->key = row->label = "";
    row->unit = section->unit ? section->unit : "";
    bool is_row = section->next             ? section->next(row)
                  : section->rows           ? next_named(row)
                  : section->array.size > 0 ? next_element(row)
                                            : next_only(row);
    if (is_row && section->name)
        section->name(row);
    if (is_row)
        row->is_silent |= !is_met(&section->shown_if, row, true);
    return is_row;
}

static struct value member_value(const struct figure *figure, const struct row *row)
{
    const void *at = member_at(&figure->value, row->subject, row->document);
    switch (figure->kind) {
    case MEMBER_NUMBER:
        return value_number(number_at(at, figure->value.size));
    case MEMBER_WIDE:
        return value_number(*(const wide_sum *)at);
    case MEMBER_TEXT:
        return value_text(*(const char *const *)at);
    case MEMBER_FLAG:
        return value_flag(*(const bool *)at);
    case MEMBER_MEAN:
        return value_distribution_mean(at);
    case MEMBER_GINI:
        return value_gini(at);
    case MEMBER_VALUE:
        return *(const struct value *)at;
    case MEMBER_SHARE:
        return value_share(number_at(at, figure->value.size),
                           member_number(&figure->other, row));
    case MEMBER_WIDE_SHARE:
        return value_wide_share(
            *(const wide_sum *)at,
            *(const wide_sum *)member_at(&figure->other, row->subject, row->document));
    case MEMBER_QUOTIENT:
        return value_mean(*(const wide_sum *)at, member_number(&figure->other, row));
    case MEMBER_WORD:
        break;
    }
    return value_text(figure->words[number_at(at, figure->value.size)]);
}

struct value figure_value(const struct figure *figure, struct row *row)
{
    if (row->is_missing || !row->subject || !is_met(&figure->only_if, row, true))
        return NO_VALUE;
    return figure->of ? figure->of(row) : member_value(figure, row);
}

bool figures_end(const struct figure *figure)
{
    return !figure->key && !figure->label;
}

bool section_exists(const struct section *section, const void *subject)
{
    return section->only_if.size == 0 || document_number(&section->only_if, subject) > 0;
}

struct document document_begin(struct print *print, enum report_format format,
                               const char *schema)
{
    struct document document = {.print = print, .format = format};
    if (format == FORMAT_JSON)
        json_begin(&document, schema);
    return document;
}

static void document_put(struct document *document, const struct section *section,
                         const void *subject)
{
    if (document->format == FORMAT_JSON)
        json_section(document, section, subject);
    else if (section_exists(section, subject))
        text_section(document, section, subject);
}

void document_print(struct document *document, const struct section *sections,
                    const void *subject)
{
    for (; sections->figures; sections++)
        document_put(document, sections, subject);
}

void document_end(struct document *document)
{
    if (document->format == FORMAT_JSON)
        json_end(document);
}

/* Makes the name of a column from keys, with underscores between them and in place of dots and
 * hyphens. */
static const char *column_name(char name[ROW_SCRATCH], const char *const *keys, size_t count)
{
    *name = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(name);
        if (*keys[i])
            snprintf(name + length, ROW_SCRATCH - length, "%s%s", length > 0 ? "_" : "",
                     keys[i]);
    }
    for (char *at = name; (at = strpbrk(at, ".-")) != NULL;)
        *at = '_';
    return name;
}

void document_print_table(struct print *print, const struct section *list, const void *subject)
{
    struct table table;
    struct row row = {.document = subject};
    char name[ROW_SCRATCH];
    print->status = table_begin(&table, print->sink, "", print->why);
    if (print->status != STATUS_OK)
        return;
    for (const struct figure *figure = list->figures; !figures_end(figure); figure++)
        table_text(&table, column_name(name, &figure->key, 1));
    table_end_row(&table);
    while (table.status == STATUS_OK && row_next(list, &row)) {
        for (const struct figure *figure = list->figures; !figures_end(figure); figure++)
            value_put(&table, figure_value(figure, &row));
        table_end_row(&table);
    }
    print->status = table_end(&table);
}

/* How figures are put into the columns of a table. */
struct columns_form {
    struct table *table;
    bool are_names; /* the row has their names instead of their values */
    /* The names of columns that are still to come; NULL: all figures are columns. */
    const char *left;
};

/* Whether a column is the next that is still to come; if so, goes to the one after it. */
static bool is_wanted(struct columns_form *form, const char *name)
{
    size_t length = strlen(name);
    if (!form->left)
        return true;
    if (strncmp(form->left, name, length) != 0 || !strchr(" ", form->left[length]))
        return false;
    form->left += length + (form->left[length] == ' ');
    return true;
}

static void put_row_columns(struct columns_form *form, struct row *row)
{
    char name[ROW_SCRATCH];
    for (const struct figure *figure = row->section->figures; !figures_end(figure); figure++) {
        const char *keys[] = {row->section->key, row->key, figure->key};
        if (!figure->key || !row->key || !is_wanted(form, column_name(name, keys, 3)))
            continue;
        if (form->are_names)
            table_text(form->table, name);
        else
            value_put(form->table, figure_value(figure, row));
    }
}

static void put_columns(struct columns_form *form, const struct document_part *parts,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const struct section *section = parts[i].sections; section->figures; section++) {
            struct row row = {.document = parts[i].subject};
            while (row_next(section, &row)) {
                row.is_missing |= !section_exists(section, parts[i].subject);
                if (section->form != SECTION_LIST || (row.key && *row.key))
                    put_row_columns(form, &row);
            }
        }
}

void document_print_row(struct print *print, const struct document_part *parts, size_t count)
{
    struct table table;
    print->status = table_begin(&table, print->sink, "", print->why);
    if (print->status != STATUS_OK)
        return;
    for (int line = 0; line < 2; line++) {
        struct columns_form form = {.table = &table, .are_names = line == 0};
        put_columns(&form, parts, count);
        table_end_row(&table);
    }
    print->status = table_end(&table);
}
