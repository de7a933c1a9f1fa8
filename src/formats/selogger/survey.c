/* SPDX-License-Identifier: MIT */
/* An object has no id before its constructor has called that of its superclass. Until then it
 * waits in the frame of the method that makes it, together with other objects that are being
 * made there. Its id is known when the constructor of the first superclass that writes events
 * has got that far (METHOD_OBJECT_INITIALIZED), or when all constructors have returned
 * (NEW_OBJECT_CREATED). */
#include "formats/selogger/conversion.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>

/* The state of the reading, and the present event. */
struct surveying {
    struct survey *survey;
    const struct catalogue *catalogue;
    struct facts *facts;
    struct threads threads;
    uint64_t number; /* of the present event, from 1 */
    struct sel_thread *thread;
    const struct sel_event *event;
    const struct instruction *instruction;
    struct failure *why;
};

/* The object that is the value of the present event; 0: it is null, or no object. */
static uint64_t value_object(const struct surveying *now)
{
    return now->instruction->value == VALUE_OBJECT ? (uint64_t)now->event->value : 0;
}

static enum status survey_append(uint64_t **items, size_t *count, size_t *capacity,
                                 uint64_t item, struct failure *why)
{
    if (!ARRAY_RESERVE(*items, *capacity, *count + 1))
        return fail_memory(why);
    (*items)[(*count)++] = item;
    return STATUS_OK;
}

/* Whether an exception of this type can be that of a store in an array. */
static bool can_be_of_store(const struct types *types, uint32_t type)
{
    return type == NO_TYPE || types_is_a(types, type, TYPE_BAD_STORE | TYPE_BAD_INDEX);
}

/* Finds out whether the latest store failed: stores are logged before they are tried, so an
 * exception that comes next shows that the store failed. */
static enum status settle_store(struct surveying *now)
{
    enum sel_event_kind kind = now->instruction->event;
    uint64_t store = now->thread->store;
    if (kind == EVENT_CATCH_LABEL)
        return STATUS_OK;
    now->thread->store = 0;
    if (kind != EVENT_CATCH && kind != EVENT_EXCEPTIONAL_EXIT)
        return STATUS_OK;
    const struct types *types = &now->catalogue->types;
    if (!can_be_of_store(types, types_of_object(types, value_object(now))))
        return STATUS_OK;
    struct survey *survey = now->survey;
    return survey_append(&survey->failed, &survey->failed_count, &survey->failed_capacity,
                         store, now->why);
}

static enum status leave_frames(struct surveying *now)
{
    size_t above;
    TRY(thread_frames_above(now->thread, now->instruction->method, &above, now->why));
    for (; above > 0; above--)
        thread_pop(now->thread);
    return STATUS_OK;
}

/* The key of the instructions of a method with this data id or, if not `is_data_id`, index;
 * NO_INSTRUCTION: of all of them. */
static uint64_t key_in_method(const struct instruction *instruction, bool is_data_id,
                              uint32_t number)
{
    return (uint64_t)is_data_id << 63 | (uint64_t)instruction->method << 32 | number;
}

/* Sets keys[] to those of the NEW_OBJECT with this data id. */
static void set_keys(const struct surveying *now, uint32_t data_id, uint64_t keys[WAITING_KEYS])
{
    const struct instruction *begin = &now->catalogue->instructions.items[data_id];
    keys[0] = key_in_method(begin, true, data_id);
    keys[1] = key_in_method(begin, false, (uint32_t)begin->index);
    keys[2] = key_in_method(begin, false, (uint32_t)NO_INSTRUCTION);
}

/* Adds all waiting objects to the index. */
static enum status map_waiting(const struct surveying *now)
{
    struct sel_thread *thread = now->thread;
    uint64_t keys[WAITING_KEYS];
    while (thread->index.count < thread->waiting_count) {
        set_keys(now, thread->waiting[thread->index.count].data_id, keys);
        TRY(waiting_index_add(&thread->index, keys, now->why));
    }
    return STATUS_OK;
}

/* The position in the list at which the objects of the innermost frame begin. */
static size_t thread_waits_from(const struct sel_thread *thread)
{
    return thread->frame_count > 0 ? thread->frames[thread->frame_count - 1].waiting : 0;
}

/* Sets *position to the position, from 1, of the youngest object with this key that waits in
 * the innermost frame; 0: there is none. Mostly only a few wait, and looking at each is cheaper
 * than the index. */
