/* SPDX-License-Identifier: MIT */
/* The numbers of a list are collected in a block of memory that is written when it is full. A
 * number may begin in one block of the reading and end in the next: what is left of a block is
 * moved to the front before more is read.
 *
 * The top of a stack stands in memory. Of each number below, the file has the step that leads
 * to it from the one above, written so that it can be read from its end: the low bits come
 * last. */
#include "io/temporary/numbers.h"

#include "base/bytes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_BLOCK = 32 * 1024 };

struct number_list {
    struct spool *spool;
    size_t length;
    uint8_t bytes[LIST_BLOCK];
};

struct number_cursor {
    const struct number_list *list;
    uint64_t offset; /* in the file, of what has not been read into memory */
    const uint8_t *at;
    const uint8_t *end;
    uint8_t bytes[LIST_BLOCK];
};

enum status number_list_open(struct number_list **out, const struct temporary_folder *temporary,
                             struct failure *why)
{
    struct number_list *list = malloc(sizeof *list);
    if (!list)
        return fail_memory(why);
    list->length = 0;
    enum status status = spool_open(&list->spool, temporary, why);
    if (status == STATUS_OK)
        *out = list;
    else
        free(list);
    return status;
}

enum status number_list_add(struct number_list *list, uint64_t number, struct failure *why)
{
    if (list->length + VARINT_MAX > LIST_BLOCK)
        TRY(number_list_finish(list, why));
    list->length = (size_t)(varint_put(list->bytes + list->length, number) - list->bytes);
    return STATUS_OK;
}

enum status number_list_finish(struct number_list *list, struct failure *why)
{
    enum status status = spool_append(list->spool, list->bytes, list->length, why);
    list->length = 0;
    return status;
}

void number_list_close(struct number_list *list)
{
    if (!list)
        return;
    spool_close(list->spool);
    free(list);
}

enum status number_cursor_open(struct number_cursor **out, const struct number_list *list,
                               struct failure *why)
{
    struct number_cursor *cursor = malloc(sizeof *cursor);
    if (!cursor)
        return fail_memory(why);
    cursor->list = list;
    cursor->offset = 0;
    cursor->at = cursor->end = cursor->bytes;
    *out = cursor;
    return STATUS_OK;
}

/* Reads on, so that there is a whole number unless nothing is left. */
static enum status read_listed_block(struct number_cursor *cursor, struct failure *why)
{
    size_t length = (size_t)(cursor->end - cursor->at), got;
    memmove(cursor->bytes, cursor->at, length);
    enum status status = spool_read(cursor->list->spool, cursor->offset, cursor->bytes + length,
                                    LIST_BLOCK - length, &got, why);
    cursor->offset += got;
    cursor->at = cursor->bytes;
    cursor->end = cursor->bytes + length + got;
    return status;
}

enum status number_cursor_next(struct number_cursor *cursor, uint64_t *number,
                               struct failure *why)
{
    if (cursor->end - cursor->at < VARINT_MAX)
        TRY(read_listed_block(cursor, why));
    const uint8_t *next = varint_get(cursor->at, cursor->end, number);
    if (next)
        cursor->at = next;
    return STATUS_OK;
}

void number_cursor_close(struct number_cursor *cursor)
{
    free(cursor);
}

enum { STACK_BLOCK = 32 * 1024 };

struct number_stack {
    struct spool *spool;
    bool is_copy; /* the spool is another stack's */
    uint64_t count;
    uint64_t top;
    uint64_t spooled; /* bytes of the file that have not been read back */
    size_t length;    /* of the bytes above these */
    uint8_t bytes[STACK_BLOCK];
};

enum status number_stack_open(struct number_stack **out,
                              const struct temporary_folder *temporary, struct failure *why)
{
    struct number_stack *stack = malloc(sizeof *stack);
    if (!stack)
        return fail_memory(why);
    stack->spool = NULL;
    stack->is_copy = false;
    stack->count = stack->top = stack->spooled = stack->length = 0;
    enum status status = spool_open(&stack->spool, temporary, why);
    if (status == STATUS_OK)
        *out = stack;
    else
        number_stack_close(stack);
    return status;
}

/* Moves the bytes in memory to the file. */
static enum status spill(struct number_stack *stack, struct failure *why)
{
    enum status status = spool_append(stack->spool, stack->bytes, stack->length, why);
    stack->spooled += stack->length;
    stack->length = 0;
    return status;
}

/* All bytes are in the file then, and none in memory. */
enum status number_stack_copy(struct number_stack **out, struct number_stack *stack,
                              struct failure *why)
{
    TRY(stack->length > 0 ? spill(stack, why) : STATUS_OK);
    struct number_stack *copy = malloc(sizeof *copy);
    if (!copy)
        return fail_memory(why);
    copy->spool = stack->spool;
    copy->is_copy = true;
    copy->count = stack->count;
    copy->top = stack->top;
    copy->spooled = stack->spooled;
    copy->length = 0;
    *out = copy;
    return STATUS_OK;
}

enum status number_stack_push(struct number_stack *stack, uint64_t number, struct failure *why)
{
    enum status status = STATUS_OK;
    if (stack->length + VARINT_MAX > STACK_BLOCK)
        status = spill(stack, why);
    if (stack->count++ > 0) {
        uint8_t step[VARINT_MAX];
        const uint8_t *end = varint_put(step, varint_step(number, stack->top));
        while (end > step)
            stack->bytes[stack->length++] = *--end;
    }
    stack->top = number;
    return status;
}

uint64_t number_stack_count(const struct number_stack *stack)
{
    return stack->count;
}

uint64_t number_stack_top(const struct number_stack *stack)
{
    return stack->top;
}

/* Reads the last block of the file back in front of the bytes in memory, of which few are
 * left. */
static enum status read_back(struct number_stack *stack, struct failure *why)
{
    size_t room = STACK_BLOCK - stack->length, got;
    size_t wanted = stack->spooled < room ? (size_t)stack->spooled : room;
    memmove(stack->bytes + wanted, stack->bytes, stack->length);
    stack->spooled -= wanted;
    stack->length += wanted;
    return spool_read(stack->spool, stack->spooled, stack->bytes, wanted, &got, why);
}

enum status number_stack_pop(struct number_stack *stack, struct failure *why)
{
    enum status status = STATUS_OK;
    if (--stack->count == 0)
        return STATUS_OK;
    if (stack->length < VARINT_MAX && stack->spooled > 0)
        status = read_back(stack, why);
    uint64_t step = 0;
    uint8_t byte = 128;
    for (unsigned shift = 0; byte >= 128 && shift < 64 && stack->length > 0; shift += 7) {
        byte = stack->bytes[--stack->length];
        step |= (uint64_t)(byte & 127) << shift;
    }
    stack->top = varint_follow(stack->top, step);
    return status;
}

void number_stack_close(struct number_stack *stack)
{
    if (!stack)
        return;
    if (!stack->is_copy)
        spool_close(stack->spool);
    free(stack);
}
