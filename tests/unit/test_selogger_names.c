/* SPDX-License-Identifier: MIT */
/* Names of SELogger traces that have commas, quotes and what looks like other columns, and
 * names whose letters are lost (etmerlin-formats(5), "Names"). */
#include "formats/classes.h"
#include "selogger.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

TestSuite(selogger_names, .fini = scratch_remove);

#define OBJECT "Ljava/lang/Object;"
#define HEADER                                                                                 \
    "DataID,ClassID,MethodID,ClassName,MethodName,Line,InstructionIndex,EventType,ValueDesc,"  \
    "Attributes\n"

/* Writes the text with each `*` replaced by the name. */
static void make_named(const char *file, const char *text, const char *name)
{
    char *named = NULL;
    size_t length;
    FILE *out = open_memstream(&named, &length);
    for (; *text; text++) {
        if (*text == '*')
            fputs(name, out);
        else
            fputc(*text, out);
    }
    fclose(out);
    make_text(file, named);
    free(named);
}

static void expect_name(enum name_space space, uint64_t id, const char *wanted)
{
    char path[PATH_SIZE];
    struct source *source;
    struct reader *reader;
    ok(source_open(&source, scratch_path(path, "dataids.txt"), NULL, &cause));
    ok(selogger_reader_class.open(&reader, source,
                                  &(const struct reader_options){.lenient = false}, &cause));
    const char *found = names_find(reader->names, space, id);
    cr_expect(found && strcmp(found, wanted) == 0, "name %s, wanted %s",
              found ? found : "(none)", wanted);
    reader_close(reader);
    source_close(source);
}

static const char *const odd_names[] = {
    "keeps one, and drops it",
    "drops it (again), later",
    ",",
    "a,,b,",
    "\"quoted\", twice",
    "a,5,0",
    "a,5,0,CALL",
    "a,5,0,CALL,V",
    "5,0,CALL,V,b",
    "a,1,2,EVENT,V,b",
    "a,()V,b",
    "a=b,type=c,index=2",
    "created=1,methodtype=constructor",
};

/* The columns after a name of a method are found where they are, in whatever that is. */
Test(selogger_names, a_method_has_any_name)
{
    static const char index[] =
        HEADER "0,0,1,Main,*,-1,-1,RESERVED,V,\"null\"\n"
               "1,0,1,Main,*,5,0,METHOD_ENTRY,V,\"methodtype=static\"\n"
               "2,0,1,Main,*,5,1,NEW_OBJECT,V,\"objecttype=Node\"\n"
               "3,0,1,Main,*,5,2,CALL,V,\"opcode=INVOKESPECIAL,owner=Node,name=<init>,desc=()V,"
               "methodtype=constructor,created=1\"\n"
               "4,0,1,Main,*,5,2,NEW_OBJECT_CREATED," OBJECT ",\"created=1\"\n"
               "5,0,1,Main,*,6,3,CALL," OBJECT ",\"opcode=INVOKEVIRTUAL,owner=Node,name=*,"
               "desc=()V,methodtype=instance\"\n"
               "6,0,1,Main,*,6,3,METHOD_NORMAL_EXIT,V,\"type=void\"\n";
    for (size_t i = 0; i < ITEMS(odd_names); i++) {
        make_named("dataids.txt", index, odd_names[i]);
        make_text("classes.txt", "0,file:/x/,Main,Main,Normal,0,Loader@1:Main,\n");
        make_named("methods.txt", "0,1,Main,*,()V,8,Main.java,0,,\n", odd_names[i]);
        MAKE_LOG({1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 1}, {5, 0, 1}, {6, 0, 0});
        expect_records("M 1 0 0\nN 1 0 1 2 0 0\nW 1 0 0\nW 1 0 0\nE 1 0\n");
        char name[64];
        snprintf(name, sizeof name, "Main#%s", odd_names[i]);
        expect_name(NAMES_METHOD, 1, name);
        snprintf(name, sizeof name, "Main#%s:5", odd_names[i]);
        expect_name(NAMES_SITE, 2, name);
    }
}

