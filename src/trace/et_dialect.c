#include "trace/et_dialect.h"

#include <stddef.h>

/* Boundaries whose last field must count up for the dialect to be "time". */
enum { BOUNDARIES_LOOKED_AT = 1000 };

struct evidence {
    unsigned boundaries;
    uint64_t last; /* field of the latest boundary */
    bool counts_up;
};

static bool is_enough(const struct evidence *evidence)
{
    return !evidence->counts_up || evidence->boundaries == BOUNDARIES_LOOKED_AT;
}

static void look_at(struct evidence *evidence, const struct record *record)
{
    if (evidence->boundaries > 0 &&
        (evidence->last == UINT64_MAX || record->thread != evidence->last + 1))
        evidence->counts_up = false;
    evidence->last = record->thread;
    evidence->boundaries++;
}

enum status et_find_dialect(struct reader *reader, enum dialect *dialect, struct failure *why)
{
    struct evidence evidence = {.counts_up = true};
    struct batch batch = BATCH_EMPTY;
    enum status status = STATUS_OK;
    while (!is_enough(&evidence) && (status = reader_next(reader, &batch, why)) == STATUS_OK)
        for (size_t i = 0; i < batch.count && !is_enough(&evidence); i++)
            if (record_is_boundary(batch.records[i].kind))
                look_at(&evidence, &batch.records[i]);
    batch_free(&batch);
    reader_rewind(reader, NULL);
    if (status != STATUS_OK && status != STATUS_END)
        return status;
    *dialect = evidence.counts_up && evidence.boundaries >= 2 ? DIALECT_TIME : DIALECT_THREAD;
    return STATUS_OK;
}
