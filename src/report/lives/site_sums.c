/* SPDX-License-Identifier: MIT */
/* Sums grow birth by birth and life by life; at the end methods are added up from contexts, and
 * sites of death from pairs. Medians and Gini coefficients need lifetimes in ascending order:
 * all objects are sorted once, and each is added to the figures of its type, method and
 * context.
 *
 * All sites of one line have one name, so the key of a spot is a context and the number of a
 * name. If a site has no name, or one that is not that of the context's method with a line, its
 * spot is that of the context alone, whose key has 0 instead of the number. */
#include "report/lives/site_sums.h"

#include "base/memory.h"
#include "report/lives/shown_name.h"

#include <inttypes.h>
#include <stdlib.h>

/* A row of the order of lives. */
enum {
    ORDER_LIFETIME,
    ORDER_SIZE,
    ORDER_ROW, /* of by_context, or of by_pair if there are pairs; times 2, plus 1 if it died */
    ORDER_WIDTH
};
_Static_assert((int)ORDER_WIDTH <= (int)SORTED_ROW_MAX, "rows have room");

/* A context with a line, or without one. */
struct spot {
    uint32_t number; /* from 0 on */
    uint64_t site;   /* the first one of the same name */
};

/* The name of a line, from number 0 on. */
static struct name_parts name_of(const void *context, uint32_t number)
{
    const struct site_lines *lines = context;
    return names_find_parts(lines->names, NAMES_SITE, lines->firsts[number]);
}

/* Sets *line to the number of the name of a new site; 0: it has none. */
static enum status number_line(struct site_lines *lines, uint64_t site, uint32_t *line,
                               struct failure *why)
{
    const struct indexed_names kept = {name_of, lines};
    struct name_parts name = names_find_parts(lines->names, NAMES_SITE, site);
    uint32_t number;
    *line = 0;
    if (!name.own)
        return STATUS_OK;
    TRY(name_index_add(&lines->index, &kept, &name, &number, why));
    *line = number + 1;
    if (number < lines->count)
        return STATUS_OK;
    if (!ARRAY_RESERVE(lines->firsts, lines->capacity, lines->count + 1))
        return fail_memory(why);
    lines->firsts[lines->count++] = site;
    return STATUS_OK;
}

static enum status find_line(struct site_lines *lines, uint64_t site, uint32_t *line,
                             struct failure *why)
{
    uint64_t *entry = map_insert(&lines->lines, site);
    if (!entry)
        return fail_memory(why);
    if (*entry == 0) {
        TRY(number_line(lines, site, line, why));
        *entry = (uint64_t)*line + 1;
    }
    *line = (uint32_t)(*entry - 1);
    return STATUS_OK;
}

static uint64_t key_of(uint32_t context, uint32_t line)
{
    return (uint64_t)context << 32 | line;
}

/* Sets *number to that of a spot, and 1; a new one gets it now. */
static enum status number_spot(struct site_lines *lines, uint64_t key, uint64_t *number,
                               struct failure *why)
{
    uint64_t *entry = map_insert(&lines->spots, key);
    if (!entry)
        return fail_memory(why);
    if (*entry == 0 && lines->spot_count == UINT32_MAX)
        return fail(why, STATUS_LIMIT, "The trace has more than %" PRIu32 " contexts and lines",
                    UINT32_MAX);
    if (*entry == 0)
        *entry = (uint64_t)++lines->spot_count;
    *number = *entry;
    return STATUS_OK;
}

/* The name is not that of a line of the context's method, so the spot is that of the context
 * alone. */
static enum status share_spot(struct site_lines *lines, uint32_t context, uint32_t line,
                              uint64_t *number, struct failure *why)
{
    TRY(number_spot(lines, key_of(context, 0), number, why));
    uint64_t *entry = map_insert(&lines->spots, key_of(context, line));
    if (!entry)
        return fail_memory(why);
    *entry = *number;
    return STATUS_OK;
}

