/* SPDX-License-Identifier: MIT */
/* Detects the byte order of a HATF file. The format has no place for it, but our writer sets
 * the default of times to 1, before it sets that there is none: the bytes of that 1 show. Files
 * without it, of version 1.0.0, are judged by their first events, which is a guess. */
#ifndef ETMERLIN_FORMATS_HATF_BYTE_ORDER_H
#define ETMERLIN_FORMATS_HATF_BYTE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough of a file to find it out. */
enum { HATF_ORDER_HEAD = 4096 };

/* Whether the file whose first bytes are those at `head` says its byte order, as our writer's
 * do; *little_endian: which. */
bool hatf_read_byte_order(const uint8_t *head, size_t length, bool *little_endian);

/* Whether the file whose first bytes are those at `head` seems by its first events to be in
 * one byte order; *little_endian: which. */
bool hatf_find_byte_order(const uint8_t *head, size_t length, bool *little_endian);

#endif
