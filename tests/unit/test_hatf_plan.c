/* SPDX-License-Identifier: MIT */
/* The size of what is written by a plan, and that it can be read again. */
#include "formats/lifetimes/hatf.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct hatf_planner *planner;
static struct hatf_column column;
static struct hatf_step steps[HATF_PLAN_MAX];
static struct hatf_state state;
static struct hatf_state reading;

static void open_planner(void)
{
    planner = hatf_planner_new();
    cr_assert_not_null(planner);
    column.count = 0;
}

static void close_planner(void)
{
    free(planner);
}

TestSuite(hatf_plan, .init = open_planner, .fini = close_planner);

/* Begins as the writer does: addresses of 8 bytes without an interpretation. */
static void begin(void)
{
    hatf_state_init(&state, false);
    state.fields[HATF_ADDRESS] = (struct hatf_settings){.width = 8, .last_width = 8};
    reading = state;
}

static void add(uint64_t value)
{
    column.values[column.count++] = value;
}

static size_t write_and_read(const struct hatf_record *record, struct hatf_record *read)
{
    static uint8_t out[HATF_LONGEST];
    size_t length = hatf_encode(&state, record, out);
    struct load load = load_from(out, length);
    must(hatf_decode(&reading, &load, read) == HATF_OK && load_left(&load) == 0,
         "what was written cannot be read");
    return length;
}

static size_t set(uint8_t operation, uint8_t code, uint64_t argument, uint64_t stride)
{
    struct hatf_record record = {
        .tag = HATF_METADATA, .metadata = {operation, HATF_ADDRESS, code, {argument, stride}}};
    return write_and_read(&record, &(struct hatf_record){.tag = 0});
}

/* Writes the column as planned, in records of frees. Returns the bytes of metadata and
 * addresses. */
static size_t write_planned(void)
{
    size_t length = 0;
    hatf_plan(planner, HATF_ADDRESS, &state.fields[HATF_ADDRESS], 8, &column, steps);
    for (size_t i = 0; i < column.count; i++) {
        const struct hatf_step *step = &steps[i];
        if (step->change == HATF_ENTER)
            length += set(HATF_SET_INTERPRETATION, step->interpretation, step->argument,
                          step->stride);
        if (step->change == HATF_RESIZE ||
            (step->change == HATF_ENTER && step->interpretation != HATF_STRIDE))
            length += set(HATF_SET_WIDTH, step->width, 0, 0);
        struct hatf_record record = {.tag = HATF_FREE}, read;
        record.numbers[HATF_ADDRESS] = column.values[i];
        length += write_and_read(&record, &read) - 1;
        must(read.numbers[HATF_ADDRESS] == column.values[i], "another address at %zu", i);
    }
    column.count = 0;
    return length;
}

Test(hatf_plan, nothing_is_changed_for_little)
{
    begin();
    add(1);
    add(UINT64_MAX);
    add(2);
    expect_number(write_planned(), 24);
    expect_number(write_planned(), 0);
}

Test(hatf_plan, a_narrow_run_is_narrow)
{
    begin();
    add(UINT64_MAX);
    for (unsigned i = 0; i < 100; i++)
        add(i * 91 % 256);
    add(UINT64_MAX);
    expect_number(write_planned(), 8 + 4 + 100 + 4 + 8);
}

Test(hatf_plan, a_stride_is_found)
{
    begin();
    for (uint64_t i = 0; i < 1000; i++)
        add(UINT64_MAX - 3 * 24 + i * 24); /* wraps */
    expect_number(write_planned(), 20);
    for (uint64_t i = 1000; i < 2000; i++)
        add(UINT64_MAX - 3 * 24 + i * 24);
    expect_number(write_planned(), 0);
}

Test(hatf_plan, a_constant_takes_no_bytes)
{
    begin();
    for (unsigned i = 0; i < 40; i++)
        add(77);
    expect_number(write_planned(), 12 + 4);
}

Test(hatf_plan, small_differences_are_found)
{
    begin();
    uint64_t seed = 1, address = UINT64_C(1) << 50;
    for (unsigned i = 0; i < 1000; i++)
        add(address += random_below(&seed, 200) - 100);
    expect_number(write_planned(), 12 + 4 + 1000);
}

/* Neighbours differ by up to 2^32, but no value differs from the base by that much. */
Test(hatf_plan, a_base_is_found)
{
    begin();
    uint64_t seed = 1, least = UINT64_C(1) << 50;
    add(least);
    add(least + UINT32_MAX);
    for (unsigned i = 0; i < 1000; i++)
        add(least + (i % 2) * UINT64_C(0xf0000000) + random_below(&seed, 0x0f000000));
    expect_number(write_planned(), 12 + 4 + 4 * 1002);
    for (unsigned i = 0; i < 1000; i++)
        add(least + (i % 2) * UINT64_C(0xf0000000) + random_below(&seed, 0x0f000000));
    expect_number(write_planned(), 4 * 1000);
}

/* A value of a random kind: each kind is short in one way of writing and long in another. */
static uint64_t random_value(uint64_t *seed, uint64_t before)
{
    static const unsigned bits[] = {1, 7, 8, 15, 16, 31, 32, 63};
    uint64_t random = random_below(seed, UINT64_C(1) << bits[random_below(seed, ITEMS(bits))]);
    switch (random_below(seed, 5)) {
    case 0:
        return random;
    case 1:
        return before + random;
    case 2:
        return before - random;
    case 3:
        return UINT64_MAX - random;
    default:
        return before;
    }
}

/* This holds for all values, and wherever plans begin and end. */
Test(hatf_plan, no_plan_is_larger_than_the_plain_form)
{
    uint64_t seed = 42, value = 0;
    for (int trace = 0; trace < 300; trace++) {
        begin();
        size_t planned = 0, plain = 0;
        for (int plan = 0; plan < 8; plan++) {
            size_t count = random_below(&seed, 40), step = 0;
            for (size_t i = 0; i < count; i++) {
                step = random_below(&seed, 8) == 0 ? random_value(&seed, 0) : step;
                value = random_below(&seed, 3) ? value + step : random_value(&seed, value);
                add(value);
            }
            plain += 8 * count;
            planned += write_planned();
            must(planned <= plain, "trace %d: %zu bytes, not %zu", trace, planned, plain);
        }
    }
}
