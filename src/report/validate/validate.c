/* SPDX-License-Identifier: MIT */
/* Checks a trace in one reading. Violations of each kind are counted, and only the first is
 * explained: a broken tracer may break a rule a million times. Method entries and exits of each
 * thread are matched by the rules of the engine (heap/frames.h), so that validation and deaths
 * cannot disagree about a frame. Each id is looked up in lists of names only when the trace
 * first names it, so that ids are counted, not the records that name them. */
#include "report/validate/validate.h"

#include "base/memory.h"
#include "base/text.h"
#include "heap/frames_inline.h"
#include "trace/record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Begins without threads; calls_free ends it, also after a failure. */
static enum status calls_init(struct calls *calls, struct failure *why)
{
    *calls = (struct calls){.frames = NULL};
    return frames_new(&calls->frames, why);
}

/* Sets *thread to the index of the thread `id` in calls->threads, to which it adds a new one.
 */
static enum status calls_find_thread(struct calls *calls, uint64_t id, uint32_t *thread,
                                     struct failure *why)
{
    TRY(frames_find_thread(calls->frames, id, thread, why));
    if (*thread < calls->count)
        return STATUS_OK;
    if (!ARRAY_RESERVE(calls->threads, calls->capacity, calls->count + 1))
        return fail_memory(why);
    calls->threads[calls->count++] = (struct thread_calls){.id = id};
    return STATUS_OK;
}

/* The thread enters `method` in line `line`. */
static enum status calls_enter(struct calls *calls, uint32_t number, uint64_t method,
                               uint64_t line, struct failure *why)
{
    struct thread_calls *thread = &calls->threads[number];
    if (!ARRAY_RESERVE(thread->lines, thread->line_capacity, thread->open + 1))
        return fail_memory(why);
    thread->lines[thread->open++] = line;
    thread->entries++;
    return frames_enter(calls->frames, number, method, why);
}

/* The thread leaves `method`; *left shows what of its frames. */
static enum status calls_leave(struct calls *calls, uint32_t number, uint64_t method,
                               struct frames_left *left, struct failure *why)
{
    struct thread_calls *thread = &calls->threads[number];
    TRY(frames_leave(calls->frames, number, method, left, why));
    thread->exits++;
    thread->unmatched += !left->matched;
    thread->unwound += left->unwound;
    thread->open = frames_depth(calls->frames, number);
    return STATUS_OK;
}

static void calls_free(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        free(calls->threads[i].lines);
    free(calls->threads);
    frames_free(calls->frames);
    *calls = (struct calls){.frames = NULL};
}

/* Which fields of records have ids that are looked up, and where. */
static const struct {
    enum field_role role;
    enum name_space space;
    const char *label;
} id_kinds[NAMED_KINDS] = {{ROLE_TYPE, NAMES_TYPE, "types"},
                           {ROLE_METHOD, NAMES_METHOD, "methods"}};

static enum status look_up(struct naming *naming, unsigned kind, uint64_t id,
                           struct failure *why)
{
    struct named_kind *named = &naming->kinds[kind];
    bool is_new;
    TRY(set_add(&named->seen, id, &is_new, why));
    if (!is_new)
        return STATUS_OK;
    named->ids++;
    if (names_find_parts(naming->names, id_kinds[kind].space, id).own)
        return STATUS_OK;
    if (named->unnamed++ == 0)
        named->first = id;
    return STATUS_OK;
}

static enum status look_up_record(struct naming *naming, const struct record *record,
                                  struct failure *why)
{
    const struct record_layout *layout = record_layout_find(record->kind);
    for (unsigned i = 0; layout && i < layout->count; i++)
        for (unsigned kind = 0; kind < NAMED_KINDS; kind++)
            if (layout->fields[i].role == id_kinds[kind].role)
                TRY(look_up(naming, kind, record_value(record, &layout->fields[i]), why));
    return STATUS_OK;
}

/* Looks up the types and methods in the records of `batch`. */
static enum status naming_add(struct naming *naming, const struct batch *batch,
                              struct failure *why)
{
    for (size_t i = 0; naming->names && i < batch->count; i++)
        TRY(look_up_record(naming, &batch->records[i], why));
    return STATUS_OK;
}

