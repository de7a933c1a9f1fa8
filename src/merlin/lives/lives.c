/* SPDX-License-Identifier: MIT */
/* Lives are read from the temporary files of windows (stored_lives.h), or made one by one from
 * the arrays of a table, which contain nearly everything about a life: only the way from nodes
 * to allocations, causes, and the order of recorded deaths must be added. Deaths come in the
 * order of ticks, so the allocations before each are counted as the cursor moves. */
#include "merlin/lives/lives.h"

#include "base/memory.h"
#include "base/status.h"
#include "merlin/lives/stored_lives.h"
#include "merlin/sort.h"

#include <stdlib.h>

/* What lives are made of when all objects are in memory. */
struct life_table {
    const struct pass *pass;
    const node_t *nodes;   /* by allocation */
    const node_t *numbers; /* by node (objects_numbers): of an allocation, from 1 */
    const node_t *dead;    /* at boundaries, by tick, then by allocation */
    const node_t *alive;   /* in the order of allocation */
    node_t *recorded;      /* owned: the array of both, if deaths are recorded */
    const uint64_t *last;  /* by node: the tick at which it was reached last; NULL: recorded */
    struct causes causes;  /* zero unless they are wanted */
    struct ascending_index births;
};

struct life_stream {
    const struct stored_lives *stored; /* NULL: there is a table */
    const struct contexts *contexts;   /* of the paths of deaths; NULL: there are none */
    struct life_table table;
    struct life_stream_options options;
    struct lives_summary summary;
};

struct life_cursor {
    const struct life_stream *stream;
    uint64_t next;                 /* how many lives it has passed */
    struct number_cursor *numbers; /* if lives are stored, with the latest one */
    struct life_facts latest;
    /* With a table: */
    uint64_t tick;   /* of the latest death, */
    uint64_t before; /* and number of allocations before it */
    bool *met;       /* by key: a life of its group has come; NULL: there are no groups */
};

struct birth_cursor {
    const struct life_stream *stream;
    uint64_t next; /* how many births or, with a table, allocations it has passed */
    struct number_cursor *numbers; /* if births are stored, with the latest one */
    struct birth_facts latest;
};

static const struct allocations *allocations_of(const struct life_table *table)
{
    return &table->pass->recorders->allocations;
}

/* The bytes allocated in the first `count` allocations. */
static uint64_t bytes_of(const struct life_table *table, uint64_t count)
{
    return allocations_clock(allocations_of(table), (size_t)count);
}

/* The bytes allocated before `tick`. */
static uint64_t bytes_before(const struct life_table *table, uint64_t tick)
{
    return bytes_of(table,
                    ascending_below(&allocations_of(table)->ticks, &table->births, tick));
}

static enum status life_stream_new(struct life_stream **out,
                                   const struct life_stream_options *options,
                                   struct failure *why)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail_memory(why);
    (*out)->options = *options;
    return STATUS_OK;
}

/* Where the trace begins: where ticks are times, with the first allocation. */
static struct life_moment first_moment(const struct pass *pass)
{
    const struct ascending *births = &pass->recorders->allocations.ticks;
    struct life_moment first = life_first_moment(&pass->clock);
    if (pass->ticks_by_time && births->count > 0 && ascending_at(births, 0) > first.tick) {
        first.tick = ascending_at(births, 0);
        first.time = clock_time(&pass->clock, first.tick);
    }
    return first;
}

/* Sets what lives are made of, except for the deaths. */
static enum status table_open(struct life_stream *stream, const struct pass *pass,
                              struct failure *why)
{
    struct life_table *table = &stream->table;
    struct objects *objects = pass->heap.objects;
    size_t count;
    table->pass = pass;
    table->nodes = objects_allocations(objects, &count);
    const struct allocations *allocations = &pass->recorders->allocations;
    stream->summary.lives = count;
    stream->summary.prior_objects = allocations->priors.count;
    stream->summary.prior_bytes = ascending_last(&allocations->prior_bytes);
    stream->summary.allocations = count - allocations->priors.count;
    table->numbers = objects_numbers(objects);
    if (!table->numbers)
        return fail_memory(why);
    uses_keep_held(pass->recorders->uses, pass->heap.frames);
    stream->summary.first = first_moment(pass);
    stream->summary.end = life_moment_now(&pass->clock, bytes_of(table, count));
    return ascending_index_make(&table->births, &allocations->ticks, why);
}

