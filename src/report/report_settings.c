/* SPDX-License-Identifier: MIT */
/* Reports name the assumptions that deaths were computed under, and the options that say how
 * the trace was read, in the words of the command line, so that a reader knows which options
 * give the same deaths. Options with their default values have no effect and are not listed, so
 * that traces read in the same way have the same words. */
#include "report/report_settings.h"

#include <stdio.h>
#include <stdlib.h>

const char *const held_by_words[] = {
    [HELD_BY_RECEIVER] = "receiver", [HELD_BY_NONE] = "none", [HELD_BY_FRAME] = "frame"};
const char *const unallocated_words[] = {
    [UNALLOCATED_LAST_USE] = "last-use", [UNALLOCATED_IMMORTAL] = "immortal"};
const char *const at_end_words[] = {[AT_END_NONE] = "none", [AT_END_DIE] = "die"};

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
