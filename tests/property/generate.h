/* SPDX-License-Identifier: MIT */
/*
 * Random adversarial Elephant Tracks traces, each determined by a 64-bit seed.
 */
#ifndef PROPERTY_GENERATE_H
#define PROPERTY_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

struct generated_trace {
    struct text text;  /* the caller owns it: text_free() */
    bool time_dialect; /* LAST is the clock, not the thread */
    bool has_deaths;   /* it may have D records, which a program must be asked to replace */
};

/*
 * Makes the trace of a seed, which is well-formed. It has up to about 150 records, and seldom a
 * thousand more at its beginning. The same seed gives the same bytes on every platform.
 */
void generate_trace(uint64_t seed, struct generated_trace *trace);

#endif
