/* SPDX-License-Identifier: MIT */
#include "io/temporary/spool.h"
#include "support.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(spool, .fini = scratch_remove);

static struct spool *open_spool_of(enum spool_codec codec)
{
    char path[PATH_SIZE];
    struct spool *spool = NULL;
    ok(spool_open(&spool,
                  &(struct temporary_folder){.path = scratch_path(path, ""), .codec = codec},
                  &cause));
    return spool;
}

static struct spool *open_spool(void)
{
    return open_spool_of(SPOOL_CODEC_AUTO);
}

static void expect_bytes(struct spool *spool, uint64_t offset, size_t capacity,
                         const char *text)
{
    char found[100];
    size_t got = 99;
    ok(spool_read(spool, offset, found, capacity, &got, &cause));
    cr_assert_eq(got, strlen(text));
    cr_expect(memcmp(found, text, got) == 0);
}

Test(spool, gives_back_what_was_appended)
{
    struct spool *spool = open_spool();
    expect_number(spool_length(spool), 0);
    ok(spool_append(spool, "0123", 4, &cause));
    ok(spool_append(spool, "", 0, &cause));
    ok(spool_append(spool, "456789", 6, &cause));
    expect_number(spool_length(spool), 10);
    expect_bytes(spool, 0, 100, "0123456789");
    expect_bytes(spool, 3, 4, "3456");
    expect_bytes(spool, 8, 100, "89");
    expect_bytes(spool, 10, 100, "");
    expect_bytes(spool, 1000, 100, "");
    spool_close(spool);
}

Test(spool, appends_at_its_end_whatever_was_read)
{
    struct spool *spool = open_spool();
    ok(spool_append(spool, "0123", 4, &cause));
    expect_bytes(spool, 1, 2, "12");
    ok(spool_append(spool, "45", 2, &cause));
    expect_bytes(spool, 0, 100, "012345");
    spool_close(spool);
}

Test(spool, has_no_name_in_its_folder)
{
    struct spool *spool = open_spool();
    ok(spool_append(spool, "0123", 4, &cause));
    cr_expect_eq(scratch_count(), 0);
    spool_close(spool);
    cr_expect_eq(scratch_count(), 0);
}

Test(spool, is_readable_by_this_user_alone)
{
    struct spool *spool = open_spool();
    ok(spool_append(spool, "0123", 4, &cause));
    struct stat facts;
    cr_assert_eq(fstat(unnamed_file(), &facts), 0);
    cr_expect_eq(facts.st_size, 4);
    cr_expect_eq(facts.st_mode & 0777, 0600);
    spool_close(spool);
}

Test(spool, stands_in_TMPDIR_unless_another_folder_is_given)
{
    char path[PATH_SIZE];
    struct spool *spool = NULL;
    setenv("TMPDIR", scratch_path(path, "none"), 1);
    expect_failure(spool_open(&spool, NULL, &cause), STATUS_IO, 0,
                   "There is no folder of this name for temporary files: --tmpdir or TMPDIR "
                   "names another");
    cr_expect_str_eq(cause.file, path);
    ok(spool_open(&spool, &(struct temporary_folder){.path = scratch_path(path, "")}, &cause));
    spool_close(spool);
}

Test(spool, does_without_TMPDIR)
{
    struct spool *spool = NULL;
    setenv("TMPDIR", "", 1);
    ok(spool_open(&spool, NULL, &cause));
    spool_close(spool);
    unsetenv("TMPDIR");
    ok(spool_open(&spool, NULL, &cause));
    spool_close(spool);
}

Test(spool, may_have_the_descriptor_of_standard_input)
{
    close(STDIN_FILENO);
    struct spool *spool = open_spool();
    must(fcntl(STDIN_FILENO, F_GETFD) >= 0, "another descriptor is taken");
    ok(spool_append(spool, "0123", 4, &cause));
    expect_bytes(spool, 1, 100, "123");
    spool_close(spool);
    must(fcntl(STDIN_FILENO, F_GETFD) < 0, "the descriptor is left");
}

Test(spool, a_copy_that_does_not_fit_is_a_failure)
{
    struct spool *spool = open_spool();
    struct rlimit limit;
    static const char bytes[4000];
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 1000;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(spool_append(spool, bytes, sizeof bytes, &cause), STATUS_IO);
    limit.rlim_cur = limit.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(cause.status, STATUS_IO);
    cr_expect_not_null(strstr(cause.text, "File too large"));
    spool_close(spool);
}