/* The tick of a recorded death. */
static uint64_t recorded_tick(const struct life_table *table, node_t node)
{
    return table->pass->recorders->input_deaths.deaths[node].at.tick;
}

/* The tick of the boundary at which `node`, which does not survive, dies. */
static uint64_t tick_of_death(const struct life_table *table, node_t node)
{
    return table->last ? table->last[node] + 1 : recorded_tick(table, node);
}

/* Finds out how many frames each object outlives, if death sites are kept. */
static enum status find_outlived(const struct life_stream *stream, struct failure *why)
{
    const struct life_table *table = &stream->table;
    const struct pass *pass = table->pass;
    if (!pass_death_sites(pass))
        return STATUS_OK;
    for (size_t i = 0; i < stream->summary.deaths; i++) {
        node_t node = table->dead[i];
        size_t number = table->numbers[node] - 1;
        TRY(life_die(pass, &table->causes, node,
                     record_is_prior(allocations_of(table)->kinds[number]),
                     ascending_at(&allocations_of(table)->ticks, number),
                     tick_of_death(table, node), why));
    }
    return STATUS_OK;
}

/* Opens the lives of deaths that a table has. */
static enum status open_table(struct life_stream *stream, const struct deaths *deaths,
                              struct failure *why)
{
    struct life_table *table = &stream->table;
    table->dead = deaths->dead;
    table->alive = deaths->alive;
    table->last = deaths->last_reached;
    stream->summary.deaths = deaths->dead_count;
    TRY(table_open(stream, deaths->pass, why));
    if (stream->options.wants_causes)
        TRY(causes_find(&table->causes, deaths, why));
    return find_outlived(stream, why);
}

static enum status open_computed(struct life_stream *stream, const struct deaths *deaths,
                                 struct failure *why)
{
    struct contexts *contexts = pass_contexts(deaths->pass);
    stream->stored = deaths->lives;
    if (stream->stored)
        stream->summary = *stored_lives_summary(stream->stored);
    else
        TRY(open_table(stream, deaths, why));
    if (!pass_death_sites(deaths->pass))
        return STATUS_OK;
    stream->contexts = contexts;
    return contexts_number_deaths(contexts, why);
}

/* Sets *out to `stream`, or closes it if `status`, that of opening it, is a failure. */
static enum status opened(struct life_stream **out, struct life_stream *stream,
                          enum status status)
{
    if (status == STATUS_OK)
        *out = stream;
    else
        life_stream_close(stream);
    return status;
}

enum status life_stream_open(struct life_stream **out, const struct deaths *deaths,
                             const struct life_stream_options *options, struct failure *why)
{
    struct life_stream *stream;
    TRY(life_stream_new(&stream, options, why));
    return opened(out, stream, open_computed(stream, deaths, why));
}

static enum status sort_recorded(const struct life_table *table, uint64_t count,
                                 struct failure *why)
{
    const struct pass *pass = table->pass;
    uint64_t *ticks = array_new(objects_count(pass->heap.objects), sizeof *ticks);
    if (!ticks)
        return fail_memory(why);
    for (size_t i = 0; i < count; i++)
        ticks[table->recorded[i]] = recorded_tick(table, table->recorded[i]);
    enum status status = sort_nodes(table->recorded, (size_t)count, ticks, pass->clock.now,
                                    pass->interrupt, why);
    free(ticks);
    return status;
}

/* Decides which object each recorded death is that of. Computes deaths only if ids are
 * repeated, and there is a clock that these can be compared on. */
