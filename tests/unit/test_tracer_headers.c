/* SPDX-License-Identifier: MIT */
/* Ids in the headers of objects, with the stand-in for the virtual machine: which id an object
 * gets when two threads name it, and what happens when its header holds no id. */
#include "../../tracer/native/header.h"
#include "../../tracer/native/id_cache.h"
#include "../../tracer/native/native_code.h"
#include "../../tracer/native/objects.h"
#include "expect.h"
#include "machine.h"

#include <stdlib.h>

TestSuite(tracer_headers);

static struct object root = {.signature = "Ljava/lang/Object;"};
static struct object plain = {.signature = "La/Plain;", .above = &root};
static struct object pair = {
    .signature = "La/Pair;", .above = &root, .fields = {{"first", false}, {"second", false}}};
static struct object array = {.signature = "[I", .above = &root};

#define expect_record(me, text) cr_expect_str_eq(machine_record(me), text)

/* Starts the tracer with ids in headers. Ids begin at 2, as if a class had 1, and the id cache
 * is off. */
static struct thread *start(void)
{
    struct thread *me = machine_start();
    machine_use_headers(me);
    atomic_store(&tracer.next_id, 2);
    free(me->ids);
    me->ids = NULL;
    return me;
}

Test(tracer_headers, get_the_ids_of_new_objects)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16};
    jobject handle = machine_handle(&object);
    expect_number(object_id(me, handle, 5), 2);
    expect_record(me, "N 1 2 16 5 0");
    expect_number(object_id(me, handle, 5), 2);
    expect_record(me, "");
    expect_number((uint64_t)object.header, 2);
    expect_number((uint64_t)object.id, 0);
}

/* Only this thread knows a new array, so the virtual machine is not asked for a tag. */
Test(tracer_headers, get_the_ids_of_new_arrays)
{
    struct thread *me = start();
    struct object object = {.of = &array, .size = 24, .length = 2};
    me->calls.frame_count = 1;
    object_array(me, machine_handle(&object), 4, 9);
    expect_record(me, "A 4 2 24 9 2");
    expect_number((uint64_t)object.header, 2);
    expect_number(machine_asked, 0);
}

Test(tracer_headers, of_the_virtual_machine_lead_to_tags)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16, .header = HEADER_NONE};
    jobject handle = machine_handle(&object);
    for (int times = 0; times < 2; times++)
        expect_number(object_id(me, handle, 0), 2);
    expect_record(me, "N 1 2 16 0 0");
    expect_record(me, "");
    expect_number((uint64_t)object.id, 2);
    expect_number((uint64_t)object.header, HEADER_NONE);
    expect_number(atomic_load(&tracer.next_id), 3);
}

Test(tracer_headers, get_the_tags_of_the_snapshot)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16, .id = 2};
    atomic_store(&tracer.next_id, 3);
    expect_number(object_id(me, machine_handle(&object), 0), 2);
    expect_record(me, "");
    expect_number((uint64_t)object.header, 2);
}

static void name_it(struct object *object)
{
    machine_look = NULL;
    object->header = (jint)atomic_fetch_add(&tracer.next_id, 1);
}

static void hash_it(struct object *object)
{
    machine_look = NULL;
    object->header = HEADER_NONE;
}

/* Another thread gives the object an id after this thread has seen that it has none. */
static void come_second(struct object *object)
{
    (void)object;
    machine_look = name_it;
}

Test(tracer_headers, keep_the_id_of_the_thread_that_was_first)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16};
    machine_look = come_second;
    expect_number(object_id(me, machine_handle(&object), 0), 3);
    expect_record(me, "");
    expect_number((uint64_t)object.header, 3);
}

static void hash_second(struct object *object)
{
    (void)object;
    machine_look = hash_it;
}

Test(tracer_headers, that_are_hashed_meanwhile_lead_to_tags)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16};
    machine_look = hash_second;
    expect_number(object_id(me, machine_handle(&object), 0), 2);
    expect_record(me, "N 1 2 16 0 0");
    expect_number((uint64_t)object.id, 2);
}

/* The hash of a locked object may or may not be an id. A hash that was never given as an id is
 * none. */