static enum status look_for_waiting(const struct surveying *now, uint64_t key, size_t *position)
{
    enum { FEW = 8 };
    const struct sel_thread *thread = now->thread;
    size_t first = thread_waits_from(thread);
    size_t end = thread->waiting_count - first > FEW ? thread->waiting_count - FEW : first;
    for (*position = thread->waiting_count; *position > end; --*position) {
        uint64_t keys[WAITING_KEYS];
        set_keys(now, thread->waiting[*position - 1].data_id, keys);
        if (keys[0] == key || keys[1] == key || keys[2] == key)
            return STATUS_OK;
    }
    *position = 0;
    if (end == first)
        return STATUS_OK;
    TRY(map_waiting(now));
    *position = waiting_index_find(&thread->index, key);
    if (*position <= first)
        *position = 0;
    return STATUS_OK;
}

/* Sets *position to the position, from 1, of the youngest waiting object that `instruction`
 * refers to; 0: there is none. */
static enum status find_waiting(const struct surveying *now,
                                const struct instruction *instruction, size_t *position)
{
    bool is_data_id =
        instruction->created != NO_INSTRUCTION && instruction->flags & CREATED_IS_DATA_ID;
    uint64_t key = key_in_method(instruction, is_data_id, (uint32_t)instruction->created);
    return look_for_waiting(now, key, position);
}

static void begin_life(struct surveying *now, uint64_t birth)
{
    if (birth != NO_BIRTH && now->survey->born[birth] == 0)
        now->survey->born[birth] = value_object(now);
}

/* Forgets an object that was given up: an instruction cannot begin a second object before the
 * first one is ready. If the first one still waits, it was given up, and so were those begun
 * after it. */
static enum status give_up(const struct surveying *now, uint32_t data_id)
{
    size_t position;
    uint64_t key = key_in_method(now->instruction, true, data_id);
    TRY(look_for_waiting(now, key, &position));
    if (position > 0)
        thread_stop_waiting(now->thread, position - 1);
    return STATUS_OK;
}

static enum status begin_object(struct surveying *now)
{
    struct survey *survey = now->survey;
    struct waiting object = {.data_id = now->event->data_id, .birth = survey->born_count};
    TRY(give_up(now, object.data_id));
    TRY(survey_append(&survey->born, &survey->born_count, &survey->born_capacity, 0, now->why));
    return thread_wait(now->thread, &object, now->why);
}

static enum status end_object(struct surveying *now)
{
    size_t position;
    TRY(find_waiting(now, now->instruction, &position));
    if (position == 0)
        return STATUS_OK;
    begin_life(now, now->thread->waiting[position - 1].birth);
    thread_stop_waiting(now->thread, position - 1);
    return STATUS_OK;
}

/* Sets *birth to the number of the NEW_OBJECT whose object the constructor makes that is now
 * entered; NO_BIRTH: it is not known. */
static enum status find_birth(const struct surveying *now, uint64_t *birth)
{
    const struct instruction *entry = now->instruction;
    const struct sel_frame *caller = thread_top(now->thread);
    *birth = NO_BIRTH;
    if (!(entry->flags & IS_CONSTRUCTOR) || !caller || caller->call == NO_DATA_ID)
        return STATUS_OK;
    const struct instruction *call = &now->catalogue->instructions.items[caller->call];
    bool is_other = call->owner != NO_SYMBOL && entry->class_symbol != NO_SYMBOL &&
                    call->owner != entry->class_symbol;
    if (!(call->flags & IS_CONSTRUCTOR) || is_other)
        return STATUS_OK;
    if (call->created == NO_INSTRUCTION) {
        *birth = caller->birth;
        return STATUS_OK;
    }
    size_t position;
    TRY(find_waiting(now, call, &position));
    if (position > 0)
        *birth = now->thread->waiting[position - 1].birth;
    return STATUS_OK;
}

static enum status survey_enter(struct surveying *now)
{
    uint64_t birth;
    TRY(find_birth(now, &birth));
    struct sel_frame *frame = thread_push(now->thread, now->instruction->method);
    if (!frame)
        return fail_memory(now->why);
    frame->birth = birth;
    return STATUS_OK;
}

static void survey_leave(struct surveying *now)
{
    const struct sel_frame *top = thread_top(now->thread);
    if (top && top->method == now->instruction->method)
        thread_pop(now->thread);
}

/* Sets the length of the array `id`. */
static enum status set_length(struct surveying *now, uint64_t id, int64_t length)
{
    struct fact *fact = facts_of(now->facts, id);
    if (!fact)
        return fail_memory(now->why);
    fact->length = length >= 0 && length <= INT32_MAX ? (uint32_t)length + 1 : 0;
    return STATUS_OK;
}

