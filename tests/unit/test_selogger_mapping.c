/* SPDX-License-Identifier: MIT */
/* The records that SELogger's events are converted to, rule by rule (etmerlin-formats(5), "How
 * events are converted"). */
#include "formats/classes.h"
#include "selogger.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

TestSuite(selogger_mapping, .fini = scratch_remove);

/* The type of the value of most events. */
#define OBJECT "Ljava/lang/Object;"

/* main() creates a Node, whose constructor calls the constructor of Object. */
#define MAKE_NODE                                                                              \
    "1 Main 0 METHOD_ENTRY V methodtype=static\n"                                              \
    "1 Main 2 NEW_OBJECT V objecttype=Node\n"                                                  \
    "1 Main 4 CALL V owner=Node,name=<init>,desc=()V,methodtype=constructor,created=2\n"       \
    "2 Node 0 METHOD_ENTRY V methodtype=constructor\n"                                         \
    "2 Node 3 METHOD_OBJECT_INITIALIZED " OBJECT " null\n"                                     \
    "2 Node 9 METHOD_NORMAL_EXIT V type=void\n"                                                \
    "1 Main 4 CALL_RETURN V type=void\n"                                                       \
    "1 Main 4 NEW_OBJECT_CREATED " OBJECT " created=2\n"
enum { MAIN, NEW, CONSTRUCT, NODE, NODE_READY, NODE_EXIT, RETURN, CREATED, MORE };

Test(selogger_mapping, an_object_is_allocated_where_new_stands)
{
    make_index(MAKE_NODE);
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {NODE, 7, 0}, {NODE_READY, 7, 1},
             {NODE_EXIT, 7, 0}, {RETURN, 7, 0}, {CREATED, 7, 1});
    expect_records("M 1 0 7\n"
                   "N 1 0 1 1 0 7\n"
                   "M 2 0 7\n"
                   "W 1 0 7\n"
                   "E 2 7\n"
                   "W 1 0 7\n");
}

Test(selogger_mapping, a_class_of_a_library_shows_its_object_when_it_is_made)
{
    make_index(MAKE_NODE);
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {RETURN, 7, 0}, {CREATED, 7, 1});
    expect_records("M 1 0 7\n"
                   "N 1 0 1 1 0 7\n"
                   "W 1 0 7\n");
}

Test(selogger_mapping, an_exception_after_super_leaves_an_object)
{
    make_index(MAKE_NODE "2 Node 5 METHOD_THROW " OBJECT " null\n"
                         "2 Node 9 CATCH " OBJECT " type=Throwable,location=exceptional-exit\n"
                         "2 Node 9 METHOD_EXCEPTIONAL_EXIT " OBJECT " null\n"
                         "1 Main 9 CATCH " OBJECT " type=Throwable,blocktype=CATCH\n");
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {NODE, 7, 0}, {NODE_READY, 7, 1},
             {MORE, 7, 2}, {MORE + 1, 7, 2}, {MORE + 2, 7, 2}, {MORE + 3, 7, 2});
    expect_records("M 1 0 7\n"
                   "N 1 0 1 1 0 7\n"
                   "M 2 0 7\n"
                   "W 1 0 7\n"
                   "N 2 0 0 0 0 7\n"
                   "T 2 1 2 7\n"
                   "W 2 0 7\n"
                   "X 2 1 2 7\n"
                   "H 1 0 2 7\n");
}

Test(selogger_mapping, an_exception_before_super_leaves_a_frame_and_no_object)
{
    make_index(MAKE_NODE "1 Main 9 CATCH " OBJECT " type=Throwable,blocktype=CATCH\n");
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {NODE, 7, 0}, {MORE, 7, 1},
             {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {NODE, 7, 0}, {NODE_READY, 7, 2},
             {NODE_EXIT, 7, 0}, {RETURN, 7, 0}, {CREATED, 7, 2});
    expect_records("M 1 0 7\n"
                   "M 2 0 7\n"
                   "X 2 0 0 7\n"
                   "N 1 0 0 0 0 7\n"
                   "H 1 0 1 7\n"
                   "N 2 0 1 1 0 7\n"
                   "M 2 0 7\n"
                   "W 2 0 7\n"
                   "E 2 7\n"
                   "W 2 0 7\n");
}

/* Node(x) { super(x); }: its superclass shows the object first. */
Test(selogger_mapping, a_superclass_shows_the_object_first)
{
    make_index(MAKE_NODE
               "2 Node 2 CALL V owner=Base,name=<init>,desc=()V,methodtype=constructor\n"
               "3 Base 0 METHOD_ENTRY V methodtype=constructor\n"
               "3 Base 3 METHOD_OBJECT_INITIALIZED " OBJECT " null\n"
               "3 Base 8 METHOD_EXCEPTIONAL_EXIT " OBJECT " null\n"
               "1 Main 9 CATCH " OBJECT " type=Throwable\n");
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {NODE, 7, 0}, {MORE, 7, 0},
             {MORE + 1, 7, 0}, {MORE + 2, 7, 1}, {MORE + 3, 7, 2}, {MORE + 4, 7, 2});
    expect_records("M 1 0 7\n"
                   "N 1 0 1 1 0 7\n"
                   "M 2 0 7\n"
                   "M 3 0 7\n"
                   "W 1 0 7\n"
                   "N 2 0 0 0 0 7\n"
                   "X 3 1 2 7\n"
                   "X 2 0 0 7\n"
                   "H 1 0 2 7\n");
}

