/* SPDX-License-Identifier: MIT */
/* check_output [--ticks] TRACE: reads the output of etmerlin for TRACE from standard input, and
 * checks what must be true of it whatever the death times are:
 *
 *   - without its D lines it is TRACE, byte for byte;
 *   - an id has died at most as often as it has been allocated so far;
 *   - no record names an object after its D. Ids that have been allocated more
 *     than once are left out: the object that a D means is unknown;
 *   - with --ticks, for traces whose last field is a thread: a D comes after a
 *     boundary or another D; its time is the number of boundaries so far, and
 *     its thread that of the allocation, if the id has only one.
 *
 * It reads both once, and keeps only ids that have been allocated. It has a parser
 * of its own, so as not to share a mistake with the program.
 *
 * Prints what is wrong, and how many deaths and allocations there were. Exit
 * status: 0 all holds, 1 something does not, 2 trouble. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FIELDS = 6, MOST_COMPLAINTS = 10, FIRST_CAPACITY = 1 << 16 };

/* An id that has been allocated. */
struct entry {
    uint64_t id; /* 0: the entry is empty */
    uint64_t thread;
    uint32_t allocations;
    uint32_t deaths;
};

static struct {
    struct entry *entries; /* open addressing; never more than half full */
    size_t capacity;       /* a power of 2 */
    size_t count;
} table;

static struct {
    const char *text;
    size_t length;
    size_t position; /* the output has had everything before it */
} trace;

static struct {
    char *bytes;
    size_t capacity;
    size_t begin, end; /* of the bytes that were read and not yet checked */
    uint64_t line;     /* the number of the line that is being checked */
} output;

static bool with_ticks;
static bool after_boundary; /* the line before is a boundary or a D */
static bool owes_line_end;  /* the output has added a line end to the trace's last line */
static uint64_t ticks, deaths, allocations;
static unsigned complaints;

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

static void complain(const char *format, ...)
{
    if (complaints++ >= MOST_COMPLAINTS)
        return;
    va_list arguments;
    va_start(arguments, format);
    printf("line %" PRIu64 " of the output: ", output.line);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

static struct entry *find_place(uint64_t id)
{
    size_t place = (size_t)((id * UINT64_C(0xD6E8FEB86659FD93)) >> 20) & (table.capacity - 1);
    while (table.entries[place].id != 0 && table.entries[place].id != id)
        place = (place + 1) & (table.capacity - 1);
    return &table.entries[place];
}

static void set_capacity(size_t capacity)
{
    struct entry *old = table.entries;
    size_t old_capacity = table.capacity;
    table.entries = calloc(capacity, sizeof *table.entries);
    if (!table.entries)
        give_up("check_output");
    table.capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].id != 0)
            *find_place(old[i].id) = old[i];
    free(old);
}

static void allocate(uint64_t id, uint64_t thread)
{
    if (id == 0)
        return;
    struct entry *entry = find_place(id);
    if (entry->id == 0) {
        if (++table.count > table.capacity / 2) {
            set_capacity(table.capacity * 2);
            entry = find_place(id);
        }
        entry->id = id;
        entry->thread = thread;
    }
    entry->allocations++;
    allocations++;
}

static void name(uint64_t id)
{
    const struct entry *entry = find_place(id);
    if (entry->id != 0 && id != 0 && entry->allocations == 1 && entry->deaths > 0)
        complain("object %" PRIu64 " is named after its death", id);
}

static void die(const uint64_t *fields, unsigned count)
{
    deaths++;
    if (count != 3) {
        complain("a death has %u fields", count);
        return;
    }
    struct entry *entry = find_place(fields[0]);
    if (fields[0] == 0 || entry->id == 0)
        complain("object %" PRIu64 " dies and has not been allocated", fields[0]);
    else if (++entry->deaths > entry->allocations)
        complain("object %" PRIu64 " dies more often than it was allocated", fields[0]);
    if (!with_ticks)
        return;
    if (!after_boundary)
        complain("a death that follows neither a boundary nor a death");
    if (fields[2] != ticks)
        complain("a death at %" PRIu64 " where it is %" PRIu64, fields[2], ticks);
    if (entry->id != 0 && entry->allocations == 1 && fields[1] != entry->thread)
        complain("the thread of a death is %" PRIu64 ", that of the allocation %" PRIu64,
                 fields[1], entry->thread);
}

/* Reads at most MOST_FIELDS numbers of a line; returns how many. */
static unsigned read_fields(const char *at, const char *end, uint64_t *fields)
{
    unsigned count = 0;
    while (at < end && count < MOST_FIELDS) {
        uint64_t value = 0;
        const char *word;
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        for (word = at; at < end && *at >= '0' && *at <= '9'; at++)
            value = value * 10 + (uint64_t)(*at - '0');
        if (at == word)
            break;
        fields[count++] = value;
    }
    return count;
}

