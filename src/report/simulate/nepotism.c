/* SPDX-License-Identifier: MIT */
/* Live objects are in every heap. In which ones a dead object is still, bits say: all when it
 * dies, fewer after minor collections; of major ones the moment is compared with its death.
 *
 * Ages grow together, so a container is older than its value from the store on or never.
 * Containers of such stores are noted until the value must be old; a search then looks at what
 * their slots hold. Dead objects are released, now and then, to which no search can come any
 * more, or that are young nowhere and refer to nothing that is young where they are still. */
#include "report/simulate/nepotism.h"

#include "base/memory.h"
#include "report/simulate/kept_objects.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 64 };

struct node_list {
    node_t *items;
    size_t count, capacity;
};

/* Heaps of one nursery whose bits are in one word. */
struct heap_group {
    size_t nursery, word;
    uint64_t all; /* their bits */
    /* Those in which objects of an age are young; of AGE_OLD: none. */
    uint64_t young[AGE_OLD + 1];
    struct simulated *heaps[BITS]; /* by bit; NULL: it is another group's */
};

/* What is noted of a nursery. */
struct nursery_notes {
    struct node_list dead;           /* that are young in some heap */
    struct node_list older[AGE_OLD]; /* containers of stores, by the collections since */
};

struct reached_node {
    node_t node;
    uint64_t bits;
};

struct nepotism {
    const struct nursery *nurseries;
    size_t nursery_count;
    bool is_recorded; /* deaths are */
    uint64_t window;  /* fewest objects kept before any are released; 0: the default */
    struct kept_objects objects;
    struct heap_group *groups;
    size_t group_count, group_capacity, words;
    unsigned bits_used; /* of the last word */
    struct nursery_notes *notes;
    uint64_t *present; /* words of each object; in a search, not those where it is reached */
    size_t present_capacity;
    struct reached_node *reached; /* by a search */
    size_t reached_count, reached_capacity;
    size_t most_objects, most_slots, most_early; /* before any are released */
};

static enum status list_append(struct node_list *list, node_t node, struct failure *why)
{
    if (!ARRAY_RESERVE_SLOWLY(list->items, list->capacity, list->count + 1))
        return fail_memory(why);
    list->items[list->count++] = node;
    return STATUS_OK;
}

enum status nepotism_new(struct nepotism **out, const struct nursery *nurseries,
                         size_t nursery_count, const struct report_material *material,
                         struct failure *why)
{
    struct nepotism *nepotism = calloc(1, sizeof *nepotism);
    if (!nepotism)
        return fail_memory(why);
    nepotism->nurseries = nurseries;
    nepotism->nursery_count = nursery_count;
    nepotism->is_recorded = material->is_recorded;
    nepotism->window = material->engine->window;
    nepotism->words = 1;
    nepotism->objects.counts_references = material->is_recorded;
    nepotism->objects.events = material->events;
    nepotism->most_objects = nepotism->most_slots = nepotism->most_early =
        kept_objects_most(0, nepotism->window);
    nepotism->notes = array_new(nursery_count, sizeof *nepotism->notes);
    enum status status = nepotism->notes ? STATUS_OK : fail_memory(why);
    if (status == STATUS_OK)
        status = kept_objects_init(&nepotism->objects, why);
    if (status == STATUS_OK)
        *out = nepotism;
    else
        nepotism_free(nepotism);
    return status;
}

void nepotism_free(struct nepotism *nepotism)
{
    if (!nepotism)
        return;
    for (size_t i = 0; nepotism->notes && i < nepotism->nursery_count; i++) {
        free(nepotism->notes[i].dead.items);
        for (unsigned age = 0; age < AGE_OLD; age++)
            free(nepotism->notes[i].older[age].items);
    }
    kept_objects_free(&nepotism->objects);
    free(nepotism->groups);
    free(nepotism->notes);
    free(nepotism->present);
    free(nepotism->reached);
    free(nepotism);
}

/* The group that takes the next heap of a nursery: the last one, or a new one. */
static struct heap_group *group_for(struct nepotism *nepotism, size_t nursery)
{
    bool is_full = nepotism->bits_used == BITS;
    size_t count = nepotism->group_count;
    if (!is_full && count > 0 && nepotism->groups[count - 1].nursery == nursery)
        return &nepotism->groups[count - 1];
    if (!ARRAY_RESERVE(nepotism->groups, nepotism->group_capacity, count + 1))
        return NULL;
    if (is_full) {
        nepotism->words++;
        nepotism->bits_used = 0;
    }
    struct heap_group *group = &nepotism->groups[nepotism->group_count++];
    *group = (struct heap_group){.nursery = nursery, .word = nepotism->words - 1};
    return group;
}