/* The constructor of the superclass calls a method that Node overrides. */
Test(selogger_mapping, an_object_can_be_called_before_it_is_ready)
{
    make_index(MAKE_NODE "4 Node 0 METHOD_ENTRY " OBJECT " name=this,methodtype=instance\n"
                         "4 Node 1 METHOD_NORMAL_EXIT V type=void\n");
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {NODE, 7, 0}, {MORE, 7, 1},
             {MORE + 1, 7, 0}, {NODE_READY, 7, 1}, {NODE_EXIT, 7, 0}, {RETURN, 7, 0},
             {CREATED, 7, 1});
    expect_records("M 1 0 7\n"
                   "N 1 0 1 1 0 7\n"
                   "M 2 0 7\n"
                   "M 4 1 7\n"
                   "E 4 7\n"
                   "W 1 0 7\n"
                   "E 2 7\n"
                   "W 1 0 7\n");
}

/* new Node(new Leaf()): the creation of the Node begins first. */
Test(selogger_mapping, objects_can_be_made_for_others)
{
    make_index(MAKE_NODE "1 Main 6 NEW_OBJECT V objecttype=Leaf\n"
                         "1 Main 8 NEW_OBJECT_CREATED " OBJECT " created=6\n");
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {MORE, 7, 0}, {MORE + 1, 7, 1}, {CREATED, 7, 2},
             {NEW, 7, 0}, {MORE, 7, 0}, {NEW, 7, 0}, {CREATED, 7, 3});
    expect_records("M 1 0 7\n"
                   "N 2 0 1 1 0 7\n"
                   "N 1 0 2 8 0 7\n"
                   "W 1 0 7\n"
                   "W 2 0 7\n"
                   "N 3 0 1 1 0 7\n"
                   "W 3 0 7\n");
}

/* Without METHOD_ENTRY (weave without EXEC), the method shows which object is created. */
Test(selogger_mapping, objects_are_found_without_frames)
{
    make_index("1 Main 2 NEW_OBJECT V objecttype=Node\n"
               "1 Main 4 NEW_OBJECT_CREATED " OBJECT " created=2\n"
               "2 Leaf 2 NEW_OBJECT V objecttype=Leaf\n"
               "2 Leaf 4 NEW_OBJECT_CREATED " OBJECT " created=2\n");
    MAKE_LOG({0, 7, 0}, {2, 7, 0}, {1, 7, 1}, {0, 7, 0}, {2, 7, 0}, {3, 7, 2}, {1, 7, 3});
    expect_records("N 1 0 1 0 0 7\nW 1 0 7\nN 3 0 1 0 0 7\nN 2 0 2 2 0 7\nW 2 0 7\nW 3 0 7\n");
}

/* A constructor called by a library creates another object than the one that the program is
 * about to create. */
Test(selogger_mapping, reflection_makes_objects_of_its_own)
{
    make_index(MAKE_NODE "5 Leaf 0 METHOD_ENTRY V methodtype=constructor\n"
                         "5 Leaf 3 METHOD_OBJECT_INITIALIZED " OBJECT " null\n"
                         "5 Leaf 9 METHOD_NORMAL_EXIT V type=void\n");
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {MORE, 7, 0}, {MORE + 1, 7, 1},
             {MORE + 2, 7, 0}, {RETURN, 7, 0}, {CREATED, 7, 2});
    expect_records("M 1 0 7\n"
                   "N 2 0 1 1 0 7\n"
                   "M 5 0 7\n"
                   "N 1 0 0 0 0 7\n"
                   "W 1 0 7\n"
                   "E 5 7\n"
                   "W 2 0 7\n");
}

/* Wants every second boundary. */
static uint64_t want_next(void *context)
{
    uint64_t *wanted = context;
    return *wanted += 2;
}

Test(selogger_mapping, a_filter_lets_boundaries_through)
{
    char path[PATH_SIZE];
    struct source *source;
    struct reader *reader;
    struct batch batch = BATCH_EMPTY;
    uint64_t wanted = 0;
    struct boundary_filter filter = {.next = want_next, .context = &wanted};
    make_index(MAKE_NODE);
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {NODE, 7, 0}, {NODE_READY, 7, 1},
             {NODE_EXIT, 7, 0}, {RETURN, 7, 0}, {CREATED, 7, 1});
    ok(source_open(&source, scratch_path(path, "dataids.txt"), NULL, &cause));
    ok(selogger_reader_class.open(&reader, source,
                                  &(const struct reader_options){.lenient = false}, &cause));
    reader_rewind(reader, &filter);
    ok(reader_next(reader, &batch, &cause));
    expect_number(batch.count, 1);
    cr_expect(batch.records[0].kind == 'M' && batch.records[0].method == 2);
    cr_expect_eq(reader_next(reader, &batch, &cause), STATUS_END);
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
}

#define FIELD "type=Node,owner=Node,name=next"

Test(selogger_mapping, a_store_before_super_is_recorded_when_this_can_be_named)
{
    make_index(MAKE_NODE "2 Node 1 PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION " OBJECT " " FIELD
                         "\n");
    MAKE_LOG({MAIN, 7, 0}, {NEW, 7, 0}, {CONSTRUCT, 7, 0}, {NODE, 7, 0}, {MORE, 7, 5},
             {NODE_READY, 7, 1}, {NODE_READY, 7, 1});
    expect_records("M 1 0 7\n"
                   "N 1 0 1 1 0 7\n"
                   "M 2 0 7\n"
                   "N 5 0 0 0 0 7\n"
                   "W 5 0 7\n"
                   "U 1 5 1 7\n"
                   "W 1 0 7\n"
                   "W 1 0 7\n");
}

