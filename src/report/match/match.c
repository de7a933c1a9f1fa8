/* SPDX-License-Identifier: MIT */
/* First the sequences of each pair of threads are aligned. Then one walk goes through the
 * objects of both runs, in the order of these pairs, so that partners meet. */
#include "report/match/match.h"

#include "base/memory.h"
#include "report/match/sequences.h"

#include <stdlib.h>
#include <string.h>

/* A walk through the objects of one run. */
struct object_walk {
    struct run *run;
    struct run_object object; /* the next one */
    bool has_ended;
    uint64_t thread_born; /* bytes of its thread, the object's included */
    uint64_t position;    /* its number in the sequence of the thread, from 0 */
};

/* Goes to the next object. */
static enum status walk_on(struct object_walk *walk, struct failure *why)
{
    uint64_t pair = walk->object.pair;
    enum status status = run_next(walk->run, &walk->object, why);
    if (status == STATUS_END) {
        walk->has_ended = true;
        return STATUS_OK;
    }
    if (walk->object.pair != pair)
        walk->thread_born = walk->position = 0;
    else
        walk->position++;
    walk->thread_born += walk->object.size;
    return status;
}

static enum status walk_begin(struct object_walk *walk, struct run *run, struct failure *why)
{
    *walk = (struct object_walk){.run = run, .object = {.pair = UINT64_MAX}};
    return walk_on(walk, why);
}

/* The lifetime by one of the clocks; that of a survivor lasts to the end of the run. */
static uint64_t lifetime_of(const struct object_walk *walk, enum match_clock clock)
{
    const struct run_object *object = &walk->object;
    return clock == CLOCK_PROGRAM ? object->died - object->born
                                  : object->thread_died - walk->thread_born;
}

/* Whether two lifetimes differ by at most 1 / `part` of the first. */
static bool is_within(uint64_t a, uint64_t b, unsigned part)
{
    uint64_t distance = a > b ? a - b : b - a;
    return (wide_sum)distance * part <= a;
}

/* Adds a pair; returns whether B's object lived longer. */
static bool add_lifetimes(struct paired_lifetimes *lifetimes, const struct object_walk *a,
                          const struct object_walk *b, enum match_clock clock)
{
    uint64_t age_a = lifetime_of(a, clock), age_b = lifetime_of(b, clock);
    bool survives_a = a->object.survives, survives_b = b->object.survives;
    bool both_die = !survives_a && !survives_b;
    bool both_survive = survives_a && survives_b;
    bool is_longer = !survives_a && age_b > age_a;
    lifetimes->pairs++;
    lifetimes->both_survive += both_survive;
    lifetimes->equal += both_die && age_a == age_b;
    lifetimes->within_1 += both_survive || (both_die && is_within(age_a, age_b, 100));
    lifetimes->within_10 += both_survive || (both_die && is_within(age_a, age_b, 10));
    lifetimes->longer += is_longer;
    lifetimes->longer_bytes += is_longer ? b->object.size : 0;
    lifetimes->shorter += !survives_b && (survives_a || age_b < age_a);
    lifetimes->unknown += !survives_a && survives_b && !is_longer;
    return is_longer;
}

/* Adds a longer life to the list, which keeps the LONGER_LISTED that B allocates first. */
static void list_longer(struct run_match *match, const struct longer_life *longer)
{
    size_t at = match->longer_count;
    while (at > 0 && match->longer[at - 1].allocation > longer->allocation)
        at--;
    if (at == LONGER_LISTED)
        return;
    match->longer_count += match->longer_count < LONGER_LISTED;
    memmove(&match->longer[at + 1], &match->longer[at],
            (match->longer_count - at - 1) * sizeof *longer);
    match->longer[at] = *longer;
}

/* Adds an object of B that dies to what an oracle of A leaves unfreed; `a`: its partner, NULL
 * if it has none. */
