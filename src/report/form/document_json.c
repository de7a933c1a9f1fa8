/* SPDX-License-Identifier: MIT */
/* Documents as JSON. Objects and arrays are opened and closed as the paths of keys require.
 * Nothing is built in memory, so there may be any number of rows. The members of one object
 * have to follow one another in the tables of figures. */
#include "report/form/forms.h"
#include "report/form/json.h"

#include <stdio.h>
#include <string.h>

static void new_line(struct document *document)
{
    print_text(document->print, "\n%*s", (int)(2 * document->depth), "");
}

/* Begins a member of the innermost level, or an element, which has no name. */
static void begin_member(struct document *document, const char *name, size_t length)
{
    struct json_level *level = &document->levels[document->depth - 1];
    print_text(document->print, "%s", level->has_members ? "," : "");
    level->has_members = true;
    new_line(document);
    if (!level->is_list)
        print_text(document->print, "\"%.*s\": ", (int)length, name);
}

static void open_level(struct document *document, const char *name, size_t length, bool is_list)
{
    if (document->depth > 0)
        begin_member(document, name, length);
    print_text(document->print, is_list ? "[" : "{");
    struct json_level *level = &document->levels[document->depth++];
    *level = (struct json_level){.is_list = is_list};
    snprintf(level->name, sizeof level->name, "%.*s", (int)length, name);
}

/* Closes levels until there are `depth`. */
static void close_levels(struct document *document, size_t depth)
{
    while (document->depth > depth) {
        struct json_level *level = &document->levels[--document->depth];
        if (level->has_members)
            new_line(document);
        print_text(document->print, level->is_list ? "]" : "}");
    }
}

/* Enters the object `name` at level `depth`; it may be open already. */
static void enter(struct document *document, size_t depth, const char *name, size_t length)
{
    const struct json_level *level = &document->levels[depth];
    if (document->depth > depth && !level->is_list && strlen(level->name) == length &&
        memcmp(level->name, name, length) == 0)
        return;
    close_levels(document, depth);
    open_level(document, name, length, false);
}

/* From the object of level *depth - 1, enters the objects of `path` but for its last name,
 * which it returns. *depth becomes the number of open levels. */
static const char *enter_path(struct document *document, size_t *depth, const char *path)
{
    for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1)
        enter(document, (*depth)++, path, (size_t)(dot - path));
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

static void print_value(const struct document *document, const struct value *value)
{
    struct print *print = document->print;
    bool is_quoted =
        value->kind == VALUE_NUMBER && value->number > INT64_MAX && !document->is_in_html;
    if (value->kind == VALUE_TEXT) {
        (document->is_in_html ? json_print_string : json_print_exact)(print, value->text);
        return;
    }
    if (is_quoted)
        print_bytes(print, "\"", 1);
    print_plain(print, value);
    if (is_quoted)
        print_bytes(print, "\"", 1);
}

/* Puts a value at `path` in the object of level `depth` - 1. */
static void put_member(struct document *document, size_t depth, const char *path,
                       const struct value *value)
{
    const char *name = enter_path(document, &depth, path);
    close_levels(document, depth);
    begin_member(document, name, strlen(name));
    print_value(document, value);
}

static void put_figures(struct document *document, size_t depth, const struct section *section,
                        struct row *row)
{
    for (const struct figure *figure = section->figures; !figures_end(figure); figure++)
        if (figure->key) {
            struct value value = figure_value(figure, row);
            put_member(document, depth, *figure->key ? figure->key : row->key, &value);
        }
}

/* Whether a list is an array of values, not of objects. */
static bool is_of_values(const struct section *list)
{
    return list->figures[0].key && !*list->figures[0].key;
}

/* Puts a row at the end of the array of level `depth` - 1. */
static void put_item(struct document *document, size_t depth, const struct section *section,
                     struct row *row)
{
    if (is_of_values(section)) {
        struct value value = figure_value(&section->figures[0], row);
        begin_member(document, NULL, 0);
        print_value(document, &value);
        return;
    }
    open_level(document, "", 0, false);
    put_figures(document, depth + 1, section, row);
}

