/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "formats/et/lexer.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

TestSuite(et_reader, .fini = scratch_remove);

static const struct reader_options lenient_threads = {.dialect = DIALECT_THREAD,
                                                      .lenient = true};
static const struct reader_options lenient_times = {.dialect = DIALECT_TIME, .lenient = true};

/* A record, and its offsets in the whole trace. */
struct seen {
    struct record record;
    uint64_t line;
    size_t begin, end;
};

/* What a trace holds. */
struct content {
    struct seen *seen;
    size_t count, capacity;
    uint64_t comments, unknown, malformed;
};

static void add_seen(struct content *content, struct record record, uint64_t line, size_t begin,
                     size_t end)
{
    struct seen *seen =
        array_grow(content->seen, &content->capacity, content->count + 1, sizeof *seen);
    must(seen, "no memory");
    content->seen = seen;
    seen[content->count++] = (struct seen){record, line, begin, end};
}

static uint64_t count_lines(const char *text, size_t length)
{
    uint64_t lines = 0;
    const char *limit = text + length;
    while (text < limit && (text = memchr(text, '\n', (size_t)(limit - text)))) {
        lines++;
        text++;
    }
    return lines;
}

/* Reads the text to its end or to a failure into *content; returns the status. */
static enum status read_content(struct reader *reader, const char *text, size_t length,
                                struct content *content)
{
    struct batch batch = BATCH_EMPTY;
    size_t done = 0;
    uint64_t lines = 0;
    enum status status;
    *content = (struct content){.seen = NULL};
    while ((status = reader_next(reader, &batch, &cause)) == STATUS_OK) {
        must(batch.text_length > 0 && batch.text_length <= length - done &&
                 memcmp(batch.text, text + done, batch.text_length) == 0,
             "the text of the batches is not the input");
        must(batch.first_line == lines + 1, "the batch is said to begin at line %" PRIu64,
             batch.first_line);
        for (size_t i = 0; i < batch.count; i++) {
            const struct record *record = &batch.records[i];
            add_seen(content, *record, batch.first_line + record->line, done + record->begin,
                     done + record->end);
        }
        lines += count_lines(batch.text, batch.text_length);
        done += batch.text_length;
        content->comments += batch.comments;
        content->unknown += batch.unknown;
        content->malformed += batch.malformed;
    }
    must(status != STATUS_END || done == length, "only %zu bytes are read", done);
    must(status != STATUS_END || (batch.count == 0 && batch.text_length == 0),
         "the batch at the end is not empty");
    batch_free(&batch);
    return status;
}

/* The boundaries that a filter wants: each at most `step` after the one before; 0: none. */
struct wanted {
    uint64_t step, last, seed;
};

static uint64_t next_wanted(void *context)
{
    struct wanted *wanted = context;
    if (wanted->step == 0)
        return UINT64_MAX;
    return wanted->last += 1 + random_below(&wanted->seed, wanted->step);
}

/* Reduces the content to the records that a reading with such a filter delivers. */
static void keep_wanted(struct content *content, uint64_t step)
{
    struct wanted wanted = {.step = step};
    uint64_t next = next_wanted(&wanted), boundaries = 0;
    size_t kept = 0;
    for (size_t i = 0; i < content->count; i++) {
        struct seen *seen = &content->seen[i];
        boundaries += strchr("MEX", seen->record.kind) != NULL;
        bool is_wanted = strchr("MEX", seen->record.kind) && boundaries == next;
        if (is_wanted)
            next = next_wanted(&wanted);
        if (is_wanted || seen->record.kind == 'D')
            content->seen[kept++] = *seen;
    }
    content->count = kept;
}

/* Reads the text again with a filter; returns the status. */
static enum status read_wanted(struct reader *reader, uint64_t step, const char *text,
                               size_t length, struct content *content)
{
    struct wanted wanted = {.step = step};
    struct boundary_filter filter = {.next = next_wanted, .context = &wanted};
    reader_rewind(reader, &filter);
    enum status status = read_content(reader, text, length, content);
    reader_rewind(reader, NULL);
    return status;
}

