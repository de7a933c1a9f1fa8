/* SPDX-License-Identifier: MIT */
/* Reasons to refuse a trace before it is read: its updates have their fields in another order,
 * or it is in a related format. */
#include "formats/classes.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Opens a reader of the text; returns the status. */
static enum status inspect(const char *text, const struct reader_options *options)
{
    struct source *source = source_from(text);
    struct reader *reader = NULL;
    enum status status = et_reader_class.open(&reader, source, options, &cause);
    if (status == STATUS_OK)
        reader_close(reader);
    source_close(source);
    return status;
}

static const struct reader_options automatic = {.dialect = DIALECT_AUTO};

/* Updates of `count` objects with ids like hashes, in the fields 1 to 7. Each object refers to
 * the one before it; of each eight, `strangers` refer to objects that are never allocated. */
static char *make_updates(bool value_first, unsigned count, unsigned strangers)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    cr_assert_not_null(stream);
    uint64_t last = 0;
    for (unsigned i = 1; i <= count; i++) {
        uint64_t object = i * UINT64_C(2654435761) % 2147483648, field = i % 7 + 1;
        uint64_t value = i % 8 < strangers ? object + 1 : last;
        fprintf(stream, "N %" PRIu64 " 16 5 9 0 7\n", object);
        if (value_first)
            fprintf(stream, "U %" PRIu64 " %" PRIu64 " %" PRIu64 " 7\n", value, field, object);
        else
            fprintf(stream, "U %" PRIu64 " %" PRIu64 " %" PRIu64 " 7\n", object, value, field);
        last = object;
    }
    fclose(stream);
    return text;
}

static enum status inspect_updates(bool value_first, unsigned count, unsigned strangers)
{
    char *text = make_updates(value_first, count, strangers);
    enum status status = inspect(text, &automatic);
    free(text);
    return status;
}

Test(et_inspection, updates_with_the_value_first_are_refused)
{
    static const unsigned counts[] = {1, 2, 15, 16, 17, 3000};
    for (size_t i = 0; i < ITEMS(counts); i++)
        for (unsigned strangers = 0; strangers <= 8; strangers += 4) {
            cr_expect_eq(inspect_updates(true, counts[i], strangers), STATUS_MEANING, "%u, %u",
                         counts[i], strangers);
            expect_number(cause.line, 2);
            cr_expect_eq(inspect_updates(false, counts[i], strangers), STATUS_OK, "%u, %u",
                         counts[i], strangers);
        }
}

Test(et_inspection, an_order_that_is_given_is_not_doubted)
{
    static const enum update_order orders[] = {UPDATE_ORDER_CONTAINER, UPDATE_ORDER_VALUE};
    for (int value_first = 0; value_first < 2; value_first++)
        for (size_t i = 0; i < ITEMS(orders); i++) {
            char *text = make_updates(value_first, 20, 0);
            struct reader_options options = {.update_order = orders[i]};
            ok(inspect(text, &options));
            free(text);
        }
}

Test(et_inspection, small_numbers_of_every_sort_are_not_refused)
{
    static const char *const texts[] = {
        /* Objects and fields have the same numbers. */
        "N 1 16 5 9 0 7\nN 2 16 5 9 0 7\nU 1 2 1 7\nU 1 2 2 7\nU 2 0 1 7\n",
        /* The value is not allocated, and the number of the field is that of an object. */
        "N 1 16 5 9 0 7\nU 1 99 1 7\n",
        "N 1 16 5 9 0 7\nN 3 16 5 9 0 7\nU 1 2 3 7\n",
        /* The same among updates that can only be container, value, field. */
        "N 10 16 5 9 0 7\nN 20 16 5 9 0 7\nU 10 20 4 7\nU 20 5 10 7\n",
        /* All values are null. */
        "N 10 16 5 9 0 7\nU 10 0 10 7\nU 0 0 10 7\n",
        /* No update. */
        "N 10 16 5 9 0 7\n",
    };
    for (size_t i = 0; i < ITEMS(texts); i++)
        cr_expect_eq(inspect(texts[i], &automatic), STATUS_OK, "text %zu", i);
}

