/* SPDX-License-Identifier: MIT */
/* The parts of the tracer that need no virtual machine: settings, and the path of records from
 * the rings of threads to the file. */
#include "../../tracer/native/digits.h"
#include "../../tracer/native/merge.h"
#include "../../tracer/native/output.h"
#include "../../tracer/native/repeats.h"
#include "../../tracer/native/settings.h"
#include "support.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

TestSuite(tracer, .fini = scratch_remove);

Test(tracer, settings_are_text_flags_and_numbers)
{
    struct settings settings;
    ok(settings_read(&settings, "records=exact,file=a%2Cb%25,check=70,force=1,start-at=A#run",
                     &cause));
    cr_expect_eq(settings.level, LEVEL_EXACT);
    cr_expect_str_eq(settings.file, "a,b%");
    cr_expect_str_eq(settings.start_at, "A#run");
    cr_expect_null(settings.stop_at);
    expect_number(settings.checks, 70);
    cr_expect(settings.replacing.force);
    cr_expect_not(settings.truth);
    cr_expect_eq(settings.descriptor, -1);
    cr_expect_str_eq(settings_text(&settings, "records"), "exact");
    cr_expect_null(settings_text(&settings, "check"));
    settings_free(&settings);
}

Test(tracer, names_of_outputs_have_the_process_in_them)
{
    struct settings settings;
    char wanted[60];
    ok(settings_read(&settings, "file=%25p%25%25p%25x,names=n%25p,check-file=%25,include=%25p",
                     &cause));
    snprintf(wanted, sizeof wanted, "%ld%%p%%x", (long)getpid());
    cr_expect_str_eq(settings.file, wanted);
    snprintf(wanted, sizeof wanted, "n%ld", (long)getpid());
    cr_expect_str_eq(settings.names, wanted);
    cr_expect_str_eq(settings.check_file, "%");
    cr_expect_str_eq(settings.include, "%p");
    settings_free(&settings);
}

/* Makes the file for a trace; its lock is released when the process ends. */
static enum status create(int *descriptor, const char *path)
{
    static const struct replacing nothing = {.force = false};
    struct fresh file;
    enum status status = fresh_open(&file, path, &cause);
    if (status == STATUS_OK)
        status = fresh_name(&file, &nothing, &cause);
    *descriptor = file.descriptor;
    fresh_keep(&file);
    return status;
}

/* Makes a file without a name and gives it the name `path`; a failure leaves no file. */
static enum status put_file(const char *path, bool force, bool is_shared, uint64_t former)
{
    const struct replacing how = {force, is_shared, former};
    struct fresh file;
    ok(fresh_open(&file, path, &cause));
    enum status status = fresh_name(&file, &how, &cause);
    if (status != STATUS_OK)
        fresh_drop(&file);
    else
        close(file.descriptor);
    fresh_keep(&file);
    return status;
}

Test(tracer, a_file_takes_the_place_of_what_it_may_replace)
{
    static const char there[] = "The file is there already; --force replaces it";
    char path[PATH_SIZE], link_path[PATH_SIZE];
    struct stat before, after;
    write_file(scratch_path(path, "t"), "mine", 4);
    cr_assert_eq(stat(path, &before), 0);
    expect_failure(put_file(path, false, false, 0), STATUS_MEANING, 0, there);
    failure_clear(&cause);
    expect_failure(put_file(path, true, true, before.st_ino + 1), STATUS_MEANING, 0, there);
    failure_clear(&cause);
    cr_expect(file_is(path, "mine", 4));
    cr_assert_eq(symlink("t", scratch_path(link_path, "link")), 0);
    ok(put_file(link_path, true, true, before.st_ino));
    cr_assert_eq(lstat(path, &after), 0);
    cr_expect_neq(before.st_ino, after.st_ino);
    cr_expect(S_ISREG(after.st_mode) && after.st_size == 0);
    cr_assert_eq(lstat(link_path, &after), 0);
    cr_expect(S_ISLNK(after.st_mode));
    ok(put_file(path, false, false, 0)); /* it is empty, so it may be replaced */
}

