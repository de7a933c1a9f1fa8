/* SPDX-License-Identifier: MIT */
/* A remark has the number of what differs, the class of an example, by which users find the
 * rest, and the reason. */
#include "report/graph/dump_remarks.h"

#include "report/graph/class_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Whether an object of the class is shown in a size that differs from that in the trace. */
static bool is_resized(const struct heap_class *class_of)
{
    return class_of->objects > 0 && !class_of->is_array && class_of->size > 0 &&
           (class_of->has_other_sizes || dump_objects_align(class_instance_size(class_of)) !=
                                             dump_objects_align(class_of->size));
}

/* Returns the name of a class as messages show it, which the caller owns (free); NULL: no
 * memory. */
static char *shown_class_name(const struct heap_classes *classes,
                              const struct heap_class *class_of)
{
    const char *name = heap_class_name(classes, class_of);
    const struct name_parts parts = {.own = name, .own_length = strlen(name)};
    char shown[NAMES_SHOWN_WHOLE];
    return strndup(shown, name_parts_show(shown, &parts));
}

/* Notes how many arrays differ from those in the trace, and the class of the first. */
static enum status note_arrays(const struct heap_classes *classes,
                               const struct array_remark *from, uint64_t *count, char **example,
                               struct failure *why)
{
    *count = from->count;
    if (from->count > 0)
        *example = shown_class_name(classes, &classes->items[from->class_of]);
    return from->count == 0 || *example ? STATUS_OK : fail_memory(why);
}

enum status dump_remarks_note(struct dump_remarks *remarks, const struct dump_objects *objects,
                              uint64_t renamed, struct failure *why)
{
    const struct heap_classes *classes = objects->classes;
    remarks->renamed = renamed;
    TRY(note_arrays(classes, &objects->cut, &remarks->cut, &remarks->cut_example, why));
    TRY(note_arrays(classes, &objects->resized, &remarks->resized, &remarks->resized_example,
                    why));
    for (size_t i = 0; i < classes->count; i++) {
        const struct heap_class *class_of = &classes->items[i];
        if (!is_resized(class_of))
            continue;
        remarks->classes++;
        remarks->objects += class_of->objects;
        if (!remarks->example)
            remarks->example = shown_class_name(classes, class_of);
        if (!remarks->example)
            return fail_memory(why);
    }
    return STATUS_OK;
}

bool dump_remarks_exist(const struct dump_remarks *remarks)
{
    return remarks->classes + remarks->renamed + remarks->cut + remarks->resized > 0;
}

/* Prints how many objects are shown in another size than the trace has. */
static void print_sizes(FILE *stream, const struct dump_remarks *remarks)
{
    if (remarks->objects == 1)
        fprintf(stream, "1 object of %s", remarks->example);
    else if (remarks->classes == 1)
        fprintf(stream, "%" PRIu64 " objects of %s", remarks->objects, remarks->example);
    else
        fprintf(stream, "%" PRIu64 " objects of %" PRIu64 " classes, such as %s,",
                remarks->objects, remarks->classes, remarks->example);
    fprintf(stream, " larger or smaller than the trace does: in a dump, all objects of a class "
                    "have one size, with room for a header and the references");
}

static void print_renamed(FILE *stream, const struct dump_remarks *remarks)
{
    if (remarks->renamed == 1)
        fprintf(stream, "1 object with another id");
    else
        fprintf(stream, "%" PRIu64 " objects with other ids", remarks->renamed);
    fprintf(stream, " than the trace does: in a dump, an id is of one object");
}

/* Prints the number of arrays, and the class of one of them. */
static void print_arrays(FILE *stream, uint64_t count, const char *example)
{
    if (count == 1)
        fprintf(stream, "1 array (%s)", example);
    else
        fprintf(stream, "%" PRIu64 " arrays, such as %s,", count, example);
}

void dump_remarks_print(FILE *stream, const struct dump_remarks *remarks)
{
    const char *joint = "";
    if (remarks->classes > 0) {
        print_sizes(stream, remarks);
        joint = "; and ";
    }
    if (remarks->renamed > 0) {
        fputs(joint, stream);
        print_renamed(stream, remarks);
        joint = "; and ";
    }
    if (remarks->resized > 0) {
        fputs(joint, stream);
        print_arrays(stream, remarks->resized, remarks->resized_example);
        fprintf(stream,
                " larger or smaller than the trace does: tools show %d bytes, and the "
                "elements, of which references have %d",
                HPROF_ARRAY_HEADER, HPROF_REFERENCE);
        joint = "; and ";
    }
    if (remarks->cut > 0) {
        fputs(joint, stream);
        print_arrays(stream, remarks->cut, remarks->cut_example);
        fprintf(stream, " with fewer elements than the trace does: in a dump, an array has "
                        "less than 4 GiB, and no more elements than bytes");
    }
}

void dump_remarks_free(struct dump_remarks *remarks)
{
    if (!remarks)
        return;
    free(remarks->example);
    free(remarks->cut_example);
    free(remarks->resized_example);
    free(remarks);
}
