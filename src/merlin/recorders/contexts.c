/* SPDX-License-Identifier: MIT */
/* A context is a path in a tree, each of whose nodes is a method and its caller. So contexts
 * share their outer methods, and an allocation needs only the number of its context.
 *
 * A site with one method needs only a counter. Objects are counted by method from the second
 * method of a site on, and the largest count is updated as counts grow, so that nothing has to
 * be searched at the end. */
#include "merlin/recorders/contexts.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/symbols.h"

#include <stdlib.h>

struct context_node {
    uint32_t method;  /* its number */
    uint32_t parent;  /* a node; 0: the root, which has no method */
    uint32_t context; /* that ends at this node; 0: none yet */
    uint32_t inner;   /* the node of the same path without its outermost method; 0: it has not
                         been looked up, or is the root */
    uint8_t length;   /* of the path, in methods */
    bool is_fatal[2]; /* [0]: an object dies in this path; [1]: a prior one does */
};

/* Paths in which objects die, in the order of the first deaths. */
struct fatal_paths {
    uint32_t *items;
    size_t count;
    size_t capacity;
};

struct site_entry {
    uint64_t objects; /* of `method` */
    uint32_t method;  /* with the most objects */
    bool has_several;
};

/* Which methods allocate at sites. */
struct site_methods {
    struct interner numbers; /* of sites */
    struct site_entry *entries;
    size_t count;
    size_t capacity;
    struct map objects; /* of sites with several methods: entry and method -> objects */
};

struct contexts {
    unsigned depth;
    struct context_node *nodes; /* from 1 on */
    size_t node_count;
    size_t node_capacity;
    struct interner numbers; /* of methods, less 1 */
    uint64_t *methods;       /* by number less 1 */
    size_t method_capacity;
    struct map children; /* parent and number of the method -> node */
    uint32_t *ends;      /* the nodes at which contexts end, by context less 1 */
    size_t count;
    size_t end_capacity;
    uint32_t *by_allocation;
    size_t allocation_count;
    size_t allocation_capacity;
    struct fatal_paths fatal[2]; /* [0]: of objects; [1]: of prior ones */
    struct site_methods sites;
};

enum status contexts_new(struct contexts **out, unsigned depth, struct failure *why)
{
    struct contexts *contexts = *out = calloc(1, sizeof *contexts);
    if (!contexts)
        return fail_memory(why);
    contexts->depth = depth;
    contexts->node_count = 1;
    return STATUS_OK;
}

static enum status too_many(struct failure *why)
{
    return fail(why, STATUS_LIMIT, "The trace has more than %u paths of calls", UINT32_MAX - 1);
}

/* Sets *number to the number of a method, which is added if it is new. */
static enum status number_method(struct contexts *contexts, uint64_t method, uint32_t *number,
                                 struct failure *why)
{
    uint32_t found;
    TRY(interner_add(&contexts->numbers, method, "methods", &found, why));
    if (!ARRAY_RESERVE(contexts->methods, contexts->method_capacity, (size_t)found + 1))
        return fail_memory(why);
    contexts->methods[found] = method;
    *number = found + 1;
    return STATUS_OK;
}

/* Adds a node and sets *child, its entry in `children`, to it. */
static enum status add_context_node(struct contexts *contexts, uint32_t parent, uint32_t method,
                                    uint64_t *child, struct failure *why)
{
    if (contexts->node_count >= UINT32_MAX)
        return too_many(why);
    if (!ARRAY_RESERVE(contexts->nodes, contexts->node_capacity, contexts->node_count + 1))
        return fail_memory(why);
    struct context_node *nodes = contexts->nodes;
    unsigned length = parent == 0 ? 0 : nodes[parent].length;
    nodes[contexts->node_count] = (struct context_node){
        .method = method, .parent = parent, .length = (uint8_t)(length + 1)};
    *child = contexts->node_count++;
    return STATUS_OK;
}

/* Moves *node to its child for `method`. */
static enum status descend(struct contexts *contexts, uint32_t *node, uint64_t method,
                           struct failure *why)
{
    uint32_t number;
    TRY(number_method(contexts, method, &number, why));
    uint64_t *child = map_insert(&contexts->children, (uint64_t)*node << 32 | number);
    if (!child)
        return fail_memory(why);
    if (*child == 0)
        TRY(add_context_node(contexts, *node, number, child, why));
    *node = (uint32_t)*child;
    return STATUS_OK;
}

/* Makes the path that ends at a node the next context. */
static enum status number_context(struct contexts *contexts, uint32_t node, struct failure *why)
{
    if (!ARRAY_RESERVE(contexts->ends, contexts->end_capacity, contexts->count + 1))
        return fail_memory(why);
    contexts->ends[contexts->count++] = node;
    contexts->nodes[node].context = (uint32_t)contexts->count;
    return STATUS_OK;
}

static enum status add_allocation(struct contexts *contexts, uint32_t context,
                                  struct failure *why)
{
    if (!ARRAY_RESERVE(contexts->by_allocation, contexts->allocation_capacity,
                       contexts->allocation_count + 1))
        return fail_memory(why);
    contexts->by_allocation[contexts->allocation_count++] = context;
    return STATUS_OK;
}

/* Sets *inner to the node of the path at `node` without its outermost method. */
static enum status find_inner(struct contexts *contexts, uint32_t node, uint32_t *inner,
                              struct failure *why)
{
    uint32_t numbers[CONTEXT_DEPTH_MAX], at = node;
    size_t count = 0;
    *inner = contexts->nodes[node].inner;
    if (*inner != 0)
        return STATUS_OK;
    for (; contexts->nodes[at].parent != 0; at = contexts->nodes[at].parent)
        numbers[count++] = contexts->nodes[at].method;
    while (count-- > 0)
        TRY(descend(contexts, inner, contexts_numbered(contexts, numbers[count]), why));
    contexts->nodes[node].inner = *inner;
    return STATUS_OK;
}

