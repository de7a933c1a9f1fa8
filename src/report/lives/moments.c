/* SPDX-License-Identifier: MIT */
/* Lives show everything about a moment but its record, so records are counted while the trace
 * is read; the rest is found in a pass over the births. */
#include "report/lives/moments.h"

#include "base/number.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    bool has_number;
} kinds[] = {
    [HEAP_AT_PEAK] = {"peak", false},    [HEAP_AT_END] = {"end", false},
    [HEAP_AT_BYTES] = {"bytes", true},   [HEAP_AT_TICK] = {"tick", true},
    [HEAP_AT_RECORD] = {"record", true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Reads one moment, of `length` bytes. */
static bool parse_moment(struct heap_moment *moment, const char *text, size_t length)
{
    for (unsigned i = 0; i < KINDS; i++) {
        size_t name = strlen(kinds[i].name);
        if (length < name || memcmp(text, kinds[i].name, name) != 0)
            continue;
        *moment = (struct heap_moment){.kind = (enum heap_moment_kind)i};
        if (!kinds[i].has_number)
            return length == name;
        return length > name + 1 && text[name] == ':' &&
               number_parse(text + name + 1, length - name - 1, &moment->number) == NUMBER_OK;
    }
    return false;
}

static bool is_named(const struct moments *moments, const struct heap_moment *moment)
{
    for (size_t i = 0; i < moments->count; i++)
        if (moments->items[i].kind == moment->kind &&
            moments->items[i].number == moment->number)
            return true;
    return false;
}

enum status moments_parse(struct moments *moments, const char *list, struct failure *why)
{
    *moments = (struct moments){.list = list};
    const char *at = list;
    for (bool is_last = false; !is_last;) {
        size_t length = strcspn(at, ",");
        char shown[TEXT_QUOTE_SIZE];
        struct heap_moment moment;
        if (!parse_moment(&moment, at, length))
            return fail(why, STATUS_MEANING,
                        "--at is peak, end, bytes:N, tick:N or record:N, not %s",
                        text_quote(shown, at, length));
        if (is_named(moments, &moment))
            return fail(why, STATUS_MEANING, "--at names a moment twice: %s",
                        text_quote(shown, at, length));
        if (moments->count == MOMENTS_MOST)
            return fail(why, STATUS_MEANING, "--at names more than %d moments", MOMENTS_MOST);
        moments->items[moments->count++] = moment;
        moments->has_records |= moment.kind == HEAP_AT_RECORD;
        moments->has_peak |= moment.kind == HEAP_AT_PEAK;
        is_last = at[length] == '\0';
        at += length + 1;
    }
    return STATUS_OK;
}

void moment_name(char name[MOMENT_NAME_SIZE], const struct heap_moment *moment, char colon)
{
    const char *kind = kinds[moment->kind].name;
    if (kinds[moment->kind].has_number)
        snprintf(name, MOMENT_NAME_SIZE, "%s%c%" PRIu64, kind, colon, moment->number);
    else
        snprintf(name, MOMENT_NAME_SIZE, "%s", kind);
}

size_t moments_take(struct moments *moments, enum heap_moment_kind kind)
{
    const struct heap_moment moment = {.kind = kind};
    size_t at = 0;
    while (at < moments->count && moments->items[at].kind != kind)
        at++;
    if (at == moments->count && at <= MOMENTS_MOST)
        moments->items[moments->count++] = moment;
    moments->has_peak |= kind == HEAP_AT_PEAK;
    return at;
}

void moments_restart(struct moments *moments)
{
    moments->records = moments->ticks = moments->births = 0;
}

/* Notes the moments that come right after the latest record. */
static void note_record(struct moments *moments)
{
    for (size_t i = 0; i < moments->count; i++) {
        struct heap_moment *moment = &moments->items[i];
        if (moment->kind != HEAP_AT_RECORD || moment->number != moments->records)
            continue;
        moment->tick = moments->ticks;
        moment->births = moments->births;
    }
}

void moments_read(struct moments *moments, const struct batch *batch, bool by_time)
{
    for (size_t i = 0; moments->has_records && i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        if (by_time && record->time > moments->ticks)
            moments->ticks = record->time;
        if (record->kind == RECORD_DEATH)
            continue;
        moments->records++;
        if (!by_time)
            moments->ticks += (unsigned)record_is_boundary(record->kind);
        moments->births +=
            (unsigned)(record_is_allocation(record->kind) && !record_is_prior(record->kind));
        note_record(moments);
    }
}

/* Sets the moment of the peak, which exists even if nothing ever lives. If no object has a
 * size, as in formats without sizes, it is that of the objects. */
static void set_peak(struct heap_moment *moment, const struct live_peaks *peaks)
{
    const struct live_point *peak =
        peaks->most_bytes.size > 0 ? &peaks->most_bytes : &peaks->most_objects;
    moment->tick = peak->passed;
    moment->births = peak->born;
}

/* Moves `moment` past a birth that comes before it; with it, `bytes` have been allocated. */
static void pass_birth(struct heap_moment *moment, const struct birth_facts *birth,
                       uint64_t number, uint64_t bytes)
{
    switch (moment->kind) {
    case HEAP_AT_PEAK:
    case HEAP_AT_RECORD:
        if (number <= moment->births)
            moment->bytes = bytes;
        break;
    case HEAP_AT_BYTES:
        if (moment->bytes >= moment->number)
            return;
        moment->tick = birth->tick - 1;
        moment->births = number;
        moment->bytes = bytes;
        break;
    case HEAP_AT_TICK:
        if (birth->tick > moment->number)
            return;
        moment->births = number;
        moment->bytes = bytes;
        break;
    case HEAP_AT_END:
        break;
    }
}

/* The births that moments are moved past. */
struct birth_walk {
    struct moments *moments;
    uint64_t number, bytes; /* that have come */
};

/* Moves the moments past a birth that is before them. */
static enum status pass_moments(void *context, const struct birth_facts *birth,
                                struct failure *why)
{
    struct birth_walk *walk = context;
    (void)why; /* nothing fails */
    walk->number++;
    walk->bytes += birth->size;
    for (size_t i = 0; i < walk->moments->count; i++)
        pass_birth(&walk->moments->items[i], birth, walk->number, walk->bytes);
    return STATUS_OK;
}

static enum status check_moment(const struct moments *moments, const struct heap_moment *moment,
                                const struct lives_summary *summary, const char *trace,
                                struct failure *why)
{
    static const char *const units[KINDS] = {
        [HEAP_AT_BYTES] = "bytes are allocated",
        [HEAP_AT_TICK] = "is its last tick",
        [HEAP_AT_RECORD] = "records are in it, deaths not counted",
    };
    const uint64_t most[KINDS] = {
        [HEAP_AT_BYTES] = summary->end.bytes,
        [HEAP_AT_TICK] = summary->end.tick,
        [HEAP_AT_RECORD] = moments->records,
    };
    if (!kinds[moment->kind].has_number || moment->number <= most[moment->kind])
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, trace, 0,
                   "The trace has no moment %s:%" PRIu64 ": %" PRIu64 " %s; moments are peak, "
                   "end and those up to %s:%" PRIu64,
                   kinds[moment->kind].name, moment->number, most[moment->kind],
                   units[moment->kind], kinds[moment->kind].name, most[moment->kind]);
}

enum status moments_find(struct moments *moments, const struct life_stream *stream,
                         const struct live_peaks *peaks, const char *trace, struct failure *why)
{
    const struct lives_summary *summary = life_stream_summary(stream);
    for (size_t i = 0; i < moments->count; i++) {
        struct heap_moment *moment = &moments->items[i];
        TRY(check_moment(moments, moment, summary, trace, why));
        if (moment->kind == HEAP_AT_PEAK)
            set_peak(moment, peaks);
        if (moment->kind == HEAP_AT_TICK)
            moment->tick = moment->number;
        if (moment->kind == HEAP_AT_END) {
            moment->is_at_end = true;
            moment->tick = summary->end.tick;
            moment->births = summary->allocations;
            moment->bytes = summary->end.bytes;
        }
    }
    return births_visit(stream, pass_moments, &(struct birth_walk){.moments = moments}, why);
}

bool moment_has_born(const struct heap_moment *moment, const struct life_facts *life)
{
    return life_is_prior(life) || life->allocation < moment->births;
}

bool moment_has_alive(const struct heap_moment *moment, const struct life_facts *life)
{
    if (moment->is_at_end)
        return life->survives;
    return live_heap_has(life, moment->tick, moment->births);
}
