/* SPDX-License-Identifier: MIT */
#include "io/sink.h"
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(sink, .fini = scratch_remove);

static struct sink *open_path(const char *path)
{
    struct sink *sink = NULL;
    ok(sink_open(&sink, path, &replacing, &cause));
    return sink;
}

static void put(struct sink *sink, const char *text)
{
    ok(sink_write(sink, text, strlen(text), &cause));
}

static bool exists(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0;
}

static unsigned mode_of(const char *path)
{
    struct stat facts = {.st_mode = 0};
    cr_expect_eq(stat(path, &facts), 0);
    return facts.st_mode & 07777;
}

/* Writes the text to a sink on `path` and commits it. */
static void write_through_sink(const char *path, const char *text)
{
    struct sink *sink = open_path(path);
    put(sink, text);
    ok(sink_commit(sink, &cause));
}

Test(sink, a_file_appears_at_the_commit)
{
    char path[PATH_SIZE];
    struct sink *sink = open_path(scratch_path(path, "out"));
    put(sink, "abc");
    put(sink, "def");
    cr_expect_not(exists(path));
    ok(sink_commit(sink, &cause));
    cr_expect(file_is(path, "abcdef", 6));
    cr_expect_eq(scratch_count(), 1, "the temporary file must be gone");
}

Test(sink, nothing_written_gives_an_empty_file)
{
    char path[PATH_SIZE];
    ok(sink_commit(open_path(scratch_path(path, "out")), &cause));
    cr_expect(file_is(path, "", 0));
}

Test(sink, a_path_in_the_present_folder_works)
{
    char path[PATH_SIZE];
    cr_assert_eq(chdir(scratch_path(path, "")), 0);
    write_through_sink("out", "abc");
    cr_expect(file_is(scratch_path(path, "out"), "abc", 3));
    cr_expect_eq(scratch_count(), 1);
}

/* Whether the file system of the scratch folder makes files without a name. */
static bool has_unnamed_files(void)
{
    char path[PATH_SIZE];
    int file = open(scratch_path(path, ""), O_TMPFILE | O_WRONLY, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

Test(sink, discarding_leaves_nothing)
{
    char path[PATH_SIZE];
    struct sink *sink = open_path(scratch_path(path, "out"));
    put(sink, "abc");
    cr_expect_eq(scratch_count(), has_unnamed_files() ? 0 : 1);
    sink_discard(sink);
    cr_expect_eq(scratch_count(), 0);
    sink_discard(NULL);
}

/* A process that is killed has no time to remove anything. */
Test(sink, nothing_is_left_of_a_process_that_is_killed)
{
    char path[PATH_SIZE];
    int status;
    scratch_path(path, "out");
    if (!has_unnamed_files())
        cr_skip_test("the file system has no files without names");
    pid_t child = fork();
    if (child == 0) {
        struct sink *sink = open_path(path);
        put(sink, "abc");
        ok(sink_end(sink, &cause));
        raise(SIGKILL);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    cr_expect_eq(scratch_count(), 0);
}

/* The number of open descriptors. */
static unsigned count_descriptors(void)
{
    unsigned count = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++)
        count += fcntl(descriptor, F_GETFD) != -1;
    return count;
}

Test(sink, discarded_outputs_leave_no_descriptors)
{
    char path[PATH_SIZE];
    struct sink_options options = replacing;
    scratch_path(path, "out");
    unsigned before = count_descriptors();
    for (int i = 0; i < 100; i++) {
        struct sink *sink = NULL;
        options.compression =
            i % 2 ? (struct compression){.codec = &codec_gzip, .level = 1, .threads = 1}
                  : replacing.compression;
        ok(sink_open(&sink, path, &options, &cause));
        put(sink, "abc");
        if (i % 3 == 0)
            ok(sink_finish(sink, &cause));
        sink_discard(sink);
    }
    expect_number(count_descriptors(), before);
    cr_expect_eq(scratch_count(), 0);
}

Test(sink, an_existing_file_is_replaced_at_the_commit_only)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "out"), "old", 3);
    struct sink *sink = open_path(path);
    put(sink, "new content");
    cr_expect(file_is(path, "old", 3));
    ok(sink_commit(sink, &cause));
    cr_expect(file_is(path, "new content", 11));
}

Test(sink, an_existing_file_outlives_a_discard)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "out"), "old", 3);
    struct sink *sink = open_path(path);
    put(sink, "new content");
    sink_discard(sink);
    cr_expect(file_is(path, "old", 3));
    cr_expect_eq(scratch_count(), 1);
}

