/* SPDX-License-Identifier: MIT */
/* The merger looks at all rings again and again. If one record happens before another, and a
 * look shows the second one, the first one is in its ring by then, so the next look shows it.
 * Therefore only records that the look before the last has shown are written, in the order of
 * their stamps, and only up to the first one that the last look alone has shown. A record may
 * still come with a lesser stamp than one that was written; then neither of the two happens
 * before the other. */
#include "merge.h"

#include "digits.h"
#include "repeats.h"

#include "base/memory.h"
#include "base/thread.h"
#include "io/descriptor.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 160,      /* six numbers, and what is written after the last */
    IDLE_NANOSECONDS = 100000, /* the least time between two looks that show few records */
    MOST_IDLE = 4,     /* the most, in times the least; a ring takes longer than this to fill */
    FLUSH_LOOKS = 250, /* empty looks until what is in the chunk is written */
    CLOSE_LOOKS = 5000, /* empty looks at the end, until a thread without its id is given up */
    FEW_RECORDS = 1000, /* a look that shows fewer was too early */
};

_Atomic uint64_t merger_stamp = 1; /* more than rings begin with, 0 */

struct merger {
    struct merger_options options;
    struct digits digits;
    pthread_t thread;
    struct ring *_Atomic rings; /* new ones come first */
    pthread_mutex_t removing;   /* held while rings, or their words, are released */
    _Atomic bool is_closing;
    bool has_given_up;   /* some records are not written */
    uint64_t clock;      /* boundaries written */
    uint64_t checked_at; /* the clock at the last RECORD_CHECK */
    uint64_t records;
    uint64_t taken;          /* records from the rings, with those that are left out */
    struct repeats *repeats; /* NULL: all are written */
    long idle; /* times IDLE_NANOSECONDS to wait after a look that shows few records */
    char *chunk;
    size_t length;
    size_t full; /* a longer chunk may have no room for another line */
    char *check; /* lines for the check file */
    size_t check_length, check_capacity;
    int check_error; /* of the first line that could not be written */
};

/* Passes the chunk to the output. The names that it uses are written before. */
static void flush(struct merger *merger)
{
    struct failure why = {0};
    if (!merger->length)
        return;
    if (name_lists_flush(merger->options.names, &why) != STATUS_OK)
        failure_clear(&why);
    output_submit(merger->options.output, merger->length);
    merger->chunk = output_buffer(merger->options.output);
    merger->length = 0;
}

static char *room_for_line(struct merger *merger)
{
    if (merger->length > merger->full)
        flush(merger);
    return merger->chunk + merger->length;
}

static void put_text(struct merger *merger, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n") + 1;
        if (length > output_capacity())
            return;
        if (merger->length + length > output_capacity())
            flush(merger);
        memcpy(merger->chunk + merger->length, text, length);
        merger->length += length;
        text += length;
    }
}

/* A line, and where its next field goes. */
struct line {
    const struct digits *digits;
    char *at;
};

static inline void put_field(struct line *line, uint64_t number)
{
    line->at = digits_put_field(line->digits, line->at, number);
}

/* Adds a line to the check file, which is written when the result of a collection is complete.
 */
static void write_check(struct merger *merger, const uint64_t *words, bool is_live)
{
    if (merger->options.check < 0)
        return;
    char *check = array_grow(merger->check, &merger->check_capacity,
                             merger->check_length + LINE_MAX_BYTES, 1);
    if (!check) {
        if (!merger->check_error)
            merger->check_error = ENOMEM;
        return;
    }
    merger->check = check;
    struct line line = {&merger->digits, check + merger->check_length};
    *line.at++ = is_live ? 'L' : 'G';
    if (is_live)
        put_field(&line, merger->checked_at);
    put_field(&line, words[2]);
    if (is_live)
        put_field(&line, words[3]);
    *line.at++ = '\n';
    merger->check_length = (size_t)(line.at - check);
    if (is_live) {
        if (!merger->check_error)
            merger->check_error =
                descriptor_write(merger->options.check, check, merger->check_length, NULL);
        merger->check_length = 0;
    }
}

