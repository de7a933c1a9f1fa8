/* SPDX-License-Identifier: MIT */
/* What is recorded of the heap when tracing begins, on the stand-in for the virtual machine. */
#include "../../tracer/native/tracer.h"
#include "expect.h"
#include "machine.h"

TestSuite(tracer_snapshot);

static struct object root = {.signature = "Ljava/lang/Object;", .size = 96};
static struct object pair = {.signature = "La/Pair;",
                             .above = &root,
                             .size = 96,
                             .fields = {{"first", false}, {"second", false}}};
static struct object late = {.signature = "La/Late;", .above = &root, .size = 96};

#define expect_record(me, text) cr_expect_str_eq(machine_record(me), text)

/* Classes have the ids 1 and 2. */
static struct thread *start(struct machine_reference *references, size_t count)
{
    static struct object *classes[] = {&root, &pair};
    machine_classes = classes;
    machine_class_count = 2;
    machine_references = references;
    machine_reference_count = count;
    return machine_start();
}

Test(tracer_snapshot, has_objects_and_their_references)
{
    struct object value = {.of = &root, .size = 16}, holder = {.of = &pair, .size = 24};
    struct machine_reference references[] = {
        {NULL, &holder, JVMTI_HEAP_REFERENCE_JNI_GLOBAL, 0},
        {&holder, &value, JVMTI_HEAP_REFERENCE_FIELD, 1},
    };
    struct thread *me = start(references, 2);
    cr_assert(snapshot_take(me));
    expect_record(me, "P 2 3 24 0 0");
    expect_record(me, "P 1 4 16 0 0");
    expect_record(me, "U 5000000000 0 3");
    expect_record(me, "U 2 3 4");
    expect_record(me, "");
    expect_number(tracer.first_object, 3);
    expect_number(tracer.first_new, 5);
    expect_number(machine_handles(), 0);
}

static bool was_active;

static void see_whether_active(void)
{
    was_active = atomic_load(&tracer.is_active);
}

/* Else other threads could load a class after the list, and store into its objects before they
 * record it. */
Test(tracer_snapshot, stops_other_threads_before_it_lists_classes)
{
    struct thread *me = start(NULL, 0);
    machine_list = see_whether_active;
    cr_assert(snapshot_take(me));
    cr_expect(was_active);
}

/* A sanitizer shows a read before the list. */
Test(tracer_snapshot, has_no_type_of_a_class_that_is_not_in_the_list)
{
    struct object object = {.of = &late, .size = 16};
    struct machine_reference references[] = {
        {NULL, &object, JVMTI_HEAP_REFERENCE_JNI_GLOBAL, 0},
    };
    struct thread *me = start(references, 1);
    cr_assert(snapshot_take(me));
    expect_record(me, "P 0 3 16 0 0");
    expect_record(me, "U 5000000000 0 3");
    expect_record(me, "");
}
