/* SPDX-License-Identifier: MIT */
#include "formats/lifetimes/hatf.h"
#include "support.h"

#include <string.h>

/* The beginning and the events of an example file. */
#define PROLOGUE                                                                               \
    "\x0b\x01\x01\x08\x0b\x02\x03\x00\x0b\x01\x03\x04\x0b\x02\x02\x00\x0b\x01\x02\x08"         \
    "\x0b\x02\x05\x00\x0b\x01\x05\x09"
static const char example[] =
    PROLOGUE "\x08\0\0\0\x01\0\0\0\0\0\0\0\0\0"
             "\0\0\0\0\x20\0\0\0\0\0\0\x03\xe9\0\0\0\x01\0\0\0\0\0\0\0\x05\x0c"
             "\0\0\0\x06\0\0\0\x3a\0\0\0\0"
             "\x01\0\0\0\0\0\0\x03\xe9\0\0\0\x01\0\0\0\0\0\0\0\x14\0"
             "\x09\0\0\0\x01\0\0\0\0\0\0\0\x1e\0";

/* The state of the file that is being decoded. */
static struct hatf_state state;
static struct load load;

static void open_bytes(const void *bytes, size_t length)
{
    hatf_state_init(&state, false);
    load = load_from(bytes, length);
}

#define open_string(string) open_bytes(string, sizeof(string) - 1)

static struct hatf_record decode(void)
{
    struct hatf_record record;
    must(hatf_decode(&state, &load, &record) == HATF_OK, "%zu bytes before the end",
         load_left(&load));
    return record;
}

static enum hatf_result fail_to_decode(void)
{
    struct hatf_record record;
    return hatf_decode(&state, &load, &record);
}

static uint64_t decode_number(enum hatf_field field)
{
    struct hatf_record record = decode();
    return record.numbers[field];
}

static void skip(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        decode();
}

Test(hatf_codec, the_example_is_decoded)
{
    open_string(example);
    skip(7);
    struct hatf_record record = decode();
    expect_number(record.tag, HATF_CREATE_THREAD);
    expect_number(record.numbers[HATF_THREAD], 1);
    record = decode();
    expect_number(record.tag, HATF_ALLOC);
    expect_number(record.numbers[HATF_SIZE], 32);
    expect_number(record.numbers[HATF_ADDRESS], 1001);
    expect_number(record.numbers[HATF_THREAD], 1);
    expect_number(record.numbers[HATF_HEAP], 0);
    expect_number(record.numbers[HATF_TIME], 5);
    expect_number(record.data_length, 12);
    cr_expect_eq(memcmp(record.data, "\0\0\0\x06\0\0\0\x3a\0\0\0\0", 12), 0);
    record = decode();
    expect_number(record.tag, HATF_FREE);
    expect_number(record.numbers[HATF_ADDRESS], 1001);
    expect_number(record.numbers[HATF_TIME], 20);
    expect_number(record.data_length, 0);
    record = decode();
    expect_number(record.tag, HATF_DESTROY_THREAD);
    expect_number(record.numbers[HATF_TIME], 30);
    expect_number(load_left(&load), 0);
}

/* Decodes a file, encodes it again, and expects the same bytes. */
static void expect_same_again(const char *bytes, size_t length, bool little_endian)
{
    static uint8_t again[4096 + HATF_LONGEST];
    struct hatf_state decoding, encoding;
    hatf_state_init(&decoding, little_endian);
    hatf_state_init(&encoding, little_endian);
    struct load rest = load_from(bytes, length);
    size_t written = 0;
    while (load_left(&rest) > 0) {
        struct hatf_record record;
        must(hatf_decode(&decoding, &rest, &record) == HATF_OK, "at byte %zu",
             length - load_left(&rest));
        written += hatf_encode(&encoding, &record, again + written);
        must(written == length - load_left(&rest), "at byte %zu", written);
    }
    cr_expect_eq(memcmp(again, bytes, length), 0);
}

Test(hatf_codec, what_was_decoded_is_encoded_byte_for_byte)
{
    static const char little[] = "\x0b\x02\x02\x00\x0b\x01\x02\x02"
                                 "\x00\x01\x02\0\0\x07\0\0\0\x34\x12";
    static const char records[] = "\x0b\x02\x04\x00\x0b\x01\x04\x01" /* heap none, 1 byte */
                                  "\x06\x05"
                                  "\x02\0\0\0\x10\0\0\x01\0\0\0\x02\0\x05"
                                  "\x0a\0\x03xyz"
                                  "\x07\x05";
    static const char attributes[] = "\x0b\x02\x05\x00\x0b\x01\x05\x0a" /* V2 */
                                     "\x01\0\0\0\x01\0\x02zz"
                                     "\x0b\x01\x05\x02" /* 2 bytes */
                                     "\x01\0\0\0\x01yy"
                                     "\x0b\x02\x05\x01\0\0\0\0\0\0\0\0" /* default: absent */
                                     "\x01\0\0\0\x01";
    expect_same_again(example, sizeof example - 1, false);
    expect_same_again(little, sizeof little - 1, true);
    expect_same_again(attributes, sizeof attributes - 1, false);
    expect_same_again(records, sizeof records - 1, false);
}

