/* SPDX-License-Identifier: MIT */
/* All sites of one line have one name, so the key of a spot is a context and the number of a
 * name. If a site has no name, or one that is not that of the context's method with a line, its
 * spot is that of the context alone, whose key has 0 instead of the number. */
#include "report/lives/site_lines.h"

#include "base/memory.h"
#include "report/lives/shown_name.h"

#include <inttypes.h>
#include <stdlib.h>

/* The name of a line, from number 0 on. */
static struct name_parts name_of(const void *context, uint32_t number)
{
    const struct site_lines *lines = context;
    return names_find_parts(lines->names, NAMES_SITE, lines->firsts[number]);
}

/* Sets *line to the number of the name of a new site; 0: it has none. */
static enum status number_line(struct site_lines *lines, uint64_t site, uint32_t *line,
                               struct failure *why)
{
    const struct indexed_names kept = {name_of, lines};
    struct name_parts name = names_find_parts(lines->names, NAMES_SITE, site);
    uint32_t number;
    *line = 0;
    if (!name.own)
        return STATUS_OK;
    TRY(name_index_add(&lines->index, &kept, &name, &number, why));
    *line = number + 1;
    if (number < lines->count)
        return STATUS_OK;
    if (!ARRAY_RESERVE(lines->firsts, lines->capacity, lines->count + 1))
        return fail_memory(why);
    lines->firsts[lines->count++] = site;
    return STATUS_OK;
}

static enum status find_line(struct site_lines *lines, uint64_t site, uint32_t *line,
                             struct failure *why)
{
    uint64_t *entry = map_insert(&lines->lines, site);
    if (!entry)
        return fail_memory(why);
    if (*entry == 0) {
        TRY(number_line(lines, site, line, why));
        *entry = (uint64_t)*line + 1;
    }
    *line = (uint32_t)(*entry - 1);
    return STATUS_OK;
}

static uint64_t key_of(uint32_t context, uint32_t line)
{
    return (uint64_t)context << 32 | line;
}

/* Sets *number to that of a spot, and 1; a new one gets it now. */
static enum status number_spot(struct site_lines *lines, uint64_t key, uint64_t *number,
                               struct failure *why)
{
    uint64_t *entry = map_insert(&lines->spots, key);
    if (!entry)
        return fail_memory(why);
    if (*entry == 0 && lines->spot_count == UINT32_MAX)
        return fail(why, STATUS_LIMIT, "The trace has more than %" PRIu32 " contexts and lines",
                    UINT32_MAX);
    if (*entry == 0)
        *entry = (uint64_t)++lines->spot_count;
    *number = *entry;
    return STATUS_OK;
}

/* The name is not that of a line of the context's method, so the spot is that of the context
 * alone. */
static enum status share_spot(struct site_lines *lines, uint32_t context, uint32_t line,
                              uint64_t *number, struct failure *why)
{
    TRY(number_spot(lines, key_of(context, 0), number, why));
    uint64_t *entry = map_insert(&lines->spots, key_of(context, line));
    if (!entry)
        return fail_memory(why);
    *entry = *number;
    return STATUS_OK;
}

enum status site_lines_find(struct site_lines *lines, uint32_t context, uint64_t site,
                            struct spot *spot, struct failure *why)
{
    uint32_t line;
    *spot = (struct spot){context, site};
    if (!lines->names)
        return STATUS_OK;
    enum status status = find_line(lines, site, &line, why);
    if (status != STATUS_OK)
        return status;
    const uint64_t *known = map_find(&lines->spots, key_of(context, line));
    uint64_t number = known ? *known : 0;
    bool has_line = line == 0 || number != 0 ||
                    (context != 0 && site_has_line(lines->names, site,
                                                   contexts_method(lines->contexts, context)));
    if (number == 0 && has_line)
        status = number_spot(lines, key_of(context, line), &number, why);
    else if (number == 0)
        status = share_spot(lines, context, line, &number, why);
    spot->number = (uint32_t)(number - 1);
    if (line > 0)
        spot->site = lines->firsts[line - 1];
    return status;
}

uint32_t site_lines_known(const struct site_lines *lines, uint32_t context, uint64_t site)
{
    if (!lines->names)
        return context;
    uint32_t line = (uint32_t)(*map_find(&lines->lines, site) - 1);
    return (uint32_t)(*map_find(&lines->spots, key_of(context, line)) - 1);
}

void site_lines_free(struct site_lines *lines)
{
    map_free(&lines->lines);
    map_free(&lines->spots);
    name_index_free(&lines->index);
    free(lines->firsts);
    *lines = (struct site_lines){.names = NULL};
}
