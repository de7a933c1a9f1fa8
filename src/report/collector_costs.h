/* SPDX-License-Identifier: MIT */
/* What simulated collectors cost, for reports that show it among other things. */
#ifndef ETMERLIN_REPORT_COLLECTOR_COSTS_H
#define ETMERLIN_REPORT_COLLECTOR_COSTS_H

#include "report/figures.h"

#include <stdbool.h>

/* A row of --simulate. */
struct collector_cost {
    const char *collector; /* its name */
    uint64_t heap;
    uint64_t nursery; /* 0: it has none */
    unsigned tenure;
    bool completed;
    uint64_t allocated, minor, major;
    wide_sum copied, promoted, marked; /* bytes */
    bool is_smallest; /* the program gets through, and would in no smaller heap */
};

struct collector_costs {
    struct collector_cost *items; /* in the order of --simulate; owned */
    size_t count;
};

#endif
