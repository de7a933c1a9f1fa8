/* SPDX-License-Identifier: MIT */
/* A size has a suffix; a number without one is a multiple, which is kept in millionths: that is
 * exact for all that anybody writes. */
#include "report/simulate/plan.h"

#include "base/number.h"
#include "report/figures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, DECIMALS = 6 };

/* A word of a list, which is not terminated. */
struct list_word {
    const char *text;
    size_t length;
};

const char *const collector_words[COLLECTORS] = {
    [COLLECTOR_WHOLE] = "whole",
    [COLLECTOR_SEMISPACE] = "semispace",
    [COLLECTOR_GENERATIONAL] = "generational",
    [COLLECTOR_IDEAL] = "ideal",
};

/* Adds what a word says to a list. */
typedef enum status add_word(void *list, struct list_word word, struct failure *why);

/* Goes through the words of "a,b,c"; an empty list has one, which is empty. */
static enum status read_list(void *list, const char *words, add_word *add, struct failure *why)
{
    for (const char *at = words; at;) {
        size_t length = strcspn(at, ",");
        TRY(add(list, (struct list_word){at, length}, why));
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return STATUS_OK;
}

static enum status add_collector(void *list, struct list_word word, struct failure *why)
{
    bool *collectors = list;
    for (size_t i = 0; i < COLLECTORS; i++)
        if (strlen(collector_words[i]) == word.length &&
            memcmp(collector_words[i], word.text, word.length) == 0) {
            collectors[i] = true;
            return STATUS_OK;
        }
    return fail(why, STATUS_MEANING,
                "--collectors cannot have \"%.*s\": there are whole, semispace, generational "
                "and ideal",
                (int)word.length, word.text);
}

static enum status add_tenure(void *list, struct list_word word, struct failure *why)
{
    bool *tenures = list;
    uint64_t tenure;
    if (number_parse(word.text, word.length, &tenure) != NUMBER_OK || tenure > TENURE_MOST)
        return fail(why, STATUS_MEANING,
                    "--tenure cannot have \"%.*s\": it is a number from 0 to %d",
                    (int)word.length, word.text, TENURE_MOST);
    tenures[tenure] = true;
    return STATUS_OK;
}

/* How many bytes a suffix makes of one; 0: it is none. */
static uint64_t unit_of(char suffix)
{
    switch (suffix) {
    case 'B':
        return 1;
    case 'K':
        return UINT64_C(1) << 10;
    case 'M':
        return UINT64_C(1) << 20;
    case 'G':
        return UINT64_C(1) << 30;
    case 'T':
        return UINT64_C(1) << 40;
    default:
        return 0;
    }
}

/* Reads a size with its suffix; false: it is anything else, or 0. */
static bool read_bytes(struct list_word word, uint64_t *bytes)
{
    uint64_t unit = word.length > 1 ? unit_of(word.text[word.length - 1]) : 0;
    return unit > 0 && number_parse(word.text, word.length - 1, bytes) == NUMBER_OK &&
           *bytes > 0 && !__builtin_mul_overflow(*bytes, unit, bytes);
}

/* Reads a multiple, with at most DECIMALS places, into millionths; false as above. */
static bool read_multiple(struct list_word word, uint64_t *millionths)
{
    const char *dot = memchr(word.text, '.', word.length);
    size_t digits = dot ? (size_t)(dot - word.text) : word.length;
    uint64_t part = 0;
    if (number_parse(word.text, digits, millionths) != NUMBER_OK ||
        __builtin_mul_overflow(*millionths, MILLION, millionths))
        return false;
    size_t places = dot ? word.length - digits - 1 : 0;
    if (places > DECIMALS || (dot && number_parse(dot + 1, places, &part) != NUMBER_OK))
        return false;
    for (; places < DECIMALS; places++)
        part *= 10;
    return !__builtin_add_overflow(*millionths, part, millionths) && *millionths > 0;
}

static enum status refuse_more(const char *option, struct failure *why)
{
    return fail(why, STATUS_MEANING, "--%s has more than %d sizes", option, PLAN_SIZES_MOST);
}

static enum status add_heap(void *list, struct list_word word, struct failure *why)
{
    struct heap_list *heaps = list;
    struct heap_size size = {.is_multiple = false};
    if (heaps->count == PLAN_SIZES_MOST)
        return refuse_more("heaps", why);
    if (!read_bytes(word, &size.number)) {
        size.is_multiple = true;
        if (!read_multiple(word, &size.number))
            return fail(
                why, STATUS_MEANING,
                "--heaps cannot have \"%.*s\": it is a size with B, K, M, G or T, or a "
                "multiple of the smallest heap such as 1.5, with at most %d decimals; not 0",
                (int)word.length, word.text, DECIMALS);
    }
    heaps->items[heaps->count++] = size;
    return STATUS_OK;
}

static enum status add_nursery(void *list, struct list_word word, struct failure *why)
{
    struct nursery_list *nurseries = list;
    uint64_t bytes = 0;
    bool is_number = number_parse(word.text, word.length, &bytes) == NUMBER_OK && bytes > 0;
    if (!is_number && !read_bytes(word, &bytes))
        return fail(why, STATUS_MEANING,
                    "--nurseries cannot have \"%.*s\": it is a size in bytes or with K, M, G "
                    "or T; not 0",
                    (int)word.length, word.text);
    for (size_t i = 0; i < nurseries->count; i++)
        if (nurseries->items[i] == bytes)
            return STATUS_OK;
    if (nurseries->count == PLAN_SIZES_MOST)
        return refuse_more("nurseries", why);
    nurseries->items[nurseries->count++] = bytes;
    return STATUS_OK;
}

enum status collectors_parse(bool collectors[COLLECTORS], const char *list, struct failure *why)
{
    memset(collectors, 0, COLLECTORS * sizeof *collectors);
    return read_list(collectors, list, add_collector, why);
}

enum status heaps_parse(struct heap_list *heaps, const char *list, struct failure *why)
{
    heaps->count = 0;
    return read_list(heaps, list, add_heap, why);
}

enum status nurseries_parse(struct nursery_list *nurseries, const char *list,
                            struct failure *why)
{
    nurseries->count = 0;
    TRY(read_list(nurseries, list, add_nursery, why));
    qsort(nurseries->items, nurseries->count, sizeof *nurseries->items, number_compare);
    return STATUS_OK;
}

enum status tenures_parse(bool tenures[TENURE_MOST + 1], const char *list, struct failure *why)
{
    memset(tenures, 0, (TENURE_MOST + 1) * sizeof *tenures);
    return read_list(tenures, list, add_tenure, why);
}

void plan_set_for_page(struct plan *plan)
{
    static const uint64_t kibibytes[] = {16, 64, 256, 1024, 4096, 16384, 65536};
    static const bool tenures[TENURE_MOST + 1] = {[0] = true, [1] = true, [3] = true};
    if (!plan->names_tenures)
        memcpy(plan->tenures, tenures, sizeof tenures);
    if (plan->names_nurseries)
        return;
    plan->nurseries.count = sizeof kibibytes / sizeof *kibibytes;
    for (size_t i = 0; i < plan->nurseries.count; i++)
        plan->nurseries.items[i] = kibibytes[i] * 1024;
}

bool plan_has_nurseries(const struct plan *plan)
{
    return plan->collectors[COLLECTOR_GENERATIONAL] || plan->collectors[COLLECTOR_IDEAL];
}

bool plan_has_stores(const struct plan *plan)
{
    return plan->collectors[COLLECTOR_GENERATIONAL];
}

enum status plan_check_nurseries(const struct plan *plan, uint64_t largest, struct failure *why)
{
    if (!plan->names_nurseries || !plan_has_nurseries(plan))
        return STATUS_OK;
    uint64_t nursery = plan->nurseries.items[plan->nurseries.count - 1];
    if (nursery <= largest)
        return STATUS_OK;
    return fail(why, STATUS_MEANING,
                "--nurseries has one of %" PRIu64 " bytes, and the largest heap has %" PRIu64
                ": a nursery is a part of its heap; --heaps says how large heaps are",
                nursery, largest);
}

enum status plan_check(const struct plan *plan, struct failure *why)
{
    for (size_t i = 0; i < plan->heaps.count; i++)
        if (plan->heaps.items[i].is_multiple)
            return STATUS_OK;
    return plan_check_nurseries(plan, plan_largest_heap(plan, 0), why);
}

uint64_t heap_size_bytes(const struct heap_size *size, uint64_t smallest)
{
    if (!size->is_multiple)
        return size->number;
    wide_sum bytes = ((wide_sum)smallest * size->number + MILLION - 1) / MILLION;
    return bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
}

uint64_t plan_largest_heap(const struct plan *plan, uint64_t smallest)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < plan->heaps.count; i++) {
        uint64_t bytes = heap_size_bytes(&plan->heaps.items[i], smallest);
        if (bytes > largest)
            largest = bytes;
    }
    return largest;
}
