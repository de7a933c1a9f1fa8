/* SPDX-License-Identifier: MIT */
#include "formats/et/lexer.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Whether the two records, of the same kind, have the same fields. */
static bool same_fields(const struct record *a, const struct record *b)
{
    bool first = a->object == b->object, second = a->size == b->size;
    bool third = a->type == b->type, last = a->thread == b->thread;
    if (a->kind != b->kind)
        return false;
    switch ((enum record_kind)a->kind) {
    case RECORD_EXIT:
        return a->object == 0 && first && third && last;
    case RECORD_ENTRY:
    case RECORD_WITNESS:
        return first && third && last;
    case RECORD_DEATH:
        return first && a->death_thread == b->death_thread && a->time == b->time;
    case RECORD_EXCEPTION_EXIT:
    case RECORD_THROW:
    case RECORD_CATCH:
    case RECORD_UPDATE:
        return first && second && third && last;
    default:
        return first && second && third && last && a->site == b->site && a->length == b->length;
    }
}

/* Gives the text to the canonical lexer, with no more padding than its contract requires.
 * Returns how many bytes the record takes; 0: it finds none. */
static size_t lex_canonical(const char *text, size_t length, struct record *record,
                            struct et_memo *memo)
{
    char *line = malloc(length + ET_PADDING);
    must(line, "no memory");
    memcpy(line, text, length);
    memset(line + length, '1', ET_PADDING);
    const char *end = et_lex_canonical(line, record, memo);
    size_t taken = end ? (size_t)(end - line) : 0;
    free(line);
    return taken;
}

/* The record of the line. Expects that both lexers read the same record, and that the canonical
 * one does so again when the line repeats. */
static struct record lex(const char *line)
{
    struct record general, canonical;
    struct et_memo memo = {.length = 0};
    char text[256];
    size_t length = strlen(line);
    snprintf(text, sizeof text, "%s\n", line);
    must(et_lex(text, length, &general) == ET_RECORD, "no record: %s", line);
    for (int i = 0; i < 2; i++) {
        must(lex_canonical(text, length + 1, &canonical, &memo) == length + 1,
             "not canonical: %s", line);
        must(same_fields(&general, &canonical), "two readings: %s", line);
    }
    return general;
}

static enum et_line sort_of(const char *line)
{
    struct record record;
    return et_lex(line, strlen(line), &record);
}

/* The length of the record that the canonical lexer finds in the text; 0: it finds none. */
static size_t canonical_length(const char *text)
{
    struct record record;
    struct et_memo memo = {.length = 0};
    return lex_canonical(text, strlen(text), &record, &memo);
}

static void expect_allocation(const char *line, enum record_kind kind)
{
    struct record record = lex(line);
    cr_expect_eq(record.kind, kind);
    expect_number(record.object, 11);
    expect_number(record.size, 12);
    expect_number(record.type, 13);
    expect_number(record.site, 14);
    expect_number(record.length, 15);
    expect_number(record.thread, 16);
}

Test(et_lexer, reads_allocations)
{
    expect_allocation("N 11 12 13 14 15 16", RECORD_OBJECT);
    expect_allocation("A 11 12 13 14 15 16", RECORD_ARRAY);
    expect_allocation("I 11 12 13 14 15 16", RECORD_INITIAL);
    expect_allocation("P 11 12 13 14 15 16", RECORD_PREEXISTING);
    expect_allocation("V 11 12 13 14 15 16", RECORD_VM);
}

Test(et_lexer, reads_a_method_entry)
{
    struct record record = lex("M 11 12 13");
    cr_expect_eq(record.kind, RECORD_ENTRY);
    expect_number(record.method, 11);
    expect_number(record.receiver, 12);
    expect_number(record.thread, 13);
}

Test(et_lexer, reads_a_method_exit)
{
    struct record record = lex("E 11 12");
    cr_expect_eq(record.kind, RECORD_EXIT);
    expect_number(record.object, 0);
    expect_number(record.method, 11);
    expect_number(record.thread, 12);
}

static void expect_exceptional(const char *line, enum record_kind kind)
{
    struct record record = lex(line);
    cr_expect_eq(record.kind, kind);
    expect_number(record.method, 11);
    expect_number(record.receiver, 12);
    expect_number(record.exception, 13);
    expect_number(record.thread, 14);
}

