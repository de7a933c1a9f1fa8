/* SPDX-License-Identifier: MIT */
/* The table of --references: those that were overwritten, from a temporary file that the first
 * reading wrote, and then those that were left when their containers died. */
#include "report/lives/reference_table.h"

#include "heap/objects_inline.h"

/* A reference, and how it ended. */
struct row {
    node_t container;
    node_t target;
    uint64_t field;
    uint64_t created; /* ticks */
    bool has_ended;
    uint64_t ended; /* if so */
    const char *end;
};

static void reference_table_put_row(struct table *table, const struct lives *lives,
                                    const struct row *row)
{
    table_number(table, lives_id(lives, row->container));
    table_number(table, row->field);
    table_number(table, lives_id(lives, row->target));
    table_number(table, lives_time(lives, row->created));
    if (row->has_ended)
        table_number(table, lives_time(lives, row->ended));
    else
        table_empty(table);
    table_text(table, row->end);
    table_number(table, row->container == NODE_NONE);
    table_end_row(table);
}

static enum status put_ended(struct table *table, const struct lives *lives,
                             struct failure *why)
{
    struct references *references = lives_history(lives)->references;
    struct ended_reference ended;
    enum status status;
    while ((status = references_next(references, &ended, why)) == STATUS_OK) {
        struct row row = {
            .container = ended.container,
            .target = ended.target,
            .field = ended.field,
            .created = ended.created,
            .has_ended = true,
            .ended = ended.ended,
            .end = ended.cleared ? "cleared" : "overwritten",
        };
        reference_table_put_row(table, lives, &row);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* Puts what is in the slots of `container` at the end. */
static void put_left(struct table *table, const struct lives *lives, node_t container)
{
    const struct heap *heap = &lives_history(lives)->heap;
    struct row row = {.container = container};
    row.has_ended = container != NODE_NONE && lives_died(lives, container, &row.ended);
    row.end = row.has_ended ? "container-died" : "end";
    slot_t slot = *objects_first_slot(heap->objects, container);
    while ((row.target = slots_next_marked(heap->slots, &slot, &row.field, &row.created)) !=
           NODE_NONE)
        reference_table_put_row(table, lives, &row);
}

enum status reference_table_finish(struct report *report, struct failure *why)
{
    struct table *table = &report->table;
    const struct lives *lives = report->material->lives;
    table_names(table, "container field target created ended end static");
    table_end_row(table);
    enum status status = put_ended(table, lives, why);
    if (status != STATUS_OK)
        return status;
    size_t nodes = objects_count(lives_history(lives)->heap.objects);
    for (size_t node = 0; node < nodes; node++)
        put_left(table, lives, (node_t)node);
    return STATUS_OK;
}
