/* SPDX-License-Identifier: MIT */
/* Keeps the figures of a row until it is complete, since the first row of a section is printed
 * after the names of its columns; texts are copied, so they may be composed for a row. Only
 * sections that are printed upright are kept as a whole. Tables are printed here, text and JSON
 * by printers of their own. */
#include "report/form/printers.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool form_works(const struct form *form)
{
    return form->print->status == STATUS_OK &&
           (!form->table || form->table->status == STATUS_OK);
}

static void fail_form(struct form *form)
{
    struct print *print = form->print;
    if (print->status == STATUS_OK)
        print->status = fail_memory(print->why);
}

/* Copies a text (NULL: none). */
static size_t keep_text(struct form *form, const char *text)
{
    if (!text)
        return 0;
    size_t at = form->text_length, length = strlen(text) + 1;
    if (!ARRAY_RESERVE(form->texts, form->text_capacity, at + length)) {
        fail_form(form);
        return 0;
    }
    memcpy(form->texts + at, text, length);
    form->text_length += length;
    return at + 1;
}

const char *form_text_at(const struct form *form, size_t text)
{
    return text > 0 ? form->texts + text - 1 : NULL;
}

struct value form_cell_value(const struct form *form, const struct form_row *row,
                             const struct form_cell *cell)
{
    if (form->section.is_missing || row->is_missing)
        return NO_VALUE;
    struct value value = cell->value;
    if (value.kind == VALUE_TEXT)
        value.text = form_text_at(form, cell->text);
    return value;
}

static bool is_json(const struct form *form)
{
    return form->kind == FORM_JSON || form->kind == FORM_DATA;
}

/* Begins a form like `begun`, with nothing in it. */
static struct form *new_form(struct print *print, const struct form *begun)
{
    struct form *form = malloc(sizeof *form);
    if (!form) {
        print->status = fail_memory(print->why);
        return NULL;
    }
    *form = *begun;
    form->print = print;
    if (is_json(form))
        form_begin_json(form);
    return form;
}

struct form *form_begin(struct print *print, enum report_format format, const char *schema)
{
    enum form_kind kind = format == FORMAT_JSON ? FORM_JSON : FORM_TEXT;
    return new_form(print, &(struct form){.kind = kind, .schema = schema});
}

struct form *form_begin_tight(struct print *print)
{
    return new_form(print, &(struct form){.kind = FORM_TEXT, .is_tight = true});
}

struct form *form_begin_in_html(struct print *print, const char *schema)
{
    return new_form(print,
                    &(struct form){.kind = FORM_JSON, .schema = schema, .is_in_html = true});
}

struct form *form_begin_data(struct print *print, size_t longest)
{
    return new_form(print,
                    &(struct form){.kind = FORM_DATA, .longest = longest, .is_in_html = true});
}

struct form *form_begin_table(struct print *print)
{
    struct form *form = new_form(print, &(struct form){.kind = FORM_TABLE});
    if (!form)
        return NULL;
    form->table = &form->own;
    print->status = table_begin(form->table, print->sink, "", print->why);
    if (print->status == STATUS_OK)
        return form;
    free(form);
    return NULL;
}

struct form *form_begin_row(struct print *print, struct table *table, const char *columns,
                            bool are_names)
{
    return new_form(print, &(struct form){.kind = FORM_ROW,
                                          .table = table,
                                          .columns = columns,
                                          .are_names = are_names});
}

bool form_is_text(const struct form *form)
{
    return form->kind == FORM_TEXT;
}

/* Makes the name of a column from keys, with underscores between them and in place of dots and
 * hyphens. */
static const char *column_name(char name[COMPOSED_SIZE], const char *const *keys, size_t count)
{
    *name = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(name);
        if (*keys[i])
            snprintf(name + length, COMPOSED_SIZE - length, "%s%s", length > 0 ? "_" : "",
                     keys[i]);
    }
    for (char *at = name; (at = strpbrk(at, ".-")) != NULL;)
        *at = '_';
    return name;
}

