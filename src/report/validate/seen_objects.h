/* SPDX-License-Identifier: MIT */
/* What a trace says of each object that it names, its recorded death included. */
#ifndef ETMERLIN_REPORT_VALIDATE_SEEN_OBJECTS_H
#define ETMERLIN_REPORT_VALIDATE_SEEN_OBJECTS_H

#include "base/status.h"
#include "heap/objects.h"

/* Where a death is recorded. */
struct seen_death {
    uint64_t line;     /* 0: none is */
    uint64_t time;     /* as written */
    uint64_t position; /* the clock where it stands */
};

struct seen_object {
    uint64_t line;     /* of the first mention; of an allocated object, of its allocation */
    uint64_t mentions; /* in all records but deaths */
    uint64_t born;     /* the clock at its allocation */
    bool is_prior;     /* it was there before the trace: the record allocates nothing */
    struct seen_death death;
};

/* A record that allocates an object, or says that it was there before the trace. */
struct seen_birth {
    uint64_t line;
    uint64_t now; /* the clock */
    bool is_prior;
};

struct seen_objects;

/* The caller owns *out (seen_objects_free). */
enum status seen_objects_new(struct seen_objects **out, struct failure *why) MUST_CHECK;

/* Line `line` names object `id` (not 0). *died becomes the line of its death, if the object is
 * dead, else 0. */
enum status seen_objects_mention(struct seen_objects *seen_objects, uint64_t id, uint64_t line,
                                 uint64_t *died, struct failure *why) MUST_CHECK;

/* Object `id` (not 0) is born. *earlier becomes the line in which it was allocated before, or
 * 0; if so, a new object begins. *adopted: it was named before. */
enum status seen_objects_allocate(struct seen_objects *seen_objects, uint64_t id,
                                  const struct seen_birth *birth, uint64_t *earlier,
                                  bool *adopted, struct failure *why) MUST_CHECK;

/* What became of a recorded death. */
enum death_verdict { VERDICT_DIES, VERDICT_UNKNOWN, VERDICT_DEAD };

/* Object `id` (not 0) dies. Where the id repeats, the object allocated last dies of those that
 * are alive; a later mention shows that it was an older one. VERDICT_UNKNOWN: the id is not
 * allocated; VERDICT_DEAD: all objects with the id are dead already, one since line *died. */
enum status seen_objects_die(struct seen_objects *seen_objects, uint64_t id,
                             const struct seen_death *death, enum death_verdict *verdict,
                             uint64_t *died, struct failure *why) MUST_CHECK;

/* The entries of all objects, by node (heap/node.h); *count of them, the first of which means
 * nothing. */
const struct seen_object *seen_objects_entries(const struct seen_objects *seen_objects,
                                               size_t *count);

/* The objects themselves. */
const struct objects *seen_objects_objects(const struct seen_objects *seen_objects);

/* NULL is allowed. */
void seen_objects_free(struct seen_objects *seen_objects);

#endif
