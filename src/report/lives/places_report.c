/* SPDX-License-Identifier: MIT */
/* Places of allocation are gathered in the second reading; nothing can be written of them
 * before its end. */
#include "report/lives/places_report.h"

#include "report/lives/places.h"

#include <stdlib.h>

enum status places_report_begin(struct report *report, struct failure *why)
{
    struct places *places = report->state = calloc(1, sizeof *places);
    if (!places)
        return fail_memory(why);
    return places_init(places, report->material->lives, why);
}

enum status places_report_allocated(struct report *report, const struct record *record,
                                    uint64_t line, uint64_t event, struct failure *why)
{
    struct places *places = report->state;
    struct life life = lives_life(places->lives, places->next);
    (void)line, (void)event;
    return places_add(places, record, &life, why);
}

void places_report_release(struct report *report)
{
    if (report->state)
        places_free(report->state);
    free(report->state);
}
