/* SPDX-License-Identifier: MIT */
/* Name lists, in the form that the manual describes and in those that tracers write. */
#include "formats/name_lists.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct names *names;
static struct trace_mark mark;
static struct list_remarks remarks;

/* Reads the lists at `paths`. */
static enum status read_at(const char *paths)
{
    struct lists_wanted wanted = {.paths = paths, .mark = &mark};
    return name_lists_read(names, &wanted, NULL, &remarks, &cause);
}

/* Reads those of the trace `name` in the scratch folder. */
static enum status read_of(const char *name)
{
    char path[PATH_SIZE];
    struct lists_wanted wanted = {.trace = scratch_path(path, name), .mark = &mark};
    return name_lists_read(names, &wanted, NULL, &remarks, &cause);
}

static void start(void)
{
    mark = (struct trace_mark){.is_of_ettrace = false};
    ok(names_new(&names, &cause));
}

static void finish(void)
{
    names_free(names);
    list_remarks_free(&remarks);
    scratch_remove();
}

TestSuite(name_lists, .init = start, .fini = finish);

static void write_list(const char *name, const char *text)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, name), text, strlen(text));
}

/* Reads the list `text` from a file called `name`. */
static enum status read_as(const char *name, const char *text)
{
    char path[PATH_SIZE];
    write_list(name, text);
    return read_at(scratch_path(path, name));
}

static enum status read_folder(void)
{
    char path[PATH_SIZE];
    return read_at(scratch_path(path, ""));
}

static void expect_name(enum name_space space, uint64_t id, const char *name)
{
    const char *found = names_find(names, space, id);
    cr_expect_str_eq(found ? found : "(none)", name);
}

Test(name_lists, as_tracers_write_them)
{
    write_list("classs.list", "java.util.Arrays$ArrayList,215\n[I,3\n");
    write_list("methods.list", "java.lang.Object#<init>,215\r\n");
    write_list("fields.list", "java.lang.String#value,1\n");
    ok(read_folder());
    expect_name(NAMES_TYPE, 215, "java.util.Arrays$ArrayList");
    expect_name(NAMES_TYPE, 3, "[I");
    expect_name(NAMES_METHOD, 215, "java.lang.Object#<init>");
    expect_name(NAMES_FIELD, 1, "java.lang.String#value");
    cr_expect_null(names_find(names, NAMES_SITE, 215));
}

Test(name_lists, as_described)
{
    write_list("method_list", "7,1,main\n8,2,<init>\n");
    write_list("class_list", "1,java/lang/Object\n\n18446744073709551615,a,b\n");
    write_list("field_list", "7,1,next\n");
    ok(read_folder());
    expect_name(NAMES_TYPE, 1, "java/lang/Object");
    expect_name(NAMES_TYPE, UINT64_MAX, "a,b");
    expect_name(NAMES_METHOD, 7, "java/lang/Object#main");
    expect_name(NAMES_METHOD, 8, "2#<init>"); /* class 2 has no name */
    expect_name(NAMES_FIELD, 7, "java/lang/Object#next");
}

Test(name_lists, the_first_line_shows_the_layout_where_a_name_is_a_number)
{
    ok(read_as("classes-described", "1,A\n2,3\n"));
    expect_name(NAMES_TYPE, 2, "3");
    ok(read_as("classes-traced", "B,11\n12,13\n"));
    expect_name(NAMES_TYPE, 13, "12");
}

Test(name_lists, a_folder_is_taken_under_one_name_of_each_list)
{
    write_list("class_list", "1,described\n");
    write_list("classs.list", "traced,1\n");
    ok(read_folder());
    expect_name(NAMES_TYPE, 1, "described");
}

Test(name_lists, several_places_are_separated_by_commas)
{
    char paths[2 * PATH_SIZE], folder[PATH_SIZE], file[PATH_SIZE];
    ok(mkdir(scratch_path(folder, "sub"), 0700) == 0 ? STATUS_OK : STATUS_IO);
    write_list("sub/class_list", "1,A\n");
    write_list("methods-of-mine", "2,1,m\n");
    snprintf(paths, sizeof paths, "%s,%s", scratch_path(file, "methods-of-mine"), folder);
    ok(read_at(paths));
    expect_name(NAMES_METHOD, 2, "A#m");
}

Test(name_lists, some_tracers_write_class_with_one_s)
{
    write_list("class.list", "java.lang.Object,1\n");
    ok(read_folder());
    expect_name(NAMES_TYPE, 1, "java.lang.Object");
    write_list("classs.list", "java.lang.String,2\n");
    ok(read_folder());
    expect_name(NAMES_TYPE, 2, "java.lang.String");
}