static enum status settle_recorded(struct pass *pass, enum unallocated unallocated,
                                   struct failure *why)
{
    struct input_deaths *deaths = &pass->recorders->input_deaths;
    uint64_t *last_reached = NULL;
    enum status status = STATUS_OK;
    if (input_deaths_are_shared(deaths) && !pass->ticks_by_time)
        status = propagate(&pass->heap, unallocated, NULL, pass->interrupt, NULL, &last_reached,
                           why);
    const struct death_evidence evidence = {
        .uses = uses_proofs(pass->recorders->uses),
        .last_reached = last_reached,
        .clock = &pass->clock,
        .last_record = pass->record,
        /* As in recorded_times.h: one time of another clock makes all of them such. */
        .by_position = deaths->has_misfit && pass->record > deaths->first_death,
    };
    if (status == STATUS_OK)
        status = input_deaths_settle(deaths, &evidence, why);
    free(last_reached);
    return status;
}

/* Lists the nodes with recorded deaths, in the order of the deaths, and after them those
 * without. */
static enum status list_recorded(struct life_stream *stream, const struct pass *pass,
                                 struct failure *why)
{
    struct life_table *table = &stream->table;
    struct input_death *deaths = pass->recorders->input_deaths.deaths;
    size_t count = (size_t)stream->summary.lives, dead = 0;
    table->recorded = array_new(count, sizeof *table->recorded);
    if (!table->recorded)
        return fail_memory(why);
    for (size_t i = 0; i < count; i++) {
        struct input_death *death = &deaths[table->nodes[i]];
        uint64_t born = ascending_at(&allocations_of(table)->ticks, i);
        if (death->number == 0)
            continue;
        if (death->at.tick < born)
            death->at = (struct death_instant){born, PLACE_AT_TICK};
        table->recorded[dead++] = table->nodes[i];
    }
    table->dead = table->recorded;
    table->alive = table->recorded + dead;
    stream->summary.deaths = dead;
    for (size_t i = 0; i < count; i++)
        if (deaths[table->nodes[i]].number == 0)
            table->recorded[dead++] = table->nodes[i];
    return sort_recorded(table, stream->summary.deaths, why);
}

static enum status open_recorded(struct life_stream *stream, struct pass *pass,
                                 struct failure *why)
{
    TRY(table_open(stream, pass, why));
    TRY(settle_recorded(pass, stream->options.unallocated, why));
    TRY(list_recorded(stream, pass, why));
    return find_outlived(stream, why);
}

enum status life_stream_open_recorded(struct life_stream **out, struct pass *pass,
                                      const struct life_stream_options *options,
                                      struct failure *why)
{
    struct life_stream *stream;
    TRY(life_stream_new(&stream, options, why));
    return opened(out, stream, open_recorded(stream, pass, why));
}

const struct lives_summary *life_stream_summary(const struct life_stream *stream)
{
    return &stream->summary;
}

void life_stream_close(struct life_stream *stream)
{
    if (!stream)
        return;
    struct life_table *table = &stream->table;
    free(table->recorded);
    causes_free(&table->causes);
    ascending_index_free(&table->births);
    free(stream);
}

enum status life_cursor_open(struct life_cursor **out, const struct life_stream *stream,
                             struct failure *why)
{
    struct life_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return fail_memory(why);
    cursor->stream = stream;
    enum status status = STATUS_OK;
    if (stream->stored) {
        status = stored_lives_read(&cursor->numbers, stream->stored, why);
    } else if (stream->table.causes.keys) {
        size_t nodes = objects_count(stream->table.pass->heap.objects);
        cursor->met = array_new(nodes, sizeof *cursor->met);
        status = cursor->met ? STATUS_OK : fail_memory(why);
    }
    if (status == STATUS_OK)
        *out = cursor;
    else
        life_cursor_close(cursor);
    return status;
}

/* Sets what the allocation record says, and when it was. */
static void set_birth(const struct life_stream *stream, struct life_facts *life, node_t node)
{
    const struct life_table *table = &stream->table;
    const struct pass *pass = table->pass;
    const struct allocations *says = allocations_of(table);
    size_t number = table->numbers[node] - 1;
    uint64_t tick = ascending_at(&says->ticks, number);
    life->number = number;
    life->allocation = number - allocations_priors(says, number);
    life_set_object(life, pass, number, node);
    if (!life_is_prior(life))
        life->born = (struct life_moment){tick, clock_time(&pass->clock, tick),
                                          allocations_clock(says, number + 1)};
    life->context = pass_contexts(pass) ? contexts_of(pass_contexts(pass), number) : 0;
}