/* Two objects are stored in two fields, and a third one takes the place of the first. */
static void expect_two_fields(const char *left, const char *right, const char *attributes,
                              const char *columns)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    const char *const names[] = {left, right, left};
    for (unsigned i = 0; i < ITEMS(names); i++) {
        fprintf(out, "%u,0,1,%s5,%u,PUT_STATIC_FIELD," OBJECT ",", i, columns, i);
        fprintf(out, attributes, names[i]);
        fputc('\n', out);
    }
    fclose(out);
    make_text("dataids.txt", text);
    free(text);
    MAKE_LOG({0, 0, 1}, {1, 0, 2}, {2, 0, 3});
    expect_records("N 1 0 0 0 0 0\nU 0 1 1 0\nN 2 0 0 0 0 0\nU 0 2 2 0\n"
                   "N 3 0 0 0 0 0\nU 0 3 1 0\n");
}

Test(selogger_names, fields_of_different_names_are_different)
{
    static const char *const pairs[][2] = {
        {"held, now", "held, then"},
        {"a=b", "a=c"},
        {"a,index=1", "a,index=2"},
        {"a,created=1", "a"},
        {"a,b", "a"},
        {"\"a\"", "a"},
        {"a,name=b", "a,name=c"},
        {"a,type=A", "a,type=B"},
        {"a,Type=A", "a,Type=B"},
        {"a,owner=b", "a,owner=c"},
    };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    for (size_t i = 0; i < ITEMS(pairs); i++) {
        const char *left = pairs[i][0], *right = pairs[i][1];
        expect_two_fields(left, right, "\"type=A,owner=p.Box,name=%s\"", "Main,main,");
        expect_two_fields(left, right, "\"owner=p/Box,name=%s,type=LA;\"", "");
        expect_two_fields(left, right, "Owner=p/Box,FieldName=%s,Type=LA;", "");
    }
#pragma GCC diagnostic pop
    expect_name(NAMES_FIELD, 1, "p.Box#a,owner=b");
}

/* The constructor of Node makes the object that was begun last, if the names of the class are
 * the same in the call and in the entry. */
Test(selogger_names, a_class_has_any_name)
{
    static const char index[] = HEADER
        "0,0,1,p/Main,main,5,0,METHOD_ENTRY,V,\"methodtype=static\"\n"
        "1,0,1,p/Main,main,5,1,NEW_OBJECT,V,\"objecttype=p.*\"\n"
        "2,0,1,p/Main,main,5,2,CALL,V,\"opcode=INVOKESPECIAL,owner=p.*,name=<init>,desc=()V,"
        "methodtype=constructor,created=1\"\n"
        "3,1,2,p/*,<init>,5,0,METHOD_ENTRY,V,\"methodtype=constructor\"\n"
        "4,1,2,p/*,<init>,5,1,METHOD_OBJECT_INITIALIZED," OBJECT ",\"null\"\n"
        "5,1,2,p/*,<init>,5,2,PUT_INSTANCE_FIELD," OBJECT ",\"type=p.*,owner=p.*,name=x\"\n"
        "6,1,2,p/*,<init>,5,2,PUT_INSTANCE_FIELD_VALUE," OBJECT
        ",\"type=p.*,owner=p.*,name=x\"\n"
        "7,1,2,p/*,<init>,6,3,METHOD_NORMAL_EXIT,V,\"type=void\"\n";
    static const char types[] = "0,void,,-1,-1,Loader@0:void\n"
                                "1,p.*,file:/a,b/p/X.class,-1,-1,Loader@1:p/*\n"
                                "2,p.*[][],,-1,1,Loader@1:[[Lp/*;\n"
                                "3,int[],,-1,-1,Loader@0:[I\n";
    for (size_t i = 0; i < ITEMS(odd_names); i++) {
        char name[64];
        make_named("dataids.txt", index, odd_names[i]);
        make_named("classes.txt",
                   "ClassID,LoadedFrom,FileName,ClassName,LogLevel,ClassHash,ClassLoaderID\n"
                   "0,file:/a,b/,p/Main,p/Main,Normal,0,Loader@1:p/Main,\n"
                   "1,file:/a,b/,p/*,p/*,Normal,0,Loader@1:p/*,q.Note;q.Other\n",
                   odd_names[i]);
        make_named("methods.txt",
                   "0,1,p/Main,main,()V,8,Main.java,0\n"
                   "1,2,p/*,<init>,(Lp/*;[[J)V,0,X.java,0,,\n",
                   odd_names[i]);
        make_named("LOG$Types.txt", types, odd_names[i]);
        make_text("LOG$ObjectTypes00001.txt", "1,1\n2,2\n3,3\n");
        MAKE_LOG({0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 1}, {5, 0, 1}, {6, 0, 2},
                 {7, 0, 0});
        expect_records("M 1 0 0\nN 1 0 1 1 0 0\nM 2 0 0\nW 1 1 0\nN 2 0 2 0 0 0\nU 1 2 1 0\n"
                       "E 2 0\n");
        snprintf(name, sizeof name, "p.%s#<init>", odd_names[i]);
        expect_name(NAMES_METHOD, 2, name);
        snprintf(name, sizeof name, "p.%s#x", odd_names[i]);
        expect_name(NAMES_FIELD, 1, name);
        snprintf(name, sizeof name, "p.%s", odd_names[i]);
        expect_name(NAMES_TYPE, 1, name);
    }
}

