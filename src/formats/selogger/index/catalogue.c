/* SPDX-License-Identifier: MIT */
/* Loads the side files in the order in which they need each other: types, classes,
 * instructions, then the fields they name, then exceptions. */
#include "formats/selogger/index/catalogue.h"

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