/* Moves to `tick`, that of the next death, and counts the allocations before it. */
static void pass_births(struct life_cursor *cursor, uint64_t tick)
{
    const struct ascending *births = &allocations_of(&cursor->stream->table)->ticks;
    cursor->tick = tick;
    while (cursor->before < births->count &&
           ascending_at(births, (size_t)cursor->before) < tick)
        cursor->before++;
}

/* Sets the facts of a death. A recorded death may come before the boundary that follows the
 * birth. */
static void set_death(struct life_cursor *cursor, struct life_facts *life, node_t node)
{
    const struct life_stream *stream = cursor->stream;
    const struct life_table *table = &stream->table;
    if (life->survives) {
        life->died = stream->summary.end;
        life->died_allocations = stream->summary.allocations;
        return;
    }
    uint64_t tick = tick_of_death(table, node);
    if (table->recorded)
        life->recorded = table->pass->recorders->input_deaths.deaths[node].number;
    if (tick != cursor->tick)
        pass_births(cursor, tick);
    uint64_t number = table->numbers[node] - 1;
    uint64_t before = cursor->before > number ? cursor->before : number + 1;
    life->died_allocations = before - allocations_priors(allocations_of(table), (size_t)before);
    life->died = (struct life_moment){tick, clock_time(&table->pass->clock, tick),
                                      bytes_of(table, before)};
}

/* Whether `node`, which is used last at `tick`, is used after its recorded death. A frame that
 * held it is popped at the end of a tick. */
static bool is_used_after_death(const struct pass *pass, node_t node, uint64_t tick)
{
    const struct recorders *recorders = pass->recorders;
    const struct death_instant *died = &recorders->input_deaths.deaths[node].at;
    if (tick != died->tick)
        return tick > died->tick;
    return uses_last(recorders->uses, node) == USE_POPPED ||
           proof_is_after(&uses_proofs(recorders->uses)[node], died);
}

static void set_uses(const struct life_table *table, struct life_facts *life, node_t node)
{
    const struct pass *pass = table->pass;
    uint64_t tick = objects_last_uses(pass->heap.objects)[node];
    const uint64_t *first_uses = uses_first(pass->recorders->uses);
    life->last_use = (struct life_moment){tick, clock_time(&pass->clock, tick),
                                          bytes_before(table, tick + 1)};
    if (life->last_use.bytes > life->died.bytes)
        life->last_use.bytes = life->died.bytes;
    if (table->recorded && !life->survives)
        life->dies_before_use = is_used_after_death(pass, node, tick);
    if (first_uses && life->uses >= 2)
        life->first_use_bytes = bytes_before(table, first_uses[node]);
}

/* Makes life number `number` of a table. */
static void make_life(struct life_cursor *cursor, struct life_facts *life, uint64_t number)
{
    const struct life_stream *stream = cursor->stream;
    const struct pass *pass = stream->table.pass;
    uint64_t deaths = stream->summary.deaths;
    *life = (struct life_facts){.survives = number >= deaths};
    node_t node =
        life->survives ? stream->table.alive[number - deaths] : stream->table.dead[number];
    set_birth(stream, life, node);
    set_death(cursor, life, node);
    set_uses(&stream->table, life, node);
    life_set_group(life, pass, &stream->table.causes, node, cursor->met);
    if (pass_death_sites(pass))
        life_set_death_site(life, pass, &stream->table.causes, node);
}

enum status life_cursor_next(struct life_cursor *cursor, struct life_facts *life,
                             struct failure *why)
{
    const struct life_stream *stream = cursor->stream;
    TRY(interrupt_check(stream->options.interrupt, why));
    if (cursor->next == stream->summary.lives)
        return STATUS_END;
    uint64_t number = cursor->next++;
    if (cursor->numbers) {
        TRY(stored_life_next(cursor->numbers, &cursor->latest, why));
        *life = cursor->latest;
    } else {
        make_life(cursor, life, number);
    }
    life->has_died = !life->survives || stream->options.survivors_die;
    if (stream->contexts)
        life->death_context = contexts_of_path(stream->contexts, (uint32_t)life->death_context);
    return STATUS_OK;
}

