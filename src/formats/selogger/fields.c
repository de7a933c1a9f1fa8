/* SPDX-License-Identifier: MIT */
/* Fields are symbols of (owner, name, type), and are joined along the chain of superclasses
 * once all types are known. If two classes of a chain declare a field of the same name, the two
 * cannot be distinguished, and there is a remark. */
#include "base/memory.h"
#include "base/text.h"
#include "formats/selogger/catalogue.h"

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

/* A class in the walk. */
struct join_class {
    uint32_t count;   /* of it and all classes below it */
    uint32_t next;    /* where the next class below it goes in the order; at last, their end */
    uint32_t own;     /* how many fields it has; 0: it is not the first class of its name */
    uint32_t sought;  /* where its own fields, then those of all classes below it begin */
    uint32_t open;    /* of the first of a name: how many of that name the walk is in */
    uint32_t entered; /* how many groups had a highest field at its entry */
};

/* The walk over the tree of classes. Classes are types by their numbers, and NO_TYPE and
 * NO_FIELD end lists of classes and fields. */
struct join {
    struct fields *fields;
    const struct types *types;
    struct symbols groups; /* name, type, loader and site of fields, as bytes: fields of one
                              group may be joined */
    uint32_t *group;       /* by field */
    struct join_class *classes;
    uint32_t *order;  /* classes, each followed by all classes below it */
    uint32_t *sought; /* fields of the first class of each name, in that order */
    uint32_t sought_count;
    uint32_t *highest; /* by group: its field in the highest class that the walk is in;
                          NO_FIELD: none */
    uint32_t *found;   /* groups that have a highest field, in the order in which they got it */
    uint32_t found_count;
};

static void join_free(struct join *join)
{
    symbols_free(&join->groups);
    free(join->group);
    free(join->classes);
    free(join->order);
    free(join->sought);
    free(join->highest);
    free(join->found);
}

static enum status make_room(struct join *join, struct failure *why)
{
    size_t fields = join->fields->keys.count, classes = join->types->count;
    join->group = array_new(fields, sizeof *join->group);
    join->classes = array_new(classes, sizeof *join->classes);
    join->order = array_new(classes, sizeof *join->order);
    join->sought = array_new(fields, sizeof *join->sought);
    join->highest = array_new(fields, sizeof *join->highest);
    join->found = array_new(fields, sizeof *join->found);
    return join->group && join->classes && join->order && join->sought && join->highest &&
                   join->found
               ? STATUS_OK
               : fail_memory(why);
}

/* The first class with this name, a symbol; NO_TYPE: there is none. */
static uint32_t class_of_name(const struct join *join, uint32_t name)
{
    const uint64_t *first = map_find(&join->types->named, name);
    return first ? (uint32_t)(*first - 1) : NO_TYPE;
}

/* Finds the groups of all fields, and counts the fields of each class. */
static enum status find_groups(struct join *join, struct failure *why)
{
    for (uint32_t field = 0; field < join->fields->keys.count; field++) {
        struct sel_field key = fields_key(join->fields, field);
        const uint32_t parts[] = {key.name, key.type, key.loader, key.site};
        uint32_t owner = class_of_name(join, key.owner);
        TRY(symbols_add(&join->groups, (const char *)parts, sizeof parts, &join->group[field],
                        why));
        if (owner != NO_TYPE)
            join->classes[owner].own++;
        join->highest[field] = NO_FIELD; /* there are at most as many groups as fields */
        join->fields->same_as[field] = field;
    }
    return STATUS_OK;
}

