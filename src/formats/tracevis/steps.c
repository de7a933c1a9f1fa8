/* SPDX-License-Identifier: MIT */
/* Each thread has its frames. The open frames of each method are counted by thread, so that an
 * exit without an entry is recognised without a search. Threads that have entered a method
 * since all frames were last closed are listed, since many threads may end many times. */
#include "formats/tracevis/events.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"

#include <assert.h>
#include <stdlib.h>

struct tv_frame {
    uint64_t method;
    uint64_t object; /* the receiver */
    uint64_t serial; /* of the receiver */
    bool constructor;
};

struct tv_thread {
    uint64_t id;
    struct tv_frame *frames;
    size_t count, capacity;
    struct map open; /* method -> how many frames of it are open */
    bool is_listed;  /* it is among those that may have open frames */
};

/* What there was in the trace as a whole. */
struct remarkable {
    uint64_t unmatched; /* exits */
    uint64_t unwound;   /* frames that are popped by the exit of an outer one */
    uint64_t closed;    /* frames closed by TE or VD */
    uint64_t unknown;   /* lines */
    uint64_t malformed; /* lines */
    uint64_t no_end;    /* 1: there is no VD */
    uint64_t cut_off;   /* 1: there is no VD, and the last line has no line end */
};

enum { REMARKS = 11 };

struct steps {
    struct tracevis_text *text;
    struct ahead *ahead;
    struct map thread_numbers; /* id -> number, from 1 */
    struct tv_thread *threads;
    size_t thread_count, thread_capacity;
    uint64_t *listed; /* threads that may have open frames, by number from 0 */
    size_t listed_count, listed_capacity;
    uint64_t last_thread; /* id of the thread of the latest event that has one; 0: none */
    struct map renewed; /* ids that have meant several objects -> serial of the latest object */

    struct tv_event event; /* that the steps in `ready` come from */
    struct step *ready;    /* steps to be returned */
    size_t ready_begin, ready_end, ready_capacity;
    bool vm_ended;
    bool at_end;
    struct remarkable met;
    struct remark remarks[REMARKS];
};

enum status steps_open(struct steps **out, struct source *source, bool lenient,
                       struct failure *why)
{
    struct steps *steps = calloc(1, sizeof *steps);
    if (!steps)
        return fail_memory(why);
    enum status status = tracevis_text_open(&steps->text, source, lenient, why);
    if (status == STATUS_OK)
        status = ahead_open(&steps->ahead, steps->text, why);
    if (status != STATUS_OK) {
        steps_close(steps);
        return status;
    }
    *out = steps;
    return STATUS_OK;
}

static void forget_threads(struct steps *steps)
{
    for (size_t i = 0; i < steps->thread_count; i++) {
        map_free(&steps->threads[i].open);
        free(steps->threads[i].frames);
    }
    steps->thread_count = steps->listed_count = 0;
    map_free(&steps->thread_numbers);
    map_free(&steps->renewed);
}

void steps_rewind(struct steps *steps)
{
    ahead_rewind(steps->ahead);
    forget_threads(steps);
    steps->last_thread = 0;
    steps->ready_begin = steps->ready_end = 0;
    steps->vm_ended = steps->at_end = false;
    steps->met = (struct remarkable){.unmatched = 0};
}

void steps_close(struct steps *steps)
{
    if (!steps)
        return;
    forget_threads(steps);
    ahead_close(steps->ahead);
    tracevis_text_close(steps->text);
    free(steps->threads);
    free(steps->listed);
    free(steps->ready);
    free(steps);
}

const struct tracevis_text *steps_text(const struct steps *steps)
{
    return steps->text;
}

const struct remark *steps_remarks(struct steps *steps, size_t *count)
{
    const struct object_counts *objects = ahead_counts(steps->ahead);
    const struct remarkable *met = &steps->met;
    const struct remark remarks[REMARKS] = {
        {"Objects without OA, taken to be allocated when first called", objects->unallocated,
         false},
        {"OA of objects that are there already, taken for new objects", objects->repeated,
         false},
        {"Objects called after their OF, taken for new objects", objects->used_freed, false},
        {"OF of objects that are not there, left out", objects->unknown_free, false},
        {"MX and FP of methods that are not open, left out", met->unmatched, false},
        {"Frames left without MX or FP, closed by that of an outer one", met->unwound, false},
        {"Frames open at the end of their thread or of all, closed there", met->closed, false},
        {"Lines of unknown types, left out", met->unknown, false},
        {"Malformed lines, left out", met->malformed, false},
        {"The trace has no VD at its end: frames stay open", met->no_end, true},
        {"The last line has no line end and may be cut off", met->cut_off, true},
    };
    for (size_t i = 0; i < REMARKS; i++)
        steps->remarks[i] = remarks[i];
    *count = REMARKS;
    return steps->remarks;
}