Test(et_lexer, reads_exception_records)
{
    expect_exceptional("X 11 12 13 14", RECORD_EXCEPTION_EXIT);
    expect_exceptional("T 11 12 13 14", RECORD_THROW);
    expect_exceptional("H 11 12 13 14", RECORD_CATCH);
}

Test(et_lexer, an_update_names_the_container_first_and_the_value_second)
{
    struct record record = lex("U 11 12 13 14");
    cr_expect_eq(record.kind, RECORD_UPDATE);
    expect_number(record.container, 11);
    expect_number(record.value, 12);
    expect_number(record.field, 13);
    expect_number(record.thread, 14);
}

Test(et_lexer, reads_a_witness)
{
    struct record record = lex("W 11 12 13");
    cr_expect_eq(record.kind, RECORD_WITNESS);
    expect_number(record.object, 11);
    expect_number(record.class_id, 12);
    expect_number(record.thread, 13);
}

Test(et_lexer, reads_a_death)
{
    struct record record = lex("D 11 12 13");
    cr_expect_eq(record.kind, RECORD_DEATH);
    expect_number(record.object, 11);
    expect_number(record.death_thread, 12);
    expect_number(record.time, 13);
}

Test(et_lexer, reads_lines_about_references)
{
    struct record record;
    cr_expect_eq(et_lex("F 11 12 4 13", 12, &record), ET_RECORD);
    cr_expect_eq(record.kind, RECORD_REFERENCE);
    expect_number(record.reference, 11);
    expect_number(record.referent, 12);
    expect_number(record.strength, REFERENCE_PHANTOM);
    expect_number(record.thread, 13);
    cr_expect_eq(et_lex("K 11 1 2 13", 11, &record), ET_RECORD);
    cr_expect_eq(record.kind, RECORD_CLEARED);
    expect_number(record.reference, 11);
    expect_number(record.strength, REFERENCE_SOFT);
    expect_number(record.cause, CLEARED_BY_PROGRAM);
    expect_number(record.thread, 13);
    cr_expect_eq(sort_of("K 11 1 2 13 # at the end"), ET_RECORD_AND_MORE);
}

/* Tracers may use the letters for something else. */
Test(et_lexer, other_lines_with_the_letters_of_references_are_unknown_records)
{
    static const char *const lines[] = {"F",         "F 1 2 3",   "F 1 0 2 1",  "F 0 1 2 1",
                                        "F 1 2 0 1", "F 1 2 5 1", "F 1 2 2 x",  "F 1 2 2 1 1",
                                        "K 1 2",     "K 0 2 1 1", "K 1 0 1 1",  "K 1 5 1 1",
                                        "K 1 2 0 1", "K 1 2 3 1", "K 1 2 1 1 1"};
    for (size_t i = 0; i < ITEMS(lines); i++)
        cr_expect_eq(sort_of(lines[i]), ET_UNKNOWN, "%s", lines[i]);
}

Test(et_lexer, null_and_static_are_0)
{
    struct record record = lex("U 0 0 0 0");
    expect_number(record.container, 0);
    expect_number(record.value, 0);
    expect_number(record.field, 0);
    record = lex("M 0 0 0");
    expect_number(record.receiver, 0);
    record = lex("X 0 0 0 0");
    expect_number(record.receiver, 0);
    expect_number(record.exception, 0);
    record = lex("N 11 0 0 0 0 0");
    expect_number(record.object, 11);
}

Test(et_lexer, numbers_of_19_digits_are_canonical)
{
    struct record record = lex("E 9999999999999999999 0000000000000000001");
    expect_number(record.method, UINT64_C(9999999999999999999));
    expect_number(record.thread, 1);
}

Test(et_lexer, numbers_of_20_digits_are_left_to_the_general_lexer)
{
    struct record record;
    cr_expect_eq(canonical_length("E 18446744073709551615 1\n"), 0);
    cr_expect_eq(canonical_length("E 18446744073709551617 1\n"), 0);
    cr_expect_eq(et_lex("E 18446744073709551615 1", 24, &record), ET_RECORD);
    expect_number(record.method, UINT64_MAX);
    expect_number(record.thread, 1);
    cr_expect_eq(sort_of("E 18446744073709551617 1"), ET_MALFORMED);
}

