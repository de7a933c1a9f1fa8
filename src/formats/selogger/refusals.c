/* SPDX-License-Identifier: MIT */
/* The output of SELogger's other modes looks much like a trace. It is recognised by its
 * beginning, and refused with advice on what to record instead. */
#include "formats/selogger/refusals.h"

#include "formats/selogger/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_IN_FULL "record the program again with format=omni or format=omnibinary"

static const char nearomni[] =
    "SELogger kept only the latest events of each instruction (nearomni): without the earlier "
    "ones, references are unknown; " RECORD_IN_FULL;
static const char freq[] = "SELogger counted the events and kept none (freq); " RECORD_IN_FULL;
static const char printed[] =
    "This is the output of SELogger's LogPrinter, which has no descriptions of the events; "
    "give the folder with " SELOGGER_INDEX " and the log from which it was made";
static const char log_alone[] =
    "A log cannot be read without the files next to it; give its folder, or " SELOGGER_INDEX
    " in it";

/* How files begin that are no traces, and why they are none. */
static const struct {
    const char *begin;
    const char *why;
} contents[] = {
    {"{ \"format\":\"freq\"", freq},
    {"{ \"format\":\"nearomni\"", nearomni},
    {"{\"format\":\"freq\"", freq},
    {"{\"format\":\"nearomni\"", nearomni},
    {"loadedFrom,filename,cname,", nearomni},
    {"EventId=", printed},
    {"Seqnum,DataId,ThreadId,Value", log_alone},
};

const char *refusal_of_content(const char *head, size_t length)
{
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        size_t wanted = strlen(contents[i].begin);
        if (length >= wanted && memcmp(head, contents[i].begin, wanted) == 0)
            return contents[i].why;
    }
    return NULL;
}

/* Reads the first bytes of the file `name` next to `index`; returns their number. */
static size_t read_head(const char *index, const char *name, char *head, size_t size)
{
    char *path = file_next_to(index, name);
    FILE *file = path ? fopen(path, "rb") : NULL;
    size_t length = file ? fread(head, 1, size, file) : 0;
    if (file)
        fclose(file);
    free(path);
    return length;
}

const char *refusal_of_folder(const char *index)
{
    static const char *const names[] = {"trace.json", "trace.txt", "recentdata.json",
                                        "recentdata.txt", "eventfreq.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char head[64];
        size_t length = read_head(index, names[i], head, sizeof head);
        if (length == 0)
            continue;
        const char *why = refusal_of_content(head, length);
        if (why)
            return why;
        return strncmp(names[i], "eventfreq", strlen("eventfreq")) == 0 ? freq : nearomni;
    }
    return NULL;
}

/* The index has all instructions that were instrumented, whether they were executed or not. So
 * if no instruction is of some kind, that kind was not asked for, or the program has nothing of
 * it. */

enum { KINDS_MOST = 64 };

#define KIND(event) (UINT64_C(1) << (event))

static const struct {
    uint64_t kinds; /* any one of them is enough */
    const char *text;
} hints[] = {
    {KIND(EVENT_ENTRY) | KIND(EVENT_NORMAL_EXIT) | KIND(EVENT_EXCEPTIONAL_EXIT),
     "The log has no method events: the clock, which counts them, stands still, so no object "
     "dies before the end. Record with weave=EXEC, too"},
    {KIND(EVENT_PUT_STATIC) | KIND(EVENT_PUT_FIELD_VALUE) | KIND(EVENT_PUT_FIELD_EARLY) |
         KIND(EVENT_ARRAY_STORE_VALUE),
     "The log has no stores in fields or arrays: without references each object dies after its "
     "own last use, which may be too early. Record with weave=FIELD+ARRAY, too"},
    {KIND(EVENT_NEW_OBJECT) | KIND(EVENT_NEW_ARRAY) | KIND(EVENT_NEW_ARRAY_RESULT) |
         KIND(EVENT_MULTI_NEW_ARRAY),
     "The log has no allocations: objects count as allocated when they are first named, and "
     "objects that are never named are missing. Record with weave=OBJECT+ARRAY+PARAM, too"},
};

static uint64_t event_kinds_of(const struct instructions *instructions)
{
    uint64_t kinds = 0;
    _Static_assert((int)EVENT_ARRAY_LOAD_RESULT < (int)KINDS_MOST,
                   "kinds of events should be bits of a word");
    for (size_t i = 0; i < instructions->count; i++)
        kinds |= KIND(instructions->items[i].event);
    return kinds;
}

enum status hints_add(struct remark_list *remarks, const struct instructions *instructions,
                      uint64_t events, struct failure *why)
{
    uint64_t kinds = event_kinds_of(instructions);
    enum status status = STATUS_OK;
    if (events == 0)
        return remark_list_add(remarks, why,
                               "The log is empty: no event was recorded, or none was written "
                               "before the program was killed");
    for (size_t i = 0; i < sizeof hints / sizeof *hints && status == STATUS_OK; i++)
        if (!(kinds & hints[i].kinds))
            status = remark_list_add(remarks, why, "%s", hints[i].text);
    return status;
}
