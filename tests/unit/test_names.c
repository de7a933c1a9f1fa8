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
    const char *found = names_find(names, NAMES_METHOD, MEMBERS - 1);
    cr_expect(memcmp(found, owner, LENGTH) == 0 && strcmp(found + LENGTH, "#main") == 0);
    struct name_parts parts = names_find_parts(names, NAMES_METHOD, 0);
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