Test(tracer_headers, of_archives_are_no_ids)
{
    struct thread *me = start();
    struct object known = {.of = &plain, .size = 16, .header = -2};
    struct object old = {.of = &plain, .size = 16, .header = -2, .id = 7};
    struct object archived = {.of = &plain, .size = 16, .header = -99};
    atomic_store(&tracer.next_id, 8);
    expect_number(object_id(me, machine_handle(&known), 0), 2);
    expect_number(object_id(me, machine_handle(&old), 0), 7);
    expect_number(object_id(me, machine_handle(&archived), 0), 8);
    expect_number((uint64_t)archived.id, 8);
    expect_record(me, "N 1 8 16 0 0");
    expect_record(me, "");
}

Test(tracer_headers, are_too_small_for_more_ids)
{
    struct thread *me = start();
    struct object last = {.of = &plain, .size = 16};
    struct object next = {.of = &plain, .size = 16};
    atomic_store(&tracer.next_id, HEADER_MOST);
    expect_number(object_id(me, machine_handle(&last), 0), HEADER_MOST);
    expect_number((uint64_t)last.header, HEADER_MOST);
    jobject handle = machine_handle(&next);
    for (int times = 0; times < 2; times++)
        expect_number(object_id(me, handle, 0), (uint64_t)HEADER_MOST + 1);
    expect_number((uint64_t)next.id, (uint64_t)HEADER_MOST + 1);
}

/* An object that may already have an id must not get another one: its records are dropped, and
 * each probe counts one loss. */
Test(tracer_headers, that_no_stack_is_left_for_lose_records)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16};
    jobject handle = machine_handle(&object);
    expect_number(object_id(me, handle, 0), 2);
    expect_record(me, "N 1 2 16 0 0");
    machine_has_stack = false;
    expect_number(object_id(me, handle, 0), 0);
    expect_number(object_id(me, handle, 0), 0);
    record_store(me, 2, 2, 1);
    expect_record(me, "");
    expect_number(atomic_load(&tracer.dropped), 1);
    machine_has_stack = true;
    me->is_failing = false;
    expect_number(object_id(me, handle, 0), 2);
    expect_record(me, "");
}

/* Without stack, an object that only this thread knows gets a tag, and an object with a tag is
 * known by it. */
Test(tracer_headers, that_no_stack_is_left_for_leave_new_objects_to_tags)
{
    struct thread *me = start();
    struct object object = {.of = &array, .size = 24, .length = 2};
    jobject handle = machine_handle(&object);
    machine_has_stack = false;
    object_array(me, handle, 4, 9);
    expect_record(me, "A 4 2 24 9 2");
    expect_number(object_id(me, handle, 0), 2);
    expect_number(atomic_load(&tracer.dropped), 0);
    machine_has_stack = true;
    expect_number(object_id(me, handle, 0), 2);
    expect_record(me, "");
    expect_number((uint64_t)object.header, 2);
}

/* A probe in Java gives an id to an object of the type of the latest allocation, if its header
 * has none. */
Test(tracer_headers, that_no_stack_is_left_for_get_no_second_id)
{
    struct thread *me = start();
    struct begun_allocation allocation = {.type = 1, .site = 9};
    struct object first = {.of = &plain, .size = 16}, object = first;
    jobject handle = machine_handle(&object);
    expect_number(object_id(me, machine_handle(&first), 0), 2);
    expect_record(me, "N 1 2 16 0 0");
    me->calls.allocations = &allocation;
    me->calls.allocation_count = 1;
    me->calls.frame_count = 1;
    machine_has_stack = false;
    expect_number(object_constructed(me, handle, 1), 3);
    expect_record(me, "N 1 3 16 9 0");
    cr_expect_neq(allocation.type, 1);
    machine_has_stack = true;
    expect_number(object_made(me, handle, 1, 9), 3);
    expect_record(me, "");
    expect_number((uint64_t)object.header, 0);
}

/* The contents of an object with an id are recorded once there is stack again, so that none of
 * their records is missing. */
