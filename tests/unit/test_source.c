/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(source, .fini = scratch_remove);

static struct source *open_path(const char *path)
{
    struct source *source = NULL;
    ok(source_open(&source, path, NULL, &cause));
    return source;
}

/* Expects that the source gives these bytes, and then nothing however often it is read. */
static void expect_rest(struct source *source, size_t piece, const void *bytes, size_t length)
{
    char *found = malloc(length + 10);
    cr_assert_not_null(found);
    cr_expect_eq(read_all(source, found, length + 10, piece), length);
    cr_expect(memcmp(found, bytes, length) == 0);
    cr_expect_eq(read_all(source, found, 10, 10), 0);
    free(found);
}

static void expect_text(struct source *source, size_t piece, const char *text)
{
    expect_rest(source, piece, text, strlen(text));
}

static void fill_randomly(char *bytes, size_t length)
{
    uint64_t seed = length;
    for (size_t i = 0; i < length; i++)
        bytes[i] = (char)random_below(&seed, 256);
}

Test(source, a_file_is_read_in_pieces_to_its_end)
{
    struct source *source = source_from("0123456789");
    expect_text(source, 3, "0123456789");
    source_close(source);
}

Test(source, an_empty_file_ends_at_once)
{
    struct source *source = source_from("");
    expect_text(source, 3, "");
    source_close(source);
}

Test(source, a_file_is_read_again_after_rewinding)
{
    struct source *source = source_from("0123456789");
    char bytes[4];
    size_t got = 0;
    ok(source_read(source, bytes, 4, &got, &cause));
    cr_expect_eq(got, 4);
    source_rewind(source);
    expect_text(source, 100, "0123456789");
    source_rewind(source);
    expect_text(source, 1, "0123456789");
    source_close(source);
}

Test(source, is_named_by_its_path)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "a.trace"), "abc", 3);
    struct source *source = open_path(path);
    cr_expect_str_eq(source_name(source), path);
    source_close(source);
}

Test(source, a_missing_file_is_refused)
{
    char path[PATH_SIZE];
    struct source *source = NULL;
    expect_failure(source_open(&source, scratch_path(path, "none"), NULL, &cause), STATUS_IO, 0,
                   "Cannot open: No such file or directory");
    cr_expect_str_eq(cause.file, path);
}

Test(source, a_directory_is_refused)
{
    char path[PATH_SIZE];
    struct source *source = NULL;
    expect_failure(source_open(&source, scratch_path(path, ""), NULL, &cause), STATUS_IO, 0,
                   "Cannot read: Is a directory");
    cr_expect_str_eq(cause.file, path);
}

Test(source, a_directory_on_standard_input_is_refused)
{
    char path[PATH_SIZE];
    struct source *source = NULL;
    redirect(STDIN_FILENO, open(scratch_path(path, ""), O_RDONLY));
    expect_failure(source_open(&source, "-", NULL, &cause), STATUS_IO, 0,
                   "Cannot read: Is a directory");
    cr_expect_str_eq(cause.file, "(standard input)");
}

Test(source, a_closed_standard_input_is_refused)
{
    struct source *source = NULL;
    close(STDIN_FILENO);
    expect_failure(source_open(&source, NULL, NULL, &cause), STATUS_IO, 0,
                   "Cannot read: Bad file descriptor");
}

Test(source, standard_input_that_cannot_be_read_fails_at_the_read)
{
    char path[PATH_SIZE], byte;
    size_t got;
    redirect(STDIN_FILENO, open(scratch_path(path, "file"), O_WRONLY | O_CREAT, 0600));
    struct source *source = open_path(NULL);
    expect_failure(source_read(source, &byte, 1, &got, &cause), STATUS_IO, 0,
                   "Cannot read: Bad file descriptor");
    cr_expect_str_eq(cause.file, "(standard input)");
    source_close(source);
}

Test(source, a_file_on_standard_input_is_read_from_its_position_on)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "file"), "head tail", 9);
    redirect(STDIN_FILENO, open(path, O_RDONLY));
    cr_assert_eq(lseek(STDIN_FILENO, 5, SEEK_SET), 5);
    struct source *source = open_path("-");
    expect_text(source, 3, "tail");
    source_rewind(source);
    expect_text(source, 100, "tail");
    source_close(source);
}

