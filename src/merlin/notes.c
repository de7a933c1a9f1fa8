#include "merlin/notes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of an array that array_grow has added since it had room for `had` are zeroed. */
static void *grow_zeroed(void *items, size_t *capacity, size_t needed, size_t item_size)
{
    size_t had = items ? *capacity : 0;
    char *grown = array_grow(items, capacity, needed, item_size);
    if (grown && *capacity > had)
        memset(grown + had * item_size, 0, (*capacity - had) * item_size);
    return grown;
}

enum status notes_reserve(struct notes *notes, size_t nodes, struct failure *why)
{
    uint8_t *uses = grow_zeroed(notes->uses, &notes->use_capacity, nodes, sizeof *uses);
    if (!uses)
        return fail_memory(why);
    notes->uses = uses;
    if (!notes->keeps_deaths)
        return STATUS_OK;
    uint64_t *deaths =
        grow_zeroed(notes->deaths, &notes->death_capacity, nodes, sizeof *deaths);
    if (!deaths)
        return fail_memory(why);
    notes->deaths = deaths;
    return STATUS_OK;
}

enum status notes_birth(struct notes *notes, uint64_t tick, uint64_t size, struct failure *why)
{
    struct birth *births = array_grow(notes->births, &notes->birth_capacity,
                                      notes->birth_count + 1, sizeof *births);
    if (!births)
        return fail_memory(why);
    notes->births = births;
    uint64_t bytes = notes->birth_count > 0 ? births[notes->birth_count - 1].bytes : 0;
    if (__builtin_add_overflow(bytes, size, &bytes))
        return fail(why, STATUS_LIMIT,
                    "The trace allocates more than 2^64-1 bytes: no report can count them");
    births[notes->birth_count++] = (struct birth){tick, bytes};
    return STATUS_OK;
}

void notes_free(struct notes *notes)
{
    free(notes->uses);
    free(notes->births);
    free(notes->deaths);
    *notes = (struct notes){.uses = NULL};
}
