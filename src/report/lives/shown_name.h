/* SPDX-License-Identifier: MIT */
/* The names that reports show of code, made of the names of methods. */
#ifndef ETMERLIN_REPORT_LIVES_SHOWN_NAME_H
#define ETMERLIN_REPORT_LIVES_SHOWN_NAME_H

#include "merlin/pass.h"
#include "report/lives/tallies.h"
#include "trace/names.h"

/* A buffer for such names; zero-initialize it, and free its text. */
struct shown_name {
    char *text;
    size_t length;
    size_t capacity;
};

/* What a context without methods is called. */
#define SHOWN_NO_METHODS "(none)"

/* Appends a name. False: no memory. */
bool shown_name_append(struct shown_name *name, const struct name_parts *parts) MUST_CHECK;

/* Appends the name of method number `at`, 0 the innermost, of a context `of`. False: no memory.
 */
typedef bool append_method(struct shown_name *name, const void *of, size_t at);

/* Makes the name of a context of `count` methods: their names, with ";" between them. NULL: no
 * memory; none is needed if name->text has room for it. */
const char *shown_name_of_context(struct shown_name *name, size_t count, append_method *append,
                                  const void *of) MUST_CHECK;

/* A method, or a site that name lists call as the method, and with the line (site_has_line). */
struct shown_frame {
    enum name_space space;
    uint64_t id;
};

/* Sets *frames to those of a context, the innermost first; returns how many they are. If the
 * objects of `allocated`, a tally by context or pair, are allocated there, and are of one line,
 * the innermost frame has it. NULL: they are not allocated there. */
size_t shown_frames(struct shown_frame frames[CONTEXT_DEPTH_MAX],
                    const struct contexts *contexts, uint32_t context,
                    const struct tally *allocated, const struct names *names);

/* Makes the name of the context in which the objects of a tally, by context or pair, are
 * allocated: the names of its frames, or their numbers, with ";" between them; (none) without
 * methods. Good until the next call; NULL: no memory. */
const char *shown_name_of_allocations(struct shown_name *name, const struct contexts *contexts,
                                      const struct tally *tally,
                                      const struct names *names) MUST_CHECK;

/* Makes the name of the method alone in which the objects of a tally are allocated, as above;
 * the tally may be by method. */
const char *shown_name_of_allocator(struct shown_name *name, const struct tally *tally,
                                    const struct names *names) MUST_CHECK;

/* Makes the name of a context in which objects die, as above; (alive) if they do not
 * (tallies.h). */
const char *shown_name_of_death(struct shown_name *name, const struct contexts *contexts,
                                bool is_alive, uint32_t context,
                                const struct names *names) MUST_CHECK;

/* Whether name lists call `site` as they call `method`, and with the line. */
bool site_has_line(const struct names *names, uint64_t site, uint64_t method);

/* Makes the frame of such a site as DHAT has it in C: "0xADDRESS: METHOD (FILE:LINE)". The site
 * stands for the address, and the class for the file, which name lists do not have. */
const char *shown_name_of_dhat_line(struct shown_name *name, uint64_t site,
                                    const struct names *names) MUST_CHECK;

/* Makes the name of one method, field, type or site, or of a frame, as name lists call it. */
const char *shown_name_of_id(struct shown_name *name, enum name_space space, uint64_t id,
                             const struct names *names) MUST_CHECK;

/* Sets *out to the name of a site, which is good until the next call: what a name list calls
 * it, else its method (contexts.h), or (none), with "+" after it if there are several.
 * NULL: the method has no name. False: no memory. */
bool shown_name_of_site(struct shown_name *name, const struct pass *pass, uint64_t site,
                        const struct names *names, const char **out) MUST_CHECK;

#endif
