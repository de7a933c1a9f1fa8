/* SPDX-License-Identifier: MIT */
/* Four rounds, each of which pairs threads that the rounds before have left: those with the
 * same sequence of keys; those that are most alike; those with the same first key; and all
 * others. Each round but the second gives every thread a sign, and pairs threads of the same
 * sign in their order. Two threads are alike by the share of their allocations that they have
 * in common, in any order. So neither the order of threads, nor a thread that only one run has,
 * changes the pairs of the others. */
#include "report/match/run.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
    NO_PAIR = 0
}; /* while pairs are looked for, `pair` of a thread of b is the index of its partner plus 1 */

struct thread_pairing {
    struct run *runs[RUNS];
    size_t key_count;
    size_t *partners; /* of threads of a: the index of the thread of b plus 1, or NO_PAIR */
    size_t paired;
};

static bool is_paired(const struct thread_pairing *pairing, unsigned run, size_t thread)
{
    return run == RUN_A ? pairing->partners[thread] != NO_PAIR
                        : pairing->runs[RUN_B]->threads[thread].pair != NO_PAIR;
}

static void pair_up(struct thread_pairing *pairing, size_t a, size_t b)
{
    pairing->partners[a] = b + 1;
    pairing->runs[RUN_B]->threads[b].pair = a + 1;
    pairing->paired++;
}

static bool is_done(const struct thread_pairing *pairing)
{
    return pairing->paired == pairing->runs[RUN_A]->thread_count ||
           pairing->paired == pairing->runs[RUN_B]->thread_count;
}

/* By signs. */

typedef uint64_t sign_of(const struct run_thread *thread);

static uint64_t sign_of_sequence(const struct run_thread *thread)
{
    return hash_text(0, thread->keys, thread->count * sizeof *thread->keys);
}

static uint64_t sign_of_first(const struct run_thread *thread)
{
    return thread->keys[0];
}

static uint64_t sign_of_all(const struct run_thread *thread)
{
    (void)thread;
    return 0;
}

/* Enters the threads of a that are not paired: *firsts maps a sign to the index of its first
 * thread plus 1, next[i] is the next one after thread i plus 1; 0: none. */
static enum status enter_signs(const struct thread_pairing *pairing, sign_of *sign,
                               struct map *firsts, size_t *next, struct failure *why)
{
    const struct run *a = pairing->runs[RUN_A];
    for (size_t i = a->thread_count; i-- > 0;) {
        if (is_paired(pairing, RUN_A, i))
            continue;
        uint64_t *first = map_insert(firsts, sign(&a->threads[i]));
        if (!first)
            return fail_memory(why);
        next[i] = (size_t)*first;
        *first = i + 1;
    }
    return STATUS_OK;
}

static enum status pair_by_sign(struct thread_pairing *pairing, sign_of *sign,
                                struct failure *why)
{
    const struct run *b = pairing->runs[RUN_B];
    struct map firsts = {.root = NULL};
    size_t *next = array_new(pairing->runs[RUN_A]->thread_count, sizeof *next);
    enum status status =
        next ? enter_signs(pairing, sign, &firsts, next, why) : fail_memory(why);
    for (size_t i = 0; i < b->thread_count && status == STATUS_OK; i++) {
        if (is_paired(pairing, RUN_B, i))
            continue;
        uint64_t *first = map_find(&firsts, sign(&b->threads[i]));
        if (!first || *first == 0)
            continue;
        size_t a = (size_t)*first - 1;
        *first = next[a];
        pair_up(pairing, a, i);
    }
    map_free(&firsts);
    free(next);
    return status;
}

/* By likeness. */

/* A key, and how often a thread has it. */
struct key_count {
    uint32_t key, count;
};

struct compared_thread {
    size_t index; /* among those of its run */
    const struct run_thread *thread;
    struct key_count *keys; /* of threads of b */
    size_t key_count;
};

/* Two threads that have something in common. */
struct likeness {
    size_t a, b; /* indexes */
    uint64_t common;
    uint64_t all; /* allocations of both */
};

struct thread_comparison {
    struct compared_thread *threads[RUNS];
    size_t counts[RUNS];
    uint32_t *times; /* how often one thread has each key; 0 between two threads */
    struct likeness *found;
    size_t found_count;
};

