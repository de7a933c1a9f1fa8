/* SPDX-License-Identifier: MIT */
/* A point of DHAT is a stack of frames: here a context, with the line that allocates if it is
 * known, and within it the allocated type. The clock is that of bytes, as for all lifetimes.
 * The table of frames comes last in the file, so points are printed as they are found, and
 * frames are numbered meanwhile. The viewer refuses two points with the same stack, so frames
 * with the same name but different ids have different numbers. */
#include "report/report.h"

#include "base/memory.h"
#include "report/lives/shown_name.h"
#include "report/lives/site_sums.h"

#include <inttypes.h>
#include <stdlib.h>

/* Shorter lifetimes are short, as in the viewer. */
enum { SHORT_LIFETIME = 1024 * 1024 };

/* Live objects of a context and type. */
struct site_peaks {
    struct amount now; /* at the present position of the walk */
    struct amount own; /* when it has the most live bytes */
    struct amount all; /* when all together have the most live bytes */
};

/* The state of the walk over the live heap. */
struct peak_search {
    const struct site_sums *sums;
    struct site_peaks *peaks; /* by row */
    size_t *grown;            /* rows with allocations since the last point */
    size_t count;
    size_t capacity;
    bool is_short; /* there was no memory */
};

static void see_birth(void *context, const struct birth_facts *birth)
{
    struct peak_search *search = context;
    size_t row =
        site_sums_row(search->sums, (uint32_t)birth->context, birth->site, birth->type);
    search->is_short |= !ARRAY_RESERVE(search->grown, search->capacity, search->count + 1);
    if (search->is_short)
        return;
    search->grown[search->count++] = row;
    amount_add(&search->peaks[row].now, birth->size);
}

static void see_death(void *context, const struct life_facts *life)
{
    struct peak_search *search = context;
    if (life_is_prior(life))
        return;
    size_t row = site_sums_row(search->sums, life->context, life->site, life->type);
    search->peaks[row].now.objects--;
    search->peaks[row].now.bytes -= life->size;
}

/* Takes the peaks at a point. */
static void take_point(struct peak_search *search)
{
    for (size_t i = 0; i < search->count; i++) {
        struct site_peaks *row = &search->peaks[search->grown[i]];
        if (row->now.bytes > row->own.bytes)
            row->own = row->now;
    }
    search->count = 0;
}

static void note_peak(struct peak_search *search)
{
    for (size_t i = 0; i < search->sums->by_context.tallies.count; i++)
        search->peaks[i].all = search->peaks[i].now;
}

static void find_peaks(struct peak_search *search, struct live_walk *walk)
{
    uint64_t most = 0;
    while (live_next(walk)) {
        take_point(search);
        if (walk->point.size > most && walk->point.size == search->sums->peaks->most_bytes.size)
            note_peak(search);
        if (walk->point.size > most)
            most = walk->point.size;
    }
}

/* After all lives of `stream` have been added: sets *peaks to an array by row of
 * sums->by_context. The walk over the live heap shows which objects come and go at each
 * point. Only an allocation can bring a row to its peak, so only rows with allocations are
 * looked at. The caller owns *peaks (free), also after a failure. */
static enum status find_site_peaks(struct site_peaks **peaks, const struct site_sums *sums,
                                   const struct life_stream *stream, struct failure *why)
{
    *peaks = array_new(sums->by_context.tallies.count, sizeof **peaks);
    if (!*peaks)
        return fail_memory(why);
    struct peak_search search = {.sums = sums, .peaks = *peaks};
    struct live_walk walk;
    enum status status = live_start(&walk, stream, why);
    walk.observer = (struct live_observer){see_birth, see_death, &search};
    if (status == STATUS_OK) {
        find_peaks(&search, &walk);
        status = search.is_short ? fail_memory(why) : walk.status;
    }
    live_end(&walk);
    free(search.grown);
    return status;
}

struct dhat_file {
    struct print *print;
    const struct report *report;
    struct map numbers[NAMES_SPACES]; /* of types, methods and sites with lines: id -> number of
                                         the frame, from 1 on */
    struct shown_frame *frames;       /* by number - 1 */
    size_t count;
    size_t capacity;
};

/* Prints the number of a frame; a new frame gets its number here. False: no memory. */
static bool print_frame_number(struct dhat_file *file, const struct shown_frame *frame)
{
    uint64_t *number = map_insert(&file->numbers[frame->space], frame->id);
    if (!number)
        return false;
    if (*number == 0) {
        if (!ARRAY_RESERVE(file->frames, file->capacity, file->count + 1))
            return false;
        file->frames[file->count] = *frame;
        *number = ++file->count;
    }
    print_text(file->print, "%" PRIu64, *number);
    return true;
}

