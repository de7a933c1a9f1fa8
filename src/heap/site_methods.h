/* SPDX-License-Identifier: MIT */
/* Which methods allocate at a site. Tracers number sites on their own, so the method is what
 * names one: nearly all sites have one. */
#ifndef ETMERLIN_HEAP_SITE_METHODS_H
#define ETMERLIN_HEAP_SITE_METHODS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct site_methods;

/* Without any site yet. The caller owns *out (site_methods_free). */
enum status site_methods_new(struct site_methods **out, struct failure *why) MUST_CHECK;

/* Notes an allocation at `site`, whose innermost open method has the number `method`
 * (contexts.h), 0: none is open. STATUS_LIMIT: there are 2^32 sites or more. */
enum status site_methods_note(struct site_methods *sites, uint64_t site, uint32_t method,
                              struct failure *why) MUST_CHECK;

/* What allocates at a site. */
struct site_method {
    uint32_t number; /* of the method with the most objects, of several with as many the first
                        to have them; 0: none was open */
    bool is_one_of_several;
};

/* Of a site that has been noted. */
struct site_method site_methods_find(const struct site_methods *sites, uint64_t site);

/* NULL is allowed. */
void site_methods_free(struct site_methods *sites);

#endif