Test(et_inspection, the_order_that_is_given_is_read)
{
    struct source *source =
        source_from("U 11 4 10 7\nU 11 4 10 7\nU 12 5 0 7 # more\nM 1 4 7\nX 1 2 3 7\n");
    struct reader *reader = NULL;
    struct reader_options options = {.dialect = DIALECT_THREAD,
                                     .update_order = UPDATE_ORDER_VALUE};
    struct batch batch = BATCH_EMPTY;
    ok(et_reader_class.open(&reader, source, &options, &cause));
    ok(reader_next(reader, &batch, &cause));
    must(batch.count == 5, "%zu records", batch.count);
    for (size_t i = 0; i < 3; i++) {
        expect_number(batch.records[i].container, i < 2 ? 10 : 0);
        expect_number(batch.records[i].value, i < 2 ? 11 : 12);
        expect_number(batch.records[i].field, i < 2 ? 4 : 5);
        expect_number(batch.records[i].thread, 7);
    }
    expect_number(batch.records[3].receiver, 4);
    expect_number(batch.records[4].receiver, 2);
    expect_number(batch.records[4].exception, 3);
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
}

static void expect_relative(const char *text, uint64_t line, const char *begin)
{
    cr_expect_eq(inspect(text, &automatic), STATUS_MEANING, "%s", text);
    expect_number(cause.line, line);
    cr_expect(strncmp(cause.text, begin, strlen(begin)) == 0, "%s", cause.text);
}

Test(et_inspection, relatives_are_refused_by_name)
{
    static const char first[] =
        "This looks like a trace of the first generation of Elephant Tracks";
    static const char simulator[] = "This looks like a trace of GarCoSim";
    static const char names[] = "This looks like the file of names";
    static const char list[] = "This is a list of names";
    expect_relative("P 1a 18 Ljava/lang/String; 0 0 1\nP 1b 20 [I 0 4 1\n", 1, first);
    expect_relative("# ET1\nM 1 0 2\nA 10 18 [C 5 a 2\nE 1 0 2\n", 3, first);
    expect_relative("N 10 18 Lx; 5 2\nN 0x11 18 Lx; 5 2\n", 1, first);
    expect_relative("M 1f 0 2\nU 0 1a 1b 3 2\nE 1f 0 2\n", 1, first);
    expect_relative("M 1f 0 2\nE 1f 0 2", 1, first); /* without the last line end */
    expect_relative("a T0 O1 S16 N2 C1\n+ T0 O1\nw T0 P1 #0 O2 S8 V0\n", 1, simulator);
    expect_relative("% a comment\na T0 O1 S16 N2 \n- T0 O1\n", 2, simulator);
    expect_relative("C 0x1 java/lang/Object\nE 0x1 java/lang/Object\nN 0x2 0x1 a b c 1\n", 1,
                    names);
    expect_relative("java.lang.Object,1\njava.lang.String#value,2\n", 1, list);
    expect_relative("1,java/lang/Object\n2,1,main\n", 1, list);
}

Test(et_inspection, what_is_bad_but_no_relative_is_left_to_the_reader)
{
    static const char *const texts[] = {
        "E 1 2 7\n", /* a single such line is a mistake in it */
        "N 1 16 5 9 0 7\nE 1 2 7\nE 1f 2 7\nE 1 2 7\n", /* an N is not theirs */
        "M 1 0 7\nE 1 7\nP 1a 18 La; 0 0 1\nP 1a 18 La; 0 0 1\n",
        "P 1g 18 La; 0 0 1\nP 1a 18 La; 0 0 g\n",
        "P 1a 1G La; 0 0 1\nP 1a 18 La; 0 -1 1\n",
        "P 1a 18 La; z 0 1\nP 1b 18 La; 0z 0 1\n",
        "a T0 O1\nx\n",
        "a Tx Oy\n+ Tx Oy\n", /* attributes without numbers */
        "a 70 81\n+ 70 81\n", /* attributes without letters */
        "Z 1\nZ 2\nq 1 2\n",
        "R 5 1\nR 6 1\nM 10 0 1\n", /* an unknown letter */
        "a,b\nc,d\n",
        "1,2\n3,4\n",
        "",
        "\n\n",
        "M x\nM y\nN 1\n",
    };
    for (size_t i = 0; i < ITEMS(texts); i++)
        cr_expect_eq(inspect(texts[i], &automatic), STATUS_OK, "text %zu", i);
    struct reader_options lenient = {.lenient = true};
    ok(inspect("P 1a 18 La; 0 0 1\nP 1b 20 [I 0 4 1\n", &lenient));
}