enum status nepotism_add_heap(struct nepotism *nepotism, struct simulated *heap, size_t nursery,
                              struct failure *why)
{
    struct heap_group *group = group_for(nepotism, nursery);
    if (!group)
        return fail_memory(why);
    uint64_t bit = UINT64_C(1) << nepotism->bits_used;
    group->all |= bit;
    for (unsigned age = 0; age <= heap->tenure; age++)
        group->young[age] |= bit;
    group->heaps[nepotism->bits_used++] = heap;
    return STATUS_OK;
}

static unsigned age_of(const struct nepotism *nepotism, size_t nursery,
                       const struct kept_object *object)
{
    return nursery_age(&nepotism->nurseries[nursery], kept_kind(object), kept_number(object),
                       kept_size(&nepotism->objects, object));
}

/* The heaps of a group in which a dead object is still. */
static uint64_t still_in(const struct nepotism *nepotism, const struct heap_group *group,
                         node_t node)
{
    uint64_t died = nepotism->objects.items[node].died_before;
    uint64_t bits = nepotism->present[node * nepotism->words + group->word] & group->all;
    for (uint64_t left = bits; left != 0; left &= left - 1) {
        const struct simulated *heap = group->heaps[__builtin_ctzll(left)];
        if (heap->has_ended || died < heap->major_at)
            bits &= ~(left & -left);
    }
    return bits;
}

/* Has bits for all objects. */
static enum status make_room(struct nepotism *nepotism, struct failure *why)
{
    return ARRAY_RESERVE_SLOWLY(nepotism->present, nepotism->present_capacity,
                                nepotism->objects.count * nepotism->words)
               ? STATUS_OK
               : fail_memory(why);
}

/* Notes for a nursery that `container` may be older than what it refers to. */
static enum status note_older(struct nepotism *nepotism, size_t nursery, node_t container,
                              struct failure *why)
{
    struct node_list *list = &nepotism->notes[nursery].older[0];
    if (list->count > 0 && list->items[list->count - 1] == container)
        return STATUS_OK;
    return list_append(list, container, why);
}

/* Notes what refers to an object that is born with references to it, and the object itself
 * where it is old at once. */
static enum status note_early_stores(struct nepotism *nepotism, node_t node, node_t holders,
                                     struct failure *why)
{
    const struct kept_objects *objects = &nepotism->objects;
    const struct kept_object *object = &objects->items[node];
    for (size_t i = 0; i < nepotism->nursery_count; i++) {
        if (object->first != 0 && age_of(nepotism, i, object) == AGE_OLD)
            TRY(note_older(nepotism, i, node, why));
        for (node_t at = holders; at != 0; at = objects->early[at].next)
            TRY(note_older(nepotism, i, objects->early[at].container, why));
    }
    return STATUS_OK;
}

/* Whether some young object is in a heap where its container, a dead one, is still. */
static bool refers_to_young(const struct nepotism *nepotism, node_t container,
                            const struct heap_group *group)
{
    const struct kept_object *items = nepotism->objects.items;
    slot_t slot = items[container].first;
    for (node_t value; (value = slots_next(nepotism->objects.slots, &slot)) != NODE_NONE;) {
        if (kept_state(&items[value]) == KEPT_UNBORN)
            return true;
        if (group->young[age_of(nepotism, group->nursery, &items[value])] != 0)
            return true;
    }
    return false;
}

/* Whether a dead object that was reached may still be asked for, or may still get references to
 * something young. */
static bool is_needed(const struct nepotism *nepotism, node_t node)
{
    const struct kept_object *object = &nepotism->objects.items[node];
    for (size_t i = 0; i < nepotism->group_count; i++) {
        const struct heap_group *group = &nepotism->groups[i];
        uint64_t bits = still_in(nepotism, group, node);
        unsigned age = age_of(nepotism, group->nursery, object);
        if (bits & group->young[age])
            return true;
        if (bits != 0 &&
            (kept_state(object) == KEPT_DEAD_EARLY || refers_to_young(nepotism, node, group)))
            return true;
    }
    return false;
}

/* Whether collections may start from a dead object: it is old somewhere, or its death is
 * recorded, perhaps too early, so that something live may refer to it. */
