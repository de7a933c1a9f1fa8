/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "formats/tracevis/zip_member.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(zip_member, .fini = scratch_remove);

struct bytes {
    uint8_t data[4096];
    size_t length;
};

static void put(struct bytes *bytes, uint64_t value, unsigned width)
{
    for (; width > 0; width--, value >>= 8)
        bytes->data[bytes->length++] = (uint8_t)value;
}

static void put_text(struct bytes *bytes, const char *text)
{
    memcpy(bytes->data + bytes->length, text, strlen(text));
    bytes->length += strlen(text);
}

/* Appends the fields that a stored member has in its local header and in the central directory.
 */
static void put_facts(struct bytes *bytes, const char *name, const char *content)
{
    size_t length = strlen(content);
    put(bytes, 20, 2);
    put(bytes, 0, 2);
    put(bytes, 0, 2);
    put(bytes, UINT64_C(0x5c210000), 4);
    put(bytes, crc32(0, (const Bytef *)content, (uInt)length), 4);
    put(bytes, length, 4);
    put(bytes, length, 4);
    put(bytes, strlen(name), 2);
    put(bytes, 0, 2);
}

/* Makes an archive of two stored members; the second one has this name and content. */
static struct bytes archive(const char *name, const char *content)
{
    static const char other[] = "other";
    struct bytes bytes = {.length = 0};
    const char *names[] = {other, name}, *contents[] = {"PK\3\4 is no header here", content};
    size_t offsets[2], directory;
    for (size_t i = 0; i < 2; i++) {
        offsets[i] = bytes.length;
        put_text(&bytes, "PK\3\4");
        put_facts(&bytes, names[i], contents[i]);
        put_text(&bytes, names[i]);
        put_text(&bytes, contents[i]);
    }
    directory = bytes.length;
    for (size_t i = 0; i < 2; i++) {
        put_text(&bytes, "PK\1\2");
        put(&bytes, 20, 2);
        put_facts(&bytes, names[i], contents[i]);
        put(&bytes, 0, 10);
        put(&bytes, offsets[i], 4);
        put_text(&bytes, names[i]);
    }
    size_t size = bytes.length - directory;
    put_text(&bytes, "PK\5\6");
    put(&bytes, 0, 4);
    put(&bytes, 2, 2);
    put(&bytes, 2, 2);
    put(&bytes, size, 4);
    put(&bytes, directory, 4);
    put(&bytes, 0, 2);
    return bytes;
}

/* Expects that the rest of the member is `content`, read at most `piece` bytes at a time. */
static void expect_content(struct zip_member *member, const char *content, size_t piece)
{
    char found[4096];
    size_t length = 0, got;
    do {
        ok(zip_member_read(member, found + length, piece, &got, &cause));
        length += got;
    } while (got > 0);
    cr_expect_eq(length, strlen(content));
    cr_expect_arr_eq(found, content, strlen(content));
}

Test(zip_member, is_read_as_often_as_one_likes)
{
    struct bytes bytes = archive("trace", "What is in it.");
    struct source *source = source_of(bytes.data, bytes.length);
    struct zip_member *member = NULL;
    ok(zip_member_open(&member, source, "trace", &cause));
    for (size_t piece = 1; piece < 20; piece++) {
        expect_content(member, "What is in it.", piece);
        zip_member_rewind(member);
    }
    char some[4];
    size_t got;
    ok(zip_member_read(member, some, sizeof some, &got, &cause));
    zip_member_rewind(member);
    expect_content(member, "What is in it.", 3);
    zip_member_close(member);
    source_close(source);
}

Test(zip_member, comes_through_a_pipe)
{
    struct bytes bytes = archive("trace", "What is in it.");
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t writer = start_writer(ends[1], bytes.data, bytes.length, 5);
    close(ends[1]);
    redirect(STDIN_FILENO, ends[0]);
    struct source *source = NULL;
    struct zip_member *member = NULL;
    ok(source_open(&source, "-", NULL, &cause));
    ok(zip_member_open(&member, source, "trace", &cause));
    cr_expect_str_eq(zip_member_title(member), "(standard input)(trace)");
    expect_content(member, "What is in it.", 7);
    zip_member_rewind(member);
    expect_content(member, "What is in it.", 7);
    await(writer);
    zip_member_close(member);
    source_close(source);
}

