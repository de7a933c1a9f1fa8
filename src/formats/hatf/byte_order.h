/* SPDX-License-Identifier: MIT */
/* Detects the byte order of a HATF file, which does not tell it. */
#ifndef ETMERLIN_FORMATS_HATF_BYTE_ORDER_H
#define ETMERLIN_FORMATS_HATF_BYTE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough of a file to find it out. */
enum { HATF_ORDER_HEAD = 4096 };

/* Whether the file whose first bytes are those at `head` is told by its first events to be in
 * one byte order; *little_endian: which. */
bool hatf_find_byte_order(const uint8_t *head, size_t length, bool *little_endian);

#endif