/* Prints a stack, the innermost frame first. */
static bool print_frames(struct dhat_file *file, const struct tally *tally)
{
    const struct site_sums *sums = file->report->sums;
    const struct shown_frame type = {NAMES_TYPE, tally->type};
    struct shown_frame frames[CONTEXT_DEPTH_MAX];
    size_t count = shown_frames(frames, sums->contexts, tally->context, tally,
                                file->report->material->names);
    bool is_complete = print_frame_number(file, &type);
    for (size_t i = 0; i < count && is_complete; i++) {
        print_text(file->print, ",");
        is_complete = print_frame_number(file, &frames[i]);
    }
    return is_complete;
}

static enum status print_point(struct dhat_file *file, size_t row,
                               const struct site_peaks *peaks)
{
    const struct site_tallies *contexts = &file->report->sums->by_context;
    const struct tally *tally = &contexts->tallies.items[row];
    char lifetimes[WIDE_SIZE];
    print_text(file->print, "%s\n{\"tb\":%" PRIu64 ",\"tbk\":%" PRIu64 ",\"tl\":%s,",
               row == 0 ? "" : ",", tally->bytes, tally->objects,
               figures_format_wide(lifetimes, contexts->dispersions[row].by_objects.sum));
    print_text(file->print, "\"mb\":%" PRIu64 ",\"mbk\":%" PRIu64, peaks->own.bytes,
               peaks->own.objects);
    print_text(file->print, ",\"gb\":%" PRIu64 ",\"gbk\":%" PRIu64, peaks->all.bytes,
               peaks->all.objects);
    print_text(file->print, ",\"eb\":%" PRIu64 ",\"ebk\":%" PRIu64 ",\"fs\":[",
               tally->immortal_bytes, tally->immortals);
    if (!print_frames(file, tally))
        return fail_memory(file->print->why);
    print_text(file->print, "]}");
    return file->print->status;
}

static enum status print_points(struct dhat_file *file)
{
    const struct site_sums *sums = file->report->sums;
    struct site_peaks *peaks;
    enum status status =
        find_site_peaks(&peaks, sums, file->report->material->stream, file->print->why);
    for (size_t i = 0; i < sums->by_context.tallies.count && status == STATUS_OK; i++)
        status = print_point(file, i, &peaks[i]);
    free(peaks);
    return status;
}

static const char *name_frame(struct shown_name *name, const struct shown_frame *frame,
                              const struct names *names)
{
    return frame->space == NAMES_SITE ? shown_name_of_dhat_line(name, frame->id, names)
                                      : shown_name_of_id(name, frame->space, frame->id, names);
}

static enum status print_frame_table(struct dhat_file *file)
{
    const struct names *names = file->report->material->names;
    struct shown_name name = {.text = NULL};
    enum status status = STATUS_OK;
    print_text(file->print, "],\n\"ftbl\":[\"[root]\"");
    for (size_t i = 0; i < file->count && status == STATUS_OK; i++) {
        const char *text = name_frame(&name, &file->frames[i], names);
        if (!text) {
            status = fail_memory(file->print->why);
            break;
        }
        print_text(file->print, ",\n");
        json_print_string(file->print, text);
        status = file->print->status;
    }
    print_text(file->print, "]}\n");
    free(name.text);
    return status;
}

/* Prints the head. The clock at the end must not be 0, since the viewer divides by it. */
static void print_dhat_head(struct dhat_file *file)
{
    const struct site_sums *sums = file->report->sums;
    uint64_t end = sums->all_bytes;
    print_text(file->print,
               "{\"dhatFileVersion\":2,\"mode\":\"java-heap\",\"verb\":\"Allocated\",\n"
               "\"bklt\":true,\"bkacc\":false,\n"
               "\"bu\":\"byte\",\"bsu\":\"bytes\",\"bksu\":\"objects\",\n"
               "\"tu\":\"bytes\",\"Mtu\":\"MB\",\"tuth\":%d,\n\"cmd\":",
               SHORT_LIFETIME);
    json_print_string(file->print, file->report->material->trace);
    print_text(file->print, ",\"pid\":0,\n\"te\":%" PRIu64 ",\"tg\":%" PRIu64 ",\n\"pps\":[",
               end > 0 ? end : 1, sums->peaks->most_bytes.bytes);
}

static enum status dhat_finish(struct report *report, struct failure *why)
{
    struct print print = {.sink = report->sink, .why = why};
    struct dhat_file file = {.print = &print, .report = report};
    print_dhat_head(&file);
    enum status status = print_points(&file);
    if (status == STATUS_OK)
        status = print_frame_table(&file);
    for (size_t i = 0; i < NAMES_SPACES; i++)
        map_free(&file.numbers[i]);
    free(file.frames);
    return status == STATUS_OK ? print.status : status;
}

/* The report of --dhat. */
const struct report_class dhat_report = {.traits = TRAIT_NAMES | TRAIT_LIFETIMES,
                                         .sums = SUMS_OF_ALLOCATIONS,
                                         .finish = dhat_finish};
