/* SPDX-License-Identifier: MIT */
/* The readers of HATF and Meta-TF on damaged files. */
#include "formats/classes.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct reader_options as_it_is;

/* The bytes of a sample of testdata, to be damaged. */
struct sample {
    size_t length;
    uint8_t bytes[1024];
};

static void load_sample(struct sample *sample, const char *name)
{
    char path[PATH_SIZE];
    const char *root = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testdata/lifetimes/%s", root ? root : "..", name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s cannot be opened", path);
    sample->length = fread(sample->bytes, 1, sizeof sample->bytes, file);
    fclose(file);
    cr_assert(sample->length > 0 && sample->length < sizeof sample->bytes);
}

/* Reads the first `length` bytes; returns the status at the end, and sets *count to how many
 * records came before it. */
static enum status read_bytes(const struct reader_class *methods, const struct sample *sample,
                              size_t length, size_t *count)
{
    struct source *source = source_of(sample->bytes, length);
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    enum status status = methods->open(&reader, source, &as_it_is, &cause);
    for (*count = 0; status == STATUS_OK; *count += batch.count)
        status = reader_next(reader, &batch, &cause);
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
    return status;
}

static void expect_refused(enum status status, size_t place)
{
    must(status == STATUS_SYNTAX || status == STATUS_MEANING, "byte %zu: status %d", place,
         (int)status);
    must(cause.has_offset && cause.offset <= sizeof((struct sample *)0)->bytes,
         "byte %zu: no offset", place);
}

/* A HATF file that is cut off after any record reads like a shorter file, and nothing shows it.
 */
Test(lifetime_readers, hatf_that_is_cut_off)
{
    static const size_t ends[] = {0, 4, 8, 12, 16, 20, 24, 28, 42, 80, 102, 116};
    struct sample sample;
    load_sample(&sample, "example.hatf");
    expect_number(sample.length, 116);
    for (size_t length = 0, record = 0; length <= sample.length; length++) {
        record += length > ends[record];
        size_t count;
        enum status status = read_bytes(&hatf_reader_class, &sample, length, &count);
        if (length == ends[record])
            must(status == STATUS_END, "%zu bytes are refused", length);
        else
            expect_refused(status, length);
        size_t whole = (length >= 80 ? 1U : 0U) + (length >= 102 ? 1U : 0U);
        must(count == whole, "%zu bytes: %zu records", length, count);
    }
}

Test(lifetime_readers, metatf_that_is_cut_off)
{
    struct sample sample;
    load_sample(&sample, "every-record.mtf");
    for (size_t length = 0; length < sample.length; length++) {
        size_t count;
        expect_refused(read_bytes(&metatf_reader_class, &sample, length, &count), length);
    }
}

/* Flips each bit of the sample in turn: the reader refuses it and reports the offset, or reads
 * it to the end. */
static void turn_bits(const struct reader_class *methods, const char *name)
{
    struct sample sample;
    load_sample(&sample, name);
    size_t refused = 0;
    for (size_t bit = 0; bit < 8 * sample.length; bit++) {
        size_t count;
        sample.bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
        enum status status = read_bytes(methods, &sample, sample.length, &count);
        sample.bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
        if (status == STATUS_END)
            continue;
        expect_refused(status, bit / 8);
        refused++;
    }
    cr_expect_gt(refused, 0);
}

Test(lifetime_readers, hatf_with_a_bit_turned)
{
    turn_bits(&hatf_reader_class, "example.hatf");
    turn_bits(&hatf_reader_class, "every-record.hatf");
}

/* The reader notices a change of any bit of the header, except in padding. */
Test(lifetime_readers, metatf_with_a_bit_turned)
{
    turn_bits(&metatf_reader_class, "every-record.mtf");
    struct sample sample;
    load_sample(&sample, "example.mtf");
    for (size_t bit = 0; bit < 8 * 58; bit++) {
        size_t count;
        if (bit / 8 >= 7 && bit / 8 < 16)
            continue;
        sample.bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
        expect_refused(read_bytes(&metatf_reader_class, &sample, sample.length, &count),
                       bit / 8);
        sample.bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
}

/* The file is larger than a window and a batch, so records lie across the ends of both. */
Test(lifetime_readers, hatf_larger_than_a_window)
{
    enum { FREES = 300000, SIZE = 5 };
    uint8_t *bytes = malloc((size_t)FREES * SIZE);
    cr_assert_not_null(bytes);
    for (uint32_t i = 0; i < FREES; i++) {
        const uint8_t record[SIZE] = {1, (uint8_t)(i >> 24), (uint8_t)(i >> 16),
                                      (uint8_t)(i >> 8), (uint8_t)i};
        memcpy(bytes + (size_t)i * SIZE, record, SIZE);
    }
    struct source *source = source_of(bytes, (size_t)FREES * SIZE);
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    ok(hatf_reader_class.open(&reader, source, &as_it_is, &cause));
    uint64_t expected = 1; /* address 0 is left out */
    while (reader_next(reader, &batch, &cause) == STATUS_OK)
        for (size_t i = 0; i < batch.count; i++, expected++) {
            must(batch.records[i].kind == RECORD_DEATH, "no death");
            must(batch.records[i].object == expected, "another object at %" PRIu64, expected);
            must(batch.records[i].time == expected + 1, "another time at %" PRIu64, expected);
        }
    expect_number(expected, FREES);
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
    free(bytes);
}
