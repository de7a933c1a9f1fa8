/* SPDX-License-Identifier: MIT */
/* The files of SELogger traces: their layouts, their numbers, and their faults
 * (etmerlin-formats(5), SELOGGER). */
#include "formats/classes.h"
#include "selogger.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(selogger_files, .fini = scratch_remove);

#define OBJECT "Ljava/lang/Object;"
#define INDEX                                                                                  \
    "1 Main 0 METHOD_ENTRY V methodtype=static\n"                                              \
    "1 Main 1 LOCAL_LOAD " OBJECT " type=A,name=a\n"                                           \
    "1 Main 2 NEW_ARRAY I type=int\n"                                                          \
    "1 Main 2 NEW_ARRAY_RESULT " OBJECT " null\n"                                              \
    "1 Main 3 LOCAL_STORE F type=float,name=f\n"                                               \
    "1 Main 4 METHOD_NORMAL_EXIT Z type=boolean\n"

static const struct made_event events[] = {{0, 0, 0}, {1, 0, 5},  {2, 0, 3},
                                           {3, 0, 6}, {4, 0, 99}, {5, 0, 1}};

#define RECORDS "M 1 0 0\nN 5 0 0 0 0 0\nW 5 0 0\nA 6 32 1 2 3 0\nE 1 0\n"

static void expect_notes(const char *wanted)
{
    char *notes = read_notes();
    cr_expect_str_eq(notes, wanted, "notes\n%swanted\n%s", notes, wanted);
    free(notes);
}

#define NO_TYPES                                                                               \
    "There is no LOG$Types.txt next to it: only objects whose allocation is logged have "      \
    "types\n"

Test(selogger_files, a_binary_and_a_text_log_say_the_same)
{
    make_index(INDEX);
    make_log("log-00001.slg", events, ITEMS(events));
    expect_records(RECORDS);
    char path[PATH_SIZE];
    must(unlink(scratch_path(path, "log-00001.slg")) == 0, "unlink");
    make_text_log("log-00001.txt", events, ITEMS(events), 0);
    expect_records(RECORDS);
    expect_notes(NO_TYPES);
}

Test(selogger_files, text_has_values_of_all_kinds_and_perhaps_times)
{
    make_index(INDEX);
    make_text("log-00001.txt", "Seqnum,DataId,ThreadId,Value,Timestamp\n0,0,0,0,17\n"
                               "1,1,0,5,18\n2,2,0,3,18\n3,3,0,6,19\n4,4,0,-1.0E10,20\n"
                               "5,5,0,true,20\n");
    expect_records(RECORDS);
}

Test(selogger_files, text_can_be_without_header_and_end_with_cr)
{
    make_index(INDEX);
    make_text("log-00001.txt",
              "0,0,0,0\r\n1,1,0,5\r\n2,2,0,3\r\n3,3,0,6\r\n4,4,0,NaN\r\n5,5,0,false\r\n");
    expect_records(RECORDS);
}

Test(selogger_files, a_text_log_can_have_many_files)
{
    make_index(INDEX);
    for (unsigned i = 0; i < ITEMS(events); i++) {
        char name[32];
        snprintf(name, sizeof name, "log-%05u.txt", i + 1);
        make_text_log(name, &events[i], 1, i);
    }
    expect_records(RECORDS);
}

/* Lengthens a log file to `length` bytes with zeros. */
static void lengthen(const char *name, off_t length)
{
    char path[PATH_SIZE];
    must(truncate(scratch_path(path, name), length) == 0, "truncate");
}

Test(selogger_files, binary_files_but_the_last_have_ten_million_events)
{
    static const struct made_event first = {1, 0, 5}, second = {2, 0, 0};
    make_index("1 Main 0 LABEL I null\n1 Main 1 LOCAL_LOAD " OBJECT " type=A,name=a\n"
               "1 Main 2 METHOD_ENTRY V methodtype=static\n");
    make_log("log-00001.slg", &first, 1);
    make_log("log-00002.slg", &second, 1);
    expect_records(

        "log-00001.slg: This file has 16 bytes, where each but the last one of a log "
        "has 160000000: it was cut off\n");
    lengthen("log-00001.slg", 159999999);
    expect_records(

        "log-00001.slg: This file has 159999999 bytes, where each but the last one of "
        "a log has 160000000: it was cut off\n");
    lengthen("log-00001.slg", 160000000);
    expect_records("N 5 0 0 0 0 0\nW 5 0 0\nM 1 0 0\n");
}