static int order_by_allocations(const void *left, const void *right)
{
    const struct compared_thread *a = left, *b = right;
    if (a->thread->count != b->thread->count)
        return a->thread->count > b->thread->count ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* The largest share of what two threads have comes first. */
static int order_by_likeness(const void *left, const void *right)
{
    const struct likeness *a = left, *b = right;
    wide_sum share_a = (wide_sum)a->common * b->all, share_b = (wide_sum)b->common * a->all;
    if (share_a != share_b)
        return share_a > share_b ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* Chooses the threads of a run that allocate most, among those that are not paired. */
static enum status choose_threads(struct thread_comparison *comparison,
                                  const struct thread_pairing *pairing, unsigned number,
                                  struct failure *why)
{
    const struct run *run = pairing->runs[number];
    size_t count = 0;
    struct compared_thread *chosen =
        array_new(run->thread_count - pairing->paired, sizeof *chosen);
    comparison->threads[number] = chosen;
    if (!chosen)
        return fail_memory(why);
    for (size_t i = 0; i < run->thread_count; i++)
        if (!is_paired(pairing, number, i))
            chosen[count++] = (struct compared_thread){.index = i, .thread = &run->threads[i]};
    qsort(chosen, count, sizeof *chosen, order_by_allocations);
    comparison->counts[number] = count < COMPARED_THREADS ? count : COMPARED_THREADS;
    return STATUS_OK;
}

static void count_keys(const struct thread_comparison *comparison,
                       const struct run_thread *thread)
{
    for (size_t i = 0; i < thread->count; i++)
        comparison->times[thread->keys[i]]++;
}

static void forget_keys(const struct thread_comparison *comparison,
                        const struct run_thread *thread)
{
    for (size_t i = 0; i < thread->count; i++)
        comparison->times[thread->keys[i]] = 0;
}

/* Keeps the first COMPARED_KEYS keys of a thread of b, and how often it has each. */
static enum status keep_keys(const struct thread_comparison *comparison,
                             struct compared_thread *compared, struct failure *why)
{
    const struct run_thread *thread = compared->thread;
    size_t most = thread->count < COMPARED_KEYS ? thread->count : COMPARED_KEYS;
    compared->keys = array_new(most, sizeof *compared->keys);
    if (!compared->keys)
        return fail_memory(why);
    count_keys(comparison, thread);
    for (size_t i = 0; i < thread->count && compared->key_count < most; i++) {
        uint32_t key = thread->keys[i];
        if (comparison->times[key] > 0)
            compared->keys[compared->key_count++] =
                (struct key_count){key, comparison->times[key]};
        comparison->times[key] = 0;
    }
    forget_keys(comparison, thread);
    return STATUS_OK;
}

/* The allocations that a thread of b has in common with the one whose keys are counted. */
static uint64_t common_with(const struct thread_comparison *comparison,
                            const struct compared_thread *b)
{
    uint64_t common = 0;
    for (size_t i = 0; i < b->key_count; i++) {
        uint32_t times = comparison->times[b->keys[i].key];
        common += times < b->keys[i].count ? times : b->keys[i].count;
    }
    return common;
}

static void compare_with_all(struct thread_comparison *comparison,
                             const struct compared_thread *a)
{
    count_keys(comparison, a->thread);
    for (size_t i = 0; i < comparison->counts[RUN_B]; i++) {
        const struct compared_thread *b = &comparison->threads[RUN_B][i];
        uint64_t common = common_with(comparison, b);
        if (common > 0)
            comparison->found[comparison->found_count++] = (struct likeness){
                a->index, b->index, common, a->thread->count + b->thread->count};
    }
    forget_keys(comparison, a->thread);
}

static enum status compare_threads(struct thread_comparison *comparison,
                                   const struct thread_pairing *pairing, struct failure *why)
{
    TRY(choose_threads(comparison, pairing, RUN_A, why));
    TRY(choose_threads(comparison, pairing, RUN_B, why));
    comparison->times = array_new(pairing->key_count, sizeof *comparison->times);
    comparison->found = array_new(comparison->counts[RUN_A] * comparison->counts[RUN_B],
                                  sizeof *comparison->found);
    if (!comparison->times || !comparison->found)
        return fail_memory(why);
    for (size_t i = 0; i < comparison->counts[RUN_B]; i++)
        TRY(keep_keys(comparison, &comparison->threads[RUN_B][i], why));
    for (size_t i = 0; i < comparison->counts[RUN_A]; i++)
        compare_with_all(comparison, &comparison->threads[RUN_A][i]);
    return STATUS_OK;
}

static void comparison_free(struct thread_comparison *comparison)
{
    for (size_t i = 0; i < comparison->counts[RUN_B]; i++)
        free(comparison->threads[RUN_B][i].keys);
    free(comparison->threads[RUN_A]);
    free(comparison->threads[RUN_B]);
    free(comparison->times);
    free(comparison->found);
}

static enum status pair_by_likeness(struct thread_pairing *pairing, struct failure *why)
{
    struct thread_comparison comparison = {.found = NULL};
    enum status status = compare_threads(&comparison, pairing, why);
    if (status == STATUS_OK)
        qsort(comparison.found, comparison.found_count, sizeof *comparison.found,
              order_by_likeness);
    for (size_t i = 0; i < comparison.found_count && status == STATUS_OK; i++) {
        const struct likeness *found = &comparison.found[i];
        if (!is_paired(pairing, RUN_A, found->a) && !is_paired(pairing, RUN_B, found->b))
            pair_up(pairing, found->a, found->b);
    }
    comparison_free(&comparison);
    return status;
}

static void number_pairs(struct thread_pairing *pairing)
{
    struct run *a = pairing->runs[RUN_A], *b = pairing->runs[RUN_B];
    size_t next = a->thread_count;
    for (size_t i = 0; i < a->thread_count; i++)
        a->threads[i].pair = i;
    for (size_t i = 0; i < b->thread_count; i++)
        b->threads[i].pair = b->threads[i].pair == NO_PAIR ? next++ : b->threads[i].pair - 1;
}

enum status thread_pairs_find(struct run *a, struct run *b, size_t key_count,
                              struct failure *why)
{
    struct thread_pairing pairing = {.runs = {a, b}, .key_count = key_count};
    pairing.partners = array_new(a->thread_count, sizeof *pairing.partners);
    enum status status =
        pairing.partners ? pair_by_sign(&pairing, sign_of_sequence, why) : fail_memory(why);
    if (status == STATUS_OK && !is_done(&pairing))
        status = pair_by_likeness(&pairing, why);
    if (status == STATUS_OK && !is_done(&pairing))
        status = pair_by_sign(&pairing, sign_of_first, why);
    if (status == STATUS_OK && !is_done(&pairing))
        status = pair_by_sign(&pairing, sign_of_all, why);
    number_pairs(&pairing);
    free(pairing.partners);
    return status;
}