const char *steps_unfinished(const struct steps *steps)
{
    if (tracevis_text_is_cut(steps->text))
        return "its compressed data end too early";
    return steps->met.no_end ? "it has no VD at its end" : NULL;
}

/* The thread with this id, which is added if it is new; NULL: no memory. */
static struct tv_thread *find_thread(struct steps *steps, uint64_t id)
{
    uint64_t *number = map_insert(&steps->thread_numbers, id);
    if (!number ||
        !ARRAY_RESERVE(steps->threads, steps->thread_capacity, steps->thread_count + 1))
        return NULL;
    if (*number == 0) {
        steps->threads[steps->thread_count] = (struct tv_thread){.id = id};
        *number = ++steps->thread_count;
    }
    return &steps->threads[*number - 1];
}

/* Adds a step of the present event to those that are ready. Sets *out to it, for the caller to
 * complete. */
static enum status add_step(struct steps *steps, enum step_kind kind, struct step **out,
                            struct failure *why)
{
    if (!ARRAY_RESERVE(steps->ready, steps->ready_capacity, steps->ready_end + 1))
        return fail_memory(why);
    *out = &steps->ready[steps->ready_end++];
    **out = (struct step){.kind = kind, .event = &steps->event, .time = steps->event.time};
    return STATUS_OK;
}

static enum status add_note(struct steps *steps, struct failure *why)
{
    struct step *step;
    return add_step(steps, STEP_NOTE, &step, why);
}

/* Begins the object of the present event: from now on the id means it. */
static enum status begin_object(struct steps *steps, uint64_t thread_id, struct failure *why)
{
    const struct tv_event *event = &steps->event;
    struct step *step;
    struct tv_thread *thread = find_thread(steps, thread_id);
    uint64_t *latest = event->renews ? map_insert(&steps->renewed, event->object) : NULL;
    if (!thread || (event->renews && !latest))
        return fail_memory(why);
    if (latest)
        *latest = event->serial;
    TRY(add_step(steps, STEP_ALLOCATE, &step, why));
    step->thread = thread_id;
    step->object = event->object;
    step->serial = event->serial;
    step->type = event->type;
    step->site = thread->count > 0 ? thread->frames[thread->count - 1].method : 0;
    return STATUS_OK;
}

/* Handles an OA. */
static enum status tv_steps_allocate(struct steps *steps, struct failure *why)
{
    const struct tv_event *event = &steps->event;
    if (!event->begins)
        return add_note(steps, why);
    return begin_object(steps, event->has_thread ? event->thread : steps->last_thread, why);
}

/* Handles an OF. */
static enum status tv_steps_set_free(struct steps *steps, struct failure *why)
{
    struct step *step;
    if (!steps->event.frees)
        return add_note(steps, why);
    TRY(add_step(steps, STEP_FREE, &step, why));
    step->object = steps->event.object;
    step->serial = steps->event.serial;
    return STATUS_OK;
}

/* Lists a thread that enters a method. */
static enum status list_thread(struct steps *steps, struct tv_thread *thread,
                               struct failure *why)
{
    if (!ARRAY_RESERVE(steps->listed, steps->listed_capacity, steps->listed_count + 1))
        return fail_memory(why);
    steps->listed[steps->listed_count++] = (uint64_t)(thread - steps->threads);
    thread->is_listed = true;
    return STATUS_OK;
}

static enum status push(struct tv_thread *thread, const struct tv_event *event,
                        struct failure *why)
{
    uint64_t *open = map_insert(&thread->open, event->method);
    if (!open || !ARRAY_RESERVE(thread->frames, thread->capacity, thread->count + 1))
        return fail_memory(why);
    ++*open;
    thread->frames[thread->count++] =
        (struct tv_frame){event->method, event->object, event->serial, event->constructor};
    return STATUS_OK;
}

/* Handles an MN. */
static enum status tv_steps_enter(struct steps *steps, struct failure *why)
{
    const struct tv_event *event = &steps->event;
    if (event->begins)
        TRY(begin_object(steps, event->thread, why));
    struct tv_thread *thread = find_thread(steps, event->thread);
    struct step *step;
    if (!thread)
        return fail_memory(why);
    if (!thread->is_listed)
        TRY(list_thread(steps, thread, why));
    TRY(push(thread, event, why));
    TRY(add_step(steps, STEP_ENTER, &step, why));
    step->thread = event->thread;
    step->object = event->object;
    step->serial = event->serial;
    step->method = event->method;
    step->constructor = event->constructor;
    return STATUS_OK;
}