Test(et_lexer, blanks_of_all_sorts_may_stand_around_fields)
{
    static const char line[] = " \tU\t 11  12\t\t0013 \t14 \t\r";
    struct record record;
    cr_expect_eq(et_lex(line, sizeof line - 1, &record), ET_RECORD);
    cr_expect_eq(record.kind, RECORD_UPDATE);
    expect_number(record.container, 11);
    expect_number(record.value, 12);
    expect_number(record.field, 13);
    expect_number(record.thread, 14);
}

Test(et_lexer, only_single_spaces_and_lf_are_canonical)
{
    static const char *const lines[] = {
        " E 1 2\n",  "E  1 2\n", "E\t1 2\n", "E 1  2\n",  "E 1 2 \n",
        "E 1 2\r\n", "E 1\n",    "E\n",      "E 1 2 3\n", "E 1 \n",
        "\n",        "#\n",      "Z 1 2\n",  "E1 2\n",    "EE 1 2\n",
    };
    for (size_t i = 0; i < ITEMS(lines); i++)
        cr_expect_eq(canonical_length(lines[i]), 0, "%s", lines[i]);
}

Test(et_lexer, the_canonical_lexer_stops_at_the_line_end)
{
    cr_expect_eq(canonical_length("E 1 2\nE 3 4\n"), 6);
    cr_expect_eq(canonical_length("E 1\n2\n"), 0, "a field is looked for in the next line");
}

Test(et_lexer, the_last_field_of_another_line_is_not_taken_for_this_ones)
{
    static const char *const lines[] = {
        "E 1 2\n",
        "E 1 2\n",
        "E 1 23\n",
        "E 1 2\n",
        "E 1 3\n",
        "E 1 1234567\n",
        "E 1 12345678\n",
        "E 1 1234567\n",
        "E 1 1234568\n",
        "E 1 0234567\n",
        "E 1 123456789012345\n",
        "E 1 123456789012346\n",
        "E 1 1234567890123456\n",
        "E 1 123456789012345\n",
        "E 1 12345678901234567\n",
        "E 1 1234567890123456\n",
        "E 1 9999999999999999999\n",
        "E 1 12345678\n",
        "E 1 123456789\n",
    };
    struct et_memo memo = {.length = 0};
    for (size_t i = 0; i < ITEMS(lines); i++) {
        struct record record;
        size_t length = strlen(lines[i]);
        cr_expect_eq(lex_canonical(lines[i], length, &record, &memo), length, "%s", lines[i]);
        expect_number(record.thread, strtoull(lines[i] + 4, NULL, 10));
    }
}

Test(et_lexer, no_field_but_the_last_is_taken_from_another_line)
{
    struct record record;
    struct et_memo memo = {.length = 0};
    cr_expect_eq(lex_canonical("E 1 2\n", 6, &record, &memo), 6);
    cr_expect_eq(lex_canonical("E 2\n", 4, &record, &memo), 0);
    cr_expect_eq(lex_canonical("E 12\n", 5, &record, &memo), 0);
    cr_expect_eq(lex_canonical("E 1\t2\n", 6, &record, &memo), 0);
    cr_expect_eq(lex_canonical("E 1 2 2\n", 8, &record, &memo), 0);
    cr_expect_eq(lex_canonical("E 1 2\r\n", 7, &record, &memo), 0);
    cr_expect_eq(lex_canonical("D 5 6 2\n", 8, &record, &memo), 8);
    expect_number(record.death_thread, 6);
    expect_number(record.time, 2);
}

Test(et_lexer, empty_lines_and_lines_with_a_hash_sign_are_comments)
{
    static const char *const lines[] = {
        "", " ", "\t \t", "\r", " \r", "#", "# E 1 2", "#E 1 2\r", "#\x80\xff",
    };
    for (size_t i = 0; i < ITEMS(lines); i++)
        cr_expect_eq(sort_of(lines[i]), ET_COMMENT, "%s", lines[i]);
}

Test(et_lexer, an_empty_line_is_not_looked_into)
{
    /* The lexer must not read beyond an empty text; a sanitizer would notice it. */
    char *array = malloc(1);
    struct record record;
    cr_assert_not_null(array);
    cr_expect_eq(et_lex(array + 1, 0, &record), ET_COMMENT);
    free(array);
}

/* The length of the part of a line that the fields of a record take; more must follow it. */
static size_t fields_end(const char *line)
{
    must(sort_of(line) == ET_RECORD_AND_MORE, "%s", line);
    must(canonical_length(line) == 0, "canonical: %s", line);
    return et_fields_end(line, strlen(line));
}

