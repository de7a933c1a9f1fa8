/* SPDX-License-Identifier: MIT */
/* Reports name the assumptions that deaths were computed under, and the options that say how
 * the trace was read, in the words of the command line, so that a reader knows which options
 * give the same deaths. Options with their default values have no effect and are not listed, so
 * that traces read in the same way have the same words. */
#include "report/form/common.h"

#include "trace/reader.h"

#include <stdio.h>
#include <stdlib.h>

const char *const held_by_words[] = {
    [HELD_BY_RECEIVER] = "receiver", [HELD_BY_NONE] = "none", [HELD_BY_FRAME] = "frame"};
const char *const unallocated_words[] = {
    [UNALLOCATED_LAST_USE] = "last-use", [UNALLOCATED_IMMORTAL] = "immortal"};
const char *const at_end_words[] = {[AT_END_NONE] = "none", [AT_END_DIE] = "die"};

struct trace_origin origin_of(const struct reader *reader,
                              const struct assumptions *assumptions)
{
    return (struct trace_origin){reader->name, reader->unfinished,
                                 reader->explicit_time ? "time" : "thread", assumptions};
}

void origin_put(struct form *form, const struct trace_origin *origin)
{
    form_head(form, "");
    form_line(form, "trace", "trace", "name", value_text(origin->trace));
    form_line(form, "unfinished", "unfinished", "text", value_text(origin->unfinished));
    form_line(form, "dialect", "dialect", "word", value_text(origin->dialect));
}

void assumptions_put(struct form *form, const struct assumptions *assumptions)
{
    static const struct assumptions none;
    const struct assumptions *made = assumptions ? assumptions : &none;
    const char *held_by = held_by_words[made->held_by];
    const char *unallocated = unallocated_words[made->unallocated];
    const char *at_end = at_end_words[made->at_end];
    char options[COMPOSED_SIZE];
    snprintf(options, sizeof options, "--held-by=%s --unallocated=%s --at-end=%s", held_by,
             unallocated, at_end);
    form_head(form, "assumptions");
    form_only_if(form, assumptions != NULL);
    form_put(form, "held_by", "word", value_text(held_by));
    form_put(form, "unallocated", "word", value_text(unallocated));
    form_put(form, "at_end", "word", value_text(at_end));
    form_line(form, NULL, "computed", "text", value_text(options));
}

const char *early_deaths(enum trace_level level, const struct assumptions *assumptions)
{
    if (!trace_level_lacks_locals(level) ||
        (assumptions && assumptions->held_by == HELD_BY_FRAME))
        return NULL;
    return level == TRACE_LEVEL_STORES
               ? "At the level stores, objects that only variables hold die too early"
               : "At the level et3, which lacks many stores, too, objects die too early";
}

size_t reading_list(struct reading_option options[READING_MOST],
                    const struct reader_options *reading)
{
    static const char *const dialects[] = {NULL, "--dialect=thread", "--dialect=time"};
    static const char *const orders[] = {NULL, "--update-order=container",
                                         "--update-order=value"};
    static const char *const byte_orders[] = {NULL, "--hatf-endian=big",
                                              "--hatf-endian=little"};
    const struct reading_option all[READING_MOST] = {
        {reading->format ? "--from=" : NULL, reading->format},
        {dialects[reading->dialect], NULL},
        {orders[reading->update_order], NULL},
        {byte_orders[reading->byte_order], NULL},
        {reading->lenient ? "--lenient" : NULL, NULL},
        {reading->deaths_from_free ? "--death-from=free" : NULL, NULL},
        {reading->loads_as_updates ? "--loads-as-updates" : NULL, NULL},
        {reading->escape_edges ? "--escape-edges" : NULL, NULL},
    };
    size_t count = 0;
    for (size_t i = 0; i < READING_MOST; i++)
        if (all[i].name)
            options[count++] = all[i];
    return count;
}

char *reading_text(const struct reader_options *reading)
{
    struct reading_option options[READING_MOST + 1];
    size_t count = reading_list(options, reading), size = 0;
    char *text = NULL;
    if (reading->type_sizes)
        options[count++] = (struct reading_option){"--type-sizes=", reading->type_sizes};
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%s%s", i > 0 ? " " : "", options[i].name,
                options[i].value ? options[i].value : "");
    bool has_failed = ferror(stream);
    if (fclose(stream) == 0 && !has_failed)
        return text;
    free(text);
    return NULL;
}

void distribution_put(struct form *form, const struct distribution *distribution,
                      const char *unit)
{
    form_line(form, "count", "number", "objects", value_number(distribution->count));
    form_line(form, "min", "minimum", unit, value_number(distribution->min));
    form_line(form, "median", "median", unit, value_number(distribution->median));
    form_line(form, "p90", "90% at most", unit, value_number(distribution->p90));
    form_line(form, "p99", "99% at most", unit, value_number(distribution->p99));
    form_line(form, "max", "maximum", unit, value_number(distribution->max));
    form_line(form, "mean", "mean", unit, value_distribution_mean(distribution));
}
