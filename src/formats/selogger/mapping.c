/* SPDX-License-Identifier: MIT */
/* Within a thread, the parts of one operation follow each other, but events of other threads
 * may come between them. So each thread keeps the parts that it has logged so far. */
#include "formats/selogger/conversion.h"

#include "base/memory.h"

#include <stdlib.h>

void mapping_restart(struct mapping *mapping)
{
    threads_free(&mapping->threads);
    facts_unmark(mapping->out.facts);
    mapping->number = 0;
    mapping->births = mapping->failures = 0;
}

void mapping_free(struct mapping *mapping)
{
    threads_free(&mapping->threads);
    emitter_free(&mapping->out);
}

/* The object that is the value of the present event; 0: it is null, or no object. */
static uint64_t value_object(const struct mapping *map)
{
    return map->instruction->value == VALUE_OBJECT ? (uint64_t)map->event->value : 0;
}

static enum status use_both(struct mapping *map, uint64_t left, uint64_t right)
{
    TRY(emit_use(&map->out, left));
    return emit_use(&map->out, right);
}

/* The number of `field` in records. What is stored in a field that the index does not name
 * stays there for ever, so that nothing dies too early. */
static uint64_t field_number(const struct mapping *map, uint32_t field, uint64_t value)
{
    return field == NO_FIELD ? HIDDEN_FIELDS + value
                             : fields_number(&map->out.catalogue->fields, field);
}

/* Whether the previous part is of the same operation as the present one. */
static bool goes_on(const struct mapping *map)
{
    const struct operation *operation = &map->thread->operation;
    return operation->data_id != NO_DATA_ID && operation->data_id + 1 == map->event->data_id;
}

/* Begins an operation on `container`, of which the present event is the first part. */
static void begin_operation(struct mapping *map, uint64_t container)
{
    map->thread->operation = (struct operation){map->event->data_id, container, 0};
}

/* The object that the operation is on; 0: it is null, or the first part is missing. */
static uint64_t operand(const struct mapping *map)
{
    return goes_on(map) ? map->thread->operation.container : 0;
}

/* Takes the value of the present part as the index of the operation. */
static void set_index(struct mapping *map)
{
    struct operation *operation = &map->thread->operation;
    *operation = (struct operation){map->event->data_id, operand(map), map->event->value};
}

static uint64_t receiver_of(const struct sel_frame *frame)
{
    return frame ? frame->receiver : 0;
}

/* Emits a record with method, receiver and exception: T, H or X. */
static enum status put_exception(struct mapping *map, enum record_kind kind,
                                 const struct sel_frame *frame, uint64_t exception)
{
    uint64_t receiver = receiver_of(frame);
    uint32_t method = frame ? frame->method : map->instruction->method;
    TRY(emit_mention(&map->out, exception));
    return emit(&map->out, &(struct record){.kind = (uint8_t)kind,
                                            .receiver = receiver,
                                            .exception = exception,
                                            .method = method});
}

/* Leaves the frames that must have been left before the present event. A constructor that an
 * exception leaves before it has called another one logs no exit: that it was left shows only
 * when an outer frame goes on. */
static enum status leave_frames(struct mapping *map)
{
    size_t above;
    TRY(thread_frames_above(map->thread, map->instruction->method, &above, map->out.why));
    for (; above > 0; above--) {
        TRY(put_exception(map, RECORD_EXCEPTION_EXIT, thread_top(map->thread), 0));
        thread_pop(map->thread);
    }
    return STATUS_OK;
}

/* The innermost frame, if it is of the present event's method; else NULL. */
static struct sel_frame *present_frame(const struct mapping *map)
{
    struct sel_frame *top = thread_top(map->thread);
    return top && top->method == map->instruction->method ? top : NULL;
}

static enum status mapping_enter(struct mapping *map)
{
    uint64_t receiver = value_object(map);
    TRY(emit_mention(&map->out, receiver));
    TRY(emit(&map->out, &(struct record){.kind = RECORD_ENTRY,
                                         .receiver = receiver,
                                         .method = map->instruction->method}));
    struct sel_frame *frame = thread_push(map->thread, map->instruction->method);
    if (!frame)
        return fail_memory(map->out.why);
    frame->receiver = receiver;
    return STATUS_OK;
}

