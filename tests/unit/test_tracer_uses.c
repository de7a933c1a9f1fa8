/* SPDX-License-Identifier: MIT */
/* The uses that a thread leaves out, with the stand-in for the virtual machine, and those that
 * the merger does. */
#include "../../tracer/native/repeats.h"
#include "../../tracer/native/tracer.h"
#include "expect.h"
#include "machine.h"

#include <stdlib.h>
#include <time.h>

TestSuite(tracer_uses);

static struct ring *waiting; /* a ring whose writer waits for room soon; NULL: none does */

int __real_nanosleep(const struct timespec *time, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);

/* While the writer waits, another thread records something, and the reader makes room. */
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
    if (!waiting)
        return __real_nanosleep(time, rest);
    atomic_fetch_add(&merger_stamp, 1);
    atomic_store(&waiting->read, waiting->next);
    waiting = NULL;
    return 0;
}

static struct thread *start(void)
{
    struct thread *me = machine_start();
    tracer.leaves_out_repeats = true;
    return me;
}

/* The words of the record of a use; 0: it was left out. */
static uint64_t words_of_use(struct thread *me, uint64_t id)
{
    uint64_t before = me->ring->next;
    record_read(me, id, 0);
    return me->ring->next - before;
}

Test(tracer_uses, that_say_nothing_new_are_left_out)
{
    struct thread *me = start();
    expect_number(words_of_use(me, 5), 3);
    expect_number(words_of_use(me, 6), 3);
    expect_number(words_of_use(me, 5), 0);
    expect_number(me->uses.saved, 3);
    record(me, 'E', 1, 0, NULL);
    expect_number(words_of_use(me, 5), 3);
    atomic_fetch_add(&merger_stamp, 1); /* as another thread does */
    expect_number(words_of_use(me, 5), 3);
    expect_number(words_of_use(me, 5 + 128), 3); /* it takes the place of the other */
    expect_number(words_of_use(me, 5), 3);
}

Test(tracer_uses, are_new_after_a_record_that_came_while_the_thread_waited)
{
    struct thread *me = start();
    while (me->ring->next < RING_WORDS - 2 * RECORD_WORDS)
        record(me, 'E', 1, 0, NULL);
    for (uint64_t id = 5; id < 8; id++)
        expect_number(words_of_use(me, id), 3);
    waiting = me->ring;
    record_read(me, 8, 0);
    cr_assert_null(waiting);
    expect_number(words_of_use(me, 5), 3);
    expect_number(words_of_use(me, 8), 0);
}

Test(tracer_uses, are_new_after_a_stamp_that_no_record_got)
{
    struct thread *me = start();
    expect_number(words_of_use(me, 5), 3);
    atomic_fetch_add(&merger_stamp, 1); /* another thread has recorded a boundary */
    me->ring->stamp = atomic_fetch_add(&merger_stamp, 1) + 1;
    expect_number(words_of_use(me, 5), 3);
}

/* The record may come after the use in the trace, and then be handed to the thread. */
Test(tracer_uses, are_new_after_a_record_that_was_shown_late)
{
    struct thread *me = start();
    struct ring *other = ring_new(2);
    struct thread late = {.ring = other};
    record_write(&late, 'M', 3, 1, (uint64_t[]){7});
    expect_number(words_of_use(me, 5), 3);
    expect_number(words_of_use(me, 5), 0);
    merger_show(other, 3);
    expect_number(words_of_use(me, 5), 3);
    expect_number(words_of_use(me, 5), 0);
    ring_close(other);
    free(other);
}

/* Adds a record with that stamp to what the merger knows; whether it is left out. */
static bool leaves_out(struct repeats *repeats, uint64_t stamp, char letter, uint64_t first,
                       uint64_t second)
{
    const uint64_t words[] = {stamp, (uint8_t)letter | UINT64_C(7) << 16, first, second, 0, 0};
    return repeats_find(repeats, 1, words);
}

Test(tracer_uses, of_an_exception_after_its_exit_are_in_another_method)
{
    struct repeats *repeats = repeats_new();
    leaves_out(repeats, 1, 'N', 5, 16);
    cr_assert_not(leaves_out(repeats, 1, 'W', 5, 0));
    cr_assert(leaves_out(repeats, 1, 'W', 5, 0));
    leaves_out(repeats, 1, 'X', 0, 5);
    cr_assert_not(leaves_out(repeats, 1, 'W', 5, 0));
    repeats_free(repeats);
}

/* The object is stored in a field before its record comes, and other ids have its place. */
Test(tracer_uses, after_a_late_allocation_are_new_when_a_reference_is_overwritten)
{
    struct repeats *repeats = repeats_new();
    leaves_out(repeats, 10, 'U', 9, 5);
    leaves_out(repeats, 11, 'W', 5 + (1 << 18), 0);
    leaves_out(repeats, 3, 'N', 5, 16);
    cr_assert_not(leaves_out(repeats, 12, 'W', 5, 0));
    leaves_out(repeats, 12, 'U', 9, 0);
    cr_assert_not(leaves_out(repeats, 12, 'W', 5, 0));
    repeats_free(repeats);
}