Test(tracer, a_file_that_is_being_written_stays)
{
    char path[PATH_SIZE];
    int descriptor;
    ok(create(&descriptor, scratch_path(path, "t")));
    expect_failure(put_file(path, true, false, 0), STATUS_MEANING, 0,
                   "Another process writes into this file");
    failure_clear(&cause);
    close(descriptor);
    ok(put_file(path, true, false, 0));
}

/* A later output may fail, after this one has its name. */
Test(tracer, a_file_that_is_dropped_gives_the_name_back)
{
    static const struct replacing any = {.force = true};
    char path[PATH_SIZE];
    struct fresh file;
    write_file(scratch_path(path, "t"), "mine", 4);
    ok(fresh_open(&file, path, &cause));
    ok(fresh_name(&file, &any, &cause));
    cr_expect_not(file_is(path, "mine", 4));
    fresh_drop(&file);
    cr_expect(file_is(path, "mine", 4));
    expect_number(scratch_count(), 1);
    ok(put_file(path, true, false, 0));
    cr_expect(file_is(path, "", 0));
    expect_number(scratch_count(), 1);
}

/* Makes name lists in the test's own folder. Lists stay until the process ends. */
static struct name_lists *begin_lists(bool are_kept)
{
    static const struct replacing any = {.force = true};
    static struct name_lists *lists;
    char folder[PATH_SIZE];
    ok(name_lists_open(&lists, scratch_path(folder, "lists"), &cause));
    ok(name_lists_create(lists, "# id 1\n", &cause));
    ok(name_lists_name(lists, &any, &cause));
    if (are_kept)
        name_lists_keep(lists);
    return lists;
}

Test(tracer, lists_that_are_dropped_give_their_names_back)
{
    char path[PATH_SIZE];
    cr_assert_eq(mkdir(scratch_path(path, "lists"), 0700), 0);
    write_file(scratch_path(path, "lists/class_list"), "mine", 4);
    name_lists_drop(begin_lists(false));
    cr_expect(file_is(path, "mine", 4));
}

Test(tracer, a_name_with_a_line_end_stays_in_its_line)
{
    static const char expected[] = "# id 1\n1,1,one?two??\n2,1,one\n";
    struct name_lists *lists = begin_lists(true);
    char path[PATH_SIZE];
    expect_number(name_of_method(lists, "a/B", "one\ntwo\r\n"), 1);
    expect_number(name_of_method(lists, "a/B", "one"), 2);
    ok(name_lists_flush(lists, &cause));
    cr_expect(file_is(scratch_path(path, "lists/method_list"), expected, sizeof expected - 1));
}

static void expect_missing_names(struct name_lists *lists, const char *text)
{
    expect_failure(name_lists_flush(lists, &cause), STATUS_IO, 0, text);
    failure_clear(&cause);
}

/* An array grows in two tries. */
Test(tracer, names_that_memory_lacks_are_reported)
{
    static const char expected[] = "# id 1\n2,3,4,a/B\n";
    static struct name_lists *nowhere;
    struct name_lists *lists = begin_lists(true);
    char path[PATH_SIZE];
    fail_reallocations(2);
    expect_number(name_new_sites(lists, 2), 1);
    expect_number(name_new_sites(lists, 1), 3);
    name_site(lists, 1, 1, 2, "a/B");
    name_site(lists, 2, 3, 4, "a/B");
    expect_missing_names(lists, "Cannot write the name lists: Cannot allocate memory");
    cr_expect(file_is(scratch_path(path, "lists/site_list"), expected, sizeof expected - 1));
    ok(name_lists_open(&nowhere, NULL, &cause));
    fail_reallocations(2);
    expect_number(name_of_type(nowhere, "a/B", 3), 0);
    expect_missing_names(nowhere, "Cannot number all names: Cannot allocate memory");
}

Test(tracer, settings_that_are_none_are_refused)
{
    struct settings settings;
    expect_failure(settings_read(&settings, "colour=red", &cause), STATUS_MEANING, 0,
                   "The agent knows no setting \"colour=red\"");
    failure_clear(&cause);
    expect_failure(settings_read(&settings, "check=often", &cause), STATUS_MEANING, 0,
                   "The agent's setting check is no number");
    failure_clear(&cause);
}