Test(et_lexer, a_comment_may_stand_behind_the_fields)
{
    expect_number(fields_end("E 1 7 # 8"), 5);
    expect_number(fields_end("E 1 7\t#8 9 # 10\r"), 5);
    expect_number(fields_end(" W 1 2 7  #"), 8);
    expect_number(fields_end("D 10 0 7 #"), 8);
    cr_expect_eq(sort_of(" \t# E 1 7"), ET_COMMENT);
    cr_expect_eq(sort_of("E 1 7#"), ET_MALFORMED);
    cr_expect_eq(sort_of("E 1 # 7"), ET_MALFORMED);
    cr_expect_eq(sort_of("E 1 7 8 # 9"), ET_MALFORMED);
    cr_expect_eq(sort_of("Z 1 # 7"), ET_UNKNOWN);
}

Test(et_lexer, dimensions_may_stand_behind_the_fields_of_an_array)
{
    static const char *const wrong[] = {
        "A 1 2 3 4 5 6 7",   "A 1 2 3 4 5 6 7,",    "A 1 2 3 4 5 6 ,7", "A 1 2 3 4 5 6 7,,8",
        "A 1 2 3 4 5 6 7,x", "A 1 2 3 4 5 6 1,7 8", "A 1 2 3 4 5 1,7",  "N 1 2 3 4 5 6 1,7"};
    expect_number(fields_end("A 1 2 3 4 5 6 1,7"), 13);
    expect_number(fields_end("A 1 2 3 4 5 6 3,7,8,9 # and more"), 13);
    for (size_t i = 0; i < ITEMS(wrong); i++)
        cr_expect_eq(sort_of(wrong[i]), ET_MALFORMED, "%s", wrong[i]);
}

Test(et_lexer, what_stands_behind_the_fields_is_no_fault)
{
    expect_failure(et_explain(&cause, "t", 1, "N 1 2 # 3", 9, false), STATUS_SYNTAX, 1,
                   "N has 2 fields where 6 are needed (object size type site length thread): "
                   "\"N 1 2 # 3\"");
    expect_failure(et_explain(&cause, "t", 1, "A 1 x 3 4 5 6 1,7", 17, false), STATUS_SYNTAX, 1,
                   "The size of A is not a number: \"A 1 x 3 4 5 6 1,7\"");
    cr_expect_eq(et_fault("A 1 x 3 4 5 6 1,7", 17, false), FAULT_NO_NUMBER);
    cr_expect_eq(et_fault("E 1 # 7", 7, false), FAULT_LINE);
}

Test(et_lexer, letters_without_a_meaning_are_unknown_records)
{
    static const char *const lines[] = {"Z", "B 1 2", "z", " q x -1", "e 1 2", "Z\t", "L\r"};
    for (size_t i = 0; i < ITEMS(lines); i++)
        cr_expect_eq(sort_of(lines[i]), ET_UNKNOWN, "%s", lines[i]);
}

Test(et_lexer, every_letter_is_a_record_or_unknown)
{
    for (int letter = 1; letter < 256; letter++) {
        char line[] = {(char)letter, ' ', '1', ' ', '2', '\0'};
        enum et_line expected = letter == 'E'                          ? ET_RECORD
                                : letter == '#'                        ? ET_COMMENT
                                : strchr("NAIPVMXTHUWD1\t\r ", letter) ? ET_MALFORMED
                                : (letter >= 'A' && letter <= 'Z')     ? ET_UNKNOWN
                                : (letter >= 'a' && letter <= 'z')     ? ET_UNKNOWN
                                                                       : ET_MALFORMED;
        cr_expect_eq(sort_of(line), expected, "letter %d", letter);
    }
}

struct fault {
    const char *line;
    const char *text;
};