/* Finds the spot of an allocation. STATUS_LIMIT: there are too many. */
static enum status site_lines_find(struct site_lines *lines, uint32_t context, uint64_t site,
                                   struct spot *spot, struct failure *why)
{
    uint32_t line;
    *spot = (struct spot){context, site};
    if (!lines->names)
        return STATUS_OK;
    enum status status = find_line(lines, site, &line, why);
    if (status != STATUS_OK)
        return status;
    const uint64_t *known = map_find(&lines->spots, key_of(context, line));
    uint64_t number = known ? *known : 0;
    bool has_line = line == 0 || number != 0 ||
                    (context != 0 && site_has_line(lines->names, site,
                                                   contexts_method(lines->contexts, context)));
    if (number == 0 && has_line)
        status = number_spot(lines, key_of(context, line), &number, why);
    else if (number == 0)
        status = share_spot(lines, context, line, &number, why);
    spot->number = (uint32_t)(number - 1);
    if (line > 0)
        spot->site = lines->firsts[line - 1];
    return status;
}

/* The number of a spot that has been found before. */
static uint32_t site_lines_known(const struct site_lines *lines, uint32_t context,
                                 uint64_t site)
{
    if (!lines->names)
        return context;
    uint32_t line = (uint32_t)(*map_find(&lines->lines, site) - 1);
    return (uint32_t)(*map_find(&lines->spots, key_of(context, line)) - 1);
}

static void site_lines_free(struct site_lines *lines)
{
    map_free(&lines->lines);
    map_free(&lines->spots);
    name_index_free(&lines->index);
    free(lines->firsts);
    *lines = (struct site_lines){.names = NULL};
}

/* Notes the site of an object of the tally, and the first one of its line. */
static void note_site(struct tally *tally, uint64_t site, uint64_t line_site)
{
    if (tally->objects == 0) {
        tally->site = site;
        tally->line_site = line_site;
    }
    tally->has_sites |= tally->site != site;
    tally->has_lines |= tally->line_site != line_site;
}

/* Notes the sites of another tally, which become those of the tally, too. */
static void note_sites(struct tally *tally, const struct tally *from)
{
    note_site(tally, from->site, from->line_site);
    tally->has_sites |= from->has_sites;
    tally->has_lines |= from->has_lines;
}

/* Where the objects of a type that were allocated at a site and in a context are added up. */
struct site_rows {
    struct tally *by_type;
    struct tally *by_context;
};

static enum status find_context_row(struct site_sums *sums, uint32_t context, uint64_t type,
                                    size_t type_index, uint64_t site, struct tally **row,
                                    struct failure *why)
{
    struct tallies *tallies = &sums->by_context.tallies;
    struct spot spot;
    TRY(site_lines_find(&sums->lines, context, site, &spot, why));
    struct tally *tally = tallies_find(tallies, (uint64_t)spot.number << 32 | type_index);
    if (!tally)
        return fail_memory(why);
    if (type_index > UINT32_MAX || tallies->count > UINT32_MAX)
        return fail(why, STATUS_LIMIT, "The trace has more than %u types or contexts",
                    UINT32_MAX);
    note_site(tally, site, spot.site);
    tally->type = type;
    tally->type_index = type_index;
    tally->context = context;
    tally->has_method = context != 0;
    if (tally->has_method)
        tally->method = contexts_method(sums->contexts, context);
    *row = tally;
    return STATUS_OK;
}

static enum status find_rows(struct site_sums *sums, uint32_t context, uint64_t type,
                             uint64_t site, struct site_rows *rows, struct failure *why)
{
    struct tallies *types = &sums->by_type.tallies;
    rows->by_type = tallies_find(types, type);
    if (!rows->by_type)
        return fail_memory(why);
    size_t index = (size_t)(rows->by_type - types->items);
    return find_context_row(sums, context, type, index, site, &rows->by_context, why);
}

static uint32_t row_number(const struct site_sums *sums, const struct site_rows *rows)
{
    return (uint32_t)(rows->by_context - sums->by_context.tallies.items);
}

static void add_prior(struct site_sums *sums, const struct tallied_life *life)
{
    if (life->lives_at_peak)
        sums->prior_live += life->size;
}

/* Adds a birth; all births come before lives, so rows are in the order of allocation. */
static enum status add_birth(void *context, const struct birth_facts *birth,
                             struct failure *why)
{
    struct site_sums *sums = context;
    struct site_rows rows = {.by_context = NULL};
    TRY(find_rows(sums, (uint32_t)birth->context, birth->type, birth->site, &rows, why));
    sums->allocated++;
    if (sums->moment)
        return STATUS_OK; /* its life shows whether it is alive then */
    tally_add_birth(rows.by_type, birth->size);
    tally_add_birth(rows.by_context, birth->size);
    return STATUS_OK;
}

