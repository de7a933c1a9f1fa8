/* SPDX-License-Identifier: MIT */
/* The cache of instrumented classes: a later run finds what a run has kept, or nothing. */
#include "../../tracer/native/class_cache.h"
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

TestSuite(class_cache, .fini = scratch_remove);

enum { LARGE = 1 << 20 };

static const XXH128_hash_t kind = {1, 2}, other_kind = {1, 3};

static XXH128_hash_t key(uint64_t number)
{
    return (XXH128_hash_t){number, 7};
}

static struct class_cache *open_limited(XXH128_hash_t of, uint64_t file, uint64_t folder)
{
    char path[PATH_SIZE];
    struct class_cache *cache = NULL;
    const struct class_cache_options options = {.folder = scratch_path(path, "a/b"),
                                                .kind = of,
                                                .most_in_file = file,
                                                .most_in_folder = folder};
    ok(class_cache_open(&cache, &options, &cause));
    return cache;
}

static struct class_cache *open_cache(void)
{
    return open_limited(kind, LARGE, LARGE);
}

static void add(struct class_cache *cache, uint64_t number, const char *text)
{
    must(class_cache_add(cache, key(number), (const uint8_t *)text, strlen(text)), "not added");
}

/* Opens the cache as a new run, and keeps the text under `number`. */
static void keep(uint64_t number, const char *text)
{
    struct class_cache *cache = open_cache();
    add(cache, number, text);
    ok(class_cache_save(cache, &cause));
    class_cache_free(cache);
}

static bool has(struct class_cache *cache, uint64_t number, const char *text)
{
    const struct class_entry *entry = class_cache_find(cache, key(number));
    if (!entry || !text)
        return entry != NULL;
    return entry->length == strlen(text) && memcmp(entry->bytes, text, entry->length) == 0;
}

/* Whether a new run finds this text (NULL: any text) under `number`. */
static bool finds(uint64_t number, const char *text)
{
    struct class_cache *cache = open_cache();
    bool found = has(cache, number, text);
    class_cache_free(cache);
    return found;
}

/* Writes the path of the only file of the cache to `path`, and returns `path`. */
static char *only_file(char *path)
{
    char name[PATH_SIZE];
    DIR *folder = opendir(scratch_path(path, "a/b"));
    unsigned count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            snprintf(name, sizeof name, "a/b/%.200s", entry->d_name);
            count++;
        }
    closedir(folder);
    must(count == 1, "%u files", count);
    return scratch_path(path, name);
}

static size_t load(const char *path, char *bytes)
{
    FILE *file = fopen(path, "re");
    size_t length = fread(bytes, 1, LARGE, file);
    fclose(file);
    return length;
}

Test(class_cache, keeps_what_runs_add)
{
    keep(1, "one");
    keep(2, "");
    cr_expect(finds(1, "one"));
    cr_expect(finds(2, ""));
    cr_expect_not(finds(3, NULL));
}

Test(class_cache, finds_in_the_run_what_it_has_added_last)
{
    keep(1, "one");
    struct class_cache *cache = open_cache();
    const struct class_entry *before = class_cache_find(cache, key(1));
    add(cache, 1, "uno");
    cr_expect(has(cache, 1, "uno"));
    cr_expect_eq(before->length, 3);
    cr_expect_arr_eq(before->bytes, "one", 3);
    ok(class_cache_save(cache, &cause));
    class_cache_free(cache);
    cr_expect(finds(1, "uno"));
}

Test(class_cache, compares_all_of_a_key)
{
    keep(1, "one");
    struct class_cache *cache = open_cache();
    cr_expect_null(class_cache_find(cache, (XXH128_hash_t){1, 8}));
    class_cache_free(cache);
}

Test(class_cache, has_a_file_for_each_kind)
{
    keep(1, "one");
    struct class_cache *cache = open_limited(other_kind, LARGE, LARGE);
    cr_expect_not(has(cache, 1, NULL));
    add(cache, 1, "other");
    ok(class_cache_save(cache, &cause));
    class_cache_free(cache);
    cr_expect(finds(1, "one"));
}

Test(class_cache, does_not_read_a_file_of_another_kind_under_its_name)
{
    char path[PATH_SIZE], other[PATH_SIZE];
    keep(1, "one");
    cr_assert_eq(rename(only_file(path), scratch_path(other, "kept")), 0);
    struct class_cache *cache = open_limited(other_kind, LARGE, LARGE);
    add(cache, 1, "other");
    ok(class_cache_save(cache, &cause));
    class_cache_free(cache);
    cr_assert_eq(rename(other, only_file(path)), 0);
    cache = open_limited(other_kind, LARGE, LARGE);
    cr_expect_not(has(cache, 1, NULL));
    class_cache_free(cache);
}

