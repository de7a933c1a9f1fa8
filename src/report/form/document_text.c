/* SPDX-License-Identifier: MIT */
/* Documents as text. The title of a section is printed with its first line, so a section
 * without lines has no title either. Blanks are printed together with what follows them, so no
 * line ends with one. */
#include "report/form/forms.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Blanks before the label of a row, and before what ends a line. */
enum { INDENT = 2 };

/* A line that is being printed. */
struct line_form {
    struct print *print;
    bool is_tight;
    size_t at;     /* columns printed so far */
    size_t column; /* at which the next cell begins */
};

/* Puts `text` at column `start`, or after the next blank if the line has got farther. */
static void put(struct line_form *line, size_t start, const char *text)
{
    if (line->at > 0 && start <= line->at)
        start = line->at + 1;
    if (start > line->at)
        print_text(line->print, "%*s", (int)(start - line->at), "");
    print_shown(line->print, text);
    line->at = start + strlen(text);
}

/* Puts `text` at the right of the next cell, a blank and `width` columns; if `width` is 0,
 * after two blanks. */
static void put_cell(struct line_form *line, int width, const char *text)
{
    size_t length = strlen(text), room = (size_t)width;
    if (width == 0 && *text)
        put(line, line->column + INDENT, text);
    else if (*text)
        put(line, line->column + 1 + (length < room ? room - length : 0), text);
    line->column += width == 0 ? 0 : 1 + room;
    if (line->column < line->at)
        line->column = line->at;
}

/* Puts a label at the left; the next cell begins at column `width`. */
static void put_label(struct line_form *line, bool is_indented, int width, const char *label)
{
    put(line, is_indented ? INDENT : 0, label);
    line->column = (size_t)width > line->at ? (size_t)width : line->at;
}

static void end_line(struct line_form *line)
{
    print_text(line->print, "\n");
    line->at = line->column = 0;
}

static void put_value(struct line_form *line, int width, const struct value *value)
{
    char out[VALUE_SIZE];
    switch (value->kind) {
    case VALUE_NOTHING:
        put_cell(line, width, "-");
        break;
    case VALUE_TEXT:
        put_cell(line, width, value->text);
        break;
    case VALUE_FLAG:
        put_cell(line, width, value->number ? "yes" : "no");
        break;
    case VALUE_PERCENT:
        snprintf(out, sizeof out, "%" PRIu64 ".%02u%%", (uint64_t)(value->number / 100),
                 (unsigned)(value->number % 100));
        put_cell(line, width, out);
        break;
    default:
        put_cell(line, width, value_digits(out, value));
    }
}

static void print_section_title(struct line_form *line, uint64_t show,
                                const struct section *section, const void *subject)
{
    if (section->total.size == 0) {
        put_label(line, false, section->width, section->title);
        return;
    }
    uint64_t total = document_number(&section->total, subject);
    if (show < total)
        print_text(line->print, "The first %" PRIu64 " of %" PRIu64 " %s:\n", show, total,
                   section->title);
    else
        print_text(line->print, "The %s:\n", section->title);
}

static void put_column_titles(struct line_form *line, const struct section *section,
                              const void *subject)
{
    struct row row = {.document = subject};
    if (section->form == SECTION_UPRIGHT)
        while (row_next(section, &row)) {
            if (!row.is_missing)
                put_cell(line, section->cell, row.label);
        }
    else
        for (const struct figure *figure = section->figures; !figures_end(figure); figure++)
            if (figure->label)
                put_cell(line, figure->width, figure->label);
}

static void print_title_line(struct line_form *line, uint64_t show,
                             const struct section *section, const void *subject)
{
    if (!section->title)
        return;
    if (!line->is_tight)
        print_text(line->print, "\n");
    print_section_title(line, show, section, subject);
    if (section->form != SECTION_LINES)
        put_column_titles(line, section, subject);
    if (line->at > 0)
        end_line(line);
    line->column = 0;
}

static bool is_shown(const struct figure *figure, const struct value *value)
{
    return figure->label && value->kind != VALUE_NOTHING;
}

/* Prints the lines of a note (NULL: none). A line that is too long is broken before what it
 * quotes. */