static void expect_hints(const char *wanted)
{
    char *hints = read_hints();
    cr_expect_str_eq(hints, wanted, "hints\n%swanted\n%s", hints, wanted);
    free(hints);
}

#define NO_METHODS                                                                             \
    "The log has no method events: the clock, which counts them, stands still, so no object "  \
    "dies before the end. Record with weave=EXEC, too\n"
#define NO_STORES                                                                              \
    "The log has no stores in fields or arrays: without references each object dies after "    \
    "its own last use, which may be too early. Record with weave=FIELD+ARRAY, too\n"
#define NO_ALLOCATIONS                                                                         \
    "The log has no allocations: objects count as allocated when they are first named, and "   \
    "objects that are never named are missing. Record with weave=OBJECT+ARRAY+PARAM, too\n"

Test(selogger_files, kinds_of_events_that_the_index_lacks_are_reported)
{
    static const struct {
        const char *index, *hints;
    } cases[] = {
        {"1 Main 1 CALL " OBJECT " null\n", NO_METHODS NO_STORES NO_ALLOCATIONS},
        {"1 Main 1 METHOD_ENTRY V null\n", NO_STORES NO_ALLOCATIONS},
        {"1 Main 1 METHOD_NORMAL_EXIT V null\n1 Main 1 ARRAY_STORE_VALUE " OBJECT " null\n",
         NO_ALLOCATIONS},
        {"1 Main 1 PUT_STATIC_FIELD " OBJECT " null\n1 Main 1 NEW_OBJECT V null\n", NO_METHODS},
        {"1 Main 1 METHOD_ENTRY V null\n1 Main 1 NEW_ARRAY I null\n", NO_STORES},
        {"1 Main 1 METHOD_ENTRY V null\n1 Main 1 MULTI_NEW_ARRAY " OBJECT " null\n"
         "1 Main 1 PUT_INSTANCE_FIELD_VALUE " OBJECT " null\n",
         ""},
    };
    for (size_t i = 0; i < ITEMS(cases); i++) {
        make_index(cases[i].index);
        MAKE_LOG({0, 0, 0});
        expect_hints(cases[i].hints);
    }
}

Test(selogger_files, a_side_file_that_cannot_be_looked_at_is_an_error)
{
    char path[PATH_SIZE];
    make_index(INDEX);
    make_log("log-00001.slg", events, ITEMS(events));
    must(symlink("LOG$Types.txt", scratch_path(path, "LOG$Types.txt")) == 0, "symlink");
    expect_records("LOG$Types.txt: Cannot open: Too many levels of symbolic links\n");
}

Test(selogger_files, an_empty_log_is_noted)
{
    make_index(INDEX);
    make_text("log-00001.slg", "");
    expect_hints("");
    expect_notes(NO_TYPES "The log is empty: no event was recorded, or none was written before "
                          "the program was killed\n");
}

Test(selogger_files, an_empty_index_is_refused)
{
    make_text("dataids.txt", "");
    make_text("log-00001.slg", "");
    expect_records("dataids.txt: The index is empty: SELogger instrumented no class; "
                   "weaverlog.txt may have the reason\n");
}

Test(selogger_files, types_of_objects_come_in_any_order)
{
    make_index(INDEX);
    make_log("log-00001.slg", events, ITEMS(events));
    make_text("LOG$Types.txt", "0,void\n1,int[]\n2,A\n");
    make_text("LOG$ObjectTypes00001.txt", "2,1\n1,1\n7,1\n6,1\nx\n5,2\n");
    make_text("LOG$ObjectTypes00002.txt", ",1\n3,1\n9223372036854775807,1\n5,1\n");
    expect_records("M 1 0 0\nN 5 0 1 0 0 0\nW 5 1 0\nA 6 32 1 2 3 0\nE 1 0\n");
    expect_notes("2 lines of LOG$ObjectTypes are not OBJECT,TYPE and are skipped: the types of "
                 "as many objects are unknown\n");
    make_text("LOG$ObjectTypes00002.txt", "");
    expect_records("M 1 0 0\nN 5 0 2 0 0 0\nW 5 2 0\nA 6 32 1 2 3 0\nE 1 0\n");
    expect_notes("1 line of LOG$ObjectTypes is not OBJECT,TYPE and is skipped: the type of an "
                 "object is unknown\n");
}

