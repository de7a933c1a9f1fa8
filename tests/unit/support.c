/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "io/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const struct sink_options replacing = {.force = true, .input = -1};
struct failure cause;

/* Tests ask for more memory than there is; without this AddressSanitizer would end them. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

void expect_death_ticks(const struct deaths *deaths, uint64_t first, uint64_t second)
{
    struct death_cursor *cursor;
    uint64_t tick = 0;
    ok(death_cursor_open(&cursor, deaths, &cause));
    ok(death_cursor_skip_tick(cursor, &tick, &cause));
    expect_number(tick, first);
    ok(death_cursor_skip_tick(cursor, &tick, &cause));
    expect_number(tick, second);
    cr_expect_eq(death_cursor_skip_tick(cursor, &tick, &cause), STATUS_END);
    cr_expect_eq(death_cursor_skip_tick(cursor, &tick, &cause), STATUS_END);
    death_cursor_close(cursor);
}

uint64_t random_below(uint64_t *state, uint64_t bound)
{
    /* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" */
    uint64_t mixed = *state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (mixed ^ (mixed >> 31)) % bound;
}

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static char scratch[PATH_SIZE / 2];

char *scratch_path(char *path, const char *name)
{
    if (!*scratch) {
        snprintf(scratch, sizeof scratch, "%s/etmerlin-unit-XXXXXX", temporary_folder());
        cr_assert_not_null(mkdtemp(scratch));
    }
    snprintf(path, PATH_SIZE, *name ? "%s/%s" : "%s", scratch, name);
    return path;
}

static int remove_entry(const char *path, const struct stat *facts, int type, struct FTW *place)
{
    (void)facts;
    (void)type;
    (void)place;
    return remove(path);
}

void scratch_remove(void)
{
    if (*scratch)
        nftw(scratch, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    *scratch = '\0';
}

size_t scratch_count(void)
{
    char path[PATH_SIZE];
    DIR *folder = opendir(scratch_path(path, ""));
    cr_assert_not_null(folder);
    size_t count = 0;
    const struct dirent *entry;
    while ((entry = readdir(folder)))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

int unnamed_file(void)
{
    struct stat facts;
    for (int descriptor = 3; descriptor < 256; descriptor++)
        if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 0 &&
            facts.st_size > 0)
            return descriptor;
    cr_assert_fail("there is no temporary file");
    return -1;
}

void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    cr_assert_eq(fclose(file), 0);
}

bool file_is(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    char *found = malloc(length + 1);
    cr_assert_not_null(found);
    bool same =
        fread(found, 1, length + 1, file) == length && memcmp(found, bytes, length) == 0;
    free(found);
    fclose(file);
    return same;
}

void redirect(int standard, int descriptor)
{
    cr_assert_eq(dup2(descriptor, standard), standard);
    close(descriptor);
}

pid_t start_writer(int descriptor, const void *bytes, size_t length, size_t piece)
{
    pid_t process = fork();
    cr_assert_geq(process, 0);
    if (process > 0)
        return process;
    const char *from = bytes;
    int error = 0;
    for (size_t done = 0; done < length && !error; done += piece)
        error = descriptor_write(descriptor, from + done,
                                 length - done < piece ? length - done : piece, NULL);
    _exit(error);
}

void await(pid_t process)
{
    int status;
    cr_assert_eq(waitpid(process, &status, 0), process);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

struct source *source_of(const void *bytes, size_t length)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/etmerlin-unit-XXXXXX", temporary_folder());
    int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    int error = descriptor_write(descriptor, bytes, length, NULL);
    close(descriptor);
    struct source *source = NULL;
    enum status status = source_open(&source, path, NULL, &cause);
    unlink(path);
    cr_assert_eq(error, 0);
    ok(status);
    return source;
}

struct source *source_from(const char *text)
{
    return source_of(text, strlen(text));
}

size_t read_all(struct source *source, void *bytes, size_t capacity, size_t piece)
{
    size_t length = 0, got;
    do {
        size_t room = capacity - length;
        got = 0;
        ok(source_read(source, (char *)bytes + length, room < piece ? room : piece, &got,
                       &cause));
        length += got;
    } while (got > 0);
    return length;
}

const struct reader_options thread_dialect = {.dialect = DIALECT_THREAD};
const struct reader_options time_dialect = {.dialect = DIALECT_TIME};

void pass(struct passed *passed, const char *text, const struct reader_options *options,
          enum held_by held_by)
{
    pass_source(passed, source_from(text), options, held_by);
}

void pass_source(struct passed *passed, struct source *source,
                 const struct reader_options *options, enum held_by held_by)
{
    *passed = (struct passed){.source = source};
    struct batch batch = BATCH_EMPTY;
    enum status status;
    ok(formats_open_reader(&passed->reader, passed->source, options, &cause));
    ok(pass_init(&passed->pass, held_by, passed->reader->explicit_time, &cause));
    while ((status = reader_next(passed->reader, &batch, &cause)) == STATUS_OK)
        ok(pass_add(&passed->pass, &batch, &cause));
    must(status == STATUS_END, "the trace is bad: %s", cause.text);
    passed->digest = reader_digest(passed->reader);
    batch_free(&batch);
}

void passed_free(struct passed *passed)
{
    pass_free(&passed->pass);
    reader_close(passed->reader);
    source_close(passed->source);
    *passed = (struct passed){.source = NULL};
}

char *long_text(const char *prefix, char byte, size_t count, const char *suffix)
{
    size_t before = strlen(prefix), after = strlen(suffix);
    char *text = malloc(before + count + after + 1);
    cr_assert_not_null(text);
    memcpy(text, prefix, before);
    memset(text + before, byte, count);
    memcpy(text + before + count, suffix, after + 1);
    return text;
}

void limit_files(uint64_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

bool limit_memory(uint64_t bytes)
{
    enum { MORE = 64 * 1024 * 1024 };
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = bytes;
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    void *volatile more = malloc(bytes + MORE); /* volatile, or the compiler leaves it out */
    free(more);
    return !more;
}

/* The linker leads calls of realloc here (--wrap). */

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static _Atomic unsigned failing;

void fail_reallocations(unsigned count)
{
    failing = count;
}

void *__wrap_realloc(void *memory, size_t size)
{
    unsigned left = failing;
    if (!left)
        return __real_realloc(memory, size);
    failing = left - 1;
    errno = ENOMEM;
    return NULL;
}

struct batch read_trace(const char *text, const struct reader_options *options)
{
    struct source *source = source_from(text);
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY, rest = BATCH_EMPTY;
    ok(formats_open_reader(&reader, source, options, &cause));
    ok(reader_next(reader, &batch, &cause));
    cr_assert_eq(reader_next(reader, &rest, &cause), STATUS_END);
    batch_free(&rest);
    reader_close(reader);
    source_close(source);
    return batch;
}
