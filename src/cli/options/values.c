/* SPDX-License-Identifier: MIT */
/* Parses values that have a notation of their own. Messages name the option if only one has
 * such values. */
#include "cli/options/values.h"

#include "base/number.h"

#include <sched.h>
#include <string.h>

unsigned processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static enum status parse_level(const char *word, struct compression *compression,
                               struct failure *why)
{
    const struct codec *codec = compression->codec;
    uint64_t level;
    if (number_parse(word, strlen(word), &level) != NUMBER_OK ||
        level < (uint64_t)codec->level_min || level > (uint64_t)codec->level_max)
        return fail(why, STATUS_MEANING, "The level of %s cannot be \"%s\": it is %d to %d",
                    codec->name, word, codec->level_min, codec->level_max);
    compression->level = (int)level;
    return STATUS_OK;
}

static void set_codec(struct compression *compression, const struct codec *codec)
{
    compression->codec = codec;
    compression->level = codec ? codec->level_default : 0;
}

enum status parse_compression(const char *word, struct compression *compression,
                              struct failure *why)
{
    size_t length = strcspn(word, ":");
    const struct codec *codec = codec_of_name(word, length);
    bool is_none = strcmp(word, "none") == 0;
    if (!is_none && (!codec || !codec->can_encode))
        return fail(why, STATUS_MEANING,
                    "--compress cannot be \"%s\": it is zstd, gzip or xz, perhaps with :LEVEL, "
                    "or none",
                    word);
    set_codec(compression, codec);
    return word[length] == ':' ? parse_level(word + length + 1, compression, why) : STATUS_OK;
}

static enum status refuse_compression(const char *path, const char *name, bool has_choice,
                                      struct failure *why)
{
    return fail_at(why, STATUS_MEANING, path, 0, "There is no %s output; %s", name,
                   has_choice
                       ? "--compress sets another compression"
                       : "let the name end with .zst, .gz or .xz, or with none of these");
}

enum status choose_codec(const char *path, struct compression *compression, struct failure *why)
{
    const struct codec *codec = path ? codec_of_path(path) : NULL;
    if (codec && !codec->can_encode)
        return refuse_compression(path, codec->name, true, why);
    set_codec(compression, codec);
    return STATUS_OK;
}

enum status choose_compression(const char *path, bool has_choice,
                               struct compression *compression, struct failure *why)
{
    const char *unwritable = path ? codec_unwritable(path) : NULL;
    if (unwritable)
        return refuse_compression(path, unwritable, has_choice, why);
    set_codec(compression, path ? codec_of_path(path) : NULL);
    return STATUS_OK;
}

enum status parse_violations(const char *words, violation_set *set, struct failure *why)
{
    for (;;) {
        enum violation violation;
        size_t length = strcspn(words, ",");
        if (violation_find(words, length, &violation))
            *set |= (violation_set)1 << violation;
        else if (!validate_note_find(words, length))
            return fail(why, STATUS_MEANING, "--ignore: \"%.*s\" is not a kind of violation",
                        (int)length, words);
        if (words[length] == '\0')
            return STATUS_OK;
        words += length + 1;
    }
}
