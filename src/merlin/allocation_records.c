/* SPDX-License-Identifier: MIT */
/* Types, sites and lengths are small numbers in nearly all traces; sizes are kept with the
 * bytes allocated so far (life_records.h). */
#include "merlin/allocation_records.h"

#include "base/memory.h"

#include <stdlib.h>

enum status allocation_records_add(struct allocation_records *records,
                                   const struct record *record, uint64_t line,
                                   struct failure *why)
{
    size_t number = records->types.count;
    if (!ARRAY_RESERVE(records->kinds, records->kind_capacity, number + 1))
        return fail_memory(why);
    records->kinds[number] = record->kind;
    enum status status = narrow_add(&records->types, record->type, why);
    if (status == STATUS_OK)
        status = narrow_add(&records->sites, record->site, why);
    if (status == STATUS_OK)
        status = narrow_add(&records->lengths, record->length, why);
    return status == STATUS_OK ? narrow_add(&records->lines, line, why) : status;
}

void allocation_records_free(struct allocation_records *records)
{
    narrow_free(&records->types);
    narrow_free(&records->sites);
    narrow_free(&records->lengths);
    narrow_free(&records->lines);
    free(records->kinds);
    *records = (struct allocation_records){.kinds = NULL};
}
