/* SPDX-License-Identifier: MIT */
/* The records of objects that are named for the first time, with the stand-in for the virtual
 * machine. Ids count from 1; types and fields are numbered in the order in which they come. */
#include "../../tracer/native/cleared.h"
#include "../../tracer/native/id_cache.h"
#include "../../tracer/native/objects.h"
#include "machine.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(tracer_objects);

static struct object root = {.signature = "Ljava/lang/Object;"};
static struct object plain = {.signature = "La/Plain;", .above = &root};
static struct object pair = {
    .signature = "La/Pair;", .above = &root, .fields = {{"one", false}, {"other", false}}};
static struct object twin = {/* of another loader */
                             .signature = "La/Pair;",
                             .above = &root,
                             .fields = {{"only", false}}};
static struct object array = {.signature = "[La/Plain;", .above = &root};

#define expect_record(me, text) cr_expect_str_eq(machine_record(me), text)

/* Begins an allocation of that type, at site 33; returns the number of the type. */
static uint32_t begin_allocation(struct thread *me, const char *type)
{
    static struct begun_allocation begun;
    begun = (struct begun_allocation){name_of_type(tracer.names, type, strlen(type)), 33};
    me->calls.allocations = &begun;
    me->calls.allocation_count = 1;
    return begun.type;
}

Test(tracer_objects, are_told_once)
{
    struct thread *me = machine_start();
    struct object object = {.of = &plain, .size = 16};
    jobject handle = machine_handle(&object);
    expect_number(object_id(me, handle, 5), 1);
    expect_record(me, "N 1 1 16 5 0");
    expect_number(object_id(me, handle, 6), 1);
    expect_record(me, "");
    expect_number(object_id(me, NULL, 0), 0);
    expect_number((uint64_t)object.id, 1);
    expect_number(machine_handles(), 1);
}

static char recorded[200]; /* when the last tag was set */

static void note_record(struct object *object)
{
    (void)object;
    snprintf(recorded, sizeof recorded, "%s", machine_record(thread_current));
}

/* Another thread that finds the tag may name the object at once. */
Test(tracer_objects, are_told_before_they_have_a_tag)
{
    struct thread *me = machine_start();
    struct object object = {.of = &plain, .size = 16}, made = object;
    struct object list = {.of = &array, .size = 24, .length = 2};
    uint32_t type = begin_allocation(me, "a/Plain");
    machine_tag = note_record;
    object_id(me, machine_handle(&object), 5);
    cr_expect_str_eq(recorded, "N 1 1 16 5 0");
    object_array(me, machine_handle(&list), 4, 9);
    cr_expect_str_eq(recorded, "A 4 2 24 9 2");
    object_constructed(me, machine_handle(&made), type);
    cr_expect_str_eq(recorded, "N 1 3 16 33 0");
    expect_record(me, "");
}

/* Asking the virtual machine takes long: it is asked once for a new object, and not again for
 * one that was just named. */
Test(tracer_objects, are_asked_for_once)
{
    struct thread *me = machine_start();
    struct object object = {.of = &plain, .size = 16};
    jobject handle = machine_handle(&object);
    object_id(me, handle, 0);
    object_id(me, handle, 0);
    expect_number(machine_asked, 1);
    for (int turns = 0; turns < 2; turns++)
        id_cache_turn();
    object_id(me, handle, 0);
    expect_number(machine_asked, 2);
}

/* Another thread gives the object an id after this thread has seen that it has none. */
static void be_faster(struct object *object)
{
    machine_interrupt = NULL;
    object->id = (jlong)atomic_fetch_add(&tracer.next_id, 1);
    atomic_fetch_add(&tracer.named, 1);
}

Test(tracer_objects, keep_the_id_that_another_thread_has_given_meanwhile)
{
    struct thread *me = machine_start();
    struct object object = {.of = &plain, .size = 16};
    machine_interrupt = be_faster;
    expect_number(object_id(me, machine_handle(&object), 0), 1);
    expect_record(me, "");
    expect_number(atomic_load(&tracer.next_id), 2);
}

Test(tracer_objects, bring_what_is_in_them)
{
    struct thread *me = machine_start();
    struct object leaf = {.of = &plain, .size = 16};
    struct object node = {
        .of = &pair, .size = 24, .elements = (struct object *[]){NULL, &leaf}};
    object_id(me, machine_handle(&node), 0);
    objects_settle(me);
    expect_record(me, "N 1 1 24 0 0");
    expect_record(me, "N 2 2 16 0 0");
    expect_record(me, "U 2 1 2");
    expect_record(me, "");
}

