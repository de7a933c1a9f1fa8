/* SPDX-License-Identifier: MIT */
/* The one table of the kinds of records. Whatever a layer does with each field of a record, or
 * for each kind, follows this table: how text is lexed and written, which fields are
 * renumbered, what reports list. Code that has to be fast treats each kind by itself (the lexer
 * of canonical lines, pass 1); tests compare it with the table. */
#include "trace/record.h"

#include <stdio.h>
#include <string.h>

#define FIELD_AS(name, member, role) {name, offsetof(struct record, member), role, false}
#define FIELD(member, role) FIELD_AS(#member, member, role)
/* An object that must not be 0. */
#define OBJECT(role) {"object", offsetof(struct record, object), role, true}
#define LAST FIELD_AS(NULL, thread, ROLE_THREAD_OR_TIME)
#define ALLOCATION                                                                             \
    {OBJECT(ROLE_NEW_OBJECT), FIELD(size, ROLE_NUMBER),   FIELD(type, ROLE_TYPE),              \
     FIELD(site, ROLE_SITE),  FIELD(length, ROLE_NUMBER), LAST}
#define EXCEPTION                                                                              \
    {FIELD(method, ROLE_METHOD), FIELD(receiver, ROLE_OBJECT), FIELD(exception, ROLE_OBJECT),  \
     LAST}

/* A test builds this file with one kind more. */
#ifndef RECORD_MORE_LAYOUTS
#define RECORD_MORE_LAYOUTS
#endif

const struct record_layout record_layouts[] = {
    {RECORD_OBJECT, 6, "objects allocated", ALLOCATION},
    {RECORD_ARRAY, 6, "arrays allocated", ALLOCATION},
    {RECORD_INITIAL, 6, "initial objects", ALLOCATION},
    {RECORD_PREEXISTING, 6, "pre-existing objects", ALLOCATION},
    {RECORD_VM, 6, "objects of the VM", ALLOCATION},
    {RECORD_ENTRY,
     3,
     "method entries",
     {FIELD(method, ROLE_METHOD), FIELD(receiver, ROLE_OBJECT), LAST}},
    {RECORD_EXIT, 2, "method exits", {FIELD(method, ROLE_METHOD), LAST}},
    {RECORD_EXCEPTION_EXIT, 4, "exits by exception", EXCEPTION},
    {RECORD_THROW, 4, "throws", EXCEPTION},
    {RECORD_CATCH, 4, "catches", EXCEPTION},
    {RECORD_UPDATE,
     4,
     "reference updates",
     {FIELD(container, ROLE_OBJECT), FIELD(value, ROLE_OBJECT), FIELD(field, ROLE_FIELD),
      LAST}},
    {RECORD_WITNESS,
     3,
     "witnesses",
     {OBJECT(ROLE_OBJECT), FIELD_AS("class", class_id, ROLE_TYPE), LAST}},
    {RECORD_DEATH,
     3,
     "deaths",
     {OBJECT(ROLE_DEAD_OBJECT), FIELD_AS("thread", death_thread, ROLE_THREAD),
      FIELD(time, ROLE_TIME)}},
    RECORD_MORE_LAYOUTS};

/* Lines about reference objects. They are not listed among the records. */
static const struct record_layout reference_layouts[] = {
    {RECORD_REFERENCE,
     4,
     "references",
     {FIELD_AS("reference", reference, ROLE_REFERENCE),
      FIELD_AS("referent", referent, ROLE_REFERENCE), FIELD_AS("kind", strength, ROLE_NUMBER),
      LAST}},
    {RECORD_CLEARED,
     4,
     "references cleared",
     {FIELD_AS("reference", reference, ROLE_REFERENCE), FIELD_AS("kind", strength, ROLE_NUMBER),
      FIELD_AS("cause", cause, ROLE_NUMBER), LAST}},
};

enum { REFERENCE_LAYOUTS = sizeof reference_layouts / sizeof *reference_layouts };

const size_t record_layout_count = sizeof record_layouts / sizeof *record_layouts;

const struct record_layout *record_layout_find(unsigned kind)
{
    for (size_t i = 0; i < record_layout_count; i++)
        if (record_layouts[i].kind == kind)
            return &record_layouts[i];
    for (size_t i = 0; i < REFERENCE_LAYOUTS; i++)
        if (reference_layouts[i].kind == kind)
            return &reference_layouts[i];
    return NULL;
}

void record_layouts_by_kind(const struct record_layout *by_kind[RECORD_KINDS])
{
    memset(by_kind, 0, RECORD_KINDS * sizeof *by_kind);
    for (size_t i = 0; i < record_layout_count; i++)
        by_kind[record_layouts[i].kind] = &record_layouts[i];
    for (size_t i = 0; i < REFERENCE_LAYOUTS; i++)
        by_kind[reference_layouts[i].kind] = &reference_layouts[i];
}

void reference_counts_add(struct reference_counts *counts, const struct record *record)
{
    if (record->kind == RECORD_REFERENCE)
        counts->objects[record->strength]++;
    else if (record->kind == RECORD_CLEARED)
        counts->cleared[record->strength][record->cause]++;
}

bool reference_counts_any(const struct reference_counts *counts)
{
    static const struct reference_counts none;
    return memcmp(counts, &none, sizeof none) != 0;
}

void reference_counts_join(struct reference_counts *counts, const struct reference_counts *more)
{
    for (unsigned kind = 0; kind < REFERENCE_KINDS; kind++) {
        counts->objects[kind] += more->objects[kind];
        for (unsigned cause = 0; cause < CLEARING_CAUSES; cause++)
            counts->cleared[kind][cause] += more->cleared[kind][cause];
    }
}

static uint8_t names_of(const struct record_field *field)
{
    if (field->role != ROLE_OBJECT && field->role != ROLE_NEW_OBJECT)
        return 0;
    return field->offset == offsetof(struct record, object) ? RECORD_NAMES_FIRST
                                                            : RECORD_NAMES_SECOND;
}

void record_names_by_kind(uint8_t names[RECORD_KINDS])
{
    memset(names, 0, RECORD_KINDS);
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        for (size_t k = 0; k < layout->count; k++)
            names[layout->kind] |= names_of(&layout->fields[k]);
    }
}

const char *record_title(char out[RECORD_TITLE_SIZE], const struct record_layout *layout)
{
    snprintf(out, RECORD_TITLE_SIZE, "%c %s", layout->kind, layout->plural);
    return out;
}