static enum status mapping_leave(struct mapping *map)
{
    TRY(emit_use(&map->out, value_object(map)));
    TRY(emit(&map->out,
             &(struct record){.kind = RECORD_EXIT, .method = map->instruction->method}));
    if (present_frame(map))
        thread_pop(map->thread);
    return STATUS_OK;
}

static enum status leave_by_exception(struct mapping *map)
{
    const struct sel_frame *frame = present_frame(map);
    TRY(put_exception(map, RECORD_EXCEPTION_EXIT, frame, value_object(map)));
    if (frame)
        thread_pop(map->thread);
    return STATUS_OK;
}

/* Emits the catch of an exception. The tracer's own handlers, on the way out of a method, catch
 * nothing. */
static enum status put_catch(struct mapping *map)
{
    if (map->instruction->flags & IS_EXIT_HANDLER)
        return emit_use(&map->out, value_object(map));
    return put_exception(map, RECORD_CATCH, present_frame(map), value_object(map));
}

/* Emits the allocation of a NEW_OBJECT's object: it is allocated now, though its id is logged
 * later. */
static enum status begin_object(struct mapping *map)
{
    const struct survey *survey = map->survey;
    uint64_t id = map->births < survey->born_count ? survey->born[map->births] : 0;
    map->births++;
    if (id == 0)
        return STATUS_OK;
    return emit_allocation(&map->out, id, RECORD_OBJECT, map->instruction->type,
                           map->event->data_id);
}

/* Handles the moment in a constructor from which `this` can be named: emits earlier stores in
 * its fields. */
static enum status initialize(struct mapping *map)
{
    struct sel_thread *thread = map->thread;
    uint64_t id = value_object(map);
    struct sel_frame *frame = present_frame(map);
    size_t first = frame ? frame->waiting : thread->waiting_count;
    TRY(emit_mention(&map->out, id));
    for (size_t i = first; i < thread->waiting_count; i++) {
        const struct waiting *field = &thread->waiting[i];
        TRY(emit_store(&map->out, id, field->value,
                       field_number(map, field->field, field->value)));
    }
    thread->waiting_count = first;
    if (frame)
        frame->receiver = id;
    return emit_use(&map->out, id);
}

static enum status store_early(struct mapping *map)
{
    struct waiting field = {.field = map->instruction->field, .value = value_object(map)};
    TRY(emit_use(&map->out, field.value));
    if (map->instruction->value != VALUE_OBJECT || !present_frame(map))
        return STATUS_OK;
    return thread_wait(map->thread, &field, map->out.why);
}

/* Emits the allocation of an array, whose id is the value of the present event, or a use if it
 * has been allocated. */
static enum status end_array(struct mapping *map, uint32_t type, uint64_t site)
{
    uint64_t id = value_object(map);
    struct fact *fact = facts_of(map->out.facts, id);
    if (!fact)
        return fail_memory(map->out.why);
    if (id == 0 || fact->marks & OBJECT_ALLOCATED)
        return emit_use(&map->out, id);
    fact->marks |= OBJECT_LOGGED;
    return emit_allocation(&map->out, id, RECORD_ARRAY, type, site);
}

static enum status end_new_array(struct mapping *map)
{
    uint32_t new_array = goes_on(map) ? map->thread->operation.data_id : map->event->data_id;
    return end_array(map, map->out.catalogue->instructions.items[new_array].type, new_array);
}

/* Begins an array of arrays, or the elements of one, which follow it and which the operation
 * counts. */
static enum status begin_elements(struct mapping *map)
{
    begin_operation(map, value_object(map));
    return end_array(map, map->instruction->type, map->event->data_id);
}

static enum status add_element(struct mapping *map)
{
    struct operation *operation = &map->thread->operation;
    uint64_t element = value_object(map), index = (uint64_t)operation->index++;
    TRY(end_array(map, NO_TYPE, map->event->data_id));
    if (element == 0 || operation->container == 0)
        return STATUS_OK;
    return emit_store(&map->out, operation->container, element, index);
}

static enum status capture(struct mapping *map)
{
    struct sel_thread *thread = map->thread;
    struct waiting captured = {.field = map->instruction->field, .value = value_object(map)};
    TRY(emit_use(&map->out, captured.value));
    if (captured.value == 0)
        return STATUS_OK;
    if (!ARRAY_RESERVE(thread->captured, thread->captured_capacity, thread->captured_count + 1))
        return fail_memory(map->out.why);
    thread->captured[thread->captured_count++] = captured;
    return STATUS_OK;
}