/* Makes standard input a pipe that holds `text`. */
static void pipe_to_input(const char *text)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    redirect(STDIN_FILENO, ends[0]);
}

Test(source, a_pipe_on_standard_input_can_be_read_twice)
{
    pipe_to_input("0123456789");
    struct source *source = open_path(NULL);
    cr_expect_str_eq(source_name(source), "(standard input)");
    expect_text(source, 3, "0123456789");
    source_rewind(source);
    expect_text(source, 4, "0123456789");
    source_close(source);
}

Test(source, a_pipe_rewound_before_its_end_is_read_on_behind_its_copy)
{
    pipe_to_input("0123456789");
    struct source *source = open_path("-");
    char bytes[4];
    size_t got = 0;
    ok(source_read(source, bytes, 4, &got, &cause));
    cr_expect_eq(got, 4);
    source_rewind(source);
    expect_text(source, 3, "0123456789");
    source_rewind(source);
    expect_text(source, 100, "0123456789");
    source_close(source);
}

Test(source, closing_leaves_standard_input_open)
{
    pipe_to_input("0123456789");
    struct source *source = open_path("-");
    char bytes[4];
    size_t got = 0;
    ok(source_read(source, bytes, 4, &got, &cause));
    source_close(source);
    cr_expect_geq(read(STDIN_FILENO, bytes, 2), 0);
}

Test(source, a_named_pipe_larger_than_its_buffer_can_be_read_twice)
{
    enum { LENGTH = 300001 };
    static char bytes[LENGTH];
    fill_randomly(bytes, LENGTH);
    char path[PATH_SIZE];
    cr_assert_eq(mkfifo(scratch_path(path, "fifo"), 0600), 0);
    pid_t writer = fork();
    cr_assert_geq(writer, 0);
    if (writer == 0) {
        int descriptor = open(path, O_WRONLY);
        await(start_writer(descriptor, bytes, LENGTH, 4099));
        _exit(0);
    }
    struct source *source = open_path(path);
    cr_expect_str_eq(source_name(source), path);
    expect_rest(source, 10007, bytes, LENGTH);
    source_rewind(source);
    expect_rest(source, 65536, bytes, LENGTH);
    source_close(source);
    await(writer);
}

/* Shells name pipes in this way for <(...). */
Test(source, a_pipe_named_by_its_descriptor_can_be_read_twice)
{
    int ends[2];
    char path[PATH_SIZE];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "0123456789", 10), 10);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    struct source *source = open_path(path);
    close(ends[0]);
    expect_text(source, 3, "0123456789");
    source_rewind(source);
    expect_text(source, 100, "0123456789");
    source_close(source);
}

Test(source, a_device_without_bytes_is_empty)
{
    struct source *source = open_path("/dev/null");
    expect_text(source, 10, "");
    source_close(source);
}

Test(source, a_pipe_needs_a_folder_for_its_copy)
{
    char path[PATH_SIZE];
    struct source *source = NULL;
    pipe_to_input("abc");
    char byte;
    size_t got;
    struct source_options options = {.temporary.path = scratch_path(path, "none")};
    ok(source_open(&source, "-", &options, &cause));
    expect_failure(source_read(source, &byte, 1, &got, &cause), STATUS_IO, 0,
                   "There is no folder of this name for temporary files: --tmpdir or TMPDIR "
                   "names another");
    cr_expect_str_eq(cause.file, path);
    source_close(source);
}

Test(source, a_file_needs_no_copy)
{
    char path[PATH_SIZE], folder[PATH_SIZE];
    struct source *source = NULL;
    write_file(scratch_path(path, "file"), "abc", 3);
    ok(source_open(&source, path,
                   &(struct source_options){.temporary.path = scratch_path(folder, "none")},
                   &cause));
    expect_text(source, 10, "abc");
    source_close(source);
}

Test(source, a_file_that_is_cut_short_ends_early)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "file"), "0123456789", 10);
    struct source *source = open_path(path);
    expect_text(source, 100, "0123456789");
    cr_assert_eq(truncate(path, 4), 0);
    source_rewind(source);
    expect_text(source, 100, "0123");
    source_close(source);
}

