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

/* What the order of stored lives takes of each. */
enum {
    ORDER_LIFETIME,
    ORDER_ALLOCATION,
    ORDER_SIZE,
    ORDER_DIED,
    ORDER_ROW, /* of by_context */
    ORDER_WIDTH
};
_Static_assert((int)ORDER_WIDTH <= (int)SORTED_ROW_MAX, "rows have room");

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

struct tallied_life places_tallied(const struct places *places, const struct life *life,
                                   size_t allocation)
{
    return (struct tallied_life){
        .size = life->size,
        .lifetime = life->has_died ? life_bytes(life) : 0,
        .drag =
            places->has_uses && uses_have_drag(life) ? uses_drag_bytes(places->lives, life) : 0,
        .has_died = life->has_died,
        .survives = life_survives(life),
        .lives_at_peak = places_lives_at_peak(places, allocation, life),
    };
}

/* Notes the site of an object of the tally. */
static void note_site(struct tally *tally, uint64_t site)
{
    if (tally->objects == 0)
        tally->site = site;
    tally->has_sites |= tally->site != site;
}

/* Where the objects of a type that were allocated at a site and in a context are added up. */
struct place_rows {
    struct tally *by_type;
    struct tally *by_context;
};

static enum status find_context_row(struct places *places, uint32_t context, uint64_t type,
                                    size_t type_index, uint64_t site, struct tally **row,
                                    struct failure *why)
{
    struct tallies *tallies = &places->by_context.tallies;
    struct tally *tally = tallies_find(tallies, (uint64_t)context << 32 | type_index);
    if (!tally)
        return fail_memory(why);
    if (type_index > UINT32_MAX || tallies->count > UINT32_MAX)
        return fail(why, STATUS_LIMIT, "The trace has more than %u types or contexts",
                    UINT32_MAX);
    note_site(tally, site);
    tally->type = type;
    tally->type_index = type_index;
    tally->context = context;
    tally->has_method = context != 0;
    if (tally->has_method)
        tally->method = contexts_method(places->contexts, context);
    *row = tally;
    return STATUS_OK;
}

static enum status find_rows(struct places *places, uint32_t context, uint64_t type,
                             uint64_t site, struct place_rows *rows, struct failure *why)
{
    struct tallies *types = &places->by_type.tallies;
    rows->by_type = tallies_find(types, type);
    if (!rows->by_type)
        return fail_memory(why);
    size_t index = (size_t)(rows->by_type - types->items);
    return find_context_row(places, context, type, index, site, &rows->by_context, why);
}

static uint32_t row_number(const struct places *places, const struct place_rows *rows)
{
    return (uint32_t)(rows->by_context - places->by_context.tallies.items);
}

enum status places_add(struct places *places, const struct record *record,
                       const struct tallied_life *life, struct failure *why)
{
    struct place_rows rows = {.by_context = NULL};
    uint32_t context = contexts_of(places->contexts, places->next);
    enum status status = find_rows(places, context, record->type, record->site, &rows, why);
    if (status != STATUS_OK)
        return status;
    tally_add_birth(rows.by_type, life->size);
    tally_add_life(rows.by_type, life);
    tally_add_birth(rows.by_context, life->size);
    tally_add_life(rows.by_context, life);
    places->rows[places->next++] = row_number(places, &rows);
    return STATUS_OK;
}

/* Adds up all births, in the order of allocation, as it is with a table. */
static enum status add_births(struct places *places, const struct stored_lives *stored,
                              struct failure *why)
{
    struct birth_cursor *cursor = NULL;
    struct birth_facts birth;
    struct place_rows rows = {.by_context = NULL};
    enum status status = birth_cursor_open(&cursor, stored, why);
    while (status == STATUS_OK) {
        status = birth_cursor_next(cursor, &birth, why);
        if (status == STATUS_OK)
            status =
                find_rows(places, (uint32_t)birth.context, birth.type, birth.site, &rows, why);
        if (status != STATUS_OK)
            break;
        tally_add_birth(rows.by_type, birth.size);
        tally_add_birth(rows.by_context, birth.size);
        places->next++;
    }
    birth_cursor_close(cursor);
    return status == STATUS_END ? STATUS_OK : status;
}

