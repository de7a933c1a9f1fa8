/* SPDX-License-Identifier: MIT */
/* Search in sorted items. It is a macro, so that what is compared can be anything that has a
 * position, and is inlined. */
#ifndef ETMERLIN_BASE_BISECT_H
#define ETMERLIN_BASE_BISECT_H

/* Sets `low` to the first position from `low` to below `high` for which `is_before`, an
 * expression of the position `at`, is false; or to `high` if there is none, which is changed,
 * too. Where it is true for a position, it must be for all before. */
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