Test(name_lists, beside_a_trace)
{
    write_list("classs.list", "A,1\n");
    ok(read_of("x.trace"));
    expect_name(NAMES_TYPE, 1, "A");
}

Test(name_lists, nothing_beside_a_trace)
{
    ok(read_of("x.trace"));
    cr_expect_null(names_find(names, NAMES_TYPE, 1));
}

Test(name_lists, the_same_name_twice_is_one)
{
    ok(read_as("class_list", "1,A\n1,A\n"));
    expect_name(NAMES_TYPE, 1, "A");
}

/* In one layout, members have their whole names; in the other, they have the ids of their
 * classes. */
Test(name_lists, the_same_name_in_both_layouts_is_one)
{
    static const char second[] = "The id of this line has another name already: ";
    static const char *const others[] = {"2,5,main", "1,5,mail", "1,5,mai", "1,5,main2",
                                         "1,6,main"};
    char line[32], expected[100];
    ok(read_as("class_list", "5,A\n6,B\n"));
    ok(read_as("methods.list", "A#main,1\nA#mein,2\nA.run,3\nAB#x,4\n"));
    ok(read_as("method_list", "1,5,main\n7,5,next\n7,5,next\n"));
    expect_name(NAMES_METHOD, 1, "A#main");
    expect_name(NAMES_METHOD, 7, "A#next");
    for (size_t i = 0; i < ITEMS(others); i++) {
        snprintf(line, sizeof line, "%s\n", others[i]);
        snprintf(expected, sizeof expected, "%s\"%s\"", second, others[i]);
        expect_failure(read_as("method_list", line), STATUS_MEANING, 1, expected);
    }
    expect_failure(read_as("method_list", "3,5,run\n"), STATUS_MEANING, 1,
                   "The id of this line has another name already: \"3,5,run\"");
    expect_failure(read_as("method_list", "7,5,nest\n"), STATUS_MEANING, 1,
                   "The id of this line has another name already: \"7,5,nest\"");
    expect_failure(read_as("method_list", "7,6,next\n"), STATUS_MEANING, 1,
                   "The id of this line has another name already: \"7,6,next\"");
}

Test(name_lists, two_names_of_one_id)
{
    expect_failure(read_as("class_list", "1,A\n2,B\n1,AB\n"), STATUS_MEANING, 3,
                   "The id of this line has another name already: \"1,AB\"");
}

Test(name_lists, malformed_lines)
{
    static const struct {
        const char *name, *text;
        unsigned line;
        const char *expected;
    } lists[] = {
        {"class_list", "A\n", 1, "A line of a name list must be ID,NAME or NAME,ID: \"A\""},
        {"class_list", "A,B\n", 1, "A line of a name list must be ID,NAME or NAME,ID: \"A,B\""},
        {"class_list", "-1,A\n", 1,
         "A line of a name list must be ID,NAME or NAME,ID: \"-1,A\""},
        {"class_list", "1,A\nB,2\n", 2, "A line of this list must be ID,NAME: \"B,2\""},
        {"class_list", "1,\n", 1, "A line of this list must be ID,NAME: \"1,\""},
        {"class_list", "1,a\tb\n", 1, "A line of this list must be ID,NAME: \"1,a\\tb\""},
        {"classs.list", "A,1\n\nB,\n", 3, "A line of this list must be NAME,ID: \"B,\""},
        {"classs.list", "A,1\n,2\n", 2, "A line of this list must be NAME,ID: \",2\""},
        {"classs.list", "A,1\nB,18446744073709551616\n", 2,
         "A line of this list must be NAME,ID: \"B,18446744073709551616\""},
        {"method_list", "1,A\n", 1, "A line of this list must be ID,CLASS-ID,NAME: \"1,A\""},
        {"field_list", "1,2,\n", 1, "A line of this list must be ID,CLASS-ID,NAME: \"1,2,\""},
    };
    for (size_t i = 0; i < ITEMS(lists); i++) {
        names_free(names);
        start();
        expect_failure(read_as(lists[i].name, lists[i].text), STATUS_SYNTAX, lists[i].line,
                       lists[i].expected);
    }
}

Test(name_lists, a_nul_byte)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "class_list"), "1,A\0B\n", 6);
    expect_failure(read_at(path), STATUS_SYNTAX, 1,
                   "A line of this list must be ID,NAME: \"1,A\\x00B\"");
}