Test(selogger_files, a_file_that_is_missing_is_named)
{
    make_index(INDEX);
    make_log("log-00001.slg", events, 1);
    make_log("log-00003.slg", events, 1);
    make_log("log-100000.slg", events, 1);
    expect_records("log-00002.slg: This file of the trace is missing, though a later one is "
                   "there\n");
}

Test(selogger_files, other_names_are_no_logs)
{
    make_index(INDEX);
    make_log("log-1.slg", events, 1);
    make_log("log-000002.slg", events, 1);
    make_log("log-00001.slg.old", events, 1);
    make_log("log-0000a.slg", events, 1);
    expect_records(
        "dataids.txt: There is no log next to it, neither log-00001.slg nor log-00001.txt\n");
}

Test(selogger_files, two_logs_are_one_too_many)
{
    make_index(INDEX);
    make_log("log-00001.slg", events, 1);
    make_text_log("log-00001.txt", events, 1, 0);
    expect_records("dataids.txt: There are two logs next to it, log-*.slg and log-*.txt: keep "
                   "the one that belongs to it\n");
}

Test(selogger_files, an_empty_log_is_an_empty_trace)
{
    make_index(INDEX);
    make_log("log-00001.slg", events, 0);
    expect_records("");
}

static const char old_index[] =
    "0,0,1,100,0,METHOD_ENTRY,V,Receiver=Static\n"
    "1,0,1,101,1,NEW_OBJECT,V,Type=a/B\n"
    "2,0,1,101,2,CALL,V,Instruction=INVOKESPECIAL,Owner=a/B,Name=<init>,Desc=()V,"
    "CallType=ReceiverNotInitialized,NewParent=1\n"
    "3,0,1,101,2,CALL_RETURN,V,null\n"
    "4,0,1,101,2,NEW_OBJECT_CREATED,Ljava/lang/Object;,NewParent=1\n"
    "5,0,1,102,3,PUT_STATIC_FIELD,Ljava/lang/Object;,Owner=a/B,FieldName=all,Type=La/B;\n"
    "6,0,1,103,9,CATCH,Ljava/lang/Object;,ExceptionalExit\n"
    "7,0,1,104,9,NEW_ARRAY,I,ElementType=a/B\n"
    "8,0,1,104,9,NEW_ARRAY_RESULT,Ljava/lang/Object;,null\n"
    "9,0,1,105,9,METHOD_EXCEPTIONAL_EXIT,Ljava/lang/Object;,null\n";

Test(selogger_files, old_traces_have_eight_columns_and_other_keys)
{
    make_text("dataids.txt", old_index);
    make_text("LOG$Types.txt", "0,void\n1,java.lang.Object\n2,a.B\n3,a.B[]\n");
    make_text("LOG$ObjectTypes00001.txt", "1,2\n2,3\n3,1\n");
    MAKE_LOG({0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 1}, {5, 0, 1},
             {7, 0, 2}, {8, 0, 2}, {6, 0, 3}, {9, 0, 3});
    expect_records("M 1 0 0\n"
                   "N 1 0 2 1 0 0\n"
                   "W 1 2 0\n"
                   "U 0 1 1 0\n"
                   "A 2 24 3 7 2 0\n"
                   "N 3 0 1 0 0 0\n"
                   "W 3 1 0\n"
                   "X 1 0 3 0\n");
}

Test(selogger_files, superclasses_stand_in_several_places)
{
    make_index("1 Main 1 PUT_STATIC_FIELD " OBJECT " type=A,owner=Left,name=tag\n"
               "1 Main 2 PUT_STATIC_FIELD " OBJECT " type=A,owner=Base,name=tag\n");
    MAKE_LOG({0, 0, 0}, {1, 0, 0});
    static const char *const types[] = {
        "0,Base,,-1,-1\r\n1,Left,file:/x/,0,-1\r\n",
        "0,Base,,-1,-1,L\n1,Left,file:/a,b/,0,-1,Loader@0:Left\n",
    };
    for (size_t i = 0; i < ITEMS(types); i++) {
        make_text("LOG$Types.txt", types[i]);
        expect_records("U 0 0 2 0\nU 0 0 2 0\n");
    }
    make_text("LOG$Types.txt", "0,Base\n1,Left\n");
    expect_records("U 0 0 1 0\nU 0 0 2 0\n");
    make_text("LOG$Types.txt", "0,Base,,1,-1,L\n1,Left,,0,-1,L\n"); /* a ring */
    expect_records("U 0 0 2 0\nU 0 0 2 0\n");
}

