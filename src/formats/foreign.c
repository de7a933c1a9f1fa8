/* SPDX-License-Identifier: MIT */
/* Files that are often given in place of a trace are known by their first bytes. To read
 * what it is helps more than a list of what it could have been. */
#include "formats/foreign.h"

#include "base/text.h"

#include <string.h>

static const struct foreign_kind {
    const char *magic;
    size_t length; /* of it */
    size_t at;     /* where it stands */
    const char *looks;
    const char *advice; /* NULL: there is none */
} foreign_kinds[] = {
    {"\x04\"M\x18", 4, 0, "data compressed with lz4",
     "decompress it first, as in lz4 -dc FILE | etmerlin"},
    {"\x1f\x9d", 2, 0, "data compressed with compress",
     "decompress it first, as in zcat FILE | etmerlin"},
    {"7z\xbc\xaf\x27\x1c", 6, 0, "a 7z archive", "take the trace out of it first"},
    {"Rar!", 4, 0, "a RAR archive", "take the trace out of it first"},
    {"\xef\xbb\xbf", 3, 0, "text with a byte order mark",
     "take its 3 bytes off, as in tail -c +4 FILE | etmerlin"},
    {"\xff\xfe", 2, 0, "text in UTF-16", "convert it first, as in iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", 2, 0, "text in UTF-16", "convert it first, as in iconv -f UTF-16 -t UTF-8"},
    {"version https://git-lfs", 23, 0, "a pointer of Git LFS", "git lfs pull gets the file"},
    {"<", 1, 0, "a page of the web or another document with markup",
     "it may have been saved in place of the trace"},
    {"JAVA PROFILE", 12, 0, "a heap dump of HPROF", NULL},
    {"FLR", 4, 0, "a recording of Java Flight Recorder", NULL},
    {"\xca\xfe\xba\xbe", 4, 0, "a Java class", NULL},
    {"\x7f"
     "ELF",
     4, 0, "a program or library", NULL},
    {"%PDF", 4, 0, "a PDF document", NULL},
};

/* A tar archive begins with a block that has a sum of its bytes, in octal, in which the sum
 * itself counts as blanks. Old ones have no magic number. */
static bool is_tar(const char *head, size_t length)
{
    enum { BLOCK = 512, SUM_AT = 148, SUM_LENGTH = 8 };
    unsigned sum = SUM_LENGTH * ' ', stated = 0;
    size_t at = SUM_AT;
    if (length < BLOCK || *head == '\0')
        return false;
    for (size_t i = 0; i < BLOCK; i++)
        sum += i < SUM_AT || i >= SUM_AT + SUM_LENGTH ? (unsigned char)head[i] : 0;
    while (at < SUM_AT + SUM_LENGTH && head[at] == ' ')
        at++;
    for (; at < SUM_AT + SUM_LENGTH && head[at] >= '0' && head[at] <= '7'; at++)
        stated = stated * 8 + (unsigned)(head[at] - '0');
    return stated == sum;
}

static const struct foreign_kind *find_foreign_kind(const char *head, size_t length)
{
    static const struct foreign_kind tar = {"", 0, 0, "a tar archive",
                                            "take the trace out of it first"};
    if (is_tar(head, length))
        return &tar;
    for (size_t i = 0; i < sizeof foreign_kinds / sizeof *foreign_kinds; i++) {
        const struct foreign_kind *kind = &foreign_kinds[i];
        if (length >= kind->at + kind->length &&
            memcmp(head + kind->at, kind->magic, kind->length) == 0)
            return kind;
    }
    return NULL;
}

bool foreign_is_certain(const char *head, size_t length)
{
    return is_tar(head, length) || (length >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0);
}

enum status foreign_refuse(const char *name, const char *head, size_t length,
                           const char *formats, struct failure *why)
{
    const struct foreign_kind *kind = find_foreign_kind(head, length);
    char quote[TEXT_QUOTE_SIZE];
    if (kind && kind->advice)
        return fail_at(why, STATUS_MEANING, name, 0, "This is no trace: it looks like %s; %s",
                       kind->looks, kind->advice);
    if (kind)
        return fail_at(why, STATUS_MEANING, name, 0,
                       "This is no trace: it looks like %s. What can be read is %s",
                       kind->looks, formats);
    const char *feed = memchr(head, '\n', length);
    size_t line = feed ? (size_t)(feed - head) : length;
    return fail_at(why, STATUS_MEANING, name, 0,
                   "This is no trace: no record begins like %s. What can be read is %s",
                   text_quote(quote, head, text_line_length(head, line)), formats);
}
