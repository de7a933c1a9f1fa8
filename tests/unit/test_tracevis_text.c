/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "formats/tracevis/events.h"

#include <string.h>

TestSuite(tracevis_text, .fini = scratch_remove);

/* Expects that the first event of `content` is malformed; the message is `problem` and then the
 * line. */
static void expect_malformed(const char *content, const char *problem)
{
    struct source *source = source_from(content);
    struct tracevis_text *text = NULL;
    struct tv_event event;
    char said[300], shown[300];
    size_t length = strcspn(content, "\n");
    ok(tracevis_text_open(&text, source, false, &cause));
    snprintf(said, sizeof said, "%s: \"%.*s\"", problem, (int)length, content);
    cr_expect_eq(tracevis_text_next(text, &event, &cause), STATUS_SYNTAX);
    cr_expect_str_eq(cause.text, said);
    expect_number(cause.line, 1);
    tracevis_text_close(text);

    source_rewind(source);
    ok(tracevis_text_open(&text, source, true, &cause));
    ok(tracevis_text_next(text, &event, &cause));
    cr_expect_eq(event.kind, EVENT_MALFORMED);
    snprintf(shown, sizeof shown, "%s", said);
    expect_failure(tracevis_text_explain(text, 1, &cause), STATUS_SYNTAX, 1, shown);
    tracevis_text_close(text);
    source_close(source);
}

Test(tracevis_text, malformed_lines_are_explained)
{
    expect_malformed("MN:1:1:A:m\n", "MN has 6 fields, not 5");
    expect_malformed("VS\n", "This is no event of a TraceVis trace");
    expect_malformed("VS:\n", "The time is not a number");
    expect_malformed("VS:1:2\n", "VS has 2 fields, not 3");
    expect_malformed("MN:1:1:A:m:0:0\n", "MN has 6 fields, not more than 6");
    expect_malformed("MN:1:1:A:m:0:0:0:0\n", "MN has 6 fields, not more than 6");
    expect_malformed("vs:1\n", "This is no event of a TraceVis trace");
    expect_malformed("VSX:1\n", "This is no event of a TraceVis trace");
    expect_malformed(" VS:1\n", "This is no event of a TraceVis trace");
    expect_malformed("VS:one\n", "The time is not a number");
    expect_malformed("VS:--1\n", "The time is negative");
    expect_malformed("VS:+1\n", "The time is not a number");
    expect_malformed("VS:9223372036854775808\n", "The time does not fit 63 bits");
    expect_malformed("VS:99999999999999999999\n", "The time does not fit 64 bits");
    expect_malformed("TB:1:-1\n", "The thread is negative");
    expect_malformed("OA:1:A:18446744073709551616\n", "The object does not fit 64 bits");
    expect_malformed("OA:1:A:0\n", "The object is 0, which is no object");
    expect_malformed("OF:1:A:0\n", "The object is 0, which is no object");
    expect_malformed("OA:1::5\n", "The class has no name");
    expect_malformed("MX:1:1:A:\n", "The method has no name");
    expect_malformed("MX:1:1::m\n", "The class has no name");
    expect_malformed("MX:1::A:m\n", "The thread is not a number");
}

/* Expects that all lines of `content` are comments, and that `comments` is their text. */
static void expect_comments(const char *content, const char *comments)
{
    struct source *source = source_from(content);
    struct tracevis_text *text = NULL;
    struct tv_event event;
    struct batch batch = BATCH_EMPTY;
    enum status status;
    ok(tracevis_text_open(&text, source, false, &cause));
    while ((status = tracevis_text_next(text, &event, &cause)) == STATUS_OK)
        if (event.kind < EVENT_KINDS)
            ok(comment_add_line(&batch, "# ", &event, tracevis_text_names(text), &cause));
    cr_expect_eq(status, STATUS_END);
    cr_expect_eq(batch.text_length, strlen(comments));
    if (*comments)
        cr_expect_arr_eq(batch.text, comments, strlen(comments));
    batch_free(&batch);
    tracevis_text_close(text);
    source_close(source);
}

