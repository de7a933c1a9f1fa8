/* SPDX-License-Identifier: MIT */
/* The walk over the live heap tells which objects come and go at a boundary; their rows are
 * known. Only what is allocated can bring a row to its peak, so only those rows are looked at.
 */
#include "report/lives/place_peaks.h"

#include "base/memory.h"

/* What came by since the boundary before. */
struct live_step {
    const struct places *places;
    size_t born, died; /* at the boundary before */
    const struct live_walk *walk;
};

static struct place_peaks *peaks_of(struct place_peaks *peaks, const struct live_step *step,
                                    size_t allocation)
{
    return &peaks[step->places->rows[allocation]];
}

static void take_boundary(struct place_peaks *peaks, const struct live_step *step)
{
    const struct lives *lives = step->places->lives;
    const struct life_records *records = &lives_history(lives)->life_records;
    for (size_t i = step->born; i < step->walk->born; i++) {
        struct place_peaks *row = peaks_of(peaks, step, i);
        row->now.objects++;
        row->now.bytes += life_records_size(records, i);
    }
    for (size_t i = step->died; i < step->walk->died; i++) {
        size_t allocation = lives_death(lives, i);
        struct place_peaks *row = peaks_of(peaks, step, allocation);
        row->now.objects--;
        row->now.bytes -= life_records_size(records, allocation);
    }
    for (size_t i = step->born; i < step->walk->born; i++) {
        struct place_peaks *row = peaks_of(peaks, step, i);
        if (row->now.bytes > row->own.bytes)
            row->own = row->now;
    }
}

static void note_peak(struct place_peaks *peaks, const struct places *places)
{
    for (size_t i = 0; i < places->by_context.tallies.count; i++)
        peaks[i].all = peaks[i].now;
}

enum status place_peaks_find(struct place_peaks **peaks, const struct places *places,
                             struct failure *why)
{
    *peaks = array_new(places->by_context.tallies.count, sizeof **peaks);
    if (!*peaks)
        return fail_memory(why);
    struct live_walk walk;
    uint64_t most = 0;
    live_start(&walk, places->lives);
    struct live_step step = {.places = places, .walk = &walk};
    while (live_next(&walk)) {
        take_boundary(*peaks, &step);
        step.born = walk.born;
        step.died = walk.died;
        if (walk.point.size > most && walk.point.size == places->peaks.most_bytes.size)
            note_peak(*peaks, places);
        if (walk.point.size > most)
            most = walk.point.size;
    }
    return STATUS_OK;
}
