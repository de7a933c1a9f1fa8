/* SPDX-License-Identifier: MIT */
/* The names that ids have. */
#include "trace/names.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void add(struct names *names, enum name_space space, uint64_t id, const char *text)
{
    ok(names_add(names, space, id, text, strlen(text), &cause));
}

static struct names *make(void)
{
    struct names *names;
    ok(names_new(&names, &cause));
    return names;
}

Test(names, each_space_has_ids_of_its_own)
{
    struct names *names = make();
    add(names, NAMES_TYPE, 7, "java.lang.Object");
    add(names, NAMES_METHOD, 7, "java.lang.Object#<init>");
    cr_assert_str_eq(names_find(names, NAMES_TYPE, 7), "java.lang.Object");
    cr_assert_str_eq(names_find(names, NAMES_METHOD, 7), "java.lang.Object#<init>");
    cr_assert_null(names_find(names, NAMES_FIELD, 7));
    cr_assert_null(names_find(names, NAMES_TYPE, 8));
    names_free(names);
}

Test(names, no_names_are_found_without_names)
{
    cr_assert_null(names_find(NULL, NAMES_TYPE, 1));
    names_free(NULL);
}

Test(names, a_later_name_replaces_the_former)
{
    struct names *names = make();
    add(names, NAMES_SITE, UINT64_MAX, "first");
    add(names, NAMES_SITE, UINT64_MAX, "second");
    cr_assert_str_eq(names_find(names, NAMES_SITE, UINT64_MAX), "second");
    names_free(names);
}

Test(names, the_text_may_go_on_behind_the_name)
{
    struct names *names = make();
    ok(names_add(names, NAMES_FIELD, 0, "value,12", 5, &cause));
    ok(names_add(names, NAMES_FIELD, 1, "", 0, &cause));
    cr_assert_str_eq(names_find(names, NAMES_FIELD, 0), "value");
    cr_assert_str_eq(names_find(names, NAMES_FIELD, 1), "");
    names_free(names);
}

Test(names, many_names_stay)
{
    struct names *names = make();
    char text[32];
    for (uint64_t id = 0; id < 10000; id++) {
        snprintf(text, sizeof text, "name %" PRIu64, id * id);
        add(names, NAMES_TYPE, id * 3, text);
    }
    for (uint64_t id = 0; id < 10000; id++) {
        snprintf(text, sizeof text, "name %" PRIu64, id * id);
        must(strcmp(names_find(names, NAMES_TYPE, id * 3), text) == 0, "%s is lost", text);
    }
    names_free(names);
}

Test(names, members_do_not_copy_the_name_of_their_class)
{
    enum { MEMBERS = 100000, LENGTH = 200000 };
    struct names *names = make();
    char *owner = long_text("", 'x', LENGTH, "");
    struct rusage usage;
    add(names, NAMES_TYPE, 5, owner);
    for (uint64_t id = 0; id < MEMBERS; id++)
        ok(names_add_member(names, NAMES_METHOD, id, NAMES_TYPE, 5, "main()", 4, &cause));
    struct name_parts parts = names_find_parts(names, NAMES_METHOD, MEMBERS - 1);
    cr_expect_str_eq(parts.own, "main");
    cr_expect_str_eq(parts.owner, owner);
    cr_expect_eq(getrusage(RUSAGE_SELF, &usage), 0);
    cr_expect_lt(usage.ru_maxrss, 1024 * 1024, "%ld KiB", usage.ru_maxrss);
    free(owner);
    names_free(names);
}

/* The length alone is enough to refuse them: no bytes are read. */
Test(names, that_are_too_long_are_refused)
{
    static const size_t lengths[] = {UINT32_MAX, SIZE_MAX - 1, SIZE_MAX};
    struct names *names = make();
    add(names, NAMES_TYPE, 5, "A");
    for (size_t i = 0; i < ITEMS(lengths); i++) {
        cr_expect_eq(names_add(names, NAMES_TYPE, 6, "x", lengths[i], &cause), STATUS_MEMORY);
        cr_expect_eq(cause.status, STATUS_MEMORY);
    }
    cr_expect_eq(names_add_member(names, NAMES_METHOD, 7, NAMES_TYPE, 5, "x", SIZE_MAX, &cause),
                 STATUS_MEMORY);
    cr_expect_null(names_find(names, NAMES_TYPE, 6));
    cr_expect_null(names_find(names, NAMES_METHOD, 7));
    names_free(names);
}

