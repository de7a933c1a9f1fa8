/* SPDX-License-Identifier: MIT */
/* Fields are symbols of (owner, name, type), joined along the chain of superclasses once all
 * types are known. A name that two classes of one chain declare cannot be distinguished, and is
 * remarked. */
#include "formats/selogger/index/fields.h"

#include "base/memory.h"
#include "base/text.h"
#include "formats/selogger/index/field_join.h"

#include <stdlib.h>
#include <string.h>

enum status fields_add(struct fields *fields, const struct sel_field *key, uint32_t *field,
                       struct failure *why)
{
    return symbols_add(&fields->keys, (const char *)key, sizeof *key, field, why);
}

struct sel_field fields_key(const struct fields *fields, uint32_t field)
{
    struct sel_field key;
    memcpy(&key, symbols_text(&fields->keys, field, NULL), sizeof key);
    return key;
}

static enum status name_field(const struct fields *fields, const struct symbols *symbols,
                              const struct loading *loading, uint32_t field,
                              struct failure *why)
{
    struct sel_field key = fields_key(fields, field);
    const struct piece name = piece_of_symbol(symbols, key.name);
    return add_member_name(loading, NAMES_FIELD, (uint64_t)field + 1, symbols, key.owner, &name,
                           1, why);
}

static const char *quote(char *out, const struct symbols *symbols, uint32_t symbol)
{
    struct piece piece = piece_of_symbol(symbols, symbol);
    return text_quote(out, piece.text, piece.length);
}

/* Two fields of one name may be private ones, each in its own class; the log cannot show. */
static enum status note_joined(const struct fields *fields, const struct symbols *symbols,
                               const struct loading *loading, size_t joined, uint32_t example,
                               struct failure *why)
{
    struct sel_field lower = fields_key(fields, example);
    struct sel_field upper = fields_key(fields, fields->same_as[example]);
    char name[TEXT_QUOTE_SIZE], subclass[TEXT_QUOTE_SIZE], superclass[TEXT_QUOTE_SIZE];
    return remark_list_add(
        loading->remarks, why,
        "%zu field%s taken for the field of the same name in a superclass, such as %s of %s "
        "for that of %s: if both classes declare it, objects that it holds may die too early",
        joined, joined == 1 ? " is" : "s are", quote(name, symbols, lower.name),
        quote(subclass, symbols, lower.owner), quote(superclass, symbols, upper.owner));
}

enum status fields_join(struct fields *fields, const struct types *types,
                        const struct loading *loading, struct failure *why)
{
    size_t joined = 0;
    uint32_t example = NO_FIELD;
    enum status status = STATUS_OK;
    fields->same_as = array_new(fields->keys.count, sizeof *fields->same_as);
    if (!fields->same_as)
        return fail_memory(why);
    status = field_join(fields, types, why);
    for (uint32_t field = 0; field < fields->keys.count && status == STATUS_OK; field++) {
        if (fields->same_as[field] != field && joined++ == 0)
            example = field;
        status = name_field(fields, types->symbols, loading, field, why);
    }
    if (status == STATUS_OK && joined > 0)
        status = note_joined(fields, types->symbols, loading, joined, example, why);
    return status;
}

void fields_free(struct fields *fields)
{
    symbols_free(&fields->keys);
    free(fields->same_as);
}
