/* SPDX-License-Identifier: MIT */
/* Each line of the index is one instruction. Its event, its value and its numbers have columns
 * of their own; all else is in the attributes. The class of a method decides whether a call
 * enters code that writes events.
 *
 * Side files are loaded in the order of their dependencies: types, classes, instructions, then
 * the fields that instructions name, then exceptions. */
#include "formats/selogger/catalogue.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong with a line in which split_member cannot split the names. */
#define UNKNOWN_END_OF_CLASS                                                                   \
    "Where the name of the class ends in this line is not known: classes.txt, which has it, "  \
    "is missing, is of another run, or has no such class"

/* Whether the line is the header that both files have in newer versions. */
static bool is_header(const struct line *line)
{
    struct piece pieces[2];
    split_line(line, pieces, 2);
    return piece_is(pieces[0], "ClassID");
}

/* Sets the value of `key` in the map to that of a symbol. */
static enum status map_symbol(struct map *map, uint64_t key, uint32_t symbol,
                              struct failure *why)
{
    uint64_t *value = map_insert(map, key);
    if (!value)
        return fail_memory(why);
    *value = (uint64_t)symbol + 1;
    return STATUS_OK;
}

/* The symbol that is the value of `key` in the map; NO_SYMBOL: there is none. */
static uint32_t symbol_of(const struct map *map, uint64_t key)
{
    const uint64_t *symbol = map_find(map, key);
    return symbol ? (uint32_t)(*symbol - 1) : NO_SYMBOL;
}

/* The name of the class with this id; empty: it is not known. The text is good until a symbol
 * is added. */
static struct piece classes_name(const struct catalogue *catalogue, struct piece class_id)
{
    int64_t number;
    uint32_t name = piece_number(class_id, 0, INT32_MAX, &number)
                        ? symbol_of(&catalogue->classes.name_of, (uint64_t)number)
                        : NO_SYMBOL;
    return name == NO_SYMBOL ? (struct piece){"", 0}
                             : piece_of_symbol(&catalogue->symbols, name);
}

/* Adds a method: the class that it belongs to, and its name. */
static enum status add_method(struct catalogue *catalogue, uint64_t method,
                              struct piece class_name, struct piece name, struct failure *why)
{
    uint32_t class_symbol;
    TRY(add_type_name(&catalogue->symbols, class_name, &class_symbol, why));
    TRY(map_symbol(&catalogue->classes.of_method, method, class_symbol, why));
    return add_member_name(catalogue, NAMES_METHOD, method, class_symbol, &name, 1, why);
}

static enum status load_method(struct catalogue *catalogue, struct lines *lines,
                               struct line *line, struct failure *why)
{
    struct method_row row;
    struct piece class_name, name;
    int64_t method;
    if (is_header(line))
        return STATUS_OK;
    if (!method_row_split(line, &row) || !piece_number(row.id, 0, INT32_MAX, &method))
        return lines_reject(lines, line, STATUS_SYNTAX,
                            "This line is not CLASS,METHOD,CLASS-NAME,NAME,DESCRIPTOR,ACCESS",
                            why);
    if (!split_member(row.names, classes_name(catalogue, row.class_id), &class_name, &name))
        return lines_reject(lines, line, STATUS_SYNTAX, UNKNOWN_END_OF_CLASS, why);
    return add_method(catalogue, (uint64_t)method, class_name, name, why);
}

/* Adds the loader of a class, LOADER:CLASS. If the file does not have it, each class counts as
 * one with a loader of its own. */
static enum status add_loader(struct catalogue *catalogue, int64_t class_id,
                              const struct class_row *row, struct failure *why)
{
    struct piece text = row->loader.length > 0 ? row->loader : row->id;
    size_t length = 0;
    while (length < text.length && text.text[length] != ':' && text.text[length] != ',')
        length++;
    uint32_t symbol;
    TRY(symbols_add(&catalogue->symbols, text.text, length, &symbol, why));
    return map_symbol(&catalogue->classes.loader_of, (uint64_t)class_id, symbol, why);
}

