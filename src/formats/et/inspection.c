/* SPDX-License-Identifier: MIT */
/* One reading answers all questions. It ends when they are answered, at the latest after so
 * many records that whatever is not known then cannot be seen from the beginning of the trace.
 */
#include "formats/et/inspection.h"

#include "formats/et/relatives.h"
#include "formats/et/update_order.h"

#include <inttypes.h>

/* More than a trace needs to show what it is; reading as many takes some ten milliseconds. */
enum { RECORDS_MAX = 200000 };

struct inspection {
    const struct reader *reader;
    bool asks_order; /* of an update's fields */
    uint64_t records;
    struct dialect_evidence *dialect;
    struct update_evidence updates;
    struct relative_evidence relatives;
};

static enum status inspect_record(struct inspection *inspection, const struct batch *batch,
                                  const struct record *record, struct failure *why)
{
    uint64_t line = batch->first_line + record->line;
    if (record->kind == RECORD_MALFORMED || record->kind == RECORD_UNKNOWN) {
        const char *text = batch->text + record->begin;
        size_t length = record->end - record->begin;
        length -= length > 0 && text[length - 1] == '\n';
        relative_look_at(&inspection->relatives, text, length, line);
        return STATUS_OK;
    }
    /* A relative's other records are malformed here: it has another number of fields. */
    inspection->relatives.is_own |=
        record_is_allocation(record->kind) || record->kind == RECORD_EXIT;
    dialect_look_at(inspection->dialect, record, line);
    return inspection->asks_order ? update_look_at(&inspection->updates, record, line, why)
                                  : STATUS_OK;
}

static bool inspection_is_done(const struct inspection *inspection)
{
    bool order_is_known =
        !inspection->asks_order || update_order_is_known(&inspection->updates);
    return inspection->records >= RECORDS_MAX ||
           (dialect_is_known(inspection->dialect) && order_is_known);
}

static enum status inspect_batch(struct inspection *inspection, const struct batch *batch,
                                 struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0;
         i < batch->count && status == STATUS_OK && !inspection_is_done(inspection); i++) {
        status = inspect_record(inspection, batch, &batch->records[i], why);
        inspection->records++;
    }
    return status;
}

static enum status inspect_all(struct inspection *inspection, struct reader *reader,
                               struct failure *why)
{
    struct batch batch = BATCH_EMPTY;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && !inspection_is_done(inspection) &&
           (status = reader_next(reader, &batch, why)) == STATUS_OK)
        status = inspect_batch(inspection, &batch, why);
    batch_free(&batch);
    reader_rewind(reader, NULL);
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status refuse_order(const struct inspection *inspection, struct failure *why)
{
    const struct update_evidence *updates = &inspection->updates;
    return fail_at(
        why, STATUS_MEANING, inspection->reader->name, updates->value_line,
        "This looks like a trace of the second generation of Elephant Tracks, whose updates "
        "are U value field container thread: of %" PRIu64 " updates, %" PRIu64
        " would have an allocated object as their field and none as their value. "
        "--update-order=value reads them so, --update-order=container as U container value "
        "field thread",
        updates->updates, updates->value);
}

enum status et_inspect(struct reader *reader, const struct reader_options *options,
                       struct dialect_evidence *evidence, struct failure *why)
{
    struct inspection inspection = {.reader = reader,
                                    .asks_order = options->update_order == UPDATE_ORDER_AUTO,
                                    .dialect = evidence};
    enum status status = inspect_all(&inspection, reader, why);
    if (status == STATUS_OK && !options->lenient)
        status = relative_refuse(&inspection.relatives, reader->name, why);
    if (status == STATUS_OK && update_order_is_value(&inspection.updates))
        status = refuse_order(&inspection, why);
    update_evidence_free(&inspection.updates);
    return status;
}