/* Nothing follows the name of a class where the trace has no types but these. */
Test(selogger_names, an_allocation_names_a_class_with_any_name)
{
    static const char *const indexes[] = {
        HEADER "0,0,1,M,m,5,0,NEW_ARRAY,I,\"objecttype=*\"\n"
               "1,0,1,M,m,5,0,NEW_ARRAY_RESULT," OBJECT ",\"null\"\n",
        "0,0,1,5,0,NEW_ARRAY,I,\"type=*\"\n1,0,1,5,0,NEW_ARRAY_RESULT," OBJECT ",\"null\"\n",
        "0,0,1,5,0,NEW_ARRAY,I,ElementType=*\n1,0,1,5,0,NEW_ARRAY_RESULT," OBJECT ",\n",
    };
    for (size_t i = 0; i < ITEMS(odd_names) * ITEMS(indexes); i++) {
        char name[64];
        const char *odd = odd_names[i / ITEMS(indexes)];
        make_named("dataids.txt", indexes[i % ITEMS(indexes)], odd);
        MAKE_LOG({0, 0, 3}, {1, 0, 1});
        snprintf(name, sizeof name, "%s[]", odd);
        expect_name(NAMES_TYPE, 1, name);
    }
}

/* Each of these texts of LOG$Types has the types Base, `Left, right` and an array of it. */
Test(selogger_names, types_have_any_names_in_all_versions)
{
    static const char *const types[] = {
        "0,Base\n1,Left, right\n2,Left, right[]\n",
        "0,Base,,-1,-1\n1,Left, right,file:/a,b/Left,%20right.class,0,-1\n2,Left, "
        "right[],,0,1\n",
        "0,Base,,-1,-1\n1,Left, right,,0,-1\n2,Left, right[],,0,1\n",
        "0,Base,,-1,-1\n1,Left, right,jar:file:/a,1,2,b.jar!/Left,%20right.class,0,-1\n"
        "2,Left, right[],,0,1\n",
        "0,Base,,-1,-1,Loader@0:Base\n1,Left, right,file:/1,2,/x,0,-1,Loader@3f:Left, right\n"
        "2,Left, right[],,0,1,Loader@3f:[LLeft, right;\n",
    };
    make_text("dataids.txt", HEADER "0,0,1,M,m,5,0,PUT_STATIC_FIELD," OBJECT
                                    ",\"type=A,owner=Left, right,name=tag\"\n"
                                    "1,0,1,M,m,5,1,PUT_STATIC_FIELD," OBJECT
                                    ",\"type=A,owner=Base,name=tag\"\n");
    make_text("LOG$ObjectTypes00001.txt", "1,1\n2,2\n");
    MAKE_LOG({0, 0, 1}, {1, 0, 2});
    for (size_t i = 0; i < ITEMS(types); i++) {
        make_text("LOG$Types.txt", types[i]);
        expect_records(i == 0 ? "N 1 0 1 0 0 0\nU 0 1 1 0\nN 2 0 2 0 0 0\nU 0 2 2 0\n"
                              : "N 1 0 1 0 0 0\nU 0 1 2 0\nN 2 0 2 0 0 0\nU 0 2 2 0\n");
        expect_name(NAMES_TYPE, 1, "Left, right");
        expect_name(NAMES_TYPE, 2, "Left, right[]");
    }
}