static enum status load_class(struct catalogue *catalogue, struct lines *lines,
                              struct line *line, struct failure *why)
{
    struct class_row row;
    uint32_t name;
    int64_t class_id;
    if (is_header(line))
        return STATUS_OK;
    if (!class_row_split(line, &row) || !piece_number(row.id, 0, INT32_MAX, &class_id))
        return lines_reject(lines, line, STATUS_SYNTAX,
                            "This line is not CLASS,LOCATION,FILE,NAME,LEVEL,HASH", why);
    if (!row.has_events)
        return STATUS_OK;
    TRY(add_type_name(&catalogue->symbols, row.name, &name, why));
    TRY(map_symbol(&catalogue->classes.name_of, (uint64_t)class_id, name, why));
    uint64_t *same = map_insert(&catalogue->classes.woven, name);
    if (!same)
        return fail_memory(why);
    ++*same;
    return add_loader(catalogue, class_id, &row, why);
}

/* Reads the files, and adds the names of methods. */
static enum status classes_load(struct catalogue *catalogue, struct failure *why)
{
    bool has_methods;
    TRY(load_next_to(catalogue, "classes.txt", load_class, &catalogue->classes.has_list, why));
    return load_next_to(catalogue, "methods.txt", load_method, &has_methods, why);
}

static enum value_kind find_value(struct piece description)
{
    if (description.length > 0 && strchr("L[", description.text[0]))
        return VALUE_OBJECT;
    return description.length == 1 && strchr("BCSIJ", description.text[0]) ? VALUE_NUMBER
                                                                           : VALUE_NONE;
}

/* Adds the name `piece`, with a pair of brackets appended if `is_element`. Sets *name to its
 * symbol; NO_SYMBOL: the piece is empty. */
static enum status add_name(struct catalogue *catalogue, struct piece piece, bool is_element,
                            uint32_t *name, struct failure *why)
{
    *name = NO_SYMBOL;
    if (piece.length == 0)
        return STATUS_OK;
    enum status status = add_type_name(&catalogue->symbols, piece, name, why);
    if (status != STATUS_OK || !is_element)
        return status;
    size_t length;
    const char *element = symbols_text(&catalogue->symbols, *name, &length);
    char *array = malloc(length + 3);
    if (!array)
        return fail_memory(why);
    memcpy(array, element, length);
    memcpy(array + length, "[]", 3);
    status = symbols_add(&catalogue->symbols, array, length + 2, name, why);
    free(array);
    return status;
}

static enum status find_type(struct catalogue *catalogue, struct instruction *instruction,
                             const struct piece *values, struct failure *why)
{
    uint32_t name;
    enum sel_event_kind event = instruction->event;
    bool is_array = event == EVENT_NEW_ARRAY;
    struct piece type = values[KEY_ELEMENT].length ? values[KEY_ELEMENT] : values[KEY_TYPE];
    if (!is_array && event != EVENT_NEW_OBJECT && event != EVENT_MULTI_NEW_ARRAY)
        return STATUS_OK;
    TRY(add_name(catalogue, type, is_array, &name, why));
    if (name == NO_SYMBOL)
        return STATUS_OK;
    return types_of_name(catalogue, name, &instruction->type, why);
}

/* Whether the event accesses a static field. */
static bool is_static(enum sel_event_kind event)
{
    return event == EVENT_PUT_STATIC || event == EVENT_GET_STATIC;
}

/* The data id of the instruction, if letters are lost of the name of its field or, if that is
 * static, of its class; else NO_DATA_ID. */
static uint32_t find_site(const struct catalogue *catalogue, enum sel_event_kind event,
                          const struct piece *values)
{
    bool is_nameless =
        is_lost(values[KEY_NAME]) || (is_static(event) && is_lost(values[KEY_OWNER]));
    return is_nameless && event != EVENT_DYNAMIC_PARAM ? (uint32_t)catalogue->instructions.count
                                                       : NO_DATA_ID;
}

/* Sets the field that the event accesses. What a lambda holds is in fields that are named by
 * the positions of its parameters. */
static enum status find_field(struct catalogue *catalogue, struct instruction *instruction,
                              const struct piece *values, uint32_t loader, struct failure *why)
{
    static const char lambda[] = "(lambda)";
    struct symbols *symbols = &catalogue->symbols;
    struct sel_field key = {.owner = instruction->owner,
                            .loader = loader,
                            .site = find_site(catalogue, instruction->event, values)};
    struct piece name = values[KEY_NAME], type = values[KEY_TYPE];
    bool is_parameter = instruction->event == EVENT_DYNAMIC_PARAM;
    if (is_parameter) {
        name = values[KEY_INDEX];
        type = (struct piece){"", 0};
        TRY(symbols_add(symbols, lambda, strlen(lambda), &key.owner, why));
    }
    if (key.owner == NO_SYMBOL || name.length == 0)
        return STATUS_OK;
    TRY(symbols_add(symbols, name.text, name.length, &key.name, why));
    TRY(symbols_add(symbols, type.length ? type.text : "", type.length, &key.type, why));
    return fields_add(&catalogue->fields, &key, &instruction->field, why);
}

