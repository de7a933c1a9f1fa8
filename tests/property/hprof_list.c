/* SPDX-License-Identifier: MIT */
/* Lists the items of an HPROF file on standard input, a line an item, in no special order. It
 * is written from the description of the format alone, and fails at any item that does not fit
 * the others, and at what tools refuse: two classes of one array of primitives, two fields of
 * one name in a class. Ids have 8 bytes, and there are the signs by which tools know compressed
 * references: java.lang.Object has 12 bytes, and the first two arrays of references are so near
 * to each other that references of 8 bytes had no room. The lines: */
/* clang-format off
 *
 * object ID CLASS BYTES         an instance: a header of 12 bytes, and its fields, of which
 *                               references have 4
 * array ID CLASS LENGTH         of objects
 * primitives ID TYPE LENGTH
 * reference ID FIELD TARGET     in a field, or element number FIELD
 * static CLASS FIELD TARGET
 * root KIND ID [THREAD FRAME]
 * frame THREAD NUMBER CLASS METHOD
 * allocated ID CLASS METHOD SIGNATURE LINE
 */
/* clang-format on */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16, HEAP = 0x1C };

struct named {
    uint64_t id;
    char *text;
};

struct table {
    struct named *items;
    size_t count;
};

struct field {
    const char *name;
    unsigned type;
};

struct class_of {
    uint64_t id, serial, super;
    char *name;
    struct field *fields;
    size_t field_count;
    uint64_t size;  /* of an instance in the heap */
    uint64_t bytes; /* of its fields in the file */
    bool is_dumped;
};

struct method_frame {
    uint64_t id;
    const char *method;
    const char *class_name, *signature;
    uint64_t line;
};

enum { HEADER = 12, REFERENCE = 4 };

static unsigned id_size;
static struct table strings;
static struct class_of *classes;
static size_t class_count;
static struct method_frame *frames;
static size_t frame_count;
/* Stack traces by serial number, from 1 on: 1 and the index of the frame of an allocation site;
 * 0 if the trace is the stack of a thread. */
static size_t *traces;
static size_t trace_count;
static uint64_t last_trace; /* the largest serial number of a trace that a class names */
static uint64_t arrays[2];  /* the first two arrays of references */
static size_t array_count;
static uint64_t offsets[2];            /* of neighbouring fields that hold references */
static unsigned char *at, *end, *room; /* the part of the record that is in memory */
static uint64_t left;                  /* bytes of the record still to be read */

static void die(const char *what)
{
    fprintf(stderr, "hprof_list: %s\n", what);
    exit(1);
}

static void *must(void *memory)
{
    if (!memory)
        die("no memory");
    return memory;
}

/* Reads the next piece of the record, which may have 4 GiB. */
static void read_more(void)
{
    size_t kept = (size_t)(end - at), more = left < PIECE - kept ? (size_t)left : PIECE - kept;
    memmove(room, at, kept);
    if (fread(room + kept, 1, more, stdin) != more)
        die("the file is too short");
    at = room;
    end = room + kept + more;
    left -= more;
}

static uint64_t take(unsigned bytes)
{
    uint64_t number = 0;
    if ((size_t)(end - at) < bytes && left > 0)
        read_more();
    if ((size_t)(end - at) < bytes)
        die("a record is too short");
    while (bytes-- > 0)
        number = number << 8 | *at++;
    return number;
}

static uint64_t take_id(void)
{
    return take(id_size);
}

static const char *string_of(uint64_t id)
{
    size_t low = 0, high = strings.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strings.items[middle].id == id)
            return strings.items[middle].text;
        if (strings.items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    die("a string is missing");
    return NULL;
}

static struct class_of *class_with(uint64_t id)
{
    static struct class_of *latest;
    if (latest && latest->id == id)
        return latest;
    for (size_t i = 0; i < class_count; i++)
        if (classes[i].id == id)
            return latest = &classes[i];
    die("a class is missing");
    return NULL;
}

static const char *class_with_serial(uint64_t serial)
{
    for (size_t i = 0; i < class_count; i++)
        if (classes[i].serial == serial)
            return classes[i].name;
    die("a class is missing");
    return NULL;
}

static unsigned bytes_of(unsigned type)
{
    switch (type) {
    case 2:
        return id_size;
    case 4:
    case 8:
        return 1;
    case 5:
    case 9:
        return 2;
    case 6:
    case 10:
        return 4;
    case 7:
    case 11:
        return 8;
    default:
        die("there is no such type");
        return 0;
    }
}

/* Strings come in ascending order of ids. */
static void take_string(void)
{
    uint64_t id = take_id();
    size_t length = (size_t)(end - at);
    if (strings.count > 0 && strings.items[strings.count - 1].id >= id)
        die("strings are not in order");
    if ((strings.count & (strings.count + 1)) == 0)
        strings.items =
            must(realloc(strings.items, (2 * strings.count + 2) * sizeof *strings.items));
    char *text = must(malloc(length + 1));
    memcpy(text, at, length);
    text[length] = '\0';
    strings.items[strings.count++] = (struct named){id, text};
    at = end;
}