static const struct form_cell *row_cells(const struct form *form)
{
    return form->cells + form->row.first;
}

static void print_table_names(struct form *form)
{
    char name[COMPOSED_SIZE];
    for (size_t i = 0; i < form->row.count; i++)
        table_text(form->table, column_name(name, &row_cells(form)[i].key, 1));
    table_end_row(form->table);
}

static void print_table_row(struct form *form)
{
    if (form->section.rows++ == 0)
        print_table_names(form);
    if (form->row.names_columns)
        return;
    for (size_t i = 0; i < form->row.count; i++)
        value_put(form->table, form_cell_value(form, &form->row, &row_cells(form)[i]));
    table_end_row(form->table);
}

/* Whether a column is the next that is still to come; if so, goes to the one after it. */
static bool is_wanted(struct form *form, const char *name)
{
    size_t length = strlen(name);
    if (!form->columns)
        return true;
    if (strncmp(form->columns, name, length) != 0 || !strchr(" ", form->columns[length]))
        return false;
    form->columns += length + (form->columns[length] == ' ');
    return true;
}

static void print_columns(struct form *form)
{
    char name[COMPOSED_SIZE];
    const char *row_key = form_text_at(form, form->row.key);
    if (!row_key || (form->section.form == SECTION_LIST && !*row_key))
        return;
    for (size_t i = 0; i < form->row.count; i++) {
        const struct form_cell *cell = &row_cells(form)[i];
        const char *keys[] = {form->section.path, row_key, cell->key};
        if (!cell->key || !is_wanted(form, column_name(name, keys, 3)))
            continue;
        if (form->are_names)
            table_text(form->table, name);
        else
            value_put(form->table, form_cell_value(form, &form->row, cell));
    }
}

static void print_row(struct form *form)
{
    switch (form->kind) {
    case FORM_TEXT:
        form_print_text_row(form);
        break;
    case FORM_JSON:
    case FORM_DATA:
        form_print_json_row(form);
        break;
    case FORM_TABLE:
        print_table_row(form);
        break;
    case FORM_ROW:
        print_columns(form);
        break;
    }
}

/* Forgets the cells and texts of rows that have been printed. */
static void forget_rows(struct form *form)
{
    form->cell_count = form->text_length = form->row_count = 0;
}

static bool is_kept_whole(const struct form *form)
{
    return form->kind == FORM_TEXT && form->section.form == SECTION_UPRIGHT;
}

/* Prints the row, or keeps it for the end of its section. */
static void end_row(struct form *form)
{
    struct form_row *row = &form->row;
    if (!row->is_there)
        return;
    row->count = form->cell_count - row->first;
    if (!is_kept_whole(form)) {
        if (form_works(form))
            print_row(form);
        forget_rows(form);
    } else if (ARRAY_RESERVE(form->rows, form->row_capacity, form->row_count + 1)) {
        form->rows[form->row_count++] = *row;
    } else {
        fail_form(form);
    }
    *row = (struct form_row){.is_there = false};
}

void form_end(struct form *form)
{
    if (!form->section.is_there)
        return;
    end_row(form);
    if (form->kind == FORM_TEXT && form_works(form))
        form_end_text(form);
    if (is_json(form) && form_works(form))
        form_end_json(form);
    forget_rows(form);
    form->section = (struct form_section){.is_there = false};
}

void form_finish(struct form *form)
{
    struct print *print = form->print;
    form_end(form);
    if (is_json(form))
        form_finish_json(form);
    if (form->kind == FORM_TABLE) {
        enum status status = table_end(form->table);
        if (print->status == STATUS_OK)
            print->status = status;
    }
    free(form->cells);
    free(form->rows);
    free(form->texts);
    free(form);
}

static void begin_section(struct form *form, const struct form_section *section)
{
    form_end(form);
    form->section = *section;
    form->section.is_there = true;
    form->has_no_rows = false;
    if (section->form == SECTION_HEAD || section->form == SECTION_LINES)
        form_row(form, "", "");
}