static const struct fault faults[] = {
    {"E 1", "E has 1 field where 2 are needed (method thread): \"E 1\""},
    {"E", "E has 0 fields where 2 are needed (method thread): \"E\""},
    {"E 1 2 3\r", "E has 3 fields where 2 are needed (method thread): \"E 1 2 3\""},
    {"E 1 2 x", "E has 3 fields where 2 are needed (method thread): \"E 1 2 x\""},
    {"M 1 2", "M has 2 fields where 3 are needed (method receiver thread): \"M 1 2\""},
    {"X 1 2 3",
     "X has 3 fields where 4 are needed (method receiver exception thread): \"X 1 2 3\""},
    {"T", "T has 0 fields where 4 are needed (method receiver exception thread): \"T\""},
    {"H", "H has 0 fields where 4 are needed (method receiver exception thread): \"H\""},
    {"U 1 2 3",
     "U has 3 fields where 4 are needed (container value field thread): \"U 1 2 3\""},
    {"W 1 2", "W has 2 fields where 3 are needed (object class thread): \"W 1 2\""},
    {"D 1", "D has 1 field where 3 are needed (object thread time): \"D 1\""},
    {"N 1 2 3 4 5", "N has 5 fields where 6 are needed (object size type site length thread): "
                    "\"N 1 2 3 4 5\""},
    {"A", "A has 0 fields where 6 are needed (object size type site length thread): \"A\""},
    {"I", "I has 0 fields where 6 are needed (object size type site length thread): \"I\""},
    {"P", "P has 0 fields where 6 are needed (object size type site length thread): \"P\""},
    {"V", "V has 0 fields where 6 are needed (object size type site length thread): \"V\""},
    {"E x 2", "The method of E is not a number: \"E x 2\""},
    {"E 1 2\r3", "The thread of E is not a number: \"E 1 2\\r3\""},
    {"U 1 -2 3 4", "The value of U is negative: \"U 1 -2 3 4\""},
    {"U 1 2 +3 4", "The field of U is not a number: \"U 1 2 +3 4\""},
    {"U 1 2 3 18446744073709551616",
     "The thread of U does not fit 64 bits: \"U 1 2 3 18446744073709551616\""},
    {"U -1 x 3 4", "The container of U is negative: \"U -1 x 3 4\""},
    {"X 1 x 3 4", "The receiver of X is not a number: \"X 1 x 3 4\""},
    {"T 1 2 x 4", "The exception of T is not a number: \"T 1 2 x 4\""},
    {"W 1 x 3", "The class of W is not a number: \"W 1 x 3\""},
    {"D 1 2 x", "The time of D is not a number: \"D 1 2 x\""},
    {"N 1 x 3 4 5 6", "The size of N is not a number: \"N 1 x 3 4 5 6\""},
    {"N 1 2 x 4 5 6", "The type of N is not a number: \"N 1 2 x 4 5 6\""},
    {"N 1 2 3 x 5 6", "The site of N is not a number: \"N 1 2 3 x 5 6\""},
    {"N 1 2 3 4 x 6", "The length of N is not a number: \"N 1 2 3 4 x 6\""},
    {"N 0 2 3 4 5 6", "The object of N is 0, which is no object: \"N 0 2 3 4 5 6\""},
    {"A 00 2 3 4 5 6", "The object of A is 0, which is no object: \"A 00 2 3 4 5 6\""},
    {"I 0 2 3 4 5 6", "The object of I is 0, which is no object: \"I 0 2 3 4 5 6\""},
    {"P 0 2 3 4 5 6", "The object of P is 0, which is no object: \"P 0 2 3 4 5 6\""},
    {"V 0 2 3 4 5 6", "The object of V is 0, which is no object: \"V 0 2 3 4 5 6\""},
    {"W 0 1 2", "The object of W is 0, which is no object: \"W 0 1 2\""},
    {"D 0 1 2", "The object of D is 0, which is no object: \"D 0 1 2\""},
    {"EE 1 2", "The line does not start with a record letter: \"EE 1 2\""},
    {"Zoo", "The line does not start with a record letter: \"Zoo\""},
    {"1 2", "The line does not start with a record letter: \"1 2\""},
    {" - x", "The line does not start with a record letter: \" - x\""},
    {"\x80 1", "The line does not start with a record letter: \"\\x80 1\""},
};

Test(et_lexer, explains_each_sort_of_malformed_line)
{
    for (size_t i = 0; i < ITEMS(faults); i++) {
        const struct fault *fault = &faults[i];
        cr_expect_eq(sort_of(fault->line), ET_MALFORMED, "%s", fault->line);
        expect_failure(
            et_explain(&cause, "a.trace", i + 1, fault->line, strlen(fault->line), false),
            STATUS_SYNTAX, i + 1, fault->text);
        cr_expect_str_eq(cause.file, "a.trace");
    }
}

Test(et_lexer, no_malformed_line_is_canonical)
{
    for (size_t i = 0; i < ITEMS(faults); i++) {
        char line[100];
        snprintf(line, sizeof line, "%s\n", faults[i].line);
        cr_expect_eq(canonical_length(line), 0, "%s", line);
    }
}