Test(class_cache, reads_no_file_with_a_changed_byte_or_too_few)
{
    char path[PATH_SIZE], *bytes = malloc(LARGE);
    keep(1, "one");
    size_t length = load(only_file(path), bytes);
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= 1;
        write_file(path, bytes, length);
        must(!finds(1, NULL), "byte %zu does not count", i);
        bytes[i] ^= 1;
    }
    for (size_t i = 0; i < length; i++) {
        write_file(path, bytes, i);
        must(!finds(1, NULL), "%zu bytes are enough", i);
    }
    write_file(path, bytes, length);
    cr_expect(finds(1, "one"));
    free(bytes);
}

Test(class_cache, replaces_a_damaged_file)
{
    char path[PATH_SIZE];
    keep(1, "one");
    write_file(only_file(path), "damaged", 7);
    keep(2, "two");
    cr_expect(finds(2, "two"));
    cr_expect_not(finds(1, NULL));
}

Test(class_cache, reads_no_file_that_others_may_have_written)
{
    char path[PATH_SIZE], link_path[PATH_SIZE];
    keep(1, "one");
    only_file(path);
    cr_assert_eq(chmod(path, 0620), 0);
    cr_expect_not(finds(1, NULL));
    cr_assert_eq(chmod(path, 0602), 0);
    cr_expect_not(finds(1, NULL));
    cr_assert_eq(chmod(path, 0644), 0);
    cr_expect(finds(1, "one"));
    if (geteuid() == 0) {
        cr_assert_eq(chown(path, 1, (gid_t)-1), 0);
        cr_expect_not(finds(1, NULL));
        cr_assert_eq(chown(path, 0, (gid_t)-1), 0);
    }
    cr_assert_eq(rename(path, scratch_path(link_path, "elsewhere")), 0);
    cr_assert_eq(symlink(link_path, path), 0);
    cr_expect_not(finds(1, NULL));
}

Test(class_cache, leaves_a_folder_alone_that_others_may_write_into)
{
    char path[PATH_SIZE];
    struct class_cache *cache = NULL;
    keep(1, "one");
    const struct class_cache_options options = {
        .folder = scratch_path(path, "a/b"), .kind = kind, .most_in_file = LARGE};
    cr_assert_eq(chmod(path, 0777), 0);
    expect_failure(class_cache_open(&cache, &options, &cause), STATUS_MEANING, 0,
                   "Others may write into this folder");
    cr_expect_null(cache);
}

Test(class_cache, cannot_be_where_a_file_is)
{
    char path[PATH_SIZE];
    struct class_cache *cache = NULL;
    const struct class_cache_options options = {.folder = scratch_path(path, "a"),
                                                .kind = kind};
    write_file(path, "", 0);
    expect_failure(class_cache_open(&cache, &options, &cause), STATUS_IO, 0,
                   "Cannot use this folder for instrumented classes: Not a directory");
}

Test(class_cache, keeps_the_former_file_when_there_is_no_room)
{
    char path[PATH_SIZE];
    keep(1, "one");
    struct class_cache *cache = open_cache();
    char *text = long_text("", 'x', 100000, "");
    add(cache, 2, text);
    limit_files(50000);
    cr_expect_eq(class_cache_save(cache, &cause), STATUS_IO);
    class_cache_free(cache);
    free(text);
    only_file(path);
    cr_expect(finds(1, "one"));
    cr_expect_not(finds(2, NULL));
}

Test(class_cache, survives_the_end_of_its_folder)
{
    char path[PATH_SIZE];
    struct class_cache *cache = open_cache();
    add(cache, 1, "one");
    cr_assert_eq(rmdir(scratch_path(path, "a/b")), 0);
    cr_expect_eq(class_cache_save(cache, &cause), STATUS_IO);
    cr_expect(has(cache, 1, "one"));
    class_cache_free(cache);
}

Test(class_cache, adds_to_what_another_run_has_kept_meanwhile)
{
    keep(1, "one");
    struct class_cache *first = open_cache(), *second = open_cache();
    add(first, 2, "two");
    add(second, 3, "three");
    ok(class_cache_save(first, &cause));
    ok(class_cache_save(second, &cause));
    class_cache_free(first);
    class_cache_free(second);
    cr_expect(finds(1, "one"));
    cr_expect(finds(2, "two"));
    cr_expect(finds(3, "three"));
}

/* Starts a process that makes one run after the other, each of which keeps an entry, and looks
 * whether it finds every entry whole. */
