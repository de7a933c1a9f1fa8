/* The roster: what a trace says of each object, its recorded death included. */
#ifndef ETMERLIN_REPORT_ROSTER_H
#define ETMERLIN_REPORT_ROSTER_H

#include "base/status.h"
#include "heap/objects.h"

/* Where a death is recorded. */
struct roster_death {
    uint64_t line;  /* 0: none is */
    uint64_t time;  /* as written */
    uint64_t place; /* the clock where it stands */
};

struct roster_entry {
    uint64_t line;     /* of the first mention; of an allocated object, of its allocation */
    uint64_t mentions; /* in all records but deaths */
    uint64_t born;     /* the clock at its allocation */
    struct roster_death death;
};

struct roster;

/* The caller owns *out (roster_free). */
enum status roster_new(struct roster **out, struct failure *why) MUST_CHECK;

/* Line `line` names object `id` (not 0). *died becomes the line of its death, if the object is
 * dead, else 0. */
enum status roster_mention(struct roster *roster, uint64_t id, uint64_t line, uint64_t *died,
                           struct failure *why) MUST_CHECK;

/* Line `line` allocates object `id` (not 0) at the clock `now`. *earlier becomes the line in
 * which it was allocated before, or 0; if so, a new object begins. *adopted: it was named
 * before. */
enum status roster_allocate(struct roster *roster, uint64_t id, uint64_t line, uint64_t now,
                            uint64_t *earlier, bool *adopted, struct failure *why) MUST_CHECK;

/* What became of a recorded death. */
enum roster_verdict { ROSTER_DIES, ROSTER_UNKNOWN, ROSTER_DEAD };

/* Object `id` (not 0) dies. Where the id repeats, the object allocated last dies of those that
 * are alive; a later mention shows that it was an older one. ROSTER_UNKNOWN: the id is not
 * allocated; ROSTER_DEAD: all objects with the id are dead already, one since line *died. */
enum status roster_die(struct roster *roster, uint64_t id, const struct roster_death *death,
                       enum roster_verdict *verdict, uint64_t *died,
                       struct failure *why) MUST_CHECK;

/* The entries of all objects, by node (heap/node.h); *count of them, the first of which means
 * nothing. */
const struct roster_entry *roster_entries(const struct roster *roster, size_t *count);

/* The objects themselves. */
const struct objects *roster_objects(const struct roster *roster);

/* NULL is allowed. */
void roster_free(struct roster *roster);

#endif
