/* All names stand one behind the other in one text: a map from ids to offsets is small, and
 * there are tens of thousands of names. */
#include "trace/names.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct names {
    struct map spaces[NAMES_SPACES]; /* id -> where its name begins in text */
    char *text;
    size_t length;
    size_t capacity;
};

enum status names_new(struct names **out, struct failure *why)
{
    *out = calloc(1, sizeof **out);
    return *out ? STATUS_OK : fail_memory(why);
}

enum status names_add(struct names *names, enum name_space space, uint64_t id, const char *text,
                      size_t length, struct failure *why)
{
    size_t needed;
    if (__builtin_add_overflow(names->length, length, &needed) || needed == SIZE_MAX)
        return fail_memory(why);
    char *more = array_grow(names->text, &names->capacity, needed + 1, 1);
    if (!more)
        return fail_memory(why);
    names->text = more;
    uint64_t *begin = map_insert(&names->spaces[space], id);
    if (!begin)
        return fail_memory(why);
    *begin = names->length;
    memcpy(more + names->length, text, length);
    more[needed] = '\0';
    names->length = needed + 1;
    return STATUS_OK;
}

const char *names_find(const struct names *names, enum name_space space, uint64_t id)
{
    const uint64_t *begin = names ? map_find(&names->spaces[space], id) : NULL;
    return begin ? names->text + *begin : NULL;
}

bool names_exist(const struct names *names)
{
    return names->length > 0;
}

void names_free(struct names *names)
{
    if (!names)
        return;
    for (unsigned space = 0; space < NAMES_SPACES; space++)
        map_free(&names->spaces[space]);
    free(names->text);
    free(names);
}
