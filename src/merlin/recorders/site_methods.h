/* SPDX-License-Identifier: MIT */
/* Which methods allocate at a site. Tracers number sites arbitrarily, so a site is best named
 * by its method: nearly all sites have only one. */
#ifndef ETMERLIN_MERLIN_RECORDERS_SITE_METHODS_H
#define ETMERLIN_MERLIN_RECORDERS_SITE_METHODS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct site_methods;

/* Makes an empty list of sites. The caller owns *out (site_methods_free). */
enum status site_methods_new(struct site_methods **out, struct failure *why) MUST_CHECK;

/* Records an allocation at `site`, made while the innermost open method has the number `method`
 * (contexts.h; 0: none is open). STATUS_LIMIT: there are more than 2^32-2 sites. */
enum status site_methods_note(struct site_methods *sites, uint64_t site, uint32_t method,
                              struct failure *why) MUST_CHECK;

/* What allocates at a site. */
struct site_method {
    uint32_t number; /* of the method with the most objects, or the first of several to have had
                        as many; 0: none was open */
    bool is_one_of_several;
};

/* The method that allocates at `site`; number 0 if no allocation at it has been recorded. */
struct site_method site_methods_find(const struct site_methods *sites, uint64_t site);

/* NULL is allowed. */
void site_methods_free(struct site_methods *sites);

#endif