/* Takes the serial number of a stack trace, which may still be to come. */
static void take_serial(void)
{
    uint64_t serial = take(4);
    if (serial == 0)
        die("there is no stack trace 0");
    if (serial > last_trace)
        last_trace = serial;
}

static bool is_primitive_array(const char *name)
{
    return name[0] == '[' && strlen(name) == 2 && strchr("ZCFDBSIJ", name[1]);
}

static void take_class(void)
{
    classes = must(realloc(classes, (class_count + 1) * sizeof *classes));
    struct class_of *class_of = &classes[class_count++];
    *class_of = (struct class_of){.serial = take(4)};
    class_of->id = take_id();
    take_serial();
    class_of->name = must(strdup(string_of(take_id())));
    for (size_t i = 0; i + 1 < class_count; i++)
        if (classes[i].id == class_of->id || classes[i].serial == class_of->serial ||
            (is_primitive_array(class_of->name) &&
             strcmp(classes[i].name, class_of->name) == 0))
            die("a class is there twice");
}

static void take_frame(void)
{
    frames = must(realloc(frames, (frame_count + 1) * sizeof *frames));
    frames[frame_count].id = take_id();
    frames[frame_count].method = string_of(take_id());
    frames[frame_count].signature = string_of(take_id());
    take_id();
    frames[frame_count].class_name = class_with_serial(take(4));
    frames[frame_count].line = take(4);
    frame_count++;
}

static void take_trace(void)
{
    uint64_t serial = take(4), thread = take(4), count = take(4);
    if (serial != ++trace_count)
        die("stack traces are not in order");
    traces = must(realloc(traces, (trace_count + 1) * sizeof *traces));
    traces[serial] = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t id = take_id();
        size_t found = 0;
        while (found < frame_count && frames[found].id != id)
            found++;
        if (found == frame_count)
            die("a frame is missing");
        if (thread == 0)
            traces[serial] = found + 1;
        else
            printf("frame %" PRIu64 " %" PRIu64 " %s %s\n", thread, i, frames[found].class_name,
                   frames[found].method);
    }
}

/* Takes the serial number of the stack trace of an allocation, and prints the site, if it is
 * one. */
static void take_site(uint64_t id)
{
    uint64_t serial = take(4);
    if (serial == 0 || serial > trace_count)
        die("a stack trace is missing");
    if (traces[serial] == 0)
        return;
    const struct method_frame *frame = &frames[traces[serial] - 1];
    printf("allocated %" PRIu64 " %s %s %s %" PRIu64 "\n", id, frame->class_name, frame->method,
           frame->signature, frame->line);
}