Test(selogger_mapping, parts_of_an_operation_belong_to_a_thread)
{
    make_index("1 Main 1 PUT_INSTANCE_FIELD " OBJECT " " FIELD "\n"
               "1 Main 1 PUT_INSTANCE_FIELD_VALUE " OBJECT " " FIELD "\n");
    MAKE_LOG({0, 1, 11}, {0, 2, 21}, {1, 2, 22}, {1, 1, 12});
    expect_records("N 21 0 0 0 0 2\n"
                   "N 22 0 0 0 0 2\n"
                   "U 21 22 1 2\n"
                   "N 11 0 0 0 0 1\n"
                   "N 12 0 0 0 0 1\n"
                   "U 11 12 1 1\n");
}

Test(selogger_mapping, a_store_in_null_is_none)
{
    make_index("1 Main 1 PUT_INSTANCE_FIELD " OBJECT " " FIELD "\n"
               "1 Main 1 PUT_INSTANCE_FIELD_VALUE " OBJECT " " FIELD "\n");
    MAKE_LOG({0, 1, 0}, {1, 1, 2}, {0, 1, 2}, {1, 1, 0});
    expect_records("N 2 0 0 0 0 1\n"
                   "W 2 0 1\n"
                   "U 2 0 1 1\n");
}

Test(selogger_mapping, numbers_are_stored_nowhere)
{
    make_index("1 Main 1 PUT_INSTANCE_FIELD " OBJECT " type=int,owner=Node,name=id\n"
               "1 Main 1 PUT_INSTANCE_FIELD_VALUE I type=int,owner=Node,name=id\n"
               "1 Main 2 PUT_STATIC_FIELD I type=int,owner=Node,name=count\n"
               "1 Main 3 PUT_STATIC_FIELD " OBJECT " type=Node,owner=Node,name=all\n");
    MAKE_LOG({0, 1, 2}, {1, 1, 3}, {2, 1, 4}, {3, 1, 2}, {3, 1, 0});
    expect_records("N 2 0 0 0 0 1\n"
                   "W 2 0 1\n"
                   "U 0 2 3 1\n"
                   "U 0 0 3 1\n");
}

#define ARRAYS                                                                                 \
    "1 Main 1 NEW_ARRAY I objecttype=Node\n"                                                   \
    "1 Main 1 NEW_ARRAY_RESULT " OBJECT " null\n"                                              \
    "1 Main 2 ARRAY_STORE " OBJECT " null\n"                                                   \
    "1 Main 2 ARRAY_STORE_INDEX I null\n"                                                      \
    "1 Main 2 ARRAY_STORE_VALUE " OBJECT " null\n"                                             \
    "1 Main 3 CATCH_LABEL I null\n"                                                            \
    "1 Main 3 CATCH " OBJECT " type=Throwable,blocktype=CATCH\n"                               \
    "1 Main 4 ARRAY_LENGTH " OBJECT " null\n"                                                  \
    "1 Main 5 METHOD_EXCEPTIONAL_EXIT " OBJECT " null\n"
enum { ARRAY, ARRAY_RESULT, STORE, STORE_INDEX, STORE_VALUE, LABEL, CATCH, LENGTH, EXIT };

Test(selogger_mapping, elements_are_fields_by_their_index)
{
    make_index(ARRAYS);
    MAKE_LOG({ARRAY, 1, 3}, {ARRAY_RESULT, 1, 1}, {STORE, 1, 1}, {STORE_INDEX, 1, 2},
             {STORE_VALUE, 1, 1}, {STORE, 1, 1}, {STORE_INDEX, 1, 0}, {STORE_VALUE, 1, 1},
             {LENGTH, 1, 1});
    expect_records("A 1 32 1 0 3 1\n"
                   "U 1 1 2 1\n"
                   "U 1 1 0 1\n"
                   "W 1 0 1\n");
}

Test(selogger_mapping, a_store_outside_the_array_is_none)
{
    make_index(ARRAYS);
    MAKE_LOG({ARRAY, 1, 3}, {ARRAY_RESULT, 1, 1}, {STORE, 1, 1}, {STORE_INDEX, 1, 3},
             {STORE_VALUE, 1, 2}, {STORE, 1, 1}, {STORE_INDEX, 1, -1}, {STORE_VALUE, 1, 2},
             {STORE, 1, 0}, {STORE_INDEX, 1, 0}, {STORE_VALUE, 1, 2});
    expect_records("A 1 32 1 0 3 1\n"
                   "W 1 0 1\n"
                   "N 2 0 0 0 0 1\n"
                   "W 2 0 1\n"
                   "W 1 0 1\n"
                   "W 2 0 1\n"
                   "W 2 0 1\n");
}

Test(selogger_mapping, a_store_that_an_exception_follows_may_have_failed)
{
    make_index(ARRAYS);
    MAKE_LOG({ARRAY, 1, 3}, {ARRAY_RESULT, 1, 1}, {STORE, 1, 1}, {STORE_INDEX, 1, 0},
             {STORE_VALUE, 1, 1}, {LENGTH, 2, 1}, {LABEL, 1, 2}, {CATCH, 1, 2}, {STORE, 1, 1},
             {STORE_INDEX, 1, 0}, {STORE_VALUE, 1, 1}, {EXIT, 1, 2});
    expect_records("A 1 32 1 0 3 1\n"
                   "W 1 0 1\n"
                   "W 1 0 1\n"
                   "W 1 0 2\n"
                   "N 2 0 0 0 0 1\n"
                   "H 1 0 2 1\n"
                   "W 1 0 1\n"
                   "W 1 0 1\n"
                   "X 1 0 2 1\n");
}