static void put(struct ring *ring, uint64_t stamp, char letter, uint64_t first, uint64_t second)
{
    uint64_t *words = ring_reserve(ring);
    words[0] = stamp;
    words[1] = RECORD_HEAD(letter, 3, first);
    words[2] = second;
    ring_publish(ring, 3);
}

Test(tracer, fields_are_a_space_and_a_number)
{
    static struct digits digits;
    char text[FIELD_ROOM + 1], expected[FIELD_ROOM];
    digits_fill(&digits);
    /* Numbers that grow by half each time, each tried with the neighbours of powers of ten and
     * of two. */
    for (uint64_t i = 0, number = 0; i < 200; i++, number += number / 2 + 1) {
        uint64_t power = 1;
        for (uint64_t k = 0; k < i % 20; k++)
            power *= 10;
        const uint64_t numbers[] = {
            number,        number * 7919,         power - 1,
            power,         UINT64_C(1) << i % 64, (UINT64_C(1) << i % 64) - 1,
            UINT64_MAX - i};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            *digits_put_field(&digits, text, numbers[k]) = '\0';
            snprintf(expected, sizeof expected, " %" PRIu64, numbers[k]);
            cr_expect_str_eq(text, expected);
        }
    }
    for (uint64_t number = 0; number < 200000; number++) {
        *digits_put_field(&digits, text, number) = '\0';
        snprintf(expected, sizeof expected, " %" PRIu64, number);
        must(strcmp(text, expected) == 0, "%" PRIu64, number);
    }
}

/* Begins a trace at `path`. `check`: the check file, or -1. The merger is never freed, as in
 * the agent, where threads may record until the process ends: *merger is static. */
static void begin_merger(struct merger **merger, const char *path, const char *begin, int check)
{
    int descriptor;
    struct merger_options options = {.check = check};
    ok(create(&descriptor, path));
    ok(output_open(&options.output, descriptor, path, &cause));
    ok(name_lists_open(&options.names, NULL, &cause));
    ok(merger_open(merger, &options, begin, &cause));
}

Test(tracer, a_stretch_of_a_ring_is_whole_and_bounded)
{
    struct ring *ring = ring_new(9);
    cr_assert_not_null(ring);
    uint64_t written = 0, read = 0;
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned i = 0; i < 1000 + round; i++, written++)
            put(ring, written, 'W', 4, written * written);
        ring_look(ring);
        expect_number(ring_stretch(ring), 0); /* records can be taken after the next look */
        ring_look(ring);
        for (const uint64_t *words; (words = ring_peek(ring));) {
            size_t count = ring_stretch(ring);
            must(count > 0 && count <= RING_WORDS / 16, "%zu words", count);
            const uint64_t *at = words;
            for (; at < words + count && at[0] != RING_SKIP; at += 3, read++)
                must(at[0] == read && at[2] == read * read, "record %" PRIu64, read);
            ring_consume(ring, (size_t)(at - words));
        }
        expect_number(read, written);
    }
    ring_close(ring);
    free(ring);
}

Test(tracer, a_ring_gives_what_was_put_in_it_over_its_end)
{
    struct ring *ring = ring_new(9);
    cr_assert_not_null(ring);
    cr_expect_null(ring_peek(ring));
    for (uint64_t i = 0; i < 100000; i++) {
        put(ring, i, 'W', 4, i * i);
        if (i % 2 == 0)
            continue;
        ring_look(ring);
        for (uint64_t k = i - 1; k <= i; k++) {
            const uint64_t *words = ring_peek(ring);
            must(words && words[0] == k && words[2] == k * k, "record %" PRIu64, k);
            ring_consume(ring, 3);
        }
    }
    cr_expect_null(ring_peek(ring));
    ring_close(ring);
    free(ring);
}

