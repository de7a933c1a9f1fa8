/* SPDX-License-Identifier: MIT */
/* What adds up is added while allocation records come by in the second reading; methods are
 * then added up from contexts. Medians and Gini coefficients take lifetimes in ascending order:
 * all objects are sorted once, and each goes into the figures of its type, method and context.
 */
#include "report/lives/places.h"

#include "base/memory.h"
#include "merlin/sort.h"
#include "report/lives/uses.h"

#include <stdlib.h>

enum status places_init(struct places *places, const struct lives *lives, struct failure *why)
{
    *places = (struct places){
        .lives = lives,
        .contexts = lives_history(lives)->contexts,
        .has_uses = uses_are_told(lives_history(lives)),
        .rows = array_new(lives_count(lives), sizeof *places->rows),
    };
    live_find_peaks(&places->peaks, lives);
    return places->rows ? STATUS_OK : fail_memory(why);
}

bool places_lives_at_peak(const struct places *places, size_t allocation,
                          const struct life *life)
{
    return allocation < places->peaks.born_at_peak &&
           (life_survives(life) || life->died > places->peaks.most_bytes.tick);
}

void places_tally(const struct places *places, struct tally *tally, const struct life *life,
                  size_t allocation)
{
    tally->objects++;
    tally->bytes += life->size;
    if (life->has_died) {
        tally->deaths++;
        tally->lifetime += life_bytes(life);
    }
    if (life_survives(life)) {
        tally->immortals++;
        tally->immortal_bytes += life->size;
    }
    if (places_lives_at_peak(places, allocation, life))
        tally->live += life->size;
    if (places->has_uses && uses_have_drag(life))
        tally->drag += (wide_sum)life->size * uses_drag_bytes(places->lives, life);
}

/* Notes the site of an object of the tally. */
static void note_site(struct tally *tally, uint64_t site)
{
    if (tally->objects == 0)
        tally->site = site;
    tally->has_sites |= tally->site != site;
}

static enum status add_to_context(struct places *places, const struct record *record,
                                  const struct life *life, size_t type, struct failure *why)
{
    size_t allocation = places->next;
    uint32_t context = contexts_of(places->contexts, allocation);
    struct tallies *tallies = &places->by_context.tallies;
    struct tally *tally = tallies_find(tallies, (uint64_t)context << 32 | type);
    if (!tally)
        return fail_memory(why);
    if (type > UINT32_MAX || tallies->count > UINT32_MAX)
        return fail(why, STATUS_LIMIT, "The trace has more than %u types or contexts",
                    UINT32_MAX);
    note_site(tally, record->site);
    tally->type = record->type;
    tally->type_index = type;
    tally->context = context;
    tally->has_method = context != 0;
    if (tally->has_method)
        tally->method = contexts_method(places->contexts, context);
    places_tally(places, tally, life, allocation);
    places->rows[allocation] = (uint32_t)(tally - tallies->items);
    return STATUS_OK;
}

enum status places_add(struct places *places, const struct record *record,
                       const struct life *life, struct failure *why)
{
    struct tallies *types = &places->by_type.tallies;
    struct tally *tally = tallies_find(types, record->type);
    if (!tally)
        return fail_memory(why);
    size_t type = (size_t)(tally - types->items);
    places_tally(places, tally, life, places->next);
    enum status status = add_to_context(places, record, life, type, why);
    places->next++;
    return status;
}

static void merge_tally(struct tally *into, const struct tally *from)
{
    note_site(into, from->site);
    into->has_sites |= from->has_sites;
    into->type = from->type;
    into->has_method = from->has_method;
    into->method = from->method;
    into->objects += from->objects;
    into->bytes += from->bytes;
    into->deaths += from->deaths;
    into->lifetime += from->lifetime;
    into->immortals += from->immortals;
    into->immortal_bytes += from->immortal_bytes;
    into->live += from->live;
    into->drag += from->drag;
}

