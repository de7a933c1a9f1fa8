/* SPDX-License-Identifier: MIT */
/* What a trace records about each object that it names, its death included. */
#ifndef ETMERLIN_REPORT_VALIDATE_SEEN_OBJECTS_H
#define ETMERLIN_REPORT_VALIDATE_SEEN_OBJECTS_H

#include "base/map.h"
#include "heap/objects.h"
#include "merlin/clock.h"
#include "merlin/recorders/input_deaths.h"

/* A recorded death. */
struct seen_death {
    uint64_t line;
    uint64_t timed;    /* the tick of the time that is written */
    uint64_t position; /* the tick at the record; not before `timed` */
    uint64_t after;    /* the line of the record before it; 0: there is none */
    bool at_boundary;  /* that is a boundary */
};

struct seen_object {
    /* The line of its allocation or, if it is not allocated, of its first mention. */
    uint64_t line;
    uint64_t mentions;  /* in all records but deaths */
    uint64_t died_line; /* of its death by position; 0: it has none */
    bool is_prior;      /* it was there before the trace: the record allocates nothing */
};

/* The record of an allocation, or of an object that was there before the trace. */
struct seen_birth {
    uint64_t line;
    uint64_t now; /* the tick */
    bool is_prior;
};

/* seen_objects_init begins, and seen_objects_free ends it, also after a failure. */
struct seen_objects {
    struct objects *objects;
    struct seen_object *entries; /* by node (heap/objects.h); the first means nothing */
    size_t count, capacity;
    struct map older; /* node -> the next older one with its id that is not dead; 0: none */
    struct input_deaths deaths;
    struct proof *uses; /* by node: its last mention, whose line is its record */
    size_t use_capacity;
};

enum status seen_objects_init(struct seen_objects *seen_objects,
                              struct failure *why) MUST_CHECK;

/* Object `id` (not 0) is named; the record of the proof *at is a line. Sets *died to the line
 * of its death if it is dead, else to 0. */
enum status seen_objects_mention(struct seen_objects *seen_objects, uint64_t id,
                                 const struct proof *at, uint64_t *died,
                                 struct failure *why) MUST_CHECK;

/* Object `id` (not 0) is born. If the id was allocated before, a new object begins, and
 * *earlier becomes the line of the earlier allocation, else 0. Sets *adopted to whether the
 * object was named before. */
enum status seen_objects_allocate(struct seen_objects *seen_objects, uint64_t id,
                                  const struct seen_birth *birth, uint64_t *earlier,
                                  bool *adopted, struct failure *why) MUST_CHECK;

/* What became of a recorded death. */
enum death_verdict { DEATH_OF_LIVE, DEATH_OF_UNKNOWN, DEATH_OF_DEAD };

/* Object `id` (not 0) dies. If several live objects have the id, the one allocated last dies; a
 * later mention shows that it was an older one. DEATH_OF_UNKNOWN: the id is not allocated.
 * DEATH_OF_DEAD: all objects with the id are dead already, one since line *died. Must be called
 * for each death, in the order of the trace. */
enum status seen_objects_die(struct seen_objects *seen_objects, uint64_t id,
                             const struct seen_death *death, enum death_verdict *verdict,
                             uint64_t *died, struct failure *why) MUST_CHECK;

/* To be called after the last record, which is in line `last_line`: decides whether deaths end
 * lives at the times that are written, or at their positions, and which object of a repeated id
 * each is that of. */
enum status seen_objects_settle(struct seen_objects *seen_objects, const struct clock *clock,
                                uint64_t last_line, bool by_position,
                                struct failure *why) MUST_CHECK;

/* After seen_objects_settle: whether `node` is allocated and has a death. *lived becomes the
 * ticks from its allocation to its death, 0 if that is earlier. */
bool seen_objects_lived(const struct seen_objects *seen_objects, node_t node, uint64_t *lived);

void seen_objects_free(struct seen_objects *seen_objects);

#endif
