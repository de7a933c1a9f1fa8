/* SPDX-License-Identifier: MIT */
#include "support.h"
#include "trace/names.h"

static struct name_parts kept[4];
static struct name_index index_;

static void release(void)
{
    name_index_free(&index_);
}

TestSuite(name_index, .fini = release);

static struct name_parts kept_name(const void *context, uint32_t number)
{
    return ((const struct name_parts *)context)[number];
}

static const struct indexed_names names = {kept_name, kept};

/* Adds the name OWNER#OWN, or OWN, and keeps it if it is new; returns its number. */
static uint32_t add(const char *owner, const char *own)
{
    const struct name_parts name = {.owner = owner,
                                    .owner_length = owner ? strlen(owner) : 0,
                                    .own = own,
                                    .own_length = strlen(own)};
    uint32_t number, count = index_.count;
    ok(name_index_add(&index_, &names, &name, &number, &cause));
    if (number == count)
        kept[number] = name;
    return number;
}

Test(name_index, numbers_whole_names_in_the_order_in_which_they_come)
{
    expect_number(add("A", "b"), 0);
    expect_number(add(NULL, "A"), 1);
    expect_number(add(NULL, "A#b"), 0);
    expect_number(add("A", "c"), 2);
    expect_number(add("A", "b"), 0);
    expect_number(index_.count, 3);
}

Test(name_index, has_a_limit)
{
    const struct name_parts name = {.own = "b", .own_length = 1};
    uint32_t number;
    expect_number(add(NULL, "a"), 0);
    index_.count = UINT32_MAX;
    expect_number(add(NULL, "a"), 0);
    cr_expect_eq(name_index_add(&index_, &names, &name, &number, &cause), STATUS_LIMIT);
    cr_expect_str_eq(cause.text, "There are more than 4294967295 names");
}