enum status places_init_stored(struct places *places, const struct stored_lives *stored,
                               const struct history *history, enum at_end at_end,
                               const struct spool_place *place, struct failure *why)
{
    struct live_walk walk;
    *places = (struct places){
        .contexts = history->contexts,
        .has_uses = uses_are_told(history),
        .all_bytes = stored_lives_summary(stored)->end.bytes,
        .at_end = at_end,
    };
    enum status status = live_start_stored(&walk, stored, places->at_end, why);
    if (status == STATUS_OK) {
        live_walk_peaks(&places->peaks, &walk);
        status = walk.status;
    }
    live_end(&walk);
    if (status == STATUS_OK)
        status = row_sort_open(&places->order, ORDER_WIDTH, place, why);
    return status == STATUS_OK ? add_births(places, stored, why) : status;
}

struct tallied_life places_tallied_stored(const struct places *places,
                                          const struct life_facts *life)
{
    bool has_died = !life->survives || places->at_end == AT_END_DIE;
    return (struct tallied_life){
        .size = life->size,
        .lifetime = has_died ? life->died.bytes - life->born.bytes : 0,
        .drag = places->has_uses && has_died ? life->died.bytes - life->last_use.bytes : 0,
        .has_died = has_died,
        .survives = life->survives,
        .lives_at_peak = life->allocation < places->peaks.born_at_peak &&
                         (life->survives || life->died.tick > places->peaks.most_bytes.tick),
    };
}