void form_head(struct form *form, const char *path)
{
    begin_section(
        form, &(struct form_section){.form = SECTION_HEAD, .path = path, .width = HEAD_WIDTH});
}

void form_lines(struct form *form, const char *path, const char *title, int width, int cell)
{
    begin_section(
        form,
        &(struct form_section){
            .form = SECTION_LINES, .path = path, .title = title, .width = width, .cell = cell});
}

void form_rows(struct form *form, const char *path, const char *title, int width)
{
    begin_section(form,
                  &(struct form_section){
                      .form = SECTION_ROWS, .path = path, .title = title, .width = width});
}

void form_upright(struct form *form, const char *path, const char *title, int width, int cell)
{
    begin_section(form, &(struct form_section){.form = SECTION_UPRIGHT,
                                               .path = path,
                                               .title = title,
                                               .width = width,
                                               .cell = cell});
}

void form_list(struct form *form, const char *path, const char *title, int width)
{
    begin_section(form,
                  &(struct form_section){
                      .form = SECTION_LIST, .path = path, .title = title, .width = width});
}

void form_list_of(struct form *form, const char *path, const char *title, uint64_t show,
                  uint64_t total)
{
    begin_section(form, &(struct form_section){.form = SECTION_LIST,
                                               .path = path,
                                               .title = title,
                                               .has_total = true,
                                               .show = show,
                                               .total = total});
}

void form_only_if(struct form *form, bool is_there)
{
    form->section.is_missing = !is_there;
}

void form_row(struct form *form, const char *key, const char *label)
{
    end_row(form);
    form->row = (struct form_row){
        .is_there = true,
        .names_columns = form->has_no_rows,
        .first = form->cell_count,
        .key = keep_text(form, key),
        .label = keep_text(form, label),
    };
    form->has_no_rows = false;
}

void form_item(struct form *form)
{
    form_row(form, "", "");
}

void form_row_if(struct form *form, bool is_there, const char *key, const char *label)
{
    form_row(form, key, label);
    form->row.is_missing = !is_there;
}

void form_hide_row(struct form *form)
{
    form->row.is_silent = true;
}

void form_remark(struct form *form, const char *remark)
{
    form->row.remark = keep_text(form, remark);
}

void form_note(struct form *form, const char *note)
{
    form->row.note = keep_text(form, note);
}

void form_keep_status(struct form *form, enum status status)
{
    form->print->status = status;
}

struct failure *form_failure(const struct form *form)
{
    return form->print->why;
}

struct value form_name(struct form *form, const char *made)
{
    if (!made)
        fail_form(form);
    return value_text(made);
}

bool form_next(struct form *form, uint64_t i, uint64_t count)
{
    form->has_no_rows = count == 0 && i == 0;
    return form_works(form) && (i < count || form->has_no_rows);
}

static void add_cell(struct form *form, const struct form_cell *figure)
{
    if (!ARRAY_RESERVE(form->cells, form->cell_capacity, form->cell_count + 1)) {
        fail_form(form);
        return;
    }
    struct form_cell *cell = &form->cells[form->cell_count++];
    *cell = *figure;
    if (cell->value.kind == VALUE_TEXT)
        cell->text = keep_text(form, cell->value.text);
}

void form_put(struct form *form, const char *key, const char *unit, struct value value)
{
    (void)unit; /* tests compare it with the schema */
    add_cell(form, &(struct form_cell){.key = key, .value = value});
}

void form_line(struct form *form, const char *key, const char *label, const char *unit,
               struct value value)
{
    (void)unit;
    add_cell(form, &(struct form_cell){.key = key, .label = label, .value = value});
}

void form_cell(struct form *form, const char *key, const char *label, int width,
               const char *unit, struct value value)
{
    (void)unit;
    add_cell(form,
             &(struct form_cell){.key = key, .label = label, .width = width, .value = value});
}
