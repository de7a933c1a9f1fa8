/* SPDX-License-Identifier: MIT */
/* A thread of its own reads counters that others keep. So the line is shown in time even while
 * they wait for a pipe or compute for long, and costs them nothing. The thread sleeps in poll
 * and needs no timer signals. It cannot miss a signal to end, and passes it to the main thread
 * until that has noticed it, whatever it was about to wait for. If the main thread computes for
 * too long, or frees large tables, this thread ends the process itself. */
#include "cli/process/progress.h"

#include "base/memory.h"
#include "base/thread.h"
#include "cli/process/process.h"
#include "io/source.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    TERMINAL_MILLISECONDS = 300,
    PLAIN_MILLISECONDS = 10 * 1000,
    KICK_MILLISECONDS = 50,
    KICKS = 3, /* signals to the main thread, with some time after each */
};

/* The beginning of a phase. */
struct phase_start {
    enum phase phase;
    const struct source *source;
    double start;
};

struct progress {
    const char *name;
    enum progress_mode mode;
    bool on_terminal;
    bool has_thread;
    pthread_t thread;
    pthread_t main_thread;
    pthread_mutex_t showing; /* held while a line is shown; protects `has_made_way` */
    bool has_made_way;
    pthread_mutex_t lock; /* protects `current`, `later` and `reading` */
    struct phase_start current;
    struct phases_to_come later;
    double reading; /* the seconds that the last reading took; 0: none has ended */
    atomic_bool stop;
    atomic_uint_fast64_t records, of, objects;
};

double progress_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Appends to the line, as much as there is room for. */
static void PRINTF_LIKE(2, 3) progress_append(char *line, const char *format, ...)
{
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, PROGRESS_LINE_SIZE - length, format, arguments);
    va_end(arguments);
}

static void append_duration(char *line, double duration)
{
    uint64_t left = (uint64_t)(duration + 0.5);
    if (left >= 3600)
        progress_append(line, ", %" PRIu64 ":%02u:%02u left", left / 3600,
                        (unsigned)(left / 60 % 60), (unsigned)(left % 60));
    else
        progress_append(line, ", %u:%02u left", (unsigned)(left / 60), (unsigned)(left % 60));
}

/* The two parts of the line: what must be shown, and what may be left out. */
struct shown_parts {
    char state[PROGRESS_LINE_SIZE];
    char details[PROGRESS_LINE_SIZE];
};

/* The time of the phases that follow, in percent of that of a reading. It depends on the trace
 * and the output; these are values of large traces. */
static unsigned percent_to_come(const struct progress *progress)
{
    static const unsigned percents[PHASES] = {
        [PHASE_READING] = 100, [PHASE_PROPAGATION] = 5, [PHASE_MENTIONS] = 25,
        [PHASE_WINDOWS] = 35,  [PHASE_COMPARING] = 10,  [PHASE_REPORTS] = 20,
        [PHASE_WRITING] = 70,  [PHASE_CONVERTING] = 70, [PHASE_VERIFYING] = 40,
    };
    unsigned percent = 0;
    for (size_t i = 0; i < PHASES; i++)
        percent += progress->later.times[i] * percents[i];
    return percent;
}

/* Appends the time left, if `done` of `of` are done in this phase. */
static void append_time_left(struct shown_parts *parts, const struct progress *progress,
                             double elapsed, uint64_t done, uint64_t of)
{
    double reading = progress->current.phase == PHASE_READING ? 0 : progress->reading;
    append_duration(parts->state,
                    progress_time_left(elapsed, done, of, reading, percent_to_come(progress)));
}

/* Appends percent, speed, and the time left, for a reading. */
static void append_reading(struct shown_parts *parts, const struct progress *progress,
                           const struct phase_start *current, double elapsed)
{
    struct source_progress at = source_progress(current->source);
    uint64_t records = atomic_load_explicit(&progress->records, memory_order_relaxed);
    if (at.total > 0 && at.done <= at.total)
        progress_append(parts->state, " %.1f%%", 100 * (double)at.done / (double)at.total);
    progress_append(parts->details, "%.1f MB", (double)at.bytes / 1e6);
    if (elapsed <= 0)
        return;
    progress_append(parts->details, ", %.1f MB/s", (double)at.bytes / 1e6 / elapsed);
    if (current->phase == PHASE_READING)
        progress_append(parts->details, ", %.2f M records/s", (double)records / 1e6 / elapsed);
    if (at.done > 0 && at.done <= at.total)
        append_time_left(parts, progress, elapsed, at.done, at.total);
}

/* Appends percent, the time left and the speed, for a phase that goes through records, objects
 * or lives. */
