/* SPDX-License-Identifier: MIT */
/* Simulated heaps as a table or as JSON. */
#ifndef ETMERLIN_REPORT_SIMULATE_SIMULATE_PRINT_H
#define ETMERLIN_REPORT_SIMULATE_SIMULATE_PRINT_H

#include "report/form/document.h"
#include "report/print.h"
#include "report/report_settings.h"
#include "report/simulate/heaps.h"

/* The document of a struct simulated_results; its second section is the table. */
extern const struct section simulated_sections[];

struct simulated_results {
    const char *trace;
    const char *unfinished; /* why the trace is not whole; NULL: it seems to be */
    const struct simulated *heaps;
    size_t count;
    uint64_t smallest; /* bytes of the smallest heap that suffices */
    bool has_stores;   /* stores and nepotism have been looked at */
};

/* Prints a row a heap; print->status says how that went. */
void simulated_print(struct print *print, enum report_format format,
                     const struct simulated_results *results);

#endif