Test(tracer_headers, that_no_stack_is_left_for_let_contents_wait)
{
    struct thread *me = start();
    struct object value = {.of = &plain, .size = 16};
    struct object holder = {
        .of = &pair, .size = 24, .elements = (struct object *[]){NULL, &value}};
    cr_assert(native_code_watch(tracer.jvmti));
    expect_number(object_id(me, machine_handle(&holder), 0), 2);
    expect_record(me, "N 1 2 24 0 0");
    machine_has_stack = false;
    objects_settle(me);
    me->is_failing = false;
    me->postponed_at = 0; /* the stack ends far from here */
    objects_resume(me);
    expect_record(me, "");
    expect_number(atomic_load(&tracer.dropped), 1);
    machine_has_stack = true;
    objects_resume(me); /* it ends here */
    expect_record(me, "");
    expect_number(me->postponed_count, 1);
    me->postponed_at = 0;
    objects_resume(me);
    expect_record(me, "N 2 3 16 0 0");
    expect_record(me, "U 2 2 3");
    expect_record(me, "");
    expect_number(me->postponed_count, 0);
    expect_number(machine_handles(), 1);
    expect_number(machine_kept, 0);
}

/* Only what native code of the program keeps is recorded. */
Test(tracer_headers, need_no_probe_for_what_the_tracer_keeps)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16};
    cr_assert(native_code_watch(tracer.jvmti));
    jobject kept = (*me->jni)->NewGlobalRef(me->jni, machine_handle(&object));
    (*me->jni)->DeleteGlobalRef(me->jni, kept);
    expect_number(machine_kept, 2);
    native_code_drop(me->jni, native_code_keep(me->jni, machine_handle(&object)));
    expect_number(machine_kept, 2);
}

static bool was_written; /* the record, when the header was looked at */

static void see_whether_written(struct object *object)
{
    (void)object;
    was_written = ring_begins(thread_current->ring, 2);
}

/* Another thread that finds the id in the header sees that the record is not shown yet. */
Test(tracer_headers, have_ids_whose_records_are_written_before)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16};
    machine_look = see_whether_written;
    expect_number(object_id(me, machine_handle(&object), 0), 2);
    cr_expect(was_written);
    cr_expect(!ring_begins(me->ring, 2));
    expect_record(me, "N 1 2 16 0 0");
}

/* For --check, objects need tags, which each collection asks for. */
Test(tracer_headers, are_not_all_where_tags_are_needed_too)
{
    struct thread *me = start();
    struct object object = {.of = &plain, .size = 16};
    tracer.tags_too = true;
    expect_number(object_id(me, machine_handle(&object), 0), 2);
    expect_number((uint64_t)object.header, 2);
    expect_number((uint64_t)object.id, 2);
}

static struct object leaf = {.of = &plain, .size = 16};

static void end_stack(struct object *object)
{
    if (object == &leaf)
        machine_has_stack = false;
}

/* The contents are recorded, and then the stack ends: the store itself is not recorded. */
Test(tracer_headers, that_no_stack_is_left_for_keep_the_store_that_shows_an_object)
{
    struct thread *me = start();
    struct object value = {.of = &plain, .size = 16};
    struct object inner = {
        .of = &pair, .size = 24, .elements = (struct object *[]){&leaf, NULL}};
    struct object outer = {
        .of = &pair, .size = 24, .elements = (struct object *[]){&inner, &value}};
    uint64_t stored = object_field_number("a/Pair", "second", "Ljava/lang/Object;");
    cr_assert(native_code_watch(tracer.jvmti));
    machine_look = end_stack;
    object_container(me, machine_handle(&outer), stored);
    object_id(me, machine_handle(&value), 0);
    objects_settle(me);
    expect_number(me->postponed_count, 2); /* `inner` and `outer` */
}

/* The method that allocates has begun before the snapshot, which has met the new object. */
Test(tracer_headers, of_a_method_that_is_older_than_the_trace_may_have_tags)
{
    struct thread *me = start();
    struct begun_allocation allocation = {.type = 1, .site = 9};
    struct object first = {.of = &plain, .size = 16},
                  object = {.of = &plain, .size = 16, .id = 7};
    expect_number(object_id(me, machine_handle(&first), 0), 2);
    expect_record(me, "N 1 2 16 0 0");
    me->calls.allocations = &allocation;
    me->calls.allocation_count = 1;
    expect_number(object_constructed(me, machine_handle(&object), 1), 7);
    expect_record(me, "");
}