static void put_list(struct document *document, size_t depth, const struct section *section,
                     const void *subject)
{
    struct row row = {.document = subject};
    uint64_t most =
        section->total.size > 0 ? document_number(&section->total, subject) : UINT64_MAX;
    if (section->total.size > 0 && document->show < most)
        most = document->show;
    for (; most > 0 && document->print->status == STATUS_OK && row_next(section, &row);
         most--) {
        close_levels(document, depth);
        put_item(document, depth, section, &row);
    }
    close_levels(document, depth);
}

/* Puts a row that has a key into the object of level `depth` - 1. */
static void put_named(struct document *document, size_t depth, const struct section *section,
                      struct row *row)
{
    const struct value nothing = NO_VALUE;
    const char *key = section->figures[0].key;
    if (row->is_missing) {
        close_levels(document, depth);
        begin_member(document, row->key, strlen(row->key));
        print_value(document, &nothing);
    } else if (*row->key && !(key && !*key)) {
        enter(document, depth, row->key, strlen(row->key));
        put_figures(document, depth + 1, section, row);
    } else {
        put_figures(document, depth, section, row);
    }
}

static void put_rows(struct document *document, size_t depth, const struct section *section,
                     const void *subject)
{
    struct row row = {.document = subject};
    while (document->print->status == STATUS_OK && row_next(section, &row))
        if (row.key)
            put_named(document, depth, section, &row);
}

static void put_columns(struct print *print, const struct figure *figures)
{
    print_text(print, "{\"columns\":[");
    for (const struct figure *figure = figures; !figures_end(figure); figure++)
        print_text(print, "%s\"%s\"", figure == figures ? "" : ",", figure->key);
    print_text(print, "],\"rows\":[");
}

/* Puts a list as document_begin_data describes it. */
static void put_table(const struct document *document, const struct section *list,
                      const void *subject)
{
    struct print *print = document->print;
    struct row row = {.document = subject};
    put_columns(print, list->figures);
    for (bool is_first = true; print->status == STATUS_OK && row_next(list, &row);
         is_first = false) {
        print_text(print, is_first ? "\n[" : ",\n[");
        for (const struct figure *figure = list->figures; !figures_end(figure); figure++) {
            struct value value = figure_value(figure, &row);
            print_text(print, figure == list->figures ? "" : ",");
            if (value.kind == VALUE_TEXT)
                json_print_cut_string(print, value.text, document->longest);
            else
                print_plain(print, &value);
        }
        print_text(print, "]");
    }
    print_text(print, "]}");
}

/* Puts a list that is the member `name` of the object of level `depth` - 1. */
static void put_list_member(struct document *document, size_t depth, const char *name,
                            const struct section *list, const void *subject)
{
    close_levels(document, depth);
    if (document->longest > 0 && !is_of_values(list)) {
        begin_member(document, name, strlen(name));
        put_table(document, list, subject);
        return;
    }
    open_level(document, name, strlen(name), true);
    put_list(document, depth + 1, list, subject);
}

void json_section(struct document *document, const struct section *section, const void *subject)
{
    const struct value nothing = NO_VALUE;
    size_t depth = 1;
    if (!section_exists(section, subject)) {
        put_member(document, depth, section->key, &nothing);
        return;
    }
    const char *name = enter_path(document, &depth, section->key);
    if (section->form == SECTION_LIST) {
        put_list_member(document, depth, name, section, subject);
        return;
    }
    if (*name)
        enter(document, depth++, name, strlen(name));
    put_rows(document, depth, section, subject);
}

void json_begin(struct document *document, const char *schema)
{
    const struct value name = value_text(schema), version = value_text(PACKAGE_VERSION);
    open_level(document, "", 0, false);
    if (!schema)
        return;
    put_member(document, 1, "schema", &name);
    put_member(document, 1, "etmerlin", &version);
}

void json_end(struct document *document)
{
    close_levels(document, 0);
    print_text(document->print, "\n");
}
