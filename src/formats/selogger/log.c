/* SPDX-License-Identifier: MIT */
/* Only one file is open at a time: a trace has a file for each 10 million events. A block of a
 * binary file is decoded at once, or as many lines of a text file. */
#include "formats/selogger/log.h"

#include "base/bytes.h"
#include "base/digest.h"
#include "base/memory.h"
#include "formats/selogger/loading.h"
#include "io/lines.h"
#include "io/window.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The output of SELogger's other modes looks much like a trace. It is recognised by its
 * beginning, and refused with advice on what to record instead. */

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

/* Why there is no log next to `index`, as a sentence without its full stop; NULL: that is not
 * known. */
static const char *refusal_of_folder(const char *index)
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

enum { EVENT_BYTES = 16, BLOCK_EVENTS = 16 * 1024, MORE_OBJECTS = 4096 };

/* The size of each binary file but the last: 10 million events. */
enum { PART_BYTES = 160000000 };

struct log {
    const struct catalogue *catalogue;
    struct source *source; /* of the index */
    struct parts parts;
    bool is_text;
    uint64_t size;
    uint64_t last_object;
    uint64_t read;             /* of the files that have been read, in bytes */
    struct source_options how; /* how the files are read */
    const char *unfinished;    /* why it is; NULL: nothing is known to be cut off */

    size_t part;          /* the number of the present file */
    struct window window; /* of a binary file; without a source: none is open */
    struct lines *lines;  /* of a text file; NULL: none is open */
    uint64_t count;       /* events of text files so far */

    struct sel_event *events;
    XXH3_state_t *digest;
    struct failure failure; /* to be returned after the events before it; STATUS_OK: none */
};

static uint64_t size_of(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && facts.st_size > 0 ? (uint64_t)facts.st_size : 0;
}

static const char *why_no_log(const char *index)
{
    const char *refusal = refusal_of_folder(index);
    return refusal ? refusal
                   : "There is no log next to it, neither log-00001.slg nor log-00001.txt";
}

static enum status find_files(struct log *log, const char *index, struct failure *why)
{
    struct parts texts = {.paths = NULL};
    enum status status = parts_find(&log->parts, index, "log-", ".slg", why);
    if (status == STATUS_OK)
        status = parts_find(&texts, index, "log-", ".txt", why);
    if (status == STATUS_OK && log->parts.count > 0 && texts.count > 0)
        status = fail_at(why, STATUS_MEANING, index, 0,
                         "There are two logs next to it, log-*.slg and log-*.txt: keep the one "
                         "that belongs to it");
    else if (status == STATUS_OK && log->parts.count == 0 && texts.count == 0)
        status = fail_at(why, STATUS_MEANING, index, 0, "%s", why_no_log(index));
    if (status == STATUS_OK && texts.count > 0) {
        log->parts = texts;
        log->is_text = true;
        return STATUS_OK;
    }
    parts_free(&texts);
    return status;
}

enum status log_open(struct log **out, struct source *source, const struct catalogue *catalogue,
                     const struct reader_options *options, struct failure *why)
{
    struct log *log = calloc(1, sizeof *log);
    if (!log)
        return fail_memory(why);
    log->catalogue = catalogue;
    log->source = source;
    log->how = (struct source_options){
        .spool = SPOOL_NEVER,
        .interrupt = source_interrupt(source),
        .is_found = true,
        .takes_cut = options->lenient,
        .cut_advice = options->keep_others ? NULL : "--lenient takes the events before that",
    };
    log->events = array_new(BLOCK_EVENTS, sizeof *log->events);
    log->digest = XXH3_createState();
    enum status status = log->events && log->digest ? find_files(log, source_name(source), why)
                                                    : fail_memory(why);
    if (status != STATUS_OK) {
        log_close(log);
        return status;
    }
    for (size_t i = 0; i < log->parts.count; i++)
        log->size += size_of(log->parts.paths[i]);
    /* Not every object with an id need be in the log: the causes of exceptions have ids, too.
     */
    log->last_object =
        log->size + catalogue->types.object_count + catalogue->types.stray_count + MORE_OBJECTS;
    log_rewind(log);
    *out = log;
    return STATUS_OK;
}

static void close_part(struct log *log)
{
    source_close(log->window.source);
    window_free(&log->window);
    lines_close(log->lines);
    log->window = (struct window){.source = NULL};
    log->lines = NULL;
}

static enum status open_part(struct log *log, struct failure *why)
{
    const char *path = log->parts.paths[log->part];
    return log->is_text ? lines_open(&log->lines, path, &log->how, why)
                        : source_open(&log->window.source, path, &log->how, why);
}