/* Updates the entries by the record, and reports uses of objects that have died. */
static void read_record(const char *at, const char *end)
{
    uint64_t fields[MOST_FIELDS] = {0};
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    char letter = at < end ? *at : '#';
    bool is_boundary = letter == 'M' || letter == 'E' || letter == 'X';
    ticks += is_boundary;
    unsigned count = letter == '#' ? 0 : read_fields(at + 1, end, fields);
    switch (letter) {
    case 'N':
    case 'A':
    case 'I':
    case 'P':
    case 'V':
        if (count == 6)
            allocate(fields[0], fields[5]);
        break;
    case 'M':
        name(fields[1]);
        break;
    case 'U':
        name(fields[0]);
        name(fields[1]);
        break;
    case 'W':
        name(fields[0]);
        break;
    case 'X':
    case 'T':
    case 'H':
        name(fields[1]);
        name(fields[2]);
        break;
    case 'D':
        die(fields, count);
        break;
    }
    after_boundary = is_boundary || letter == 'D';
}

/* Compares a line that is no death with the trace. */
static void match(const char *line, size_t length)
{
    size_t left = trace.length - trace.position;
    const char *wanted = trace.text + trace.position;
    if (length <= left && memcmp(line, wanted, length) == 0) {
        trace.position += length;
        return;
    }
    /* A death after a last line without a line end begins with one. */
    bool ended = line[length - 1] == '\n';
    size_t bare = length - ended;
    if (ended && bare > 0 && line[bare - 1] == '\r' && bare - 1 == left)
        bare--;
    if (ended && bare == left && left > 0 && memcmp(line, wanted, bare) == 0) {
        trace.position += bare;
        owes_line_end = true;
        return;
    }
    complain("the line is not that of the trace, at byte %zu", trace.position);
    exit(1);
}

/* Makes room for more output and reads it; false at its end. */
static bool read_more(void)
{
    if (output.begin > 0) {
        memmove(output.bytes, output.bytes + output.begin, output.end - output.begin);
        output.end -= output.begin;
        output.begin = 0;
    }
    if (output.end == output.capacity) {
        output.capacity = output.capacity ? output.capacity * 2 : 1 << 20;
        output.bytes = realloc(output.bytes, output.capacity);
        if (!output.bytes)
            give_up("check_output");
    }
    ssize_t got = read(STDIN_FILENO, output.bytes + output.end, output.capacity - output.end);
    if (got < 0)
        give_up("standard input");
    output.end += (size_t)got;
    return got > 0;
}

/* Finds the next line, its line end included; the last may have none. */
static const char *next_line(size_t *length)
{
    size_t looked_at = 0;
    for (;;) {
        size_t left = output.end - output.begin;
        const char *line = left > 0 ? output.bytes + output.begin : NULL;
        const char *end =
            left > looked_at ? memchr(line + looked_at, '\n', left - looked_at) : NULL;
        looked_at = left;
        if (!end && read_more())
            continue;
        *length = end ? (size_t)(end - line) + 1 : output.end - output.begin;
        line = *length > 0 ? output.bytes + output.begin : NULL;
        output.begin += *length;
        output.line++;
        return line;
    }
}

static void check_lines(void)
{
    const char *line;
    size_t length;
    bool ended = true;
    while ((line = next_line(&length))) {
        bool is_death = line[0] == 'D' && length > 1 && line[1] == ' ';
        ended = line[length - 1] == '\n';
        size_t plain = length - ended;
        if (plain > 0 && line[plain - 1] == '\r')
            plain--;
        if (!is_death)
            match(line, length);
        read_record(line, line + plain);
    }
    if (trace.position < trace.length)
        complain("the output ends at byte %zu of the trace", trace.position);
    if (owes_line_end && ended)
        complain("the trace ends without a line end, and the output with one");
}

static void open_trace(const char *path)
{
    struct stat facts;
    int descriptor = open(path, O_RDONLY);
    if (descriptor < 0 || fstat(descriptor, &facts) != 0)
        give_up(path);
    trace.length = (size_t)facts.st_size;
    if (trace.length == 0)
        return;
    trace.text = mmap(NULL, trace.length, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (trace.text == MAP_FAILED)
        give_up(path);
}

int main(int count, char **arguments)
{
    with_ticks = count == 3 && strcmp(arguments[1], "--ticks") == 0;
    if (count != 2 + with_ticks) {
        fputs("Usage: check_output [--ticks] TRACE <OUTPUT\n", stderr);
        return 2;
    }
    open_trace(arguments[1 + with_ticks]);
    set_capacity(FIRST_CAPACITY);
    check_lines();
    printf("%" PRIu64 " deaths, %" PRIu64 " allocations\n", deaths, allocations);
    return complaints > 0;
}
