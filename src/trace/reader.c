/* SPDX-License-Identifier: MIT */
/* What readers of all classes have in common. A class need not be able to filter or to skim:
 * then it reads everything, and what is not wanted is left out here. One indirect call for each
 * batch has no cost that could be measured. */
#include "trace/reader.h"

#include "io/source.h"

/* If a failure comes with records before it, these are delivered first, and the failure is kept
 * for the next call. So what is reported of a trace does not depend on where its batches end.
 */
static enum status fill(struct reader *reader, struct batch *batch, struct failure *why)
{
    batch_restart(batch);
    if (reader->failure.status != STATUS_OK)
        return failure_move(why, &reader->failure);
    enum status status = reader->methods->next(reader, batch, why);
    if (status == STATUS_OK || status == STATUS_END || batch->count == 0)
        return status;
    failure_move(&reader->failure, why);
    return STATUS_OK;
}

/* Removes from the batch what the filter, which is not NULL, does not want. The batch must have
 * all records of the trace that follow those of the batch before. */
static void filtering_apply(struct filtering *filtering, struct batch *batch)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++)
        if (filtering_wants(filtering, batch->records[i].kind))
            batch->records[kept++] = batch->records[i];
    batch->count = kept;
}

enum status reader_next(struct reader *reader, struct batch *batch, struct failure *why)
{
    enum status status = fill(reader, batch, why);
    if (status == STATUS_OK && batch->count > 0)
        reader->has_records = true;
    if (status == STATUS_OK && batch->unknown > 0)
        reader->has_unknown = true;
    if (status == STATUS_OK && reader->filtering.filter)
        filtering_apply(&reader->filtering, batch);
    return status;
}

void reader_rewind(struct reader *reader, const struct boundary_filter *filter)
{
    bool finds = filter && reader->methods->rewind_filtered;
    failure_clear(&reader->failure);
    reader->filtering = filtering_begin(finds ? NULL : filter);
    if (finds)
        reader->methods->rewind_filtered(reader, filter);
    else
        reader->methods->rewind(reader);
}

void reader_skim(struct reader *reader)
{
    failure_clear(&reader->failure);
    reader->filtering = filtering_begin(NULL);
    if (reader->methods->skim)
        reader->methods->skim(reader);
    else
        reader->methods->rewind(reader);
}

uint64_t reader_digest(const struct reader *reader)
{
    return reader->methods->digest(reader);
}

enum status reader_check(const struct reader *reader, enum status status, uint64_t digest,
                         struct failure *why)
{
    if (status != STATUS_SYNTAX && (status != STATUS_OK || reader_digest(reader) == digest))
        return status;
    return source_changed(reader->name, why);
}

void reader_explain(const struct reader *reader, const struct batch *batch,
                    const struct record *record, struct failure *why)
{
    reader->methods->explain(reader, batch, record, why);
}

const struct remark *reader_remarks(const struct reader *reader, size_t *count)
{
    *count = 0;
    return reader->methods->remarks ? reader->methods->remarks(reader, count) : NULL;
}

void reader_close(struct reader *reader)
{
    if (!reader)
        return;
    failure_clear(&reader->failure);
    reader->methods->close(reader);
}
