/* SPDX-License-Identifier: MIT */
/* An update's container and value are objects, and most objects are allocated in the trace;
 * its field is an id of another sort, a small number that no object has. Read as container,
 * value, field, the second number is an allocated object again and again; in the other order it
 * is never one, and the third is. */
#include "formats/et/update_order.h"

enum {
    FEW = 16,  /* updates that are decisive; if there are fewer, all of them must be clear */
    CHANCE = 8 /* how much more often the other order must explain them */
};

static enum status note_allocation(struct update_evidence *evidence, uint64_t object,
                                   struct failure *why)
{
    uint64_t *is_allocated = map_insert(&evidence->allocated, object);
    if (!is_allocated)
        return fail_memory(why);
    *is_allocated = 1;
    if (evidence->least == 0 || object < evidence->least)
        evidence->least = object;
    return STATUS_OK;
}

static bool is_allocated(const struct update_evidence *evidence, uint64_t number)
{
    return number > 0 && map_find(&evidence->allocated, number);
}

static void note_update(struct update_evidence *evidence, const struct record *update,
                        uint64_t line)
{
    uint64_t second = update->value, third = update->field;
    evidence->updates++;
    if (is_allocated(evidence, second)) {
        evidence->container++;
        return;
    }
    if (second == 0 || second >= third || !is_allocated(evidence, third))
        return;
    if (evidence->value++ == 0)
        evidence->value_line = line;
    evidence->clear += second < evidence->least;
}

enum status update_look_at(struct update_evidence *evidence, const struct record *record,
                           uint64_t line, struct failure *why)
{
    if (record_is_allocation(record->kind))
        return note_allocation(evidence, record->object, why);
    if (record->kind == RECORD_UPDATE)
        note_update(evidence, record, line);
    return STATUS_OK;
}

bool update_order_is_known(const struct update_evidence *evidence)
{
    return evidence->container >= FEW || evidence->value >= FEW * CHANCE;
}

bool update_order_is_value(const struct update_evidence *evidence)
{
    bool is_clear = evidence->container == 0 && evidence->clear == evidence->value;
    return evidence->value / CHANCE >= evidence->container && evidence->value > 0 &&
           (evidence->value >= FEW || is_clear);
}

void update_evidence_free(struct update_evidence *evidence)
{
    map_free(&evidence->allocated);
}