const char *naming_label(unsigned kind)
{
    return id_kinds[kind].label;
}

static void naming_free(struct naming *naming)
{
    for (unsigned kind = 0; kind < NAMED_KINDS; kind++)
        set_free(&naming->kinds[kind].seen);
}

/* Room for a sentence about a violation, without the record. */
enum { SENTENCE_SIZE = 128 };

/* A record and its line. */
struct located_record {
    const struct batch *batch;
    const struct record *record;
    uint64_t line;
};

enum status validation_init(struct validation *validation, const struct reader *reader,
                            struct failure *why)
{
    *validation = (struct validation){.reader = reader, .times_fit = true};
    record_layouts_by_kind(validation->layouts);
    TRY(calls_init(&validation->calls, why));
    return seen_objects_init(&validation->seen_objects, why);
}

/* Counts `count` violations at a record. The first one of a kind is explained: by a sentence,
 * after which the record is shown. */
static void PRINTF_LIKE(5, 6)
    violate(struct validation *validation, enum violation violation, uint64_t count,
            const struct located_record *at, const char *sentence, ...)
{
    struct finding *finding = &validation->violations[violation];
    char text[SENTENCE_SIZE], shown[TEXT_QUOTE_SIZE];
    const char *line = at->batch->text + at->record->begin;
    size_t length = at->record->end - at->record->begin;
    va_list arguments;
    finding->count += count;
    if (finding->count > count)
        return;
    va_start(arguments, sentence);
    vsnprintf(text, sizeof text, sentence, arguments);
    va_end(arguments);
    fail_at(&finding->first, STATUS_MEANING, NULL, at->line, "%s: %s", text,
            text_quote(shown, line, text_line_length(line, length)));
}

static void malformed(struct validation *validation, const struct located_record *at)
{
    enum violation violation = VIOLATION_MALFORMED;
    if (at->record->fault == FAULT_NO_OBJECT)
        violation = VIOLATION_ID_ZERO;
    else if (at->record->fault == FAULT_NEGATIVE_ID)
        violation = VIOLATION_ID_NEGATIVE;
    struct finding *finding = &validation->violations[violation];
    if (finding->count++ == 0)
        reader_explain(validation->reader, at->batch, at->record, &finding->first);
}

/* In a trace with explicit times: notes the time of a record. */
static void note_time(struct validation *validation, const struct located_record *at)
{
    struct validate_figures *figures = &validation->figures;
    uint64_t time = at->record->time;
    if (!validation->has_time)
        figures->first_time = time;
    validation->has_time = true;
    if (time < validation->time)
        violate(validation, VIOLATION_TIME_BACKWARDS, 1, at,
                "The time goes backwards, from %" PRIu64 " to %" PRIu64, validation->time,
                time);
    validation->time = figures->last_time = time;
}

/* Object `id`, or null, is named at tick `tick`. */
static enum status validate_mention(struct validation *validation, uint64_t id, uint64_t tick,
                                    const struct located_record *at, struct failure *why)
{
    const struct proof use = {at->line, tick};
    uint64_t died;
    if (id == 0)
        return STATUS_OK;
    validation->figures.mentions++;
    TRY(seen_objects_mention(&validation->seen_objects, id, &use, &died, why));
    if (died != 0)
        violate(validation, VIOLATION_MENTION_AFTER_DEATH, 1, at,
                "Object %" PRIu64 " died in line %" PRIu64, id, died);
    return STATUS_OK;
}

/* The tick at which a record uses the object in one of its fields: it has ticked before, but an
 * exit by an exception uses its receiver first. */
static uint64_t tick_of_use(const struct validation *validation, const struct record *record,
                            const struct record_field *field)
{
    bool is_before = record->kind == RECORD_EXCEPTION_EXIT &&
                     field->offset == offsetof(struct record, receiver);
    return validation->clock.now - is_before;
}

/* Mentions all objects that a record uses, in the order of its fields. */
static enum status mention_all(struct validation *validation, const struct located_record *at,
                               struct failure *why)
{
    const struct record_layout *layout = validation->layouts[at->record->kind];
    for (size_t i = 0; i < layout->count; i++) {
        const struct record_field *field = &layout->fields[i];
        if (field->role == ROLE_OBJECT)
            TRY(validate_mention(validation, record_value(at->record, field),
                                 tick_of_use(validation, at->record, field), at, why));
    }
    return STATUS_OK;
}