/* With --escape-edges, a class that is in classes.txt keeps nothing. */
Test(selogger_names, classes_are_found_among_places_with_commas)
{
    static const char *const classes[] = {
        "0,file:/a,Normal,b/,Box, red,Box, red,Normal,4f,Loader@1:Box, red,q.Note\n",
        "0,file:/a,b/,Box, red,Box, red,OnlyEntryExit,4f,Loader@1:Box, red\n",
        "0,file:/a,b/,Box, red,Box, red,IgnoreArrayInitializer,4f\n",
        "0,jar:file:/a,b.jar,Box, red,Box, red,Normal,\n",
        "1,file:/a,b/,Odd,,Failed,4f\n0,jar:file:/a,b.jar,Box, red,Box, red,Normal,\n",
        "1,file:/a/,Box,Box,Failed,4f\n0,jar:file:/a,b.jar,Box, red,Box, red,Normal,\n",
    };
    make_text("dataids.txt",
              HEADER "0,0,1,Box, red,m,5,0,CALL," OBJECT
                     ",\"opcode=INVOKEVIRTUAL,owner=Box, red,name=add,desc=(LA;)V\"\n"
                     "1,0,1,Box, red,m,5,1,CALL_PARAM," OBJECT ",\"type=A,index=1\"\n"
                     "2,0,1,Box, red,m,5,0,CALL," OBJECT
                     ",\"opcode=INVOKEVIRTUAL,owner=Box,name=add,desc=(LA;)V\"\n"
                     "3,0,1,Box, red,m,5,1,CALL_PARAM," OBJECT ",\"type=A,index=1\"\n");
    MAKE_LOG({0, 0, 1}, {1, 0, 2}, {2, 0, 3}, {3, 0, 2});
    for (size_t i = 0; i < ITEMS(classes); i++) {
        make_text("classes.txt", classes[i]);
        expect_read(&(const struct reader_options){.escape_edges = true},
                    "N 1 0 0 0 0 0\nW 1 0 0\nN 2 0 0 0 0 0\nW 2 0 0\n"
                    "N 3 0 0 0 0 0\nW 3 0 0\nU 3 2 1099511627778 0\n");
    }
}

#define LINE_1 HEADER "0,0,1,Main,main,5,0,METHOD_ENTRY,V,\"methodtype=static\"\n"