Test(hatf_codec, fields_of_all_kinds_of_records)
{
    open_string("\x0b\x02\x04\x00\x0b\x01\x04\x01" /* heap none, 1 byte */
                "\x0b\x02\x03\x00\x0b\x01\x03\x01" /* thread none, 1 byte */
                "\x06\x05\x09"
                "\x04\0\0\0\x10\0\0\x01\0\0\0\x02\0\x09\x05"
                "\x07\x05\x09");
    skip(4);
    struct hatf_record record = decode();
    expect_number(record.tag, HATF_CREATE_HEAP);
    expect_number(record.numbers[HATF_HEAP], 5);
    expect_number(record.numbers[HATF_THREAD], 9);
    record = decode();
    expect_number(record.tag, HATF_REALLOC + 2);
    expect_number(record.numbers[HATF_SIZE], 16);
    expect_number(record.old_address, 0x100);
    expect_number(record.numbers[HATF_ADDRESS], 0x200);
    expect_number(record.numbers[HATF_THREAD], 9);
    expect_number(record.numbers[HATF_HEAP], 5);
    record = decode();
    expect_number(record.tag, HATF_DESTROY_HEAP);
    expect_number(record.numbers[HATF_HEAP], 5);
    expect_number(load_left(&load), 0);
}

Test(hatf_codec, a_stride_begins_behind_its_initial_value)
{
    open_string("\x0b\x02\x01\x04\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\0\x10"
                "\0\0\0\0\x10"
                "\0\0\0\0\x10");
    skip(1);
    expect_number(decode_number(HATF_ADDRESS), 0x1010);
    expect_number(decode_number(HATF_ADDRESS), 0x1020);
    expect_number(load_left(&load), 0);
}

Test(hatf_codec, offsets_and_differences_are_signed_and_sums_wrap)
{
    open_string("\x0b\x02\x01\x02\0\0\0\0\0\0\0\x01\x0b\x01\x01\x01" /* base 1, 1 byte */
                "\x01\xfe"
                "\x01\x7f"
                "\x0b\x02\x01\x03\xff\xff\xff\xff\xff\xff\xff\xff" /* delta from 2^64-1 */
                "\x01\x02"
                "\x01\x80"
                "\x0b\x01\x01\x02"
                "\x01\x01\0");
    skip(2);
    expect_number(decode_number(HATF_ADDRESS), UINT64_MAX);
    expect_number(decode_number(HATF_ADDRESS), 0x80);
    skip(1);
    expect_number(decode_number(HATF_ADDRESS), 1);
    expect_number(decode_number(HATF_ADDRESS), (uint64_t)INT64_C(1 - 0x80));
    skip(1);
    expect_number(decode_number(HATF_ADDRESS), 0x100 + 1 - 0x80);
}

/* The paper leaves open which width is restored when there was none before. */
Test(hatf_codec, a_width_that_never_was_is_four_bytes)
{
    open_string("\x0b\x02\x02\x00\x01\0\0\0\x01\0\0\0\x07"
                "\x0b\x02\x05\x00\x01\0\0\0\x01\0\0\0\x08\x02zz");
    skip(1);
    expect_number(decode_number(HATF_TIME), 7);
    skip(1);
    struct hatf_record record = decode();
    expect_number(record.numbers[HATF_TIME], 8);
    expect_number(record.data_length, 2);
    expect_number(load_left(&load), 0);
}

/* The interpretation none restores the last width that was not 0. */
Test(hatf_codec, a_width_is_remembered_while_the_field_is_absent)
{
    open_string("\x0b\x01\x02\x02"                     /* time: 2 bytes, but default */
                "\x01\0\0\0\x01"                       /* free 1 */
                "\x0b\x02\x02\x00\x01\0\0\0\x01\0\x09" /* time none: 2 bytes */
                "\x0b\x01\x02\x00\x01\0\0\0\x01"       /* 0 bytes */
                "\x0b\x02\x02\x00\x01\0\0\0\x01\0\x0a" /* 2 bytes again */
                "\x0b\x02\x02\x01\0\0\0\0\0\0\0\x0b"   /* default 11 */
                "\x01\0\0\0\x01");
    skip(1);
    expect_number(decode_number(HATF_TIME), 0);
    skip(1);
    expect_number(decode_number(HATF_TIME), 9);
    skip(1);
    expect_number(decode_number(HATF_TIME), 0);
    skip(1);
    expect_number(decode_number(HATF_TIME), 10);
    skip(1);
    expect_number(decode_number(HATF_TIME), 11);
    expect_number(load_left(&load), 0);
}