static void print_note(struct line_form *line, const char *note)
{
    enum { MOST = 76, NOTE_INDENT = 2 * INDENT };
    while (note && *note) {
        size_t length = strcspn(note, "\n");
        const char *quoted = length > MOST ? strstr(note, ": \"") : NULL;
        if (quoted)
            length = (size_t)(quoted + 1 - note);
        print_text(line->print, "%*s%.*s\n", NOTE_INDENT, "", (int)length, note);
        if (quoted)
            print_text(line->print, "%*s%s\n", NOTE_INDENT + INDENT, "", quoted + 2);
        note = quoted ? NULL : note + length + (note[length] == '\n');
    }
}

/* Prints the figures of the only row of a section, a line each. */
static void print_lines(struct line_form *line, const struct section *section,
                        const void *subject)
{
    struct row row = {.document = subject};
    bool is_titled = section->form == SECTION_HEAD;
    if (!row_next(section, &row))
        return;
    for (const struct figure *figure = section->figures; !figures_end(figure); figure++) {
        struct value value = figure->label ? figure_value(figure, &row) : NO_VALUE;
        if (!is_shown(figure, &value))
            continue;
        if (!is_titled)
            print_title_line(line, 0, section, subject);
        is_titled = true;
        put_label(line, section->form != SECTION_HEAD, section->width, figure->label);
        put_value(line, section->form == SECTION_HEAD ? 0 : section->cell, &value);
        end_line(line);
    }
    print_note(line, row.note);
}

/* Prints the rest of a line of a row. */
static void print_cells(struct line_form *line, const struct section *section, struct row *row)
{
    for (const struct figure *figure = section->figures; !figures_end(figure); figure++)
        if (figure->label) {
            struct value value = figure_value(figure, row);
            put_value(line, figure->width, &value);
        }
    if (row->remark)
        put_cell(line, 0, row->remark);
    end_line(line);
    print_note(line, row->note);
}

static void print_section_rows(struct line_form *line, uint64_t show,
                               const struct section *section, const void *subject)
{
    struct row row = {.document = subject};
    uint64_t shown = 0, most = section->total.size > 0
                                   ? document_number(&section->total, subject)
                                   : UINT64_MAX;
    if (section->total.size > 0 && show < most)
        most = show;
    while (shown < most && line->print->status == STATUS_OK && row_next(section, &row)) {
        if (row.is_silent || row.is_missing)
            continue;
        if (shown++ == 0)
            print_title_line(line, show, section, subject);
        line->column = (size_t)section->width;
        if (section->form == SECTION_ROWS || *row.label)
            put_label(line, true, section->width, row.label);
        print_cells(line, section, &row);
    }
}

/* Prints the line of a figure, with a cell for each row. */
static void print_upright_line(struct line_form *line, const struct section *section,
                               const struct figure *figure, const void *subject)
{
    struct row row = {.document = subject};
    put_label(line, true, section->width, figure->label);
    while (row_next(section, &row)) {
        if (row.is_missing)
            continue;
        struct value value = figure_value(figure, &row);
        put_value(line, section->cell, &value);
    }
    end_line(line);
}

static void print_upright(struct line_form *line, const struct section *section,
                          const void *subject)
{
    struct row row = {.document = subject};
    bool has_column = false;
    while (row_next(section, &row))
        has_column |= !row.is_missing;
    if (!has_column)
        return;
    print_title_line(line, 0, section, subject);
    for (const struct figure *figure = section->figures; !figures_end(figure); figure++)
        if (figure->label)
            print_upright_line(line, section, figure, subject);
}

void text_section(const struct document *document, const struct section *section,
                  const void *subject)
{
    struct line_form line = {.print = document->print, .is_tight = document->is_tight};
    switch (section->form) {
    case SECTION_HEAD:
    case SECTION_LINES:
        print_lines(&line, section, subject);
        break;
    case SECTION_ROWS:
    case SECTION_LIST:
        print_section_rows(&line, document->show, section, subject);
        break;
    case SECTION_UPRIGHT:
        print_upright(&line, section, subject);
        break;
    }
}
