/* SPDX-License-Identifier: MIT */
/* The summary of --verbose: a line for each figure, with the numbers in one column. The names
 * of records come from the table of record kinds, so that a new kind appears without a change
 * here. */
#include "cli/commands/summary.h"

#include "base/text.h"
#include "cli/process/message.h"
#include "trace/record.h"

#include <inttypes.h>

static void print_count(FILE *stream, const char *name, uint64_t count)
{
    fprintf(stream, "  %-26s %15" PRIu64 "\n", name, count);
}

static void print_records(FILE *stream, const struct trace_counts *counts)
{
    uint64_t all = 0;
    for (size_t i = 0; i < record_layout_count; i++)
        all += counts->records[record_layouts[i].kind];
    print_count(stream, "records", all);
    for (size_t i = 0; i < record_layout_count; i++) {
        const struct record_layout *layout = &record_layouts[i];
        char title[RECORD_TITLE_SIZE];
        if (counts->records[layout->kind] > 0)
            print_count(stream,
                        layout->kind == RECORD_DEATH ? "D deaths, replaced"
                                                     : record_title(title, layout),
                        counts->records[layout->kind]);
    }
    print_count(stream, "comments and empty lines", counts->comments);
    print_count(stream, "unknown records", counts->unknown);
    print_count(stream, "malformed lines", counts->malformed);
}

static void print_heap(FILE *stream, const struct deaths *deaths)
{
    const struct pass *pass = deaths->pass;
    const struct trace_counts *counts = &pass->counts;
    size_t allocated = deaths->dead_count + deaths->alive_count;
    uint64_t named = deaths->named;
    print_count(stream, "objects", allocated);
    print_count(stream, "deaths", deaths->dead_count);
    print_count(stream, "alive at the end", deaths->alive_count);
    print_count(stream, "unallocated ids", named - allocated);
    print_count(stream, "ids named before allocated", counts->adopted);
    print_count(stream, "repeated ids", counts->repeated);
    print_count(stream, "reference slots", slots_count(pass->heap.slots));
    print_count(stream, "threads", frames_thread_count(pass->heap.frames));
    print_count(stream, "unmatched exits", counts->unmatched_exits);
    print_count(stream, "unwound frames", counts->unwound_frames);
}

static void print_time(FILE *stream, const char *name, double seconds)
{
    fprintf(stream, "  %-26s %15.3f s\n", name, seconds);
}

static void print_head(FILE *stream, const struct reader *reader)
{
    fprintf(stream, "%s: ", message_program);
    text_print(stream, reader->name);
    fprintf(stream, ": %s dialect\n", reader->explicit_time ? "time" : "thread");
    if (reader->unfinished)
        fprintf(stream, "  %-26s %s\n", "unfinished", reader->unfinished);
}

/* Prints where the deaths come from. */
static void print_deaths_from(FILE *stream, const char *what)
{
    fprintf(stream, "  %-26s %15s\n", "deaths from", what);
}

static bool has_frees(const struct reader *reader)
{
    return reader->methods->takes & TAKES_DEATHS_FROM_FREE;
}

void summary_print_converted(FILE *stream, const struct reader *reader, bool from_free)
{
    print_head(stream, reader);
    print_deaths_from(stream, from_free ? "free" : has_frees(reader) ? "none" : "the input");
}

void summary_print(FILE *stream, const struct reader *reader, const struct deaths *deaths,
                   uint64_t digest, const struct phase_times *times)
{
    print_head(stream, reader);
    if (has_frees(reader))
        print_deaths_from(stream, "last-use");
    print_records(stream, &deaths->pass->counts);
    print_heap(stream, deaths);
    if (deaths->stored)
        print_count(stream, "collections", deaths->collections);
    fprintf(stream, "  %-26s %16.16" PRIx64 "\n", "digest (XXH3)", digest);
    print_time(stream, "reading (pass 1)", times->pass_1);
    print_time(stream, deaths->stored ? "windows" : "propagation", times->propagation);
    print_time(stream, "writing (pass 2)", times->pass_2);
}