static void append_steps(struct shown_parts *parts, const struct progress *progress,
                         const struct phase_start *current, double elapsed)
{
    uint64_t records = atomic_load_explicit(&progress->records, memory_order_relaxed);
    uint64_t of = atomic_load_explicit(&progress->of, memory_order_relaxed);
    if (of == 0 || records == 0 || records > of || elapsed <= 0)
        return;
    progress_append(parts->state, " %.1f%%", 100 * (double)records / (double)of);
    append_time_left(parts, progress, elapsed, records, of);
    if (current->phase == PHASE_MENTIONS || current->phase == PHASE_WINDOWS)
        progress_append(parts->details, "%.2f M records/s", (double)records / 1e6 / elapsed);
}

/* Writes the line of at most `width` columns to `line` (PROGRESS_LINE_SIZE bytes). */
static void make_line(char *line, struct progress *progress, size_t width)
{
    static const char *const phases[PHASES] = {
        "reading (pass 1)", "propagation", "last mentions (windows)",
        "heap (windows)",   "comparing",   "reports",
        "writing (pass 2)", "converting",  "verifying"};
    struct shown_parts parts = {.state = ""};
    pthread_mutex_lock(&progress->lock);
    struct phase_start current = progress->current;
    bool has_name =
        current.phase == PHASE_READING; /* in other phases it may be a temporary file */
    const char *name = has_name ? source_name(current.source) : progress->name;
    progress_append(parts.state, "%s", phases[current.phase]);
    if (current.source)
        append_reading(&parts, progress, &current, progress_seconds() - current.start);
    else
        append_steps(&parts, progress, &current, progress_seconds() - current.start);
    progress_append(parts.details, "%s%" PRIu64 " objects", *parts.details ? ", " : "",
                    (uint64_t)atomic_load_explicit(&progress->objects, memory_order_relaxed));
    progress_line_fit(line, name, parts.state, parts.details, width);
    pthread_mutex_unlock(&progress->lock);
}

static void progress_put(const char *text, size_t length)
{
    ssize_t ignored = write(STDERR_FILENO, text, length);
    (void)ignored;
}

