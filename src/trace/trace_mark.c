/* SPDX-License-Identifier: MIT */
/* The line is a comment to programs that do not look for it, so that all of them can read a
 * trace with an id. */
#include "trace/trace_mark.h"

#include <stdio.h>
#include <string.h>

static const char id_begin[] = "# id ";
static const char tracer_begin[] = "# ettrace ";

bool trace_mark_take_id(char id[TRACE_ID_DIGITS + 1], const char *line, size_t length)
{
    enum { BEGIN = sizeof id_begin - 1 };
    if (length > 0 && line[length - 1] == '\r')
        length--;
    if (length != BEGIN + TRACE_ID_DIGITS || memcmp(line, id_begin, BEGIN) != 0)
        return false;
    for (size_t i = BEGIN; i < length; i++)
        if (!memchr("0123456789abcdef", line[i], 16))
            return false;
    memcpy(id, line + BEGIN, TRACE_ID_DIGITS);
    id[TRACE_ID_DIGITS] = '\0';
    return true;
}

static const char *const levels[] = {
    [TRACE_LEVEL_ET3] = "et3", [TRACE_LEVEL_STORES] = "stores", [TRACE_LEVEL_EXACT] = "exact"};

const char *trace_level_name(enum trace_level level)
{
    return levels[level];
}

bool trace_level_lacks_locals(enum trace_level level)
{
    return level == TRACE_LEVEL_ET3 || level == TRACE_LEVEL_STORES;
}

/* The level at the end of ettrace's first line, "# ettrace VERSION, level NAME". */
static enum trace_level level_of(const char *line, size_t length)
{
    static const char before[] = ", level ";
    const char *found = memmem(line, length, before, sizeof before - 1);
    if (!found)
        return TRACE_LEVEL_UNKNOWN;
    const char *name = found + sizeof before - 1;
    size_t rest = (size_t)(line + length - name);
    if (rest > 0 && name[rest - 1] == '\r')
        rest--;
    for (enum trace_level level = TRACE_LEVEL_ET3; level <= TRACE_LEVEL_EXACT; level++)
        if (rest == strlen(levels[level]) && memcmp(name, levels[level], rest) == 0)
            return level;
    return TRACE_LEVEL_UNKNOWN;
}

/* Takes what a comment says of the tracer. */
static void take_tracer(struct trace_mark *mark, const char *line, size_t length)
{
    enum { BEGIN = sizeof tracer_begin - 1 };
    if (length < BEGIN || memcmp(line, tracer_begin, BEGIN) != 0)
        return;
    mark->is_of_ettrace = true;
    mark->level = level_of(line, length);
    if (line[length - 1] == '\r')
        length--;
    snprintf(mark->tracer, sizeof mark->tracer, "%.*s", (int)(length - 2), line + 2);
}

void trace_mark_read(struct trace_mark *mark, const char *head, size_t length)
{
    const char *end = head + length, *feed;
    for (; head < end && *head == '#'; head = feed + 1) {
        if (!(feed = memchr(head, '\n', (size_t)(end - head))))
            return;
        size_t line = (size_t)(feed - head);
        trace_mark_take_id(mark->id, head, line);
        take_tracer(mark, head, line);
    }
}