void life_cursor_close(struct life_cursor *cursor)
{
    if (!cursor)
        return;
    number_cursor_close(cursor->numbers);
    free(cursor->met);
    free(cursor);
}

enum status birth_cursor_open(struct birth_cursor **out, const struct life_stream *stream,
                              struct failure *why)
{
    struct birth_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return fail_memory(why);
    cursor->stream = stream;
    enum status status = STATUS_OK;
    if (stream->stored)
        status = stored_births_read(&cursor->numbers, stream->stored, why);
    if (status == STATUS_OK)
        *out = cursor;
    else
        birth_cursor_close(cursor);
    return status;
}

/* Makes the next birth of a table. */
static enum status make_birth(struct birth_cursor *cursor, struct birth_facts *birth)
{
    const struct life_stream *stream = cursor->stream;
    const struct pass *pass = stream->table.pass;
    const uint8_t *kinds = allocations_of(&stream->table)->kinds;
    while (cursor->next < stream->summary.lives && record_is_prior(kinds[cursor->next]))
        cursor->next++;
    if (cursor->next == stream->summary.lives)
        return STATUS_END;
    size_t number = (size_t)cursor->next++;
    *birth = life_birth(pass, number);
    birth->context = pass_contexts(pass) ? contexts_of(pass_contexts(pass), number) : 0;
    return STATUS_OK;
}

enum status birth_cursor_next(struct birth_cursor *cursor, struct birth_facts *birth,
                              struct failure *why)
{
    const struct life_stream *stream = cursor->stream;
    TRY(interrupt_check(stream->options.interrupt, why));
    if (!cursor->numbers)
        return make_birth(cursor, birth);
    if (cursor->next == stream->summary.allocations)
        return STATUS_END;
    cursor->next++;
    TRY(stored_birth_next(cursor->numbers, &cursor->latest, why));
    *birth = cursor->latest;
    return STATUS_OK;
}

void birth_cursor_close(struct birth_cursor *cursor)
{
    if (!cursor)
        return;
    number_cursor_close(cursor->numbers);
    free(cursor);
}

enum status births_visit(const struct life_stream *stream,
                         enum status (*visit)(void *context, const struct birth_facts *birth,
                                              struct failure *why),
                         void *context, struct failure *why)
{
    struct birth_cursor *cursor = NULL;
    struct birth_facts birth;
    enum status status = birth_cursor_open(&cursor, stream, why);
    while (status == STATUS_OK &&
           (status = birth_cursor_next(cursor, &birth, why)) == STATUS_OK)
        status = visit(context, &birth, why);
    birth_cursor_close(cursor);
    return status == STATUS_END ? STATUS_OK : status;
}

enum status lives_visit(const struct life_stream *stream,
                        enum status (*visit)(void *context, const struct life_facts *life,
                                             struct failure *why),
                        void *context, struct failure *why)
{
    struct life_cursor *cursor = NULL;
    struct life_facts life;
    enum status status = life_cursor_open(&cursor, stream, why);
    while (status == STATUS_OK && (status = life_cursor_next(cursor, &life, why)) == STATUS_OK)
        status = visit(context, &life, why);
    life_cursor_close(cursor);
    return status == STATUS_END ? STATUS_OK : status;
}

/* Lives come in the order of deaths; each is put where its allocation is. */
static enum status place_life(void *context, const struct life_facts *life, struct failure *why)
{
    struct lives_in_order *lives = context;
    (void)why;
    lives->deaths[life->number] = life->survives ? NEVER : life->died.tick;
    lives->uses[life->number] = life->proof;
    return STATUS_OK;
}

enum status lives_in_order_read(struct lives_in_order *lives, const struct life_stream *stream,
                                size_t count, struct failure *why)
{
    lives->deaths = array_new(count, sizeof *lives->deaths);
    lives->uses = array_new(count, sizeof *lives->uses);
    return lives->deaths && lives->uses ? lives_visit(stream, place_life, lives, why)
                                        : fail_memory(why);
}

void lives_in_order_free(struct lives_in_order *lives)
{
    free(lives->deaths);
    free(lives->uses);
    *lives = (struct lives_in_order){.deaths = NULL};
}