static bool is_start(const struct nepotism *nepotism, node_t node)
{
    const struct kept_object *object = &nepotism->objects.items[node];
    if (nepotism->is_recorded)
        return true;
    for (size_t i = 0; i < nepotism->group_count; i++) {
        const struct heap_group *group = &nepotism->groups[i];
        unsigned age = age_of(nepotism, group->nursery, object);
        if (still_in(nepotism, group, node) & ~group->young[age])
            return true;
    }
    return false;
}

static enum status push_reached(struct nepotism *nepotism, node_t node, uint64_t bits,
                                struct failure *why)
{
    if (!ARRAY_RESERVE_SLOWLY(nepotism->reached, nepotism->reached_capacity,
                              nepotism->reached_count + 1))
        return fail_memory(why);
    nepotism->reached[nepotism->reached_count++] = (struct reached_node){node, bits};
    return STATUS_OK;
}

/* Marks a dead object and queues it, so that what it refers to is marked, too. */
static enum status mark_dead(struct nepotism *nepotism, node_t *marks, node_t node,
                             struct failure *why)
{
    if (!kept_is_dead(&nepotism->objects.items[node]) || marks[node] != NODE_NONE)
        return STATUS_OK;
    marks[node] = 1;
    return push_reached(nepotism, node, 0, why);
}

/* Marks the dead objects that those in the queue lead to. */
static enum status mark_all(struct nepotism *nepotism, node_t *marks, struct failure *why)
{
    while (nepotism->reached_count > 0) {
        node_t node = nepotism->reached[--nepotism->reached_count].node;
        slot_t slot = nepotism->objects.items[node].first;
        for (node_t value; (value = slots_next(nepotism->objects.slots, &slot)) != NODE_NONE;)
            TRY(mark_dead(nepotism, marks, value, why));
    }
    return STATUS_OK;
}

/* Marks the dead objects to which searches can still come. No store refers to what is dead by
 * computation, so what nothing old and dead leads to now will never be reached. */
static enum status mark_reachable(struct nepotism *nepotism, node_t *marks, struct failure *why)
{
    const struct kept_object *items = nepotism->objects.items;
    for (size_t i = 1; i < nepotism->objects.count; i++) {
        if (!kept_is_dead(&items[i]) || !is_start(nepotism, (node_t)i))
            continue;
        TRY(mark_dead(nepotism, marks, (node_t)i, why));
        TRY(mark_all(nepotism, marks, why));
    }
    return STATUS_OK;
}

static void renumber_list(struct node_list *list, const node_t *moved)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (moved[list->items[i]] != NODE_NONE)
            list->items[count++] = moved[list->items[i]];
    list->count = count;
}

/* Moves what belongs to the objects along with them. */
static void move_along(struct nepotism *nepotism, const node_t *moved, size_t count)
{
    size_t words = nepotism->words;
    for (size_t i = 1; i < count; i++)
        if (moved[i] != NODE_NONE)
            memmove(&nepotism->present[moved[i] * words], &nepotism->present[i * words],
                    words * sizeof *nepotism->present);
    for (size_t i = 0; i < nepotism->nursery_count; i++) {
        renumber_list(&nepotism->notes[i].dead, moved);
        for (unsigned age = 0; age < AGE_OLD; age++)
            renumber_list(&nepotism->notes[i].older[age], moved);
    }
}

/* Sets how many objects, slots and early stores there may be before any are released. */
static void set_limits(struct nepotism *nepotism)
{
    const struct kept_objects *objects = &nepotism->objects;
    uint64_t window = nepotism->window;
    nepotism->most_objects = kept_objects_most(objects->count, window);
    nepotism->most_slots = kept_objects_most(slots_present(objects->slots), window);
    nepotism->most_early = kept_objects_most(objects->early_count, window);
}

/* Releases what nobody needs. */
static enum status release_unneeded(struct nepotism *nepotism, struct failure *why)
{
    struct kept_objects *objects = &nepotism->objects;
    size_t count = objects->count;
    TRY(make_room(nepotism, why));
    node_t *moved = array_new(count, sizeof *moved);
    if (!moved)
        return fail_memory(why);
    enum status status = mark_reachable(nepotism, moved, why);
    for (size_t i = 1; i < count; i++)
        moved[i] = !kept_is_dead(&objects->items[i]) ||
                   (moved[i] != NODE_NONE && is_needed(nepotism, (node_t)i));
    if (status == STATUS_OK)
        status = kept_objects_move(objects, moved, why);
    if (status == STATUS_OK)
        move_along(nepotism, moved, count);
    free(moved);
    set_limits(nepotism);
    return status;
}

