/* SPDX-License-Identifier: MIT */
/* The records of HATF 1.0 and their bytes (Chilimbi, Jones, Zorn: "Designing a trace format for
 * heap allocation events", ISMM 2000), and plans how to write a field of compact HATF: with
 * which settings, and where to change them. This code knows neither files nor events. */
#ifndef ETMERLIN_FORMATS_LIFETIMES_HATF_H
#define ETMERLIN_FORMATS_LIFETIMES_HATF_H

#include "base/bytes.h"

#include <stddef.h>

enum hatf_tag {
    HATF_ALLOC,
    HATF_FREE,
    HATF_REALLOC, /* and the three tags after it */
    HATF_CREATE_HEAP = 6,
    HATF_DESTROY_HEAP,
    HATF_CREATE_THREAD,
    HATF_DESTROY_THREAD,
    HATF_COMMENT,
    HATF_METADATA
};

/* The types of fields. All but attributes are numbers. */
enum hatf_field {
    HATF_SIZE,
    HATF_ADDRESS,
    HATF_TIME,
    HATF_THREAD,
    HATF_HEAP,
    HATF_ATTRIBUTES,
    HATF_FIELDS
};

enum hatf_interpretation { HATF_NONE, HATF_DEFAULT, HATF_BASE_OFFSET, HATF_DELTA, HATF_STRIDE };

/* The operations of metadata, and the codes of the widths of attributes that have their own
 * length. */
enum { HATF_SET_WIDTH = 1, HATF_SET_INTERPRETATION = 2, HATF_V1 = 9, HATF_V2 = 10 };

/* No record is longer, not even with the two bytes after it that show whether a comment ends
 * there. */
enum { HATF_LONGEST = 65600 };

/* How the fields of one type are written. */
struct hatf_settings {
    uint8_t width;      /* bytes, or HATF_V1, HATF_V2 */
    uint8_t last_width; /* the latest width that was not 0; 0: none yet */
    uint8_t interpretation;
    uint64_t argument; /* default, base, or initial value */
    uint64_t stride;
    uint64_t previous; /* the value of the latest field of the type */
};

struct hatf_state {
    bool little_endian;
    bool pads_comments; /* the latest comment had a byte of padding before its length */
    struct hatf_settings fields[HATF_FIELDS];
};

struct hatf_record {
    uint8_t tag;
    uint64_t numbers[HATF_ATTRIBUTES]; /* by enum hatf_field; those that the tag does not have
                                          are 0 */
    uint64_t old_address;              /* realloc */
    const uint8_t *data;               /* attributes; of a comment its text */
    size_t data_length;
    struct hatf_metadata {
        uint8_t operation, field, code;
        uint64_t arguments[2]; /* as many as the code has; the others are 0 */
    } metadata;
};

enum hatf_result { HATF_OK, HATF_CUT_OFF, HATF_NO_SUCH_TAG, HATF_NO_SUCH_SETTING };

/* The state at the start of a file. */
void hatf_state_init(struct hatf_state *state, bool little_endian);

/* Takes the next record from `load`, which has HATF_LONGEST bytes or all that are left of the
 * file, and changes *state by it. The data of the record stay in the bytes of `load`.
 * HATF_CUT_OFF: the record does not end; or it is a comment near the end of the file, and what
 * would follow it is no record. Unless the result is HATF_OK, *state is unspecified. */
enum hatf_result hatf_decode(struct hatf_state *state, struct load *load,
                             struct hatf_record *record) LOAD_CHECK;

/* Writes a record to `out` (HATF_LONGEST bytes) and changes *state by it; returns the number of
 * bytes. The fields of the record must fit the settings, and the settings of metadata must
 * exist. */
size_t hatf_encode(struct hatf_state *state, const struct hatf_record *record, uint8_t *out);

/* The most fields that are planned together. */
enum { HATF_PLAN_MAX = 4096 };

/* What to do before a field is written. */
enum hatf_change {
    HATF_STAY,   /* nothing */
    HATF_RESIZE, /* set the width */
    HATF_ENTER   /* set the interpretation, and the width unless the interpretation makes the
                    field absent */
};

struct hatf_step {
    uint8_t change; /* enum hatf_change */
    uint8_t interpretation;
    uint8_t width;
    uint64_t argument, stride; /* of HATF_ENTER */
};

/* The values of consecutive fields of one type, in order; of attributes, their lengths. */
struct hatf_column {
    size_t count;
    uint64_t values[HATF_PLAN_MAX];
};

/* Room to plan in. */
struct hatf_planner;

/* NULL: no memory. The caller owns it (free). */
struct hatf_planner *hatf_planner_new(void);

/* Sets steps[i] to the step before field i of `column`, so that metadata and fields together
 * take as few bytes as possible. The fields are of type `field`, not HATF_HEAP. *settings are
 * in effect before the first field. `steps` has room for column->count steps.
 *
 * `plain_width` is the width that the plain form, whose interpretation is always none, has
 * reached after the last field. The cost of a plan includes the metadata that lead from its
 * last settings to those of the plain form. That is why the compact form is never larger than
 * the plain form. Going to the plain form at once and staying there is one of the plans that
 * are compared: it costs what was included in the cost of the plan before, and the fields in
 * plain form. So all plans together, each paying for its own way back and saving that of the
 * plan before, cost at most as much as the plain form. */
void hatf_plan(struct hatf_planner *planner, enum hatf_field field,
               const struct hatf_settings *settings, unsigned plain_width,
               const struct hatf_column *column, struct hatf_step *steps);

#endif
