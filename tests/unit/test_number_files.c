/* SPDX-License-Identifier: MIT */
/* Stacks and lists of numbers in temporary files, of more than one block. */
#include "io/temporary/numbers.h"
#include "support.h"

#include <unistd.h>

TestSuite(number_files, .fini = scratch_remove);

static enum spool_codec codec;

static const struct temporary_folder *temporary(void)
{
    static char path[PATH_SIZE];
    static struct temporary_folder in_folder;
    in_folder = (struct temporary_folder){.path = scratch_path(path, ""), .codec = codec};
    return &in_folder;
}

/* Number i of a sequence with numbers of all lengths, some close to the one before, some not.
 */
static uint64_t number_at(uint64_t i)
{
    return i % 3 == 0 ? i : (i * UINT64_C(0x9E3779B97F4A7C15)) >> (i % 64);
}

static void expect_to_pop(struct number_stack *stack, uint64_t count)
{
    expect_number(number_stack_count(stack), count);
    for (uint64_t i = count; i-- > 0;) {
        must(number_stack_top(stack) == number_at(i), "number %" PRIu64 " of %" PRIu64, i,
             count);
        ok(number_stack_pop(stack, &cause));
    }
    expect_number(number_stack_count(stack), 0);
}

static struct number_stack *push_numbers(uint64_t count)
{
    struct number_stack *stack = NULL;
    ok(number_stack_open(&stack, temporary(), &cause));
    for (uint64_t i = 0; i < count; i++)
        ok(number_stack_push(stack, number_at(i), &cause));
    return stack;
}

static void stack_gives_back(uint64_t count)
{
    struct number_stack *stack = push_numbers(count);
    expect_to_pop(stack, count);
    number_stack_close(stack);
}

/* Expects that a stack of `count` numbers, a copy, and a copy of that give them back. */
static void copies_give_back(uint64_t count)
{
    struct number_stack *stack = push_numbers(count), *copy = NULL, *other = NULL;
    ok(number_stack_copy(&copy, stack, &cause));
    ok(number_stack_copy(&other, copy, &cause));
    expect_to_pop(stack, count);
    expect_to_pop(other, count);
    expect_to_pop(copy, count);
    number_stack_close(other);
    number_stack_close(copy);
    number_stack_close(stack);
}

Test(number_files, copies_of_a_stack_give_back_the_same_numbers)
{
    copies_give_back(0);
    copies_give_back(1);
    copies_give_back(100);
    copies_give_back(100000);
}

Test(number_files, a_stack_gives_back_the_last_number_first)
{
    stack_gives_back(0);
    stack_gives_back(1);
    stack_gives_back(2);
    stack_gives_back(100);
}

/* A block holds 32 KiB, and numbers take 1 to 10 bytes, so blocks end within numbers at every
 * byte. */
Test(number_files, a_stack_is_read_back_over_the_borders_of_its_blocks)
{
    for (uint64_t count = 5000; count < 5400; count++)
        stack_gives_back(count);
    stack_gives_back(200000);
}

static void expect_list(const struct number_list *list, uint64_t count)
{
    struct number_cursor *cursor = NULL;
    uint64_t number;
    ok(number_cursor_open(&cursor, list, &cause));
    for (uint64_t i = 0; i < count; i++) {
        ok(number_cursor_next(cursor, &number, &cause));
        must(number == number_at(i), "number %" PRIu64 " of %" PRIu64, i, count);
    }
    ok(number_cursor_next(cursor, &number, &cause));
    expect_number(number, 0);
    number_cursor_close(cursor);
}

static void list_gives_back(uint64_t count)
{
    struct number_list *list = NULL;
    ok(number_list_open(&list, temporary(), &cause));
    for (uint64_t i = 0; i < count; i++)
        ok(number_list_add(list, number_at(i), &cause));
    ok(number_list_finish(list, &cause));
    expect_list(list, count);
    expect_list(list, count);
    number_list_close(list);
}

Test(number_files, a_list_gives_its_numbers_to_each_cursor)
{
    list_gives_back(0);
    list_gives_back(1);
    list_gives_back(100);
}

Test(number_files, a_list_is_read_over_the_borders_of_its_blocks)
{
    for (uint64_t count = 5000; count < 5400; count++)
        list_gives_back(count);
    list_gives_back(200000);
}

/* The stack and the list each take several compressed blocks of the file. */
Test(number_files, are_read_from_compressed_files)
{
    codec = SPOOL_CODEC_ZSTD;
    stack_gives_back(300000);
    list_gives_back(300000);
}

Test(number_files, have_no_name_in_their_folder)
{
    struct number_list *list = NULL;
    struct number_stack *stack = NULL;
    ok(number_list_open(&list, temporary(), &cause));
    ok(number_stack_open(&stack, temporary(), &cause));
    expect_number(scratch_count(), 0);
    number_list_close(list);
    number_stack_close(stack);
}

/* Half of the numbers are cut off: the list must fail and not give zeros for them. */
Test(number_files, a_list_in_a_file_that_was_cut_off_says_so)
{
    struct number_list *list = NULL;
    struct number_cursor *cursor = NULL;
    enum status status = STATUS_OK;
    uint64_t number, read = 0;
    ok(number_list_open(&list, temporary(), &cause));
    for (uint64_t i = 0; i < 20000; i++)
        ok(number_list_add(list, number_at(i), &cause));
    ok(number_list_finish(list, &cause));
    cr_assert_eq(ftruncate(unnamed_file(), 40000), 0);
    ok(number_cursor_open(&cursor, list, &cause));
    for (; read < 20000 && status == STATUS_OK; read++)
        status = number_cursor_next(cursor, &number, &cause);
    cr_expect_eq(status, STATUS_IO);
    cr_expect_lt(read, 20000);
    number_cursor_close(cursor);
    number_list_close(list);
}

Test(number_files, a_stack_in_a_file_that_was_cut_off_says_so)
{
    enum status status = STATUS_OK;
    struct number_stack *stack = push_numbers(20000);
    cr_assert_eq(ftruncate(unnamed_file(), 40000), 0);
    while (number_stack_count(stack) > 0 && status == STATUS_OK)
        status = number_stack_pop(stack, &cause);
    cr_expect_eq(status, STATUS_IO);
    number_stack_close(stack);
}

Test(number_files, a_stack_that_finds_no_room_says_so)
{
    struct number_stack *stack = NULL;
    enum status status = STATUS_OK;
    ok(number_stack_open(&stack, temporary(), &cause));
    limit_files(100);
    for (uint64_t i = 0; i < 100000 && status == STATUS_OK; i++)
        status = number_stack_push(stack, number_at(i), &cause);
    cr_expect_eq(status, STATUS_IO);
    number_stack_close(stack);
}

Test(number_files, a_list_that_finds_no_room_says_so)
{
    struct number_list *list = NULL;
    ok(number_list_open(&list, temporary(), &cause));
    limit_files(100);
    for (uint64_t i = 0; i < 1000; i++)
        ok(number_list_add(list, number_at(i), &cause));
    cr_expect_eq(number_list_finish(list, &cause), STATUS_IO);
    number_list_close(list);
}