static void add_unfreed(struct run_match *match, const struct object_walk *a,
                        const struct run_object *b)
{
    struct unfreed *unfreed = &match->unfreed;
    if (b->survives)
        return;
    uint64_t left = match->runs[RUN_B].bytes - b->born;
    if (!a)
        unfreed->unpaired += b->size;
    else if (a->object.survives)
        unfreed->immortal += b->size;
    else if (lifetime_of(a, CLOCK_PROGRAM) > left)
        unfreed->late += b->size;
}

static void add_pair(struct run_match *match, const struct thread_pair *pair,
                     const struct object_walk *a, const struct object_walk *b)
{
    add_lifetimes(&match->lifetimes[CLOCK_THREAD], a, b, CLOCK_THREAD);
    add_unfreed(match, a, &b->object);
    if (!add_lifetimes(&match->lifetimes[CLOCK_PROGRAM], a, b, CLOCK_PROGRAM))
        return;
    const struct longer_life longer = {
        .allocation = b->object.allocation,
        .lines = {a->object.line, b->object.line},
        .lifetimes = {lifetime_of(a, CLOCK_PROGRAM), lifetime_of(b, CLOCK_PROGRAM)},
        .key = pair->threads[RUN_B]->keys[b->position],
        .survives = b->object.survives,
    };
    list_longer(match, &longer);
}

/* Notes the object of a run as its first that differs, if it is at that position. */
static void note_difference(struct thread_pair *pair, unsigned run,
                            const struct object_walk *walk)
{
    struct first_difference *difference = &pair->difference;
    if (walk->position != pair->first)
        return;
    difference->exists[run] = true;
    difference->lines[run] = walk->object.line;
    difference->keys[run] = pair->threads[run]->keys[walk->position];
}

/* Passes the objects of a thread up to position `end`, none of which is paired. */
static enum status pass_unpaired(struct run_match *match, struct object_walk *walk,
                                 unsigned run, size_t thread, uint64_t end, struct failure *why)
{
    struct thread_pair *pair = &match->threads[thread];
    while (!walk->has_ended && walk->object.pair == thread && walk->position < end) {
        note_difference(pair, run, walk);
        if (run == RUN_B)
            add_unfreed(match, NULL, &walk->object);
        TRY(walk_on(walk, why));
    }
    return STATUS_OK;
}

/* Passes the pairs of `run`. The first difference may lie in it: after the common beginning an
 * element can be paired with one at another position. */
static enum status pass_pairs(struct run_match *match, struct object_walk *walks, size_t thread,
                              const struct paired_run *run, struct failure *why)
{
    struct thread_pair *pair = &match->threads[thread];
    for (uint32_t i = 0; i < run->length; i++) {
        pair->paired_bytes += walks[RUN_B].object.size;
        add_pair(match, pair, &walks[RUN_A], &walks[RUN_B]);
        for (unsigned number = 0; number < RUNS; number++) {
            note_difference(pair, number, &walks[number]);
            TRY(walk_on(&walks[number], why));
        }
    }
    pair->paired += run->length;
    return STATUS_OK;
}

/* Goes through the objects of a pair of threads. */
static enum status pass_thread(struct run_match *match, struct object_walk *walks,
                               size_t thread, struct failure *why)
{
    static const struct paired_run end = {.a = UINT32_MAX, .b = UINT32_MAX};
    struct thread_pair *pair = &match->threads[thread];
    for (size_t i = 0; i <= pair->runs.count; i++) {
        bool is_last = i == pair->runs.count;
        const struct paired_run *run = is_last ? &end : &pair->runs.items[i];
        TRY(pass_unpaired(match, &walks[RUN_A], RUN_A, thread, run->a, why));
        TRY(pass_unpaired(match, &walks[RUN_B], RUN_B, thread, run->b, why));
        if (!is_last)
            TRY(pass_pairs(match, walks, thread, run, why));
    }
    return STATUS_OK;
}

/* Aligns what two threads allocate. */
static enum status align_threads(struct thread_pair *pair, const struct interrupt *interrupt,
                                 struct failure *why)
{
    const struct run_thread *a = pair->threads[RUN_A], *b = pair->threads[RUN_B];
    if (!a || !b)
        return STATUS_OK;
    const struct sequence_gap both = {a->keys, b->keys, a->count, b->count, 0, 0};
    enum status status = sequences_align(&pair->runs, &both, interrupt, why);
    const struct paired_run *first = pair->runs.items;
    if (status == STATUS_OK && pair->runs.count > 0 && first->a == 0 && first->b == 0)
        pair->first = first->length;
    return status;
}