/* Pops the innermost frame of the thread. */
static enum status tv_steps_pop(struct steps *steps, struct tv_thread *thread,
                                enum step_kind how, struct failure *why)
{
    struct step *step;
    const struct tv_frame *frame = &thread->frames[--thread->count];
    --*map_find(&thread->open, frame->method);
    TRY(add_step(steps, how, &step, why));
    const uint64_t *latest = map_find(&steps->renewed, frame->object);
    step->thread = thread->id;
    step->object = !latest || *latest == frame->serial ? frame->object : 0;
    step->serial = frame->serial;
    step->method = frame->method;
    step->constructor = frame->constructor;
    return STATUS_OK;
}

/* Handles an MX or FP: pops down to the innermost frame of its method. */
static enum status tv_steps_leave(struct steps *steps, struct failure *why)
{
    const struct tv_event *event = &steps->event;
    struct tv_thread *thread = find_thread(steps, event->thread);
    if (!thread)
        return fail_memory(why);
    const uint64_t *open = map_find(&thread->open, event->method);
    if (!open || *open == 0) {
        steps->met.unmatched++;
        return add_note(steps, why);
    }
    assert(thread->count > 0); /* one of the frames is the method's */
    while (thread->frames[thread->count - 1].method != event->method) {
        steps->met.unwound++;
        TRY(tv_steps_pop(steps, thread, STEP_ABANDON, why));
    }
    return tv_steps_pop(steps, thread, event->kind == EVENT_LEFT ? STEP_LEAVE : STEP_THROW,
                        why);
}

/* Pops all frames of a thread. */
static enum status close_thread(struct steps *steps, struct tv_thread *thread,
                                enum step_kind how, struct failure *why)
{
    while (thread->count > 0)
        TRY(tv_steps_pop(steps, thread, how, why));
    return STATUS_OK;
}

/* Pops all frames of all threads, in the order in which the threads first occurred. */
static enum status close_all(struct steps *steps, enum step_kind how, struct failure *why)
{
    size_t count = steps->listed_count;
    if (count > 1)
        qsort(steps->listed, count, sizeof *steps->listed, number_compare);
    steps->listed_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct tv_thread *thread = &steps->threads[steps->listed[i]];
        thread->is_listed = false;
        TRY(close_thread(steps, thread, how, why));
    }
    return STATUS_OK;
}

/* Handles a TE or VD. */
static enum status close_frames(struct steps *steps, struct failure *why)
{
    enum status status;
    size_t before = steps->ready_end;
    if (steps->event.kind == EVENT_VM_ENDED) {
        steps->vm_ended = true;
        status = close_all(steps, STEP_LEAVE, why);
    } else {
        struct tv_thread *thread = find_thread(steps, steps->event.thread);
        status = thread ? close_thread(steps, thread, STEP_LEAVE, why) : fail_memory(why);
    }
    steps->met.closed += steps->ready_end - before;
    return status == STATUS_OK ? add_note(steps, why) : status;
}

/* Makes the steps of the present event. */
static enum status tv_steps_take(struct steps *steps, struct failure *why)
{
    const struct tv_event *event = &steps->event;
    switch (event->kind) {
    case EVENT_ALLOCATED:
        return tv_steps_allocate(steps, why);
    case EVENT_FREED:
        return tv_steps_set_free(steps, why);
    case EVENT_THREAD_ENDS:
    case EVENT_VM_ENDED:
        return close_frames(steps, why);
    case EVENT_ENTERED:
        return tv_steps_enter(steps, why);
    case EVENT_LEFT:
    case EVENT_POPPED:
        return tv_steps_leave(steps, why);
    default:
        steps->met.unknown += event->kind == EVENT_UNKNOWN;
        steps->met.malformed += event->kind == EVENT_MALFORMED;
        return add_note(steps, why);
    }
}

/* Handles the end of the text. */
static enum status tv_steps_end(struct steps *steps, struct failure *why)
{
    steps->at_end = true;
    enum status status = close_all(steps, STEP_UNWIND, why);
    /* Methods may have been entered after a VD. */
    steps->met.no_end = !steps->vm_ended || steps->ready_end > 0;
    steps->met.cut_off = steps->met.no_end && tracevis_text_is_open(steps->text);
    return status;
}

enum status steps_next(struct steps *steps, struct step *step, struct failure *why)
{
    while (steps->ready_begin == steps->ready_end) {
        const struct tv_event *event;
        steps->ready_begin = steps->ready_end = 0;
        if (steps->at_end)
            return STATUS_END;
        enum status status = ahead_next(steps->ahead, &event, why);
        if (status == STATUS_OK) {
            steps->event = *event;
            status = tv_steps_take(steps, why);
            if (event->kind >= EVENT_THREAD_BEGINS && event->kind <= EVENT_POPPED)
                steps->last_thread = steps->event.thread;
        } else if (status == STATUS_END) {
            status = tv_steps_end(steps, why);
        }
        if (status != STATUS_OK)
            return status;
    }
    *step = steps->ready[steps->ready_begin++];
    return STATUS_OK;
}