#ifndef SANITIZED
Test(names, room_that_cannot_be_had_is_a_failure)
{
    struct names *names = make();
    add(names, NAMES_TYPE, 1, "A");
    if (limit_memory(1 << 30))
        cr_expect_eq(names_add(names, NAMES_TYPE, 2, "x", UINT32_MAX - 1, &cause),
                     STATUS_MEMORY);
    cr_expect_null(names_find(names, NAMES_TYPE, 2));
    cr_expect_str_eq(names_find(names, NAMES_TYPE, 1), "A");
    names_free(names);
}
#endif

Test(names, parts_of_a_name_without_a_class)
{
    struct names *names = make();
    add(names, NAMES_SITE, 1, "A#b");
    struct name_parts parts = names_find_parts(names, NAMES_SITE, 1);
    cr_expect_null(parts.owner);
    cr_expect_str_eq(parts.own, "A#b");
    cr_expect_null(names_find_parts(names, NAMES_SITE, 2).own);
    cr_expect_null(names_find_parts(NULL, NAMES_SITE, 1).own);
    names_free(names);
}

/* Names `id` in NAMES_METHOD as a member of the class with the same id. */
static void add_member(struct names *names, uint64_t id, const char *type, const char *own)
{
    add(names, NAMES_TYPE, id, type);
    ok(names_add_member(names, NAMES_METHOD, id, NAMES_TYPE, id, own, strlen(own), &cause));
}

Test(names, a_line_has_the_name_of_its_method)
{
    struct names *names = make();
    add_member(names, 1, "A", "run");
    add(names, NAMES_METHOD, 2, "B#run");
    ok(names_add_line(names, NAMES_SITE, 1, 1, 42, &cause));
    ok(names_add_line(names, NAMES_SITE, 2, 2, UINT64_MAX, &cause));
    ok(names_add_line(names, NAMES_SITE, 3, 77, 5, &cause));
    ok(names_add_line(names, NAMES_SITE, 4, 1, 0, &cause));
    cr_expect_str_eq(names_find(names, NAMES_SITE, 1), "A#run:42");
    cr_expect_str_eq(names_find(names, NAMES_SITE, 2), "B#run:18446744073709551615");
    cr_expect_str_eq(names_find(names, NAMES_SITE, 3), "77:5");
    cr_expect_str_eq(names_find(names, NAMES_SITE, 4), "A#run");
    names_free(names);
}

Test(names, lines_do_not_copy_the_name_of_their_method)
{
    enum { LINES = 100000, LENGTH = 200000 };
    struct names *names = make();
    char *own = long_text("", 'm', LENGTH, "");
    struct rusage usage;
    add_member(names, 1, "A", own);
    for (uint64_t id = 0; id < LINES; id++)
        ok(names_add_line(names, NAMES_SITE, id, 1, id + 1, &cause));
    struct name_parts parts = names_find_parts(names, NAMES_SITE, LINES - 1);
    cr_expect_str_eq(parts.own, own);
    cr_expect_eq(parts.line, LINES);
    cr_expect_eq(getrusage(RUSAGE_SELF, &usage), 0);
    cr_expect_lt(usage.ru_maxrss, 1024 * 1024, "%ld KiB", usage.ru_maxrss);
    free(own);
    names_free(names);
}

static struct name_parts parts_of(const char *owner, const char *own, uint64_t line)
{
    return (struct name_parts){owner, owner ? strlen(owner) : 0, own, strlen(own), line};
}