Test(sink, a_new_file_has_the_mode_that_the_umask_leaves)
{
    char path[PATH_SIZE];
    umask(027);
    write_through_sink(scratch_path(path, "out"), "abc");
    cr_expect_eq(mode_of(path), 0640);
    cr_expect_eq(umask(027), 027, "the umask must be left alone");
    umask(0);
    write_through_sink(scratch_path(path, "open"), "abc");
    cr_expect_eq(mode_of(path), 0666);
}

Test(sink, an_existing_file_keeps_its_mode)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "out"), "old", 3);
    cr_assert_eq(chmod(path, 0604), 0);
    umask(077);
    write_through_sink(path, "abc");
    cr_expect_eq(mode_of(path), 0604);
}

Test(sink, a_link_stands_for_the_file_behind_it)
{
    char link[PATH_SIZE], target[PATH_SIZE], folder[PATH_SIZE];
    cr_assert_eq(mkdir(scratch_path(folder, "folder"), 0700), 0);
    write_file(scratch_path(target, "folder/target"), "old", 3);
    cr_assert_eq(symlink("folder/target", scratch_path(link, "link")), 0);
    write_through_sink(link, "abc");
    struct stat facts;
    cr_assert_eq(lstat(link, &facts), 0);
    cr_expect(S_ISLNK(facts.st_mode), "the link itself was replaced");
    cr_expect(file_is(target, "abc", 3));
}

Test(sink, a_link_to_a_missing_file_makes_that_file)
{
    char link[PATH_SIZE], target[PATH_SIZE];
    scratch_path(target, "target");
    cr_assert_eq(symlink("target", scratch_path(link, "link")), 0);
    write_through_sink(link, "abc");
    struct stat facts;
    cr_assert_eq(lstat(link, &facts), 0);
    cr_expect(S_ISLNK(facts.st_mode), "the link itself was replaced");
    cr_expect(file_is(target, "abc", 3));
}

Test(sink, links_to_links_to_a_missing_file_make_that_file)
{
    char first[PATH_SIZE], second[PATH_SIZE], third[PATH_SIZE], target[PATH_SIZE];
    char folder[PATH_SIZE];
    cr_assert_eq(mkdir(scratch_path(folder, "folder"), 0700), 0);
    scratch_path(target, "folder/target");
    cr_assert_eq(symlink("target", scratch_path(third, "folder/third")), 0);
    cr_assert_eq(symlink(third, scratch_path(second, "second")), 0);
    cr_assert_eq(symlink("second", scratch_path(first, "first")), 0);
    write_through_sink(first, "abc");
    cr_expect(file_is(target, "abc", 3));
    cr_expect_eq(scratch_count(), 3, "nothing but two links and the folder");
}

Test(sink, links_that_lead_nowhere_are_refused)
{
    char path[PATH_SIZE];
    struct sink *sink = NULL;
    cr_assert_eq(symlink("loop", scratch_path(path, "loop")), 0);
    expect_failure(sink_open(&sink, path, &replacing, &cause), STATUS_IO, 0,
                   "Cannot open: Too many levels of symbolic links");
    cr_assert_eq(symlink("none/out", scratch_path(path, "link")), 0);
    cr_expect_eq(sink_open(&sink, path, &replacing, &cause), STATUS_IO);
    cr_expect_eq(scratch_count(), 2);
}

Test(sink, a_device_is_written_as_it_is)
{
    write_through_sink("/dev/null", "abc");
    struct stat facts;
    cr_assert_eq(stat("/dev/null", &facts), 0);
    cr_expect(S_ISCHR(facts.st_mode));
}