/* The loader that distinguishes the class whose static field the instruction accesses from
 * others of that name: code accesses the class that its own loader finds. NO_SYMBOL: there are
 * no others, or it is not known which class is meant. */
static uint32_t find_loader(const struct catalogue *catalogue,
                            const struct instruction *instruction, struct piece class_id)
{
    int64_t number;
    const uint64_t *same = map_find(&catalogue->classes.woven, instruction->owner);
    if (!is_static(instruction->event) || !same || *same < 2 ||
        !piece_number(class_id, 0, INT32_MAX, &number))
        return NO_SYMBOL;
    return symbol_of(&catalogue->classes.loader_of, (uint64_t)number);
}

/* Sets the members of an instruction that follow from its attributes. */
static enum status add_attributes(struct catalogue *catalogue, struct instruction *instruction,
                                  const struct piece *columns, struct failure *why)
{
    struct piece values[KEYS];
    attributes_read(instruction->event, columns[COLUMN_ATTRIBUTES], values);
    int64_t created;
    struct piece number =
        values[KEY_CREATED].length ? values[KEY_CREATED] : values[KEY_NEW_PARENT];
    if (number.length > 0 && piece_number(number, 0, INT32_MAX, &created))
        instruction->created = (int32_t)created;
    instruction->flags = attributes_flags(instruction->event, values);
    TRY(add_name(catalogue, values[KEY_OWNER], false, &instruction->owner, why));
    if (instruction->event == EVENT_CALL && instruction->owner != NO_SYMBOL &&
        !map_find(&catalogue->classes.woven, instruction->owner))
        instruction->flags |= CALLS_UNWOVEN;
    TRY(find_type(catalogue, instruction, values, why));
    if (event_has_field(instruction->event) || instruction->event == EVENT_DYNAMIC_PARAM)
        TRY(find_field(catalogue, instruction, values,
                       find_loader(catalogue, instruction, columns[COLUMN_CLASS_ID]), why));
    return STATUS_OK;
}

static bool is_site(enum sel_event_kind event)
{
    return event == EVENT_NEW_OBJECT || event == EVENT_NEW_ARRAY ||
           event == EVENT_MULTI_NEW_ARRAY || event == EVENT_MULTI_NEW_ARRAY_ELEMENT ||
           event == EVENT_DYNAMIC_RESULT;
}

/* Adds the name of a site, which is its method and line; and that of a method, if methods.txt
 * does not have it. */
static enum status add_names(struct catalogue *catalogue, const struct instruction *item,
                             const struct piece *columns, struct failure *why)
{
    if (item->class_symbol == NO_SYMBOL || columns[COLUMN_METHOD_NAME].length == 0)
        return STATUS_OK;
    const struct piece parts[] = {columns[COLUMN_METHOD_NAME], {":", 1}, columns[COLUMN_LINE]};
    if (is_site(item->event))
        return add_member_name(catalogue, NAMES_SITE, catalogue->instructions.count,
                               item->class_symbol, parts, 3, why);
    if (item->event == EVENT_ENTRY &&
        !names_find_parts(catalogue->loading.names, NAMES_METHOD, item->method).own)
        return add_member_name(catalogue, NAMES_METHOD, item->method, item->class_symbol, parts,
                               1, why);
    return STATUS_OK;
}

/* Reads the numbers of a line; false: one is none, or the line is out of order. */
static bool read_numbers(const struct piece *columns, struct instruction *instruction,
                         uint64_t data_id)
{
    int64_t id, method, index;
    if (!piece_number(columns[COLUMN_DATA_ID], 0, INT32_MAX, &id) || (uint64_t)id != data_id ||
        !piece_number(columns[COLUMN_METHOD_ID], 0, INT32_MAX, &method) ||
        !piece_number(columns[COLUMN_INDEX], INT32_MIN + 1, INT32_MAX, &index))
        return false;
    instruction->method = (uint32_t)method;
    instruction->index = (int32_t)index;
    return true;
}

