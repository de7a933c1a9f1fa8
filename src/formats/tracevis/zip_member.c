/* SPDX-License-Identifier: MIT */
/* libarchive reads the archive through callbacks that seek in the source. Only its reader of
 * ZIP by the central directory is used: the one for streams believes local headers, which say
 * nothing of sizes when an archive was written as a stream, and goes on when the end is
 * missing. libarchive warns where a checksum is wrong; here that is a failure. */
#include "formats/tracevis/zip_member.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_SIZE = 64 * 1024 };

struct zip_member {
    struct source *source;
    const char *name;
    char *title;
    struct archive *archive; /* at the member's data; NULL: to be opened again */
    uint64_t position;       /* in the source */
    uint64_t size;           /* of the source */
    struct failure failure;  /* of the source; STATUS_OK: none */
    char input[INPUT_SIZE];
};

bool zip_recognises(const char *head, size_t length)
{
    return length >= 4 && (memcmp(head, "PK\3\4", 4) == 0 || memcmp(head, "PK\5\6", 4) == 0);
}

/* Reports to libarchive that the source failed; why it did is kept. */
static int give_up(struct archive *archive)
{
    archive_set_error(archive, EIO, "the file cannot be read");
    return ARCHIVE_FATAL;
}

static la_ssize_t read_input(struct archive *archive, void *context, const void **bytes)
{
    struct zip_member *member = context;
    size_t got;
    if (source_read(member->source, member->input, INPUT_SIZE, &got, &member->failure) !=
        STATUS_OK)
        return give_up(archive);
    member->position += got;
    *bytes = member->input;
    return (la_ssize_t)got;
}

static la_int64_t seek_input(struct archive *archive, void *context, la_int64_t offset,
                             int whence)
{
    struct zip_member *member = context;
    la_int64_t from = whence == SEEK_SET   ? 0
                      : whence == SEEK_CUR ? (la_int64_t)member->position
                                           : (la_int64_t)member->size;
    la_int64_t to;
    if (__builtin_add_overflow(from, offset, &to) || to < 0)
        to = 0;
    if ((uint64_t)to > member->size)
        to = (la_int64_t)member->size;
    if (source_seek(member->source, (uint64_t)to, &member->failure) != STATUS_OK)
        return give_up(archive);
    member->position = (uint64_t)to;
    return to;
}

/* Says why the archive cannot be read: the source's own failure, or libarchive's words. */
static enum status zip_member_explain(struct zip_member *member, struct failure *why)
{
    if (member->failure.status != STATUS_OK)
        return failure_move(why, &member->failure);
    if (archive_errno(member->archive) == ENOMEM)
        return fail_memory(why);
    const char *text = archive_error_string(member->archive);
    return fail_at(why, STATUS_SYNTAX, member->title, 0, "The ZIP archive cannot be read: %s",
                   text ? text : "it ends early");
}

/* Opens the archive at its central directory. */
static enum status open_archive(struct zip_member *member, struct failure *why)
{
    member->archive = archive_read_new();
    member->position = 0;
    source_rewind(member->source);
    if (!member->archive ||
        archive_read_support_format_zip_seekable(member->archive) != ARCHIVE_OK)
        return fail_memory(why);
    archive_read_set_read_callback(member->archive, read_input);
    archive_read_set_seek_callback(member->archive, seek_input);
    archive_read_set_callback_data(member->archive, member);
    if (archive_read_open1(member->archive) == ARCHIVE_OK)
        return STATUS_OK;
    if (member->failure.status != STATUS_OK)
        return zip_member_explain(member, why);
    return fail_at(why, STATUS_SYNTAX, source_name(member->source), 0,
                   "The ZIP archive has no valid central directory at its end: it is empty, "
                   "was cut off, or something was added to it");
}

/* Goes on to the member's data. Other members may be odd: their warnings are ignored. */
static enum status find_member(struct zip_member *member, struct failure *why)
{
    struct archive_entry *entry;
    int result;
    bool is_java = false;
    while ((result = archive_read_next_header(member->archive, &entry)) == ARCHIVE_OK ||
           result == ARCHIVE_WARN) {
        const char *name = archive_entry_pathname(entry);
        if (name && strcmp(name, member->name) == 0)
            return STATUS_OK;
        is_java = is_java || (name && strcmp(name, "META-INF/MANIFEST.MF") == 0);
    }
    if (result != ARCHIVE_EOF)
        return zip_member_explain(member, why);
    if (is_java)
        return fail_at(why, STATUS_MEANING, source_name(member->source), 0,
                       "This is no trace, but a Java archive: ettrace traces programs, as in "
                       "ettrace -o t.zst -- java -jar %s",
                       source_name(member->source));
    return fail_at(why, STATUS_MEANING, source_name(member->source), 0,
                   "This is no trace: the ZIP archive has no member \"%s\"", member->name);
}

/* Makes sure that the archive is open at the member's data, or at what follows those read. */
static enum status be_open(struct zip_member *member, struct failure *why)
{
    if (member->archive)
        return STATUS_OK;
    enum status status = open_archive(member, why);
    if (status == STATUS_OK)
        status = find_member(member, why);
    if (status != STATUS_OK)
        zip_member_rewind(member);
    return status;
}

enum status zip_member_open(struct zip_member **out, struct source *source, const char *name,
                            struct failure *why)
{
    struct zip_member *member = calloc(1, sizeof *member);
    if (!member)
        return fail_memory(why);
    member->source = source;
    member->name = name;
    enum status status = STATUS_OK;
    if (asprintf(&member->title, "%s(%s)", source_name(source), name) < 0) {
        member->title = NULL;
        status = fail_memory(why);
    }
    if (status == STATUS_OK)
        status = source_keep_copy(source, why);
    if (status == STATUS_OK)
        status = source_size(source, &member->size, why);
    if (status == STATUS_OK)
        status = be_open(member, why);
    if (status != STATUS_OK) {
        zip_member_close(member);
        return status;
    }
    *out = member;
    return STATUS_OK;
}

const char *zip_member_title(const struct zip_member *member)
{
    return member->title;
}

enum status zip_member_read(struct zip_member *member, void *bytes, size_t capacity,
                            size_t *got, struct failure *why)
{
    TRY(be_open(member, why));
    la_ssize_t result = archive_read_data(member->archive, bytes, capacity);
    if (result < 0)
        return zip_member_explain(member, why);
    *got = (size_t)result;
    return STATUS_OK;
}

void zip_member_rewind(struct zip_member *member)
{
    archive_read_free(member->archive);
    member->archive = NULL;
    failure_clear(&member->failure);
}

void zip_member_close(struct zip_member *member)
{
    if (!member)
        return;
    zip_member_rewind(member);
    free(member->title);
    free(member);
}