/* Reads a trace, and expects no failure. */
static void read_good(const char *text, size_t length, const struct reader_options *options,
                      struct content *content)
{
    struct source *source = source_of(text, length);
    struct reader *reader = NULL;
    ok(formats_open_reader(&reader, source, options, &cause));
    enum status status = read_content(reader, text, length, content);
    must(status == STATUS_END, "the trace is bad: %s", cause.text);
    reader_close(reader);
    source_close(source);
}

/* Reads a trace, and expects this failure. */
static void expect_bad(const char *text, size_t length, const struct reader_options *options,
                       uint64_t line, const char *message)
{
    struct source *source = source_of(text, length);
    struct reader *reader = NULL;
    struct content content;
    ok(formats_open_reader(&reader, source, options, &cause));
    expect_failure(read_content(reader, text, length, &content), STATUS_SYNTAX, line, message);
    cr_expect_str_eq(cause.file, source_name(source));
    free(content.seen);
    reader_close(reader);
    source_close(source);
}

/* The content that the lenient reader must find, by lexing each line on its own. */
static void expected_content(const char *text, size_t length, bool times,
                             struct content *content)
{
    uint64_t last_time = 0;
    size_t begin = 0;
    *content = (struct content){.seen = NULL};
    for (uint64_t line = 1; begin < length; line++) {
        const char *lf = memchr(text + begin, '\n', length - begin);
        size_t stop = lf ? (size_t)(lf - text) : length, end = lf ? stop + 1 : stop;
        struct record record;
        enum et_line sort = et_lex(text + begin, stop - begin, &record);
        if (sort == ET_RECORD_AND_MORE)
            sort = ET_RECORD;
        bool timed = times && sort == ET_RECORD && record.kind != RECORD_DEATH;
        if (timed && record.thread < last_time)
            sort = ET_MALFORMED;
        else if (timed)
            last_time = record.thread;
        content->comments += sort == ET_COMMENT;
        content->unknown += sort == ET_UNKNOWN;
        content->malformed += sort == ET_MALFORMED;
        if (sort == ET_RECORD)
            add_seen(content, record, line, begin, end);
        begin = end;
    }
}

/* Expects the same records at the same offsets. */
static void expect_same_places(const struct content *actual, const struct content *expected)
{
    cr_assert_eq(actual->count, expected->count, "%zu records, not %zu", actual->count,
                 expected->count);
    for (size_t i = 0; i < actual->count; i++) {
        const struct seen *a = &actual->seen[i], *b = &expected->seen[i];
        must(a->record.kind == b->record.kind && a->line == b->line && a->begin == b->begin &&
                 a->end == b->end,
             "record %zu: %c at line %" PRIu64 ", bytes %zu to %zu; not %c at line %" PRIu64
             ", bytes %zu to %zu",
             i, a->record.kind, a->line, a->begin, a->end, b->record.kind, b->line, b->begin,
             b->end);
    }
}

/* Expects that the reader finds the records of all lines, and with filters those they want. */
static void expect_lines_read(const char *text, size_t length,
                              const struct reader_options *options)
{
    static const uint64_t steps[] = {0, 1, 3, 1000};
    struct source *source = source_of(text, length);
    struct reader *reader = NULL;
    struct content actual, expected;
    expected_content(text, length, options->dialect == DIALECT_TIME, &expected);
    cr_assert(options->lenient || expected.malformed == 0);
    ok(formats_open_reader(&reader, source, options, &cause));
    enum status status = read_content(reader, text, length, &actual);
    must(status == STATUS_END, "the trace is bad: %s", cause.text);
    expect_same_places(&actual, &expected);
    expect_number(actual.comments, expected.comments);
    expect_number(actual.unknown, expected.unknown);
    expect_number(actual.malformed, expected.malformed);
    free(expected.seen);
    for (size_t i = 0; i < ITEMS(steps); i++) {
        free(actual.seen);
        must(read_wanted(reader, steps[i], text, length, &actual) == STATUS_END, "no end");
        expected_content(text, length, options->dialect == DIALECT_TIME, &expected);
        keep_wanted(&expected, steps[i]);
        expect_same_places(&actual, &expected);
        free(expected.seen);
    }
    free(actual.seen);
    reader_close(reader);
    source_close(source);
}

static void expect_text_read(const char *text)
{
    expect_lines_read(text, strlen(text), &thread_dialect);
    expect_lines_read(text, strlen(text), &lenient_threads);
}

