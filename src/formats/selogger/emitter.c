/* SPDX-License-Identifier: MIT */
/* An object whose allocation the log does not show was not allocated by the program's own code.
 * The first record that names it is preceded by its allocation. If it is an exception, that
 * also shows what it holds, which may be exceptions, too; so objects that are named for the
 * first time wait on a stack. */
#include "formats/selogger/emitter.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The ids of SELogger count up from 1, so facts are in pages of arrays, which need no search; a
 * page exists only where an object has been looked up. */

/* Makes the list of pages long enough for page number `page`; false: no memory. */
static bool make_room(struct facts *facts, size_t page)
{
    if (page < facts->page_count)
        return true;
    if (!ARRAY_RESERVE(facts->pages, facts->page_capacity, page + 1))
        return false;
    struct fact **pages = facts->pages;
    memset(pages + facts->page_count, 0, (page + 1 - facts->page_count) * sizeof *pages);
    facts->page_count = page + 1;
    return true;
}

struct fact *facts_look_up(struct facts *facts, uint64_t id)
{
    size_t page = (size_t)(id / OBJECT_PAGE);
    if (!make_room(facts, page))
        return NULL;
    if (!facts->pages[page] &&
        !(facts->pages[page] = array_new(OBJECT_PAGE, sizeof(struct fact))))
        return NULL;
    return &facts->pages[page][id % OBJECT_PAGE];
}

void facts_unmark(struct facts *facts)
{
    for (size_t page = 0; page < facts->page_count; page++)
        for (size_t i = 0; facts->pages[page] && i < OBJECT_PAGE; i++)
            facts->pages[page][i].marks = 0;
}

void facts_free(struct facts *facts)
{
    for (size_t page = 0; page < facts->page_count; page++)
        free(facts->pages[page]);
    free(facts->pages);
    *facts = (struct facts){.pages = NULL};
}

enum status emit(struct emitter *emitter, const struct record *record)
{
    struct batch *batch = emitter->batch;
    if (batch->count == batch->capacity)
        TRY(batch_reserve(batch, batch->count + 1, 0, emitter->why));
    struct record *out = &batch->records[batch->count];
    *out = *record;
    out->line = (uint32_t)batch->count++;
    out->thread = emitter->thread;
    return STATUS_OK;
}

/* The type as records have it: 0 if it is not known. */
static uint64_t type_number(uint32_t type)
{
    return type == NO_TYPE ? 0 : type;
}

enum status emit_allocation(struct emitter *emitter, uint64_t id, enum record_kind kind,
                            uint32_t type, uint64_t site)
{
    const struct types *types = &emitter->catalogue->types;
    struct fact *fact = facts_of(emitter->facts, id);
    if (!fact)
        return fail_memory(emitter->why);
    if (fact->marks & OBJECT_ALLOCATED)
        return STATUS_OK;
    fact->marks |= OBJECT_ALLOCATED;
    uint64_t length = fact->length > 0 ? fact->length - 1 : NO_LENGTH;
    uint32_t own = types_of_object(types, id);
    type = own == NO_TYPE ? type : own;
    return emit(emitter, &(struct record){
                             .kind = (uint8_t)kind,
                             .object = id,
                             .size = types_size(types, id, type, length),
                             .type = type_number(type),
                             .site = site,
                             .length = kind == RECORD_ARRAY && length != NO_LENGTH ? length : 0,
                         });
}

static enum status emit_update(struct emitter *emitter, uint64_t container, uint64_t value,
                               uint64_t field)
{
    return emit(emitter, &(struct record){.kind = RECORD_UPDATE,
                                          .container = container,
                                          .value = value,
                                          .field = field});
}

static enum status push_logged(struct emitter *emitter, uint64_t id)
{
    if (!ARRAY_RESERVE(emitter->logged, emitter->logged_capacity, emitter->logged_count + 1))
        return fail_memory(emitter->why);
    emitter->logged[emitter->logged_count++] = id;
    return STATUS_OK;
}

/* Appends what an exception holds, when it is named for the first time. */
static enum status show_causes(struct emitter *emitter, uint64_t id)
{
    const uint64_t *cause = exceptions_held_by(&emitter->catalogue->exceptions, id);
    for (; cause && *cause != 0; cause++) {
        if (*cause > emitter->last_object)
            continue;
        TRY(emit_allocation(emitter, *cause, RECORD_OBJECT, NO_TYPE, 0));
        TRY(emit_update(emitter, id, *cause, HIDDEN_FIELDS + *cause));
        TRY(push_logged(emitter, *cause));
    }
    return STATUS_OK;
}

enum status emit_first_mention(struct emitter *emitter, uint64_t id)
{
    emitter->logged_count = 0;
    TRY(push_logged(emitter, id));
    while (emitter->logged_count > 0) {
        id = emitter->logged[--emitter->logged_count];
        struct fact *fact = facts_of(emitter->facts, id);
        if (!fact)
            return fail_memory(emitter->why);
        if (fact->marks & OBJECT_LOGGED)
            continue;
        fact->marks |= OBJECT_LOGGED;
        TRY(emit_allocation(emitter, id, RECORD_OBJECT, NO_TYPE, 0));
        TRY(show_causes(emitter, id));
    }
    return STATUS_OK;
}

enum status emit_use(struct emitter *emitter, uint64_t id)
{
    TRY(emit_mention(emitter, id));
    if (id == 0)
        return STATUS_OK;
    return emit(emitter,
                &(struct record){
                    .kind = RECORD_WITNESS,
                    .object = id,
                    .class_id = type_number(types_of_object(&emitter->catalogue->types, id)),
                });
}

enum status emit_store(struct emitter *emitter, uint64_t container, uint64_t value,
                       uint64_t field)
{
    TRY(emit_mention(emitter, container));
    TRY(emit_mention(emitter, value));
    return emit_update(emitter, container, value, field);
}

enum status emit_kept(struct emitter *emitter, uint64_t id)
{
    struct fact *fact = facts_of(emitter->facts, id);
    if (!fact)
        return fail_memory(emitter->why);
    if (id == 0 || fact->marks & OBJECT_ROOTED)
        return STATUS_OK;
    fact->marks |= OBJECT_ROOTED;
    return emit_store(emitter, 0, id, HIDDEN_FIELDS + id);
}

void emitter_free(struct emitter *emitter)
{
    free(emitter->logged);
}
