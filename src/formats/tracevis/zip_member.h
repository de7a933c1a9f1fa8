/* SPDX-License-Identifier: MIT */
/* A member of a ZIP archive: its bytes, in order, as often as one likes. */
#ifndef ETMERLIN_FORMATS_TRACEVIS_ZIP_MEMBER_H
#define ETMERLIN_FORMATS_TRACEVIS_ZIP_MEMBER_H

#include "base/status.h"
#include "io/source.h"

#include <stdbool.h>
#include <stddef.h>

struct zip_member;

/* Whether data that begin with the `length` bytes at `head` are a ZIP archive. */
bool zip_recognises(const char *head, size_t length);

/* Opens the first member that is called just `name` of the archive that `source` holds, which
 * must outlive *out; `name` must, too. The archive's central directory shows where it is.
 * STATUS_SYNTAX: the archive is damaged or cut off; STATUS_MEANING: it has no such member.
 * The caller owns *out (zip_member_close). */
enum status zip_member_open(struct zip_member **out, struct source *source, const char *name,
                            struct failure *why) MUST_CHECK;

/* For messages: ARCHIVE(NAME). */
const char *zip_member_title(const struct zip_member *member);

/* Reads the next bytes of the member, at most `capacity` of them, into `bytes`; *got = 0 only
 * at the end. STATUS_SYNTAX: they are damaged, or compressed in a way that cannot be read. */
enum status zip_member_read(struct zip_member *member, void *bytes, size_t capacity,
                            size_t *got, struct failure *why) MUST_CHECK;

/* The next zip_member_read starts at the first byte again. */
void zip_member_rewind(struct zip_member *member);

/* NULL is allowed. */
void zip_member_close(struct zip_member *member);

#endif
