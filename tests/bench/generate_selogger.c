/* SPDX-License-Identifier: MIT */
/* Writes a SELogger trace of any length: a method creates objects, keeps the latest ones in an
 * array, and adds every sixteenth to a list. Two threads take turns of random length. The mix
 * of events is that of a full log (weave=ALL).
 *
 * Usage: generate_selogger FOLDER EVENTS
 *
 * The same arguments give the same bytes. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT "Ljava/lang/Object;"

/* The lines of the index, which events name: first those of the method of Main, then those of
 * Node's constructor. */
static const char *const lines[] = {
    "1,Main,work,10,0,METHOD_ENTRY,V,\"methodtype=static\"",
    "1,Main,work,10,1,LABEL,I,\"null\"",
    "1,Main,work,11,2,LINE_NUMBER,V,\"null\"",
    "1,Main,work,11,3,NEW_OBJECT,V,\"objecttype=Node\"",
    "1,Main,work,11,5,CALL,V,\"owner=Node,name=<init>,desc=(LNode;)V,methodtype=constructor,"
    "created=3\"",
    "1,Main,work,11,5,CALL_PARAM," OBJECT ",\"type=Node,index=1\"",
    "1,Main,work,11,5,CALL_RETURN,V,\"type=void\"",
    "1,Main,work,11,5,NEW_OBJECT_CREATED," OBJECT ",\"created=3\"",
    "1,Main,work,12,8,LOCAL_STORE," OBJECT ",\"type=Node,name=node\"",
    "1,Main,work,12,9,ARRAY_STORE," OBJECT ",\"null\"",
    "1,Main,work,12,9,ARRAY_STORE_INDEX,I,\"null\"",
    "1,Main,work,12,9,ARRAY_STORE_VALUE," OBJECT ",\"null\"",
    "1,Main,work,13,12,GET_STATIC_FIELD," OBJECT ",\"type=Node,owner=Main,name=list\"",
    "1,Main,work,13,13,PUT_INSTANCE_FIELD," OBJECT ",\"type=Node,owner=Node,name=next\"",
    "1,Main,work,13,13,PUT_INSTANCE_FIELD_VALUE," OBJECT ",\"type=Node,owner=Node,name=next\"",
    "1,Main,work,14,15,PUT_STATIC_FIELD," OBJECT ",\"type=Node,owner=Main,name=list\"",
    "1,Main,work,15,16,METHOD_NORMAL_EXIT,V,\"type=void\"",
    "2,Node,<init>,20,0,METHOD_ENTRY,V,\"methodtype=constructor\"",
    "2,Node,<init>,20,1,METHOD_PARAM," OBJECT ",\"type=Node,name=peer,index=1\"",
    "2,Node,<init>,20,3,METHOD_OBJECT_INITIALIZED," OBJECT ",\"null\"",
    "2,Node,<init>,21,4,PUT_INSTANCE_FIELD," OBJECT ",\"type=Node,owner=Node,name=peer\"",
    "2,Node,<init>,21,4,PUT_INSTANCE_FIELD_VALUE," OBJECT ",\"type=Node,owner=Node,name=peer\"",
    "2,Node,<init>,21,9,METHOD_NORMAL_EXIT,V,\"type=void\"",
    "3,Main,main,30,1,NEW_ARRAY,I,\"objecttype=Node\"",
    "3,Main,main,30,1,NEW_ARRAY_RESULT," OBJECT ",\"null\"",
};

enum { LINES = sizeof lines / sizeof *lines, SLOTS = 64, EVENTS_A_FILE = 10000000 };
enum { NEW_ARRAY = 23, RETURN = 6, LIST = 12, EXIT = 16, CONSTRUCTOR = 17 };

struct trace {
    const char *folder;
    FILE *log;
    unsigned files;
    uint64_t events, wanted;
    uint64_t objects; /* the number of objects so far */
    uint64_t random;
    FILE *types;
};

static FILE *open_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void close_file(FILE *file)
{
    if (ferror(file) || fclose(file) != 0) {
        perror("write");
        exit(1);
    }
}