static enum status end_dynamic(struct mapping *map)
{
    struct sel_thread *thread = map->thread;
    uint64_t id = value_object(map);
    if (id == 0)
        return STATUS_OK;
    TRY(emit_allocation(&map->out, id, RECORD_OBJECT, NO_TYPE, map->event->data_id));
    bool makes_lambda = map->instruction->flags & MAKES_LAMBDA;
    for (size_t i = 0; makes_lambda && i < thread->captured_count; i++) {
        const struct waiting *captured = &thread->captured[i];
        TRY(emit_store(&map->out, id, captured->value,
                       field_number(map, captured->field, captured->value)));
    }
    thread->captured_count = 0;
    if (map->instruction->flags & MAKES_CONSTANT)
        TRY(emit_kept(&map->out, id));
    return emit_use(&map->out, id);
}

static enum status load_constant(struct mapping *map)
{
    TRY(emit_kept(&map->out, value_object(map)));
    return emit_use(&map->out, value_object(map));
}

/* Whether the present event is a store that the survey found to have failed. */
static bool has_failed(struct mapping *map)
{
    const struct survey *survey = map->survey;
    while (map->failures < survey->failed_count && survey->failed[map->failures] < map->number)
        map->failures++;
    return map->failures < survey->failed_count && survey->failed[map->failures] == map->number;
}

/* Whether the array can have an element with this index. */
static bool is_within(const struct mapping *map, uint64_t array, int64_t index)
{
    const struct fact *fact = facts_of(map->out.facts, array);
    return index >= 0 && (!fact || fact->length == 0 || index < fact->length - 1);
}

/* What events store in and load from. */
enum place { PLACE_STATIC, PLACE_FIELD, PLACE_ELEMENT };

/* Sets *container (0: none) and *field to what the present event stores in or loads from.
 * False: that is not known, or it does not exist. */
static inline bool find_place(const struct mapping *map, enum place place, uint64_t *container,
                              uint64_t *field)
{
    *container = place == PLACE_STATIC ? 0 : operand(map);
    if (place == PLACE_ELEMENT) {
        int64_t index = map->thread->operation.index;
        *field = (uint64_t)index;
        return *container != 0 && is_within(map, *container, index);
    }
    *field = field_number(map, map->instruction->field, value_object(map));
    return place == PLACE_STATIC || *container != 0;
}

static inline enum status store(struct mapping *map, enum place place)
{
    uint64_t container, field, value = value_object(map);
    bool is_known = find_place(map, place, &container, &field);
    if (!is_known || map->instruction->value != VALUE_OBJECT ||
        (place == PLACE_ELEMENT && has_failed(map)))
        return use_both(map, container, value);
    return emit_store(&map->out, container, value, field);
}

/* Emits a load. What it finds must be in the field, whoever stored it there, so it may become a
 * store. */
static enum status load(struct mapping *map, enum place place)
{
    uint64_t container, field, value = value_object(map);
    if (!map->loads_as_updates || map->instruction->value != VALUE_OBJECT ||
        !find_place(map, place, &container, &field))
        return emit_use(&map->out, value);
    return emit_store(&map->out, container, value, field);
}

static enum status begin_use(struct mapping *map)
{
    begin_operation(map, value_object(map));
    return emit_use(&map->out, value_object(map));
}

/* Whether `id` is a thread, by its type or, if that is unknown, by the instruction. */
static bool is_thread(const struct mapping *map, uint64_t id)
{
    const struct types *types = &map->out.catalogue->types;
    uint32_t type = types_of_object(types, id);
    return type == NO_TYPE ? map->instruction->owner == types->thread
                           : types_is_a(types, type, TYPE_THREAD);
}

/* Emits a call. The end of a thread is not logged: a thread that is started stays alive. */
static enum status mapping_call(struct mapping *map)
{
    uint64_t id = value_object(map);
    unsigned flags = map->instruction->flags;
    bool keeps = (flags & KEEPS_PARAMETER) || (map->escape_edges && (flags & CALLS_UNWOVEN));
    map->thread->callee = keeps ? id : 0;
    TRY(emit_use(&map->out, id));
    if (flags & STARTS_THREAD && id != 0 && is_thread(map, id))
        TRY(emit_kept(&map->out, id));
    return STATUS_OK;
}

