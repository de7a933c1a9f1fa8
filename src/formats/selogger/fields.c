/* SPDX-License-Identifier: MIT */
/* Fields are symbols of (owner, name, type), and are joined along the chain of superclasses
 * once all types are known. If two classes of a chain declare a field of the same name, the two
 * cannot be distinguished, and there is a remark. */
#include "base/memory.h"
#include "base/text.h"
#include "formats/selogger/types.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum status fields_add(struct fields *fields, const struct sel_field *key, uint32_t *field,
                       struct failure *why)
{
    return symbols_add(&fields->keys, (const char *)key, sizeof *key, field, why);
}

/* The key of a field. */
static struct sel_field fields_key(const struct fields *fields, uint32_t field)
{
    struct sel_field key;
    memcpy(&key, symbols_text(&fields->keys, field, NULL), sizeof key);
    return key;
}

/* The part that a class has in the list of sought fields, which are the fields of the first
 * class of each name. */
struct sought_fields {
    uint32_t first;
    uint32_t count; /* of its fields, with those of all classes below it */
    uint32_t own;   /* of its own fields; 0: it is not the first class of its name */
    uint32_t next;  /* where the fields of the next class below it go */
};

/* The walk over the tree of classes. Classes are types by their numbers, and NO_TYPE and
 * NO_FIELD end lists of classes and fields. */
struct join {
    struct fields *fields;
    const struct types *types;
    struct map of_owner;     /* symbol of a class -> its first field + 1 */
    uint32_t *next_of_owner; /* by field: the next field of its class */
    struct symbols groups;   /* name, type, loader and site of fields, as bytes: fields of one
                                group may be joined */
    uint32_t *group;         /* by field */
    uint32_t *highest;       /* by group: its field in the highest class that the walk is in;
                                NO_FIELD: none */
    uint32_t *first_child;   /* by class */
    uint32_t *next_sibling;
    uint32_t *entered; /* by class: how many groups had a highest field at its entry */
    uint32_t *open; /* by first class of a name: how many classes of that name the walk is in */
    struct sought_fields *sought_in; /* by class */
    uint32_t *sought; /* fields: those of a class, then those of all classes below it */
    uint32_t *found;  /* groups that have a highest field, in the order in which they got it */
    size_t found_count;
};

static void join_free(struct join *join)
{
    map_free(&join->of_owner);
    symbols_free(&join->groups);
    free(join->next_of_owner);
    free(join->group);
    free(join->highest);
    free(join->first_child);
    free(join->next_sibling);
    free(join->entered);
    free(join->open);
    free(join->sought_in);
    free(join->sought);
    free(join->found);
}

static enum status make_room(struct join *join, struct failure *why)
{
    size_t count = join->fields->keys.count, classes = join->types->count;
    join->next_of_owner = array_new(count, sizeof *join->next_of_owner);
    join->group = array_new(count, sizeof *join->group);
    join->highest = array_new(count, sizeof *join->highest);
    join->found = array_new(count, sizeof *join->found);
    join->first_child = array_new(classes, sizeof *join->first_child);
    join->next_sibling = array_new(classes, sizeof *join->next_sibling);
    join->entered = array_new(classes, sizeof *join->entered);
    join->open = array_new(classes, sizeof *join->open);
    join->sought_in = array_new(classes, sizeof *join->sought_in);
    join->sought = array_new(count, sizeof *join->sought);
    return join->next_of_owner && join->group && join->highest && join->found &&
                   join->first_child && join->next_sibling && join->entered && join->open &&
                   join->sought_in && join->sought
               ? STATUS_OK
               : fail_memory(why);
}

/* Lists the fields of each class, and finds the groups of all fields. */
static enum status list_fields(struct join *join, struct failure *why)
{
    for (uint32_t field = 0; field < join->fields->keys.count; field++) {
        struct sel_field key = fields_key(join->fields, field);
        const uint32_t parts[] = {key.name, key.type, key.loader, key.site};
        uint64_t *first = map_insert(&join->of_owner, key.owner);
        if (!first)
            return fail_memory(why);
        TRY(symbols_add(&join->groups, (const char *)parts, sizeof parts, &join->group[field],
                        why));
        join->next_of_owner[field] = *first > 0 ? (uint32_t)(*first - 1) : NO_FIELD;
        *first = (uint64_t)field + 1;
        join->highest[field] = NO_FIELD; /* there are at most as many groups as fields */
        join->fields->same_as[field] = field;
    }
    return STATUS_OK;
}

