/* SPDX-License-Identifier: MIT */
/* Linked into a program of its own, which is etmerlin, but appends a line "SCHEMA PATH UNIT" to
 * the file $FIGURES for each figure that a document in JSON gets, also for those without a
 * value. The linker puts these functions before those that put figures. */
#define _POSIX_C_SOURCE 200809L

#include "report/form/printers.h"

#include <stdio.h>
#include <stdlib.h>

void __real_form_put(struct form *form, const char *key, const char *unit, struct value value);
void __real_form_line(struct form *form, const char *key, const char *label, const char *unit,
                      struct value value);
void __real_form_cell(struct form *form, const char *key, const char *label, int width,
                      const char *unit, struct value value);
void __wrap_form_put(struct form *form, const char *key, const char *unit, struct value value);
void __wrap_form_line(struct form *form, const char *key, const char *label, const char *unit,
                      struct value value);
void __wrap_form_cell(struct form *form, const char *key, const char *label, int width,
                      const char *unit, struct value value);

/* Appends a part of a path. */
static void print_part(FILE *seen, const char **dot, const char *part)
{
    if (!*part)
        return;
    fprintf(seen, "%s%s", *dot, part);
    *dot = ".";
}

static void see(const struct form *form, const char *key, const char *unit)
{
    const char *file = getenv("FIGURES"), *dot = "";
    const char *row = form_text_at(form, form->row.key);
    bool is_list = form->section.form == SECTION_LIST;
    if (!file || form->kind != FORM_JSON || !key || !row)
        return;
    FILE *seen = fopen(file, "a");
    if (!seen)
        abort();
    fprintf(seen, "%s ", form->schema);
    print_part(seen, &dot, form->section.path);
    print_part(seen, &dot, is_list ? "[]" : row);
    print_part(seen, &dot, key);
    fprintf(seen, " %s\n", unit);
    if (fclose(seen) != 0)
        abort();
}

void __wrap_form_put(struct form *form, const char *key, const char *unit, struct value value)
{
    see(form, key, unit);
    __real_form_put(form, key, unit, value);
}

void __wrap_form_line(struct form *form, const char *key, const char *label, const char *unit,
                      struct value value)
{
    see(form, key, unit);
    __real_form_line(form, key, label, unit, value);
}

void __wrap_form_cell(struct form *form, const char *key, const char *label, int width,
                      const char *unit, struct value value)
{
    see(form, key, unit);
    __real_form_cell(form, key, label, width, unit, value);
}
