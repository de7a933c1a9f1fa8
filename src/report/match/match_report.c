/* SPDX-License-Identifier: MIT */
/* The table of sites as a report of B: it is written with the reports, from the match that the
 * command has made. */
#include "report/match/match_report.h"

#include "report/match/match_print.h"

enum status match_sites_finish(struct report *report, struct failure *why)
{
    struct print print = {.sink = report->sink, .why = why};
    match_print_sites(&print, report->material->match);
    return print.status;
}