/* A list of any length needs no recursion, and few handles. */
Test(tracer_objects, in_a_long_list_are_all_recorded)
{
    enum { LENGTH = 5000 };
    struct thread *me = machine_start();
    struct object *nodes = calloc(LENGTH, sizeof *nodes);
    struct object *(*next)[2] = calloc(LENGTH, sizeof *next);
    for (size_t i = 0; i < LENGTH; i++) {
        next[i][0] = i + 1 < LENGTH ? &nodes[i + 1] : NULL;
        nodes[i] = (struct object){.of = &pair, .size = 24, .elements = next[i]};
    }
    object_id(me, machine_handle(&nodes[0]), 0);
    objects_settle(me);
    for (size_t i = 0; i < LENGTH; i++)
        must(nodes[i].id == (jlong)i + 1, "node %zu has id %lld", i, (long long)nodes[i].id);
    expect_number(machine_handles(), 1);
    free(nodes);
    free(next);
}

Test(tracer_objects, that_are_arrays_are_told_with_their_length_and_elements)
{
    struct thread *me = machine_start();
    struct object leaf = {.of = &plain, .size = 16};
    struct object row = {.of = &array,
                         .size = 32,
                         .length = 3,
                         .elements = (struct object *[]){NULL, NULL, &leaf}};
    expect_number(object_id(me, machine_handle(&row), 9), 1);
    objects_settle(me);
    expect_record(me, "A 1 1 32 9 3");
    expect_record(me, "N 2 2 16 0 0");
    expect_record(me, "U 1000002 1 2");
    expect_record(me, "");
}

/* A probe knows all about an array that it sees allocated, and the array is empty. */
Test(tracer_objects, that_are_new_arrays_need_no_question)
{
    struct thread *me = machine_start();
    struct object row = {.of = &array, .size = 32, .length = 4};
    me->calls.frame_count = 1;
    object_array(me, machine_handle(&row), 3, 7);
    expect_record(me, "A 3 1 32 7 4");
    expect_record(me, "");
    expect_number(machine_asked, 0);
    expect_number((uint64_t)row.id, 1);
}

Test(tracer_objects, that_arrive_are_new_only_once)
{
    struct thread *me = machine_start();
    struct object object = {.of = &plain, .size = 16};
    jobject handle = machine_handle(&object);
    cr_expect(object_arrived(me, handle, 5));
    expect_record(me, "N 1 1 16 5 0");
    cr_expect_not(object_arrived(me, handle, 6));
    expect_record(me, "");
}

Test(tracer_objects, under_construction_have_the_site_of_their_allocation)
{
    struct thread *me = machine_start();
    struct object outer = {
        .of = &pair, .size = 24, .elements = (struct object *[]){NULL, NULL}};
    struct object other = {.of = &plain, .size = 16};
    begin_allocation(me, "a/Pair");
    expect_number(object_container(me, machine_handle(&other), 0), 1);
    expect_record(me, "N 2 1 16 0 0");
    expect_number(object_container(me, machine_handle(&outer), 0), 2);
    expect_record(me, "N 1 2 24 33 0");
    /* Allocated by code without probes, whose constructor begins in that of `outer`. */
    struct object alien = {.of = &plain, .size = 16};
    while (*machine_record(me))
        ;
    uint32_t type = name_of_type(tracer.names, "a/Plain", 7);
    expect_number(object_constructed(me, machine_handle(&alien), type), 3);
    expect_record(me, "N 2 3 16 0 0");
}

/* A constructor of a class makes an object of a subclass by reflection. */
Test(tracer_objects, under_construction_are_the_only_ones_of_their_allocation)
{
    struct thread *me = machine_start();
    struct object own = {.of = &plain, .size = 16};
    struct object below = {.signature = "La/Below;", .above = &plain};
    struct object other = {.of = &below, .size = 32};
    uint32_t type = begin_allocation(me, "a/Plain");
    expect_number(object_constructed(me, machine_handle(&own), type), 1);
    expect_record(me, "N 1 1 16 33 0");
    expect_number(object_constructed(me, machine_handle(&other), type), 2);
    expect_record(me, "N 2 2 32 0 0");
}

