/* What the rankings of statistics are of, and how it is named. */
#ifndef ETMERLIN_REPORT_LIVES_RANKED_PLACES_H
#define ETMERLIN_REPORT_LIVES_RANKED_PLACES_H

#include "report/lives/stats.h"

struct ranked_places {
    const struct tallies *tallies;
    const struct dispersion *dispersions; /* of each; NULL: there are none */
    const struct names *names;            /* NULL: there are none */
    const struct contexts *contexts;      /* NULL: they are not by context */
    bool is_of_ids;                       /* of ids in the space below, types or sites */
    enum name_space space;
    bool has_uses; /* so there is drag */
};

struct ranked_places ranked_types(const struct stats *stats, const struct names *names);
struct ranked_places ranked_sites(const struct stats *stats, const struct names *names);
struct ranked_places ranked_methods(const struct stats *stats, const struct names *names);
struct ranked_places ranked_contexts(const struct stats *stats, const struct names *names);

/* A buffer for names of contexts, methods and types; zero-initialize it, and free its text. */
struct context_name {
    char *text;
    size_t length;
    size_t capacity;
};

/* Makes the name of a context: those of its methods, the innermost first, or their numbers,
 * with
 * ";" between them; (none) without methods. Good until the next call; NULL: no memory. */
const char *context_name_make(struct context_name *name, const struct contexts *contexts,
                              uint32_t context, const struct names *names) MUST_CHECK;

/* The same of one method, and of a type. */
const char *method_name_make(struct context_name *name, uint64_t method,
                             const struct names *names) MUST_CHECK;
const char *type_name_make(struct context_name *name, uint64_t type,
                           const struct names *names) MUST_CHECK;

#endif