/* Opens the archive as a source that is compressed once more. */
static struct source *open_compressed(const struct bytes *bytes, enum spool_mode when)
{
    struct source_options options = {.spool = when};
    char path[PATH_SIZE];
    gzFile file = gzopen(scratch_path(path, "archive.gz"), "wb");
    cr_assert_eq(gzwrite(file, bytes->data, (unsigned)bytes->length), (int)bytes->length);
    cr_assert_eq(gzclose(file), Z_OK);
    struct source *source = NULL;
    ok(source_open(&source, path, &options, &cause));
    return source;
}

Test(zip_member, within_compressed_data_takes_a_copy_of_them)
{
    static const enum spool_mode with[] = {SPOOL_AUTO, SPOOL_ALWAYS},
                                 without[] = {SPOOL_ONCE, SPOOL_NEVER};
    struct bytes bytes = archive("trace", "What is in it.");
    for (size_t i = 0; i < ITEMS(with); i++) {
        struct source *source = open_compressed(&bytes, with[i]);
        struct zip_member *member = NULL;
        ok(zip_member_open(&member, source, "trace", &cause));
        expect_content(member, "What is in it.", 5);
        zip_member_close(member);
        source_close(source);
    }
    for (size_t i = 0; i < ITEMS(without); i++) {
        struct source *source = open_compressed(&bytes, without[i]);
        struct zip_member *member = NULL;
        expect_failure(zip_member_open(&member, source, "trace", &cause), STATUS_MEANING, 0,
                       "An archive within gzip data takes a copy of them, and none is allowed");
        source_close(source);
    }
}

Test(zip_member, must_be_there)
{
    struct bytes bytes = archive("traces", "x");
    struct source *source = source_of(bytes.data, bytes.length);
    struct zip_member *member = NULL;
    expect_failure(zip_member_open(&member, source, "trace", &cause), STATUS_MEANING, 0,
                   "This is no trace: the ZIP archive has no member \"trace\"");
    cr_expect_null(member);
    source_close(source);
}

Test(zip_member, needs_the_central_directory)
{
    struct bytes bytes = archive("trace", "What is in it.");
    for (size_t length = 4; length < bytes.length; length++) {
        struct source *source = source_of(bytes.data, length);
        struct zip_member *member = NULL;
        must(zip_member_open(&member, source, "trace", &cause) == STATUS_SYNTAX,
             "the first %zu bytes are taken for an archive", length);
        source_close(source);
    }
}

Test(zip_member, with_a_wrong_checksum_is_damaged)
{
    struct bytes bytes = archive("trace", "What is in it.");
    uint8_t *content = memmem(bytes.data, bytes.length, "What", 4);
    cr_assert_not_null(content);
    *content = 'T';
    struct source *source = source_of(bytes.data, bytes.length);
    struct zip_member *member = NULL;
    char found[100];
    size_t got;
    ok(zip_member_open(&member, source, "trace", &cause));
    enum status status;
    do
        status = zip_member_read(member, found, sizeof found, &got, &cause);
    while (status == STATUS_OK && got > 0);
    cr_expect_eq(status, STATUS_SYNTAX);
    cr_expect(strstr(cause.text, "The ZIP archive cannot be read: ZIP bad CRC") == cause.text,
              "%s", cause.text);
    zip_member_close(member);
    source_close(source);
}

Test(zip_member, archives_are_recognised_by_their_first_bytes)
{
    cr_expect(zip_recognises("PK\3\4...", 7));
    cr_expect(zip_recognises("PK\5\6", 4));
    cr_expect_not(zip_recognises("PK\3", 3));
    cr_expect_not(zip_recognises("PK\1\2", 4));
    cr_expect_not(zip_recognises("VS:1", 4));
}