static int compare_names(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* All fields of a class, also static ones, have different names. */
static void check_names(const char **names, size_t count)
{
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; i < count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            die("a class has two fields of one name");
}

static void check_class(const struct class_of *class_of, uint64_t bytes)
{
    if (bytes != class_of->bytes)
        die("the size of a class is not that of its fields");
    if (strcmp(class_of->name, "java/lang/Object") == 0
            ? class_of->super != 0 || bytes != 0
            : strcmp(class_with(class_of->super)->name, "java/lang/Object") != 0)
        die("java.lang.Object is not the class of all others");
}

/* A static field of java.lang.Class$Atomic. */
static void see_offset(const char *name, uint64_t value)
{
    if (strcmp(name, "annotationDataOffset") == 0)
        offsets[0] = value;
    if (strcmp(name, "annotationTypeOffset") == 0)
        offsets[1] = value;
}

static void take_class_dump(void)
{
    struct class_of *class_of = class_with(take_id());
    if (class_of->is_dumped)
        die("a class is dumped twice");
    class_of->is_dumped = true;
    take_serial();
    class_of->super = take_id();
    for (int i = 0; i < 5; i++)
        if (take_id() != 0)
            die("a loader that is not there");
    uint64_t bytes = take(4);
    if (take(2) != 0)
        die("a constant");
    size_t count = 0, statics = (size_t)take(2);
    const char **names = must(calloc(statics + 65536, sizeof *names));
    for (; count < statics; count++) {
        names[count] = string_of(take_id());
        unsigned type = (unsigned)take(1);
        uint64_t value = take(bytes_of(type));
        if (type == 2)
            printf("static %s %s %" PRIu64 "\n", class_of->name, names[count], value);
        else if (type == 11 && strcmp(class_of->name, "java/lang/Class$Atomic") == 0)
            see_offset(names[count], value);
    }
    class_of->field_count = take(2);
    class_of->fields = must(calloc(class_of->field_count + 1, sizeof *class_of->fields));
    class_of->size = HEADER;
    for (size_t i = 0; i < class_of->field_count; i++) {
        class_of->fields[i].name = names[count++] = string_of(take_id());
        class_of->fields[i].type = (unsigned)take(1);
        class_of->bytes += bytes_of(class_of->fields[i].type);
        class_of->size +=
            class_of->fields[i].type == 2 ? REFERENCE : bytes_of(class_of->fields[i].type);
    }
    check_names(names, count);
    check_class(class_of, bytes);
    free(names);
}

static void take_instance(void)
{
    uint64_t id = take_id();
    take_site(id);
    const struct class_of *class_of = class_with(take_id());
    if (!class_of->is_dumped)
        die("an instance comes before its class");
    if (take(4) != class_of->bytes)
        die("an instance has another size than its class");
    printf("object %" PRIu64 " %s %" PRIu64 "\n", id, class_of->name, class_of->size);
    for (size_t i = 0; i < class_of->field_count; i++) {
        uint64_t value = take(bytes_of(class_of->fields[i].type));
        if (class_of->fields[i].type == 2 && value != 0)
            printf("reference %" PRIu64 " %s %" PRIu64 "\n", id, class_of->fields[i].name,
                   value);
    }
}

static void take_array(void)
{
    uint64_t id = take_id();
    if (array_count < 2)
        arrays[array_count++] = id;
    take_site(id);
    uint64_t count = take(4);
    printf("array %" PRIu64 " %s %" PRIu64 "\n", id, class_with(take_id())->name, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = take_id();
        if (value != 0)
            printf("reference %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", id, i, value);
    }
}

static void take_primitives(void)
{
    uint64_t id = take_id();
    take_site(id);
    uint64_t count = take(4);
    unsigned type = (unsigned)take(1);
    printf("primitives %" PRIu64 " %u %" PRIu64 "\n", id, type, count);
    uint64_t bytes = count * bytes_of(type);
    while (bytes > (uint64_t)(end - at)) {
        bytes -= (uint64_t)(end - at);
        at = end;
        if (left == 0)
            die("an array is too short");
        read_more();
    }
    at += bytes;
}

static void take_heap(void)
{
    while (at < end || left > 0) {
        unsigned tag = (unsigned)take(1);
        uint64_t id, thread;
        switch (tag) {
        case 0x03:
            id = take_id();
            thread = take(4);
            printf("root frame %" PRIu64 " %" PRIu64 " %" PRId32 "\n", id, thread,
                   (int32_t)take(4));
            break;
        case 0x05:
            printf("root class %" PRIu64 "\n", take_id());
            break;
        case 0x08:
            id = take_id();
            thread = take(4);
            printf("root thread %" PRIu64 " %" PRIu64 "\n", id, thread);
            take(4);
            break;
        case 0xFF:
            printf("root unknown %" PRIu64 "\n", take_id());
            break;
        case 0x20:
            take_class_dump();
            break;
        case 0x21:
            take_instance();
            break;
        case 0x22:
            take_array();
            break;
        case 0x23:
            take_primitives();
            break;
        default:
            die("there is no such record of the heap");
        }
    }
}

static void take_record(unsigned tag, bool *is_over)
{
    switch (tag) {
    case 0x01:
        take_string();
        break;
    case 0x02:
        take_class();
        break;
    case 0x04:
        take_frame();
        break;
    case 0x05:
        take_trace();
        break;
    case HEAP:
        take_heap();
        break;
    case 0x2C:
        *is_over = true;
        break;
    default:
        die("there is no such record");
    }
    if (at != end || left > 0)
        die("a record is too long");
}

int main(void)
{
    static const char version[] = "JAVA PROFILE 1.0.2";
    unsigned char head[sizeof version + 12], header[9];
    bool is_over = false;
    if (fread(head, 1, sizeof head, stdin) != sizeof head ||
        memcmp(head, version, sizeof version) != 0)
        die("this is no dump");
    id_size = head[sizeof version + 3];
    if (id_size != 8)
        die("ids have no such size");
    while (fread(header, 1, sizeof header, stdin) == sizeof header) {
        if (is_over)
            die("something is left after the end");
        at = header + 5;
        end = header + 9;
        uint64_t length = take(4);
        bool is_heap = header[0] == HEAP && length > PIECE;
        size_t first = is_heap ? PIECE : (size_t)length;
        room = must(realloc(room, first > PIECE ? first : PIECE));
        if (fread(room, 1, first, stdin) != first)
            die("the file is too short");
        at = room;
        end = room + first;
        left = length - first;
        take_record(header[0], &is_over);
    }
    if (!is_over)
        die("the end is missing");
    if (last_trace > trace_count)
        die("a stack trace of a class is missing");
    if (array_count < 2 || arrays[1] <= arrays[0] || arrays[1] - arrays[0] >= 16 ||
        offsets[1] - offsets[0] != REFERENCE)
        die("tools do not find that references have 4 bytes");
    return 0;
}
