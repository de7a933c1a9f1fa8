#include "report/reference_table.h"

/* A reference, and how it ended. */
struct row {
    node_t container;
    node_t target;
    uint64_t field;
    uint64_t created; /* ticks */
    uint64_t ended;   /* NEVER: it did not */
    const char *end;
};

static void put_row(struct table *table, const struct ledger *ledger, const struct row *row)
{
    table_number(table, ledger_id(ledger, row->container));
    table_number(table, row->field);
    table_number(table, ledger_id(ledger, row->target));
    table_number(table, ledger_time(ledger, row->created));
    if (row->ended == NEVER)
        table_empty(table);
    else
        table_number(table, ledger_time(ledger, row->ended));
    table_text(table, row->end);
    table_number(table, row->container == NODE_NONE);
    table_end_row(table);
}

static enum status put_ended(struct table *table, const struct ledger *ledger,
                             struct failure *why)
{
    struct references *references = ledger_history(ledger)->references;
    struct ended_reference ended;
    enum status status;
    while ((status = references_next(references, &ended, why)) == STATUS_OK) {
        struct row row = {
            .container = ended.container,
            .target = ended.target,
            .field = ended.field,
            .created = ended.created,
            .ended = ended.ended,
            .end = ended.cleared ? "cleared" : "overwritten",
        };
        put_row(table, ledger, &row);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* Puts what is in the slots of `container` at the end. */
static void put_left(struct table *table, const struct ledger *ledger, node_t container)
{
    const struct heap *heap = &ledger_history(ledger)->heap;
    struct row row = {.container = container, .ended = NEVER};
    if (container != NODE_NONE)
        row.ended = ledger_died(ledger, container);
    row.end = row.ended == NEVER ? "end" : "container-died";
    slot_t slot = *objects_first_slot(heap->objects, container);
    while ((row.target = slots_next_marked(heap->slots, &slot, &row.field, &row.created)) !=
           NODE_NONE)
        put_row(table, ledger, &row);
}

enum status reference_table_write(struct table *table, const struct ledger *ledger,
                                  struct failure *why)
{
    table_names(table, "container field target created ended end static");
    table_end_row(table);
    enum status status = put_ended(table, ledger, why);
    if (status != STATUS_OK)
        return status;
    size_t nodes = objects_count(ledger_history(ledger)->heap.objects);
    for (size_t node = 0; node < nodes; node++)
        put_left(table, ledger, (node_t)node);
    return STATUS_OK;
}
