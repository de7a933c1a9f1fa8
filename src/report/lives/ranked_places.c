/* Types and sites have ids and names of their own; methods and contexts are pairs with a type.
 */
#include "report/lives/ranked_places.h"

#include "base/memory.h"
#include "base/number.h"

#include <string.h>

static struct ranked_places ranked_of(const struct stats *stats, const struct names *names,
                                      const struct place_tallies *places)
{
    return (struct ranked_places){
        .tallies = &places->tallies,
        .dispersions = places->dispersions,
        .names = names,
        .has_uses = stats_has_uses(stats),
    };
}

struct ranked_places ranked_types(const struct stats *stats, const struct names *names)
{
    struct ranked_places places = ranked_of(stats, names, &stats->places.by_type);
    places.is_of_ids = true;
    places.space = NAMES_TYPE;
    return places;
}

struct ranked_places ranked_sites(const struct stats *stats, const struct names *names)
{
    return (struct ranked_places){
        .tallies = &stats->sites,
        .names = names,
        .is_of_ids = true,
        .space = NAMES_SITE,
        .has_uses = stats_has_uses(stats),
    };
}

struct ranked_places ranked_methods(const struct stats *stats, const struct names *names)
{
    return ranked_of(stats, names, &stats->places.by_method);
}

struct ranked_places ranked_contexts(const struct stats *stats, const struct names *names)
{
    struct ranked_places places = ranked_of(stats, names, &stats->places.by_context);
    places.contexts = stats->places.contexts;
    return places;
}

static bool append(struct context_name *name, const char *text, size_t length)
{
    char *grown = array_grow(name->text, &name->capacity, name->length + length + 1, 1);
    if (!grown)
        return false;
    name->text = grown;
    memcpy(grown + name->length, text, length);
    name->length += length;
    grown[name->length] = '\0';
    return true;
}

static bool append_method(struct context_name *name, uint64_t method, const struct names *names)
{
    struct name_parts parts = names_find_parts(names, NAMES_METHOD, method);
    char digits[NUMBER_DIGITS];
    if (!parts.own)
        return append(name, digits, number_format(digits, method));
    return (!parts.owner ||
            (append(name, parts.owner, parts.owner_length) && append(name, "#", 1))) &&
           append(name, parts.own, parts.own_length);
}

const char *method_name_make(struct context_name *name, uint64_t method,
                             const struct names *names)
{
    name->length = 0;
    return append_method(name, method, names) ? name->text : NULL;
}

const char *type_name_make(struct context_name *name, uint64_t type, const struct names *names)
{
    const char *own = names_find(names, NAMES_TYPE, type);
    char digits[NUMBER_DIGITS];
    name->length = 0;
    bool is_complete = own ? append(name, own, strlen(own))
                           : append(name, digits, number_format(digits, type));
    return is_complete ? name->text : NULL;
}

const char *context_name_make(struct context_name *name, const struct contexts *contexts,
                              uint32_t context, const struct names *names)
{
    uint64_t methods[CONTEXT_DEPTH_MAX];
    size_t count = contexts_methods(contexts, context, methods);
    name->length = 0;
    bool is_complete = count > 0 || append(name, "(none)", strlen("(none)"));
    for (size_t i = 0; i < count && is_complete; i++)
        is_complete =
            (i == 0 || append(name, ";", 1)) && append_method(name, methods[i], names);
    return is_complete ? name->text : NULL;
}