/* The end of all lines of a thread: its id. */
struct tail {
    size_t length;
    char text[FIELD_ROOM];
};

static void make_tail(struct tail *tail, const struct digits *digits, uint64_t thread)
{
    struct line line = {digits, tail->text};
    put_field(&line, thread);
    *line.at++ = '\n';
    tail->length = (size_t)(line.at - tail->text);
}

/* The fields of a record in the order of the text; the thread, or the clock, comes after them.
 */
static void put_fields(struct line *line, char letter, const uint64_t *words)
{
    uint64_t first = words[1] >> 16;
    switch (letter) {
    case 'N':
    case 'A':
    case 'P':
        put_field(line, words[2]);
        put_field(line, words[3]);
        put_field(line, first);
        put_field(line, words[4]);
        put_field(line, words[5]);
        break;
    case 'U':
        put_field(line, words[2]);
        put_field(line, words[3]);
        put_field(line, first);
        break;
    case 'W':
        put_field(line, words[2]);
        put_field(line, first);
        break;
    case 'M':
        put_field(line, first);
        put_field(line, words[2]);
        break;
    case 'E':
        put_field(line, first);
        break;
    case 'D':
        put_field(line, words[2]);
        put_field(line, words[3]);
        break;
    case 'F':
        put_field(line, words[2]);
        put_field(line, words[3]);
        put_field(line, first);
        break;
    case 'K':
        put_field(line, words[2]);
        put_field(line, first);
        put_field(line, words[3]);
        break;
    default: /* X T H */
        put_field(line, first);
        put_field(line, words[2]);
        put_field(line, words[3]);
    }
}

/* Does what a record asks for that is not written into the trace. */
static void obey(struct merger *merger, struct ring *ring, struct tail *tail,
                 const uint64_t *words)
{
    unsigned kind = words[1] & 0xff;
    if (kind == RECORD_THREAD) {
        ring->thread = words[2];
        make_tail(tail, &merger->digits, ring->thread);
    } else if (kind == RECORD_CHECK) {
        merger->checked_at = merger->clock;
    } else {
        write_check(merger, words, kind == RECORD_LIVE);
    }
}

static void put_record(struct merger *merger, const struct tail *tail, const uint64_t *words)
{
    char letter = (char)(words[1] & 0xff);
    merger->clock += letter == 'M' || letter == 'E' || letter == 'X';
    merger->records++;
    char *start = room_for_line(merger);
    struct line line = {&merger->digits, start + 1};
    *start = letter;
    put_fields(&line, letter, words);
    if (letter == 'D') {
        put_field(&line, merger->clock);
        *line.at++ = '\n';
    } else {
        memcpy(line.at, tail->text, sizeof tail->text);
        line.at += tail->length;
    }
    merger->length += (size_t)(line.at - start);
}

/* Writes a boundary of the tracer's own. Between its two records, and between it and the
 * allocation that follows, there is none of another thread. */
static void put_tick(struct merger *merger, const struct tail *tail)
{
    const uint64_t method = merger->options.tick;
    put_record(merger, tail, (uint64_t[RECORD_WORDS]){0, RECORD_HEAD('M', 3, method)});
    put_record(merger, tail, (uint64_t[RECORD_WORDS]){0, RECORD_HEAD('E', 2, method)});
}

/* Writes a tick if the record, which is the next one of the ring, is an allocation that has to
 * have one before it. Objects that are older than the trace are no allocations. */
static void tick_if_due(struct merger *merger, struct ring *ring, const struct tail *tail,
                        const uint64_t *words)
{
    char letter = (char)(words[1] & 0xff);
    if (letter == 'M' || letter == 'E' || letter == 'X')
        ring->allocated = 0;
    if (letter != 'N' && letter != 'A')
        return;
    if (ring->allocated >= merger->options.tick_bytes) {
        put_tick(merger, tail);
        ring->allocated = 0;
    }
    ring->allocated += words[3];
}