static void site_tallies_free(struct site_tallies *tallies)
{
    tallies_free(&tallies->tallies);
    free(tallies->dispersions);
}

static void site_sums_free(struct site_sums *sums)
{
    site_tallies_free(&sums->by_type);
    site_tallies_free(&sums->by_context);
    site_tallies_free(&sums->by_method);
    site_tallies_free(&sums->by_death);
    site_tallies_free(&sums->by_pair);
    site_lines_free(&sums->lines);
    free(sums->pairs);
    row_sort_close(sums->order);
    free(sums);
}

/* Makes the sums at a moment (NULL: of all of the run), and adds up the births. */
static enum status site_sums_new(struct site_sums **out, const struct report_material *material,
                                 const struct heap_moment *moment, bool has_pairs,
                                 struct failure *why)
{
    const struct pass *pass = material->pass;
    const struct names *names = material->names;
    struct site_sums *sums = calloc(1, sizeof *sums);
    if (!sums)
        return fail_memory(why);
    sums->has_pairs = has_pairs && pass_has_death_paths(pass);
    sums->moment = moment;
    sums->contexts = sums->lines.contexts = pass_contexts(pass);
    sums->lines.names = names_exist_in(names, NAMES_SITE) ? names : NULL;
    sums->has_uses = uses_are_recorded(pass);
    sums->all_bytes = life_stream_summary(material->stream)->end.bytes;
    sums->peaks = material->peaks;
    enum status status = row_sort_open(&sums->order, ORDER_WIDTH, 1, material->temporary, why);
    if (status == STATUS_OK)
        status = births_visit(material->stream, add_birth, sums, why);
    if (status == STATUS_OK)
        *out = sums;
    else
        site_sums_free(sums);
    return status;
}

/* What is added up of a life. */
static struct tallied_life tally_life(const struct site_sums *sums,
                                      const struct life_facts *life)
{
    bool is_prior = life_is_prior(life);
    const struct live_point *peak = &sums->peaks->most_bytes;
    return (struct tallied_life){
        .size = life->size,
        .lifetime = life_bytes(life),
        .drag = sums->has_uses && !is_prior ? life_drag_bytes(life) : 0,
        .has_died = life->has_died,
        .survives = life->survives,
        .lives_at_peak = live_heap_has(life, peak->passed, peak->born),
        .dies_young = !is_prior && age_at_death(life) == AGE_YOUNG,
        .outlived = outlived_class(life),
        .is_shared = life->is_shared,
    };
}

size_t site_sums_row(const struct site_sums *sums, uint32_t context, uint64_t site,
                     uint64_t type)
{
    size_t index = tallies_known(&sums->by_type.tallies, type);
    uint32_t spot = site_lines_known(&sums->lines, context, site);
    return tallies_known(&sums->by_context.tallies, (uint64_t)spot << 32 | index);
}

/* What pairs have as the context of a death if there is none: no context is so large.
 */
#define PAIR_ALIVE UINT32_MAX

/* Adds to the pair of a life, whose row of by_context is sums->row, and sets *row to that of
 * the pair. */
static enum status add_to_pair(struct site_sums *sums, const struct life_facts *life,
                               uint32_t *row, struct failure *why)
{
    struct tallies *pairs = &sums->by_pair.tallies;
    uint32_t death = life->survives ? PAIR_ALIVE : (uint32_t)life->death_context;
    struct tally *tally = tallies_find(pairs, (uint64_t)sums->row << 32 | death);
    if (!tally)
        return fail_memory(why);
    if (pairs->count > UINT32_MAX)
        return fail(why, STATUS_LIMIT, "The trace has more than %u pairs of contexts",
                    UINT32_MAX);
    if (!ARRAY_RESERVE(sums->pairs, sums->pair_capacity, pairs->count))
        return fail_memory(why);
    *row = (uint32_t)(tally - pairs->items);
    sums->pairs[*row] = (struct pair_rows){.by_context = sums->row};
    const struct tally *context = &sums->by_context.tallies.items[sums->row];
    note_sites(tally, context);
    tally->type = life->type;
    tally->type_index = context->type_index;
    tally->context = life->context;
    tally->is_alive = life->survives;
    tally->death_context = (uint32_t)life->death_context;
    tally_add_birth(tally, life->size);
    tally_add_life(tally, &sums->tallied);
    return STATUS_OK;
}

