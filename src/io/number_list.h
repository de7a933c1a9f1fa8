/* SPDX-License-Identifier: MIT */
/* A list of numbers in a temporary file, which is written once and read as often as one likes.
 * Small numbers take few bytes. */
#ifndef ETMERLIN_IO_NUMBER_LIST_H
#define ETMERLIN_IO_NUMBER_LIST_H

#include "io/spool.h"

#include <stddef.h>
#include <stdint.h>

struct number_list;

/* An empty list, in `temporary` (NULL: see spool_open). The caller owns *out
 * (number_list_close). */
enum status number_list_open(struct number_list **out, const struct temporary_folder *temporary,
                             struct failure *why) MUST_CHECK;

/* Appends a number. */
enum status number_list_add(struct number_list *list, uint64_t number,
                            struct failure *why) MUST_CHECK;

/* To be called when all numbers have been added, before the first is read. */
enum status number_list_finish(struct number_list *list, struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void number_list_close(struct number_list *list);

/* A place in a list. Several may be read at once, also by several threads. */
struct number_cursor;

/* Starts at the first number of a list that is finished and outlives *out, which the caller
 * owns (number_cursor_close). */
enum status number_cursor_open(struct number_cursor **out, const struct number_list *list,
                               struct failure *why) MUST_CHECK;

/* Sets *number to the next one. The caller knows that there is one: after the last it is 0. */
enum status number_cursor_next(struct number_cursor *cursor, uint64_t *number,
                               struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void number_cursor_close(struct number_cursor *cursor);

#endif