/* Adds up contexts with one method and type. */
static enum status add_up_methods(struct places *places, struct failure *why)
{
    struct tallies *methods = &places->by_method.tallies;
    for (size_t i = 0; i < places->by_context.tallies.count; i++) {
        struct tally *context = &places->by_context.tallies.items[i];
        uint64_t number = contexts_method_number(places->contexts, context->context);
        struct tally *method = tallies_find(methods, number << 32 | context->type_index);
        if (!method)
            return fail_memory(why);
        merge_tally(method, context);
        context->method_index = (size_t)(method - methods->items);
    }
    return STATUS_OK;
}

/* Adds an object, whose lifetime is not below that of the one before. `deaths` are all that the
 * tally of the dispersion has. */
static void disperse(struct dispersion *dispersion, uint64_t lifetime, uint64_t size,
                     bool has_died, uint64_t deaths)
{
    gini_add(&dispersion->by_bytes, lifetime, size);
    gini_add(&dispersion->by_objects, lifetime, 1);
    if (has_died && ++dispersion->deaths == deaths / 2 + deaths % 2)
        dispersion->median = lifetime;
}

static void disperse_all(struct places *places, const node_t *order, const uint64_t *lifetimes)
{
    const struct lives *lives = places->lives;
    const struct life_records *records = &lives_history(lives)->life_records;
    for (size_t i = 0; i < places->next; i++) {
        size_t allocation = order[i];
        const struct tally *context =
            &places->by_context.tallies.items[places->rows[allocation]];
        const struct tally *type = &places->by_type.tallies.items[context->type_index];
        const struct tally *method = &places->by_method.tallies.items[context->method_index];
        uint64_t tick, lifetime = lifetimes[allocation];
        uint64_t size = life_records_size(records, allocation);
        bool has_died = lives_died(lives, lives_node(lives, allocation), &tick);
        disperse(&places->by_context.dispersions[places->rows[allocation]], lifetime, size,
                 has_died, context->deaths);
        disperse(&places->by_type.dispersions[context->type_index], lifetime, size, has_died,
                 type->deaths);
        disperse(&places->by_method.dispersions[context->method_index], lifetime, size,
                 has_died, method->deaths);
        disperse(&places->all, lifetime, size, has_died, lives_death_count(lives));
        if (places->visitor.visit)
            places->visitor.visit(places->visitor.context, allocation, lifetime, size);
    }
}

/* Sets *order, which the caller owns, to the allocations by lifetime. */
static enum status sort_lifetimes(const struct places *places, node_t *order,
                                  uint64_t *lifetimes, struct failure *why)
{
    uint64_t most = 0;
    for (size_t i = 0; i < places->next; i++) {
        struct life life = lives_life(places->lives, i);
        order[i] = (node_t)i;
        lifetimes[i] =
            life.has_died ? life_bytes(&life) : lives_bytes(places->lives) - life.born_bytes;
        if (lifetimes[i] > most)
            most = lifetimes[i];
    }
    return sort_nodes(order, places->next, lifetimes, most,
                      lives_history(places->lives)->interrupt, why);
}

static bool make_dispersions(struct place_tallies *tallies)
{
    tallies->dispersions = array_new(tallies->tallies.count, sizeof *tallies->dispersions);
    return tallies->dispersions;
}

enum status places_finish(struct places *places, struct failure *why)
{
    enum status status = add_up_methods(places, why);
    if (status == STATUS_OK && places->visitor.start)
        status = places->visitor.start(places->visitor.context, why);
    if (status != STATUS_OK)
        return status;
    node_t *order = array_new(places->next, sizeof *order);
    uint64_t *lifetimes = array_new(places->next, sizeof *lifetimes);
    if (!order || !lifetimes || !make_dispersions(&places->by_type) ||
        !make_dispersions(&places->by_context) || !make_dispersions(&places->by_method))
        status = fail_memory(why);
    if (status == STATUS_OK)
        status = sort_lifetimes(places, order, lifetimes, why);
    if (status == STATUS_OK)
        disperse_all(places, order, lifetimes);
    free(order);
    free(lifetimes);
    return status;
}

static void place_tallies_free(struct place_tallies *tallies)
{
    tallies_free(&tallies->tallies);
    free(tallies->dispersions);
}

void places_free(struct places *places)
{
    place_tallies_free(&places->by_type);
    place_tallies_free(&places->by_context);
    place_tallies_free(&places->by_method);
    free(places->rows);
}