/* Lists the direct subclasses of each class. */
static void list_classes(struct join *join)
{
    const struct types *types = join->types;
    for (size_t i = 0; i < types->count; i++)
        join->first_child[i] = join->next_sibling[i] = NO_TYPE;
    for (size_t i = types->count; i > 0; i--) {
        uint32_t type = (uint32_t)(i - 1), parent = types->items[type].parent;
        if (parent == NO_TYPE)
            continue;
        join->next_sibling[type] = join->first_child[parent];
        join->first_child[parent] = type;
    }
}

/* The field that `field`, whose class the walk has just entered, is joined with. If the field
 * has a loader, because other classes have the name of its class, the field may belong to a
 * superclass that is the only class of its name. */
static uint32_t stands_for(const struct join *join, uint32_t field)
{
    uint32_t highest = join->highest[join->group[field]];
    struct sel_field key = fields_key(join->fields, field);
    const uint32_t parts[] = {key.name, key.type, NO_SYMBOL, key.site};
    if (key.loader == NO_SYMBOL)
        return highest;
    uint32_t group = symbols_find(&join->groups, (const char *)parts, sizeof parts);
    bool is_found = group != NO_SYMBOL && join->highest[group] != NO_FIELD;
    return is_found ? join->highest[group] : highest;
}

/* The first class of the name of `type`. */
static uint32_t first_of_name(const struct join *join, uint32_t type)
{
    const struct types *types = join->types;
    return (uint32_t)(*map_find(&types->named, types->items[type].name) - 1);
}

/* The first field of a class; NO_FIELD: it has none. */
static uint32_t first_field(const struct join *join, uint32_t type)
{
    const uint64_t *first = map_find(&join->of_owner, join->types->items[type].name);
    return first ? (uint32_t)(*first - 1) : NO_FIELD;
}

/* Counts the sought fields. Superclasses have lower numbers than their classes. */
static void count_sought(struct join *join)
{
    const struct type *types = join->types->items;
    size_t count = join->types->count;
    for (uint32_t type = 0; type < count; type++) {
        struct sought_fields *sought = &join->sought_in[type];
        *sought = (struct sought_fields){.own = 0};
        join->open[type] = 0;
        if (first_of_name(join, type) != type)
            continue;
        for (uint32_t field = first_field(join, type); field != NO_FIELD;
             field = join->next_of_owner[field])
            sought->own++;
    }
    for (size_t i = count; i > 0; i--) {
        struct sought_fields *sought = &join->sought_in[i - 1];
        sought->count += sought->own;
        if (types[i - 1].parent != NO_TYPE)
            join->sought_in[types[i - 1].parent].count += sought->count;
    }
}

/* Lists the sought fields, so that those of a class and of all classes below it are adjacent.
 */
static void list_sought(struct join *join)
{
    uint32_t next = 0;
    for (uint32_t type = 0; type < join->types->count; type++) {
        struct sought_fields *sought = &join->sought_in[type];
        uint32_t parent = join->types->items[type].parent;
        uint32_t *end = parent == NO_TYPE ? &next : &join->sought_in[parent].next;
        sought->first = sought->next = *end;
        *end += sought->count;
        if (sought->own == 0)
            continue;
        for (uint32_t field = first_field(join, type); field != NO_FIELD;
             field = join->next_of_owner[field])
            join->sought[sought->next++] = field;
    }
}

static void set_highest(struct join *join, uint32_t field)
{
    uint32_t group = join->group[field];
    if (join->highest[group] != NO_FIELD)
        return;
    join->highest[group] = field;
    join->found[join->found_count++] = group;
}

/* Enters the first class of its name. */
static void enter_first(struct join *join, uint32_t type)
{
    for (uint32_t field = first_field(join, type); field != NO_FIELD;
         field = join->next_of_owner[field]) {
        set_highest(join, field);
        join->fields->same_as[field] = stands_for(join, field);
    }
}

