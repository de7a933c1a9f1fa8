/* SPDX-License-Identifier: MIT */
/* --verify must notice outputs that differ from what merge writes. */
#include "formats/formats.h"
#include "io/source.h"
#include "merlin/merge.h"
#include "trace/reader_class.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char trace[] = "M 100 0 1\n"
                            "N 1 16 2 3 0 1\n"
                            "N 2 16 2 3 0 1\n"
                            "E 100 1\n"
                            "M 100 0 1\n"
                            "N 3 16 2 3 0 1\n"
                            "E 100 1";

static char folder[] = "/tmp/etmerlin-verify-XXXXXX";
static char trace_path[64], output_path[64];

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void setup(void)
{
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    cr_assert(mkdtemp(folder));
    snprintf(trace_path, sizeof trace_path, "%s/trace", folder);
    snprintf(output_path, sizeof output_path, "%s/output", folder);
    write_file(trace_path, trace);
}

static void teardown(void)
{
    unlink(trace_path);
    unlink(output_path);
    rmdir(folder);
}

TestSuite(verify, .init = setup, .fini = teardown);

/* Verifies `text` as the output for the trace; returns the status, and *why has the failure. */
static enum status verify_text(const char *text, const struct merge_options *how,
                               struct failure *why)
{
    struct reader_options options = {.dialect = DIALECT_THREAD};
    struct source *sources[2];
    struct reader *readers[2];
    struct pass pass;
    struct deaths deaths;
    struct batch batch = BATCH_EMPTY;
    write_file(output_path, text);
    cr_assert_eq(source_open(&sources[0], trace_path, NULL, why), STATUS_OK);
    cr_assert_eq(source_open(&sources[1], output_path, NULL, why), STATUS_OK);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(formats_open_reader(&readers[i], sources[i], &options, why), STATUS_OK);
    cr_assert_eq(pass_init(&pass, HELD_BY_RECEIVER, false, why), STATUS_OK);
    while (reader_next(readers[0], &batch, why) == STATUS_OK)
        cr_assert_eq(pass_add(&pass, &batch, why), STATUS_OK);
    cr_assert_eq(deaths_compute(&deaths, &pass, UNALLOCATED_LAST_USE, why), STATUS_OK);
    enum status status = verify(readers[1], &deaths, reader_digest(readers[0]), how, why);
    batch_free(&batch);
    deaths_free(&deaths);
    pass_free(&pass);
    for (int i = 0; i < 2; i++) {
        reader_close(readers[i]);
        source_close(sources[i]);
    }
    return status;
}

/* Expects that verifying fails with this message (NULL: that it succeeds) about this line; 0:
 * about the output as a whole. */
static void expect(const char *text, const struct merge_options *how, const char *complaint,
                   uint64_t line)
{
    struct failure why = {.status = STATUS_OK};
    enum status status = verify_text(text, how, &why);
    if (complaint) {
        cr_expect_eq(status, STATUS_MEANING);
        cr_expect(why.text && strstr(why.text, complaint), "%s", why.text);
        cr_expect_eq(why.line, line, "line %" PRIu64, why.line);
    } else {
        cr_expect_eq(status, STATUS_OK, "%s", why.text);
    }
    failure_clear(&why);
}

static const struct merge_options usual = {.threads = 1};

#define FIRST "M 100 0 1\nN 1 16 2 3 0 1\nN 2 16 2 3 0 1\nE 100 1\n"
#define SECOND "M 100 0 1\nN 3 16 2 3 0 1\nE 100 1"

Test(verify, accepts_what_is_right)
{
    expect(FIRST "D 1 1 2\nD 2 1 2\n" SECOND "\nD 3 1 4", &usual, NULL, 0);
}

Test(verify, notices_a_missing_death)
{
    expect(FIRST "D 1 1 2\nD 2 1 2\n" SECOND, &usual, "missing", 0);
    expect(FIRST "D 2 1 2\n" SECOND "\nD 3 1 4", &usual, "not the death", 5);
}

Test(verify, notices_a_death_too_many)
{
    expect(FIRST "D 1 1 2\nD 2 1 2\n" SECOND "\nD 3 1 4\nD 3 1 4", &usual, "too many", 11);
}

Test(verify, notices_a_wrong_field)
{
    expect(FIRST "D 9 1 2\nD 2 1 2\n" SECOND "\nD 3 1 4", &usual, "not the death", 5);
    expect(FIRST "D 1 9 2\nD 2 1 2\n" SECOND "\nD 3 1 4", &usual, "not the death", 5);
    expect(FIRST "D 1 1 9\nD 2 1 2\n" SECOND "\nD 3 1 4", &usual, "not the death", 5);
}

Test(verify, notices_the_wrong_order)
{
    expect(FIRST "D 2 1 2\nD 1 1 2\n" SECOND "\nD 3 1 4", &usual, "not the death", 5);
}

Test(verify, notices_the_wrong_place)
{
    expect(FIRST "D 1 1 2\n" SECOND "\nD 2 1 2\nD 3 1 4", &usual, "wrong place", 9);
}

Test(verify, notices_changed_text)
{
    expect("M 100 0 1\nN 1 16 2 3 0 1\nN 2 17 2 3 0 1\nE 100 1\nD 1 1 2\nD 2 1 2\n" SECOND
           "\nD 3 1 4",
           &usual, "not the trace", 0);
    expect(FIRST "D 1 1 2\nD 2 1 2\n" SECOND "\n\nD 3 1 4", &usual, "not the trace", 0);
    expect(FIRST "D 1 1 2\nD 2 1 2\n" SECOND "\nD 3 1 4\n", &usual, "not the trace", 0);
}

Test(verify, checks_deaths_alone)
{
    struct merge_options alone = {.threads = 1, .deaths_only = true};
    expect("D 1 1 2\nD 2 1 2\nD 3 1 4\n", &alone, NULL, 0);
    expect("D 1 1 2\nD 2 1 2\n", &alone, "missing", 0);
    expect("D 1 1 2\nD 2 1 2\nD 3 1 4\n# text\n", &alone, "not the trace", 0);
}