Test(tracer, records_of_two_threads_come_in_the_order_of_their_stamps)
{
    static const char expected[] = "# begin\n"
                                   "M 5 77 1\n"
                                   "W 77 8 2\n"
                                   "M 6 18446744073709551615 2\n"
                                   "W 10 100 1\n"
                                   "# end\n";
    char path[PATH_SIZE];
    static struct merger *merger;
    struct merger_counts counts;
    begin_merger(&merger, scratch_path(path, "trace"), "# begin\n", -1);
    struct ring *one = ring_new(1), *two = ring_new(2);
    merger_add(merger, one);
    merger_add(merger, two);
    put(one, merger_stamp_for(one), 'M', 5, 77);
    put(two, merger_stamp_for(two), 'W', 8, 77);
    put(two, merger_stamp_for(two), 'M', 6, UINT64_MAX);
    put(one, merger_stamp_for(one), 'W', 100, 10);
    ok(merger_close(merger, "# end\n", &counts, &cause));
    expect_number(counts.records, 4);
    expect_number(counts.boundaries, 2);
    cr_expect(file_is(path, expected, sizeof expected - 1));
}

/* Each record is of the thread, and `out` whether it is left out. */
Test(tracer, uses_that_say_nothing_new_are_found)
{
    static const struct {
        char letter;
        unsigned first, second, third, thread;
        bool out;
    } records[] = {
        {'N', 1, 5, 16, 1, false},  {'W', 0, 5, 0, 1, false}, /* the first after its N is kept
                                                               */
        {'W', 0, 5, 0, 1, true},    {'W', 0, 6, 0, 1, false},   {'W', 9, 5, 0, 1, true},
        {'W', 0, 5, 0, 2, false},   {'W', 0, 5, 0, 1, false}, /* threads take turns */
        {'M', 3, 7, 0, 1, false},   {'W', 0, 7, 0, 1, true},    {'W', 0, 5, 0, 1, false},
        {'E', 3, 0, 0, 1, false},   {'W', 0, 5, 0, 1, false},   {'A', 1, 8, 24, 1, false},
        {'W', 0, 5, 0, 1, false},   {'X', 3, 7, 5, 1, false},   {'W', 0, 5, 0, 1, false},
        {'W', 0, 7, 0, 1, false},   {'T', 3, 7, 6, 1, false},   {'W', 0, 6, 0, 1, true},
        {'U', 60, 7, 5, 1, false},  {'W', 0, 5, 0, 1, true},    {'W', 0, 7, 0, 1, true},
        {'U', 60, 7, 0, 1, false},  {'W', 0, 5, 0, 1, false}, /* it was overwritten */
        {'W', 0, 7, 0, 1, true},    {'N', 1, 9, 16, 1, false},  {'W', 0, 9, 0, 1, false},
        {'U', 60, 7, 0, 1, false},  {'W', 0, 9, 0, 1, true}, /* it was never stored */
        {'N', 1, 10, 16, 1, false}, {'W', 0, 12, 0, 1, false},  {'U', 60, 10, 9, 1, false},
        {'W', 0, 12, 0, 1, true},                               /* the field was empty */
        {'U', 60, 10, 0, 1, false}, {'W', 0, 12, 0, 1, false},  /* 12 may be anywhere */
        {'K', 2, 12, 1, 2, false},  {'F', 2, 13, 12, 1, false}, /* these use nothing */
        {'W', 0, 13, 0, 1, false},  {'W', 0, 12, 0, 1, true},
    };
    struct repeats *repeats = repeats_new();
    cr_assert_not_null(repeats);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        uint64_t words[RECORD_WORDS] = {0, RECORD_HEAD(records[i].letter, 4, records[i].first),
                                        records[i].second, records[i].third};
        must(repeats_find(repeats, records[i].thread, words) == records[i].out, "record %zu",
             i);
    }
    repeats_free(repeats);
}

Test(tracer, a_ring_may_have_the_records_of_several_threads)
{
    static const char expected[] = "M 5 77 1\n"
                                   "M 6 78 9\n"
                                   "E 6 9\n"
                                   "E 5 1\n";
    char path[PATH_SIZE];
    static struct merger *merger;
    struct merger_counts counts;
    begin_merger(&merger, scratch_path(path, "trace"), "", -1);
    struct ring *ring = ring_new(1);
    merger_add(merger, ring);
    put(ring, merger_stamp_for(ring), 'M', 5, 77);
    put(ring, merger_stamp_for(ring), RECORD_THREAD, 0, 9);
    put(ring, merger_stamp_for(ring), 'M', 6, 78);
    put(ring, merger_stamp_for(ring), 'E', 6, 0);
    put(ring, merger_stamp_for(ring), RECORD_THREAD, 0, 1);
    put(ring, merger_stamp_for(ring), 'E', 5, 0);
    ok(merger_close(merger, "", &counts, &cause));
    expect_number(counts.records, 4);
    expect_number(counts.boundaries, 4);
    cr_expect(file_is(path, expected, sizeof expected - 1));
}

