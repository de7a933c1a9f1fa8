/* SPDX-License-Identifier: MIT */
/* A stack of numbers in a temporary file: all are pushed, then all are popped. Numbers that are
 * near each other take a byte or two. */
#ifndef ETMERLIN_IO_NUMBER_STACK_H
#define ETMERLIN_IO_NUMBER_STACK_H

#include "io/spool.h"

#include <stdint.h>

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
