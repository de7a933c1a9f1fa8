/* SPDX-License-Identifier: MIT */
/* Walks over the sections and rows of a document for the printers of text and JSON, and prints
 * tables. Nothing of a document is kept: a row is printed as it comes, however many there are.
 */
#include "report/form/document.h"

#include "report/form/forms.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

bool row_next(const struct section *section, struct row *row)
{
    row->section = section;
    row->is_silent = row->is_missing = false;
    row->remark = row->note = NULL;
    row->subject = row->document;
    row->key = row->label = row->unit = "";
    return section->next ? section->next(row) : row->at++ == 0;
}

static uint64_t number_at(const char *subject, size_t offset)
{
    return *(const uint64_t *)(const void *)(subject + offset);
}

static struct value member_value(const struct figure *figure, const char *subject)
{
    const void *at = subject + figure->offset;
    switch (figure->member) {
    case MEMBER_NUMBER:
        return value_number(number_at(subject, figure->offset));
    case MEMBER_IF:
        return value_number_if(number_at(subject, figure->other) > 0,
                               number_at(subject, figure->offset));
    case MEMBER_SHARE:
        return value_share(number_at(subject, figure->offset),
                           number_at(subject, figure->other));
    case MEMBER_NODE:
        return value_number(*(const uint32_t *)at);
    case MEMBER_WIDE:
        return value_number(*(const wide_sum *)at);
    case MEMBER_TEXT:
        return value_text(*(const char *const *)at);
    case MEMBER_FLAG:
        return value_flag(*(const bool *)at);
    case MEMBER_MEAN:
        break;
    }
    return value_distribution_mean(at);
}

struct value figure_value(const struct figure *figure, struct row *row)
{
    return figure->of ? figure->of(row) : member_value(figure, row->subject);
}

bool figures_end(const struct figure *figure)
{
    return !figure->key && !figure->label;
}

bool section_exists(const struct section *section, const void *subject)
{
    return !section->exists || section->exists(subject);
}

struct document document_begin(struct print *print, enum report_format format,
                               const char *schema)
{
    struct document document = {.print = print, .format = format};
    if (format == FORMAT_JSON)
        json_begin(&document, schema);
    return document;
}

void document_put(struct document *document, const struct section *section, const void *subject)
{
    if (document->format == FORMAT_JSON)
        json_section(document, section, subject);
    else if (section_exists(section, subject))
        text_section(document->print, document->show, section, subject);
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

static void put_column_name(struct table *table, const char *key)
{
    char name[ROW_SCRATCH];
    snprintf(name, sizeof name, "%s", key);
    for (char *at = name; (at = strchr(at, '.')) != NULL;)
        *at = '_';
    table_text(table, name);
}

void document_print_table(struct print *print, const struct section *list, const void *subject)
{
    struct table table;
    struct row row = {.document = subject};
    print->status = table_begin(&table, print->sink, "", print->why);
    if (print->status != STATUS_OK)
        return;
    for (const struct figure *figure = list->figures; !figures_end(figure); figure++)
        put_column_name(&table, figure->key);
    table_end_row(&table);
    while (table.status == STATUS_OK && row_next(list, &row)) {
        for (const struct figure *figure = list->figures; !figures_end(figure); figure++)
            value_put(&table, figure_value(figure, &row));
        table_end_row(&table);
    }
    print->status = table_end(&table);
}

/* Puts what a row has of one figure: its name or its value. */
static void put_row_field(struct table *table, const struct figure *figure, struct row *row,
                          bool is_name)
{
    const char *keys[] = {row->section->key, row->key, figure->key};
    char name[ROW_SCRATCH] = "";
    for (size_t i = 0; i < sizeof keys / sizeof *keys && is_name; i++) {
        size_t length = strlen(name);
        if (*keys[i])
            snprintf(name + length, sizeof name - length, "%s%s", length > 0 ? "_" : "",
                     keys[i]);
    }
    if (is_name)
        put_column_name(table, name);
    else
        value_put(table, row->is_missing ? NO_VALUE : figure_value(figure, row));
}

/* Puts the names or the values of all figures. */
static void put_row_fields(struct table *table, const struct document_part *parts, size_t count,
                           bool are_names)
{
    for (size_t i = 0; i < count; i++)
        for (const struct section *section = parts[i].sections; section->figures; section++) {
            struct row row = {.document = parts[i].subject};
            while (section->form != SECTION_LIST && row_next(section, &row))
                for (const struct figure *figure = section->figures; !figures_end(figure);
                     figure++)
                    if (figure->key)
                        put_row_field(table, figure, &row, are_names);
        }
    table_end_row(table);
}

void document_print_row(struct print *print, const struct document_part *parts, size_t count)
{
    struct table table;
    print->status = table_begin(&table, print->sink, "", print->why);
    if (print->status != STATUS_OK)
        return;
    put_row_fields(&table, parts, count, true);
    put_row_fields(&table, parts, count, false);
    print->status = table_end(&table);
}