Test(selogger_files, what_is_cut_off_is_left_out)
{
    make_index(INDEX);
    make_log("log-00001.slg", events, ITEMS(events));
    char path[PATH_SIZE];
    must(truncate(scratch_path(path, "log-00001.slg"), 16 * 4 + 7) == 0, "truncate");
    expect_records("M 1 0 0\nN 5 0 0 0 0 0\nW 5 0 0\nA 6 32 1 2 3 0\n");
    expect_notes(NO_TYPES "The last event of log-00001.slg has less than 16 bytes and is left "
                          "out: the trace was cut off\n");
    must(unlink(path) == 0, "unlink");
    make_text("log-00001.txt", "0,0,0,0\n1,1,0,5\n2,1,0,5");
    expect_records("M 1 0 0\nN 5 0 0 0 0 0\nW 5 0 0\n");
    expect_notes(NO_TYPES
                 "The last line of log-00001.txt has no end and is left out: the trace "
                 "was cut off\n");
}

Test(selogger_files, side_files_can_be_cut_off_too)
{
    make_index(INDEX);
    make_text("LOG$Types.txt", "0,void,,-1,-1,L\n1,A,,-1,-1,L\n2,B,,-1");
    make_text("LOG$ObjectTypes00001.txt", "1,1\n2,1\n3,1\n4,1\n5,1\n6,");
    make_log("log-00001.slg", events, ITEMS(events));
    expect_records("M 1 0 0\nN 5 0 1 0 0 0\nW 5 1 0\nA 6 32 2 2 3 0\nE 1 0\n");
    expect_notes(
        "The last line of LOG$Types.txt has no end and is left out: the trace was cut "
        "off\n"
        "The last line of LOG$ObjectTypes00001.txt has no end and is left out: the trace "
        "was cut off\n");
}

Test(selogger_files, objects_without_types_are_noted)
{
    make_index(INDEX);
    make_text("LOG$Types.txt", "0,void,,-1,-1,L\n1,int[],,-1,-1,L\n");
    make_log("log-00001.slg", events, ITEMS(events));
    expect_records(RECORDS);
    expect_notes("There is no LOG$ObjectTypes00001.txt next to it: only objects whose "
                 "allocation is logged have types\n");
}

Test(selogger_files, bad_events_are_refused)
{
    static const struct {
        struct made_event event;
        const char *why;
    } bad[] = {
        {{6, 0, 0},
         "log-00001.slg@0x10: The data id of this event is not in dataids.txt: the "
         "files are not of one run, or are damaged\n"},
        {{UINT32_MAX, 0, 0},
         "log-00001.slg@0x10: The data id of this event is not in "
         "dataids.txt: the files are not of one run, or are damaged\n"},
        {{0, UINT32_MAX, 0},
         "log-00001.slg@0x10: The thread of this event is negative: the file is damaged\n"},
        {{1, 0, -1},
         "log-00001.slg@0x10: This event names an object whose number is too large for this "
         "log: the file is damaged\n"},
        {{1, 0, INT64_MAX},
         "log-00001.slg@0x10: This event names an object whose number is too large for this "
         "log: the file is damaged\n"},
    };
    make_index(INDEX);
    for (size_t i = 0; i < ITEMS(bad); i++) {
        MAKE_LOG({0, 0, 0}, bad[i].event);
        expect_records(bad[i].why);
    }
}

Test(selogger_files, bad_lines_of_a_log_are_refused)
{
    static const char *const bad[][2] = {
        {"0,0,0\n", "log-00001.txt:1: This line is not NUMBER,DATA-ID,THREAD,VALUE[,TIME]\n"},
        {"\n", "log-00001.txt:1: This line is not NUMBER,DATA-ID,THREAD,VALUE[,TIME]\n"},
        {"Seqnum,DataId\n0,-1,0,0\n",
         "log-00001.txt:2: This line is not NUMBER,DATA-ID,THREAD,VALUE[,TIME]\n"},
        {"0,0,-1,0\n",
         "log-00001.txt:1: This line is not NUMBER,DATA-ID,THREAD,VALUE[,TIME]\n"},
        {"0,0,0,0\n2,0,0,0\n",
         "log-00001.txt:2: The events are not numbered in order: some are missing\n"},
        {"0,6,0,0\n", "log-00001.txt:1: The data id of this event is not in dataids.txt: the "
                      "files are not of one run, or are damaged\n"},
        {"0,1,0,x\n", "log-00001.txt:1: The value of this event is not a number, as its "
                      "instruction demands\n"},
        {"0,1,0,9999999999\n", "log-00001.txt:1: This event names an object whose number is "
                               "too large for this log: the file is damaged\n"},
    };
    make_index(INDEX);
    for (size_t i = 0; i < ITEMS(bad); i++) {
        make_text("log-00001.txt", bad[i][0]);
        expect_records(bad[i][1]);
    }
}