Test(name_lists, what_is_no_site)
{
    static const char *const lines[] = {"1,2,3\n", "1,2,,T\n", "1,a,3,T\n", "1,2\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect_eq(read_as("sites", lines[i]), STATUS_SYNTAX, "%s", lines[i]);
    expect_failure(read_as("sites", "7,2,3,T\n7,2,4,T\n"), STATUS_MEANING, 2,
                   "The id of this line has another name already: \"7,2,4,T\"");
    ok(read_as("sites", "8,2,3,T\n8,2,3,U\n9,2,0,\n"));
}

Test(name_lists, what_is_no_list)
{
    expect_failure(read_as("names", "1,A\n"), STATUS_MEANING, 0,
                   "The name of a list must begin with class, method, field or site");
    char path[PATH_SIZE];
    cr_expect_eq(read_at(scratch_path(path, "class-missing")), STATUS_IO);
    expect_failure(
        read_folder(), STATUS_MEANING, 0,
        "There is no name list in this folder: no class_list, method_list, "
        "field_list, site_list, classs.list, class.list, methods.list or fields.list");
    cr_expect_eq(read_at(""), STATUS_IO);
}

Test(name_lists, a_name_has_a_longest_one)
{
    char *text = long_text("1,", 'n', 262144 - 2, "\n");
    ok(read_as("classes", text));
    free(text);
    text = long_text("2,", 'n', 262144, "\n");
    cr_expect_eq(read_as("classes", text), STATUS_SYNTAX);
    cr_expect(strncmp(cause.text, "The name is longer than 262144 bytes: \"2,nnn", 44) == 0,
              "%s", cause.text);
    failure_clear(&cause);
    free(text);
    text = long_text("2,", 'n', 3000000, "\n");
    cr_expect_eq(read_as("classes", text), STATUS_SYNTAX);
    cr_expect_str_eq(cause.text, "The line is longer than 1048576 bytes");
    failure_clear(&cause);
    free(text);
}

#define ID "0123456789abcdef0123456789abcdef"
#define OTHER_ID "f123456789abcdef0123456789abcdef"

static void make_folder(const char *name)
{
    char path[PATH_SIZE];
    cr_assert_eq(mkdir(scratch_path(path, name), 0777), 0);
}

Test(name_lists, a_folder_called_after_the_trace_comes_first)
{
    static const char *const traces[] = {"x", "x.trace", "x.zst", "x.trace.gz"};
    write_list("class_list", "1,Next\n");
    make_folder("x.names");
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        names_free(names);
        ok(names_new(&names, &cause));
        ok(read_of(traces[i])); /* the folder has no list yet */
        expect_name(NAMES_TYPE, 1, "Next");
    }
    write_list("x.names/class_list", "1,Own\n");
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        names_free(names);
        ok(names_new(&names, &cause));
        ok(read_of(traces[i]));
        expect_name(NAMES_TYPE, 1, "Own");
    }
    names_free(names);
    ok(names_new(&names, &cause));
    ok(read_of("x.2.zst")); /* another trace */
    expect_name(NAMES_TYPE, 1, "Next");
}

Test(name_lists, a_folder_beside_the_trace_that_has_its_id)
{
    strcpy(mark.id, ID);
    make_folder("a.names");
    make_folder("b.names");
    make_folder("c.names");
    write_list("a.names/class_list", "# id " OTHER_ID "\n1,Other\n");
    write_list("b.names/method_list", "# id " ID "\n7,1,m\n");
    write_list("b.names/class_list", "1,Own\n");
    write_list("c.names/class_list", "# id " ID "\n1,Copy\n");
    ok(read_of("x.trace"));
    expect_name(NAMES_TYPE, 1, "Own");
    expect_name(NAMES_METHOD, 7, "Own#m");
}

Test(name_lists, lists_of_another_trace)
{
    static const char expected[] = "This list is of another trace: its id is " OTHER_ID
                                   ", that of the trace is " ID "; --names gives other lists";
    strcpy(mark.id, ID);
    expect_failure(read_as("class_list", "# a comment\r\n# id " OTHER_ID "\r\n1,A\r\n"),
                   STATUS_MEANING, 2, expected);
    expect_failure(read_of("x.trace"), STATUS_MEANING, 2, expected);
    ok(read_as("class_list", "# id " ID "\r\n1,A\n"));
    ok(read_of("x.trace"));
    expect_name(NAMES_TYPE, 1, "A");
    cr_expect_null(remarks.tied);
    cr_expect_null(remarks.doubtful);
}

Test(name_lists, what_is_no_id_is_a_comment)
{
    strcpy(mark.id, ID);
    ok(read_as("class_list", "# id " OTHER_ID "0\n# id 0\n#id " OTHER_ID
                             "\n# id G123456789abcdef0123456789abcdef\n1,A\n"));
    expect_name(NAMES_TYPE, 1, "A");
}