/* Shows the line in one write, so that no other output comes between. */
static void progress_show(struct progress *progress, bool stays)
{
    char line[PROGRESS_LINE_SIZE], shown[PROGRESS_LINE_SIZE + 32];
    struct winsize size;
    bool is_line = !progress->on_terminal || stays;
    size_t width = PROGRESS_LINE_SIZE;
    if (!is_line && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        width = size.ws_col - 1u;
    make_line(line, progress, width);
    pthread_mutex_lock(&progress->showing);
    int length =
        snprintf(shown, sizeof shown, "%s%s%s%s%s%s", progress->on_terminal ? "\r" : "",
                 is_line ? message_program : "", is_line ? ": " : "", line,
                 progress->on_terminal ? "\033[K" : "", is_line ? "\n" : "");
    if (is_line || !progress->has_made_way)
        progress_put(shown, (size_t)length);
    pthread_mutex_unlock(&progress->showing);
}

static int interval(const struct progress *progress)
{
    if (progress->mode == PROGRESS_NEVER)
        return -1;
    if (progress->on_terminal)
        return TERMINAL_MILLISECONDS;
    return progress->mode == PROGRESS_ALWAYS ? PLAIN_MILLISECONDS : -1;
}

enum note { NOTE_NONE, NOTE_WAKE, NOTE_END, NOTE_FAILED };

/* Waits at most `timeout` milliseconds (-1: for ever) for a note; returns which has come. */
static enum note wait_for_note(int timeout)
{
    const struct interrupt *interrupt = signals_interrupt();
    bool ends = interrupt_requested(interrupt);
    struct pollfd descriptors[] = {{.fd = signals_wake_descriptor(), .events = POLLIN},
                                   {.fd = ends ? -1 : interrupt->descriptor, .events = POLLIN}};
    int result = poll(descriptors, 2, ends ? KICK_MILLISECONDS : timeout);
    if (result < 0 && errno != EINTR)
        return NOTE_FAILED;
    if (result > 0 && descriptors[0].revents != 0) {
        signals_slept();
        return NOTE_WAKE;
    }
    return interrupt_requested(interrupt) ? NOTE_END : NOTE_NONE;
}

/* Makes a call in which the main thread waits return. SIGPIPE comes from its own writing, so it
 * knows about that. */
static void kick(const struct progress *progress)
{
    int signal = atomic_load(&signals_interrupt()->signal);
    if (signal != SIGPIPE)
        pthread_kill(progress->main_thread, signal);
}

static void clear_line(const struct progress *progress)
{
    if (progress->on_terminal && !progress->has_made_way && progress->mode != PROGRESS_NEVER)
        progress_put("\r\033[K", 4);
}

/* Asks the main thread to end the process; ends it here if that thread has had time enough. */
static void end(const struct progress *progress, unsigned kicks)
{
    if (kicks < KICKS) {
        kick(progress);
        return;
    }
    clear_line(progress);
    ending_by_signal();
}

static void *watch(void *argument)
{
    struct progress *progress = argument;
    int timeout = interval(progress);
    for (unsigned kicks = 0;;) {
        enum note note = wait_for_note(timeout);
        if (note == NOTE_FAILED || atomic_load(&progress->stop))
            return NULL;
        if (note == NOTE_END)
            end(progress, kicks++);
        else
            progress_show(progress, note == NOTE_WAKE);
    }
}

enum status progress_start(struct progress **out, const struct options *options,
                           const struct source *source, struct failure *why)
{
    struct progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return fail_memory(why);
    progress->name = source_name(source);
    progress->mode = options->quiet && options->progress == PROGRESS_AUTO ? PROGRESS_NEVER
                                                                          : options->progress;
    progress->on_terminal = isatty(STDERR_FILENO) && options->jobs == 1;
    progress->main_thread = pthread_self();
    progress->current = (struct phase_start){PHASE_READING, source, progress_seconds()};
    pthread_mutex_init(&progress->lock, NULL);
    pthread_mutex_init(&progress->showing, NULL);
    /* Without the thread, the program works, but shows no progress. */
    progress->has_thread = thread_start(&progress->thread, watch, progress) == 0;
    *out = progress;
    return STATUS_OK;
}

void progress_phase(struct progress *progress, enum phase phase, const struct source *source)
{
    pthread_mutex_lock(&progress->lock);
    double now = progress_seconds();
    if (progress->current.phase == PHASE_READING)
        progress->reading = now - progress->current.start;
    if (progress->later.times[phase] > 0)
        progress->later.times[phase]--;
    progress->current = (struct phase_start){phase, source, now};
    atomic_store_explicit(&progress->records, 0, memory_order_relaxed);
    atomic_store_explicit(&progress->of, 0, memory_order_relaxed);
    pthread_mutex_unlock(&progress->lock);
}

void progress_expect(struct progress *progress, const struct phases_to_come *later)
{
    pthread_mutex_lock(&progress->lock);
    progress->later = *later;
    pthread_mutex_unlock(&progress->lock);
}

void progress_count(struct progress *progress, uint64_t records, uint64_t objects)
{
    atomic_fetch_add_explicit(&progress->records, records, memory_order_relaxed);
    atomic_store_explicit(&progress->objects, objects, memory_order_relaxed);
}

void progress_step(struct progress *progress, uint64_t done, uint64_t of)
{
    atomic_store_explicit(&progress->records, done, memory_order_relaxed);
    atomic_store_explicit(&progress->of, of, memory_order_relaxed);
}

void progress_make_way(struct progress *progress)
{
    if (!isatty(STDOUT_FILENO))
        return;
    pthread_mutex_lock(&progress->showing);
    clear_line(progress);
    progress->has_made_way = true;
    pthread_mutex_unlock(&progress->showing);
}

/* The percentage of the input of this phase that has been read; -1: not known. */
static int progress_percent(const struct progress *progress)
{
    if (!progress->current.source)
        return -1;
    struct source_progress at = source_progress(progress->current.source);
    return at.total == 0 || at.done > at.total
               ? -1
               : (int)(100.0 * (double)at.done / (double)at.total);
}

void progress_stop(struct progress *progress)
{
    if (!progress)
        return;
    if (progress->has_thread) {
        atomic_store(&progress->stop, true);
        signals_wake();
        pthread_join(progress->thread, NULL);
        clear_line(progress);
    }
    pthread_mutex_destroy(&progress->lock);
    pthread_mutex_destroy(&progress->showing);
    free(progress);
    ending_by_signal();
}

struct position position_now(const struct progress *progress)
{
    return (struct position){
        .memory = memory_in_use(),
        .percent = progress ? progress_percent(progress) : -1,
    };
}

enum status explain_shortage(enum status status, const struct position *position,
                             const struct options *options, struct failure *why)
{
    char limit[64] = "there is", share[40] = "";
    if (status != STATUS_MEMORY)
        return status;
    if (options->engine.memory_limit)
        snprintf(limit, sizeof limit, "--memory-limit=%" PRIu64 "M allows",
                 (options->engine.memory_limit + (1 << 20) - 1) >> 20);
    if (position->percent >= 0)
        snprintf(share, sizeof share, ", at %d%% of the input", position->percent);
    return fail_at(why, STATUS_MEMORY, options->trace, 0,
                   "More memory is needed than %s: %" PRIu64 " MiB were in use%s", limit,
                   position->memory >> 20, share);
}