Test(sink, a_named_pipe_is_written_as_it_is)
{
    char path[PATH_SIZE], bytes[10];
    cr_assert_eq(mkfifo(scratch_path(path, "fifo"), 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    cr_assert_geq(reader, 0);
    write_through_sink(path, "abc");
    cr_expect_eq(read(reader, bytes, sizeof bytes), 3);
    cr_expect(memcmp(bytes, "abc", 3) == 0);
    cr_expect_eq(scratch_count(), 1);
}

/* Shells name pipes in this way for >(...), and /dev/stdout is such a name. */
Test(sink, a_pipe_named_by_its_descriptor_is_written_as_it_is)
{
    int ends[2];
    char path[PATH_SIZE], bytes[10];
    cr_assert_eq(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    write_through_sink(path, "abc");
    cr_expect_eq(read(ends[0], bytes, sizeof bytes), 3);
    cr_expect(memcmp(bytes, "abc", 3) == 0);
}

/* Makes standard output a pipe; returns the end to read from. */
static int pipe_from_output(void)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    redirect(STDOUT_FILENO, ends[1]);
    return ends[0];
}

Test(sink, standard_output_is_written_and_closed)
{
    char bytes[10];
    int reader = pipe_from_output();
    struct sink *sink = open_path(NULL);
    put(sink, "abc");
    ok(sink_commit(sink, &cause));
    cr_expect_eq(read(reader, bytes, sizeof bytes), 3);
    cr_expect(memcmp(bytes, "abc", 3) == 0);
    cr_expect_eq(fcntl(STDOUT_FILENO, F_GETFD), -1, "an error at its close would be missed");
}

Test(sink, a_dash_means_standard_output)
{
    char bytes[10], path[PATH_SIZE];
    int reader = pipe_from_output();
    cr_assert_eq(chdir(scratch_path(path, "")), 0);
    write_through_sink("-", "abc");
    cr_expect_eq(read(reader, bytes, sizeof bytes), 3);
    cr_expect_eq(scratch_count(), 0);
}

Test(sink, what_is_discarded_does_not_reach_standard_output)
{
    char byte;
    int reader = pipe_from_output();
    struct sink *sink = open_path("-");
    put(sink, "abc");
    sink_discard(sink);
    close(STDOUT_FILENO);
    cr_expect_eq(read(reader, &byte, 1), 0);
}

Test(sink, a_full_disk_is_found_at_the_commit_at_the_latest)
{
    struct sink *sink = open_path("/dev/full");
    put(sink, "abc");
    expect_failure(sink_commit(sink, &cause), STATUS_IO, 0,
                   "Cannot write: No space left on device");
    cr_expect_str_eq(cause.file, "/dev/full");
}

Test(sink, a_full_disk_is_found_at_a_large_write)
{
    enum { LENGTH = 10000000 };
    char *bytes = calloc(1, LENGTH);
    cr_assert_not_null(bytes);
    struct sink *sink = open_path("/dev/full");
    expect_failure(sink_write(sink, bytes, LENGTH, &cause), STATUS_IO, 0,
                   "Cannot write: No space left on device");
    sink_discard(sink);
    free(bytes);
}

Test(sink, a_full_standard_output_is_found)
{
    redirect(STDOUT_FILENO, open("/dev/full", O_WRONLY));
    struct sink *sink = open_path(NULL);
    put(sink, "abc");
    expect_failure(sink_commit(sink, &cause), STATUS_IO, 0,
                   "Cannot write: No space left on device");
    cr_expect_str_eq(cause.file, "(standard output)");
}

Test(sink, a_file_that_does_not_fit_leaves_the_old_one)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "out"), "old", 3);
    struct sink *sink = open_path(path);
    put(sink, "a new content that is longer than ten bytes");
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 10;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    enum status status = sink_commit(sink, &cause);
    limit.rlim_cur = limit.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(status, STATUS_IO);
    cr_expect_str_eq(cause.text, "Cannot write: File too large");
    cr_expect_str_eq(cause.file, path);
    cr_expect(file_is(path, "old", 3));
    cr_expect_eq(scratch_count(), 1, "the temporary file must be gone");
}

Test(sink, a_name_that_was_taken_meanwhile_leaves_no_temporary_file)
{
    char path[PATH_SIZE];
    struct sink *sink = open_path(scratch_path(path, "out"));
    put(sink, "abc");
    cr_assert_eq(mkdir(path, 0700), 0);
    cr_expect_eq(sink_commit(sink, &cause), STATUS_IO);
    cr_expect_str_eq(cause.file, path);
    cr_expect_eq(scratch_count(), 1);
}

Test(sink, a_directory_is_refused)
{
    char path[PATH_SIZE];
    struct sink *sink = NULL;
    expect_failure(sink_open(&sink, scratch_path(path, ""), &replacing, &cause), STATUS_IO, 0,
                   "Cannot write: Is a directory");
    cr_expect_str_eq(cause.file, path);
}

Test(sink, a_file_in_a_missing_folder_is_refused)
{
    char path[PATH_SIZE];
    struct sink *sink = NULL;
    cr_expect_eq(sink_open(&sink, scratch_path(path, "none/out"), &replacing, &cause),
                 STATUS_IO);
    cr_expect_str_eq(cause.file, path);
    cr_expect_not_null(strstr(cause.text, "There is no folder"));
}