Test(et_reader, an_empty_trace_ends_at_once_and_for_good)
{
    struct source *source = source_from("");
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(reader_next(reader, &batch, &cause), STATUS_END);
        cr_expect_eq(batch.count, 0);
        cr_expect_eq(batch.text_length, 0);
    }
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
}

Test(et_reader, knows_lines_and_bytes_of_records)
{
    static const char text[] = "# c\nM 1 0 7\n\nE 1 7\r\n Z\nE 2 7";
    static const struct {
        unsigned char kind;
        uint64_t line;
        size_t begin, end;
    } expected[] = {{'M', 2, 4, 12}, {'E', 4, 13, 20}, {'E', 6, 23, 28}};
    struct content content;
    read_good(text, sizeof text - 1, &thread_dialect, &content);
    cr_assert_eq(content.count, ITEMS(expected));
    for (size_t i = 0; i < ITEMS(expected); i++) {
        cr_expect_eq(content.seen[i].record.kind, expected[i].kind);
        expect_number(content.seen[i].line, expected[i].line);
        expect_number(content.seen[i].begin, expected[i].begin);
        expect_number(content.seen[i].end, expected[i].end);
    }
    expect_number(content.comments, 2);
    expect_number(content.unknown, 1);
    expect_number(content.malformed, 0);
    free(content.seen);
}

Test(et_reader, the_last_line_may_end_as_it_likes)
{
    static const char *const texts[] = {"E 1 2",   "E 1 2\n",   "E 1 2\r\n",
                                        "E 1 2\r", "E 1 2\n\n", "#",
                                        "\n",      "\r\n",      "E 1 2\nM 1 0 1"};
    for (size_t i = 0; i < ITEMS(texts); i++)
        expect_text_read(texts[i]);
}

Test(et_reader, crlf_lines_are_read_as_others)
{
    expect_text_read("# c\r\nM 1 0 7\r\n\r\nN 1 2 3 4 5 7\r\nE 1 7\r\n");
}

Test(et_reader, the_shortest_records_all_find_room)
{
    enum { LENGTH = 600000 };
    char *text = malloc(LENGTH);
    cr_assert_not_null(text);
    for (size_t i = 0; i < LENGTH; i++)
        text[i] = "E 1 1\n"[i % 6];
    expect_lines_read(text, LENGTH - 1, &thread_dialect);
    expect_lines_read(text, LENGTH - 1, &lenient_times);
    free(text);
}

/* A trace of about `length` bytes, with good lines of all kinds and, if `bad`, with bad ones.
 */
static char *random_trace(uint64_t seed, size_t length, bool bad)
{
    static const char *const good[] = {"M %u 5 %u",
                                       "E %u %u",
                                       "X %u 0 9 %u",
                                       "N %u 2 3 4 5 %u",
                                       "  U 1 %u\t3 %u",
                                       "W %u 4 %u",
                                       "D %u 0 %u",
                                       "# M %u 0 %u",
                                       "Z E %u %u",
                                       "\tM 0%u 7 %u\r",
                                       "T 1 %u 3 %u",
                                       "A 18446744073709551615 %u 2 3 0 %u",
                                       "# E %u %u ................................"};
    static const char *const wrong[] = {"M %u %u",      "E -%u %u",
                                        "ME %u %u",     "D 0 %u %u",
                                        "X %u 0 9 x%u", "M %u 0 184467440737095516%u"};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    must(stream, "no memory");
    unsigned now = 1;
    while ((size_t)ftell(stream) < length) {
        now += (unsigned)random_below(&seed, 2);
        unsigned id = 1 + (unsigned)random_below(&seed, random_below(&seed, 2) ? 9 : 1000000);
        bool is_bad = bad && random_below(&seed, 10) == 0;
        unsigned last = bad && random_below(&seed, 20) == 0 ? 0 : now;
        const char *format = is_bad ? wrong[random_below(&seed, ITEMS(wrong))]
                                    : good[random_below(&seed, ITEMS(good))];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        fprintf(stream, format, id, last);
#pragma GCC diagnostic pop
        fputc('\n', stream);
    }
    fclose(stream);
    return text;
}

