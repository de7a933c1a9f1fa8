/* SPDX-License-Identifier: MIT */
#include "merlin/recorders/contexts.h"
#include "support.h"

/* The paths of the methods that threads have open, by thread, the outermost first. */
static struct {
    uint32_t paths[16];
    size_t depth;
} threads[4];

static struct contexts *contexts;

static void make_contexts(void)
{
    memset(threads, 0, sizeof threads);
    ok(contexts_new(&contexts, 2, &cause));
}

static void free_contexts(void)
{
    contexts_free(contexts);
}

TestSuite(contexts, .init = make_contexts, .fini = free_contexts);
TestSuite(site_methods, .init = make_contexts, .fini = free_contexts);

static uint32_t present_path(uint32_t thread)
{
    size_t depth = threads[thread].depth;
    return depth == 0 ? 0 : threads[thread].paths[depth - 1];
}

static void open_method(uint32_t thread, uint64_t method)
{
    uint32_t *path = &threads[thread].paths[threads[thread].depth];
    ok(contexts_enter(contexts, present_path(thread), method, path, &cause));
    threads[thread].depth++;
}

static void close_method(uint32_t thread)
{
    threads[thread].depth--;
}

static uint32_t note(uint32_t thread)
{
    ok(contexts_note_path(contexts, present_path(thread), &cause));
    return contexts_of_path(contexts, present_path(thread));
}

/* Expects that the context has this method and this caller (0: none). */
static void expect_methods(uint32_t context, uint64_t method, uint64_t caller)
{
    uint64_t methods[CONTEXT_DEPTH_MAX];
    size_t count = contexts_methods(contexts, context, methods);
    expect_number(count, caller > 0 ? 2 : 1);
    expect_number(methods[0], method);
    if (count > 1)
        expect_number(methods[1], caller);
    expect_number(contexts_method(contexts, context), method);
    expect_number(contexts_numbered(contexts, contexts_method_number(contexts, context)),
                  method);
}

Test(contexts, without_an_open_method_there_is_none)
{
    expect_number(note(1), 0);
    expect_number(contexts_of(contexts, 0), 0);
    expect_number(contexts_method_number(contexts, 0), 0);
}

Test(contexts, are_numbered_as_they_first_allocate)
{
    uint32_t thread = 1;
    open_method(thread, 70);
    open_method(thread, UINT64_MAX);
    expect_number(note(thread), 1);
    close_method(thread);
    expect_number(note(thread), 2);
    open_method(thread, UINT64_MAX);
    expect_number(note(thread), 1);
    expect_methods(1, UINT64_MAX, 70);
    expect_methods(2, 70, 0);
    expect_number(contexts_of(contexts, 0), 1);
    expect_number(contexts_of(contexts, 1), 2);
    expect_number(contexts_of(contexts, 2), 1);
}

Test(contexts, end_with_the_depth)
{
    uint32_t thread = 1;
    open_method(thread, 1);
    open_method(thread, 2);
    open_method(thread, 3);
    expect_number(note(thread), 1);
    expect_methods(1, 3, 2);
    uint32_t other = 2;
    open_method(other, 2);
    open_method(other, 3);
    expect_number(note(other), 1);
}

Test(contexts, recursion_is_distinguished_from_a_call)
{
    uint32_t thread = 1;
    open_method(thread, 5);
    expect_number(note(thread), 1);
    open_method(thread, 5);
    expect_number(note(thread), 2);
    open_method(thread, 5);
    expect_number(note(thread), 2);
    expect_methods(1, 5, 0);
    expect_methods(2, 5, 5);
}

static uint32_t call(uint32_t caller, uint64_t method)
{
    uint32_t path = UINT32_MAX;
    ok(contexts_enter(contexts, caller, method, &path, &cause));
    return path;
}

Test(contexts, paths_are_those_of_frames)
{
    uint32_t thread = 1, path = 0;
    for (uint64_t method = 1; method <= 3; method++) {
        open_method(thread, method);
        path = call(path, method);
    }
    expect_number(note(thread), 1);
    ok(contexts_note_path(contexts, path, &cause));
    expect_number(contexts_of(contexts, 1), 1);
    ok(contexts_note_path(contexts, 0, &cause));
    expect_number(contexts_of(contexts, 2), 0);
    /* Other paths lead to the same innermost methods, and the outermost ones are cut off. */
    expect_number(call(call(0, 2), 3), path);
    expect_number(call(call(call(0, 9), 2), 3), path);
    expect_number(call(path, 3), call(call(0, 3), 3));
}

Test(contexts, in_which_objects_only_die_are_numbered_last)
{
    uint32_t outer = call(0, 10), inner = call(outer, 20), other = call(outer, 30);
    uint32_t before = call(outer, 40);
    ok(contexts_note_death(contexts, before, true, &cause));
    ok(contexts_note_death(contexts, outer, true, &cause));
    ok(contexts_note_death(contexts, 0, false, &cause));
    ok(contexts_note_death(contexts, other, false, &cause));
    ok(contexts_note_death(contexts, inner, false, &cause));
    ok(contexts_note_death(contexts, other, false, &cause));
    ok(contexts_note_path(contexts, inner, &cause));
    ok(contexts_note_death(contexts, outer, false, &cause));
    ok(contexts_number_deaths(contexts, &cause));
    expect_number(contexts_of_path(contexts, inner), 1);
    expect_number(contexts_of_path(contexts, other), 2);
    expect_number(contexts_of_path(contexts, outer), 3);
    expect_number(contexts_of_path(contexts, before), 4);
    expect_number(contexts_of_path(contexts, 0), 0);
    expect_methods(2, 30, 10);
    expect_methods(3, 10, 0);
}

static void note_sites(uint64_t site, uint32_t method, unsigned times)
{
    while (times-- > 0)
        ok(contexts_note_site(contexts, site, method, &cause));
}

static void expect_site(uint64_t site, uint32_t method, bool is_one_of_several)
{
    struct site_method found = contexts_site_method(contexts, site);
    expect_number(found.number, method);
    cr_expect_eq(found.is_one_of_several, is_one_of_several);
}

Test(site_methods, of_one_method)
{
    note_sites(0, 7, 3);
    note_sites(UINT64_MAX, 0, 1);
    expect_site(0, 7, false);
    expect_site(UINT64_MAX, 0, false);
    expect_site(5, 0, false);
}

Test(site_methods, the_one_with_most_objects_wins_whenever_it_comes)
{
    note_sites(1, 10, 2);
    note_sites(1, 11, 1);
    expect_site(1, 10, true);
    note_sites(1, 11, 2);
    expect_site(1, 11, true);
    note_sites(1, 0, 4);
    expect_site(1, 0, true);
    note_sites(1, 10, 3);
    expect_site(1, 10, true);
}

Test(site_methods, of_those_with_as_many_the_first)
{
    note_sites(1, 20, 1);
    note_sites(1, 10, 1);
    expect_site(1, 20, true);
    note_sites(1, 10, 1);
    note_sites(1, 20, 1);
    expect_site(1, 10, true);
}

Test(contexts, keep_their_numbers_when_there_are_many)
{
    enum { MANY = 20000 };
    uint32_t thread = 1;
    open_method(thread, 7);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 1; i <= MANY; i++) {
            open_method(thread, UINT64_C(0x100000000) * i);
            must(note(thread) == i, "method %" PRIu32 " has not its context", i);
            close_method(thread);
        }
    expect_methods(contexts_of(contexts, MANY + 4), UINT64_C(0x500000000), 7);
}