/* Adds a life to its type and its context. */
static enum status add_to_rows(struct site_sums *sums, const struct life_facts *life,
                               struct failure *why)
{
    struct site_rows rows = {.by_context = NULL};
    TRY(find_rows(sums, life->context, life->type, life->site, &rows, why));
    if (sums->moment) {
        tally_add_birth(rows.by_type, life->size);
        tally_add_birth(rows.by_context, life->size);
    }
    tally_add_life(rows.by_type, &sums->tallied);
    tally_add_life(rows.by_context, &sums->tallied);
    sums->row = row_number(sums, &rows);
    return STATUS_OK;
}

/* Adds a life to the order of lifetimes, as one of row number `row`. */
static enum status add_to_order(struct site_sums *sums, const struct life_facts *life,
                                uint32_t row, struct failure *why)
{
    const uint64_t numbers[ORDER_WIDTH] = {
        [ORDER_LIFETIME] = life_bytes(life),
        [ORDER_SIZE] = life->size,
        [ORDER_ROW] = (uint64_t)row * 2 + life->has_died,
    };
    return row_sort_add(sums->order, numbers, why);
}

static enum status site_sums_add(struct site_sums *sums, const struct life_facts *life,
                                 struct failure *why)
{
    if (sums->moment && !moment_has_alive(sums->moment, life))
        return STATUS_OK;
    sums->tallied = tally_life(sums, life);
    if (life_is_prior(life)) {
        add_prior(sums, &sums->tallied);
        return STATUS_OK;
    }
    TRY(add_to_rows(sums, life, why));
    sums->deaths += life->has_died;
    uint32_t row = sums->row;
    if (sums->has_pairs)
        TRY(add_to_pair(sums, life, &row, why));
    return add_to_order(sums, life, row, why);
}

static void merge_tally(struct tally *into, const struct tally *from)
{
    note_sites(into, from);
    into->type = from->type;
    into->has_method = from->has_method;
    into->method = from->method;
    into->objects += from->objects;
    into->bytes += from->bytes;
    into->deaths += from->deaths;
    into->lifetime += from->lifetime;
    into->immortals += from->immortals;
    into->immortal_bytes += from->immortal_bytes;
    into->immortal_drag += from->immortal_drag;
    into->live += from->live;
    into->young += from->young;
    into->drag += from->drag;
    for (size_t i = 0; i < OUTLIVED_CLASSES; i++)
        into->outlived[i] += from->outlived[i];
    into->shared += from->shared;
}

/* Adds up contexts with one method and type. */
static enum status add_up_methods(struct site_sums *sums, struct failure *why)
{
    struct tallies *methods = &sums->by_method.tallies;
    for (size_t i = 0; i < sums->by_context.tallies.count; i++) {
        struct tally *context = &sums->by_context.tallies.items[i];
        uint64_t number = contexts_method_number(sums->contexts, context->context);
        struct tally *method = tallies_find(methods, number << 32 | context->type_index);
        if (!method)
            return fail_memory(why);
        merge_tally(method, context);
        context->method_index = (size_t)(method - methods->items);
    }
    return STATUS_OK;
}

/* Adds up pairs with one death context and type. */
static enum status add_up_deaths(struct site_sums *sums, struct failure *why)
{
    struct tallies *deaths = &sums->by_death.tallies;
    for (size_t i = 0; i < sums->by_pair.tallies.count; i++) {
        const struct tally *pair = &sums->by_pair.tallies.items[i];
        uint64_t context = pair->is_alive ? PAIR_ALIVE : pair->death_context;
        struct tally *death = tallies_find(deaths, context << 32 | pair->type_index);
        if (!death)
            return fail_memory(why);
        merge_tally(death, pair);
        death->context = pair->death_context;
        death->is_alive = pair->is_alive;
        death->has_method = death->context != 0;
        if (death->has_method)
            death->method = contexts_method(sums->contexts, death->context);
        sums->pairs[i].by_death = (uint32_t)(death - deaths->items);
    }
    return STATUS_OK;
}

