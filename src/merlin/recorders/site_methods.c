/* SPDX-License-Identifier: MIT */
/* A site with one method needs only a counter. Objects are counted by method from the second
 * method of a site on, and the largest count is updated as counts grow, so that nothing has to
 * be searched at the end. */
#include "merlin/recorders/site_methods.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/symbols.h"

#include <stdlib.h>

struct site_entry {
    uint64_t objects; /* of `method` */
    uint32_t method;  /* with the most objects */
    bool has_several;
};

struct site_methods {
    struct interner numbers; /* of sites */
    struct site_entry *entries;
    size_t count;
    size_t capacity;
    struct map objects; /* of sites with several methods: entry and method -> objects */
};

enum status site_methods_new(struct site_methods **out, struct failure *why)
{
    *out = calloc(1, sizeof **out);
    return *out ? STATUS_OK : fail_memory(why);
}

/* Sets *number to the number of a site's entry, which is added if it is new. */
static enum status find_site(struct site_methods *sites, uint64_t site, uint32_t method,
                             uint32_t *number, struct failure *why)
{
    TRY(interner_add(&sites->numbers, site, "sites", number, why));
    if (*number < sites->count)
        return STATUS_OK;
    if (!ARRAY_RESERVE(sites->entries, sites->capacity, sites->count + 1))
        return fail_memory(why);
    sites->entries[sites->count++] = (struct site_entry){.method = method};
    return STATUS_OK;
}

/* Adds `objects` to the count of one of a site's methods. */
static enum status count_method(struct site_methods *sites, uint32_t number, uint32_t method,
                                uint64_t objects, struct failure *why)
{
    struct site_entry *entry = &sites->entries[number];
    uint64_t *count = map_insert(&sites->objects, (uint64_t)number << 32 | method);
    if (!count)
        return fail_memory(why);
    *count += objects;
    if (*count > entry->objects) {
        entry->objects = *count;
        entry->method = method;
    }
    return STATUS_OK;
}

enum status site_methods_note(struct site_methods *sites, uint64_t site, uint32_t method,
                              struct failure *why)
{
    uint32_t number;
    TRY(find_site(sites, site, method, &number, why));
    struct site_entry *entry = &sites->entries[number];
    if (!entry->has_several && entry->method == method) {
        entry->objects++;
        return STATUS_OK;
    }
    if (!entry->has_several) {
        entry->has_several = true;
        TRY(count_method(sites, number, entry->method, entry->objects, why));
    }
    return count_method(sites, number, method, 1, why);
}

struct site_method site_methods_find(const struct site_methods *sites, uint64_t site)
{
    uint32_t number = interner_find(&sites->numbers, site);
    if (number == NO_NUMBER)
        return (struct site_method){.number = 0};
    const struct site_entry *entry = &sites->entries[number];
    return (struct site_method){entry->method, entry->has_several};
}

void site_methods_free(struct site_methods *sites)
{
    if (!sites)
        return;
    interner_free(&sites->numbers);
    map_free(&sites->objects);
    free(sites->entries);
    free(sites);
}