/* The store that has shown an object is recorded by its probe, after what else is in it. */
Test(tracer_objects, into_which_a_field_is_stored_bring_the_others)
{
    struct thread *me = machine_start();
    struct object one = {.of = &plain, .size = 16}, other = {.of = &plain, .size = 16};
    struct object node = {
        .of = &pair, .size = 24, .elements = (struct object *[]){&one, &other}};
    uint64_t stored = object_field_number("a/Pair", "other", "Ljava/lang/Object;");
    expect_number(object_container(me, machine_handle(&node), stored), 1);
    objects_settle(me);
    expect_record(me, "N 1 1 24 0 0");
    expect_record(me, "N 2 2 16 0 0");
    expect_record(me, "U 2 1 2");
    expect_record(me, "");
}

/* Elements were copied into an array that the tracer has not met. */
Test(tracer_objects, that_are_new_have_their_contents_recorded_once)
{
    struct thread *me = machine_start();
    struct object leaf = {.of = &plain, .size = 16};
    struct object row = {
        .of = &array, .size = 24, .length = 2, .elements = (struct object *[]){&leaf, &leaf}};
    object_contents(me, machine_handle(&row), 0, 1, true);
    objects_settle(me);
    expect_record(me, "A 1 1 24 0 2");
    expect_record(me, "N 2 2 16 0 0");
    expect_record(me, "U 1000000 1 2");
    expect_record(me, "U 1000001 1 2");
    expect_record(me, "");
}

/* A class has its own fields, even if another loader has defined a class of the same name. */
Test(tracer_objects, of_two_classes_of_one_name_have_their_own_fields)
{
    struct thread *me = machine_start();
    struct object leaf = {.of = &plain, .size = 16};
    struct object first = {.of = &twin, .size = 16, .elements = (struct object *[]){NULL}};
    struct object second = {
        .of = &pair, .size = 24, .elements = (struct object *[]){&leaf, NULL}};
    uint32_t type = name_of_type(tracer.names, "a/Pair", 6);
    object_made(me, machine_handle(&first), type, 0);
    tracer.types[type].is_shared = true;
    object_made(me, machine_handle(&second), type, 0);
    objects_settle(me);
    expect_record(me, "N 1 1 16 0 0");
    expect_record(me, "N 1 2 24 0 0");
    expect_record(me, "N 2 3 16 0 0");
    expect_record(me, "U 2 2 3");
}

/* However many objects there are, what holds one of them has no number of another holder. */
Test(tracer_objects, have_holders_with_numbers_of_their_own)
{
    static const struct {
        uint64_t first, count;
    } ranges[] = {
        {FIELD_ELEMENT, UINT64_C(1) << 31},     {FIELD_CONSTANT, UINT64_C(1) << 26},
        {FIELD_ROOT, UINT64_C(1) << 32},        {FIELD_NATIVE, UINT64_C(1) << 44},
        {FIELD_HELD, UINT64_C(10000000000000)}, {FIELD_THREAD, UINT64_C(10000000000000)},
        {UINT64_C(1) << 48, UINT64_C(1) << 48},
    };
    for (size_t i = 1; i < sizeof ranges / sizeof *ranges; i++)
        cr_expect_geq(ranges[i].first, ranges[i - 1].first + ranges[i - 1].count);
}

Test(tracer_objects, that_references_do_not_hold_are_in_weak_fields)
{
    static const char reference[] = "Ljava/lang/ref/Reference;";
    cr_expect(object_field_is_weak(reference, "referent", KIND_WEAK));
    cr_expect_not(object_field_is_weak(reference, "referent", KIND_SOFT),
                  "a soft one holds it");
    cr_expect(object_field_is_weak(reference, "discovered", KIND_SOFT));
    cr_expect_not(object_field_is_weak(reference, "queue", KIND_WEAK));
    cr_expect_not(object_field_is_weak("La/Reference;", "referent", 0));
    cr_expect(object_field_is_weak("Ljava/lang/Class;", "componentType", 0));
}

Test(tracer_objects, that_are_soft_references_are_so_by_what_they_extend)
{
    struct thread *me = machine_start();
    struct object soft = {.signature = "Ljava/lang/ref/SoftReference;", .above = &root};
    struct object own = {.signature = "La/Soft;", .above = &soft};
    cr_expect(class_reference_kind(me->jni, machine_handle(&own)) == KIND_SOFT);
    cr_expect(class_reference_kind(me->jni, machine_handle(&plain)) == 0);
}