static pid_t start_runs(uint64_t number)
{
    enum { RUNS = 40 };
    pid_t process = fork();
    if (process != 0)
        return process;
    char *text = long_text("", (char)('a' + number), 20000, "");
    bool fits = true;
    for (uint64_t i = 0; i < RUNS; i++) {
        struct class_cache *cache = open_cache();
        for (uint64_t at = 0; at < RUNS; at++)
            fits &=
                !has(cache, number * RUNS + at, NULL) || has(cache, number * RUNS + at, text);
        add(cache, number * RUNS + i, text);
        fits &= class_cache_save(cache, &cause) == STATUS_OK;
        class_cache_free(cache);
    }
    _exit(!fits);
}

Test(class_cache, is_whole_while_several_write)
{
    enum { PROCESSES = 4 };
    char path[PATH_SIZE];
    pid_t processes[PROCESSES];
    keep(999, "first");
    for (uint64_t i = 0; i < PROCESSES; i++)
        processes[i] = start_runs(i);
    for (size_t i = 0; i < PROCESSES; i++)
        await(processes[i]);
    only_file(path);
    keep(1000, "last");
    cr_expect(finds(1000, "last"));
}

Test(class_cache, drops_first_what_the_last_run_did_not_use)
{
    char *text = long_text("", 'x', 1000, "");
    keep(1, text);
    keep(2, text);
    struct class_cache *cache = open_limited(kind, 3500, LARGE);
    cr_expect(has(cache, 1, text));
    add(cache, 3, text);
    add(cache, 4, text);
    cr_expect_null(class_cache_add(cache, key(5), (const uint8_t *)text, 1500));
    ok(class_cache_save(cache, &cause));
    class_cache_free(cache);
    cr_expect(finds(1, text));
    cr_expect_not(finds(2, NULL));
    cr_expect(finds(3, text));
    cr_expect(finds(4, text));
    free(text);
}

Test(class_cache, reads_no_file_that_is_too_large)
{
    char *text = long_text("", 'x', 1000, "");
    keep(1, text);
    struct class_cache *cache = open_limited(kind, 500, LARGE);
    cr_expect_not(has(cache, 1, NULL));
    class_cache_free(cache);
    free(text);
}

/* Sets the time at which the file was last used to `hours` ago. */
static void make_old(const char *name, int64_t hours)
{
    char path[PATH_SIZE], bytes[1000] = {0};
    struct timespec times[2] = {{.tv_sec = time(NULL) - hours * 3600}};
    times[1] = times[0];
    write_file(scratch_path(path, name), bytes, sizeof bytes);
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(const char *name)
{
    char path[PATH_SIZE];
    return access(scratch_path(path, name), F_OK) == 0;
}

Test(class_cache, bounds_its_folder)
{
    static const char *const names[] = {"a/b/00000000000000000000000000000000.classes",
                                        "a/b/00000000000000000000000000000001.classes",
                                        "a/b/00000000000000000000000000000002.classes",
                                        "a/b/0000000000000003.new",
                                        "a/b/0000000000000004.new",
                                        "a/b/foreign"};
    keep(1, "one");
    make_old(names[0], 3);
    make_old(names[1], 5);
    make_old(names[2], 4);
    make_old(names[3], 2);
    make_old(names[4], 0);
    make_old(names[5], 9);
    struct class_cache *cache = open_limited(kind, LARGE, 1500);
    add(cache, 2, "two");
    ok(class_cache_save(cache, &cause));
    class_cache_free(cache);
    cr_expect(finds(1, "one"));
    cr_expect(is_there(names[0]), "the one that was used last");
    cr_expect_not(is_there(names[1]));
    cr_expect_not(is_there(names[2]));
    cr_expect_not(is_there(names[3]), "what a process that is gone has left");
    cr_expect(is_there(names[4]));
    cr_expect(is_there(names[5]));
}

Test(class_cache, folder_follows_the_environment)
{
    char *folder;
    setenv("XDG_CACHE_HOME", "/x", 1);
    setenv("HOME", "/h", 1);
    cr_expect_str_eq(folder = class_cache_folder(), "/x/etmerlin");
    free(folder);
    setenv("XDG_CACHE_HOME", "relative", 1);
    cr_expect_str_eq(folder = class_cache_folder(), "/h/.cache/etmerlin");
    free(folder);
    unsetenv("XDG_CACHE_HOME");
    cr_expect_str_eq(folder = class_cache_folder(), "/h/.cache/etmerlin");
    free(folder);
    unsetenv("HOME");
    cr_expect_null(class_cache_folder());
}