Test(et_reader, lines_that_straddle_blocks_are_read_whole)
{
    char *trace = random_trace(1, 150000, false);
    for (size_t shift = 0; shift < 40; shift++) {
        char *text = long_text("#", '.', shift, "\n"), *whole;
        size_t before = strlen(text), after = strlen(trace);
        whole = malloc(before + after);
        cr_assert_not_null(whole);
        memcpy(whole, text, before);
        memcpy(whole + before, trace, after);
        expect_lines_read(whole, before + after, &time_dialect);
        free(whole);
        free(text);
    }
    free(trace);
}

Test(et_reader, random_traces_are_read_line_by_line)
{
    for (uint64_t seed = 10; seed < 14; seed++) {
        char *text = random_trace(seed, 400000, false);
        expect_lines_read(text, strlen(text), &thread_dialect);
        expect_lines_read(text, strlen(text), &time_dialect);
        free(text);
        text = random_trace(seed, 400000, true);
        expect_lines_read(text, strlen(text), &lenient_threads);
        expect_lines_read(text, strlen(text), &lenient_times);
        free(text);
    }
}

Test(et_reader, a_pipe_that_gives_a_few_bytes_at_a_time_is_read)
{
    char *text = random_trace(5, 300000, false);
    size_t length = strlen(text);
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t writer = start_writer(ends[1], text, length, 997);
    close(ends[1]);
    redirect(STDIN_FILENO, ends[0]);
    struct source *source = NULL;
    struct reader *reader = NULL;
    struct content all, again;
    ok(source_open(&source, "-", NULL, &cause));
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    cr_expect_eq(read_content(reader, text, length, &all), STATUS_END);
    uint64_t digest = reader_digest(reader);
    reader_rewind(reader, NULL);
    cr_expect_eq(read_content(reader, text, length, &again), STATUS_END);
    expect_number(reader_digest(reader), digest);
    expect_same_places(&again, &all);
    await(writer);
    free(all.seen);
    free(again.seen);
    free(text);
    reader_close(reader);
    source_close(source);
}

Test(et_reader, fields_survive_the_journey)
{
    struct content content;
    static const char text[] = "U 11 12 13 14\nD 21 22 23\n";
    read_good(text, sizeof text - 1, &thread_dialect, &content);
    cr_assert_eq(content.count, 2);
    const struct record *update = &content.seen[0].record, *death = &content.seen[1].record;
    expect_number(update->container, 11);
    expect_number(update->value, 12);
    expect_number(update->field, 13);
    expect_number(update->thread, 14);
    expect_number(death->object, 21);
    expect_number(death->death_thread, 22);
    expect_number(death->time, 23);
    free(content.seen);
}

Test(et_reader, in_the_time_dialect_the_last_field_is_the_time)
{
    struct content content;
    static const char text[] = "U 11 12 13 14\nD 21 22 23\n";
    read_good(text, sizeof text - 1, &time_dialect, &content);
    cr_assert_eq(content.count, 2);
    const struct record *update = &content.seen[0].record, *death = &content.seen[1].record;
    expect_number(update->time, 14);
    expect_number(death->death_thread, 22);
    expect_number(death->time, 23);
    free(content.seen);
}

Test(et_reader, a_time_that_goes_backwards_is_bad)
{
    static const char text[] = "E 1 5\nW 1 2 5\n# c\n E 1 4 \r\n";
    expect_bad(text, sizeof text - 1, &time_dialect, 4,
               "The time goes backwards, from 5 to 4: \" E 1 4 \"");
    expect_lines_read(text, sizeof text - 1, &thread_dialect);
}

Test(et_reader, a_time_that_goes_backwards_is_passed_over_by_the_lenient_reader)
{
    static const char text[] = "E 1 5\nE 1 4\nW 1 2 3\nE 1 5\nE 1 6\nM 1 0 0\n";
    struct content content;
    read_good(text, sizeof text - 1, &lenient_times, &content);
    expect_number(content.malformed, 3);
    cr_assert_eq(content.count, 3);
    expect_number(content.seen[0].line, 1);
    expect_number(content.seen[1].line, 4);
    expect_number(content.seen[2].line, 5);
    free(content.seen);
}