Test(et_lexer, the_last_field_is_called_as_in_the_dialect)
{
    expect_failure(et_explain(&cause, "a.trace", 3, "E 1 x", 5, true), STATUS_SYNTAX, 3,
                   "The time of E is not a number: \"E 1 x\"");
    expect_failure(et_explain(&cause, "a.trace", 3, "M", 1, true), STATUS_SYNTAX, 3,
                   "M has 0 fields where 3 are needed (method receiver time): \"M\"");
    expect_failure(et_explain(&cause, "a.trace", 3, "D", 1, true), STATUS_SYNTAX, 3,
                   "D has 0 fields where 3 are needed (object thread time): \"D\"");
}

Test(et_lexer, a_nul_makes_any_line_malformed)
{
    static const char *const lines[] = {"#\0x", "E 1 2\0", "Z \0 2", " \0  ", "E\0001 2"};
    static const size_t lengths[] = {3, 6, 5, 4, 5};
    static const char *const texts[] = {
        "Byte 2 of the line is NUL: \"#\\x00x\"",   "Byte 6 of the line is NUL: \"E 1 2\\x00\"",
        "Byte 3 of the line is NUL: \"Z \\x00 2\"", "Byte 2 of the line is NUL: \" \\x00  \"",
        "Byte 2 of the line is NUL: \"E\\x001 2\"",
    };
    for (size_t i = 0; i < ITEMS(lines); i++) {
        struct record record;
        cr_expect_eq(et_lex(lines[i], lengths[i], &record), ET_MALFORMED, "line %zu", i);
        expect_failure(et_explain(&cause, "a.trace", 1, lines[i], lengths[i], false),
                       STATUS_SYNTAX, 1, texts[i]);
    }
}

Test(et_lexer, lines_of_the_greatest_length_are_read)
{
    struct record record;
    char *line = long_text("U 11 12 13", ' ', ET_LINE_MAX - 13, " 14");
    cr_assert_eq(strlen(line), 1048576);
    cr_expect_eq(et_lex(line, strlen(line), &record), ET_RECORD);
    expect_number(record.thread, 14);
    line[ET_LINE_MAX - 4] = '#';
    line[0] = '#';
    cr_expect_eq(et_lex(line, strlen(line), &record), ET_COMMENT);
    free(line);
    line = long_text("U 11 12 13", ' ', ET_LINE_MAX - 13, " 14\r");
    cr_expect_eq(et_lex(line, strlen(line), &record), ET_RECORD, "the CR does not count");
    free(line);
}

static void expect_too_long(const char *suffix)
{
    static const char *const prefixes[] = {"E 1 2", "# 1 2", "Z 1 2", "     ", "E 1 x"};
    for (size_t i = 0; i < ITEMS(prefixes); i++) {
        struct record record;
        char *line = long_text(prefixes[i], ' ', ET_LINE_MAX - 5, suffix);
        cr_expect_eq(et_lex(line, strlen(line), &record), ET_MALFORMED, "%s", prefixes[i]);
        char text[200];
        snprintf(text, sizeof text, "The line is longer than 1048576 bytes: \"%s%55s...\"",
                 prefixes[i], "");
        expect_failure(et_explain(&cause, "a.trace", 5, line, strlen(line), false),
                       STATUS_SYNTAX, 5, text);
        free(line);
    }
}

Test(et_lexer, lines_one_byte_longer_are_malformed)
{
    expect_too_long(" ");
    expect_too_long(" \r");
    expect_too_long("\r\r");
}

/* Whether a line that is a record has the canonical form of et_lex_canonical. */
static bool has_canonical_form(const char *line, size_t length)
{
    size_t digits = 0;
    for (size_t i = 1; i < length; i++) {
        if (line[i] == ' ' && (line[i - 1] == ' ' || i + 1 == length))
            return false;
        digits = line[i] == ' ' ? 0 : digits + 1;
        if (line[i] == '\t' || line[i] == '\r' || digits > 19)
            return false;
    }
    return line[0] != ' ' && line[0] != '\t';
}

/* Counts of the kinds of random lines that a test has tried, and the lexer's memo. */
struct tally {
    unsigned records, canonical, others;
    struct et_memo memo;
};