/* Lists the pairs of threads. */
static enum status list_pairs(struct run_match *match, struct failure *why)
{
    for (unsigned run = 0; run < RUNS; run++)
        for (size_t i = 0; i < match->runs[run].thread_count; i++)
            if (match->runs[run].threads[i].pair >= match->thread_count)
                match->thread_count = match->runs[run].threads[i].pair + 1;
    match->threads = array_new(match->thread_count, sizeof *match->threads);
    if (!match->threads)
        return fail_memory(why);
    for (unsigned run = 0; run < RUNS; run++)
        for (size_t i = 0; i < match->runs[run].thread_count; i++) {
            const struct run_thread *thread = &match->runs[run].threads[i];
            match->threads[thread->pair].threads[run] = thread;
        }
    return STATUS_OK;
}

static enum status match_threads(struct run_match *match, const struct interrupt *interrupt,
                                 struct failure *why)
{
    struct object_walk walks[RUNS];
    enum status status = list_pairs(match, why);
    for (unsigned i = 0; i < RUNS && status == STATUS_OK; i++)
        status = walk_begin(&walks[i], &match->runs[i], why);
    for (size_t i = 0; i < match->thread_count && status == STATUS_OK; i++) {
        struct thread_pair *pair = &match->threads[i];
        status = align_threads(pair, interrupt, why);
        if (status == STATUS_OK)
            status = pass_thread(match, walks, i, why);
        paired_runs_free(&pair->runs);
        match->paired += pair->paired;
        match->paired_bytes += pair->paired_bytes;
    }
    return status;
}

/* Adds a site to the sums over all sites. */
static void add_site(struct run_match *match, const struct match_site *site)
{
    struct site_shares *shares = &match->shares;
    struct prediction *prediction = &match->prediction;
    const struct site_part *b = &site->parts[RUN_B];
    if (site->is_compared) {
        shares->compared++;
        shares->compared_bytes += b->bytes;
        shares->below_5 += two_samples_is_below(&site->samples, 5) ? b->bytes : 0;
        shares->below_10 += two_samples_is_below(&site->samples, 10) ? b->bytes : 0;
        shares->below_20 += two_samples_is_below(&site->samples, 20) ? b->bytes : 0;
    }
    prediction->known += b->bytes - b->unknown_bytes;
    prediction->unknown += b->unknown_bytes;
    prediction->long_bytes += b->long_bytes;
    prediction->long_sites += site->is_called_long;
    if (site->is_called_long) {
        prediction->called += b->bytes - b->unknown_bytes;
        prediction->hits += b->long_bytes;
    }
}

static enum status compare_sites(struct run_match *match, uint64_t purity, struct failure *why)
{
    struct site_list *sites = &match->common->sites;
    TRY(site_list_compare(sites, purity, why));
    match->shares.sites = sites->count;
    for (size_t i = 0; i < sites->count; i++)
        add_site(match, &sites->sites[i]);
    return site_list_rank(sites, &match->changed, &match->changed_count, why);
}

enum status match_runs(struct run_match *match, struct run *runs, struct run_common *common,
                       uint64_t purity, const struct interrupt *interrupt, struct failure *why)
{
    *match = (struct run_match){.runs = runs, .common = common};
    TRY(match_threads(match, interrupt, why));
    return compare_sites(match, purity, why);
}

bool match_is_whole(const struct run_match *match)
{
    return match->paired == match->runs[RUN_A].allocations &&
           match->paired == match->runs[RUN_B].allocations &&
           match->lifetimes[CLOCK_PROGRAM].longer == 0;
}

void match_free(struct run_match *match)
{
    for (size_t i = 0; match->threads && i < match->thread_count; i++)
        paired_runs_free(&match->threads[i].runs);
    free(match->threads);
    free(match->changed);
}