static enum status release_if_many(struct nepotism *nepotism, struct failure *why)
{
    const struct kept_objects *objects = &nepotism->objects;
    if (objects->count < nepotism->most_objects &&
        slots_present(objects->slots) < nepotism->most_slots &&
        objects->early_count < nepotism->most_early)
        return STATUS_OK;
    return release_unneeded(nepotism, why);
}

enum status nepotism_born(struct nepotism *nepotism, const struct heap_birth *birth,
                          struct failure *why)
{
    node_t node, holders;
    TRY(release_if_many(nepotism, why));
    TRY(kept_objects_allocate(&nepotism->objects, birth, &node, &holders, why));
    TRY(make_room(nepotism, why));
    return note_early_stores(nepotism, node, holders, why);
}

enum status nepotism_died(struct nepotism *nepotism, const struct heap_death *death,
                          struct failure *why)
{
    node_t node = kept_objects_die(&nepotism->objects, death);
    if (node == NODE_NONE)
        return STATUS_OK;
    memset(&nepotism->present[node * nepotism->words], 0xFF,
           nepotism->words * sizeof *nepotism->present);
    for (size_t i = 0; i < nepotism->nursery_count; i++)
        if (age_of(nepotism, i, &nepotism->objects.items[node]) != AGE_OLD)
            TRY(list_append(&nepotism->notes[i].dead, node, why));
    return STATUS_OK;
}

enum status nepotism_add_store(struct nepotism *nepotism, const struct heap_store *store,
                               struct aged_store *ages, struct failure *why)
{
    node_t container, value;
    ages->counts = false;
    TRY(kept_objects_store(&nepotism->objects, store, &container, &value, why));
    const struct kept_object *from = &nepotism->objects.items[container];
    const struct kept_object *to = &nepotism->objects.items[value];
    if (value == NODE_NONE || kept_state(from) == KEPT_UNBORN || kept_state(to) == KEPT_UNBORN)
        return STATUS_OK;
    ages->counts = kept_state(from) == KEPT_LIVE && kept_state(to) == KEPT_LIVE;
    for (size_t i = 0; i < nepotism->nursery_count; i++) {
        ages->container[i] = age_of(nepotism, i, from);
        ages->value[i] = age_of(nepotism, i, to);
        if (ages->container[i] > ages->value[i])
            TRY(note_older(nepotism, i, container, why));
    }
    return STATUS_OK;
}

/* A search of some heaps comes to an object, over a reference or from what is live: goes on
 * from it in those where it is dead, young, and has not been reached. */
static enum status reach(struct nepotism *nepotism, const struct heap_group *group, node_t node,
                         uint64_t bits, struct failure *why)
{
    const struct kept_object *object = &nepotism->objects.items[node];
    if (!kept_is_dead(object))
        return STATUS_OK;
    bits &= group->young[age_of(nepotism, group->nursery, object)];
    if (bits != 0)
        bits &= still_in(nepotism, group, node);
    if (bits == 0)
        return STATUS_OK;
    nepotism->present[node * nepotism->words + group->word] &= ~bits;
    return push_reached(nepotism, node, bits, why);
}

/* Comes to all that an object refers to. */
static enum status reach_values(struct nepotism *nepotism, const struct heap_group *group,
                                node_t container, uint64_t bits, struct failure *why)
{
    slot_t slot = nepotism->objects.items[container].first;
    for (node_t value; (value = slots_next(nepotism->objects.slots, &slot)) != NODE_NONE;)
        TRY(reach(nepotism, group, value, bits, why));
    return STATUS_OK;
}

/* Starts from the dead old objects that were noted. */
static enum status start_from_old(struct nepotism *nepotism, const struct heap_group *group,
                                  const struct node_list *noted, struct failure *why)
{
    for (size_t i = 0; i < noted->count; i++) {
        node_t node = noted->items[i];
        struct kept_object *object = &nepotism->objects.items[node];
        if (!kept_is_dead(object) || !kept_mark(object))
            continue;
        uint64_t bits = still_in(nepotism, group, node) &
                        ~group->young[age_of(nepotism, group->nursery, object)];
        if (bits != 0)
            TRY(reach_values(nepotism, group, node, bits, why));
    }
    return STATUS_OK;
}

