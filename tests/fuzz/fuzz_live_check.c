/* SPDX-License-Identifier: MIT */
/* The reader of files of ettrace --check: the bytes are such a file, which --live-check
 * compares with a small trace. Its objects are so large that sums need all 64 bits. Two runs
 * must write the same report. */
#include "fuzz.h"

#include "merlin/deaths.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

const char fuzz_target[] = "live_check";

#define LARGE (UINT64_C(1) << 62)

static struct record records[] = {
    {.kind = RECORD_PREEXISTING, .line = 0, .object = 9, .size = 8, .thread = 1},
    {.kind = RECORD_ENTRY, .line = 1, .method = 1, .thread = 1},
    {.kind = RECORD_OBJECT, .line = 2, .object = 1, .size = 24, .type = 1, .thread = 1},
    {.kind = RECORD_OBJECT, .line = 3, .object = 2, .size = LARGE, .type = 2, .thread = 1},
    {.kind = RECORD_UPDATE, .line = 4, .value = 2, .field = 1, .thread = 1},
    {.kind = RECORD_ENTRY, .line = 5, .method = 2, .object = 1, .thread = 1},
    {.kind = RECORD_OBJECT, .line = 6, .object = 3, .size = LARGE, .type = 2, .thread = 1},
    {.kind = RECORD_UPDATE, .line = 7, .value = 3, .field = 2, .thread = 1},
    {.kind = RECORD_OBJECT, .line = 8, .object = 1, .size = LARGE, .type = 1, .thread = 1},
    {.kind = RECORD_EXIT, .line = 9, .method = 2, .thread = 1},
    {.kind = RECORD_EXIT, .line = 10, .method = 1, .thread = 1},
};

enum { RECORDS = sizeof records / sizeof *records };

static void make_lives(struct pass *pass, struct deaths *deaths, struct life_stream **lives)
{
    const struct batch batch = {.records = records, .count = RECORDS, .first_line = 1};
    const struct life_stream_options how = {.survivors_die = false};
    const struct recorders_options recording = {.has_windows = false};
    struct failure why = {.status = STATUS_OK};
    promised(pass_init(pass, HELD_BY_NONE, false, &why) == STATUS_OK &&
             recorders_open(pass, &recording, &why) == STATUS_OK);
    promised(pass_add(pass, &batch, &why) == STATUS_OK &&
             deaths_compute(deaths, pass, UNALLOCATED_LAST_USE, &why) == STATUS_OK &&
             life_stream_open(lives, deaths, &how, &why) == STATUS_OK);
}

static enum status show_lives(struct report *report, struct failure *why)
{
    struct life_cursor *cursor;
    struct life_facts life;
    enum status status = life_cursor_open(&cursor, report->material->stream, why);
    promised(status == STATUS_OK);
    while ((status = life_cursor_next(cursor, &life, why)) == STATUS_OK)
        promised(live_check_report.life(report, &life, why) == STATUS_OK);
    life_cursor_close(cursor);
    return status == STATUS_END ? STATUS_OK : status;
}

/* Writes the report to the file `path`. */
static enum status write_report(struct report *report, const char *path, struct failure *why)
{
    const struct sink_options options = {.force = true, .input = -1};
    enum status status = sink_open(&report->sink, path, &options, why);
    promised(status == STATUS_OK);
    if ((status = live_check_report.begin(report, why)) == STATUS_OK &&
        (status = show_lives(report, why)) == STATUS_OK)
        status = live_check_report.finish(report, why);
    live_check_report.release(report);
    if (status == STATUS_OK)
        return sink_commit(report->sink, why);
    sink_discard(report->sink);
    return status;
}

/* Returns a digest of the file, and removes it. */
static uint64_t digest_file(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    promised(file != NULL);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    promised(length > 0 && remove(path) == 0);
    return XXH3_64bits(text, length);
}

static uint64_t check_once(const struct report_material *material, const char *path)
{
    struct failure why = {.status = STATUS_OK};
    struct report report = {.material = material, .path = path};
    const char *output = fuzz_path("report");
    enum status status = write_report(&report, output, &why);
    promised(status == why.status && (status == STATUS_OK) == (why.text == NULL));
    uint64_t digest = status == STATUS_OK ? digest_file(output) : status;
    failure_clear(&why);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct pass pass;
    struct deaths deaths;
    struct life_stream *lives;
    make_lives(&pass, &deaths, &lives);
    struct reader reader = {.name = "trace"};
    const struct report_settings settings = {.live_check_format = FORMAT_TEXT};
    const struct report_material material = {.trace = "trace",
                                             .reader = &reader,
                                             .settings = &settings,
                                             .pass = &pass,
                                             .stream = lives};
    const char *path = fuzz_file(bytes, length);
    promised(check_once(&material, path) == check_once(&material, path));
    life_stream_close(lives);
    deaths_free(&deaths);
    pass_free(&pass);
    return 0;
}
