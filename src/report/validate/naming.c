/* SPDX-License-Identifier: MIT */
/* Each id is looked up only when the trace first names it, so that ids are counted, not the
 * records that name them. */
#include "report/validate/naming.h"

#include "trace/record.h"

static const struct {
    enum field_role role;
    enum name_space space;
    const char *label;
} kinds[NAMED_KINDS] = {{ROLE_TYPE, NAMES_TYPE, "types"},
                        {ROLE_METHOD, NAMES_METHOD, "methods"}};

static enum status look_up(struct naming *naming, unsigned kind, uint64_t id,
                           struct failure *why)
{
    struct named_kind *named = &naming->kinds[kind];
    bool is_new;
    enum status status = set_add(&named->seen, id, &is_new, why);
    if (status != STATUS_OK || !is_new)
        return status;
    named->ids++;
    if (names_find_parts(naming->names, kinds[kind].space, id).own)
        return STATUS_OK;
    if (named->unnamed++ == 0)
        named->first = id;
    return STATUS_OK;
}

static enum status look_up_record(struct naming *naming, const struct record *record,
                                  struct failure *why)
{
    const struct record_layout *layout = record_layout_find(record->kind);
    enum status status = STATUS_OK;
    for (unsigned i = 0; layout && i < layout->count; i++)
        for (unsigned kind = 0; kind < NAMED_KINDS && status == STATUS_OK; kind++)
            if (layout->fields[i].role == kinds[kind].role)
                status = look_up(naming, kind, record_value(record, &layout->fields[i]), why);
    return status;
}

enum status naming_add(struct naming *naming, const struct batch *batch, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; naming->names && i < batch->count && status == STATUS_OK; i++)
        status = look_up_record(naming, &batch->records[i], why);
    return status;
}

const char *naming_label(unsigned kind)
{
    return kinds[kind].label;
}

void naming_free(struct naming *naming)
{
    for (unsigned kind = 0; kind < NAMED_KINDS; kind++)
        set_free(&naming->kinds[kind].seen);
}
