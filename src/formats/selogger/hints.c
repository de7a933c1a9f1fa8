/* SPDX-License-Identifier: MIT */
/* The index has all instructions that were made to write events, executed or not: so a kind
 * that no instruction has was not asked for, or the program has nothing of the kind. */
#include "formats/selogger/hints.h"

enum { KINDS_MOST = 64 };

#define KIND(event) (UINT64_C(1) << (event))

static const struct {
    uint64_t kinds; /* one of them would do */
    const char *text;
} hints[] = {
    {KIND(EVENT_ENTRY) | KIND(EVENT_NORMAL_EXIT) | KIND(EVENT_EXCEPTIONAL_EXIT),
     "The log has no method events: the clock, which counts them, stands still, so no object "
     "dies before the end. Record with weave=EXEC, too"},
    {KIND(EVENT_PUT_STATIC) | KIND(EVENT_PUT_FIELD_VALUE) | KIND(EVENT_PUT_FIELD_EARLY) |
         KIND(EVENT_ARRAY_STORE_VALUE),
     "The log has no stores in fields or arrays: nothing refers to anything, so each object "
     "dies "
     "after its own last use, which may be too early. Record with weave=FIELD+ARRAY, too"},
    {KIND(EVENT_NEW_OBJECT) | KIND(EVENT_NEW_ARRAY) | KIND(EVENT_NEW_ARRAY_RESULT) |
         KIND(EVENT_MULTI_NEW_ARRAY),
     "The log has no allocations: objects count as allocated when they are first named, and "
     "those never named are missing. Record with weave=OBJECT+ARRAY+PARAM, too"},
};

static uint64_t event_kinds_of(const struct instructions *instructions)
{
    uint64_t kinds = 0;
    _Static_assert((int)EVENT_ARRAY_LOAD_RESULT < (int)KINDS_MOST,
                   "kinds of events should be bits of a word");
    for (size_t i = 0; i < instructions->count; i++)
        kinds |= KIND(instructions->items[i].event);
    return kinds;
}

enum status hints_add(struct remark_list *remarks, const struct instructions *instructions,
                      uint64_t events, struct failure *why)
{
    uint64_t kinds = event_kinds_of(instructions);
    enum status status = STATUS_OK;
    if (events == 0)
        return remark_list_add(remarks, why,
                               "The log is empty: no event was recorded, or none was written "
                               "before the program was killed");
    for (size_t i = 0; i < sizeof hints / sizeof *hints && status == STATUS_OK; i++)
        if (!(kinds & hints[i].kinds))
            status = remark_list_add(remarks, why, "%s", hints[i].text);
    return status;
}