static enum status begin_elements(struct surveying *now)
{
    uint64_t owner = value_object(now);
    now->thread->operation = (struct operation){NO_DATA_ID, owner, 0};
    return owner > 0 ? set_length(now, owner, 0) : STATUS_OK;
}

static enum status add_element(struct surveying *now)
{
    struct operation *operation = &now->thread->operation;
    if (operation->container == 0)
        return STATUS_OK;
    return set_length(now, operation->container, ++operation->index);
}

static enum status end_array(struct surveying *now)
{
    const struct operation *operation = &now->thread->operation;
    uint64_t array = value_object(now);
    if (array == 0 || operation->data_id == NO_DATA_ID ||
        operation->data_id + 1 != now->event->data_id)
        return STATUS_OK;
    return set_length(now, array, operation->index);
}

static void set_call(struct surveying *now, uint32_t data_id)
{
    struct sel_frame *top = thread_top(now->thread);
    if (top)
        top->call = data_id;
}

static enum status survey_event(struct surveying *now)
{
    struct sel_thread *thread = now->thread;
    const struct sel_frame *top = thread_top(thread);
    switch ((enum sel_event_kind)now->instruction->event) {
    case EVENT_ENTRY:
        return survey_enter(now);
    case EVENT_NORMAL_EXIT:
    case EVENT_EXCEPTIONAL_EXIT:
        survey_leave(now);
        break;
    case EVENT_CALL:
        set_call(now, now->event->data_id);
        break;
    case EVENT_CALL_RETURN:
    case EVENT_CATCH:
        set_call(now, NO_DATA_ID);
        break;
    case EVENT_NEW_OBJECT:
        return begin_object(now);
    case EVENT_NEW_OBJECT_CREATED:
        return end_object(now);
    case EVENT_OBJECT_INITIALIZED:
        begin_life(now, top ? top->birth : NO_BIRTH);
        break;
    case EVENT_NEW_ARRAY:
        thread->operation = (struct operation){now->event->data_id, 0, now->event->value};
        break;
    case EVENT_NEW_ARRAY_RESULT:
        return end_array(now);
    case EVENT_MULTI_NEW_ARRAY_OWNER:
        return begin_elements(now);
    case EVENT_MULTI_NEW_ARRAY_ELEMENT:
        return add_element(now);
    case EVENT_ARRAY_STORE_VALUE:
        thread->store = now->instruction->value == VALUE_OBJECT ? now->number : 0;
        break;
    default:
        break;
    }
    return STATUS_OK;
}

/* Handles the present event: settles the store before it, leaves the frames that must have been
 * left, and takes note of what it shows. */
static enum status survey_present(struct surveying *now)
{
    const struct sel_frame *top = thread_top(now->thread);
    enum sel_event_kind kind = now->instruction->event;
    if (now->thread->store > 0)
        TRY(settle_store(now));
    if (top && top->method != now->instruction->method && kind != EVENT_ENTRY)
        TRY(leave_frames(now));
    return kind != EVENT_USE ? survey_event(now) : STATUS_OK;
}

static enum status survey_events(struct surveying *now, const struct sel_events *events)
{
    const struct instruction *instructions = now->catalogue->instructions.items;
    for (size_t i = 0; i < events->count; i++) {
        now->event = &events->items[i];
        now->instruction = &instructions[now->event->data_id];
        now->number++;
        now->thread = threads_find(&now->threads, now->event->thread);
        TRY(now->thread ? survey_present(now) : fail_memory(now->why));
    }
    return STATUS_OK;
}

enum status survey_run(struct survey *survey, struct log *log,
                       const struct catalogue *catalogue, struct facts *facts,
                       struct remark_list *remarks, struct failure *why)
{
    struct surveying now = {
        .survey = survey, .catalogue = catalogue, .facts = facts, .why = why};
    struct sel_events events;
    enum status status;
    log_rewind(log);
    while ((status = log_next(log, &events, remarks, why)) == STATUS_OK &&
           (status = survey_events(&now, &events)) == STATUS_OK)
        continue;
    threads_free(&now.threads);
    survey->events = now.number;
    survey->digest = log_digest(log);
    if (survey->failed_count > 0)
        qsort(survey->failed, survey->failed_count, sizeof *survey->failed, number_compare);
    return status == STATUS_END ? STATUS_OK : status;
}

void survey_free(struct survey *survey)
{
    free(survey->born);
    free(survey->failed);
}
