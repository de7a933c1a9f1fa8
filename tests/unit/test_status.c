/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void expect_printed(const char *expected)
{
    char *printed = NULL;
    size_t length;
    FILE *stream = open_memstream(&printed, &length);
    cr_assert_not_null(stream);
    failure_print(&cause, "etmerlin", stream);
    fclose(stream);
    cr_expect_str_eq(printed, expected);
    free(printed);
}

Test(status, fail_records_status_and_text)
{
    cr_expect_eq(fail(&cause, STATUS_LIMIT, "More than %d of %s", 3, "them"), STATUS_LIMIT);
    cr_expect_eq(cause.status, STATUS_LIMIT);
    cr_expect_str_eq(cause.text, "More than 3 of them");
    cr_expect_null(cause.file);
    expect_number(cause.line, 0);
}

Test(status, fail_at_records_the_place)
{
    char file[] = "a.trace";
    cr_expect_eq(fail_at(&cause, STATUS_SYNTAX, file, 7, "Bad"), STATUS_SYNTAX);
    memset(file, '!', 3);
    cr_expect_str_eq(cause.file, "a.trace", "the name must be a copy");
    expect_number(cause.line, 7);
}

Test(status, a_failure_may_quote_the_one_it_replaces)
{
    fail_at(&cause, STATUS_IO, "old", 1, "Inner");
    cr_expect_eq(fail_at(&cause, STATUS_MEANING, cause.file, 2, "Outer, since: %s", cause.text),
                 STATUS_MEANING);
    cr_expect_str_eq(cause.file, "old");
    cr_expect_str_eq(cause.text, "Outer, since: Inner");
}

Test(status, fail_replaces_file_and_line)
{
    fail_at(&cause, STATUS_IO, "old", 9, "Old");
    fail(&cause, STATUS_MEANING, "New");
    cr_expect_null(cause.file);
    expect_number(cause.line, 0);
}

Test(status, fail_at_offset_records_and_prints_the_place)
{
    cr_expect_eq(fail_at_offset(&cause, STATUS_SYNTAX, "a.hatf", 0, "Bad"), STATUS_SYNTAX);
    expect_printed("etmerlin: a.hatf@0x0: Bad.\n");
    fail_at_offset(&cause, STATUS_SYNTAX, "a.hatf", UINT64_MAX, "Bad");
    expect_printed("etmerlin: a.hatf@0xffffffffffffffff: Bad.\n");
    fail_at(&cause, STATUS_SYNTAX, "a.trace", 3, "Bad");
    expect_printed("etmerlin: a.trace:3: Bad.\n");
}

Test(status, fail_errno_names_operation_and_error)
{
    expect_failure(fail_errno(&cause, "a.trace", "rename", EACCES), STATUS_IO, 0,
                   "Cannot rename: Permission denied");
    cr_expect_str_eq(cause.file, "a.trace");
}

Test(status, fail_memory_drops_what_was_recorded)
{
    fail_at(&cause, STATUS_IO, "old", 9, "Old");
    cr_expect_eq(fail_memory(&cause), STATUS_MEMORY);
    cr_expect_eq(cause.status, STATUS_MEMORY);
    cr_expect_null(cause.file);
    cr_expect_null(cause.text);
    expect_printed("etmerlin: Out of memory.\n");
}

Test(status, prints_file_and_line)
{
    fail_at(&cause, STATUS_SYNTAX, "a.trace", UINT64_MAX, "Bad");
    expect_printed("etmerlin: a.trace:18446744073709551615: Bad.\n");
}

Test(status, prints_a_whole_file_without_line)
{
    fail_at(&cause, STATUS_IO, "a.trace", 0, "Bad");
    expect_printed("etmerlin: a.trace: Bad.\n");
}

Test(status, prints_the_program_without_file)
{
    fail(&cause, STATUS_LIMIT, "100%% full");
    expect_printed("etmerlin: 100% full.\n");
}

Test(status, escapes_controls_in_name_and_text)
{
    fail_at(&cause, STATUS_IO, "a\n\x1b[2J", 3, "Bad \xc2\x9b, \x9b and \xc3\xa4\t");
    expect_printed("etmerlin: a\\n\\x1b[2J:3: Bad \\xc2\\x9b, \\x9b and \xc3\xa4\\t.\n");
}

Test(status, clearing_twice_is_allowed)
{
    fail_at(&cause, STATUS_IO, "a.trace", 4, "Bad");
    failure_clear(&cause);
    failure_clear(&cause);
    cr_expect_eq(cause.status, STATUS_OK);
    cr_expect_null(cause.file);
    cr_expect_null(cause.text);
    expect_number(cause.line, 0);
}

Test(status, fail_errno_knows_an_end_that_was_asked_for)
{
    cr_expect_eq(fail_errno(&cause, "a.trace", "read", ECANCELED), STATUS_INTERRUPTED);
    cr_expect_eq(cause.status, STATUS_INTERRUPTED);
}