Test(source, a_pipe_without_a_copy_is_refused)
{
    static const struct source_options options = {.spool = SPOOL_NEVER};
    struct source *source = NULL;
    char byte;
    size_t got;
    pipe_to_input("abc");
    enum status status = source_open(&source, "-", &options, &cause);
    if (status == STATUS_OK)
        status = source_read(source, &byte, 1, &got, &cause);
    expect_failure(status, STATUS_MEANING, 0,
                   "This cannot be read twice, and no copy of it is allowed");
    source_close(source);
}

Test(source, a_copy_of_a_file_outlives_the_file)
{
    static const struct source_options options = {.spool = SPOOL_ALWAYS};
    struct source *source = NULL;
    char path[PATH_SIZE];
    write_file(scratch_path(path, "file"), "0123456789", 10);
    ok(source_open(&source, path, &options, &cause));
    expect_text(source, 3, "0123456789");
    cr_assert_eq(truncate(path, 4), 0);
    source_rewind(source);
    expect_text(source, 4, "0123456789");
    source_close(source);
}

Test(source, nothing_is_read_when_the_program_is_to_end)
{
    static struct interrupt interrupt = {.descriptor = -1};
    static const struct source_options options = {.interrupt = &interrupt};
    struct source *source = NULL;
    char path[PATH_SIZE], byte;
    size_t got;
    write_file(scratch_path(path, "file"), "0123456789", 10);
    ok(source_open(&source, path, &options, &cause));
    ok(source_read(source, &byte, 1, &got, &cause));
    interrupt.signal = 15;
    cr_expect_eq(source_read(source, &byte, 1, &got, &cause), STATUS_INTERRUPTED);
    interrupt.signal = 0;
    expect_text(source, 100, "123456789");
    source_close(source);
}

Test(source, knows_how_far_the_reading_is)
{
    struct source *source = source_from("0123456789");
    char bytes[4];
    size_t got;
    ok(source_read(source, bytes, 4, &got, &cause));
    struct source_progress progress = source_progress(source);
    expect_number(progress.done, 4);
    expect_number(progress.total, 10);
    expect_number(progress.bytes, 4);
    source_rewind(source);
    ok(source_read(source, bytes, 3, &got, &cause));
    progress = source_progress(source);
    expect_number(progress.done, 3);
    expect_number(progress.bytes, 3);
    source_close(source);
}

Test(source, files_that_others_read_count_in_the_progress)
{
    struct source *source = source_from("0123456789");
    char bytes[4];
    size_t got;
    ok(source_read(source, bytes, 4, &got, &cause));
    source_count_others(source, 100, 1000);
    struct source_progress progress = source_progress(source);
    expect_number(progress.done, 104);
    expect_number(progress.total, 1010);
    expect_number(progress.bytes, 104);
    source_count_others(source, 0, 1000);
    progress = source_progress(source);
    expect_number(progress.done, 4);
    expect_number(progress.total, 1010);
    expect_number(progress.bytes, 4);
    source_close(source);
}

/* Compresses the text with the codec into the file `name`, and writes its path to `path`. */
static void write_at_level(char *path, const char *name, const struct codec *codec, int level,
                           const char *text, size_t length)
{
    struct sink_options options = replacing;
    struct sink *sink = NULL;
    options.compression = (struct compression){.codec = codec, .level = level, .threads = 1};
    ok(sink_open(&sink, scratch_path(path, name), &options, &cause));
    ok(sink_write(sink, text, length, &cause));
    ok(sink_commit(sink, &cause));
}

static void write_compressed(char *path, const char *name, const struct codec *codec,
                             const char *text, size_t length)
{
    write_at_level(path, name, codec, codec->level_default, text, length);
}

static const struct codec *const codecs[] = {&codec_gzip, &codec_bzip2, &codec_xz, &codec_zstd};

Test(source, compressed_files_are_read_plain_and_twice)
{
    enum { LENGTH = 1000001 };
    char *text = malloc(LENGTH), path[PATH_SIZE];
    uint64_t seed = 1;
    unsigned tried = 0;
    cr_assert_not_null(text);
    for (size_t i = 0; i < LENGTH; i++)
        text[i] = "NMEU 0123456789\n"[random_below(&seed, 16)];
    for (size_t i = 0; i < ITEMS(codecs); i++) {
        if (!codecs[i]->can_encode)
            continue;
        tried++;
        write_compressed(path, codecs[i]->name, codecs[i], text, LENGTH);
        cr_expect_not(file_is(path, text, LENGTH));
        struct source *source = open_path(path);
        expect_rest(source, 10007, text, LENGTH);
        source_rewind(source);
        expect_rest(source, 65536, text, LENGTH);
        source_close(source);
    }
    cr_expect_gt(tried, 1);
    free(text);
}