static void count_object(struct validate_figures *figures, const struct record *record,
                         bool adopted)
{
    if (record_is_prior(record->kind)) {
        figures->prior_objects++;
        figures->prior_bytes += record->size;
        return;
    }
    figures->adopted += adopted;
    figures->bytes += record->size;
    *(record->kind == RECORD_ARRAY ? &figures->arrays : &figures->objects) += 1;
}

static enum status validate_allocate(struct validation *validation,
                                     const struct located_record *at, struct failure *why)
{
    struct validate_figures *figures = &validation->figures;
    const struct record *record = at->record;
    const struct seen_birth birth = {at->line, validation->clock.now,
                                     record_is_prior(record->kind)};
    uint64_t earlier;
    bool adopted;
    TRY(seen_objects_allocate(&validation->seen_objects, record->object, &birth, &earlier,
                              &adopted, why));
    figures->mentions++;
    count_object(figures, record, adopted);
    if (earlier != 0)
        violate(validation, VIOLATION_REPEATED_ID, 1, at,
                "Object %" PRIu64 " was allocated in line %" PRIu64, record->object, earlier);
    return STATUS_OK;
}

static enum status validate_leave(struct validation *validation,
                                  const struct located_record *at, struct failure *why)
{
    const struct record *record = at->record;
    struct frames_left left;
    TRY(calls_leave(&validation->calls, validation->thread, record->method, &left, why));
    if (!left.matched)
        violate(validation, VIOLATION_UNMATCHED_EXIT, 1, at,
                "Method %" PRIu64 " is not open in its thread", record->method);
    else if (left.unwound > 0)
        violate(validation, VIOLATION_UNWOUND_FRAME, left.unwound, at,
                "%" PRIu64 " frame%s left without a record", left.unwound,
                left.unwound == 1 ? " was" : "s were");
    return STATUS_OK;
}

/* Whether the positions of deaths count, when the trace has been read. As in
 * recorded_times.h, one time of another clock makes all of them such, unless all deaths stand
 * after the last other record. */
static bool goes_by_position(const struct validation *validation)
{
    return !validation->times_fit && validation->has_positions;
}

/* Places a death on the clock: by its record and, if times count, by its time. */
static struct seen_death place_death(struct validation *validation,
                                     const struct located_record *at)
{
    const struct clock *clock = &validation->clock;
    struct seen_death death = {
        .line = at->line,
        .timed = clock->now,
        .position = clock->now,
        .after = validation->last_line,
        .at_boundary = validation->is_at_boundary,
    };
    uint64_t first, time = at->record->time;
    bool fits = clock_has(clock, time, clock->now);
    validation->times_fit &= fits;
    if (fits)
        clock_find(clock, time, &first, &death.timed);
    return death;
}

static enum status die(struct validation *validation, const struct located_record *at,
                       struct failure *why)
{
    const struct record *record = at->record;
    struct seen_death death = place_death(validation, at);
    enum death_verdict verdict;
    uint64_t died;
    TRY(seen_objects_die(&validation->seen_objects, record->object, &death, &verdict, &died,
                         why));
    if (verdict == DEATH_OF_DEAD)
        violate(validation, VIOLATION_DEATH_OF_DEAD, 1, at,
                "Object %" PRIu64 " died in line %" PRIu64, record->object, died);
    else if (verdict == DEATH_OF_UNKNOWN)
        violate(validation, VIOLATION_DEATH_OF_UNKNOWN, 1, at,
                "Object %" PRIu64 " is not allocated", record->object);
    return STATUS_OK;
}

static enum status validate_tick(struct validation *validation, const struct record *record,
                                 struct failure *why)
{
    if (validation->reader->explicit_time)
        return clock_tick_at(&validation->clock, record->time, why);
    clock_tick(&validation->clock);
    return STATUS_OK;
}

/* Sets the thread and the time to those of a record. */
static enum status locate(struct validation *validation, const struct located_record *at,
                          struct failure *why)
{
    const struct calls *calls = &validation->calls;
    bool explicit_time = validation->reader->explicit_time;
    uint64_t id = explicit_time ? 0 : at->record->thread;
    if (explicit_time)
        note_time(validation, at);
    if (validation->thread < calls->count && calls->threads[validation->thread].id == id)
        return STATUS_OK;
    return calls_find_thread(&validation->calls, id, &validation->thread, why);
}

