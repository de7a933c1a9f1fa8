/* SPDX-License-Identifier: MIT */
#include "io/descriptor.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

TestSuite(descriptor, .fini = scratch_remove);

static void open_pipe(int ends[2])
{
    cr_assert_eq(pipe(ends), 0);
}

static int open_scratch(const char *content)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "file"), content, strlen(content));
    int descriptor = open(path, O_RDONLY);
    cr_assert_geq(descriptor, 0);
    return descriptor;
}

enum { MANY_ALARMS = 20 };
static volatile sig_atomic_t alarms;
static int many_alarms = -1; /* who waits at its other end goes on then */

static void count_alarm(int number)
{
    (void)number;
    if (++alarms == MANY_ALARMS && many_alarms >= 0 && write(many_alarms, "", 1) != 1)
        _exit(1);
}

/* From now on system calls are interrupted every millisecond. */
static void start_interruptions(void)
{
    struct sigaction action = {.sa_handler = count_alarm};
    struct itimerval often = {.it_interval = {.tv_usec = 1000}, .it_value = {.tv_usec = 1000}};
    cr_assert_eq(sigaction(SIGALRM, &action, NULL), 0);
    cr_assert_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static void stop_interruptions(void)
{
    struct itimerval never = {.it_value = {.tv_usec = 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    cr_expect_gt(alarms, 0, "nothing was interrupted");
}

Test(descriptor, read_gives_what_is_there)
{
    int ends[2];
    char bytes[10];
    size_t got = 99;
    open_pipe(ends);
    cr_expect_eq(descriptor_write(ends[1], "abc", 3, NULL), 0);
    cr_expect_eq(descriptor_read(ends[0], bytes, sizeof bytes, &got, NULL), 0);
    cr_assert_eq(got, 3);
    cr_expect(memcmp(bytes, "abc", 3) == 0);
}

Test(descriptor, read_gives_nothing_at_the_end)
{
    int ends[2];
    char byte;
    size_t got = 99;
    open_pipe(ends);
    close(ends[1]);
    cr_expect_eq(descriptor_read(ends[0], &byte, 1, &got, NULL), 0);
    cr_expect_eq(got, 0);
}

Test(descriptor, failures_are_error_numbers)
{
    char byte = 0;
    size_t got;
    int descriptor = open_scratch("abc");
    cr_expect_eq(descriptor_write(descriptor, &byte, 1, NULL), EBADF, "it is open for reading");
    close(descriptor);
    cr_expect_eq(descriptor_read(descriptor, &byte, 1, &got, NULL), EBADF);
    cr_expect_eq(descriptor_read_at(descriptor, 0, &byte, 1, &got), EBADF);
}

Test(descriptor, read_at_leaves_the_position_alone)
{
    int descriptor = open_scratch("abcdef");
    char bytes[3] = {0};
    size_t got = 99;
    cr_expect_eq(descriptor_read_at(descriptor, 4, bytes, 3, &got), 0);
    cr_expect_eq(got, 2);
    cr_expect(memcmp(bytes, "ef", 2) == 0);
    cr_expect_eq(descriptor_read(descriptor, bytes, 3, &got, NULL), 0);
    cr_expect_eq(got, 3);
    cr_expect(memcmp(bytes, "abc", 3) == 0);
}

Test(descriptor, read_at_gives_nothing_behind_the_end)
{
    int descriptor = open_scratch("abc");
    char byte;
    size_t got = 99;
    cr_expect_eq(descriptor_read_at(descriptor, 3, &byte, 1, &got), 0);
    cr_expect_eq(got, 0);
    got = 99;
    cr_expect_eq(descriptor_read_at(descriptor, UINT64_C(1) << 40, &byte, 1, &got), 0);
    cr_expect_eq(got, 0);
}

Test(descriptor, read_at_refuses_offsets_that_no_file_has)
{
    int descriptor = open_scratch("abc");
    char byte;
    size_t got;
    cr_expect_eq(descriptor_read_at(descriptor, UINT64_C(1) << 63, &byte, 1, &got), EOVERFLOW);
    cr_expect_eq(descriptor_read_at(descriptor, UINT64_MAX, &byte, 1, &got), EOVERFLOW);
}

Test(descriptor, a_write_to_a_closed_pipe_fails)
{
    int ends[2];
    open_pipe(ends);
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    cr_expect_eq(descriptor_write(ends[1], "abc", 3, NULL), EPIPE);
}

/* Starts a process that reads from `descriptor` slowly, and succeeds if it reads `bytes`. */
static pid_t start_slow_reader(int descriptor, int unused, const char *bytes, size_t length)
{
    pid_t process = fork();
    cr_assert_geq(process, 0);
    if (process > 0)
        return process;
    close(unused);
    static char piece[65536];
    size_t done = 0, got;
    while (descriptor_read(descriptor, piece, sizeof piece, &got, NULL) == 0 && got > 0) {
        if (got > length - done || memcmp(piece, bytes + done, got) != 0)
            _exit(1);
        done += got;
        usleep(2000);
    }
    _exit(done != length);
}

Test(descriptor, an_interrupted_write_goes_on)
{
    enum { LENGTH = 1000001 };
    char *bytes = malloc(LENGTH);
    cr_assert_not_null(bytes);
    uint64_t seed = 1;
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = (char)random_below(&seed, 256);
    int ends[2];
    open_pipe(ends);
    pid_t reader = start_slow_reader(ends[0], ends[1], bytes, LENGTH);
    start_interruptions();
    cr_expect_eq(descriptor_write(ends[1], bytes, LENGTH, NULL), 0);
    stop_interruptions();
    close(ends[1]);
    await(reader);
    free(bytes);
}

/* The writer waits until signals have come, so the read is interrupted however slow the machine
 * is. */
Test(descriptor, an_interrupted_read_goes_on)
{
    int ends[2], alarm_ends[2];
    char bytes[10];
    size_t got = 99;
    open_pipe(ends);
    open_pipe(alarm_ends);
    pid_t writer = fork();
    cr_assert_geq(writer, 0);
    if (writer == 0) {
        close(alarm_ends[1]);
        if (descriptor_read(alarm_ends[0], bytes, 1, &got, NULL) != 0 || got != 1)
            _exit(1);
        _exit(descriptor_write(ends[1], "abc", 3, NULL));
    }
    many_alarms = alarm_ends[1];
    start_interruptions();
    cr_expect_eq(descriptor_read(ends[0], bytes, sizeof bytes, &got, NULL), 0);
    stop_interruptions();
    cr_expect_eq(got, 3);
    await(writer);
}

static struct interrupt interrupt = {.descriptor = -1};
static int wake_up;

static void request_end(int number)
{
    interrupt.signal = number;
    if (write(wake_up, "", 1) != 1)
        _exit(1);
}

/* Sends the signal that ends the program in 20 ms, and every 20 ms from then on. */
static void request_end_soon(void)
{
    int ends[2];
    open_pipe(ends);
    interrupt.descriptor = ends[0];
    wake_up = ends[1];
    struct sigaction action = {.sa_handler = request_end};
    /* One signal might come just before the write blocks, which would not notice it. */
    struct itimerval soon = {.it_interval = {.tv_usec = 20000}, .it_value = {.tv_usec = 20000}};
    cr_assert_eq(sigaction(SIGALRM, &action, NULL), 0);
    cr_assert_eq(setitimer(ITIMER_REAL, &soon, NULL), 0);
}

Test(descriptor, nothing_is_read_or_written_when_the_program_is_to_end)
{
    int ends[2];
    char byte;
    size_t got;
    open_pipe(ends);
    interrupt.signal = SIGTERM;
    cr_expect_eq(descriptor_write(ends[1], "abc", 3, &interrupt), ECANCELED);
    cr_expect_eq(descriptor_write(ends[1], "d", 1, NULL), 0);
    cr_expect_eq(descriptor_read(ends[0], &byte, 1, &got, &interrupt), ECANCELED);
    cr_expect_eq(descriptor_read(ends[0], &byte, 1, &got, NULL), 0);
    cr_expect_eq(byte, 'd');
}

Test(descriptor, a_read_that_waits_stops_when_the_program_is_to_end)
{
    int ends[2];
    char byte;
    size_t got;
    open_pipe(ends);
    request_end_soon();
    cr_expect_eq(descriptor_read(ends[0], &byte, 1, &got, &interrupt), ECANCELED);
}

Test(descriptor, a_write_that_waits_stops_when_the_program_is_to_end)
{
    static const char bytes[1000000];
    int ends[2];
    open_pipe(ends);
    request_end_soon();
    cr_expect_eq(descriptor_write(ends[1], bytes, sizeof bytes, &interrupt), ECANCELED);
}

/* An ordinary pipe holds 64 KiB. */
Test(descriptor, a_widened_pipe_takes_much_at_once)
{
    static const char text[512 * 1024];
    int ends[2];
    open_pipe(ends);
    cr_assert_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    descriptor_widen(ends[0]);
    cr_expect_eq(write(ends[1], text, sizeof text), sizeof text);
}

Test(descriptor, what_is_no_pipe_is_not_widened)
{
    char byte;
    size_t got;
    int descriptor = open_scratch("x");
    descriptor_widen(descriptor);
    cr_expect_eq(descriptor_read(descriptor, &byte, 1, &got, NULL), 0);
    cr_expect_eq(got, 1);
}
