/* SPDX-License-Identifier: MIT */
/* There are few moments, so sums are found by a linear search. Most runs have only those of all
 * of the run. */
#include "report/lives/run_sums.h"

enum status run_sums_find(struct run_sums *sums, const struct report_material *material,
                          const struct heap_moment *moment, bool has_pairs,
                          struct site_sums **out, struct failure *why)
{
    for (size_t i = 0; i < sums->count; i++)
        if (sums->items[i]->moment == moment) {
            *out = sums->items[i];
            return STATUS_OK;
        }
    enum status status = site_sums_new(out, material, moment, has_pairs, why);
    if (status == STATUS_OK)
        sums->items[sums->count++] = *out;
    return status;
}

enum status run_sums_add(struct run_sums *sums, const struct life_facts *life,
                         struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sums->count && status == STATUS_OK; i++)
        status = site_sums_add(sums->items[i], life, why);
    return status;
}

enum status run_sums_finish(struct run_sums *sums, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sums->count && status == STATUS_OK; i++)
        status = site_sums_finish(sums->items[i], why);
    return status;
}

void run_sums_free(struct run_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++)
        site_sums_free(sums->items[i]);
}