/* Fails with the sentence `what` about the position in `file`. */
static enum status reject_at(struct failure *why, const struct log *log, const char *file,
                             uint64_t position, const char *what)
{
    if (log->is_text)
        return fail_at(why, STATUS_SYNTAX, file, position, "%s", what);
    return fail_at_offset(why, STATUS_SYNTAX, file, position, "%s", what);
}

/* What is wrong with an event; NULL: nothing. */
static const char *find_fault(const struct log *log, const struct sel_event *event)
{
    if (event->data_id >= log->catalogue->instructions.count)
        return "The data id of this event is not in " SELOGGER_INDEX
               ": the files are not of one run, or are damaged";
    if (event->thread > INT32_MAX)
        return "The thread of this event is negative: the file is damaged";
    if (log->catalogue->instructions.items[event->data_id].value == VALUE_OBJECT &&
        (uint64_t)event->value > log->last_object)
        return "This event names an object whose number is too large for this log: the file is "
               "damaged";
    return NULL;
}

/* Ends the block before a fault at `position`: the events before the fault are returned first.
 */
static enum status end_at_fault(struct log *log, const struct sel_events *events,
                                uint64_t position, const char *what, struct failure *why)
{
    if (events->count == 0)
        return reject_at(why, log, events->file, position, what);
    reject_at(&log->failure, log, events->file, position, what);
    return STATUS_OK;
}

/* The number in the four bytes at `bytes`, the most significant first. Compilers recognise this
 * pattern. */
static inline uint32_t big_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           (uint32_t)bytes[3];
}

/* Takes one event; false: there are not enough bytes. */
static inline bool take_event(struct load *load, struct sel_event *event)
{
    const uint8_t *bytes;
    if (!load_bytes(load, EVENT_BYTES, &bytes))
        return false;
    uint64_t value = (uint64_t)big_word(bytes + 8) << 32 | big_word(bytes + 12);
    *event = (struct sel_event){big_word(bytes), big_word(bytes + 4), (int64_t)value};
    return true;
}

static enum status log_decode(struct log *log, struct sel_events *events, struct load *load,
                              struct failure *why)
{
    struct sel_event *event = log->events;
    for (; events->count < BLOCK_EVENTS && take_event(load, event); event++, events->count++) {
        const char *fault = find_fault(log, event);
        if (fault)
            return end_at_fault(log, events, events->first + events->count * EVENT_BYTES, fault,
                                why);
    }
    return STATUS_OK;
}

static enum status note_cut(struct log *log, struct remark_list *remarks, const char *what,
                            struct failure *why)
{
    log->unfinished = "its last event is cut off";
    if (!remarks)
        return STATUS_OK;
    return remark_list_add(
        remarks, why, "The last %s of %s %s and is left out: the trace was cut off",
        log->is_text ? "line" : "event", file_name(log->parts.paths[log->part]), what);
}

/* Adds the remark that the compressed data of a file end too early, once. */
static enum status note_cut_data(struct log *log, struct remark_list *remarks,
                                 struct failure *why)
{
    bool is_noted = log->unfinished;
    log->unfinished = "its compressed data end too early";
    if (!remarks || is_noted)
        return STATUS_OK;
    return remark_list_add(remarks, why,
                           "The compressed data of %s end too early: the trace was cut off",
                           file_name(log->parts.paths[log->part]));
}

/* Fails if a file of `length` bytes may not end there: events missing between others would not
 * be noticed. */
static enum status check_length(const struct log *log, uint64_t length, struct failure *why)
{
    if (log->part + 1 == log->parts.count || length == PART_BYTES)
        return STATUS_OK;
    return fail_at(why, STATUS_SYNTAX, log->parts.paths[log->part], 0,
                   "This file has %" PRIu64
                   " bytes, where each but the last one of a log has %d: it was cut off",
                   length, PART_BYTES);
}

/* Notes that the log has at least so many bytes: compressed files have more than their sizes
 * show. */
static void note_bytes(struct log *log, uint64_t bytes)
{
    if (bytes <= log->size)
        return;
    log->last_object += bytes - log->size;
    log->size = bytes;
}

