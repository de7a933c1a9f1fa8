/* SPDX-License-Identifier: MIT */
/* The registry of codecs. Content decides about input, because names lie;
 * the name decides about output, because there is nothing else to go by. */
#include "io/codec/codec.h"

#include <string.h>

static const struct codec *const codecs[] = {&codec_zstd, &codec_gzip, &codec_xz, &codec_bzip2};

enum { CODECS = sizeof codecs / sizeof *codecs };

const struct codec *codec_of_content(const uint8_t *head, size_t length)
{
    for (size_t i = 0; i < CODECS; i++)
        if (length > 0 && codecs[i]->recognises(head, length))
            return codecs[i];
    return NULL;
}

/* The first bytes of what others compress with: frames of lz4, its old ones (lz4 -l), and so
 * on.
 */
static const struct foreign_content {
    const char *magic;
    size_t length;
    const char *name;
    const char *command;
} foreign_contents[] = {
    {"\x04\x22M\x18", 4, "lz4", "lz4 -dc FILE"},
    {"\x02!L\x18", 4, "lz4", "lz4 -dc FILE"},
    {"\x89LZO\0", 5, "lzop", "lzop -dc FILE"},
    {"\xff\x06\0\0sN", 6, "snappy", "snzip -dc FILE"},
    {"LZIP\1", 5, "lzip", "lzip -dc FILE"},
};

const char *codec_unreadable(const uint8_t *head, size_t length, const char **command)
{
    for (size_t i = 0; i < sizeof foreign_contents / sizeof *foreign_contents; i++) {
        const struct foreign_content *foreign = &foreign_contents[i];
        *command = foreign->command;
        if (length >= foreign->length && memcmp(head, foreign->magic, foreign->length) == 0)
            return foreign->name;
    }
    return NULL;
}

const struct codec *codec_of_path(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < CODECS; i++) {
        size_t suffix = strlen(codecs[i]->suffix);
        if (length > suffix && strcmp(path + length - suffix, codecs[i]->suffix) == 0)
            return codecs[i];
    }
    return NULL;
}

/* Suffixes of what others compress with. */
static const char *const foreign_suffixes[] = {"lz4", "lzma", "lzo", "lz",  "br",
                                               "Z",   "zip",  "7z",  "rar", "sz"};

const char *codec_unwritable(const char *path)
{
    const struct codec *codec = codec_of_path(path);
    const char *dot = strrchr(path, '.');
    if (codec)
        return codec->can_encode ? NULL : codec->name;
    for (size_t i = 0; dot && i < sizeof foreign_suffixes / sizeof *foreign_suffixes; i++)
        if (strcmp(dot + 1, foreign_suffixes[i]) == 0)
            return foreign_suffixes[i];
    return NULL;
}

const struct codec *codec_of_name(const char *name, size_t length)
{
    for (size_t i = 0; i < CODECS; i++)
        if (strlen(codecs[i]->name) == length && memcmp(codecs[i]->name, name, length) == 0)
            return codecs[i];
    return NULL;
}

bool codec_has_magic(const uint8_t *head, size_t length, const char *magic, size_t magic_length)
{
    return memcmp(head, magic, length < magic_length ? length : magic_length) == 0;
}
