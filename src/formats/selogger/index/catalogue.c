/* SPDX-License-Identifier: MIT */
/* Loads the side files in the order of their dependencies: types, classes, instructions, then
 * the fields that instructions name, then exceptions. */
#include "formats/selogger/index/catalogue.h"

#include "base/memory.h"
#include "formats/selogger/index/csv.h"

#include <stdbool.h>
#include <stdlib.h>

/* The messages of exceptions may contain line ends, so lines that do not begin as expected are
 * ignored. */

static enum status exceptions_add_object(struct exceptions *exceptions, uint64_t object,
                                         struct failure *why)
{
    if (!ARRAY_RESERVE(exceptions->objects, exceptions->capacity, exceptions->count + 1))
        return fail_memory(why);
    exceptions->objects[exceptions->count++] = object;
    return STATUS_OK;
}

/* Skips the rest of a line that is cut: a message may be long. */
static enum status pass_over(struct lines *lines, struct line *line, struct failure *why)
{
    enum status status = STATUS_OK;
    while (line->is_cut && status == STATUS_OK)
        status = lines_go_on(lines, line, why);
    return status;
}

/* Loads a line EXCEPTION,CS,CAUSE[,SUPPRESSED]... */
static enum status load_cause(void *context, const struct loading *loading, struct lines *lines,
                              struct line *line, struct failure *why)
{
    (void)loading;
    struct exceptions *exceptions = context;
    struct piece pieces[3], last;
    int64_t exception, object;
    size_t first = exceptions->count;
    if (split_line(line, pieces, 3) < 3 || !piece_is(pieces[1], "CS") ||
        !piece_number(pieces[0], 1, INT64_MAX, &exception))
        return pass_over(lines, line, why);
    if (line->is_cut)
        return lines_refuse(lines, line, why);
    struct piece rest = pieces[2];
    enum status status = STATUS_OK;
    for (bool more = true; more && status == STATUS_OK;) {
        more = split_last(&rest, &last);
        if (piece_number(more ? last : rest, 1, INT64_MAX, &object))
            status = exceptions_add_object(exceptions, (uint64_t)object, why);
    }
    if (status != STATUS_OK || exceptions->count == first)
        return status;
    uint64_t *index = map_insert(&exceptions->first, (uint64_t)exception);
    if (!index)
        return fail_memory(why);
    *index = first + 1;
    return exceptions_add_object(exceptions, 0, why);
}

static const struct line_loader cause_loader = {load_cause, true};

/* Reads which exceptions hold others from the files LOG$Exceptions... next to the index, if
 * there are any. */
static enum status exceptions_load(struct exceptions *exceptions, const struct loading *loading,
                                   struct failure *why)
{
    bool has_exceptions;
    return load_numbered(loading, "LOG$Exceptions", &cause_loader, exceptions, &has_exceptions,
                         why);
}

static void exceptions_free(struct exceptions *exceptions)
{
    map_free(&exceptions->first);
    free(exceptions->objects);
}

enum status catalogue_load(struct catalogue *catalogue, const struct loading *loading,
                           struct failure *why)
{
    catalogue->types.symbols = &catalogue->symbols;
    catalogue->classes.symbols = &catalogue->symbols;
    catalogue->instructions.symbols = &catalogue->symbols;
    catalogue->instructions.types = &catalogue->types;
    catalogue->instructions.fields = &catalogue->fields;
    catalogue->instructions.classes = &catalogue->classes;
    enum status status = types_load(&catalogue->types, loading, why);
    if (status == STATUS_OK)
        status = classes_load(&catalogue->classes, loading, why);
    if (status == STATUS_OK)
        status = instructions_load(&catalogue->instructions, loading, why);
    if (status == STATUS_OK)
        status = fields_join(&catalogue->fields, &catalogue->types, loading, why);
    if (status == STATUS_OK)
        status = exceptions_load(&catalogue->exceptions, loading, why);
    if (status == STATUS_OK)
        status = loading_note_lost(loading, why);
    return status;
}

void catalogue_free(struct catalogue *catalogue)
{
    exceptions_free(&catalogue->exceptions);
    instructions_free(&catalogue->instructions);
    fields_free(&catalogue->fields);
    classes_free(&catalogue->classes);
    types_free(&catalogue->types);
    symbols_free(&catalogue->symbols);
}

const uint64_t *catalogue_held_by(const struct catalogue *catalogue, uint64_t object)
{
    const struct exceptions *exceptions = &catalogue->exceptions;
    const uint64_t *index = map_find(&exceptions->first, object);
    return index ? exceptions->objects + (*index - 1) : NULL;
}