/* At the lowest level an encoder buffers the least: it takes no more input until its output has
 * been written. */
Test(source, one_piece_may_be_more_than_an_encoder_takes_at_once)
{
    enum { LENGTH = 3000001 };
    char *bytes = malloc(LENGTH), path[PATH_SIZE];
    uint64_t seed = 1;
    cr_assert_not_null(bytes);
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = (char)random_below(&seed, 256);
    for (size_t i = 0; i < ITEMS(codecs); i++) {
        if (!codecs[i]->can_encode)
            continue;
        write_at_level(path, codecs[i]->name, codecs[i], codecs[i]->level_min, bytes, LENGTH);
        struct source *source = open_path(path);
        expect_rest(source, 65536, bytes, LENGTH);
        source_close(source);
    }
    free(bytes);
}

/* Levels reach the encoder: only a high one finds a repetition far apart. */
Test(source, a_higher_level_compresses_more)
{
    enum { LENGTH = 1000001, PERIOD = LENGTH / 2 };
    char *text = malloc(LENGTH), low[PATH_SIZE], high[PATH_SIZE];
    uint64_t seed = 1;
    cr_assert_not_null(text);
    for (size_t i = 0; i < LENGTH; i++)
        text[i] = i < PERIOD ? "NMEU 0123456789\n"[random_below(&seed, 4)] : text[i - PERIOD];
    for (size_t i = 0; i < ITEMS(codecs); i++) {
        struct stat about[2];
        if (!codecs[i]->can_encode)
            continue;
        write_at_level(low, "low", codecs[i], codecs[i]->level_min, text, LENGTH);
        write_at_level(high, "high", codecs[i], codecs[i]->level_default + 3, text, LENGTH);
        must(stat(low, &about[0]) == 0 && stat(high, &about[1]) == 0, "no file");
        cr_expect_lt(about[1].st_size, about[0].st_size, "%s", codecs[i]->name);
    }
    free(text);
}

/* Appends a copy of its content to the file. */
static void double_file(const char *path)
{
    static char bytes[100000];
    FILE *file = fopen(path, "r+b");
    size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    must(length > 0 && length < sizeof bytes && fseek(file, 0, SEEK_END) == 0 &&
             fwrite(bytes, 1, length, file) == length && fclose(file) == 0,
         "the file cannot be doubled");
}

Test(source, compressed_files_may_follow_one_another)
{
    char path[PATH_SIZE];
    for (size_t i = 0; i < ITEMS(codecs); i++) {
        if (!codecs[i]->can_encode)
            continue;
        write_compressed(path, codecs[i]->name, codecs[i], "0123456789", 10);
        double_file(path);
        struct source *source = open_path(path);
        expect_rest(source, 100, "01234567890123456789", 20);
        source_close(source);
    }
}

Test(source, compressed_data_that_end_too_early_are_a_fault)
{
    enum { LENGTH = 100000 };
    static char text[LENGTH], found[LENGTH];
    char path[PATH_SIZE];
    fill_randomly(text, LENGTH);
    for (size_t i = 0; i < ITEMS(codecs); i++) {
        if (!codecs[i]->can_encode)
            continue;
        write_compressed(path, codecs[i]->name, codecs[i], text, LENGTH);
        struct stat facts;
        cr_assert_eq(stat(path, &facts), 0);
        cr_assert_eq(truncate(path, facts.st_size - 1), 0);
        struct source *source = open_path(path);
        enum status status = STATUS_OK;
        size_t got = 1;
        while (status == STATUS_OK && got > 0)
            status = source_read(source, found, LENGTH, &got, &cause);
        cr_expect_eq(status, STATUS_SYNTAX, "%s", codecs[i]->name);
        source_close(source);
    }
}

