/* Numbers for names, from 1 on, in the order in which the names are first asked for. */
#ifndef ETMERLIN_FORMATS_TRACEVIS_NAME_NUMBERS_H
#define ETMERLIN_FORMATS_TRACEVIS_NAME_NUMBERS_H

#include "base/map.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialize it; name_numbers_free ends it. */
struct name_numbers {
    struct map by_hash; /* -> number */
    char *text;         /* of all names, one behind the other */
    size_t text_length, text_capacity;
    size_t *ends; /* of each name in the text */
    size_t ends_capacity;
    uint64_t count;
};

/* Sets *number to that of the name of `length` bytes at `name`, and *is_new to whether it
 * has been given just now. */
enum status name_numbers_find(struct name_numbers *numbers, const char *name, size_t length,
                              uint64_t *number, bool *is_new, struct failure *why) MUST_CHECK;

/* The name that has `number`: *length bytes, no terminator. Good until a name is added. */
const char *name_numbers_name(const struct name_numbers *numbers, uint64_t number,
                              size_t *length);

void name_numbers_free(struct name_numbers *numbers);

#endif
