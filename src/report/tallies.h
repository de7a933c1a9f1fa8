/* What objects of one type, or of one allocation site, amount to. */
#ifndef ETMERLIN_REPORT_TALLIES_H
#define ETMERLIN_REPORT_TALLIES_H

#include "base/map.h"
#include "base/status.h"
#include "report/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tally {
    uint64_t id; /* of the type or site */
    uint64_t objects;
    uint64_t bytes;
    uint64_t deaths;   /* of these objects; and their lifetimes: */
    wide_sum lifetime; /* in bytes, all together */
    uint64_t live;     /* bytes of them that live when most bytes do */
    uint64_t type;     /* of a site's objects */
    bool has_types;    /* of a site: its objects are of several types */
};

/* Zero-initialize it; tallies_free ends it. */
struct tallies {
    struct map index; /* id -> number of its tally, from 1 on */
    struct tally *items;
    size_t count;
    size_t capacity;
};

/* The tally of `id`, an empty one if it is new; good until the next call. NULL: no memory. */
struct tally *tallies_find(struct tallies *tallies, uint64_t id) MUST_CHECK;

/* What tallies are ranked by, the largest first; equal ones by id. */
enum ranking { RANK_OBJECTS, RANK_BYTES, RANK_LIFETIME, RANK_LIVE, RANKINGS };

/* What tells the rank; 0: it has none. Mean lifetimes are in hundredths of a byte, plus 1. */
wide_sum tally_rank(const struct tally *tally, enum ranking ranking);

/* Ranks those that have a rank. Sets *ranked to an array of the first ones, at most `top`, and
 * *count to their number. The caller owns the array (free). */
enum status tallies_rank(const struct tallies *tallies, enum ranking ranking, size_t top,
                         const struct tally ***ranked, size_t *count,
                         struct failure *why) MUST_CHECK;

void tallies_free(struct tallies *tallies);

#endif
