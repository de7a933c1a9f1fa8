/* SPDX-License-Identifier: MIT */
/* Values of options, and the suggestions for mistyped ones. */
#include "base/number.h"
#include "base/options.h"
#include "cli/options/option_table.h"

#include <criterion/criterion.h>
#include <string.h>

static size_t distance(const char *wrong, const char *right)
{
    return suggest_distance(wrong, strlen(wrong), right);
}

Test(suggest, counts_changes)
{
    cr_expect_eq(distance("verify", "verify"), 0);
    cr_expect_eq(distance("verfy", "verify"), 1);
    cr_expect_eq(distance("verrify", "verify"), 1);
    cr_expect_eq(distance("verifi", "verify"), 1);
    cr_expect_eq(distance("veirfy", "verify"), 1);
    cr_expect_eq(distance("", "verify"), 6);
    cr_expect_eq(distance("verify", ""), 6);
    cr_expect_eq(distance("kitten", "sitting"), 3);
}

Test(suggest, looks_at_no_more_than_the_length)
{
    cr_expect_eq(suggest_distance("verify=yes", 6, "verify"), 0);
}

Test(suggest, survives_long_words)
{
    char word[1000];
    memset(word, 'x', sizeof word);
    cr_expect_eq(suggest_distance(word, sizeof word, "y"), 31);
}

Test(suggest, names_the_nearest_word_if_it_may_be_meant)
{
    struct suggestion suggestion = {.wrong = "tumb=4", .length = 4};
    cr_expect_null(suggestion_word(&suggestion));
    suggestion_offer(&suggestion, "trace");
    cr_expect_null(suggestion_word(&suggestion));
    suggestion_offer(&suggestion, "thumb");
    suggestion_offer(&suggestion, "dumb");
    cr_expect_str_eq(suggestion_word(&suggestion), "thumb");
}

static void expect_size(const char *word, uint64_t bytes)
{
    struct failure why = {.status = STATUS_OK};
    uint64_t got = 0;
    cr_expect_eq(parse_size(word, &got, &why), STATUS_OK, "%s", word);
    cr_expect_eq(got, bytes, "%s", word);
    failure_clear(&why);
}

Test(values, reads_sizes)
{
    expect_size("1", 1);
    expect_size("3K", 3072);
    expect_size("2M", 2097152);
    expect_size("20G", UINT64_C(21474836480));
    expect_size("1T", UINT64_C(1099511627776));
    expect_size("18446744073709551615", UINT64_MAX);
}

Test(values, refuses_what_is_no_size)
{
    static const char *const words[] = {"",
                                        "K",
                                        "0",
                                        "0K",
                                        "-1",
                                        "1.5G",
                                        "1k",
                                        "1KB",
                                        "1 G",
                                        "G1",
                                        "18446744073709551616",
                                        "16777216T",
                                        "x"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct failure why = {.status = STATUS_OK};
        uint64_t got;
        cr_expect_eq(parse_size(words[i], &got, &why), STATUS_MEANING, "%s", words[i]);
        failure_clear(&why);
    }
}

Test(values, reads_compressions)
{
    static const struct {
        const char *word, *codec;
        int level;
    } good[] = {{"zstd", "zstd", 3},
                {"zstd:22", "zstd", 22},
                {"gzip:1", "gzip", 1},
                {"xz:0", "xz", 0},
                {"none", NULL, 0}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct failure why = {.status = STATUS_OK};
        struct compression how;
        cr_expect_eq(parse_compression(good[i].word, &how, &why), STATUS_OK);
        cr_expect_str_eq(how.codec ? how.codec->name : "-",
                         good[i].codec ? good[i].codec : "-");
        cr_expect_eq(how.level, good[i].level);
    }
}

Test(values, refuses_what_is_no_compression)
{
    static const char *const bad[] = {"",        "bzip2",  "zst",    "zstd:",  "zstd:0",
                                      "zstd:23", "gzip:0", "xz:10",  "none:1", "zstd:x",
                                      "gzip:1x", "zstd 3", "zstd:-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct failure why = {.status = STATUS_OK};
        struct compression how;
        cr_expect_eq(parse_compression(bad[i], &how, &why), STATUS_MEANING, "%s", bad[i]);
        failure_clear(&why);
    }
}