static void write_record(struct merger *merger, struct ring *ring, const struct tail *tail,
                         const uint64_t *words)
{
    merger->taken++;
    if (merger->options.tick_bytes)
        tick_if_due(merger, ring, tail, words);
    if (!merger->repeats || !repeats_find(merger->repeats, ring->thread, words))
        put_record(merger, tail, words);
}

static void close_ring(struct merger *merger, struct ring *ring)
{
    pthread_mutex_lock(&merger->removing);
    ring_close(ring);
    pthread_mutex_unlock(&merger->removing);
}

/* Looks at all rings, and closes those that have ended and been read; closed ones leave the
 * list, except the first, since others may be added before it. Whether there are records to
 * write. */
static bool look(struct merger *merger)
{
    bool any = false;
    struct ring *before = NULL, *next;
    for (struct ring *ring = atomic_load(&merger->rings); ring; ring = next) {
        next = ring->others;
        if (ring->is_closed && before) {
            pthread_mutex_lock(&merger->removing);
            before->others = next;
            free(ring);
            pthread_mutex_unlock(&merger->removing);
            continue;
        }
        before = ring;
        if (ring->is_closed)
            continue;
        bool is_ended = atomic_load(&ring->is_ended);
        ring_look(ring);
        if (ring_peek(ring))
            any = true;
        else if (is_ended)
            close_ring(merger, ring);
        else
            ring_settle(ring);
    }
    return any;
}

/* The ring whose next record has the least stamp; NULL: there is no record. Sets *next to the
 * least stamp in the other rings. */
static struct ring *first_ring(struct merger *merger, uint64_t *next)
{
    struct ring *first = NULL;
    uint64_t least = UINT64_MAX;
    *next = UINT64_MAX;
    for (struct ring *ring = atomic_load(&merger->rings); ring; ring = ring->others) {
        const uint64_t *words = ring->is_closed ? NULL : ring_peek(ring);
        if (!words || words[0] >= *next)
            continue;
        *next = words[0] < least ? least : words[0];
        if (words[0] < least) {
            least = words[0];
            first = ring;
        }
    }
    return first;
}

/* Writes the records of a ring whose stamps are less than `stamp`. */
static void drain(struct merger *merger, struct ring *ring, uint64_t stamp)
{
    size_t count;
    struct tail tail = {0};
    make_tail(&tail, &merger->digits, ring->thread);
    for (const uint64_t *words;
         (words = ring_peek(ring)) && words[0] < stamp && (count = ring_stretch(ring)) > 0;) {
        const uint64_t *at = words, *end = words + count;
        while (at < end && at[0] < stamp) {
            if ((at[1] & 0xff) <= RECORD_LIVE)
                obey(merger, ring, &tail, at);
            else
                write_record(merger, ring, &tail, at);
            at += at[1] >> 8 & 0xff;
        }
        ring_consume(ring, (size_t)(at - words));
    }
}

/* Writes all records that can be written now. */
static void drain_all(struct merger *merger)
{
    uint64_t next;
    struct ring *ring = first_ring(merger, &next);
    while (ring && ring_was_there(ring) && atomic_load(&ring->is_ready)) {
        drain(merger, ring, next);
        ring = first_ring(merger, &next);
    }
}

/* Whether a ring holds much that could not be written yet. */
static bool is_filling(struct merger *merger)
{
    for (struct ring *ring = atomic_load(&merger->rings); ring; ring = ring->others)
        if (!ring->is_closed && ring->written_seen - ring->position > RING_WORDS / 8)
            return true;
    return false;
}

/* Waits, longer each time: where a program records little, looks cost more than its records.
 */
