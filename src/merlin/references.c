/* SPDX-License-Identifier: MIT */
/* A list that is appended to, then read, in blocks in a temporary file. One buffer serves both,
 * since nothing is appended any more when reading begins. */
#include "merlin/references.h"

#include "base/memory.h"

#include <stdlib.h>

enum { BUFFERED = 2048 };

struct references {
    struct spool *spool;
    uint64_t offset; /* in the spool, of what is read next */
    bool is_reading;
    size_t count; /* in the buffer */
    size_t next;  /* of these to be read */
    struct ended_reference buffer[BUFFERED];
};

enum status references_open(struct references **out, const struct spool_place *place,
                            struct failure *why)
{
    struct references *references = calloc(1, sizeof *references);
    if (!references)
        return fail_memory(why);
    enum status status = spool_open(&references->spool, place, why);
    if (status != STATUS_OK) {
        references_close(references);
        return status;
    }
    *out = references;
    return STATUS_OK;
}

/* Moves what the buffer holds to the spool. */
static enum status empty_buffer(struct references *references, struct failure *why)
{
    size_t bytes = references->count * sizeof *references->buffer;
    references->count = 0;
    return bytes ? spool_append(references->spool, references->buffer, bytes, why) : STATUS_OK;
}

enum status references_add(struct references *references,
                           const struct ended_reference *reference, struct failure *why)
{
    /* Field by field: the bytes between them, which are written, too, stay zero. */
    struct ended_reference *item = &references->buffer[references->count++];
    item->field = reference->field;
    item->created = reference->created;
    item->ended = reference->ended;
    item->container = reference->container;
    item->target = reference->target;
    item->cleared = reference->cleared;
    return references->count == BUFFERED ? empty_buffer(references, why) : STATUS_OK;
}

static enum status fill_buffer(struct references *references, struct failure *why)
{
    char *buffer = (char *)references->buffer;
    size_t filled = 0, got = 1;
    while (got > 0 && filled < sizeof references->buffer) {
        enum status status = spool_read(references->spool, references->offset, buffer + filled,
                                        sizeof references->buffer - filled, &got, why);
        if (status != STATUS_OK)
            return status;
        references->offset += got;
        filled += got;
    }
    references->next = 0;
    references->count = filled / sizeof *references->buffer;
    return references->count > 0 ? STATUS_OK : STATUS_END;
}

enum status references_next(struct references *references, struct ended_reference *reference,
                            struct failure *why)
{
    enum status status = STATUS_OK;
    if (!references->is_reading) {
        references->is_reading = true;
        status = empty_buffer(references, why);
    }
    if (status == STATUS_OK && references->next == references->count)
        status = fill_buffer(references, why);
    if (status == STATUS_OK)
        *reference = references->buffer[references->next++];
    return status;
}

void references_close(struct references *references)
{
    if (!references)
        return;
    spool_close(references->spool);
    free(references);
}
