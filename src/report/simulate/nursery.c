/* SPDX-License-Identifier: MIT */
/* What is live is added up by age. All young objects grow older at the same moments, so the
 * sums move along by one age, and no object has an age of its own. */
#include "report/simulate/nursery.h"

#include <string.h>

void nursery_empty(struct nursery *nursery, uint64_t number)
{
    memmove(nursery->bounds + 1, nursery->bounds, TENURE_MOST * sizeof *nursery->bounds);
    memmove(nursery->live + 1, nursery->live, TENURE_MOST * sizeof *nursery->live);
    nursery->bounds[0] = number;
    nursery->live[0] = 0;
    nursery->eden = 0;
}

void nursery_add(struct nursery *nursery, uint64_t size)
{
    nursery->eden += size;
    nursery->live[0] += size;
}

void nursery_remove(struct nursery *nursery, const struct heap_death *death)
{
    unsigned age = nursery_age(nursery, death->kind, death->number, death->size);
    if (age != AGE_OLD)
        nursery->live[age] -= death->size;
}

uint64_t nursery_live(const struct nursery *nursery, unsigned first, unsigned end)
{
    uint64_t sum = 0;
    for (unsigned age = first; age < end; age++)
        sum += nursery->live[age];
    return sum;
}