enum status contexts_enter(struct contexts *contexts, uint32_t caller, uint64_t method,
                           uint32_t *path, struct failure *why)
{
    *path = caller;
    if (caller != 0 && contexts->nodes[caller].length == contexts->depth)
        TRY(find_inner(contexts, caller, path, why));
    return descend(contexts, path, method, why);
}

enum status contexts_note_path(struct contexts *contexts, uint32_t path, struct failure *why)
{
    if (path != 0 && contexts->nodes[path].context == 0)
        TRY(number_context(contexts, path, why));
    return add_allocation(contexts, contexts_of_path(contexts, path), why);
}

enum status contexts_note_death(struct contexts *contexts, uint32_t path, bool is_prior,
                                struct failure *why)
{
    struct fatal_paths *fatal = &contexts->fatal[is_prior];
    if (path == 0 || contexts->nodes[path].is_fatal[is_prior])
        return STATUS_OK;
    if (!ARRAY_RESERVE(fatal->items, fatal->capacity, fatal->count + 1))
        return fail_memory(why);
    fatal->items[fatal->count++] = path;
    contexts->nodes[path].is_fatal[is_prior] = true;
    return STATUS_OK;
}

enum status contexts_number_deaths(struct contexts *contexts, struct failure *why)
{
    for (unsigned is_prior = 0; is_prior < 2; is_prior++) {
        const struct fatal_paths *fatal = &contexts->fatal[is_prior];
        for (size_t i = 0; i < fatal->count; i++)
            if (contexts->nodes[fatal->items[i]].context == 0)
                TRY(number_context(contexts, fatal->items[i], why));
    }
    return STATUS_OK;
}

uint32_t contexts_of_path(const struct contexts *contexts, uint32_t path)
{
    return path == 0 ? 0 : contexts->nodes[path].context;
}

enum status contexts_note_none(struct contexts *contexts, struct failure *why)
{
    return add_allocation(contexts, 0, why);
}

void contexts_forget_allocations(struct contexts *contexts)
{
    contexts->allocation_count = 0;
}

uint32_t contexts_of(const struct contexts *contexts, size_t allocation)
{
    return contexts->by_allocation[allocation];
}

size_t contexts_methods(const struct contexts *contexts, uint32_t context, uint64_t *methods)
{
    size_t count = 0;
    uint32_t node = context == 0 ? 0 : contexts->ends[context - 1];
    for (; node != 0; node = contexts->nodes[node].parent)
        methods[count++] = contexts_numbered(contexts, contexts->nodes[node].method);
    return count;
}

uint32_t contexts_method_number(const struct contexts *contexts, uint32_t context)
{
    return context == 0 ? 0 : contexts->nodes[contexts->ends[context - 1]].method;
}

uint64_t contexts_numbered(const struct contexts *contexts, uint32_t number)
{
    return contexts->methods[number - 1];
}

uint64_t contexts_method(const struct contexts *contexts, uint32_t context)
{
    return contexts_numbered(contexts, contexts_method_number(contexts, context));
}

/* Sets *number to the number of a site's entry, which is added if it is new. */
static enum status find_site(struct site_methods *sites, uint64_t site, uint32_t method,
                             uint32_t *number, struct failure *why)
{
    TRY(interner_add(&sites->numbers, site, "sites", number, why));
    if (*number < sites->count)
        return STATUS_OK;
    if (!ARRAY_RESERVE(sites->entries, sites->capacity, sites->count + 1))
        return fail_memory(why);
    sites->entries[sites->count++] = (struct site_entry){.method = method};
    return STATUS_OK;
}

/* Adds `objects` to the count of one of a site's methods. */
static enum status count_method(struct site_methods *sites, uint32_t number, uint32_t method,
                                uint64_t objects, struct failure *why)
{
    struct site_entry *entry = &sites->entries[number];
    uint64_t *count = map_insert(&sites->objects, (uint64_t)number << 32 | method);
    if (!count)
        return fail_memory(why);
    *count += objects;
    if (*count > entry->objects) {
        entry->objects = *count;
        entry->method = method;
    }
    return STATUS_OK;
}

enum status contexts_note_site(struct contexts *contexts, uint64_t site, uint32_t method,
                               struct failure *why)
{
    struct site_methods *sites = &contexts->sites;
    uint32_t number;
    TRY(find_site(sites, site, method, &number, why));
    struct site_entry *entry = &sites->entries[number];
    if (!entry->has_several && entry->method == method) {
        entry->objects++;
        return STATUS_OK;
    }
    if (!entry->has_several) {
        entry->has_several = true;
        TRY(count_method(sites, number, entry->method, entry->objects, why));
    }
    return count_method(sites, number, method, 1, why);
}

struct site_method contexts_site_method(const struct contexts *contexts, uint64_t site)
{
    const struct site_methods *sites = &contexts->sites;
    uint32_t number = interner_find(&sites->numbers, site);
    if (number == NO_NUMBER)
        return (struct site_method){.number = 0};
    const struct site_entry *entry = &sites->entries[number];
    return (struct site_method){entry->method, entry->has_several};
}

void contexts_free(struct contexts *contexts)
{
    if (!contexts)
        return;
    interner_free(&contexts->numbers);
    map_free(&contexts->children);
    free(contexts->methods);
    free(contexts->nodes);
    free(contexts->ends);
    free(contexts->by_allocation);
    free(contexts->fatal[0].items);
    free(contexts->fatal[1].items);
    interner_free(&contexts->sites.numbers);
    map_free(&contexts->sites.objects);
    free(contexts->sites.entries);
    free(contexts);
}
