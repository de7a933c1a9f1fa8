/* SPDX-License-Identifier: MIT */
#include "base/symbols.h"
#include "support.h"

static struct failure why;

static uint32_t number_of(struct interner *interner, uint64_t id)
{
    uint32_t number = NO_NUMBER;
    ok(interner_add(interner, id, "ids", &number, &why));
    return number;
}

Test(interner, ids_get_numbers_in_the_order_in_which_they_come)
{
    struct interner interner = {.count = 0};
    expect_number(number_of(&interner, 70), 0);
    expect_number(number_of(&interner, 0), 1);
    expect_number(number_of(&interner, UINT64_MAX), 2);
    expect_number(number_of(&interner, 70), 0);
    expect_number(number_of(&interner, 5), 3);
    expect_number(interner.count, 4);
    interner_free(&interner);
}

Test(interner, an_id_that_did_not_come_has_no_number)
{
    struct interner interner = {.count = 0};
    expect_number(interner_find(&interner, 70), NO_NUMBER);
    expect_number(number_of(&interner, 70), 0);
    expect_number(interner_find(&interner, 70), 0);
    expect_number(interner_find(&interner, 71), NO_NUMBER);
    interner_free(&interner);
    expect_number(interner_find(&interner, 70), NO_NUMBER);
    expect_number(interner.count, 0);
}

Test(interner, too_many_ids_are_refused_and_known_ones_are_not)
{
    struct interner interner = {.count = 0};
    expect_number(number_of(&interner, 70), 0);
    interner.count = NO_NUMBER - 1;
    uint32_t number;
    enum status status = interner_add(&interner, 71, "threads", &number, &why);
    cr_assert_eq(status, STATUS_LIMIT);
    cr_assert_str_eq(why.text, "There are more than 4294967294 threads");
    expect_number(number_of(&interner, 70), 0);
    expect_number(interner_find(&interner, 71), NO_NUMBER);
    failure_clear(&why);
    interner_free(&interner);
}