#define TYPES                                                                                  \
    "0,void,,-1,-1,L\n"                                                                        \
    "1,java.lang.RuntimeException,,-1,-1,L\n"                                                  \
    "2,java.lang.ArrayStoreException,,1,-1,L\n"                                                \
    "3,java.lang.ArithmeticException,,1,-1,L\n"                                                \
    "4,Node,file:/a,b/Node.class,-1,-1,L\n"                                                    \
    "5,Node[],,-1,4,L\n"

Test(selogger_mapping, other_exceptions_do_not_undo_a_store)
{
    make_index(ARRAYS);
    make_text("LOG$Types.txt", TYPES);
    make_text("LOG$ObjectTypes00001.txt", "1,5\n2,2\n3,3\n");
    MAKE_LOG({ARRAY, 1, 3}, {ARRAY_RESULT, 1, 1}, {STORE, 1, 1}, {STORE_INDEX, 1, 0},
             {STORE_VALUE, 1, 1}, {CATCH, 1, 2}, {STORE, 1, 1}, {STORE_INDEX, 1, 1},
             {STORE_VALUE, 1, 1}, {CATCH, 1, 3});
    expect_records("A 1 32 5 0 3 1\n"
                   "W 1 5 1\n"
                   "W 1 5 1\n"
                   "N 2 0 2 0 0 1\n"
                   "H 1 0 2 1\n"
                   "U 1 1 1 1\n"
                   "N 3 0 3 0 0 1\n"
                   "H 1 0 3 1\n");
}

/* new int[2][2][3] */
Test(selogger_mapping, arrays_of_arrays_hold_them)
{
    make_index("1 Main 1 MULTI_NEW_ARRAY " OBJECT " type=int[][][],dimensions=3\n"
               "1 Main 1 MULTI_NEW_ARRAY_OWNER " OBJECT " null\n"
               "1 Main 1 MULTI_NEW_ARRAY_ELEMENT " OBJECT " null\n");
    make_text("LOG$Types.txt", "0,void,,-1,-1,L\n1,int[],,-1,-1,L\n2,int[][],,-1,1,L\n"
                               "3,int[][][],,-1,2,L\n");
    make_text("LOG$ObjectTypes00001.txt", "1,3\n2,2\n3,2\n4,1\n5,1\n6,1\n7,1\n");
    MAKE_LOG({0, 1, 1}, {1, 1, 1}, {2, 1, 2}, {2, 1, 3}, {1, 1, 2}, {2, 1, 4}, {2, 1, 5},
             {1, 1, 3}, {2, 1, 6}, {2, 1, 7});
    expect_records("A 1 24 3 0 2 1\n"
                   "W 1 3 1\n"
                   "A 2 24 2 2 2 1\n"
                   "U 1 2 0 1\n"
                   "A 3 24 2 2 2 1\n"
                   "U 1 3 1 1\n"
                   "W 2 2 1\n"
                   "A 4 0 1 2 0 1\n"
                   "U 2 4 0 1\n"
                   "A 5 0 1 2 0 1\n"
                   "U 2 5 1 1\n"
                   "W 3 2 1\n"
                   "A 6 0 1 2 0 1\n"
                   "U 3 6 0 1\n"
                   "A 7 0 1 2 0 1\n"
                   "U 3 7 1 1\n");
}

Test(selogger_mapping, numbers_are_no_objects_whatever_the_event)
{
    make_index("1 Main 1 MULTI_NEW_ARRAY_OWNER J null\n"
               "1 Main 1 MULTI_NEW_ARRAY_ELEMENT J null\n"
               "1 Main 2 NEW_OBJECT V null\n"
               "1 Main 3 NEW_OBJECT_CREATED J created=2\n"
               "1 Main 4 NEW_ARRAY J null\n"
               "1 Main 4 NEW_ARRAY_RESULT J null\n"
               "1 Main 5 ARRAY_STORE J null\n"
               "1 Main 6 CATCH J null\n"
               "1 Main 7 METHOD_OBJECT_INITIALIZED J null\n");
    MAKE_LOG({0, 1, INT64_MAX}, {1, 1, INT64_MAX}, {2, 1, 0}, {3, 1, INT64_MAX}, {4, 1, 1},
             {5, 1, INT64_MAX}, {6, 1, INT64_MIN}, {7, 1, -1}, {8, 1, INT64_MAX});
    expect_records("H 1 0 0 1\n");
}

#define LAMBDA "bootstrap_owner=java/lang/invoke/LambdaMetafactory"
#define CONCAT "bootstrap_owner=java/lang/invoke/StringConcatFactory"

/* Versions before 0.5 name the class of the bootstrap method by another key. */
Test(selogger_mapping, a_lambda_of_an_old_trace_holds_what_it_captures)
{
    static const char index[] =
        "0,0,1,5,1,INVOKE_DYNAMIC,V,Instruction=INVOKEDYNAMIC,Name=run,Desc=(LA;)LR;,"
        "Bootstrap=java/lang/invoke/LambdaMetafactory,BootstrapMethod=metafactory,"
        "BootstrapDesc=()V\n"
        "1,0,1,5,1,INVOKE_DYNAMIC_PARAM," OBJECT ",CallParent=0,Index=0,Type=LA;\n"
        "2,0,1,5,1,INVOKE_DYNAMIC_RESULT," OBJECT ",Instruction=INVOKEDYNAMIC,Name=run,"
        "Desc=(LA;)LR;,Bootstrap=java/lang/invoke/LambdaMetafactory,"
        "BootstrapMethod=metafactory,BootstrapDesc=()V\n";
    make_text("dataids.txt", index);
    MAKE_LOG({0, 1, 0}, {1, 1, 1}, {2, 1, 2});
    expect_records("N 1 0 0 0 0 1\nW 1 0 1\nN 2 0 0 2 0 1\nU 2 1 1 1\nW 2 0 1\n");
}