/* Sets the class of the method: that in the line, or else that in methods.txt. */
static enum status find_class(struct catalogue *catalogue, struct instruction *instruction,
                              struct piece name, struct failure *why)
{
    instruction->class_symbol = symbol_of(&catalogue->classes.of_method, instruction->method);
    return name.length == 0 ? STATUS_OK
                            : add_name(catalogue, name, false, &instruction->class_symbol, why);
}

static enum status add_instruction(struct catalogue *catalogue, const struct piece *columns,
                                   struct instruction *instruction, struct failure *why)
{
    struct instructions *all = &catalogue->instructions;
    const struct types *types = &catalogue->types;
    enum sel_event_kind event;
    event_find(columns[COLUMN_EVENT], &event);
    instruction->event = (uint8_t)event;
    instruction->value = (uint8_t)find_value(columns[COLUMN_VALUE]);
    instruction->created = NO_INSTRUCTION;
    instruction->field = NO_FIELD;
    instruction->type = NO_TYPE;
    TRY(find_class(catalogue, instruction, columns[COLUMN_CLASS_NAME], why));
    size_t before = types->count;
    TRY(add_attributes(catalogue, instruction, columns, why));
    if (types->count > before)
        TRY(loading_add_name(&catalogue->loading, NAMES_TYPE, before,
                             piece_of_symbol(&catalogue->symbols, types->items[before].name),
                             why));
    TRY(add_names(catalogue, instruction, columns, why));
    if (!ARRAY_RESERVE(all->items, all->capacity, all->count + 1))
        return fail_memory(why);
    all->items[all->count++] = *instruction;
    return STATUS_OK;
}

/* Splits the names in the columns, if there are any; false: where the class ends is not known.
 */
static bool split_names(const struct catalogue *catalogue, struct piece *columns)
{
    struct piece names = columns[COLUMN_CLASS_NAME];
    return names.length == 0 ||
           split_member(names, classes_name(catalogue, columns[COLUMN_CLASS_ID]),
                        &columns[COLUMN_CLASS_NAME], &columns[COLUMN_METHOD_NAME]);
}

static enum status load_instruction(struct catalogue *catalogue, struct lines *lines,
                                    struct line *line, struct failure *why)
{
    struct layout *layout = &catalogue->instructions.layout;
    struct piece columns[COLUMNS];
    struct instruction instruction = {.event = EVENT_USE};
    bool is_header = false;
    if (layout->count == 0 && !layout_find(line, layout, &is_header))
        return lines_reject(lines, line, STATUS_SYNTAX, "This is no SELogger index", why);
    if (is_header)
        return STATUS_OK;
    const char *problem = layout_split(line, layout, columns);
    if (!problem && !read_numbers(columns, &instruction, catalogue->instructions.count))
        problem = "The ids of this line are no numbers, or not in order";
    if (!problem && !split_names(catalogue, columns))
        problem = UNKNOWN_END_OF_CLASS;
    if (problem)
        return lines_reject(lines, line, STATUS_SYNTAX, problem, why);
    return add_instruction(catalogue, columns, &instruction, why);
}

bool instructions_recognise(const char *head, size_t length)
{
    const char *line_end = length > 0 ? memchr(head, '\n', length) : NULL;
    struct line line = {.text = head};
    struct layout layout;
    struct piece columns[COLUMNS];
    bool is_header;
    struct instruction instruction;
    if (!line_end)
        return false;
    line.length = (size_t)(line_end - head);
    line.length -= line.length > 0 && head[line.length - 1] == '\r';
    if (!layout_find(&line, &layout, &is_header))
        return false;
    return is_header ||
           (!layout_split(&line, &layout, columns) && read_numbers(columns, &instruction, 0));
}

enum status catalogue_load(struct catalogue *catalogue, struct failure *why)
{
    TRY(types_load(catalogue, why));
    TRY(classes_load(catalogue, why));
    TRY(load_lines(catalogue, catalogue->loading.index, load_instruction, false, why));
    TRY(fields_join(catalogue, why));
    TRY(exceptions_load(catalogue, why));
    return loading_note_lost(&catalogue->loading, why);
}

void catalogue_free(struct catalogue *catalogue)
{
    struct classes *classes = &catalogue->classes;
    map_free(&classes->name_of);
    map_free(&classes->loader_of);
    map_free(&classes->of_method);
    map_free(&classes->woven);
    free(catalogue->instructions.items);
    exceptions_free(&catalogue->exceptions);
    fields_free(&catalogue->fields);
    types_free(&catalogue->types);
    symbols_free(&catalogue->symbols);
}
