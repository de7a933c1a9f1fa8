/* SPDX-License-Identifier: MIT */
/* Advice has a table of all objects that the records name. It is released before the lives
 * come, so that only one reading of the trace has that table and the heap in memory. */
#include "report/advise/run_advice.h"

enum status run_advice_read(struct run_advice *run, const struct report_material *material,
                            const struct batch *batch, struct failure *why)
{
    const struct reader *reader = material->reader;
    enum status status = STATUS_OK;
    if (!run->advice)
        status = advice_new(&run->advice, reader->explicit_time, reader->mark.level, why);
    return status == STATUS_OK ? advice_add(run->advice, batch, why) : status;
}

void run_advice_finish(struct run_advice *run)
{
    if (!run->advice)
        return;
    run->counts = advice_count(run->advice);
    run->list = (struct document_part){advice_list, &run->counts};
    advice_free(run->advice);
    run->advice = NULL;
}

void run_advice_free(struct run_advice *run)
{
    advice_free(run->advice);
    *run = (struct run_advice){.advice = NULL};
}
