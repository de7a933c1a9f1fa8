/* SPDX-License-Identifier: MIT */
/* Binary search in sorted items. It is a macro, so that the items can be anything that has a
 * position, and the comparison is inlined. */
#ifndef ETMERLIN_BASE_BISECT_H
#define ETMERLIN_BASE_BISECT_H

/* Sets `low` to the first position from `low` to below `high` at which `is_before`, an
 * expression of the position `at`, is false, or to `high` if there is none. `high` is changed,
 * too. Where `is_before` is true at a position, it must be true at all positions before it. */
#define BISECT(low, high, at, is_before)                                                       \
    do {                                                                                       \
        while ((low) < (high)) {                                                               \
            __typeof__(low) at = (low) + ((high) - (low)) / 2;                                 \
            if (is_before)                                                                     \
                (low) = at + 1;                                                                \
            else                                                                               \
                (high) = at;                                                                   \
        }                                                                                      \
    } while (0)

#endif