enum status places_add_stored(struct places *places, const struct life_facts *life,
                              const struct tallied_life *tallied, struct failure *why)
{
    struct place_rows rows = {.by_context = NULL};
    enum status status = find_rows(places, life->context, life->type, life->site, &rows, why);
    if (status != STATUS_OK)
        return status;
    tally_add_life(rows.by_type, tallied);
    tally_add_life(rows.by_context, tallied);
    places->deaths += tallied->has_died;
    uint64_t end = tallied->has_died ? life->died.bytes : places->all_bytes;
    const uint64_t row[ORDER_WIDTH] = {
        [ORDER_LIFETIME] = end - life->born.bytes,
        [ORDER_ALLOCATION] = life->allocation,
        [ORDER_SIZE] = life->size,
        [ORDER_DIED] = tallied->has_died,
        [ORDER_ROW] = row_number(places, &rows),
    };
    return row_sort_add(places->order, row, why);
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

/* Adds the next object, of a row of by_context, to all figures that it is in. */
static void disperse_in_all(struct places *places, uint32_t row, uint64_t lifetime,
                            uint64_t size, bool has_died)
{
    const struct tally *context = &places->by_context.tallies.items[row];
    const struct tally *type = &places->by_type.tallies.items[context->type_index];
    const struct tally *method = &places->by_method.tallies.items[context->method_index];
    disperse(&places->by_context.dispersions[row], lifetime, size, has_died, context->deaths);
    disperse(&places->by_type.dispersions[context->type_index], lifetime, size, has_died,
             type->deaths);
    disperse(&places->by_method.dispersions[context->method_index], lifetime, size, has_died,
             method->deaths);
    disperse(&places->all, lifetime, size, has_died, places->deaths);
}

static enum status disperse_stored(struct places *places, struct failure *why)
{
    uint64_t row[ORDER_WIDTH];
    enum status status = row_sort_finish(places->order, why);
    while (status == STATUS_OK) {
        status = row_sort_next(places->order, row, why);
        if (status == STATUS_OK)
            disperse_in_all(places, (uint32_t)row[ORDER_ROW], row[ORDER_LIFETIME],
                            row[ORDER_SIZE], row[ORDER_DIED]);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* The allocations by lifetime. Where all lifetimes have 32 bits, they are sorted in place, with
 * the number of the allocation behind each; else the numbers are sorted by them. */
struct lifetime_order {
    uint64_t
        *lifetimes;  /* by allocation if there are numbers, else in order, with the number */
    node_t *numbers; /* NULL: there are none */
};

static void lifetime_order_free(struct lifetime_order *order)
{
    free(order->lifetimes);
    free(order->numbers);
}

/* Sets the lifetimes, by allocation; returns the longest. */
static uint64_t find_lifetimes(const struct places *places, uint64_t *lifetimes)
{
    uint64_t most = 0;
    for (size_t i = 0; i < places->next; i++) {
        struct life life = lives_life(places->lives, i);
        lifetimes[i] =
            life.has_died ? life_bytes(&life) : lives_bytes(places->lives) - life.born_bytes;
        if (lifetimes[i] > most)
            most = lifetimes[i];
    }
    return most;
}

static enum status sort_numbers(struct lifetime_order *order, const struct places *places,
                                uint64_t most, struct failure *why)
{
    order->numbers = array_new(places->next, sizeof *order->numbers);
    if (!order->numbers)
        return fail_memory(why);
    for (size_t i = 0; i < places->next; i++)
        order->numbers[i] = (node_t)i;
    return sort_nodes(order->numbers, places->next, order->lifetimes, most,
                      lives_history(places->lives)->interrupt, why);
}

/* The caller ends *order with lifetime_order_free, also after a failure. */
static enum status sort_lifetimes(struct lifetime_order *order, const struct places *places,
                                  struct failure *why)
{
    *order =
        (struct lifetime_order){.lifetimes = array_new(places->next, sizeof *order->lifetimes)};
    if (!order->lifetimes)
        return fail_memory(why);
    uint64_t most = find_lifetimes(places, order->lifetimes);
    if (most > UINT32_MAX || places->next > UINT32_MAX)
        return sort_numbers(order, places, most, why);
    for (size_t i = 0; i < places->next; i++)
        order->lifetimes[i] = order->lifetimes[i] << 32 | i;
    figures_sort(order->lifetimes, places->next);
    return STATUS_OK;
}

static void disperse_object(struct places *places, size_t allocation, uint64_t lifetime)
{
    const struct lives *lives = places->lives;
    uint64_t tick, size = life_records_size(&lives_history(lives)->life_records, allocation);
    bool has_died = lives_died(lives, lives_node(lives, allocation), &tick);
    disperse_in_all(places, places->rows[allocation], lifetime, size, has_died);
    if (places->visitor.visit)
        places->visitor.visit(places->visitor.context, allocation, lifetime, size);
}

static void disperse_all(struct places *places, const struct lifetime_order *order)
{
    for (size_t i = 0; i < places->next; i++)
        if (order->numbers)
            disperse_object(places, order->numbers[i], order->lifetimes[order->numbers[i]]);
        else
            disperse_object(places, (uint32_t)order->lifetimes[i], order->lifetimes[i] >> 32);
}

static bool make_dispersions(struct place_tallies *tallies)
{
    tallies->dispersions = array_new(tallies->tallies.count, sizeof *tallies->dispersions);
    return tallies->dispersions;
}

static enum status disperse_table(struct places *places, struct failure *why)
{
    struct lifetime_order order;
    enum status status = sort_lifetimes(&order, places, why);
    places->deaths = lives_death_count(places->lives);
    if (status == STATUS_OK)
        disperse_all(places, &order);
    lifetime_order_free(&order);
    return status;
}

enum status places_finish(struct places *places, struct failure *why)
{
    enum status status = add_up_methods(places, why);
    if (status == STATUS_OK && places->visitor.start)
        status = places->visitor.start(places->visitor.context, why);
    if (status != STATUS_OK)
        return status;
    if (!make_dispersions(&places->by_type) || !make_dispersions(&places->by_context) ||
        !make_dispersions(&places->by_method))
        return fail_memory(why);
    return places->order ? disperse_stored(places, why) : disperse_table(places, why);
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
    row_sort_close(places->order);
    free(places->rows);
}
