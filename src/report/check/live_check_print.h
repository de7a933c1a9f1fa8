/* SPDX-License-Identifier: MIT */
/* The check of the live heap as a document. */
#ifndef ETMERLIN_REPORT_CHECK_LIVE_CHECK_PRINT_H
#define ETMERLIN_REPORT_CHECK_LIVE_CHECK_PRINT_H

#include "report/form/common.h"

/* The computed live bytes of a collection, divided by the true ones. */
struct live_ratio {
    struct value ratio;
    uint64_t time; /* of the collection */
};

/* Objects of a type that are early, or late; or those of all types. */
struct live_gap {
    uint64_t type;
    const char *name; /* of the type; NULL: it has none */
    uint64_t objects;
    uint64_t bytes;
    uint64_t weight; /* bytes, times the collections at which they are wrong */
};

/* All objects that are early, or late, and the types with the most weight, the heaviest first.
 */
struct live_gaps {
    struct live_gap all;
    const struct live_gap *types;
    uint64_t type_count;
};

struct live_checked {
    const char *checked_by; /* the file of collections */
    uint64_t collections;
    uint64_t bytes;    /* live after them, of all together */
    struct value mean; /* of the ratios */
    struct live_ratio least, most;
    struct live_gaps early, late;
};

/* Its sections. */
extern const struct section live_check_sections[];

/* Prints the report, as text or JSON; etmerlin-reports(5) has the keys. */
void live_check_print(struct print *print, enum report_format format,
                      const struct trace_origin *origin, const struct live_checked *checked);

#endif