/* Puts the classes in their order. Superclasses have lower numbers than their classes. */
static void order_classes(struct join *join)
{
    const struct type *types = join->types->items;
    struct join_class *classes = join->classes;
    uint32_t count = (uint32_t)join->types->count, roots = 0;
    for (uint32_t type = count; type-- > 0;) {
        classes[type].count++;
        if (types[type].parent != NO_TYPE)
            classes[types[type].parent].count += classes[type].count;
    }
    for (uint32_t type = 0; type < count; type++) {
        uint32_t parent = types[type].parent;
        uint32_t *next = parent == NO_TYPE ? &roots : &classes[parent].next;
        join->order[*next] = type;
        classes[type].next = *next + 1;
        *next += classes[type].count;
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

/* Lists the sought fields, so that those of a class and of all classes below it are adjacent.
 */
static void list_sought(struct join *join)
{
    for (size_t i = 0; i < join->types->count; i++) {
        struct join_class *item = &join->classes[join->order[i]];
        item->sought = join->sought_count += item->own; /* its own will go before that */
    }
    for (uint32_t field = 0; field < join->fields->keys.count; field++) {
        uint32_t owner = class_of_name(join, fields_key(join->fields, field).owner);
        if (owner != NO_TYPE)
            join->sought[--join->classes[owner].sought] = field;
    }
}

/* Where the sought fields of a class and of all classes below it end. */
static uint32_t sought_end(const struct join *join, uint32_t type)
{
    uint32_t next = join->classes[type].next;
    return next < join->types->count ? join->classes[join->order[next]].sought
                                     : join->sought_count;
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
    const struct join_class *item = &join->classes[type];
    for (uint32_t i = item->sought; i < item->sought + item->own; i++) {
        uint32_t field = join->sought[i];
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
    uint32_t owner = join->types->items[type].name;
    uint32_t begin = join->classes[type].sought, end = sought_end(join, type);
    const struct join_class *item = &join->classes[first];
    if (end - begin >= item->own) {
        for (uint32_t i = item->sought; i < item->sought + item->own; i++)
            set_highest(join, join->sought[i]);
        return;
    }
    for (uint32_t i = begin; i < end; i++) {
        struct sel_field key = fields_key(join->fields, join->sought[i]);
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
    uint32_t first = class_of_name(join, join->types->items[type].name);
    join->classes[type].entered = join->found_count;
    if (first == type)
        enter_first(join, type);
    else if (join->classes[first].open == 0)
        enter_other(join, type, first);
    join->classes[first].open++;
}

/* Leaves a class. */
static void leave_class(struct join *join, uint32_t type)
{
    join->classes[class_of_name(join, join->types->items[type].name)].open--;
    while (join->found_count > join->classes[type].entered)
        join->highest[join->found[--join->found_count]] = NO_FIELD;
}

/* Walks over all classes, from superclasses down. */
static void walk(struct join *join)
{
    uint32_t innermost = NO_TYPE; /* that the walk is in */
    for (size_t i = 0; i < join->types->count; i++) {
        uint32_t type = join->order[i];
        for (; innermost != join->types->items[type].parent;
             innermost = join->types->items[innermost].parent)
            leave_class(join, innermost);
        enter_class(join, type);
        innermost = type;
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
        status = find_groups(&join, why);
    if (status == STATUS_OK) {
        order_classes(&join);
        list_sought(&join);
        walk(&join);
    }
    join_free(&join);
    return status;
}

static enum status name_field(struct catalogue *catalogue, uint32_t field, struct failure *why)
{
    struct sel_field key = fields_key(&catalogue->fields, field);
    const struct piece name = piece_of_symbol(&catalogue->symbols, key.name);
    return add_member_name(catalogue, NAMES_FIELD, (uint64_t)field + 1, key.owner, &name, 1,
                           why);
}

static const char *quote(char *out, const struct symbols *symbols, uint32_t symbol)
{
    struct piece piece = piece_of_symbol(symbols, symbol);
    return text_quote(out, piece.text, piece.length);
}

/* Adds the remark that fields were joined: they may be private fields, each of its own class,
 * which the log cannot show. */
static enum status note_joined(const struct catalogue *catalogue, size_t joined,
                               uint32_t example, struct failure *why)
{
    const struct fields *fields = &catalogue->fields;
    const struct symbols *symbols = &catalogue->symbols;
    struct sel_field lower = fields_key(fields, example);
    struct sel_field upper = fields_key(fields, fields->same_as[example]);
    char name[TEXT_QUOTE_SIZE], subclass[TEXT_QUOTE_SIZE], superclass[TEXT_QUOTE_SIZE];
    return remark_list_add(
        catalogue->loading.remarks, why,
        "%zu field%s taken for the field of the same name in a superclass, such as %s of %s "
        "for that of %s: if both classes declare it, objects that it holds may die too early",
        joined, joined == 1 ? " is" : "s are", quote(name, symbols, lower.name),
        quote(subclass, symbols, lower.owner), quote(superclass, symbols, upper.owner));
}

enum status fields_join(struct catalogue *catalogue, struct failure *why)
{
    struct fields *fields = &catalogue->fields;
    size_t joined = 0;
    uint32_t example = NO_FIELD;
    fields->same_as = array_new(fields->keys.count, sizeof *fields->same_as);
    if (!fields->same_as)
        return fail_memory(why);
    TRY(find_joined(fields, &catalogue->types, why));
    for (uint32_t field = 0; field < fields->keys.count; field++) {
        if (fields->same_as[field] != field && joined++ == 0)
            example = field;
        TRY(name_field(catalogue, field, why));
    }
    if (joined > 0)
        TRY(note_joined(catalogue, joined, example, why));
    return STATUS_OK;
}

void fields_free(struct fields *fields)
{
    symbols_free(&fields->keys);
    free(fields->same_as);
}
