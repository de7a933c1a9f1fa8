/* SPDX-License-Identifier: MIT */
/* Numbers in a temporary file, to be read in their order (a list) or from the last one back (a
 * stack). */
#ifndef ETMERLIN_IO_TEMPORARY_NUMBERS_H
#define ETMERLIN_IO_TEMPORARY_NUMBERS_H

#include "io/temporary/spool.h"

#include <stddef.h>
#include <stdint.h>

/* A list is written once and read as often as one likes. Small numbers take few bytes. */
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

/* Of a stack, all numbers are pushed, then all are popped. Numbers that are near each other
 * take a byte or two. */
struct number_stack;

/* An empty stack, in `temporary` (NULL: see spool_open). The caller owns *out
 * (number_stack_close). */
enum status number_stack_open(struct number_stack **out,
                              const struct temporary_folder *temporary,
                              struct failure *why) MUST_CHECK;

/* Makes *out a stack of the numbers of `stack`, from which none has been popped yet; they are
 * those of its file, and nothing is pushed on either any more. `stack` must outlive *out, which
 * the caller owns (number_stack_close). */
enum status number_stack_copy(struct number_stack **out, struct number_stack *stack,
                              struct failure *why) MUST_CHECK;

/* Nothing is pushed any more once something has been popped. */
enum status number_stack_push(struct number_stack *stack, uint64_t number,
                              struct failure *why) MUST_CHECK;

/* How many numbers are on the stack. */
uint64_t number_stack_count(const struct number_stack *stack);

/* The number that was pushed last; the stack is not empty. */
uint64_t number_stack_top(const struct number_stack *stack);

/* Takes the number that was pushed last off the stack, which is not empty. */
enum status number_stack_pop(struct number_stack *stack, struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void number_stack_close(struct number_stack *stack);

#endif
