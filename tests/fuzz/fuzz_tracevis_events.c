/* SPDX-License-Identifier: MIT */
/* The reader of TraceVis traces, with few classes, methods, objects and threads, so that events
 * interact: methods are called before the OA of their object, and events name an object with
 * several classes. Names have very different lengths, so that a read beyond the end of a short
 * one is noticed. The text of a record must be the line from which it comes. */
#include "fuzz.h"

#include "base/memory.h"
#include "formats/classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char fuzz_target[] = "tracevis_events";

enum { EVENT_BYTES = 3, MOST_EVENTS = 2000, LONG_NAME = 3000, LINE_SIZE = LONG_NAME + 200 };

static const char *const methods[] = {"m", "<init>", "otherMethod", "x$1"};

/* A trace, and the offsets of its lines. */
struct made {
    char *text;
    size_t length, capacity;
    size_t lines[MOST_EVENTS + 2];
    size_t count;
};

static const char *class_name(unsigned number)
{
    static char long_name[LONG_NAME + 1];
    static const char *const names[] = {"A", "[I", "Longer$Name"};
    if (number < 3)
        return names[number];
    memset(long_name, 'L', LONG_NAME);
    return long_name;
}

static void append_line(struct made *made, const char *line)
{
    size_t length = strlen(line);
    made->text = array_grow(made->text, &made->capacity, made->length + length, 1);
    promised(made->text);
    memcpy(made->text + made->length, line, length);
    made->length += length;
    made->lines[++made->count] = made->length;
}

/* Two bits of `byte`, from bit `at` on. */
static unsigned two_bits(uint8_t byte, unsigned at)
{
    return byte >> at & 3;
}

/* Appends an event made from the bytes: one for its kind, one for class, method and thread, one
 * for the object. */
static void append_event(struct made *made, const uint8_t bytes[static EVENT_BYTES])
{
    char line[LINE_SIZE];
    const char *name = class_name(two_bits(bytes[1], 0));
    const char *method = methods[two_bits(bytes[1], 2)];
    unsigned thread = two_bits(bytes[1], 4), object = bytes[2] % 8U,
             time = (unsigned)made->count;
    switch (bytes[0] % 8) {
    case 0:
    case 1:
        snprintf(line, sizeof line, "OA:%u:%s:%u\n", time, name, object + 1);
        break;
    case 2:
        snprintf(line, sizeof line, "OF:%u:%s:%u\n", time, name, object + 1);
        break;
    case 3:
    case 4:
        snprintf(line, sizeof line, "MN:%u:%u:%s:%s:%u\n", time, thread, name, method, object);
        break;
    case 5:
        snprintf(line, sizeof line, "MX:%u:%u:%s:%s\n", time, thread, name, method);
        break;
    case 6:
        snprintf(line, sizeof line, "FP:%u:%u:%s:%s\n", time, thread, name, method);
        break;
    default:
        if (object == 0)
            snprintf(line, sizeof line, "VD:%u\n", time);
        else
            snprintf(line, sizeof line, "TE:%u:%u\n", time, thread);
    }
    append_line(made, line);
}

/* Expects that the text of each record is the line with its number. */
static void check_quotes(const struct batch *batch, const struct made *made)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        uint64_t line = batch->first_line + record->line;
        promised(line >= 1 && line <= made->count);
        size_t begin = made->lines[line - 1], length = record->end - record->begin;
        promised(length == made->lines[line] - begin);
        promised(memcmp(batch->text + record->begin, made->text + begin, length) == 0);
    }
}

static void read_quotes(const struct made *made)
{
    struct failure why = {.status = STATUS_OK};
    struct source *source = NULL;
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    const struct reader_options options = {.keep_others = true};
    const char *path = fuzz_file(made->text, made->length);
    promised(source_open(&source, path, NULL, &why) == STATUS_OK);
    promised(tracevis_reader_class.open(&reader, source, &options, &why) == STATUS_OK);
    while (reader_next(reader, &batch, &why) == STATUS_OK)
        check_quotes(&batch, made);
    promised(why.status == STATUS_OK);
    batch_free(&batch);
    reader_close(reader);
    source_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct made made;
    made.length = made.count = 0;
    append_line(&made, "VS:0\n");
    for (size_t i = 0; i + EVENT_BYTES <= length && made.count <= MOST_EVENTS; i += EVENT_BYTES)
        append_event(&made, bytes + i);
    fuzz_bytes(&tracevis_reader_class, &(const struct reader_options){.deaths_from_free = true},
               made.text, made.length);
    read_quotes(&made);
    return 0;
}