Test(et_reader, deaths_have_no_part_in_the_order_of_times)
{
    static const char text[] = "E 1 5\nD 1 0 9\nD 2 0 3\nE 1 6\n";
    expect_lines_read(text, sizeof text - 1, &time_dialect);
}

Test(et_reader, rewinding_forgets_the_last_time)
{
    static const char text[] = "E 1 5\nE 1 6\n";
    struct source *source = source_from(text);
    struct reader *reader = NULL;
    struct content content;
    ok(formats_open_reader(&reader, source, &time_dialect, &cause));
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(read_content(reader, text, sizeof text - 1, &content), STATUS_END);
        cr_expect_eq(content.count, 2);
        free(content.seen);
        reader_rewind(reader, NULL);
    }
    reader_close(reader);
    source_close(source);
}

Test(et_reader, a_malformed_line_is_named)
{
    static const char text[] = "E 1 5\n# c\nE 1\nE 1 6\n";
    expect_bad(text, sizeof text - 1, &thread_dialect, 3,
               "E has 1 field where 2 are needed (method thread): \"E 1\"");
    expect_bad(text, sizeof text - 1, &time_dialect, 3,
               "E has 1 field where 2 are needed (method time): \"E 1\"");
    static const char last[] = "E 1 5\nE 1 x\r";
    expect_bad(last, sizeof last - 1, &thread_dialect, 2,
               "The thread of E is not a number: \"E 1 x\"; the file ends within this line");
}

Test(et_reader, a_malformed_line_after_many_blocks_is_named)
{
    char *trace = random_trace(6, 500000, false), *text;
    size_t length = strlen(trace);
    uint64_t lines = count_lines(trace, length) + 1;
    text = long_text(trace, 'E', 1, " 7 y\n");
    expect_bad(text, length + 6, &thread_dialect, lines,
               "The thread of E is not a number: \"E 7 y\"");
    free(text);
    free(trace);
}

Test(et_reader, the_lenient_reader_counts_each_sort_of_malformed_line)
{
    static const char text[] = "E 1 1\nE 1\nE 1 2 3\nE x 1\nE -1 1\nE 18446744073709551616 1\n"
                               "W 0 1 1\nEE 1 1\n?\n#\0\nE 1 1\0\nE 2 1\n";
    struct content content;
    read_good(text, sizeof text - 1, &lenient_threads, &content);
    expect_number(content.malformed, 10);
    cr_assert_eq(content.count, 2);
    expect_number(content.seen[0].line, 1);
    expect_number(content.seen[1].line, 12);
    free(content.seen);
    expect_lines_read(text, sizeof text - 1, &lenient_threads);
}

/* A trace with the text `between` after `before` bytes of comment, and with more after it. */
static char *surround(size_t before, const char *between)
{
    char *head = long_text("M 1 0 1\n#", '.', before, "\n");
    char *text = long_text(head, ' ', 0, between);
    free(head);
    char *whole = long_text(text, '\n', 2, "E 1 2\n# end\nX 2 0 0 3");
    free(text);
    return whole;
}

/* Offsets at which a long line begins: within blocks of the reader, and near their ends. */
static const size_t places[] = {0, 1000, 131050, 131060, 131072, 500000, 1040000, 1048570};

Test(et_reader, the_longest_line_is_read_wherever_it_begins)
{
    static const char *const ends[] = {"", "\r"};
    for (size_t i = 0; i < ITEMS(places) * ITEMS(ends); i++) {
        char *line = long_text("#", 'x', ET_LINE_MAX - 1, ends[i % ITEMS(ends)]);
        char *text = surround(places[i / ITEMS(ends)], line);
        expect_lines_read(text, strlen(text), &thread_dialect);
        free(text);
        free(line);
    }
}

Test(et_reader, a_long_record_is_read)
{
    char *line = long_text("E 1", ' ', ET_LINE_MAX - 5, "23");
    char *text = surround(1000, line);
    struct content content;
    read_good(text, strlen(text), &thread_dialect, &content);
    cr_assert_eq(content.count, 4);
    expect_number(content.seen[1].record.thread, 23);
    expect_number(content.seen[1].line, 3);
    expect_number(content.seen[2].line, 5);
    free(content.seen);
    free(text);
    free(line);
}

