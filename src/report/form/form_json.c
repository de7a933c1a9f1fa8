/* SPDX-License-Identifier: MIT */
/* Forms as JSON. Objects and arrays are opened and closed as the paths of keys require.
 * Nothing is built in memory, so there may be any number of rows. The members of one object
 * have to be put one after another. */
#include "report/form/printers.h"

#include <stdio.h>
#include <string.h>

static void new_line(struct form *form)
{
    print_text(form->print, "\n%*s", (int)(2 * form->depth), "");
}

/* Begins a member of the innermost level, or an element, which has no name. */
static void begin_member(struct form *form, const char *name, size_t length)
{
    struct json_level *level = &form->levels[form->depth - 1];
    print_text(form->print, "%s", level->has_members ? "," : "");
    level->has_members = true;
    new_line(form);
    if (!level->is_list)
        print_text(form->print, "\"%.*s\": ", (int)length, name);
}

static void open_level(struct form *form, const char *name, size_t length, bool is_list)
{
    if (form->depth > 0)
        begin_member(form, name, length);
    print_text(form->print, is_list ? "[" : "{");
    struct json_level *level = &form->levels[form->depth++];
    *level = (struct json_level){.is_list = is_list};
    snprintf(level->name, sizeof level->name, "%.*s", (int)length, name);
}

/* Closes levels until there are `depth`. */
static void close_levels(struct form *form, size_t depth)
{
    while (form->depth > depth) {
        struct json_level *level = &form->levels[--form->depth];
        if (level->has_members)
            new_line(form);
        print_text(form->print, level->is_list ? "]" : "}");
    }
}

/* Enters the object `name` at level `depth`; it may be open already. */
static void enter(struct form *form, size_t depth, const char *name, size_t length)
{
    const struct json_level *level = &form->levels[depth];
    if (form->depth > depth && !level->is_list && strlen(level->name) == length &&
        memcmp(level->name, name, length) == 0)
        return;
    close_levels(form, depth);
    open_level(form, name, length, false);
}

/* From the object of level *depth - 1, enters the objects of `path` but for its last name,
 * which it returns. *depth becomes the number of open levels. */
static const char *enter_path(struct form *form, size_t *depth, const char *path)
{
    for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1)
        enter(form, (*depth)++, path, (size_t)(dot - path));
    return path;
}

/* Prints a number, a flag, or null. */
static void print_plain(struct print *print, const struct value *value)
{
    char digits[VALUE_SIZE];
    if (value->kind == VALUE_NOTHING)
        print_text(print, "null");
    else if (value->kind == VALUE_FLAG)
        print_text(print, value->number ? "true" : "false");
    else
        print_text(print, "%s", value_digits(digits, value));
}

static void print_value(const struct form *form, const struct value *value)
{
    struct print *print = form->print;
    bool is_quoted =
        value->kind == VALUE_NUMBER && value->number > INT64_MAX && !form->is_in_html;
    if (value->kind == VALUE_TEXT) {
        (form->is_in_html ? json_print_string : json_print_exact)(print, value->text);
        return;
    }
    if (is_quoted)
        print_bytes(print, "\"", 1);
    print_plain(print, value);
    if (is_quoted)
        print_bytes(print, "\"", 1);
}

/* Puts a value at `path` in the object of level `depth` - 1. */
static void put_member(struct form *form, size_t depth, const char *path,
                       const struct value *value)
{
    const char *name = enter_path(form, &depth, path);
    close_levels(form, depth);
    begin_member(form, name, strlen(name));
    print_value(form, value);
}

static const struct form_cell *cell_at(const struct form *form, size_t number)
{
    return &form->cells[form->row.first + number];
}

/* Whether the first figure is the value of its row. */
static bool is_value(const struct form *form)
{
    return form->row.count > 0 && cell_at(form, 0)->key && !*cell_at(form, 0)->key;
}

/* Begins what the section is in: the objects of its path, and its own object or array. The row
 * at hand, if there is one, shows whether an array is one of values. */