Test(sink, an_empty_name_is_refused)
{
    char path[PATH_SIZE];
    struct sink *sink = NULL;
    cr_assert_eq(chdir(scratch_path(path, "")), 0);
    enum status status = sink_open(&sink, "", &replacing, &cause);
    cr_expect_eq(status, STATUS_IO, "it is found out only at the commit");
    if (status == STATUS_OK)
        sink_discard(sink);
}

Test(sink, a_file_that_may_not_be_written_is_refused)
{
    char path[PATH_SIZE], folder[PATH_SIZE];
    struct sink *sink = NULL;
    write_file(scratch_path(path, "out"), "old", 3);
    cr_assert_eq(chmod(path, 0444), 0);
    cr_assert_eq(chmod(scratch_path(folder, ""), 0777), 0);
    /* The superuser may write all files, so a child process gives that up. The parent has to
     * remove the folder. */
    pid_t process = fork();
    cr_assert_geq(process, 0);
    if (process == 0) {
        bool ready = (geteuid() != 0 || setuid(65534) == 0) && exists(path);
        bool refused = sink_open(&sink, path, &replacing, &cause) == STATUS_IO;
        _exit(
            !(ready && refused && strcmp(cause.text, "Cannot write: Permission denied") == 0));
    }
    await(process);
}

Test(sink, writes_of_all_sizes_keep_their_order)
{
    static const size_t sizes[] = {1,      0,      262143, 1,      262144, 262145, 7,
                                   131072, 131072, 131073, 600000, 3,      262144, 262143};
    enum { ROOM = 3000000 };
    char *bytes = malloc(ROOM), path[PATH_SIZE];
    cr_assert_not_null(bytes);
    uint64_t seed = 1;
    for (size_t i = 0; i < ROOM; i++)
        bytes[i] = (char)random_below(&seed, 256);
    struct sink *sink = open_path(scratch_path(path, "out"));
    size_t written = 0;
    for (size_t i = 0; i < ITEMS(sizes); i++) {
        ok(sink_write(sink, bytes + written, sizes[i], &cause));
        written += sizes[i];
    }
    ok(sink_commit(sink, &cause));
    cr_assert_leq(written, ROOM);
    cr_expect(file_is(path, bytes, written));
    free(bytes);
}

/* Expects that a sink on `path` cannot be opened, for this reason. */
static void expect_refused(const char *path, const struct sink_options *options,
                           const char *text)
{
    struct sink *sink = NULL;
    expect_failure(sink_open(&sink, path, options, &cause), STATUS_MEANING, 0, text);
    cr_expect_null(sink);
}

Test(sink, an_existing_file_is_not_replaced_without_force)
{
    static const struct sink_options careful = {.input = -1};
    static const struct sink_options in_place = {.in_place = true, .input = -1};
    char path[PATH_SIZE];
    write_file(scratch_path(path, "out"), "old", 3);
    expect_refused(path, &careful, "The file is there already; --force replaces it");
    expect_refused(path, &in_place, "The file is there already; --force replaces it");
    cr_expect(file_is(path, "old", 3));
    cr_expect_eq(scratch_count(), 1);
}

Test(sink, a_file_that_appears_meanwhile_is_not_replaced_without_force)
{
    static const struct sink_options careful = {.input = -1};
    char path[PATH_SIZE];
    struct sink *sink = NULL;
    ok(sink_open(&sink, scratch_path(path, "out"), &careful, &cause));
    put(sink, "abc");
    write_file(path, "other", 5);
    cr_expect_eq(sink_commit(sink, &cause), STATUS_IO);
    cr_expect(file_is(path, "other", 5));
    cr_expect_eq(scratch_count(), 1, "the temporary file must be gone");
}

Test(sink, the_input_is_replaced_only_in_place)
{
    char path[PATH_SIZE], link[PATH_SIZE];
    write_file(scratch_path(path, "trace"), "old", 3);
    cr_assert_eq(symlink("trace", scratch_path(link, "link")), 0);
    struct sink_options options = {
        .force = true, .could_be_in_place = true, .input = open(path, O_RDONLY)};
    expect_refused(path, &options, "This is the input; --in-place replaces it");
    options.could_be_in_place = false;
    expect_refused(link, &options, "This is the input, and the output would take its place");
    options = (struct sink_options){.in_place = true, .input = options.input};
    struct sink *sink = NULL;
    ok(sink_open(&sink, link, &options, &cause));
    put(sink, "new");
    cr_expect(file_is(path, "old", 3));
    ok(sink_commit(sink, &cause));
    cr_expect(file_is(path, "new", 3));
}

