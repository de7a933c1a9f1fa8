/* SPDX-License-Identifier: MIT */
/* Numbers are collected in a block of memory that is written when it is full. A number may
 * begin in one block of the reading and end in the next: what is left of a block is moved to
 * the front before more is read. */
#include "io/number_list.h"

#include "base/bytes.h"

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
    list->spool = NULL;
    list->length = 0;
    enum status status = spool_open(&list->spool, temporary, why);
    if (status == STATUS_OK)
        *out = list;
    else
        number_list_close(list);
    return status;
}

enum status number_list_add(struct number_list *list, uint64_t number, struct failure *why)
{
    enum status status = STATUS_OK;
    if (list->length + VARINT_MAX > LIST_BLOCK)
        status = number_list_finish(list, why);
    list->length = (size_t)(varint_put(list->bytes + list->length, number) - list->bytes);
    return status;
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
    enum status status = STATUS_OK;
    if (cursor->end - cursor->at < VARINT_MAX)
        status = read_listed_block(cursor, why);
    const uint8_t *next = varint_get(cursor->at, cursor->end, number);
    if (next)
        cursor->at = next;
    return status;
}

void number_cursor_close(struct number_cursor *cursor)
{
    free(cursor);
}
