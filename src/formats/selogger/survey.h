/* SPDX-License-Identifier: MIT */
/* The first reading of the log, for facts that only later events show (etmerlin-formats(5),
 * "How events are converted"): which object a NEW_OBJECT makes, whether a store failed, and how
 * long the arrays in an array are. */
#ifndef ETMERLIN_FORMATS_SELOGGER_SURVEY_H
#define ETMERLIN_FORMATS_SELOGGER_SURVEY_H

#include "base/status.h"
#include "formats/selogger/facts.h"
#include "formats/selogger/index/catalogue.h"
#include "formats/selogger/index/loading.h"
#include "formats/selogger/log.h"

#include <stddef.h>
#include <stdint.h>

/* Zero-initialize it; survey_free ends it. */
struct survey {
    uint64_t *born; /* the object of each NEW_OBJECT, from 0; 0: it is never logged */
    size_t born_count;
    size_t born_capacity;
    uint64_t *failed; /* the numbers among all events, from 1 and ascending, of the
                         ARRAY_STORE_VALUE events whose stores failed */
    size_t failed_count;
    size_t failed_capacity;
    uint64_t events; /* how many events the log has */
    uint64_t digest; /* of the log */
};

/* Reads the log from its start to its end. Sets lengths of arrays in *facts, and adds to
 * *remarks what was cut off. */
enum status survey_run(struct survey *survey, struct log *log,
                       const struct catalogue *catalogue, struct facts *facts,
                       struct remark_list *remarks, struct failure *why) MUST_CHECK;

/* Releases what the survey owns. */
void survey_free(struct survey *survey);

#endif
