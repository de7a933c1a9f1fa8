/* SPDX-License-Identifier: MIT */
/* The figures of the first kinds are named and ordered for their readers, as calls of methods
 * and exceptions. A kind that has no such name is listed after them under the name that the
 * table of records has for it, so that none is left out. */
#include "report/validate/kind_figures.h"

static const struct kind_figure named[] = {
    {RECORD_ENTRY, "method calls", "method_calls"},
    {RECORD_UPDATE, "field updates", "field_updates"},
    {RECORD_WITNESS, "witnesses", "witnesses"},
    {RECORD_THROW, "exceptions thrown", "exceptions_thrown"},
    {RECORD_CATCH, "  caught", "exceptions_caught"},
    {RECORD_EXCEPTION_EXIT, "  leaving a method", "exception_exits"},
};

enum { NAMED = sizeof named / sizeof *named };

static bool is_counted_elsewhere(unsigned kind)
{
    return record_is_allocation(kind) || kind == RECORD_EXIT || kind == RECORD_DEATH;
}

static bool has_name(unsigned kind)
{
    for (size_t i = 0; i < NAMED; i++)
        if (named[i].kind == kind)
            return true;
    return false;
}

size_t kind_figures_list(struct kind_figure figures[RECORD_KINDS])
{
    size_t count = 0;
    for (; count < NAMED; count++)
        figures[count] = named[count];
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        if (!is_counted_elsewhere(layout->kind) && !has_name(layout->kind))
            figures[count++] = (struct kind_figure){layout->kind, layout->plural, NULL};
    }
    return count;
}