Test(tracevis_text, every_event_has_its_fields)
{
    expect_comments("VS:1\nVI:2\nVD:3\nCL:4:a/B\nOA:5:[I:6\nOF:7:[Lx;:8\nTB:9:10\nTE:11:12\n"
                    "MN:13:14:A:<init>:15\nMX:16:17:A:m\nFP:18:19:A:m$1\n",
                    "# VS:1\n# VI:2\n# VD:3\n# CL:4:a/B\n# OA:5:[I:6\n# OF:7:[Lx;:8\n"
                    "# TB:9:10\n# TE:11:12\n# MN:13:14:A:<init>:15\n# MX:16:17:A:m\n"
                    "# FP:18:19:A:m$1\n");
}

Test(tracevis_text, line_ends_and_numbers_have_more_than_one_form)
{
    expect_comments("VS:-5\r\nVI:-9223372036854775807\r\n\r\nTB:007:18446744073709551615",
                    "# VS:-5\n# VI:-9223372036854775807\n# TB:7:18446744073709551615\n");
    expect_comments("", "");
}

Test(tracevis_text, lines_cross_blocks)
{
    char *content = long_text("VS:1\nCL:2:", 'x', 200000, "\nVD:3\n");
    char *comments = long_text("# VS:1\n# CL:2:", 'x', 200000, "\n# VD:3\n");
    expect_comments(content, comments);
    free(content);
    free(comments);
}

Test(tracevis_text, a_line_has_an_end)
{
    char *content = long_text("VS:1\nCL:2:", 'x', 1200000, "\n");
    struct source *source = source_from(content);
    struct tracevis_text *text = NULL;
    struct tv_event event;
    ok(tracevis_text_open(&text, source, false, &cause));
    ok(tracevis_text_next(text, &event, &cause));
    expect_failure(tracevis_text_next(text, &event, &cause), STATUS_SYNTAX, 2,
                   "The line is longer than 1048576 bytes");
    tracevis_text_close(text);
    source_close(source);
    free(content);
}

Test(tracevis_text, methods_are_distinguished_by_class_and_name)
{
    /* The names differ only in where the colon is. */
    struct source *source = source_from("MX:1:1:A:bc\nMX:1:1:Ab:c\nMX:1:1:A:bc\nZZ:1\n");
    struct tracevis_text *text = NULL;
    struct tv_event events[4];
    ok(tracevis_text_open(&text, source, false, &cause));
    for (size_t i = 0; i < 4; i++)
        ok(tracevis_text_next(text, &events[i], &cause));
    expect_number(events[0].method, 1);
    expect_number(events[1].method, 2);
    expect_number(events[2].method, 1);
    cr_expect_eq(events[3].kind, EVENT_UNKNOWN);
    const struct names *names = tracevis_text_names(text);
    cr_expect_str_eq(names_find(names, NAMES_METHOD, 1), "A#bc");
    cr_expect_str_eq(names_find(names, NAMES_METHOD, 2), "Ab#c");
    cr_expect_str_eq(names_find(names, NAMES_TYPE, events[1].type), "Ab");
    tracevis_text_close(text);
    source_close(source);
}

Test(tracevis_text, only_the_format_is_bid_for)
{
    cr_expect_gt(tracevis_bid("VS:1\n", 5), 1);
    cr_expect_gt(tracevis_bid("VS:-1\n", 6), 1);
    cr_expect_gt(tracevis_bid("PK\3\4", 4), 1);
    cr_expect_eq(tracevis_bid("VS:", 3), 0);
    cr_expect_eq(tracevis_bid("VS:x", 4), 0);
    cr_expect_eq(tracevis_bid("VI:1", 4), 0);
    cr_expect_eq(tracevis_bid("", 0), 0);
}
