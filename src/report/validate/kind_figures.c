/* SPDX-License-Identifier: MIT */
/* The figures of some kinds have names and an order for readers, such as method calls and
 * exceptions. All other kinds follow under their names in the table of records, so that none is
 * left out. */
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