/* Enough bytes for several blocks of a compressed spool and a part of one. */
enum { MANY = 1000 * 1000 };

/* The byte at that offset; such bytes compress to half their number. */
static uint8_t byte_at(uint64_t offset)
{
    return (uint8_t)((offset * UINT64_C(0x9E3779B97F4A7C15)) >> 60);
}

/* Appends the bytes from offset `begin` to `end`, `step` at a time; returns the status. */
static enum status append_bytes(struct spool *spool, uint64_t begin, uint64_t end, size_t step)
{
    static uint8_t bytes[MANY];
    enum status status = STATUS_OK;
    for (uint64_t at = begin; at < end && status == STATUS_OK; at += step) {
        size_t length = end - at < step ? (size_t)(end - at) : step;
        for (size_t i = 0; i < length; i++)
            bytes[i] = byte_at(at + i);
        status = spool_append(spool, bytes, length, &cause);
    }
    return status;
}

/* Reads `length` bytes from `offset` on, in as many steps as needed, and expects byte_at. */
static void expect_range(struct spool *spool, uint64_t offset, size_t length)
{
    static uint8_t bytes[MANY];
    for (size_t done = 0, got; done < length; done += got) {
        ok(spool_read(spool, offset + done, bytes, length - done, &got, &cause));
        must(got > 0 && got <= length - done, "%zu bytes at %" PRIu64, got, offset + done);
        for (size_t i = 0; i < got; i++)
            must(bytes[i] == byte_at(offset + done + i), "byte %" PRIu64, offset + done + i);
    }
}

static void expect_end(struct spool *spool, uint64_t offset)
{
    char byte;
    size_t got = 99;
    ok(spool_read(spool, offset, &byte, 1, &got, &cause));
    cr_assert_eq(got, 0);
}

/* Expects MANY bytes: forward; backward, in steps that do not divide a block; and around each
 * multiple of 2^15, since borders of blocks are such multiples. */
static void expect_all(struct spool *spool)
{
    expect_number(spool_length(spool), MANY);
    expect_range(spool, 0, MANY);
    for (uint64_t end = MANY; end > 40000; end -= 40000)
        expect_range(spool, end - 40000, 40000);
    for (uint64_t border = 1 << 15; border < MANY; border += 1 << 15)
        expect_range(spool, border - 1, 2);
    expect_end(spool, MANY);
    expect_end(spool, 10 * MANY);
}

Test(spool, gives_back_what_it_compressed)
{
    static const size_t steps[] = {1000, 4096, 65536, 262144, 262145, MANY};
    for (size_t i = 0; i < ITEMS(steps); i++) {
        struct spool *spool = open_spool_of(SPOOL_CODEC_ZSTD);
        ok(append_bytes(spool, 0, MANY, steps[i]));
        expect_all(spool);
        ok(spool_settle(spool, &cause));
        expect_all(spool);
        spool_close(spool);
    }
}

Test(spool, compresses_what_follows_the_beginning)
{
    static const uint64_t beginnings[] = {1, 1000, 1001, 262144, 999999, MANY, 2 * MANY};
    for (size_t i = 0; i < ITEMS(beginnings); i++) {
        char path[PATH_SIZE];
        struct spool *spool = NULL;
        struct temporary_folder temporary = {.path = scratch_path(path, ""),
                                             .beginning = beginnings[i]};
        ok(spool_open(&spool, &temporary, &cause));
        ok(append_bytes(spool, 0, MANY, 1000));
        expect_all(spool);
        spool_close(spool);
    }
}

Test(spool, appends_compressed_whatever_was_read)
{
    struct spool *spool = open_spool_of(SPOOL_CODEC_ZSTD);
    expect_end(spool, 0);
    for (uint64_t end = 90000; end < MANY; end += 90000) {
        ok(append_bytes(spool, end - 90000, end, 90000));
        expect_range(spool, end - 1, 1);
        expect_range(spool, end / 2, 1);
        expect_end(spool, end);
    }
    spool_close(spool);
}

Test(spool, compressed_it_takes_less_room)
{
    struct stat facts;
    struct spool *spool = open_spool_of(SPOOL_CODEC_ZSTD);
    ok(append_bytes(spool, 0, MANY, 65536));
    ok(spool_settle(spool, &cause));
    cr_assert_eq(fstat(unnamed_file(), &facts), 0);
    cr_expect_gt(facts.st_size, 0);
    cr_expect_lt(facts.st_size, MANY * 6 / 10);
    spool_close(spool);
}

