/* SPDX-License-Identifier: MIT */
/* A line that is too long is cut: first the name, down to a few columns; then the details, one
 * by one; then the rest of the name. All but the name is ASCII; each character of the name
 * counts as one column. */
#include "cli/process/progress.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LEAST = 12, NAME_SIZE = 256 };

static const char dots[] = "...";

/* Writes the name to `out` (NAME_SIZE bytes) as it is to be shown, cut if it is longer. */
static void show_name(char *out, const char *name)
{
    char *end = out;
    size_t left = strlen(name);
    while (left > 0 && end - out < NAME_SIZE - TEXT_ESCAPE_SIZE) {
        size_t shown = text_shown_length(name, left), taken = shown ? shown : 1;
        if (shown)
            memcpy(end, name, shown);
        end += shown ? shown : text_escape(end, (unsigned char)*name);
        name += taken;
        left -= taken;
    }
    *end = '\0';
}

static size_t columns(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* The longest end of `text` with at most `width` columns. */
static const char *last_columns(const char *text, size_t width)
{
    size_t left = columns(text);
    while (*text && left > width) {
        text++;
        left -= ((unsigned char)*text & 0xc0) != 0x80;
    }
    return text;
}

static size_t at_most(size_t number, size_t most)
{
    return number < most ? number : most;
}

/* The length of as many of the first details, separated by commas, as fit `room`. */
static size_t whole_details(const char *details, size_t room)
{
    size_t fitting = 0;
    for (const char *end = details; *end;) {
        end += strcspn(end, ",");
        if ((size_t)(end - details) > room)
            break;
        fitting = (size_t)(end - details);
        end += *end == ',';
    }
    return fitting;
}

void progress_line_fit(char *out, const char *name, const char *state, const char *details,
                       size_t width)
{
    char shown[NAME_SIZE];
    show_name(shown, name);
    width = at_most(width, PROGRESS_LINE_SIZE - 1);
    size_t fixed = strlen(state), own = columns(shown), more = strlen(details);
    size_t room = width > fixed + 2 ? width - fixed - 2 : 0; /* for name and details */
    size_t wanted = at_most(own, NAME_LEAST), of_details = more ? more + 2 : 0;
    size_t of_name =
        at_most(own, room > of_details + wanted ? room - of_details : at_most(wanted, room));
    size_t rest = room - of_name;
    size_t fitting = whole_details(details, rest > 2 ? rest - 2 : 0);
    bool is_cut = of_name < own;
    if (is_cut && of_name <= strlen(dots))
        snprintf(out, PROGRESS_LINE_SIZE, "%.*s", (int)width, state);
    else
        snprintf(out, PROGRESS_LINE_SIZE, "%s%s: %s%s%.*s", is_cut ? dots : "",
                 last_columns(shown, is_cut ? of_name - strlen(dots) : of_name), state,
                 fitting > 0 ? ", " : "", (int)fitting, details);
}

double progress_time_left(double elapsed, uint64_t done, uint64_t of, double reading,
                          unsigned percent)
{
    double phase = elapsed * (double)of / (double)done;
    return phase - elapsed + (reading > 0 ? reading : phase) * percent / 100;
}