/* Each of these texts is refused when it replaces a good side file. */
Test(selogger_files, bad_side_files_are_refused)
{
    static const char *const bad[][3] = {
        {"dataids.txt", "DataID,ClassID\n0,0\n",
         "dataids.txt:1: This is no SELogger index: \"DataID,ClassID\"\n"},
        {"dataids.txt", "0,0,1\n", "dataids.txt:1: This is no SELogger index: \"0,0,1\"\n"},
        {"dataids.txt", "0,0,1,5,0,LABEL,I,null\n0,0,1,5,0,LABEL,I,null\n",
         "dataids.txt:2: The ids of this line are no numbers, or not in order: "
         "\"0,0,1,5,0,LABEL,I,null\"\n"},
        {"dataids.txt", "0,0,1,5,0,LABEL,I,null\n1,0,1,5,0,LABEL,I\n",
         "dataids.txt:2: This line has no columns LINE,INDEX,EVENT,TYPE,ATTRIBUTES where they "
         "must be: "
         "\"1,0,1,5,0,LABEL,I\"\n"},
        {"dataids.txt", "0,0,x,5,0,LABEL,I,null\n",
         "dataids.txt:1: The ids of this line are no numbers, or not in order: "
         "\"0,0,x,5,0,LABEL,I,null\"\n"},
        {"LOG$Types.txt", "1,void\n",
         "LOG$Types.txt:1: The types are not numbered in order: \"1,void\"\n"},
        {"LOG$Types.txt", "void\n",
         "LOG$Types.txt:1: This line is not TYPE,NAME[,LOCATION,SUPERCLASS,COMPONENT]: "
         "\"void\"\n"},
        {"LOG$String00001.txt", "1,1\n",
         "LOG$String00001.txt:1: This line is not OBJECT,LENGTH,\"TEXT\": \"1,1\"\n"},
        {"classes.txt", "0,file\n",
         "classes.txt:1: This line is not CLASS,LOCATION,FILE,NAME,LEVEL,HASH: "
         "\"0,file\"\n"},
        {"methods.txt", "0,x,A,m\n",
         "methods.txt:1: This line is not CLASS,METHOD,CLASS-NAME,NAME,DESCRIPTOR,ACCESS: "
         "\"0,x,A,m\"\n"},
    };
    for (size_t i = 0; i < ITEMS(bad); i++) {
        char path[PATH_SIZE];
        make_index(INDEX);
        make_text("LOG$Types.txt", "0,void\n");
        make_log("log-00001.slg", events, ITEMS(events));
        make_text(bad[i][0], bad[i][1]);
        expect_records(bad[i][2]);
        must(unlink(scratch_path(path, bad[i][0])) == 0, "unlink");
    }
}

Test(selogger_files, a_bad_table_of_sizes_is_refused)
{
    char path[PATH_SIZE];
    make_index(INDEX);
    make_log("log-00001.slg", events, ITEMS(events));
    make_text("sizes", "Node,40\nLeaf,x\n");
    scratch_path(path, "sizes");
    expect_read(&(const struct reader_options){.type_sizes = path},
                "sizes:2: A line of a table of sizes must be CLASS,BYTES: \"Leaf,x\"\n");
}