static enum status pass_parameter(struct mapping *map)
{
    uint64_t id = value_object(map), callee = map->thread->callee;
    if (callee == 0 || id == 0)
        return emit_use(&map->out, id);
    return emit_store(&map->out, callee, id, HIDDEN_FIELDS + id);
}

static enum status map_event(struct mapping *map)
{
    switch ((enum sel_event_kind)map->instruction->event) {
    case EVENT_ENTRY:
        return mapping_enter(map);
    case EVENT_NORMAL_EXIT:
        return mapping_leave(map);
    case EVENT_EXCEPTIONAL_EXIT:
        return leave_by_exception(map);
    case EVENT_THROW:
        return put_exception(map, RECORD_THROW, present_frame(map), value_object(map));
    case EVENT_CATCH:
        return put_catch(map);
    case EVENT_CALL:
        return mapping_call(map);
    case EVENT_CALL_PARAM:
        return pass_parameter(map);
    case EVENT_NEW_OBJECT:
        return begin_object(map);
    case EVENT_OBJECT_INITIALIZED:
        return initialize(map);
    case EVENT_NEW_ARRAY_RESULT:
        return end_new_array(map);
    case EVENT_MULTI_NEW_ARRAY:
    case EVENT_MULTI_NEW_ARRAY_OWNER:
        return begin_elements(map);
    case EVENT_MULTI_NEW_ARRAY_ELEMENT:
        return add_element(map);
    case EVENT_DYNAMIC:
        map->thread->captured_count = 0;
        return STATUS_OK;
    case EVENT_DYNAMIC_PARAM:
        return capture(map);
    case EVENT_DYNAMIC_RESULT:
        return end_dynamic(map);
    case EVENT_CONSTANT_LOAD:
        return load_constant(map);
    case EVENT_PUT_FIELD_EARLY:
        return store_early(map);
    case EVENT_PUT_STATIC:
        return store(map, PLACE_STATIC);
    case EVENT_PUT_FIELD_VALUE:
        return store(map, PLACE_FIELD);
    case EVENT_ARRAY_STORE_VALUE:
        return store(map, PLACE_ELEMENT);
    case EVENT_GET_STATIC:
        return load(map, PLACE_STATIC);
    case EVENT_GET_FIELD_RESULT:
        return load(map, PLACE_FIELD);
    case EVENT_ARRAY_LOAD_RESULT:
        return load(map, PLACE_ELEMENT);
    case EVENT_GET_FIELD:
    case EVENT_ARRAY_LOAD:
        return begin_use(map);
    case EVENT_NEW_ARRAY:
    case EVENT_PUT_FIELD:
    case EVENT_ARRAY_STORE:
        begin_operation(map, value_object(map));
        return STATUS_OK;
    case EVENT_ARRAY_STORE_INDEX:
    case EVENT_ARRAY_LOAD_INDEX:
        set_index(map);
        return STATUS_OK;
    case EVENT_USE:
    case EVENT_CATCH_LABEL:
    case EVENT_CALL_RETURN:
    case EVENT_NEW_OBJECT_CREATED:
        break;
    }
    return emit_use(&map->out, value_object(map));
}

enum status mapping_add(struct mapping *mapping, const struct sel_events *events,
                        struct batch *batch, struct failure *why)
{
    const struct instruction *instructions = mapping->out.catalogue->instructions.items;
    mapping->out.batch = batch;
    mapping->out.why = why;
    for (size_t i = 0; i < events->count; i++) {
        mapping->event = &events->items[i];
        mapping->instruction = &instructions[mapping->event->data_id];
        mapping->number++;
        mapping->thread = threads_find(&mapping->threads, mapping->event->thread);
        if (!mapping->thread)
            return fail_memory(why);
        mapping->out.thread = mapping->thread->id;
        const struct sel_frame *top = thread_top(mapping->thread);
        if (top && top->method != mapping->instruction->method &&
            mapping->instruction->event != EVENT_ENTRY)
            TRY(leave_frames(mapping));
        TRY(map_event(mapping));
    }
    return STATUS_OK;
}