Test(hatf_codec, no_bytes_are_zero_the_base_or_the_value_before)
{
    open_string("\x0b\x01\x01\x00\x01"
                "\x0b\x02\x01\x02\0\0\0\0\0\0\0\x07\x0b\x01\x01\x00\x01"
                "\x0b\x02\x01\x03\0\0\0\0\0\0\0\x09\x0b\x01\x01\x00\x01\x01");
    skip(1);
    expect_number(decode_number(HATF_ADDRESS), 0);
    skip(2);
    expect_number(decode_number(HATF_ADDRESS), 7);
    skip(2);
    expect_number(decode_number(HATF_ADDRESS), 9);
    expect_number(decode_number(HATF_ADDRESS), 9);
}

/* A delta refers to the address decoded before it, and the old address of a realloc counts. */
Test(hatf_codec, each_address_counts_as_the_one_before)
{
    open_string("\x0b\x02\x01\x03\0\0\0\0\0\0\0\x64\x0b\x01\x01\x01" /* delta from 100 */
                "\0\0\0\0\x08\x01"                                   /* alloc 101 */
                "\x03\0\0\0\x08\x01\x01"                             /* realloc 102, 103 */
                "\x08"                                               /* createThread */
                "\x01\x01");                                         /* free 104 */
    skip(2);
    expect_number(decode_number(HATF_ADDRESS), 101);
    struct hatf_record record = decode();
    expect_number(record.old_address, 102);
    expect_number(record.numbers[HATF_ADDRESS], 103);
    skip(1);
    expect_number(decode_number(HATF_ADDRESS), 104);
}

Test(hatf_codec, the_length_of_a_comment_may_be_padded)
{
    open_string("\x0a\0\x02hi\x01\0\0\0\x01");
    struct hatf_record record = decode();
    expect_number(record.data_length, 2);
    cr_expect_eq(memcmp(record.data, "hi", 2), 0);
    expect_number(decode_number(HATF_ADDRESS), 1);
    open_string("\x0a\x01\0\x02hi\x01\0\0\0\x01");
    record = decode();
    expect_number(record.data_length, 2);
    cr_expect_eq(memcmp(record.data, "hi", 2), 0);
    expect_number(decode_number(HATF_ADDRESS), 1);
    open_string("\x0a\0\0");
    expect_number(decode().data_length, 0);
    open_string("\x0a\0\x09tiny");
    cr_expect_eq(fail_to_decode(), HATF_CUT_OFF);
    open_string(
        "\x0a\0\0\xff"); /* no tag after an empty comment, no 255 bytes of a padded one */
    cr_expect_eq(fail_to_decode(), HATF_CUT_OFF);
}

Test(hatf_codec, attributes_have_no_other_interpretation_than_none_and_default)
{
    open_string("\x0b\x02\x05\x01\0\0\0\0\0\0\0\x07\x01\0\0\0\x01");
    skip(1);
    expect_number(decode().data_length, 0);
    for (char code = 2; code <= 4; code++) {
        char bytes[20] = {0x0b, 2, HATF_ATTRIBUTES, code};
        open_bytes(bytes, sizeof bytes);
        cr_expect_eq(fail_to_decode(), HATF_NO_SUCH_SETTING);
    }
}

Test(hatf_codec, tags_and_settings_that_there_are_not)
{
    static const char settings[][3] = {{0, 0, 0}, {3, 0, 0},  {1, 6, 1}, {1, 0, 3}, {1, 0, 5},
                                       {1, 0, 9}, {1, 0, 10}, {2, 0, 5}, {2, 6, 0}, {1, 5, 11}};
    for (size_t i = 0; i < ITEMS(settings); i++) {
        char bytes[24] = {0x0b, settings[i][0], settings[i][1], settings[i][2]};
        open_bytes(bytes, sizeof bytes);
        cr_expect_eq(fail_to_decode(), HATF_NO_SUCH_SETTING, "setting %zu", i);
    }
    for (int tag = 12; tag < 256; tag++) {
        char bytes[24] = {(char)tag};
        open_bytes(bytes, sizeof bytes);
        cr_expect_eq(fail_to_decode(), HATF_NO_SUCH_TAG);
    }
}

Test(hatf_codec, every_record_can_be_cut_off)
{
    size_t ends[16], count = 0;
    open_string(example);
    for (ends[0] = 0; load_left(&load) > 0;
         ends[++count] = sizeof example - 1 - load_left(&load))
        decode();
    expect_number(count, 11);
    for (size_t length = 0; length < sizeof example; length++) {
        size_t record = 0;
        for (open_bytes(example, length); load_left(&load) > 0 && length >= ends[record + 1];
             record++)
            decode();
        must((length == ends[record]) == (load_left(&load) == 0), "length %zu", length);
        must(load_left(&load) == 0 || fail_to_decode() == HATF_CUT_OFF, "length %zu", length);
    }
}
