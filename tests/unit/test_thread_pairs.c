/* SPDX-License-Identifier: MIT */
/* Pairing the threads of two runs. Each thread is written as a word, in which a letter is an
 * allocation with that key. */
#include "report/match/run.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 5000 };

static struct run_thread *new_thread(struct run *run, size_t count)
{
    struct run_thread *thread = &run->threads[run->thread_count++];
    *thread = (struct run_thread){.keys = calloc(count, sizeof *thread->keys), .count = count};
    cr_assert(thread->keys);
    return thread;
}

static struct run new_run(size_t most)
{
    struct run run = {.threads = calloc(most, sizeof *run.threads)};
    cr_assert(run.threads);
    return run;
}

static struct run run_of_words(const char *words)
{
    struct run run = new_run(strlen(words) + 1);
    while (*words) {
        size_t length = strcspn(words, " ");
        struct run_thread *thread = new_thread(&run, length);
        for (size_t i = 0; i < length; i++)
            thread->keys[i] = (uint32_t)words[i];
        words += length + strspn(words + length, " ");
    }
    return run;
}

static void find_pairs(struct run *a, struct run *b)
{
    struct failure why = {.text = NULL};
    cr_assert(thread_pairs_find(a, b, KEYS, &why) == STATUS_OK);
    for (size_t i = 0; i < a->thread_count; i++)
        expect_number(a->threads[i].pair, i);
}

/* Expects that thread i of b is in the pair whose number is digit i of `pairs`. Thread i of a
 * is in pair i; threads of b that are alone have higher numbers. */
static void expect_pairs(const char *words_a, const char *words_b, const char *pairs)
{
    struct run a = run_of_words(words_a), b = run_of_words(words_b);
    find_pairs(&a, &b);
    for (size_t i = 0; i < b.thread_count; i++)
        cr_expect(b.threads[i].pair == (size_t)(pairs[i] - '0'), "%s / %s: thread %zu is %zu",
                  words_a, words_b, i, b.threads[i].pair);
    run_free(&a);
    run_free(&b);
}

Test(thread_pairs, do_not_depend_on_the_order_of_threads)
{
    expect_pairs("abc", "abc", "0");
    expect_pairs("aab cdc eee", "eee aab cdc", "201");
    expect_pairs("aabb ccdd eeff", "effg cddh aabb", "210");
    expect_pairs("ab ab ab", "ab ab ab", "012");
}

Test(thread_pairs, may_leave_threads_of_one_run_alone)
{
    expect_pairs("aabb", "x aabb", "10");
    expect_pairs("aabbaabb", "a aabbaacb", "10");
    expect_pairs("x aabb", "aabb", "1");
    expect_pairs("aabb ccdd eeff", "eeff aabb", "20");
    expect_pairs("aabb", "c d aabb e", "1203");
    expect_pairs("a", "", "");
    expect_pairs("", "a b", "01");
}

/* The share of common allocations counts, not their number. */
Test(thread_pairs, are_those_that_are_most_alike)
{
    expect_pairs("aab", "aaaaaaaaaaaa aac", "10");
    expect_pairs("aaaaaaaaaaaa aac", "aab", "1");
    expect_pairs("abcd efgh", "efxx abcx", "10");
    /* The number of allocations with each key counts, in both threads, but not their order. */
    expect_pairs("abbbbb aaaaab", "baaaax bbbbax", "10");
    /* All are equally alike, so the first ones are paired. */
    expect_pairs("abc abd", "abe abf", "01");
    expect_pairs("aabb bbaa", "abab", "0");
}

Test(thread_pairs, of_threads_with_nothing_in_common_go_by_their_order)
{
    expect_pairs("aa bb", "cc dd", "01");
    expect_pairs("aa bb", "bx cc", "10");
}

/* There are more threads than are compared with each other, in reversed order: the rest are
 * paired by their first allocations. No two threads of one run have a key in common. */
Test(thread_pairs, of_many_threads_go_by_first_allocations, .timeout = 60)
{
    enum { MANY = COMPARED_THREADS + 100 };
    struct run a = new_run(MANY), b = new_run(MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        new_thread(&a, 2)->keys[0] = i + 1;
        new_thread(&b, 2)->keys[0] = MANY - i;
        a.threads[i].keys[1] = 1000 + i;
        b.threads[i].keys[1] = 2000 + i;
    }
    find_pairs(&a, &b);
    for (size_t i = 0; i < MANY; i++)
        expect_number(b.threads[i].pair, MANY - 1 - i);
    run_free(&a);
    run_free(&b);
}

/* Only the threads that allocate most are compared, and only by their first keys. Threads that
 * are alike beyond these bounds are paired in their order. */
Test(thread_pairs, have_bounds)
{
    struct run a = new_run(COMPARED_THREADS + 1), b = new_run(2);
    for (uint32_t i = 0; i < COMPARED_THREADS; i++)
        new_thread(&a, 3)->keys[0] = 1;
    uint32_t *small = new_thread(&a, 2)->keys;
    small[0] = small[1] = 3;
    uint32_t *same = new_thread(&b, 3)->keys;
    same[0] = 4, same[1] = 3, same[2] = 3;
    find_pairs(&a, &b);
    expect_number(b.threads[0].pair, 0);

    struct run_thread *many = new_thread(&b, COMPARED_KEYS + 1);
    for (uint32_t i = 0; i < COMPARED_KEYS; i++)
        many->keys[i] = 10 + i;
    many->keys[COMPARED_KEYS] = 1;
    same[1] = same[2] = 4;
    b.threads[0].pair = 0;
    find_pairs(&a, &b);
    expect_number(b.threads[0].pair, 0);
    expect_number(b.threads[1].pair, 1);
    run_free(&a);
    run_free(&b);
}