static void put_big(uint8_t *out, unsigned width, uint64_t value)
{
    for (unsigned i = width; i > 0; i--, value >>= 8)
        out[i - 1] = (uint8_t)value;
}

static void put_event(struct trace *trace, unsigned line, unsigned thread, uint64_t value)
{
    uint8_t bytes[16];
    if (trace->events % EVENTS_A_FILE == 0) {
        char name[32];
        if (trace->log)
            close_file(trace->log);
        snprintf(name, sizeof name, "log-%05u.slg", ++trace->files);
        trace->log = open_file(trace->folder, name);
    }
    put_big(bytes, 4, line);
    put_big(bytes + 4, 4, thread);
    put_big(bytes + 8, 8, value);
    fwrite(bytes, sizeof bytes, 1, trace->log);
    trace->events++;
}

static uint64_t new_object(struct trace *trace, unsigned type)
{
    fprintf(trace->types, "%" PRIu64 ",%u\n", ++trace->objects, type);
    return trace->objects;
}

/* A random number below `below`, by splitmix64. */
static uint64_t draw(struct trace *trace, uint64_t below)
{
    uint64_t x = trace->random += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (x ^ (x >> 31)) % below;
}

/* Writes the events of one call of work(), in order. */
static void work(struct trace *trace, unsigned thread, uint64_t array, uint64_t *list)
{
    uint64_t peer = *list, node = trace->objects + 1, slot = draw(trace, SLOTS);
    bool keeps = node % 16 == 0;
    const uint64_t before[] = {0, 0, 0, 0, 0, peer};
    const uint64_t inside[] = {0, peer, node, node, peer, 0};
    const uint64_t after[] = {0, node, node, array, slot, node};
    for (unsigned i = 0; i < sizeof before / sizeof *before; i++)
        put_event(trace, i, thread, before[i]);
    for (unsigned i = 0; i < sizeof inside / sizeof *inside; i++)
        put_event(trace, CONSTRUCTOR + i, thread, inside[i]);
    new_object(trace, 2);
    for (unsigned i = 0; i < sizeof after / sizeof *after; i++)
        put_event(trace, RETURN + i, thread, after[i]);
    const uint64_t stores[] = {peer, node, peer, node};
    for (unsigned i = 0; keeps && i < sizeof stores / sizeof *stores; i++)
        put_event(trace, LIST + i, thread, stores[i]);
    *list = keeps ? node : *list;
    put_event(trace, EXIT, thread, 0);
}

static void write_index(const char *folder)
{
    FILE *index = open_file(folder, "dataids.txt");
    fputs("DataID,ClassID,MethodID,ClassName,MethodName,Line,InstructionIndex,EventType,"
          "ValueDesc,Attributes\n",
          index);
    for (unsigned i = 0; i < LINES; i++)
        fprintf(index, "%u,0,%s\n", i, lines[i]);
    close_file(index);
    FILE *types = open_file(folder, "LOG$Types.txt");
    fputs("0,void,,-1,-1,L\n1,java.lang.Object,,-1,-1,L\n2,Node,,1,-1,L\n3,Node[],,1,2,L\n",
          types);
    close_file(types);
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fputs("Usage: generate_selogger FOLDER EVENTS\n", stderr);
        return 2;
    }
    struct trace trace = {.folder = arguments[1], .wanted = strtoull(arguments[2], NULL, 10)};
    uint64_t list = 0, turn = 0;
    unsigned thread = 0;
    write_index(trace.folder);
    trace.types = open_file(trace.folder, "LOG$ObjectTypes00001.txt");
    put_event(&trace, NEW_ARRAY, 0, SLOTS);
    uint64_t array = new_object(&trace, 3);
    put_event(&trace, NEW_ARRAY + 1, 0, array);
    while (trace.events < trace.wanted) {
        if (turn-- == 0) {
            thread = !thread;
            turn = draw(&trace, 100);
        }
        work(&trace, thread, array, &list);
    }
    close_file(trace.types);
    close_file(trace.log);
    return 0;
}
