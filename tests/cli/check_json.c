/* SPDX-License-Identifier: MIT */
/*
 * check_json: checks that JSON texts are valid by a JSON Schema.
 *
 *     check_json SCHEMA TEXT...
 *
 * It knows only the keywords that the program's schemas use, and ends with status 2 at others.
 *
 * Exit status: 0 they are, 1 one is not, 2 trouble.
 */
#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keywords[] = {
    "$schema",     "$id",         "$comment",   "title",
    "description", "definitions", "$ref",       "type",
    "const",       "enum",        "minimum",    "maximum",
    "pattern",     "required",    "properties", "additionalProperties",
    "items",       "anyOf",
};

static const json_t *root;

static void trouble(const char *what, const char *where)
{
    fprintf(stderr, "check_json: %s: %s\n", where, what);
    exit(2);
}

static void check_keywords(const json_t *schema)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(size_t)schema, key, value)
    {
        bool is_known = false;
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
            is_known |= strcmp(key, keywords[i]) == 0;
        if (!is_known)
            trouble("unknown keyword", key);
    }
}

static bool is_of_type(const json_t *value, const char *type)
{
    return (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
           (strcmp(type, "number") == 0 && json_is_number(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(type, "null") == 0 && json_is_null(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "object") == 0 && json_is_object(value));
}

static bool has_type(const json_t *value, const json_t *types)
{
    if (json_is_string(types))
        return is_of_type(value, json_string_value(types));
    for (size_t i = 0; i < json_array_size(types); i++)
        if (is_of_type(value, json_string_value(json_array_get(types, i))))
            return true;
    return false;
}

static bool is_one_of(const json_t *value, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(value, json_array_get(list, i)))
            return true;
    return false;
}

static bool matches(const char *text, const char *pattern)
{
    regex_t regex;
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        trouble("no pattern", pattern);
    bool is_match = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return is_match;
}

/* What is wrong with the value itself, without its members, by the schema; NULL: nothing. */
static const char *wrong_value(const json_t *value, const json_t *schema)
{
    const json_t *word;
    if ((word = json_object_get(schema, "type")) && !has_type(value, word))
        return "another type";
    if ((word = json_object_get(schema, "const")) && !json_equal(value, word))
        return "another value";
    if ((word = json_object_get(schema, "enum")) && !is_one_of(value, word))
        return "none of the values";
    if ((word = json_object_get(schema, "minimum")) && json_is_number(value) &&
        json_number_value(value) < json_number_value(word))
        return "too small";
    if ((word = json_object_get(schema, "maximum")) && json_is_number(value) &&
        json_number_value(value) > json_number_value(word))
        return "too large";
    if ((word = json_object_get(schema, "pattern")) && json_is_string(value) &&
        !matches(json_string_value(value), json_string_value(word)))
        return "not as the pattern";
    return NULL;
}

static bool is_valid(const json_t *value, const json_t *schema, const char *path, bool says);

static bool says_wrong(const char *path, const char *what, bool says)
{
    if (says)
        printf("%s: %s\n", path, what);
    return false;
}

static bool has_valid_members(json_t *object, const json_t *schema, const char *path, bool says)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *others = json_object_get(schema, "additionalProperties");
    const json_t *required = json_object_get(schema, "required");
    const char *key;
    json_t *member;
    for (size_t i = 0; i < json_array_size(required); i++)
        if (!json_object_get(object, json_string_value(json_array_get(required, i))))
            return says_wrong(path, json_string_value(json_array_get(required, i)), says);
    json_object_foreach(object, key, member)
    {
        const json_t *own = json_object_get(properties, key);
        char inner[512];
        snprintf(inner, sizeof inner, "%s/%s", path, key);
        if (!own && json_is_false(others))
            return says_wrong(inner, "not expected", says);
        if (!own)
            own = others;
        if (own && !is_valid(member, own, inner, says))
            return false;
    }
    return true;
}

static bool has_valid_items(const json_t *array, const json_t *items, const char *path,
                            bool says)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        char inner[512];
        snprintf(inner, sizeof inner, "%s/%zu", path, i);
        if (!is_valid(json_array_get(array, i), items, inner, says))
            return false;
    }
    return true;
}

static bool is_any_of(const json_t *value, const json_t *schemas, const char *path, bool says)
{
    for (size_t i = 0; i < json_array_size(schemas); i++)
        if (is_valid(value, json_array_get(schemas, i), path, false))
            return true;
    for (size_t i = 0; says && i < json_array_size(schemas); i++)
        is_valid(value, json_array_get(schemas, i), path, true);
    return false;
}

static bool is_valid(const json_t *value, const json_t *schema, const char *path, bool says)
{
    static const char definitions[] = "#/definitions/";
    const char *name = json_string_value(json_object_get(schema, "$ref"));
    check_keywords(schema);
    if (name) {
        const json_t *all = json_object_get(root, "definitions");
        schema = json_object_get(all, name + sizeof definitions - 1);
        if (!schema)
            trouble("no such definition", name);
        check_keywords(schema);
    }
    const char *what = wrong_value(value, schema);
    if (what)
        return says_wrong(path, what, says);
    if (json_is_object(value) &&
        !has_valid_members((json_t *)(size_t)value, schema, path, says))
        return false;
    const json_t *items = json_object_get(schema, "items");
    if (items && json_is_array(value) && !has_valid_items(value, items, path, says))
        return false;
    const json_t *any = json_object_get(schema, "anyOf");
    return !any || is_any_of(value, any, path, says);
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *text = json_load_file(path, 0, &error);
    if (!text)
        trouble(error.text, path);
    return text;
}

int main(int argc, char **argv)
{
    bool are_valid = true;
    if (argc < 3) {
        fputs("usage: check_json SCHEMA TEXT...\n", stderr);
        return 2;
    }
    json_t *schema = load(argv[1]);
    root = schema;
    for (int i = 2; i < argc; i++) {
        json_t *text = load(argv[i]);
        are_valid &= is_valid(text, root, argv[i], true);
        json_decref(text);
    }
    json_decref(schema);
    return !are_valid;
}
