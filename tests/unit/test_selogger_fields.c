/* SPDX-License-Identifier: MIT */
/* Fields of SELogger traces that several classes name: the walk over the tree of classes,
 * compared with climbing from each field to its superclasses. */
#include "formats/selogger/catalogue.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { CLASS_NAMES = 20, TYPES = 40, FIELDS = 60, ROUNDS = 300 };

static uint32_t symbol(struct symbols *symbols, char letter, uint64_t number)
{
    char text[32];
    uint32_t found;
    int length = snprintf(text, sizeof text, "%c%" PRIu64, letter, number);
    ok(symbols_add(symbols, text, (size_t)length, &found, &cause));
    return found;
}

/* Makes types with random superclasses; some of the types have the same name. */
static void make_types(struct types *types, struct symbols *symbols, uint64_t *state)
{
    types->items = calloc(TYPES, sizeof *types->items);
    for (uint32_t i = 0; i < TYPES; i++) {
        uint32_t name = symbol(symbols, 'C', random_below(state, CLASS_NAMES));
        uint32_t parent = (uint32_t)random_below(state, i + 1);
        uint64_t *first = map_insert(&types->named, name);
        types->items[i] = (struct type){.name = name, .parent = parent < i ? parent : NO_TYPE};
        *first = *first > 0 ? *first : i + 1;
        types->count++;
    }
}

/* Fields have a loader where several classes have the name of their class, here every other. */
static void make_fields(struct fields *fields, struct symbols *symbols, uint64_t *state)
{
    for (unsigned i = 0; i < FIELDS; i++) {
        uint32_t field;
        uint64_t owner = random_below(state, CLASS_NAMES + 3);
        uint64_t loader = random_below(state, 2);
        const struct sel_field key = {
            .owner = symbol(symbols, 'C', owner),
            .loader = owner % 2 ? symbol(symbols, 'l', loader) : NO_SYMBOL,
            .name = symbol(symbols, 'f', random_below(state, 3)),
            .type = symbol(symbols, 't', random_below(state, 2)),
            .site = NO_DATA_ID,
        };
        ok(fields_add(fields, &key, &field, &cause));
    }
}

/* The field of this name and type in the highest superclass that has one: one without a loader,
 * or else one of the same loader. */
static uint32_t climb(const struct fields *fields, const struct types *types, uint32_t field)
{
    struct sel_field key;
    memcpy(&key, symbols_text(&fields->keys, field, NULL), sizeof key);
    const uint64_t *first = map_find(&types->named, key.owner);
    uint32_t highest = field, alone = NO_SYMBOL;
    uint32_t type = first ? (uint32_t)(*first - 1) : NO_TYPE;
    for (; type != NO_TYPE; type = types->items[type].parent) {
        key.owner = types->items[type].name;
        uint32_t found = symbols_find(&fields->keys, (const char *)&key, sizeof key);
        highest = found == NO_SYMBOL ? highest : found;
        struct sel_field other = key;
        other.loader = NO_SYMBOL;
        found = symbols_find(&fields->keys, (const char *)&other, sizeof other);
        alone = found == NO_SYMBOL ? alone : found;
    }
    return alone == NO_SYMBOL ? highest : alone;
}

Test(selogger_fields, are_joined_as_climbing_would)
{
    uint64_t state = 11;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct remark_list remarks = {.count = 0};
        struct catalogue catalogue = {.loading = {.remarks = &remarks}};
        const struct fields *fields = &catalogue.fields;
        ok(names_new(&catalogue.loading.names, &cause));
        make_types(&catalogue.types, &catalogue.symbols, &state);
        make_fields(&catalogue.fields, &catalogue.symbols, &state);
        ok(fields_join(&catalogue, &cause));
        for (uint32_t field = 0; field < fields->keys.count; field++)
            must(fields->same_as[field] == climb(fields, &catalogue.types, field),
                 "round %u: field %" PRIu32 " is joined with %" PRIu32, round, field,
                 fields->same_as[field]);
        names_free(catalogue.loading.names);
        remark_list_free(&remarks);
        catalogue_free(&catalogue);
    }
}
