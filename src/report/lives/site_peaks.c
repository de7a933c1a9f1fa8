/* SPDX-License-Identifier: MIT */
/* The walk over the live heap shows which objects come and go at a boundary. Only what is
 * allocated can bring a row to its peak, so only those rows are looked at. */
#include "report/lives/site_peaks.h"

#include "base/memory.h"

#include <stdlib.h>

/* What is found while the walk goes on. */
struct finding {
    const struct site_sums *sums;
    struct site_peaks *peaks; /* by row */
    size_t *grown;            /* rows that were allocated in since the boundary before */
    size_t count;
    size_t capacity;
    bool is_short; /* there was no memory */
};

static void see_birth(void *context, const struct birth_facts *birth)
{
    struct finding *finding = context;
    size_t row =
        site_sums_row(finding->sums, (uint32_t)birth->context, birth->site, birth->type);
    finding->is_short |= !ARRAY_RESERVE(finding->grown, finding->capacity, finding->count + 1);
    if (finding->is_short)
        return;
    finding->grown[finding->count++] = row;
    finding->peaks[row].now.objects++;
    finding->peaks[row].now.bytes += birth->size;
}

static void see_death(void *context, const struct life_facts *life)
{
    struct finding *finding = context;
    if (life_is_prior(life))
        return;
    size_t row = site_sums_row(finding->sums, life->context, life->site, life->type);
    finding->peaks[row].now.objects--;
    finding->peaks[row].now.bytes -= life->size;
}

/* Just after a boundary. */
static void take_boundary(struct finding *finding)
{
    for (size_t i = 0; i < finding->count; i++) {
        struct site_peaks *row = &finding->peaks[finding->grown[i]];
        if (row->now.bytes > row->own.bytes)
            row->own = row->now;
    }
    finding->count = 0;
}

static void note_peak(struct finding *finding)
{
    for (size_t i = 0; i < finding->sums->by_context.tallies.count; i++)
        finding->peaks[i].all = finding->peaks[i].now;
}

static void find_peaks(struct finding *finding, struct live_walk *walk)
{
    uint64_t most = 0;
    while (live_next(walk)) {
        take_boundary(finding);
        if (walk->point.size > most && walk->point.size == finding->sums->peaks.most_bytes.size)
            note_peak(finding);
        if (walk->point.size > most)
            most = walk->point.size;
    }
}

enum status site_peaks_find(struct site_peaks **peaks, const struct site_sums *sums,
                            const struct life_stream *stream, struct failure *why)
{
    *peaks = array_new(sums->by_context.tallies.count, sizeof **peaks);
    if (!*peaks)
        return fail_memory(why);
    struct finding finding = {.sums = sums, .peaks = *peaks};
    struct live_walk walk;
    enum status status = live_start(&walk, stream, why);
    walk.watch = (struct live_watch){see_birth, see_death, &finding};
    if (status == STATUS_OK) {
        find_peaks(&finding, &walk);
        status = finding.is_short ? fail_memory(why) : walk.status;
    }
    live_end(&walk);
    free(finding.grown);
    return status;
}
