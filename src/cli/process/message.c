/* SPDX-License-Identifier: MIT */
/* All messages have one form, whether they report a failure or not. So they are printed as
 * failures are, which also escapes parts of names and traces in them. */
#include "cli/process/process.h"

#include "report/form/common.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

const char message_program[] = "etmerlin";

void message(const char *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct failure what = {.file = (char *)(uintptr_t)file};
    if (vasprintf(&what.text, format, arguments) < 0)
        what.text = NULL;
    va_end(arguments);
    failure_print(&what, message_program, stderr);
    free(what.text);
}

/* Warns of a trace without records, which is hardly what was meant. */
static void print_empty(const struct reader *reader)
{
    if (reader->has_records)
        return;
    message(reader->name, "The trace has no records%s",
            reader->has_unknown ? ": it has lines of unknown kinds, which --validate shows"
            : reader->mark.is_of_ettrace ? ": perhaps --start-at of ettrace was never reached"
                                         : "");
}

void remarks_print(const struct reader *reader)
{
    print_empty(reader);
    size_t count;
    const struct remark *remarks = reader_remarks(reader, &count);
    for (size_t i = 0; i < count; i++) {
        if (remarks[i].count == 0)
            continue;
        if (remarks[i].once)
            message(reader->name, "%s", remarks[i].text);
        else
            message(reader->name, "%s: %" PRIu64, remarks[i].text, remarks[i].count);
    }
}

void remarks_print_passed_over(const struct reader *reader, uint64_t malformed)
{
    if (malformed > 0)
        message(reader->name, "%" PRIu64 " malformed line%s skipped", malformed,
                malformed == 1 ? " was" : "s were");
    remarks_print(reader);
}

void remarks_print_early(const struct reader *reader, const struct assumptions *assumptions)
{
    const char *early = early_deaths(reader->mark.level, assumptions);
    if (early)
        message(reader->name, "%s, so lifetimes are too short: see WHICH LEVEL in man ettrace",
                early);
}

void remarks_print_lists(const struct reader *reader, const struct list_remarks *remarks)
{
    if (remarks->doubtful)
        message(remarks->doubtful,
                "This list has no id, and its folder has several traces of ettrace: its names "
                "may not be those of %s",
                reader->name);
    for (size_t i = 0; i < remarks->fault_count; i++)
        failure_print(&remarks->faults[i], message_program, stderr);
    if (remarks->tied)
        message(remarks->tied,
                "This list has the id of a trace, and %s has none: its names may be those of "
                "another trace",
                reader->name);
}