/* Compares the lexers on a line of `length` bytes. An LF and the padding follow it. */
static void compare_lexers(const char *line, size_t length, struct tally *tally)
{
    struct record general, canonical;
    bool is_record = et_lex(line, length, &general) == ET_RECORD;
    const char *end = et_lex_canonical(line, &canonical, &tally->memo);
    bool due = is_record && has_canonical_form(line, length);
    must((end != NULL) == due, "%s the canonical lexer: %.*s", due ? "not for" : "for",
         (int)length, line);
    must(!end || end == line + length + 1, "a wrong end: %.*s", (int)length, line);
    must(!end || same_fields(&general, &canonical), "two readings: %.*s", (int)length, line);
    tally->canonical += due;
    tally->records += is_record;
    tally->others += !is_record;
}

Test(et_lexer, both_lexers_agree_on_random_bytes)
{
    static const char letters[] = "EEEMWDUXTHNAIPVZ#1 \t", others[] = "0123456789  \t\r-x\0";
    uint64_t seed = 3;
    struct tally tally = {.records = 0};
    for (int i = 0; i < 100000; i++) {
        char line[14 + ET_PADDING];
        size_t length = random_below(&seed, 13);
        if (random_below(&seed, 4))
            length |= 1; /* as records of fields with one digit */
        memset(line, '1', sizeof line);
        line[0] = letters[random_below(&seed, sizeof letters - 1)];
        for (size_t at = 1; at < length; at++)
            line[at] = at % 2 && random_below(&seed, 12)
                           ? ' '
                           : others[random_below(&seed, sizeof others - 1)];
        line[length] = '\n';
        compare_lexers(line, length, &tally);
    }
    cr_expect_gt(tally.canonical, 1000, "%u", tally.canonical);
    cr_expect_gt(tally.others, 10000, "%u", tally.others);
}

/* Writes a number of random length, or seldom something that is no number. */
static size_t put_number(char *out, uint64_t *seed)
{
    static const size_t lengths[] = {1, 1, 1, 2, 5, 10, 18, 19, 20, 21};
    size_t length = lengths[random_below(seed, ITEMS(lengths))];
    for (size_t i = 0; i < length; i++)
        out[i] = (char)('0' + random_below(seed, random_below(seed, 3) ? 2 : 10));
    if (length == 20 && random_below(seed, 2))
        memcpy(out, random_below(seed, 2) ? "18446744073709551615" : "18446744073709551616",
               20);
    return length;
}

/* Writes a line that is a record, or nearly. */
static size_t put_line(char *out, uint64_t *seed)
{
    static const char letters[] = "NAIPVMEXTHUWDZ";
    static const unsigned char fields[] = {6, 6, 6, 6, 6, 3, 2, 4, 4, 4, 4, 3, 3, 3};
    static const char odd[] = "\t\r -x0E\0";
    size_t which = random_below(seed, sizeof letters - 1), length = 0;
    size_t count = fields[which];
    out[length++] = letters[which];
    if (random_below(seed, 8) == 0)
        count += random_below(seed, 3) - 1;
    for (size_t i = 0; i < count; i++) {
        out[length++] = ' ';
        length += put_number(out + length, seed);
    }
    if (random_below(seed, 2)) { /* a last field like that of other lines */
        static const char *const lasts[] = {"7",
                                            "77",
                                            "7777777",
                                            "77777777",
                                            "777777777",
                                            "777777777777777",
                                            "7777777777777777",
                                            "07"};
        const char *last = lasts[random_below(seed, ITEMS(lasts))];
        while (length > 0 && out[length - 1] != ' ')
            length--;
        memcpy(out + length, last, strlen(last));
        length += strlen(last);
    }
    if (random_below(seed, 4) == 0)
        out[random_below(seed, length)] = odd[random_below(seed, sizeof odd - 1)];
    if (random_below(seed, 10) == 0)
        out[length++] = random_below(seed, 2) ? '\r' : ' ';
    return length;
}

Test(et_lexer, both_lexers_agree_on_lines_that_are_nearly_records)
{
    uint64_t seed = 4;
    struct tally tally = {.records = 0};
    for (int i = 0; i < 100000; i++) {
        char line[256] = {0};
        size_t length = put_line(line, &seed);
        line[length] = '\n';
        compare_lexers(line, length, &tally);
    }
    cr_expect_gt(tally.canonical, 10000, "%u", tally.canonical);
    cr_expect_gt(tally.records - tally.canonical, 1000, "%u", tally.records - tally.canonical);
    cr_expect_gt(tally.others, 10000, "%u", tally.others);
}
