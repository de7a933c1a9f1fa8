/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(source_seek, .fini = scratch_remove);

static char content[100000];

static void fill(void)
{
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (char)('a' + random_below(&state, 26));
}

/* Expects that readings after a seek give the bytes from that offset on. */
static void expect_seeks(struct source *source)
{
    static const size_t offsets[] = {0, 99999, 5, 5, 70000, 69999, 100000, 200000, 1};
    uint64_t size;
    ok(source_size(source, &size, &cause));
    expect_number(size, sizeof content);
    char found[sizeof content];
    cr_expect_eq(read_all(source, found, sizeof found, 4096), sizeof content);
    for (size_t i = 0; i < ITEMS(offsets); i++) {
        size_t at = offsets[i] < sizeof content ? offsets[i] : sizeof content;
        ok(source_seek(source, offsets[i], &cause));
        size_t length = read_all(source, found, 40, 7);
        size_t wanted = sizeof content - at < 40 ? sizeof content - at : 40;
        must(length == wanted && memcmp(found, content + at, length) == 0, "other bytes at %zu",
             offsets[i]);
    }
    source_rewind(source);
    cr_expect_eq(read_all(source, found, sizeof found, 4096), sizeof content);
    cr_expect_arr_eq(found, content, sizeof content);
    source_close(source);
}

Test(source_seek, in_a_file)
{
    fill();
    expect_seeks(source_of(content, sizeof content));
}

Test(source_seek, in_a_compressed_file)
{
    char path[PATH_SIZE];
    fill();
    gzFile file = gzopen(scratch_path(path, "file.gz"), "wb");
    cr_assert_eq(gzwrite(file, content, sizeof content), (int)sizeof content);
    cr_assert_eq(gzclose(file), Z_OK);
    struct source *source = NULL;
    ok(source_open(&source, path, NULL, &cause));
    expect_seeks(source);
}

Test(source_seek, in_a_pipe)
{
    int ends[2];
    fill();
    cr_assert_eq(pipe(ends), 0);
    pid_t writer = start_writer(ends[1], content, sizeof content, 1000);
    close(ends[1]);
    redirect(STDIN_FILENO, ends[0]);
    struct source *source = NULL;
    ok(source_open(&source, "-", NULL, &cause));
    expect_seeks(source);
    await(writer);
}

Test(source_seek, in_a_copy)
{
    char path[PATH_SIZE];
    struct source_options options = {.spool = SPOOL_ALWAYS};
    struct source *source = NULL;
    fill();
    write_file(scratch_path(path, "file"), content, sizeof content);
    ok(source_open(&source, path, &options, &cause));
    expect_seeks(source);
}
