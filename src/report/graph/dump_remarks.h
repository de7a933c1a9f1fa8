/* SPDX-License-Identifier: MIT */
/* What a heap dump shows otherwise than the trace, for a message. */
#ifndef ETMERLIN_REPORT_GRAPH_DUMP_REMARKS_H
#define ETMERLIN_REPORT_GRAPH_DUMP_REMARKS_H

#include "report/graph/dump_objects.h"

#include <stdio.h>

/* Zero-initialize it. */
struct dump_remarks {
    uint64_t classes; /* with objects that are shown in a wrong size */
    uint64_t objects;
    char *example;         /* owned */
    uint64_t renamed;      /* objects whose ids differ from those in the trace */
    uint64_t cut;          /* arrays with fewer elements than in the trace */
    char *cut_example;     /* owned */
    uint64_t resized;      /* arrays that are shown in a wrong size */
    char *resized_example; /* owned */
};

/* Notes what differs in a dump whose objects have been put; `renamed` of them have other ids.
 */
enum status dump_remarks_note(struct dump_remarks *remarks, const struct dump_objects *objects,
                              uint64_t renamed, struct failure *why) MUST_CHECK;

bool dump_remarks_exist(const struct dump_remarks *remarks);

/* Prints the remarks, which there are, as what the dump shows. */
void dump_remarks_print(FILE *stream, const struct dump_remarks *remarks);

/* Releases the remarks, too. NULL is allowed. */
void dump_remarks_free(struct dump_remarks *remarks);

#endif
