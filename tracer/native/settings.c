/* SPDX-License-Identifier: MIT */
/* Each setting has a row: its name, its kind and the member for its value. A value is
 * unescaped before it is read, whatever its kind. */
#include "settings.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_TEXT, KIND_FLAG, KIND_NUMBER, KIND_DESCRIPTOR };

struct row {
    const char *name;
    enum kind kind;
    size_t place;
};

#define ROW(name, kind, member) {name, kind, offsetof(struct settings, member)}

static const struct row rows[] = {
    ROW("records", KIND_TEXT, records),
    ROW("file", KIND_TEXT, file),
    ROW("fd", KIND_DESCRIPTOR, descriptor),
    ROW("ids", KIND_TEXT, ids),
    ROW("names", KIND_TEXT, names),
    ROW("include", KIND_TEXT, include),
    ROW("exclude", KIND_TEXT, exclude),
    ROW("start-at", KIND_TEXT, start_at),
    ROW("stop-at", KIND_TEXT, stop_at),
    ROW("tick-bytes", KIND_NUMBER, tick_bytes),
    ROW("check", KIND_NUMBER, checks),
    ROW("check-file", KIND_TEXT, check_file),
    ROW("truth", KIND_FLAG, truth),
    ROW("force", KIND_FLAG, replacing.force),
    ROW("no-cache", KIND_FLAG, no_cache),
    ROW("verbose", KIND_FLAG, verbose),
    ROW("alone", KIND_FLAG, is_alone),
    ROW("shared", KIND_FLAG, replacing.is_shared),
    ROW("former", KIND_NUMBER, replacing.former),
};

static const struct row *row_of(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
            return &rows[i];
    return NULL;
}

/* Undoes %2C and %25 in place. */
static void unescape(char *text)
{
    char *to = text;
    for (; *text; text++) {
        bool comma = strncmp(text, "%2C", 3) == 0;
        bool percent = strncmp(text, "%25", 3) == 0;
        *to++ = comma ? ',' : percent ? '%' : *text;
        if (comma || percent)
            text += 2;
    }
    *to = '\0';
}

static enum status set(struct settings *settings, const struct row *row, const char *value,
                       size_t length, struct failure *why)
{
    char *text = strndup(value, length);
    void *place = (char *)settings + row->place;
    if (!text)
        return fail_memory(why);
    unescape(text);
    if (row->kind == KIND_TEXT) {
        free(*(char **)place);
        *(char **)place = text;
        return STATUS_OK;
    }
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    bool is_number = *text && !*end;
    free(text);
    if (!is_number)
        return fail(why, STATUS_MEANING, "The agent's setting %s is no number", row->name);
    if (row->kind == KIND_FLAG)
        *(bool *)place = number != 0;
    else if (row->kind == KIND_NUMBER)
        *(uint64_t *)place = number;
    else
        *(int *)place = (int)number;
    return STATUS_OK;
}

static enum status set_level(struct settings *settings, struct failure *why)
{
    static const char *const names[] = {"et3", "stores", "exact"};
    if (!settings->records && !(settings->records = strdup("exact")))
        return fail_memory(why);
    for (int i = 0; i < 3; i++)
        if (strcmp(settings->records, names[i]) == 0) {
            settings->level = (enum level)i;
            return STATUS_OK;
        }
    return fail(why, STATUS_MEANING,
                "There is no level of records \"%s\"; there are stores, "
                "exact and et3",
                settings->records);
}

/* Replaces *name, which may be NULL, by the name with the number of this process. */
static enum status set_process(char **name, struct failure *why)
{
    char *made = place_of_process(*name);
    if (*name && !made)
        return fail_memory(why);
    free(*name);
    *name = made;
    return STATUS_OK;
}

static enum status set_processes(struct settings *settings, struct failure *why)
{
    enum status status = set_process(&settings->file, why);
    if (status == STATUS_OK)
        status = set_process(&settings->names, why);
    return status == STATUS_OK ? set_process(&settings->check_file, why) : status;
}

enum status settings_read(struct settings *settings, const char *text, struct failure *why)
{
    *settings = (struct settings){.descriptor = -1};
    while (text && *text) {
        size_t length = strcspn(text, ",");
        size_t name = strcspn(text, "=,");
        const struct row *row = name < length ? row_of(text, name) : NULL;
        if (!row)
            return fail(why, STATUS_MEANING, "The agent knows no setting \"%.*s\"", (int)length,
                        text);
        enum status status = set(settings, row, text + name + 1, length - name - 1, why);
        if (status != STATUS_OK)
            return status;
        text += length + (text[length] == ',');
    }
    enum status status = set_processes(settings, why);
    return status == STATUS_OK ? set_level(settings, why) : status;
}

/* Reads the number of a call; 0: it is none. */
static uint64_t call_number(const char *text)
{
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    return errno || text[strspn(text, "0123456789")] ? 0 : number;
}

const char *settings_limit(struct limit_words *words, const char *text)
{
    *words = (struct limit_words){.owner = strcspn(text, "#")};
    const char *method = text + words->owner + 1;
    if (!words->owner || !text[words->owner])
        return "is neither CLASS#METHOD nor SIGUSR1";
    words->method = strcspn(method, ":");
    const char *number = method[words->method] ? method + words->method + 1 : NULL;
    if (!words->method || strcspn(method, "#.;[/") < words->method)
        return "has no name of a method after the #";
    words->number = number ? call_number(number) : 0;
    return !number || words->number ? NULL
                                    : "has no number of a call, from 1 on, after the colon";
}

const char *settings_text(const struct settings *settings, const char *name)
{
    const struct row *row = row_of(name, strlen(name));
    if (!row || row->kind != KIND_TEXT)
        return NULL;
    return *(char *const *)(const void *)((const char *)settings + row->place);
}

void settings_free(struct settings *settings)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == KIND_TEXT)
            free(*(char **)(void *)((char *)settings + rows[i].place));
    *settings = (struct settings){.descriptor = -1};
}