Test(name_lists, a_trace_without_an_id)
{
    char path[PATH_SIZE];
    ok(read_as("class_list", "# id " ID "\n1,A\n"));
    cr_assert_not_null(remarks.tied);
    cr_expect_str_eq(remarks.tied, scratch_path(path, "class_list"));
    cr_expect_null(remarks.doubtful);
}

/* A second trace of ettrace makes a list without an id doubtful. */
Test(name_lists, lists_without_an_id)
{
    static const char begin[] = "# ettrace 1.0.0, level stores\nM 1 0 1\n";
    char path[PATH_SIZE];
    mark.is_of_ettrace = true;
    write_list("one.trace", begin);
    write_list("other.trace", "# another tracer\nM 1 0 1\n");
    ok(read_as("class_list", "1,A\n"));
    cr_expect_null(remarks.doubtful);
    write_list("two.trace", begin);
    mark.is_of_ettrace = false;
    ok(read_as("class_list", "1,A\n"));
    cr_expect_null(remarks.doubtful);
    mark.is_of_ettrace = true;
    ok(read_as("class_list", "1,A\n"));
    cr_assert_not_null(remarks.doubtful);
    cr_expect_str_eq(remarks.doubtful, scratch_path(path, "class_list"));
    cr_expect_null(remarks.tied);
}

/* Expects that the lists of t.trace, of which `file` of the scratch folder has the text, have
 * the fault `text` alone, and that class 1 is called Alpha. */
static void expect_fault(const char *file, const char *list, const char *text)
{
    write_list(file, list);
    ok(read_of("t.trace"));
    cr_assert_eq(remarks.fault_count, 1, "%s", list);
    cr_expect_eq(strncmp(remarks.faults[0].text, text, strlen(text)), 0, "%s",
                 remarks.faults[0].text);
    cr_expect_str_eq(names_find(names, NAMES_TYPE, 1), "Alpha");
    list_remarks_free(&remarks);
}

Test(name_lists, what_is_left_of_a_line_is_no_name)
{
    expect_fault("class_list", "1,Alpha\n2", "The list ends within this line; ids stand");
    expect_fault("class_list", "# id " ID "\n1,Alpha\n2,Beta",
                 "The list ends within this line");
    cr_expect_null(names_find(names, NAMES_TYPE, 2));
    write_list("class_list", "1,Alpha\n3,Gamma");
    ok(read_of("t.trace"));
    cr_expect_eq(remarks.fault_count, 0);
    cr_expect_str_eq(names_find(names, NAMES_TYPE, 3), "Gamma");
}

/* What is left of "Beta,20" or "1,Alphabet" says nothing true of an id. */
Test(name_lists, what_is_left_of_a_line_with_an_id_is_no_name)
{
    static const char *const lists[] = {"Alpha,1\nBeta,2", "1,Alpha\n1,Al", "Alpha,1\nAl,1"};
    for (size_t i = 0; i < ITEMS(lists); i++)
        expect_fault("class_list", lists[i], "The list ends within this line; ids stand");
    cr_expect_null(names_find(names, NAMES_TYPE, 2));
    write_list("class_list", "Beta,2"); /* its first line shows the layout */
    ok(read_of("t.trace"));
    cr_expect_eq(remarks.fault_count, 1);
    cr_expect_null(names_find(names, NAMES_TYPE, 2));
}

/* Names are not the data, however a list is compressed. */
Test(name_lists, a_list_that_cannot_be_decompressed)
{
    static const char lz4[] = "\x04\x22M\x18 1,Beta\n";
    write_list("class_list", "1,Alpha\n");
    ok(read_of("t.trace"));
    expect_fault("class_list", lz4, "This is compressed with lz4, which cannot be read");
    char path[PATH_SIZE];
    cr_expect_eq(read_at(scratch_path(path, "class_list")), STATUS_MEANING);
    failure_clear(&cause);
}

/* Of a list that was not read it is not known whether it belongs to the trace. */
Test(name_lists, a_list_without_lines_is_not_doubtful)
{
    static const char begin[] = "# ettrace 1.0.0, level stores\nM 1 0 1\n";
    mark.is_of_ettrace = true;
    write_list("one.trace", begin);
    write_list("two.trace", begin);
    write_list("class_list", "");
    ok(read_of("one.trace"));
    cr_expect_eq(remarks.fault_count, 1);
    cr_expect_null(remarks.doubtful);
}

Test(name_lists, faults_of_lists_that_are_wanted_are_failures)
{
    expect_fault("class_list", "1,Alpha\nx\n2,Beta\n", "A line of this list must be");
    char path[PATH_SIZE];
    expect_failure(read_at(scratch_path(path, "class_list")), STATUS_SYNTAX, 2,
                   "A line of this list must be ID,NAME: \"x\"");
    cr_expect_eq(remarks.fault_count, 0);
}