Test(names, are_equal_if_their_texts_are)
{
    const struct name_parts same[] = {parts_of("A", "b:3", 0), parts_of("A", "b", 3),
                                      parts_of(NULL, "A#b", 3), parts_of(NULL, "A#b:3", 0)};
    const struct name_parts others[] = {parts_of("A", "b", 0),    parts_of("A", "b", 33),
                                        parts_of("A", "c", 3),    parts_of(NULL, "b", 3),
                                        parts_of("", "A#b", 3),   parts_of("B", "b", 3),
                                        parts_of("A", "b:", 0),   parts_of("A#", "b", 3),
                                        parts_of(NULL, "A#b", 2), {.own = NULL}};
    const struct name_parts none = {.own = NULL};
    for (size_t i = 0; i < ITEMS(same); i++)
        for (size_t j = 0; j < ITEMS(same); j++)
            cr_expect(name_parts_equal(&same[i], &same[j]), "%zu and %zu", i, j);
    for (size_t i = 0; i < ITEMS(same); i++)
        for (size_t j = 0; j < ITEMS(others); j++) {
            cr_expect_not(name_parts_equal(&same[i], &others[j]), "%zu and %zu", i, j);
            cr_expect_not(name_parts_equal(&others[j], &same[i]), "%zu and %zu", j, i);
        }
    cr_expect(name_parts_equal(&none, &none));
}

/* The length of `shown` up to the dots; it must go on with 16 digits and `rest`. */
static size_t expect_shortened(const char *shown, const char *rest)
{
    size_t length = strcspn(shown, ".");
    cr_expect_eq(strspn(shown + length, "."), 3, "%s", shown);
    cr_expect_eq(strspn(shown + length + 3, "0123456789abcdef"), 16, "%s", shown);
    cr_expect_str_eq(shown + length + 3 + 16, rest);
    return length;
}

Test(names, that_are_long_are_shown_shortened)
{
    struct names *names = make();
    char *whole = long_text("", 'x', NAMES_SHOWN, ""),
         *longer = long_text("", 'x', NAMES_SHOWN, "y"),
         *other = long_text("", 'x', NAMES_SHOWN, "z"),
         *member = long_text("", 'x', NAMES_SHOWN + 1, "#field");
    add(names, NAMES_TYPE, 0, whole);
    cr_expect_str_eq(names_find(names, NAMES_TYPE, 0), whole);
    add_member(names, 1, longer, "run");
    add_member(names, 2, other, "run");
    const char *first = names_find(names, NAMES_TYPE, 1),
               *second = names_find(names, NAMES_TYPE, 2);
    cr_expect_eq(expect_shortened(first, ""), NAMES_SHOWN - 19);
    cr_expect_eq(expect_shortened(second, ""), NAMES_SHOWN - 19);
    cr_expect_str_neq(first, second);
    expect_shortened(names_find(names, NAMES_METHOD, 1), "#run");
    cr_expect_str_eq(names_find_parts(names, NAMES_METHOD, 1).owner, longer);
    add(names, NAMES_FIELD, 1, member);
    expect_shortened(names_find(names, NAMES_FIELD, 1), "#field");
    add_member(names, 3, "A", longer);
    ok(names_add_line(names, NAMES_SITE, 1, 3, 7, &cause));
    expect_shortened(names_find(names, NAMES_SITE, 1), ":7");
    free(whole);
    free(longer);
    free(other);
    free(member);
    names_free(names);
}

Test(names, are_shortened_between_characters)
{
    /* Two bytes each: one of the two texts would be cut within a character. */
    static const char *const begins[] = {"", "x"};
    for (size_t i = 0; i < ITEMS(begins); i++) {
        struct names *names = make();
        char text[2 * NAMES_SHOWN + 2];
        size_t length = strlen(strcpy(text, begins[i]));
        while (length <= NAMES_SHOWN)
            length = (size_t)(stpcpy(text + length, "\u00e9") - text);
        add(names, NAMES_TYPE, 1, text);
        const char *shown = names_find(names, NAMES_TYPE, 1);
        size_t kept = expect_shortened(shown, "");
        cr_expect_eq(kept % 2, strlen(begins[i]));
        cr_expect_geq(kept, NAMES_SHOWN - 20);
        names_free(names);
    }
}

Test(names, in_any_parts_fit_the_room_for_them)
{
    char *text = long_text("", 'x', 5 * NAMES_SHOWN, ""), shown[NAMES_SHOWN_WHOLE];
    const struct name_parts parts = {text, 5 * NAMES_SHOWN, text, 5 * NAMES_SHOWN, UINT64_MAX};
    cr_expect_eq(name_parts_show(shown, &parts), NAMES_SHOWN_WHOLE);
    free(text);
}
