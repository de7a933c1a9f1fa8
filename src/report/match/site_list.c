/* SPDX-License-Identifier: MIT */
/* The lifetimes of both runs are sorted together, by site, so that one walk over them finds the
 * distances of all sites. Equal lifetimes are one step of that walk. A distance is exact: a
 * fraction whose denominator is the product of both counts. The probability has two series;
 * where one converges slowly, the other converges at once (Marsaglia, Tsang and Wang,
 * "Evaluating Kolmogorov's Distribution", Journal of Statistical Software 8(18), 2003, has
 * both). */
#include "report/match/site_list.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static wide_sum scale_of(const struct two_samples *samples)
{
    return (wide_sum)samples->count[0] * samples->count[1];
}

void two_samples_step(struct two_samples *samples)
{
    wide_sum a = (wide_sum)samples->seen[0] * samples->count[1];
    wide_sum b = (wide_sum)samples->seen[1] * samples->count[0];
    wide_sum distance = a > b ? a - b : b - a;
    if (distance > samples->most)
        samples->most = distance;
}

uint64_t two_samples_distance(const struct two_samples *samples)
{
    wide_sum scale = scale_of(samples);
    return (uint64_t)((samples->most * 20000 + scale) / (scale * 2));
}

bool two_samples_is_below(const struct two_samples *samples, unsigned hundredths)
{
    return samples->most * 100 < scale_of(samples) * hundredths;
}

/* The probability that a value of the limiting distribution is above `x`. */
static double kolmogorov_above(double x)
{
    const double pi = 3.14159265358979323846;
    enum { TERMS = 20 };
    double sum = 0;
    if (x <= 0)
        return 1;
    if (x < 1) {
        for (int k = 1; k <= TERMS; k++)
            sum += exp(-(2 * k - 1) * (2 * k - 1) * pi * pi / (8 * x * x));
        return 1 - sqrt(2 * pi) / x * sum;
    }
    for (int k = TERMS; k >= 1; k--)
        sum += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * x * x);
    return sum;
}

uint64_t two_samples_p_value(const struct two_samples *samples)
{
    double a = (double)samples->count[0], b = (double)samples->count[1];
    double distance = (double)samples->most / (a * b);
    double p = kolmogorov_above(distance * sqrt(a * b / (a + b)));
    return (uint64_t)(p * 10000 + 0.5);
}

/* A row of a lifetime, sorted by site, then by bytes. */
enum { LIFETIME_SITE, LIFETIME_BYTES, LIFETIME_RUN, LIFETIME_WIDTH };

enum status site_list_open(struct site_list *list, const struct temporary_folder *temporary,
                           struct failure *why)
{
    return row_sort_open(&list->lifetimes, LIFETIME_WIDTH, 2, temporary, why);
}

static enum status find_site(struct site_list *list, const struct site_object *object,
                             size_t *site, struct failure *why)
{
    uint32_t number;
    uint64_t key = (uint64_t)object->context << 32 | object->type;
    TRY(interner_add(&list->numbers, key, "sites", &number, why));
    *site = number;
    if (number < list->count)
        return STATUS_OK;
    if (!ARRAY_RESERVE(list->sites, list->capacity, list->count + 1))
        return fail_memory(why);
    list->sites[list->count++] =
        (struct match_site){.context = object->context, .type = object->type};
    return STATUS_OK;
}

enum status site_list_add(struct site_list *list, const struct site_object *object,
                          uint64_t threshold, struct failure *why)
{
    size_t site;
    TRY(find_site(list, object, &site, why));
    struct site_part *part = &list->sites[site].parts[object->run];
    part->objects++;
    part->bytes += object->size;
    if (object->lifetime > threshold)
        part->long_bytes += object->size;
    else if (object->survives)
        part->unknown_bytes += object->size;
    const uint64_t row[LIFETIME_WIDTH] = {
        [LIFETIME_SITE] = site,
        [LIFETIME_BYTES] = object->survives ? UINT64_MAX : object->lifetime,
        [LIFETIME_RUN] = object->run,
    };
    return row_sort_add(list->lifetimes, row, why);
}

/* Whether there are known bytes, and at least `purity` percent of them are long. */
static bool is_pure(const struct site_part *part, uint64_t purity)
{
    uint64_t known = part->bytes - part->unknown_bytes;
    return known > 0 && (wide_sum)part->long_bytes * 100 >= (wide_sum)known * purity;
}

static void begin_sites(struct site_list *list, uint64_t purity)
{
    for (size_t i = 0; i < list->count; i++) {
        struct match_site *site = &list->sites[i];
        uint64_t a = site->parts[RUN_A].objects, b = site->parts[RUN_B].objects;
        site->is_compared = a >= SITE_OBJECTS_LEAST && b >= SITE_OBJECTS_LEAST;
        site->is_called_long = is_pure(&site->parts[RUN_A], purity);
        site->samples = (struct two_samples){.count = {a, b}};
    }
}

enum status site_list_compare(struct site_list *list, uint64_t purity, struct failure *why)
{
    uint64_t row[LIFETIME_WIDTH], latest[2] = {UINT64_MAX, 0};
    begin_sites(list, purity);
    enum status status = row_sort_finish(list->lifetimes, why);
    while (status == STATUS_OK) {
        status = row_sort_next(list->lifetimes, row, why);
        bool is_next = status != STATUS_OK || row[LIFETIME_SITE] != latest[0] ||
                       row[LIFETIME_BYTES] != latest[1];
        if (is_next && latest[0] != UINT64_MAX)
            two_samples_step(&list->sites[latest[0]].samples);
        if (status != STATUS_OK)
            break;
        latest[0] = row[LIFETIME_SITE];
        latest[1] = row[LIFETIME_BYTES];
        list->sites[latest[0]].samples.seen[row[LIFETIME_RUN]]++;
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* What sites are ranked by, the highest first. Distances are fractions with different
 * denominators, so they are rounded to ten-thousandths. */
static wide_sum change_of(const struct match_site *site)
{
    return (wide_sum)two_samples_distance(&site->samples) * site->parts[RUN_B].bytes;
}

static int order_changes(const void *left, const void *right)
{
    const struct match_site *a = *(const struct match_site *const *)left;
    const struct match_site *b = *(const struct match_site *const *)right;
    wide_sum change_a = change_of(a), change_b = change_of(b);
    if (change_a != change_b)
        return change_a > change_b ? -1 : 1;
    return a < b ? -1 : a > b;
}

enum status site_list_rank(const struct site_list *list, const struct match_site ***ranked,
                           size_t *count, struct failure *why)
{
    *ranked = array_new(list->count, sizeof **ranked);
    *count = 0;
    if (!*ranked)
        return fail_memory(why);
    for (size_t i = 0; i < list->count; i++)
        if (list->sites[i].is_compared && two_samples_distance(&list->sites[i].samples) > 0)
            (*ranked)[(*count)++] = &list->sites[i];
    qsort(*ranked, *count, sizeof **ranked, order_changes);
    return STATUS_OK;
}

void site_list_free(struct site_list *list)
{
    interner_free(&list->numbers);
    row_sort_close(list->lifetimes);
    free(list->sites);
}