/* Each text is refused when it replaces a good file. */
Test(selogger_names, lines_that_do_not_fit_are_refused)
{
    static const char *const bad[][3] = {
        {"dataids.txt", LINE_1 "1,0,1,Main,main,x,5,METHOD_ENTRY,V,\"null\"\n",
         "dataids.txt:3: This line has no columns LINE,INDEX,EVENT,TYPE,ATTRIBUTES where they "
         "must be: \"1,0,1,Main,main,x,5,METHOD_ENTRY,V,\\\"null\\\"\"\n"},
        {"dataids.txt", LINE_1 "1,0,1,Main,main,5,5,METHOD_ENTRY,X,\"null\"\n",
         "dataids.txt:3: This line has no columns LINE,INDEX,EVENT,TYPE,ATTRIBUTES where they "
         "must be: \"1,0,1,Main,main,5,5,METHOD_ENTRY,X,\\\"null\\\"\"\n"},
        {"dataids.txt", LINE_1 "1,0,1\n",
         "dataids.txt:3: This line has too few columns: \"1,0,1\"\n"},
        {"dataids.txt", LINE_1 "1,0,1,A,a,5,0,CALL,V,\"b,5,0,CALL,V,\"null\"\n",
         "dataids.txt:3: A name in this line looks like the columns that follow it, so where "
         "they begin is not known: \"1,0,1,A,a,5,0,CALL,V,\\\"b,5,0,CALL,V,\\\"null\\\"\"\n"},
        {"dataids.txt",
         "DataID,ClassID,MethodID,MethodName,Line,InstructionIndex,EventType,"
         "ValueDesc,Attributes\n",
         "dataids.txt:1: This is no SELogger index: "
         "\"DataID,ClassID,MethodID,MethodName,Line,InstructionIndex,Eve"},
        {"dataids.txt", LINE_1 "1,7,1,A, b,c,5,0,CALL,V,\"null\"\n",
         "dataids.txt:3: Where the name of the class ends in this line is not known: "
         "classes.txt, which has it, is missing, is of another run, or has no such class: "
         "\"1,7,1,A, b,c,5,0,CALL,V,\\\"null\\\"\"\n"},
        {"dataids.txt", LINE_1 "1,0,1,A, b,c,5,0,CALL,V,\"null\"\n",
         "dataids.txt:3: Where the name of the class ends in this line is not known: "
         "classes.txt, which has it, is missing, is of another run, or has no such class: "
         "\"1,0,1,A, b,c,5,0,CALL,V,\\\"null\\\"\"\n"},
        {"classes.txt", "0,file:/x/,A,B,c,Normal,0\n",
         "classes.txt:1: This line is not CLASS,LOCATION,FILE,NAME,LEVEL,HASH: "
         "\"0,file:/x/,A,B,c,Normal,0\"\n"},
        {"classes.txt", "x,file:/x/,A,A,Normal,0\n",
         "classes.txt:1: This line is not CLASS,LOCATION,FILE,NAME,LEVEL,HASH: "
         "\"x,file:/x/,A,A,Normal,0\"\n"},
        {"methods.txt", "0,1,Main,main,(V,8\n",
         "methods.txt:1: This line is not CLASS,METHOD,CLASS-NAME,NAME,DESCRIPTOR,ACCESS: "
         "\"0,1,Main,main,(V,8\"\n"},
        {"methods.txt", "0,1,A,b,c,()V,8\n",
         "methods.txt:1: Where the name of the class ends in this line is not known: "
         "classes.txt, which has it, is missing, is of another run, or has no such class: "
         "\"0,1,A,b,c,()V,8\"\n"},
        {"LOG$Types.txt", "0,void,,-1,-1\n1,A,b,file:/x/C.class,-1,-1\n",
         "LOG$Types.txt:2: This line is not TYPE,NAME[,LOCATION,SUPERCLASS,COMPONENT]: "
         "\""
         "1,A,b,file:/x/C.class,-1,-1"
         "\"\n"},
        {"LOG$Types.txt", "0,void,,-1,-1\n1,A,file:/x/A.class,-1\n",
         "LOG$Types.txt:2: This line has not the columns of the first one: "
         "\""
         "1,A,file:/x/A.class,-1"
         "\"\n"},
    };
    for (size_t i = 0; i < ITEMS(bad); i++) {
        make_text("dataids.txt", LINE_1);
        make_text("classes.txt", "0,file:/x/,Main,Main,Normal,0,Loader@1:Main,\n");
        make_text("LOG$Types.txt", "0,void\n");
        make_text("methods.txt", "");
        MAKE_LOG({0, 0, 0});
        make_text(bad[i][0], bad[i][1]);
        char *text = read_made(&(const struct reader_options){.lenient = false});
        cr_expect(strncmp(text, bad[i][2], strlen(bad[i][2])) == 0, "gives\n%swanted\n%s", text,
                  bad[i][2]);
        free(text);
    }
}

#define LOST(name)                                                                             \
    "Letters of names are lost: \"" name "\" has a '?' in place of each. Different members "   \
    "may have the same name then, so each instruction gets a field of its own for such a "     \
    "name, and objects may die too late. Record with java -Dfile.encoding=UTF-8\n"