/* Makes the field of the class named `owner` in the group of `key`, if there is one, the
 * highest of its group, unless the group has one already. */
static void enter_field(struct join *join, uint32_t owner, struct sel_field key)
{
    key.owner = owner;
    uint32_t field = symbols_find(&join->fields->keys, (const char *)&key, sizeof key);
    if (field != NO_SYMBOL)
        set_highest(join, field);
}

/* Enters a class that is not the first of its name. Of its fields those matter that are sought
 * below it. Either its fields or those sought are looked at, whichever are fewer, for a name
 * can have many classes and many fields. */
static void enter_other(struct join *join, uint32_t type, uint32_t first)
{
    const struct sought_fields *sought = &join->sought_in[type];
    uint32_t owner = join->types->items[type].name;
    if (sought->count >= join->sought_in[first].own) {
        for (uint32_t field = first_field(join, type); field != NO_FIELD;
             field = join->next_of_owner[field])
            set_highest(join, field);
        return;
    }
    for (uint32_t i = 0; i < sought->count; i++) {
        struct sel_field key = fields_key(join->fields, join->sought[sought->first + i]);
        enter_field(join, owner, key);
        if (key.loader == NO_SYMBOL)
            continue;
        key.loader = NO_SYMBOL;
        enter_field(join, owner, key);
    }
}

/* Enters a class. Its fields are those of the first class of its name; within another class of
 * that name it adds none. */
static void enter_class(struct join *join, uint32_t type)
{
    uint32_t first = first_of_name(join, type);
    join->entered[type] = (uint32_t)join->found_count;
    if (first == type)
        enter_first(join, type);
    else if (join->open[first] == 0)
        enter_other(join, type, first);
    join->open[first]++;
}

/* Leaves a class. */
static void leave_class(struct join *join, uint32_t type)
{
    join->open[first_of_name(join, type)]--;
    while (join->found_count > join->entered[type])
        join->highest[join->found[--join->found_count]] = NO_FIELD;
}

/* Walks over a class and all classes below it. */
static void walk(struct join *join, uint32_t root)
{
    uint32_t type = root;
    enter_class(join, type);
    for (;;) {
        if (join->first_child[type] != NO_TYPE) {
            type = join->first_child[type];
            enter_class(join, type);
            continue;
        }
        leave_class(join, type);
        while (type != root && join->next_sibling[type] == NO_TYPE) {
            type = join->types->items[type].parent;
            leave_class(join, type);
        }
        if (type == root)
            return;
        type = join->next_sibling[type];
        enter_class(join, type);
    }
}

/* Sets fields->same_as, which has room, for each field to the field of the same name and type
 * in the highest superclass that has one, or to the field itself. It takes one walk over the
 * tree of classes, from superclasses down, which knows the highest field of each group.
 * Climbing from each field to the top would take far too long where chains of classes are long.
 */
static enum status find_joined(struct fields *fields, const struct types *types,
                               struct failure *why)
{
    struct join join = {.fields = fields, .types = types};
    enum status status = make_room(&join, why);
    if (status == STATUS_OK)
        status = list_fields(&join, why);
    if (status == STATUS_OK) {
        list_classes(&join);
        count_sought(&join);
        list_sought(&join);
        for (uint32_t type = 0; type < types->count; type++)
            if (types->items[type].parent == NO_TYPE)
                walk(&join, type);
    }
    join_free(&join);
    return status;
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

/* Adds the remark that fields were joined: they may be private fields, each of its own class,
 * which the log cannot show. */
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
    fields->same_as = array_new(fields->keys.count, sizeof *fields->same_as);
    if (!fields->same_as)
        return fail_memory(why);
    TRY(find_joined(fields, types, why));
    for (uint32_t field = 0; field < fields->keys.count; field++) {
        if (fields->same_as[field] != field && joined++ == 0)
            example = field;
        TRY(name_field(fields, types->symbols, loading, field, why));
    }
    if (joined > 0)
        TRY(note_joined(fields, types->symbols, loading, joined, example, why));
    return STATUS_OK;
}

void fields_free(struct fields *fields)
{
    symbols_free(&fields->keys);
    free(fields->same_as);
}
