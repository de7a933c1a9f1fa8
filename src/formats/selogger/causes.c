/* Messages of exceptions may have line ends in them: lines that do not begin like those that
 * are wanted mean nothing. */
#include "formats/selogger/causes.h"

#include "base/memory.h"
#include "formats/selogger/csv.h"

#include <stdbool.h>
#include <stdlib.h>

static enum status add_object(struct causes *causes, uint64_t object, struct failure *why)
{
    uint64_t *objects =
        array_grow(causes->objects, &causes->capacity, causes->count + 1, sizeof *objects);
    if (!objects)
        return fail_memory(why);
    causes->objects = objects;
    objects[causes->count++] = object;
    return STATUS_OK;
}

/* EXCEPTION,CS,CAUSE[,SUPPRESSED]... */
static enum status load_cause(void *context, const struct loading *loading,
                              const struct lines *lines, const struct line *line,
                              struct failure *why)
{
    (void)loading;
    (void)lines;
    struct causes *causes = context;
    struct piece pieces[3], last;
    int64_t exception, object;
    size_t first = causes->count;
    if (split_line(line, pieces, 3) < 3 || !piece_is(pieces[1], "CS") ||
        !piece_number(pieces[0], 1, INT64_MAX, &exception))
        return STATUS_OK;
    struct piece rest = pieces[2];
    enum status status = STATUS_OK;
    for (bool more = true; more && status == STATUS_OK;) {
        more = split_last(&rest, &last);
        if (piece_number(more ? last : rest, 1, INT64_MAX, &object))
            status = add_object(causes, (uint64_t)object, why);
    }
    if (status != STATUS_OK || causes->count == first)
        return status;
    uint64_t *place = map_insert(&causes->first, (uint64_t)exception);
    if (!place)
        return fail_memory(why);
    *place = first + 1;
    return add_object(causes, 0, why);
}

enum status causes_load(struct causes *causes, const struct loading *loading,
                        struct failure *why)
{
    bool has_exceptions;
    return load_numbered(loading, "LOG$Exceptions", load_cause, causes, &has_exceptions, why);
}

const uint64_t *causes_of(const struct causes *causes, uint64_t object)
{
    const uint64_t *place = map_find(&causes->first, object);
    return place ? causes->objects + (*place - 1) : NULL;
}

void causes_free(struct causes *causes)
{
    map_free(&causes->first);
    free(causes->objects);
}