/* An object in the order of lifetimes. */
struct ordered_life {
    uint64_t lifetime, size;
    bool has_died;
};

/* Adds the object with the next larger or equal lifetime. `deaths` is how many objects of the
 * dispersion's tally died. */
static inline void disperse(struct dispersion *dispersion, const struct ordered_life *life,
                            uint64_t deaths)
{
    gini_add(&dispersion->by_bytes, life->lifetime, life->size);
    gini_add(&dispersion->by_objects, life->lifetime, 1);
    if (life->has_died && ++dispersion->deaths == deaths / 2 + deaths % 2)
        dispersion->median = life->lifetime;
}

static inline void disperse_in(struct site_tallies *tallies, size_t row,
                               const struct ordered_life *life)
{
    disperse(&tallies->dispersions[row], life, tallies->tallies.items[row].deaths);
}

/* Adds the next object, of a row of by_context, to the figures of its allocation. */
static void disperse_in_all(struct site_sums *sums, uint32_t row,
                            const struct ordered_life *life)
{
    const struct tally *context = &sums->by_context.tallies.items[row];
    disperse_in(&sums->by_context, row, life);
    disperse_in(&sums->by_type, context->type_index, life);
    disperse_in(&sums->by_method, context->method_index, life);
    disperse(&sums->all, life, sums->deaths);
}

/* Adds all objects, in the order of their lifetimes. */
static enum status disperse_all(struct site_sums *sums, struct failure *why)
{
    const struct lifetime_visitor *visitor = &sums->visitor;
    uint64_t row[ORDER_WIDTH];
    enum status status = row_sort_finish(sums->order, why);
    while (status == STATUS_OK &&
           (status = row_sort_next(sums->order, row, why)) == STATUS_OK) {
        const struct ordered_life life = {row[ORDER_LIFETIME], row[ORDER_SIZE],
                                          row[ORDER_ROW] % 2};
        uint32_t of_context = (uint32_t)(row[ORDER_ROW] / 2);
        if (sums->has_pairs) {
            const struct pair_rows *pair = &sums->pairs[of_context];
            disperse_in(&sums->by_pair, of_context, &life);
            disperse_in(&sums->by_death, pair->by_death, &life);
            of_context = pair->by_context;
        }
        disperse_in_all(sums, of_context, &life);
        if (visitor->visit)
            visitor->visit(visitor->context, of_context, life.lifetime, life.size);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

static bool make_dispersions(struct site_tallies *tallies)
{
    tallies->dispersions = array_new(tallies->tallies.count, sizeof *tallies->dispersions);
    return tallies->dispersions;
}

static enum status site_sums_finish(struct site_sums *sums, struct failure *why)
{
    TRY(add_up_methods(sums, why));
    TRY(add_up_deaths(sums, why));
    if (sums->visitor.start)
        TRY(sums->visitor.start(sums->visitor.context, why));
    if (!make_dispersions(&sums->by_type) || !make_dispersions(&sums->by_context) ||
        !make_dispersions(&sums->by_method) || !make_dispersions(&sums->by_death) ||
        !make_dispersions(&sums->by_pair))
        return fail_memory(why);
    return disperse_all(sums, why);
}

/* There are few moments, so sums are found by a linear search. Most runs have only those of all
 * of the run. */
enum status run_sums_find(struct run_sums *sums, const struct report_material *material,
                          const struct heap_moment *moment, bool has_pairs,
                          struct site_sums **out, struct failure *why)
{
    for (size_t i = 0; i < sums->count; i++)
        if (sums->items[i]->moment == moment) {
            *out = sums->items[i];
            return STATUS_OK;
        }
    TRY(site_sums_new(out, material, moment, has_pairs, why));
    sums->items[sums->count++] = *out;
    return STATUS_OK;
}

enum status run_sums_add(struct run_sums *sums, const struct life_facts *life,
                         struct failure *why)
{
    for (size_t i = 0; i < sums->count; i++)
        TRY(site_sums_add(sums->items[i], life, why));
    return STATUS_OK;
}

enum status run_sums_finish(struct run_sums *sums, struct failure *why)
{
    for (size_t i = 0; i < sums->count; i++)
        TRY(site_sums_finish(sums->items[i], why));
    return STATUS_OK;
}

void run_sums_free(struct run_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++)
        site_sums_free(sums->items[i]);
}