static enum status validate_add_event(struct validation *validation,
                                      const struct located_record *at, struct failure *why)
{
    const struct record *record = at->record;
    TRY(locate(validation, at, why));
    validation->last_line = at->line;
    validation->is_at_boundary = record_is_boundary(record->kind);
    if (record_is_allocation(record->kind))
        return validate_allocate(validation, at, why);
    if (record_is_boundary(record->kind)) {
        TRY(validate_tick(validation, record, why));
        TRY(record->kind == RECORD_ENTRY ? calls_enter(&validation->calls, validation->thread,
                                                       record->method, at->line, why)
                                         : validate_leave(validation, at, why));
    }
    return mention_all(validation, at, why);
}

/* The first object that a line about a reference object names and no record before it; 0: there
 * is none. */
static uint64_t find_unnamed(const struct objects *objects, const struct record *line)
{
    if (objects_known(objects, line->reference) == NODE_NONE)
        return line->reference;
    bool has_referent = line->kind == RECORD_REFERENCE;
    return has_referent && objects_known(objects, line->referent) == NODE_NONE ? line->referent
                                                                               : 0;
}

/* Checks a line about a reference object, which has no thread and is no event. A reference
 * object gets its referent when it is made and is cleared once by each cause: while the program
 * clears it, the collector may, too. An id that is used again begins anew with its next F. */
static enum status validate_reference(struct validation *validation,
                                      const struct located_record *at, struct failure *why)
{
    const struct record *line = at->record;
    uint64_t *causes = map_insert(&validation->clearing, line->reference);
    if (!causes)
        return fail_memory(why);
    uint64_t unnamed = find_unnamed(validation->seen_objects.objects, line);
    bool clears = line->kind == RECORD_CLEARED;
    uint64_t cause = clears ? UINT64_C(1) << line->cause : 0;
    bool is_cleared = *causes & cause;
    *causes = clears ? *causes | cause : 0;
    if (unnamed)
        violate(validation, VIOLATION_UNKNOWN_REFERENCE, 1, at,
                "Object %" PRIu64 " is named by no record before", unnamed);
    else if (is_cleared)
        violate(validation, VIOLATION_CLEARED_TWICE, 1, at,
                "Object %" PRIu64 " has been cleared before", line->reference);
    return STATUS_OK;
}

static enum status validate_add_record(struct validation *validation,
                                       const struct located_record *at, struct failure *why)
{
    struct validate_figures *figures = &validation->figures;
    if (at->record->kind == RECORD_MALFORMED) {
        malformed(validation, at);
        return STATUS_OK;
    }
    if (at->record->kind == RECORD_UNKNOWN) {
        violate(validation, VIOLATION_UNKNOWN_RECORD, 1, at, "There is no such record");
        return STATUS_OK;
    }
    if (record_is_about_reference(at->record->kind))
        return validate_reference(validation, at, why);
    if (at->record->kind == RECORD_DEATH) {
        TRY(die(validation, at, why));
    } else {
        validation->has_positions |= figures->records[RECORD_DEATH] > 0;
        TRY(validate_add_event(validation, at, why));
    }
    figures->records[at->record->kind % RECORD_KINDS]++;
    figures->events++;
    return STATUS_OK;
}

enum status validation_add(struct validation *validation, const struct batch *batch,
                           struct failure *why)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        struct located_record at = {batch, record, batch->first_line + record->line};
        TRY(validate_add_record(validation, &at, why));
    }
    validation->figures.comments += batch->comments;
    return naming_add(&validation->naming, batch, why);
}

/* Notes the frames that are open at the end. A program that calls System.exit, gets a signal or
 * has daemon threads ends with such frames, so they are no violation if the trace is known to
 * reach up to its end. */
