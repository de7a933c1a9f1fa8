#include "io/spool.h"
#include "support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

TestSuite(spool, .fini = scratch_remove);

static struct spool *open_spool(void)
{
    char path[PATH_SIZE];
    struct spool *spool = NULL;
    ok(spool_open(&spool, scratch_path(path, ""), &cause));
    return spool;
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
    unsigned found = 0;
    for (int descriptor = 3; descriptor < 256; descriptor++) {
        struct stat facts;
        if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 0 &&
            facts.st_size == 4) {
            found++;
            cr_expect_eq(facts.st_mode & 0777, 0600);
        }
    }
    cr_expect_eq(found, 1, "the spool's file is not among the open ones");
    spool_close(spool);
}

Test(spool, stands_in_TMPDIR_unless_told_otherwise)
{
    char path[PATH_SIZE];
    struct spool *spool = NULL;
    setenv("TMPDIR", scratch_path(path, "none"), 1);
    expect_failure(spool_open(&spool, NULL, &cause), STATUS_IO, 0,
                   "Cannot make a temporary file: No such file or directory");
    cr_expect_str_eq(cause.file, path);
    ok(spool_open(&spool, scratch_path(path, ""), &cause));
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