Test(et_reader, the_longest_line_may_be_the_last)
{
    static const char *const ends[] = {"", "\r", "\n", "\r\n"};
    for (size_t i = 0; i < ITEMS(ends); i++) {
        char *text = long_text("M 1 0 1\n#", 'x', ET_LINE_MAX - 1, ends[i]);
        expect_lines_read(text, strlen(text), &thread_dialect);
        free(text);
        text = long_text("#", 'x', ET_LINE_MAX - 1, ends[i]);
        expect_lines_read(text, strlen(text), &thread_dialect);
        free(text);
    }
}

Test(et_reader, a_line_that_is_too_long_is_named)
{
    static const size_t lengths[] = {ET_LINE_MAX, ET_LINE_MAX + 1, ET_LINE_MAX + 2,
                                     2 * ET_LINE_MAX, 3 * ET_LINE_MAX + 7};
    for (size_t i = 0; i < ITEMS(lengths) * ITEMS(places); i += 3) {
        char *line = long_text("#", '+', lengths[i % ITEMS(lengths)], "");
        char *text = surround(places[i / ITEMS(lengths)], line);
        expect_bad(text, strlen(text), &thread_dialect, 3,
                   "The line is longer than 1048576 bytes: "
                   "\"#+++++++++++++++++++++++++++++++++++++++++++++++++++++++++++...\"");
        free(text);
        free(line);
    }
}

Test(et_reader, a_last_line_that_is_too_long_is_named)
{
    static const size_t lengths[] = {ET_LINE_MAX, ET_LINE_MAX + 1, ET_LINE_MAX + 2,
                                     2 * ET_LINE_MAX};
    for (size_t i = 0; i < ITEMS(lengths); i++) {
        char *text = long_text("E 1 1\n#", '+', lengths[i], "");
        expect_bad(text, strlen(text), &thread_dialect, 2,
                   "The line is longer than 1048576 bytes: "
                   "\"#+++++++++++++++++++++++++++++++++++++++++++++++++++++++++++...\"");
        free(text);
    }
}

Test(et_reader, the_lenient_reader_counts_a_line_that_is_too_long_once)
{
    static const size_t lengths[] = {ET_LINE_MAX + 1, ET_LINE_MAX + 2, ET_LINE_MAX + 3,
                                     2 * ET_LINE_MAX, 3 * ET_LINE_MAX + 7};
    for (size_t i = 0; i < ITEMS(lengths) * ITEMS(places); i += 3) {
        char *line = long_text("E 1 1", ' ', lengths[i % ITEMS(lengths)] - 5, "");
        char *text = surround(places[i / ITEMS(lengths)], line);
        expect_lines_read(text, strlen(text), &lenient_threads);
        expect_lines_read(text, strlen(text), &lenient_times);
        free(text);
        free(line);
    }
}

Test(et_reader, what_stands_within_a_line_that_is_too_long_is_no_record)
{
    enum { LENGTH = 3 * ET_LINE_MAX };
    char *text = malloc(LENGTH + 12);
    cr_assert_not_null(text);
    for (size_t i = 0; i < LENGTH; i++)
        text[i] = "E 1 1 "[i % 6];
    memcpy(text + LENGTH, "\nM 1 0 1", 9);
    struct content content;
    read_good(text, LENGTH + 8, &lenient_threads, &content);
    expect_number(content.malformed, 1);
    cr_assert_eq(content.count, 1);
    cr_expect_eq(content.seen[0].record.kind, RECORD_ENTRY);
    expect_number(content.seen[0].line, 2);
    free(content.seen);
    free(text);
}

Test(et_reader, lines_that_are_too_long_may_follow_each_other)
{
    char *one = long_text("E 1 1\n#", '1', ET_LINE_MAX + 5, "\n#");
    char *two = long_text(one, '2', 2 * ET_LINE_MAX, "\r\nE 2 1\n#");
    char *text = long_text(two, '3', ET_LINE_MAX + 100000, "");
    expect_lines_read(text, strlen(text), &lenient_threads);
    free(one);
    free(two);
    free(text);
}