/* References that cannot be made are missed, and reported; nothing is asked of them. */
Test(tracer_objects, whose_contents_are_missing_are_reported)
{
    struct thread *me = machine_start();
    struct object value = {.of = &plain, .size = 16};
    struct object *held[] = {&value, NULL};
    struct object object = {.of = &pair, .size = 24, .elements = held};
    machine_lacks_references = true;
    expect_number(object_id(me, machine_handle(&object), 0), 1);
    objects_settle(me);
    expect_record(me, "N 1 1 24 0 0");
    expect_record(me, "");
    cr_expect(atomic_load(&tracer.lacks_memory));
}

/* A weak reference for which there is no room in the list is not left behind. */
Test(tracer_objects, of_classes_that_cannot_be_watched_are_reported)
{
    static struct object hidden = {.signature = "La/Hidden.0x1;", .above = &root};
    struct thread *me = machine_start();
    jobject handle = machine_handle(&hidden);
    fail_reallocations(2);
    unloading_held(me, handle, 7);
    expect_number(machine_handles(), 1);
    cr_expect(atomic_load(&tracer.lacks_memory));
}

/* The agent is not asked about classes that are loaded while it works. */
Test(tracer_objects, of_two_classes_of_one_name_have_the_fields_of_their_own)
{
    struct thread *me = machine_start();
    struct object value = {.of = &plain, .size = 16};
    struct object *held[] = {NULL, &value};
    struct object *none[] = {NULL};
    struct object one = {.of = &pair, .size = 24, .elements = held},
                  two = {.of = &twin, .size = 16, .elements = none},
                  three = {.of = &pair, .size = 24, .elements = held};
    object_id(me, machine_handle(&one), 0);
    object_id(me, machine_handle(&two), 0);
    objects_settle(me);
    while (*machine_record(me))
        ;
    uint64_t id = object_made(me, machine_handle(&three), 1, 0);
    objects_settle(me);
    expect_number(id, 4);
    expect_record(me, "N 1 4 24 0 0");
    expect_record(me, "U 2 4 3");
}

/* The second class is met first. */
Test(tracer_objects, of_a_class_have_not_the_fields_of_one_that_the_agent_missed)
{
    struct thread *me = machine_start();
    struct object value = {.of = &plain, .size = 16};
    struct object *held[] = {NULL, &value};
    struct object made = {.of = &pair, .size = 24, .elements = held};
    uint32_t type = class_type(pair.signature);
    object_class_defined(&tracer.types[type]);
    object_class_missed(me->jni, machine_handle(&twin));
    expect_number(object_made(me, machine_handle(&made), type, 0), 1);
    objects_settle(me);
    expect_record(me, "N 1 1 24 0 0");
    expect_record(me, "N 2 2 16 0 0");
    expect_record(me, "U 3 1 2");
}

/* An object that was made without an instruction has got its id before its constructor ran. */
Test(tracer_objects, that_constructors_fill_have_all_stores)
{
    struct thread *me = machine_start();
    struct object leaf = {.of = &plain, .size = 16};
    struct object *held[] = {NULL, NULL};
    struct object node = {.of = &pair, .size = 24, .elements = held};
    object_id(me, machine_handle(&node), 0);
    objects_settle(me);
    expect_record(me, "N 1 1 24 0 0");
    held[0] = &leaf;
    object_shown(me, machine_handle(&node));
    objects_settle(me);
    expect_record(me, "N 2 2 16 0 0");
    expect_record(me, "U 1 1 2");
    begin_allocation(me, "a/Pair");
    object_shown(me, machine_handle(&node));
    objects_settle(me);
    expect_record(me, "");
    me->calls.instantiated = 1; /* the allocation is that of another one of the class */
    object_shown(me, machine_handle(&node));
    objects_settle(me);
    expect_record(me, "U 1 1 2");
}

/* A thread has waited for the snapshot in the probe of a new array. */
Test(tracer_objects, that_are_arrays_may_have_been_met_by_the_snapshot)
{
    struct thread *me = machine_start();
    struct object row = {.of = &array, .size = 32, .length = 4, .id = 7};
    object_array(me, machine_handle(&row), 3, 7);
    expect_record(me, "");
    expect_number((uint64_t)row.id, 7);
}
