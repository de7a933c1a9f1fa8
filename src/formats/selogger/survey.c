/* An object has no id before its constructor has called that of its superclass; in the frame of
 * the method that makes it, it waits for that, together with the other objects that are being
 * made there. Its id shows when the constructor of the first superclass that writes events has
 * got that far (METHOD_OBJECT_INITIALIZED), or when all constructors have returned
 * (NEW_OBJECT_CREATED). */
#include "formats/selogger/survey.h"

#include "base/memory.h"
#include "formats/selogger/threads.h"

#include <stdlib.h>

/* The state of the reading, and the present event. */
struct surveying {
    struct survey *survey;
    const struct catalogue *catalogue;
    struct facts *facts;
    struct threads threads;
    uint64_t number; /* of the event, from 1 */
    struct thread *thread;
    const struct event *event;
    const struct instruction *instruction;
    struct failure *why;
};

/* The object that is the value of the present event; 0: it is null, or no object. */
static uint64_t value_object(const struct surveying *now)
{
    return now->instruction->value == VALUE_OBJECT ? (uint64_t)now->event->value : 0;
}

static enum status append(uint64_t **items, size_t *count, size_t *capacity, uint64_t item,
                          struct failure *why)
{
    uint64_t *grown = array_grow(*items, capacity, *count + 1, sizeof *grown);
    if (!grown)
        return fail_memory(why);
    *items = grown;
    grown[(*count)++] = item;
    return STATUS_OK;
}

/* Whether an exception of this type can be that of a store in an array. */
static bool can_be_of_store(const struct types *types, uint32_t type)
{
    return type == NO_TYPE || types_is_a(types, type, types->bad_store) ||
           types_is_a(types, type, types->bad_index);
}

/* Stores are logged before they are tried: an exception that comes next tells that one failed.
 */
static enum status settle_store(struct surveying *now)
{
    enum event_kind kind = now->instruction->event;
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
    return append(&survey->failed, &survey->failed_count, &survey->failed_capacity, store,
                  now->why);
}

static void leave_frames(struct surveying *now)
{
    size_t above = thread_frames_above(now->thread, now->instruction->method);
    for (; above > 0; above--)
        thread_pop(now->thread);
}

/* Whether `instruction` is about the object of the NEW_OBJECT with this data id. */
static bool is_about(const struct surveying *now, const struct instruction *instruction,
                     uint32_t data_id)
{
    const struct instruction *begin = &now->catalogue->instructions.items[data_id];
    if (instruction->method != begin->method)
        return false;
    if (instruction->created == NO_INSTRUCTION)
        return true;
    bool is_data_id = instruction->flags & CREATED_IS_DATA_ID;
    return instruction->created == (is_data_id ? (int32_t)data_id : begin->index);
}

/* The place behind the youngest waiting object that `instruction` is about; 0: there is none.
 */
static size_t find_waiting(const struct surveying *now, const struct instruction *instruction)
{
    for (size_t i = now->thread->waiting_count; i > thread_waits_from(now->thread); i--)
        if (is_about(now, instruction, now->thread->waiting[i - 1].data_id))
            return i;
    return 0;
}

static void bear(struct surveying *now, uint64_t birth)
{
    if (birth != NO_BIRTH && now->survey->born[birth] == 0)
        now->survey->born[birth] = value_object(now);
}

/* An instruction cannot begin to make a second object before the first one is ready: one that
 * still waits was given up, and those begun later, too. */
static void give_up(struct thread *thread, uint32_t data_id)
{
    for (size_t i = thread_waits_from(thread); i < thread->waiting_count; i++)
        if (thread->waiting[i].data_id == data_id)
            thread->waiting_count = i;
}

static enum status begin_object(struct surveying *now)
{
    struct survey *survey = now->survey;
    struct waiting object = {.data_id = now->event->data_id, .birth = survey->born_count};
    give_up(now->thread, object.data_id);
    enum status status =
        append(&survey->born, &survey->born_count, &survey->born_capacity, 0, now->why);
    return status == STATUS_OK ? thread_wait(now->thread, &object, now->why) : status;
}