/* The digest of the whole text, read once, with a filter or without. */
static uint64_t digest_of(const char *text, size_t length, bool filtered)
{
    struct source *source = source_of(text, length);
    struct reader *reader = NULL;
    struct content content;
    struct wanted none = {.step = 0};
    struct boundary_filter filter = {.next = next_wanted, .context = &none};
    ok(formats_open_reader(&reader, source, &lenient_threads, &cause));
    reader_rewind(reader, filtered ? &filter : NULL);
    cr_expect_eq(read_content(reader, text, length, &content), STATUS_END);
    uint64_t digest = reader_digest(reader);
    free(content.seen);
    reader_close(reader);
    source_close(source);
    return digest;
}

Test(et_reader, the_digest_covers_every_byte_with_a_filter_or_without)
{
    char *text = random_trace(7, 300000, true);
    size_t length = strlen(text);
    uint64_t digest = digest_of(text, length, false);
    expect_number(digest_of(text, length, true), digest);
    cr_expect_neq(digest_of(text, length - 1, false), digest);
    static const size_t changed[] = {0, 131071, 131072, 200000, 299999};
    for (size_t i = 0; i < ITEMS(changed); i++) {
        text[changed[i]] ^= 1;
        cr_expect_neq(digest_of(text, length, i % 2), digest);
        text[changed[i]] ^= 1;
    }
    free(text);
}

/* The digest depends neither on the number of blocks nor on the vectors of the processor. */
Test(et_reader, the_digest_is_that_of_the_plain_functions)
{
    char *text = random_trace(9, 400000, false);
    for (size_t length = strlen(text); length > 0; length /= 3)
        expect_number(digest_of(text, length, length % 2), XXH3_64bits(text, length));
    free(text);
}

Test(et_reader, rewinding_amid_the_trace_starts_again)
{
    char *text = random_trace(8, 400000, false);
    size_t length = strlen(text);
    struct source *source = source_of(text, length);
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    struct content content, expected;
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    ok(reader_next(reader, &batch, &cause));
    cr_expect_lt(batch.text_length, length, "the trace fits one batch");
    reader_rewind(reader, NULL);
    cr_expect_eq(read_content(reader, text, length, &content), STATUS_END);
    expected_content(text, length, false, &expected);
    expect_same_places(&content, &expected);
    expect_number(reader_digest(reader), digest_of(text, length, false));
    free(content.seen);
    free(expected.seen);
    batch_free(&batch);
    free(text);
    reader_close(reader);
    source_close(source);
}

/* Fills `text` with repetitions of a line. */
static void repeat(char *text, size_t length, const char *line)
{
    for (size_t i = 0; i < length; i++)
        text[i] = line[i % strlen(line)];
}

/* Reads a file, changes it into repetitions of `line`, and reads it again with a filter. */
static void change_file(const char *line)
{
    enum { LENGTH = 300000 };
    char path[PATH_SIZE], *text = malloc(LENGTH);
    cr_assert_not_null(text);
    repeat(text, LENGTH, "E 1 1\n");
    write_file(scratch_path(path, "trace"), text, LENGTH);
    struct source *source = NULL;
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    struct wanted wanted = {.step = 1};
    struct boundary_filter filter = {.next = next_wanted, .context = &wanted};
    ok(source_open(&source, path, NULL, &cause));
    ok(formats_open_reader(&reader, source, &thread_dialect, &cause));
    while (reader_next(reader, &batch, &cause) == STATUS_OK)
        continue;
    uint64_t digest = reader_digest(reader);
    repeat(text, LENGTH, line);
    write_file(path, text, LENGTH);
    reader_rewind(reader, &filter);
    while (reader_next(reader, &batch, &cause) == STATUS_OK)
        must(batch.count <= batch.capacity, "%zu records in room for %zu", batch.count,
             batch.capacity);
    cr_expect_neq(reader_digest(reader), digest);
    batch_free(&batch);
    free(text);
    reader_close(reader);
    source_close(source);
}

Test(et_reader, a_file_that_changes_to_short_boundaries_overruns_no_batch)
{
    change_file("E\n");
}

Test(et_reader, a_file_that_changes_to_short_deaths_overruns_no_batch)
{
    change_file("D\n");
}

Test(et_reader, a_file_that_changes_to_empty_lines_overruns_no_batch)
{
    change_file("\n");
}

Test(et_reader, a_file_that_changes_to_one_line_overruns_no_batch)
{
    change_file("M");
}
