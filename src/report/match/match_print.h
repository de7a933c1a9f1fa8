/* SPDX-License-Identifier: MIT */
/* Prints how far two runs are the same. */
#ifndef ETMERLIN_REPORT_MATCH_MATCH_PRINT_H
#define ETMERLIN_REPORT_MATCH_MATCH_PRINT_H

#include "report/form/common.h"
#include "report/match/match.h"

/* Where the runs come from. */
struct match_origin {
    struct trace_origin trace; /* of B; no assumptions if both have recorded deaths */
    const char *a;             /* the name of A */
    const char *a_unfinished;  /* as in struct reader */
    bool has_names[RUNS];
    bool is_recorded[RUNS]; /* the deaths are those that the trace has */
    uint64_t purity;        /* percent */
};

/* What the document has after the trace and the assumptions. */
extern const struct section match_compared_sections[], match_sections[], match_list_sections[];

/* As text or JSON (match-1), or as a table of one row. */
void match_print(struct print *print, enum report_format format, const struct run_match *match,
                 const struct match_origin *origin);

#endif