Test(sink, standard_output_that_goes_to_the_input_is_refused)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "trace"), "old", 3);
    struct sink_options options = {.force = true, .input = open(path, O_RDONLY)};
    redirect(STDOUT_FILENO, open(path, O_WRONLY | O_APPEND));
    expect_refused(NULL, &options, "The output would go to the trace itself");
    cr_expect(file_is(path, "old", 3));
}

Test(sink, a_finished_sink_can_be_read_under_its_temporary_name)
{
    char path[PATH_SIZE];
    struct sink *sink = open_path(scratch_path(path, "out"));
    put(sink, "abc");
    ok(sink_finish(sink, &cause));
    cr_expect_str_eq(sink_name(sink), path);
    cr_assert_not_null(sink_temporary(sink));
    cr_expect(file_is(sink_temporary(sink), "abc", 3));
    cr_expect_not(exists(path));
    ok(sink_commit(sink, &cause));
    cr_expect(file_is(path, "abc", 3));
    cr_expect_eq(scratch_count(), 1);
}

Test(sink, what_is_written_as_it_is_has_no_temporary_name)
{
    struct sink *sink = open_path("/dev/null");
    cr_expect_null(sink_temporary(sink));
    cr_expect_str_eq(sink_name(sink), "/dev/null");
    sink_discard(sink);
}

/* Root can test more: a replaced file still belongs to another user. */
Test(sink, a_replaced_file_keeps_its_owner_and_group)
{
    bool is_root = geteuid() == 0;
    uid_t user = is_root ? 1234 : geteuid();
    gid_t group = is_root ? 4321 : getegid();
    char path[PATH_SIZE];
    struct stat facts;
    write_file(scratch_path(path, "file"), "old", 3);
    cr_assert_eq(chown(path, user, group), 0);
    struct sink *sink = open_path(path);
    put(sink, "new");
    ok(sink_commit(sink, &cause));
    cr_assert_eq(stat(path, &facts), 0);
    expect_number(facts.st_uid, user);
    expect_number(facts.st_gid, group);
}

Test(sink, may_have_the_descriptor_of_standard_input)
{
    close(STDIN_FILENO);
    struct sink *sink = open_path("/dev/null");
    must(fcntl(STDIN_FILENO, F_GETFD) >= 0, "another descriptor is taken");
    put(sink, "abc");
    ok(sink_commit(sink, &cause));
    must(fcntl(STDIN_FILENO, F_GETFD) < 0, "the descriptor is left");
}

Test(sink, nothing_is_left_when_the_program_is_to_end)
{
    static struct interrupt interrupt = {.descriptor = -1};
    static const char bytes[1000000];
    struct sink_options options = {.force = true, .input = -1, .interrupt = &interrupt};
    char path[PATH_SIZE];
    struct sink *sink = NULL;
    write_file(scratch_path(path, "out"), "old", 3);
    ok(sink_open(&sink, path, &options, &cause));
    put(sink, "abc");
    interrupt.signal = SIGTERM;
    cr_expect_eq(sink_write(sink, bytes, sizeof bytes, &cause), STATUS_INTERRUPTED);
    sink_discard(sink);
    interrupt.signal = 0;
    ok(sink_open(&sink, path, &options, &cause));
    put(sink, "abc");
    interrupt.signal = SIGTERM;
    cr_expect_eq(sink_commit(sink, &cause), STATUS_INTERRUPTED);
    cr_expect(file_is(path, "old", 3));
    cr_expect_eq(scratch_count(), 1);
}

static void *no_encoder(int level, unsigned threads)
{
    (void)level;
    (void)threads;
    return NULL;
}

Test(sink, without_memory_for_an_encoder_there_is_none)
{
    static const struct codec codec = {.name = "none", .encoder_new = no_encoder};
    struct sink_options options = replacing;
    struct sink *sink = NULL;
    char path[PATH_SIZE];
    options.compression = (struct compression){.codec = &codec, .level = 1, .threads = 1};
    enum status status = sink_open(&sink, scratch_path(path, "file"), &options, &cause);
    if (status == STATUS_OK) {
        status = sink_write(sink, "x", 1, &cause);
        sink_discard(sink);
    }
    cr_expect_eq(status, STATUS_MEMORY);
    cr_expect_not(exists(path));
}