static void unmark(struct nepotism *nepotism, const struct node_list *noted)
{
    for (size_t i = 0; i < noted->count; i++)
        kept_unmark(&nepotism->objects.items[noted->items[i]]);
}

/* Finds what a minor collection keeps of the dead, in each heap of a group. */
static enum status search(struct nepotism *nepotism, const struct heap_group *group,
                          struct failure *why)
{
    const struct nursery_notes *notes = &nepotism->notes[group->nursery];
    const uint32_t *live_references = nepotism->objects.live_references;
    nepotism->reached_count = 0;
    for (unsigned age = 0; age < AGE_OLD; age++)
        TRY(start_from_old(nepotism, group, &notes->older[age], why));
    for (size_t i = 0; i < notes->dead.count; i++)
        if (live_references && live_references[notes->dead.items[i]] > 0)
            TRY(reach(nepotism, group, notes->dead.items[i], group->all, why));
    for (size_t i = 0; i < nepotism->reached_count; i++) {
        struct reached_node next = nepotism->reached[i];
        TRY(reach_values(nepotism, group, next.node, next.bits, why));
    }
    for (unsigned age = 0; age < AGE_OLD; age++)
        unmark(nepotism, &notes->older[age]);
    return STATUS_OK;
}

/* Adds up an object that was reached, in the heaps in which it was. */
static void add_dead(struct nepotism *nepotism, const struct heap_group *group,
                     struct reached_node reached)
{
    const struct kept_object *object = &nepotism->objects.items[reached.node];
    unsigned age = age_of(nepotism, group->nursery, object);
    uint64_t size = kept_size(&nepotism->objects, object);
    for (uint64_t left = reached.bits; left != 0; left &= left - 1) {
        struct simulated *heap = group->heaps[__builtin_ctzll(left)];
        if (age >= heap->tenure)
            heap->dead_promoted += size;
        else
            heap->dead_staying += size;
    }
}

/* Adds up what was reached, and takes what was not out of the heaps in which it is young. */
static void settle(struct nepotism *nepotism, const struct heap_group *group)
{
    const struct kept_object *items = nepotism->objects.items;
    const struct node_list *dead = &nepotism->notes[group->nursery].dead;
    uint64_t *present = nepotism->present + group->word;
    for (size_t i = 0; i < dead->count; i++) {
        node_t node = dead->items[i];
        present[node * nepotism->words] &=
            ~group->young[age_of(nepotism, group->nursery, &items[node])];
    }
    for (size_t i = 0; i < nepotism->reached_count; i++) {
        struct reached_node reached = nepotism->reached[i];
        present[reached.node * nepotism->words] |= reached.bits;
        add_dead(nepotism, group, reached);
    }
    nepotism->reached_count = 0;
}

/* Whether a dead object is still young somewhere after the collection that is being made. */
static bool stays_young(const struct nepotism *nepotism, size_t nursery, node_t node)
{
    unsigned age = age_of(nepotism, nursery, &nepotism->objects.items[node]) + 1;
    for (size_t i = 0; i < nepotism->group_count; i++)
        if (nepotism->groups[i].nursery == nursery &&
            still_in(nepotism, &nepotism->groups[i], node) & nepotism->groups[i].young[age])
            return true;
    return false;
}

/* Makes all that is noted of a nursery one collection older. */
static void age_notes(struct nepotism *nepotism, size_t nursery)
{
    struct nursery_notes *notes = &nepotism->notes[nursery];
    unsigned longest = nepotism->nurseries[nursery].longest;
    size_t count = 0;
    for (size_t i = 0; i < notes->dead.count; i++)
        if (stays_young(nepotism, nursery, notes->dead.items[i]))
            notes->dead.items[count++] = notes->dead.items[i];
    notes->dead.count = count;
    struct node_list last = notes->older[longest];
    memmove(notes->older + 1, notes->older, longest * sizeof last);
    last.count = 0;
    notes->older[0] = last;
}

enum status nepotism_collect(struct nepotism *nepotism, size_t nursery, struct failure *why)
{
    for (size_t i = 0; i < nepotism->group_count; i++) {
        struct heap_group *group = &nepotism->groups[i];
        if (group->nursery != nursery)
            continue;
        for (unsigned bit = 0; bit < BITS; bit++)
            if (group->heaps[bit])
                group->heaps[bit]->dead_promoted = group->heaps[bit]->dead_staying = 0;
        TRY(search(nepotism, group, why));
        settle(nepotism, group);
    }
    age_notes(nepotism, nursery);
    return STATUS_OK;
}