static enum status read_binary(struct log *log, struct sel_events *events,
                               struct remark_list *remarks, struct failure *why)
{
    struct load load;
    TRY(window_fill(&log->window, BLOCK_EVENTS * EVENT_BYTES, &load, why));
    events->first = log->window.offset;
    note_bytes(log, log->read + load_left(&load));
    enum status status = log_decode(log, events, &load, why);
    window_take(&log->window, &load);
    log->read += log->window.offset - events->first;
    if (status != STATUS_OK || events->count > 0)
        return status;
    TRY(check_length(log, events->first + load_left(&load), why));
    if (source_is_cut(log->window.source))
        return note_cut_data(log, remarks, why);
    return load_left(&load) > 0 ? note_cut(log, remarks, "has less than 16 bytes", why)
                                : STATUS_OK;
}

/* What is wrong with a line of a text file; NULL: nothing, and *event is set. */
static const char *read_line(const struct log *log, const struct line *line,
                             struct sel_event *event)
{
    struct piece pieces[5];
    size_t count = split_line(line, pieces, 5);
    int64_t number, data_id, thread;
    if (count < 4 || !piece_number(pieces[0], 0, INT64_MAX, &number) ||
        !piece_number(pieces[1], 0, INT32_MAX, &data_id) ||
        !piece_number(pieces[2], 0, INT32_MAX, &thread))
        return "This line is not NUMBER,DATA-ID,THREAD,VALUE[,TIME]";
    if ((uint64_t)number != log->count)
        return "The events are not numbered in order: some are missing";
    *event = (struct sel_event){(uint32_t)data_id, (uint32_t)thread, 0};
    if (event->data_id >= log->catalogue->instructions.count)
        return find_fault(log, event);
    if (log->catalogue->instructions.items[event->data_id].value != VALUE_NONE &&
        !piece_number(pieces[3], INT64_MIN, INT64_MAX, &event->value))
        return "The value of this event is not a number, as its instruction demands";
    return find_fault(log, event);
}

static bool log_is_header(const struct line *line)
{
    static const char begin[] = "Seqnum,";
    return line->number == 1 && line->length >= strlen(begin) &&
           memcmp(line->text, begin, strlen(begin)) == 0;
}

/* Reads the next lines of a text file; without any event if the file is at its end. */
static enum status read_text_events(struct log *log, struct sel_events *events,
                                    struct remark_list *remarks, struct failure *why)
{
    while (events->count < BLOCK_EVENTS) {
        struct line line;
        enum status status = lines_next(log->lines, &line, why);
        bool is_end = status == STATUS_END;
        if (status != STATUS_OK && !is_end)
            return status;
        if ((is_end || !line.has_end) && lines_are_cut(log->lines))
            return note_cut_data(log, remarks, why);
        if (is_end)
            return STATUS_OK;
        log->read += line.length + 1;
        if (!line.has_end)
            return note_cut(log, remarks, "has no end", why);
        note_bytes(log, log->read);
        if (log_is_header(&line))
            continue;
        if (events->count == 0)
            events->first = line.number;
        const char *fault = read_line(log, &line, &log->events[events->count]);
        if (fault)
            return end_at_fault(log, events, line.number, fault, why);
        events->count++;
        log->count++;
    }
    return STATUS_OK;
}

enum status log_next(struct log *log, struct sel_events *events, struct remark_list *remarks,
                     struct failure *why)
{
    if (log->failure.status != STATUS_OK)
        return failure_move(why, &log->failure);
    for (; log->part < log->parts.count; log->part++) {
        *events =
            (struct sel_events){.items = log->events, .file = log->parts.paths[log->part]};
        if (!log->window.source && !log->lines)
            TRY(open_part(log, why));
        TRY(log->is_text ? read_text_events(log, events, remarks, why)
                         : read_binary(log, events, remarks, why));
        source_count_others(log->source, log->read, log->size);
        if (events->count > 0) {
            XXH3_64bits_update(log->digest, events->items,
                               events->count * sizeof *events->items);
            return STATUS_OK;
        }
        close_part(log);
    }
    return STATUS_END;
}

void log_rewind(struct log *log)
{
    close_part(log);
    log->part = 0;
    log->count = 0;
    log->read = 0;
    source_count_others(log->source, 0, log->size);
    failure_clear(&log->failure);
    XXH3_64bits_reset(log->digest);
}

const char *log_unfinished(const struct log *log)
{
    return log->unfinished;
}

uint64_t log_digest(const struct log *log)
{
    return XXH3_64bits_digest(log->digest);
}

uint64_t log_last_object(const struct log *log)
{
    return log->last_object;
}

void log_close(struct log *log)
{
    if (!log)
        return;
    close_part(log);
    failure_clear(&log->failure);
    parts_free(&log->parts);
    XXH3_freeState(log->digest);
    free(log->events);
    free(log);
}