/* A thread that waits for its turn (`turn`), records the number of turns so far, and hands on
 * to the other thread. */
enum { TURNS = 20000 };
static _Atomic uint64_t turn;

static void *take_turns(void *context)
{
    struct ring *ring = context;
    uint64_t mine = ring->thread - 1;
    for (uint64_t now = mine; now < TURNS; now += 2) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != now)
            sched_yield();
        for (uint64_t i = 0; i <= now % 3; i++)
            put(ring, merger_stamp_for(ring), 'W', i, now);
        atomic_store_explicit(&turn, now + 1, memory_order_release);
    }
    atomic_store(&ring->is_ended, true);
    return NULL;
}

Test(tracer, what_one_thread_does_after_another_comes_after_it)
{
    enum { LINE = 32 };
    static char expected[3 * TURNS * LINE];
    static struct merger *merger;
    char path[PATH_SIZE];
    size_t length = 0;
    pthread_t threads[2];
    struct merger_counts counts;
    begin_merger(&merger, scratch_path(path, "turns"), "", -1);
    for (uint64_t i = 0; i < 2; i++) {
        struct ring *ring = ring_new(i + 1);
        merger_add(merger, ring);
        cr_assert_eq(pthread_create(&threads[i], NULL, take_turns, ring), 0);
    }
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    ok(merger_close(merger, "", &counts, &cause));
    for (uint64_t now = 0; now < TURNS; now++)
        for (uint64_t i = 0; i <= now % 3; i++)
            length += (size_t)snprintf(expected + length, LINE,
                                       "W %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", now, i,
                                       now % 2 + 1);
    cr_expect(file_is(path, expected, length));
}

Test(tracer, what_comes_after_a_thread_that_is_not_ready_waits_for_it)
{
    static struct merger *merger;
    char path[PATH_SIZE];
    struct merger_counts counts;
    begin_merger(&merger, scratch_path(path, "ready"), "", -1);
    struct ring *one = ring_new(0), *two = ring_new(2);
    atomic_store(&one->is_ready, false);
    merger_add(merger, one);
    merger_add(merger, two);
    put(one, merger_stamp_for(one), 'W', 5, 7);
    put(two, merger_stamp_for(two), 'W', 6, 7);
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    one->thread = 7;
    atomic_store(&one->is_ready, true);
    ok(merger_close(merger, "", &counts, &cause));
    cr_expect(file_is(path, "W 7 5 7\nW 7 6 2\n", 16));
}

/* The numbers around each power of ten are written in the middle of a line. */
Test(tracer, numbers_of_all_lengths_are_written)
{
    enum { POWERS = 20, LINE = 32 };
    char path[PATH_SIZE], expected[3 * POWERS * LINE] = "";
    size_t length = 0;
    static struct merger *merger;
    struct merger_counts counts;
    begin_merger(&merger, scratch_path(path, "numbers"), "", -1);
    struct ring *ring = ring_new(1);
    merger_add(merger, ring);
    uint64_t power = 1, count = 0;
    for (int i = 0; i < POWERS; i++, power *= 10)
        for (uint64_t number = power - 1; number <= power + 1; number++) {
            put(ring, ++count, 'W', 7, number);
            length += (size_t)snprintf(expected + length, LINE, "W %" PRIu64 " 7 1\n", number);
        }
    ok(merger_close(merger, "", &counts, &cause));
    expect_number(counts.records, count);
    cr_expect(file_is(path, expected, length));
}