/* Changes every byte of the second quarter of a file. */
static void damage_file(const char *path)
{
    static uint8_t bytes[100000];
    FILE *file = fopen(path, "r+b");
    size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    for (size_t i = length / 4; i < length / 2; i++)
        bytes[i] ^= 0xff;
    must(length > 100 && length < sizeof bytes && fseek(file, 0, SEEK_SET) == 0 &&
             fwrite(bytes, 1, length, file) == length && fclose(file) == 0,
         "the file cannot be damaged");
}

Test(source, damaged_data_are_refused_with_the_words_of_the_library)
{
    enum { LENGTH = 20000 };
    static char text[LENGTH], found[LENGTH];
    char path[PATH_SIZE], begin[100];
    uint64_t seed = 1;
    for (size_t i = 0; i < LENGTH; i++)
        text[i] = (char)('a' + random_below(&seed, 26));
    for (size_t i = 0; i < ITEMS(codecs); i++) {
        if (!codecs[i]->can_encode)
            continue;
        write_compressed(path, codecs[i]->name, codecs[i], text, LENGTH);
        damage_file(path);
        struct source *source = open_path(path);
        enum status status = STATUS_OK;
        size_t got = 1;
        while (status == STATUS_OK && got > 0)
            status = source_read(source, found, LENGTH, &got, &cause);
        cr_expect_eq(status, STATUS_SYNTAX, "%s", codecs[i]->name);
        snprintf(begin, sizeof begin, "The %s data are damaged; decoding stopped at byte ",
                 codecs[i]->name);
        cr_expect(strncmp(cause.text, begin, strlen(begin)) == 0, "%s", cause.text);
        const char *words = strstr(cause.text, " of the compressed data: ");
        must(words && strlen(words) > 30 && !strstr(words, "(null)"), "%s", cause.text);
        source_close(source);
    }
}

/* Appends the bytes to a compressed file and reads it; returns the status at the end. */
static enum status read_with_tail(const char *tail, size_t length)
{
    char path[PATH_SIZE], found[100];
    write_compressed(path, "tail.gz", &codec_gzip, "0123456789", 10);
    FILE *file = fopen(path, "ab");
    must(file && fwrite(tail, 1, length, file) == length && fclose(file) == 0, "tail");
    struct source *source = open_path(path);
    enum status status = STATUS_OK;
    size_t got = 1, count = 0;
    while (status == STATUS_OK && got > 0) {
        status = source_read(source, found, sizeof found, &got, &cause);
        count += got;
    }
    expect_number(count, 10);
    source_close(source);
    return status;
}

Test(source, zeros_may_follow_gzip_and_nothing_behind_them)
{
    enum { ZEROS = 300000 }; /* more than one reading takes */
    static char tail[ZEROS + 1];
    cr_expect_eq(read_with_tail(tail, 1), STATUS_OK);
    cr_expect_eq(read_with_tail(tail, ZEROS), STATUS_OK);
    tail[ZEROS] = 'x';
    cr_expect_eq(read_with_tail(tail, ZEROS + 1), STATUS_SYNTAX);
    cr_expect_eq(read_with_tail(tail + ZEROS - 1, 2), STATUS_SYNTAX);
    cr_expect_eq(read_with_tail(tail + ZEROS, 1), STATUS_SYNTAX);
    /* After zeros, the beginning of another member is garbage, too. */
    static const char member[] = {0, 0, 0x1f, (char)0x8b, 8};
    cr_expect_eq(read_with_tail(member, sizeof member), STATUS_SYNTAX);
}

/* Zeros are padding after a member, but not within one. */
Test(source, compressed_data_that_have_become_zeros_are_refused)
{
    static const struct source_options options = {.spool = SPOOL_NEVER};
    static const char zeros[1000];
    char path[PATH_SIZE], found[100];
    size_t got;
    struct source *source = NULL;
    write_compressed(path, "zeros.gz", &codec_gzip, "0123456789", 10);
    ok(source_open(&source, path, &options, &cause));
    expect_text(source, 100, "0123456789");
    write_file(path, zeros, sizeof zeros);
    source_rewind(source);
    expect_failure(source_read(source, found, sizeof found, &got, &cause), STATUS_SYNTAX, 0,
                   "The gzip data are followed by something else, at byte 0 of the "
                   "compressed data");
    source_close(source);
}