static void open_section(struct form *form)
{
    struct form_section *section = &form->section;
    bool is_list = section->form == SECTION_LIST;
    section->is_open = true;
    section->depth = 1;
    const char *name = enter_path(form, &section->depth, section->path);
    if (is_list)
        close_levels(form, section->depth);
    section->is_of_values = is_list && is_value(form);
    if (is_list && form->kind == FORM_DATA && !section->is_of_values)
        begin_member(form, name, strlen(name));
    else if (is_list)
        open_level(form, name, strlen(name), true);
    else if (*name)
        enter(form, section->depth++, name, strlen(name));
}

static void put_figures(struct form *form, size_t depth)
{
    const struct form_row *row = &form->row;
    for (size_t i = 0; i < row->count; i++) {
        const struct form_cell *cell = cell_at(form, i);
        struct value value = form_cell_value(form, row, cell);
        if (cell->key)
            put_member(form, depth, *cell->key ? cell->key : form_text_at(form, row->key),
                       &value);
    }
}

/* Puts a row at the end of the array of the section. */
static void put_item(struct form *form)
{
    size_t depth = form->section.depth + 1;
    close_levels(form, depth);
    if (form->section.is_of_values) {
        struct value value = form_cell_value(form, &form->row, cell_at(form, 0));
        begin_member(form, NULL, 0);
        print_value(form, &value);
        return;
    }
    open_level(form, "", 0, false);
    put_figures(form, depth + 1);
}

/* Puts a row that has a key into the object of the section. */
static void put_named(struct form *form)
{
    const struct value nothing = NO_VALUE;
    const char *key = form_text_at(form, form->row.key);
    size_t depth = form->section.depth;
    if (form->row.is_missing) {
        close_levels(form, depth);
        begin_member(form, key, strlen(key));
        print_value(form, &nothing);
    } else if (*key && !is_value(form)) {
        enter(form, depth, key, strlen(key));
        put_figures(form, depth + 1);
    } else {
        put_figures(form, depth);
    }
}

static void put_column_names(const struct form *form)
{
    struct print *print = form->print;
    print_text(print, "{\"columns\":[");
    for (size_t i = 0; i < form->row.count; i++)
        print_text(print, "%s\"%s\"", i == 0 ? "" : ",", cell_at(form, i)->key);
    print_text(print, "],\"rows\":[");
}

/* Puts a row of a table, as form_begin_data describes it; before the first one the names of the
 * columns. */
static void put_table_row(struct form *form, bool is_first)
{
    struct print *print = form->print;
    if (is_first)
        put_column_names(form);
    if (form->row.names_columns)
        return;
    print_text(print, is_first ? "\n[" : ",\n[");
    for (size_t i = 0; i < form->row.count; i++) {
        struct value value = form_cell_value(form, &form->row, cell_at(form, i));
        print_text(print, i == 0 ? "" : ",");
        if (value.kind == VALUE_TEXT)
            json_print_cut_string(print, value.text, form->longest);
        else
            print_plain(print, &value);
    }
    print_text(print, "]");
}

void form_print_json_row(struct form *form)
{
    struct form_section *section = &form->section;
    bool is_list = section->form == SECTION_LIST, is_first = !section->is_open;
    if (section->is_missing)
        return;
    if (is_first)
        open_section(form);
    if (is_list && form->kind == FORM_DATA && !section->is_of_values)
        put_table_row(form, is_first);
    else if (form->row.names_columns)
        return;
    else if (is_list)
        put_item(form);
    else if (form->row.key > 0)
        put_named(form);
}

void form_end_json(struct form *form)
{
    const struct value nothing = NO_VALUE;
    struct form_section *section = &form->section;
    bool is_table = section->form == SECTION_LIST && form->kind == FORM_DATA;
    if (section->is_missing) {
        put_member(form, 1, section->path, &nothing);
        return;
    }
    if (!section->is_open)
        open_section(form);
    if (is_table && !section->is_of_values)
        print_text(form->print, "]}");
}

void form_begin_json(struct form *form)
{
    open_level(form, "", 0, false);
    if (!form->schema)
        return;
    const struct value name = value_text(form->schema), version = value_text(PACKAGE_VERSION);
    put_member(form, 1, "schema", &name);
    put_member(form, 1, "etmerlin", &version);
}

void form_finish_json(struct form *form)
{
    close_levels(form, 0);
    print_text(form->print, "\n");
}
