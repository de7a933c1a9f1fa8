/* SPDX-License-Identifier: MIT */
/* Whether input may be an Elephant Tracks trace. */
#ifndef ETMERLIN_FORMATS_ET_BID_H
#define ETMERLIN_FORMATS_ET_BID_H

#include <stddef.h>

/* See reader_class.bid: 1, the lowest, for what may be a trace, and for what is like a trace
 * that the reader refuses by name (relatives.h); 0 if there is something at the beginning, and
 * none of it is of the form of a record. */
int et_bid(const char *head, size_t length);

#endif