static void find_open_frames(struct validation *validation)
{
    const struct calls *calls = &validation->calls;
    bool is_whole = validation->reader->is_whole;
    struct finding *finding = is_whole ? &validation->notes[NOTE_OPEN_AT_END]
                                       : &validation->violations[VIOLATION_OPEN_FRAME];
    for (size_t i = 0; i < calls->count; i++) {
        const struct thread_calls *thread = &calls->threads[i];
        if (thread->open == 0)
            continue;
        finding->count += thread->open;
        if (finding->first.line == 0 || thread->lines[0] < finding->first.line)
            fail_at(&finding->first, STATUS_MEANING, NULL, thread->lines[0],
                    is_whole ? "The frame that is entered here is open when the trace ends"
                             : "The frame that is entered here is never left");
    }
}

/* Counts a finding about a whole object; the first one is that with the lowest line. */
static void find_object(struct finding *finding, uint64_t line, uint64_t id, const char *what)
{
    finding->count++;
    if (finding->first.line == 0 || line < finding->first.line)
        fail_at(&finding->first, STATUS_MEANING, NULL, line, "Object %" PRIu64 " %s", id, what);
}

/* Notes objects that are named but never allocated, and those that are allocated but alive at
 * the end. Counts deaths, without those of objects that were there before the trace. */
static void find_incomplete_objects(struct validation *validation)
{
    const struct seen_objects *seen_objects = &validation->seen_objects;
    const struct objects *objects = seen_objects->objects;
    for (size_t i = 1; i < seen_objects->count; i++) {
        const struct seen_object *entry = &seen_objects->entries[i];
        uint64_t lived, id = objects_id(objects, (node_t)i);
        bool is_dead = seen_objects_lived(seen_objects, (node_t)i, &lived);
        if (!objects_is_allocated(objects, (node_t)i) && entry->mentions > 0) {
            validation->figures.unallocated_mentions += entry->mentions;
            find_object(&validation->violations[VIOLATION_NEVER_ALLOCATED], entry->line, id,
                        "is named here and never allocated");
        } else if (entry->mentions > 0 && !is_dead &&
                   validation->figures.records[RECORD_DEATH] > 0) {
            find_object(&validation->notes[NOTE_NO_DEATH], entry->line, id,
                        entry->is_prior ? "is older than the trace and has no death"
                                        : "is allocated here and has no death");
        }
        validation->figures.deaths += is_dead && !entry->is_prior;
    }
}

/* Describes lifetimes. They end at the times in the deaths if the clock had shown all of these,
 * else at the records of deaths if these are in their places. */
static enum status describe_lifetimes(struct validation *validation, struct failure *why)
{
    struct validate_figures *figures = &validation->figures;
    const struct seen_objects *seen_objects = &validation->seen_objects;
    size_t count = 0;
    figures->by_position = !validation->times_fit;
    if (figures->by_position && !validation->has_positions)
        return STATUS_OK;
    uint64_t lived, *lifetimes = array_new((size_t)figures->deaths, sizeof *lifetimes);
    if (!lifetimes)
        return fail_memory(why);
    for (size_t i = 1; i < seen_objects->count; i++)
        if (!seen_objects->entries[i].is_prior &&
            seen_objects_lived(seen_objects, (node_t)i, &lived))
            lifetimes[count++] = lived;
    figures->lifetimes = figures_describe(lifetimes, count);
    free(lifetimes);
    return STATUS_OK;
}

enum status validation_finish(struct validation *validation, struct failure *why)
{
    TRY(seen_objects_settle(&validation->seen_objects, &validation->clock,
                            validation->last_line, goes_by_position(validation), why));
    find_open_frames(validation);
    find_incomplete_objects(validation);
    if (!validation->reader->explicit_time)
        validation->figures.last_time = validation->clock.now;
    return describe_lifetimes(validation, why);
}

uint64_t validation_objects(const struct validation *validation)
{
    return objects_named(validation->seen_objects.objects);
}

void validation_free(struct validation *validation)
{
    for (unsigned i = 0; i < VIOLATION_COUNT; i++)
        failure_clear(&validation->violations[i].first);
    for (unsigned i = 0; i < NOTE_COUNT; i++)
        failure_clear(&validation->notes[i].first);
    clock_free(&validation->clock);
    calls_free(&validation->calls);
    naming_free(&validation->naming);
    seen_objects_free(&validation->seen_objects);
    map_free(&validation->clearing);
    *validation = (struct validation){.reader = NULL};
}
