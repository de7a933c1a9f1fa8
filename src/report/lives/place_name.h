/* SPDX-License-Identifier: MIT */
/* Names of places of allocation that are made of the names of methods. */
#ifndef ETMERLIN_REPORT_LIVES_PLACE_NAME_H
#define ETMERLIN_REPORT_LIVES_PLACE_NAME_H

#include "merlin/last_use.h"
#include "report/lives/tallies.h"
#include "trace/names.h"

/* A buffer for such names; zero-initialize it, and free its text. */
struct place_name {
    char *text;
    size_t length;
    size_t capacity;
};

/* Makes the name of the context in which the objects of a tally, by context or pair, are
 * allocated: the names of its methods, the innermost first, or their numbers, with ";" between
 * them; (none) without methods. If they are of one line, which name lists have, the innermost
 * method has it. Good until the next call; NULL: no memory. */
const char *place_name_of_allocations(struct place_name *name, const struct contexts *contexts,
                                      const struct tally *tally,
                                      const struct names *names) MUST_CHECK;

/* The same of the method alone in which they are allocated; the tally may be by method. */
const char *place_name_of_allocator(struct place_name *name, const struct tally *tally,
                                    const struct names *names) MUST_CHECK;

/* The same of a context in which objects die; (alive) if they do not (tallies.h). */
const char *place_name_of_death(struct place_name *name, const struct contexts *contexts,
                                bool is_alive, uint32_t context,
                                const struct names *names) MUST_CHECK;

/* Whether name lists call `site` as they call `method`, and with the line. */
bool place_has_line(const struct names *names, uint64_t site, uint64_t method);

/* Makes the frame of such a site as DHAT has it in C: "0xADDRESS: METHOD (FILE:LINE)". The site
 * stands for the address, and the class for the file, which name lists do not have. */
const char *place_name_of_dhat_line(struct place_name *name, uint64_t site,
                                    const struct names *names) MUST_CHECK;

/* Makes the name of such a site, of one method, of a field, or of a type. */
const char *place_name_of_line(struct place_name *name, uint64_t site,
                               const struct names *names) MUST_CHECK;
const char *place_name_of_method(struct place_name *name, uint64_t method,
                                 const struct names *names) MUST_CHECK;
const char *place_name_of_field(struct place_name *name, uint64_t field,
                                const struct names *names) MUST_CHECK;
const char *place_name_of_type(struct place_name *name, uint64_t type,
                               const struct names *names) MUST_CHECK;

/* Sets *out to the name of a site, which is good until the next call: what a name list calls
 * it, else its method (site_methods.h), or (none), with "+" after it if there are several.
 * NULL: the method has no name. False: no memory. */
bool place_name_of_site(struct place_name *name, const struct history *history, uint64_t site,
                        const struct names *names, const char **out) MUST_CHECK;

#endif