static void *check_some(void *spool)
{
    for (uint64_t at = 0; at < MANY; at += 4000) {
        uint8_t bytes[4000];
        size_t got;
        struct failure why = {.status = STATUS_OK};
        if (spool_read(spool, at, bytes, 1, &got, &why) != STATUS_OK || got != 1 ||
            bytes[0] != byte_at(at))
            return spool;
    }
    return NULL;
}

Test(spool, is_read_by_several_threads)
{
    pthread_t threads[4];
    struct spool *spool = open_spool_of(SPOOL_CODEC_ZSTD);
    ok(append_bytes(spool, 0, MANY, 65536));
    for (size_t i = 0; i < ITEMS(threads); i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, check_some, spool), 0);
    for (size_t i = 0; i < ITEMS(threads); i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        cr_expect_null(wrong);
    }
    spool_close(spool);
}

Test(spool, a_compressed_copy_that_does_not_fit_is_a_failure)
{
    struct spool *spool = open_spool_of(SPOOL_CODEC_ZSTD);
    limit_files(1000);
    cr_expect_eq(append_bytes(spool, 0, MANY, 1000), STATUS_IO);
    cr_expect_not_null(strstr(cause.text, "File too large"));
    cr_expect_eq(spool_settle(spool, &cause), STATUS_IO);
    spool_close(spool);
}

/* The only full block is written by another thread while bytes are still appended, so only
 * settling can report its failure. */
Test(spool, settling_reports_what_appending_could_not)
{
    struct spool *spool = open_spool_of(SPOOL_CODEC_ZSTD);
    limit_files(1000);
    ok(append_bytes(spool, 0, 300000, 1000));
    cr_expect_eq(spool_settle(spool, &cause), STATUS_IO);
    spool_close(spool);
}

/* Opens a spool of three whole blocks. *descriptor and *size get those of its file. */
static struct spool *open_settled(int *descriptor, off_t *size)
{
    struct stat facts;
    struct spool *spool = open_spool_of(SPOOL_CODEC_ZSTD);
    ok(append_bytes(spool, 0, MANY, 65536));
    ok(spool_settle(spool, &cause));
    *descriptor = unnamed_file();
    cr_assert_eq(fstat(*descriptor, &facts), 0);
    *size = facts.st_size;
    return spool;
}

static enum status read_blocks(struct spool *spool)
{
    uint8_t byte;
    size_t got;
    enum status status = STATUS_OK;
    for (uint64_t block = 0; block < 3 && status == STATUS_OK; block++)
        status = spool_read(spool, block << 18, &byte, 1, &got, &cause);
    return status;
}

Test(spool, compressed_damage_is_found)
{
    off_t size = 1;
    for (off_t at = 0; at < size; at += size / 40 + 1) {
        int descriptor;
        uint8_t byte;
        struct spool *spool = open_settled(&descriptor, &size);
        ok(read_blocks(spool));
        cr_assert_eq(pread(descriptor, &byte, 1, at), 1);
        byte ^= 0x40;
        cr_assert_eq(pwrite(descriptor, &byte, 1, at), 1);
        cr_assert_eq(read_blocks(spool), STATUS_IO, "byte %jd", (intmax_t)at);
        cr_assert_str_eq(cause.text, "A temporary file does not hold what was written to it");
        spool_close(spool);
    }
}

Test(spool, a_compressed_file_that_has_become_shorter_is_found)
{
    int descriptor;
    off_t size;
    struct spool *spool = open_settled(&descriptor, &size);
    ok(read_blocks(spool));
    cr_assert_eq(ftruncate(descriptor, size / 2), 0);
    cr_expect_eq(read_blocks(spool), STATUS_IO);
    spool_close(spool);
}

Test(spool, a_file_that_has_become_shorter_is_found)
{
    char found[100];
    size_t got;
    struct spool *spool = open_spool();
    ok(spool_append(spool, "0123456789", 10, &cause));
    cr_assert_eq(ftruncate(unnamed_file(), 5), 0);
    expect_bytes(spool, 0, 5, "01234");
    expect_bytes(spool, 10, 100, "");
    for (uint64_t offset = 0; offset < 10; offset++)
        expect_failure(spool_read(spool, offset, found, 100, &got, &cause), STATUS_IO, 0,
                       "A temporary file does not hold what was written to it");
    spool_close(spool);
}
