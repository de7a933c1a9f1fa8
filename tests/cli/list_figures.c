/* SPDX-License-Identifier: MIT */
/*
 * list_figures: compares the figures of the program's documents with their JSON Schemas.
 *
 *     list_figures FOLDER SEEN [SCHEMA]
 *
 * SEEN is the sorted list of see_figures.c. With SCHEMA, prints the path and the unit of each
 * figure of that document. Without it, compares all documents with FOLDER/SCHEMA.json, where
 * numbers are "$ref":
 * "#/definitions/UNIT": prints figures that the schema lacks, properties that no figure has,
 * and units that differ.
 *
 * Exit status: 0 they agree, 1 they do not, 2 trouble.
 */
#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 256 };

static const char *const documents[] = {
    "stats-2",   "validate-2", "advise-2", "check-oracle-2", "live-check-1",
    "compare-2", "simulate-1", "match-1",  "compare-all-2",
};

/* What is done with each figure. */
struct visitor {
    void (*visit)(struct visitor *visitor, const char *path, const char *unit);
    const json_t *schema;
    json_t *seen; /* paths that figures have: an object */
    bool differs;
};

/* Visits the figures of a document in the list of see_figures.c. */
static void visit_document(struct visitor *visitor, const char *list, const char *document)
{
    char schema[PATH], path[PATH], unit[PATH];
    FILE *seen = fopen(list, "r");
    if (!seen) {
        perror(list);
        exit(2);
    }
    while (fscanf(seen, "%255s %255s %255s", schema, path, unit) == 3)
        if (strcmp(schema, document) == 0)
            visitor->visit(visitor, path, unit);
    fclose(seen);
}

static void print_figure(struct visitor *visitor, const char *path, const char *unit)
{
    (void)visitor;
    printf("%s %s\n", path, unit);
}

/* The definition that the schema refers to, whose name *name gets; without $ref the schema. */
static const json_t *resolve(const json_t *root, const json_t *schema, const char **name)
{
    static const char definitions[] = "#/definitions/";
    const char *reference = json_string_value(json_object_get(schema, "$ref"));
    *name = reference ? reference + sizeof definitions - 1 : "";
    return reference ? json_object_get(json_object_get(root, "definitions"), *name) : schema;
}

/* The schema of the member `key`, or of the items of an array; NULL: there is none. */
static const json_t *member_schema(const json_t *root, const json_t *schema, const char *key)
{
    const char *name;
    schema = resolve(root, schema, &name);
    if (strcmp(key, "[]") == 0)
        return json_object_get(schema, "items");
    const json_t *own = json_object_get(json_object_get(schema, "properties"), key);
    const json_t *others = json_object_get(schema, "additionalProperties");
    return own ? own : json_is_object(others) ? others : NULL;
}

static bool is_type(const json_t *schema, const char *type)
{
    const json_t *types = json_object_get(schema, "type");
    const char *first =
        json_string_value(json_is_array(types) ? json_array_get(types, 0) : types);
    return first && strcmp(first, type) == 0;
}

static bool has_unit(const json_t *root, const json_t *schema, const char *unit)
{
    const char *name;
    const json_t *all = resolve(root, schema, &name);
    size_t length = strlen(unit);
    if (strncmp(name, "mean_", strlen("mean_")) == 0)
        name += strlen("mean_");
    if (*name)
        return strncmp(name, unit, length) == 0 &&
               (!name[length] || strcmp(name + length, "_or_null") == 0);
    if (strcmp(unit, "flag") == 0)
        return is_type(all, "boolean");
    if (strcmp(unit, "word") == 0)
        return json_object_get(all, "enum");
    return (strcmp(unit, "name") == 0 || strcmp(unit, "text") == 0) && is_type(all, "string");
}

static void look_up_figure(struct visitor *visitor, const char *path, const char *unit)
{
    const json_t *schema = visitor->schema;
    char parts[PATH], *rest;
    snprintf(parts, sizeof parts, "%s", path);
    for (char *part = strtok_r(parts, ".", &rest); part && schema;
         part = strtok_r(NULL, ".", &rest))
        schema = member_schema(visitor->schema, schema, part);
    json_object_set_new(visitor->seen, path, json_true());
    if (schema && has_unit(visitor->schema, schema, unit))
        return;
    printf("%s: %s\n", path,
           schema ? "has another unit in the schema" : "is not in the schema");
    visitor->differs = true;
}

/* Looks up everything that the schema has at `path` among the figures. */
static void look_up_schema(struct visitor *visitor, const json_t *schema, const char *path)
{
    const char *name, *key;
    json_t *member;
    const json_t *all = resolve(visitor->schema, schema, &name);
    json_t *properties = json_object_get(all, "properties");
    const json_t *items = json_object_get(all, "items");
    char inner[PATH];
    if (items) {
        snprintf(inner, sizeof inner, "%s.[]", path);
        look_up_schema(visitor, items, inner);
    }
    json_object_foreach(properties, key, member)
    {
        snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "." : "", key);
        look_up_schema(visitor, member, inner);
    }
    if (items || properties || json_is_object(json_object_get(all, "additionalProperties")) ||
        json_object_get(visitor->seen, path) || strcmp(path, "schema") == 0 ||
        strcmp(path, "etmerlin") == 0)
        return;
    printf("%s: is no figure of the program\n", path);
    visitor->differs = true;
}

static bool agrees(const char *folder, const char *list, const char *document)
{
    char path[4096];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s.json", folder, document);
    json_t *schema = json_load_file(path, 0, &error);
    if (!schema) {
        fprintf(stderr, "list_figures: %s: %s\n", path, error.text);
        exit(2);
    }
    struct visitor visitor = {.visit = look_up_figure, .schema = schema, .seen = json_object()};
    visit_document(&visitor, list, document);
    look_up_schema(&visitor, schema, "");
    json_decref(visitor.seen);
    json_decref(schema);
    return !visitor.differs;
}

int main(int count, char **arguments)
{
    bool all_agree = true;
    struct visitor visitor = {.visit = print_figure};
    if (count < 3)
        return 2;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        if (count == 3)
            all_agree &= agrees(arguments[1], arguments[2], documents[i]);
        else if (strcmp(documents[i], arguments[3]) == 0)
            visit_document(&visitor, arguments[2], documents[i]);
    return all_agree ? 0 : 1;
}