Test(selogger_mapping, a_lambda_holds_what_it_captures)
{
    make_index("1 Main 1 INVOKE_DYNAMIC V desc=(LA;LB;)LC;," LAMBDA "\n"
               "1 Main 1 INVOKE_DYNAMIC_PARAM " OBJECT " type=A,index=0\n"
               "1 Main 1 INVOKE_DYNAMIC_PARAM " OBJECT " type=B,index=1\n"
               "1 Main 1 INVOKE_DYNAMIC_RESULT " OBJECT " desc=(LA;LB;)LC;," LAMBDA "\n");
    MAKE_LOG({0, 1, 0}, {1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {0, 1, 0}, {1, 1, 0}, {2, 1, 2},
             {3, 1, 4});
    expect_records("N 1 0 0 0 0 1\n"
                   "W 1 0 1\n"
                   "N 2 0 0 0 0 1\n"
                   "W 2 0 1\n"
                   "N 3 0 0 3 0 1\n"
                   "U 3 1 1 1\n"
                   "U 3 2 2 1\n"
                   "W 3 0 1\n"
                   "W 2 0 1\n"
                   "N 4 0 0 3 0 1\n"
                   "U 4 2 2 1\n"
                   "W 4 0 1\n");
}

Test(selogger_mapping, a_lambda_without_captures_stays)
{
    make_index("1 Main 1 INVOKE_DYNAMIC V desc=()LC;," LAMBDA "\n"
               "1 Main 1 INVOKE_DYNAMIC_RESULT " OBJECT " desc=()LC;," LAMBDA "\n");
    MAKE_LOG({0, 1, 0}, {1, 1, 3}, {0, 1, 0}, {1, 1, 3});
    expect_records("N 3 0 0 1 0 1\n"
                   "U 0 3 1099511627779 1\n"
                   "W 3 0 1\n"
                   "W 3 0 1\n");
}

Test(selogger_mapping, a_text_does_not_hold_what_it_is_made_of)
{
    make_index("1 Main 1 INVOKE_DYNAMIC V desc=(LA;)LString;," CONCAT "\n"
               "1 Main 1 INVOKE_DYNAMIC_PARAM " OBJECT " type=A,index=0\n"
               "1 Main 1 INVOKE_DYNAMIC_RESULT " OBJECT " desc=(LA;)LString;," CONCAT "\n");
    MAKE_LOG({0, 1, 0}, {1, 1, 1}, {2, 1, 2});
    expect_records("N 1 0 0 0 0 1\n"
                   "W 1 0 1\n"
                   "N 2 0 0 2 0 1\n"
                   "W 2 0 1\n");
}

Test(selogger_mapping, constants_stay)
{
    make_index("1 Main 1 OBJECT_CONSTANT_LOAD " OBJECT " type=java.lang.String\n"
               "1 Main 2 LOCAL_LOAD " OBJECT " type=A,name=a\n");
    MAKE_LOG({1, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 0});
    expect_records("N 2 0 0 0 0 1\n"
                   "W 2 0 1\n"
                   "U 0 2 1099511627778 1\n"
                   "W 2 0 1\n"
                   "W 2 0 1\n");
}

Test(selogger_mapping, threads_stay_once_they_are_started)
{
    make_index("1 Main 1 CALL " OBJECT
               " owner=Worker,name=start,desc=()V,methodtype=instance\n");
    make_text("LOG$Types.txt", "0,void,,-1,-1,L\n1,java.lang.Thread,,-1,-1,L\n"
                               "2,Worker,,1,-1,L\n3,Engine,,-1,-1,L\n");
    make_text("LOG$ObjectTypes00001.txt", "1,2\n2,3\n");
    MAKE_LOG({0, 1, 1}, {0, 1, 2}, {0, 1, 0});
    expect_records("N 1 0 2 0 0 1\n"
                   "W 1 2 1\n"
                   "U 0 1 1099511627777 1\n"
                   "N 2 0 3 0 0 1\n"
                   "W 2 3 1\n");
}

Test(selogger_mapping, uses_are_witnesses_and_null_is_none)
{
    make_index("1 Main 0 METHOD_ENTRY " OBJECT " name=this\n"
               "1 Main 0 METHOD_PARAM " OBJECT " index=1\n"
               "1 Main 1 CALL " OBJECT " owner=A,name=m,desc=(LA;I)LA;\n"
               "1 Main 1 CALL_PARAM " OBJECT " index=1\n"
               "1 Main 1 CALL_PARAM I index=2\n"
               "1 Main 1 CALL_RETURN " OBJECT " type=A\n"
               "1 Main 2 MONITOR_ENTER " OBJECT " null\n"
               "1 Main 3 SOME_NEW_EVENT " OBJECT " null\n"
               "1 Main 4 LABEL I null\n"
               "1 Main 5 METHOD_NORMAL_EXIT " OBJECT " type=A\n");
    MAKE_LOG({0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 1, 4}, {4, 1, 1000}, {5, 1, 5}, {6, 1, 1},
             {7, 1, 2}, {8, 1, 77}, {1, 1, 0}, {9, 1, 6});
    expect_records("N 1 0 0 0 0 1\n"
                   "M 1 1 1\n"
                   "N 2 0 0 0 0 1\n"
                   "W 2 0 1\n"
                   "N 3 0 0 0 0 1\n"
                   "W 3 0 1\n"
                   "N 4 0 0 0 0 1\n"
                   "W 4 0 1\n"
                   "N 5 0 0 0 0 1\n"
                   "W 5 0 1\n"
                   "W 1 0 1\n"
                   "W 2 0 1\n"
                   "N 6 0 0 0 0 1\n"
                   "W 6 0 1\n"
                   "E 1 1\n");
}

#define FAMILY                                                                                 \
    "0,void,,-1,-1,L\n1,Base,,-1,-1,L\n2,Left,,1,-1,L\n3,Right,,1,-1,L\n4,Other,,-1,-1,L\n"

/* A store into a field overwrites it, whichever class of a chain of superclasses it names. */
Test(selogger_mapping, a_field_is_one_through_all_classes_of_a_chain)
{
    make_index("1 Main 1 PUT_STATIC_FIELD " OBJECT " type=A,owner=Left,name=tag\n"
               "1 Main 2 PUT_STATIC_FIELD " OBJECT " type=A,owner=Base,name=tag\n"
               "1 Main 3 PUT_STATIC_FIELD " OBJECT " type=A,owner=Right,name=tag\n"
               "1 Main 4 PUT_STATIC_FIELD " OBJECT " type=A,owner=Other,name=tag\n"
               "1 Main 5 PUT_STATIC_FIELD " OBJECT " type=B,owner=Left,name=tag\n"
               "1 Main 6 PUT_STATIC_FIELD " OBJECT " type=A,owner=Left,name=own\n"
               "1 Main 7 PUT_STATIC_FIELD " OBJECT " type=A,owner=Right,name=own\n");
    make_text("LOG$Types.txt", FAMILY);
    make_text("LOG$ObjectTypes00001.txt", "1,1\n");
    MAKE_LOG({0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 1, 0}, {4, 1, 0}, {5, 1, 0}, {6, 1, 0});
    expect_records("U 0 0 2 1\nU 0 0 2 1\nU 0 0 2 1\nU 0 0 4 1\nU 0 0 5 1\nU 0 0 6 1\n"
                   "U 0 0 7 1\n");
    char *notes = read_notes();
    cr_expect_str_eq(
        notes,
        "2 fields are taken for the field of the same name in "
        "a superclass, such as \"tag\" of \"Left\" for that of \"Base\": if both classes "
        "declare it, objects that it holds may die too early\n");
    free(notes);
}

Test(selogger_mapping, a_single_field_is_reported_as_one)
{
    make_index("1 Main 1 PUT_STATIC_FIELD " OBJECT " type=A,owner=Left,name=tag\n"
               "1 Main 2 PUT_STATIC_FIELD " OBJECT " type=A,owner=Base,name=tag\n");
    make_text("LOG$Types.txt", FAMILY);
    make_text("LOG$ObjectTypes00001.txt", "1,1\n");
    MAKE_LOG({0, 1, 0}, {1, 1, 0});
    expect_records("U 0 0 2 1\nU 0 0 2 1\n");
    char *notes = read_notes();
    static const char begin[] = "1 field is taken for the field of the same name";
    cr_expect(strncmp(notes, begin, strlen(begin)) == 0, "%s", notes);
    free(notes);
}

#define LOADS                                                                                  \
    "1 Main 1 GET_INSTANCE_FIELD " OBJECT " " FIELD "\n"                                       \
    "1 Main 1 GET_INSTANCE_FIELD_RESULT " OBJECT " " FIELD "\n"                                \
    "1 Main 2 GET_STATIC_FIELD " OBJECT " type=A,owner=Node,name=all\n"                        \
    "1 Main 3 ARRAY_LOAD " OBJECT " null\n"                                                    \
    "1 Main 3 ARRAY_LOAD_INDEX I null\n"                                                       \
    "1 Main 3 ARRAY_LOAD_RESULT " OBJECT " null\n"

Test(selogger_mapping, loads_are_uses)
{
    make_index(LOADS);
    MAKE_LOG({0, 1, 1}, {1, 1, 2}, {2, 1, 1}, {3, 1, 2}, {4, 1, 5}, {5, 1, 1});
    expect_records("N 1 0 0 0 0 1\nW 1 0 1\nN 2 0 0 0 0 1\nW 2 0 1\nW 1 0 1\nW 2 0 1\n"
                   "W 1 0 1\n");
}

Test(selogger_mapping, loads_can_be_taken_for_stores)
{
    make_index(LOADS);
    MAKE_LOG({0, 1, 1}, {1, 1, 2}, {2, 1, 1}, {3, 1, 2}, {4, 1, 5}, {5, 1, 1}, {0, 1, 1},
             {1, 1, 0});
    expect_read(&(const struct reader_options){.loads_as_updates = true},
                "N 1 0 0 0 0 1\nW 1 0 1\nN 2 0 0 0 0 1\nU 1 2 1 1\nU 0 1 2 1\nW 2 0 1\n"
                "U 2 1 5 1\nW 1 0 1\nU 1 0 1 1\n");
}

#define CALLS                                                                                  \
    "1 Main 1 CALL " OBJECT " owner=java.util.List,name=add,desc=(LA;)V\n"                     \
    "1 Main 1 CALL_PARAM " OBJECT " index=1\n"                                                 \
    "1 Main 2 CALL " OBJECT " owner=Node,name=add,desc=(LA;)V\n"                               \
    "1 Main 2 CALL_PARAM " OBJECT " index=1\n"                                                 \
    "1 Main 3 CALL V owner=java.util.Lists,name=of,desc=(LA;)V\n"                              \
    "1 Main 3 CALL_PARAM " OBJECT " index=0\n"

Test(selogger_mapping, objects_of_libraries_can_keep_what_they_are_given)
{
    make_index(CALLS);
    make_text("classes.txt",
              "0,file:/x/,Main,Main,Normal,0,L\n1,file:/x/,p/Node,Node,Normal,0,L\n");
    MAKE_LOG({0, 1, 1}, {1, 1, 2}, {1, 1, 3}, {2, 1, 1}, {3, 1, 2}, {4, 1, 0}, {5, 1, 3});
    expect_read(&(const struct reader_options){.escape_edges = true},
                "N 1 0 0 0 0 1\nW 1 0 1\nN 2 0 0 0 0 1\nU 1 2 1099511627778 1\n"
                "N 3 0 0 0 0 1\nU 1 3 1099511627779 1\nW 1 0 1\nW 2 0 1\nW 3 0 1\n");
}

Test(selogger_mapping, escape_edges_need_the_list_of_classes)
{
    make_index(CALLS);
    MAKE_LOG({0, 1, 1});
    expect_read(&(const struct reader_options){.escape_edges = true},
                "dataids.txt: --escape-edges needs classes.txt next to it, which lists the "
                "classes of the program\n");
}

/* 2 was caused by 3, which was caused by 4; 2 also suppressed 5. Messages contain text that
 * looks like the notation of objects, and an object with an impossible number is passed over.
 */
Test(selogger_mapping, exceptions_hold_their_causes)
{
    make_index("1 Main 1 CATCH " OBJECT " type=A\n");
    make_text("LOG$Exceptions00001.txt",
              "2,M,first line\nsecond,line\n2,CS,3,5\n2,S,F,Main,m,Main.java,3\n"
              "3,M,x\n3,CS,4,9223372036854775807\n4,M,null\n4,CS,0\n");
    MAKE_LOG({0, 1, 2}, {0, 1, 3});
    expect_records("N 2 0 0 0 0 1\n"
                   "N 5 0 0 0 0 1\n"
                   "U 2 5 1099511627781 1\n"
                   "N 3 0 0 0 0 1\n"
                   "U 2 3 1099511627779 1\n"
                   "N 4 0 0 0 0 1\n"
                   "U 3 4 1099511627780 1\n"
                   "H 1 0 2 1\n"
                   "H 1 0 3 1\n");
}

/* An exception holds the exceptions given to addSuppressed and initCause. */
Test(selogger_mapping, exceptions_hold_what_they_are_given)
{
    make_index("1 Main 1 CALL " OBJECT " owner=java.lang.Throwable,name=addSuppressed,"
               "desc=(Ljava/lang/Throwable;)V\n"
               "1 Main 1 CALL_PARAM " OBJECT " index=1\n"
               "1 Main 2 CALL " OBJECT " owner=java.lang.Throwable,name=initCause,"
               "desc=(Ljava/lang/Throwable;)Ljava/lang/Throwable;\n"
               "1 Main 2 CALL_PARAM " OBJECT " index=1\n"
               "1 Main 3 CALL " OBJECT " owner=A,name=addSuppressed,desc=(LA;)V\n"
               "1 Main 3 CALL_PARAM " OBJECT " index=1\n");
    MAKE_LOG({0, 1, 2}, {1, 1, 3}, {2, 1, 2}, {3, 1, 4}, {4, 1, 2}, {5, 1, 5}, {0, 1, 2},
             {1, 1, 0});
    expect_records("N 2 0 0 0 0 1\nW 2 0 1\n"
                   "N 3 0 0 0 0 1\nU 2 3 1099511627779 1\n"
                   "W 2 0 1\n"
                   "N 4 0 0 0 0 1\nU 2 4 1099511627780 1\n"
                   "W 2 0 1\n"
                   "N 5 0 0 0 0 1\nW 5 0 1\n"
                   "W 2 0 1\n");
}

/* Classes 1 and 2 are both named S, from two loaders; class 3 is from the first loader. T is
 * the only class of its name. */
Test(selogger_mapping, static_fields_of_classes_of_one_name_are_several)
{
    static const char index[] =
        "DataID,ClassID,MethodID,ClassName,MethodName,Line,InstructionIndex,EventType,"
        "ValueDesc,Attributes\n"
        "0,1,1,S,m,1,0,PUT_STATIC_FIELD," OBJECT ",\"owner=S,name=st,type=O\"\n"
        "1,2,2,S,m,1,0,PUT_STATIC_FIELD," OBJECT ",\"owner=S,name=st,type=O\"\n"
        "2,3,3,R,m,1,0,PUT_STATIC_FIELD," OBJECT ",\"owner=S,name=st,type=O\"\n"
        "3,1,1,S,m,1,1,PUT_STATIC_FIELD," OBJECT ",\"owner=T,name=st,type=O\"\n"
        "4,2,2,S,m,1,1,PUT_STATIC_FIELD," OBJECT ",\"owner=T,name=st,type=O\"\n";
    static const char apart[] = "N 1 0 0 0 0 1\nU 0 1 1 1\nN 2 0 0 0 0 1\nU 0 2 2 1\n"
                                "N 3 0 0 0 0 1\nU 0 3 1 1\nN 4 0 0 0 0 1\nU 0 4 3 1\n"
                                "N 5 0 0 0 0 1\nU 0 5 3 1\n";
    static const char together[] = "N 1 0 0 0 0 1\nU 0 1 1 1\nN 2 0 0 0 0 1\nU 0 2 1 1\n"
                                   "N 3 0 0 0 0 1\nU 0 3 1 1\nN 4 0 0 0 0 1\nU 0 4 2 1\n"
                                   "N 5 0 0 0 0 1\nU 0 5 2 1\n";
    make_text("dataids.txt", index);
    MAKE_LOG({0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 1, 4}, {4, 1, 5});
    expect_records(together);
    make_text("classes.txt", "1,file:/a,S,S,Normal,h,Loader@1:S,\n"
                             "2,file:/b,S,S,Normal,h,Loader@2:S,\n"
                             "3,file:/a,R,R,Normal,h,Loader@1:R,\n"
                             "4,file:/a,T,T,Normal,h,Loader@0:T,\n");
    expect_records(apart);
}

/* The classes come from the same file, and nothing shows their loaders. */
Test(selogger_mapping, classes_of_one_name_without_loaders_have_static_fields_of_their_own)
{
    make_text("dataids.txt",
              "DataID,ClassID,MethodID,ClassName,MethodName,Line,InstructionIndex,EventType,"
              "ValueDesc,Attributes\n"
              "0,1,1,S,m,1,0,PUT_STATIC_FIELD," OBJECT ",\"owner=S,name=st,type=O\"\n"
              "1,2,2,S,m,1,0,PUT_STATIC_FIELD," OBJECT ",\"owner=S,name=st,type=O\"\n");
    make_text("classes.txt", "1,file:/a,S,S,Normal,h\n2,file:/a,S,S,Normal,h\n");
    MAKE_LOG({0, 1, 1}, {1, 1, 2});
    expect_records("N 1 0 0 0 0 1\nU 0 1 1 1\nN 2 0 0 0 0 1\nU 0 2 2 1\n");
}

Test(selogger_mapping, sizes_are_computed_or_given)
{
    make_index("1 Main 1 LOCAL_LOAD " OBJECT " type=A,name=a\n"
               "1 Main 2 NEW_ARRAY I type=long\n"
               "1 Main 2 NEW_ARRAY_RESULT " OBJECT " null\n"
               "1 Main 3 NEW_ARRAY I type=boolean\n"
               "1 Main 3 NEW_ARRAY_RESULT " OBJECT " null\n");
    make_text("LOG$Types.txt", "0,void,,-1,-1,L\n1,java.lang.String,,-1,-1,L\n2,Node,,-1,-1,L\n"
                               "3,long[],,-1,-1,L\n4,boolean[],,-1,-1,L\n");
    make_text("LOG$ObjectTypes00001.txt", "1,1\n2,1\n3,1\n");
    make_text("LOG$ObjectTypes00002.txt", "4,2\n5,3\n6,4\n");
    /* The last line has no line end, so its text may have been longer. */
    make_text("LOG$String00001.txt",
              "1,9,\"l\\u00e4nger,x\"\n2,3,\"\\u20ac,\\\\u\"\n3,1,\"a\"");
    make_text("sizes", "# CLASS,BYTES\n\nNode,40");
    MAKE_LOG({0, 1, 1}, {0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {1, 1, 2}, {2, 1, 5}, {3, 1, 9},
             {4, 1, 6});
    char path[PATH_SIZE];
    scratch_path(path, "sizes");
    expect_read(&(const struct reader_options){.type_sizes = path}, "N 1 56 1 0 0 1\nW 1 1 1\n"
                                                                    "N 2 48 1 0 0 1\nW 2 1 1\n"
                                                                    "N 3 0 1 0 0 1\nW 3 1 1\n"
                                                                    "N 4 40 2 0 0 1\nW 4 2 1\n"
                                                                    "A 5 32 3 1 2 1\n"
                                                                    "A 6 32 4 3 9 1\n");
}

/* Strings of more than one part. The second string has a wide character in its last part; the
 * last string may have been longer. */
Test(selogger_mapping, strings_can_be_long)
{
    enum { CHARACTERS = 3000000 };
    make_index("1 Main 1 LOCAL_LOAD " OBJECT " type=A,name=a\n");
    make_text("LOG$Types.txt", "0,void,,-1,-1,L\n1,java.lang.String,,-1,-1,L\n");
    make_text("LOG$ObjectTypes00001.txt", "1,1\n2,1\n3,1\n4,1\n");
    char *narrow = long_text("1,3000000,\"", 'x', CHARACTERS, "\"\n");
    char *wide = long_text("2,3000001,\"", 'x', CHARACTERS, "\\u20ac\"\n3,1,\"a\"\n");
    char *cut = long_text("4,3000000,\"", 'x', CHARACTERS, "");
    char *all = malloc(strlen(narrow) + strlen(wide) + strlen(cut) + 1);
    strcpy(stpcpy(stpcpy(all, narrow), wide), cut);
    make_text("LOG$String00001.txt", all);
    MAKE_LOG({0, 1, 1}, {0, 1, 2}, {0, 1, 3}, {0, 1, 4});
    expect_records("N 1 3000040 1 0 0 1\nW 1 1 1\n"
                   "N 2 6000048 1 0 0 1\nW 2 1 1\n"
                   "N 3 48 1 0 0 1\nW 3 1 1\n"
                   "N 4 0 1 0 0 1\nW 4 1 1\n");
    free(narrow);
    free(wide);
    free(cut);
    free(all);
}

Test(selogger_mapping, the_first_instruction_goes_on_with_nothing)
{
    make_index("1 Main 2 NEW_ARRAY_RESULT " OBJECT " null\n"
               "1 Main 0 METHOD_ENTRY V methodtype=static\n");
    MAKE_LOG({0, 1, 1}, {1, 1, 0});
    expect_records("A 1 0 0 0 0 1\nM 1 0 1\n");
}
