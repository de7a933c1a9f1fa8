/* SPDX-License-Identifier: MIT */
/* Times count up by one from boundary to boundary, and threads repeat: so the first boundaries
 * show which of the two their last fields are. */
#include "formats/et/dialect.h"

/* Boundaries whose last field must count up for the dialect to be "time", and those that must
 * count up for it to look like one that breaks off. */
enum { BOUNDARIES_LOOKED_AT = 1000, BOUNDARIES_LIKE_TIMES = 3 };

bool dialect_is_known(const struct dialect_evidence *evidence)
{
    return evidence->broken_line > 0 || evidence->boundaries == BOUNDARIES_LOOKED_AT;
}

void dialect_look_at(struct dialect_evidence *evidence, const struct record *record,
                     uint64_t line)
{
    if (!record_is_boundary(record->kind) || dialect_is_known(evidence))
        return;
    bool follows = evidence->last != UINT64_MAX && record->thread == evidence->last + 1;
    if (evidence->boundaries > 0 && !follows)
        evidence->broken_line = line;
    else
        evidence->counted++;
    evidence->last = record->thread;
    evidence->boundaries++;
}

enum dialect dialect_decide(const struct dialect_evidence *evidence)
{
    return evidence->broken_line == 0 && evidence->boundaries >= 2 ? DIALECT_TIME
                                                                   : DIALECT_THREAD;
}

bool dialect_breaks_off(const struct dialect_evidence *evidence)
{
    return evidence->broken_line > 0 && evidence->counted >= BOUNDARIES_LIKE_TIMES;
}