static void wait_longer(struct merger *merger)
{
    nanosleep(&(struct timespec){.tv_nsec = merger->idle * IDLE_NANOSECONDS}, NULL);
    if (merger->idle < MOST_IDLE)
        merger->idle *= 2;
}

/* Looks, writes what it can, and waits if that was little. *looks counts the looks in a row
 * without a record. Whether all is written. */
static bool go_on(struct merger *merger, unsigned *looks)
{
    uint64_t before = merger->taken;
    bool any = look(merger);
    drain_all(merger);
    if (merger->taken != before)
        *looks = 0;
    else if (++*looks == FLUSH_LOOKS)
        flush(merger);
    bool is_little = merger->taken - before < FEW_RECORDS;
    if (!is_little || is_filling(merger))
        merger->idle = 1;
    if (is_little)
        wait_longer(merger);
    return !any;
}

static void *merge(void *context)
{
    struct merger *merger = context;
    unsigned looks = 0;
    bool is_done = false, closing = false;
    pthread_setname_np(pthread_self(), "ettrace merge");
    while (!is_done) {
        bool closes = atomic_load(&merger->is_closing);
        if (closes && !closing)
            looks = 0; /* before, the program may have recorded nothing for long */
        closing = closes;
        is_done = go_on(merger, &looks) && closing;
        merger->has_given_up = !is_done && closing && looks > CLOSE_LOOKS;
        is_done |= merger->has_given_up;
    }
    return NULL;
}

enum status merger_open(struct merger **out, const struct merger_options *options,
                        const char *begin, struct failure *why)
{
    struct merger *merger = calloc(1, sizeof *merger);
    if (!merger)
        return fail_memory(why);
    merger->options = *options;
    pthread_mutex_init(&merger->removing, NULL);
    merger->repeats = options->leaves_out_repeats ? repeats_new() : NULL;
    merger->idle = 1;
    merger->full = output_capacity() - LINE_MAX_BYTES;
    digits_fill(&merger->digits);
    merger->chunk = output_buffer(options->output);
    put_text(merger, begin);
    int error = thread_start(&merger->thread, merge, merger);
    if (error) {
        repeats_free(merger->repeats);
        free(merger);
        return fail_errno(why, NULL, "start a thread", error);
    }
    *out = merger;
    return STATUS_OK;
}

void merger_add(struct merger *merger, struct ring *ring)
{
    ring->others = atomic_load(&merger->rings);
    while (!atomic_compare_exchange_weak(&merger->rings, &ring->others, ring))
        continue;
}

bool merger_lacks(struct merger *merger, uint64_t id)
{
    bool lacks = false;
    pthread_mutex_lock(&merger->removing);
    for (struct ring *ring = atomic_load(&merger->rings); ring && !lacks; ring = ring->others)
        lacks = !ring->is_closed && ring_begins(ring, id);
    pthread_mutex_unlock(&merger->removing);
    return lacks;
}

enum status merger_close(struct merger *merger, const char *end, struct merger_counts *counts,
                         struct failure *why)
{
    atomic_store(&merger->is_closing, true);
    pthread_join(merger->thread, NULL);
    repeats_free(merger->repeats);
    merger->repeats = NULL;
    put_text(merger, end);
    if (merger->length)
        flush(merger);
    enum status status = name_lists_flush(merger->options.names, why);
    *counts = (struct merger_counts){merger->records, merger->clock};
    enum status closed = output_close(merger->options.output, why);
    if (merger->options.check >= 0)
        close(merger->options.check);
    if (status == STATUS_OK && closed == STATUS_OK && merger->has_given_up)
        return fail(why, STATUS_IO,
                    "A thread has got no id; its records and later ones are missing");
    if (status == STATUS_OK && closed == STATUS_OK && merger->check_error)
        return fail_errno(why, NULL, "write the file of --check", merger->check_error);
    return status == STATUS_OK ? closed : status;
}