Test(selogger_files, names_are_passed_on)
{
    char path[PATH_SIZE];
    struct source *source;
    struct reader *reader;
    make_index("7 p/Main 1 NEW_OBJECT V objecttype=p.Node\n"
               "7 p/Main 2 PUT_STATIC_FIELD " OBJECT " type=A,owner=p.Node,name=all\n"
               "7 p/Main 0 METHOD_ENTRY V methodtype=static\n"
               "8 p/Main 0 METHOD_ENTRY V methodtype=static\n"
               "7 p/Main 3 MULTI_NEW_ARRAY_ELEMENT " OBJECT " null\n");
    make_text("LOG$Types.txt", "0,void,,-1,-1,L\n1,p.Node$$Lambda$1/0x1,,-1,-1,L\n"
                               "2,p.Odd\1 name\37\177~,,-1,-1,L\n");
    make_text("methods.txt", "ClassID,MethodID,ClassName,MethodName,MethodDesc\n"
                             "0,7,p/Main,<clinit>,()V,8,Main.java,0\n");
    make_log("log-00001.slg", NULL, 0);
    ok(source_open(&source, scratch_path(path, "dataids.txt"), NULL, &cause));
    ok(selogger_reader_class.open(&reader, source,
                                  &(const struct reader_options){.lenient = false}, &cause));
    const struct names *names = reader->names;
    cr_expect_str_eq(names_find(names, NAMES_TYPE, 0), "(unknown)");
    cr_expect_str_eq(names_find(names, NAMES_TYPE, 1), "p.Node$$Lambda$1/0x1");
    cr_expect_str_eq(names_find(names, NAMES_TYPE, 2), "p.Odd? name??~");
    cr_expect_str_eq(names_find(names, NAMES_TYPE, 3), "p.Node");
    cr_expect_str_eq(names_find(names, NAMES_METHOD, 7), "p.Main#<clinit>");
    cr_expect_str_eq(names_find(names, NAMES_METHOD, 8), "p.Main#m8");
    cr_expect_str_eq(names_find(names, NAMES_FIELD, 1), "p.Node#all");
    cr_expect_str_eq(names_find(names, NAMES_SITE, 0), "p.Main#m7:100");
    cr_expect_null(names_find(names, NAMES_SITE, 1));
    cr_expect_str_eq(names_find(names, NAMES_SITE, 4), "p.Main#m7:104");
    reader_close(reader);
    source_close(source);
}

Test(selogger_files, a_log_that_changes_is_noticed)
{
    char path[PATH_SIZE];
    struct source *source;
    struct reader *reader;
    struct batch batch = BATCH_EMPTY;
    make_index(INDEX);
    make_log("log-00001.slg", events, ITEMS(events));
    ok(source_open(&source, scratch_path(path, "dataids.txt"), NULL, &cause));
    ok(selogger_reader_class.open(&reader, source,
                                  &(const struct reader_options){.lenient = false}, &cause));
    make_log("log-00001.slg", events, ITEMS(events) - 1);
    ok(reader_next(reader, &batch, &cause));
    expect_failure(reader_next(reader, &batch, &cause), STATUS_MEANING, 0,
                   "The file changed while it was read: start again when it is complete");
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
    failure_clear(&cause);
}

/* Cuts the file off at each byte, and changes bytes: the trace is read or refused each time. */
static void read_damaged(const char *name, uint8_t *bytes, size_t length)
{
    char path[PATH_SIZE];
    const struct reader_options options = {.loads_as_updates = true};
    scratch_path(path, name);
    for (size_t i = 0; i < length; i++) {
        write_file(path, bytes, i);
        free(read_made(&options));
        uint8_t saved = bytes[i];
        static const uint8_t flips[] = {0x01, 0x80, 0xff};
        bytes[i] = saved ^ flips[i % ITEMS(flips)];
        write_file(path, bytes, length);
        free(read_made(&options));
        bytes[i] = saved;
    }
    write_file(path, bytes, length);
}

Test(selogger_files, damage_never_hurts)
{
    static const char *const names[] = {
        "dataids.txt",         "LOG$Types.txt",           "LOG$ObjectTypes00001.txt",
        "LOG$String00001.txt", "LOG$Exceptions00001.txt", "log-00001.slg"};
    make_text("dataids.txt", old_index);
    make_text("LOG$Types.txt", "0,void\n1,java.lang.Object\n2,a.B,,1,-1,L\n3,a.B[],,-1,2,L\n");
    make_text("LOG$ObjectTypes00001.txt", "1,2\n2,3\n3,1\n");
    make_text("LOG$String00001.txt", "1,2,\"\\u00e4\"\n");
    make_text("LOG$Exceptions00001.txt", "3,M,\n3,CS,2,1\n");
    MAKE_LOG({0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 1}, {5, 0, 1},
             {7, 0, 2}, {8, 0, 2}, {6, 0, 3}, {9, 0, 3});
    for (size_t i = 0; i < ITEMS(names); i++) {
        char path[PATH_SIZE];
        uint8_t bytes[2048];
        FILE *file = fopen(scratch_path(path, names[i]), "rb");
        size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
        must(length > 0 && length < sizeof bytes && fclose(file) == 0, "cannot read %s", path);
        read_damaged(names[i], bytes, length);
    }
}