/* With every codec, each chunk is a member of its own, so an unfinished file can be read. */
Test(tracer, chunks_are_members_that_can_be_read_one_by_one)
{
    static const char *const names[] = {"plain", "t.zst", "t.gz", "t.xz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_SIZE], text[3 * 1000 + 1];
        int descriptor;
        struct output *output;
        struct source *source;
        ok(create(&descriptor, scratch_path(path, names[i])));
        ok(output_open(&output, descriptor, path, &cause));
        for (char letter = 'a'; letter < 'd'; letter++) {
            memset(output_buffer(output), letter, 1000);
            output_submit(output, 1000);
        }
        ok(output_close(output, &cause));
        ok(source_open(&source, path, NULL, &cause));
        expect_number(read_all(source, text, sizeof text, sizeof text), 3000);
        for (size_t k = 0; k < 3000; k++)
            must(text[k] == "abc"[k / 1000], "%s: byte %zu", names[i], k);
        source_close(source);
    }
}

/* The number of threads of this process. */
static size_t threads_here(void)
{
    size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    cr_assert_not_null(tasks);
    for (const struct dirent *entry; (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* Waits until the process has `count` threads: /proc still shows one for a moment after it was
 * joined. */
static void expect_threads(size_t count)
{
    for (int waits = 0; threads_here() != count && waits < 5000; waits++)
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    expect_number(threads_here(), count);
}

/* With more threads, chunks would only be handed from one to the next. */
Test(tracer, one_thread_compresses_and_writes)
{
    static const char *const suffixes[] = {"", ".gz", ".xz", ".zst"};
    static const char line[] = "W 7 6 2\n";
    size_t before = threads_here();
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[PATH_SIZE];
        int descriptor;
        struct stat facts = {0};
        struct output *output;
        scratch_path(path, "chunks");
        cr_assert_lt(strlen(path) + strlen(suffixes[i]), sizeof path);
        strcat(path, suffixes[i]);
        ok(create(&descriptor, path));
        ok(output_open(&output, descriptor, path, &cause));
        memcpy(output_buffer(output), line, sizeof line - 1);
        output_submit(output, sizeof line - 1);
        for (int waits = 0; !facts.st_size && waits < 5000; waits++) {
            nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
            stat(path, &facts);
        }
        expect_threads(before + 1);
        ok(output_close(output, &cause));
        expect_threads(before);
    }
}

/* Begins a trace of one ring, which is not added yet. `check`: the check file, or -1. */
static struct ring *begin_trace(struct merger **merger, int check)
{
    char path[PATH_SIZE];
    begin_merger(merger, scratch_path(path, "one"), "", check);
    struct ring *ring = ring_new(1);
    cr_assert_not_null(ring);
    return ring;
}

/* Looks that came before the end do not count among those after which a thread that has no id
 * is given up. The program records nothing for longer than those looks take. */
Test(tracer, the_last_records_of_an_idle_program_are_written)
{
    static struct merger *merger;
    struct merger_counts counts;
    struct ring *ring = begin_trace(&merger, -1);
    merger_add(merger, ring);
    nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
    put(ring, merger_stamp_for(ring), 'W', 5, 7);
    ok(merger_close(merger, "", &counts, &cause));
    expect_number(counts.records, 1);
}

Test(tracer, a_check_that_memory_lacks_is_reported)
{
    static struct merger *merger;
    struct merger_counts counts;
    char path[PATH_SIZE];
    int check;
    ok(create(&check, scratch_path(path, "check")));
    struct ring *ring = begin_trace(&merger, check);
    fail_reallocations(2);
    put(ring, 1, RECORD_GONE, 0, 7);
    merger_add(merger, ring);
    expect_failure(merger_close(merger, "", &counts, &cause), STATUS_IO, 0,
                   "Cannot write the file of --check: Cannot allocate memory");
}

Test(tracer, a_thread_that_never_gets_its_id_is_reported)
{
    static struct merger *merger;
    struct merger_counts counts;
    struct ring *ring = begin_trace(&merger, -1);
    atomic_store(&ring->is_ready, false);
    put(ring, 1, 'W', 5, 7);
    merger_add(merger, ring);
    expect_failure(merger_close(merger, "", &counts, &cause), STATUS_IO, 0,
                   "A thread has got no id; its records and later ones are missing");
}