static void end_object(struct surveying *now)
{
    size_t end = find_waiting(now, now->instruction);
    if (end == 0)
        return;
    bear(now, now->thread->waiting[end - 1].birth);
    now->thread->waiting_count = end - 1;
}

/* The object that is made by the constructor that is entered now. */
static uint64_t find_birth(const struct surveying *now)
{
    const struct instruction *entry = now->instruction;
    const struct frame *caller = thread_top(now->thread);
    if (!(entry->flags & IS_CONSTRUCTOR) || !caller || caller->call == NO_DATA_ID)
        return NO_BIRTH;
    const struct instruction *call = &now->catalogue->instructions.items[caller->call];
    bool is_other =
        call->owner != NO_SYMBOL && entry->class != NO_SYMBOL && call->owner != entry->class;
    if (!(call->flags & IS_CONSTRUCTOR) || is_other)
        return NO_BIRTH;
    if (call->created == NO_INSTRUCTION)
        return caller->birth;
    size_t end = find_waiting(now, call);
    return end > 0 ? now->thread->waiting[end - 1].birth : NO_BIRTH;
}

static enum status enter(struct surveying *now)
{
    uint64_t birth = find_birth(now);
    struct frame *frame = thread_push(now->thread, now->instruction->method);
    if (!frame)
        return fail_memory(now->why);
    frame->birth = birth;
    return STATUS_OK;
}

static void leave(struct surveying *now)
{
    const struct frame *top = thread_top(now->thread);
    if (top && top->method == now->instruction->method)
        thread_pop(now->thread);
}

/* Notes the length of the array `id`. */
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
    if (array == 0 || operation->data_id + 1 != now->event->data_id)
        return STATUS_OK;
    return set_length(now, array, operation->index);
}

static void set_call(struct surveying *now, uint32_t data_id)
{
    struct frame *top = thread_top(now->thread);
    if (top)
        top->call = data_id;
}

static enum status survey_event(struct surveying *now)
{
    struct thread *thread = now->thread;
    const struct frame *top = thread_top(thread);
    switch ((enum event_kind)now->instruction->event) {
    case EVENT_ENTRY:
        return enter(now);
    case EVENT_NORMAL_EXIT:
    case EVENT_EXCEPTIONAL_EXIT:
        leave(now);
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
        end_object(now);
        break;
    case EVENT_OBJECT_INITIALIZED:
        bear(now, top ? top->birth : NO_BIRTH);
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

/* Does with the present event, whose frames have not been looked at, all that it demands. */
static enum status survey_present(struct surveying *now)
{
    const struct frame *top = thread_top(now->thread);
    enum event_kind kind = now->instruction->event;
    if (now->thread->store > 0) {
        enum status status = settle_store(now);
        if (status != STATUS_OK)
            return status;
    }
    if (top && top->method != now->instruction->method && kind != EVENT_ENTRY)
        leave_frames(now);
    return kind == EVENT_USE ? STATUS_OK : survey_event(now);
}

static enum status survey_events(struct surveying *now, const struct events *events)
{
    const struct instruction *instructions = now->catalogue->instructions.items;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < events->count && status == STATUS_OK; i++) {
        now->event = &events->items[i];
        now->instruction = &instructions[now->event->data_id];
        now->number++;
        now->thread = threads_find(&now->threads, now->event->thread);
        status = now->thread ? survey_present(now) : fail_memory(now->why);
    }
    return status;
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

enum status survey_run(struct survey *survey, struct log *log,
                       const struct catalogue *catalogue, struct facts *facts,
                       struct remark_list *notes, struct failure *why)
{
    struct surveying now = {
        .survey = survey, .catalogue = catalogue, .facts = facts, .why = why};
    struct events events;
    enum status status;
    log_rewind(log);
    while ((status = log_next(log, &events, notes, why)) == STATUS_OK &&
           (status = survey_events(&now, &events)) == STATUS_OK)
        continue;
    threads_free(&now.threads);
    survey->digest = log_digest(log);
    if (survey->failed_count > 0)
        qsort(survey->failed, survey->failed_count, sizeof *survey->failed, compare);
    return status == STATUS_END ? STATUS_OK : status;
}

void survey_free(struct survey *survey)
{
    free(survey->born);
    free(survey->failed);
}