static void expect_notes(const char *wanted)
{
    char *notes = read_notes();
    cr_expect_str_eq(notes, wanted, "notes\n%swanted\n%s", notes, wanted);
    free(notes);
}

/* Two instructions store to `??` in an object, and one of them twice; a third loads. */
Test(selogger_names, fields_whose_letters_are_lost_are_kept_apart)
{
    make_text("dataids.txt", HEADER
              "0,0,1,M,m,5,0,PUT_INSTANCE_FIELD," OBJECT ",\"type=A,owner=M,name=\?\?\"\n"
              "1,0,1,M,m,5,0,PUT_INSTANCE_FIELD_VALUE," OBJECT ",\"type=A,owner=M,name=\?\?\"\n"
              "2,0,1,M,m,5,1,PUT_INSTANCE_FIELD," OBJECT ",\"type=A,owner=M,name=\?\?\"\n"
              "3,0,1,M,m,5,1,PUT_INSTANCE_FIELD_VALUE," OBJECT
              ",\"type=A,owner=M,name=\?\?\"\n");
    make_text("LOG$Types.txt", "0,void\n1,M\n");
    make_text("LOG$ObjectTypes00001.txt", "1,1\n2,1\n3,1\n4,1\n");
    MAKE_LOG({0, 0, 1}, {1, 0, 2}, {2, 0, 1}, {3, 0, 3}, {0, 0, 1}, {1, 0, 4});
    expect_records("N 1 0 1 0 0 0\nN 2 0 1 0 0 0\nU 1 2 2 0\nN 3 0 1 0 0 0\nU 1 3 4 0\n"
                   "N 4 0 1 0 0 0\nU 1 4 2 0\n");
    expect_notes(LOST("\?\?"));
}

/* The static fields of classes with one name are kept apart, too; other members, and the fields
 * of objects, which have a class each, need not be. */
Test(selogger_names, static_fields_of_classes_whose_letters_are_lost_are_kept_apart)
{
    static const char lines[] =
        "0,0,1,M,m,5,0,PUT_STATIC_FIELD," OBJECT ",\"type=A,owner=*,name=all\"\n"
        "1,0,1,M,m,5,1,PUT_STATIC_FIELD," OBJECT ",\"type=A,owner=*,name=all\"\n"
        "2,0,1,M,m,5,2,PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION," OBJECT
        ",\"type=A,owner=*,name=all\"\n";
    make_text("LOG$Types.txt", "0,void\n1,M\n");
    make_text("LOG$ObjectTypes00001.txt", "1,1\n2,1\n");
    make_named("dataids.txt", lines, "p.?");
    MAKE_LOG({0, 0, 1}, {1, 0, 2});
    expect_records("N 1 0 1 0 0 0\nU 0 1 1 0\nN 2 0 1 0 0 0\nU 0 2 2 0\n");
    expect_notes(LOST("p.?"));
    make_named("dataids.txt", lines, "p.X");
    expect_records("N 1 0 1 0 0 0\nU 0 1 1 0\nN 2 0 1 0 0 0\nU 0 2 1 0\n");
    expect_notes("");
}

/* Whatever has such a name is noted: a method, and a type. */
Test(selogger_names, lost_letters_are_noted)
{
    make_text("dataids.txt", LINE_1);
    make_text("LOG$Types.txt", "0,void\n1,M\n");
    make_text("LOG$ObjectTypes00001.txt", "1,1\n");
    MAKE_LOG({0, 0, 0});
    expect_notes("");
    make_text("dataids.txt", HEADER "0,0,1,Main,ma?n,5,0,METHOD_ENTRY,V,\"null\"\n");
    expect_notes(LOST("ma?n"));
    make_text("dataids.txt", LINE_1);
    make_text("LOG$Types.txt", "0,void\n1,?.M\n");
    expect_notes(LOST("?.M"));
    make_text("LOG$Types.txt", "0,void,,-1,-1\n1,M,file:/x?y/M.class,-1,-1\n");
    expect_notes("");
}
