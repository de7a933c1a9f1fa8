/* SPDX-License-Identifier: MIT */
/* Forms as text. The title of a section is printed with its first line, so a section
 * without lines has no title either. Blanks are printed together with what follows them, so no
 * line ends with one. */
#include "report/form/printers.h"

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

static void print_section_title(struct line_form *line, const struct form *form)
{
    const struct form_section *section = &form->section;
    if (!section->has_total)
        put_label(line, false, section->width, section->title);
    else if (section->show < section->total)
        print_text(line->print, "The first %" PRIu64 " of %" PRIu64 " %s:\n", section->show,
                   section->total, section->title);
    else
        print_text(line->print, "The %s:\n", section->title);
}

/* The labels of rows, or of the figures of the first row. */
static void put_column_titles(struct line_form *line, const struct form *form)
{
    const struct form_row *row = &form->row;
    if (form->section.form == SECTION_UPRIGHT)
        for (size_t i = 0; i < form->row_count; i++) {
            if (!form->rows[i].is_missing)
                put_cell(line, form->section.cell, form_text_at(form, form->rows[i].label));
        }
    else
        for (size_t i = 0; i < row->count; i++) {
            const struct form_cell *cell = &form->cells[row->first + i];
            if (cell->label)
                put_cell(line, cell->width, cell->label);
        }
}

static void print_title_line(struct line_form *line, const struct form *form)
{
    if (!form->section.title)
        return;
    if (!line->is_tight)
        print_text(line->print, "\n");
    print_section_title(line, form);
    if (form->section.form != SECTION_LINES)
        put_column_titles(line, form);
    if (line->at > 0)
        end_line(line);
    line->column = 0;
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

/* Prints the figures of a row, a line each, but for those without a value. */
static void print_lines(struct line_form *line, struct form *form)
{
    const struct form_row *row = &form->row;
    bool is_head = form->section.form == SECTION_HEAD, is_titled = is_head;
    for (size_t i = 0; i < row->count; i++) {
        const struct form_cell *cell = &form->cells[row->first + i];
        struct value value = form_cell_value(form, row, cell);
        if (!cell->label || value.kind == VALUE_NOTHING)
            continue;
        if (!is_titled)
            print_title_line(line, form);
        is_titled = true;
        put_label(line, !is_head, form->section.width, cell->label);
        put_value(line, is_head ? 0 : form->section.cell, &value);
        end_line(line);
    }
    print_note(line, form_text_at(form, row->note));
}

/* Prints a row as a line. */
static void print_row_line(struct line_form *line, struct form *form)
{
    const struct form_row *row = &form->row;
    const char *label = form_text_at(form, row->label);
    const char *remark = form_text_at(form, row->remark);
    if (row->is_silent || row->is_missing || row->names_columns)
        return;
    if (form->section.rows++ == 0)
        print_title_line(line, form);
    line->column = (size_t)form->section.width;
    if (form->section.form == SECTION_ROWS || *label)
        put_label(line, true, form->section.width, label);
    for (size_t i = 0; i < row->count; i++) {
        const struct form_cell *cell = &form->cells[row->first + i];
        struct value value = form_cell_value(form, row, cell);
        if (cell->label)
            put_value(line, cell->width, &value);
    }
    if (remark)
        put_cell(line, 0, remark);
    end_line(line);
    print_note(line, form_text_at(form, row->note));
}

void form_print_text_row(struct form *form)
{
    struct line_form line = {.print = form->print, .is_tight = form->is_tight};
    if (form->section.is_missing)
        return;
    if (form->section.form == SECTION_HEAD || form->section.form == SECTION_LINES)
        print_lines(&line, form);
    else
        print_row_line(&line, form);
}

/* Prints the line of figure number `figure`, with a cell for each row. */
static void print_upright_line(struct line_form *line, const struct form *form, size_t figure)
{
    put_label(line, true, form->section.width, form->cells[figure].label);
    for (size_t i = 0; i < form->row_count; i++) {
        const struct form_row *row = &form->rows[i];
        if (row->is_missing)
            continue;
        struct value value = form_cell_value(form, row, &form->cells[row->first + figure]);
        put_value(line, form->section.cell, &value);
    }
    end_line(line);
}

void form_end_text(struct form *form)
{
    struct line_form line = {.print = form->print, .is_tight = form->is_tight};
    bool has_column = false;
    for (size_t i = 0; i < form->row_count; i++)
        has_column |= !form->rows[i].is_missing;
    if (form->section.is_missing || !has_column)
        return;
    print_title_line(&line, form);
    for (size_t i = 0; i < form->rows[0].count; i++)
        if (form->cells[i].label)
            print_upright_line(&line, form, i);
}
